"""The JSON form of events: it round-trips, keeps what it does not know, and names what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cards import Card, Colour
from referee.event_json import decode, encode
from referee.events import EVENTS, Correct, Discard, Draw, GameStarted, NameColour, Show, TurnUp, Unknown

EXAMPLES = [
    GameStarted(players=("Ana", "Ben"), dealer="Ben", options={"target": 200}),
    TurnUp(t=1.0, card=None),
    Discard(
        t=2.5, card=Card.parse("R7"), by="Ana", confidence=0.93, sure=False, alternatives=(("R1", 0.05),), photo="ab"
    ),
    Draw(t=3.0, by="Ben", n=None),
    NameColour(t=4.0, by="Ana", colour=Colour.BLUE),
    Show(t=5.0, by="Ana", cards=(Card.parse("W+4"), Card.parse("G2"))),
    Correct(t=6.0, ref=3, fields={"card": "R1"}),
]


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.ev)
def test_round_trip_through_text(event: Any) -> None:
    assert decode(json.loads(json.dumps(encode(event)))) == event


def test_unknown_fields_and_events_are_kept() -> None:
    newer = {"v": 1, "ev": "discard", "t": 1.0, "card": "R7", "thickness_mm": 0.3}
    assert encode(decode(newer)) == newer
    strange = {"v": 1, "ev": "cheer", "t": 1.0, "loud": True}
    assert isinstance(decode(strange), Unknown)
    assert encode(decode(strange)) == strange


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "ev: missing"),
        ({"ev": "discard", "t": 1.0}, "discard: card: missing"),
        ({"ev": "discard", "card": "R77"}, "discard: card is 'R77'"),
        ({"ev": "discard", "card": 7}, "expected a card"),
        ({"ev": "draw", "n": "two"}, "draw: n is 'two': expected a whole number"),
        ({"ev": "draw", "n": True}, "expected a whole number"),
        ({"ev": "colour", "colour": "P"}, "colour: colour is 'P'"),
        ({"ev": "uno", "t": -1}, "uno: t is -1"),
        ({"ev": "uno", "t": float("nan")}, "uno: t is nan"),
        ({"ev": "discard", "card": "R7", "confidence": 2}, "confidence is 2"),
        ({"ev": "game_started", "players": "Ana", "dealer": "Ana"}, "expected a list of names"),
    ],
)
def test_what_is_wrong_is_named(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decode(data)


def test_every_event_of_the_conformance_cases_is_understood(shared: Path) -> None:
    cases = json.loads((shared / "conformance" / "examples.json").read_text())["cases"]
    events = [event for case in cases for event in case.get("events", [])]
    assert events
    for event in events:
        decoded = decode(event)
        assert type(decoded) is EVENTS[event["ev"]]
        assert not decoded.extra
        assert decode(encode(decoded)) == decoded
