"""Samples for the two index networks: where corner indices are in a scene, and single corners to read."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Rank
from referee.frame import Image
from referee.training.crops import IGNORE, RANK_WEIGHTS, CropMaker, cover_with_hand, paste
from referee.training.scenes import Scene
from referee.training.stuff import Random
from referee.vision.classes import NO_FACE, RANKS, Floats
from referee.vision.indices import (
    CORNER_MM,
    CORNER_PX,
    INDEX_MM,
    INDEX_STRIDE,
    MARK_MM,
    MARK_UNIT_MM,
    box_mm,
    on_card,
)  # fmt: skip
from referee.vision.mat import CARD_MM

CLEAR = 0.75
"""Share of an index in sight from which on it is to be found."""

HIDDEN = 0.35
"""Share below which it is not; between the two neither answer is wrong."""

FOREIGN, UPRIGHT = 0.12, 0.6
"""Share of corners that are other games' cards', and of these the share that lie as an index is found, the others
elsewhere on the card. Fewer: a playing card's blue 4 is read as a blue 4; more: a corner in bad light is nobody's."""

ASTRAY, ASTRAY_MM, ASTRAY_SIZES = 0.5, 3.0, (0.8, 1.25)
"""Share of such corners that lie otherwise than one of ours would, how far off at most, either way, and how large they
are: the finder goes by the sign it sees, and other games have theirs nearer the edge and of other sizes. Fewer: where
the card lies may be learnt instead of what it shows; more, or farther: mostly what nobody takes for one of ours."""

PILED = 0.3
"""Share of the cards beneath that lie nearly as the card does, as on a pile, so that their index looks out beside its.
Fewer: two ranks side by side are one; more: the neighbours of a fan are forgotten."""

CUT, CUT_HIDDEN = 0.25, 0.6
"""Share of covered corners that may be cut, and of such an index the most that lies under the card above. Fewer, and
less: a cut index is said to be no face, or another; more: whole ones are read with less certainty."""

WILD = 1.5
"""How much oftener a wild's corner is shown than another rank's: decks draw it in many ways, and its coloured oval is
like the middle of a card."""

CORNER_WEIGHTS = RANK_WEIGHTS * [WILD if rank in (Rank.WILD, Rank.WILD_DRAW_FOUR) else 1.0 for rank in (*RANKS, None)]
"""How often the corner of each rank, and of what is no face, is shown."""

DETAIL = (0.42, 1.7)
"""A corner's pixels as a share of the crop's, evenly on a logarithmic scale; beyond 1 nothing is lost."""

COVERED, BY_A_HAND = 0.62, 0.2
"""Share of corners beside which something lies, and of these the share that a hand covers."""

LEVELS, LEVEL_SHARES = (0.3, 1.0, 1.8), (0.35, 0.4, 0.25)
"""How far an index finder is off, as a factor, and how often."""

BARE, WRONG = 0.06, 0.18
"""Shares of corners that show no card, and some other part of one."""

SIGN_BOX_MM = (4.0, 5.5, 12.0, 15.5)
CORNER = box_mm(*CORNER_MM)
MARK = box_mm(*MARK_MM)
SIZE = np.array([CORNER_MM[2] - CORNER_MM[0], CORNER_MM[3] - CORNER_MM[1]], np.float32)
CARD = box_mm(0.0, 0.0, *CARD_MM)


def index_targets(scene: Scene) -> tuple[Floats, Floats, Floats]:
    """(heat (1, g, g), values (8, g, g), weight (2, g, g)) for a scene, g = 192 / 4.

    values: offset x and y, log lengths of the card's long and short side over 128 pixels, and their directions as sine
    and cosine, away from the index. weight: that of the heat (0 where any answer is right) and that of the values.
    """
    g = scene.image.shape[0] // INDEX_STRIDE
    heat, weight = np.zeros((g, g), np.float32), np.zeros((2, g, g), np.float32)
    values = np.zeros((8, g, g), np.float32)
    weight[0] = 1
    ys, xs = np.mgrid[0:g, 0:g].astype(np.float32)
    unsure = np.zeros((g, g), bool)
    for i, quad in enumerate(scene.quads):
        for turned in (False, True):
            place = np.roll(quad, 2, 0) if turned else quad
            point, short, long = _frame(place)
            centre = (point + 0.5) / INDEX_STRIDE - 0.5
            if not ((centre > -2) & (centre < g + 1)).all():
                continue
            sight = in_sight(scene, i, place)
            spread = max(0.7, 0.025 * float(np.hypot(*long)) / INDEX_STRIDE)
            blob = np.exp(-((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / (2 * spread**2))
            if sight < HIDDEN:
                continue
            if scene.rank[i] == NO_FACE or scene.indices[i] == 0 or sight < CLEAR:
                unsure |= blob > 0.1
                continue
            peak = np.unravel_index(int(blob.argmax()), blob.shape)
            blob[peak] = 1.0
            near = blob >= 0.5
            heat = np.where(near, np.maximum(blob, heat), np.maximum(heat, blob))
            row = [np.log(np.hypot(*long) / 128), np.log(np.hypot(*short) / 128)]
            for v in (long, short):
                row += [v[1] / np.hypot(*v), v[0] / np.hypot(*v)]
            values[0][near] = (centre[0] - xs)[near]
            values[1][near] = (centre[1] - ys)[near]
            for k, value in enumerate(row):
                values[k + 2][near] = value
            weight[1][near] = blob[near]
        if scene.indices[i] == 4:
            # The other two corners carry an index too, but not where the card would begin.
            for place in (np.roll(quad, -1, 0), np.roll(quad, 1, 0)):
                unsure |= _near(place, xs, ys)
    weight[0][unsure & (heat < 0.5)] = 0
    return heat[None], values, weight


def _frame(quad: Floats) -> tuple[Floats, Floats, Floats]:
    """The index's middle, and the card's short and long side there as vectors, pixels."""
    x, y = INDEX_MM
    p, right, down = on_card(quad, np.array([[x, y], [x + 1, y], [x, y + 1]], np.float32))
    return p, (right - p) * np.float32(CARD_MM[0]), (down - p) * np.float32(CARD_MM[1])


def _near(quad: Floats, xs: Floats, ys: Floats) -> npt.NDArray[np.bool_]:
    """Cells about an index that lies along the other sides of the card's corner."""
    x, y = INDEX_MM
    matrix = cv2.getPerspectiveTransform(box_mm(0.0, 0.0, CARD_MM[1], CARD_MM[0]), quad.astype(np.float32))
    p, q = cv2.perspectiveTransform(np.array([[[y, x], [y + 6, x]]], np.float32), matrix)[0] / INDEX_STRIDE
    return np.asarray((xs - p[0]) ** 2 + (ys - p[1]) ** 2 < ((q - p) ** 2).sum(), bool)


