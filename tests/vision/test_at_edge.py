"""What changes at the edge of the picture of the discard zone, away from every card, is an arm."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import Knower, Laid, Table

from referee.vision.at_edge import without_arms

CARD_PX = 80 * 120
CARDS = (60, 60, 80, 120)
"""Left, top, width, height of the one card that was found, pixels."""
LANDED, INNER, HALF_OUT = CARDS, (260, 200, 50, 60), (230, 180, 90, 120)
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
