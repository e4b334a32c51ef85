"""The dashboard on the real session: phones and camera make one game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fastjsonschema
import pytest

from referee.cards import Card
from referee.clock import ManualClock
from referee.dashboard import DashboardSettings, Table, create_app, open_keys
from referee.events import Discard, TurnUp
from referee.rules import PRESETS
from referee.session import Session
from referee.storage import Evidence, Journal


class Evening:
    """A session with its dashboard; `board()` is what every screen shows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, ManualClock()
        pin = self.start()
        self.host = self.app.test_client()
        self.host.post("/api/host", json={"pin": pin})

    def start(self) -> str | None:
        """Takes up the journal. Returns the PIN that was made."""
        self.session = Session(Journal(self.folder / "journal.db"), Evidence(self.folder / "photos"), self.clock)
        table: Table = self.session
        keys, pin = open_keys(self.folder)
        settings = DashboardSettings(address="http://192.168.1.20:8080", presets=tuple(PRESETS))
        self.app = create_app(table, settings, keys, self.folder)
        return pin

    def restart(self, *phones):
        """The service ends and starts again. Returns the phones as they go on."""
        self.close()
        self.start()
        clients = [self.app.test_client() for _ in (self.host, *phones)]
        for client, before in zip(clients, (self.host, *phones), strict=True):
            client.set_cookie("referee", before.get_cookie("referee").value)
        self.host, *others = clients
        return others

    def join(self, name: str):
        client = self.app.test_client()
        assert client.post("/api/join", json={"name": name}).status_code == 200
        return client

    def phone(self, name: str):
        client = self.join(name)
        return lambda action, **body: client.post(f"/api/act/{action}", json=body)

    def lands(self, card: str, by: str) -> None:
        self.clock.t += 5.0
        self.session.record(Discard(card=Card.parse(card), by=by), "eye")

    def board(self):
        return self.host.get("/api/board").json

    def tag(self, language: str) -> str:
        return self.host.get(f"/api/board?lang={language}").headers["X-Board-Tag"]

    def close(self) -> None:
        self.app.extensions["live"].close()
        self.session.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Three players, a red 7 turned up, Ben in turn."""
    evening = Evening(tmp_path)
    assert evening.board()["players"] == []
    game = {"players": ["Ana", "Ben", "Cleo"], "preset": "official_108", "dealer": "Ana"}
    assert evening.host.post("/api/game", json=game).status_code == 200
    evening.session.record(TurnUp(card=Card.parse("R7")), "eye")
    yield evening
    evening.close()


def test_every_board_is_as_its_schema_says(evening):
    schema = fastjsonschema.compile(evening.host.get("/api").json["board"])
    ben, empty = evening.join("Ben"), evening.board()
    evening.lands("B3", "Ben")
    ruling = evening.board()["rulings"][0]
    assert ben.post("/api/appeal", json={"ruling": ruling["id"]}).status_code == 200
    appealed = evening.board()
    assert appealed["appeal"]["by"] == "Ben"
    for board in (empty, appealed):
        schema(board)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Ben: blue 3 does not go"), ("de", "Ben: Blau 3 passt hier nicht"), ("es", "Ben: 3 azul no va")],
)
def test_rulings_and_questions_are_in_the_language_of_each_phone(evening, language, said):
    evening.lands("B3", "Ben")
    board = evening.host.get(f"/api/board?lang={language}").json
    assert board["lang"] == language
    assert board["rulings"][0]["text"].startswith(said)
    page = evening.app.test_client().get("/play", headers={"Accept-Language": language}).text
    assert said in page
    assert evening.host.get(f"/api/board?lang={language}&since={evening.tag(language)}").status_code == 204
    assert evening.board()["lang"] == "en"


def test_a_language_that_is_not_there_is_refused(evening):
    assert evening.host.get("/api/board?lang=xx").json["error"] == "bad_field"
    assert evening.host.get("/api/stream?lang=xx").status_code == 400


def test_a_wild_waits_for_its_players_colour(evening):
    evening.lands("W", "Ben")
    assert evening.board()["phase"] == "name_colour"
    assert "colour" in evening.board()["actions"]["Ben"]
    assert evening.phone("Ben")("colour", colour="G").status_code == 200
    board = evening.board()
    assert (board["colour"], board["turn"], board["question"]) == ("G", "Cleo", None)


def test_a_question_is_answered_by_its_id(evening):
    evening.lands("W", "Ben")
    question = evening.board()["question"]
    assert question["kind"] == "name_colour"
    assert evening.phone("Ana")("answer", question=question["id"], value="B").status_code == 200
    assert evening.board()["colour"] == "B"


def test_a_correction_withdraws_the_ruling(evening):
    evening.lands("B3", "Ben")
    assert evening.board()["takeback"]["player"] == "Ben"
    ref = evening.board()["plays"][0]["ref"]
    assert evening.phone("Ben")("correct", ref=ref, card="R3").status_code == 200
    board = evening.board()
    assert (board["top"], board["turn"], board["takeback"]) == ("R3", "Cleo", None)


def test_a_missed_card_goes_where_it_belongs(evening):
    opening = evening.board()["plays"][0]["ref"]
    evening.lands("R9", "Cleo")
    assert evening.board()["takeback"]["player"] == "Cleo"
    assert evening.phone("Ana")("missed", card="R2", by="Ben", follows=opening).status_code == 200
    board = evening.board()
    assert [play["card"] for play in board["plays"]] == ["R9", "R2", "R7"]
    assert (board["takeback"], board["turn"]) == (None, "Ana")


def test_a_card_that_is_asked_about_counts_by_anothers_word_and_an_undo_asks_again(evening):
    ben, cleo = evening.phone("Ben"), evening.phone("Cleo")
    assert cleo("missed", card="G9").status_code == 200  # typed in for whoever's turn it was
    asked = next(one for one in evening.board()["rulings"] if one["code"] == "illegal_card")
    assert (asked["tier"], asked["text"]) == ("ask", "Does green 9 go here, Ben?")
    assert ben("goes", ref=asked["ref"]).json["error"] == "not_alone"
    assert cleo("goes", ref=asked["ref"]).status_code == 200
    board = evening.board()
    assert (board["top"], board["turn"], board["takeback"]) == ("G9", "Cleo", None)
    assert cleo("goes", ref=asked["ref"]).json["error"] == "no_ruling"
    assert ben("undo", ref=board["undo"]["ref"]).status_code == 200
    board = evening.board()
    assert (board["top"], board["turn"], board["takeback"]) == ("R7", "Ben", {"player": "Ben", "card": "G9"})


def test_what_is_typed_in_a_pause_is_refused_and_counts_once_play_goes_on(evening):
    ben = evening.phone("Ben")
    ben("pause")
    assert ben("missed", card="R9").json["error"] == "paused"
    ben("resume")
    assert ben("missed", card="R9").status_code == 200
    assert evening.board()["top"] == "R9"


def test_an_appeal_outlives_a_restart(evening):
    ben, cleo = evening.join("Ben"), evening.join("Cleo")
    evening.lands("G9", "Ben")
    ruling = next(one["id"] for one in evening.board()["rulings"] if one["tier"] == "call")
    assert ben.post("/api/appeal", json={"ruling": ruling}).status_code == 200
    (cleo,) = evening.restart(cleo)
    appeal = evening.board()["appeal"]
    assert (appeal["ruling"], appeal["by"], appeal["votes"]) == (ruling, "Ben", {"Ben": True})
    assert cleo.post("/api/appeal/vote", json={"overrule": True}).status_code == 200
    assert (evening.board()["top"], evening.board()["paused"]) == ("G9", False)


def test_undo_takes_the_last_thing_back(evening):
    evening.lands("R9", "Ben")
    assert evening.phone("Cleo")("undo").status_code == 200
    assert (evening.board()["top"], evening.board()["turn"]) == ("R7", "Ben")


@pytest.mark.parametrize("action", ["correct", "undo", "missed"])
def test_a_play_that_is_not_there_is_refused(evening, action):
    body = {"correct": {"ref": 999, "card": "R1"}, "undo": {"ref": 999}, "missed": {"card": "R1", "follows": 999}}
    answer = evening.phone("Ben")(action, **body[action])
    assert (answer.status_code, answer.json["error"]) == (409, "refused")


def test_actions_of_the_board_are_all_offered_by_the_api(evening):
    evening.lands("W+4", "Ben")
    evening.phone("Ben")("colour", colour="B")
    known = {entry["path"] for entry in evening.host.get("/api").json["endpoints"]}
    offered = {action.partition(":")[0] for may in evening.board()["actions"].values() for action in may}
    assert "challenge" in offered
    assert {f"/api/act/{action}" for action in offered} <= known


def test_a_preset_is_what_the_host_chose(evening):
    game = {"players": ["Ana", "Ben"], "preset": "house_party", "dealer": "Ben"}
    assert evening.host.post("/api/game", json=game).status_code == 200
    assert evening.board()["preset"] == "house_party"
    bad = {**game, "options": {"stacking": "sideways"}}
    assert evening.host.post("/api/game", json=bad).json["error"] == "no_start"


def test_a_player_who_is_renamed_takes_the_record_and_the_phone_along(evening):
    ben = evening.join("Ben")
    evening.lands("R5", "Ben")
    assert ben.post("/api/rename", json={"name": "Ben", "to": "Benno"}).json["name"] == "Benno"
    board = evening.board()
    assert [player["name"] for player in board["players"]] == ["Ana", "Benno", "Cleo"]
    assert board["plays"][0]["by"] == "Benno"
    assert ben.post("/api/act/uno", json={}).status_code == 200


def test_a_host_renames_a_player_without_a_phone(evening):
    assert evening.host.post("/api/rename", json={"name": "Cleo", "to": "Clea"}).status_code == 200
    assert evening.host.post("/api/rename", json={"name": "Clea", "to": "Ana"}).json["error"] == "name_plays"
    assert evening.host.post("/api/rename", json={"name": "Zoe", "to": "Zo"}).json["error"] == "nobody"


def test_an_appeal_goes_on_under_the_new_name(evening):
    ben = evening.join("Ben")
    evening.lands("G9", "Ben")
    ruling = next(one["id"] for one in evening.board()["rulings"] if one["tier"] == "call")
    assert ben.post("/api/appeal", json={"ruling": ruling}).status_code == 200
    evening.host.post("/api/rename", json={"name": "Ben", "to": "Benno"})
    appeal = evening.board()["appeal"]
    assert (appeal["by"], appeal["votes"]) == ("Benno", {"Benno": True})


def test_the_second_table_of_a_tournament_asks_for_the_points_of_the_first(evening):
    names = ["Ana", "Ben", "Cleo", "Dana", "Eli", "Finn", "Gia", "Hugo"]
    game = {"players": names, "preset": "official_108", "options": {"tournament": "eight_player_28_hands"}, "table": 2}
    assert evening.host.post("/api/game", json=game).status_code == 200
    board = evening.board()
    here, there = ([one["name"] for one in board[part]] for part in ("players", "elsewhere"))
    assert (len(here), len(there), sorted(here + there)) == (4, 4, names)
    assert evening.host.post("/api/game", json={**game, "table": "2"}).json["error"] == "bad_field"
    assert evening.host.post("/api/game", json={**game, "table": 3}).json["error"] == "no_start"


@pytest.mark.parametrize(
    "options", [{"hand_size": 15}, {"tournament": "four_player_12_hands"}, {"teams": "partners"}], ids=str
)
def test_rules_that_do_not_go_with_so_many_players_are_named_as_the_reason(evening, options):
    game = {"players": [f"P{n}" for n in range(9)], "preset": "official_108", "options": options}
    answer = evening.host.post("/api/game", json=game)
    assert (answer.status_code, answer.json["error"], answer.json["n"]) == (409, "no_start", 9)
