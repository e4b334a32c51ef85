"""The Pi's own camera through picamera2 and libcamera.

Two streams: `main` is read by the eye, the Y plane of `lores` is the grey image for motion, which the camera gives for
free. The sensor mode is chosen by name so that the camera sees its full view. Exposure and colour are locked once they
have settled, and the lock is verified in the frames' metadata. See docs/hardware-tests.md for what ran where.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from referee.frame import WHOLE, Frame, Image, Part
from referee.hardware.cameras import Aiming, Camera, CameraError, CameraSpec, CameraTrouble, middle_of
from referee.hardware.exposure import (
    Convergence,
    LightWatch,
    flicker_period_us,
    is_locked,
    lock_controls,
    mean_colour,
)
from referee.hardware.parts import Rect, no_smaller, part_of, rect_of

FULL_VIEW: Mapping[str, tuple[tuple[int, int], int]] = {
    "imx708": ((2304, 1296), 10),
    "imx219": ((1640, 1232), 10),
    "imx477": ((2028, 1520), 12),
    "ov5647": ((1296, 972), 10),
}
"""For each sensor the binned mode that sees its full view: (width, height), bit depth. Without it libcamera may choose
a mode that sees two thirds of the table. A sensor that is not listed gets libcamera's choice; `describe` says so."""

BINNED = 2
"""Pixels of the sensor, across and down, that one of these modes makes into one."""

BUFFERS = 4
"""Frame buffers. Too few: frames are lost while one is read; too many: the contiguous memory of a small Pi runs out
(picamera2 issue 1358)."""

SETTLE_LIMIT_S = 6.0
"""Seconds after which exposure is locked even if it still wanders. Too small: locked in the middle of the search; too
large: flickering light keeps the picture changing."""

VERIFY_FRAMES = 20
"""Frames within which the lock must show in the metadata; otherwise it is asked for again. Too small: libcamera's own
delay of several frames looks like refusal; too large: an unlocked camera is noticed late."""

DEVICES = ("media*", "dma_heap/*")
"""What libcamera opens, under /dev."""

APT = "Run: sudo apt install python3-picamera2, then make the environment again: rm -r .venv and ./run"


def open_it(spec: CameraSpec) -> Camera:
    """The Pi camera that `spec` names. Raises CameraError."""
    return PiCamera(spec)


def _picamera2() -> Any:
    """The class Picamera2."""
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:WARN")
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(CameraTrouble.NO_PICAMERA2, f"the Pi's camera library is missing ({error})", APT) from error
    except ValueError as error:  # apt's simplejpeg is built for numpy 1 on bookworm (picamera2 issues 1088, 1211)
        raise CameraError(
            CameraTrouble.NO_PICAMERA2,
            f"the Pi's camera library does not fit this numpy ({error})",
            "Make the environment again with ./run, which holds numpy below 2 on bookworm",
        ) from error
    return Picamera2


def list_cameras() -> list[str]:
    """Model of every camera that libcamera knows, by number. Raises CameraError NO_PICAMERA2."""
    return [str(info.get("Model", "?")) for info in _picamera2().global_camera_info()]


