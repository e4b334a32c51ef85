"""`referee export`: a game leaves as a log that is judged again with the same rulings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "session"))
import playing

from referee.commands.export import command as export
from referee.commands.judge import command as judge
from referee.events import Points, Undo


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a game of 150 events: corrected, undone, and over more than one hand."""
    folder = tmp_path / "data"
    session = playing.open_session(folder)
    playing.begin(session)
    rng = Random(3)
    playing.play_on(session, rng, 60)
    plays = [entry for entry in session.entries() if entry.event.ev == "discard"]
    session.record(playing.correction(plays[3].number, playing.FACES[0], "Ana"), "Ana")
    session.record(Undo(ref=plays[5].number, by="Ben"), "Ben")
    playing.play_on(session, rng, 90)
    session.close()
    return folder


def run(*words: str) -> str:
    result = CliRunner().invoke(export, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def test_the_log_judged_again_gives_the_same_position_and_rulings(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("--data", str(data), "--output", str(file))
    result = CliRunner().invoke(judge, [str(file)])
    assert result.exit_code == 0, result.output
    judged = json.loads(result.output)
    session = playing.open_session(data)
    board, rulings = session.board(), session.replayed().rulings
    session.close()
    assert {key: judged[key] for key in ("phase", "turn", "direction", "colour", "top", "winner")} == {
        key: board[key] for key in ("phase", "turn", "direction", "colour", "top", "winner")
    }
    assert [(said["at"], said["verdict"]) for said in judged["verdicts"]] == [
        (filed.number, filed.ruling.code.value) for filed in rulings
    ]
    assert len(rulings) > 20


def test_every_event_is_a_line_with_its_number_and_author(data: Path) -> None:
    text = run("--data", str(data))
    log = json.loads(text)
    assert [event["number"] for event in log["events"]] == list(range(1, 154))
    assert (log["events"][0]["ev"], log["events"][0]["author"]) == ("game_started", "host")
    assert len(text.splitlines()) == 155


def test_scores_as_csv(data: Path) -> None:
    session = playing.open_session(data)
    scores = {player["name"]: player["score"] for player in session.board()["players"]}
    session.close()
    lines = run("--data", str(data), "--csv").splitlines()
    assert lines[0] == "hand,winner,Ana,Ben,Cy"
    assert lines[-1].split(",")[2:] == [str(scores[name]) for name in playing.PLAYERS]


def test_games_are_listed_and_chosen(data: Path) -> None:
    session = playing.open_session(data)
    second = playing.begin(session)
    session.record(Points(player="Ana", n=1), "Ana")
    session.close()
    assert run("--data", str(data), "--list").splitlines() == [
        "1: Ana, Ben, Cy (official_108)",
        f"{second}: Ana, Ben, Cy (official_108)",
    ]
    assert len(json.loads(run("--data", str(data)))["events"]) == 2
    assert len(json.loads(run("--data", str(data), "--game", "1"))["events"]) == 153


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--game", "77"], "--game 77: not in"),
        (["--data", "/nowhere"], "no journal is there; name the folder of one with --data"),
        (["--output", "{here}"], "is there already; name another file, or write over it with --force"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(data: Path, tmp_path: Path, words: list[str], text: str) -> None:
    here = tmp_path / "here.json"
    here.touch()
    given = ["--data", str(data), *(word.format(here=here) for word in words)]
    result = CliRunner().invoke(export, given)
    assert result.exit_code == 2
    assert text in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_folder_in_which_no_game_has_begun_says_so(tmp_path: Path) -> None:
    playing.open_session(tmp_path).close()
    result = CliRunner().invoke(export, ["--data", str(tmp_path)])
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "no game has begun there" in result.output
