"""The eye on frames: a drawn table without networks, and the shared recordings with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from referee.cards import Card
from referee.frame import Frame, Image
from referee.observations import CardLanded, CardReading, CardRemoved, Quality, Sighting, ViewChanged
from referee.paths import shipped
from referee.vision.calibration import load_calibration
from referee.vision.eye import Eye
from referee.vision.nets import Found, Models, Read, load_models

TABLE = load_calibration(shipped("calibration") / "default.json")
FPS = 15
INKS = {"R7": (40, 40, 210), "G2": (60, 170, 60), "B9": (200, 90, 30)}


@dataclass
class Laid:
    """A card on the drawn table: its face, its middle in table millimetres, its angle."""

    face: str
    x: float
    y: float
    angle: float = 0.0

    def corners(self) -> npt.NDArray[np.float32]:
        box = cv2.boxPoints(((self.x, self.y), TABLE.card_mm, self.angle))
        return TABLE.to_image(box).astype(np.float32)


@dataclass
class Knower:
    """Stands in for both networks: knows what lies on the table."""

    sure: float = 0.9
    laid: list[Laid] = field(default_factory=list)
    to_patch: npt.NDArray[np.float64] | None = None

    def models(self) -> Models:
        self.finder = self.reader = self
        return cast(Models, self)

    def find(self, image: Image, card_px: float | None = None) -> list[Found]:
        """Nothing: the eye must place the card by the change alone."""
        return []

    def read(self, image: Image, quads: Sequence[npt.NDArray[np.float32]]) -> list[Read]:
        out = []
        for quad in quads:
            near = [c for c in self.laid if np.hypot(*(c.corners().mean(0) - quad.mean(0))) < 25]
            face = CardReading(Card.parse(near[-1].face), 0.99) if near else CardReading(None, 0.9)
            out.append(Read(face, quad, 0.99 if near else 0.05))
        return out


@dataclass
class Table:
    """Draws frames: cloth, cards, an arm from below, light, noise."""

    knower: Knower = field(default_factory=Knower)
    gain: float = 1.0
    arm_mm: float | None = None
    shift: tuple[float, float] = (0.0, 0.0)
    t: float = 0.0
    out: list[Sighting] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(7)
        self._rng = rng
        cloth = cv2.resize(rng.integers(90, 140, (45, 80, 3), np.uint8), (1280, 720), interpolation=cv2.INTER_CUBIC)
        self._cloth = cloth
        self._noise = rng.integers(0, 7, (1420, 1280, 3), np.uint8)
        self.eye = Eye(TABLE, self.knower.models())

    def frame(self) -> Frame:
        image = self._cloth.copy()
        for card in self.knower.laid:
            quad = np.rint(card.corners()).astype(np.int32)
            cv2.fillConvexPoly(image, quad, (235, 235, 235))
            middle = quad.mean(0)
            cv2.fillConvexPoly(image, np.rint((quad - middle) * 0.86 + middle).astype(np.int32), INKS[card.face])
        if self.arm_mm is not None:
            a, b = TABLE.to_image([(265.0, 450.0), (315.0, self.arm_mm)])
            cv2.rectangle(image, np.rint(a).astype(int).tolist(), np.rint(b).astype(int).tolist(), (110, 150, 205), -1)
        move = np.array([[1, 0, self.shift[0]], [0, 1, self.shift[1]]], np.float64)
        if self.shift != (0.0, 0.0):
            image = cv2.warpAffine(image, move, (1280, 720), borderMode=cv2.BORDER_REFLECT)
        row = int(self._rng.integers(0, 700))
        picture = cv2.add(cv2.convertScaleAbs(image, alpha=self.gain), self._noise[row : row + 720])
        frame = Frame(picture, round(self.t * FPS), self.t)
        self.t += 1 / FPS
        return frame

    def run(self, seconds: float) -> Table:
        for _ in range(round(seconds * FPS)):
            self.out += self.eye.process(self.frame())
        return self

    def reach(self, *cards: Laid, take: bool = False) -> Table:
        """A hand comes to the pile, lays or takes cards, and goes."""
        for at in (380.0, 300.0, 240.0):
            self.arm_mm = at
            self.run(1 / FPS)
        self.knower.laid = self.knower.laid[:-1] if take else [*self.knower.laid, *cards]
        for at in (240.0, 240.0, 300.0, 380.0):
            self.arm_mm = at
            self.run(1 / FPS)
        self.arm_mm = None
        return self.run(1.0)

    def said(self) -> list[str]:
        names = {CardLanded: "landed", CardRemoved: "removed"}
        return [
            f"{names.get(type(s), s.event)} {s.reading.notation if isinstance(s, CardLanded) else ''}".strip()
            for s in self.out
            if not isinstance(s, ViewChanged)
        ]


def test_cards_land_one_on_the_other() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    assert table.said() == ["landed R7", "landed G2"]
    assert [s.seat for s in table.out if isinstance(s, CardLanded)] == [1, 1]


def test_the_only_card_is_taken_back() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210)).reach(take=True)
    assert table.said() == ["landed R7", "removed"]


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.25])
def test_a_lamp_is_no_card(gain: float) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.gain = gain
    assert table.run(3.0).said() == ["landed R7"]


def test_a_lamp_during_a_visit_changes_nothing() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.arm_mm = 260
    table.run(0.4)
    table.gain = 0.75
    table.run(0.4)
    table.arm_mm = None
    assert table.run(1.5).said() == ["landed R7"]


def test_a_resting_sleeve_is_said_and_nothing_else() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.arm_mm = 230
    table.run(4.0)
    assert table.said() == ["landed R7"]
    assert [s.state for s in table.out if isinstance(s, ViewChanged)][-1] is Quality.HAND


def test_a_dark_room_is_said() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.gain = 0.2
    states = [s.state for s in table.run(2.0).out if isinstance(s, ViewChanged)]
    assert states[-1] is Quality.DARK


def test_a_bumped_camera_is_said_and_the_pile_is_not_laid_again() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.shift = (14.0, -9.0)
    states = [s.state for s in table.run(3.0).out if isinstance(s, ViewChanged)]
    assert states[-1] is Quality.MOVED
    assert table.said() == ["landed R7"]


def _frames(path: Path) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path))
    try:
        fps, number = capture.get(cv2.CAP_PROP_FPS), 0
        while True:
            ok, image = capture.read()
            if not ok:
                return
            yield Frame(np.asarray(image, np.uint8), number, number / fps)
            number += 1
    finally:
        capture.release()


@pytest.mark.photos
@pytest.mark.slow
@pytest.mark.parametrize("name", ["normal-500", "hard-601"])
def test_a_shared_recording_is_seen_as_it_happened(shared: Path, name: str) -> None:
    video = shared / "data" / "videos" / f"{name}.mp4"
    truth = json.loads(video.with_name(f"{name}.truth.json").read_text())["events"]
    eye = Eye(load_calibration(video.with_name(f"{name}.calibration.json")), load_models())
    out = [sighting for frame in _frames(video) for sighting in eye.process(frame)]
    landed = [s for s in out if isinstance(s, CardLanded)]
    expected = [e for e in truth if e["event"] == "landed"]
    assert len(landed) == len(expected)
    assert all(abs(s.t - e["t"]) < 0.7 for s, e in zip(landed, expected, strict=True))
    assert [s.seat for s in landed] == [e["seat"] for e in expected]
    pairs = [(s.reading.notation, e["card"]) for s, e in zip(landed, expected, strict=True) if s.sure]
    assert [pair for pair in pairs if pair[0] != pair[1]] == []
    assert sum(s.event == "card_removed" for s in out) == sum(e["event"] == "removed" for e in truth)
    assert sum(s.event == "cards_drawn" for s in out) == sum(e["event"] == "drew" for e in truth)
