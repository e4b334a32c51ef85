"""Pictures that go with sightings: the discard pile before and after, side by side, as one small JPEG."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from referee.frame import Frame, Image
from referee.observations import CardLanded, CardRemoved, PileTaken, Sighting

Crop = tuple[int, int, int, int]
"""x, y, width, height in pixels of a frame that shows the camera's whole view."""

MAX_SIDE = 640
"""Longest side of one of the two pictures, pixels. Too small: the cards cannot be read on a phone; too large: the
evidence of an evening fills the card."""

QUALITY = 80
"""JPEG quality, 0 to 100. Too small: blocks hide the corner symbols; too large: as with `MAX_SIDE`."""

EVERY_S = 0.3
"""Seconds between pictures kept for "before". Too small: memory and copying; too large: "before" is an older pile."""

KEEP_S = 8.0
"""Seconds that they are kept. Too small: a slow hand covers all of them; too large: memory."""

MARGIN_S = 0.2
"""How long before the first contact "before" was taken. Too small: the card is already in it; too large: as above."""

_GAP = 6  # pixels of white between the two pictures


@dataclass(frozen=True, slots=True)
class _Kept:
    t: float
    image: Image


class Evidence:
    """Keeps the last seconds of the discard zone. crop: the zone, or None for the whole frame."""

    def __init__(self, crop: Crop | None = None) -> None:
        if crop is not None and (min(crop) < 0 or crop[2] < 1 or crop[3] < 1):
            raise ValueError(f"the evidence crop is {crop}: expected x, y, width, height in pixels")
        self._crop = crop
        self._kept: deque[_Kept] = deque()

    def keep(self, frame: Frame) -> None:
        """Takes a frame as it comes; keeps one every `EVERY_S`."""
        if self._kept and frame.t - self._kept[-1].t < EVERY_S:
            return
        while self._kept and frame.t - self._kept[0].t > KEEP_S:
            self._kept.popleft()
        self._kept.append(_Kept(frame.t, self._cut(frame)))

    def photo(self, sighting: Sighting, frame: Frame) -> bytes | None:
        """The JPEG for a sighting that was decided on `frame`; None for sightings that need none."""
        if not isinstance(sighting, CardLanded | CardRemoved | PileTaken):
            return None
        contact = sighting.t - 1.0 if sighting.since is None else sighting.since
        after = self._cut(frame)
        before = next((kept.image for kept in reversed(self._kept) if kept.t <= contact - MARGIN_S), None)
        if before is None or before.shape != after.shape:
            return encode_jpeg(after)
        gap = np.full((after.shape[0], _GAP, 3), 255, np.uint8)
        return encode_jpeg(np.hstack([before, gap, after]))

    def _cut(self, frame: Frame) -> Image:
        image = frame.image
        if self._crop is not None:
            x, y, w, h = _in_part(self._crop, frame)
            cut = image[y : y + h, x : x + w]
            image = cut if cut.size else image
        return shrink(image, MAX_SIDE).copy()


def _in_part(crop: Crop, frame: Frame) -> Crop:
    """The crop on a frame that shows a part of the view, as far as it shows it."""
    if frame.part is None:
        return crop
    left, top, wide, high = frame.part
    height, width = frame.image.shape[:2]
    x, y, w, h = crop
    xs = (min(width, max(0, round((at - left * width) / wide))) for at in (x, x + w))
    ys = (min(height, max(0, round((at - top * height) / high))) for at in (y, y + h))
    (x0, x1), (y0, y1) = xs, ys
    return x0, y0, x1 - x0, y1 - y0


def shrink(image: Image, max_side: int) -> Image:
    """The image, made smaller until its longest side is at most `max_side` pixels."""
    scale = max_side / max(image.shape[:2])
    if scale >= 1.0:
        return image
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def encode_jpeg(image: Image) -> bytes:
    """The image (uint8 B, G, R) as JPEG."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not ok:
        raise ValueError(f"an image of shape {image.shape} cannot be written as JPEG")
    return data.tobytes()
