"""Cards placed by the outline of what changed, where the finder saw none: all it takes is the size of a card."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from referee.tracker.signs import UNDER_LEFT
from referee.vision.light import Mask
from referee.vision.warp import QuadArray

FIT_STEP_DEG = 7.5
"""Steps of the angle when a card is fitted to the change. Larger: the reader cannot mend the corners; smaller: costs
time."""

FIT_SHRINK = 4
"""Pixels of the patch to a pixel of the fit."""

UNCHANGED = 1.0
"""What a pixel of a half hidden card that did not change takes off, where one that changed adds 1. Smaller: the card
slides off what changed; larger: a card on its like is put beside the place where it lies."""

UNCHANGED_LIKE = 0.4
"""... of a card that lies on its like, white border on white border, where the first places none that explains the
change. Smaller: it slides off its corners; larger: as above."""

REFINED = ((2.0, 3.0), (1.0, 1.5))
"""Steps of place, pixels of the patch, and angle, degrees, by which a half hidden card is put right in turn."""

MOST_STEPS = 12
"""Such steps at most. Fewer: the card stays askew; more: costs time."""


class Outline:
    """Fits cards of one size, pixels of the patch, to changes."""

    def __init__(self, card_px: tuple[float, float]) -> None:
        w, h = card_px[0] / 2, card_px[1] / 2
        self._corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32)
        self._kernels = [self._kernel(angle) for angle in np.arange(0, 180, FIT_STEP_DEG)]

    def one(self, mask: Mask) -> QuadArray:
        """The card that holds most of the change. mask: uint8 (height, width), 255 where it changed."""
        return self._placed(*self._best(mask.astype(np.float32) / 255.0))

    def under(self, beside: Mask, hidden: Mask, found: Sequence[QuadArray] = ()) -> QuadArray:
        """The card that lies partly hidden and of which all the rest changed, as far as there is one. Where that does
        not explain the change, one that was found or of which some changed: the card lies on its like.

        beside: what changed outside the hidden part. hidden: 255 where a card would not be seen. Both uint8 (h, w).
        found: cards that may lie there.
        """
        fitted = self._fitted(beside, hidden, UNCHANGED)
        if _held(beside, hidden, fitted)[0] >= UNDER_LEFT:
            return fitted
        others = [quad for quad in [*found, self._fitted(beside, hidden, UNCHANGED_LIKE)]
                  if _held(beside, hidden, quad)[0] >= UNDER_LEFT]  # fmt: skip
        return max(others, key=lambda quad: sum(_held(beside, hidden, quad)), default=fitted)

    def _fitted(self, beside: Mask, hidden: Mask, unchanged: float) -> QuadArray:
        """The card that lies partly hidden, as what changed and what did not place it: `unchanged` is what a pixel that
        did not takes off."""
        worth = _worths(beside, hidden, unchanged)
        return self._refined(worth, *self._best(worth))

    def near(self, beside: Mask, hidden: Mask, quad: QuadArray) -> QuadArray:
        """The card near `quad`, pixels of the patch, the first corner of which is its first, as what changed places
        it, as for `under`, be it on its like."""
        angle = float(np.degrees(np.arctan2(*(quad[1] - quad[0])[::-1])))
        return self._refined(_worths(beside, hidden, UNCHANGED_LIKE), quad.mean(0), angle)

    def _refined(self, worth: npt.NDArray[np.float32], at: npt.NDArray[np.float32], angle: float) -> QuadArray:
        """The card put right in steps, as long as that adds to its worth."""
        value = self._worth(worth, at, angle)
        for step, turn in REFINED:
            for _ in range(MOST_STEPS):
                tries = [(at + way, angle) for way in step * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.float32)]
                tries += [(at, angle + turn), (at, angle - turn)]
                values = [self._worth(worth, *one) for one in tries]
                if max(values) <= value:
                    break
                value = max(values)
                at, angle = tries[values.index(value)]
        return self._placed(at, angle)

    def _best(self, worth: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], float]:
        """The middle, pixels of the patch, and the angle, degrees, of the card over which `worth` adds up to most."""
        small = cv2.resize(worth, None, fx=1 / FIT_SHRINK, fy=1 / FIT_SHRINK, interpolation=cv2.INTER_AREA)
        best: tuple[float, int, tuple[int, ...]] = (-np.inf, 0, (0, 0))
        for index, kernel in enumerate(self._kernels):
            response = cv2.filter2D(small, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT)
            _, value, _, at = cv2.minMaxLoc(response)
            best = max(best, (value, index, tuple(at)))
        _, index, at = best
        return ((np.array(at, np.float32) + 0.5) * FIT_SHRINK - 0.5).astype(np.float32), index * FIT_STEP_DEG

    def _worth(self, worth: npt.NDArray[np.float32], at: npt.NDArray[np.float32], angle: float) -> float:
        quad = self._placed(at, angle)
        x, y, w, h = cv2.boundingRect(quad)
        low, high = np.maximum([x, y], 0), np.minimum([x + w, y + h], worth.shape[::-1])
        if (high <= low).any():
            return -np.inf
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.rint((quad - low) * 16).astype(np.int32), 1, shift=4)
        return float(cv2.mean(worth[low[1] : high[1], low[0] : high[0]], mask)[0] * cv2.countNonZero(mask))

    def _placed(self, at: npt.NDArray[np.float32], angle: float) -> QuadArray:
        return (self._turned(angle) + at).astype(np.float32)

    def _turned(self, angle: float) -> npt.NDArray[np.float32]:
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        return np.asarray(self._corners @ np.array([[c, -s], [s, c]], np.float32).T, np.float32)

    def _kernel(self, angle: float) -> npt.NDArray[np.float32]:
        """A filter that adds up what lies inside a card, pixels of the fit."""
        corners = self._turned(angle) / FIT_SHRINK
        half = int(np.ceil(np.abs(corners).max())) + 1
        kernel = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
        cv2.fillConvexPoly(kernel, np.rint((corners + half) * 16).astype(np.int32), 255, shift=4)
        return kernel.astype(np.float32) / 255.0


def _worths(beside: Mask, hidden: Mask, unchanged: float) -> npt.NDArray[np.float32]:
    """What each pixel adds to a card that lies there."""
    worth = np.full(beside.shape, -unchanged, np.float32)
    worth[hidden > 0] = 0.0
    worth[beside > 0] = 1.0
    return worth


def _held(beside: Mask, hidden: Mask, quad: QuadArray) -> tuple[float, float]:
    """The share of what changed that lies in the card, and the share of the card's open part that changed, 0 to 1."""
    inside = np.zeros(beside.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.rint(quad * 16).astype(np.int32), 255, shift=4)
    held = cv2.countNonZero(cv2.bitwise_and(beside, inside))
    open_ = cv2.countNonZero(cv2.subtract(inside, hidden))
    return held / max(1, cv2.countNonZero(beside)), held / max(1, open_)
