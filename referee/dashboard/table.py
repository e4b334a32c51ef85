"""What the dashboard needs of the table: `referee.session.Session` is one, the tests bring another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from referee.events import Event
from referee.storage import Entry


class Table(Protocol):
    """A table that keeps a game. All methods may be called from any thread."""

    def board(self, language: str | None = None) -> dict[str, Any]:
        """The object described in docs/architecture.md, "The board". `players` is empty while there is no game.

        language: of its sentences, None for the table's.
        """

    def record(self, event: Event, author: str) -> int:
        """Stores and applies the event, and returns its number; t 0 means now.

        Raises ValueError or JournalError with one line for people.
        """

    def insert(self, event: Event, after: int, author: str) -> int:
        """As `record`, for an event that happened right after the event numbered `after`."""

    def start_game(
        self, players: Sequence[str], preset: str, dealer: str, options: Mapping[str, Any], author: str, table: int = 1
    ) -> int:
        """Begins a new game. table: which one of a tournament this is, from 1.

        Raises ValueError or JournalError with one line for people.
        """

    def subscribe(self, callback: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Calls `callback(board)` after every change, from the thread that made it; returns what ends that."""

    def photo(self, photo_id: str) -> bytes | None:
        """The JPEG with that id, None when there is none."""

    def games(self) -> list[Entry]:
        """What started each game, oldest first."""

    def entries(self, game: int | None = None) -> list[Entry]:
        """A game's journal in the order of effect, the present game's unless `game` names another; else empty."""
