"""The four corners of a single card on a plain ground, by contours: enough to start the training from."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.warp import QuadArray, signed_area, upright

_LONG_SIDE = 480
_SOLID = 0.955
"""Least share of the fitted quadrilateral that the contour fills. Lower takes hands along; higher drops worn cards."""


def card_outline(image: Image) -> QuadArray | None:
    """Corners of the one card in the picture in pixels, or None when no contour looks like a card."""
    scale = _LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (5, 5), 0)
    best: tuple[float, QuadArray] | None = None
    for mask in _masks(np.asarray(small, np.uint8)):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            found = _fit(contour.reshape(-1, 2).astype(np.float32), small.shape[1], small.shape[0])
            if found is not None and (best is None or found[0] > best[0]):
                best = found
    return None if best is None else ((best[1] + 0.5) / scale - 0.5).astype(np.float32)


def _masks(small: Image) -> list[Image]:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    border = np.concatenate(
        [lab[:4].reshape(-1, 3), lab[-4:].reshape(-1, 3), lab[:, :4].reshape(-1, 3), lab[:, -4:].reshape(-1, 3)]
    )
    away = np.clip(np.linalg.norm(lab - np.median(border, 0), axis=2) * 2, 0, 255).astype(np.uint8)
    edges = cv2.dilate(cv2.Canny(small, 30, 90), np.ones((3, 3), np.uint8))
    masks = [edges]
    for plane in (grey, away):
        level, _ = cv2.threshold(plane, 0, 255, cv2.THRESH_OTSU)
        masks += [((plane > level * f) * 255).astype(np.uint8) for f in (0.6, 1.0, 1.25)]
    return [np.asarray(cv2.morphologyEx(m, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8) for m in masks]


def _fit(points: npt.NDArray[np.float32], width: int, height: int) -> tuple[float, QuadArray] | None:
    hull = cv2.convexHull(points).reshape(-1, 2)
    area = cv2.contourArea(hull)
    if area < 0.02 * width * height:
        return None
    for eps in (0.02, 0.03, 0.045, 0.06):
        rough = cv2.approxPolyDP(hull, eps * cv2.arcLength(hull, True), True).reshape(-1, 2)
        if len(rough) == 4:
            break
    else:
        return None
    quad = _sharpen(points, rough.astype(np.float32))
    if quad is None:
        return None
    quad = upright(quad)
    sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
    ratio = (sides[1] + sides[3]) / max(1.0, sides[0] + sides[2])
    full = signed_area(quad)
    solid = cv2.contourArea(points) / max(1.0, full)
    inside = (quad > -3).all() and (quad < [width + 2, height + 2]).all()
    if not (1.2 < ratio < 1.95 and _SOLID < solid < 1.02 and inside):
        return None
    skew = abs(sides[0] - sides[2]) / sides[0] + abs(sides[1] - sides[3]) / sides[1]
    score = solid - abs(ratio - 1.55) * 0.3 - 0.2 * skew + 0.1 * min(1.0, full / (0.2 * width * height))
    return float(score), quad


def _sharpen(points: npt.NDArray[np.float32], rough: npt.NDArray[np.float32]) -> npt.NDArray[np.float32] | None:
    """Corners where the lines through the four sides meet: the card's own corners are round."""
    lines = []
    for a, b in zip(rough, np.roll(rough, -1, 0), strict=True):
        along = b - a
        length = float(np.hypot(*along))
        if length < 8:
            return None
        share = (points - a) @ along / length**2
        off = np.abs((points - a) @ np.array([-along[1], along[0]]) / length)
        near = points[(share > 0.18) & (share < 0.82) & (off < 0.04 * length + 2)]
        if len(near) < 8:
            return None
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((vy, -vx, vy * x - vx * y))
    corners = []
    for one, two in zip(lines[-1:] + lines[:-1], lines, strict=True):
        det = one[0] * two[1] - two[0] * one[1]
        if abs(det) < 0.2:
            return None
        corners.append([(one[2] * two[1] - two[2] * one[1]) / det, (one[0] * two[2] - two[0] * one[2]) / det])
    return np.array(corners, np.float32)
