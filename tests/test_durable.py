"""Files that are written whole or not at all: the old one, or the new one, and nothing beside it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from referee.durable import clear_unfinished, write_atomically


def test_a_new_file_gets_its_folder_and_its_content(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file"
    write_atomically(target, b"one")
    assert target.read_bytes() == b"one"
    assert [one.name for one in target.parent.iterdir()] == ["file"]


@pytest.mark.parametrize("old", [0o600, 0o644, 0o664])
def test_a_file_keeps_its_permissions(tmp_path: Path, old: int) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"one")
    target.chmod(old)
    write_atomically(target, b"two")
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"two", old)


def test_permissions_that_are_asked_for_hold_whatever_was_there(tmp_path: Path) -> None:
    target = tmp_path / "secret"
    target.write_bytes(b"one")
    target.chmod(0o644)
    write_atomically(target, b"two", mode=0o600)
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "file"
    target.write_bytes(b"one")
    monkeypatch.setattr(os if step == "fsync" else Path, step, full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(target, b"two")
    monkeypatch.undo()
    assert target.read_bytes() == b"one"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_threads_that_write_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    contents = [bytes([n]) * 4096 for n in range(8)]
    threads = [threading.Thread(target=write_atomically, args=(target, content)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_bytes() in contents
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_link_leads_to_what_is_written_and_stays(tmp_path: Path) -> None:
    real, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    link.symlink_to(real)
    for content in (b"one", b"two"):
        write_atomically(link, content)
        assert (link.is_symlink(), real.read_bytes()) == (True, content)


def test_what_is_no_file_is_written_as_it_is(tmp_path: Path) -> None:
    """Root could otherwise put a file in the place of /dev/null."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"one")
        assert os.read(reader, 10) == b"one"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may write for somebody else")
def test_what_root_writes_stays_its_owners(tmp_path: Path) -> None:
    target = tmp_path / "dashboard.json"
    target.write_bytes(b"one")
    os.chown(target, 65534, 65533)
    write_atomically(target, b"two", mode=0o600)
    assert (target.stat().st_uid, target.stat().st_gid, target.read_bytes()) == (65534, 65533, b"two")


def test_what_a_killed_process_was_writing_is_cleared_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as now:
        now.setattr(os, "fsync", killed)
        now.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(tmp_path / "phones.json", b"half")
    assert len(list(tmp_path.iterdir())) == 1
    for name in ("phones.json", "film.part"):
        (tmp_path / name).touch()
    clear_unfinished(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["film.part", "phones.json"]
