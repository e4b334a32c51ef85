"""A video that is written: whole, or told and gone. OpenCV itself says nothing of what found no room."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands import table, watch
from referee.frame import Image
from referee.paths import shipped
from referee.vision.video_file import ROOM_BYTES, VideoFile

CALIBRATION = str(shipped("calibration") / "default.json")
OLD = b"the video of yesterday"


def _noise(count: int) -> Iterator[Image]:
    rng = np.random.default_rng(3)
    for _ in range(count):
        yield rng.integers(0, 255, (240, 320, 3), np.uint8)


@pytest.fixture
def small_disk() -> Iterator[None]:
    """No file grows beyond 100 kB: to the writer that is a disk without room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=ROOM_BYTES - 1)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)


def _frames(path: Path) -> float:
    video = cv2.VideoCapture(str(path))
    try:
        return video.get(cv2.CAP_PROP_FRAME_COUNT)
    finally:
        video.release()


@pytest.mark.parametrize("ending", [".mp4", ".avi", ".mkv"])
@pytest.mark.parametrize("count", [1, 2, 30])
def test_every_frame_is_in_it_and_nothing_else_is_left(tmp_path: Path, ending: str, count: int) -> None:
    file = tmp_path / f"seen{ending}"
    file.write_bytes(OLD)
    video = VideoFile(file, 30.0)
    for image in _noise(count):
        video.write(image)
    assert file.read_bytes() == OLD  # until the new one is whole
    video.close()
    video.close()
    assert _frames(file) == count
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.usefixtures("small_disk")
def test_frames_that_found_no_room_are_told(tmp_path: Path) -> None:
    file = tmp_path / "seen.mp4"
    file.write_bytes(OLD)
    video = VideoFile(file, 30.0)
    for image in _noise(20):
        video.write(image)
    with pytest.raises(ValueError, match=r"seen\.mp4: could not be written whole .*the video was removed$"):
        video.close()
    assert file.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [file]


def test_one_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    video = VideoFile(tmp_path / "seen.mp4", 30.0)
    video.close()
    for image in _noise(3):
        video.write(image)
    video.discard()
    video.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("full_disk")
def test_watch_and_table_end_with_one_line_on_a_full_disk(tmp_path: Path) -> None:
    frames, out = tmp_path / "frames", tmp_path / "out"
    for folder in (frames, out):
        folder.mkdir()
    (frames / "1.png").write_bytes(cv2.imencode(".png", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes())
    for command, args in (
        (watch.command, [str(frames), "--calibration", CALIBRATION, "--annotate", str(out / "seen.mp4")]),
        (table.command, [str(out), "--seconds", "5"]),
    ):
        result = CliRunner().invoke(command, args)
        assert result.exit_code == 2
        assert result.stderr.splitlines()[-1].endswith(".mp4: the disk is full; the video was removed")
        assert "Traceback" not in result.stderr
        assert not list(out.iterdir())


def test_a_recording_of_the_table_comes_with_calibration_and_truth(tmp_path: Path) -> None:
    result = CliRunner().invoke(table.command, [str(tmp_path), "--seconds", "5", "--fps", "5", "--players", "2"])
    assert result.exit_code == 0, result.output
    names = ["normal-1.calibration.json", "normal-1.mp4", "normal-1.truth.json"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    video = cv2.VideoCapture(str(tmp_path / "normal-1.mp4"))
    assert [video.get(p) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)] == [1280, 720]
    video.release()
