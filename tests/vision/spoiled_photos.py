"""Photographs in bad light, out of focus, from afar and askew: those of sources that took no part in training, spoiled.

    python tests/vision/spoiled_photos.py ../shared/data             # every third photograph
    python tests/vision/spoiled_photos.py ../shared/data --tuning --only "light x 1.3" "light x 2.1"

Prints a Markdown table. Not collected by pytest. Only photographs that are read right as they are take part: where
their card lies is known from that reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
from photo_trials import options, outcome, print_table, read_right

from referee.frame import Image
from referee.vision.nets import load_models

SEED = 23
LONGEST_PX = 1000
"""Longest side of the pictures: larger ones are shrunk to that first."""

Quad = npt.NDArray[np.float32]
Spoil = Callable[[Image, Quad, np.random.Generator], npt.NDArray[np.generic]]


def height_of(quad: Quad) -> float:
    """Height of a card, pixels."""
    return float(np.hypot(*(quad[3] - quad[0])))


def in_light(*gain: float) -> Spoil:
    """The channels so many times as strong, blue first; one for all."""
    return lambda image, quad, rng: image * np.array(gain)


def shrunk(card_px: float) -> Spoil:
    """From so far away that the card has this height; no picture is enlarged."""
    def spoil(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
        f = min(1.0, card_px / height_of(quad))
        return cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
    return spoil


def blurred(share: float) -> Spoil:
    """Out of focus by so much of the card's height."""
    return lambda image, quad, rng: cv2.GaussianBlur(image, (0, 0), share * height_of(quad))


def shaken(share: float) -> Spoil:
    """Moved along a line by so much of the card's height while the picture was taken."""
    def spoil(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
        n = max(3, round(share * height_of(quad)) | 1)
        way = np.array([np.cos(a := rng.uniform(0, np.pi)), np.sin(a)]) * (n // 2)
        line = np.zeros((n, n), np.float32)
        ends = [tuple(np.rint(n // 2 + s * way).astype(int).tolist()) for s in (-1, 1)]
        cv2.line(line, *ends, 1.0)
        return cv2.filter2D(image, -1, line / line.sum())
    return spoil


def dark(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
    return image * 0.25 + rng.normal(0, 6, image.shape)


def glared(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
    """A lamp mirrored on the card."""
    size = height_of(quad)
    x, y = quad.mean(0) + rng.normal(0, 0.2, 2) * size
    ys, xs = np.mgrid[: image.shape[0], : image.shape[1]]
    return image + 260 * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * (0.3 * size) ** 2))[..., None]


def half_shaded(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
    """A sharp shadow over half of the card."""
    way = np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)])
    ys, xs = np.mgrid[: image.shape[0], : image.shape[1]]
    beyond = (xs - quad.mean(0)[0]) * way[0] + (ys - quad.mean(0)[1]) * way[1] > 0
    return image * np.where(beyond, 1.0, 0.35)[..., None]


def turned(slant: tuple[float, float]) -> Spoil:
    """Turned by any angle, then seen at a slant: how much nearer the far corners lie, a share drawn between these."""
    def spoil(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
        h, w = image.shape[:2]
        k, turn = rng.uniform(*slant), cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 360), 0.7)
        flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        far = np.array([[w * k / 2, h * k * 0.8], [w * (1 - k / 2), h * k * 0.8], [w, h], [0, h]], np.float32)
        view = cv2.getPerspectiveTransform(flat, far) @ np.vstack([turn, [0, 0, 1]])
        return cv2.warpPerspective(image, view, (w, h), borderMode=cv2.BORDER_REPLICATE)
    return spoil


def squeezed(image: Image, quad: Quad, rng: np.random.Generator) -> npt.NDArray[np.generic]:
    """JPEG of quality 12."""
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 12])[1], cv2.IMREAD_COLOR)


KINDS: dict[str, Spoil] = {
    "35 px": shrunk(35), "50 px": shrunk(50), "out of focus": blurred(0.02), "far out of focus": blurred(0.035),
    "shaken": shaken(0.06), "much shaken": shaken(0.1), "squeezed": squeezed, "dark": dark,
    "warm": in_light(0.45, 0.85, 1.25), "cold": in_light(1.3, 0.95, 0.6), "green": in_light(0.75, 1.2, 0.7),
    "over-exposed": in_light(1.7), "burnt-out": in_light(2.5), "glare": glared, "half in shadow": half_shaded,
    "turned": turned((0.0, 0.0)), "slanted": turned((0.25, 0.4)),
}  # fmt: skip

LIGHTS: dict[str, Spoil] = {f"light x {gain}": in_light(gain) for gain in (1.3, 1.7, 2.1, 2.5, 3.0)}
"""Kinds that only --only asks for."""


def main() -> None:
    kinds = {**KINDS, **LIGHTS}
    parser = options(__doc__)
    parser.add_argument("--only", nargs="+", choices=tuple(kinds), default=list(KINDS), metavar="KIND")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models = load_models(given.models)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in given.only}
    for number, photo, image, quad in read_right(given, models, LONGEST_PX):
        for kind, count in counts.items():
            spoiled = kinds[kind](image, quad, np.random.default_rng([SEED, number]))
            picture = np.ascontiguousarray(np.clip(spoiled, 0, 255).astype(np.uint8))
            count[outcome(picture, str(photo.card), models)] += 1
    print_table("photographs", counts)


if __name__ == "__main__":
    main()
