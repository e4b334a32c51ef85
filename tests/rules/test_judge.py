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

R2 = {"ev": "discard", "by": "A", "card": "R2"}
RESULT = {"ev": "challenge_result", "by": "B"}
TEAMS = {"teams": [["A", "B"], ["C", "D"]], "winner": "A"}
HUGE = 10**400
"""A whole number that is too large for a float."""


def run(text: str, command: Any = judge.command, *arguments: str) -> Any:
    return CliRunner().invoke(command, list(arguments) or ["-"], input=text)


def events(*written: dict[str, Any]) -> str:
    return json.dumps({**CASE, "events": written})


def start(**changes: Any) -> str:
    return json.dumps({**CASE, "start": {**CASE["start"], **changes}})


def log(*more: dict[str, Any], **changes: Any) -> str:
    return json.dumps([{"ev": "game_started", "players": ["A", "B"], "dealer": "B", **changes}, *more])


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
        ("", "holds nothing: expected a case"),
        ("[]", "holds nothing: expected a case"),
        ("[1]", "case 1: holds 1: expected an object"),
        ("3", "holds 3: expected a case"),
        ("[" * 100_000, "nested too deep"),
        ('{"ev": "pause"}\n{"ev": ', "line 2: not JSON; expected an object on each line"),
        ("{", "line 1: not JSON"),
        ('{"kind": "chess"}', "kind is 'chess': expected one of play"),
        (json.dumps({**CASE, "preset": "x"}), "preset 'x' is unknown: expected one of official"),
        (json.dumps({**CASE, "options": {"stacking": "maybe"}}), "option stacking is 'maybe': expected off, same_type"),
        (json.dumps({**CASE, "options": {"stakking": "off"}}), "option 'stakking' is unknown"),
        (json.dumps({**CASE, "players": ["A"]}), "players: 1 names: expected 2 to 10"),
        (json.dumps({**CASE, "start": {"phase": "turn", "turn": "Z"}}), "start.turn is 'Z'"),
        (json.dumps({**CASE, "events": [{"ev": "discard", "card": "Q7"}]}), "events[0]: discard: card is 'Q7'"),
        (json.dumps({**CASE, "events": [{"t": 1}]}), "events[0]: ev: missing"),
        (events({"ev": "discart", "card": "R7"}), "events[0]: ev is 'discart': expected one of game_started, "),
        (events({"ev": "discard", "by": "Z", "card": "R7"}), "discard: by is 'Z': expected one of A, B, C"),
        (events({"ev": "catch", "by": "A", "on": "Z"}), "catch: on is 'Z': expected one of A, B, C"),
        (events({"ev": "leave", "player": "Z"}), "leave: player is 'Z': expected one of A, B, C"),
        (events({"ev": "draw", "by": "A", "n": "1"}), "draw: n is '1': expected a whole number"),
        (events({"ev": "draw", "by": "A", "n": -1}), "draw: n is -1: expected a whole number, 0 or more"),
        (events({"ev": "undo", "at": 0}), "undo: at is 0: expected the number of an earlier event"),
        (events({"ev": "pause"}, {"ev": "correct", "at": 0, "card": "R33"}), "correct: card: 'R33' is not a card"),
        (events({"ev": "answer", "question": "why"}), "question is 'why': expected one of play_after_hand_over"),
        (events({"ev": "begin", "by": "A", "how": "foot"}), "begin: how is 'foot': expected hand or pile"),
        (events({"ev": "colour", "by": "A", "colour": "P"}), "colour is 'P': expected R, Y, G or B"),
        (events({"ev": "pause", "t": float("nan")}), "t is nan: expected seconds"),
        (events({"ev": "pause", "t": "2"}), "t is '2': expected a number"),
        (events({"ev": "pause", "t": HUGE}), "events[0]: pause: t is 1000"),
        (events({**R2, "confidence": HUGE}), "expected a smaller number"),
        (events({**R2, "side": HUGE}), "expected a smaller number"),
        (events({**R2, "alternatives": [["R1", HUGE]]}), "expected a smaller number"),
        (events({**R2, "alternatives": [["R1"]]}), "expected pairs such as ["),
        (events({**R2, "alternatives": [[1, 0.5]]}), "expected pairs such as ["),
        (events({**R2, "alternatives": 3}), "discard: alternatives is 3: expected pairs such as ["),
        (events({"ev": "show", "by": "A", "cards": 3}), "show: cards is 3: expected cards such as R7"),
        (json.dumps({**CASE, "options": {"photo_finish_s": HUGE}}), "a number of seconds, 0 or more and below 60"),
        (events(RESULT), "events[0]: challenge_result: guilty is None: expected true or false"),
        (events({**RESULT, "guilty": None}), "challenge_result: guilty is None: expected true or false"),
        (events({**RESULT, "guilty": "true"}), "challenge_result: guilty is 'true': expected true or false"),
        (events({**RESULT, "guilty": 1}), "challenge_result: guilty is 1: expected true or false"),
        (events({**RESULT, "result": "perhaps"}), "challenge_result: guilty is 'perhaps': expected true or false"),
        (events({"ev": "answer", "question": "challenge_result"}), "value is None: expected guilty or innocent"),
        ('{"kind": "score", "given": {"winner": "A", "duel": "no"}}', "given.heads_up is 'no': expected true or false"),
        (start(phase="middle"), "start.phase is 'middle': expected opening or turn"),
        (start(phase="wd4"), "start.phase is 'wd4': expected opening or turn"),
        (start(phase=["turn"]), "start.phase is ['turn']: expected opening or turn"),
        (start(direction=2), "start.direction is 2: expected 1 (clockwise) or -1"),
        (start(direction=True), "start.direction is True: expected 1 (clockwise) or -1"),
        (start(hands=[]), "start.hands is []: expected how many cards each player holds"),
        (start(scores=[]), "start: scores is []: expected an object"),
        (start(dealer=[]), "dealer is []: expected one of the players"),
        (json.dumps({**CASE, "start": []}), "start is []: expected an object"),
        (json.dumps({**CASE, "options": []}), "options is []: expected an object"),
        (json.dumps({**CASE, "events": {}}), "events is {}: expected a list"),
        (json.dumps({**CASE, "dealer": ""}), "dealer is '': expected one of the players"),
        ('{"kind": "deck", "given": false}', "given is False: expected an object"),
        (start(colour="red"), "colour is 'red': expected R, Y, G or B"),
        (start(draw_pile="20"), "start.draw_pile is '20': expected a whole number, 0 or more"),
        (start(hands={"A": "5"}), "start.hands.A is '5': expected a whole number, 0 or more"),
        (start(hands={"Z": 5}), "start.hands names 'Z': expected one of the players"),
        (start(hands=[5, 5]), "start.hands is [5, 5]: expected how many cards each player holds"),
        ('{"kind": ["play"]}', "kind is ['play']: expected one of play"),
        ('{"kind": "team", "given": {}}', "given.partners: missing"),
        ('{"kind": "team", "given": {"teams": [["A"], ["B"]], "first_team": 2}}', "given.first_team is 2: expected"),
        ('{"kind": "deal", "options": {"hand_size": 15}, "given": {"players": 10}}', "43 more than the deck has"),
        ('{"kind": "deal", "given": {"players": 3, "hand_size": "7"}}', "given.hand_size is '7': expected a whole"),
        ('{"kind": "dealer_draw", "given": {"draws": {}}}', "given.draws is {}: expected each player's card"),
        ('{"kind": "score", "given": {"hands": {"B": ["R3"]}}}', "given.winner: missing"),
        ('{"kind": "score", "given": {"winner": "A", "scores": {"A": "1"}}}', "given.scores.A is '1': expected"),
        ('{"kind": "tally", "given": {"round_totals": [3]}}', "given.round_totals is [3]: expected the points"),
        ('{"kind": "tally", "given": {"round_totals": [{"1": "ten"}]}}', "given.round_totals.1 is 'ten'"),
        ('{"kind": "score", "given": {"winner": "A", "hands": {"B": ["Z"]}}}', "given.hands.B: 'Z' is not a card"),
        ('{"kind": "score", "given": {"winner": "A", "hands": {"B": "R9 Z"}}}', "given.hands.B: 'Z' is not a card"),
        ('{"kind": "score", "given": {"winner": "A", "hands": {"B": [3]}}}', "given.hands.B is 3: expected a card"),
        ('{"kind": "score", "given": {"winner": "A", "hands": {"B": null}}}', "given.hands.B is None: expected cards"),
        ('{"kind": "score", "given": {"winner": "A", "hands": {"B": true}}}', "given.hands.B is True: expected cards"),
        ('{"kind": "score", "given": {"winner": "A", "hands": [1]}}', "given.hands is [1]: expected an object"),
        ('{"kind": "score", "given": {"winner": 3}}', "given.winner is 3: expected text"),
        (json.dumps({"kind": "team", "given": {**TEAMS, "hands": {"D": ["Z"]}}}), "given.hands.D: 'Z' is not a card"),
        ('{"kind": "dealer_draw", "given": {"draws": {"A": "Z"}}}', "given.draws.A: 'Z' is not a card"),
        ('{"kind": "dealer_draw", "given": {"draws": {"A": "?"}}}', "given.draws.A is '?': expected a card such as R7"),
        ('{"kind": "dealer_draw", "given": {"draws": [["A"]]}}', "given.draws is [['A']]: expected each player's card"),
        ('[{"ev": "discard", "card": "R7"}]', "no game_started"),
        (log(dealer="Z"), "event 1: dealer is 'Z': expected one of the players"),
        (log(preset="x"), "event 1: preset 'x' is unknown: expected one of official"),
        (log(t=HUGE), "event 1: game_started: t is 1000"),
        (log({"event": None, "ev": "uno"}), "event 2: event is None: expected an object"),
        (log({"number": "2", "ev": "uno"}), "event 2: number is '2': expected a whole number"),
    ],
)
def test_what_cannot_be_read_gets_one_line(text: str, complaint: str) -> None:
    result = run(text)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert complaint in line
    assert "standard input" in line
    assert result.stdout == ""


def test_a_case_that_cannot_be_judged_does_not_keep_the_others_from_it() -> None:
    result = run(json.dumps([CASE, {**CASE, "id": "TWO", "preset": "x"}, {**CASE, "id": "THREE"}]))
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["ONE", "THREE"]
    assert "case 2 (TWO): preset 'x' is unknown" in result.stderr
    assert result.exit_code == 2


def test_a_file_may_begin_with_a_byte_order_mark() -> None:
    assert json.loads(run("\ufeff" + json.dumps(CASE)).stdout)["id"] == "ONE"


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
