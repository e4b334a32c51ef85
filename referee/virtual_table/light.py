"""The light over the table, and what the camera makes of it: gradients, colour casts, shadows, glare, noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.virtual_table.geometry import IMAGE_SIZE, Layout, project
from referee.virtual_table.script import Level, Light, Script, Shade

UNIT = 128
"""The value in a light map that leaves a colour as it is."""
NOISE_MARGIN = 64
"""Noise is drawn once, this much larger than the picture, and shifted from frame to frame, pixels."""
SLOPE = 0.9
"""How far shadows lean for a lamp over the edge of the picture, mm a mm. Larger is a low sun; 0 hides all shadows."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light of one table.

    lamp: uint8 (h, w, 3), `UNIT` is 1. slope: how far shadows fall, mm on the table for a mm of height.
    shadow: 0 to 1, the light a shadow takes. glare: uint8 (h, w, 3) added to what lies still, or None.
    noise: standard deviation, levels. blur: radius of the lens's blur, pixels. exposure_s: how long a frame's light is
    gathered; what moves is smeared by it.
    """

    lamp: Image
    slope: tuple[float, float]
    shadow: float
    glare: Image | None
    noise: float
    blur: float
    exposure_s: float


def _axes() -> tuple[Floats, Floats]:
    """Coordinates at an eighth of the picture's size, -1 to 1 across it."""
    w, h = IMAGE_SIZE[0] // 8, IMAGE_SIZE[1] // 8
    x, y = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
    return np.asarray(x), np.asarray(y)


