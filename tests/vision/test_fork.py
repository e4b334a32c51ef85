"""Somebody who comes to both piles with both hands, drawn as bars that part."""

import cv2
import numpy as np
import pytest
from test_arms_found import CALIBRATION, DISCARD, DRAW, LAYS, seen

from referee.vision.arms import ArmFinder

TRUNK = (185, 0)


def found(things):
    """The arms of an outline that is seen in two frames."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    finder.find(things, 0.0, True)
    return finder.find(things, 0.1, True)


@pytest.mark.parametrize(
    ("case", "bars", "arms"),
    [
        ("two hands side by side", [(TRUNK, (155, 90)), (TRUNK, (214, 90))], 2),
        ("... of which one reaches past the other", [(TRUNK, (150, 115)), (TRUNK, (214, 78))], 2),
        ("one arm lies on the other and parts from it late", [(TRUNK, (185, 60)), ((185, 60), (160, 110)),
                                                              ((185, 60), (220, 95))], 2),
        ("one hand lays a card", [LAYS], 1),
        ("one hand lays a card, its thumb points at the draw pile", [(TRUNK, (165, 100)), ((180, 52), (196, 76))], 1),
        ("one hand draws beside the discard pile", [(TRUNK, (212, 95))], 1),
        ("one hand draws across the discard pile", [((90, 0), (210, 95))], 1),
        ("one hand lays a card across the draw pile", [((260, 0), (150, 110))], 1),
    ],
)  # fmt: skip
def test_the_hands_in_one_outline_are_told_apart_where_they_end_at_both_piles(case, bars, arms):
    assert len(found(seen(*bars))) == arms, case


def test_an_outline_that_parts_in_one_frame_alone_is_that_of_one_hand():
    """As at two rendered tables: who laid a card across the draw pile drew, for a finger was not to be told from it."""
    finder = ArmFinder(CALIBRATION, DISCARD, DRAW)
    one, parted = seen(LAYS), seen((TRUNK, (155, 90)), (TRUNK, (214, 90)))
    frames = [one, parted, one, parted, one, parted, parted, parted]
    assert [len(finder.find(things, t / 15, True)) for t, things in enumerate(frames)] == [1] * 6 + [2, 2]
    finder.forget()
    assert len(finder.find(parted, 2.0, True)) == 1


def test_each_hand_has_its_own_tip_and_pile():
    laying, drawing = sorted(found(seen((TRUNK, (155, 90)), (TRUNK, (214, 90)))), key=lambda arm: arm.in_draw)
    assert laying.in_draw == 0
    assert drawing.in_discard == 0
    assert np.hypot(*np.subtract(laying.tip, (388, 240))) < 45
    assert np.hypot(*np.subtract(drawing.tip, (535, 240))) < 45


@pytest.mark.parametrize(("case", "width", "arms"), [("its edge", 2, 1), ("a finger", 5, 2)])
def test_the_edge_of_a_pile_that_trembles_beside_an_arm_is_no_hand(case, width, arms):
    things = seen(LAYS)
    cv2.line(things, (160, 20), (204, 46), 255, 24)
    cv2.line(things, (206, 50), (208, 108), 255, width)
    assert len(found(things)) == arms, case
