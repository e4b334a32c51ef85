"""What a log keeps: rulings, cards that landed, events that count, and positions on the way."""

from __future__ import annotations

from typing import NamedTuple

from referee.cards import Card
from referee.events import Discard, Event, TurnUp
from referee.rules.position import Position
from referee.rules.rulings import Ruling


class Filed(NamedTuple):
    """A ruling in the record: the event's number, its place among the rulings of that event, and whether the table
    overruled it."""

    number: int
    k: int
    ruling: Ruling
    overruled: bool = False


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


class Kept(NamedTuple):
    """A position kept on the way: how many entries, rulings and plays it had."""

    entries: int
    rulings: int
    plays: int
    position: Position | None
