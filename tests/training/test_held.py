"""A hand over a card that the reader learns from: it may hide the middle, and leaves an index in sight."""

import cv2
import numpy as np
import pytest

from referee.training.crops import _HELD, _filled, hold
from referee.training.stuff import Stuff
from referee.vision.indices import box_mm, on_card
from referee.vision.twin import INDEX_PART_MM

CORNERS = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], np.float32)
GROUND = 77


def hands():
    """A fist on a long arm, all of one colour."""
    hand = np.zeros((300, 120, 4), np.uint8)
    cv2.circle(hand, (60, 60), 55, (90, 120, 180, 255), cv2.FILLED)
    cv2.rectangle(hand, (30, 60), (90, 299), (90, 120, 180, 255), cv2.FILLED)
    return Stuff([], [hand])


@pytest.mark.parametrize("seed", range(25))
def test_a_hand_hides_much_of_a_card_and_leaves_an_index(seed):
    canvas = np.full((120, 80, 3), GROUND, np.uint8)
    assert hold(canvas, CORNERS, hands(), np.random.default_rng(seed))
    hidden = (canvas != GROUND).any(2)
    quad = (CORNERS * [80, 120] - 0.5).astype(np.float32)
    card = _filled(quad, (80, 120))
    assert _HELD[0] - 0.05 <= hidden[card].mean() <= _HELD[1] + 0.05, "its soft edge counts here, too"
    ends = [_filled(on_card(end, box_mm(*INDEX_PART_MM)), (80, 120)) for end in (quad, np.roll(quad, 2, 0))]
    assert min(hidden[end].mean() for end in ends) < 0.25


def test_hands_that_lie_like_that_hide_the_middle_now_and_then():
    middle = 0
    for seed in range(25):
        canvas = np.full((120, 80, 3), GROUND, np.uint8)
        hold(canvas, CORNERS, hands(), np.random.default_rng(seed))
        middle += bool((canvas[50:70, 30:50] != GROUND).any(2).mean() > 0.5)
    assert 3 < middle < 25


def test_without_hands_nothing_is_done():
    canvas = np.full((120, 80, 3), GROUND, np.uint8)
    assert not hold(canvas, CORNERS, Stuff([], []), np.random.default_rng(1))
    assert (canvas == GROUND).all()
