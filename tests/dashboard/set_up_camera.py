"""A live camera over whatever picture lies in a folder now, for tests of setting up. The camera process imports it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from referee.cards import Card
from referee.frame import WHOLE, Frame, Image
from referee.hardware.cameras import Aiming, Closing
from referee.virtual_table.look import Look
from referee.virtual_table.script import Level
from referee.virtual_table.set_up import Pose, SetUpTable, spread
from referee.vision.mat import Paper

LOOK = Look.draw(3, Level.NORMAL, "wood", "white_oval")
TWELVE = "R1 G2 B3 Y4 W W+4 RS GR B+2 Y0 R9 G6"


class SetUpCamera(Closing):
    """Gives the picture `now.png` of a folder ten times a second."""

    live = True
    ended = False

    def __init__(self, folder: str) -> None:
        self._file = Path(folder) / "now.png"
        self._seq = 0
        self._kept: tuple[float, Image] | None = None

    def read(self, timeout_s: float) -> Frame | None:
        time.sleep(0.1)
        stamp = self._file.stat().st_mtime_ns
        if self._kept is None or self._kept[0] != stamp:
            self._kept = (stamp, np.asarray(cv2.imread(str(self._file)), np.uint8))
        self._seq += 1
        return Frame(self._kept[1], self._seq, time.monotonic())

    def close(self) -> None:
        """Nothing to give back."""

    def describe(self) -> str:
        return "a simulated camera, 1280x720 at 10 frames/s"


class HighCamera(SetUpCamera, Aiming):
    """Sees 1.8 times as much about that picture, in the same number of pixels, and can show a part of it, two frames
    after it was told to."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self._parts = [WHOLE] * 2

    def read(self, timeout_s: float) -> Frame | None:
        frame = super().read(timeout_s)
        assert frame is not None
        (height, width), edge = frame.image.shape[:2], cv2.BORDER_REPLICATE
        around = cv2.copyMakeBorder(frame.image, round(0.4 * height), round(0.4 * height), 512, 512, edge)
        self._parts.append(self.aim)
        part = self._parts.pop(0)
        x, y, w, h = (round(s * side) for s, side in zip(part, (around.shape[1], around.shape[0]) * 2, strict=True))
        image = cv2.resize(around[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA)
        return replace(frame, image=np.asarray(image, np.uint8), part=part)

    def describe(self) -> str:
        return f"a simulated camera, {self._parts[0][2]:.2f} of its view"


def show(folder: Path, scene: SetUpTable, mirrored: bool = False) -> None:
    """What the camera in `folder` sees from now on."""
    image = scene.image()
    cv2.imwrite(str(folder / "part.png"), image[:, ::-1] if mirrored else image)
    (folder / "part.png").replace(folder / "now.png")


def bare() -> SetUpTable:
    """The table with nothing on it."""
    return SetUpTable(LOOK)


def with_mat(**more: float) -> SetUpTable:
    """The mat in the middle of the table, a little askew."""
    return SetUpTable(LOOK, Paper.A4, Pose((390.0, 212.0), 3.0), **more)


def pile(cards: str) -> SetUpTable:
    """Cards where the mat's discard pile is, the last on top."""
    laid = enumerate(Card.parse(card) for card in cards.split())
    return SetUpTable(LOOK, cards=tuple((card, Pose((318.0 + 2 * i, 208.0 - 3 * i), 9.0 * i)) for i, card in laid))


def with_cards(cards: str = TWELVE) -> SetUpTable:
    """Cards side by side."""
    return SetUpTable(LOOK, cards=spread(tuple(Card.parse(card) for card in cards.split())))
