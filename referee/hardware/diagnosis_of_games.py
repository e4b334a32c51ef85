"""The checks of `referee doctor` that concern what is kept: the disk, the games, and the clock that dates them."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from pathlib import Path

from referee.health import Check, Level
from referee.storage import Journal, JournalError
from referee.storage.journal import DAMAGED, FILE_NAME

LOW_DISK_MB = 500
"""Free space below which `doctor` warns, MB. Too small: an evening's photos fill the card; too large: small cards are
always warned about."""

FULL_DISK_MB = 50
"""Free space below which games cannot be kept safely, MB."""

SLOW_WRITE_S = 0.5
"""Seconds that a few bytes may take to the disk, with every event. Too small: a card is called worn because it was busy
for a moment; too large: people tap twice and nobody knows why."""

OLDEST_CLOCK = 1_735_689_600
"""Seconds of 2025-01-01: a clock before this has not been set since the machine was switched on."""

BEHIND_S = 60.0
"""Seconds by which the last event may be of the future. Too small: a clock that was just set is complained about; too
large: one that is an hour behind, as after a pulled plug, is not noticed."""


def check_disk(folder: Path) -> Check:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    free_mb = shutil.disk_usage(there).free // 1_000_000
    if not there.is_dir():
        return Check("disk", Level.MISSING, f"{there} is no folder", "Name another folder: general.data_folder")
    found, broken = f"{free_mb} MB free at {there}", f"{there} is read-only, as on a card that is worn out"
    remedy = f"Save what is there with: referee backup FILE --data {there}; then start again with another card"
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        return Check("disk", Level.MISSING, broken, remedy)
    if not os.access(there, os.W_OK):
        return Check("disk", Level.MISSING, f"{there} may not be written", f"Run: sudo chown -R $USER {there}")
    failed, seconds = _write(there)
    if failed == errno.EROFS:  # some kernels do not tell in any other way
        return Check("disk", Level.MISSING, broken, remedy)
    if failed not in (0, errno.ENOSPC):
        return Check("disk", Level.MISSING, f"{there} cannot be written ({os.strerror(failed)})", remedy)
    if failed or free_mb < FULL_DISK_MB:  # there may be room for bytes and none for another file
        return Check("disk", Level.MISSING, found, "Make room: games cannot be kept safely")
    if free_mb < LOW_DISK_MB:
        return Check("disk", Level.WARN, found, "Make room soon: an evening's photos need some hundred MB")
    if seconds > SLOW_WRITE_S:
        remedy = "Every tap waits so long: use another card; one of class A1 or A2 is made for this"
        return Check("disk", Level.WARN, f"{found}, but a few bytes take {seconds:.1f} s to it", remedy)
    return Check("disk", Level.OK, found)


def _write(folder: Path) -> tuple[int, float]:
    """Writes a few bytes as an event is written: 0 or the system's number of the error, and the seconds it took."""
    started = time.monotonic()
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno or errno.EIO, 0.0
    return 0, time.monotonic() - started


def check_games(folder: Path) -> Check:
    """The journal: whether it is whole, and whether this user may write it."""
    file = folder / FILE_NAME
    aside = sorted(one.name for one in folder.glob(f"{file.stem}.{DAMAGED}-*{file.suffix}"))
    if aside:
        remedy = "Bring back a backup with `referee restore FILE --force`; then remove that file, or keep it elsewhere"
        return Check("games", Level.WARN, f"{folder / aside[-1]} was damaged and put aside", remedy)
    if not file.exists():
        return Check("games", Level.OK, f"none yet in {folder}")
    try:
        with Journal(file, read_only=True) as journal:
            games = len(journal.games())
    except JournalError as error:
        return Check("games", Level.MISSING, str(error), f"Bring back a backup: referee restore FILE --data {folder}")
    for one in (file, *folder.glob(f"{FILE_NAME}-*")):
        if not os.access(one, os.W_OK):
            remedy = f"Run: sudo chown -R $USER {folder}; for the service: sudo chown -R uno-referee: {folder}"
            return Check("games", Level.MISSING, f"{one} may not be written", remedy)
    return Check("games", Level.OK, f"{games} in {file}")


def last_event(folder: Path) -> float:
    """When, by the machine's clock, the last event of the journal was recorded; 0 where there is none to read."""
    try:
        with Journal(folder / FILE_NAME, read_only=True) as journal:
            games = journal.games()
            entries = journal.entries(games[-1].number) if games else []
    except JournalError:
        return 0.0
    return max((entry.wall for entry in entries), default=0.0)


def check_clock(now: float, last: float) -> Check:
    """now: seconds since 1970; last: those of the last event."""
    text = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    remedy = "Connect to the internet once, or run: sudo date -s '...'. Rulings do not need it, dates of games do"
    if now < OLDEST_CLOCK:
        return Check("clock", Level.WARN, f"{text}: it was never set", remedy)
    if now < last - BEHIND_S:
        found = f"{text}: before the last event of a game, {time.strftime('%Y-%m-%d %H:%M', time.localtime(last))}"
        return Check("clock", Level.WARN, found, remedy)
    return Check("clock", Level.OK, text)
