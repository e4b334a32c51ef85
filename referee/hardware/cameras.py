"""Cameras behind one protocol: the Pi's, USB cameras, video files and folders of pictures.

    with open_camera(parse_source("usb:0")) as camera:
        for frame in frames(camera):
            ...

What can go wrong has a name (`CameraTrouble`) and a remedy; `CameraError` carries both.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import TracebackType
from typing import Protocol, Self

from referee.frame import WHOLE, Frame, Part
from referee.paths import written


class CameraTrouble(Enum):
    """Why there is no picture. The value is its name in logs and on the wire."""

    NOT_FOUND = "not_found"
    """No such camera, file or folder."""
    BUSY = "busy"
    """Another program holds the camera."""
    NO_PERMISSION = "no_permission"
    """The user may not open the device or the file."""
    NO_PICAMERA2 = "no_picamera2"
    """The Pi's camera library is missing or does not import."""
    UNPLUGGED = "unplugged"
    """The camera went away in mid-run."""
    HANG = "hang"
    """The camera is open and gives no frames."""
    UNREADABLE = "unreadable"
    """The file is no video, or the folder holds no pictures."""


class CameraError(Exception):
    """A camera cannot be used. kind: why; what: one line saying what is wrong; remedy: what to do about it."""

    def __init__(self, kind: CameraTrouble, what: str, remedy: str) -> None:
        super().__init__(kind, what, remedy)
        self.kind, self.what, self.remedy = kind, what, remedy

    def __str__(self) -> str:
        return f"{self.what}. {self.remedy}"


class Camera(Protocol):
    """A source of frames. Not thread-safe: one thread reads and closes."""

    @property
    def live(self) -> bool:
        """True when frames come at the camera's pace and are lost unless read; False for a recording."""

    @property
    def ended(self) -> bool:
        """True once a recording has given its last frame. A live camera never ends."""

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame; None when none came in time or the recording has ended (`ended` tells which).

        `Frame.t` is seconds on the machine's monotonic clock for a live camera, seconds since its start for a
        recording. Raises CameraError (UNPLUGGED, UNREADABLE).
        """

    def close(self) -> None:
        """Gives the device back. May be called twice. A Pi camera may hang here: see `camera_child`."""

    def describe(self) -> str:
        """One line for people: which camera, size, rate, and what of exposure and focus is locked."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Closes."""


PATIENCE_S = 10.0
"""Seconds without a frame after which a live camera counts as gone."""


def frames(camera: Camera) -> Iterator[Frame]:
    """Every frame of an open camera until it ends. Raises CameraError, also when a live one gives none (HANG)."""
    while not camera.ended:
        frame = camera.read(PATIENCE_S)
        if frame is not None:
            yield frame
        elif camera.live:
            what = f"{camera.describe()}: no frame for {PATIENCE_S:g} s"
            raise CameraError(CameraTrouble.HANG, what, "Check the cable")


