"""From a picture of the table to its calibration: by the markers of the printed mat, or by four corners that a person
pointed at. What stands in the way is said as `Advice`, never guessed around.

    look = look_for_mat(image)
    if look.calibration is None: print(look.advice)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision import mat
from referee.vision.calibration import Calibration, CalibrationError, Floats, Seat, Zone
from referee.vision.mat import BETWEEN_PILES_MM, CARD_MM, DISCARD_SIZE_MM, DRAW_SIZE_MM, Paper, Xy, zone_about

LEAST_SPREAD_MM = 100.0
"""How far the found markers must lie apart, both ways, for the table to follow from them. Smaller: errors at the edge
of the table grow to centimetres; larger: one hand on the mat is enough to fail."""

MIRRORED_LEAST = 2
"""Markers that are found in the mirrored picture before the camera is said to mirror. Fewer: a pattern on the table
that looks like one; more: a hand on the mat hides them."""

UNEVEN_MM = 1.5
"""Mean error of the markers from which the mat counts as not flat. Smaller: noise; larger: a bent sheet passes."""

LEAST_CARD_PX = 60.0
"""Height of a card in the picture below which it is too far: the eye was found to fail at about 35 (EYES.md, 5), and
noise and slant want a reserve. Smaller: cards are misread; larger: good places for the camera are turned down."""

SLANTED = 1.22
"""How much longer a millimetre is along one direction than across it from which the camera is too slanted (35 degrees).
Smaller: ordinary arms and shelves are turned down; larger: cards at the far side cannot be read."""

SOFT_MM = 0.9
"""Blur (standard deviation, millimetres of table) from which the picture is too soft. Smaller: ordinary lenses;
larger: corner symbols run into each other."""

FAR_MM = 1500.0
"""How far from the middle of the mat the table is taken to reach at most: beyond lies the room, not the table."""

SEAT_REACH = (1.45, 1.75)
"""Half axes of the ellipse of seats, in halves of the visible table."""

DEFAULT_SEATS = 4


class Code(Enum):
    """What may be wrong with the view of a table. The value names the phrase `advice.VALUE`."""

    NO_MAT = "no_mat"
    """No marker of a mat is in the picture."""
    MIRRORED = "mirrored"
    """The picture is the wrong way round, as of a camera that shows people themselves as a mirror does."""
    TOO_FEW = "too_few"
    """Some markers, but too few or too close together."""
    HIDDEN = "hidden"
    """The table is found, but `n` markers are covered or outside the picture."""
    UNEVEN = "uneven"
    """The markers do not lie in one plane to `n` millimetres: the sheet is bent or the lens bends lines."""
    SLANTED = "slanted"
    """The camera looks from the side."""
    FAR = "far"
    """A card is only `n` pixels high."""
    SOFT = "soft"
    """The picture is blurred."""
    OUTSIDE = "outside"
    """A pile's place reaches out of the picture."""
    DARK = "dark"
    """The whole picture is too dark."""
    DARK_SIDE = "dark_side"
    """It is too dark at `side`."""
    GLARE = "glare"
    """A bright reflection at `side`: `discard` or `draw`, the pile it is near."""
    BRIGHT = "bright"
    """Everything white is washed out."""
    NOT_TO_SCALE = "not_to_scale"
    """Cards measure `n` percent of their size: the mat was not printed at 100 %."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to mend. n: see the code; side: left, right, top or bottom of the picture, or the pile, else empty."""

    code: Code
    n: int = 0
    side: str = ""

    def to_json(self) -> dict[str, object]:
        """For pages: code, n, side."""
        return {"code": self.code.value, "n": self.n, "side": self.side}


