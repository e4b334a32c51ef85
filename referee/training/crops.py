"""Crops for the reader: one card, roughly rectified, as the finder would hand it over, with the truth."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.training.decks import CARD_PX, Pictures, classes
from referee.training.light import relight, resample
from referee.training.scenes import round_mask
from referee.training.stuff import Random, Stuff, placed_hand
from referee.vision.classes import NO_FACE, RANKS
from referee.vision.indices import box_mm, on_card
from referee.vision.twin import INDEX_PART_MM
from referee.vision.warp import CROP_PX, unit_quad

NO_COLOUR, _ = classes(None)
IGNORE = -100
"""Class that a loss leaves out."""

_SOURCE = np.array([[0, 0], [CARD_PX[0], 0], [CARD_PX[0], CARD_PX[1]], [0, CARD_PX[1]]], np.float32) - 0.5
BARE, BETWEEN = 0.05, 0.06
"""Shares of crops that show no card, and that lie across several. Fewer: a table is a face; more: cards are rarer."""
LYING = 0.04
"""Share of cards that were taken for lying on their side: the reader must say so, the runtime then turns them."""
DETAIL = (0.3, 1.6)
"""A card's pixels as a share of the crop's, evenly on a logarithmic scale; beyond 1 nothing is lost."""
LEVELS, LEVEL_SHARES = (0.3, 1.0, 1.6, 2.6), (0.3, 0.3, 0.25, 0.15)
"""How far a finder is off, as a factor, and how often."""
HARD_RANKS = {RANKS.index(rank): 1.6 for rank in RANKS if rank.value in ("6", "9")}
NO_FACE_WEIGHT, FOREIGN_SHARE = 1.7, 0.55
"""How much oftener something that is no face is shown than a rank, and the share of other games' cards of that. Fewer:
a playing card under a hand is taken for a face; more: faces in bad light are nobody's."""
RANK_WEIGHTS = np.array([HARD_RANKS.get(r, 1.0) for r in range(NO_FACE)] + [NO_FACE_WEIGHT])
"""How often each rank, and what is no face, is shown."""
PHOTO_SHARE = 0.5
"""Share of crops made from photographs. Higher forgets odd designs, lower forgets real cameras."""
COVERED = 0.42
"""Share of cards over which another card or a hand lies. Fewer: what shows half is read as boldly as what shows whole;
more: whole cards are forgotten."""
_HELD = (0.2, 0.67)
"""Share of a card that a hand hides which leaves one index."""
PILED = 0.35
"""Share of cards that lie on others that lie nearly as they do, as on a pile. Fewer: the edge of a card beneath is
taken for the top card's; more: cards thrown across each other are forgotten."""


