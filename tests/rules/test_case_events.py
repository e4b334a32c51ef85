"""Cases may be written in other words than the journal's: each of these has one meaning (CONTRACT, `judge`)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.cases import judge

START = {"phase": "turn", "turn": "A", "top": "R8", "colour": "R", "direction": 1, "hands": {"A": 2, "B": 5, "C": 5}}


def play(*events: dict[str, Any], preset: str = "tournament") -> dict[str, Any]:
    timed = [{"t": 2.0 * place, **event} for place, event in enumerate(events, 1)]
    return judge({"id": "x", "preset": preset, "players": ["A", "B", "C"], "start": START, "events": timed})


R3 = {"ev": "discard", "by": "A", "card": "R3"}
B3 = {"ev": "discard", "by": "A", "card": "B3"}
W4 = {"ev": "discard", "by": "A", "card": "W+4"}
CHALLENGE = {"ev": "challenge", "by": "B"}


@pytest.mark.parametrize(
    ("events", "field", "value"),
    [
        ((B3, {"ev": "override", "at": 0, "verdict": "legal"}), "turn", "B"),
        ((B3, {"ev": "override", "by": "C"}), "turn", "B"),
        ((B3, {"ev": "override", "at": 0, "verdict": "play_stands"}), "turn", "B"),
        ((R3, {"ev": "correct", "of": 0, "to": "RS"}), "turn", "C"),
        ((R3, {"ev": "correct", "at": 0, "player": "C"}), "phase", "takeback"),
        ((R3, {"ev": "undo", "index": 0}), "turn", "A"),
        ((R3, {"ev": "undo", "which": 0}), "turn", "A"),
        ((B3, {"ev": "correct", "card": "R3"}), "turn", "B"),
        ((B3, {"ev": "correct", "from": "B3", "to": "R3"}), "turn", "B"),
        (({"ev": "draw", "by": "A"}, {"ev": "discard", "card": "R3"}, {"ev": "answer", "value": "B"}), "turn", "C"),
        (({"ev": "suggestion", "player": "C"},), "due", {"C": 4}),
        ((B3, {"ev": "override", "by": "table", "verdict": "legal"}), "turn", "B"),
        (({"ev": "suggestion", "by": "C", "on": "A"},), "due", {"C": 4}),
        (({"ev": "suggestion", "by": "C", "to": "A"},), "due", {"C": 4}),
        ((W4, CHALLENGE, {"ev": "show", "cards": ["R1"]}), "due", {"A": 4}),
        ((W4, CHALLENGE, {"ev": "challenge_result", "result": "innocent"}), "due", {"B": 6}),
        ((W4, CHALLENGE, {"ev": "challenge_result", "value": "guilty"}), "due", {"A": 4}),
        ((W4, CHALLENGE, {"ev": "challenge_result", "guilty": False}), "due", {"B": 6}),
        ((W4, CHALLENGE, {"ev": "answer", "question": "challenge_result", "value": "guilty"}), "due", {"A": 4}),
        ((W4, CHALLENGE, {"ev": "answer", "question": "challenge_result", "result": False}), "due", {"B": 6}),
        ((R3, {"ev": "catch", "by": "B"}), "due", {"A": 2}),
        (({"ev": "count", "by": "B", "n": 3},), "hands", {"A": 2, "B": 3, "C": 5}),
        (({"ev": "discard", "by": "A", "card": "W"}, {"ev": "colour", "color": "G"}), "colour", "G"),
        (({"ev": "pause"}, {"ev": "resume", "top": "R8"}), "ask", None),
        (({"ev": "pause"}, {"ev": "resume", "top": "R9"}), "ask", "which_card"),
    ],
)
def test_what_a_case_means(events: tuple[dict[str, Any], ...], field: str, value: object) -> None:
    assert play(*events)[field] == value
