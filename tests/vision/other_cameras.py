"""How well the eye follows recordings as other cameras, and a set-up in haste, would have them, one line for each kind.

    python tests/vision/other_cameras.py ../shared/data/videos                   # all kinds
    python tests/vision/other_cameras.py ../shared/data/videos --only side 480

Not collected by pytest. Counts as `many_tables.py` does; the rates of frames are those that the recordings' 30 leave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from harsh_recordings import Floats, Kind, Shots, measure

from referee.frame import Image
from referee.vision.calibration import Calibration, Zone

WIDTH, HEIGHT = 1280, 720
"""The recordings' size, pixels."""

MIDDLE_MM = 380.0, 215.0
"""The middle of their tables."""

Change = Callable[[Image], Image]


def each(change: Change) -> Callable[[Shots], Shots]:
    """The same change to every picture."""
    return lambda shots: ((t, change(image)) for t, image in shots)


def view(words: str, change: Change, matrix: list[list[float]], width: int, height: int) -> Kind:
    """A camera that shows other pixels. matrix: (3, 3), pixels of the recording to its pixels; its size, pixels."""

    def calibrated(given: Calibration) -> Calibration:
        return replace(given, image_size=(width, height), table_to_image=np.array(matrix, float) @ given.table_to_image)

    return Kind(each(change), words, calibrated)


def sized(words: str, width: int, height: int) -> Kind:
    """A camera of so many pixels."""
    x, y = width / WIDTH, height / HEIGHT
    way = cv2.INTER_AREA if width < WIDTH else cv2.INTER_CUBIC
    matrix = [[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]]

    def change(image: Image) -> Image:
        return np.asarray(cv2.resize(image, (width, height), interpolation=way), np.uint8)

    return view(words, change, matrix, width, height)


def hasty(words: str, right_mm: float = 0, down_mm: float = 0, turn: float = 0, scale: float = 1) -> Kind:
    """Corners of the table that were dragged carelessly. turn: degrees; about the middle of the table."""
    x, y = MIDDLE_MM
    c, s = scale * np.cos(np.radians(turn)), scale * np.sin(np.radians(turn))
    off = np.array([[c, s, x + right_mm - c * x - s * y], [-s, c, y + down_mm + s * x - c * y], [0, 0, 1]])

    def calibrated(given: Calibration) -> Calibration:
        return replace(given, table_to_image=given.table_to_image @ off)

    return Kind(each(lambda image: image), words, calibrated)


def beside(words: str, discard: tuple[float, float], draw: tuple[float, float]) -> Kind:
    """Places of the piles that were put down carelessly: by how many millimetres farther right and down."""

    def moved(zone: Zone, by: tuple[float, float]) -> Zone:
        return zone[0] + by[0], zone[1] + by[1], zone[2], zone[3]

    def calibrated(given: Calibration) -> Calibration:
        return replace(
            given, discard_zone_mm=moved(given.discard_zone_mm, discard), draw_zone_mm=moved(given.draw_zone_mm, draw)
        )

    return Kind(each(lambda image: image), words, calibrated)


def bent(strength: float) -> Change:
    """A lens that bends straight lines, outwards below 0, and that nobody straightens."""
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    u, v = (x - WIDTH / 2) / (WIDTH / 2), (y - HEIGHT / 2) / (WIDTH / 2)
    further = 1 + strength * (u * u + v * v)
    xs, ys = ((a * further + 1) * WIDTH / 2 - b for a, b in ((u, 0.0), (v, (WIDTH - HEIGHT) / 2)))
    maps = xs.astype(np.float32), ys.astype(np.float32)
    return lambda image: np.asarray(
        cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def vignetted(image: Image) -> Image:
    """The corners have two fifths of the light."""
    return np.clip(image * _VIGNETTE, 0, 255).astype(np.uint8)


def jpeg(image: Image) -> Image:
    """A JPEG of quality 20."""
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 20])[1], 1), np.uint8)


