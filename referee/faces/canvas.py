"""A card to draw on, measured in millimetres, with smooth edges. Origin at the top left, x right, y down."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from referee.faces.design import Bgr

CARD_MM = (56.0, 87.0)
"""Width and height of a playing card, millimetres (CONTRACT, "card_mm")."""

Points = npt.NDArray[np.float64]
"""float64 (n, 2): x, y in millimetres."""

_SHIFT = 4
_OVERSAMPLE = 2


def arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float, power: float = 2.0) -> Points:
    """Points along a superellipse of exponent `power`, from `start` to `end` degrees, clockwise on the card from +x."""
    steps = max(3, int(abs(end - start) / 9) + 1)
    angle = np.radians(np.linspace(start, end, steps))
    c, s = np.cos(angle), np.sin(angle)
    x = cx + rx * np.sign(c) * np.abs(c) ** (2 / power)
    y = cy + ry * np.sign(s) * np.abs(s) ** (2 / power)
    return np.stack([x, y], 1)


def turn(points: Points, degrees: float, cx: float = 0.0, cy: float = 0.0) -> Points:
    """The points turned clockwise about (cx, cy)."""
    a = math.radians(degrees)
    matrix = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    centre = np.array([cx, cy])
    turned: Points = (np.asarray(points, float) - centre) @ matrix.T + centre
    return turned


def box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> Points:
    """The outline of a rectangle with rounded corners."""
    r = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    if r <= 0:
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)
    return np.concatenate([
        arc(x0 + r, y0 + r, r, r, 180, 270), arc(x1 - r, y0 + r, r, r, 270, 360),
        arc(x1 - r, y1 - r, r, r, 0, 90), arc(x0 + r, y1 - r, r, r, 90, 180),
    ])  # fmt: skip


class Canvas:
    """A picture of 56 x 87 mm. Draws at twice the size asked for; `finish` brings it down."""

    def __init__(self, height_px: int, fill: Bgr) -> None:
        self.height = height_px
        self.width = round(height_px * CARD_MM[0] / CARD_MM[1])
        self.scale = height_px * _OVERSAMPLE / CARD_MM[1]
        self.image = np.empty((height_px * _OVERSAMPLE, self.width * _OVERSAMPLE, 3), np.uint8)
        self.image[:] = fill

    def _fixed(self, points: Points) -> npt.NDArray[np.int32]:
        return np.round((np.asarray(points) * self.scale - 0.5) * (1 << _SHIFT)).astype(np.int32)

    def polygon(self, points: Points, colour: Bgr) -> None:
        """A filled outline."""
        cv2.fillPoly(self.image, [self._fixed(points)], colour, cv2.LINE_AA, _SHIFT)

    def disc(self, x: float, y: float, radius: float, colour: Bgr) -> None:
        """A filled circle."""
        self.polygon(arc(x, y, radius, radius, 0, 351), colour)

    def stroke(self, line: Points, width: float, colour: Bgr, butt: bool = False, grow: float = 0.0) -> None:
        """A line of a pen `width` wide; `grow` widens it on every side, the ends too (for outlines)."""
        line = np.array(line, float)
        half = width / 2 + grow
        if butt:
            reach = grow
            first, last = line[0] - line[1], line[-1] - line[-2]
            line[0] += first / max(1e-6, float(np.hypot(*first))) * reach
            line[-1] += last / max(1e-6, float(np.hypot(*last))) * reach
        for i in range(len(line) - 1):
            a, b = line[i], line[i + 1]
            along = b - a
            length = float(np.hypot(*along))
            if length < 1e-6:
                continue
            side = np.array([-along[1], along[0]]) / length * half
            self.polygon(np.array([a + side, b + side, b - side, a - side]), colour)
        for x, y in line[1:-1] if butt else line:
            centre = self._fixed(np.array([[x, y]]))[0]
            radius = int(half * self.scale * (1 << _SHIFT))
            cv2.circle(self.image, (int(centre[0]), int(centre[1])), radius, colour, -1, cv2.LINE_AA, _SHIFT)

    def strokes(
        self, lines: Sequence[Points], width: float, colour: Bgr, butt: bool = False, grow: float = 0.0
    ) -> None:
        """Several lines with one pen."""
        for line in lines:
            self.stroke(line, width, colour, butt, grow)

    def finish(self, edge_radius: float) -> npt.NDArray[np.uint8]:
        """The picture, uint8 (height, width, 4) B, G, R, alpha; alpha rounds the corners."""
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._fixed(box(0.0, 0.0, *CARD_MM, edge_radius))], 255, cv2.LINE_AA, _SHIFT)
        full = np.dstack([self.image, mask])
        small = cv2.resize(full, (self.width, self.height), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
