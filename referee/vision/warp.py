"""Quadrilaterals and rectification: from a card anywhere in a picture to an upright crop, and back."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image

QuadArray = npt.NDArray[np.float32]
"""float32 (4, 2): corners in pixels, in order round the card, the first and second along a short side."""

CROP_PX = (80, 120)
"""Width and height of the reader's input."""

CROP_MARGIN = 0.08
"""Ground kept round the card in the crop, as a share of the crop's width and height on each side.
Less cuts the edges off a card whose corners were found badly; more leaves fewer pixels for the symbol."""

GREY = 128
"""Grey level of what no picture shows, as the networks learnt it. Any other: corners of cards that reach out of the
picture look like none that they saw."""

_NEXT = [1, 2, 3, 0]


def unit_quad() -> QuadArray:
    """The card's corners in the crop, as shares of the crop's width and height: top left first, clockwise."""
    a, b = CROP_MARGIN, 1 - CROP_MARGIN
    return np.array([[a, a], [b, a], [b, b], [a, b]], np.float32)


def clockwise(quad: npt.ArrayLike) -> QuadArray:
    """The same corners, clockwise in the picture; the same side stays first.

    Raises ValueError when `quad` is not four finite points.
    """
    q = np.array(quad, np.float32)
    if q.shape != (4, 2) or not np.isfinite(q).all():
        raise ValueError(f"a quadrilateral is four finite points (x, y), not {quad!r}")
    if signed_area(q) < 0:
        q = q[[1, 0, 3, 2]]
    return np.ascontiguousarray(q)


def upright(quad: npt.ArrayLike) -> QuadArray:
    """The same corners, clockwise in the picture and starting so that the first side is a short one.

    Raises ValueError when `quad` is not four finite points.
    """
    q = clockwise(quad)
    return np.ascontiguousarray(q[_NEXT]) if slenderness(q) < 1 else q


def slenderness(quad: QuadArray) -> float:
    """Length of the second and fourth side over that of the first and third: 1.55 for an upright card from above."""
    sides = np.hypot(*(quad[_NEXT] - quad).T)
    return float((sides[1] + sides[3]) / max(1e-6, float(sides[0] + sides[2])))


def signed_area(quad: npt.NDArray[np.float32]) -> float:
    """Area in square pixels, positive when the corners run clockwise as seen (y down)."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad.tolist()
    return float((x2 - x0) * (y3 - y1) - (x3 - x1) * (y2 - y0)) / 2  # half the cross product of the diagonals


def rectify(image: Image, quad: QuadArray, size: tuple[int, int] = CROP_PX, margin: float = CROP_MARGIN) -> Image:
    """The card as an upright picture, uint8 (height, width, 3), with `margin` of ground; outside the image: grey.

    A card that is much larger than the crop is shrunk first, so that fine print does not turn to noise.
    """
    w, h = size
    target = np.array([[margin, margin], [1 - margin, margin], [1 - margin, 1 - margin], [margin, 1 - margin]]) * [w, h]
    height = float(np.hypot(*(quad[3] - quad[0] + quad[2] - quad[1]))) / 2
    shrink = height / (h * (1 - 2 * margin))
    if shrink > 2:
        image, quad = _shrunk(image, quad, shrink)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), (target - 0.5).astype(np.float32))
    out = cv2.warpPerspective(
        image, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(GREY,) * 3
    )
    return np.asarray(out, np.uint8)


def _shrunk(image: Image, quad: QuadArray, factor: float) -> tuple[Image, QuadArray]:
    """The part of the image about the quadrilateral, `factor` / 1.5 times smaller, and the corners in it."""
    low, high = quad.min(0), quad.max(0)
    pad = (high - low) * 0.2 + 4
    x0, y0 = np.maximum(np.floor(low - pad), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(high + pad), [image.shape[1], image.shape[0]]).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return image, quad
    part, times = halved(image[y0:y1, x0:x1], 1.5 / factor)
    f = 1.5 * times / factor
    small = cv2.resize(part, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
    scale = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]]) / times
    return np.asarray(small, np.uint8), ((quad - [x0, y0] + 0.5) * scale - 0.5).astype(np.float32)


def halved(image: Image, scale: float) -> tuple[Image, int]:
    """The picture, halved while at least four times the size that it has at this scale is left; and how many of its
    pixels make one then, along a side.

    What is then shrunk to that scale looks as if shrunk at once. OpenCV halves a picture ten times as fast as it
    shrinks one in another ratio.
    """
    times = 1
    while scale * times <= 0.125 and min(image.shape[:2]) > 1:
        h, w = image.shape[0] // 2, image.shape[1] // 2
        even = image[: 2 * h, : 2 * w]
        image, times = np.asarray(cv2.resize(even, (w, h), interpolation=cv2.INTER_AREA), np.uint8), 2 * times
    return image, times


def in_full(points: npt.NDArray[np.float32], times: int) -> npt.NDArray[np.float32]:
    """Points of a picture that `halved` gave, pixels, in the picture that it was."""
    return np.asarray((points + 0.5) * times - 0.5, np.float32)


def from_crop(points: npt.NDArray[np.float32], quad: QuadArray) -> QuadArray:
    """Points of the crop (shares of its width and height) as pixels of the image that `quad` is in."""
    matrix = cv2.getPerspectiveTransform(unit_quad(), quad.astype(np.float32))
    moved = cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float32), matrix)
    return np.asarray(moved[0], np.float32)


def frame_of(image: Image) -> QuadArray:
    """The corners of the picture."""
    h, w = image.shape[:2]
    return np.array([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]], np.float32)


def overlap(a: QuadArray, b: QuadArray) -> float:
    """Common area of two convex quadrilaterals as a share of the smaller one, 0 to 1."""
    return _share(a, b, min(abs(signed_area(a)), abs(signed_area(b))))


def covered(quad: QuadArray, by: QuadArray) -> float:
    """Share of the area of one convex quadrilateral that lies in another, 0 to 1."""
    return _share(quad, by, abs(signed_area(quad)))


def _share(a: QuadArray, b: QuadArray, area: float) -> float:
    """The common area of two convex quadrilaterals as a share of `area`, 0 to 1."""
    if area <= 0:
        return 0.0
    common, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return min(1.0, float(common) / area)
