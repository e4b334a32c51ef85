"""Arms on the small picture, drawn as bars."""

import cv2
import numpy as np
import pytest

from referee.vision.arms import ArmFinder
from referee.vision.calibration import parse_calibration

SIZE = (320, 180)
CALIBRATION = parse_calibration({
    "image_size": [320, 180], "table_to_image": [[0.4, 0, 0], [0, 0.4, 0], [0, 0, 1]], "card_mm": [56, 87],
    "table_mm": [800, 450], "discard_zone_mm": [300, 130, 170, 190], "draw_zone_mm": [500, 170, 70, 110],
    "seats": [{"seat": 1, "at_mm": [400, 600]}, {"seat": 2, "at_mm": [-150, 200]}, {"seat": 3, "at_mm": [400, -150]}],
})  # fmt: skip
DISCARD, DRAW = (np.zeros(SIZE[::-1], np.uint8) for _ in range(2))
DISCARD[52:128, 120:188] = 255
DRAW[68:112, 200:228] = 255
LAYS = ((160, 0), (160, 85))
DRAWS = ((0, 60), (212, 95))


def seen(*bars):
    things = np.zeros(SIZE[::-1], np.uint8)
    for begin, end in bars:
        cv2.line(things, begin, end, 255, 24)
    return things


def short(bar, share):
    (x, y), (u, v) = bar
    return (x, y), (round(x + share * (u - x)), round(y + share * (v - y)))


def test_two_arms_that_meet_over_the_pile_are_two_and_only_one_reaches_the_draw_pile():
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    for k, share in enumerate((0.3, 0.5, 0.7, 0.9, 1.0)):
        arms = finder.find(seen(LAYS, short(DRAWS, share)), k / 15, True)
    assert len(arms) == 2
    laying, drawing = sorted(arms, key=lambda arm: arm.in_draw)
    assert laying.in_draw == 0
    assert np.hypot(*np.subtract(drawing.tip, (530, 237))) < 45
    assert laying.entry[0] == pytest.approx(400, abs=15)
    assert drawing.entry[1] == pytest.approx(150, abs=15)


def test_the_sleeve_of_an_arm_that_rests_is_not_the_hand_of_one_that_comes_up_to_it():
    """One lays a card from the upper corner, across the draw pile; who draws comes from below and points at its
    sleeve."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    lays, draws = ((319, 5), (160, 95)), ((200, 179), (214, 92))
    for k, share in enumerate((0.2, 0.4, 0.6, 0.8, 0.95, 1.0, 1.0, 1.0)):
        arms = finder.find(seen(lays, short(draws, share)), k / 10, True)
    drawing = max(arms, key=lambda arm: arm.entry[1])
    assert len(arms) == 2
    assert np.hypot(*np.subtract(drawing.tip, (535, 230))) < 50


@pytest.mark.parametrize(
    ("case", "bars"),
    [("one arm", [LAYS]), ("an arm, and a shadow that came with it", [LAYS, DRAWS]),
     ("a sleeve that the corner of the picture cuts", [((0, 0), (160, 90))]),
     ("an arm, and a shadow that joins it", [LAYS, ((0, 60), (150, 60)), ((0, 84), (150, 84)), ((0, 36), (150, 36)),
                                             ((0, 108), (150, 108)), ((0, 130), (150, 130)), ((0, 12), (150, 12))])],
)  # fmt: skip
def test_one_outline_is_one_arm(case, bars):
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    assert len(finder.find(seen(*bars), 0.0, True)) == 1, case


def test_two_arms_that_meet_are_two_though_a_gap_cuts_one_sleeve_in_two_at_the_edge():
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    for k, share in enumerate((0.3, 0.5, 0.7, 0.9, 1.0)):
        things = seen(LAYS, short(DRAWS, share))
        things[56:59, :8] = 0
        arms = finder.find(things, k / 15, True)
    assert sorted(round(arm.entry[0], -1) for arm in arms) == [0, 400]


@pytest.mark.parametrize(
    ("case", "before", "count"),
    [("one was there before", ((319, 20), (160, 80)), 2), ("nobody was", None, 1)],
)
def test_two_who_reach_in_from_afar_are_two_though_their_outlines_are_joined_at_once(case, before, count):
    """A slow camera has no picture of the second hand on its way: it is at the draw pile, on the first one's sleeve."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    lays, draws = ((319, 20), (160, 80)), ((0, 170), (212, 80))
    if before:
        finder.find(seen(before), 0.0, True)
    arms = finder.find(seen(lays, draws), 0.1, True)
    assert len(arms) == count, case
    if before:
        drawing, laying = sorted(arms, key=lambda arm: arm.entry[0])
        assert drawing.tip == pytest.approx((535, 237), abs=45)
        assert laying.tip == pytest.approx((400, 200), abs=45)


