"""`referee judge` and `referee rules`: what they print, and one clear line for what they cannot read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cards import Card
from referee.commands import judge, rules
from referee.event_json import encode
from referee.events import Catch, Correct, Discard, Draw, Event, GameStarted, TurnUp, Undo
from referee.rules import PRESETS, replay
from referee.rules.cases import verdicts

CASE: dict[str, Any] = {
    "id": "ONE",
    "kind": "play",
    "preset": "official_108",
    "players": ["A", "B", "C"],
    "start": {"phase": "turn", "turn": "A", "top": "R8", "hands": {"A": 2, "B": 5, "C": 5}},
    "events": [
        {"t": 1, "ev": "discard", "by": "A", "card": "R2"},
        {"t": 2, "ev": "catch", "by": "B", "on": "A"},
    ],
}


def run(text: str, command: Any = judge.command, *arguments: str) -> Any:
    return CliRunner().invoke(command, list(arguments) or ["-"], input=text)


def test_a_case_gives_one_object_with_every_field() -> None:
    result = run(json.dumps(CASE))
    assert result.exit_code == 0
    answer = json.loads(result.output)
    always = [
        "phase",
        "turn",
        "direction",
        "colour",
        "due",
        "hands",
        "hand_delta",
        "uno_exposed",
        "winner",
        "ask",
        "verdicts",
    ]
    assert [key for key in always if key not in answer] == []
    assert answer["id"] == "ONE"
    assert answer["due"] == {"A": 2}
    assert [(said["at"], said["verdict"]) for said in answer["verdicts"]] == [(1, "catch_ok"), (1, "penalty")]


def test_several_cases_give_a_line_each() -> None:
    other = {"id": "TWO", "kind": "deck", "given": {"deck": "classic_108"}}
    lines = run(json.dumps([CASE, other])).output.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["ONE", "TWO"]
    assert json.loads(lines[1])["cards"] == 108


def test_an_exported_log_gives_the_same_rulings() -> None:
    log: list[tuple[int, Event]] = [
        (1, GameStarted(players=("Ana", "Ben"), dealer="Ben")),
        (2, TurnUp(t=1.0, card=Card.parse("R8"))),
        (3, Discard(t=2.0, card=Card.parse("B3"), by="Ana")),
        (5, Draw(t=9.0, by="Ben")),
        (6, Correct(t=10.0, ref=3, fields={"card": "R3"})),
        (7, Catch(t=11.0, by="Ana", on="Ben")),
        (8, Undo(t=12.0, ref=5)),
    ]
    export = {"log": 1, "events": [{"number": n, **encode(event), "author": "x"} for n, event in log]}
    answer = json.loads(run(json.dumps(export)).output)
    assert answer["verdicts"] == verdicts(replay(log))
    lines = "\n".join(json.dumps(event) for event in export["events"])
    assert json.loads(run(lines).output)["verdicts"] == answer["verdicts"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ("[1]", "expected objects"),
        ("{", "line 1: not JSON"),
        ('{"kind": "chess"}', "kind is 'chess': expected one of play"),
        (json.dumps({**CASE, "preset": "x"}), "preset 'x' is unknown: expected one of official"),
        (json.dumps({**CASE, "options": {"stacking": "maybe"}}), "option stacking is 'maybe': expected off, same_type"),
        (json.dumps({**CASE, "options": {"stakking": "off"}}), "option 'stakking' is unknown"),
        (json.dumps({**CASE, "players": ["A"]}), "players: 1 names: expected 2 to 10"),
        (json.dumps({**CASE, "start": {"phase": "turn", "turn": "Z"}}), "start.turn is 'Z'"),
        (json.dumps({**CASE, "events": [{"ev": "discard", "card": "Q7"}]}), "events[0]: discard: card is 'Q7'"),
        (json.dumps({**CASE, "events": [{"t": 1}]}), "events[0]: ev: missing"),
        ('{"kind": "team", "given": {}}', "given.partners: missing"),
        ('{"kind": "score", "given": {"winner": "A", "hands": {"B": ["Z"]}}}', "'Z' is not a card"),
        ('[{"ev": "discard", "card": "R7"}]', "no game_started"),
    ],
)
def test_what_cannot_be_read_gets_one_line(text: str, complaint: str) -> None:
    result = run(text)
    assert result.exit_code == 2
    last = result.output.strip().splitlines()[-1]
    assert complaint in last
    assert "standard input" in last
    assert "Traceback" not in result.output


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    result = run("", judge.command, str(tmp_path / "nothing.json"))
    assert result.exit_code == 2
    assert "nothing.json: cannot be read" in result.output


def test_rules_lists_shows_and_compares() -> None:
    listed = run("", rules.command, "--json").output.splitlines()
    assert {row["preset"] for row in map(json.loads, listed) if "preset" in row} == set(PRESETS)
    shown = json.loads(run("", rules.command, "penalty_box", "--json").output)
    assert shown["options"]["illegal_play_penalty"] == 2
    compared = json.loads(run("", rules.command, "official", "official_108", "--json").output)
    assert compared["differences"] == {"deck": ["modern_112_shuffle", "classic_108"]}
    assert "uno_window" in run("", rules.command, "official", "stacked_draws").output
    assert "no difference" in run("", rules.command, "house_stacking", "house_progressive").output
    assert run("", rules.command, "nonsense").exit_code == 2
