"""A card that takes seconds for an entry, as a worn one does: who looks at the table meanwhile does not wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from referee.clock import ManualClock
from referee.events import Event, Pause
from referee.session import Session
from referee.storage import Evidence, Journal

WAIT_S = 10.0


class SlowCard(Journal):
    """A journal whose next entry is on the disk only when `done` is set."""

    slow = False

    def append(self, event: Event, *, game: int | None, author: str, wall: float) -> int:
        if self.slow:
            self.writes.set()
            assert self.done.wait(WAIT_S)
        return super().append(event, game=game, author=author, wall=wall)

    def is_slow(self) -> None:
        self.writes, self.done, self.slow = threading.Event(), threading.Event(), True


LOOKS: dict[str, Callable[[Session], Any]] = {
    "the board": lambda session: session.board()["paused"],
    "the board in another language": lambda session: session.board("de")["paused"],
    "the record": lambda session: len(session.entries()) > 1,
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_who_looks_sees_what_was_so_until_the_entry_is_on_the_disk(
    tmp_path: Path, look: Callable[[Session], Any]
) -> None:
    card = SlowCard(tmp_path / "journal.db")
    session = Session(card, Evidence(tmp_path / "evidence"), ManualClock(100.0))
    session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    assert look(session) is False
    card.is_slow()
    with ThreadPoolExecutor() as threads:
        tap = threads.submit(session.record, Pause(by="Ana"), "phone")
        assert card.writes.wait(WAIT_S)
        try:
            assert threads.submit(look, session).result(WAIT_S / 2) is False
        finally:
            card.done.set()
        tap.result(WAIT_S)
    assert look(session) is True
    session.close()
