"""Hands with sleeves, drawn from rounded bones: a shaded height field, as sprites to be warped into the picture.

Sprite millimetres: the origin is between the fingertips, x to the right, y towards the elbow; a right hand, palm down.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image

Floats = npt.NDArray[np.float32]
Bone = tuple[float, float, float, float, float, float]
"""A rounded bone: x, y of both ends and the radius at each, millimetres."""

SPRITE_SCALE = 1.6
"""Sprite pixels to a millimetre, about the picture's own scale. Smaller blurs the skin; larger only costs time."""
LEFT_MM, RIGHT_MM, TOP_MM, BOTTOM_MM = -78.0, 78.0, -34.0, 780.0
WRIST_MM = 160.0
"""Below this only the forearm and the sleeve are left."""
BLEND_MM = 4.0
"""How softly bones run into each other. Larger makes mittens; 0 makes sticks."""

SKINS = (
    (168, 196, 232), (142, 172, 216), (116, 148, 198), (88, 122, 174), (62, 92, 142), (44, 66, 106), (34, 48, 78),
)  # fmt: skip
"""Skin tones from light to dark, blue, green, red."""
SLEEVES = (
    (52, 46, 44), (196, 198, 202), (120, 70, 38), (54, 44, 150), (70, 104, 60), (96, 92, 98), (60, 150, 206),
    (150, 120, 190), (34, 34, 36), (160, 150, 130),
)  # fmt: skip


class Pose(Enum):
    """What the fingers do."""

    PINCH = "pinch"
    """Index and middle finger lie on a card's edge, the thumb is under it."""
    OPEN = "open"
    """Fingers apart and straight: letting go, pushing, resting."""


