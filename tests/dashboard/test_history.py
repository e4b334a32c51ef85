"""Afterwards: what was played can be read, watched again and taken away."""

from __future__ import annotations

import csv
import errno
import io
import json
import zipfile
from pathlib import Path

import pytest
from played import Evening

from referee.cards import Card
from referee.events import TurnUp
from referee.rules import replay
from referee.storage import Journal
from referee.storage.journal import FILE_NAME


def test_games_are_listed_newest_first(evening: Evening) -> None:
    games = evening.get("/api/games")["games"]
    assert [game["game"] for game in games] == [evening.second, evening.first]
    assert games[0]["players"] == ["Ana", "Ben"]


def test_a_game_has_a_score_sheet_and_the_referees_record(evening: Evening) -> None:
    game = evening.get(f"/api/games/{evening.first}")
    assert game["sheet"][0]["winner"] == "Ana"
    assert game["totals"] == {"Ana": 33, "Ben": 0}
    assert (game["record"]["corrected"], game["record"]["overturned"]) == (1, 1)
    assert game["players_did"]["Ana"]["plays"] == 7


def test_a_hand_is_watched_as_it_was_corrected(evening: Evening) -> None:
    steps = evening.get(f"/api/games/{evening.first}/hands/1")["steps"]
    assert [step["card"] for step in steps if step["event"] == "discard"][:2] == ["R9", "R1"]
    assert all(ruling["code"] != "illegal_card" for step in steps for ruling in step["rulings"])


def test_figures_of_all_games_together(evening: Evening) -> None:
    players = evening.get("/api/statistics")["players"]
    assert (players["Ana"]["games"], players["Ana"]["points"]) == (2, 33)


def test_figures_of_each_game_oldest_first_and_for_a_spreadsheet(evening: Evening) -> None:
    games = evening.get("/api/statistics")["games"]
    assert [(game["game"], game["players"]["Ana"]["points"]) for game in games] == [
        (evening.first, 33), (evening.second, 0)
    ]  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(evening.viewer.get("/api/statistics.csv").text)))
    assert [(row["game"], row["player"], row["points"], row["hands_won"]) for row in rows] == [
        (str(evening.first), "Ana", "33", "1"), (str(evening.first), "Ben", "0", "0"),
        (str(evening.second), "Ana", "0", "0"), (str(evening.second), "Ben", "0", "0"),
    ]  # fmt: skip
    assert rows[0]["began"].endswith("+00:00")


def test_games_that_are_over_are_read_once_for_the_figures(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A club has hundreds, and the page of the history asks for the figures each time."""
    evening.get("/api/statistics")
    asked: list[int] = []
    entries = Journal.entries
    monkeypatch.setattr(Journal, "entries", lambda journal, game: asked.append(game) or entries(journal, game))
    before = evening.get("/api/statistics")
    assert asked == []  # the session has the current game's
    evening.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    asked.clear()
    after = evening.get("/api/statistics")
    assert asked == [evening.second]  # it may have gone on since it was counted
    assert [game["game"] for game in after["games"]][:2] == [game["game"] for game in before["games"]]
    assert after["players"]["Ana"]["games"] == before["players"]["Ana"]["games"] + 1


def test_what_was_read_once_is_read_again_when_the_game_goes_on(evening: Evening) -> None:
    before = evening.get(f"/api/games/{evening.second}")["record"]["plays"]
    evening.say(TurnUp(card=Card.parse("G2")))
    assert evening.get(f"/api/games/{evening.second}")["record"]["plays"] == before + 1
    assert evening.get("/api/statistics")["players"]["Ana"]["games"] == 2


def test_the_log_taken_away_is_the_game(evening: Evening) -> None:
    answer = evening.viewer.get(f"/api/games/{evening.first}/log.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert [event["number"] for event in json.loads(answer.text)["events"]] == sorted(
        entry.number for entry in evening.session.entries(evening.first)
    )


def test_the_scores_taken_away_open_in_a_spreadsheet(evening: Evening) -> None:
    answer = evening.viewer.get(f"/api/games/{evening.first}/scores.csv")
    assert list(csv.reader(io.StringIO(answer.text))) == [["hand", "winner", "Ana", "Ben"], ["1", "Ana", "33", "0"]]


def test_a_backup_is_the_hosts_and_is_whole_also_where_the_disk_has_no_room(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    assert evening.viewer.get("/api/backup.zip").status_code == 403
    with evening.host.get("/api/backup.zip") as answer:
        zipfile.ZipFile(io.BytesIO(answer.data)).extractall(tmp_path / "back")
    with Journal(tmp_path / "back" / FILE_NAME, read_only=True) as journal:
        kept = replay((entry.number, entry.event) for entry in journal.entries(evening.first))
    assert kept.position is not None
    assert kept.position.scores == {"Ana": 33, "Ben": 0}


@pytest.mark.parametrize(
    "path",
    ["/history/999", "/history/1/9", "/api/games/999", "/api/games/1/hands/9", "/api/games/999/log.json",
     "/api/games/999/scores.csv", f"/api/games/{10**20}/hands/1", f"/api/games/{10**20}/scores.csv"],
)  # fmt: skip
def test_what_is_not_there_is_said(evening: Evening, path: str) -> None:
    assert evening.viewer.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/history", "/history/1", "/history/1/1"])
@pytest.mark.parametrize(("asked", "heading"), [("en", "History"), ("de", "Verlauf"), ("es", "Historial")])
def test_pages_speak_the_phones_language(evening: Evening, path: str, asked: str, heading: str) -> None:
    assert f"<h1>{heading}</h1>" in evening.viewer.get(path, headers={"Accept-Language": asked}).text
