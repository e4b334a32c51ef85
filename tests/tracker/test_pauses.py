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


def draws(reaches: str) -> list[int | None]:
    """The seats that drew. reaches: how far the outline reaches in each frame, 15 a second, mm; -: none is seen."""
    arms, out = Arms(TABLE), []
    for number, reach in enumerate([*reaches.split(), *["-"] * 6]):
        looks = []
        if reach != "-":
            far = float(reach)
            over = (12000.0 if far > 400.0 else 0.0), (6000.0 if far > 250.0 else 0.0)
            looks = [ArmLook((RIGHT, 220.0), (RIGHT - far, 215.0), *over, 90.0 * far)]
        out += arms.update(Activity(number / 15, tuple(looks)))
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
