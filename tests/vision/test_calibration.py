"""The calibration file: what is read, and one clear line for everything that is wrong."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.paths import shipped
from referee.vision.calibration import CalibrationError, load_calibration, parse_calibration

GOOD: dict[str, Any] = json.loads((shipped("calibration") / "example.json").read_text())


def test_the_shipped_files_load_and_come_back_the_same() -> None:
    for name in ("default.json", "example.json"):
        path = shipped("calibration") / name
        assert load_calibration(path).to_json() == json.loads(path.read_text())


def test_the_schema_names_every_field_of_the_example() -> None:
    schema = json.loads((shipped("calibration") / "table.schema.json").read_text())
    assert set(schema["required"]) == set(schema["properties"]) == set(GOOD)


def test_table_and_picture_map_to_each_other() -> None:
    calibration = parse_calibration(GOOD)
    points = np.array([[0.0, 0.0], [300.0, 200.0], [760.0, 430.0]])
    assert np.allclose(calibration.to_table(calibration.to_image(points)), points)


def test_frames_of_half_the_size_see_the_same_table() -> None:
    whole = parse_calibration(GOOD)
    half = whole.for_frames(640, 360)
    point = [(300.0, 200.0)]
    assert np.allclose(half.to_image(point) * 2 + 0.5, whole.to_image(point))
    assert half.px_per_mm() == pytest.approx(whole.px_per_mm() / 2)


def test_frames_of_another_shape_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"640x480.*1280x720"):
        parse_calibration(GOOD).for_frames(640, 480)


def test_a_bumped_camera_moves_every_point_alike() -> None:
    calibration = parse_calibration(GOOD)
    moved = calibration.moved(np.array([[1, 0, 7.0], [0, 1, -3.0], [0, 0, 1]]))
    assert np.allclose(moved.to_image([(300.0, 200.0)]) - calibration.to_image([(300.0, 200.0)]), [[7.0, -3.0]])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("image_size", [1280]),
        ("image_size", [1280.5, 720]),
        ("image_size", ["a", "b"]),
        ("table_mm", [0, 430]),
        ("table_to_image", [[1, 0, 0], [0, 1, 0]]),
        ("table_to_image", [[1, 0, 0], [2, 0, 0], [0, 0, 1]]),
        ("table_to_image", [[1, 0, 0], [0, float("nan"), 0], [0, 0, 1]]),
        ("discard_zone_mm", [0, 0, 5, 5]),
        ("discard_zone_mm", [9000, 120, 170, 190]),
        ("draw_zone_mm", None),
        ("draw_zone_mm", GOOD["discard_zone_mm"]),
        ("table_to_image", [*GOOD["table_to_image"][:2], [0.0, 0.01, -2.0]]),
        ("card_mm", [True, 87]),
        ("seats", {"seat": 1}),
        ("seats", [{"seat": 0, "at_mm": [1, 2]}]),
        ("seats", [{"seat": 1, "at_mm": [1, 2]}, {"seat": 1, "at_mm": [3, 4]}]),
    ],
)
def test_a_wrong_field_is_named_in_one_line(tmp_path: Path, field: str, value: object) -> None:
    data = copy.deepcopy(GOOD)
    data[field] = value
    path = tmp_path / "table.json"
    path.write_text(json.dumps(data))
    with pytest.raises(CalibrationError) as error:
        load_calibration(path)
    line = str(error.value)
    assert str(path) in line
    assert field in line
    assert "\n" not in line


def test_a_homography_of_any_scale_and_a_file_of_windows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    matrix = (np.array(GOOD["table_to_image"]) * -1e-6).tolist()
    path.write_text(json.dumps({**GOOD, "table_to_image": matrix}), encoding="utf-8-sig")
    point = [(300.0, 200.0)]
    assert np.allclose(load_calibration(path).to_image(point), parse_calibration(GOOD).to_image(point))


@pytest.mark.parametrize("field", list(GOOD))
def test_a_missing_field_is_named(field: str) -> None:
    data = {name: value for name, value in GOOD.items() if name != field}
    with pytest.raises(CalibrationError, match=f"{field} is missing"):
        parse_calibration(data)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"table"'])
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match=r"table\.json"):
        load_calibration(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="no such file"):
        load_calibration(tmp_path / "none.json")