class CropMaker:
    """Makes reader samples. The same generator gives the same samples."""

    def __init__(self, drawn: Pictures, photographed: Pictures | None, stuff: Stuff) -> None:
        self.pools = [drawn] if photographed is None else [drawn, photographed]
        self.by_rank = [[np.flatnonzero(p.rank == r) for r in range(NO_FACE + 1)] for p in self.pools]
        self.weights = RANK_WEIGHTS / RANK_WEIGHTS.sum()
        self.stuff = stuff

    def make(self, rng: Random) -> tuple[Image, int, int, npt.NDArray[np.float32]]:
        """(crop uint8 (120, 80, 3), colour class or IGNORE, rank class, true corners (4, 2) in shares of the crop).

        The corners are NaN where there is no card to fit.
        """
        roll = rng.random()
        if roll < BARE:
            crop = self.stuff.ground(rng, *CROP_PX)
            return self.camera(crop, rng, 1.0), IGNORE, NO_FACE, np.full((4, 2), np.nan, np.float32)
        if roll < BARE + BETWEEN:
            return self._between(rng)
        rank = int(rng.choice(NO_FACE + 1, p=self.weights))
        if rank == NO_FACE and rng.random() < FOREIGN_SHARE:
            picture, mask, colour, rank, _ = self.foreign(rng)
            indices = 2  # signs in its corners: a hand on a card must not mean that it shows a face
        else:
            picture, mask, colour, rank, indices = self.picture(rng, rank)
            colour = colour if rank != NO_FACE else IGNORE
        detail = min(1.0, math.exp(rng.uniform(*np.log(DETAIL))))
        slant = np.ones(2)
        if rng.random() < 0.2:
            # Seen at a slant, a card has fewer pixels one way than the other.
            slant[int(rng.integers(2))] = rng.uniform(0.45, 0.9)
        size = (round(CROP_PX[0] * detail * slant[0]), round(CROP_PX[1] * detail * slant[1]))
        corners = _jittered(rng)
        canvas = self._below(rng, size)
        paste(canvas, picture, mask, corners, rng)
        if rng.random() < COVERED:
            self._cover(canvas, corners if indices else None, rng)
        if rng.random() < 0.5:
            corners = np.roll(corners, 2, 0)
            canvas = np.ascontiguousarray(canvas[::-1, ::-1])
            corners = (1 - corners).astype(np.float32)
        if rng.random() < LYING:
            canvas = np.ascontiguousarray(np.rot90(canvas))
            return self.camera(canvas, rng, detail), IGNORE, NO_FACE, np.full((4, 2), np.nan, np.float32)
        return self.camera(canvas, rng, detail), colour, rank, corners

    def foreign(self, rng: Random) -> tuple[Image, npt.NDArray[np.uint8], int, int, int]:
        """A card of some other game, as `picture` gives it."""
        return self.stuff.foreign_card(rng), round_mask(rng.uniform(0.03, 0.1)), IGNORE, NO_FACE, 0

    def picture(self, rng: Random, rank: int | None = None) -> tuple[Image, npt.NDArray[np.uint8], int, int, int]:
        """(picture, alpha, colour class, rank class, corners with an index) of a card of this rank or of any."""
        pool = int(len(self.pools) > 1 and rng.random() < PHOTO_SHARE)
        if rank is None:
            rank = int(rng.integers(NO_FACE + 1))
        members = self.by_rank[pool][rank]
        if not len(members):
            pool, members = 0, self.by_rank[0][rank]
        i = int(members[int(rng.integers(len(members)))])
        p = self.pools[pool]
        return p.images[i], round_mask(float(p.radius[i])), int(p.colour[i]), int(p.rank[i]), int(p.indices[i])

    def _between(self, rng: Random) -> tuple[Image, int, int, npt.NDArray[np.float32]]:
        """A crop that lies across two or three cards: a find that is wrong."""
        canvas = self.stuff.ground(rng, *CROP_PX)
        away = rng.uniform(0, 2 * np.pi)
        for side in (0.0, np.pi, np.pi / 2)[: int(rng.integers(1, 4))]:
            picture, mask, *_ = self.picture(rng)
            a = away + side
            shift = np.array([math.cos(a) * rng.uniform(0.5, 0.75), math.sin(a) * rng.uniform(0.45, 0.7)])
            corners = _turned(_jittered(rng), rng.choice([0.0, rng.normal(0, 0.3)])) + shift
            paste(canvas, picture, mask, corners.astype(np.float32), rng)
        return self.camera(canvas, rng, 1.0), IGNORE, NO_FACE, np.full((4, 2), np.nan, np.float32)

    def _below(self, rng: Random, size: tuple[int, int]) -> Image:
        """What lies under and beside the card: the table, or other cards."""
        canvas = self.stuff.ground(rng, *size)
        roll = rng.random()
        if roll < 0.6:
            for _ in range(int(rng.integers(1, 5))):
                picture, mask, *_ = self.picture(rng)
                if roll < PILED:
                    angle, shift = rng.choice([0.0, np.pi]) + rng.normal(0, 0.2), rng.normal(0, 0.1, 2)
                else:
                    angle, shift = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.35, 2)
                corners = _turned(_jittered(rng), angle) + shift
                paste(canvas, picture, mask, corners.astype(np.float32), rng)
        return canvas

    def _cover(self, canvas: Image, corners: npt.NDArray[np.float32] | None, rng: Random) -> None:
        """Another card or a hand over part of the card; at least one index or half the middle stays free. corners: of
        the card, in shares of the crop, if it has indices."""
        roll = rng.random()
        if roll < 0.65:
            picture, mask, *_ = self.picture(rng)
            if roll < 0.35:
                # As in a fan: a strip with one index stays free.
                side = rng.choice([-1, 1])
                shift = np.array([rng.uniform(0.24, 0.6), rng.normal(0, 0.08)]) * side
                if rng.random() < 0.3:
                    shift = np.array([rng.normal(0, 0.08), rng.uniform(0.22, 0.5)]) * side
                angle = rng.normal(0, 0.14)
            else:
                a = rng.uniform(0, 2 * np.pi)
                shift = np.array([math.cos(a) * rng.uniform(0.5, 0.9), math.sin(a) * rng.uniform(0.5, 0.9)])
                angle = rng.choice([0.0, rng.uniform(0, 2 * np.pi)])
            other = _turned(_jittered(rng), angle) + shift
            paste(canvas, picture, mask, other.astype(np.float32), rng)
            return
        if corners is None or roll < 0.83 or not hold(canvas, corners, self.stuff, rng):
            cover_with_hand(canvas, self.stuff, rng, canvas.shape[0])

    @staticmethod
    def camera(canvas: Image, rng: Random, detail: float, size: tuple[int, int] = CROP_PX) -> Image:
        """The crop under some light, through some camera, at the size that the network takes."""
        hard = rng.uniform(0.4, 1.0)
        image = resample(relight(canvas, rng, hard), rng, hard * (1.0 if detail > 0.6 else 0.6))
        if image.shape[1::-1] != size:
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        return image


