"""A backup holds everything, and restoring never loses what was there."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from referee.events import GameStarted, Uno
from referee.storage import Evidence, Journal, JournalError
from referee.storage.backup import back_up, clear_leftovers, restore, streamed, work_folder

START = GameStarted(players=("Ana", "Ben"), dealer="Ana")


def make(data: Path, events: int = 3) -> str:
    """A data folder with one game and one photograph, whose id is returned."""
    with Journal(data / "journal.db") as journal:
        game = journal.append(START, game=None, author="host", wall=0.0)
        for i in range(events):
            journal.append(Uno(t=float(i)), game=game, author="button", wall=0.0)
    return Evidence(data / "evidence").put(b"photograph %d" % events)


def lengths(path: Path) -> list[int]:
    with Journal(path, read_only=True) as journal:
        return [len(journal.entries(game.number)) for game in journal.games()]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    return tmp_path / "away" / "backup.zip"


def test_there_and_back(data: Path, zipped: Path, tmp_path: Path) -> None:
    name = make(data)
    assert back_up(data, zipped) == 1
    assert restore(zipped, tmp_path / "new") is None
    assert lengths(tmp_path / "new" / "journal.db") == [4]
    assert Evidence(tmp_path / "new" / "evidence").get(name) == b"photograph 3"
    assert [path.name for path in zipped.parent.iterdir()] == ["backup.zip"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "evidence", "journal.db", "journal.db.lock",
    ]  # fmt: skip


def test_how_the_table_is_set_up_comes_back_where_it_is_not_and_secrets_stay(data: Path, zipped: Path) -> None:
    make(data)
    settings = ("calibration.json", "config.toml", "deck.zip", "deck-new.zip", "rules.json", "voice.json")
    for name in (*settings, "dashboard.json", "phones.json"):
        (data / name).write_text(f"old {name}")
    back_up(data, zipped)
    new = data.with_name("new")
    new.mkdir()
    (new / "rules.json").write_text("new")
    restore(zipped, new)
    there = {path.name: path.read_text() for path in new.iterdir() if path.suffix in (".json", ".toml", ".zip")}
    assert there == {**{name: f"old {name}" for name in settings}, "rules.json": "new"}


@pytest.mark.parametrize(("there", "comes"), [("deck.zip", False), ("rules.json", True)])
def test_half_a_deck_comes_back_beside_no_other(data: Path, zipped: Path, there: str, comes: bool) -> None:
    make(data)
    (data / "deck-new.zip").write_text("half")
    back_up(data, zipped)
    new = data.with_name("new")
    new.mkdir()
    (new / there).write_text("new")
    restore(zipped, new)
    assert (new / "deck-new.zip").exists() is comes


def test_a_backup_is_taken_beside_a_running_referee(data: Path, zipped: Path) -> None:
    make(data)
    with Journal(data / "journal.db") as journal:
        journal.append(Uno(t=9.0), game=1, author="button", wall=0.0)
        back_up(data, zipped)
        with pytest.raises(JournalError, match="another referee is using this journal"):
            restore(zipped, data, force=True)
    restore(zipped, data, force=True)
    assert lengths(data / "journal.db") == [5]


@pytest.mark.parametrize("there", ["a journal", "a damaged journal", "no journal"])
def test_no_referee_gets_a_journal_that_is_about_to_go(
    data: Path, zipped: Path, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    make(data)
    back_up(data, zipped)
    if there == "no journal":
        (data / "journal.db").unlink()
    elif there == "a damaged journal":
        (data / "journal.db").write_bytes(b"burnt" * 1000)
    replace, refused = Path.replace, []

    def with_a_referee_starting(path: Path, target: Path) -> Path:
        with pytest.raises(JournalError, match="another referee is using this journal"):
            Journal(data / "journal.db")
        refused.append(path.name)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", with_a_referee_starting)
    restore(zipped, data, force=True)
    assert refused[-1] == "journal.db"
    assert lengths(data / "journal.db") == [4]


def test_a_streamed_backup_is_the_same_and_writes_nothing(data: Path, zipped: Path) -> None:
    make(data)
    (data / "rules.json").write_text("ours")
    back_up(data, zipped)
    there = sorted(data.rglob("*"))
    pieces = list(streamed(data))
    assert sorted(data.rglob("*")) == there
    assert len(pieces) == 3  # journal and settings, a photograph, the table of contents
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as one, zipfile.ZipFile(zipped) as other:
        assert one.namelist() == other.namelist()
        assert [one.read(name) for name in one.namelist()] == [other.read(name) for name in other.namelist()]
        one.extract("journal.db", zipped.parent)
    assert lengths(zipped.parent / "journal.db") == [4]
    assert not list(zipped.parent.glob("journal.db-*"))


def test_a_streamed_backup_of_nothing_says_so_with_its_first_piece(data: Path) -> None:
    with pytest.raises(JournalError, match="no journal is there"):
        next(streamed(data))


def test_files_of_a_machine_that_takes_it_for_1970_are_kept(data: Path, zipped: Path) -> None:
    make(data)
    for photo in (data / "evidence").iterdir():
        os.utime(photo, (0, 0))
    assert back_up(data, zipped) == 1


def test_what_was_cut_off_is_cleared_and_what_runs_is_not(data: Path, zipped: Path) -> None:
    make(data)
    cut_off = data / ".referee-backup-1"
    cut_off.mkdir()
    (cut_off / "backup.zip").write_bytes(b"half")
    with work_folder(data) as running:
        clear_leftovers(data)
        assert list(data.glob(".*")) == [running]
    elsewhere = zipped.parent / ".referee-backup-cut"
    elsewhere.mkdir(parents=True)
    back_up(data, zipped)
    assert not elsewhere.exists()
    cut_off.mkdir()
    restore(zipped, data, force=True)
    assert list(data.glob(".*")) == []


def test_every_file_is_on_the_disk_before_it_gets_its_name(
    data: Path, zipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(data)
    (data / "rules.json").write_text("ours")
    fsync, replace = os.fsync, Path.replace
    on_disk: set[int] = set()
    named: list[str] = []

    def noted(descriptor: int) -> None:
        fsync(descriptor)
        on_disk.add(os.fstat(descriptor).st_ino)

    def checked(path: Path, target: Path) -> Path:
        assert path.stat().st_ino in on_disk
        named.append(target.suffix)
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", checked)
    back_up(data, zipped)
    restore(zipped, data.with_name("new"))
    assert named == [".zip", ".jpg", ".json", ".db"]
    for folder in (zipped.parent, data.with_name("new"), data.with_name("new") / "evidence"):
        assert folder.stat().st_ino in on_disk


def test_nothing_is_written_over_without_force(data: Path, zipped: Path) -> None:
    make(data)
    back_up(data, zipped)
    with pytest.raises(JournalError, match="is there already; name another file, or write over it with --force"):
        back_up(data, zipped)
    with pytest.raises(JournalError, match="a journal is there"):
        restore(zipped, data)
    back_up(data, zipped, force=True)


def test_the_journal_that_was_there_is_kept(data: Path, zipped: Path) -> None:
    make(data, events=3)
    back_up(data, zipped)
    make(data, events=8)
    kept = restore(zipped, data, force=True)
    assert kept == data / "journal.before-restore-1.db"
    assert lengths(kept) == [4, 9]
    assert lengths(data / "journal.db") == [4]


def test_a_damaged_journal_is_replaced_and_kept(data: Path, zipped: Path) -> None:
    make(data)
    back_up(data, zipped)
    (data / "journal.db").write_bytes(b"burnt" * 1000)
    kept = restore(zipped, data, force=True)
    assert kept is not None
    assert kept.read_bytes() == b"burnt" * 1000
    assert lengths(data / "journal.db") == [4]


def no_zip(path: Path) -> None:
    path.write_bytes(b"nothing of the kind")


def another_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "Dear Sir")


def damaged_inside(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("journal.db", b"burnt" * 1000)


def flipped_bit(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[200] ^= 1
    path.write_bytes(whole)


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (no_zip, "not a backup, or damaged"),
        (another_zip, "not a backup of the referee, it holds no journal.db"),
        (damaged_inside, r"the journal in this backup cannot be used \([^/]*not a database\)+; name another file"),
        (flipped_bit, "not a backup, or damaged"),
    ],
)
def test_a_bad_backup_is_refused_and_nothing_is_touched(data: Path, zipped: Path, damage, text: str) -> None:  # type: ignore[no-untyped-def]
    make(data)
    back_up(data, zipped)
    damage(zipped)
    with pytest.raises(JournalError, match=text):
        restore(zipped, data, force=True)
    assert lengths(data / "journal.db") == [4]
    assert sorted(path.name for path in data.iterdir() if "-" not in path.name) == [
        "evidence", "journal.db", "journal.db.lock",
    ]  # fmt: skip


@pytest.mark.parametrize("place", range(0, 400, 20))
def test_wherever_a_backup_is_damaged_it_is_refused_in_one_line_or_good(data: Path, zipped: Path, place: int) -> None:
    make(data)
    back_up(data, zipped)
    whole = bytearray(zipped.read_bytes())
    whole[place] ^= 0x21
    zipped.write_bytes(whole)
    new = data.with_name("new")
    said = "good"
    try:
        restore(zipped, new)
    except JournalError as error:
        said = str(error)
    assert "\n" not in said
    assert ".referee-backup-" not in said
    assert (new / "journal.db").exists() == (said == "good")


def test_a_backup_of_nothing_says_so(data: Path, zipped: Path) -> None:
    with pytest.raises(JournalError, match="no journal is there"):
        back_up(data, zipped)
    assert not zipped.exists()
