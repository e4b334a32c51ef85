"""Whether a frame is worth a look: where nothing stirs the eye rests. Told by the small grey plane (`lores`) that a Pi
camera gives for free."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Frame, Image

CELL_PX = 4
"""Pixels of the grey plane, each way, that are averaged. Smaller: noise stirs; larger: fingertips do not."""

STIRS = 12.0
"""Grey levels by which a cell must differ from the frame that was looked at last. Smaller: noise stirs in the dark;
larger: a hand of the table's own brightness is seen a quarter of a second late."""

CELLS = 3
"""Cells that must. Fewer: a blinking lamp stirs; more: a fingertip is seen a quarter of a second late."""

STILL_S = 2.0
"""Seconds without any of that until the eye rests. Shorter: a card just laid is looked at less often than the eye wants
to; longer: the processor gets warm between two moves."""

REST_S = 0.25
"""Seconds between looks while it rests. Longer: what stirs too little is seen late; shorter: little is saved."""


class MotionGate:
    """Lets frames through to the eye. A camera without a grey plane gets all of them looked at."""

    def __init__(self) -> None:
        self._looked: Image | None = None
        self._looked_t = self._stirred_t = float("-inf")

    def wants(self, frame: Frame) -> bool:
        """Whether to look at this frame; the next ones are compared with it, then."""
        if frame.grey is None:
            return True
        height, width = frame.grey.shape
        size = max(1, width // CELL_PX), max(1, height // CELL_PX)
        cells = np.asarray(cv2.resize(frame.grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        if self._looked is None or self._stirs(self._looked, cells):
            self._stirred_t = frame.t
        elif frame.t - self._stirred_t >= STILL_S and frame.t - self._looked_t < REST_S:
            return False
        self._looked, self._looked_t = cells, frame.t
        return True

    @staticmethod
    def _stirs(before: Image, now: Image) -> bool:
        return before.shape != now.shape or int((cv2.absdiff(before, now) > STIRS).sum()) >= CELLS
