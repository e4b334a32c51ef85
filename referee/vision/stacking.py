"""Which of two cards that overlap lies on the other, in a still: the one whose border runs on across the other, and
that looks there as it does at its other end, for a card is the same both ways up."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.classes import Floats
from referee.vision.indices import in_mm, on_card
from referee.vision.light import Mask
from referee.vision.mat import CARD_MM
from referee.vision.warp import QuadArray, rectify

ROUNDED_MM = 4.0
"""Of a card's side nothing is looked at nearer to its ends: the corners are round."""

INSIDE_MM = 2.5
"""A border is looked at only where it is at least so far inside the other card. Smaller takes the other card's own
border for it; larger leaves nothing of cards that overlap a little."""

REACH_MM = 2.5
"""The border is searched so far to both sides of where the corners put it. Smaller misses it where corners are a little
off; larger finds the card's own oval."""

STEP_MM = 0.5
"""Distance of the lines along which the picture is sampled. Larger blurs the border, smaller costs time."""

PIECE_MM = 8
"""Length of border that must run straight, in points a millimetre apart. Shorter finds borders in any print; longer
loses those of slightly crooked corners."""

LEAST_POINTS = 4
"""A shorter piece says nothing."""

FLAT_LEVELS = 4.0
"""Grey levels added to a piece's contrast, so that noise on plain ground counts for little."""

NO_SIGNS = np.empty((0, 2), np.float32)

OFF_MM = 1
"""How far the other end of a card may lie off where the corners put it. Smaller: corners that are a little off make any
card unlike itself; larger: every card is like itself."""

MIDDLE_MM = 5.0
"""So near to a card's middle it is not compared: it would be compared with itself."""

LEAST_MM2 = 6
"""Less to compare says nothing."""

ALIKE_LEVELS = 3.0
"""Grey levels added to the mean difference between a card's ends, so that noise counts for little."""

BELIEF_WEIGHT = 0.35
"""What the log odds of the finder's belief that nothing lies on a card count for, less those of the other card. Fitted
beside the weights below to 247 pairs of 500 rendered piles. Smaller: cards that hardly touch are left undecided;
larger: the finder, which saw each card once and small, outvotes borders and signs."""

SUREST = 0.997
"""The belief that counts most, and what is left of it the one that counts least: the finder never knows for certain."""

BORDER_WEIGHT, ALIKE_WEIGHT, SIGN_WEIGHT = 1.64, 2.68, 4.78
"""What a border's mean log contrast counts for, the log of how unlike itself a card looks under the other, and a sign
of one card that is read where the other one lies: it cannot be under it. Fitted by logistic regression to 545 pairs of
cards in 840 rendered piles of the tuning decks."""

OPEN, OPEN_ABOVE, OPEN_UNLIKE, OPEN_SIGNS = 3.2, 0.8, -1.0, 1.9
"""Log odds that nothing lies on a card that overlaps others; and what the log odds count that it lies on the one of
which that is least likely, the log of how unlike its other end it looks all over, and that the indices of both its ends
are read. Fitted by logistic regression to 5,820 such cards in 3,500 rendered piles of drawn decks and of the tuning
sources' photographs."""

SURELY_ABOVE = 3.0
"""Log odds that count most for that. Smaller: cards of which nothing is covered are doubted; larger: nothing else
counts."""

SURELY_OPEN, LEAD = 2.5, 0.65
"""Log odds below which nothing lies on a card only if they are by so much less of every other one of its heap. Smaller
first one: cards beneath something that was not found are on top, too; larger: of two that are one is not. Smaller
second one: of two that may lie either way one is said to be on top; larger: none of a pile is."""

ALONE = 0.46
"""Belief of the finder from which nothing lies on a card that overlaps none. Smaller: what lies on it was not found;
larger: cards in shadows are covered."""


def above(
    image: Image, one: QuadArray, other: QuadArray, signs: Floats = NO_SIGNS, other_signs: Floats = NO_SIGNS,
    beliefs: tuple[float, float] = (0.5, 0.5),
) -> float:  # fmt: skip
    """The chance, 0 to 1, that the first of two overlapping cards lies on the second.

    image: uint8 (h, w, 3). one, other: their refined corners, pixels. signs, other_signs: float32 (n, 2) pixels, where
    corner indices of the one and of the other were read. beliefs: the finder's, 0 to 1, that nothing lies on the
    one, and on the other.
    """
    odds = SIGN_WEIGHT * (_any_on(signs, other) - _any_on(other_signs, one))
    odds += BELIEF_WEIGHT * (_log_odds(beliefs[0]) - _log_odds(beliefs[1]))
    borders = _border(image, one, other), _border(image, other, one)
    if borders[0] is not None and borders[1] is not None:
        odds += BORDER_WEIGHT * (borders[0] - borders[1])
    unlike = _unlike(image, one, other), _unlike(image, other, one)
    if unlike[0] is not None and unlike[1] is not None:
        odds += ALIKE_WEIGHT * (unlike[1] - unlike[0])
    return 1 / (1 + math.exp(-odds))


