"""What an index stands on tells a playing card's from one of ours: a coloured sign on white, with no coloured rim about
it; and one that is cut."""

import cv2
import numpy as np
import pytest

from referee.vision.ground import Ground, ground_of
from referee.vision.indices import box_mm, on_card

RED, GREEN, WHITE, BLACK, SKIN = (40, 30, 200), (60, 160, 40), (250, 250, 250), (30, 30, 30), (150, 170, 205)
YELLOW, GREY, PALE_GREEN = (20, 190, 240), (140, 140, 140), (165, 230, 155)
QUAD = box_mm(0, 0, 56, 87) * 2 + np.float32([60, 40])


@pytest.mark.parametrize(
    ("rim", "ground", "sign", "pip", "over", "on_white"),
    [
        (WHITE, RED, WHITE, None, None, False),
        (WHITE, RED, WHITE, WHITE, None, False),
        (WHITE, RED, WHITE, WHITE, (11.5, 0, 56, 87), False),
        (WHITE, RED, WHITE, None, (0, 16, 56, 87), False),
        (RED, WHITE, RED, None, None, False),
        (WHITE, WHITE, RED, None, None, True),
        (WHITE, WHITE, RED, RED, None, True),
        (WHITE, WHITE, RED, RED, (13, 0, 56, 87), True),
    ],
    ids=[
        "one of ours", "with a mark for those who see no red", "a narrow strip of it, its ground all mark",
        "a low strip of it", "one of ours on white with a rim", "on white", "a playing card",
        "a narrow strip of a playing card",
    ],
)  # fmt: skip
@pytest.mark.parametrize("table", [RED, GREEN, BLACK], ids=["of the sign's colour", "of another", "black"])
def test_a_coloured_sign_on_white_is_known(rim, ground, sign, pip, over, on_white, table):
    """over: what another card covers, millimetres from the first corner."""
    image = np.full((300, 300, 3), table, np.uint8)
    drawn = [
        ((0, 0, 56, 87), rim), ((3.5, 3.5, 52, 83), ground), ((6, 6, 11, 15), sign), ((6.5, 18, 10.5, 24), pip),
        (over, BLACK),
    ]  # fmt: skip
    for box, ink in drawn:
        if box is not None and ink is not None:
            cv2.fillConvexPoly(image, on_card(QUAD, box_mm(*box)).round().astype(np.int32), ink)
    assert (ground_of(cv2.GaussianBlur(image, (0, 0), 1.0), QUAD) is Ground.WHITE) == on_white


@pytest.mark.parametrize(
    ("ground", "sign", "over", "ours"),
    [
        (RED, WHITE, (0, 18, 56, 87), True), (RED, WHITE, (13.5, 0, 56, 87), True), (BLACK, RED, None, True),
        (BLACK, RED, (0, 18, 56, 87), True), (WHITE, RED, None, False), (GREY, RED, None, False),
        (WHITE, RED, (0, 18, 56, 87), False), (PALE_GREEN, GREEN, None, False),
    ],
    ids=[
        "white on its colour, above a finger", "a narrow strip of it", "its colour on black", "the same above a finger",
        "on white", "on white in a shadow", "on white above a finger",
        "on white in green light",
    ],
)  # fmt: skip
def test_no_playing_card_has_its_signs_on_their_colour_or_on_black(ground, sign, over, ours):
    """over: what another card covers, millimetres from the first corner."""
    image = np.full((300, 300, 3), GREEN, np.uint8)
    drawn = [((0, 0, 56, 87), WHITE), ((3.5, 3.5, 52, 83), ground), ((6, 6, 11, 15), sign), (over, SKIN)]
    for box, ink in drawn:
        if box is not None:
            cv2.fillConvexPoly(image, on_card(QUAD, box_mm(*box)).round().astype(np.int32), ink)
    assert (ground_of(cv2.GaussianBlur(image, (0, 0), 1.0), QUAD) is Ground.OURS) == ours


@pytest.mark.parametrize(("finger", "ground"), [(24.0, Ground.COLOURED), (21.0, Ground.LITTLE)])
def test_a_finger_below_an_index_leaves_little_of_its_ground(finger, ground):
    """finger: from where on it lies, millimetres from the first corner. White is about the red sign, red below it."""
    image = np.full((300, 300, 3), BLACK, np.uint8)
    drawn = [
        ((0, 0, 56, 87), WHITE), ((3.5, 17, 52, 83), RED), ((6, 6, 11, 15), RED), ((7, 15, 10, 17), RED),
        ((3.5, finger, 24, 60), SKIN),
    ]  # fmt: skip
    for box, ink in drawn:
        cv2.fillConvexPoly(image, on_card(QUAD, box_mm(*box)).round().astype(np.int32), ink)
    assert ground_of(image, QUAD) is ground


@pytest.mark.parametrize(("sign", "on_white"), [(GREEN, True), (YELLOW, False)])
def test_a_card_of_another_colour_that_lies_below_a_playing_cards_sign_is_not_its_ground(sign, on_white):
    """A green 5 of a playing card was said to be one of ours, for a yellow card lay on the rest of it."""
    image = np.full((300, 300, 3), BLACK, np.uint8)
    for box, ink in (((0, 0, 56, 87), WHITE), ((6, 6, 11, 15), sign), ((-20, 17, 56, 87), YELLOW)):
        cv2.fillConvexPoly(image, on_card(QUAD, box_mm(*box)).round().astype(np.int32), ink)
    assert (ground_of(image, QUAD) is Ground.WHITE) == on_white
