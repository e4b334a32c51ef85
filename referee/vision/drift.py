"""How the picture has moved against a remembered one: a bumped camera shifts it, turns it and changes its scale."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.light import Mask

Floats = npt.NDArray[np.float64]

CLEAR_SHIFT = 0.25
"""How clear a shift must be, 0 to 1. Smaller: hands count as shifts; larger: bumps on plain tables go unnoticed."""

LESS_UNLIKE = 0.5
"""What a movement must leave of the difference between the pictures, as a share of it. Smaller: bumps beside a resting
arm go unnoticed; larger: a hand that covers much bends the picture."""

NOTHING_FOUND = 1.25
"""What the search at half the size may leave of the difference for it to go on at full size, as a share of it. Smaller:
bumps that are hard to find go unnoticed; larger: a resting arm, for which there is nothing to find, costs time."""

LEAST_ALIKE = 0.5
"""Correlation that the pictures must have in the end, 0 to 1. Smaller: chance; larger: bumps in noise go unnoticed."""

STEPS = 12
"""Steps of the search for turn and scale at most, at each of two sizes. Fewer: large bumps are not found; more: a
resting arm, for which there is nothing to find, costs time."""

MOST_TURN = 0.12
"""Most change of length and direction that is believed, a share (0.1 is 6 degrees or a tenth in scale)."""

MOST_BENT = 0.04
"""... and most by which it may differ between one direction and the one across: a bump turns the picture and hardly
bends it. Smaller: bumps of a slanting camera go unnoticed; larger: an arm at the edge bends the picture."""


TILES = (12, 8)
"""Parts of the picture, across and down, each of which says whether a movement fits it."""

IN_MOST = 0.7
"""Share of the parts with something to see that a movement must make more alike. Smaller: a sleeve that leaves at the
edge of the picture is a bump; larger: bumps beside a resting arm go unnoticed."""

CHANGES = 0.2
"""Grey levels by which a movement must change the difference in a part for it to say anything. Smaller: noise votes;
larger: plain tables have no vote."""


FINE_PX = 15
"""Side of a pixel's surroundings, pixels. Smaller: only noise is left; larger: a shadow's slope counts."""

FITS = 0.1
"""Share of what the fine patterns have not in common, 1 less their correlation, that a shift must take away. Smaller:
chance; larger: small bumps in noise go unnoticed."""

TO_HALF: Floats = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1.0]])
"""From pixels of a picture to those of the same picture at half its size."""


def movement(before: Image, now: Image, keep: Mask, least_px: float = 0.0) -> Floats | None:
    """The affine map, float64 (3, 3), that takes pixels of `before` to those of `now`; None when none is clear.

    Both uint8 (height, width, 3). keep: where the pictures may be compared. least_px: a mere shift by less is none.
    """
    a, b = _grey(before), _grey(now)
    shift = _shift(a, b, keep)
    exact = _turned(a, b, keep, shift)
    if exact is not None:
        return exact
    if shift is None or np.hypot(*shift[:2, 2]) < least_px:
        return None
    return shift if _fits(a, b, keep, shift) else None


def _shift(before: Mask, now: Mask, keep: Mask) -> Floats | None:
    a, b = (_edges(grey, keep) for grey in (before, now))
    if not a.any() or not b.any():
        return None
    h, w = keep.shape
    (dx, dy), response = cv2.phaseCorrelate(a, b, cv2.createHanningWindow((w, h), cv2.CV_32F))
    return np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]]) if response >= CLEAR_SHIFT else None


def _fits(before: Mask, now: Mask, keep: Mask, shift: Floats) -> bool:
    """The shift makes the pictures' fine patterns more alike: the edges of an arm and of a shadow may seem shifted."""
    a, b = _fine(before), _fine(now)
    return 1 - _alike(a, _moved_back(b, shift), keep) <= (1 - FITS) * (1 - _alike(a, b, keep))


