"""Recordings as cameras: a video file, or a folder of pictures in the order of their names."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Frame
from referee.hardware.cameras import Camera, CameraError, CameraKind, CameraSpec, CameraTrouble, Closing
from referee.vision.picture_file import ENDINGS, PictureError, load_picture

log = logging.getLogger(__name__)

CUT_OFF_S = 1.0
"""Seconds of the length a video file says it has, after its last picture, from which on it counts as cut off. Smaller,
and sound that goes on after the pictures would make it so; larger, and a cut near the end goes unnoticed."""


def open_it(spec: CameraSpec) -> Camera:
    """The recording that `spec` names. Raises CameraError."""
    return VideoFile(spec) if spec.kind is CameraKind.VIDEO else PictureFolder(spec)


def _need_readable(path: Path) -> None:
    if not path.exists():
        raise CameraError(CameraTrouble.NOT_FOUND, f"{path} does not exist", "Check the path")
    try:
        if path.is_file():
            with path.open("rb"):
                pass
        else:
            next(path.iterdir(), None)
    except PermissionError:
        raise CameraError(
            CameraTrouble.NO_PERMISSION, f"{path} may not be read by this user", f"Run: chmod +rX {path}"
        ) from None


class VideoFile(Closing):
    """A video file. `Frame.t` comes from the container's timestamps, `Frame.seq` counts its frames."""

    live = False

    def __init__(self, spec: CameraSpec) -> None:
        self._path = Path(spec.where)
        _need_readable(self._path)
        self._capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(
                CameraTrouble.UNREADABLE,
                f"{self._path} is not a video that OpenCV can read",
                "Use an MP4, MKV or AVI file; `ffprobe FILE` shows what it holds",
            )
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or spec.fps
        self._seq = 0
        self._t = 0.0
        self._first_t: float | None = None
        self.ended = False

    def read(self, timeout_s: float) -> Frame | None:
        if self.ended:
            return None
        ok, image = self._capture.read()
        if not ok:
            if self._seq == 0:
                raise CameraError(
                    CameraTrouble.UNREADABLE,
                    f"{self._path} holds no picture",
                    "The recording may be cut off: copy it again",
                )
            self.ended = True
            self._say_if_cut_off()
            return None
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        self._first_t = stamp if self._first_t is None else self._first_t
        t = stamp - self._first_t
        if self._seq and t <= self._t:  # containers without timestamps say 0 for every frame
            t = self._t + 1.0 / self._fps
        frame = Frame(np.asarray(image, np.uint8), self._seq, t)
        self._t, self._seq = t, self._seq + 1
        return frame

    def _say_if_cut_off(self) -> None:
        says = self._capture.get(cv2.CAP_PROP_FRAME_COUNT) / self._fps  # 0 or less where the file does not say
        holds = (self._first_t or 0.0) + self._t + 1.0 / self._fps
        if says - holds > CUT_OFF_S:
            log.warning("%s ends after %.1f s of %.1f s: it may be cut off, copy it again", self._path, holds, says)

    def close(self) -> None:
        self.ended = True
        self._capture.release()

    def describe(self) -> str:
        width, height = (int(self._capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        return f"video file {self._path.name}, {width}x{height} at {self._fps:g} frames/s"


class PictureFolder(Closing):
    """A folder of pictures, `spec.fps` of them a second, sorted by name with numbers in order (2 before 10)."""

    live = False

    def __init__(self, spec: CameraSpec) -> None:
        self._folder = Path(spec.where)
        _need_readable(self._folder)
        self._files = sorted(filter(_is_picture, self._folder.iterdir()), key=_natural)
        if not self._files:
            raise CameraError(
                CameraTrouble.UNREADABLE,
                f"the folder {self._folder} holds no pictures",
                f"Put frames there, ending in {', '.join(sorted(ENDINGS))}",
            )
        self._fps = spec.fps
        self._seq = 0

    @property
    def ended(self) -> bool:
        return self._seq >= len(self._files)

    def read(self, timeout_s: float) -> Frame | None:
        if self.ended:
            return None
        path = self._files[self._seq]
        try:
            image = load_picture(path)
        except PictureError as error:
            raise CameraError(CameraTrouble.UNREADABLE, str(error), "Remove it or save it again") from None
        frame = Frame(image, self._seq, self._seq / self._fps, name=path.name)
        self._seq += 1
        return frame

    def close(self) -> None:
        self._seq = len(self._files)

    def describe(self) -> str:
        return f"folder {self._folder.name}, {len(self._files)} pictures at {self._fps:g} frames/s"


def _is_picture(path: Path) -> bool:
    """Is it a frame? Hidden files are not: macOS and file managers leave some beside pictures, named like them."""
    return path.suffix.lower() in ENDINGS and not path.name.startswith(".")


def _natural(path: Path) -> list[tuple[int, int | str]]:
    parts = re.split(r"(\d+)", path.name.lower())
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]