_PALM: tuple[Bone, ...] = (
    (-10, 150, -25, 74, 19, 12.5), (0, 152, -7, 68, 20, 13), (6, 152, 11, 72, 20, 12.5), (12, 150, 27, 82, 18, 11),
    (-14, 142, -32, 100, 18, 14),
)  # fmt: skip
_FINGERS: dict[Pose, tuple[Bone, ...]] = {
    Pose.PINCH: (
        (-25, 74, -22, 36, 10.0, 9.0), (-22, 36, -12, 2, 9.0, 7.2),
        (-7, 68, -3, 28, 10.5, 9.2), (-3, 28, 2, -8, 9.2, 7.4),
        (11, 72, 17, 38, 10.0, 8.6), (17, 38, 15, 12, 8.6, 7.2),
        (27, 82, 33, 56, 8.8, 7.6), (33, 56, 30, 36, 7.6, 6.6),
    ),
    Pose.OPEN: (
        (-25, 74, -32, 34, 10.0, 8.8), (-32, 34, -36, -2, 8.8, 6.8),
        (-7, 68, -8, 24, 10.5, 9.0), (-8, 24, -9, -16, 9.0, 7.0),
        (11, 72, 15, 30, 10.0, 8.6), (15, 30, 18, -8, 8.6, 6.8),
        (27, 82, 36, 50, 8.8, 7.4), (36, 50, 42, 20, 7.4, 6.2),
        (-32, 100, -50, 66, 13, 10), (-50, 66, -56, 34, 10, 7.8),
    ),
}  # fmt: skip
_THUMB: tuple[Bone, ...] = ((-32, 100, -38, 62, 13, 10.5), (-38, 62, -14, 22, 10.5, 8.0))
_NAILS: dict[Pose, tuple[tuple[float, float, float], ...]] = {
    Pose.PINCH: ((-11.5, 1, 10), (2.5, -9, 8)),
    Pose.OPEN: ((-36.4, -3.5, -6), (-9, -18, 0), (18.5, -10, 4), (42.6, 18, 12), (-56.4, 32, -10)),
}
"""Nails: x, y, and their turn in degrees."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person's arm: skin and sleeve in B, G, R; where the sleeve ends, mm from the fingertips; left-handed or not."""

    skin: tuple[int, int, int]
    sleeve: tuple[int, int, int]
    cuff_mm: float
    striped: bool
    size: float
    left: bool

    @classmethod
    def draw(cls, rng: Random) -> Person:
        """Somebody."""
        return cls(
            skin=rng.choice(SKINS),
            sleeve=rng.choice(SLEEVES),
            cuff_mm=rng.choice((rng.uniform(165, 200), rng.uniform(200, 300), 420.0)),
            striped=rng.random() < 0.25,
            size=rng.uniform(0.86, 1.08),
            left=rng.random() < 0.15,
        )


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawn arm in one pose.

    over, under: uint8 (h, w, 4), B, G, R times alpha, and alpha; `under` is the thumb, which goes below a held card.
    shadow: uint8 (h / 4, w / 4) softened silhouette. to_mm: 3 x 3, sprite pixels to sprite millimetres.
    """

    over: Image
    under: Image | None
    shadow: Image
    to_mm: npt.NDArray[np.float64]


def _grid() -> tuple[Floats, Floats]:
    w = round((RIGHT_MM - LEFT_MM) * SPRITE_SCALE)
    h = round((BOTTOM_MM - TOP_MM) * SPRITE_SCALE)
    xs = LEFT_MM + (np.arange(w, dtype=np.float32) + 0.5) / SPRITE_SCALE
    ys = TOP_MM + (np.arange(h, dtype=np.float32) + 0.5) / SPRITE_SCALE
    gx, gy = np.meshgrid(xs, ys)
    return np.asarray(gx, dtype=np.float32), np.asarray(gy, dtype=np.float32)


def _bone(gx: Floats, gy: Floats, bone: Bone) -> tuple[Floats, Floats]:
    """Signed distance to the bone's outline (negative inside), and its height over the sprite's plane, mm."""
    ax, ay, bx, by, ra, rb = bone
    dx, dy = bx - ax, by - ay
    along = np.clip(((gx - ax) * dx + (gy - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    away = np.hypot(gx - ax - along * dx, gy - ay - along * dy)
    radius = ra + (rb - ra) * along
    height = np.sqrt(np.maximum(radius * radius - away * away, 0))
    return np.asarray(away - radius, dtype=np.float32), np.asarray(height, dtype=np.float32)


def _near(shape: tuple[int, ...], bone: Bone) -> tuple[slice, slice]:
    """The part of the sprite that a bone touches."""
    ax, ay, bx, by, ra, rb = bone
    edge = max(ra, rb) + 2 * BLEND_MM
    low = (round((min(ay, by) - edge - TOP_MM) * SPRITE_SCALE), round((min(ax, bx) - edge - LEFT_MM) * SPRITE_SCALE))
    high = (round((max(ay, by) + edge - TOP_MM) * SPRITE_SCALE), round((max(ax, bx) + edge - LEFT_MM) * SPRITE_SCALE))
    return slice(max(0, low[0]), min(shape[0], high[0])), slice(max(0, low[1]), min(shape[1], high[1]))


def _body(gx: Floats, gy: Floats, bones: tuple[Bone, ...]) -> tuple[Floats, Floats]:
    """All bones blended: outline distance and height."""
    total = np.zeros_like(gx)
    distance = np.full_like(gx, 1e3)
    for bone in bones:
        near = _near(gx.shape, bone)
        d, h = _bone(gx[near], gy[near], bone)
        total[near] += np.exp(h / BLEND_MM) - 1
        there = distance[near]
        blend = np.clip(0.5 + 0.5 * (there - d) / BLEND_MM, 0, 1)
        distance[near] = there + (d - there) * blend - BLEND_MM * 0.5 * blend * (1 - blend)
    return distance, np.asarray(BLEND_MM * np.log1p(total), dtype=np.float32)


def _shaded(height: Floats, colour: Floats, soft: float) -> Floats:
    """Colour under a lamp from the upper left, by the slope of the height field."""
    smooth = cv2.GaussianBlur(height, (0, 0), soft)
    sx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) * (SPRITE_SCALE / 8)
    sy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) * (SPRITE_SCALE / 8)
    light = (0.32 * sx + 0.38 * sy + 0.87) / np.sqrt(1 + sx * sx + sy * sy)
    hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 9) - smooth) * 0.035, -0.10, 0.22)
    return np.asarray(colour * np.clip(0.34 + 0.78 * light - hollow, 0.12, 1.25)[..., None], dtype=np.float32)


def _spots(gx: Floats, gy: Floats, places: list[tuple[float, float]], size: float) -> Floats:
    out = np.zeros_like(gx)
    for x, y in places:
        out += np.exp(-((gx - x) ** 2 + (gy - y) ** 2) / (2 * size * size))
    return np.asarray(np.clip(out, 0, 1), dtype=np.float32)


def _skin(gx: Floats, gy: Floats, bones: tuple[Bone, ...], person: Person, rng: np.random.Generator) -> Floats:
    """Skin before light: redder at the joints and tips, with creases across the joints."""
    hand = slice(0, round((WRIST_MM - TOP_MM) * SPRITE_SCALE))
    whole, gx, gy = gx.shape, gx[hand], gy[hand]
    skin = np.empty((*whole, 3), dtype=np.float32)
    skin[:] = person.skin
    base = skin[hand]
    tips = [(b[2], b[3]) for b in bones if b[5] < 8.1]
    joints = [(b[0], b[1]) for b in bones if 7.0 < b[4] < 9.5]
    knuckles = [(b[0], b[1]) for b in bones if 8.7 < b[4] < 11 and b[1] > 60]
    red = 0.07 * _spots(gx, gy, tips, 8) + 0.05 * _spots(gx, gy, joints + knuckles, 7)
    base *= 1 - red[..., None] * np.array([1.5, 1.2, 0.1], dtype=np.float32)
    for x, y in joints:
        for shift in (-2.4, 0.0, 2.4):
            crease = np.exp(-((gy - y - shift - 0.02 * (gx - x) ** 2) ** 2) / 0.5 - (gx - x) ** 2 / 34)
            base *= 1 - 0.13 * crease[..., None]
    mottle = cv2.GaussianBlur(rng.standard_normal(whole, dtype=np.float32), (0, 0), 2.2)
    return np.asarray(skin * (1 + 0.10 * mottle[..., None]), dtype=np.float32)


def _nails(picture: Floats, gx: Floats, gy: Floats, pose: Pose, person: Person) -> None:
    pale = np.array(person.skin) * 0.55 + np.array([176, 186, 226]) * 0.45
    for x, y, turn in _NAILS[pose]:
        near = _near(gx.shape, (x, y, x, y, 8.0, 8.0))
        a = np.radians(turn)
        right, down = gx[near] - x, gy[near] - y
        u, v = right * np.cos(a) + down * np.sin(a), -right * np.sin(a) + down * np.cos(a)
        inside = np.clip((1 - (u / 4.3) ** 4 - (v / 5.6) ** 4) * 3, 0, 1)[..., None]
        gleam = np.exp(-((u + 1) ** 2 / 3 + (v + 1) ** 2 / 9))[..., None]
        picture[near] = picture[near] * (1 - inside) + inside * (pale * 1.02 + 38 * gleam)


def _sleeve(gx: Floats, gy: Floats, person: Person, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Outline distance, height and colour of the sleeve."""
    cuff = person.cuff_mm
    wrist = 31 + max(0.0, min(cuff - 160, 150)) * 0.09
    bones: tuple[Bone, ...] = ((2, cuff + wrist, 2, 830, wrist + 5, 66),)
    d, h = _bone(gx, gy, bones[0])
    d = np.asarray(np.maximum(d, cuff - gy + 1.5 * np.sin(gx / 9)), dtype=np.float32)
    folds = cv2.GaussianBlur(rng.standard_normal(gx.shape, dtype=np.float32), (0, 0), sigmaX=22, sigmaY=7)
    h = np.asarray(h + folds * 50 + 2.0 * np.exp(-((gy - cuff - 9) ** 2) / 10), dtype=np.float32)
    colour = np.empty((*gx.shape, 3), dtype=np.float32)
    colour[:] = person.sleeve
    if person.striped:
        band = (np.floor(gy / 16) % 2)[..., None]
        colour = colour * (1 - 0.35 * band) + 60 * band
    weave = 1 + 0.05 * rng.standard_normal(gx.shape, dtype=np.float32)
    colour *= weave[..., None]
    colour *= np.where(np.abs(gy - cuff - 14) < 0.8, 0.75, 1.0).astype(np.float32)[..., None]
    return d, h, np.asarray(colour, dtype=np.float32)


