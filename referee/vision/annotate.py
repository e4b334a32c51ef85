"""Pictures and videos with what the eye saw drawn in."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Frame, Image
from referee.observations import CardLanded, CardRead, CardRemoved, CardsDrawn, SeenCard, Sighting, ViewChanged
from referee.vision.calibration import Calibration, Floats, Zone
from referee.vision.nets import Models
from referee.vision.reading import is_certain
from referee.vision.video_file import VideoFile

WIDTH_PX = 960
"""Width of the annotated video. Larger: big files; smaller: faces cannot be checked by eye."""

SHOWN_S = 2.5
"""Seconds for which a sighting stays on the picture."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_Ink = tuple[int, int, int]
_Box = tuple[int, int, int, int]
"""Left, top, right, bottom, pixels."""


def draw_cards(image: Image, cards: Sequence[SeenCard], models: Models) -> Image:
    """A copy of the picture with every card's outline and name: green when sure, red when not."""
    out = image.copy()
    scale = max(out.shape[:2]) / 1000
    inks = [(40, 200, 40) if is_certain(card, models) else (40, 40, 230) for card in cards]
    for card, ink in zip(cards, inks, strict=True):
        points = np.rint(np.array(card.quad)).astype(np.int32)
        cv2.polylines(out, [points], True, ink, max(1, round(3 * scale)), cv2.LINE_AA)
    taken: list[_Box] = []
    for card, ink in zip(cards, inks, strict=True):  # over all outlines
        text = f"{card.reading.notation} {card.reading.confidence:.2f}{' top' if card.top else ''}"
        size, thick = max(0.4, scale), max(1, round(2 * scale))
        (wide, high), below = cv2.getTextSize(text, _FONT, size, thick)
        box = _free(np.array(card.quad), (wide, high + below), taken, out.shape[:2])
        taken.append(box)
        write(out, text, (box[0], box[3] - below), size, ink, thick)
    return out


def _free(quad: Floats, size: tuple[int, int], taken: Sequence[_Box], shape: Sequence[int]) -> _Box:
    """Where a card's name, so wide and high, lies on no other one's: at its left side, or else above or below that, as
    near as may be; where no such place is free, at its left side all the same. Always in the picture, of `shape`."""
    wide, high = size
    x = max(0, min(int(quad[:, 0].min()), shape[1] - wide))
    middle = quad[:, 1].mean() - high / 2
    places = []
    for step in sorted(range(-6, 7), key=abs):
        y = max(0, min(int(middle + step * high), shape[0] - high))
        places.append((x, y, x + wide, y + high))
    return next((box for box in places if not any(_touch(box, other) for other in taken)), places[0])


def _touch(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def write(picture: Image, text: str, at: tuple[int, int], size: float, ink: _Ink, thick: int) -> None:
    """Writes a line on the picture itself, edged in black to be read on any ground. at: its first letter's foot."""
    for colour, width in (((0, 0, 0), 3 * thick), (ink, thick)):
        cv2.putText(picture, text, at, _FONT, size, colour, width, cv2.LINE_AA)


class Annotator:
    """Writes frames with the zones and the latest sightings drawn in, and raises as `VideoFile` does."""

    def __init__(self, path: Path, calibration: Calibration, fps: float = 30.0) -> None:
        self._video, self._calibration = VideoFile(path, fps), calibration
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
            write(picture, text, (10, 26 + 26 * row), 0.7, (255, 255, 255), 1)
        self._video.write(picture)

    def close(self) -> None:
        """Completes the file."""
        self._video.close()

    def _corners(self, zone: Zone) -> np.ndarray:
        x, y, w, h = zone
        return np.rint(self._calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])).astype(np.int32)


def draw_calibration(image: Image, calibration: Calibration, markers: list[Floats]) -> Image:
    """A copy of the picture with what a calibration says: both piles' places, a card in each, the seats, and the
    markers it came from, each float64 (4, 2) pixels."""
    out = image.copy()
    scale = max(out.shape[:2]) / 1280
    thick = max(1, round(2 * scale))

    def label(text: str, at: Floats, ink: _Ink) -> None:
        x, y = np.clip(at, (8, 24 * scale), (out.shape[1] - 110 * scale, out.shape[0] - 8))
        write(out, text, (int(x), int(y)), 0.7 * scale, ink, thick)

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
