"""The position at an earlier time, which a late sighting is placed by, is that of the log cut off there."""

from __future__ import annotations

import random

import pytest

from referee.bench.rules import evening
from referee.rules import replay

LOG = evening(random.Random(1), 120)
GAME = replay(LOG)


@pytest.mark.parametrize("t", [0.0, 1.0, 30.0, 31.0, 62.0, 100.5, 238.0, 1000.0])
def test_the_position_at_a_time_is_that_of_the_log_until_then(t: float) -> None:
    assert GAME.position_at(t) == replay((number, event) for number, event in LOG if event.t <= t).position


def test_before_the_game_there_is_none() -> None:
    assert replay([]).position_at(5.0) is None
