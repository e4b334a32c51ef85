"""`referee bench eye`: the figures are made of the right frames."""

import numpy as np
import pytest

from referee.bench.eye import WARM_UP, figures

GAME, REST = 100, 900


@pytest.fixture
def run():
    """A game of 100 frames at 30 a second with a hand on frame 70 and looks on frames 50, 80 and 81, then 900 frames of
    rest; a gate of 1 ms."""
    eye_s = np.full(GAME + REST, 0.002)
    eye_s[GAME:] = 0.0005
    eye_s[GAME : GAME + WARM_UP] = 1.0
    eye_s[[50, 70, 80]] = 0.03, 0.02, 0.012
    looked = np.zeros(GAME + REST, bool)
    looked[[50, 80, 81]] = True
    return {
        "times": np.arange(GAME + REST) / 30,
        "idle": np.arange(GAME + REST) >= GAME,
        "eye_s": eye_s,
        "gate_s": np.full(GAME + REST, 0.001),
        "looked": looked,
    }


def test_ratios_are_to_the_gate_on_frames_that_count(run):
    found = figures(**run, landed=[(79 / 30, 82 / 30)])
    assert found["idle_ratio"] == 0.5
    assert found["look_ratio"] == found["look_worst_ratio"] == 12
    assert found["landing_ratio"] == 12 + 3 * 2
    assert found["worst_ratio"] == 30
    assert found["idle_share"] == 0.9
    assert found["frames"] == 1000
    assert found["peak_mb"] > 10


def test_a_hand_that_has_not_gone_is_no_look(run):
    found = figures(**run, landed=[(69 / 30, 82 / 30)])
    assert found["look_ratio"] == 12


def test_a_run_without_a_landing_says_nothing_about_looks(run):
    found = figures(**run, landed=[])
    assert found["landings"] == 0
    assert found["look_ratio"] is None
