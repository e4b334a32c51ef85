"""An appeal: one player doubts a ruling, the phones vote, and only a majority or the host overrules."""

from __future__ import annotations

import pytest
from fake_table import running

from referee.events import Override, Pause, Rename, Resume, Upheld
from referee.storage import Entry


@pytest.fixture
def phones(make):
    """A table of four with a phone each, and a host's: name -> phone."""
    dashboard = make(running())
    found = {name: dashboard.phone(name) for name in ("Ana", "Ben", "Cleo", "Dana")}
    return dashboard, {**found, "host": dashboard.phone(host=True), "viewer": dashboard.phone("Zoe")}


def shown(phone):
    return phone.get("/api/board").json["appeal"]


def said(dashboard):
    return [event for event, _ in dashboard.table.events]


PAUSED, GOES_ON = Pause(by="Ben", appeal="39.0"), Resume(by="Ben")
GRANTED = Override(what="legal", ref=39, by="Ben")
IN_VAIN = Upheld(ruling="39.0", code="illegal_card", by="Ben")

VOTES = [
    # who votes, and to overrule?     -> how it ends: True granted, False the ruling stands, None open
    ([], None),
    ([("Ana", True)], None),
    ([("Ana", True), ("Cleo", True)], True),
    ([("Ana", True), ("Ana", True)], None),
    ([("Ana", False), ("Cleo", False)], False),
    ([("Ana", False), ("Cleo", True), ("Ana", True)], True),
    ([("host", True)], True),
    ([("host", False)], False),
    ([("Ben", False), ("Ana", False)], False),
]


@pytest.mark.parametrize(("votes", "end"), VOTES)
def test_a_majority_of_phones_or_the_host_decides(phones, votes, end):
    dashboard, by = phones
    assert by["Ben"].post("/api/appeal", ruling="39.0").status_code == 200
    for name, overrule in votes:
        assert by[name].post("/api/appeal/vote", overrule=overrule).status_code == 200
    assert (shown(by["Ana"]) is None) == (end is not None)
    assert said(dashboard) == [PAUSED, *{True: [GRANTED, GOES_ON], False: [IN_VAIN, GOES_ON], None: []}[end]]


def test_everybody_sees_who_appeals_and_what_is_needed(phones):
    _, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    by["Ana"].post("/api/appeal/vote", overrule=False)
    assert shown(by["viewer"]) == {
        "ruling": "39.0", "by": "Ben", "votes": {"Ben": True, "Ana": False}, "needed": 3,
        "voters": ["Ana", "Ben", "Cleo", "Dana"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "to", "by", "votes"),
    [("Ben", "Bea", "Bea", {"Bea": True, "Ana": False}), ("Ana", "Ann", "Ben", {"Ben": True, "Ann": False})],
)
def test_who_is_renamed_meanwhile_keeps_appeal_and_vote(phones, name, to, by, votes):
    _, of = phones
    of["Ben"].post("/api/appeal", ruling="39.0")
    of["Ana"].post("/api/appeal/vote", overrule=False)
    assert of["host"].post("/api/rename", name=name, to=to).status_code == 200
    assert (shown(of["viewer"])["by"], shown(of["viewer"])["votes"]) == (by, votes)


AGAIN = [
    # how Ben's appeal ended            -> may he appeal again, and may Ana?
    ([("host", "vote", False)], "appeal_decided", None),
    ([("host", "drop", None)], "appeal_decided", None),
    ([("Ana", "vote", False), ("Cleo", "vote", False)], "appeal_decided", None),
    ([("Ben", "drop", None)], None, None),
]


@pytest.mark.parametrize(("ends", "ben", "ana"), AGAIN)
def test_nobody_stops_the_game_twice_for_a_ruling_that_the_table_upheld(phones, ends, ben, ana):
    _, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    for name, word, overrule in ends:
        fields = {} if overrule is None else {"overrule": overrule}
        assert by[name].post(f"/api/appeal/{word}", **fields).status_code == 200
    assert by["host"].post("/api/rename", name="Dana", to="Deb").status_code == 200
    assert by["Ben"].post("/api/appeal", ruling="39.0").json.get("error") == ben
    if ben is None:
        by["Ben"].post("/api/appeal/drop")
    assert by["Ana"].post("/api/appeal", ruling="39.0").json.get("error") == ana


