"""Hands of the table's own colour: what they cover hardly differs from what it hid, but their hem does, all round."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask

SLOPE, OF_NOISE = 0.04, 4.0
"""Change of the share of light (natural logarithm) from pixel to pixel that is a hem, and how many times the median of
the picture it must be. Smaller: soft shadows and noise have hems; larger: hands in the dark have none."""

GAP_PX = 5
"""Gap of a hem that is closed, pixels. Smaller: a hem is open where it has the table's very brightness; larger: what
lies side by side is one."""

THIN_PX = 7
"""Width up to which something with a hem is no hand, pixels. Smaller: edges that tremble; larger: fingers get lost."""

LEAST_PX = 400
"""Area of a hand, pixels of a picture 320 wide. Smaller: noise; larger: hands that come in are seen late."""

MOST_SHARE = 0.2
"""Share of the picture that a hem surrounds at most. Larger: the table beside an arm is one."""

DIFFERS, SEEN = 0.2, 0.6
"""Least share of it that differs from what it hid, and the share from which it is seen anyway. Smaller, and larger:
cells of a trembling pattern; larger, and smaller: hands are seen in pieces."""


def hemmed(expected: Image, small: Image, differs: Mask, things: Mask) -> Mask:
    """Where something reaches in from the picture's edge, with a hem all round, that is hardly seen otherwise: uint8,
    255 or 0. expected: the table as it would look without it, uint8 (h, w, 3), as `small`. differs: 255 where the two
    do; things: where that is more than a change of light."""
    nothing = np.zeros_like(differs)
    if cv2.countNonZero(differs) < DIFFERS * LEAST_PX:
        return nothing
    slope = _slope(expected, small)
    hem = np.asarray(slope > max(SLOPE, OF_NOISE * float(np.median(slope[::2, ::2]))), np.uint8) * np.uint8(255)
    inside = _filled(np.asarray(cv2.max(hem, things), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=8)
    h, w = differs.shape
    for index in range(1, count):
        x, y, wide, high, area = (int(v) for v in stats[index])
        at_edge = x == 0 or y == 0 or x + wide == w or y + high == h
        if not at_edge or not LEAST_PX <= area <= MOST_SHARE * inside.size:
            continue
        here = (slice(y, y + high), slice(x, x + wide))
        part = labels[here] == index
        if float((differs[here][part] > 0).mean()) >= DIFFERS and float((things[here][part] > 0).mean()) < SEEN:
            nothing[here][part] = 255
    return nothing


def _slope(expected: Image, small: Image) -> np.ndarray:
    """How steeply the share of light changes from pixel to pixel, float32 (h, w), natural logarithm."""
    was, now = (cv2.log(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY).astype(np.float32) + 4.0) for p in (expected, small))
    share = cv2.blur(cv2.subtract(now, was), (3, 3))
    across, down = (cv2.Sobel(share, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _filled(hem: Mask) -> Mask:
    """What a hem surrounds, with the picture's edge, without thin pieces."""
    closed = cv2.morphologyEx(hem, cv2.MORPH_CLOSE, np.ones((GAP_PX, GAP_PX), np.uint8))
    outside = cv2.copyMakeBorder(cv2.bitwise_not(closed), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(outside, connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] < MOST_SHARE * hem.size
    small[0] = False
    holes = small[labels[1:-1, 1:-1]]
    filled = np.where(holes, np.uint8(255), closed).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((THIN_PX, THIN_PX), np.uint8)), np.uint8)
