"""Which card a corner index is that of, by where it lies: in the card's first or third corner, the same way up."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.vision.indices import INDEX_MM, MARK_MM, IndexReading, box_mm, in_mm, off_mm, on_card
from referee.vision.mat import CARD_MM
from referee.vision.nets import Found, Read
from referee.vision.warp import QuadArray

OWN_MM = 7.0
"""An index this near to where a found card has one is that card's. Smaller makes two cards of one whose corners are
crooked; larger takes the index of the next card in a tight fan."""

SPAN_MM = 16.0
"""The other index of a card lies this near to where the first one suggests, or to as far off as that. Smaller makes two
cards of one; larger joins cards of the same face."""

ALIKE = 0.8
"""Cosine between the directions of an index and of its card. Smaller takes a neighbour's index; larger loses slanted
cards."""

APART_MM = (6.0, 36.0)
"""Two indices that stand the same way up are two cards' when they are so far apart: further than one found twice is,
nearer than a card's corner is to its other corners and to its middle."""

BEYOND_MM = 50.0
"""... and when they are further apart than this: those of a deck that prints four stand 40 mm apart. Smaller: where the
card's size is a little off, these are two cards'; larger: two cards of one face in a fan are one."""


OUTSIDE_MM = 18.0
"""An index so far outside a card is another one's. Smaller: a card whose corners are crooked is two; larger: of two
cards of one face that lie on each other one is asked about."""


ENDS_MM = (3.0, 6.5)
"""So far off the corners of two indices are, in the picture of one flat card with both at its ends that fits them best:
up to which they are those of one card, and from which they cannot be. Smaller: a card at a slant, whose near end is
larger, is two; larger: of two cards of one face that lie on each other one is lost, or asked about."""

_ENDS = np.vstack([box_mm(*MARK_MM), np.array(CARD_MM, np.float32) - box_mm(*MARK_MM)])
_CARD = box_mm(0.0, 0.0, *CARD_MM)


def owner(index: IndexReading, cards: Sequence[tuple[Found, Read]]) -> int | None:
    """The card that has an index where this one is, the nearest one when there are several."""
    away = {i: off for i, (_, read) in enumerate(cards) if (off := belongs(index, read.quad)) is not None}
    return min(away, key=lambda i: away[i], default=None)


def belongs(index: IndexReading, quad: QuadArray) -> float | None:
    """How far, millimetres, the index is from one of this card's two places for it; None when it is not the card's."""
    for upright in (quad, np.roll(quad, 2, 0)):
        away = off_mm(upright, index.centre)
        if away < OWN_MM and along(upright, index.quad) > ALIKE:
            return away
    return None


def are_ends(one: IndexReading, other: IndexReading) -> bool:
    """The two indices say that they are those of one card: each is where the other one's card has its second, or that
    of a card at a slant."""
    if one.reading.card != other.reading.card:
        return False
    return (_opposite(one, other) and _opposite(other, one)) or spanned(one.quad, other.quad)[1] < ENDS_MM[0]


def are_at_ends(one: IndexReading, other: IndexReading, quad: QuadArray) -> bool:
    """The two indices, of one face, are about where this card, which was found as a whole, has its two."""
    if one.reading.card is None or one.reading.card != other.reading.card:
        return False
    ends = (quad, np.roll(quad, 2, 0))
    return any(
        off_mm(near, one.centre) < SPAN_MM and off_mm(far, other.centre) < SPAN_MM
        and along(near, one.quad) > ALIKE and along(far, other.quad) > ALIKE
        for near, far in (ends, ends[::-1])
    )  # fmt: skip


def may_be_ends(one: IndexReading, other: IndexReading) -> bool:
    """The two indices stand opposite ways, as far apart as those of one card. Of a small corner the direction is known
    worse than the place, so that the one may lead past the other."""
    apart = float(np.hypot(CARD_MM[0] - 2 * INDEX_MM[0], CARD_MM[1] - 2 * INDEX_MM[1]))
    away = (off_mm(one.quad, other.centre), off_mm(other.quad, one.centre))
    opposite = along(one.quad, other.quad) < -ALIKE and any(abs(mm - apart) < SPAN_MM for mm in away)
    return opposite or spanned(one.quad, other.quad)[1] < ENDS_MM[1]


def spanned(one: QuadArray, other: QuadArray) -> tuple[QuadArray, float]:
    """The card, float32 (4, 2) pixels, the first one's way up, that has its two indices where these two cards have
    their first ones; and how far off they are there at most, millimetres of their own cards: infinite where no flat
    card can show both.

    A homography of eight numbers by the method of least squares (`cv2.findHomography`) for two corners of four points,
    sixteen numbers.
    """
    seen = np.vstack([on_card(quad, box_mm(*MARK_MM)) for quad in (one, other)])
    matrix, _ = cv2.findHomography(_ENDS, seen, 0)
    depth = np.column_stack([np.vstack([_ENDS, _CARD]), np.ones(12)]) @ (np.zeros(3) if matrix is None else matrix[2])
    if matrix is None or depth.min() <= 0:
        return one, float("inf")
    fitted = np.asarray(cv2.perspectiveTransform(_ENDS[None], matrix)[0], np.float32)
    off = max(
        float(np.hypot(*(in_mm(quad, at) - box_mm(*MARK_MM)).T).max())
        for quad, at in ((one, fitted[:4]), (other, fitted[4:]))
    )
    return np.asarray(cv2.perspectiveTransform(_CARD[None], matrix)[0], np.float32), off


def _opposite(one: IndexReading, other: IndexReading) -> bool:
    """The second is where the first one's card has its other index."""
    place = np.array([CARD_MM[0] - INDEX_MM[0], CARD_MM[1] - INDEX_MM[1]])
    away = float(np.hypot(*(in_mm(one.quad, other.centre)[0] - place)))
    return away < SPAN_MM and along(one.quad, other.quad) < -ALIKE


def repeats(index: IndexReading, quad: QuadArray) -> bool:
    """The index is in one of the card's other two corners: some decks print four, and others may look like it there."""
    x, y = in_mm(quad, index.centre)[0]
    others = [(CARD_MM[0] - INDEX_MM[0], INDEX_MM[1]), (INDEX_MM[0], CARD_MM[1] - INDEX_MM[1])]
    return any(float(np.hypot(x - u, y - v)) < OWN_MM for u, v in others)


def are_beside(one: IndexReading, other: IndexReading) -> bool:
    """The two indices stand the same way up, nearer to each other than two of one card can, or further apart."""
    away = off_mm(one.quad, other.centre)
    apart = APART_MM[0] < away < APART_MM[1] or away > BEYOND_MM
    return apart and along(one.quad, other.quad) > ALIKE


def is_outside(index: IndexReading, quad: QuadArray) -> bool:
    """The index lies so far outside the card that it cannot be one of it."""
    x, y = (float(v) for v in in_mm(quad, index.centre)[0])
    return float(np.hypot(max(-x, x - CARD_MM[0], 0.0), max(-y, y - CARD_MM[1], 0.0))) > OUTSIDE_MM


def along(one: QuadArray, other: QuadArray) -> float:
    """Cosine of the angle between two cards' long sides, 1 when both stand the same way up."""
    a, b = (q[3] - q[0] + q[2] - q[1] for q in (one, other))
    return float(a @ b) / max(1e-6, float(np.hypot(*a)) * float(np.hypot(*b)))


def is_on(index: IndexReading, read: Read) -> bool:
    """The index lies somewhere on the card."""
    x, y = in_mm(read.quad, index.centre)[0]
    return bool(0 < x < CARD_MM[0] and 0 < y < CARD_MM[1])