class Closing:
    """`with` support for whatever has `close()`."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


class Settling(Closing):
    """A camera that holds its exposure and colour, and settles anew when the light has changed for good.

    free: whoever looks at the frames says whether nothing but the table is in view; only then does it settle anew,
    because the picture wanders meanwhile.
    """

    free = False


class Aiming(Settling):
    """A camera that can show a part of its view, larger.

    aim: the part that it is to show from some frame soon on; set from any thread. `Frame.part` says what a frame shows.
    """

    aim: Part = WHOLE


class CameraKind(Enum):
    """The kinds of camera. The value is how messages name it."""

    PI = "Pi camera"
    USB = "USB camera"
    VIDEO = "video file"
    FOLDER = "folder of pictures"


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """Which camera, and how it is to be set.

    where: the Pi camera's number, the device path, the file or the folder. size: (width, height), pixels; fps: frames
    a second, for a folder the rate its pictures were taken at; a video file has its own size and rate.
    distance_m: from the lens to the table, metres, 0.1 to 10, for a Pi camera with a focus motor; None leaves the
    lens where it is. mains_hz: 50 or 60, so that exposures match the flicker of lamps. view: 0.2 to 1, the middle part
    of its view that a Pi or USB camera uses: less than 1 shows cards larger where the table does not fill the view.
    """

    kind: CameraKind
    where: str
    size: tuple[int, int] = (1280, 720)
    fps: float = 15.0
    distance_m: float | None = None
    mains_hz: int = 50
    view: float = 1.0

    def __post_init__(self) -> None:
        width, height = self.size
        if not (160 <= width <= 4608 and 120 <= height <= 2592):
            raise ValueError(f"camera size is {width}x{height}: expected 160x120 to 4608x2592")
        if not 1 <= self.fps <= 120:
            raise ValueError(f"camera fps is {self.fps}: expected 1 to 120")
        if self.distance_m is not None and not 0.1 <= self.distance_m <= 10:
            raise ValueError(f"camera distance is {self.distance_m} m: expected 0.1 to 10")
        if self.mains_hz not in (50, 60):
            raise ValueError(f"mains_hz is {self.mains_hz}: expected 50 or 60")
        if not 0.2 <= self.view <= 1.0:
            raise ValueError(f"camera view is {self.view}: expected 0.2 to 1")


def middle_of(full: tuple[int, int, int, int], size: tuple[int, int], view: float) -> tuple[int, int, int, int]:
    """The middle part of what a camera sees, in the proportions of the picture. x, y, even width and height, pixels.

    full: all that it sees, as x, y, width, height. size: of the picture. view: as in `CameraSpec`.
    """
    x, y, w, h = full
    width, height = size
    used = min(w, h * width / height) * view
    part = int(used) & ~1, int(used * height / width) & ~1
    return x + (w - part[0]) // 2, y + (h - part[1]) // 2, *part


_MODULES: Mapping[CameraKind, str] = {
    CameraKind.PI: "pi_camera",
    CameraKind.USB: "usb_camera",
    CameraKind.VIDEO: "recordings",
    CameraKind.FOLDER: "recordings",
}


def parse_source(text: str, **settings: object) -> CameraSpec:
    """The camera meant by `pi`, `pi:1`, `usb:0`, `/dev/video0`, a video file or a folder of pictures.

    settings: further fields of `CameraSpec`. Raises CameraError NOT_FOUND when it is none of these.
    """
    kind, where = _kind_of(text.strip())
    return CameraSpec(kind, where, **settings)  # type: ignore[arg-type]


def _kind_of(text: str) -> tuple[CameraKind, str]:
    name, _, number = text.partition(":")
    if name == "pi" and (number or "0").isdigit():
        return CameraKind.PI, number or "0"
    if name == "usb" and (number or "0").isdigit():
        return CameraKind.USB, f"/dev/video{number or '0'}"
    if text.startswith("/dev/"):
        return CameraKind.USB, text
    path = written(text)
    if text and path.is_dir():
        return CameraKind.FOLDER, str(path)
    if path.is_file():
        return CameraKind.VIDEO, str(path)
    raise CameraError(
        CameraTrouble.NOT_FOUND,
        f"there is no camera, file or folder {text!r}",
        "Write pi, usb:0, /dev/video0, or the path of a video file or of a folder of pictures",
    )


def open_live(spec: CameraSpec) -> Camera:
    """The camera for a game that is played now: a recording gives its frames at its own speed. Raises CameraError."""
    camera = open_camera(spec)
    return camera if camera.live else Paced(camera)


class Paced(Closing):
    """A recording as if it happened now: frames come at their time, which is on the machine's monotonic clock."""

    live = True

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._start: float | None = None
        self._next: Frame | None = None

    @property
    def ended(self) -> bool:
        """True once the last frame was given."""
        return self._camera.ended and self._next is None

    def read(self, timeout_s: float) -> Frame | None:
        if self._next is None:
            self._next = self._camera.read(timeout_s)
        if self._next is None:
            return None
        now = time.monotonic()
        if self._start is None:
            self._start = now - self._next.t
        t = self._start + self._next.t
        time.sleep(max(0.0, min(t - now, timeout_s)))
        if t > now + timeout_s:
            return None
        frame, self._next = replace(self._next, t=t), None
        return frame

    def close(self) -> None:
        self._next = None
        self._camera.close()

    def describe(self) -> str:
        return f"{self._camera.describe()}, at its own speed"


def open_camera(spec: CameraSpec) -> Camera:
    """The camera, open and giving frames. Raises CameraError."""
    opener: Callable[[CameraSpec], Camera] = importlib.import_module(f"referee.hardware.{_MODULES[spec.kind]}").open_it
    return opener(spec)
