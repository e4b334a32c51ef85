"""`referee replay`: a recording and a log of taps, told in the order of their effect."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

import ideal
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cards import Card
from referee.clock import ManualClock
from referee.commands.data import Refused
from referee.commands.replay import command, follow, in_words, read_events, told_in_order
from referee.demo.score import JUDGEMENTS
from referee.event_json import encode
from referee.events import Discard, NameColour, TurnUp, Uno
from referee.frame import Frame
from referee.observations import Sighting
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.virtual_table import Level, play
from referee.virtual_table.script import Press

SCRIPT = play(4, players=3, hands=1, level=Level.NORMAL)


class Recording:
    """Ten blank frames a second; as much of a camera as `follow` uses."""

    def __init__(self, seconds: float) -> None:
        self.count = int(seconds * 10)
        self.seq = 0

    @property
    def ended(self) -> bool:
        return self.seq >= self.count

    def read(self, patience_s: float) -> Frame | None:
        self.seq += 1
        return Frame(np.zeros((2, 2, 3), np.uint8), self.seq, self.seq / 10)


class PerfectEye:
    """Reports the truth when its time has come."""

    def __init__(self) -> None:
        self.left = deque(ideal.sightings(SCRIPT))

    def process(self, frame: Frame) -> list[Sighting]:
        out = []
        while self.left and self.left[0][0] <= frame.t:
            out.append(self.left.popleft()[1])
        return out


def taps() -> str:
    """The script's buttons and phones as a log, one event a line."""
    lines = []
    for one in SCRIPT.inputs:
        event = Uno(by=SCRIPT.players[one.seat - 1]) if isinstance(one, Press) else one.event
        lines.append(json.dumps({**encode(event), "t": one.t}) + "\n")
    return "".join(lines)


def test_a_recorded_hand_with_its_taps(tmp_path: Path) -> None:
    log = tmp_path / "taps.jsonl"
    log.write_text(taps())
    clock = ManualClock()
    session = Session(Journal(tmp_path / "journal.db"), Evidence(tmp_path / "evidence"), clock)
    session.start_game(SCRIPT.players, "official_108", SCRIPT.dealer, {}, "replay")
    follow(session, clock, Recording(SCRIPT.duration_s), PerfectEye(), deque(read_events(log, SCRIPT.players)))  # type: ignore[arg-type]
    lines = list(told_in_order(session))
    board = session.board()
    session.close()
    assert lines[0]["ev"] == "game_started"
    events = [line for line in lines if "ev" in line]
    assert [line["t"] for line in events] == sorted(line["t"] for line in events)
    said = [line["ruling"] for line in lines if "ruling" in line and line["ruling"] in JUDGEMENTS]
    assert sorted(said) == sorted(ruling["code"] for ruling in SCRIPT.truth["rulings"])
    assert {player["name"]: player["score"] for player in board["players"]} == SCRIPT.truth["hands"][0]["scores"]
    assert all(in_words(line) for line in lines)


def test_a_card_that_the_play_contradicts_is_told_as_it_was_read(tmp_path: Path) -> None:
    session = Session(Journal(tmp_path / "journal.db"), Evidence(tmp_path / "evidence"), ManualClock())
    session.start_game(["Ana", "Ben", "Cy"], "official_108", "Cy", {}, "test")
    session.record(TurnUp(t=1.0, card=Card.parse("R8"), confidence=0.99), "eye")
    for t, name, card in ((4.0, "Ana", "Y3"), (7.0, "Ben", "R4")):
        session.record(Discard(t=t, card=Card.parse(card), by=name, side=0.9, confidence=0.99), "eye")
    lines = [line for line in told_in_order(session) if line.get("ev") == "discard"]
    session.close()
    assert [(line["card"], line.get("read")) for line in lines] == [("?", "Y3"), ("R4", None)]
    assert in_words(lines[0]).endswith("discard card=? by=Ana read=Y3")


def test_an_exported_log_gives_only_what_people_said(tmp_path: Path) -> None:
    file = tmp_path / "log.json"
    events = [
        {"ev": "game_started", "players": ["Ana", "Ben"], "dealer": "Ana", "number": 1},
        {"ev": "turn_up", "t": 1.0, "card": "R5", "number": 2, "author": "eye"},
        {"ev": "uno", "t": 9.0, "by": "Ana", "number": 3, "author": "button"},
        {"ev": "colour", "t": 4.0, "by": "Ben", "colour": "R", "number": 4, "author": "Ben"},
        {"ev": "undo", "t": 5.0, "ref": 2, "number": 5, "author": "Ben"},
    ]
    file.write_text(json.dumps({"log": 1, "events": events}))
    assert [type(event) for event in read_events(file, ["Ana", "Ben"])] == [NameColour, Uno]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"ev": "uno"}\nnot json\n', "line 2: not JSON"),
        ('[{"ev": "discard"}]', "event 1: discard: card: missing"),
        ("[7]", "event 1: holds 7: expected an object"),
        ("null", "holds None: expected a list of events"),
        ('{"events": 5}', "holds 5: expected a list"),
        ("[" * 100_000, "nested too deep"),
        ('{"ev": "uno"}\n' + "[" * 100_000, "line 2: nested too deep"),
        ('{"ev": "uno", "t": 1' + "0" * 5000 + "}", "a number of thousands of digits"),
        ('{"ev": "uno"}\n{"ev": "uno", "t": 1' + "0" * 5000 + "}", "line 2: .* a number of thousands of digits"),
        ('{"ev": "uno", "t": 1' + "0" * 400 + "}", "event 1: uno: t is 10*: expected a smaller number"),
        ('{"ev": "unoo", "by": "Ana"}', "event 1: ev is 'unoo': expected one of"),
        ('{"ev": "uno", "by": "Zoe"}', "event 1: uno: by is 'Zoe': expected one of Ana, Ben"),
    ],
)
def test_a_bad_log_is_named_with_its_place(tmp_path: Path, text: str, error: str) -> None:
    file = tmp_path / "taps.jsonl"
    file.write_text(text)
    with pytest.raises(Refused, match=error):
        read_events(file, ["Ana", "Ben"])


def test_who_joins_or_gets_another_name_in_the_log_may_act(tmp_path: Path) -> None:
    events = ({"ev": "join", "player": "Eva"}, {"ev": "rename", "player": "Ben", "to": "Benno"})
    lines = [*events, {"ev": "uno", "by": "Eva"}, {"ev": "uno", "by": "Benno"}]
    file = tmp_path / "taps.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8-sig")
    assert [event.ev for event in read_events(file, ["Ana", "Ben"])] == ["join", "rename", "uno", "uno"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--players", "Ana"], "2 to 10"),
        (["--players", "Ana,Ben", "--rules", "canasta"], "canasta"),
        (["--players", "Ana,Ben", "--dealer", "Zoe"], "dealer is 'Zoe'"),
        (["--players", "Ana,Ben"], "nowhere.json"),
        (["--players", "Ana,Ben", "--events", "missing.jsonl"], "missing.jsonl: cannot be read"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(words: list[str], error: str) -> None:
    result = CliRunner().invoke(command, ["film.mp4", "--calibration", "nowhere.json", *words])
    assert result.exit_code == 2, result.output
    assert error in result.output
    assert len(result.output.strip().splitlines()) == 1
