"""The table calibration file: where the table, its zones and its seats are in the picture (CONTRACT, "Table
calibration file")."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.durable import write_atomically
from referee.frame import Part

Floats = npt.NDArray[np.float64]

Zone = tuple[float, float, float, float]
"""x, y of the corner nearest the table's origin, width, height; table millimetres."""

MOST_SHARED = 0.5
"""Share of the smaller zone that may lie in the other. Smaller: cramped tables are refused; larger: each card that is
laid counts as one drawn."""

WORST_CONDITION = 1e12
"""Condition number from which a homography cannot be inverted; that of a table seen at a slant is some 10,000, at any
scale."""


class CalibrationError(ValueError):
    """A calibration cannot be used. The text is one line that names the file, the field and what was expected."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: its number from 1, and the point, table millimetres, from which the arm comes."""

    number: int
    at_mm: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Calibration:
    """A camera's view of a table.

    image_size: width and height, pixels. table_mm: width and height of the table's visible part. table_to_image:
    float64 (3, 3), homography from table millimetres to pixels. card_mm: width and height of a card.
    """

    image_size: tuple[int, int]
    table_mm: tuple[float, float]
    table_to_image: Floats
    discard_zone_mm: Zone
    draw_zone_mm: Zone
    card_mm: tuple[float, float]
    seats: tuple[Seat, ...]
    image_to_table: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "image_to_table", np.linalg.inv(self.table_to_image))

    def to_image(self, points_mm: npt.ArrayLike) -> Floats:
        """Pixels of table points. points_mm: (n, 2). Returns float64 (n, 2)."""
        return _mapped(points_mm, self.table_to_image)

    def to_table(self, points_px: npt.ArrayLike) -> Floats:
        """Table millimetres of pixels. points_px: (n, 2). Returns float64 (n, 2)."""
        return _mapped(points_px, self.image_to_table)

    def px_per_mm(self) -> float:
        """Pixels of the picture to a table millimetre, in the middle of the discard zone."""
        x, y, w, h = self.discard_zone_mm
        a, b, c, d = self.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        return float(np.sqrt(abs(_cross(c - a, d - b)) / 2 / (w * h)))

    def for_frames(self, width: int, height: int) -> Calibration:
        """The same view for frames of another size. Raises CalibrationError when their shape differs."""
        if (width, height) == self.image_size:
            return self
        sx, sy = width / self.image_size[0], height / self.image_size[1]
        if abs(sx / sy - 1) > 0.01:
            raise CalibrationError(
                f"the frames are {width}x{height} and the calibration's image_size is "
                f"{self.image_size[0]}x{self.image_size[1]}: calibrate with this camera mode"
            )
        # Pixel centres: (x + 1/2) scales, not x.
        scale = np.array([[sx, 0, sx / 2 - 0.5], [0, sy, sy / 2 - 0.5], [0, 0, 1.0]])
        return self._with_homography(scale @ self.table_to_image, (width, height))

    def in_part(self, part: Part) -> Calibration:
        """The same table in frames of the same size that show only this part of the view."""
        (x, y, w, h), (width, height) = part, self.image_size
        # As above: a pixel's middle is half a pixel from its corner.
        zoom = [
            [1 / w, 0, (0.5 - x * width) / w - 0.5],
            [0, 1 / h, (0.5 - y * height) / h - 0.5],
            [0, 0, 1.0],
        ]
        return self.moved(np.array(zoom))

    def moved(self, matrix: Floats) -> Calibration:
        """The same table after the picture moved. matrix: float64 (3, 3), pixels before to pixels after."""
        return self._with_homography(matrix @ self.table_to_image, self.image_size)

    def _with_homography(self, matrix: Floats, size: tuple[int, int]) -> Calibration:
        return Calibration(
            size, self.table_mm, matrix, self.discard_zone_mm, self.draw_zone_mm, self.card_mm, self.seats
        )

    def to_json(self) -> dict[str, Any]:
        """The object of the calibration file."""
        return {
            "image_size": list(self.image_size),
            "table_mm": list(self.table_mm),
            "table_to_image": self.table_to_image.tolist(),
            "discard_zone_mm": list(self.discard_zone_mm),
            "draw_zone_mm": list(self.draw_zone_mm),
            "card_mm": list(self.card_mm),
            "seats": [{"seat": seat.number, "at_mm": list(seat.at_mm)} for seat in self.seats],
        }


def load_calibration(path: Path) -> Calibration:
    """The calibration in a file. Raises CalibrationError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise CalibrationError(f"{path}: no such file; `referee calibrate` makes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CalibrationError(f"{path}: cannot be read ({error}); expected a JSON file") from None
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CalibrationError(f"{path}: is not JSON ({error}); see calibration/table.schema.json") from None
    return parse_calibration(data, str(path))


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Writes the file whole or not at all, even when the plug is pulled. Raises OSError."""
    write_atomically(path, (json.dumps(calibration.to_json(), indent=1) + "\n").encode())


