"""What else lies on a table: mugs, phones, coasters, bowls, score pads. It never lies near the piles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import cv2
import numpy as np

from referee.frame import Image
from referee.virtual_table.geometry import TABLE_MM, Xy
from referee.virtual_table.script import Level

HOW_MANY = {Level.EASY: (0, 0), Level.NORMAL: (0, 2), Level.HARD: (1, 4)}
"""How many things lie on the table, from and to."""
FROM_PILES_MM = 140.0
"""The edges of things keep this far from the middle of both piles. Smaller and they reach into the zones."""
FROM_EACH_OTHER_MM = 110.0
SHADOW_MM = 5.0
"""How soft the shadows of things are."""

Bgr = tuple[float, float, float]


class _Sheet:
    """Draws on a picture of the table top in millimetres round one place, turned by an angle."""

    def __init__(self, image: Image, scale: float, edge_mm: float, at: Xy, turn: float) -> None:
        self.image, self.scale = image, scale
        self._x, self._y = (at[0] + edge_mm) * scale, (at[1] + edge_mm) * scale
        self._c, self._s = math.cos(turn), math.sin(turn)

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        """In sixteenths of a pixel, for smooth edges."""
        px = self._x + (x * self._c - y * self._s) * self.scale
        py = self._y + (x * self._s + y * self._c) * self.scale
        return round(px * 16), round(py * 16)

    def disc(self, x: float, y: float, radius: float, colour: Bgr, line: float = 0.0) -> None:
        thickness = max(1, round(line * self.scale)) if line else -1
        radius_px = round(radius * self.scale * 16)
        cv2.circle(self.image, self._pixel(x, y), radius_px, colour, thickness, cv2.LINE_AA, 4)

    def box(self, w: float, h: float, radius: float, colour: Bgr) -> None:
        """A rounded rectangle round the middle."""
        corners = [(w / 2 - radius, h / 2 - radius, 0.0), (radius - w / 2, h / 2 - radius, 90.0),
                   (radius - w / 2, radius - h / 2, 180.0), (w / 2 - radius, radius - h / 2, 270.0)]  # fmt: skip
        round_corner = [(cx, cy, math.radians(a + k * 15)) for cx, cy, a in corners for k in range(7)]
        rim = [self._pixel(cx + radius * math.cos(a), cy + radius * math.sin(a)) for cx, cy, a in round_corner]
        cv2.fillPoly(self.image, [np.array(rim, dtype=np.int32)], colour, cv2.LINE_AA, 4)

    def line(self, points: Sequence[Xy], colour: Bgr, width: float) -> None:
        path = np.array([self._pixel(x, y) for x, y in points], dtype=np.int32)
        cv2.polylines(self.image, [path], False, colour, max(1, round(width * self.scale)), cv2.LINE_AA, 4)

    def shadow(self, radius: float, shift: Xy, depth: float) -> None:
        """A soft round shadow, `shift` millimetres away."""
        h, w = self.image.shape[:2]
        x, y = self._x + shift[0] * self.scale, self._y + shift[1] * self.scale
        reach = (radius + 3 * SHADOW_MM) * self.scale
        x0, x1, y0, y1 = max(0, int(x - reach)), min(w, int(x + reach)), max(0, int(y - reach)), min(h, int(y + reach))
        if x0 >= x1 or y0 >= y1:
            return
        gx, gy = np.meshgrid(np.arange(x0, x1) - x, np.arange(y0, y1) - y)
        dark = 1 / (1 + np.exp((np.hypot(gx, gy) / self.scale - radius) / (SHADOW_MM / 2)))
        part = self.image[y0:y1, x0:x1]
        part[:] = (part * (1 - depth * dark[..., None])).astype(np.uint8)


def _mug(sheet: _Sheet, rng: Random) -> None:
    colour = rng.choice(((60, 60, 190), (200, 205, 210), (150, 90, 40), (70, 110, 70), (40, 40, 42)))
    drink = rng.choice(((24, 38, 62), (40, 90, 150), (30, 20, 20)))
    rim = tuple(min(255.0, c * 1.25 + 20) for c in colour)
    sheet.line([(36, -8), (56, -10), (60, 0), (56, 10), (36, 8)], colour, 8)
    sheet.disc(0, 0, 41, colour)
    sheet.disc(0, 0, 39, (rim[0], rim[1], rim[2]), 3)
    sheet.disc(0, 0, 35, drink)
    sheet.disc(-8, -9, 14, (drink[0] + 14, drink[1] + 14, drink[2] + 14))


def _phone(sheet: _Sheet, rng: Random) -> None:
    sheet.box(73, 150, 9, (38, 36, 36))
    lit = rng.random() < 0.5
    sheet.box(68, 145, 7, (196, 188, 180) if lit else (26, 24, 24))
    if lit:
        for k in range(6):
            sheet.line([(-26, -50 + 18 * k), (rng.uniform(0, 26), -50 + 18 * k)], (120, 96, 80), 3)


def _coaster(sheet: _Sheet, rng: Random) -> None:
    colour = rng.choice(((70, 110, 150), (60, 60, 60), (120, 70, 60), (60, 90, 60)))
    sheet.disc(0, 0, 48, colour)
    for radius in (42, 30, 18):
        sheet.disc(0, 0, radius, (colour[0] * 1.35, colour[1] * 1.35, colour[2] * 1.35), 1.6)


def _bowl(sheet: _Sheet, rng: Random) -> None:
    sheet.disc(0, 0, 56, (205, 208, 210))
    sheet.disc(0, 0, 50, (150, 156, 160))
    for _ in range(70):
        a, r = rng.uniform(0, 2 * math.pi), 44 * math.sqrt(rng.random())
        tone = rng.uniform(0.7, 1.15)
        sheet.disc(r * math.cos(a), r * math.sin(a), rng.uniform(4, 7), (52 * tone, 130 * tone, 200 * tone))


def _pad(sheet: _Sheet, rng: Random) -> None:
    sheet.box(105, 148, 2, (222, 232, 236))
    for k in range(12):
        sheet.line([(-48, -56 + 10 * k), (48, -56 + 10 * k)], (206, 188, 170), 0.6)
    for k in range(rng.randint(3, 9)):
        for column in (-34, 0, 34):
            points = [(column + rng.uniform(-8, 8), -60 + 10 * k + rng.uniform(-3, 3)) for _ in range(4)]
            sheet.line(points, (90, 50, 40), 0.9)
    sheet.line([(30, -40), (66, 70)], (60, 40, 160), 7)


_THINGS: tuple[tuple[Callable[[_Sheet, Random], None], float, float], ...] = (
    (_mug, 64.0, 42.0), (_phone, 84.0, 0.0), (_coaster, 48.0, 46.0), (_bowl, 56.0, 56.0), (_pad, 100.0, 0.0),
)  # fmt: skip
"""How to draw each thing, how far it reaches, and the radius of its shadow, mm; 0: flat, without its own shadow."""


def strew(image: Image, scale: float, edge_mm: float, level: Level, seed: int, piles: Sequence[Xy], slope: Xy) -> None:
    """Puts things on a picture of a table top (`scale` pixels a mm, beginning `edge_mm` outside the table's corner)."""
    rng = Random(f"clutter {seed}")
    taken: list[Xy] = []
    for _ in range(rng.randint(*HOW_MANY[level])):
        draw, reach, shadow = rng.choice(_THINGS)
        free = [at for at in _places(rng) if _is_free(at, reach, piles, taken)]
        if not free:
            return
        at = free[0]
        taken.append(at)
        sheet = _Sheet(image, scale, edge_mm, at, rng.uniform(0, 2 * math.pi))
        if shadow:
            sheet.shadow(shadow, (slope[0] * 25, slope[1] * 25), 0.45)
        draw(sheet, rng)


def _places(rng: Random) -> list[Xy]:
    return [(rng.uniform(-20, TABLE_MM[0] + 20), rng.uniform(-20, TABLE_MM[1] + 20)) for _ in range(40)]


def _is_free(at: Xy, reach: float, piles: Sequence[Xy], taken: Sequence[Xy]) -> bool:
    away = all(math.dist(at, pile) > FROM_PILES_MM + reach for pile in piles)
    return away and all(math.dist(at, other) > FROM_EACH_OTHER_MM for other in taken)
