"""One mistake of the eye must not become an accusation, nor a long row of questions (RULES 9). Bounds are for a few
evenings; `python tests/session/mishaps.py` prints the figures over many."""

from __future__ import annotations

import mishaps
import pytest

EVENINGS = 8


@pytest.mark.parametrize(
    ("name", "calls", "questions"),
    [
        ("Reverse missed", 0.0, 4.0),
        ("Skip missed", 0.0, 3.0),
        ("number missed", 0.0, 3.0),
        ("Wild missed", 0.0, 3.0),
        ("seat missed", 0.0, 1.0),
        ("seat wrong", 0.0, 2.5),
        ("draw missed", 0.0, 3.0),
        ("Skip missed by two", 0.0, 1.0),
        ("Reverse missed by two", 0.0, 1.0),
        ("card misread", 0.5, 2.0),
        ("card unread", 0.0, 2.5),
        ("unsure action as action", 0.0, 1.0),
        ("unsure action as number", 0.0, 1.0),
        ("unsure number as action", 0.0, 1.0),
        ("unsure wild as number", 0.0, 1.0),
    ],
)
def test_a_mistake_of_the_eye_stays_one_mistake(name: str, calls: float, questions: float) -> None:
    outcomes = [one for seed in range(EVENINGS) if (one := mishaps.befall(seed, name)) is not None]
    assert outcomes
    assert sum(len(one.calls) for one in outcomes) <= calls * len(outcomes), [one.calls for one in outcomes]
    assert sum(len(one.questions) for one in outcomes) <= questions * len(outcomes), [one.questions for one in outcomes]
