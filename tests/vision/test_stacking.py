"""Which of two overlapping cards lies on the other: by the borders alone, and with what the finder believes."""

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.vision.nets import Found
from referee.vision.stacking import above

SIZE = (104, 160)


def found(quad, top=0.5):
    return Found(quad, 0.9, 0.8, top), quad


def placed(angle, x, y):
    w, h = SIZE
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    c, s = np.cos(angle), np.sin(angle)
    return (corners @ np.array([[c, s], [-s, c]]) + [x, y]).astype(np.float32)


def table(*cards):
    image = np.full((400, 400, 3), (70, 90, 60), np.uint8)
    for name, style, quad in cards:
        face = draw_face(Card.parse(name), STYLES[style], SIZE[1])
        h, w = face.shape[:2]
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5, quad)
        seen = cv2.warpPerspective(face, matrix, (400, 400))
        alpha = seen[..., 3:].astype(float) / 255
        image[:] = (seen[..., :3] * alpha + image * (1 - alpha)).astype(np.uint8)
    return image


LOWER, UPPER = placed(0.1, 170, 190), placed(0.7, 230, 210)
BETWEEN = (LOWER.mean(0) + UPPER.mean(0)) / 2


@pytest.mark.parametrize("style", sorted(STYLES)[:4])
@pytest.mark.parametrize(("lower", "upper"), [("R7", "B2"), ("B2", "R7"), ("G+2", "G9"), ("W+4", "YS")])
def test_the_card_whose_border_runs_across_the_other_is_above(style, lower, upper):
    image = table((lower, style, LOWER), (upper, style, UPPER))
    assert above(image, found(UPPER), found(LOWER)) > 0.6
    assert above(image, found(LOWER), found(UPPER)) < 0.4


def test_corners_that_are_a_little_off_change_nothing():
    image = table(("R7", "white_oval", LOWER), ("B2", "white_oval", UPPER))
    off = np.array([[1, -1], [-1, 0], [1, 1], [0, 1]], np.float32) * 1.5
    assert above(image, found(UPPER + off), found(LOWER - off)) > 0.6


def test_where_no_border_can_be_seen_the_finder_decides():
    image = np.full((400, 400, 3), 200, np.uint8)
    assert above(image, found(UPPER, 0.9), found(LOWER, 0.1)) > 0.8
    assert above(image, found(UPPER), found(LOWER)) == 0.5


def test_cards_that_hardly_touch_are_left_to_the_finder():
    image = table(("R7", "white_oval", LOWER), ("B2", "white_oval", placed(0.1, 272, 202)))
    assert above(image, found(LOWER, 0.6), found(placed(0.1, 272, 202), 0.6)) == 0.5


@pytest.mark.parametrize(
    ("own", "others", "low", "high"),
    [
        ([BETWEEN], [], 0.85, 1.0), ([], [BETWEEN], 0.0, 0.15),
        ([BETWEEN], [BETWEEN], 0.5, 0.5), ([UPPER[1]], [LOWER[3]], 0.5, 0.5),
    ],
    ids=["of the one", "of the other", "of both", "beside the other card"],
)  # fmt: skip
def test_a_card_whose_sign_is_read_where_the_other_one_lies_is_above_it(own, others, low, high):
    image = np.full((400, 400, 3), 200, np.uint8)
    signs = [np.array(points, np.float32).reshape(-1, 2) for points in (own, others)]
    assert low <= above(image, found(UPPER), found(LOWER), *signs) <= high
