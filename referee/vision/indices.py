"""Corner indices: the small sign in a card's corner, which is all that a fan or a hand leaves of most cards.

The index finder gives each index with the card's directions and size there; the index reader reads the corner. Both
serve stills and hands shown; on video they read a card that came and is half covered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Colour
from referee.frame import Image
from referee.observations import CardReading
from referee.vision.clarity import with_colour_seen
from referee.vision.classes import ANSWER, Floats, answers, interpret, strangeness
from referee.vision.mat import CARD_MM
from referee.vision.shape import Known, Shape, shape_near, shaped
from referee.vision.warp import GREY, QuadArray, halved, in_full, signed_area
from referee.vision.white import in_white_light, parts_of

INDEX_MM = (8.0, 10.5)
"""Where the middle of an index is, from the card's corner, millimetres. Decks differ by two either way."""

CORNER_MM = (-3.0, -3.0, 21.0, 27.0)
"""Left, top, right, bottom of the corner that is read, millimetres from the card's corner. Smaller cuts large indices;
larger shows more of the neighbours than of the card."""

CORNER_PX = (48, 60)
"""Width and height of the index reader's input: 2 pixels a millimetre."""

INDEX_STRIDE = 4
"""Pixels of the index finder's input for one cell of its output: indices of a tight fan are some ten pixels apart."""

MARK_MM = (0.0, 0.0, 16.0, 22.0)
"""The four points by which the index reader corrects the corner, as left, top, right, bottom in millimetres."""

MARK_UNIT_MM = 2.0
"""The index reader gives its corrections in this unit."""

BEST_CARD_PX = 150.0
"""Card height in the index finder's input. Smaller blurs the indices, larger costs time."""

CARD_PX = (75.0, 260.0)
"""Card heights believed in the index finder's input: it saw no others."""

LEVELS = (224, 416, 768, 1408)
"""Long sides, pixels, at which a picture is searched when no card's height is known."""

MOST_PIXELS = 2.4e6
"""Largest picture that is searched at once; it is shrunk to that. Smaller loses the indices of tables full of small
cards, larger takes seconds on a Pi."""

ENLARGED = 3.0
"""A picture is enlarged at most so far: beyond, its indices are a few blurred pixels."""

STEP = 1.5
"""Cards whose heights differ by less are searched in one look. Smaller takes more looks; larger leaves the range that
the index finder knows."""

NEAR_MM = 5.0
"""Two finds closer than this are one index. Smaller doubles indices; larger loses some of a tight fan."""

MAX_FOUND = 120
"""Most indices reported for one level. Larger only costs time on noise."""

SIGN_MM = (4.0, 4.0, 13.0, 17.0)
"""Left, top, right, bottom of the index's sign, millimetres from the card's corner. Larger: the card's edge counts;
smaller: signs of a corner that is a little off are cut."""

LOOKS, LOOKS_SHAPED = 2, 4
"""Times that the corner is looked at, corrected but for the last time; the second at most, where the card's shape is
known. Fewer leaves it crooked, more costs time; without a shape more makes it no better."""

OWN_MM = 9.0
"""An index so near to where a card has one is that card's, were it found askew. Smaller: its own crooked corners are
believed; larger: the next card of a tight fan is not heard."""

SETTLED_MM = 0.5
"""A corner of known shape that moves no further is in its place. Smaller costs time; larger leaves it crooked."""

PLACINGS = ((0.7, 0.5, 1.06), (-0.7, -0.5, 0.95))
"""A thorough look reads the corner in its place and in these, and averages the answers: shifts to the right and down,
millimetres, and sizes. Further off: the sign is cut; nearer: all say the same; more: costs time."""

SLENDER = (0.8, 2.9)
"""Length of the card over its width, as an index suggests it, that is believed; a card has 1.55 seen from above."""


Pixel = TypeVar("Pixel", bound=np.generic)

_MIDDLE = np.array([INDEX_MM], np.float32)
_PARTS = parts_of(CORNER_PX, CORNER_MM)


