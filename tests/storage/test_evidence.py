"""Photographs stay within their quota, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.storage import Evidence


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
