"""Which of two cards that overlap lies on the other, in a still: the one whose border runs on across the other."""

from __future__ import annotations

import math

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.classes import Floats
from referee.vision.indices import in_mm, on_card
from referee.vision.mat import CARD_MM
from referee.vision.nets import Found
from referee.vision.warp import QuadArray

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

FINDER_WEIGHT, BORDER_WEIGHT = 0.40, 2.35
"""What the finder's belief that nothing lies on a card (log odds) and a border's mean log contrast count for. Fitted by
logistic regression to 111 pairs of cards in 160 rendered piles of the tuning decks."""

SIGN_WEIGHT = 2.0
"""Log odds that a sign of one card counts for that is read where the other one lies: it cannot be under it. Smaller
leaves piles undecided; larger believes signs that were given to the wrong card."""


def above(
    image: Image, one: tuple[Found, QuadArray], other: tuple[Found, QuadArray],
    signs: Floats = NO_SIGNS, other_signs: Floats = NO_SIGNS,
) -> float:  # fmt: skip
    """The chance, 0 to 1, that the first of two overlapping cards lies on the second.

    image: uint8 (h, w, 3). Each card as it was found and with its refined corners, pixels. signs, other_signs: float32
    (n, 2) pixels, where corner indices of the one and of the other were read.
    """
    odds = FINDER_WEIGHT * (_log_odds(one[0].top) - _log_odds(other[0].top))
    borders = _border(image, one[1], other[1]), _border(image, other[1], one[1])
    if borders[0] is not None and borders[1] is not None:
        odds += BORDER_WEIGHT * (borders[0] - borders[1])
    odds += SIGN_WEIGHT * (_any_on(signs, other[1]) - _any_on(other_signs, one[1]))
    return 1 / (1 + math.exp(-odds))


def _any_on(points: Floats, quad: QuadArray) -> bool:
    """One of the points, pixels, lies well inside the card."""
    return bool(len(points) and _inside(in_mm(quad, points)).any())


def _log_odds(p: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


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