def test_the_board_says_who_appealed_in_vain_as_long_as_the_ruling_is_there(phones):
    dashboard, by = phones
    assert by["viewer"].get("/api/board").json["upheld"] == {}
    for name in ("Ben", "Ana"):
        by[name].post("/api/appeal", ruling="39.0")
        by["host"].post("/api/appeal/vote", overrule=False)
    assert by["viewer"].get("/api/board").json["upheld"] == {"39.0": ["Ana", "Ben"]}
    dashboard.table.change(rulings=[one for one in running()["rulings"] if one["id"] != "39.0"])
    assert by["viewer"].get("/api/board").json["upheld"] == {}


IN_VAIN_BEFORE = [
    # what happened before a restart                 -> who appeals in vain now, and who may appeal
    ([PAUSED, IN_VAIN, GOES_ON], "Ben", "Dana"),
    ([PAUSED, IN_VAIN, GOES_ON, Rename(player="Ben", to="Dana")], "Dana", "Ben"),
    ([IN_VAIN], "Ben", "Dana"),
]


@pytest.mark.parametrize(("before", "decided", "may"), IN_VAIN_BEFORE)
def test_who_appealed_in_vain_before_a_restart_does_not_stop_the_game_again(make, before, decided, may):
    journal = [Entry(41 + n, 1, event, "Ben", 0.0) for n, event in enumerate(before)]
    dashboard = make(running(), journal=journal)
    phones = {name: dashboard.phone(name) for name in ("Ben", "Dana")}
    assert phones["Ben"].get("/api/board").json["upheld"] == {"39.0": [decided]}
    assert phones[decided].post("/api/appeal", ruling="39.0").json["error"] == "appeal_decided"
    assert phones[may].post("/api/appeal", ruling="39.0").status_code == 200


def test_another_name_is_no_new_appeal(phones):
    dashboard, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    by["host"].post("/api/appeal/vote", overrule=False)
    assert by["host"].post("/api/rename", name="Ben", to="Bea").status_code == 200
    players = running()["players"]
    dashboard.table.change(players=[{**one, "name": {"Ben": "Bea"}.get(one["name"], one["name"])} for one in players])
    assert by["Ben"].post("/api/appeal", ruling="39.0").json["error"] == "appeal_decided"


def test_a_debt_that_is_overruled_is_void(phones):
    dashboard, by = phones
    by["Dana"].post("/api/appeal", ruling="36.0")
    by["host"].post("/api/appeal/vote", overrule=True)
    assert Override(what="void", ref=36, by="Dana") in said(dashboard)


def test_two_players_must_agree_even_when_one_phone_is_here(make):
    dashboard = make(running())
    ben = dashboard.phone("Ben")
    ben.post("/api/appeal", ruling="39.0")
    ben.post("/api/appeal/vote", overrule=True)
    assert shown(ben)["needed"] == 2


RESTARTED = [
    # what happened before                                           -> who appeals afterwards
    ([Pause(by="Ben", appeal="39.0")], "Ben"),
    ([Pause(by="Ben", appeal="39.0"), Rename(player="Ben", to="Dana")], "Dana"),
    ([Pause(by="Ben", appeal="39.0"), Rename(player="Ana", to="Ann")], "Ben"),
    ([Pause(by="Ben", appeal="39.0"), Resume(by="Ben"), Pause(by="Ben")], None),
    ([Pause(by="Ben")], None),
    ([Pause(by="Ben", appeal="7.0")], None),
]


ENDS = [
    # what happened before a restart in an appeal          -> what the end of the appeal does to the pause
    ([PAUSED], Resume(by="Ben")),
    ([Pause(by="Cleo"), PAUSED], Pause(by="Ben")),
    ([Pause(by="Cleo"), Resume(by="Cleo"), PAUSED], Resume(by="Ben")),
]


