"""Whether there is light enough over the table, and where there is too much: advice before a game, in words."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.calibration import Calibration, Zone
from referee.vision.find_mat import Advice, Code, MatLook, corners_of

DARK = 75
"""Grey level that white must reach. The eye gives up at 45 (`sight.DARK_LEVEL`). Smaller: it fails at the first cloud;
larger: evenings by lamplight are turned down that the eye reads well."""

DARK_CLOTH = 40
"""The same where nothing white is known to be in sight. Smaller: night passes for a black cloth; larger: a black cloth
passes for night."""

DARK_SHARE = 0.4
"""Share of the brightest white below which another place counts as the dark side. Smaller: half the table is in the
shade unnoticed; larger: one lamp beside the table is a fault."""

FULL = 250
"""Level of all three colours from which a pixel is washed out."""

GLARE_SHARE = 0.04
"""Share of a pile's place that is washed out from which it is glare. Smaller: a white border in the sun; larger: a
reflection that hides the corner of a card."""

BRIGHT_SHARE = 0.6
"""Share of a pile's place from which it is not a reflection: the whole picture is over-exposed."""


def light_advice(image: Image, mat: MatLook, calibration: Calibration | None) -> list[Advice]:
    """What is wrong with the light. image: uint8 (h, w, 3) B, G, R. mat: what was seen of the mat, whose white paper
    is the best measure. calibration: where the piles lie, None while that is not known. Worst first."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    known = len(mat.markers) >= 3
    levels, least = (_paper(grey, mat), DARK) if known else (_sides(grey), DARK_CLOTH)
    return _dark(levels, least) + ([] if calibration is None else _glare(image, calibration))


Levels = list[tuple[str, float]]
"""Sides of the picture and how bright white is there."""


def _dark(levels: Levels, enough: float) -> list[Advice]:
    most = max(level for _, level in levels)
    if most < enough:
        return [Advice(Code.DARK)]
    side, least = min(levels, key=lambda one: one[1])
    return [Advice(Code.DARK_SIDE, side=side)] if least < most * DARK_SHARE else []


def _paper(grey: npt.NDArray[np.uint8], mat: MatLook) -> Levels:
    """How bright the paper is just outside each marker."""
    middle = np.mean([corners.mean(0) for _, corners in mat.markers], axis=0)
    out = []
    for _, corners in mat.markers:
        centre = corners.mean(0)
        ring = np.rint(centre + (corners - centre) * 1.25).astype(int)
        inside = (ring >= 0).all(1) & (ring < grey.shape[::-1]).all(1)
        values = [grey[y, x] for x, y in ring[inside]]
        if values:
            out.append((_side(centre - middle), float(np.median(values))))
    return out or _sides(grey)


def _sides(grey: npt.NDArray[np.uint8]) -> Levels:
    """How bright the brightest tenth is at each side of the picture. Without a mat nothing is known to be white, so
    only a side that is far darker than the brightest one says anything."""
    h, w = grey.shape
    parts = {
        "left": grey[:, : w // 3], "right": grey[:, -w // 3 :], "top": grey[: h // 3], "bottom": grey[-h // 3 :],
    }  # fmt: skip
    return [(side, float(np.percentile(part[::4, ::4], 98))) for side, part in parts.items()]


def _side(away: npt.NDArray[np.float64]) -> str:
    if abs(away[0]) >= abs(away[1]):
        return "left" if away[0] < 0 else "right"
    return "top" if away[1] < 0 else "bottom"


def _glare(image: Image, calibration: Calibration) -> list[Advice]:
    places = (("discard", calibration.discard_zone_mm), ("draw", calibration.draw_zone_mm))
    shares = {name: _washed_out(image, calibration, zone) for name, zone in places}
    if min(shares.values()) > BRIGHT_SHARE:
        return [Advice(Code.BRIGHT)]
    return [Advice(Code.GLARE, side=name) for name, share in shares.items() if share > GLARE_SHARE]


def _washed_out(image: Image, calibration: Calibration, zone: Zone) -> float:
    """Share of the zone's pixels that are white to the brim, 0 to 1."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(calibration.to_image(corners_of(zone))).astype(np.int32), 1)
    pixels = image[mask > 0]
    return float((pixels.min(1) >= FULL).mean()) if len(pixels) else 0.0
