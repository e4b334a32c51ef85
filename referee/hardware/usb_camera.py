"""USB cameras through V4L2 and OpenCV."""

from __future__ import annotations

import fcntl
import os
import struct
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Frame, Image
from referee.hardware.cameras import Camera, CameraError, CameraSpec, CameraTrouble, Settling, middle_of
from referee.hardware.exposure import LightWatch, Steady, mean_colour

SETTLE_S = 3.0
"""Seconds before exposure and white balance are locked, once the picture stands still. Too small: locked in a pause of
the search; too large: the first cards are judged while the picture still changes."""

SETTLE_LIMIT_S = 8.0
"""Seconds after which they are locked even if the picture still wanders. Too small: locked in the middle of the search;
too large: where people move all the time, nothing is ever locked."""

MAX_LAG_S = 5.0
"""A driver's timestamp older than this many seconds is not believed. Too small: a slow start loses exact times; too
large: a driver that counts on another clock shifts every event."""

_QUERYCAP = 0x80685600  # VIDIOC_QUERYCAP, linux/videodev2.h
_CAPTURE = 0x00000001  # V4L2_CAP_VIDEO_CAPTURE
_CAPTURE_MPLANE = 0x00001000  # V4L2_CAP_VIDEO_CAPTURE_MPLANE
_DEVICE_CAPS = 0x80000000  # V4L2_CAP_DEVICE_CAPS
_AUTO_EXPOSURE_MANUAL = 1  # V4L2_EXPOSURE_MANUAL, linux/v4l2-controls.h
_SET_CONTROL = 0xC008561C  # VIDIOC_S_CTRL, struct v4l2_control: id, value
_POWER_LINE_FREQUENCY = 0x00980918  # V4L2_CID_POWER_LINE_FREQUENCY: 1 for 50 Hz, 2 for 60 Hz


@dataclass(frozen=True, slots=True)
class VideoDevice:
    """A video device of the kernel. name: what the driver calls it; captures: it gives pictures (a Pi has many
    `/dev/video*` that decode or scale instead)."""

    path: str
    name: str
    captures: bool


def query_device(path: str) -> VideoDevice:
    """What the kernel says about a device. Raises CameraError (NOT_FOUND, NO_PERMISSION, BUSY)."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise CameraError(CameraTrouble.NOT_FOUND, f"there is no camera {path}", _which_are_there()) from None
    except PermissionError:
        raise CameraError(
            CameraTrouble.NO_PERMISSION,
            f"this user may not open {path}",
            "Run: sudo usermod -aG video $USER, then log in again (or restart the service)",
        ) from None
    except OSError as error:
        raise CameraError(CameraTrouble.BUSY, f"{path} cannot be opened ({error.strerror})", _who_holds(path)) from None
    try:
        reply = fcntl.ioctl(fd, _QUERYCAP, bytes(104))
    except OSError:
        return VideoDevice(path, "not a video device", False)
    finally:
        os.close(fd)
    # struct v4l2_capability: driver[16], card[32], bus_info[32], version, capabilities, device_caps, reserved[3]
    card, capabilities, device_caps = struct.unpack_from("<16x32s32x4xII", reply)
    caps = device_caps if capabilities & _DEVICE_CAPS else capabilities
    name = card.split(b"\0")[0].decode(errors="replace")
    return VideoDevice(path, name, bool(caps & (_CAPTURE | _CAPTURE_MPLANE)))


def list_devices() -> list[VideoDevice]:
    """Every video device that can be asked and gives pictures, by number."""
    found = []
    for path in sorted(Path("/dev").glob("video*"), key=lambda p: (len(p.name), p.name)):
        try:
            device = query_device(str(path))
        except CameraError:
            continue
        if device.captures:
            found.append(device)
    return found


def _which_are_there() -> str:
    names = [f"{device.path} ({device.name})" for device in list_devices()]
    return f"Found: {', '.join(names)}" if names else "Plug the camera in; `referee doctor` lists what is found"


def _who_holds(path: str) -> str:
    """The processes that have the device open, as far as this user may know."""
    holders = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.name != str(os.getpid()) and any(os.path.realpath(fd) == path for fd in process.glob("fd/*")):
                holders.append(f"{process.joinpath('comm').read_text().strip()} (process {process.name})")
        except OSError:
            continue
    who = ", ".join(holders) if holders else f"another program (sudo fuser -v {path} names it)"
    return f"Close {who}, or unplug the camera and plug it in again"


def _tell_mains(path: str, mains_hz: int) -> None:
    """Lets the camera choose exposures that lamps do not make flicker, if its driver knows of lamps."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    try:
        fcntl.ioctl(fd, _SET_CONTROL, struct.pack("=Ii", _POWER_LINE_FREQUENCY, 1 if mains_hz == 50 else 2))
    except OSError:
        return  # most cameras do; the others search by themselves
    finally:
        os.close(fd)