def _jittered(rng: Random) -> npt.NDArray[np.float32]:
    """The card's corners in shares of the crop: off by what a finder is off, now much, now little."""
    level = rng.choice(LEVELS, p=LEVEL_SHARES)
    middle = np.array([0.5, 0.5])
    corners = (unit_quad() - middle) * (1 + rng.normal(0, 0.035 * level, 2))
    corners = _turned((corners + middle).astype(np.float32), rng.normal(0, 0.035 * level))
    return np.asarray(corners + rng.normal(0, 0.022 * level, 2) + rng.normal(0, 0.016 * level, (4, 2)), np.float32)


def _turned(corners: npt.NDArray[np.float32], angle: float) -> npt.NDArray[np.float32]:
    """Turned about the crop's middle, in true proportions."""
    ratio = np.array([CROP_PX[0], CROP_PX[1]], float)
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray((((corners - 0.5) * ratio) @ np.array([[c, s], [-s, c]])) / ratio + 0.5, np.float32)


def cover_with_hand(canvas: Image, stuff: Stuff, rng: Random, card_px: float, away: float = 0.33) -> None:
    """A hand over the crop of a card that is `card_px` high, or drawn fingers; the middle stays free, up to `away` of
    the crop's size to each side."""
    if stuff.hands and rng.random() < PHOTO_SHARE:
        h, w = canvas.shape[:2]
        inner = slice(round(h * (0.5 - away * 0.6)), round(h * (0.5 + away * 0.6)) + 1)
        across = slice(round(w * (0.5 - away * 0.6)), round(w * (0.5 + away * 0.6)) + 1)
        for _ in range(20):
            hand = stuff.hands[int(rng.integers(len(stuff.hands)))]
            scale, a = card_px * rng.uniform(0.9, 2.4) / max(hand.shape[:2]), rng.uniform(0, 2 * np.pi)
            held = np.array(hand.shape[1::-1]) * rng.uniform(0.1, 0.9, 2)
            placed = placed_hand(hand, scale, a, held, rng.uniform(-0.3, 1.3, 2) * [w, h], (w, h))
            alpha = placed[..., 3]
            if float((alpha[inner, across] > 127).mean()) < 0.08 and float((alpha > 127).mean()) > 0.08:
                _put_on(canvas, placed, rng)
                return
    cover_with_fingers(canvas, rng, away)


