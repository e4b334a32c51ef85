"""What hands hold as they come to the pile and as they go: it tells a card laid on its like from a push.

A card in a moving hand is blurred and half covered, so that its face cannot be read. Its colours can be seen: what is
at the fingertips as the hand comes and is not there as it goes was laid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.observations import Point, Quad
from referee.vision.calibration import Floats

TIP_MM = 110.0
"""How far from a hand's tip what it holds is looked for. Smaller: half a card; larger: sleeves."""

COMES_S, ENTERS_S = 0.35, 0.2
"""Seconds before and after a hand first touches the discard zone in which it comes. Shorter: a slow camera misses it;
longer: rests beside the table, and the card on the pile under the hand."""

LEAVES_S, GOES_S = 0.1, 0.4
"""Seconds before and after it last touches the zone in which it goes. Shorter and longer: as above."""

PILE_MM = 12.0
"""Ground round the top card that is left out: it shows cards whoever comes. Smaller: pushed cards are carried; larger:
less is left of what hands carry."""

SAME_HAND_MM = 170.0
"""How far the place where a hand comes in may have moved while it comes, works and goes. Smaller: who turns an arm over
the pile is another hand; larger: a neighbour's hand that rests beside the pile, or leaves, has brought or taken."""

SEEN_CARDS = 0.05
"""Area of hands beside the pile, in cards, that a frame must show to tell what they hold. Smaller: hands that are out
of the picture, or over the pile, hold nothing; larger: quick hands tell nothing."""

SHADES = 12
"""Steps of the share of blue and of red in a colour. Fewer: skin is like cards; more: other light, another colour."""

LEAST_SHARE, SHARES = 0.1, 0.6
"""Least such share, and how far from there the steps reach."""

DIM = 4.0
"""Levels by which every colour is greyer than it is, for in the dark the shares are noise. Smaller: noise; larger: dark
colours are grey."""

LIKE_TABLE = 0.03
"""By how much the shares of blue and red in a colour may be off for it to be the table's in a shadow. Smaller: shadows
are things in a hand; larger: cards of the table's colour are none."""

LEVELS = (28, 60, 124)
"""Levels of brightness that part dark from light. More: as for the shades."""


class AtTip(NamedTuple):
    """The pixels of an arm near its tip. entry: where it comes in, table millimetres; colours, uint8 (n, 3) B, G, R;
    places, (n, 2), table millimetres; mm2, (n,), the area of the table that each shows."""

    entry: Point
    colours: npt.NDArray[np.uint8]
    places: Floats
    mm2: npt.NDArray[np.float32]


class Carried:
    """Watches the tips of hands during one visit to the pile. card_mm2: area of a card."""

    def __init__(self, card_mm2: float) -> None:
        self._card_mm2 = card_mm2
        self._seen: list[tuple[float, Sequence[AtTip]]] = []
        self._entries: list[Point] = []
        self._first: float | None = None
        self._last = 0.0

    def watch(self, t: float, entries: Sequence[Point], tips: Sequence[AtTip]) -> None:
        """Takes one frame with hands in it. entries: where those come in that are in the discard zone. tips: the hands
        that are to be told from the pile."""
        if entries:
            self._entries += entries
            self._first = t if self._first is None else self._first
            self._last = t
        self._seen.append((t, tips))
        came = -1.0 if self._first is None else self._first + ENTERS_S
        late = max(COMES_S, LEAVES_S + GOES_S)
        self._seen = [(at, one) for at, one in self._seen if at <= came or at >= t - late]

    def settled(self) -> None:
        """The visit is over."""
        self._seen, self._entries, self._first = [], [], None

    def shares(self, card: npt.NDArray[np.uint8], pile: Sequence[Quad]) -> tuple[float, float] | None:
        """How much of a card's colours the hands in the discard zone had at their tips as they came and not as they
        went, and as they went and not as they came: shares of a card, 0 to 1, its most frequent colour left out (a
        sleeve has but one). None when they were not seen to come and to go. card: pixels of a card, uint8 (n, 3) B, G,
        R. pile: where the top card lay and lies, table millimetres."""
        if self._first is None or not len(card):
            return None
        middle = (self._first + self._last) / 2
        comes = self._first - COMES_S, min(self._first + ENTERS_S, middle)
        goes = max(self._last - LEAVES_S, middle), self._last + GOES_S
        seen = [
            (at, visitors)
            for at, tips in self._seen
            if (visitors := [tip for tip in tips if self._visits(tip)])
            and any(begin <= at <= end for begin, end in (comes, goes))
        ]
        if not seen:
            return None
        shown = list(zip((at for at, _ in seen), _lots_beside([tips for _, tips in seen], pile), strict=True))
        least = SEEN_CARDS * self._card_mm2
        coming, going = (
            [lots for at, lots in shown if begin <= at <= end and float(lots.sum()) >= least]
            for begin, end in (comes, goes)
        )
        if not coming or not going:
            return None
        (face,) = _lots(card, np.full(len(card), 1.0 / len(card), np.float32), np.zeros(len(card), np.intp), 1)
        return self._most(coming, going, face), self._most(going, coming, face)

    def _most(self, ones: list[Floats], others: list[Floats], face: Floats) -> float:
        """The most of a card's `face` that any of `ones` has beyond what the `others` have, and would have if as much
        were seen of them: who goes quickly is hardly seen to go."""
        least, shown = np.max(others, axis=0), max(float(other.sum()) for other in others)
        more = (one - least * max(1.0, float(one.sum()) / shown) for one in ones)
        return max(_but_one(np.minimum(np.maximum(one, 0) / self._card_mm2, face)) for one in more)

    def _visits(self, tip: AtTip) -> bool:
        return any(math.dist(tip.entry, entry) <= SAME_HAND_MM for entry in self._entries)


