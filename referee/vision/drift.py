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

LEAST_ALIKE = 0.5
"""Correlation that the pictures must have in the end, 0 to 1. Smaller: chance; larger: bumps in noise go unnoticed."""

STEPS = 40
"""Steps of the search for turn and scale at most."""

MOST_TURN = 0.12
"""Most change of length and direction that is believed, a share (0.1 is 6 degrees or a tenth in scale)."""

MOST_BENT = 0.04
"""... and most by which it may differ between one direction and the one across: a bump turns the picture and hardly
bends it. Smaller: bumps of a slanting camera go unnoticed; larger: an arm at the edge bends the picture."""


def movement(before: Image, now: Image, keep: Mask) -> Floats | None:
    """The affine map, float64 (3, 3), that takes pixels of `before` to those of `now`; None when none is clear.

    Both uint8 (height, width, 3). keep: where the pictures may be compared.
    """
    shift = _shift(before, now, keep)
    exact = _turned(before, now, keep, shift)
    if exact is not None:
        return exact
    return None if shift is None else shift


def _shift(before: Image, now: Image, keep: Mask) -> Floats | None:
    a, b = (_edges(picture, keep) for picture in (before, now))
    if float(a.std()) < 1e-6 or float(b.std()) < 1e-6:
        return None
    h, w = keep.shape
    (dx, dy), response = cv2.phaseCorrelate(a, b, cv2.createHanningWindow((w, h), cv2.CV_64F))
    return np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]]) if response >= CLEAR_SHIFT else None


def _turned(before: Image, now: Image, keep: Mask, shift: Floats | None) -> Floats | None:
    """The best affine map near `shift`, if it makes the pictures much more alike."""
    a, b = (cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 1.0) for p in (before, now))
    start = np.eye(2, 3, dtype=np.float32) if shift is None else shift[:2].astype(np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, 1e-4)
    try:
        alike, map_ = cv2.findTransformECC(a, b, start, cv2.MOTION_AFFINE, stop, keep, 5)
    except cv2.error:  # the search ran away: nothing in the pictures agrees
        return None
    found = np.vstack([map_, [0, 0, 1]]).astype(np.float64)
    if np.abs(found[:2, :2] - np.eye(2)).max() > MOST_TURN:
        return None
    (a11, a12), (a21, a22) = found[:2, :2]
    if max(abs(a11 - a22), abs(a12 + a21)) > MOST_BENT:
        return None
    inside = keep > 0
    still = float(np.corrcoef(a[inside], b[inside])[0, 1])
    if alike < LEAST_ALIKE or 1 - alike > LESS_UNLIKE * (1 - still):
        return None
    return found


def _edges(picture: Image, keep: Mask) -> Floats:
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float64)
    strong = np.log1p(np.hypot(cv2.Sobel(grey, cv2.CV_64F, 1, 0), cv2.Sobel(grey, cv2.CV_64F, 0, 1)))
    strong[keep == 0] = 0
    return np.asarray(strong, np.float64)