def hold(canvas: Image, corners: npt.NDArray[np.float32], stuff: Stuff, rng: Random) -> bool:
    """A hand over a fifth to two thirds of a card, be it over its middle: at least one index stays in sight. corners:
    of the card, in shares of the crop, one with an index first. False when there are no hands, or none lies so."""
    h, w = canvas.shape[:2]
    quad = (corners * [w, h] - 0.5).astype(np.float32)
    whole = _filled(quad, (w, h))
    ends = [_filled(on_card(end, box_mm(*INDEX_PART_MM)), (w, h)) for end in (quad, np.roll(quad, 2, 0))]
    size = float(np.hypot(*(quad[3] - quad[0])))
    for _ in range(30 if stuff.hands and whole.any() else 0):
        hand = stuff.hands[int(rng.integers(len(stuff.hands)))]
        scale, a = size * rng.uniform(0.9, 2.0) / max(hand.shape[:2]), rng.uniform(0, 2 * np.pi)
        held = np.array(hand.shape[1::-1]) * rng.uniform(0.2, 0.8, 2)
        placed = placed_hand(hand, scale, a, held, (0.5 + rng.normal(0, 0.2, 2)) * [w, h], (w, h))
        hides = placed[..., 3] > 127
        if _HELD[0] <= float(hides[whole].mean()) <= _HELD[1] and min(float(hides[end].mean()) for end in ends) < 0.05:
            _put_on(canvas, placed, rng)
            return True
    return False


def _put_on(canvas: Image, placed: npt.NDArray[np.uint8], rng: Random) -> None:
    """Puts a hand, uint8 (h, w, 4), on the crop, in some light."""
    skin = np.clip(placed[..., :3] * rng.uniform(0.4, 1.2), 0, 255).astype(np.uint16)
    share = placed[..., 3:].astype(np.uint16)
    canvas[:] = ((skin * share + canvas * (255 - share)) // 255).astype(np.uint8)


def _filled(quad: npt.NDArray[np.float32], size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Where a quadrilateral is on a picture of (width, height) `size`."""
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 1, shift=4)
    return mask > 0


def cover_with_fingers(canvas: Image, rng: Random, away: float = 0.33) -> None:
    """Fingers over the crop, tips at least `away` of its size from its middle."""
    size = np.array([canvas.shape[1], canvas.shape[0]])
    tone = np.array([[60, 90, 140], [90, 125, 190], [130, 165, 220], [40, 55, 90]])[
        int(rng.integers(4))
    ] * rng.uniform(0.7, 1.2)
    corners = unit_quad()
    side = corners[int(rng.integers(4))] * rng.uniform(0.2, 1.0) + corners[int(rng.integers(4))] * 0.3
    for _ in range(int(rng.integers(1, 4))):
        tip = side + rng.normal(0, 0.12, 2)
        tip = 0.5 + (tip - 0.5) * max(1.0, away / max(0.01, float(np.abs(tip - 0.5).max())))
        root = tip + (tip - 0.5) * 2 + rng.normal(0, 0.2, 2)
        a, b = (tip * size).astype(int).tolist(), (root * size).astype(int).tolist()
        cv2.line(
            canvas, tuple(a), tuple(b), tone.tolist(), max(2, int(size[0] * rng.uniform(0.14, 0.28))), cv2.LINE_AA
        )


def paste(
    canvas: Image, picture: Image, mask: npt.NDArray[np.uint8], corners: npt.NDArray[np.float32], rng: Random
) -> None:
    """Puts a card picture on the crop, `corners` in shares of the crop, often with a shadow."""
    h, w = canvas.shape[:2]
    quad = (corners * [w, h] - 0.5).astype(np.float32)
    source = _SOURCE
    f = min(1.0, 1.5 * float(np.hypot(*(quad[3] - quad[0]))) / CARD_PX[1])
    if f < 0.8:
        new = (round(CARD_PX[0] * f), round(CARD_PX[1] * f))
        picture = np.asarray(cv2.resize(picture, new, interpolation=cv2.INTER_AREA), np.uint8)
        mask = np.asarray(cv2.resize(mask, new, interpolation=cv2.INTER_AREA), np.uint8)
        source = ((_SOURCE + 0.5) * [new[0] / CARD_PX[0], new[1] / CARD_PX[1]] - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad)
    card = cv2.warpPerspective(picture, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(mask, matrix, (w, h), flags=cv2.INTER_LINEAR)
    if rng.random() < 0.6:
        shade = cv2.GaussianBlur(alpha, (0, 0), rng.uniform(0.8, 3)).astype(np.float32) * np.float32(
            rng.uniform(0.1, 0.6) / 255
        )
        canvas[:] = (canvas * (1 - shade[..., None])).astype(np.uint8)
    a = alpha[..., None].astype(np.uint16)
    canvas[:] = ((card * a + canvas * (255 - a)) // 255).astype(np.uint8)
