"""Whole cards and corner indices brought together: an index is that of a card found, or all there is to see of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.indices import INDEX_MM, IndexReading, in_mm
from referee.vision.mat import CARD_MM
from referee.vision.nets import Found, Read, agreed
from referee.vision.warp import QuadArray

OWN_MM = 7.0
"""An index this near to where a found card has one is that card's. Smaller makes two cards of one whose corners are
crooked; larger takes the index of the next card in a tight fan."""

SPAN_MM = 16.0
"""The other index of a card lies this near to where the first one suggests. Smaller makes two cards of one;
larger joins cards of the same face."""

ALIKE = 0.8
"""Cosine between the directions of an index and of its card. Smaller takes a neighbour's index; larger loses slanted
cards."""

LEAST_FACE = 0.6
"""Least probability of a face for an index that is a card of its own. Smaller reports symbols of other things; larger
drops cards that should be shown more clearly."""

LEAST_SCORE = 0.4
"""Least score for an index that is a card of its own; as above."""

UNCOVERED = 0.5
"""From this `top` on, nothing lies on a card, so that an index in the middle of it is its symbol. Smaller drops cards
that lie on others; larger reports symbols as cards."""

SIZES = 1.5
"""Cards in one picture differ at most so much in height. Smaller loses cards held nearer; larger believes symbols."""

DECIDED = 0.95
"""A card read as a whole with this confidence is not doubted for its index, which is read worse. Larger leaves clear
cards unsure; smaller believes the middle of a card that is half covered."""

MOSTLY = 0.75
"""From this visible share on, an index in the middle of a card is part of its picture, as with `UNCOVERED`."""

STRIP = 0.25
"""The visible share given to a card of which only an index was found."""


def with_indices(cards: Sequence[tuple[Found, Read]], indices: Sequence[IndexReading]) -> list[tuple[Found, Read]]:
    """The cards with what their indices add, and then the cards that only an index shows."""
    whole = list(cards)
    alone: list[IndexReading] = []
    for index in indices:
        if index.reading.card is None or index.face_probability < LEAST_FACE:
            continue
        owner = _owner(index, whole)
        if owner is not None:
            found, read = whole[owner]
            if read.reading.card in (None, index.reading.card) or read.reading.confidence < DECIDED:
                whole[owner] = (found, replace(read, reading=agreed(read.reading, index.reading)))
        elif index.score >= LEAST_SCORE and not _doubted(index, whole):
            alone.append(index)
    return whole + [_card(index) for index in _one_each(alone)]


def _owner(index: IndexReading, cards: Sequence[tuple[Found, Read]]) -> int | None:
    """The card that has an index where this one is, the nearest one when there are several."""
    best: tuple[float, int] | None = None
    for i, (_, read) in enumerate(cards):
        away = belongs(index, read.quad)
        if away is not None and (best is None or away < best[0]):
            best = away, i
    return None if best is None else best[1]


def belongs(index: IndexReading, quad: QuadArray) -> float | None:
    """How far, millimetres, the index is from one of this card's two places for it; None when it is not the card's."""
    for upright in (quad, np.roll(quad, 2, 0)):
        away = float(np.hypot(*(in_mm(upright, index.centre)[0] - INDEX_MM)))
        if away < OWN_MM and _along(upright, index.quad) > ALIKE:
            return away
    return None


def _repeats(index: IndexReading, read: Read) -> bool:
    """The index is in one of the card's other two corners: some decks print four, and others may look like it there."""
    x, y = in_mm(read.quad, index.centre)[0]
    others = [(CARD_MM[0] - INDEX_MM[0], INDEX_MM[1]), (INDEX_MM[0], CARD_MM[1] - INDEX_MM[1])]
    return any(float(np.hypot(x - u, y - v)) < OWN_MM for u, v in others)


def _doubted(index: IndexReading, cards: Sequence[tuple[Found, Read]]) -> bool:
    """What was found as a card speaks against this index being that of another card."""
    parts = any(_repeats(index, read) or _inside(index, found, read) for found, read in cards)
    return parts or _odd_size(index, cards)


def _odd_size(index: IndexReading, cards: Sequence[tuple[Found, Read]]) -> bool:
    """There are whole cards, and none is about as large as this index says its card is."""
    height = float(np.hypot(*(index.quad[3] - index.quad[0])))
    return bool(cards) and not any(1 / SIZES < height / found.height_px < SIZES for found, _ in cards)


def _along(one: QuadArray, other: QuadArray) -> float:
    """Cosine of the angle between two cards' long sides, 1 when both stand the same way up."""
    a, b = (q[3] - q[0] + q[2] - q[1] for q in (one, other))
    return float(a @ b) / max(1e-6, float(np.hypot(*a)) * float(np.hypot(*b)))


def _inside(index: IndexReading, found: Found, read: Read) -> bool:
    """The index lies in a card on which nothing or little lies: it is part of that card's picture."""
    if found.top < UNCOVERED and found.visible < MOSTLY:
        return False
    x, y = in_mm(read.quad, index.centre)[0]
    return bool(0 < x < CARD_MM[0] and 0 < y < CARD_MM[1])


def _one_each(indices: Sequence[IndexReading]) -> list[IndexReading]:
    """One of each card: both indices of a card may be in view. Best score first."""
    kept: list[IndexReading] = []
    for index in sorted(indices, key=lambda one: -one.score):
        for i, other in enumerate(kept):
            if index.reading.card == other.reading.card and _opposite(index, other) and _opposite(other, index):
                quad = ((other.quad + np.roll(index.quad, 2, 0)) / 2).astype(np.float32)
                kept[i] = replace(other, quad=quad, reading=agreed(other.reading, index.reading))
                break
            if index.reading.card == other.reading.card and _repeats(index, _card(other)[1]):
                break
        else:
            kept.append(index)
    return kept


def _opposite(one: IndexReading, other: IndexReading) -> bool:
    """The second is where the first one's card has its other index."""
    place = np.array([CARD_MM[0] - INDEX_MM[0], CARD_MM[1] - INDEX_MM[1]])
    away = float(np.hypot(*(in_mm(one.quad, other.centre)[0] - place)))
    return away < SPAN_MM and _along(one.quad, other.quad) < -ALIKE


def _card(index: IndexReading) -> tuple[Found, Read]:
    found = Found(index.quad, index.score, STRIP, 0.0)
    return found, Read(index.reading, index.quad, index.face_probability)
