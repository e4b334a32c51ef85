"""Photographs stay within their quota, whole or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.storage import Evidence
from referee.storage.evidence import ROOM_BYTES


def photo(n: int, size: int = 100) -> bytes:
    return bytes([n]) * size


def ids(folder: Path) -> list[str]:
    """Ids of the photographs in the folder, oldest first."""
    return [path.stem.partition("-")[2] for path in sorted(folder.glob("*.jpg"))]


def test_a_photograph_comes_back_by_its_id(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    name = evidence.put(photo(1))
    assert evidence.get(name) == photo(1)
    assert evidence.put(photo(1)) == name
    assert len(list((tmp_path / "evidence").iterdir())) == 1


@pytest.mark.parametrize("name", ["", "0000000000000000", "../journal.db", "0" * 15 + "/", "é" * 16])
def test_an_unknown_id_is_none(tmp_path: Path, name: str) -> None:
    assert Evidence(tmp_path).get(name) is None


def test_the_oldest_go_first(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, quota_bytes=300)
    names = [evidence.put(photo(n)) for n in range(5)]
    assert ids(tmp_path) == names[2:]
    assert evidence.get(names[0]) is None
    assert len(list(tmp_path.iterdir())) == 3


def test_those_named_by_the_game_go_last(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, quota_bytes=300)
    names = [evidence.put(photo(n)) for n in range(3)]
    names.append(evidence.put(photo(3), keep={names[0], names[1]}))
    assert set(ids(tmp_path)) == {names[0], names[1], names[3]}
    names.append(evidence.put(photo(4), keep=set(names)))
    assert set(ids(tmp_path)) == {names[1], names[3], names[4]}  # all wanted: the oldest of them goes


def test_one_photograph_larger_than_the_quota_is_still_kept(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, quota_bytes=50)
    assert evidence.get(evidence.put(photo(1))) == photo(1)


def test_age_survives_a_restart_and_half_files_do_not(tmp_path: Path) -> None:
    first = Evidence(tmp_path, quota_bytes=300)
    names = [first.put(photo(n)) for n in range(3)]
    (tmp_path / "00000009-aaaaaaaaaaaaaaaa.jpg.part").write_bytes(b"half")
    second = Evidence(tmp_path, quota_bytes=300)
    assert ids(tmp_path) == names
    new = second.put(photo(9))
    assert ids(tmp_path) == [*names[1:], new]
    assert not list(tmp_path.glob("*.part"))


def test_a_photograph_deleted_by_hand_is_none(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    name = evidence.put(photo(1))
    next(tmp_path.glob("*.jpg")).unlink()
    assert evidence.get(name) is None


class SmallDisk:
    """A disk that has so many bytes besides the room that is left to the journal."""

    def __init__(self, folder: Path, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self.room = folder, room
        self._usage = shutil.disk_usage(folder)
        monkeypatch.setattr("shutil.disk_usage", self.usage)

    def usage(self, _: Path) -> object:
        taken = sum(path.stat().st_size for path in self._folder.glob("*.jpg"))
        return self._usage._replace(free=ROOM_BYTES + self.room - taken)


def test_on_a_disk_that_others_filled_the_oldest_go_and_the_journal_keeps_its_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, evidence = SmallDisk(tmp_path, 500, monkeypatch), Evidence(tmp_path)
    names = [evidence.put(photo(n)) for n in range(5)]
    disk.room = 300
    names.append(evidence.put(photo(5), keep={names[0]}))
    assert ids(tmp_path) == [names[0], *names[4:]]
    disk.room = 150
    with pytest.raises(OSError, match="No space left"):
        evidence.put(photo(6), keep={names[0], names[5]})
    assert ids(tmp_path) == [names[0], names[5]]  # the last hand's stay
    disk.room = 1000
    assert evidence.get(evidence.put(photo(6))) == photo(6)


def test_a_disk_that_takes_no_change_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk, evidence = SmallDisk(tmp_path, 500, monkeypatch), Evidence(tmp_path)
    name = evidence.put(photo(1))

    def refused(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    disk.room = 0
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(OSError, match="Read-only"):
        evidence.put(photo(2))
    assert evidence.get(name) == photo(1)
