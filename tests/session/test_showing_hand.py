"""From "show your hand" on a phone to the recorded event: the camera process is asked, and the table agrees."""

from __future__ import annotations

import pickle
import threading
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from referee.cards import Card, Colour, parse_cards
from referee.events import Challenge, ChallengeResult, Discard, Draw, Event, GameStarted, NameColour, Show, TurnUp
from referee.rules import Position, replay
from referee.showing import LEASE_S, Showing


@dataclass
class Table:
    """Stands in for session and camera."""

    recorded: list[tuple[Event, str]] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)
    reading: list[bool] = field(default_factory=list)
    now: Position | None = None

    def position(self):
        return self.now

    def board(self):
        return {"players": [{"name": "Ana", "count": [3, 3]}, {"name": "Ben", "count": [1, 20]}]}

    def record(self, event, author):
        self.recorded.append((event, author))
        return 41

    def survey(self, make):
        self.asked.append(make)


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def showing(table, tmp_path):
    showing = Showing(table, tmp_path / "deck.zip", table.reading.append)
    showing.attach(table)
    return showing


def facts(text, steady=True):
    words = text.split()
    cards = [
        {"card": word.rstrip("?") or "?", "sure": "?" not in word, "at": [0.1 * i, 0.5]}
        for i, word in enumerate(words)
    ]
    return {"hand": {"cards": cards, "steady": steady}}


def test_a_hand_is_read_agreed_to_and_the_pile_watched_again(table, showing):
    assert showing.begin("Ana")["doubts"] == ["none_seen"]
    assert pickle.loads(pickle.dumps(table.asked[0])).func is table.asked[0].func
    showing.surveyed(b"jpeg", facts("R7 W B0"))
    assert (showing.state()["settled"], showing.picture) == (True, b"jpeg")
    assert showing.accept("Ben") == 41
    assert table.recorded == [(Show(by="Ana", cards=parse_cards("R7 W B0")), "Ben")]
    assert (table.asked[-1], table.reading, showing.state()) == (None, [True, False], None)


def test_the_wizard_hears_of_it_before_the_camera_does(table, showing, monkeypatch):
    monkeypatch.setattr(table, "survey", lambda make: table.asked.append(list(table.reading)))
    showing.begin("Ana")
    showing.cancel()
    assert table.asked == [[True], [True]]


def test_a_card_in_doubt_waits_for_people(table, showing):
    showing.begin("Ana")
    showing.surveyed(b"jpeg", facts("R7 ? B0"))
    assert showing.state()["separate"] == [2]
    with pytest.raises(ValueError, match="separate them, or name them"):
        showing.accept("Ben")
    assert showing.state() is not None
    showing.accept("Ben", parse_cards("R7 G3 B0"))
    assert table.recorded[0][0].cards == parse_cards("R7 G3 B0")


def test_the_points_are_those_of_the_table(table, showing):
    events = [GameStarted(players=("Ana", "Ben"), dealer="Ben", options={"special_wild_points": 25})]
    table.now = replay(enumerate(events, start=1)).position
    assert showing.begin("Ana")["worth"]["WX"] == 25
    showing.surveyed(b"jpeg", facts("R7 WX B0"))
    assert (showing.state()["points"], showing.state()["worth"]["WX"]) == (32, 25)


def test_the_camera_is_told_how_many_of_each_card_the_table_has(table, showing):
    events = [GameStarted(players=("Ana", "Ben"), dealer="Ben", options={"deck": "modern_112_shuffle"})]
    one = replay(enumerate(events, start=1)).position
    two = replace(one, setup=replace(one.setup, pack=one.setup.pack.with_more(Card.parse("R7"))))
    for table.now in (None, one, two):
        showing.begin("Ana")
        showing.cancel()
    told = [pickle.loads(pickle.dumps(make)).args[1] for make in table.asked if make is not None]
    assert [[copies.get(Card.parse(card), 0) for card in ("R7", "WX")] for copies in told] == [[2, 0], [2, 1], [4, 2]]


def test_a_missing_card_shows_by_the_count(showing):
    showing.begin("Ana")
    showing.surveyed(b"jpeg", facts("R7 W"))
    assert showing.state()["doubts"] == ["few"]


