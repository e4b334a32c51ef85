"""Cameras: what a source's name means, recordings, and every failure with its name and remedy."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import cv2
import fakes
import numpy as np
import pytest

from referee.frame import Frame
from referee.hardware import cameras, exposure, pi_camera, usb_camera
from referee.hardware.cameras import CameraError, CameraKind, CameraSpec, CameraTrouble, open_camera, parse_source

as_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


def a_picture(shade: int) -> np.ndarray:
    return np.full((120, 160, 3), shade, np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (160, 120))
    for i in range(5):
        writer.write(a_picture(40 * i))
    writer.release()
    return path


@pytest.mark.parametrize(
    ("text", "kind", "where"),
    [
        ("pi", CameraKind.PI, "0"),
        ("pi:1", CameraKind.PI, "1"),
        ("usb", CameraKind.USB, "/dev/video0"),
        (" usb:2 ", CameraKind.USB, "/dev/video2"),
        ("/dev/video4", CameraKind.USB, "/dev/video4"),
        ("/dev/v4l/by-id/usb-cam", CameraKind.USB, "/dev/v4l/by-id/usb-cam"),
    ],
)
def test_the_name_of_a_source(text: str, kind: CameraKind, where: str) -> None:
    spec = parse_source(text, size=(640, 480))
    assert (spec.kind, spec.where, spec.size) == (kind, where, (640, 480))


@pytest.mark.parametrize("text", ["pi:x", "webcam", "nowhere.mp4", ""])
def test_a_source_that_is_none(text: str) -> None:
    with pytest.raises(CameraError) as raised:
        parse_source(text)
    assert raised.value.kind is CameraTrouble.NOT_FOUND
    assert repr(text) in str(raised.value)


@pytest.mark.parametrize(("field", "value"), [("size", (10, 10)), ("fps", 0.0), ("distance_m", 0.01), ("mains_hz", 55)])
def test_a_spec_refuses_what_no_camera_can_do(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field.split("_m")[0]):
        CameraSpec(CameraKind.PI, "0", **{field: value})  # type: ignore[arg-type]


def test_a_video_gives_every_frame_with_the_containers_time(video: Path) -> None:
    with open_camera(parse_source(str(video))) as camera:
        frames = [camera.read(1.0) for _ in range(5)]
        assert [(f.seq, round(f.t, 3)) for f in frames if f] == [(0, 0.0), (1, 0.1), (2, 0.2), (3, 0.3), (4, 0.4)]
        assert not camera.ended
        assert camera.read(1.0) is None
        assert camera.ended
        assert not camera.live
        assert camera.describe() == "video file table.avi, 160x120 at 10 frames/s"


@pytest.mark.parametrize("ending", ["avi", "mkv"])
@pytest.mark.parametrize(("share", "said"), [(1.0, []), (0.6, ["s of 4.0 s: it may be cut off"])])
def test_a_recording_that_was_cut_off_says_so_at_its_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, ending: str, share: float, said: list[str]
) -> None:
    path = tmp_path / f"table.{ending}"
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (160, 120))
    for i in range(40):
        writer.write(a_picture(4 * i))
    writer.release()
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with open_camera(parse_source(str(path))) as camera:
        while not camera.ended:
            camera.read(1.0)
    assert len(caplog.messages) == len(said)
    assert all(words in line and str(path) in line for words, line in zip(said, caplog.messages, strict=True))


@pytest.mark.photos
def test_a_recording_of_variable_length_keeps_its_times(shared: Path) -> None:
    with open_camera(parse_source(str(shared / "data" / "videos" / "normal-500.mp4"))) as camera:
        times = [frame.t for frame in (camera.read(1.0) for _ in range(30)) if frame]
    assert times == pytest.approx([i / 30 for i in range(30)], abs=1e-6)


def test_a_folder_counts_its_pictures_in_order_of_their_numbers(tmp_path: Path) -> None:
    for name, shade in (("10.png", 100), ("2.png", 20), ("1.png", 10)):
        cv2.imwrite(str(tmp_path / name), a_picture(shade))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "._1.png").write_bytes(b"what macOS leaves beside a picture")
    with open_camera(parse_source(str(tmp_path), fps=5.0)) as camera:
        frames = [f for f in (camera.read(1.0) for _ in range(4)) if f]
        assert camera.ended
    assert [int(f.image[0, 0, 0]) for f in frames] == [10, 20, 100]
    assert [f.name for f in frames] == ["1.png", "2.png", "10.png"]
    assert [f.t for f in frames] == [0.0, 0.2, 0.4]


def test_a_recording_may_be_closed_twice(video: Path) -> None:
    camera = open_camera(parse_source(str(video)))
    camera.close()
    camera.close()
    assert camera.read(1.0) is None


def make_text(path: Path) -> str:
    path.write_text("this is no video")
    return str(path)


def make_broken_picture(folder: Path) -> str:
    folder.mkdir()
    (folder / "1.jpg").write_bytes(b"no picture")
    return str(folder)


def make_empty(folder: Path) -> str:
    folder.mkdir()
    return str(folder)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (make_text, CameraTrouble.UNREADABLE, "is not a video"),
        (make_broken_picture, CameraTrouble.UNREADABLE, "1.jpg: not a picture"),
        (make_empty, CameraTrouble.UNREADABLE, "holds no pictures"),
    ],
)
def test_a_recording_that_is_none(tmp_path: Path, make: object, kind: CameraTrouble, says: str) -> None:
    source = make(tmp_path / "thing")  # type: ignore[operator]
    with pytest.raises(CameraError, match=says) as raised, open_camera(parse_source(source)) as camera:
        camera.read(1.0)
    assert raised.value.kind is kind
    assert raised.value.remedy


@as_root
def test_a_video_that_may_not_be_read(video: Path) -> None:
    video.chmod(0)
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source(str(video)))
    assert raised.value.kind is CameraTrouble.NO_PERMISSION


def test_a_usb_camera_that_is_not_there() -> None:
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source("/dev/video987"))
    assert raised.value.kind is CameraTrouble.NOT_FOUND
    assert "/dev/video987" in raised.value.what


def test_a_device_that_is_no_camera() -> None:
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source("/dev/null"))
    assert raised.value.kind is CameraTrouble.NOT_FOUND
    assert "gives no pictures" in raised.value.what


def test_a_usb_camera_that_this_user_may_not_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(usb_camera.os, "open", refuse)
    with pytest.raises(CameraError) as raised:
        usb_camera.query_device("/dev/video0")
    assert raised.value.kind is CameraTrouble.NO_PERMISSION
    assert "video" in raised.value.remedy


def test_a_usb_camera_that_another_program_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = usb_camera.VideoDevice(str(tmp_path / "video0"), "Fake Cam", captures=True)
    monkeypatch.setattr(usb_camera, "query_device", lambda path: device)
    with pytest.raises(CameraError) as raised:
        open_camera(CameraSpec(CameraKind.USB, device.path))
    assert raised.value.kind is CameraTrouble.BUSY
    assert "Fake Cam" in raised.value.what


class FakeCapture:
    """Stands in for cv2.VideoCapture on V4L2: settings it does not know are refused, as by a simple driver."""

    def __init__(self, path: str, api: int) -> None:
        self.values = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
        self.frames = 3

    def isOpened(self) -> bool:
        return True

    def set(self, setting: int, value: float) -> bool:
        if setting in (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS):
            return False
        self.values[setting] = value
        return True

    def get(self, setting: int) -> float:
        return self.values.get(setting, 0.0)

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.frames -= 1
        return (True, a_picture(9)) if self.frames >= 0 else (False, None)

    def release(self) -> None: ...


@pytest.fixture
def usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> usb_camera.UsbCamera:
    path = tmp_path / "video0"
    path.touch()
    monkeypatch.setattr(usb_camera, "query_device", lambda p: usb_camera.VideoDevice(p, "Fake Cam", captures=True))
    monkeypatch.setattr(usb_camera.cv2, "VideoCapture", FakeCapture)
    monkeypatch.setattr(usb_camera, "SETTLE_LIMIT_S", 0.0)
    return usb_camera.UsbCamera(CameraSpec(CameraKind.USB, str(path)))


def test_a_usb_camera_locks_what_its_driver_can(usb: usb_camera.UsbCamera) -> None:
    assert "settling" in usb.describe()
    assert usb.read(1.0) is not None
    assert usb.describe().endswith("locked: exposure")


@pytest.mark.parametrize(("step", "locked"), [(0.0, True), (9.0, False)], ids=["stands still", "searches"])
def test_a_usb_camera_is_locked_once_the_picture_stands_still(
    usb: usb_camera.UsbCamera, monkeypatch: pytest.MonkeyPatch, step: float, locked: bool
) -> None:
    levels = itertools.count(60.0, step)
    monkeypatch.setattr(usb_camera, "mean_colour", lambda image: (next(levels),) * 3)
    monkeypatch.setattr(usb_camera, "SETTLE_S", 0.0)
    monkeypatch.setattr(usb_camera, "SETTLE_LIMIT_S", 3600.0)
    usb._capture.frames = exposure.STEADY_FRAMES
    for _ in range(exposure.STEADY_FRAMES - 1):
        usb.read(1.0)
    assert "settling" in usb.describe()
    usb.read(1.0)
    assert ("locked: exposure" in usb.describe()) == locked


def test_a_usb_cameras_middle_is_cut_out_of_a_larger_picture(
    tmp_path: Path, usb: usb_camera.UsbCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = np.zeros((480, 640, 3), np.uint8)
    large[120:360, 160:480] = 200
    monkeypatch.setattr(FakeCapture, "read", lambda self: (True, large))
    with usb_camera.UsbCamera(CameraSpec(CameraKind.USB, str(tmp_path / "video0"), size=(320, 240), view=0.5)) as part:
        frame = part.read(1.0)
        assert "640x480 at 15 frames/s, its middle 50% as 320x240, " in part.describe()
    assert frame is not None
    assert frame.image.shape == (240, 320, 3)
    assert frame.image.min() == 200


def test_a_usb_camera_settles_anew_in_another_light(
    usb: usb_camera.UsbCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposure, "RELIGHT_S", 0.0)
    usb._capture.frames = 10
    usb.free = True
    usb.read(1.0)
    usb.read(1.0)  # the measure
    monkeypatch.setattr(usb_camera, "mean_colour", lambda image: (250.0, 250.0, 250.0))
    monkeypatch.setattr(usb_camera, "SETTLE_LIMIT_S", 3600.0)
    usb.free = False
    usb.read(1.0)
    assert "locked: exposure" in usb.describe()
    usb.free = True
    usb.read(1.0)
    assert "settling" in usb.describe()
    assert usb._capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0  # what it was before the lock


class Story:
    """A recording of three frames, half a second apart."""

    live = False

    def __init__(self) -> None:
        self.given = 0

    @property
    def ended(self) -> bool:
        return self.given == 3

    def read(self, timeout_s: float) -> Frame | None:
        if self.ended:
            return None
        self.given += 1
        return Frame(a_picture(1), self.given - 1, 7.0 + 0.5 * (self.given - 1))

    def close(self) -> None: ...

    def describe(self) -> str:
        return "a story"


def test_all_frames_of_a_source_are_given_and_a_live_one_that_starves_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [frame.t for frame in cameras.frames(Story())] == [7.0, 7.5, 8.0]
    monkeypatch.setattr(cameras, "PATIENCE_S", 0.0)
    frames = cameras.frames(fakes.FakeCamera(frames=1, pace_s=0.0, then="starve"))
    next(frames)
    with pytest.raises(CameraError, match=r"a fake camera: no frame for 0 s\. Check the cable"):
        next(frames)


def test_a_recording_plays_at_its_own_speed_on_the_clock_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(cameras.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(cameras.time, "sleep", sleep)
    paced = cameras.Paced(Story())
    assert paced.live
    first = paced.read(1.0)
    assert paced.read(0.2) is None  # not due yet
    second, third = paced.read(1.0), paced.read(1.0)
    assert [frame.t for frame in (first, second, third) if frame] == [100.0, 100.5, 101.0]
    assert [round(seconds, 3) for seconds in slept if seconds] == [0.2, 0.3, 0.5]
    assert paced.ended
    assert paced.read(1.0) is None


def test_serving_a_recording_paces_it(video: Path) -> None:
    with cameras.open_live(cameras.parse_source(str(video))) as camera:
        assert camera.live
        assert camera.describe().endswith("at its own speed")


def test_a_usb_camera_that_starves_and_one_that_is_unplugged(usb: usb_camera.UsbCamera, tmp_path: Path) -> None:
    frames = [usb.read(1.0) for _ in range(3)]
    assert [f.seq for f in frames if f] == [0, 1, 2]
    assert usb.read(1.0) is None
    assert not usb.ended
    (tmp_path / "video0").unlink()
    with pytest.raises(CameraError) as raised:
        usb.read(1.0)
    assert raised.value.kind is CameraTrouble.UNPLUGGED


def test_without_picamera2_the_remedy_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    with pytest.raises(CameraError) as raised:
        pi_camera.list_cameras()
    assert raised.value.kind is CameraTrouble.NO_PICAMERA2
    assert "python3-picamera2" in raised.value.remedy
