"""Who holds which name: a phone asks for a name, keeps it while it sleeps, and gets it back when its cookie is lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from pathlib import Path

from referee.dashboard.keys import write_json

MAX_NAME = 16
"""Letters of a name. Longer ones are cut on a phone; shorter turns away real names."""
MAX_PEOPLE = 64
"""Names held at once. Fewer turns away spectators; more lets one prankster fill the list."""


class NameTaken(Exception):
    """Another phone holds the name; it may be taken over by saying so."""


def clean_name(text: object, known: Iterable[str] = ()) -> str:
    """The name as it is kept: spaces squeezed, and spelt like one of `known` when it differs only in case.

    Raises ValueError when it is empty, too long, or holds a character that cannot be shown.
    """
    if not isinstance(text, str):
        raise ValueError("name: expected text")
    name = " ".join(text.split())
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"name: expected 1 to {MAX_NAME} letters")
    if not name.isprintable():
        raise ValueError("name: holds a character that cannot be shown")
    return next((other for other in known if other.casefold() == name.casefold()), name)


class People:
    """Names and the phones that hold them, kept in a file. Safe for several threads."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._holders: dict[str, str] = {}
        self._changes = 0
        try:
            kept = json.loads(file.read_text("utf-8"))
            self._holders = {str(name): str(phone) for name, phone in kept.items()}
        except (FileNotFoundError, ValueError, AttributeError):
            pass  # a lost list costs one tap on each phone

    def names(self) -> list[str]:
        """Names that a phone holds, in the order they came."""
        with self._lock:
            return list(self._holders)

    def changes(self) -> int:
        """Grows whenever a name is taken, given back or taken over."""
        with self._lock:
            return self._changes

    def holds(self, name: str | None, phone: str | None) -> bool:
        """Whether `phone` still holds `name`."""
        with self._lock:
            return name is not None and self._holders.get(name) == phone

    def join(self, name: str, phone: str, *, take: bool) -> None:
        """Gives `name` to `phone` and frees what it held. Raises NameTaken unless `take`, ValueError when full."""
        with self._lock:
            if self._holders.get(name, phone) != phone and not take:
                raise NameTaken(name)
            if name not in self._holders and len(self._holders) >= MAX_PEOPLE:
                raise ValueError(f"name: {MAX_PEOPLE} people are here already")
            kept = {other: holder for other, holder in self._holders.items() if holder != phone or other == name}
            kept[name] = phone
            self._keep(kept)

    def leave(self, name: str) -> None:
        """Frees `name`."""
        with self._lock:
            self._keep({other: holder for other, holder in self._holders.items() if other != name})

    def _keep(self, holders: dict[str, str]) -> None:
        if holders != self._holders:
            write_json(self._file, holders)
            self._holders = holders
            self._changes += 1
