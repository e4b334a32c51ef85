"""A card of the same face is another one where it lies the other way up, however badly its corners were found."""

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.vision.light import difference
from referee.vision.twin import index_changed, is_other_picture, is_turned

SIZE = (75, 116)
OFF_PX = [(0, 0), (4, -3), (-5, 4), (6, 6)]
"""By how much the corners are found wrong, pixels of a picture in which a card is 116 high."""


def placed(angle_deg):
    w, h = SIZE
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    a = np.radians(angle_deg)
    c, s = np.cos(a), np.sin(a)
    return (corners @ np.array([[c, s], [-s, c]]) + 100).astype(np.float32)


def picture(name, style, angle_deg):
    face = draw_face(Card.parse(name), STYLES[style], SIZE[1])
    h, w = face.shape[:2]
    quad = placed(angle_deg)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5, quad)
    seen = cv2.warpPerspective(face, matrix, (200, 200))
    alpha = seen[..., 3:].astype(float) / 255
    return (seen[..., :3] * alpha + np.full((200, 200, 3), (70, 90, 60)) * (1 - alpha)).astype(np.uint8), quad


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["R1", "B6", "YS", "GR", "B+2", "W", "W+4", "R8"])
def test_a_pushed_card_is_not_turned(name, style):
    before, old = picture(name, style, 5)
    now, quad = picture(name, style, 12)
    assert not any(is_turned(before, old, now, quad + np.float32(off)) for off in OFF_PX)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["R1", "Y4", "B7", "G3"])
def test_a_number_that_lies_the_other_way_up_is(name, style):
    before, old = picture(name, style, 5)
    now, quad = picture(name, style, 187)
    assert all(is_turned(before, old, now, quad + np.float32(off)) for off in OFF_PX)


@pytest.mark.parametrize("style", STYLES)
def test_a_pushed_skip_is_not_turned_though_its_corners_were_found_wrong_twice(style):
    before, old = picture("RS", style, 5)
    now, quad = picture("RS", style, 12)
    offs = [np.float32(off) for off in [(9, 7), (-8, 6), (7, -9)]]
    assert not any(is_turned(before, old + off, now, quad - off) for off in offs)


def index_left(below, laid, angle_deg, turn_deg):
    """How much of the old R7's index changed when a card was laid or pushed on it, turned by so much."""
    before, old = picture("R7", "white_oval", angle_deg)
    now, _ = picture(below, "white_oval", angle_deg)
    upper, quad = picture(laid, "white_oval", angle_deg + turn_deg)
    hidden = np.zeros(now.shape[:2], np.uint8)
    cv2.fillConvexPoly(hidden, np.rint(quad).astype(np.int32), 255)
    now[hidden > 0] = upper[hidden > 0]
    mask = np.where(difference(before, now) > 20, 255, 0).astype(np.uint8)
    return index_changed(before, old, mask, cv2.dilate(hidden, np.ones((5, 5), np.uint8)))


@pytest.mark.parametrize(
    ("case", "below", "turn", "expected"),
    [("a twin turned on it", "R7", 40, "stays"), ("pushed off a card of its colour", "R2", 40, "goes"),
     ("pushed off a card of its rank", "B7", 40, "goes"), ("laid straight upon it", "R7", 4, "hidden")],
)  # fmt: skip
@pytest.mark.parametrize("angle", [0, 70, 185])
def test_the_index_of_a_card_tells_whether_that_card_is_still_there(case, below, turn, expected, angle):
    changed = index_left(below, "R7", angle, turn)
    got = "hidden" if changed is None else "stays" if changed < 0.05 else "goes" if changed > 0.15 else "unclear"
    assert got == expected, f"{case}: {changed}"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("case", "was", "now", "turn", "askew", "other"),
    [
        ("it was pushed", "R7", "R7", 7, 0, False),
        ("... and its corners are found askew", "R7", "R7", 7, 14, False),
        ("... or the other way round", "B+2", "B+2", 5, 180, False),
        ("a 1 was laid on what was taken for one", "R+2", "R1", 7, 0, True),
        ("a 5 was laid on what was taken for one", "YS", "Y5", 40, 0, True),
    ],
)
def test_another_picture_is_another_card(case, style, was, now, turn, askew, other):
    before, old = picture(was, style, 5)
    seen, _ = picture(now, style, 5 + turn)
    for off in OFF_PX:
        assert is_other_picture(before, old, seen, placed(5 + turn + askew) + np.float32(off)) is other, (case, off)
