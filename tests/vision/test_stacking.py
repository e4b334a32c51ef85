"""Which of two overlapping cards lies on the other: by borders, by the card's other end, and by signs."""

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.vision.stacking import ALONE, NO_SIGNS, SURELY_OPEN, above, open_odds, topmost

SIZE = (104, 160)


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
    assert above(image, UPPER, LOWER) > 0.6
    assert above(image, LOWER, UPPER) < 0.4


def test_corners_that_are_a_little_off_change_nothing():
    image = table(("R7", "white_oval", LOWER), ("B2", "white_oval", UPPER))
    off = np.array([[1, -1], [-1, 0], [1, 1], [0, 1]], np.float32) * 1.5
    assert above(image, UPPER + off, LOWER - off) > 0.6


def test_where_nothing_can_be_seen_nobody_knows():
    assert above(np.full((400, 400, 3), 200, np.uint8), UPPER, LOWER) == 0.5


@pytest.mark.parametrize("style", sorted(STYLES)[:4])
@pytest.mark.parametrize("apart", [(92, -144), (40, -150)], ids=["a corner over a corner", "an end over an end"])
def test_of_cards_that_hardly_overlap_the_one_that_looks_like_its_other_end_is_above(style, apart):
    other = placed(0.1, 200 + apart[0] / 2, 200 + apart[1] / 2)
    one = placed(0.2, 200 - apart[0] / 2, 200 - apart[1] / 2)
    image = table(("R7", style, other), ("B2", style, one))
    assert above(image, one, other) > 0.6
    assert above(image, other, one) < 0.4


@pytest.mark.parametrize("name", ["R7", "G6", "W+4", "YS"])
def test_nothing_lies_on_a_card_that_looks_like_itself_the_other_way_up(name):
    alone, covered = (table((name, "white_oval", LOWER), *more) for more in ([], [("B2", "white_oval", UPPER)]))
    undecided = ([0.5], NO_SIGNS, 0.5)
    assert open_odds(alone, LOWER, *undecided) > open_odds(covered, LOWER, *undecided) + 0.5


@pytest.mark.parametrize(
    ("chances", "signs", "belief", "is_open"),
    [
        ([0.99, 0.9], 2, 0.5, True), ([0.99, 0.01], 2, 0.5, False), ([0.5], 2, 0.5, True), ([0.2], 1, 0.99, False),
        ([], 0, ALONE + 0.01, True), ([], 2, ALONE - 0.01, False),
    ],
    ids=["above all", "below one", "both signs", "one sign", "alone and believed", "alone and not believed"],
)  # fmt: skip
def test_nothing_lies_on_a_card_that_lies_on_all_others(chances, signs, belief, is_open):
    image = table(("R7", "white_oval", LOWER), ("B2", "white_oval", UPPER))
    assert (open_odds(image, LOWER, chances, np.zeros((signs, 2), np.float32), belief) > 0) is is_open


@pytest.mark.parametrize(
    ("odds", "touching", "tops"),
    [
        ([1.0, 0.3], [[1], [0]], [True, False]),
        ([1.0, 0.5], [[1], [0]], [False, False]),
        ([1.0, 0.5], [[], []], [True, True]),
        ([1.0, -3.0, 0.3], [[1], [0, 2], [1]], [True, False, False]),
        ([SURELY_OPEN + 1, -3.0, SURELY_OPEN], [[1], [0, 2], [1]], [True, False, True]),
        ([-1.0, -0.5], [[1], [0]], [False, False]),
        ([], [], []),
    ],
    ids=["of two", "either of two", "apart", "of a heap", "both for sure", "none of two", "no card"],
)
def test_of_a_heap_the_likeliest_card_and_the_sure_ones_are_on_top(odds, touching, tops):
    assert topmost(odds, touching) == tops


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
    assert low <= above(image, UPPER, LOWER, *signs) <= high


@pytest.mark.parametrize(
    ("beliefs", "low", "high"),
    [((0.9, 0.1), 0.6, 0.9), ((0.1, 0.9), 0.1, 0.4), ((0.9, 0.9), 0.5, 0.5), ((1.0, 0.0), 0.9, 1.0)],
)
def test_where_nothing_can_be_seen_the_finder_is_believed(beliefs, low, high):
    image = np.full((400, 400, 3), 200, np.uint8)
    assert low <= above(image, UPPER, LOWER, beliefs=beliefs) <= high


def test_a_sign_in_sight_is_believed_rather_than_the_finder():
    image = np.full((400, 400, 3), 200, np.uint8)
    assert above(image, UPPER, LOWER, BETWEEN.reshape(1, 2).astype(np.float32), beliefs=(0.02, 0.98)) > 0.6
