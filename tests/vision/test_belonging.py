"""Two corner indices of one face: those of one card, also of one close by at a slant, or those of two."""

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.belonging import are_ends, may_be_ends, spanned
from referee.vision.indices import IndexReading, box_mm, on_card
from referee.vision.mat import CARD_MM

FLAT = np.array([[200, 100], [312, 100], [312, 274], [200, 274]], np.float32)
SLANTED = np.array([[210, 100], [310, 100], [360, 290], [160, 290]], np.float32)
"""Seen from low and close by: the near side is twice as long as the far one."""
ASIDE = np.array([[20, 60], [150, 50], [480, 260], [180, 330]], np.float32)


def corner(quad, end=0, name="R7"):
    """The index in a card's first or third corner, and the card as that corner alone suggests it: no slant shows."""
    near = on_card(np.roll(quad, -end, 0), box_mm(0, 0, 16, 22))
    flat = np.column_stack([box_mm(0, 0, 16, 22), np.ones(4)])
    turn, *_ = np.linalg.lstsq(flat, near, rcond=None)
    whole = np.column_stack([box_mm(0, 0, *CARD_MM), np.ones(4)]) @ turn
    return IndexReading(CardReading(Card.parse(name), 0.99), whole.astype(np.float32), 0.7, 0.99)


@pytest.mark.parametrize("quad", [FLAT, SLANTED, ASIDE], ids=["flat", "low", "aside"])
def test_the_indices_at_both_ends_of_a_card_are_one_cards_however_it_is_seen(quad):
    quad = np.asarray(quad, np.float32)
    one, other = corner(quad), corner(quad, 2)
    assert are_ends(one, other)
    assert may_be_ends(one, other)
    there, off = spanned(one.quad, other.quad)
    assert off < 2.0
    assert np.abs(there - quad).max() < 0.02 * np.ptp(quad)


@pytest.mark.parametrize(
    ("case", "first", "second", "end"),
    [
        ("side by side, the same way up", FLAT, FLAT + [140, 0], 0),
        ("side by side, opposite ways", FLAT, FLAT + [150, 0], 2),
        ("in a row, opposite ways", FLAT, FLAT + [0, 190], 2),
        ("at a slant, side by side", SLANTED, SLANTED + [220, 0], 2),
        ("the same corner twice", FLAT, FLAT, 0),
    ],
)
def test_the_indices_of_two_cards_are_not(case, first, second, end):
    one, other = corner(first), corner(np.asarray(second, np.float32), end)
    assert not are_ends(one, other), case
    assert not may_be_ends(one, other), case


def test_no_card_has_two_faces():
    assert not are_ends(corner(SLANTED), corner(SLANTED, 2, "B7"))
