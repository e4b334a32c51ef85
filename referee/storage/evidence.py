"""Evidence photographs, one JPEG file each, named by their content, within a quota."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
import threading
from collections.abc import Collection
from pathlib import Path

from referee.durable import UNFINISHED, write_atomically

FOLDER_NAME = "evidence"
"""Name of the folder of photographs in the data folder."""

QUOTA_BYTES = 512 * 1024 * 1024
"""Bytes of photographs that are kept. Too small: a ruling of this evening loses its photograph before it is disputed;
too large: the card that also holds the journal fills up."""

ROOM_BYTES = 20 * 1024 * 1024
"""Free space that photographs leave to the journal. Too small: a disk that fills up stops the game for the sake of old
photographs; too large: on a small card there are none to look at."""

_ID = re.compile(r"[0-9a-f]{16}")
_FILE = re.compile(r"(\d{8})-([0-9a-f]{16})\.jpg")


class Evidence:
    """Photographs in a folder. Thread-safe. The oldest go first when the quota, or the disk, is full.

    Files are named by the order of arrival and by content, because a clock without a battery cannot tell their age.
    """

    def __init__(self, folder: Path, quota_bytes: int = QUOTA_BYTES) -> None:
        """Raises OSError when the folder cannot be made or read."""
        if quota_bytes <= 0:
            raise ValueError(f"quota_bytes is {quota_bytes}: expected 1 or more")
        self.folder = folder
        self.quota_bytes = quota_bytes
        self._guard = threading.Lock()
        self._photos: dict[str, tuple[Path, int]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob(f"*{UNFINISHED}"):
            with contextlib.suppress(OSError):  # on a disk that is read-only it stays
                leftover.unlink(missing_ok=True)
        self._next = 1
        for path in sorted(folder.glob("*.jpg")):
            if match := _FILE.fullmatch(path.name):
                self._photos[match[2]] = (path, path.stat().st_size)
                self._next = int(match[1]) + 1

    def put(self, jpeg: bytes, keep: Collection[str] = ()) -> str:
        """Stores a photograph whole or not at all, and returns its id; the same bytes have the same id.

        keep: ids that go last when the quota is full, and stay when only the disk is: of the last hand, of open
        questions and rulings. The new one always stays. Raises OSError when the disk is full, or nearly, or fails.
        """
        name = hashlib.sha256(jpeg).hexdigest()[:16]
        with self._guard:
            if name in self._photos:
                return name
            self._make_room(len(jpeg), frozenset(keep))
            path = self.folder / f"{self._next:08d}-{name}.jpg"
            write_atomically(path, jpeg)
            self._next += 1
            self._photos[name] = (path, len(jpeg))
            self._prune(name, frozenset(keep))
        return name

    def get(self, name: str) -> bytes | None:
        """The photograph, or None when there is none of that id (any more)."""
        if not _ID.fullmatch(name):
            return None
        with self._guard:
            found = self._photos.get(name)
        try:
            return found[0].read_bytes() if found else None
        except FileNotFoundError:
            return None

    def _prune(self, newest: str, keep: frozenset[str]) -> None:
        total = sum(size for _, size in self._photos.values())
        oldest_first = sorted(self._photos, key=lambda name: name in keep)  # stable: age within each group
        for name in oldest_first:
            if total <= self.quota_bytes:
                return
            if name != newest:
                total -= self._remove(name)

    def _make_room(self, coming: int, keep: frozenset[str]) -> None:
        """Lets old photographs go where other things have filled the disk. Raises OSError when these are not enough: a
        game that can still be written down is worth more than a new one."""
        lacking = coming + ROOM_BYTES - shutil.disk_usage(self.folder).free
        for name in [name for name in self._photos if name not in keep]:
            if lacking <= 0:
                return
            lacking -= self._remove(name)
        if lacking > 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _remove(self, name: str) -> int:
        """The bytes that are free then."""
        path, size = self._photos[name]
        path.unlink(missing_ok=True)
        del self._photos[name]
        return size
