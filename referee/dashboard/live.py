"""Live updates: every screen gets the newest board as soon as it changes, by a stream or by asking."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from referee.dashboard.appeals import Appeals
from referee.dashboard.guard import Guard
from referee.dashboard.people import People
from referee.dashboard.table import Table
from referee.events import TopSeen

FIRST_BYTES = b"retry: 2000\n: here\n\n"
"""Sent at once, so that a proxy or browser shows the stream as open; a lost one is tried again after 2 s."""

BEAT = b"event: beat\ndata:\n\n"
"""Sign of life on a quiet stream. An event, because a page cannot hear comments: one that misses it reconnects."""

RESTED_S = 6 * 3600.0
"""Seconds after which a game was left rather than paused. Larger: who comes back the next morning is not told what to
do with a hand whose cards are gone; smaller: who eats in between is."""

_NOTHING = ((-1, False), "", b"")


class Live:
    """The newest board as JSON text, made once for all screens of a language. Streams wait here, not in the session.

    streams: how many at once; version: of the scripts, so that a page that was loaded before an update knows; hint: why
    the host should show the deck, as of `referee.dashboard.deck.Decks`; None where no deck is enrolled.
    """

    def __init__(
        self, table: Table, people: People, appeals: Appeals, guard: Guard, streams: int, version: str,
        hint: Callable[[], dict[str, Any] | None] | None = None,
    ) -> None:  # fmt: skip
        self.scripts = version
        self._first = FIRST_BYTES + b'event: version\ndata: "%s"\n\n' % version.encode()
        self._table = table
        self._people = people
        self._appeals = appeals
        self._guard = guard
        self._hint = hint
        self._changed = threading.Condition()
        self._version = 0
        self._made: dict[str | None, tuple[tuple[int, bool], str, bytes]] = {}
        self._free = streams
        self._closed = False
        self._unsubscribe = table.subscribe(lambda board: self.poke())

    def poke(self) -> None:
        """Tells the streams that something on the board is different."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all streams. A second call does nothing."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        self._unsubscribe()

    def newest(self, language: str | None = None) -> tuple[str, bytes]:
        """The board's tag, which changes whenever its content does, and the board as JSON.

        language: of its sentences, None for the table's.
        """
        rested = _rested(self._table)
        with self._changed:
            version, made = (self._version, rested), self._made.get(language, _NOTHING)
        if made[0] != version:
            made = (version, *self._make(language, rested))
            with self._changed:
                if made[0][0] >= self._made.get(language, _NOTHING)[0][0]:
                    self._made[language] = made
        return made[1], made[2]

    def _make(self, language: str | None, rested: bool) -> tuple[str, bytes]:
        board: dict[str, Any] = {
            **self._table.board(language), "people": self._people.here(), "people_changes": self._people.changes(),
            "claims": self._people.claims(), "unclaimed": self._guard.unclaimed,
            "deck_hint": None if self._hint is None else self._hint(), "rested": rested,
        }  # fmt: skip
        board.update(appeal=self._appeals.shown(board), upheld=self._appeals.upheld(board))
        text = json.dumps(board, ensure_ascii=False, separators=(",", ":")).encode()
        return f"{board.get('seq', 0)}-{zlib.crc32(text):08x}", text

    def open_stream(self) -> bool:
        """Takes one of the streams; False when all are taken, then the screen asks every few seconds instead."""
        with self._changed:
            if self._closed or self._free == 0:
                return False
            self._free -= 1
            return True

    def close_stream(self) -> None:
        """Gives a stream back."""
        with self._changed:
            self._free += 1

    def heard(self, phone: str | None) -> None:
        """`phone` shows the board; everybody hears of one that had been away."""
        if self._people.heard(phone):
            self.poke()

    def stream(
        self, tag: str | None, comment_s: float, language: str | None, phone: str | None = None
    ) -> Iterator[bytes]:
        """Server-sent events, one for each new board; boards that come faster than they can be sent are skipped.

        tag: what the screen has already; it is sent nothing until that is old. language: as of `newest`. phone: whose.
        """
        yield self._first
        while True:
            self.heard(phone)
            with self._changed:
                version = self._version
                if self._closed:
                    return
            newest, text = self.newest(language)
            if newest != tag:
                tag = newest
                yield b"event: board\nid: %s\ndata: %s\n\n" % (tag.encode(), text)
            if not self._wait(version, comment_s):
                yield BEAT

    def _wait(self, version: int, timeout_s: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or self._version != version, timeout_s)


def _rested(table: Table) -> bool:
    """Whether the game was left for so long that its cards may have been put away. What the camera finds on the pile
    when it watches again is no play."""
    played = [entry for entry in table.entries() if not isinstance(entry.event, TopSeen)]
    return bool(played) and time.time() - max(played, key=lambda entry: entry.number).wall > RESTED_S


class Stream:
    """The body of a stream's response; the server calls `close` however it ends, even before the first byte."""

    def __init__(
        self, live: Live, tag: str | None, comment_s: float, language: str | None, phone: str | None = None
    ) -> None:
        self._live = live
        self._parts = live.stream(tag, comment_s, language, phone)
        self._open = True

    def __iter__(self) -> Iterator[bytes]:
        return self._parts

    def close(self) -> None:
        if self._open:
            self._open = False
            self._live.close_stream()