def test_a_sleeve_that_is_seen_up_to_the_edge_only_now_is_no_arm_that_came_just_now():
    """Two hands square up the discard pile, one of them in a dark sleeve on a dark table, of which little is seen."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    squares, other = ((319, 20), (160, 80)), ((0, 170), (170, 85))
    hand = seen(squares, other)
    hand[:, :12] = 0
    for k in range(3):
        assert len(finder.find(hand, k / 15, True)) == 1
    assert len(finder.find(seen(squares, other), 0.2, True)) == 1


def test_an_arm_does_not_reach_along_the_sleeve_of_another_at_which_it_points():
    """As the eye had it at a rendered table: one lays a card from the lower left corner, another's hand comes to the
    draw pile from above, beside that sleeve."""
    sleeve = [(0, 156), (0, 179), (57, 179), (58, 176), (136, 137), (146, 128), (184, 116), (194, 106), (207, 108)]
    sleeve += [(220, 76), (199, 67), (190, 85), (134, 109), (119, 109), (103, 114), (85, 121)]
    reaching = [(247, 0), (199, 0), (181, 21), (150, 45), (145, 60), (165, 76), (195, 61), (209, 35)]
    there = [(242, 4), (237, 0), (198, 0), (173, 28), (129, 59), (133, 70), (129, 84), (134, 94), (142, 99), (134, 109)]
    there += [(195, 106), (220, 76), (199, 67), (193, 80), (184, 80), (183, 74), (198, 46), (238, 10)]
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    for k, hand in enumerate((reaching, there, there, there)):
        things = np.zeros(SIZE[::-1], np.uint8)
        for outline in (sleeve, hand):
            cv2.fillPoly(things, [np.array(outline)], 255)
        arms = finder.find(things, k / 30, True)
    assert len(arms) == 2
    drawing = min(arms, key=lambda arm: arm.entry[1])
    assert np.hypot(*np.subtract(drawing.tip, (345, 245))) < 60


@pytest.mark.parametrize(
    ("case", "rest", "arms"),
    [("the pile that a hand squared up lies in its zone", (58, 106), 0), ("a hand comes from somewhere", (20, 85), 1)],
)
def test_what_a_hand_leaves_is_an_arm_without_a_sleeve_only_where_it_reaches_beyond_the_piles(case, rest, arms):
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    left = np.zeros(SIZE[::-1], np.uint8)
    left[slice(*rest), 132:176] = 255
    assert len(finder.find(np.maximum(left, seen(LAYS)), 0.0, True)) == 1
    assert len(finder.find(left, 0.1, True)) == arms


@pytest.mark.parametrize(
    ("case", "moves", "arms"),
    [("it has not moved since the sleeve was seen", False, 1), ("something has: cards lie there", True, 0)],
)
def test_a_hand_that_rests_is_an_arm_though_its_sleeve_has_the_tables_colour(case, moves, arms):
    """It was taken for a card that nobody could read after 0.8 s."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    hand = seen(LAYS)
    hand[:8] = 0
    finder.find(seen(LAYS), 0.0, True)
    for frame in range(1, 16):
        found = finder.find(hand, frame / 10, moves and frame == 1)
    assert len(found) == arms, case


@pytest.mark.parametrize(
    ("case", "left", "arms"),
    [("the hand goes on", (38, 128, 145, 175), 1), ("cards lie where it was", (52, 128, 145, 175), 0)],
)
def test_a_hand_without_a_sleeve_is_an_arm_until_it_goes_though_it_stops_over_the_piles(case, left, arms):
    """As the eye had it in a dim picture: it was taken for a card that nobody could read."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    finder.find(seen(LAYS), 0.0, True)
    for frame, (top, bottom, begin, end) in enumerate([(20, 110, 145, 175), (30, 120, 145, 175), left, left]):
        hand = np.zeros(SIZE[::-1], np.uint8)
        hand[top:bottom, begin:end] = 255
        found = finder.find(hand, (frame + 1) / 15, frame < 3)
    assert len(found) == arms, case


def test_what_a_thing_leaves_is_no_hand_of_who_reaches_for_the_draw_pile_meanwhile():
    """As the eye had it at a rendered table: a bowl is taken away, its place differs still, and somebody draws."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    draws = ((240, 0), (214, 85))
    for k, (share, top) in enumerate(((0.0, 179), (0.0, 175), (0.7, 175), (0.9, 175), (1.0, 175))):
        things = np.zeros(SIZE[::-1], np.uint8) if share == 0.0 else seen(short(draws, share))
        cv2.circle(things, (40, 145), 28, 255, -1)
        if top == 179:
            cv2.line(things, (40, 145), (40, 179), 255, 40)
        arms = finder.find(things, k / 10, k < 1)
    drawing = max(arms, key=lambda arm: arm.in_draw)
    assert drawing.tip == pytest.approx((535, 225), abs=40)


def without(things, begin, end):
    """The things but for a band from one place to another, where they have the table's colour."""
    return cv2.line(things.copy(), begin, end, 0, 8)


@pytest.mark.parametrize(
    ("case", "bar", "then", "gap", "reaches"),
    [
        ("a hand that rests at the draw pile", ((214, 0), (214, 100)), 1.0, ((180, 50), (250, 50)), True),
        ("... and moves its fingers", ((214, 0), (214, 94)), 1.06, ((180, 50), (250, 50)), True),
        ("what an arm that goes leaves there", ((214, 0), (214, 100)), 0.2, None, False),
        ("at the discard pile it may be a card", ((319, 90), (185, 90)), 1.0, ((240, 60), (240, 120)), False),
    ],
)
def test_a_hand_is_its_arms_where_its_wrist_has_the_tables_colour(case, bar, then, gap, reaches):
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    for k in range(5):
        finder.find(seen(short(bar, 0.6 + 0.1 * k)), k / 15, True)
    now = seen(short(bar, then))
    if gap:
        now = without(now, *gap)
    else:
        (x, y), end = bar[1], (bar[1][0], bar[1][1] - 20)
        cv2.line(now, (x, y), end, 255, 24)
    for k in range(5, 9):
        (arm,) = finder.find(now, k / 15, k == 5)
    assert (arm.in_draw + arm.in_discard > 500.0) == reaches, case
