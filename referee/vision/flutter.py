"""Light that moves all the time, as the shadows of a ceiling fan's blades do: it is no motion of anything."""

from __future__ import annotations

import math

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask, soft_shadows

MUCH = 0.02
"""Share of the picture in which the light must have changed since the frame before for it to move. Smaller: sleeves of
the table's colour are light; larger: a small fan's shadows are motion."""

OFTEN, MEMORY_S = 0.5, 1.0
"""Share of the frames of late in which it moves, and seconds in which that is forgotten, for it to move all the time.
Smaller and shorter: who leans over the table does that, and a hand in their shadow is light; larger and longer: under a
fan the first cards are missed."""

FRAME_S = 0.2
"""Seconds at most for which one frame speaks: before it nothing moved for longer."""


class Flutter:
    """Knows whether the light moves all the time."""

    def __init__(self, darkest: float, tolerance: float) -> None:
        """darkest, tolerance: of soft shadows, as in `light.soft_shadows`."""
        self._darkest, self._tolerance = darkest, tolerance
        self._often = 0.0
        self._t = -math.inf

    @property
    def always(self) -> bool:
        """The light moves all the time."""
        return self._often > OFTEN

    def without(self, moved: Mask, before: Image, small: Image, things: Mask | None, t: float) -> Mask:
        """What has moved from one frame to the next, but for where no thing lies and only the light has changed, if
        that is so all the time. moved, things: uint8 (height, width), above 0 where; t: of the frame, seconds."""
        since, self._t = t - self._t, t
        self._often *= math.exp(-since / MEMORY_S)
        if cv2.countNonZero(moved) <= MUCH * moved.size:
            return self._filtered(moved, before, small, things) if self.always else moved
        left = self._filtered(moved, before, small, things)
        if cv2.countNonZero(moved) - cv2.countNonZero(left) > MUCH * moved.size:
            self._often += 1 - math.exp(-min(since, FRAME_S) / MEMORY_S)
        return left if self.always else moved

    def _filtered(self, moved: Mask, before: Image, small: Image, things: Mask | None) -> Mask:
        differs = np.asarray(cv2.threshold(moved, 0, 255, cv2.THRESH_BINARY)[1], np.uint8)
        light = soft_shadows(before, small, differs, self._darkest, self._tolerance)
        if things is not None:
            light = np.asarray(cv2.subtract(light, cv2.dilate(things, np.ones((9, 9), np.uint8))), np.uint8)
        return np.asarray(cv2.subtract(moved, light), np.uint8)
