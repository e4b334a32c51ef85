"""Arms as visits: who rests an elbow on the edge of the table comes anew each time the hand reaches in."""

from __future__ import annotations

import pytest

from referee.tracker.arms import Arms, Draw
from referee.tracker.looks import Activity, ArmLook, TableGeometry

TABLE = TableGeometry(
    (200.0, 120.0, 170.0, 190.0), (400.0, 160.0, 70.0, 110.0), (56.0, 87.0), ((1, (435.0, 590.0)), (3, (300.0, -160.0)))
)
EDGE = 430.0
"""Where the arm of seat 1 enters, mm from the far edge of the table; it reaches straight up from there."""


def drawn(fps: int, way: str) -> list[Draw]:
    """The draws of a hand whose tip is at these millimetres, 0.2 s each; over the draw pile from 160 to 270, and
    beyond it over the discard pile."""
    arms, out, frame = Arms(TABLE), [], 0
    for tip in map(float, way.split()):
        for _ in range(max(1, fps // 5)):
            over_draw = max(0.0, 270.0 - max(160.0, tip)) * 60.0
            x = 435.0 if tip >= 160.0 else 360.0
            out += arms.update(Activity(frame / fps, (ArmLook((435.0, EDGE), (x, tip), 0.0, over_draw),), 0.0, 0.0))
            frame += 1
    return out


@pytest.mark.parametrize("fps", [5, 15, 60])
@pytest.mark.parametrize("rest", ["410", "410 410 410 410 410 410 410 410", "400 420 410 415"])
def test_a_draw_begins_when_the_hand_reaches_out_from_the_edge(fps: int, rest: str) -> None:
    nudge = f"350 225 130 130 225 350 {rest}"
    (draw,) = drawn(fps, f"{nudge} 350 260 225 225 225 300 415 415")
    assert draw.since > 0.2 * len(nudge.split())
    assert draw.count == 1


def test_a_quick_draw_counts_after_a_farther_reach() -> None:
    assert len(drawn(15, "350 225 130 130 225 350 410 410 350 225 350 410 410")) == 1


def test_a_hand_that_stays_over_the_table_makes_one_visit() -> None:
    assert len(drawn(15, "350 225 225 350 350 350 350 410 410")) == 1