@dataclass(frozen=True, slots=True)
class IndexReading:
    """An index found and read.

    quad: float32 (4, 2) pixels, the whole card as the corner suggests it, upright: the corner with the index first.
    score: 0 to 1 that there is an index. face_probability: 0 to 1 that it is one of the 54 faces'.
    strange: see `classes.strangeness`; None, too, where it was not asked. doubted: see `merge.unsure`.
    """

    reading: CardReading
    quad: QuadArray
    score: float
    face_probability: float
    strange: float | None = None
    doubted: float | None = None

    @property
    def centre(self) -> Floats:
        """(2,) pixels: the middle of the index."""
        return np.asarray(on_card(self.quad, _MIDDLE)[0], np.float32)


def on_card(quad: QuadArray, mm: npt.NDArray[np.float32]) -> Floats:
    """Points of the card (n, 2), millimetres from its first corner, in pixels of the picture that `quad` is in."""
    w, h = CARD_MM
    flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(mm.reshape(1, -1, 2).astype(np.float32), matrix)[0], np.float32)


def in_mm(quad: QuadArray, points: npt.NDArray[np.float32]) -> Floats:
    """Points of the picture (n, 2), pixels, in millimetres of the card: the inverse of `on_card`."""
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), box_mm(0.0, 0.0, *CARD_MM))
    return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float32), matrix)[0], np.float32)


def off_mm(quad: QuadArray, point: Floats) -> float:
    """How far a point of the picture (2,), pixels, lies from where the card has its first index, millimetres of it."""
    return float(np.hypot(*(in_mm(quad, point)[0] - INDEX_MM)))


