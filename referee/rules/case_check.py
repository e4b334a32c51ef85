"""What a case must be before it is judged: every complaint names the field and what was expected.

A journal is lenient, so that a newer program's events and a player who left never stop a game. A case is written by a
person: a name or a number that means nothing is a slip of the pen, and is told instead of passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.cards import Card, Colour
from referee.event_json import decode
from referee.events import EVENTS, Answer, Begin, Correct, Count, Draw, Event, Override, Undo, Unknown
from referee.rules.case_events import GUILTY, encoded
from referee.rules.position import URGENCY
from referee.rules.setup import MOST_PLAYERS

Json = Any
PEOPLE: Mapping[str, tuple[str, ...]] = {
    "discard": ("by",), "draw": ("by",), "lift": ("by",), "begin": ("by",), "touch_discard": ("by",), "uno": ("by",),
    "show": ("by",), "pass": ("by",), "suggestion": ("by",), "catch": ("by", "on"), "challenge": ("by",),
    "target": ("by", "target"), "count": ("player",), "points": ("player",), "leave": ("player",),
}  # fmt: skip
"""Fields that name a player of the case; elsewhere the table, or a phone with any name, may have acted."""


def names(value: Json) -> tuple[str, ...]:
    """The players of a case, in clockwise order."""
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise ValueError(f"players is {value!r}: expected a list of names")
    if not 2 <= len(value) <= MOST_PLAYERS or len(set(value)) != len(value):
        raise ValueError(f"players: {len(value)} names: expected 2 to {MOST_PLAYERS} different ones")
    return tuple(value)


def whole(value: Json, field: str, least: int | None = 0) -> int:
    """A whole number, `least` or more."""
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        limit = "" if least is None else f", {least} or more"
        raise ValueError(f"{field} is {value!r}: expected a whole number{limit}")
    return value


def numbers(value: Mapping[str, Json], field: str) -> dict[str, int]:
    """A whole number for each name; what is null is left out."""
    return {name: whole(n, f"{field}.{name}", None) for name, n in value.items() if n is not None}


def start(given: Mapping[str, Json], players: Sequence[str]) -> dict[str, int]:
    """Complains about a `start` that is none. Returns the hands it gives, by player."""
    phase = given.get("phase", "opening")
    if phase not in ("opening", "turn"):
        raise ValueError(f"start.phase is {phase!r}: expected opening or turn")
    if phase != "opening" and given.get("turn") not in players:
        raise ValueError(f"start.turn is {given.get('turn')!r}: expected one of the players")
    direction = given.get("direction", 1)
    if type(direction) is not int or direction not in (1, -1):  # true is 1, too
        raise ValueError(f"start.direction is {direction!r}: expected 1 (clockwise) or -1")
    if given.get("draw_pile") is not None:
        whole(given["draw_pile"], "start.draw_pile")
    hands = {} if given.get("hands") is None else given["hands"]
    if not isinstance(hands, dict):
        raise ValueError(f"start.hands is {hands!r}: expected how many cards each player holds")
    for name, n in hands.items():
        if name not in players:
            raise ValueError(f"start.hands names {name!r}: expected one of the players")
        if n is not None:
            whole(n, f"start.hands.{name}")
    return {name: n for name, n in hands.items() if n is not None}


def card(value: Json, field: str) -> Card | None:
    """A card; None for one that is not given, or unread ("?")."""
    if value is None or value == "?":
        return None
    if not isinstance(value, str):
        raise ValueError(f"{field} is {value!r}: expected a card such as R7")
    try:
        return Card.parse(value)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None


def colour(value: Json, field: str) -> Colour | None:
    """A colour, None where none is given."""
    if value is None:
        return None
    if not isinstance(value, str) or value.upper() not in [one.value for one in Colour]:
        raise ValueError(f"{field} is {value!r}: expected R, Y, G or B")
    return Colour(value.upper())


def read_event(data: Json, place: int, players: Sequence[str], card: int | None = None) -> Event:
    """One event of a case of these players. place: its number, from 0; card: that of the last card before it."""
    if not isinstance(data, dict):
        raise ValueError(f"events[{place}] is {data!r}: expected an object")
    try:
        event = decode(encoded(data, card))
        meaning(event, place, players)
    except ValueError as error:
        raise ValueError(f"events[{place}]: {error}") from None
    return event


def meaning(event: Event, place: int, players: Sequence[str]) -> None:
    """Complains about an event that means nothing in a case."""
    if isinstance(event, Unknown):
        raise ValueError(f"ev is {event.name!r}: expected one of {', '.join(EVENTS)}")
    for field in PEOPLE.get(event.ev, ()):
        name = getattr(event, field)
        if name is not None and name not in players:
            raise ValueError(f"{event.ev}: {field} is {name!r}: expected one of {', '.join(players)}")
    if isinstance(event, Draw | Count) and event.n is not None:
        whole(event.n, f"{event.ev}: n")
    if isinstance(event, Undo | Correct | Override) and event.ref is not None and not 0 <= event.ref < place:
        raise ValueError(f"{event.ev}: at is {event.ref}: expected the number of an earlier event, from 0")
    if isinstance(event, Correct) and isinstance(event.fields, Mapping):
        card(event.fields.get("card"), "correct: card")
    if isinstance(event, Begin) and event.how not in (None, "hand", "pile"):
        raise ValueError(f"begin: how is {event.how!r}: expected hand or pile")
    if isinstance(event, Answer) and event.question:
        kind, value = event.question.partition(":")[0], event.value
        if kind not in URGENCY:
            raise ValueError(f"answer: question is {event.question!r}: expected one of {', '.join(URGENCY)}")
        if kind == "challenge_result" and not isinstance(value, bool) and value not in (*GUILTY, "true", "false"):
            raise ValueError(f"answer: value is {value!r}: expected guilty or innocent")
