"""`referee doctor`: what it finds, and that every lack comes with a remedy."""

from __future__ import annotations

import errno
import json
import os
import shutil
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cards import FACES
from referee.commands.doctor import command
from referee.config import ButtonConfig, CameraConfig, Config, General
from referee.events import GameStarted
from referee.hardware import diagnosis, diagnosis_of_games
from referee.health import Check, Level
from referee.storage import Journal
from referee.storage.journal import JournalDamaged
from referee.vision.deck import FILE_NAME, Deck, save_deck
from referee.vision.head import DeckIndexEye, DeckReader, Heads
from referee.vision.nets import load_models
from referee.vision.warp import CROP_PX


def with_camera(**settings: object) -> Config:
    return Config(camera=CameraConfig(**settings))  # type: ignore[arg-type]


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.zeros((90, 160, 3), np.uint8))
    return folder


def test_a_recording_in_place_of_a_camera_is_tried_and_warned_about(pictures: Path) -> None:
    check = diagnosis.check_camera(with_camera(source=str(pictures)), True)
    assert (check.level, check.found) == (Level.WARN, "folder pictures, 1 pictures at 15 frames/s: a picture came")


@pytest.mark.parametrize(
    ("source", "says"), [("/dev/video987", "there is no camera /dev/video987"), ("nowhere", "there is no camera, file")]
)
def test_a_camera_that_is_missing(source: str, says: str) -> None:
    check = diagnosis.check_camera(with_camera(source=source), True)
    assert check.level is Level.MISSING
    assert check.found.startswith(says)
    assert check.remedy


def test_a_camera_that_the_service_uses_is_left_alone(pictures: Path) -> None:
    assert diagnosis.check_camera(with_camera(source="usb:0"), False).level is Level.OK


def test_a_table_that_is_not_set_up_yet(tmp_path: Path) -> None:
    """As the service says: no calibration is taken in its place."""
    check = diagnosis.check_calibration(Config(general=General(data_folder=str(tmp_path))))
    assert check.level is Level.WARN
    assert "the table is not set up yet" in check.found
    assert "/setup" in check.remedy
    assert f"referee calibrate SOURCE -o {tmp_path / 'calibration.json'}" in check.remedy


def test_a_broken_calibration_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{")
    check = diagnosis.check_calibration(with_camera(calibration=str(path)))
    assert check.level is Level.MISSING
    assert str(path) in check.found
    assert "/setup" in check.remedy


@pytest.mark.parametrize(
    ("free_mb", "level"), [(49, Level.MISSING), (50, Level.WARN), (499, Level.WARN), (500, Level.OK)]
)
def test_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_mb: int, level: Level) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=free_mb * 1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert diagnosis_of_games.check_disk(tmp_path / "not" / "yet" / "there").level is level


def test_a_card_that_turned_read_only_is_told_from_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs(tmp_path)
    facts = {name: getattr(real, name) for name in ("f_bavail", "f_frsize", "f_blocks", "f_bfree")}
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**facts, f_flag=os.ST_RDONLY))
    check = diagnosis_of_games.check_disk(tmp_path)
    assert check.level is Level.MISSING
    assert "read-only" in check.found
    assert "referee backup" in check.remedy


@pytest.mark.parametrize(
    ("file", "level", "says", "remedy"),
    [
        ("learned", Level.OK, "Blue: 1 of 54 faces", ""),
        ("not learned", Level.WARN, "Blue: 1 of 54 faces, not in use", "open /deck"),
        ("damaged", Level.WARN, "deck.zip: is damaged", "as without it"),
    ],
)
def test_the_deck_that_was_enrolled(tmp_path: Path, file: str, level: Level, says: str, remedy: str) -> None:
    assert list(diagnosis.check_deck(tmp_path)) == []
    models = load_models()
    deck = Deck("Blue", {FACES[0]: np.zeros((CROP_PX[1], CROP_PX[0], 3), np.uint8)})
    heads = Heads(DeckReader(models.reader).headed.shipped, DeckIndexEye(models.indices).headed.shipped)
    learned = replace(deck, heads=heads, readers=models.readers)
    save_deck(learned if file == "learned" else deck, tmp_path / FILE_NAME)
    if file == "damaged":
        (tmp_path / FILE_NAME).write_bytes(b"PK")
    check = next(diagnosis.check_deck(tmp_path))
    assert check.level is level
    assert says in check.found
    assert remedy in check.remedy


def test_a_file_is_no_place_for_games(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert diagnosis_of_games.check_disk(tmp_path / "file").level is Level.MISSING


def test_a_port_that_is_taken_and_one_that_is_free() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert diagnosis.check_port("127.0.0.1", port).level is Level.WARN
    assert diagnosis.check_port("127.0.0.1", port).level is Level.OK


@pytest.mark.parametrize(
    ("number", "level", "says"),
    [
        (errno.EROFS, Level.MISSING, "is read-only, as on a card that is worn out"),
        (errno.EIO, Level.MISSING, "cannot be written (Input/output error)"),
        (errno.ENOSPC, Level.MISSING, "MB free"),  # as where there are too many files
    ],
)
def test_a_disk_that_says_all_is_well_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, level: Level, says: str
) -> None:
    """After an error of the card, Linux 6.15 and newer still mount ext4 as writable, and refuse to write."""

    def refused(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refused)
    check = diagnosis_of_games.check_disk(tmp_path)
    assert check.level is level
    assert says in check.found
    assert list(tmp_path.iterdir()) == []