def set_up(seed: int, level: Level, layout: Layout) -> Lighting:
    """The lamps of one table; the same arguments give the same light."""
    rng = Random(f"light {seed}")
    hard, easy = level is Level.HARD, level is Level.EASY
    x, y = _axes()
    towards = rng.uniform(0, 2 * math.pi)
    off = rng.uniform(0.2, 0.5) if easy else rng.uniform(0.3, 1.2 if hard else 0.8)
    lamp_x, lamp_y = off * math.cos(towards), off * math.sin(towards)
    fall = 0.08 if easy else rng.uniform(0.1, 0.34 if hard else 0.22)
    strength = rng.uniform(0.94, 1.04) if easy else rng.uniform(0.72 if hard else 0.85, 1.08)
    lamp = 1 - fall * ((x - lamp_x) ** 2 + 0.6 * (y - lamp_y) ** 2)
    lamp *= 1 - (0.05 if easy else rng.uniform(0.05, 0.2)) * (x * x + y * y)
    lamp *= strength / lamp[lamp.shape[0] // 2, lamp.shape[1] // 2]
    warmth = rng.uniform(-0.03, 0.03) if easy else rng.uniform(-0.09, 0.16 if hard else 0.1)
    cast = np.array([1 - warmth, 1 + 0.12 * abs(warmth), 1 + warmth])
    window = np.clip(x * math.cos(towards + 2) + y * math.sin(towards + 2), -1, 1) * (0.0 if easy else 0.06)
    colour = np.clip(lamp, 0.25, 1.6)[..., None] * cast * np.stack([1 + window, 1 + 0 * window, 1 - window], axis=-1)
    big = cv2.resize(np.asarray(colour, dtype=np.float32), IMAGE_SIZE, interpolation=cv2.INTER_CUBIC)
    return Lighting(
        lamp=np.asarray(np.clip(big * UNIT, 0, 255), dtype=np.uint8),
        slope=(-lamp_x * SLOPE, -lamp_y * SLOPE),
        shadow=rng.uniform(0.3, 0.62),
        glare=_glare(rng, layout) if hard and rng.random() < 0.6 else None,
        noise=1.0 if easy else rng.uniform(1.2, 4.5 if hard else 2.5),
        blur=rng.uniform(0.5, 0.9) if hard else (0.4 if easy else rng.uniform(0.3, 0.65)),
        exposure_s=0.004 if easy else rng.uniform(0.008, 0.03 if hard else 0.016),
    )


def _glare(rng: Random, layout: Layout) -> Image:
    """A lamp mirrored in the table and the cards, somewhere near the discard pile."""
    place = (layout.discard[0] + rng.uniform(-130, 130), layout.discard[1] + rng.uniform(-110, 110))
    px, py = project(layout.camera.plane(), [place])[0]
    x, y = np.meshgrid(np.arange(IMAGE_SIZE[0], dtype=np.float32), np.arange(IMAGE_SIZE[1], dtype=np.float32))
    away = ((x - px) ** 2 + 1.4 * (y - py) ** 2).astype(np.float32)
    spot = rng.uniform(50, 120) * np.exp(-away / (2 * rng.uniform(14, 30) ** 2))
    halo = rng.uniform(10, 30) * np.exp(-away / (2 * rng.uniform(60, 110) ** 2))
    level = np.clip(spot + halo, 0, 255)
    return np.asarray(np.dstack([level * 0.96, level, level]), dtype=np.uint8)


def gain_at(script: Script, t: float) -> tuple[float, float, float]:
    """The light at t relative to the start: blue, green, red."""
    now = (1.0, 1.0, 1.0)
    for action in script.actions:
        if isinstance(action, Light) and action.begin < t:
            s = min(1.0, (t - action.begin) / action.lasts)
            now = tuple(a + (b - a) * s for a, b in zip(now, action.gain, strict=True))  # type: ignore[assignment]
    return now


def shade_at(script: Script, layout: Layout, t: float) -> Image | None:
    """The light that passing shadows leave at t, uint8 (h / 8, w / 8), 255 is all; None when nobody leans over."""
    left: Floats | None = None
    for action in script.actions:
        if isinstance(action, Shade) and action.begin < t < action.end:
            x, y = _axes()
            s = (t - action.begin) / (action.end - action.begin)
            seat = layout.seats[action.seat - 1]
            sx, sy = project(layout.camera.plane(), [seat])[0] / np.array([IMAGE_SIZE[0] / 2, IMAGE_SIZE[1] / 2]) - 1
            near = 1.15 - 0.75 * math.sin(math.pi * s)
            sway = 0.5 * (s - 0.5)
            cx, cy = sx * near - sy * sway, sy * near + sx * sway
            cloud = np.exp(-((((x - cx) / 0.55) ** 2 + ((y - cy) / 0.7) ** 2) ** 2))
            left = (1 - action.depth * cloud) * (1.0 if left is None else left)
    return None if left is None else np.asarray(left * 255, dtype=np.uint8)


class Noise:
    """Sensor noise: drawn once, shifted for every frame."""

    def __init__(self, seed: int, deviation: float) -> None:
        rng = np.random.default_rng([seed, 7])
        shape = (IMAGE_SIZE[1] + NOISE_MARGIN, IMAGE_SIZE[0] + NOISE_MARGIN)
        grey = rng.standard_normal(shape, dtype=np.float32)[..., None] * 0.8
        colour = cv2.GaussianBlur(rng.standard_normal((*shape, 3), dtype=np.float32), (0, 0), 0.7) * 1.2
        noise = (grey + colour) * deviation
        self._more = np.asarray(np.clip(np.rint(noise), 0, 60), dtype=np.uint8)
        self._less = np.asarray(np.clip(np.rint(-noise), 0, 60), dtype=np.uint8)
        self._seed = seed

    def add(self, image: Image, t: float) -> Image:
        """The image with the noise of time t."""
        rng = Random(f"noise {self._seed} {round(t * 1000)}")
        dx, dy = rng.randrange(NOISE_MARGIN), rng.randrange(NOISE_MARGIN)
        here = slice(dy, dy + IMAGE_SIZE[1]), slice(dx, dx + IMAGE_SIZE[0])
        cv2.add(image, self._more[here], dst=image)
        cv2.subtract(image, self._less[here], dst=image)
        return image
