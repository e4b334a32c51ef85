"""A disk that is full, or has become read-only, while a game is played: every screen says so, nobody is accused of what
could not be written down, and once there is room the game goes on."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.app import Plan, Service
from referee.cards import Card
from referee.clock import ManualClock
from referee.events import Event, Pause, Uno
from referee.observations import CardLanded, CardReading, CardRemoved, CardsDrawn, Sighting
from referee.session import Session
from referee.storage import Evidence, Journal, JournalError

WORDS = "journal.db: the disk is full; make room, then go on. The last action was not recorded"


class Disk(Journal):
    """A journal whose disk takes only so many entries more. room: None, as many as come."""

    room: int | None = None

    def append(self, event: Event, *, game: int | None, author: str, wall: float) -> int:
        if self.room is not None:
            if self.room == 0:
                raise JournalError(WORDS)
            self.room -= 1
        return super().append(event, game=game, author=author, wall=wall)


class Table:
    def __init__(self, folder: Path) -> None:
        self.folder, self.clock, self.disk = folder, ManualClock(100.0), Disk(folder / "journal.db")
        self.session = Session(self.disk, Evidence(folder / "evidence"), self.clock)
        self.session.start_game(("Ana", "Ben", "Cy"), "official_108", "Cy", {}, "host")
        self.heard: list[list[str]] = []
        self.session.subscribe(lambda board: self.heard.append([one["code"] for one in board["troubles"]]))

    def sees(self, sighting: Sighting) -> None:
        """As the camera's supervision takes what is raised."""
        try:
            self.session.sighted(sighting)
        except JournalError:
            assert self.disk.room == 0

    def lands(self, card: str, seat: int | None = None, sure: bool = True) -> None:
        self.clock.t += 2.0
        reading = CardReading(Card.parse(card), 0.99 if sure else 0.6)
        self.sees(CardLanded(t=self.clock.t, since=self.clock.t - 1.0, reading=reading, sure=sure, seat=seat,
                             seat_confidence=0.9))  # fmt: skip

    @property
    def board(self) -> dict[str, Any]:
        return self.session.board()

    @property
    def asked(self) -> str | None:
        question = self.board["question"]
        return question and question["kind"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.lands("R5")
    made.lands("R7", 1)
    made.heard.clear()
    yield made
    made.session.close()


def test_every_screen_says_so_and_no_longer_once_there_is_room(table: Table) -> None:
    table.disk.room = 0
    for card in ("R9", "R1"):
        table.lands(card, 2)
    with pytest.raises(JournalError, match="the disk is full"):
        table.session.record(Uno(by="Ana"), "Ana")
    assert (table.board["top"], table.board["turn"]) == ("R7", "Ben")
    assert table.board["troubles"][0]["what"] == WORDS
    assert table.heard == [["not_kept"]]  # once: screens need not be woken again
    table.disk.room = None
    table.session.record(Uno(by="Ana"), "Ana")
    assert table.heard[-1] == []


@pytest.mark.parametrize(
    ("missed", "asked"),
    [
        ([("B9", True)], "which_card"),  # of another colour than what was written down
        ([("R3", True), ("B3", True)], "which_card"),
        ([("B9", False)], "which_card"),
        ([("R7", True)], None),  # as far as one can see nothing happened
    ],
)
def test_what_lies_there_is_asked_and_nobody_is_accused(
    table: Table, missed: list[tuple[str, bool]], asked: str | None
) -> None:
    table.disk.room = 0
    for card, sure in missed:
        table.lands(card, 2, sure)
    table.disk.room = None
    table.sees(CardsDrawn(t=table.clock.t + 1.0, count=1, seat=3))
    assert table.asked == asked
    assert not table.board["paused"]
    assert [ruling for ruling in table.board["rulings"] if ruling["tier"] == "call"] == []


def test_a_card_on_one_that_was_missed_is_not_judged_by_the_one_beneath(table: Table) -> None:
    table.disk.room = 0
    for card, seat in (("B7", 2), ("B8", 3), ("B1", 1)):
        table.lands(card, seat)
    table.disk.room = None
    table.lands("B4", 2)
    assert table.asked == "which_card"
    assert [ruling for ruling in table.board["rulings"] if ruling["tier"] == "call"] == []


def test_a_card_that_was_missed_and_taken_back_changes_nothing(table: Table) -> None:
    table.disk.room = 0
    table.lands("B9", 2)
    table.sees(CardRemoved(t=table.clock.t + 1.0, card=Card.parse("B9"), top=Card.parse("R7"), seat=2))
    table.disk.room = None
    table.lands("R2", 2)
    assert (table.board["top"], table.board["turn"], table.asked) == ("R2", "Cy", None)


def test_room_that_is_gone_again_in_the_middle_of_catching_up(table: Table) -> None:
    table.disk.room = 0
    table.lands("B9", 2)
    table.disk.room = 1
    table.lands("B4", 3)
    assert table.board["paused"]
    table.disk.room = None
    table.lands("B2", 1)
    assert not table.board["paused"]
    assert table.asked == "whose_turn"


def test_what_is_missed_before_a_new_game_is_none_of_its_own(table: Table) -> None:
    table.disk.room = 0
    table.lands("B9", 2)
    table.disk.room = None
    table.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    assert not [entry for entry in table.session.entries() if isinstance(entry.event, Pause)]
    assert table.board["troubles"] == []


# --- a card that is read-only when the referee is switched on ---------------------------------------------------------


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Whether the disk is read-only, as the kernel says it of the lock that each writer takes."""
    state, really = [True], os.open

    def opened(path: Any, flags: int, *more: Any, **others: Any) -> int:
        if state[0] and flags & os.O_RDWR:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return really(path, flags, *more, **others)

    monkeypatch.setattr("referee.storage.journal.os.open", opened)
    return state


def test_a_read_only_card_is_served_and_written_again_once_it_may_be(tmp_path: Path, read_only: list[bool]) -> None:
    read_only[0] = False
    before = Table(tmp_path)
    before.lands("R5")
    before.session.close()
    read_only[0] = True
    with pytest.raises(JournalError, match="the disk is read-only"):
        Journal(tmp_path / "journal.db")
    disk = Journal.to_serve(tmp_path / "journal.db")
    session = Session(disk, Evidence(tmp_path / "evidence"), before.clock)
    board = session.board()
    assert (board["top"], [one["code"] for one in board["troubles"]]) == ("R5", ["not_kept"])
    with pytest.raises(JournalError, match="the disk is read-only"):
        session.record(Uno(by="Ana"), "phone")
    assert [one["code"] for one in session.board()["troubles"]] == ["not_kept"]
    read_only[0] = False
    session.record(Uno(by="Ana"), "phone")
    assert session.board()["troubles"] == []
    with pytest.raises(JournalError, match="another referee is using this journal"):
        Journal(tmp_path / "journal.db")
    session.close()
    with Journal(tmp_path / "journal.db") as after:
        assert isinstance(after.entries(1)[-1].event, Uno)


def test_a_read_only_card_without_games_is_not_served(tmp_path: Path, read_only: list[bool]) -> None:
    with pytest.raises(JournalError, match="the disk is read-only"):
        Journal.to_serve(tmp_path / "journal.db")


def test_a_first_start_on_a_read_only_card_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Any, *_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(os, "mkdir", refused)
    with pytest.raises(JournalError, match=r"games: the disk is read-only, .* change it"):
        Service(Plan(data=tmp_path / "games", host="127.0.0.1", port=0))