def tinted(blue: float, green: float, red: float) -> Change:
    """Other strengths of the colours."""
    return lambda image: np.clip(image * np.array([blue, green, red]), 0, 255).astype(np.uint8)


def toned(gamma: float) -> Change:
    """Another tone curve."""
    curve = (255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return lambda image: np.asarray(cv2.LUT(image, curve), np.uint8)


def every(nth: int) -> Callable[[Shots], Shots]:
    """Only every nth picture."""
    return lambda shots: (shot for number, shot in enumerate(shots) if number % nth == 0)


def doubled(shots: Shots) -> Shots:
    """Sixty pictures a second, each shown twice."""
    for t, image in shots:
        yield t, image
        yield t + 1 / 60, image


_X, _Y = np.meshgrid(np.linspace(-1, 1, WIDTH, dtype=np.float32), np.linspace(-1, 1, HEIGHT, dtype=np.float32))
_VIGNETTE: Floats = np.asarray(1 - 0.3 * (_X**2 + _Y**2), np.float32)[..., None]

KINDS = {
    "side": view(
        "the camera lies on its side", lambda image: np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8),
        [[0, -1, HEIGHT - 1], [1, 0, 0], [0, 0, 1]], HEIGHT, WIDTH,
    ),
    "head": view(
        "it stands on its head", lambda image: np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8),
        [[-1, 0, WIDTH - 1], [0, -1, HEIGHT - 1], [0, 0, 1]], WIDTH, HEIGHT,
    ),
    "cut": view(
        "a part of the picture, 960 x 680", lambda image: np.ascontiguousarray(image[40:, 160:1120]),
        [[1, 0, -160], [0, 1, -40], [0, 0, 1]], 960, 680,
    ),
    "1080": sized("1920 x 1080", 1920, 1080),
    "360": sized("640 x 360", 640, 360),
    "270": sized("480 x 270", 480, 270),
    "narrow": sized("squeezed to 960 x 720", 960, 720),
    "barrel": Kind(each(bent(0.06)), "a lens that bends lines outwards, 6 %"),
    "cushion": Kind(each(bent(-0.06)), "a lens that bends lines inwards, 6 %"),
    "vignette": Kind(each(vignetted), "corners with two fifths of the light"),
    "jpeg": Kind(each(jpeg), "JPEG of quality 20"),
    "tungsten": Kind(each(tinted(0.6, 0.9, 1.15)), "blue, green and red 0.6, 0.9 and 1.15 times as strong"),
    "blue": Kind(each(tinted(1.2, 1.0, 0.8)), "blue, green and red 1.2, 1.0 and 0.8 times as strong"),
    "red-bulb": Kind(each(tinted(0.25, 0.3, 1.0)), "a red bulb: blue, green, red 0.25, 0.3, 1 times as strong"),
    "blue-bulb": Kind(each(tinted(1.0, 0.35, 0.25)), "a blue bulb: blue, green, red 1, 0.35, 0.25 times as strong"),
    "bright": Kind(each(toned(0.7)), "a tone curve of 0.7"),
    "deep": Kind(each(toned(1.4)), "a tone curve of 1.4"),
    "60": Kind(doubled, "60 pictures a second, each twice"),
    "10": Kind(every(3), "10 pictures a second"),
    "6": Kind(every(5), "6 pictures a second"),
    "hasty": hasty("the table's corners 5 mm, 1 degree and 1 % off", 4, -3, 1.0, 1.01),
    "large": hasty("the table said 3 % too large", scale=1.03),
    "small": hasty("the table said 3 % too small", scale=0.97),
    "large-cards": hasty("cards a ninth larger than is said", scale=0.9),
    "small-cards": hasty("cards an eighth smaller than is said", scale=1.14),
    "beside": beside("the places of the piles 15 mm off", (15, -12), (10, 8)),
}  # fmt: skip


if __name__ == "__main__":
    measure(KINDS, __doc__)
