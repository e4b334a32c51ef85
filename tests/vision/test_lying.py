"""Things that were just put down at the edge of the picture, and arms that come in beside them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from drawn_table import TABLE

from referee.vision.arms import Arm, ArmFinder
from referee.vision.light import Mask
from referee.vision.lying import LIES_S

SIZE = (320, 180)
FPS = 15
DISCARD, DRAW = (np.zeros(SIZE[::-1], np.uint8) for _ in range(2))
DISCARD[52:128, 90:165] = 255
DRAW[68:112, 175:203] = 255

SHEET = [(150, 179), (150, 130), (230, 130), (230, 179)]
ARM = [(128, 179), (118, 85), (142, 85), (152, 179)]
"""It touches the sheet all along its side."""


def shown(*outlines: Sequence[tuple[int, int]]) -> Mask:
    things = np.zeros(SIZE[::-1], np.uint8)
    for outline in outlines:
        cv2.fillPoly(things, [np.array(outline)], 255)
    return things


def reaching(to: int) -> Mask:
    """An arm that has come so far, the lower the farther."""
    arm = shown(ARM)
    arm[:to] = 0
    return arm


def arms_after(lies_s: float, frames: Sequence[Mask]) -> tuple[Arm, ...]:
    finder = ArmFinder(TABLE, DISCARD, DRAW)
    still = [shown(SHEET)] * round(lies_s * FPS)
    for number, things in enumerate((*still, *frames)):
        arms = finder.find(things, number / FPS, number == 0 or number >= len(still))
    return arms


COMES = [cv2.max(shown(SHEET), reaching(to)) for to in (160, 130, 100, 85, 85)]


@pytest.mark.parametrize("lies_s", [LIES_S + 0.1, 3.0])
def test_an_arm_that_comes_in_beside_a_sheet_just_put_down_comes_from_where_it_does(lies_s: float) -> None:
    """It seemed to come from the middle of both, and had no seat."""
    alone = arms_after(0.0, [reaching(85)])[0]
    arms = arms_after(lies_s, COMES)
    arm = max(arms, key=lambda arm: arm.in_discard)
    assert len(arms) == 2
    assert arm.entry == pytest.approx(alone.entry, abs=15)
    assert arm.tip == pytest.approx(alone.tip, abs=10)


def test_an_arm_that_comes_in_between_two_sheets_is_parted_from_both() -> None:
    other = [(70, 179), (70, 140), (130, 140), (130, 179)]
    finder = ArmFinder(TABLE, DISCARD, DRAW)
    for number in range(20):
        things = shown(SHEET, other)
        if number >= 12:
            things = cv2.max(things, reaching(max(85, 160 - 30 * (number - 12))))
        arms = finder.find(things, number / FPS, True)
    assert len(arms) == 3


@pytest.mark.parametrize(
    ("case", "lies_s", "frames"),
    [("an arm that came with the sheet", 0.0, COMES[-1:]),
     ("an arm that comes as the sheet is put down", LIES_S - 0.2, COMES),
     ("a resting arm that reaches out", 1.0, [shown(SHEET, [(170, 135), (170, 60), (200, 60), (200, 135)])]),
     ("an arm whose hand is beyond the sheet", 1.0,
      [shown(SHEET, [(100, 179), (149, 179), (149, 140), (100, 160)],
             [(230, 140), (250, 140), (250, 100), (230, 100)])]),
     ("a resting arm that moves aside", 1.0, [shown([(x + 40, y) for x, y in SHEET])]),
     ("a resting arm, and its shadow grows a little", 1.0, [shown(SHEET, [(145, 179), (145, 150), (160, 150)])])],
)  # fmt: skip
def test_what_lies_there_and_no_arm_is_one(case: str, lies_s: float, frames: list[Mask]) -> None:
    assert len(arms_after(lies_s, frames)) == 1, case
