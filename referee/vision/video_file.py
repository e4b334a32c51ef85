"""A video that is written whole or not at all: OpenCV says nothing of frames that found no room."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import cv2

from referee.durable import UNFINISHED
from referee.frame import Image
from referee.vision.picture_file import silenced

ROOM_BYTES = 4_000_000
"""Free space below which nothing more is written. Too small: frames are lost before anybody is told; too large: room
that is there stays unused."""


class VideoFile:
    """An MP4 that gets its name when it is complete.

    path: the file; its ending says which container. fps: frames a second. The first frame says how large all are.
    Every method raises ValueError in one line when the file cannot be written; then nothing of it is left, and one that
    had the name before is as it was.
    """

    def __init__(self, path: Path, fps: float) -> None:
        self._path, self._fps = path, fps
        self._part = path.with_name(f"{path.stem}{UNFINISHED}{path.suffix}")
        self._writer: cv2.VideoWriter | None = None
        self._frames = 0

    def write(self, image: Image) -> None:
        """Adds a frame, uint8 (h, w, 3) B, G, R."""
        if self._writer is None:
            self._writer = self._open(image.shape[1], image.shape[0])
        if shutil.disk_usage(self._path.parent).free < ROOM_BYTES:
            self.discard()
            raise ValueError(f"{self._path}: the disk is full; the video was removed")
        self._writer.write(image)
        self._frames += 1

    def close(self) -> None:
        """Completes the file. Without a frame there is none. May be called twice."""
        if self._writer is None:
            return
        self._writer.release()
        with silenced():
            video = cv2.VideoCapture(str(self._part), cv2.CAP_FFMPEG)
            kept = video.get(cv2.CAP_PROP_FRAME_COUNT) if video.isOpened() else 0
            video.release()
        try:
            if kept < self._frames:
                raise ValueError(f"{self._path}: could not be written whole (is the disk full?); the video was removed")
            self._part.replace(self._path)
        except OSError as error:
            raise ValueError(f"{self._path}: cannot be written: {error.strerror}; name another file") from None
        finally:
            self.discard()

    def discard(self) -> None:
        """Leaves nothing of a file that was not completed."""
        if self._writer is not None:
            self._writer.release()
            self._writer = None
            self._remove()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self._part.unlink(missing_ok=True)

    def _open(self, width: int, height: int) -> cv2.VideoWriter:
        code = cv2.VideoWriter.fourcc(*"mp4v")
        writer = cv2.VideoWriter(str(self._part), cv2.CAP_FFMPEG, code, self._fps, (width, height))
        if not writer.isOpened():
            self._remove()
            raise ValueError(
                f"{self._path}: cannot be written as a video; name a file that ends in .mp4, where there is room"
            )
        return writer
