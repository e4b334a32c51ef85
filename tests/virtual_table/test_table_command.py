"""`referee table` writes recordings that other programs can score."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from referee.commands.table import command


def test_a_recording_has_its_calibration_and_truth_beside_it(tmp_path: Path) -> None:
    args = [str(tmp_path / "out"), "--seed", "7", "--level", "easy", "--seconds", "5", "--fps", "5", "--table", "felt"]
    result = CliRunner().invoke(command, args)
    assert result.exit_code == 0, result.output
    truth = json.loads((tmp_path / "out" / "easy-7.truth.json").read_text())
    assert (truth["level"], truth["seed"], truth["table"], truth["fps"]) == ("easy", 7, "felt", 5.0)
    assert truth["events"][0]["event"] == "landed"
    calibration = json.loads((tmp_path / "out" / "easy-7.calibration.json").read_text())
    assert calibration["image_size"] == [1280, 720]
    video = cv2.VideoCapture(str(tmp_path / "out" / "easy-7.mp4"))
    size = video.get(cv2.CAP_PROP_FRAME_WIDTH), video.get(cv2.CAP_PROP_FRAME_HEIGHT)
    frames = video.get(cv2.CAP_PROP_FRAME_COUNT)
    video.release()
    assert size == (1280, 720)
    assert frames > truth["events"][-1]["t"] * 5


def test_a_messy_table_keeps_no_rules(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path), "--seed", "3", "--messy", "2", "--fps", "5"])
    assert result.exit_code == 0, result.output
    truth = json.loads((tmp_path / "normal-3.truth.json").read_text())
    assert sum(e["event"] == "landed" for e in truth["events"]) >= 2
    assert "rulings" not in truth


@pytest.mark.parametrize(
    ("wrong", "said"), [(["--style", "retro"], "style is 'retro'"), (["--table", "grass"], "table is 'grass'")]
)
def test_wrong_names_get_one_line(tmp_path: Path, wrong: list[str], said: str) -> None:
    result = CliRunner().invoke(command, [str(tmp_path), *wrong])
    assert result.exit_code == 2
    assert said in result.output