def box_mm(left: float, top: float, right: float, bottom: float) -> Floats:
    """The corners of a box on the card, clockwise from its top left."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def corner_picture(image: Image, quad: QuadArray) -> Image:
    """The corner of the card as the index reader sees it, uint8 (60, 48, 3), in white light; grey outside the
    picture."""
    w, h = CORNER_PX
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(on_card(quad, box_mm(*CORNER_MM)), target.astype(np.float32))
    out = cv2.warpPerspective(
        image, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(GREY,) * 3
    )
    return in_white_light(np.asarray(out, np.uint8), _PARTS)


def corner_part(corner: npt.NDArray[Pixel], box: tuple[float, float, float, float]) -> npt.NDArray[Pixel]:
    """What of the corner, as `corner_picture` gives it, lies in a box in millimetres."""
    scale = CORNER_PX[0] / (CORNER_MM[2] - CORNER_MM[0])
    left, top, right, bottom = (round((at - CORNER_MM[i % 2]) * scale) for i, at in enumerate(box))
    return corner[top:bottom, left:right]


_MARK = box_mm(*MARK_MM)


class IndexEye:
    """Finds and reads corner indices anywhere in a picture."""

    def __init__(self, finder: cv2.dnn.Net, reader: cv2.dnn.Net, score: float, temperature: float) -> None:
        self._finder = finder
        self._reader = reader
        self._score = score
        self._temperature = temperature
        self._unburnt = frozenset[Colour]()

    def in_light(self, unburnt: frozenset[Colour]) -> Self:
        """The eye, for a light that is known to leave these colours as they are: no yellow index is one of them."""
        other = copy(self)
        other._unburnt = unburnt
        return other

    def find(
        self, image: Image, heights_px: Sequence[float] = (), thorough: bool = False, cards: Sequence[Known] = (),
        least: float | None = None, where: Callable[[QuadArray], bool] | None = None,
    ) -> list[IndexReading]:  # fmt: skip
        """Indices in `image` (uint8 (h, w, 3) B, G, R), best score first; also those that turn out to be no face's.

        heights_px: heights of cards in the picture, pixels, where some are known: fewer looks than without.
        thorough: every corner is read in several placings; where more looks at it follow, one will do.
        cards: some that lie as the others do, where such are known: corners are placed better.
        least: score from which there may be an index, another one than for all else. where: says of each, as it was
        found, whether it is worth reading.
        """
        return [
            self.read(image, quad, score, thorough, shape_near(quad[0], _others(quad, cards)))
            for score, quad in self.places(image, heights_px, least)
            if where is None or where(quad)
        ]

    def places(
        self, image: Image, heights_px: Sequence[float] = (), least: float | None = None
    ) -> list[tuple[float, QuadArray]]:
        """(score, card) of every index in `image`, best score first, as it is found: not yet read, nor its corner put
        right. heights_px, least: see `find`."""
        longest = max(image.shape[:2])
        scales = [BEST_CARD_PX / height for height in _steps(heights_px)] or [side / longest for side in LEVELS]
        limit = (MOST_PIXELS / (image.shape[0] * image.shape[1])) ** 0.5
        scales = sorted({min(scale, limit, ENLARGED) for scale in scales})
        found: list[tuple[float, QuadArray]] = []
        for scale in scales:
            found += self._level(image, scale, self._score if least is None else least)
        return _distinct(found)

    def _level(self, image: Image, scale: float, least: float) -> list[tuple[float, QuadArray]]:
        """(score, card) of the indices in the picture at this scale, from the score `least`."""
        image, times = halved(image, scale)
        scale *= times
        h, w = (max(16, round(side * scale)) for side in image.shape[:2])
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = image if (h, w) == image.shape[:2] else cv2.resize(image, (w, h), interpolation=method)
        small = cv2.copyMakeBorder(small, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE)
        self._finder.setInput(cv2.dnn.blobFromImage(small, 1 / 255))
        out = np.asarray(self._finder.forward()[0], np.float32)
        factor = np.array([image.shape[1] / w, image.shape[0] / h], np.float32)
        found = []
        for score, quad in decode_indices(out, least):
            height = float(np.hypot(*(quad[3] - quad[0])))
            if CARD_PX[0] <= height <= CARD_PX[1]:
                found.append((score, in_full((quad + 0.5) * factor - 0.5, times)))
        return found

    def read(
        self, image: Image, quad: QuadArray, score: float, thorough: bool = False, shape: Shape | None = None
    ) -> IndexReading:
        """The index of a card whose corner, the first of `quad`, is roughly known. thorough: see `find`. shape: that of
        cards there, where it is known."""
        answer, quad = self.look(image, quad, thorough, shape)
        return self._told(answer, image, quad, score)

    def read_placed(self, image: Image, quads: Sequence[QuadArray]) -> list[IndexReading]:
        """The indices in the first corners of cards that are well placed, read in one run of the network."""
        told = self._forward(image, quads)[:, :ANSWER]
        return [self._told(answer, image, quad, 1.0) for answer, quad in zip(told, quads, strict=True)]

    def _told(self, answer: Floats, image: Image, quad: QuadArray, score: float) -> IndexReading:
        reading, face = interpret(answer, self._temperature)
        seen = with_colour_seen(reading, corner_picture(image, quad), self._unburnt, _PARTS)
        return IndexReading(seen, quad, score, face, strangeness(answer))

    def look(
        self, image: Image, quad: QuadArray, thorough: bool = False, shape: Shape | None = None
    ) -> tuple[Floats, QuadArray]:
        """The raw answer (22,) for one corner, before temperature, and the corrected card. thorough, shape: see
        `read`."""
        for _ in range((LOOKS if shape is None else LOOKS_SHAPED) - 1):
            (out,) = self._forward(image, [quad])
            before, quad = quad, _corrected(quad, out[ANSWER:].reshape(4, 2) * MARK_UNIT_MM)
            if shape is not None:
                quad = shaped(quad, INDEX_MM, shape)
                if float(np.abs(in_mm(before, on_card(quad, _MARK)) - _MARK).max()) < SETTLED_MM:
                    break
        others = PLACINGS if thorough else ()
        out = self._forward(image, [quad, *(_placed(quad, *placing) for placing in others)])
        return np.asarray(out[:, :ANSWER].mean(0), np.float32), quad

    def _forward(self, image: Image, quads: Sequence[QuadArray]) -> Floats:
        """The network's answer (n, 30) for the corners of cards."""
        return answers(self._reader, [corner_picture(image, quad) for quad in quads])


