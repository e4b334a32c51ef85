"""A simulated table whose people wait for their cue: hands move when a test says so, and a camera watches all the time.

`Stage` is the test's end, `StageCamera` the camera's, in the camera process. Between them lies one file, replaced at
every cue: the script so far, how far it may be played, and the cards of a hand that is shown to the camera.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from referee.cards import Card
from referee.frame import Frame, Image
from referee.virtual_table import HABITS, Level, Look, Script, VirtualTable
from referee.virtual_table.geometry import CARD_MM, TABLE_MM, Layout
from referee.virtual_table.set_up import Pose, lay
from referee.virtual_table.timeline import Timeline

FPS = 15.0
IDLE_FPS = 6.0
"""Frames a second while nobody moves: enough for the eye to make up its mind, and cheap."""
SEED = 1


@dataclass(frozen=True)
class Cue:
    """What the camera may show: the script up to `until` seconds of it, and over it the cards of a hand."""

    script: Script
    until: float
    shown: tuple[tuple[Card, Pose], ...] = ()


class StageCamera:
    """The camera above the stage. Hands move in slow motion where the machine is too slow to look at every frame."""

    live = ended = False

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read: tuple[int, Cue | None] = (0, None)
        self._table: VirtualTable | None = None
        self._t, self._seq, self._last = 0.0, 0, 0.0

    def __enter__(self) -> StageCamera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """There is no device to give back."""

    def describe(self) -> str:
        """One line for people."""
        return "stage"

    def read(self, timeout_s: float) -> Frame:
        """The next frame, at its time."""
        cue = self._cue()
        moving = self._t < cue.until
        time.sleep(max(0.0, self._last + 1 / (FPS if moving else IDLE_FPS) - time.monotonic()))
        self._last = time.monotonic()
        self._t = min(self._t + 1 / FPS, cue.until)
        self._seq += 1
        assert self._table is not None
        image = self._table.frame_at(self._t, self._seq).image
        return Frame(_with_hand(image, cue.shown), self._seq, self._last)

    def _cue(self) -> Cue:
        stamp = self._file.stat().st_mtime_ns
        if self._read[0] != stamp or self._read[1] is None:
            cue: Cue = pickle.loads(self._file.read_bytes())
            self._read = (stamp, cue)
            if self._table is None:  # a camera that was started again sees the table as it is
                self._table, self._t = VirtualTable(cue.script, look()), cue.until
            elif cue.script is not self._table.script:
                self._table.go_on(cue.script)
        assert self._read[1] is not None
        return self._read[1]


class Stage:
    """What the people at the table do, one thing after the other. file: where the camera reads its cues."""

    def __init__(self, file: Path, players: Sequence[str], stack: int) -> None:
        self.file, self.players = file, tuple(players)
        self.line = Timeline(Random(SEED), replace(HABITS[Level.NORMAL], think_s=(0.1, 0.2)))
        self._stack = stack
        self.cue()

    def table(self) -> VirtualTable:
        """The table as it is now."""
        return VirtualTable(self._script(), look())

    def lays(self, player: str, card: str) -> None:
        """A card on the discard pile."""
        self.line.lay(self._seat(player), Card.parse(card))
        self.cue()

    def draws(self, player: str, n: int) -> None:
        """One visit to the draw pile."""
        self.line.draw(self._seat(player), n)
        self.cue()

    def gathers(self, player: str, n: int) -> None:
        """The piles are taken up, shuffled and dealt: a draw pile of n cards is left."""
        seat = self._seat(player)
        self.line.take_pile(seat, None)
        self.line.take_stack(seat)
        self.line.put_stack(seat, n)
        self.cue()

    def shows(self, cards: Sequence[str]) -> None:
        """The cards of a hand lie in a row at the table's edge; none: they are gone again."""
        self.cue(row([Card.parse(card) for card in cards]))

    def cue(self, shown: tuple[tuple[Card, Pose], ...] = ()) -> None:
        """Tells the camera how far to go."""
        part = self.file.with_suffix(".part")
        part.write_bytes(pickle.dumps(Cue(self._script(), self.line.now, shown)))
        part.replace(self.file)

    def _seat(self, player: str) -> int:
        return self.players.index(player) + 1

    def _script(self) -> Script:
        return Script(
            seed=SEED, level=Level.NORMAL, players=self.players, dealer=self.players[-1], preset="official_108",
            stack=self._stack, actions=tuple(sorted(self.line.actions, key=lambda action: action.begin)), inputs=(),
            truth={}, duration_s=self.line.now,
        )  # fmt: skip


def look() -> Look:
    """How the table looks: as in the demo."""
    return Look.draw(SEED, Level.NORMAL, "wood", "white_oval")


def row(cards: Sequence[Card]) -> tuple[tuple[Card, Pose], ...]:
    """Cards side by side below the piles."""
    step = CARD_MM[0] + 8.0
    left = TABLE_MM[0] / 2 - step * (len(cards) - 1) / 2
    return tuple((card, Pose((left + i * step, TABLE_MM[1] - 62.0), (i * 5) % 9 - 4.0)) for i, card in enumerate(cards))


def _with_hand(image: Image, shown: tuple[tuple[Card, Pose], ...]) -> Image:
    if not shown:
        return image
    camera = Layout.arrange(SEED, Level.NORMAL, 8).camera
    picture = np.array(image)
    for card, pose in shown:
        lay(picture, card, look().design, camera, pose)
    return picture
