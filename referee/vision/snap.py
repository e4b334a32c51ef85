"""Puts a card's corners right by its size: a reader whose corners reach over to the next card's edge makes it too
large, and on a calibrated table all cards are of one size."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.warp import QuadArray

OFF = 0.04
"""Share by which the sides may differ from a card's before its corners are put right. Smaller: costs time and decks of
other sizes are doubted; larger: the strip of the next card is taken for this one."""

FAR_OFF = 0.2
"""... before they lie about more than that card. Smaller: a face surely read is doubted for an index beside it; larger:
two cards without borders are read as one."""

GROUND_PX = 8
"""Ground round the corners in which its edges are searched, pixels of the patch."""

SIDE_POINTS = 24
"""Points on each side at which an edge is looked for. Fewer: print counts as edges; more: costs time."""

EDGE_MOST = 120.0
"""Strength from which an edge is no better for being stronger. Larger: a black symbol's edge outweighs three sides;
smaller: the white oval's edge is as good as the card's."""

LEAST_EDGE = 18.0
"""Strength that each of the four sides must have, grey levels. Smaller: a card is put where none lies; larger: cards on
a table of their border's colour are not put right."""

STEPS = ((3.0, 2.0), (1.0, 0.7))
"""Steps of place, pixels of the patch, and angle, degrees, tried in turn."""

MOST_STEPS = 8
"""Such steps at most. Fewer: the card stays askew; more: costs time."""

Floats = npt.NDArray[np.float32]


def is_off(quad: QuadArray, card_px: tuple[float, float], by: float = OFF) -> bool:
    """The sides are not those of a card. quad: pixels of the patch, a short side first. by: the share by which."""
    sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
    short, long = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
    return abs(short / card_px[0] - 1) > by or abs(long / card_px[1] - 1) > by


def snapped(patch: Image, quad: QuadArray, found: QuadArray, card_px: tuple[float, float]) -> QuadArray:
    """The card of the right size near `quad`, or near `found`, as which it was found, whose sides are edges of the
    picture; `quad` where there is none. All in pixels of the patch, a short side first."""
    w, h = card_px
    unit = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32) / np.float32(2)
    low = np.maximum(np.floor(quad.min(0)) - GROUND_PX, 0).astype(int)
    high = np.minimum(np.ceil(quad.max(0)) + GROUND_PX, np.array(patch.shape[1::-1])).astype(int)
    if (high - low < 8).any():
        return quad
    across, down = _slopes(np.asarray(patch[low[1] : high[1], low[0] : high[0]], np.uint8))
    most = np.array(across.shape[::-1]) - 1
    share = 0.06 + 0.88 * (np.arange(SIDE_POINTS, dtype=np.float32) + 0.5) / SIDE_POINTS
    sides = (unit[:, None] + (np.roll(unit, -1, 0) - unit)[:, None] * share[None, :, None]).reshape(-1, 2)

    def steep(tries: Floats) -> Floats:
        """How steep the picture is along each of the four sides, for each (x, y, degrees): (n, 4)."""
        turns = np.stack([_turn(float(degrees)) for degrees in tries[:, 2]])
        points = np.clip((sides @ turns + (tries[:, None, :2] - low)).astype(np.int32), 0, most)
        where = points[..., 1], points[..., 0]
        normal = np.abs(turns[:, [1, 0, 1, 0]])[:, :, None, :]
        shape = (len(tries), 4, SIDE_POINTS)
        slope = across[where].reshape(shape) * normal[..., 0] + down[where].reshape(shape) * normal[..., 1]
        return np.asarray(np.minimum(slope, EDGE_MOST).mean(2), np.float32)

    tries = np.concatenate([_starts(quad, unit), _starts(found, unit)])
    values = np.sqrt(steep(tries)).sum(1)
    best, place = float(values.max()), tries[int(values.argmax())]
    for step, by in STEPS:
        ways = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) * [step, step, by]
        for _ in range(MOST_STEPS):
            tries = (place + ways).astype(np.float32)
            values = np.sqrt(steep(tries)).sum(1)
            if values.max() <= best:
                break
            best, place = float(values.max()), tries[int(values.argmax())]
    if float(steep(place[None]).min()) < LEAST_EDGE:
        return quad
    return np.asarray(unit @ _turn(float(place[2])) + place[:2], np.float32)


def _starts(quad: QuadArray, unit: QuadArray) -> Floats:
    """Where a card of the right size lies that shares the middle or a corner with `quad`, as (x, y, degrees): where a
    side reaches over, the corners that do not share it are right."""
    along = (quad[3] - quad[0]) + (quad[2] - quad[1])
    angle = float(np.degrees(np.arctan2(along[1], along[0]))) - 90.0
    return np.array([[*at, angle] for at in (quad.mean(0), *(quad - unit @ _turn(angle)))], np.float32)


def _turn(degrees: float) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, s], [-s, c]], np.float32)


def _slopes(part: Image) -> tuple[Floats, Floats]:
    """How steep the picture is across and down, float32 (h, w) each."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    across, down = (np.abs(cv2.Sobel(grey, cv2.CV_32F, *way, scale=0.25)) for way in ((1, 0), (0, 1)))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)