@pytest.mark.parametrize(("before", "end"), ENDS)
def test_after_a_restart_an_appeal_ends_only_the_pause_that_it_began(make, before, end):
    journal = [Entry(41 + n, 1, event, "Ben", 0.0) for n, event in enumerate(before)]
    dashboard = make({**running(), "paused": True}, journal=journal)
    dashboard.phone(host=True).post("/api/appeal/vote", overrule=False)
    assert said(dashboard) == [IN_VAIN, end]


@pytest.mark.parametrize(("before", "who"), RESTARTED)
def test_an_appeal_is_still_open_after_a_restart(make, before, who):
    journal = [Entry(41 + n, 1, event, "Ben", 0.0) for n, event in enumerate(before)]
    appeal = shown(make({**running(), "paused": True}, journal=journal).phone("Ana"))
    assert (appeal and (appeal["by"], appeal["votes"])) == (who and (who, {who: True}))


def test_a_pause_that_was_there_before_stays(phones):
    dashboard, by = phones
    dashboard.table.change(paused=True)
    by["Ben"].post("/api/appeal", ruling="39.0")
    by["host"].post("/api/appeal/vote", overrule=True)
    assert said(dashboard) == [PAUSED, GRANTED, Pause(by="Ben")]


def test_an_appeal_is_over_once_somebody_lets_play_go_on(phones):
    dashboard, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    by["Cleo"].post("/api/act/resume")
    assert shown(by["Ana"]) is None
    assert by["Ana"].post("/api/appeal/vote", overrule=True).json["error"] == "no_appeal"
    assert said(dashboard) == [PAUSED, Resume(by="Cleo")]
    assert by["Ben"].post("/api/appeal", ruling="39.0").status_code == 200


def test_it_ends_by_itself_when_the_ruling_is_gone(phones):
    dashboard, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    dashboard.table.change(rulings=[])
    assert shown(by["Ana"]) is None
    assert by["Ana"].post("/api/appeal/vote", overrule=True).status_code == 409
    assert said(dashboard) == [PAUSED, GOES_ON]


def test_play_stops_again_for_an_appeal_after_one_whose_ruling_is_gone(phones):
    dashboard, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    dashboard.table.change(rulings=[one for one in dashboard.table.board()["rulings"] if one["id"] == "36.0"])
    by["Dana"].post("/api/appeal", ruling="36.0")
    assert said(dashboard) == [PAUSED, GOES_ON, Pause(by="Dana", appeal="36.0")]
    by["host"].post("/api/appeal/vote", overrule=False)
    assert said(dashboard)[3:] == [Upheld(ruling="36.0", code="forced_draw", by="Dana"), Resume(by="Dana")]


def test_the_one_who_appealed_lets_it_go(phones):
    dashboard, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    assert by["Ana"].post("/api/appeal/drop").status_code == 403
    assert by["Ben"].post("/api/appeal/drop").status_code == 200
    assert said(dashboard) == [PAUSED, GOES_ON]


@pytest.mark.parametrize(
    ("who", "path", "body", "status", "code"),
    [
        ("viewer", "/api/appeal", {"ruling": "39.0"}, 403, "join_first"),
        ("Ben", "/api/appeal", {"ruling": "nothing"}, 409, "no_ruling"),
        ("Ben", "/api/appeal", {}, 409, "no_ruling"),
        ("Ben", "/api/appeal/vote", {"overrule": True}, 409, "no_appeal"),
        ("Ben", "/api/appeal/vote", {"overrule": "yes"}, 400, "bad_field"),
        ("viewer", "/api/appeal/vote", {"overrule": True}, 403, "join_first"),
        ("Ben", "/api/appeal/drop", {}, 409, "no_appeal"),
    ],
)
def test_what_cannot_be_is_refused(phones, who, path, body, status, code):
    dashboard, by = phones
    answer = by[who].post(path, **body)
    assert (answer.status_code, answer.json["error"]) == (status, code)
    assert said(dashboard) == []


def test_one_appeal_at_a_time(phones):
    _, by = phones
    by["Ben"].post("/api/appeal", ruling="39.0")
    assert by["Dana"].post("/api/appeal", ruling="36.0").json["error"] == "appeal_open"