@dataclass(frozen=True, eq=False)
class MatLook:
    """What a picture showed of the mat.

    calibration: the table, None when it does not follow from what was seen. paper: the sheet, None when no marker was
    seen. markers: the found ones, number and float64 (4, 2) corners in pixels. residual_mm: root mean square of the
    distances between where the found corners lie and where the calibration puts them. advice: worst first.
    """

    calibration: Calibration | None
    paper: Paper | None
    markers: tuple[tuple[int, Floats], ...]
    residual_mm: float | None
    advice: tuple[Advice, ...]


def look_for_mat(image: Image) -> MatLook:
    """The mat in `image`, uint8 (h, w, 3) B, G, R."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _markers(grey)
    paper = _paper(found)
    if paper is None:
        mirrored = _paper(_markers(np.ascontiguousarray(grey[:, ::-1])), MIRRORED_LEAST)
        return MatLook(None, None, (), None, (Advice(Code.NO_MAT if mirrored is None else Code.MIRRORED),))
    places = {marker.number: marker.corners_mm for marker in mat.markers(paper)}
    seen = tuple((number, corners) for number, corners in found if number in places)
    on_paper = np.array([places[number] for number, _ in seen], np.float64).reshape(-1, 2)
    in_picture = np.concatenate([corners for _, corners in seen])
    missing = len(places) - len(seen)
    matrix = _homography(on_paper, in_picture)
    if matrix is None or np.ptp(on_paper, axis=0).min() < LEAST_SPREAD_MM:
        return MatLook(None, paper, seen, None, (Advice(Code.TOO_FEW, missing),))
    calibration = _on_table(matrix, (image.shape[1], image.shape[0]), mat.discard_mm(paper), mat.draw_mm(paper))
    back = cv2.perspectiveTransform(in_picture.reshape(-1, 1, 2), np.linalg.inv(matrix)).reshape(-1, 2)
    residual = float(np.sqrt(((back - on_paper) ** 2).sum(1).mean()))
    advice = [Advice(Code.HIDDEN, missing)] if missing else []
    if residual > UNEVEN_MM:
        advice.append(Advice(Code.UNEVEN, round(residual)))
    softness = _softness_px(grey, [corners for _, corners in seen])
    if softness / calibration.px_per_mm() > SOFT_MM:
        advice.append(Advice(Code.SOFT))
    return MatLook(calibration, paper, seen, residual, (*view_advice(calibration), *advice))


def from_corners(image_size: tuple[int, int], corners_px: Sequence[Xy], size_mm: tuple[float, float]) -> Calibration:
    """The table that follows from the four corners of a rectangle on it, in any order: a sheet of paper, the table.

    size_mm: of the rectangle, long side and short side in any order. The piles are put in its middle. Raises
    CalibrationError when the corners are no rectangle seen by a camera.
    """
    points = np.array(corners_px, np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise CalibrationError("corners: expected four points, x and y in pixels")
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    area = float(cv2.contourArea(hull.astype(np.float32)))
    if len(hull) != 4 or area < 0.005 * image_size[0] * image_size[1]:
        raise CalibrationError("corners: expected four corners of a rectangle that fills a good part of the picture")
    if not all(50 <= side <= 5000 for side in size_mm):
        raise CalibrationError("size: expected two lengths from 50 to 5000 millimetres")
    ordered = _from_upper_left(hull)
    across = float(np.hypot(*(ordered[1] - ordered[0])) + np.hypot(*(ordered[2] - ordered[3])))
    down = float(np.hypot(*(ordered[3] - ordered[0])) + np.hypot(*(ordered[2] - ordered[1])))
    long, short = max(size_mm), min(size_mm)
    width, height = (long, short) if across >= down else (short, long)
    matrix = _homography(np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64), ordered)
    if matrix is None:
        raise CalibrationError("corners: expected four corners of a rectangle, not three in a line")
    turned = across < down and height > width
    step = (0.0, BETWEEN_PILES_MM / 2) if turned else (BETWEEN_PILES_MM / 2, 0.0)
    middle = (width / 2, height / 2)
    piles = (middle[0] - step[0], middle[1] - step[1]), (middle[0] + step[0], middle[1] + step[1])
    return _on_table(matrix, image_size, *piles)


def view_advice(calibration: Calibration) -> list[Advice]:
    """What is wrong with the place of the camera: too slanted, too far, piles outside the picture. Worst first."""
    out = []
    x, y, w, h = calibration.discard_zone_mm
    middle = (x + w / 2, y + h / 2)
    step = calibration.to_image([middle, (middle[0] + 1, middle[1]), (middle[0], middle[1] + 1)])
    scales = np.linalg.svd(np.array([step[1] - step[0], step[2] - step[0]]), compute_uv=False)
    if scales[0] / max(scales[1], 1e-9) > SLANTED:
        out.append(Advice(Code.SLANTED))
    high = float(scales[1]) * calibration.card_mm[1]
    if high < LEAST_CARD_PX:
        out.append(Advice(Code.FAR, round(high)))
    size = np.array(calibration.image_size)
    for zone, name in ((calibration.discard_zone_mm, "discard"), (calibration.draw_zone_mm, "draw")):
        corners = calibration.to_image(corners_of(zone))
        if (corners < -0.02 * size).any() or (corners > 1.02 * size).any():
            out.append(Advice(Code.OUTSIDE, side=name))
    return out


def corners_of(zone: Zone) -> list[Xy]:
    """A zone's corners, clockwise from the one nearest the table's origin."""
    x, y, w, h = zone
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def seats_round(calibration: Calibration, count: int) -> tuple[Seat, ...]:
    """`count` seats round the visible table, clockwise as the camera sees them, the first at the lower edge."""
    width, height = calibration.table_mm
    angles = [math.pi / 2 + 2 * math.pi * k / count for k in range(count)]
    return tuple(
        Seat(
            number,
            (
                round(width / 2 * (1 + SEAT_REACH[0] * math.cos(angle)), 1),
                round(height / 2 * (1 + SEAT_REACH[1] * math.sin(angle)), 1),
            ),
        )
        for number, angle in enumerate(angles, 1)
    )


# --- from paper to table --------------------------------------------------------------------------------------------


def _on_table(matrix: Floats, image_size: tuple[int, int], discard: Xy, draw: Xy) -> Calibration:
    """The calibration for a plane: its axes are turned by quarters until x runs to the right in the picture, and its
    origin is moved to the corner of what the camera sees. matrix: the plane's millimetres to pixels."""
    start, end = cv2.perspectiveTransform(np.array([[discard, (discard[0] + 1, discard[1])]], np.float64), matrix)[0]
    quarters = round(math.atan2(end[1] - start[1], end[0] - start[0]) / (math.pi / 2)) % 4
    turn = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), quarters)  # plane -> table, y down
    low, high = _visible(matrix, image_size, turn, discard)
    # table = turn @ plane - low; the file's homography goes from table to picture.
    to_plane = np.eye(3)
    to_plane[:2, :2] = turn.T
    to_plane[:2, 2] = turn.T @ low
    whole = matrix @ to_plane
    whole /= whole[2, 2]

    def zone(middle: Xy, size: tuple[float, float]) -> Zone:
        at = turn @ np.array(middle) - low
        turned = size if quarters % 2 == 0 else (size[1], size[0])
        x, y, w, h = zone_about((float(at[0]), float(at[1])), turned)
        return (round(x, 1), round(y, 1), w, h)

    table = (round(float(high[0] - low[0]), 1), round(float(high[1] - low[1]), 1))
    made = Calibration(image_size, table, whole, zone(discard, DISCARD_SIZE_MM), zone(draw, DRAW_SIZE_MM), CARD_MM, ())
    return replace(made, seats=seats_round(made, DEFAULT_SEATS))


