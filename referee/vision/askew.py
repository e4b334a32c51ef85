"""Cards that were found askew or in pieces, as under a hand: their corner indices tell where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.belonging import are_at_ends, are_ends, belongs
from referee.vision.indices import IndexReading, in_mm
from referee.vision.mat import CARD_MM
from referee.vision.nets import Found, Read, agreed
from referee.vision.warp import QuadArray

SKEW = 1.6
"""How many times as long as the side opposite a side of a card may be: at the steepest of the views trained on, from
250 mm, it is 1.4. Smaller: cards at a slant are asked about; larger: a corner that a hand leaves open is a card."""

PIECE = 0.6
"""Height, as a share of a card's, up to which what was found about its index is a piece of that card. Smaller: what a
hand leaves open of a card stays one of its own; larger: a card on another is lost to what looks like an index."""

OFF = 0.3
"""How far, in shares of the card's height, a corner may lie off where the card's index has it. Smaller: a strange
deck's card in full view is what its index alone is taken for; larger: cards are read askew."""

SEEN = 0.5
"""The visible share given to a card that was found askew. Smaller: nothing is known to lie under it; larger: what the
hand shows is heard as its picture."""


def is_shaped(quad: QuadArray) -> bool:
    """The sides of this quadrilateral, pixels, can be those of one card."""
    sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T).reshape(2, 2)  # each with the one opposite below it
    return bool((sides.max(0) <= SKEW * sides.min(0)).all())


def without_pieces(
    cards: Sequence[tuple[Found, Read]], indices: Sequence[IndexReading]
) -> list[tuple[Found, Read]]:
    """The cards without those that are pieces of a card which an index shows whole, best score first; about two
    indices that are the ends of one card there is only one card. indices: those that are certain."""
    ends = [(x, y) for i, x in enumerate(indices) for y in indices[:i] if are_ends(x, y)]
    kept: list[tuple[Found, Read]] = []
    for found, read in sorted(cards, key=lambda pair: -pair[0].score):
        mine = [x for pair in ends if any(_is_of(x, read) for x in pair) for x in pair]
        again = any(_is_of(x, other) for x in mine for _, other in kept)
        if not again and not any(_is_piece(read, x) for x in indices):
            kept.append((found, read))
    return kept


def askew(cards: Sequence[tuple[int, Read]], indices: Sequence[IndexReading]) -> list[tuple[int, QuadArray]]:
    """(number, where it lies) of those of the numbered cards that were found askew: their indices, of those that are
    certain, put a corner elsewhere. Not of one that has an index at both ends: seen at a slant, each of these suggests
    a flat card of its own size."""
    pairs = [(x, y) for k, x in enumerate(indices) for y in indices[:k]]
    out = []
    for i, read in cards:
        own = [x for x in indices if _is_of(x, read)]
        near = any(_off(read.quad, x.quad) < OFF for x in own)
        if own and not (is_shaped(read.quad) and (near or any(are_at_ends(*pair, read.quad) for pair in pairs))):
            out.append((i, own[0].quad))
    return out


def one_of_both(indices: Sequence[IndexReading], cards: Sequence[Read]) -> list[IndexReading]:
    """The indices, of two at both ends of a card that was found with no card's shape only the one with the better
    score, with what both say: at so strong a slant each suggests a card that does not reach to the other."""
    kept: list[IndexReading] = []
    slanted = [read.quad for read in cards if not is_shaped(read.quad)]
    for index in sorted(indices, key=lambda one: -one.score):
        twin = next((x for x in kept if any(are_at_ends(x, index, quad) for quad in slanted)), None)
        if twin is None:
            kept.append(index)
        else:
            kept = [replace(x, reading=agreed(x.reading, index.reading)) if x is twin else x for x in kept]
    return kept


def put_right(found: Found, read: Read, quad: QuadArray) -> tuple[Found, Read]:
    """The card as lying there. read: what was read there."""
    return replace(found, quad=quad, visible=min(found.visible, SEEN)), replace(read, quad=quad)


def _is_of(index: IndexReading, read: Read) -> bool:
    return belongs(index, read.quad) is not None


def _is_piece(read: Read, index: IndexReading) -> bool:
    """What was found lies about the index, and is much smaller than the card that this suggests."""
    height, whole = (float(np.hypot(*(quad[3] - quad[0]))) for quad in (read.quad, index.quad))
    x, y = in_mm(read.quad, index.centre)[0]
    return height < PIECE * whole and 0 < x < CARD_MM[0] and 0 < y < CARD_MM[1]


def _off(quad: QuadArray, right: QuadArray) -> float:
    """The farthest that a corner lies off, in shares of the card's height, whichever way up."""
    height = float(np.hypot(*(right[3] - right[0])))
    return min(float(np.hypot(*(quad - np.roll(right, turn, 0)).T).max()) for turn in (0, 2)) / height
