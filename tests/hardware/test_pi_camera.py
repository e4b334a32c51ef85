"""The Pi's camera: on the real picamera2 where it is installed (libcamera's virtual camera), else on a stand-in."""

from __future__ import annotations

import gc
import importlib.util
import os
import queue
import signal
import sys
import time
import types
from collections.abc import Iterator
from functools import partial
from typing import Any

import fake_picamera2
import numpy as np
import pytest

from referee.frame import WHOLE, Frame, Part
from referee.hardware import exposure, pi_camera
from referee.hardware.camera_child import CameraChild
from referee.hardware.cameras import (
    Aiming,
    Camera,
    CameraError,
    CameraTrouble,
    Settling,
    open_camera,
    parse_source,
)
from referee.health import CameraHealth, Supervision
from referee.observations import Sighting

REAL = importlib.util.find_spec("picamera2") is not None
if REAL:  # picamera2 keeps its camera manager's threads and files until the process ends, and says so
    pytestmark = pytest.mark.filterwarnings("ignore")

    @pytest.fixture(autouse=True)
    def no_leaks() -> Iterator[None]:
        """In place of the check in conftest; clears up here, so that no later test is blamed."""
        yield
        gc.collect()


real = pytest.mark.skipif(not REAL, reason="needs the real picamera2: tests/hardware/picamera2_tier.sh")
stand_in = pytest.mark.skipif(REAL, reason="looks inside the stand-in for picamera2")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[fake_picamera2.Picamera2]:
    """The stand-in, in place of picamera2."""

    class Fresh(fake_picamera2.Picamera2):
        made: list[Any] = []  # noqa: RUF012

    module = types.ModuleType("picamera2")
    module.Picamera2 = Fresh  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return Fresh


@pytest.fixture
def camera(request: pytest.FixtureRequest) -> Iterator[Camera]:
    if not REAL:
        request.getfixturevalue("fake")
    with open_camera(parse_source("pi", distance_m=0.8)) as camera:
        yield camera


def read(camera: Camera) -> Frame:
    frame = camera.read(5.0)
    assert frame is not None
    return frame


def test_frames_are_blue_green_red_with_the_grey_plane_for_free(camera: Camera) -> None:
    frame = read(camera)
    assert frame.image.shape == (720, 1280, 3)
    blue, _green, red = frame.image[290, 190]
    assert red > 150 > blue  # a red card in the pictures of the virtual camera, and in the stand-in
    assert frame.grey is not None
    assert frame.grey.shape == (360, 640)
    assert abs(int(frame.grey[145, 95]) - 66) < 12  # the luma of that red


def test_frames_count_up_and_carry_the_monotonic_time_of_the_sensor(camera: Camera) -> None:
    frames = [read(camera) for _ in range(4)]
    assert [frame.seq for frame in frames] == [0, 1, 2, 3]
    times = [frame.t for frame in frames]
    assert times == sorted(times)
    assert times[-1] < time.monotonic() < times[-1] + 5.0


def test_exposure_and_colour_are_locked_once_they_have_settled(camera: Camera) -> None:
    assert "exposure settling" in camera.describe()
    for _ in range(60):
        read(camera)
    assert "exposure and colour locked" in camera.describe()


def test_reading_too_early_loses_no_buffer(camera: Camera) -> None:
    read(camera)
    early = [camera.read(0.0) for _ in range(20)]
    assert early.count(None) > 10
    seqs = [read(camera).seq for _ in range(10)]
    assert seqs == list(range(seqs[0], seqs[0] + 10))


def test_images_stay_as_they_were_when_later_frames_come(camera: Camera) -> None:
    first = read(camera)
    before = first.image.copy(), None if first.grey is None else first.grey.copy()
    for _ in range(8):
        read(camera)
    assert np.array_equal(first.image, before[0])
    assert np.array_equal(first.grey, before[1])


def test_a_camera_that_is_not_there(request: pytest.FixtureRequest) -> None:
    if not REAL:
        request.getfixturevalue("fake")
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source("pi:7"))
    assert raised.value.kind is CameraTrouble.NOT_FOUND
    assert "pi:0" in raised.value.what


