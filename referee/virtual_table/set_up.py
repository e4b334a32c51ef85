"""A simulated table that is being set up: the printed mat lies on it, or cards side by side, and nobody plays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from referee.cards import Card
from referee.faces import Design, draw_face
from referee.frame import Image
from referee.virtual_table import light
from referee.virtual_table.geometry import CARD_MM, IMAGE_SIZE, SCALE, TABLE_MM, Camera, Layout, Matrix, Xy, project
from referee.virtual_table.look import Look
from referee.virtual_table.surfaces import table_top
from referee.vision import mat

SHEET_PX = 4.0
"""Pixels of the drawn sheet to a millimetre. Smaller: the markers' edges lie off by more than the camera resolves."""
TOP_MARGIN_MM = 140.0
WHITE = 226
"""Grey level of paper in full light."""
INK = 30


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a flat thing lies. at: its middle, table millimetres; angle: degrees clockwise."""

    at: Xy = (TABLE_MM[0] / 2, TABLE_MM[1] / 2)
    angle: float = 0.0

    def matrix(self, size_mm: tuple[float, float]) -> Matrix:
        """3 x 3: millimetres from the thing's upper left corner to table millimetres."""
        a = np.deg2rad(self.angle)
        turn = np.array([[np.cos(a), -np.sin(a), self.at[0]], [np.sin(a), np.cos(a), self.at[1]], [0.0, 0.0, 1.0]])
        back = np.array([[1.0, 0.0, -size_mm[0] / 2], [0.0, 1.0, -size_mm[1] / 2], [0.0, 0.0, 1.0]])
        return np.asarray(turn @ back)


@dataclass(frozen=True)
class SetUpTable:
    """One table with what lies on it. cards: each with its pose, later ones on top. gain: of the light."""

    look: Look
    paper: mat.Paper | None = None
    pose: Pose = Pose()
    cards: tuple[tuple[Card, Pose], ...] = ()
    gain: float = 1.0

    @cached_property
    def camera(self) -> Camera:
        """The camera above it."""
        return Layout.arrange(self.look.seed, self.look.level, 4).camera

    def mat_to_image(self) -> Matrix:
        """3 x 3: paper millimetres to pixels: the truth that a calibration is held against."""
        assert self.paper is not None
        return self.camera.plane() @ self.pose.matrix(self.paper.size_mm)

    def image(self) -> Image:
        """The camera's picture, uint8 (720, 1280, 3)."""
        picture = _bare(self.look).copy()
        if self.paper is not None:
            _lay(picture, draw_mat(self.paper), self.mat_to_image() @ _pixels_to_mm(SHEET_PX))
        for card, pose in self.cards:
            lay(picture, card, self.look.design, self.camera, pose)
        lighting, noise = _light(self.look)
        lit = cv2.multiply(picture, lighting.lamp, scale=self.gain / light.UNIT)
        if lighting.blur > 0.35:
            lit = cv2.GaussianBlur(lit, (3, 3), lighting.blur)
        return noise.add(np.asarray(lit, np.uint8), 0.0)


def lay(picture: Image, card: Card, design: Design, camera: Camera, pose: Pose) -> None:
    """A card that lies on the table, drawn into the camera's picture."""
    face = draw_face(card, design, 340)
    _lay(picture, face, camera.plane() @ pose.matrix(CARD_MM) @ _pixels_to_mm(face.shape[0] / CARD_MM[1]))