def open_it(spec: CameraSpec) -> Camera:
    """The USB camera that `spec` names. Raises CameraError."""
    return UsbCamera(spec)


class UsbCamera(Settling):
    """A V4L2 camera. Exposure, white balance and focus are locked once they stand still, as far as the driver
    can.

    `read` waits as long as OpenCV does: 10 s unless OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT was set before OpenCV was
    imported (`camera_child` sets it), whatever `timeout_s` says.
    """

    live = True
    ended = False

    def __init__(self, spec: CameraSpec) -> None:
        self._path = os.path.realpath(spec.where)  # /dev/v4l/by-id/... is a link
        device = query_device(self._path)
        if not device.captures:
            what = f"{self._path} ({device.name}) gives no pictures"
            raise CameraError(CameraTrouble.NOT_FOUND, what, _which_are_there())
        self._name = device.name
        self._capture = cv2.VideoCapture(self._path, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(CameraTrouble.BUSY, f"{self._path} ({device.name}) is in use", _who_holds(self._path))
        self._size, self._view = spec.size, spec.view
        # Where only the middle is wanted, it is cut out of a larger picture, as far as the driver has one.
        width, height = (round(side / spec.view) for side in spec.size)
        # MJPG first: raw YUYV does not fit through USB 2 at 1280x720 and 15 frames/s.
        for setting, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
            (cv2.CAP_PROP_FRAME_WIDTH, width),
            (cv2.CAP_PROP_FRAME_HEIGHT, height),
            (cv2.CAP_PROP_FPS, spec.fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._capture.set(setting, value)
        self._seq = 0
        self._last_t = 0.0
        _tell_mains(self._path, spec.mains_hz)
        self._automatic = self._capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        self._began, self._steady = time.monotonic(), Steady()
        self._locked: list[str] | None = None
        self._light = LightWatch()

    def read(self, timeout_s: float) -> Frame | None:
        ok, image = self._capture.read()
        if not ok:
            if not Path(self._path).exists():
                raise CameraError(
                    CameraTrouble.UNPLUGGED, f"the camera {self._path} ({self._name}) was unplugged", "Plug it in again"
                )
            return None
        now = time.monotonic()
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        t = stamp if now - MAX_LAG_S < stamp <= now and stamp > self._last_t else now
        frame = Frame(self._middle(np.asarray(image, np.uint8)), self._seq, t)
        self._seq, self._last_t = self._seq + 1, t
        self._hold_exposure(mean_colour(frame.image), now)
        return frame

    def _hold_exposure(self, mean: tuple[float, float, float], now: float) -> None:
        """Locks exposure and colour once the picture stands still, and lets go of them in another light."""
        if self._locked is None:
            steady = self._steady.add(mean)
            if now - self._began >= (SETTLE_S if steady else SETTLE_LIMIT_S):
                self._locked = self._lock()
                self._light.locked()
        elif self._locked and self._light.changed(mean, now, self.free):
            self._let_go()

    def _middle(self, image: Image) -> Image:
        if self._view == 1.0:
            return image
        height, width = image.shape[:2]
        x, y, w, h = middle_of((0, 0, width, height), self._size, self._view)
        return cv2.resize(image[y : y + h, x : x + w], self._size, interpolation=cv2.INTER_AREA).astype(np.uint8)

    def _let_go(self) -> None:
        """The light has changed for good: exposure and white balance search again, and are locked after a while."""
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._locked, self._began, self._steady = None, time.monotonic(), Steady()

    def _lock(self) -> list[str]:
        """Freezes what the camera has settled on; the names of what the driver let us freeze."""
        locked = []
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE_MANUAL):
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
            locked.append("exposure")
        if self._capture.set(cv2.CAP_PROP_AUTO_WB, 0):
            locked.append("white balance")
        if self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0):
            locked.append("focus")
        return locked

    def close(self) -> None:
        self._capture.release()

    def describe(self) -> str:
        if self._locked is None:
            locked = "settling"
        else:
            locked = f"locked: {', '.join(self._locked)}" if self._locked else "the driver locks nothing"
        width, height, fps = (
            self._capture.get(p) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS)
        )
        part = "" if self._view == 1.0 else f", its middle {self._view:.0%} as {self._size[0]}x{self._size[1]}"
        return f"USB camera {self._path} ({self._name}), {width:g}x{height:g} at {fps:g} frames/s{part}, {locked}"
