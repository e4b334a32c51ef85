"""Hands of the table's own colour: what they cover hardly differs from what it hid, but their hem does, all round."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Floats, Mask
from referee.vision.pieces import pieces, where

SLOPE, OF_NOISE, CALM = 0.04, 5.5, 0.2
"""Change of the share of light (natural logarithm) from pixel to pixel that is a hem, and how many times that of the
calmest fifth it must be. Smaller: soft shadows and noise have hems; larger: hands in the dark have none."""

MARGIN_PX = 8
"""Ground about what differs that is looked at, pixels. Smaller: hems that hardly differ are cut; larger: costs time."""

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

ELSEWHERE = 0.03
"""Share of the picture from which hems elsewhere show that the light or the camera makes them. Smaller: an arm that is
seen plainly hides one that is not; larger: as a lamp is switched stripes of a cloth are an arm."""

_LOGARITHMS: Floats = np.log(np.arange(256, dtype=np.float32) + 4.0)
"""Of the grey levels; a little more than each, for in the dark they are noise."""


def hemmed(expected: Image, small: Image, differs: Mask, things: Mask) -> Mask:
    """Where something reaches in from the picture's edge, with a hem all round, that is hardly seen otherwise: uint8,
    255 or 0. expected: the table as it would look without it, uint8 (h, w, 3), as `small`. differs: 255 where the two
    do; things: where that is more than a change of light."""
    found = np.zeros_like(differs)
    x, y, w, h = cv2.boundingRect(differs)
    if cv2.countNonZero(differs) < DIFFERS * LEAST_PX:
        return found
    part = (slice(max(0, y - MARGIN_PX), y + h + MARGIN_PX), slice(max(0, x - MARGIN_PX), x + w + MARGIN_PX))
    slope = _slope(expected[part], small[part])
    some = slope[::2, ::2].ravel()
    noise = float(np.partition(some, int(CALM * len(some)))[int(CALM * len(some))])
    hem = cv2.threshold(slope, max(SLOPE, OF_NOISE * noise), 255, cv2.THRESH_BINARY)[1].astype(np.uint8)
    edges = _edges(part, differs.shape)
    inside = _filled(np.asarray(cv2.max(hem, things[part]), np.uint8), edges, MOST_SHARE * differs.size)
    labels, areas = pieces(inside, 8)
    for index in range(1, len(areas)):
        if not LEAST_PX <= areas[index] <= MOST_SHARE * differs.size:
            continue
        mine, here = where(labels, index)
        if not any(is_edge and side for is_edge, side in zip(edges, _edges(here, inside.shape), strict=True)):
            continue
        if _share(differs[part][here], mine) >= DIFFERS and _share(things[part][here], mine) < SEEN:
            found[part][here] = cv2.max(found[part][here], mine * np.uint8(255))
    if found.any():
        about = cv2.dilate(np.asarray(cv2.max(found, things)[part], np.uint8), np.ones((9, 9), np.uint8))
        if cv2.countNonZero(cv2.subtract(hem, about)) > ELSEWHERE * differs.size:
            found[:] = 0
    return found


def _edges(part: tuple[slice, slice], shape: tuple[int, ...]) -> tuple[bool, bool, bool, bool]:
    """Which sides of a part of a picture are on that one's edge: above, below, left, right."""
    rows, columns = part
    return rows.start == 0, rows.stop >= shape[0], columns.start == 0, columns.stop >= shape[1]


def _share(mask: Mask, place: Mask) -> float:
    return cv2.countNonZero(cv2.bitwise_and(mask, mask, mask=place)) / cv2.countNonZero(place)


def _slope(expected: Image, small: Image) -> Floats:
    """How steeply the share of light changes from pixel to pixel, float32 (h, w), natural logarithm."""
    was, now = (cv2.LUT(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), _LOGARITHMS) for p in (expected, small))
    share = cv2.blur(cv2.subtract(now, was), (3, 3))
    across, down = (cv2.Sobel(share, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    # Less where the light has changed much: the soft rim of a deep shadow is no hem.
    return np.asarray(cv2.multiply(cv2.magnitude(across, down), cv2.exp(-np.abs(share))), np.float32)


def _filled(hem: Mask, edges: tuple[bool, bool, bool, bool], most: float) -> Mask:
    """What a hem surrounds, with the picture's edges, without thin pieces: no more than `most` pixels at once, and no
    corner of the picture. edges: which sides of this part of it are its edges."""
    closed = cv2.morphologyEx(hem, cv2.MORPH_CLOSE, np.ones((GAP_PX, GAP_PX), np.uint8))
    labels, areas = pieces(np.asarray(cv2.bitwise_not(closed), np.uint8), 4)
    is_hole = areas < most
    above, below, left, right = edges
    for is_edge, side in zip(edges, (labels[0], labels[-1], labels[:, 0], labels[:, -1]), strict=True):
        if not is_edge:
            is_hole[side] = False
    for row, column, is_corner in ((0, 0, above and left), (0, -1, above and right),
                                   (-1, 0, below and left), (-1, -1, below and right)):  # fmt: skip
        if is_corner:
            is_hole[labels[row, column]] = False
    fill = np.where(is_hole, np.uint8(255), np.uint8(0))
    fill[0] = 255  # the hem itself
    thick = cv2.morphologyEx(fill.take(labels), cv2.MORPH_OPEN, np.ones((THIN_PX, THIN_PX), np.uint8))
    return np.asarray(thick, np.uint8)
