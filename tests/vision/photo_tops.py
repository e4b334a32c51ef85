"""Photographs as the tops of simulated tables: `many_tables.py --tops ../shared/data/backgrounds`.

Wood, stone, cloth, leather, rooms and faces: patterns and colours that no drawn table top has. The networks of stills
learnt on scenes with some of them; what finds hands, changes of light and bumps of the camera has seen none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from referee.frame import Frame, Image
from referee.virtual_table import render


def photo_tops(folder: Path) -> list[Path]:
    """The photographs below the folder, in order. Raises FileNotFoundError where there is none."""
    found = sorted(folder.rglob("*.jpg"))
    if not found:
        raise FileNotFoundError(f"{folder} holds no .jpg: give a folder of photographs with --tops")
    return found


def on_top(path: Path, frames: Iterator[Frame]) -> Iterator[Frame]:
    """The frames of a simulated table, rendered with this photograph as its top."""

    def top(_kind: str, _seed: int, width: int, height: int) -> Image:
        return _filling(path, width, height)

    while True:
        with mock.patch.object(render, "table_top", top):
            frame = next(frames, None)
        if frame is None:
            return
        yield frame


def _filling(path: Path, width: int, height: int) -> Image:
    """The middle of the photograph, as large as it fills so many pixels: uint8 (height, width, 3)."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} is no picture that OpenCV reads: remove it from the folder of --tops")
    scale = max(width / image.shape[1], height / image.shape[0])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=method)
    y, x = (image.shape[0] - height) // 2, (image.shape[1] - width) // 2
    return np.ascontiguousarray(image[y : y + height, x : x + width], np.uint8)
