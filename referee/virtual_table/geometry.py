"""Where things are: the camera over the table, the zones, and the seats round it.

World axes in millimetres: x to the right and y down in the picture, as on the table; heights are above the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.virtual_table.script import Level, Spot

Matrix = npt.NDArray[np.float64]
Xy = tuple[float, float]

IMAGE_SIZE = (1280, 720)
TABLE_MM = (760.0, 430.0)
"""The part of the table that the picture shows, about."""
CARD_MM = (56.0, 87.0)
CARD_THICKNESS_MM = 0.3
SCALE = 1.66
"""Pixels to a millimetre in the middle of the picture."""
DISCARD_ZONE_MM = (190.0, 200.0)
DRAW_ZONE_MM = (90.0, 120.0)
BETWEEN_PILES_MM = 152.0
"""From the middle of one pile to the middle of the other. Smaller and messy cards reach the draw zone."""
SEAT_REACH_MM = (550.0, 375.0)
"""Half axes of the ellipse of seats round the middle of the table."""
OUT_OF_VIEW_MM = 75.0
"""How far outside the table's shown part a hand is out of the picture, whatever the camera's slant."""

_SLANT_DEG = {Level.EASY: (0.0, 2.0), Level.NORMAL: (2.0, 7.0), Level.HARD: (6.0, 14.0)}
_HEIGHT_MM = (850.0, 1100.0)


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera. matrix: 3 x 4, world millimetres (x, y, -height, 1) to image pixels."""

    matrix: Matrix

    def plane(self, height: float = 0.0) -> Matrix:
        """3 x 3: millimetres on a plane `height` above the table to image pixels."""
        m = self.matrix
        plane = np.column_stack([m[:, 0], m[:, 1], m[:, 3] - m[:, 2] * height])
        return np.asarray(plane / plane[2, 2])

    def pose(self, x: float, y: float, height: float, angle: float, pitch: float = 0.0, roll: float = 0.0) -> Matrix:
        """3 x 3: millimetres on a flat thing, from its middle, to image pixels.

        The thing's middle is at (x, y, height); it is turned by `angle` degrees clockwise, and then its lower edge is
        lifted by `pitch` and its right edge by `roll` degrees.
        """
        a, p, r = math.radians(angle), math.radians(pitch), math.radians(roll)
        across = np.array([math.cos(a) * math.cos(r), math.sin(a) * math.cos(r), -math.sin(r), 0.0])
        down = np.array([-math.sin(a) * math.cos(p), math.cos(a) * math.cos(p), -math.sin(p), 0.0])
        middle = np.array([x, y, -height, 1.0])
        return np.asarray(self.matrix @ np.column_stack([across, down, middle]))


def project(matrix: Matrix, points: Sequence[Xy] | Matrix) -> Matrix:
    """Points (n, 2) through a 3 x 3 homography."""
    xy = np.asarray(points, dtype=np.float64)
    out = np.column_stack([xy, np.ones(len(xy))]) @ matrix.T
    return np.asarray(out[:, :2] / out[:, 2:])


def _rotation(slant: float, towards: float, roll: float) -> Matrix:
    """Camera axes (rows) for a camera that looks down, tilted by `slant` about the horizontal axis at `towards`."""
    c, s = math.cos(slant), math.sin(slant)
    x, y = math.cos(towards), math.sin(towards)
    tilt = np.array(
        [
            [c + x * x * (1 - c), x * y * (1 - c), y * s],
            [x * y * (1 - c), c + y * y * (1 - c), -x * s],
            [-y * s, x * s, c],
        ]
    )
    spin = np.array([[math.cos(roll), -math.sin(roll), 0.0], [math.sin(roll), math.cos(roll), 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(spin @ tilt)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the piles and the seats are, and the camera that sees them. Points are table millimetres."""

    camera: Camera
    discard: Xy
    draw: Xy
    seats: tuple[Xy, ...]

    @classmethod
    def arrange(cls, seed: int, level: Level, players: int) -> Layout:
        """A table for `players`, as somebody set it up; the same arguments give the same table."""
        rng = Random(f"layout {seed}")
        middle = (TABLE_MM[0] / 2, TABLE_MM[1] / 2)
        height = rng.uniform(*_HEIGHT_MM)
        slant = math.radians(rng.uniform(*_SLANT_DEG[level]))
        towards = rng.uniform(0, 2 * math.pi)
        spin = math.radians(rng.uniform(-1.0, 1.0) * (0.5 if level is Level.EASY else 2.5))
        turn = _rotation(slant, towards, spin)
        place = np.array([*middle, 0.0]) - turn[2] * height
        focus = SCALE * height
        inner = np.array([[focus, 0.0, IMAGE_SIZE[0] / 2], [0.0, focus, IMAGE_SIZE[1] / 2], [0.0, 0.0, 1.0]])
        camera = Camera(inner @ np.column_stack([turn, -turn @ place]))
        side = rng.choice((-1.0, 1.0))
        x, y = middle[0] + rng.uniform(-25, 25), middle[1] + rng.uniform(-12, 12)
        discard = (x - side * BETWEEN_PILES_MM / 2, y)
        draw = (x + side * BETWEEN_PILES_MM / 2, y + rng.uniform(-8, 8))
        angles = [math.pi / 2 + 2 * math.pi * k / players for k in range(players)]
        seats = tuple(
            (middle[0] + SEAT_REACH_MM[0] * math.cos(a), middle[1] + SEAT_REACH_MM[1] * math.sin(a)) for a in angles
        )
        return cls(camera, discard, draw, seats)

    def on_pile(self, spot: Spot) -> Xy:
        """The spot on the discard pile, table millimetres."""
        return (self.discard[0] + spot.x, self.discard[1] + spot.y)

    def out_of_view(self, seat: int, target: Xy) -> Xy:
        """Where a hand from `seat` that goes to `target` starts, outside the picture."""
        x, y = self.seats[seat - 1]
        dx, dy = x - target[0], y - target[1]
        ways = [1.0]
        if dx:
            ways.append(((TABLE_MM[0] + OUT_OF_VIEW_MM if dx > 0 else -OUT_OF_VIEW_MM) - target[0]) / dx)
        if dy:
            ways.append(((TABLE_MM[1] + OUT_OF_VIEW_MM if dy > 0 else -OUT_OF_VIEW_MM) - target[1]) / dy)
        way = min(ways)
        return (target[0] + dx * way, target[1] + dy * way)

    def calibration(self) -> dict[str, Any]:
        """The table calibration file (CONTRACT, "Table calibration file")."""

        def zone(middle: Xy, size: Xy) -> list[float]:
            return [round(v, 1) for v in (middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size)]

        return {
            "image_size": list(IMAGE_SIZE),
            "table_mm": list(TABLE_MM),
            "table_to_image": self.camera.plane().tolist(),
            "discard_zone_mm": zone(self.discard, DISCARD_ZONE_MM),
            "draw_zone_mm": zone(self.draw, DRAW_ZONE_MM),
            "card_mm": list(CARD_MM),
            "seats": [{"seat": k, "at_mm": [round(x, 1), round(y, 1)]} for k, (x, y) in enumerate(self.seats, 1)],
        }