def _turned(before: Mask, now: Mask, keep: Mask, shift: Floats | None) -> Floats | None:
    """The best affine map near `shift`, if it makes the pictures much more alike: found at half the size first,
    which is cheap and ends the search where there is nothing to find."""
    start = np.eye(3) if shift is None else shift
    where = np.asarray(_half(keep) == 255, np.uint8)
    small_a, small_b = _half(before), _half(now)
    coarse = _aligned(small_a, small_b, where, TO_HALF @ start @ np.linalg.inv(TO_HALF))
    if coarse is None or 1 - coarse[1] > NOTHING_FOUND * (1 - _alike(small_a, small_b, where)):
        return None
    found = _aligned(before, now, keep, np.linalg.inv(TO_HALF) @ coarse[0] @ TO_HALF)
    if found is None:
        return None
    map_, alike = found
    if (
        alike < LEAST_ALIKE
        or 1 - alike > LESS_UNLIKE * (1 - _alike(before, now, keep))
        or not _in_most_parts(before, now, keep, map_)
    ):
        return None
    across = _across(before, keep, map_)
    anywhere = np.full_like(keep, 255)
    return max(across, map_, key=lambda m: _alike(before, _moved_back(now, m), anywhere))


def _across(grey: Mask, keep: Mask, map_: Floats) -> Floats:
    """The movement without its share along the pattern of the table: of that, stripes tell nothing, only what lies on
    them. (The structure tensor's larger eigenvector is the direction in which the picture varies.)"""
    inside = keep > 0
    slope = np.stack([cv2.Sobel(grey, cv2.CV_32F, *d)[inside] for d in ((1, 0), (0, 1))]).astype(np.float64)
    varies = np.linalg.eigh(slope @ slope.T)[1][:, 1]
    out = np.eye(3)
    out[:2] += np.outer(varies, varies) @ (map_ - np.eye(3))[:2]
    return out


def _moved_back(now: Mask, map_: Floats) -> Mask:
    """The picture as it would be without the movement."""
    h, w = now.shape
    back = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(now, map_[:2], (w, h), flags=back, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _alike(one: Mask, other: Mask, keep: Mask) -> float:
    """The correlation of two grey pictures, -1 to 1."""
    inside = keep > 0
    return float(np.corrcoef(one[inside], other[inside])[0, 1])


def _in_most_parts(before: Mask, now: Mask, keep: Mask, map_: Floats) -> bool:
    """True if the movement makes most of the picture more alike, as that of a camera does: not just where an arm is."""
    gain = np.zeros(before.shape, np.float32)
    moved = _moved_back(now, map_)
    inside = keep > 0
    gain[inside] = (cv2.absdiff(before, now).astype(np.float32) - cv2.absdiff(before, moved))[inside]
    parts = cv2.resize(gain, TILES, interpolation=cv2.INTER_AREA)
    for_it, against = int((parts > CHANGES).sum()), int((parts < -CHANGES).sum())
    return for_it >= IN_MOST * (for_it + against)


def _aligned(before: Mask, now: Mask, keep: Mask, start: Floats) -> tuple[Floats, float] | None:
    """The affine map near `start` that makes two grey pictures most alike, and how alike (correlation); None when it
    is not that of a camera that was bumped."""
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, 1e-4)
    try:
        first = start[:2].astype(np.float32)
        alike, map_ = cv2.findTransformECC(before, now, first, cv2.MOTION_AFFINE, stop, keep, 3)
    except cv2.error:  # the search ran away: nothing in the pictures agrees
        return None
    found = np.vstack([map_, [0, 0, 1]]).astype(np.float64)
    (a11, a12), (a21, a22) = found[:2, :2]
    if np.abs(found[:2, :2] - np.eye(2)).max() > MOST_TURN or max(abs(a11 - a22), abs(a12 + a21)) > MOST_BENT:
        return None
    return found, float(alike)


def _edges(grey: Mask, keep: Mask) -> npt.NDArray[np.float32]:
    slope = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    strong = np.asarray(cv2.log(slope + 1.0), np.float32)
    strong[keep == 0] = 0
    return strong


def _grey(picture: Image) -> Mask:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.uint8)


def _fine(grey: Mask) -> Mask:
    """What differs from its surroundings, in any light, about 128."""
    return np.asarray(cv2.addWeighted(grey, 1.0, cv2.blur(grey, (FINE_PX, FINE_PX)), -1.0, 128.0), np.uint8)


def _half(picture: Mask) -> Mask:
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
