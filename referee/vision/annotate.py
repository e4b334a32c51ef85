"""A video that shows what the eye saw."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Frame, Image
from referee.observations import CardLanded, CardRead, CardRemoved, CardsDrawn, Sighting, ViewChanged
from referee.vision.calibration import Calibration, Floats, Zone

WIDTH_PX = 960
"""Width of the annotated video. Larger: big files; smaller: faces cannot be checked by eye."""

SHOWN_S = 2.5
"""Seconds for which a sighting stays on the picture."""


class Annotator:
    """Writes frames with the zones and the latest sightings drawn in. Raises ValueError when the file cannot be
    written."""

    def __init__(self, path: Path, calibration: Calibration, fps: float = 30.0) -> None:
        self._path, self._calibration, self._fps = path, calibration, fps
        self._writer: cv2.VideoWriter | None = None
        self._lines: deque[tuple[float, str]] = deque(maxlen=6)

    def write(self, frame: Frame, sightings: list[Sighting]) -> None:
        """Adds a frame."""
        self._lines.extend((frame.t, text) for s in sightings if (text := _text(s)))
        picture = frame.image.copy()
        zones = (self._calibration.discard_zone_mm, self._calibration.draw_zone_mm)
        for zone, ink in zip(zones, ((0, 220, 0), (0, 120, 255)), strict=True):
            cv2.polylines(picture, [self._corners(zone)], True, ink, 2, cv2.LINE_AA)
        scale = WIDTH_PX / picture.shape[1]
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        rows = [f"{frame.t:.2f} s"] + [text for t, text in self._lines if frame.t - t <= SHOWN_S]
        for row, text in enumerate(rows):
            at = (10, 26 + 26 * row)
            for ink, width in (((0, 0, 0), 4), ((255, 255, 255), 1)):
                cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, width, cv2.LINE_AA)
        self._open(picture.shape[1], picture.shape[0]).write(picture)

    def close(self) -> None:
        """Completes the file."""
        if self._writer is not None:
            self._writer.release()

    def _open(self, width: int, height: int) -> cv2.VideoWriter:
        if self._writer is None:
            code = cv2.VideoWriter.fourcc(*"mp4v")
            self._writer = cv2.VideoWriter(str(self._path), cv2.CAP_FFMPEG, code, self._fps, (width, height))
            if not self._writer.isOpened():
                raise ValueError(f"{self._path}: cannot be written as a video; name a file that ends in .mp4")
        return self._writer

    def _corners(self, zone: Zone) -> np.ndarray:
        x, y, w, h = zone
        return np.rint(self._calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])).astype(np.int32)


def draw_calibration(image: Image, calibration: Calibration, markers: list[Floats]) -> Image:
    """A copy of the picture with what a calibration says: both piles' places, a card in each, the seats, and the
    markers it came from, each float64 (4, 2) pixels."""
    out = image.copy()
    scale = max(out.shape[:2]) / 1280
    thick = max(1, round(2 * scale))

    def label(text: str, at: Floats, ink: tuple[int, int, int]) -> None:
        where = tuple(int(v) for v in np.clip(at, (8, 24 * scale), (out.shape[1] - 110 * scale, out.shape[0] - 8)))
        for colour, width in (((0, 0, 0), 4 * thick), (ink, thick)):
            cv2.putText(out, text, where, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * scale, colour, width, cv2.LINE_AA)

    for quad in markers:
        cv2.polylines(out, [np.rint(quad).astype(np.int32)], True, (255, 120, 0), thick, cv2.LINE_AA)
    zones = (("discard", calibration.discard_zone_mm, (0, 220, 0)), ("draw", calibration.draw_zone_mm, (0, 140, 255)))
    for name, (x, y, w, h), ink in zones:
        cw, ch = calibration.card_mm
        for left, top, wide, high in ((x, y, w, h), (x + (w - cw) / 2, y + (h - ch) / 2, cw, ch)):
            corners = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
            cv2.polylines(out, [np.rint(calibration.to_image(corners)).astype(np.int32)], True, ink, thick, cv2.LINE_AA)
        label(name, calibration.to_image([(x + 4, y + 14)])[0], ink)
    for seat in calibration.seats:
        label(f"seat {seat.number}", calibration.to_image([seat.at_mm])[0], (255, 255, 255))
    return np.asarray(out, np.uint8)


def _text(sighting: Sighting) -> str:
    seat = f"seat {sighting.seat}: " if sighting.seat is not None else ""
    match sighting:
        case CardLanded() | CardRead():
            return f"{seat}{sighting.reading.notation}{'' if sighting.sure else ' ?'}"
        case CardRemoved():
            return f"{seat}takes back {sighting.card or '?'}"
        case CardsDrawn():
            return f"{seat}draws"
        case ViewChanged():
            return f"view {sighting.state.value}"
    return sighting.event.replace("_", " ")
