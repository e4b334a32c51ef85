"""What changes at the edge of the picture of the discard zone, away from every card, is an arm."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import FPS, Knower, Laid, Table

from referee.vision.at_edge import without_arms

CARD_PX = 80 * 120
CARDS = (60, 60, 80, 120)
"""Left, top, width, height of the one card that was found, pixels."""
LANDED, INNER, HALF_OUT = CARDS, (260, 200, 50, 60), (230, 180, 90, 120)
HAND = (220, 170, 100, 130)
Box = tuple[int, int, int, int]


def shape(*boxes: Box) -> np.ndarray:
    mask = np.zeros((300, 320), np.uint8)
    for x, y, w, h in boxes:
        cv2.rectangle(mask, (x, y), (x + w - 1, y + h - 1), 255, cv2.FILLED)
    return mask


@pytest.mark.parametrize(
    ("case", "changed", "left"),
    [
        ("an elbow that rests at the right edge", [LANDED, (290, 200, 30, 60)], [LANDED]),
        ("fingers at two edges", [LANDED, (0, 0, 30, 20), (200, 280, 60, 20)], [LANDED]),
        ("smoothing parted it from the edge", [LANDED, (290, 200, 29, 60)], [LANDED]),
        ("something beside the pile that reaches no edge", [LANDED, INNER], [LANDED, INNER]),
        ("the card itself reaches the edge", [(0, 60, 140, 120)], [(0, 60, 140, 120)]),
        ("more than half a card: a card that was not found", [LANDED, HALF_OUT], [LANDED, HALF_OUT]),
        ("nothing but an arm", [(290, 200, 30, 60)], []),
        ("nothing", [], []),
    ],
)  # fmt: skip
def test_an_arm_at_the_edge_is_no_change_of_the_pile(case: str, changed: list[Box], left: list[Box]) -> None:
    assert (without_arms(shape(*changed), shape(CARDS), CARD_PX) == shape(*left)).all(), case


@pytest.mark.parametrize(
    ("case", "arms", "left"),
    [
        ("a hand rests there", [HAND], [LANDED]),
        ("a hand rests there, and its shadow beside it", [(240, 170, 80, 130)], [LANDED]),
        ("a hand beside a card that was not found", [(280, 170, 40, 130)], [LANDED, HALF_OUT]),
        ("a hand elsewhere", [(0, 0, 40, 40)], [LANDED, HALF_OUT]),
        ("a hand that has laid a card and rests on it", [HAND, LANDED], [LANDED]),
        ("nobody", [], [LANDED, HALF_OUT]),
    ],
)
def test_where_an_arm_is_seen_it_is_one_however_large(case: str, arms: list[Box], left: list[Box]) -> None:
    found = without_arms(shape(LANDED, HALF_OUT), shape(CARDS), CARD_PX, shape(*arms))
    assert (found == shape(*left)).all(), case


@pytest.mark.parametrize(
    ("case", "at", "seen", "quiet"),
    [
        ("a hand rests at the draw pile and reaches over a corner of the zone", (140, -90), True, True),
        ("what lies there is no hand", (140, -90), False, False),
        ("a hand lies on the top card, which it may have laid", (60, -200), True, False),
    ],
)
def test_a_hand_that_rests_beside_the_pile_lays_no_card(
    case: str, at: tuple[int, int], seen: bool, quiet: bool
) -> None:
    table = Table(Knower(finds=True, laid=[Laid("R7", 285, 205)]))
    table.run(1.0)
    image = table.frame().image
    patch = table.eye._above.patch(image)
    hand = np.zeros(patch.shape[:2], np.uint8)
    hand[at[0] :, at[1] :] = 255
    reference = patch.copy()
    reference[hand > 0] = (110, 150, 205)
    top = tuple(map(tuple, table.eye._above.table(Laid("R7", 285, 205).corners())))
    finding = table.eye._pile.change(image, reference, top, arms=hand if seen else None)
    assert finding.change > 0.5, "as large as what is none without a hand"
    assert table.eye._pile.find(finding).quiet == quiet, case


@pytest.mark.parametrize("rests_s", [0.3, 1.0, 3.0])
def test_a_hand_that_stops_with_much_of_it_in_a_corner_of_the_zone_lays_and_takes_nothing(rests_s: float) -> None:
    """It covers more than half a card of what is looked at, and is part of the settled picture as it goes."""
    table = Table(Knower(finds=True, laid=[Laid("R7", 300, 190)]), arm_x=(160.0, 235.0)).run(1.0)
    for at in (430.0, 360.0, 300.0, 270.0):
        table.arm_mm = at
        table.run(1 / FPS)
    table.run(rests_s)
    for at in (300.0, 360.0, 430.0):
        table.arm_mm = at
        table.run(1 / FPS)
    table.arm_mm = None
    assert table.run(2.0).said() == ["pile_seen"]


def test_a_mask_of_the_small_picture_is_seen_from_above_where_it_lies() -> None:
    table = Table(Knower(laid=[Laid("R7", 285, 205)]))
    table.run(1.0)
    corners = Laid("R7", 285, 205).corners()
    small = np.zeros((180, 320), np.uint8)
    cv2.fillConvexPoly(small, np.rint((corners + 0.5) / 4 - 0.5).astype(np.int32), 255)
    above = table.eye._above
    there = above.filled(above.px(above.table(corners)))
    seen = above.of_small(small)
    assert (seen > 0).sum() == pytest.approx((there > 0).sum(), rel=0.08)
    assert ((seen > 0) & (there > 0)).sum() > 0.95 * (there > 0).sum()


@pytest.mark.parametrize("finds", [True, False], ids=["the top card is found", "no card is found beside the arm"])
def test_who_takes_an_arm_away_from_beside_the_pile_pushes_no_card(finds: bool) -> None:
    table = Table(Knower(finds=finds, laid=[Laid("R7", 285, 205)]))
    table.run(1.0)
    patch = table.eye._above.patch(table.frame().image)
    reference = patch.copy()
    reference[150:230, -40:] = (110, 150, 205)
    top = tuple(map(tuple, table.eye._above.table(Laid("R7", 285, 205).corners())))
    finding = table.eye._pile.change(table.frame().image, reference, top)
    assert not finding.quiet
    assert table.eye._pile.find(finding).quiet