def in_sight(scene: Scene, card: int, quad: Floats) -> float:
    """Share of the index's box in which the card itself is seen."""
    u, v = np.meshgrid(np.linspace(SIGN_BOX_MM[0], SIGN_BOX_MM[2], 5), np.linspace(SIGN_BOX_MM[1], SIGN_BOX_MM[3], 6))
    points = np.round(on_card(quad, np.stack([u, v], -1).reshape(-1, 2).astype(np.float32))).astype(int)
    inside = ((points >= 0) & (points < scene.image.shape[0])).all(1)
    x, y = points[inside].T
    return float((scene.owner[y, x] == card).sum()) / len(points)


class IndexCropMaker:
    """Corners of cards as the index finder would hand them over, with the truth."""

    def __init__(self, crops: CropMaker) -> None:
        self.crops = crops
        self.weights = CORNER_WEIGHTS / CORNER_WEIGHTS.sum()

    def make(self, rng: Random) -> tuple[Image, int, int, Floats]:
        """(uint8 (60, 48, 3), colour class or IGNORE, rank class, corrections (8,), NaN where there are none)."""
        crops = self.crops
        detail = min(1.0, math.exp(rng.uniform(*np.log(DETAIL))))
        size = (round(CORNER_PX[0] * detail), round(CORNER_PX[1] * detail))
        roll = rng.random()
        if roll < BARE:
            return self._nothing(crops.stuff.ground(rng, *size), rng, detail)
        rank = int(rng.choice(NO_FACE + 1, p=self.weights))
        foreign = rng.random() < FOREIGN
        picture, mask, colour, rank, indices = crops.foreign(rng) if foreign else crops.picture(rng, rank)
        if rng.random() < 0.5:
            picture = np.ascontiguousarray(picture[::-1, ::-1])
        wrong = roll < BARE + WRONG or (indices == 0 and not (foreign and rng.random() < UPRIGHT))
        frame = _jittered(rng)
        canvas = self._below(rng, size, frame)
        place = _misplaced(frame, rng) if wrong else frame
        if foreign and not wrong and rng.random() < ASTRAY:
            place = _astray(frame, rng)
        paste(canvas, picture, mask, _shares(place, CARD), rng)
        if rng.random() < COVERED:
            self._cover(canvas, place, rng)
        if wrong or rank == NO_FACE:
            return self._nothing(canvas, rng, detail)
        marks = (_shares(frame, MARK) - (MARK - CORNER[0]) / SIZE) * SIZE / MARK_UNIT_MM
        return crops.camera(canvas, rng, detail, CORNER_PX), colour, rank, marks.reshape(8).astype(np.float32)

    def _nothing(self, canvas: Image, rng: Random, detail: float) -> tuple[Image, int, int, Floats]:
        return self.crops.camera(canvas, rng, detail, CORNER_PX), IGNORE, NO_FACE, np.full(8, np.nan, np.float32)

    def _below(self, rng: Random, size: tuple[int, int], frame: Floats) -> Image:
        canvas = self.crops.stuff.ground(rng, *size)
        for _ in range(int(rng.integers(0, 3))):
            picture, mask, *_ = self.crops.picture(rng)
            kind = rng.random()
            if kind < PILED:
                shift, angle = rng.normal(0, 5, 2), rng.choice([0.0, np.pi]) + rng.normal(0, 0.2)
            elif kind < 0.7:
                shift, angle = np.array([rng.uniform(-26, 26), rng.normal(0, 8)]), rng.normal(0, 0.25)
            else:
                shift, angle = rng.uniform(-40, 40, 2), rng.uniform(0, 2 * np.pi)
            paste(canvas, picture, mask, _shares(frame, _moved(CARD, shift, angle)), rng)
        return canvas

    def _cover(self, canvas: Image, frame: Floats, rng: Random) -> None:
        """A card of the fan, a card at random or fingers, over what lies beside the index."""
        if rng.random() < BY_A_HAND:
            cover_with_hand(canvas, self.crops.stuff, rng, canvas.shape[0] * CARD_MM[1] / float(SIZE[1]), away=0.3)
            return
        hidden = CUT_HIDDEN if rng.random() < CUT else 1 - CLEAR + 0.1
        for _ in range(30):
            if rng.random() < 0.7:
                side = rng.choice([-1, 1], p=[0.15, 0.85])
                shift = np.array([side * rng.uniform(9, 34), rng.normal(1, 7)])
                angle = rng.normal(side * 0.13, 0.12)
                if rng.random() < 0.2:
                    shift = np.array([rng.normal(0, 5), rng.uniform(15, 40)])
            else:
                shift, angle = rng.uniform(-85, 85, 2), rng.uniform(0, 2 * np.pi)
            over = _moved(CARD, shift, angle)
            if _hidden(over) < hidden:
                picture, mask, *_ = self.crops.picture(rng)
                paste(canvas, picture, mask, _shares(frame, over), rng)
                return


