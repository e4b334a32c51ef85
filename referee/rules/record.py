"""What a log keeps: rulings, landed cards, events that count, positions on the way; and what a correction changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.cards import Card
from referee.event_json import decode, encode
from referee.events import Correct, Discard, Draw, Event, TurnUp
from referee.rules.drift import NOTHING_HIDDEN
from referee.rules.position import Position
from referee.rules.rulings import Ruling

LOOK = frozenset({"sure", "confidence", "alternatives", "photo", NOTHING_HIDDEN})
"""Fields that say how well an event, or what was before it, was seen, and not what happened."""


class Filed(NamedTuple):
    """A ruling in the record: the event's number, its place among the rulings of that event, whether the table
    overruled it, and in which hand of the game it was said, from 1."""

    number: int
    k: int
    ruling: Ruling
    overruled: bool = False
    hand: int = 1


class Play(NamedTuple):
    """A card that landed. standing: "legal", "illegal" (to be taken back), "unverified", "taken_back", "stands" (wrong,
    but not objected to) or "opening"; event: as corrected."""

    number: int
    t: float
    card: Card | None
    by: str | None
    standing: str
    event: Discard | TurnUp


class Entry(NamedTuple):
    """One event that counts, as corrected. late: 1 for one that was put in after the event of that
    number, -1 for one before it."""

    t: float
    number: int
    late: int
    event: Event


class Told(NamedTuple):
    """A landing, or a draw, that a later entry told better. read: as it was read; told: as what it is taken for."""

    read: Entry
    told: Discard | TurnUp | Draw


class Kept(NamedTuple):
    """A position kept on the way: how many entries, rulings and plays it had."""

    entries: int
    rulings: int
    plays: int
    position: Position | None


def corrected(event: Event, fix: Mapping[str, object]) -> Event:
    """The event with those fields (JSON form) in the place of its own; a correction that makes no sense is left out."""
    data = {**encode(event), **fix}
    if "card" in fix and "sure" not in fix:
        data["sure"] = True
    if "card" in fix and "alternatives" not in fix and isinstance(event, Discard | TurnUp):
        data["named"] = True  # only the eye, with a better look, tells what else it may be
    if "card" in fix and (fix.get("named") or fix.get("confidence") == 1.0) and isinstance(event, Discard | TurnUp):
        data.setdefault("face", "?" if event.card is None else str(event.card))  # what people name is kept (RULES 12)
    try:
        return decode(data)
    except ValueError:
        return event


def is_news(old: Event, correction: Correct) -> bool:
    """Does the correction tell the table something, and is not only a better look that confirms the reading?"""
    return any(encode(old).get(key) != value for key, value in correction.fields.items() if key not in LOOK)