@stand_in
@pytest.mark.parametrize("source", ["pi:1", "pi"], ids=["libcamera leaves it out", "libcamera cannot open it"])
def test_a_camera_that_this_user_may_not_open(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    def refuse(self: Any, number: int) -> None:
        raise RuntimeError("Failed to acquire camera")

    monkeypatch.setattr(fake, "__init__", refuse)
    monkeypatch.setattr(pi_camera, "DEVICES", ("null",))
    monkeypatch.setattr(pi_camera.os, "access", lambda path, mode: False)
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source(source))
    assert raised.value.kind is CameraTrouble.NO_PERMISSION
    assert "video" in raised.value.remedy
    monkeypatch.setattr(pi_camera.os, "access", lambda path, mode: True)
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source(source))
    assert raised.value.kind is (CameraTrouble.BUSY if source == "pi" else CameraTrouble.NOT_FOUND)


@stand_in
def test_the_whole_view_is_asked_for_and_the_lens_is_set_by_distance(camera: Camera) -> None:
    (inner,) = sys.modules["picamera2"].Picamera2.made
    assert inner.config["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    assert inner.config["controls"]["AeFlickerPeriod"] == 10_000
    assert inner.controls == [{"AfMode": 0, "LensPosition": 1.25}]
    assert camera.describe().startswith("Pi camera imx708, 1280x720 at 15 frames/s, full view")


@stand_in
@pytest.mark.parametrize(
    ("view", "size", "crop"),
    [
        (0.5, (1280, 720), (1152, 648, 2304, 1296)),
        (0.5, (640, 480), (1440, 648, 1728, 1296)),  # a picture of other proportions than the sensor
    ],
)
def test_the_middle_of_the_view_is_used_if_asked_for(
    fake: type[fake_picamera2.Picamera2], view: float, size: tuple[int, int], crop: tuple[int, ...]
) -> None:
    with open_camera(parse_source("pi", view=view, size=size)) as camera:
        assert fake.made[0].controls == [{"ScalerCrop": crop}]
        assert ", full view, the middle 50% of it," in camera.describe()


@stand_in
def test_a_camera_that_cannot_show_a_part_says_so(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake, "crops", False)
    with open_camera(parse_source("pi", view=0.5)) as camera:
        assert "(this camera cannot show the middle 50% of it alone)" in camera.describe()


def shown(camera: Camera, frames: int = 5) -> Part | None:
    """The part of the view on the last of some frames."""
    return [read(camera) for _ in range(frames)][-1].part


RIGHT = (0.25, 0.25, 0.7, 0.7)


@stand_in
@pytest.mark.parametrize(
    ("aim", "crop"),
    [
        (RIGHT, (1152, 648, 3226, 1814)),
        ((0.5, 0.5, 0.3, 0.3), (1714, 964, 2560, 1440)),  # no more than the sensor has pixels for
        ((0.7, 0.7, 0.3, 0.3), (2048, 1152, 2560, 1440)),
    ],
    ids=["a part", "too small a part", "one at the edge"],
)
def test_a_part_of_the_view_is_shown_and_the_whole_again(
    fake: type[fake_picamera2.Picamera2], aim: Part, crop: tuple[int, ...]
) -> None:
    with open_camera(parse_source("pi")) as camera:
        assert isinstance(camera, Aiming)
        assert shown(camera) == WHOLE
        camera.aim = aim
        assert shown(camera, 2) == WHOLE  # it is on its way
        x, y, w, h = shown(camera) or WHOLE
        assert (x, y, w, h) == tuple(side / whole for side, whole in zip(rounded(crop), (4608, 2592) * 2, strict=True))
        assert f"{1 / w:.1f} times as large about the piles" in camera.describe()
        camera.aim = WHOLE
        assert shown(camera) == WHOLE
        asked = [controls["ScalerCrop"] for controls in fake.made[0].controls if "ScalerCrop" in controls]
        assert asked == [crop, (0, 0, 4608, 2592)]


def rounded(crop: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(side & ~3 for side in crop)


@stand_in
def test_a_frame_that_shows_a_part_is_that_part_of_the_picture(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    sensor = np.zeros((1296, 2304, 3), np.uint8)
    sensor[600:700, 1100:1300] = 255
    monkeypatch.setattr(fake, "sensor", sensor)
    with open_camera(parse_source("pi")) as camera:
        assert isinstance(camera, Aiming)

        def corner() -> tuple[float, float]:
            """The upper left corner of what is white, as shares of the picture."""
            ys, xs = np.nonzero([read(camera) for _ in range(5)][-1].image[..., 0] > 127)
            return float(xs.min()) / 1280, float(ys.min()) / 720

        at = 1100 / 2304, 600 / 1296
        assert corner() == pytest.approx(at, abs=2e-3)
        camera.aim = RIGHT
        left, top, wide, high = shown(camera) or WHOLE
        assert corner() == pytest.approx(((at[0] - left) / wide, (at[1] - top) / high), abs=2e-3)


@stand_in
def test_a_part_is_one_of_the_middle_where_that_alone_is_used(fake: type[fake_picamera2.Picamera2]) -> None:
    with open_camera(parse_source("pi", view=0.8)) as camera:
        assert isinstance(camera, Aiming)
        assert shown(camera) == WHOLE
        camera.aim = (0.1, 0.1, 0.8, 0.8)
        assert shown(camera) == pytest.approx(camera.aim, abs=2e-3)
        assert fake.made[0].controls[-1] == {"ScalerCrop": (830, 466, 2948, 1658)}


@stand_in
def test_a_camera_that_cannot_crop_shows_the_whole_view_whatever_is_wanted(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake, "crops", False)
    with open_camera(parse_source("pi")) as camera:
        assert isinstance(camera, Aiming)
        camera.aim = RIGHT
        assert shown(camera) is None
        assert fake.made[0].controls == []


@stand_in
def test_another_part_is_no_other_light(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposure, "RELIGHT_S", 0.0)
    sensor = np.full((1296, 2304, 3), 200, np.uint8)
    sensor[:400] = 0
    monkeypatch.setattr(fake, "sensor", sensor)
    with open_camera(parse_source("pi")) as camera:
        assert isinstance(camera, Aiming)
        camera.free = True
        shown(camera, 60)
        camera.aim = (0.3, 0.4, 0.6, 0.6)
        shown(camera, 30)
        assert "exposure and colour locked" in camera.describe()
        assert [c["AeEnable"] for c in fake.made[0].controls if "AeEnable" in c] == [False]


@stand_in
def test_another_light_is_settled_on_while_no_hand_is_in_view(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposure, "RELIGHT_S", 0.0)
    with open_camera(parse_source("pi")) as camera:
        assert isinstance(camera, Settling)

        def looks(frames: int, free: bool) -> str:
            camera.free = free
            for _ in range(frames):
                read(camera)
            return camera.describe()

        assert "locked" in looks(40, free=True)
        fake.made[0].light = 0.4
        assert "locked" in looks(10, free=False)  # somebody plays: the picture must not wander now
        assert "settling" in looks(3, free=True)
        assert "locked" in looks(60, free=True)
        asked = [controls["AeEnable"] for controls in fake.made[0].controls if "AeEnable" in controls]
        assert asked == [False, True, False]


@stand_in
def test_a_lock_that_is_ignored_is_asked_for_again(fake: type[fake_picamera2.Picamera2]) -> None:
    fake.deaf = 1
    with open_camera(parse_source("pi")) as camera:
        for _ in range(80):
            read(camera)
        assert "locked" in camera.describe()
        asked = [controls for controls in fake.made[0].controls if "ExposureTime" in controls]
        assert len(asked) == 2
        assert asked[0]["ExposureTime"] == 20_000
        assert asked[0]["AeEnable"] is False


@stand_in
def test_a_camera_that_gives_no_frames_is_no_error_yet(camera: Camera) -> None:
    (inner,) = sys.modules["picamera2"].Picamera2.made
    inner.starved = True
    camera.read(0.0)
    assert camera.read(0.0) is None
    assert not camera.ended


@stand_in
@pytest.mark.parametrize(
    ("fails", "kind"),
    [
        (RuntimeError("Failed to acquire camera: Device or resource busy"), CameraTrouble.BUSY),
        (ValueError("numpy.dtype size changed, may indicate binary incompatibility"), CameraTrouble.NO_PICAMERA2),
    ],
)
def test_what_fails_at_the_start_is_named(
    fake: type[fake_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch, fails: Exception, kind: CameraTrouble
) -> None:
    def fail(*arguments: Any) -> None:
        raise fails

    if kind is CameraTrouble.BUSY:
        monkeypatch.setattr(fake, "__init__", fail)
    else:
        finder = types.SimpleNamespace(find_spec=fail)
        monkeypatch.delitem(sys.modules, "picamera2")
        monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source("pi"))
    assert raised.value.kind is kind


class Blind:
    """An eye that sees nothing."""

    def process(self, frame: Frame) -> list[Sighting]:
        return []


@real
def test_the_real_picamera2_takes_the_part_of_the_view() -> None:
    with open_camera(parse_source("pi", view=0.5)) as camera:
        read(camera)
        assert "the middle 50% of it" in camera.describe()
        crop = camera._camera._camsim_controls["ScalerCrop"]  # type: ignore[attr-defined]  # what libcamera was told
    assert (crop.x, crop.y, crop.width, crop.height) == (320, 180, 640, 360)


@real
def test_the_real_picamera2_shows_a_part_and_the_whole_again() -> None:
    with open_camera(parse_source("pi", size=(640, 360))) as camera:
        assert isinstance(camera, Aiming)
        whole = read(camera)
        camera.aim = (0.25, 0.125, 0.5, 0.5)
        frame = [read(camera) for _ in range(8)][-1]
        assert (whole.part, frame.part) == (WHOLE, (0.25, 0.125, 0.5, 0.5))
        assert whole.grey is not None
        assert frame.grey is not None
        for before, now in ((whole.image, frame.image), (whole.grey, frame.grey)):
            height, width = before.shape[:2]
            cut = before[height // 8 : height // 8 + height // 2, width // 4 : width // 4 + width // 2]
            assert np.abs(cut.astype(int) - now[::2, ::2]).mean() < 6  # the same table, twice as large
            assert np.abs(before.astype(int) - now).mean() > 12
        camera.aim = WHOLE
        assert [read(camera) for _ in range(8)][-1].part == WHOLE


@real
def test_the_real_camera_cannot_be_opened_twice(camera: Camera) -> None:
    read(camera)
    with pytest.raises(CameraError) as raised:
        open_camera(parse_source("pi"))
    assert raised.value.kind is CameraTrouble.BUSY
    read(camera)


@real
def test_the_real_camera_settles_anew_when_its_picture_gets_darker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exposure, "RELIGHT_S", 1.0)
    with open_camera(parse_source("pi:1")) as camera:  # some seconds of a bright table, then of a dark one
        assert isinstance(camera, Settling)
        camera.free = True

        def until(word: str) -> float:
            for _ in range(300):
                brightness = float(read(camera).image.mean())
                if word in camera.describe():
                    return brightness
            raise AssertionError(camera.describe())

        held = until("locked")
        other = until("settling")
        assert not 0.75 < other / held < 1.33
        until("locked")


@real
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_the_real_camera_comes_back_after_its_process_was_hit(sign: signal.Signals) -> None:
    said: queue.Queue[CameraHealth] = queue.Queue()
    policy = Supervision(heartbeat_limit_s=3.0, restart_delay_s=0.5)
    child = CameraChild(
        partial(open_camera, parse_source("pi")), Blind, lambda sighting, photo: None, said.put, policy=policy
    )
    child.start()
    try:
        for hits in range(3):
            while not (health := said.get(timeout=60.0)).watching or health.frames < 10:
                pass
            assert health.restarts >= hits
            assert child.pid is not None
            os.kill(child.pid, sign)
            while said.get(timeout=60.0).watching:
                pass
    finally:
        child.stop()
    assert child.health.trouble is None or child.health.trouble.code in ("crashed", "hang")