def _others(quad: QuadArray, cards: Sequence[Known]) -> list[Known]:
    """The cards but that of which this is an index: where it was found askew, its corner is all that tells."""
    (centre,) = on_card(quad, _MIDDLE)
    return [card for card in cards if not _is_index_of(card.quad, centre)]


def _is_index_of(quad: QuadArray, centre: Floats) -> bool:
    ends = (quad, np.roll(quad, 2, 0).astype(np.float32))
    return any(off_mm(end, centre) < OWN_MM for end in ends)


def _steps(heights: Sequence[float]) -> list[float]:
    """As few heights as stand for all: each is within a factor of `STEP` of one."""
    kept: list[float] = []
    for height in sorted(heights):
        if not kept or height > kept[-1] * STEP:
            kept.append(height)
    return kept


def decode_indices(out: Floats, least: float) -> list[tuple[float, QuadArray]]:
    """(score, card) for every peak of the index finder's raw output (9, h/4, w/4), pixels of its input."""
    heat = 1 / (1 + np.exp(-out[0]))
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= least)
    ys, xs = np.nonzero(peak)
    order = np.argsort(-heat[ys, xs], kind="stable")[:MAX_FOUND]
    cards = []
    for y, x in zip(ys[order], xs[order], strict=True):
        dx, dy, long, short, s1, c1, s2, c2 = (float(v) for v in out[1:, y, x])
        centre = np.array([x + dx + 0.5, y + dy + 0.5]) * INDEX_STRIDE - 0.5
        down = np.array([c1, s1]) / max(1e-6, np.hypot(c1, s1)) * 128 * np.exp(np.clip(long, -3, 3))
        right = np.array([c2, s2]) / max(1e-6, np.hypot(c2, s2)) * 128 * np.exp(np.clip(short, -3, 3))
        corner = centre - right * (INDEX_MM[0] / CARD_MM[0]) - down * (INDEX_MM[1] / CARD_MM[1])
        quad = np.array([corner, corner + right, corner + right + down, corner + down], np.float32)
        if _credible(quad):
            cards.append((float(heat[y, x]), quad))
    return cards


def _credible(quad: QuadArray) -> bool:
    """Not folded, not a sliver."""
    long, short = (float(np.hypot(*(quad[k] - quad[0]))) for k in (3, 1))
    area = signed_area(quad)
    return area > 0.5 * long * short and SLENDER[0] * short < long < SLENDER[1] * short


def _placed(quad: QuadArray, right_mm: float, down_mm: float, size: float) -> QuadArray:
    """The card with its index shifted by so much, and of another size."""
    x, y = INDEX_MM
    middle, moved = on_card(quad, np.array([[x, y], [x + right_mm, y + down_mm]], np.float32))
    return np.asarray((quad - middle) * np.float32(size) + moved, np.float32)


def _corrected(quad: QuadArray, correction_mm: Floats) -> QuadArray:
    """The card moved so that its corner lies where the reader says it does; unchanged when that would fold it."""
    seen = on_card(quad, _MARK + np.clip(correction_mm, -5, 5))
    flat = np.column_stack([_MARK, np.ones(4)])
    turn, *_ = np.linalg.lstsq(flat, seen, rcond=None)
    better = np.column_stack([box_mm(0.0, 0.0, *CARD_MM), np.ones(4)]) @ turn
    return better.astype(np.float32) if _credible(better) else quad


def _distinct(found: list[tuple[float, QuadArray]]) -> list[tuple[float, QuadArray]]:
    """One of each index, best first: the same one is found at several levels."""
    kept: list[tuple[float, QuadArray]] = []
    places: list[tuple[Floats, float]] = []
    for score, quad in sorted(found, key=lambda item: -item[0]):
        centre = on_card(quad, _MIDDLE)[0]
        mm = float(np.hypot(*(quad[3] - quad[0]))) / CARD_MM[1]
        if all(float(np.hypot(*(centre - other))) > NEAR_MM * max(mm, size) for other, size in places):
            kept.append((score, quad))
            places.append((centre, mm))
    return kept
