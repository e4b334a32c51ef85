"""A player gets another name: the whole record, before and after, is then about the new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from referee.events import Answer, Correct, Event, GameStarted, Join, Rename

NAMING = frozenset({"by", "on", "player", "target", "dealer", "first", "turn", "after"})
"""Fields of events that hold a player's name."""
ABOUT_PLAYERS = frozenset({"who_played", "who_drew", "who_was_first", "whose_turn", "target"})
"""Kinds of questions whose answer is a player's name."""


def names_of(events: Iterable[Event]) -> set[str]:
    """Everybody who plays or has played in the game that these events tell."""
    names: set[str] = set()
    for event in events:
        if isinstance(event, GameStarted):
            names.update(event.players)
        elif isinstance(event, Join):
            names.add(event.player)
    return names


def renamed_fields(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Fields of an event, those that hold a name with the name of now."""
    return {
        key: names.get(value, value) if key in NAMING and isinstance(value, str) else value
        for key, value in data.items()
    }


def renamed(event: Event, names: Mapping[str, str]) -> Event:
    """The event with every name that `names` has an entry for replaced by it. `Rename` itself stays as it was said."""

    def now(value: Any) -> Any:
        return names.get(value, value) if isinstance(value, str) else value

    if isinstance(event, Rename):
        return event
    changed = renamed_fields({f.name: getattr(event, f.name) for f in fields(event) if f.name in NAMING}, names)
    if isinstance(event, GameStarted):
        changed["players"] = tuple(now(name) for name in event.players)
        changed["hands"] = {now(name): held for name, held in event.hands.items()}
        changed["scores"] = {now(name): points for name, points in event.scores.items()}
    elif isinstance(event, Correct):
        changed["fields"] = renamed_fields(event.fields, names)
    elif isinstance(event, Answer) and event.question.partition(":")[0] in ABOUT_PLAYERS:
        changed["value"] = now(event.value)
    if "to" in event.extra:  # whom a suggestion was for
        changed["extra"] = {**event.extra, "to": now(event.extra["to"])}
    return replace(event, **changed)
