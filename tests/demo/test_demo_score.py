"""The demo's account of itself: what the table knows against what the journal says."""

from __future__ import annotations

from typing import Any

import pytest

from referee.demo.score import Landing, Verdict, score_readings, score_rulings


def landed(t: float, card: str) -> dict[str, Any]:
    return {"t": t, "event": "landed", "card": card, "seat": 1}


TRUTH = [landed(5.0, "R7"), {"t": 6.0, "event": "drew", "seat": 2, "n": 1}, landed(8.0, "R9")]


@pytest.mark.parametrize(
    ("said", "right", "unsure", "wrong", "missed", "invented"),
    [
        ([Landing(4.2, "R7", True), Landing(7.5, "R9", True)], 2, 0, 0, 0, 0),
        ([Landing(4.2, "R7", True), Landing(7.5, "R6", True)], 1, 0, 1, 0, 0),
        ([Landing(4.2, "?", False), Landing(7.5, "R9", False)], 0, 2, 0, 0, 0),
        ([Landing(4.2, "R7", True)], 1, 0, 0, 1, 0),
        ([Landing(4.2, "R7", True), Landing(7.5, "R9", True), Landing(20.0, "B1", True)], 2, 0, 0, 0, 1),
        ([], 0, 0, 0, 2, 0),
        ([Landing(7.4, "R9", True), Landing(7.5, "R7", True)], 1, 0, 0, 1, 1),
    ],
    ids=["all right", "one misread", "unread and unsure", "one missed", "one invented", "blind", "in another order"],
)
def test_readings(said: list[Landing], right: int, unsure: int, wrong: int, missed: int, invented: int) -> None:
    count = score_readings(TRUTH, said)
    assert count == {"right": right, "unsure": unsure, "wrong": wrong, "missed": missed, "invented": invented}


def test_a_missed_card_is_one_error() -> None:
    cards = ["Y3", "Y3", "Y1", "B1", "B2", "B9"]
    truth = [landed(5.0 + 2.5 * i, card) for i, card in enumerate(cards)]
    said = [Landing(4.8 + 2.5 * i, card, True) for i, card in enumerate(cards) if i != 1]
    assert score_readings(truth, said) == {"right": 5, "unsure": 0, "wrong": 0, "missed": 1, "invented": 0}


OWED = {"t": 8.0, "code": "forced_draw", "player": "Ben", "n": 2, "reason": "draw_two"}


@pytest.mark.parametrize(
    ("said", "right", "wrong", "missed"),
    [
        ([Verdict(7.4, "forced_draw", "Ben", 2, "draw_two")], 1, 0, 0),
        ([Verdict(7.4, "forced_draw", "Ana", 2, "draw_two")], 0, 1, 1),
        ([Verdict(7.4, "forced_draw", "Ben", 4, "draw_two")], 0, 1, 1),
        ([Verdict(30.0, "forced_draw", "Ben", 2, "draw_two")], 0, 1, 1),
        ([Verdict(7.4, "forced_draw", "Ben", 2, "draw_two"), Verdict(9.0, "illegal_card", "Ana")], 1, 1, 0),
        ([Verdict(7.4, "forced_draw", "Ben", 2, "draw_two"), Verdict(9.0, "inferred", "Ana")], 1, 0, 0),
        ([], 0, 0, 1),
    ],
    ids=["right", "wrong player", "wrong number", "wrong time", "false accusation", "information", "silence"],
)
def test_rulings(said: list[Verdict], right: int, wrong: int, missed: int) -> None:
    count = score_rulings([OWED], said)
    assert (count["right"], count["wrong"], count["missed"]) == (right, wrong, missed)