def _log_odds(belief: float) -> float:
    likely = min(max(belief, 1 - SUREST), SUREST)
    return math.log(likely / (1 - likely))


def open_odds(image: Image, quad: QuadArray, chances: Sequence[float], signs: Floats, belief: float) -> float:
    """The log odds that nothing lies on a card. chances: see `above`, of it and of every card that it overlaps. signs:
    float32 (n, 2) pixels, where its corner indices were read. belief: the finder's, 0 to 1, that nothing lies on it."""
    if not chances:
        return _log_odds(belief) - _log_odds(ALONE)
    odds = OPEN + OPEN_ABOVE * min(_log_odds(min(chances)), SURELY_ABOVE)
    return odds + OPEN_UNLIKE * _log_unlike(_ends(image, quad)) + OPEN_SIGNS * (len(signs) > 1)


def topmost(odds: Sequence[float], touching: Sequence[Collection[int]]) -> list[bool]:
    """On which cards nothing lies. odds: see `open_odds`. touching: the indices of those that each one overlaps."""
    tops = []
    for i, own in enumerate(odds):
        heap = {i}
        while grown := {k for j in heap for k in touching[j]} - heap:
            heap |= grown
        tops.append(own > 0 and (own >= SURELY_OPEN or all(own > odds[j] + LEAD for j in heap - {i})))
    return tops


def _unlike(image: Image, quad: QuadArray, other: QuadArray) -> float | None:
    """Log of how much, in grey levels, the card differs where the other one lies from its own other end; None where
    there is too little to compare."""
    off = _ends(image, quad)
    h, w = off.shape
    where = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(where, np.rint(in_mm(quad, other) * 16).astype(np.int32), 1, shift=4)
    where = np.asarray(cv2.dilate(where, np.ones((3, 3), np.uint8)), np.uint8)
    y, x = np.ogrid[:h, :w]
    use = (where > 0) & (np.hypot(x - (w - 1) / 2, y - (h - 1) / 2) > MIDDLE_MM)
    if np.count_nonzero(use) < LEAST_MM2:
        return None
    return _log_unlike(off[use])


def _log_unlike(off: Mask) -> float:
    return math.log(float(off.mean()) + ALIKE_LEVELS)


def _ends(image: Image, quad: QuadArray) -> Mask:
    """How much every square millimetre of the card differs from its place the other way up, grey levels: uint8
    (87, 56)."""
    w, h = (round(side) for side in CARD_MM)
    seen = cv2.GaussianBlur(rectify(image, quad, (w, h), 0.0), (0, 0), 0.7)
    turned = np.ascontiguousarray(seen[::-1, ::-1])
    around = np.ones((2 * OFF_MM + 1, 2 * OFF_MM + 1), np.uint8)
    off = cv2.max(cv2.subtract(seen, cv2.dilate(turned, around)), cv2.subtract(cv2.erode(turned, around), seen))
    return np.asarray(off.max(2), np.uint8)


def _any_on(points: Floats, quad: QuadArray) -> bool:
    """One of the points, pixels, lies well inside the card."""
    return bool(len(points) and _inside(in_mm(quad, points)).any())


def _border(image: Image, quad: QuadArray, other: QuadArray) -> float | None:
    """Mean log contrast, grey levels, of the card's border where it runs inside the other; None when it hardly does."""
    pieces: list[float] = []
    (w, h), offsets = CARD_MM, np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
    for start, end, outwards in (
        ((0.0, 0.0), (w, 0.0), (0, -1)), ((w, 0.0), (w, h), (1, 0)),
        ((0.0, h), (w, h), (0, 1)), ((0.0, 0.0), (0.0, h), (-1, 0)),
    ):  # fmt: skip
        side = _points(np.array(start), np.array(end))
        side = side[_inside(in_mm(other, on_card(quad, side)))]
        if len(side) < LEAST_POINTS:
            continue
        grid = side[None] + offsets[:, None, None] * np.array(outwards, float)
        x, y = on_card(quad, grid.reshape(-1, 2).astype(np.float32)).reshape(*grid.shape).transpose(2, 0, 1)
        seen = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        across = seen[2:] - seen[:-2]
        for first in range(0, across.shape[1] - LEAST_POINTS + 1, PIECE_MM):
            steepest = np.abs(across[:, first : first + PIECE_MM].mean(1)).max()
            pieces.append(math.log(float(steepest) + FLAT_LEVELS))
    return sum(pieces) / len(pieces) if pieces else None


def _points(start: Floats, end: Floats) -> Floats:
    """Points a millimetre apart from one corner to the next, the round ends left out."""
    length = float(np.hypot(*(end - start)))
    along = np.arange(ROUNDED_MM, length - ROUNDED_MM + 0.01, 1.0)
    return (start + along[:, None] * (end - start) / length).astype(np.float32)


def _inside(mm: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    limit = np.array(CARD_MM) - INSIDE_MM
    return np.asarray(((mm > INSIDE_MM) & (mm < limit)).all(1), bool)
