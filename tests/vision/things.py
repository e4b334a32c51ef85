"""Things that people put down on a table while they play: a phone, a glass, a sheet of paper, a bowl."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Frame, Image
from referee.vision.calibration import Calibration

COMES_S = 0.7
"""Seconds in which a thing is pushed to its place, and in which it goes."""

CLEAR_PX = 5
"""Least distance of a thing from the zones of the piles, pixels."""

NEAR = 0.75
"""Share of the radius about a thing that is kept clear: of one that is no circle a corner may reach over a zone."""

Sprite = npt.NDArray[np.uint8]
"""Blue, green, red and how much it hides, uint8 (side, side, 4)."""


@dataclass
class Thing:
    """A thing, its place and the point beyond the edge from which it comes, pixels; when it comes and goes, seconds."""

    sprite: Sprite
    at: tuple[float, float]
    start: tuple[float, float]
    comes: float
    goes: float

    def on(self, image: Image, t: float) -> Image:
        """The picture with the thing, at `t` seconds."""
        if not self.comes <= t <= self.goes + COMES_S:
            return image
        way = min(1.0, (t - self.comes) / COMES_S) if t < self.goes else 1.0 - (t - self.goes) / COMES_S
        way = way * way * (3 - 2 * way)
        x, y = (a + (b - a) * way for a, b in zip(self.start, self.at, strict=True))
        return pasted(image, self.sprite, x, y)

    def in_all(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames with the thing."""
        for frame in frames:
            yield Frame(self.on(frame.image, frame.t), frame.seq, frame.t)


def with_things(seed: int, calibration: Calibration, frames: Iterable[Frame], count: int = 2) -> Iterator[Frame]:
    """Frames of a table, `count` things put down beside its piles and taken away again, by the seed."""
    things = [_thing(Random(f"thing {seed} {number}"), calibration) for number in range(count)]
    for thing in things:
        frames = thing.in_all(frames)
    yield from frames


def put_on_pile(seed: int, calibration: Calibration, comes: float, goes: float) -> Thing:
    """One that is pushed on to the discard pile from below and taken away again, seconds; which, by the seed."""
    rng = Random(f"thing on the pile {seed}")
    sprite = _turned(rng.choice(KINDS)(rng), rng.uniform(0, 360))
    x, y, w, h = calibration.discard_zone_mm
    middle = x + w / 2 + rng.uniform(-15, 15), y + h / 2 + rng.uniform(-15, 15)
    across, down = map(float, calibration.to_image([middle])[0])
    return Thing(sprite, (across, down), (across, float(calibration.image_size[1] + sprite.shape[0])), comes, goes)


def _thing(rng: Random, calibration: Calibration) -> Thing:
    sprite = _turned(rng.choice(KINDS)(rng), rng.uniform(0, 360))
    width, height = calibration.image_size
    radius = NEAR * sprite.shape[0] / 2
    boxes = []
    for x, y, w, h in (calibration.discard_zone_mm, calibration.draw_zone_mm):
        corners = calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        boxes.append((*corners.min(0), *corners.max(0)))
    while True:
        at = rng.uniform(0, width), rng.uniform(0, height)
        off = [math.hypot(max(x - at[0], 0, at[0] - u), max(y - at[1], 0, at[1] - v)) for x, y, u, v in boxes]
        if min(off) > radius + CLEAR_PX:
            break
        radius *= 0.999  # of a large thing a corner may come nearer
    far = sprite.shape[0]
    edges = {at[0]: (-far, at[1]), width - at[0]: (width + far, at[1]),
             at[1]: (at[0], -far), height - at[1]: (at[0], height + far)}  # fmt: skip
    comes = rng.uniform(4, 14)
    return Thing(sprite, at, edges[min(edges)], comes, comes + rng.uniform(8, 18))


def _phone(rng: Random) -> Sprite:
    w, h = rng.randint(150, 190), rng.randint(300, 360)
    sprite = np.full((h, w, 4), (32, 30, 30, 255), np.uint8)
    sprite[6:-6, 6:-6, :3] = rng.choice([(12, 12, 12), (200, 190, 180), (90, 60, 30)])
    return sprite


def _paper(rng: Random) -> Sprite:
    w, h = rng.randint(200, 320), rng.randint(260, 380)
    sprite = np.full((h, w, 4), (225, 232, 235, 255), np.uint8)
    for y in range(20, h - 10, 22):
        cv2.line(sprite, (15, y), (15 + rng.randint(40, w - 40), y), (90, 60, 40, 255), 2)
    return sprite


def _glass(rng: Random) -> Sprite:
    r = rng.randint(70, 100)
    sprite = np.zeros((2 * r, 2 * r, 4), np.uint8)
    cv2.circle(sprite, (r, r), r - 1, (190, 200, 205, 150), -1)
    cv2.circle(sprite, (r, r), r - 3, (235, 240, 245, 230), 4)
    cv2.circle(sprite, (r, r), int(r * 0.75), (60, 90, 170, 220), -1)
    cv2.ellipse(sprite, (r - 20, r - 25), (18, 8), 30, 0, 360, (255, 255, 255, 255), -1)
    return sprite


def _bowl(rng: Random) -> Sprite:
    r, colour = rng.randint(110, 160), rng.choice([(230, 230, 225), (60, 80, 160), (120, 70, 50)])
    sprite = np.zeros((2 * r, 2 * r, 4), np.uint8)
    cv2.circle(sprite, (r, r), r - 1, (*colour, 255), -1)
    cv2.circle(sprite, (r, r), int(r * 0.7), (*(int(level * 0.8) for level in colour), 255), -1)
    for _ in range(25):
        angle, off = rng.uniform(0, 2 * math.pi), rng.uniform(0, r * 0.55)
        at = (int(r + off * math.cos(angle)), int(r + off * math.sin(angle)))
        cv2.circle(sprite, at, rng.randint(8, 15), (40, 150, 220, 255), -1)
    return sprite


KINDS: tuple[Callable[[Random], Sprite], ...] = (_phone, _paper, _glass, _bowl)


def _turned(sprite: Sprite, degrees: float) -> Sprite:
    h, w = sprite.shape[:2]
    side = math.ceil(math.hypot(w, h))
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1.0)
    matrix[:, 2] += [(side - w) / 2, (side - h) / 2]
    return np.asarray(cv2.warpAffine(sprite, matrix, (side, side)), np.uint8)


def pasted(image: Image, sprite: Sprite, x: float, y: float) -> Image:
    """The sprite with its middle at (x, y), as light as the table."""
    side, (height, width) = sprite.shape[0], image.shape[:2]
    left, top = int(x - side / 2), int(y - side / 2)
    columns, rows = slice(max(left, 0), min(left + side, width)), slice(max(top, 0), min(top + side, height))
    if columns.start >= columns.stop or rows.start >= rows.stop:
        return image
    part = sprite[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    hides = part[..., 3:].astype(np.float32) / 255
    light = min(1.0, float(image[::16, ::16].mean()) / 130)
    out = image.copy()
    out[rows, columns] = out[rows, columns] * (1 - hides) + part[..., :3] * light * hides
    return out
