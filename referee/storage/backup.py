"""Everything in one file and back: a ZIP of the journal, made by SQLite's backup, of the evidence photographs, and of
how the table is set up. Keys, the PIN and who holds which name stay where they are."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee import config, paths
from referee.config import CALIBRATION_FILE, ConfigError
from referee.config.file import FILE_NAME as CONFIG_FILE
from referee.durable import sync, write_atomically
from referee.storage.evidence import FOLDER_NAME
from referee.storage.journal import FILE_NAME, Journal, JournalDamaged, JournalError, free_name, only_writer

DECK, HALF_DECK = "deck.zip", "deck-new.zip"
"""The deck that was learned, and what was seen of one that is not."""

SETTINGS = (CALIBRATION_FILE, CONFIG_FILE, DECK, HALF_DECK, "rules.json", "voice.json")
"""What a new card or machine would otherwise have to be taught again; in the data folder, unless `settings_files` says
otherwise."""

_WORK = ".referee-backup-"
"""How the name of a folder begins in which a backup is put together or taken apart."""


def settings_files(data: Path, config_file: Path | None = None) -> dict[str, Path]:
    """Where the referee that keeps its games in `data` reads each of SETTINGS; not all need be there.

    config_file: its configuration. None: the usual one, if that keeps the games there, else one beside the games.
    """
    files = {name: data / name for name in SETTINGS}
    if config_file is not None:
        files[CONFIG_FILE] = config_file
    with contextlib.suppress(ConfigError, FileNotFoundError):  # unreadable, or a user without a home
        used = config.load(config_file)
        if config_file is not None or used.data_folder.resolve() == data.resolve():
            files[CONFIG_FILE] = config_file or config.default_path()
            files[CALIBRATION_FILE] = used.calibration_file
    return files


def back_up(data: Path, target: Path, *, config_file: Path | None = None, force: bool = False) -> int:
    """Writes journal, photographs and settings of the folder `data` to the ZIP `target`, whole or not at all.

    config_file: as `settings_files` takes it. Works beside a running referee. Returns the number of photographs.
    Raises JournalError, also when `target` is there and `force` is not given.
    """
    if target.exists() and not force:
        raise JournalError(f"{target}: is there already; name another file, or write over it with --force")
    if target.exists() and target.stat().st_size and not zipfile.is_zipfile(target):
        raise JournalError(f"{target}: is there already and is no backup; name another file")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(target.parent)
        with work_folder(target.parent) as work:
            whole = work / "backup.zip"
            with whole.open("wb") as file:
                photos = sum(_fill(file, data, config_file)) - 1
            sync(whole)
            whole.replace(target)
            sync(target.parent)
            return photos
    except OSError as error:
        raise JournalError(f"{target}: cannot be written ({error.strerror}); choose another place") from error


def streamed(data: Path, config_file: Path | None = None) -> Iterator[bytes]:
    """The ZIP that `back_up` writes, piece by piece and nowhere written: a disk that is full, or may not be written, is
    backed up, too. Raises JournalError with the first piece."""
    sink = _Sink()
    for _ in _fill(sink, data, config_file):
        yield sink.take()
    yield sink.take()


class _Sink(io.RawIOBase):
    """A file that is taken away while it is written."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def take(self) -> bytes:
        """What was written since the last time."""
        taken, self._pieces = b"".join(self._pieces), []
        return taken


def _fill(target: io.BufferedWriter | _Sink, data: Path, config_file: Path | None) -> Iterator[int]:
    """Writes the ZIP: after journal and settings together, then after each photograph, 1 is given out, 0 for one that
    is gone."""
    photos = sorted((data / FOLDER_NAME).glob("*.jpg"))
    with Journal(data / FILE_NAME, read_only=True) as journal:
        content = journal.snapshot()
    # Not strict: a Pi without a clock dates files 1970, and a ZIP begins with 1980.
    with zipfile.ZipFile(target, "w", strict_timestamps=False) as archive:
        archive.writestr(FILE_NAME, content, zipfile.ZIP_DEFLATED)
        for name, file in settings_files(data, config_file).items():
            if file.is_file():
                _store(archive, file, name)
        yield 1
        for photo in photos:
            try:
                archive.write(photo, f"{FOLDER_NAME}/{photo.name}", zipfile.ZIP_STORED)
                yield 1
            except FileNotFoundError:  # the quota of a running referee took it meanwhile
                yield 0


def _store(archive: zipfile.ZipFile, file: Path, name: str) -> None:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise JournalError(f"{file}: cannot be read ({error.strerror}); mend its permissions") from error
    archive.writestr(name, content, zipfile.ZIP_DEFLATED)


