"""What phones may say, what the table is told, and what is refused."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from fake_table import doubting, player, running

from referee.cards import Card, Colour
from referee.events import (
    Answer,
    Catch,
    Challenge,
    ChallengeResult,
    Correct,
    Count,
    Discard,
    Draw,
    Event,
    HandDealt,
    Join,
    Leave,
    Lift,
    NameColour,
    Override,
    Pass,
    Pause,
    Points,
    Resume,
    Suggestion,
    Target,
    Undo,
    Uno,
)
from referee.storage import JournalError

SAID: list[tuple[str, dict[str, Any], Event]] = [
    ("uno", {}, Uno(by="Ben")),
    ("catch", {"on": "Cleo"}, Catch(by="Ben", on="Cleo")),
    ("colour", {"colour": "G"}, NameColour(by="Ben", colour=Colour.GREEN)),
    ("target", {"target": "Dana"}, Target(by="Ben", target="Dana")),
    ("challenge", {}, Challenge(by="Ben")),
    ("challenge_result", {"guilty": True}, ChallengeResult(by="Ben", guilty=True)),
    ("drew", {}, Draw(by="Ben", n=1)),
    ("drew", {"n": 3}, Draw(by="Ben", n=3)),
    ("pass", {}, Pass(by="Ben")),
    ("suggestion", {"on": "Cleo"}, Suggestion(on="Cleo", by="Ben")),
    ("count", {"player": "Cleo", "n": 2}, Count(player="Cleo", n=2, by="Ben")),
    ("points", {"player": "Ana", "n": 57}, Points(player="Ana", n=57, by="Ben")),
    ("answer", {"question": "who_played", "value": "Ana"}, Answer(question="who_played", value="Ana", by="Ben")),
    ("correct", {"ref": 40, "card": "b8"},
     Correct(ref=40, fields={"card": "B8", "confidence": 1.0, "sure": True}, by="Ben")),
    ("correct", {"ref": 40, "colour": "G"}, Correct(ref=40, fields={"colour": "G"}, by="Ben")),
    ("correct", {"ref": 40, "player": "Cleo"}, Correct(ref=40, fields={"by": "Cleo", "side": 1.0}, by="Ben")),
    ("missed", {"card": "W+4"}, Discard(card=Card.parse("W+4"), extra={"named": True, "typed": True})),
    ("missed", {"card": "R7", "by": "Ana", "follows": 36},
     Discard(card=Card.parse("R7"), by="Ana", extra={"named": True, "typed": True})),
    ("lifted", {}, Lift()),
    ("undo", {}, Undo(by="Ben")),
    ("undo", {"ref": 36}, Undo(ref=36, by="Ben")),
    ("pause", {}, Pause(by="Ben")),
    ("resume", {}, Resume(by="Ben")),
]  # fmt: skip

HOST_SAID: list[tuple[str, dict[str, Any], Event]] = [
    ("uno", {"by": "Dana"}, Uno(by="Dana")),
    ("drew", {"by": "Dana"}, Draw(by="Dana", n=2)),
    ("override", {"what": "void", "ref": 39}, Override(what="void", ref=39)),
    ("next_hand", {}, HandDealt()),
    ("next_hand", {"dealer": "Ben"}, HandDealt(dealer="Ben")),
    ("next_hand", {"ends": 30}, HandDealt(ends=30)),
    ("add_player", {"player": "Emil", "after": "Ben"}, Join(player="Emil", after="Ben")),
    ("remove_player", {"player": "Dana"}, Leave(player="Dana")),
]


@pytest.mark.parametrize(("name", "body", "event"), SAID)
def test_what_a_player_says_becomes_an_event(dashboard, name, body, event):
    answer = dashboard.phone("Ben").act(name, **body)
    assert answer.status_code == 200, answer.json
    assert dashboard.table.events == [(event, "Ben")]
    assert answer.json == {"number": dashboard.table.board()["seq"]}
    assert dashboard.table.inserted == ([(event, body["follows"])] if "follows" in body else [])


@pytest.mark.parametrize(("name", "body", "event"), HOST_SAID)
def test_what_a_host_says_becomes_an_event(dashboard, name, body, event):
    assert dashboard.phone(host=True).act(name, **body).status_code == 200
    assert dashboard.table.events == [(event, "host")]


def test_a_hand_that_was_dealt_meanwhile_is_not_dealt_again(dashboard):
    for phone, ends in ((dashboard.phone("Ben"), 30), (dashboard.phone("Ana"), 30)):
        dealt = phone.act("next_hand", ends=ends)
        assert dealt.json == {"number": dashboard.table.board()["deal"]}
    assert dashboard.table.events == [(HandDealt(ends=30), "Ben")]
    assert dashboard.phone("Cleo").act("next_hand", ends="30").json["error"] == "bad_field"


@pytest.mark.parametrize(
    ("who", "body", "error"),
    [
        ("Ana", {"ref": 41}, None),
        ("Ben", {"ref": 41}, "not_alone"),
        ("Zoe", {"ref": 41}, "join_first"),
        ("Ana", {"ref": 39}, "no_ruling"),
        ("Ana", {"ref": 40}, "no_ruling"),
        ("Ana", {}, "bad_field"),
    ],
)
def test_somebody_else_than_who_laid_it_says_that_a_doubted_card_counts(make, who, body, error):
    dashboard = make(doubting())
    answer = dashboard.phone(who).act("goes", **body)
    assert answer.json.get("error") == error
    assert dashboard.table.events == ([] if error else [(Override(what="legal", ref=41, by="Ana"), "Ana")])


@pytest.mark.parametrize("change", [{"takeback": None}, {"takeback": {"player": "Ben", "card": "R1"}}, {"rulings": []}])
def test_a_doubt_that_is_settled_is_not_answered_again(make, change):
    dashboard = make({**doubting(), **change})
    assert dashboard.phone("Ana").act("goes", ref=41).json["error"] == "no_ruling"


@pytest.mark.parametrize(
    ("name", "body", "counts"),
    [
        ("missed", {"card": "R7"}, False),
        ("missed", {"card": "R7", "follows": 40}, True),  # before the pause
        ("lifted", {}, False),
        ("drew", {}, False),
        ("correct", {"ref": 40, "card": "B8"}, True),
        ("points", {"player": "Ana", "n": 5}, True),
    ],
)
def test_what_would_not_count_in_a_pause_is_refused_instead_of_welcomed(make, name, body, counts):
    dashboard = make({**running(), "paused": True})
    answer = dashboard.phone("Ben").act(name, **body)
    assert (answer.status_code, answer.json.get("error")) == ((200, None) if counts else (409, "paused"))
    assert len(dashboard.table.events) == counts


REFUSED: list[tuple[str | None, str, dict[str, Any], int, str, str]] = [
    (None, "uno", {}, 403, "join_first", "name"),
    ("Guest", "uno", {}, 403, "join_first", "name"),
    ("Ben", "uno", {"by": "Ana"}, 403, "not_your_seat", "'Ana'"),
    ("Ben", "uno", {"by": 3}, 400, "bad_field", "by"),
    ("Ben", "override", {"what": "legal"}, 403, "host_only", "host"),
    ("Ben", "fly", {}, 404, "no_action", "'fly'"),
    ("Ben", "catch", {}, 400, "bad_field", "on: missing"),
    ("Ben", "catch", {"on": "Zoe"}, 400, "bad_field", "on: 'Zoe' does not play"),
    ("Ben", "catch", {"on": ["Ana"]}, 400, "bad_field", "on"),
    ("Ben", "colour", {"colour": "X"}, 400, "bad_field", "colour"),
    ("Ben", "colour", {"colour": "R", "why": 1}, 400, "bad_field", "why: unknown"),
    ("Ben", "challenge_result", {"guilty": "yes"}, 400, "bad_field", "guilty"),
    ("Ben", "count", {"player": "Ana", "n": True}, 400, "bad_field", "n"),
    ("Ben", "correct", {"ref": 40, "card": "purple 7"}, 400, "bad_field", "card"),
    ("Ben", "correct", {"ref": 40, "colour": "purple"}, 400, "bad_field", "colour"),
    ("Ben", "correct", {"ref": 40}, 400, "bad_field", "card: missing"),
    ("Ben", "correct", {"ref": "forty", "card": "R7"}, 400, "bad_field", "ref"),
    ("Ben", "missed", {"card": None}, 400, "bad_field", "card"),
    ("Ben", "missed", {"card": "R7", "follows": "x"}, 400, "bad_field", "follows"),
    ("Ben", "missed", {"card": "R7", "by": "Zoe"}, 400, "bad_field", "by"),
]


@pytest.mark.parametrize(("who", "name", "body", "status", "code", "said"), REFUSED)
def test_what_is_refused_says_why(dashboard, who, name, body, status, code, said):
    answer = dashboard.phone(who).act(name, **body)
    assert (answer.status_code, answer.json["error"]) == (status, code)
    assert said in answer.json["message"]
    assert dashboard.table.events == []


NEWCOMERS: list[tuple[str, dict[str, Any], str, str]] = [
    ("Emil", {}, "", ""),
    ("  Emil   B ", {}, "", ""),
    ("  ", {}, "bad_name", "1 to 16 letters"),
    ("Maximiliane-Josefine", {}, "bad_name", "1 to 16 letters"),
    ("Eye", {}, "name_reserved", "word of the referee's own"),
    ("Ben", {}, "same_name", "'Ben' plays already"),
    ("bEN", {}, "same_name", "'Ben' plays already"),
    ("Emil", {"players": [player(f"P{n}", n) for n in range(1, 11)]}, "bad_players", "10 play already"),
    ("Emil", {"room": False}, "no_room", "too few cards"),
    ("Emil", {"phase": "game_over"}, "refused", "no game to join"),
    ("Emil", {"players": [], "phase": None}, "refused", "no game to join"),
]


@pytest.mark.parametrize(("name", "board", "code", "said"), NEWCOMERS)
def test_who_may_sit_down_at_a_running_game(make, name, board, code, said):
    dashboard = make({**running(), **board})
    answer = dashboard.phone(host=True).act("add_player", player=name)
    if code:
        assert (answer.json["error"], dashboard.table.events) == (code, [])
        assert said in answer.json["message"]
    else:
        assert dashboard.table.events == [(Join(player=" ".join(name.split())), "host")]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(ValueError("7 is no event of this game"), 409, "refused"), (JournalError("the disk is full"), 503, "not_kept")],
)
def test_what_the_table_refuses_reaches_the_phone_in_one_line(dashboard, error, status, code):
    dashboard.table.refuse = error
    answer = dashboard.phone("Ben").act("undo")
    assert (answer.status_code, answer.json["error"], answer.json["message"]) == (status, code, str(error))


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b"null", b'"uno"', b"[" * 8000, b'{"a":' * 2500, b'{"n": ' + b"9" * 5000 + b"}", b"\xff\xfe"],
    ids=lambda body: f"{body[:6]!r} {len(body)}",
)
def test_a_body_that_is_no_object_is_refused(dashboard, body):
    answer = dashboard.phone("Ben").client.post("/api/act/uno", data=body, content_type="application/json")
    assert (answer.status_code, answer.json["error"]) == (400, "bad_body")


@pytest.mark.parametrize(
    ("path", "body"),
    [("/api/join", {"name": "Zoe"}), ("/api/rename", {"name": "Ben", "to": "Bea"}), ("/api/host", {"pin": "1"}),
     ("/api/host/first", {"code": "1", "pin": "2468"}), ("/api/appeal", {"ruling": "39.0"}),
     ("/api/game", {"players": ["Ana", "Ben"], "preset": "official_108"})],
)  # fmt: skip
def test_a_field_that_nobody_knows_is_named_and_nothing_is_done(dashboard, path, body):
    answer = dashboard.phone("Ben", host=True).post(path, **body, surprise=1)
    assert (answer.status_code, answer.json["error"]) == (400, "bad_field")
    assert answer.json["message"].startswith("surprise: unknown; expected ")
    assert dashboard.table.events == []
    assert dashboard.table.board()["seq"] == running()["seq"]


def test_a_huge_body_is_refused(dashboard):
    answer = dashboard.phone("Ben").act("answer", question="x", value="x" * 20000)
    assert answer.status_code in (400, 413)


class TestBoard:
    def test_is_the_tables_with_the_people(self, dashboard):
        dashboard.phone("Ben")
        answer = dashboard.phone().get("/api/board")
        told = {"people": ["Ben"], "people_changes": 1, "claims": [], "unclaimed": True, "deck_hint": None,
                "rested": False, "appeal": None, "upheld": {}}
        assert answer.json == {**running(), **told}

    def test_is_sent_again_only_when_it_changed(self, dashboard):
        phone = dashboard.phone()
        tag = phone.get("/api/board").headers["X-Board-Tag"]
        again = phone.get(f"/api/board?since={tag}")
        assert (again.status_code, again.headers["X-Board-Tag"]) == (204, tag)
        assert again.headers["X-Scripts"] == phone.get("/api/board").headers["X-Scripts"]
        dashboard.table.change(turn="Cleo")
        answer = phone.get(f"/api/board?since={tag}")
        assert answer.status_code == 200
        assert answer.json["turn"] == "Cleo"

    def test_photos_are_kept_by_the_browser(self, dashboard):
        answer = dashboard.phone().get("/photo/p39.jpg")
        assert answer.mimetype == "image/jpeg"
        assert "immutable" in answer.headers["Cache-Control"]

    @pytest.mark.parametrize("photo", ["nothing", "..%2f..%2fetc", "a" * 65, "p 39"])
    def test_other_photos_are_not_found(self, dashboard, photo):
        assert dashboard.phone().get(f"/photo/{photo}.jpg").status_code == 404


class TestGame:
    GAME: ClassVar[dict[str, Any]] = {"players": ["Ana", " Ben  B ", "Cleo"], "preset": "official", "dealer": "Cleo"}

    def test_a_host_starts_it(self, make):
        dashboard = make()
        assert dashboard.phone(host=True).post("/api/game", **self.GAME).status_code == 200
        board = dashboard.table.board()
        assert [p["name"] for p in board["players"]] == ["Ana", "Ben B", "Cleo"]
        assert [p["dealer"] for p in board["players"]] == [False, False, True]

    def test_nobody_else_does(self, make):
        assert make().phone("Ana").post("/api/game", **self.GAME).json["error"] == "host_only"

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"players": ["Ana"]}, "bad_players"),
            ({"players": [f"P{n}" for n in range(11)]}, "bad_players"),
            ({"players": "Ana, Ben"}, "bad_players"),
            ({"players": ["Ana", ""]}, "bad_name"),
            ({"players": ["Ana", 5]}, "bad_name"),
            ({"players": ["Ana", "Eye"]}, "name_reserved"),
            ({"players": ["Ana", "ana"]}, "same_name"),
            ({"dealer": "Zoe"}, "bad_field"),
            ({"preset": "mine"}, "bad_field"),
            ({"preset": None}, "bad_field"),
            ({"options": []}, "bad_field"),
            ({"after": "1"}, "bad_field"),
        ],
    )
    def test_bad_set_ups_are_refused(self, make, change, code):
        dashboard = make()
        answer = dashboard.phone(host=True).post("/api/game", **{**self.GAME, **change})
        assert (answer.status_code, answer.json["error"]) == (400, code)
        assert dashboard.table.board()["players"] == []

    def test_two_hosts_who_start_it_at_once_start_one(self, make):
        dashboard = make()
        answers = [dashboard.phone(host=True).post("/api/game", **self.GAME, after=0) for _ in range(2)]
        assert [answer.json for answer in answers] == [{"number": dashboard.table.board()["game"]}] * 2
        assert len(dashboard.table.started) == 1
        other = dashboard.phone(host=True).post("/api/game", **{**self.GAME, "dealer": "Ben B"}, after=0)
        assert (other.status_code, other.json["error"]) == (409, "game_begun")
        again = dashboard.phone(host=True).post("/api/game", **self.GAME, after=dashboard.table.board()["game"])
        assert (again.status_code, len(dashboard.table.started)) == (200, 2)

    def test_what_the_rules_refuse_is_said(self, make):
        dashboard = make()
        dashboard.table.refuse = ValueError("options: stacking: unknown")
        assert dashboard.phone(host=True).post("/api/game", **self.GAME).status_code == 409


def test_the_description_names_every_route_and_no_other(dashboard):
    described = {(e["method"], e["path"]) for e in dashboard.phone().get("/api").json["endpoints"]}
    routes = set()
    for rule in dashboard.app.url_map.iter_rules():
        if rule.rule.startswith(("/api", "/photo", "/qr")) and "<name>" not in rule.rule:
            routes |= {(method, rule.rule) for method in (rule.methods or set()) & {"GET", "POST"}}
    assert {entry for entry in described if not entry[1].startswith("/api/act/")} == routes
    said = {("POST", f"/api/act/{name}") for name in ("goes", *(name for name, _, _ in SAID + HOST_SAID))}
    assert {entry for entry in described if entry[1].startswith("/api/act/")} == said