def is_shadow(colours: npt.NDArray[np.uint8], beneath: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which `colours` are those of `beneath`, the table at the same places, in less light. Both uint8 (n, 3)."""
    (blue, red, light), (blue_of, red_of, light_of) = _shades(colours), _shades(beneath)
    off = np.maximum(np.abs(blue - blue_of), np.abs(red - red_of))
    return np.asarray((off <= LIKE_TABLE) & (light <= light_of))


def _shades(colours: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], ...]:
    """The shares of blue and of red in colours, and the sum of each, float32 (n,)."""
    blue, green, red = colours.T.astype(np.float32, order="C") + np.float32(DIM)
    light = blue + green + red
    return blue / light, red / light, light


def _lots_beside(frames: Sequence[Sequence[AtTip]], pile: Sequence[Quad]) -> Floats:
    """The mm2 of each colour beside the pile on each of these frames, float64 (n, m). All at once: one by one it costs
    three times as much."""
    _, *seen = zip(*(tip for tips in frames for tip in tips), strict=True)
    colours, places, mm2 = (np.concatenate(parts) for parts in seen)
    x, y = np.ascontiguousarray(places.T)
    beside = np.ones(len(x), bool)
    for quad in pile:
        (left, top), (right, bottom) = np.min(quad, axis=0) - PILE_MM, np.max(quad, axis=0) + PILE_MM
        beside &= (x < left) | (x > right) | (y < top) | (y > bottom)
    which = np.repeat(np.arange(len(frames)), [sum(len(tip.mm2) for tip in tips) for tips in frames])
    return _lots(colours, mm2 * beside, which, len(frames))


def _lots(
    colours: npt.NDArray[np.uint8], weights: npt.NDArray[np.float32], which: npt.NDArray[np.intp], count: int
) -> Floats:
    """How much there is of each colour in each of `count` places: its shares of blue and red, and its brightness,
    float64 (count, m). which: the place of each pixel."""
    steps = ((share - LEAST_SHARE) / SHARES * SHADES for share in _shades(colours)[:2])
    blue, red = (np.clip(step, 0, SHADES - 1).astype(np.intp) for step in steps)
    brightest = np.maximum(np.maximum(colours[:, 0], colours[:, 1]), colours[:, 2])
    level = sum((brightest >= least).astype(np.intp) for least in LEVELS)
    lots = SHADES * SHADES * (len(LEVELS) + 1)
    kind = ((which * SHADES + blue) * SHADES + red) * (len(LEVELS) + 1) + level
    return np.asarray(np.bincount(kind, weights, count * lots), np.float64).reshape(count, lots)


def _but_one(lots: Floats) -> float:
    return float(lots.sum() - lots.max())
