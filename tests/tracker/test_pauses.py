"""Hands that pause at the draw pile before or after somebody reached past it."""

from __future__ import annotations

import pytest

from referee.tracker.arms import Arms
from referee.tracker.looks import Activity, ArmLook, TableGeometry

TABLE = TableGeometry(
    (231.5, 105.6, 190.0, 200.0), (433.5, 147.8, 90.0, 120.0), (56.0, 87.0), ((2, (-170.0, 215.0)), (4, (930.0, 215.0)))
)
RIGHT = 764.0
"""Where the arm of seat 4 comes in: its tip is over the draw pile at 210 to 360 mm from there, and beyond that over the
discard pile."""


def draws(reaches: str, fps: int = 15) -> list[int | None]:
    """The seats that drew. reaches: how far the outline reaches in each frame, mm; -: none is seen."""
    arms, out = Arms(TABLE), []
    for number, reach in enumerate([*reaches.split(), *["-"] * 6]):
        looks = []
        if reach != "-":
            far = float(reach)
            over = (12000.0 if far > 400.0 else 0.0), (6000.0 if far > 250.0 else 0.0)
            looks = [ArmLook((RIGHT, 220.0), (RIGHT - far, 215.0), *over, 90.0 * far)]
        out += arms.update(Activity(number / fps, tuple(looks)))
    return [draw.seat for draw in out]


@pytest.mark.parametrize(
    ("case", "reaches", "expected"),
    [
        ("one hand draws, the other runs past it and lays a card",
         "180 300 304 304 304 420 500 500 500 400 250 60", [4]),
        ("... and they go together", "180 300 304 304 304 420 500 500 500 330 180 60", [4]),
        ("who hesitates there before laying a card starts as hands do",
         "180 300 304 304 304 316 345 390 440 490 500 500 380 250 60", []),
        ("who passes it on the way to the discard pile does not pause", "180 290 330 420 500 500 500 400 250 60", []),
        ("one hand lays a card, the other is left at the draw pile", "180 330 480 500 500 330 312 304 304 200 60", [4]),
        ("... where its outline trembles", "180 330 480 500 500 335 310 322 305 316 200 60", [4]),
        ("who lays a card goes back across it", "180 330 480 500 500 440 360 300 240 180 60", []),
        ("what a hand leaves there is its shadow and vanishes", "180 330 480 500 500 330 312 304 304 304 304 -", []),
        ("a pause and a draw later on are one draw", "180 300 304 304 304 420 500 500 330 304 304 304 304 180 60", [4]),
        ("two visits", "180 330 500 330 304 304 304 180 60 60 180 300 304 304 304 180 60", [4, 4]),
    ],
)  # fmt: skip
def test_who_pauses_at_the_draw_pile_draws(case: str, reaches: str, expected: list[int | None]) -> None:
    assert draws(reaches) == expected, case


@pytest.mark.parametrize(
    ("case", "stops", "expected"),
    [("an eighth of a second passes, or tosses a card", "300 304 300", []), ("a sixth draws", "300 304 304 300", [4])],
)
def test_who_stops_there_for(case: str, stops: str, expected: list[int | None]) -> None:
    assert draws(f"60 140 200 {stops} 200 140 60", fps=25) == expected, case


@pytest.mark.parametrize(
    ("case", "reaches", "expected"),
    [
        ("a knocked camera makes an arm of a pattern's edges for one frame", "60 - - - 300", []),
        ("who is lost there and found again was there meanwhile", "60 180 300 - - - 300 180 60", [4]),
        ("who is lost on the way and draws", "60 - - - 300 302 304 300 180 60", [4]),
    ],
)
def test_who_was_lost_had_not_come_to_the_draw_pile_before(case: str, reaches: str, expected: list[int | None]) -> None:
    assert draws(reaches, fps=30) == expected, case


@pytest.mark.parametrize(("case", "wide", "expected"), [("an arm", 1.0, [5]), ("a shadow is joined to it", 1.3, [])])
def test_who_draws_across_the_discard_pile_may_hide_most_of_it_with_the_arm_and_its_shadow(
    case: str, wide: float, expected: list[int | None]
) -> None:
    """Entry, tip, cover of both zones and area as the eye had them at a rendered table: a dark arm and its shadow."""
    seats = ((5, (856.0, 28.0)),)
    table = TableGeometry((348.0, 126.0, 190.0, 200.0), (246.0, 164.0, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [(692, 171, 0, 0, 21025), (547, 190, 183, 0, 40681), (416, 217, 17594, 0, 57069)]
    frames += [(334, 242, 27387, 1131, 67901), *[(302, 245, 26438, 4932, 72443)] * 8, (299, 217, 27327, 3735, 72354)]
    frames += [(420, 156, 13250, 0, 56932), (581, 77, 0, 0, 34250), (763, 43, 0, 0, 8715)]
    arms, out = Arms(table), []
    for number, frame in enumerate([*frames, *[None] * 6]):
        looks = []
        if frame is not None:
            x, y, discard, draw, area = frame
            looks = [ArmLook((802.0, 90.0), (x, y), discard, draw, wide * area)]
        out += arms.update(Activity(number / 15, tuple(looks)))
    assert [draw.seat for draw in out] == expected, case
