"""The draw pile's place: settled once the hand has left it, and a pile that comes is told from one that shrinks."""

import cv2
import numpy as np
import pytest

from referee.vision.arms import Arm
from referee.vision.draw_place import DrawPlace

CARD = (24, 36)
ZONE = np.zeros((180, 320), np.uint8)
ZONE[60:115, 100:140] = 255
RNG = np.random.default_rng(4)
WOOD = cv2.GaussianBlur(RNG.normal(90, 60, (180, 320, 3)), (0, 0), 3.0, sigmaY=0.8) + RNG.normal(0, 3, (180, 320, 3))


def place():
    return DrawPlace(ZONE, ZONE.size * float((ZONE > 0).mean()) / (CARD[0] * CARD[1]))


def table(pile=None):
    """pile: where the draw pile's upper left corner is; None for a bare table."""
    picture = np.clip(WOOD, 0, 255).astype(np.uint8)
    if pile is not None:
        x, y = pile
        picture[y : y + CARD[1], x : x + CARD[0]] = 235
        picture[y + 2 : y + CARD[1] - 2, x + 2 : x + CARD[0] - 2] = (20, 20, 25)
    return picture


@pytest.mark.parametrize(
    ("case", "before", "now", "came"),
    [
        ("a pile is brought", None, (108, 70), True),
        ("the last card is drawn", (108, 70), None, False),
        ("a card is drawn", (108, 70), (109, 69), False),
        ("a pile is pushed", (108, 70), (114, 76), False),
        ("a hand that only reached there", None, None, False),
    ],
)
def test_a_pile_comes_to_the_bare_table(case, before, now, came):
    assert place().has_come(table(before), table(now)) is came, case


def test_a_shadow_on_the_bare_place_is_no_pile():
    shaded = (table() * 0.6).astype(np.uint8)
    assert not place().has_come(table(), shaded)


def test_a_hand_has_left_once_it_is_gone_and_nothing_moves():
    watched, still = place(), np.zeros_like(ZONE)
    hand = Arm((120.0, -4.0), (120.0, 80.0), 9000.0, 0.0, 3000.0, True)
    seen = [((), still), ((hand,), ZONE), ((hand,), still), ((), ZONE), ((), still), ((), still)]
    assert [watched.is_left(arms, moved) for arms, moved in seen] == [False, False, False, False, True, False]
