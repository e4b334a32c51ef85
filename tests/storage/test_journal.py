"""The journal keeps what it acknowledged, changes nothing, and says plainly what is wrong."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.cards import Card
from referee.events import Discard, GameStarted, Uno
from referee.storage import Journal, JournalError

START = GameStarted(players=("Ana", "Ben"), dealer="Ana")


def discard(t: float, card: str = "R7") -> Discard:
    return Discard(t=t, card=Card.parse(card), by="Ana")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.db"


def test_entries_come_back_in_the_order_of_effect(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=1.0)
        late = journal.append(discard(9.0), game=game, author="eye", wall=2.0)
        early = journal.append(discard(4.0, "B2"), game=game, author="eye", wall=3.0)
    with Journal(path) as journal:
        entries = journal.entries(game)
    assert [entry.number for entry in entries] == [game, early, late]
    assert [entry.event for entry in entries] == [START, discard(4.0, "B2"), discard(9.0)]
    assert entries[2].author == "eye"
    assert {entry.game for entry in entries} == {game}


def test_games_are_kept_apart(path: Path) -> None:
    with Journal(path) as journal:
        first = journal.append(START, game=None, author="host", wall=0.0)
        second = journal.append(START, game=None, author="host", wall=0.0)
        journal.append(Uno(t=1.0), game=second, author="button", wall=0.0)
        assert [entry.number for entry in journal.games()] == [first, second]
        assert len(journal.entries(first)) == 1
        assert len(journal.entries(second)) == 2
        assert [journal.entries(game) for game in (99, 10**20, -(10**20))] == [[], [], []]


def test_every_commit_is_synced(path: Path) -> None:
    with Journal(path) as journal:
        assert journal._db is not None
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


@pytest.mark.parametrize("statement", ["UPDATE entries SET t = 0", "DELETE FROM entries"])
def test_rows_cannot_be_changed_or_deleted(path: Path, statement: str) -> None:
    with Journal(path) as journal:
        journal.append(START, game=None, author="host", wall=0.0)
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    db.close()


def test_many_threads_get_numbers_of_their_own(path: Path) -> None:
    numbers: list[int] = []
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)

        def write(author: str) -> None:
            numbers.extend(journal.append(Uno(t=t), game=game, author=author, wall=0.0) for t in range(10))

        threads = [threading.Thread(target=write, args=(f"phone {i}",)) for i in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(numbers) == [entry.number for entry in sorted(journal.entries(game), key=lambda e: e.number)][1:]
    assert len(set(numbers)) == 50


def test_a_second_referee_is_refused(path: Path) -> None:
    with Journal(path), pytest.raises(JournalError, match="another referee is using this journal; stop it first"):
        Journal(path)
    Journal(path).close()


def test_export_reads_beside_a_running_referee(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)
        with Journal(path, read_only=True) as reader:
            assert len(reader.entries(game)) == 1
            with pytest.raises(JournalError, match="cannot be written"):
                reader.append(Uno(t=1.0), game=game, author="button", wall=0.0)


def test_a_copy_that_finds_no_room_leaves_no_half(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)
        for n in range(400):
            journal.append(Uno(t=float(n), by="Ana" * 100), game=game, author="button", wall=0.0)
        copy, before = path.with_name("copy.db"), resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
        try:
            with pytest.raises(JournalError, match=r"copy\.db: the disk failed"):
                journal.copy_to(copy)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(path.parent.glob("copy.db*"))


def test_a_missing_journal_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(JournalError, match=r"no journal is there; name the folder of one with --data"):
        Journal(path, read_only=True)
    assert not path.exists()


def a_page_of_noise(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)
        for i in range(200):
            journal.append(discard(float(i)), game=game, author="eye", wall=0.0)
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\x5a" * 4096)


def not_a_database(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"these are not the bytes of a database" * 40)


@pytest.mark.parametrize("damage", [a_page_of_noise, not_a_database])
def test_a_damaged_file_is_kept_aside_and_named(path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    damage(path)
    before = path.read_bytes()
    with pytest.raises(JournalError) as caught:
        Journal(path)
    kept = path.with_name("journal.damaged-1.db")
    assert str(kept) in str(caught.value)
    assert "damaged" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert kept.read_bytes() == before
    with Journal(path) as fresh:  # the next start has an empty journal; what was is beside it
        assert fresh.games() == []


def test_reading_leaves_a_damaged_file_where_it_is(path: Path) -> None:
    not_a_database(path)
    with pytest.raises(JournalError, match=f"It is kept as {path}"):
        Journal(path, read_only=True)
    assert path.exists()


def test_a_newer_journal_is_refused_and_untouched(path: Path) -> None:
    Journal(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 7")
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"newer referee \(version 7, this one reads up to 1\); update the referee"):
        Journal(path)
    assert path.read_bytes() == before


def test_an_entry_of_a_newer_referee_is_named(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)
        assert journal._db is not None
        row = (game, 1.0, "eye", 0.0, '{"ev": "discard", "t": 1.0, "card": "Z9"}')
        journal._db.execute("INSERT INTO entries (game, t, author, wall, event) VALUES (?, ?, ?, ?, ?)", row).close()
        with pytest.raises(JournalError, match=r"journal\.db: entry 2 cannot be read .*Z9.*; update the referee"):
            journal.entries(game)


def test_a_database_of_another_program_is_refused_and_untouched(path: Path) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="this is not a referee's journal"):
        Journal(path)
    assert path.read_bytes() == before


def test_an_empty_file_left_by_a_power_cut_becomes_a_journal(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with Journal(path) as journal:
        assert journal.games() == []


def test_a_full_disk_is_one_clear_line_and_loses_nothing(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)
        assert journal._db is not None

        def fill() -> None:
            for t in range(1000):
                numbers.append(journal.append(discard(t), game=game, author="eye", wall=0.0))  # noqa: PERF401

        numbers: list[int] = []
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count = {pages + 2}").close()  # SQLite reports a full disk beyond it
        with pytest.raises(JournalError, match=r"the disk is full; make room, then go on\. The last action was not"):
            fill()
        assert 0 < len(numbers) == len(journal.entries(game)) - 1
        journal._db.execute(f"PRAGMA max_page_count = {pages + 99}").close()
        journal.append(discard(1000.0), game=game, author="eye", wall=0.0)
        assert len(journal.entries(game)) == len(numbers) + 2


@pytest.mark.parametrize(("free", "says"), [(4096, "the disk is full; make room"), (10**9, "the disk failed")])
def test_a_disk_without_room_for_the_companions_is_called_full(
    path: Path, monkeypatch: pytest.MonkeyPatch, free: int, says: str
) -> None:
    Journal(path).close()

    def failing(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise error

    monkeypatch.setattr(Journal, "_check", failing)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(JournalError, match=says):
        Journal(path)


def test_a_folder_that_cannot_be_written_is_one_clear_line() -> None:
    with pytest.raises(JournalError, match=r"/proc/referee: cannot write there .*; mend the permissions or choose"):
        Journal(Path("/proc/referee/journal.db"))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write into any folder")
def test_a_read_only_folder_is_one_clear_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(JournalError, match="cannot write there"):
        Journal(tmp_path / "journal.db")
    tmp_path.chmod(0o700)


def test_games_are_read_where_nothing_may_be_written() -> None:
    # Not below pytest's folder, which only the superuser may enter.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Journal(folder / "journal.db") as journal:
            journal.append(GameStarted(players=("Ana", "Ben"), dealer="Ana"), game=None, author="host", wall=0.0)
        folder.chmod(0o555)
        child = os.fork()
        if child == 0:
            read = 0
            try:
                if os.geteuid() == 0:
                    os.setuid(65534)  # the superuser may write anywhere
                with Journal(folder / "journal.db", read_only=True) as journal:
                    read = len(journal.games())
            finally:
                os._exit(read)
        _, status = os.waitpid(child, 0)
        folder.chmod(0o755)
        assert os.waitstatus_to_exitcode(status) == 1


def test_a_closed_journal_says_so(path: Path) -> None:
    journal = Journal(path)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="the journal is closed"):
        journal.games()