@lru_cache(maxsize=4)
def _bare(look: Look) -> Image:
    """The table top in the picture, in even light."""
    scale, edge = SCALE * 1.1, TOP_MARGIN_MM
    width, height = (round((side + 2 * edge) * scale) for side in TABLE_MM)
    to_mm = np.array([[1 / scale, 0.0, -edge], [0.0, 1 / scale, -edge], [0.0, 0.0, 1.0]])
    matrix = Layout.arrange(look.seed, look.level, 4).camera.plane() @ to_mm
    top = table_top(look.table, look.seed, width, height)
    flat = cv2.warpPerspective(top, matrix, IMAGE_SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(flat, np.uint8)


@lru_cache(maxsize=4)
def _light(look: Look) -> tuple[light.Lighting, light.Noise]:
    lighting = light.set_up(look.seed, look.level, Layout.arrange(look.seed, look.level, 4))
    return lighting, light.Noise(look.seed, lighting.noise)


def spread(cards: tuple[Card, ...]) -> tuple[tuple[Card, Pose], ...]:
    """Cards side by side in rows of six about the middle of the table."""
    about = TABLE_MM[0] / 2, TABLE_MM[1] / 2
    rows = [cards[i : i + 6] for i in range(0, len(cards), 6)]
    out = []
    for y, row in enumerate(rows):
        for x, card in enumerate(row):
            at = (about[0] + (x - (len(row) - 1) / 2) * 66.0, about[1] + (y - (len(rows) - 1) / 2) * 100.0)
            out.append((card, Pose(at, (x * 7 + y * 3) % 11 - 5.0)))
    return tuple(out)


@lru_cache(maxsize=2)
def draw_mat(paper: mat.Paper) -> Image:
    """The printed sheet without its words: uint8 (h, w, 3), SHEET_PX pixels to a millimetre."""
    width, height = (round(side * SHEET_PX) for side in paper.size_mm)
    sheet = np.full((height, width, 3), WHITE, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(mat.MARKER_MM * SHEET_PX)
    for marker in mat.markers(paper):
        bits = cv2.aruco.generateImageMarker(dictionary, marker.number, side)
        x, y = (round(v * SHEET_PX) for v in marker.at_mm)
        sheet[y : y + side, x : x + side] = np.where(bits > 0, WHITE, INK)[..., None]
    reach = round(14 * SHEET_PX)
    for middle in (mat.discard_mm(paper), mat.draw_mm(paper)):
        for sx in (-1, 1):
            for sy in (-1, 1):
                x = round((middle[0] + sx * mat.CARD_MM[0] / 2) * SHEET_PX)
                y = round((middle[1] + sy * mat.CARD_MM[1] / 2) * SHEET_PX)
                cv2.line(sheet, (x, y), (x - sx * reach, y), (150, 150, 150), 2)
                cv2.line(sheet, (x, y), (x, y - sy * reach), (150, 150, 150), 2)
    return sheet


def _pixels_to_mm(px_per_mm: float) -> Matrix:
    """Pixels of a drawing to its millimetres, from corner to corner: pixel 0 reaches from 0 to 1."""
    s = 1 / px_per_mm
    return np.array([[s, 0.0, s / 2], [0.0, s, s / 2], [0.0, 0.0, 1.0]])


def _lay(picture: Image, drawing: Image, matrix: Matrix) -> None:
    """The drawing, three or four channels, through the homography onto the picture, four samples to a pixel."""
    if drawing.shape[2] == 3:
        drawing = np.dstack([drawing, np.full(drawing.shape[:2], 255, np.uint8)])
    height, width = drawing.shape[:2]
    clear = drawing[..., 3:].astype(np.float32) / 255
    paint = np.rint(np.dstack([drawing[..., :3] * clear, drawing[..., 3]])).astype(np.uint8)
    corners = project(matrix, [(0, 0), (width, 0), (width, height), (0, height)])
    low, high = np.floor(corners.min(0)).astype(int) - 2, np.ceil(corners.max(0)).astype(int) + 3
    (x0, y0), (x1, y1) = np.maximum(low, 0), np.minimum(high, IMAGE_SIZE)
    if x0 >= x1 or y0 >= y1:
        return
    shrink = height / max(1.0, 2 * float(np.hypot(*(corners[3] - corners[0]))))
    if shrink > 1.5:
        paint = np.asarray(
            cv2.resize(paint, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    fx, fy = paint.shape[1] / width, paint.shape[0] / height
    small = np.array([[1 / fx, 0.0, 0.5 / fx - 0.5], [0.0, 1 / fy, 0.5 / fy - 0.5], [0.0, 0.0, 1.0]])
    twice = np.array([[2.0, 0.0, 0.5 - 2.0 * x0], [0.0, 2.0, 0.5 - 2.0 * y0], [0.0, 0.0, 1.0]])
    size = (int(x1 - x0), int(y1 - y0))
    large = cv2.warpPerspective(paint, twice @ matrix @ small, (2 * size[0], 2 * size[1]))
    flat = cv2.resize(large, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    there = picture[y0:y1, x0:x1]
    there[:] = np.clip(there * (1 - flat[..., 3:] / 255) + flat[..., :3], 0, 255).astype(np.uint8)
