"""Cameras and eyes that misbehave on purpose. In a module of their own, because the camera process imports them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from referee.cards import Card
from referee.frame import WHOLE, Frame, Part
from referee.hardware.cameras import Aiming, CameraError, CameraTrouble, Closing, Settling
from referee.observations import CardLanded, CardReading, Quality, Sighting, ViewChanged

PICTURE = np.zeros((72, 128, 3), np.uint8)


@dataclass
class FakeCamera(Closing):
    """Gives `frames` frames `pace_s` apart, then does what `then` says.

    then: "end", "hang" (read never returns), "raise", "die" (the process ends at once), "unplug", "starve" (no frames).
    """

    live: bool = True
    frames: int = 10**9
    pace_s: float = 0.01
    then: str = "end"
    hang_on_close: bool = False
    ended: bool = False
    given: int = field(default=0, init=False)

    def read(self, timeout_s: float) -> Frame | None:
        if self.given >= self.frames:
            return self._misbehave(timeout_s)
        time.sleep(self.pace_s)
        self.given += 1
        t = time.monotonic() if self.live else self.given / 10
        return Frame(PICTURE, self.given - 1, t)

    def _misbehave(self, timeout_s: float) -> None:
        match self.then:
            case "end":
                self.ended = True
            case "hang":
                time.sleep(3600)
            case "raise":
                raise RuntimeError("the fake camera raised")
            case "die":
                os._exit(7)
            case "unplug":
                raise CameraError(CameraTrouble.UNPLUGGED, "the fake camera was unplugged", "Plug it in")
            case "starve":
                time.sleep(timeout_s)

    def close(self) -> None:
        if self.hang_on_close:
            time.sleep(3600)

    def describe(self) -> str:
        return "a fake camera"


@dataclass
class AimingCamera(FakeCamera, Aiming):
    """Shows what it is aimed at three frames later, a little beside it; deaf: never. Its picture is dark, and white in
    what was the right half of the whole view."""

    deaf: bool = False
    parts: list[Part] = field(default_factory=lambda: [WHOLE] * 3)

    def read(self, timeout_s: float) -> Frame | None:
        frame = super().read(timeout_s)
        if frame is None:
            return None
        x, y, w, h = self.aim
        self.parts.append(WHOLE if self.deaf or self.aim == WHOLE else (x + 0.002, y, w, h))
        part = self.parts.pop(0)
        image = PICTURE.copy()
        image[:, max(0, round((0.5 - part[0]) / part[2] * PICTURE.shape[1])) :] = 255
        return replace(frame, image=image, part=part)


@dataclass
class SettlingCamera(FakeCamera, Settling):
    """Says whether it may settle anew."""

    def describe(self) -> str:
        return "may settle" if self.free else "must not settle"


class SeesNobody:
    """An eye that says of its third frame that nobody is at the table, and nothing more."""

    def __init__(self) -> None:
        self.n = 0

    def process(self, frame: Frame) -> list[Sighting]:
        self.n += 1
        return [ViewChanged(t=frame.t, state=Quality.CLEAR)] if self.n == 3 else []


class TellsParts:
    """An eye that says of each frame which part it shows: the confidence is the part's width. fresh: frames that it has
    seen so far, as the time."""

    def __init__(self) -> None:
        self.fresh = 0

    def process(self, frame: Frame) -> list[Sighting]:
        self.fresh += 1
        part = frame.part or WHOLE
        return [CardLanded(t=float(self.fresh), reading=CardReading(Card.parse("R7"), part[2]), sure=True)]


class TellsWidth:
    """A surveyor that says how wide a part each frame shows."""

    def survey(self, frame: Frame) -> dict[str, float]:
        return {"width": (frame.part or WHOLE)[2]}


class LandsEveryTenth:
    """An eye that sees a card land on every tenth frame."""

    def process(self, frame: Frame) -> list[Sighting]:
        if frame.seq % 10:
            return []
        return [CardLanded(t=frame.t, reading=CardReading(Card.parse("R7"), 0.99), sure=True)]


class Slow:
    """An eye that takes 50 ms for a frame."""

    def process(self, frame: Frame) -> list[Sighting]:
        time.sleep(0.05)
        return []


class Asleep:
    """An eye that never comes back from its third frame."""

    def process(self, frame: Frame) -> list[Sighting]:
        if frame.seq > 2:
            time.sleep(3600)
        return []


class Talkative:
    """An eye that has five things to say about every frame, numbered by their time."""

    def __init__(self) -> None:
        self.n = 0

    def process(self, frame: Frame) -> list[Sighting]:
        self.n += 5
        return [ViewChanged(t=float(self.n - 5 + i), state=Quality.CLEAR) for i in range(5)]


class Lands:
    """An eye that sees one card land on every frame."""

    def __init__(self, card: str) -> None:
        self._card = Card.parse(card)

    def process(self, frame: Frame) -> list[Sighting]:
        return [CardLanded(t=frame.t, reading=CardReading(self._card, 0.99), sure=True)]


def slowly(make: Callable[[], Any]) -> Any:
    """What `make` makes, after longer than the tests' heartbeat: as from a slow memory card."""
    time.sleep(2.5)
    return make()


class Counting:
    """A surveyor that counts what it looked over."""

    def __init__(self) -> None:
        self.n = 0

    def survey(self, frame: Frame) -> dict[str, int]:
        self.n += 1
        return {"n": self.n}


class Hurrying(Counting):
    """One that people wait for: it looks as often as frames come."""

    every_s = 0.0


def opens_once(marker: str, camera: FakeCamera) -> FakeCamera:
    """`camera` at the first call, a good one afterwards; the file `marker` remembers."""
    if Path(marker).exists():
        return FakeCamera()
    Path(marker).touch()
    return camera


def opens_never() -> FakeCamera:
    raise CameraError(CameraTrouble.NOT_FOUND, "there is no fake camera", "Plug one in")