class PiCamera(Aiming):
    """A camera on libcamera. `close` may hang for ever (picamera2 issues 1065, 1264): use it in a process that can be
    killed, as `camera_child` does."""

    live = True
    ended = False

    def __init__(self, spec: CameraSpec) -> None:
        models = list_cameras()
        number = int(spec.where)
        if number >= len(models):
            _check_rights()  # libcamera leaves out what it may not open
            found = ", ".join(f"pi:{i} ({model})" for i, model in enumerate(models)) or "none"
            raise CameraError(
                CameraTrouble.NOT_FOUND,
                f"the Pi has no camera {number} (found: {found})",
                "Check the ribbon cable with the Pi switched off; `rpicam-hello --list-cameras` must show it",
            )
        self._model, self._spec = models[number], spec
        self._camera = _open(number)
        self._job: Any = None
        self._seq = 0
        self._started = time.monotonic()
        self._convergence, self._light = Convergence(), LightWatch()
        self._wanted: dict[str, Any] | None = None
        self._asked_at = 0
        self.locked = False
        self._whole: Rect | None = None
        self._aimed = self._shown = WHOLE
        try:
            self._start()
        except BaseException:
            with contextlib.suppress(Exception):
                self._camera.close()
            raise

    def _start(self) -> None:
        width, height = self._spec.size
        frame_us = round(1_000_000 / self._spec.fps)
        controls: dict[str, Any] = {"FrameDurationLimits": (frame_us, frame_us)}
        known = self._camera.camera_controls
        if "AeFlickerMode" in known and "AeFlickerPeriod" in known:
            controls |= {"AeFlickerMode": 1, "AeFlickerPeriod": flicker_period_us(self._spec.mains_hz)}
        mode = FULL_VIEW.get(self._model)
        sensor = {} if mode is None else {"sensor": {"output_size": mode[0], "bit_depth": mode[1]}}
        config = self._camera.create_video_configuration(
            main={"size": (width, height), "format": "RGB888"},  # B, G, R in memory (picamera2 issue 848)
            lores={"size": (width // 2 & ~1, height // 2 & ~1), "format": "YUV420"},
            controls=controls,
            buffer_count=BUFFERS,
            **sensor,
        )
        self._camera.configure(config)
        self._lores: tuple[int, int] = config["lores"]["size"]  # what libcamera gives, which may be another
        self._camera.start()
        self._part = self._spec.view < 1.0 and "ScalerCrop" in known
        if self._part:
            largest = known["ScalerCrop"][1]
            self._whole = middle_of(largest, self._spec.size, self._spec.view)
            self._camera.set_controls({"ScalerCrop": self._whole})
        # After the start, because focus that is set before it can be lost (picamera2 issue 800).
        if self._spec.distance_m is not None and "LensPosition" in known:
            self._camera.set_controls({"AfMode": 0, "LensPosition": 1.0 / self._spec.distance_m})

    def read(self, timeout_s: float) -> Frame | None:
        # A job that was given up would later keep a buffer for ever, so one that timed out is waited for again.
        if self._job is None:
            self._job = self._camera.capture_request(wait=False)
        try:
            request = self._job.get_result(timeout=timeout_s)
        except TimeoutError:
            return None
        self._job = None
        try:
            main, lores = request.make_array("main"), request.make_array("lores")
            metadata = request.get_metadata()
        finally:
            request.release()
        frame = Frame(_bgr(main), self._seq, self._time_of(metadata), self._grey(lores), self._part_of(metadata))
        self._seq += 1
        self._turn(frame.part)
        self._hold_exposure(metadata)
        if self.locked and self._light.changed(mean_colour(frame.image), frame.t, self.free):
            self._let_go()
        return frame

    def _part_of(self, metadata: Mapping[str, Any]) -> Part | None:
        """What the frame shows, by its own word: a crop that was asked for comes some frames later, and rounded. The
        first frame shows all, in the sensor mode that libcamera chose."""
        crop = metadata.get("ScalerCrop")
        if crop is None:
            return None
        if self._whole is None:
            x, y, width, height = crop
            self._whole = (x, y, width, height)
        return part_of(crop, self._whole)

    def _turn(self, shown: Part | None) -> None:
        """Asks for the part that is wanted, as far as the sensor has pixels for it."""
        if shown is None or self._whole is None:
            return
        if shown != self._shown:
            self._shown = shown
            self._light.locked()  # other things are in the picture now: no other light
        if self.aim != self._aimed:
            self._aimed = self.aim
            binned = BINNED if self._model in FULL_VIEW else 1
            part = no_smaller(self.aim, binned * self._spec.size[0] / self._whole[2])
            self._camera.set_controls({"ScalerCrop": rect_of(part, self._whole)})

    def _let_go(self) -> None:
        """The light has changed for good: the camera searches again, and is locked when it has settled."""
        self.locked, self._wanted, self._convergence = False, None, Convergence()
        self._started = time.monotonic()
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0})

    def _grey(self, yuv: Any) -> Image:
        """The Y plane: the first `height` rows, without the padding of the stride."""
        width, height = self._lores
        return np.ascontiguousarray(np.asarray(yuv, np.uint8)[:height, :width])

    def _time_of(self, metadata: Mapping[str, Any]) -> float:
        """When the sensor began the frame, on the monotonic clock.

        SensorTimestamp counts nanoseconds of CLOCK_BOOTTIME, which differs by the time spent suspended."""
        now = time.monotonic()
        stamp = metadata.get("SensorTimestamp")
        if not stamp:
            return now
        t = stamp / 1e9 - (time.clock_gettime(time.CLOCK_BOOTTIME) - now)
        return t if now - 5.0 < t <= now else now

    def _hold_exposure(self, metadata: Mapping[str, Any]) -> None:
        """Locks exposure and colour once they have settled, and asks again until the frames show it."""
        if self.locked:
            return
        if self._wanted is None:
            late = time.monotonic() - self._started > SETTLE_LIMIT_S and "ColourGains" in metadata
            if not self._convergence.settled(metadata) and not late:
                return
            self._wanted = lock_controls(metadata, self._spec.mains_hz, round(1_000_000 / self._spec.fps))
        elif is_locked(metadata, self._wanted):
            self.locked = True
            self._light.locked()
            return
        elif self._seq - self._asked_at < VERIFY_FRAMES:
            return
        self._asked_at = self._seq
        self._camera.set_controls(self._wanted)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()

    def describe(self) -> str:
        width, height = self._spec.size
        view = "full view" if self._model in FULL_VIEW else "the view that libcamera chose"
        if self._spec.view < 1.0:
            part = f"the middle {self._spec.view:.0%} of it"
            view += f", {part}" if self._part else f" (this camera cannot show {part} alone)"
        if self._shown != WHOLE:
            view += f", {1 / self._shown[2]:.1f} times as large about the piles"
        locked = "exposure and colour locked" if self.locked else "exposure settling"
        return f"Pi camera {self._model}, {width}x{height} at {self._spec.fps:g} frames/s, {view}, {locked}"


def _open(number: int) -> Any:
    try:
        return _picamera2()(number)
    except CameraError:
        raise
    except (RuntimeError, IndexError) as error:
        _check_rights()
        raise CameraError(
            CameraTrouble.BUSY,
            f"the Pi's camera {number} cannot be opened ({error})",
            "Close the other program that uses it (rpicam-hello, motion, another referee)",
        ) from error


def _check_rights() -> None:
    """Raises CameraError NO_PERMISSION when the kernel has devices for libcamera that this user may not open."""
    devices = [device for pattern in DEVICES for device in Path("/dev").glob(pattern)]
    if not all(os.access(device, os.R_OK | os.W_OK) for device in devices):
        raise CameraError(
            CameraTrouble.NO_PERMISSION,
            "this user may not use the Pi's camera",
            "Run: sudo usermod -aG video,render $USER, then log in again (or restart the service)",
        )


def _bgr(array: Any) -> Image:
    image = np.asarray(array, np.uint8)
    return np.ascontiguousarray(image[:, :, :3])
