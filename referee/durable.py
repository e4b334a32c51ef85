"""Files that are written whole or not at all, even when the plug is pulled."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import threading
from pathlib import Path

UNFINISHED = ".part"
"""How the name of a file ends that is being written, or was when the plug was pulled."""


_PART = re.compile(r".+\.\d+" + re.escape(UNFINISHED))


def write_atomically(path: Path, data: bytes, mode: int | None = None) -> None:
    """Writes a file so that a power cut leaves the old one or the new one, never half; makes its folder.

    path: where a link leads is written, and the link stays; what is no file, such as /dev/stdout, is written as it is.
    mode: permissions; None: those of the old file, or what a new one gets. It stays its owner's, also if root writes.
    Safe to call from several threads: the last one stays. Raises OSError, and then the old file is as it was.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.stat() if path.exists() else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        path.write_bytes(data)
        return
    if mode is None and old is not None:
        mode = stat.S_IMODE(old.st_mode) & 0o777
    part = path.with_name(f"{path.name}.{threading.get_ident()}{UNFINISHED}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else mode)
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            if old is not None:
                with contextlib.suppress(OSError):  # only root can, whose files the service could not read
                    os.fchown(descriptor, old.st_uid, old.st_gid)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    sync(path.parent)


def clear_unfinished(folder: Path) -> None:
    """Removes what was being written in `folder` when the plug was pulled. Nobody may be writing there now."""
    for part in folder.glob(f"*{UNFINISHED}"):
        if _PART.fullmatch(part.name):
            with contextlib.suppress(OSError):
                part.unlink()


def sync(path: Path) -> None:
    """Brings to the disk what a file holds, or of a folder which names are in it. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