def test_a_card_that_is_too_slow_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis_of_games, "SLOW_WRITE_S", 0.01)
    monkeypatch.setattr(os, "fsync", lambda _: time.sleep(0.06))
    check = diagnosis_of_games.check_disk(tmp_path)
    assert (check.level, check.found[-32:]) == (Level.WARN, "but a few bytes take 0.1 s to it")


def games_in(folder: Path, wall: float) -> Path:
    with Journal(folder / "journal.db") as journal:
        journal.append(GameStarted(players=("Ana", "Ben"), dealer="Ana"), game=None, author="host", wall=wall)
    return folder


def test_the_games_are_counted_and_a_damaged_journal_is_named(tmp_path: Path) -> None:
    assert diagnosis_of_games.check_games(tmp_path).found == f"none yet in {tmp_path}"
    file = games_in(tmp_path, 0.0) / "journal.db"
    assert diagnosis_of_games.check_games(tmp_path) == Check("games", Level.OK, f"1 in {file}")
    file.write_bytes(file.read_bytes()[:5000])
    check = diagnosis_of_games.check_games(tmp_path)
    assert check.level is Level.MISSING
    assert "the journal is damaged" in check.found
    assert "referee restore FILE" in check.remedy
    assert [one.name for one in tmp_path.glob("*.db")] == ["journal.db"]  # it looks, and moves nothing
    with pytest.raises(JournalDamaged):
        Journal(file)  # the service does, and systemd starts it again with an empty one
    Journal(file).close()
    check = diagnosis_of_games.check_games(tmp_path)
    assert (check.level, check.found) == (
        Level.WARN, f"{tmp_path / 'journal.damaged-1.db'} was damaged and put aside",
    )  # fmt: skip


def test_games_of_another_user_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a restore by root, when the service may not write what it finds."""
    games_in(tmp_path, 0.0)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "journal.db")
    check = diagnosis_of_games.check_games(tmp_path)
    assert check.level is Level.MISSING
    assert check.found.endswith("journal.db may not be written")


@pytest.mark.parametrize(
    ("now", "last", "level", "says"),
    [
        (1_000.0, 0.0, Level.WARN, "it was never set"),
        (1_800_000_000.0, 0.0, Level.OK, "2027-01-15"),
        (1_800_000_000.0, 1_800_000_030.0, Level.OK, "2027-01-15"),
        (1_800_000_000.0, 1_800_007_200.0, Level.WARN, "before the last event of a game"),
    ],
)
def test_a_clock_that_was_never_set_or_went_back(now: float, last: float, level: Level, says: str) -> None:
    check = diagnosis_of_games.check_clock(now, last)
    assert check.level is level
    assert says in check.found


def test_the_clock_is_compared_with_the_games(tmp_path: Path) -> None:
    assert diagnosis_of_games.last_event(tmp_path) == 0.0
    assert diagnosis_of_games.last_event(games_in(tmp_path, 1_800_000_000.0)) == 1_800_000_000.0


@pytest.mark.parametrize(
    ("says", "levels"),
    [
        ("throttled=0x0\n", [Level.OK]),
        ("throttled=0x50000\n", [Level.WARN]),
        ("throttled=0x50005\n", [Level.WARN]),
        ("error\n", []),
        ("", []),
    ],
)
def test_the_power_of_a_pi(tmp_path: Path, says: str, levels: list[Level]) -> None:
    tool = tmp_path / "vcgencmd"
    tool.touch()
    assert [check.level for check in diagnosis.check_power(tool, lambda path: says)] == levels
    assert list(diagnosis.check_power(tmp_path / "none")) == []


def test_simulated_pins_are_never_passed_off_as_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    check = diagnosis.check_gpio(Config())
    assert (check.level, check.found) == (Level.WARN, "simulated pins for GPIO 17")
    assert diagnosis.check_gpio(Config(buttons=ButtonConfig(uno_pins=()))).level is Level.OK


@pytest.mark.parametrize("check", [diagnosis.check_python, diagnosis.check_opencv])
def test_what_these_tests_run_on_is_fine(check: Callable[[], Check]) -> None:
    assert check().level is Level.OK


@pytest.mark.parametrize(("level", "status", "mark"), [(Level.WARN, 0, "warn"), (Level.MISSING, 1, "MISSING")])
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: Level, status: int, mark: str) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    found = [Check("Python", Level.OK, "3.11"), Check("camera", level, "no camera", "Plug one in")]
    monkeypatch.setattr(diagnosis, "checks", lambda settings, try_camera: iter(found))
    text = CliRunner().invoke(command, [])
    assert (text.exit_code, text.output) == (
        status, f"ok      Python      3.11\n{mark:<8}camera      no camera\n{'':<20}-> Plug one in\n",
    )  # fmt: skip
    as_json = json.loads(CliRunner().invoke(command, ["--json"]).output)
    assert as_json["ok"] is (status == 0)
    assert as_json["checks"][1] == {
        "name": "camera",
        "state": level.value,
        "found": "no camera",
        "remedy": "Plug one in",
    }


def test_a_wrong_configuration_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[camera]\nfsp = 1\n")
    result = CliRunner().invoke(command, ["--config", str(path)])
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