def restore(source: Path, data: Path, *, config_file: Path | None = None, force: bool = False) -> Path | None:
    """Brings a backup back into the folder `data`. config_file: as `settings_files` takes it; it need not be there.

    The backup is checked whole before anything is touched. A journal that is there is kept aside (its new name is
    returned), and only with `force` is it replaced at all. Settings come back where there are none, a deck that was not
    learned yet only where there is no other; a configuration that named another data folder or a calibration names this
    folder and the calibration in it. Raises JournalError; also while a referee is running.
    """
    target = data / FILE_NAME
    try:
        # The lock is held until the journal is the restored one: a referee that starts meanwhile would write its
        # events into the file that goes.
        with only_writer(target), work_folder(data) as work:
            clear_leftovers(data)
            if target.exists() and not force:
                raise JournalError(
                    f"{target}: a journal is there; keep it aside and bring back the backup with --force"
                )
            _unpack(source, work)
            try:
                Journal(work / FILE_NAME, read_only=True).close()
            except JournalError as error:
                why = str(error).removeprefix(f"{work / FILE_NAME}: ").partition(". It is kept as")[0]
                raise JournalError(
                    f"{source}: the journal in this backup cannot be used ({why}); name another file"
                ) from error
            return _swap_in(work, data, config_file)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:  # RuntimeError: as if it had a password
        raise JournalError(f"{source}: not a backup, or damaged ({error}); name another file") from error
    except OSError as error:
        raise JournalError(f"{error.filename or source}: cannot be used ({error.strerror})") from error


def clear_leftovers(data: Path) -> None:
    """Removes what backups and restores that were cut off left in the folder `data`; those that run are left alone."""
    for folder in data.glob(f"{_WORK}*"):
        with contextlib.suppress(OSError), _locked(folder):
            shutil.rmtree(folder)


@contextlib.contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """A folder in `parent` that is gone afterwards, and that `clear_leftovers` leaves alone until then."""
    with tempfile.TemporaryDirectory(dir=parent, prefix=_WORK) as name, _locked(Path(name)):
        yield Path(name)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Raises OSError when somebody else has it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _unpack(source: Path, work: Path) -> None:
    with zipfile.ZipFile(source) as archive:
        names = archive.namelist()
        if FILE_NAME not in names:
            raise JournalError(f"{source}: not a backup of the referee, it holds no {FILE_NAME}; name another file")
        for name in names:
            folder, _, file = name.rpartition("/")
            if name == FILE_NAME or name in SETTINGS or (folder == FOLDER_NAME and file.endswith(".jpg")):
                sync(Path(archive.extract(name, work)))  # extract() keeps names inside `work`
    (work / FOLDER_NAME).mkdir(exist_ok=True)


def _swap_in(work: Path, data: Path, config_file: Path | None) -> Path | None:
    target, kept = data / FILE_NAME, None
    if target.exists():
        try:
            with Journal(target, locked=True) as current:
                kept = free_name(target, "before-restore")
                current.copy_to(kept)
        except JournalDamaged as damaged:
            kept = damaged.kept
    (data / FOLDER_NAME).mkdir(exist_ok=True)
    for photo in (work / FOLDER_NAME).iterdir():
        photo.replace(data / FOLDER_NAME / photo.name)
    sync(data / FOLDER_NAME)
    has_deck = (data / DECK).exists()
    for name, file in settings_files(data, config_file).items():
        if (work / name).is_file() and not (file.exists() or (has_deck and name == HALF_DECK)):
            content = (work / name).read_bytes()
            _put(file, _at_home(content, data, beside=config_file is None) if name == CONFIG_FILE else content)
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    (work / FILE_NAME).replace(target)
    sync(data)
    return kept


def _put(file: Path, content: bytes) -> None:
    try:
        write_atomically(file, content)
    except OSError as error:
        raise JournalError(f"{file}: cannot be written ({error.strerror}); mend the permissions there") from error


def _at_home(content: bytes, data: Path, *, beside: bool) -> bytes:
    """A configuration that finds in `data` what it named elsewhere, where it may not be any more. beside: it lies in
    `data` itself, where the games are looked for unless it names another folder."""
    try:
        found = config.parse(content.decode("utf-8-sig"))
    except (ConfigError, UnicodeDecodeError):  # `serve` will say what is wrong with it
        return content
    named = found.general.data_folder
    if (named or not beside) and found.data_folder.resolve() != data.resolve():
        named = "" if data.resolve() == paths.data_folder().resolve() else str(data.resolve())
    if (named, "") == (found.general.data_folder, found.camera.calibration):
        return content
    return config.to_toml(
        replace(found, general=replace(found.general, data_folder=named), camera=replace(found.camera, calibration=""))
    ).encode()