def _visible(matrix: Floats, image_size: tuple[int, int], turn: Floats, about: Xy) -> tuple[Floats, Floats]:
    """The corners, in turned plane millimetres, of the box that the picture shows, at most FAR_MM about a point."""
    width, height = image_size
    inverse = np.linalg.inv(matrix)
    border = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], np.float64) @ inverse.T
    here = np.array([*about, 1.0]) @ matrix.T
    facing = np.sign((np.array([*(here[:2] / here[2]), 1.0]) @ inverse.T)[2])
    middle = turn @ np.array(about)
    seen = [
        turn @ (row[:2] / row[2]) if row[2] * facing > 1e-9 else middle + np.sign(turn @ row[:2] * facing) * FAR_MM
        for row in border
    ]
    points = np.clip(np.array(seen), middle - FAR_MM, middle + FAR_MM)
    return points.min(0), points.max(0)


def _homography(plane: Floats, picture: Floats) -> Floats | None:
    if len(plane) < 4:
        return None
    matrix, _ = cv2.findHomography(plane, picture, 0)
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-9:
        return None
    return np.asarray(matrix / matrix[2, 2], np.float64)


def _from_upper_left(hull: Floats) -> Floats:
    """Corners clockwise as seen, the one nearest the picture's upper left corner first."""
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*hull, hull[0]]))
    clockwise = hull if area > 0 else hull[::-1]
    return np.roll(clockwise, -int(clockwise.sum(1).argmin()), 0)


