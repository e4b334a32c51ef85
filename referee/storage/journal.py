"""The append-only journal of events in SQLite: durable before anyone hears of it, one writer, never repaired by guess.

WAL with `synchronous = FULL` syncs every commit to the disk, so an entry whose number was returned survives a pulled
plug as far as the disk is honest. Nothing is ever changed or deleted: a correction is an entry of its own.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NoReturn, Self

from referee.event_json import decode, encode
from referee.events import Event, GameStarted

VERSION = 1
"""Version of the tables, kept in the file as `user_version`. Higher ones are refused, never rewritten."""

APPLICATION_ID = 0x554E4F52
"""Marks the file as ours ("UNOR"), kept as `application_id`."""

FILE_NAME = "journal.db"
"""Name of the journal in the data folder."""

DAMAGED = "damaged"
"""Word in the name of a journal that could not be read and was moved aside."""

FULL_BYTES = 100_000
"""Free space below which a disk that fails is called full. Too small: people look for a broken card where there is no
room; too large: they make room on a broken one."""

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_COLUMNS = "number, coalesce(game, number), t, author, wall, event"
_WAL = slice(18, 20)  # of SQLite's header: who may write and read the file, 2 where it has a write-ahead log, else 1
_LAST_NUMBER = 2**63 - 1  # of a row; SQLite cannot be asked for a larger one


class JournalError(ValueError):
    """The journal cannot be used or written. The text is one line: the file, what is wrong, what to do."""


class JournalUnwritable(JournalError):
    """The disk is read-only, as a worn-out card becomes; what is on it can be read."""


class JournalDamaged(JournalError):
    """The file is damaged; `kept` is where it lies now, with everything that was in it."""

    def __init__(self, text: str, kept: Path) -> None:
        super().__init__(text)
        self.kept = kept


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the journal.

    number: 1 or more, order of arrival. game: number of the entry that started its game (its own for that one).
    wall: seconds since 1970 as the machine knew it; decoration, never used for order.
    """

    number: int
    game: int
    event: Event
    author: str
    wall: float


