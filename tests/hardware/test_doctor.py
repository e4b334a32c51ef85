"""`referee doctor`: what it finds, and that every lack comes with a remedy."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.doctor import command
from referee.config import ButtonConfig, CameraConfig, Config, General
from referee.hardware import diagnosis
from referee.health import Check, Level


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
    assert diagnosis.check_disk(tmp_path / "not" / "yet" / "there").level is level


def test_a_card_that_turned_read_only_is_told_from_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs(tmp_path)
    facts = {name: getattr(real, name) for name in ("f_bavail", "f_frsize", "f_blocks", "f_bfree")}
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**facts, f_flag=os.ST_RDONLY))
    check = diagnosis.check_disk(tmp_path)
    assert check.level is Level.MISSING
    assert "read-only" in check.found
    assert "referee backup" in check.remedy


def test_a_file_is_no_place_for_games(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert diagnosis.check_disk(tmp_path / "file").level is Level.MISSING


def test_a_port_that_is_taken_and_one_that_is_free() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert diagnosis.check_port("127.0.0.1", port).level is Level.WARN
    assert diagnosis.check_port("127.0.0.1", port).level is Level.OK


@pytest.mark.parametrize(("now", "level"), [(1_000.0, Level.WARN), (1_800_000_000.0, Level.OK)])
def test_a_clock_that_was_never_set(now: float, level: Level) -> None:
    assert diagnosis.check_clock(now).level is level


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