def _premultiplied(colour: Floats, alpha: Floats) -> Image:
    bgra = np.dstack([np.clip(colour, 0, 255) * alpha[..., None], alpha * 255])
    return np.asarray(np.rint(bgra), dtype=np.uint8)


def draw_arm(person: Person, pose: Pose, seed: int) -> Sprite:
    """The arm of one person in one pose; the same arguments draw the same arm."""
    rng = np.random.default_rng(seed)
    gx, gy = _grid()
    forearm: tuple[Bone, ...] = ((2, 150, 4, 330, 26, 37), (4, 330, 4, 830, 37, 50))
    bones = _PALM + _FINGERS[pose] + forearm
    distance, height = _body(gx, gy, bones)
    alpha = np.clip(0.5 - distance * SPRITE_SCALE, 0, 1)
    picture = _shaded(height, _skin(gx, gy, bones, person, rng), 1.6)
    _nails(picture, gx, gy, pose, person)
    d, h, colour = _sleeve(gx, gy, person, rng)
    cloth = np.clip(0.5 - d * SPRITE_SCALE, 0, 1)
    dark = np.clip(1 - 0.45 * np.exp(-np.maximum(person.cuff_mm - gy, 0) / 5), 0, 1)
    picture = picture * dark[..., None] * (1 - cloth[..., None]) + _shaded(h, colour, 2.2) * cloth[..., None]
    alpha = np.asarray(np.maximum(alpha, cloth), dtype=np.float32)
    over = _premultiplied(picture, alpha)
    if pose is Pose.PINCH:
        distance, height = _body(gx, gy, _THUMB)
        thumb = np.asarray(np.clip(0.5 - distance * SPRITE_SCALE, 0, 1), dtype=np.float32)
        under: Image | None = _premultiplied(_shaded(height, _skin(gx, gy, _THUMB, person, rng), 1.6), thumb)
    else:
        thumb = np.zeros_like(alpha)
        under = None
    small = cv2.resize(np.maximum(alpha, thumb), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    shadow = np.asarray(np.rint(cv2.GaussianBlur(small, (0, 0), 2.0) * 255), dtype=np.uint8)
    size = person.size
    to_mm = np.array([[size / SPRITE_SCALE, 0.0, LEFT_MM * size], [0.0, size / SPRITE_SCALE, TOP_MM * size], [0, 0, 1]])
    if person.left:
        to_mm = np.diag([-1.0, 1.0, 1.0]) @ to_mm
    return Sprite(over, under, shadow, to_mm)
