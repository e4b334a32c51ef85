"""A place on the small picture and what lies round it: whether the one has become like the other."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask

RING_PX = 9
"""Width of those surroundings, pixels of the small picture. Smaller: their colours wobble; larger: other things."""


def grown_alike(before: Image, now: Image, inside: Mask, things: Mask, where: Mask | None = None) -> float:
    """By how much more alike the place `inside` and its surroundings are than they were, -1 to 1; -1 where either is
    empty. Surroundings are near it, within `where`, and none of the `things`."""
    near = cv2.dilate(inside, np.ones((2 * RING_PX + 1, 2 * RING_PX + 1), np.uint8))
    if where is not None:
        near = cv2.bitwise_and(near, where)
    ring = np.asarray(cv2.subtract(near, cv2.dilate(things, np.ones((3, 3), np.uint8))), np.uint8)
    if not inside.any() or not ring.any():
        return -1.0
    return likeness(now, inside, ring) - likeness(before, inside, ring)


def likeness(picture: Image, one: Mask, other: Mask) -> float:
    """How much the colours of two places have in common, 0 to 1."""
    lots = [cv2.calcHist([picture], [0, 1, 2], place, [12] * 3, [0, 256] * 3).ravel() for place in (one, other)]
    return float(np.minimum(*(lot / max(1.0, float(lot.sum())) for lot in lots)).sum())