# --- markers --------------------------------------------------------------------------------------------------------


def _markers(grey: npt.NDArray[np.uint8]) -> list[tuple[int, Floats]]:
    """Numbers and corners of all markers in the picture, by number; a number that is there twice is left out."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    if numbers is None:
        return []
    flat = [int(number) for number in np.asarray(numbers).ravel()]
    both = zip(flat, corners, strict=True)
    once = [(n, np.asarray(c, np.float64).reshape(4, 2)) for n, c in both if flat.count(n) == 1]
    return sorted(once, key=lambda one: one[0])


def _paper(found: list[tuple[int, Floats]], least: int = 1) -> Paper | None:
    """The sheet that most of the markers belong to, of which there are `least` or more."""
    numbers = {number for number, _ in found}
    counts = {paper: len(numbers & {marker.number for marker in mat.markers(paper)}) for paper in Paper}
    best = max(counts, key=lambda paper: counts[paper])
    return best if counts[best] >= least else None


def _softness_px(grey: npt.NDArray[np.uint8], quads: list[Floats]) -> float:
    """Standard deviation, pixels, of the blur at the markers' outer edges: an edge of height C that is blurred by a
    Gaussian has a steepest slope of C / (s sqrt(2 pi)). Median over the edges."""
    values = []
    for quad in quads:
        centre = quad.mean(0)
        for a, b in zip(quad, np.roll(quad, -1, 0), strict=True):
            middle = (a + b) / 2
            out = middle - centre
            length = float(np.hypot(*out))
            out /= max(length, 1e-6)
            reach = min(12.0, length / 3 * 0.9)  # the black border is a third of the way to the middle
            steps = np.arange(-reach, reach + 0.25, 0.25)
            along = (b - a) / max(float(np.hypot(*(b - a))), 1e-6)
            lanes = [middle + along * k for k in (-2.0, 0.0, 2.0)]
            xs = np.array([[p[0] + out[0] * s for s in steps] for p in lanes], np.float32)
            ys = np.array([[p[1] + out[1] * s for s in steps] for p in lanes], np.float32)
            profile = cv2.remap(grey, xs, ys, cv2.INTER_LINEAR).astype(np.float64).mean(0)
            contrast = float(np.percentile(profile, 95) - np.percentile(profile, 5))
            slope = float(np.abs(profile[4:] - profile[:-4]).max())  # levels a pixel
            if contrast > 20 and slope > 0:
                values.append(contrast / (slope * math.sqrt(2 * math.pi)))
    return float(np.median(values)) if values else 0.0