def _hidden(over: Floats) -> float:
    """Share of the index's box under a card that lies at `over`, millimetres."""
    box = box_mm(*SIGN_BOX_MM)
    area, _ = cv2.intersectConvexConvex(box, over.astype(np.float32))
    return float(area) / float((box[2] - box[0]).prod())


def _jittered(rng: Random) -> Floats:
    """Where `CORNER` of the card lies, millimetres of the crop's frame: off by what the index finder is off."""
    level = rng.choice(LEVELS, p=LEVEL_SHARES)
    middle = np.array(INDEX_MM)
    corners = (CORNER - middle) * (1 + rng.normal(0, 0.07 * level, 2))
    corners = _moved(corners.astype(np.float32), rng.normal(0, 0.7 * level, 2), rng.normal(0, 0.06 * level), (0.0, 0.0))
    shear = np.array([[1, rng.normal(0, 0.04 * level)], [0, 1]])
    return np.asarray(corners @ shear + middle + rng.normal(0, 0.2 * level, (4, 2)), np.float32)


def _misplaced(frame: Floats, rng: Random) -> Floats:
    """Some other part of a card, or its corner turned, where an index was supposed to be."""
    turn = rng.choice([0.0, 0.5, 1.0, 1.5]) * np.pi + rng.normal(0, 0.1)
    if turn < 0.5 or rng.random() < 0.5:
        shift = rng.uniform([-50, -75], [-6, -6]) if rng.random() < 0.7 else rng.uniform(-80, 80, 2)
        if float(np.abs(shift).max()) < 9:
            shift = shift * 3
        return _moved(frame, shift, turn)
    return _moved(frame, (0.0, 0.0), turn, INDEX_MM)


def _astray(frame: Floats, rng: Random) -> Floats:
    """Another game's card so that about its own index lies what the finder takes for a card of ours."""
    larger = math.exp(rng.uniform(*np.log(ASTRAY_SIZES)))
    middle = np.array(INDEX_MM)
    return np.asarray((frame - middle) * larger + middle + rng.uniform(-ASTRAY_MM, ASTRAY_MM, 2), np.float32)


def _moved(
    points: Floats, shift: npt.ArrayLike, angle: float, about: tuple[float, float] = (CARD_MM[0] / 2, CARD_MM[1] / 2)
) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray((points - np.array(about)) @ np.array([[c, s], [-s, c]]) + about + np.asarray(shift), np.float32)


def _shares(frame: Floats, mm: Floats) -> Floats:
    """Points of the card, millimetres, in shares of the crop when the corner lies at `frame`."""
    matrix = cv2.getPerspectiveTransform(CORNER, ((frame - CORNER[0]) / SIZE).astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(mm[None].astype(np.float32), matrix)[0], np.float32)
