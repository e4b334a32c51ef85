"""A place on the small picture and what lies round it: whether the one has become like the other."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask

RING_PX = 9
"""Width of those surroundings, pixels of the small picture. Smaller: their colours wobble; larger: other things."""

STEPS = 12
"""Steps into which each colour is divided. Fewer: skin is like wood; more: noise makes a table unlike itself."""

GRIDS = 4
"""How often that is done, each time with the borders between the steps elsewhere, for the mean. Fewer: where the
table's colour lies at such a border, a grey level more of light makes it unlike itself, and a sleeve of its colour is
the table that something has gone from; more: costs time."""


def grown_alike(before: Image, now: Image, inside: Mask, things: Mask, where: Mask | None = None) -> float:
    """By how much more alike the place `inside` and its surroundings are than they were, -1 to 1; -1 where either is
    empty. Surroundings are near it, within `where`, and none of the `things`."""
    near = cv2.dilate(inside, np.ones((2 * RING_PX + 1, 2 * RING_PX + 1), np.uint8))
    if where is not None:
        near = cv2.bitwise_and(near, where)
    ring = np.asarray(cv2.subtract(near, cv2.dilate(things, np.ones((3, 3), np.uint8))), np.uint8)
    if not inside.any() or not ring.any():
        return -1.0
    x, y, w, h = cv2.boundingRect(cv2.max(inside, ring))
    here = (slice(y, y + h), slice(x, x + w))
    one, other = (np.ascontiguousarray(place[here]) for place in (inside, ring))
    is_, was = (likeness(np.ascontiguousarray(picture[here]), one, other) for picture in (now, before))
    return is_ - was


def likeness(picture: Image, one: Mask, other: Mask) -> float:
    """How much the colours of two places have in common, 0 to 1."""
    step = 256 / STEPS
    shares = []
    for grid in range(GRIDS):
        begin = -step * grid / GRIDS
        lots = [
            cv2.calcHist([picture], [0, 1, 2], place, [STEPS + 1] * 3, [begin, begin + 256 + step] * 3).ravel()
            for place in (one, other)
        ]
        shares.append(float(np.minimum(*(lot / max(1.0, float(lot.sum())) for lot in lots)).sum()))
    return sum(shares) / GRIDS