def parse_calibration(data: object, source: str = "calibration") -> Calibration:
    """The calibration in a JSON object; unknown fields are ignored. source: its name in errors.

    Raises CalibrationError.
    """
    reader = _Fields(source, data)
    size = reader.numbers("image_size", 2, at_least=64, at_most=20000)
    if any(v != int(v) for v in size):
        raise reader.wrong("image_size", "two whole numbers, width and height in pixels")
    matrix = reader.matrix("table_to_image")
    calibration = Calibration(
        (int(size[0]), int(size[1])),
        _pair(reader.numbers("table_mm", 2, at_least=50, at_most=10000)),
        matrix,
        reader.zone("discard_zone_mm"),
        reader.zone("draw_zone_mm"),
        _pair(reader.numbers("card_mm", 2, at_least=15, at_most=300)),
        reader.seats(),
    )
    width, height = calibration.image_size
    for name, zone in (("discard_zone_mm", calibration.discard_zone_mm), ("draw_zone_mm", calibration.draw_zone_mm)):
        x, y, w, h = zone
        flat = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        corners = calibration.to_image(flat)
        depths = np.column_stack([flat, np.ones(4)]) @ matrix[2]  # of one sign in front of the camera
        if not np.isfinite(corners).all() or abs(np.sign(depths).sum()) < 4 or not _in_view(corners, width, height):
            raise reader.wrong(name, f"a zone inside the {width}x{height} picture under table_to_image")
    if _shared(calibration.discard_zone_mm, calibration.draw_zone_mm) > MOST_SHARED:
        raise reader.wrong("draw_zone_mm", "a zone beside discard_zone_mm, not over it")
    return calibration


def _shared(one: Zone, other: Zone) -> float:
    """Share of the smaller zone that lies in the other."""
    sides = (min(one[i] + one[i + 2], other[i] + other[i + 2]) - max(one[i], other[i]) for i in (0, 1))
    return math.prod(max(0.0, side) for side in sides) / min(one[2] * one[3], other[2] * other[3])


def _in_view(corners: Floats, width: int, height: int) -> bool:
    """At least half of the zone's bounding box is in the picture (a zone may reach over the edge a little)."""
    low, high = corners.min(0), corners.max(0)
    inner = np.clip(np.minimum(high, [width, height]) - np.maximum(low, 0), 0, None)
    return bool(inner.prod() >= 0.5 * (high - low).prod() > 0)


class _Fields:
    """Reads the fields of one JSON object and says which one is wrong."""

    def __init__(self, source: str, data: object) -> None:
        self._source = source
        if not isinstance(data, Mapping):
            raise CalibrationError(f"{source}: expected a JSON object, see calibration/table.schema.json")
        self._data: Mapping[str, Any] = data

    def wrong(self, name: str, expected: str) -> CalibrationError:
        state = "is missing" if name not in self._data else "is wrong"
        return CalibrationError(f"{self._source}: {name} {state}: expected {expected}")

    def numbers(self, name: str, count: int, at_least: float = -1e5, at_most: float = 1e5) -> list[float]:
        values = _numbers(self._data.get(name), count)
        if values is None or not all(at_least <= v <= at_most for v in values):
            raise self.wrong(name, f"{count} numbers from {at_least:g} to {at_most:g}")
        return values

    def zone(self, name: str) -> Zone:
        x, y, w, h = self.numbers(name, 4)
        if w < 20 or h < 20:
            raise self.wrong(name, "[x, y, width, height] in millimetres, width and height 20 or more")
        return (x, y, w, h)

    def matrix(self, name: str) -> Floats:
        rows = _rows(self._data.get(name))
        expected = "a homography of 3 rows of 3 numbers that can be inverted"
        if rows is None or len(rows) != 3:
            raise self.wrong(name, expected)
        values = [_numbers(row, 3) for row in rows]
        if any(row is None for row in values):
            raise self.wrong(name, expected)
        matrix = np.array(values, np.float64)
        if np.linalg.cond(matrix) > WORST_CONDITION:
            raise self.wrong(name, expected)
        return matrix

    def seats(self) -> tuple[Seat, ...]:
        rows = _rows(self._data.get("seats"))
        if rows is None or len(rows) > 10:
            raise self.wrong("seats", "a list of at most 10 seats")
        seats = []
        for index, row in enumerate(rows):
            number = row.get("seat") if isinstance(row, Mapping) else None
            at = _numbers(row.get("at_mm"), 2) if isinstance(row, Mapping) else None
            if isinstance(number, bool) or not isinstance(number, int) or number < 1 or at is None:
                raise CalibrationError(
                    f'{self._source}: seats[{index}] is wrong: expected {{"seat": 1 or more, "at_mm": [x, y]}}'
                )
            seats.append(Seat(number, _pair(at)))
        if len({seat.number for seat in seats}) != len(seats):
            raise self.wrong("seats", "each seat number once")
        return tuple(seats)


def _rows(value: object) -> Sequence[Any] | None:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else None


def _numbers(value: object, count: int) -> list[float] | None:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != count:
        return None
    if any(isinstance(v, bool) or not isinstance(v, int | float) or not abs(v) < 1e9 for v in value):
        return None
    return [float(v) for v in value]


def _pair(values: Sequence[float]) -> tuple[float, float]:
    return (values[0], values[1])


def _cross(a: Floats, b: Floats) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _mapped(points: npt.ArrayLike, matrix: Floats) -> Floats:
    shaped = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(shaped, matrix), np.float64).reshape(-1, 2)
