"""A game as one JSON log: what `referee judge` reads, and what a bug report holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.durable import write_atomically
from referee.event_json import encode
from referee.events import GameStarted
from referee.storage.journal import Entry, JournalError


def export_log(entries: Sequence[Entry]) -> dict[str, Any]:
    """The game as `{"log": 1, "events": [...]}`, 1 being the version of this form.

    Events are in the order of their `number`, the game_started first: corrections name numbers, and what an answer
    means depends on what was known when it came. Each carries its `author` and `wall` time. Raises ValueError when no
    game has begun.
    """
    ordered = sorted(entries, key=lambda entry: entry.number)
    if not ordered or not isinstance(ordered[0].event, GameStarted):
        raise ValueError("there is no game to export")
    events = [
        {"number": entry.number, **encode(entry.event), "author": entry.author, "wall": round(entry.wall, 3)}
        for entry in ordered
    ]
    return {"log": 1, "events": events}


def write_file(target: Path, text: str, *, force: bool) -> None:
    """Writes a text file whole or not at all. Raises JournalError, also when it is there and `force` is not given."""
    if target.exists() and not force:
        raise JournalError(f"{target}: is there already; name another file, or write over it with --force")
    try:
        write_atomically(target, text.encode())
    except OSError as error:
        raise JournalError(f"{target}: cannot be written ({error.strerror}); choose another place") from error


def log_text(log: dict[str, Any]) -> str:
    """The log as text, one event a line, so that two of them can be compared."""
    events = ",\n  ".join(json.dumps(event, ensure_ascii=False) for event in log["events"])
    head = json.dumps({key: value for key, value in log.items() if key != "events"}, ensure_ascii=False)
    return f'{head[:-1]}, "events": [\n  {events}\n]}}\n'