def test_a_phone_that_went_away_ends_it(table, showing, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("referee.showing.time.monotonic", lambda: clock[0])
    showing.begin("Ana")
    clock[0] += LEASE_S + 1
    showing.surveyed(b"jpeg", facts("R7 W B0"))
    assert table.asked[-1] is None
    assert table.reading == [True, False]


def test_who_closes_it_in_the_instant_it_begins_is_heard(table, showing, monkeypatch):
    other = threading.Thread(target=showing.cancel)

    def survey(make):
        table.asked.append(make)
        if not other.ident:
            other.start()
            other.join(0.2)  # as long as it wants to be quicker than the order to the camera

    monkeypatch.setattr(table, "survey", survey)
    assert showing.begin("Ana")["player"] == "Ana"
    other.join()
    assert (showing.state(), table.asked[-1], table.reading) == (None, None, [True, False])


def test_wrong_use_says_what_is_wrong(table, showing, tmp_path):
    with pytest.raises(ValueError, match="'Cy' does not play"):
        showing.begin("Cy")
    with pytest.raises(ValueError, match="no hand is being shown"):
        showing.accept("Ana")
    with pytest.raises(ValueError, match="no camera"):
        Showing(table, tmp_path / "deck.zip", table.reading.append).begin("Ana")
    showing.cancel()
    assert table.asked == []


def challenged(*then: Event) -> Position:
    """Ana's Wild Draw Four on a red card is challenged by Ben, and what happens then."""
    events = [
        GameStarted(players=("Ana", "Ben"), dealer="Ben"), TurnUp(t=1.0, card=Card.parse("R7")),
        Discard(t=2.0, card=Card.parse("W+4"), by="Ana"), NameColour(t=3.0, by="Ana", colour=Colour.BLUE),
        Challenge(t=4.0, by="Ben"), *then,
    ]  # fmt: skip
    position = replay(enumerate(events, start=1)).position
    assert position is not None
    return position


@pytest.mark.parametrize(("hand", "guilty"), [("R3 B0 G1", True), ("Y3 B0 W", False)])
def test_of_a_challenged_hand_only_the_verdict_is_kept(table, showing, hand, guilty):
    table.now = challenged()
    showing.begin("Ana")
    showing.surveyed(b"jpeg", facts(hand))
    showing.accept("Ben")
    assert table.recorded == [(ChallengeResult(by="Ben", guilty=guilty), "Ben")]
    assert showing.picture is None


def test_the_hand_of_somebody_else_is_no_verdict(table, showing):
    table.now = challenged()
    showing.begin("Ben")
    showing.surveyed(b"jpeg", facts("R3 B0 G1"))
    with pytest.raises(ValueError, match="say guilty or innocent"):
        showing.accept("Ben")


@pytest.mark.parametrize(
    "look",
    [Showing.state, lambda showing: showing.picture, lambda showing: showing.surveyed(b"jpeg", facts("R3 B0 G1"))],
    ids=["state", "picture", "surveyed"],
)
def test_a_challenged_hand_is_gone_once_the_challenger_draws_instead(table, showing, look):
    table.now = challenged()
    assert showing.begin("Ana")["challenge"]
    showing.surveyed(b"jpeg", facts("R3 B0 G1"))
    assert showing.state()["challenge"]
    table.now = challenged(Draw(t=5.0, n=4, by="Ben"))
    assert look(showing) is None
    assert (table.asked[-1], table.reading) == (None, [True, False])
    with pytest.raises(ValueError, match="no hand is being shown"):
        showing.accept("Cleo")


def test_of_a_challenged_hand_nothing_is_kept_when_the_challenge_is_over(table, showing):
    table.now = challenged()
    showing.begin("Ana")
    showing.surveyed(b"jpeg", facts("R3 B0 G1"))
    table.now = challenged(Draw(t=5.0, n=4, by="Ben"))
    with pytest.raises(ValueError, match="no hand is being shown"):
        showing.accept("Ben")
    assert table.recorded == []


def test_a_hand_that_all_saw_is_no_proof_in_a_challenge_that_an_undo_opens_again(table, showing):
    showing.begin("Ana")
    showing.surveyed(b"jpeg", facts("R3 B0 G1"))
    table.now = challenged()
    assert showing.state() is None


def test_a_second_phone_that_asks_for_the_same_hand_looks_on(table, showing):
    showing.begin("Ana")
    showing.surveyed(b"jpeg", facts("R7 BS W+4"))
    assert showing.begin("Ana")["cards"] == ["R7", "BS", "W+4"]
    assert len(table.asked) == 1
    assert showing.begin("Ben")["cards"] == []