class Journal:
    """The journal in one file. Thread-safe; only one process may have it open for writing (a lock file beside it).

    unwritable: why nothing can be appended at the moment, None where that is not known.
    """

    unwritable: str | None = None

    @classmethod
    def to_serve(cls, path: Path) -> Self:
        """As `Journal(path)`; on a disk that is read-only the journal is read, and written again once it may be."""
        try:
            return cls(path)
        except JournalUnwritable as error:
            if not path.exists():
                raise
            journal = cls(path, read_only=True)
            journal.unwritable = str(error)
            return journal

    def __init__(self, path: Path, *, read_only: bool = False, locked: bool = False) -> None:
        """Opens `path`, and makes it when it is not there.

        A damaged file is moved aside with its `-wal` before JournalError says where it is kept; a file of a newer
        version or of another program is left as it is. read_only: for export and backup beside a running referee.
        locked: the caller holds the lock (`only_writer`).
        """
        self.path = path
        self._guard = threading.Lock()
        self._lock_file: int | None = None
        self._db: sqlite3.Connection | None = None
        try:
            if read_only:
                if not path.is_file():
                    raise JournalError(f"{path}: no journal is there; name the folder of one with --data")
                self._connect(f"{path.absolute().as_uri()}?mode=ro{_at_rest(path)}")
            else:
                if not locked:
                    self._lock_file = _take_lock(path)
                self._connect(path.absolute().as_uri())
            self._check(may_create=not read_only)
        except sqlite3.Error as error:
            self.close()
            if error.sqlite_errorcode & 0xFF in _DAMAGE:
                self._damaged(str(error), move=not read_only)
            raise JournalError(_explain(path, error, "read" if read_only else "written")) from error
        except JournalError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, event: Event, *, game: int | None, author: str, wall: float) -> int:
        """Stores the event and returns its number once it is on the disk.

        game: the number of the game's GameStarted entry; None for a GameStarted itself. Raises JournalError when the
        disk is full or fails; then nothing was stored.
        """
        if (game is None) != isinstance(event, GameStarted):
            raise ValueError("a GameStarted begins a game (game None), any other event belongs to one")
        text = json.dumps(encode(event), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        with self._guard:
            if self.unwritable is not None:
                self._take_up_writing()
            db = self._open_db()
            try:
                row = db.execute(
                    "INSERT INTO entries (game, t, author, wall, event) VALUES (?, ?, ?, ?, ?)",
                    (game, event.t, author, wall, text),
                )
            except sqlite3.Error as error:
                raise JournalError(_explain(self.path, error)) from error
            assert row.lastrowid is not None
            return row.lastrowid

    def games(self) -> list[Entry]:
        """The GameStarted entries, oldest first."""
        return self._select("WHERE game IS NULL ORDER BY number", ())

    def entries(self, game: int) -> list[Entry]:
        """All entries of a game in the order of their effect, (t, number). Empty for an unknown game."""
        if not 0 < game <= _LAST_NUMBER:
            return []
        return self._select("WHERE game = ? OR (number = ? AND game IS NULL) ORDER BY t, number", (game, game))

    def copy_to(self, target: Path) -> None:
        """A consistent copy of the journal, made by SQLite's backup while others may write. Replaces `target`.

        Raises JournalError; then there is no `target`.
        """
        target.unlink(missing_ok=True)
        copy = sqlite3.connect(target)
        try:
            with self._guard:
                self._open_db().backup(copy)
            # One file without companions, so that it can be moved about.
            copy.execute("PRAGMA journal_mode = DELETE").close()
        except sqlite3.Error as error:
            copy.close()
            target.unlink(missing_ok=True)  # half of one is none
            raise JournalError(_explain(target, error)) from error
        finally:
            copy.close()

    def snapshot(self) -> bytes:
        """A consistent copy of the journal as bytes, also while others write: no disk needs room for it.

        Raises JournalError.
        """
        with closing(sqlite3.connect(":memory:")) as copy:
            try:
                with self._guard:
                    self._open_db().backup(copy)
                content = bytearray(copy.serialize())
            except sqlite3.Error as error:
                raise JournalError(_explain(self.path, error, "read")) from error
        content[_WAL] = bytes((1, 1))  # one file without companions, as `copy_to` makes it
        return bytes(content)

    def close(self) -> None:
        """Closes the file and gives up the lock. May be called twice."""
        with self._guard:
            if self._db is not None:
                self._db.close()
                self._db = None
            if self._lock_file is not None:
                os.close(self._lock_file)
                self._lock_file = None

    def _select(self, where: str, values: Sequence[int]) -> list[Entry]:
        with self._guard:
            try:
                rows = self._open_db().execute(f"SELECT {_COLUMNS} FROM entries {where}", values).fetchall()
            except sqlite3.Error as error:
                raise JournalError(_explain(self.path, error)) from error
        return [self._entry(*row) for row in rows]

    def _entry(self, number: int, game: int, t: float, author: str, wall: float, text: str) -> Entry:
        try:
            return Entry(number, game, decode(json.loads(text)), author, wall)
        except ValueError as error:
            raise JournalError(f"{self.path}: entry {number} cannot be read ({error}); update the referee") from error

    def _open_db(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(f"{self.path}: the journal is closed")
        return self._db

    def _take_up_writing(self) -> None:
        with Journal(self.path) as other:  # raises while the disk is as it was
            self.unwritable = None
            self._db, other._db = other._db, self._db
            self._lock_file, other._lock_file = other._lock_file, self._lock_file

    def _connect(self, uri: str) -> None:
        self._db = sqlite3.connect(uri, uri=True, timeout=5.0, isolation_level=None, check_same_thread=False)

    def _check(self, *, may_create: bool) -> None:
        db = self._open_db()
        version = int(_pragma(db, "user_version"))
        if version == 0 and _pragma(db, "application_id") == 0 and _pragma(db, "schema_version") == 0 and may_create:
            _create(db)
            version = VERSION
        if _pragma(db, "application_id") != APPLICATION_ID:
            raise JournalError(f"{self.path}: this is not a referee's journal; name another folder")
        if version > VERSION:
            raise JournalError(
                f"{self.path}: written by a newer referee (version {version}, this one reads up to {VERSION});"
                " update the referee. Nothing was changed"
            )
        if (found := _pragma(db, "quick_check(1)")) != "ok":
            self.close()
            self._damaged(str(found).splitlines()[-1], move=may_create)
        if may_create:
            _pragma(db, "journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL").close()

    def _damaged(self, why: str, *, move: bool) -> NoReturn:
        kept = self.path
        if move:
            kept = free_name(self.path, DAMAGED)
            for suffix in ("", "-wal", "-shm"):
                part = self.path.with_name(self.path.name + suffix)
                if part.exists():
                    part.rename(kept.with_name(kept.name + suffix))
        raise JournalDamaged(
            f"{self.path}: the journal is damaged ({why}). It is kept as {kept}; bring back a backup with"
            " `referee restore`, or start again with an empty journal",
            kept,
        )


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Holds the lock of the journal `path`, which need not be there: nobody else opens it for writing meanwhile.

    Raises JournalError when somebody has it open, or the folder cannot be written.
    """
    descriptor = _take_lock(path)
    try:
        yield
    finally:
        os.close(descriptor)


def _take_lock(path: Path) -> int:
    name = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno == errno.EROFS:
            raise JournalUnwritable(
                f"{path.parent}: the disk is read-only, as a worn-out card becomes; save a backup and change it"
            ) from error
        raise JournalError(
            f"{path.parent}: cannot write there ({error.strerror}); mend the permissions or choose another folder"
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise JournalError(f"{path}: another referee is using this journal; stop it first") from error
    return descriptor


def free_name(path: Path, word: str) -> Path:
    """A name beside `path` that is not taken: journal.db -> journal.damaged-1.db."""
    number = 1
    while (name := path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")).exists():
        number += 1
    return name


def _at_rest(path: Path) -> str:
    """What makes SQLite read a journal in a folder where it may not write its companions, as on a card that has become
    read-only. Nobody writes such a journal: a referee that runs has made its companions."""
    written = path.with_name(path.name + "-wal").exists() or os.access(path.parent, os.W_OK)
    return "" if written else "&immutable=1"


def _pragma(db: sqlite3.Connection, text: str) -> int | str:
    value: int | str = db.execute(f"PRAGMA {text}").fetchone()[0]
    return value


def _create(db: sqlite3.Connection) -> None:
    schema = files("referee.storage").joinpath("schema.sql").read_text(encoding="utf-8")
    _pragma(db, "journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL").close()
    # One transaction: a plug pulled here leaves either an empty file or a whole journal.
    db.executescript(
        f"BEGIN IMMEDIATE; {schema} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < FULL_BYTES
    except OSError:
        return False


def _explain(path: Path, error: sqlite3.Error, done: str = "written") -> str:
    code = error.sqlite_errorcode & 0xFF
    # SQLite calls a disk that has no room for the journal's companions a failing one.
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path.parent)):
        return f"{path}: the disk is full; make room, then go on. The last action was not recorded"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return f"{path}: cannot be {done} ({error}); mend the permissions or choose another folder"
    if code == sqlite3.SQLITE_BUSY:
        return f"{path}: another program is using this journal; stop it first"
    if code in _DAMAGE:
        return f"{path}: the journal is damaged ({error}); stop, and bring back a backup with `referee restore`"
    return f"{path}: the disk failed ({error}). The last action was not recorded"
