"""Hands of the table's colour, whose outline ends at the wrist while they are at a pile."""

from __future__ import annotations

import pytest

from referee.tracker.arms import Arms
from referee.tracker.looks import Activity, ArmLook, TableGeometry

TABLE = TableGeometry((352.9, 118.1, 190.0, 200.0), (250.9, 161.0, 90.0, 120.0), (56.0, 87.0), ((2, (-96.3, 27.5)),))
COMES = "100,106,0,0 169,120,0,0 243,147,0,0 317,174,0,2290 382,197,2829,3150 434,219,6943,1830"
AT_WRIST = "326,191,0,1649 325,185,0,1600 326,180,0,1665 326,180,0,1699 323,183,0,1660 327,179,0,1654 328,177,0,1600"
WHOLE = "470,228,8975,1876"
GOES = "325,167,0,2397 245,138,0,0 154,96,0,0 94,76,0,0"
IN_TWO = "470,216,7484,0+330,194,0,1568 320,187,0,1471 370,182,1379,3035 294,182,0,1363 204,128,0,0 121,96,0,0"


def draws(frames: str, changes: dict[int, float], fps: int = 25) -> int:
    """How many cards were seen drawn. frames: tip x and y, cover of both zones of the arms in each frame; -: none is
    seen. changes: from which frame on how much of the discard zone has changed beside the arm."""
    arms, out, changed = Arms(TABLE), 0, 0.0
    for number, frame in enumerate([*frames.split(), *["-"] * 2 * fps]):
        looks = []
        for look in frame.split("+") if frame != "-" else ():
            x, y, discard, draw = (float(value) for value in look.split(","))
            looks.append(ArmLook((21.0, 66.0), (x, y), discard, draw, 60.0 * x))
        changed = changes.get(number, changed)
        out += len(arms.update(Activity(number / fps, tuple(looks), 0.0, changed)))
    return out


@pytest.mark.parametrize(
    ("case", "frames", "changes", "expected"),
    [
        ("its hand is still at the discard pile", f"{COMES} {AT_WRIST} {GOES}", {6: 0.19, 13: 0.13}, 0),
        ("... and shows no more than a card would", f"{COMES} {AT_WRIST} {GOES}", {6: 0.135}, 0),
        ("... and is seen whole as it goes", f"{COMES} {AT_WRIST} {WHOLE} {GOES}", {6: 0.19, 13: 0.0, 14: 0.13}, 0),
        ("... and is then seen in two", f"{COMES} {AT_WRIST} {IN_TWO}", {6: 0.19, 13: 0.0, 14: 0.26, 15: 0.1}, 0),
        ("it was the rim of another arm, and nothing is left there", f"{COMES} {AT_WRIST} {GOES}", {}, 1),
        ("less is left there than a hand", f"{COMES} {AT_WRIST} {GOES}", {6: 0.05}, 1),
        ("who comes again draws", f"{COMES} {AT_WRIST} {GOES} 121,96,0,0 204,128,0,0 {AT_WRIST} 245,138,0,0 94,76,0,0",
         {6: 0.19, 13: 0.13}, 1),
    ],
)  # fmt: skip
def test_an_arm_that_ends_at_the_draw_pile_does_not_draw_where_its_hand_lays_a_card(
    case: str, frames: str, changes: dict[int, float], expected: int
) -> None:
    """As the eye had them of a brown hand over brown wood."""
    assert draws(frames, changes) == expected, case
