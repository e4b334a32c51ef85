"""Pictures in files, as a frame has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Image

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""Endings of the files in a folder that count as pictures."""

_HEIC = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypmsf1")


class PictureError(ValueError):
    """A file cannot be read as a picture. The text is one line that names the file and what was expected."""


def load_picture(path: Path) -> Image:
    """The picture in a file, uint8 (h, w, 3) B, G, R, turned as its EXIF data say. Raises PictureError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: {error.strerror}; expected a photo") from None
    try:
        with silenced():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:  # more pixels than it takes
        raise PictureError(f"{path}: too large a picture; expected fewer than a thousand million pixels") from None
    if image is None and data[4:12] in _HEIC:
        raise PictureError(f"{path}: a HEIC picture; save it as JPEG (iPhone: Settings, Camera, Formats)")
    if image is None:
        raise PictureError(f"{path}: not a picture that can be read; expected JPEG, PNG or WebP, not cut off")
    return np.asarray(image, np.uint8)


@contextmanager
def silenced() -> Iterator[None]:
    """Nothing is written to the process's standard error: OpenCV, libpng and libjpeg would add lines of their own to
    ours about a damaged picture, and the latter two cannot be told not to."""
    try:
        kept = os.dup(2)
    except OSError:  # closed by whoever started the program
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
