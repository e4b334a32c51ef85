"""A card of which another one leaves only a strip open: what its corner says, and whether it lay on top before."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card, Colour
from referee.frame import Image
from referee.observations import UNREAD, CardReading
from referee.tracker.chances import mean_reading, probability
from referee.vision.classes import ALTERNATIVE, Floats
from referee.vision.indices import INDEX_MM, IndexEye, IndexReading, box_mm, off_mm, on_card
from referee.vision.light import Mask, difference
from referee.vision.merge import NEUTRAL, UNLIKELY, UNSURE, are_strange, is_certain_index
from referee.vision.nets import Models, Read, agreed, weighed
from referee.vision.shape import Shape, shape_of
from referee.vision.twin import INDEX_PART_MM
from referee.vision.warp import CROP_PX, QuadArray, rectify

GROUND = 0.15
"""Ground round the card that is searched for its index, as a share of its height. Smaller: an index at the edge is cut;
larger: costs time."""

OWN_MM = 9.0
"""Distance of an index from where the card has one. Smaller: a card that was placed badly goes unread; larger: the
index of the card beneath is taken for it."""

CERTAIN_MM = 13.0
"""... where none lies nearer and this one is certain. Smaller and larger: as above."""

ALIKE = 0.7
"""Cosine between the directions of an index and of its card. Smaller and larger: as above."""

LEAST_FACE = 0.6
"""Probability of a face below which an index counts as unread. Smaller: ovals and digits cut in half are read; larger:
more questions."""

UNNAMED = 0.1
"""Share that one face has of what a reading leaves to those that it does not name. Smaller: half an index silences the
other one of its card; larger: a 9 that is half an 8 is said, though the card's other index shows no 9."""

LEAST_OPEN = 0.1
"""Share of an index that lies open at least where anything is read: the card may be placed a little wrong. Smaller:
what was read counts for nothing; larger: next to nothing counts."""

HIDDEN_CROP = 4
"""Pixels of the crop round the hidden part that are not compared. Smaller: its edge and shadow count; larger: thin
strips cannot be compared."""

LIKE_LEVELS = 30
"""Grey levels by which a pixel may differ and still show the same. Smaller: noise; larger: red is like yellow."""

LIKE_SLACK_PX = 3
"""Shift, pixels of the crop, that is no difference. Smaller: a card placed badly is unlike itself; larger: a 3 is
like an 8."""

LEAST_PX = 200
"""Open pixels of the crop that are enough to compare."""


class Corner(NamedTuple):
    """An index of a card. placings: the card in those that are believed, its first corner the one with the index; open:
    the share of the index that lies open, 0 to 1; shape: the card's."""

    placings: tuple[QuadArray, ...]
    open: float = 1.0
    shape: Shape | None = None


Corners = tuple[Corner, ...]
"""Where the indices of one card may be read; empty when none lies open."""


@dataclass(frozen=True, slots=True)
class Strip:
    """What is read of a half hidden card. quad: where it lies, pixels of the picture. pictured: its picture counts, if
    that is a wild's."""

    quad: QuadArray
    corners: Corners
    pictured: bool = False


def read_strip(models: Models, image: Image, strip: Strip) -> CardReading:
    """What the open part shows. Of a number the picture shows what its cut index does, or what lies on it: it is no
    second view. A wild's colours on black show beside what lies on it."""
    reading = read_corners(models.indices, image, strip.corners)
    if not strip.pictured or (reading.card is not None and reading.card.colour is not None):
        return reading
    (whole,) = models.reader.read(image, [strip.quad], refined=True)  # sought, its corners would move to what hides it
    if whole.reading.card is None or whole.reading.card.colour is not None or whole.face_probability < LEAST_FACE:
        return reading
    return agreed(reading, whole.reading)


def corners_of(quad: QuadArray, hidden: QuadArray, found: Sequence[IndexReading]) -> Corners:
    """The open indices of the card `quad` outside `hidden`, both in pixels of the picture, the first corner of either
    anywhere: each where it was found and where the card's own place says that it is."""
    ends = []
    for end in (quad, np.roll(quad, 2, 0).astype(np.float32)):
        own = [index for index in found if off_mm(end, index.centre) <= OWN_MM]
        if not own:
            own = [index for index in found if off_mm(end, index.centre) <= CERTAIN_MM and is_certain_index(index)]
        best = max(own, key=lambda index: index.score * index.reading.confidence, default=None)
        placings = [] if best is None else [best.quad]
        if not _lies_in(hidden, on_card(end, np.array([INDEX_MM], np.float32))[0]):
            placings.append(end)
        # A cut index is placed as if it were whole: how much of it shows only the card's own place says.
        ends.append(Corner(tuple(placings), _open(end, hidden), shape_of(quad)))
    return tuple(corner for corner in ends if corner.placings)


def read_corners(eye: IndexEye, image: Image, corners: Corners) -> CardReading:
    """What a card's open indices say. Of two placings of one the surer counts, as far as the other does not gainsay it,
    for an index may be cut in half; two indices are surer together where they agree: see `_together`."""
    readings, shares = [], []
    for corner in corners:
        looks = [eye.read(image, placing, 1.0, True, corner.shape) for placing in corner.placings]
        told = [look for look in looks if look.reading.card is not None and look.face_probability >= LEAST_FACE]
        if told:
            readings.append(reduce(weighed, [look.reading for look in told]))
            shares.append(corner.open)
    return _together(readings, shares) if len(readings) == 2 else readings[0] if readings else UNREAD


def _together(readings: Sequence[CardReading], shares: Sequence[float]) -> CardReading:
    """The two indices of one card, of which such shares lie open. Where they gainsay each other, the one that speaks
    more plainly, as far as the other gives its face a chance: half a 9 may be half a 0, but no whole 9 is a 0. The less
    of one shows, the less it says beside the other."""
    one, other = readings
    if one.card == other.card:
        return agreed(one, other) if one.confidence >= other.confidence else agreed(other, one)
    odds = [
        share / max(shares) * math.log(reading.confidence / _chance(reading, against.card))
        for reading, against, share in zip(readings, (other, one), shares, strict=True)
    ]
    first, ahead = (one, odds[0] - odds[1]) if odds[0] >= odds[1] else (other, odds[1] - odds[0])
    return replace(first, confidence=first.confidence / (1 + math.exp(-ahead)))


def _chance(reading: CardReading, card: Card | None) -> float:
    """The chance that a reading leaves a face, which it may not name."""
    return max(UNLIKELY, probability(reading, card) or UNNAMED * _left(reading))


def _left(reading: CardReading) -> float:
    """The chance that a reading leaves to what it does not name."""
    return max(0.0, 1 - reading.confidence - sum(p for _, p in reading.alternatives))


def with_own_indices(models: Models, image: Image, quad: QuadArray, reading: CardReading) -> CardReading:
    """What a card that lies open shows, the reading of all of it put beside what its two indices say, where that leaves
    a doubt. The two are drawn alike and taken for one view, and the card as a whole for another: decks whose large 6
    could be a 9 have a small one that could not, and the other way round.

    quad: its corners, pixels of the picture. An index that is no face's, or hidden, says nothing.
    """
    if reading.card is None or models.is_sure(reading):
        return reading
    looks = _own_indices(models, image, quad)
    told = [look.reading for look in looks if look.reading.card is not None and look.face_probability >= LEAST_FACE]
    return both_views(reading, mean_reading(told)) if told else reading


def not_strange(models: Models, image: Image, quad: QuadArray, read: Read, reading: CardReading) -> CardReading:
    """What was read of an open card; not surely, where it is another game's by its picture and its two indices.
    Those are asked only if the picture, of which `read` tells, leaves a doubt. quad: see `with_own_indices`."""
    if reading.card is None or read.strange is None or read.strange <= NEUTRAL:
        return reading
    views = [read.strange, *(index.strange for index in _own_indices(models, image, quad))]
    return replace(reading, confidence=min(reading.confidence, UNSURE)) if are_strange(views) else reading


def _own_indices(models: Models, image: Image, quad: QuadArray) -> list[IndexReading]:
    return models.indices.read_placed(image, [quad, np.roll(quad, 2, 0).astype(np.float32)])


def both_views(one: CardReading, other: CardReading) -> CardReading:
    """Two views of one card that err each in its own way: the product of what they say of each face, by Bayes' rule
    with every face as likely. What they leave may all be one face that neither names, or none of the 54. What the first
    one does not name at all the other may question, but not say alone: it may have seen another card. The colour is the
    first one's, and no surer than there: both see the same ink in the same light."""
    named = {card for view in (one, other) for card in (view.card, *(card for card, _ in view.alternatives))}
    odds = {
        card: max(UNLIKELY, probability(one, card)) * _chance(other, card) for card in named if card is not None
    }
    total = sum(odds.values()) + _left(one) * _left(other)
    likely = {card: p for card, p in odds.items() if _of_colour(one, card.colour) > 0}
    (card, best), *others = sorted(likely.items(), key=lambda item: (-item[1], item[0] != one.card, str(item[0])))
    alternatives = tuple((face, p / total) for face, p in others[:4] if p / total >= ALTERNATIVE)
    return CardReading(card, min(best / total, _of_colour(one, card.colour)), alternatives)


def _of_colour(reading: CardReading, colour: Colour | None) -> float:
    """The share that faces of a colour have of those that a reading names."""
    named = [(reading.card, reading.confidence), *reading.alternatives]
    of_it = sum(p for card, p in named if card is not None and card.colour is colour)
    return of_it / max(1e-9, sum(p for _, p in named))


def likeness(before: Image, old: QuadArray, now: Image, quad: QuadArray, hidden: Mask) -> float:
    """Share of the open part of the card `quad` in `now` that shows what the card `old` showed in `before`, 0 to 1; 0
    when too little is open. hidden: uint8, the shape of `now`, 255 where another card lies on it."""
    was, covered = rectify(before, old), rectify(np.repeat(hidden[..., None], 3, 2), quad)[..., 0]
    covered = np.asarray(cv2.dilate(covered, np.ones((2 * HIDDEN_CROP + 1,) * 2, np.uint8)), np.uint8)
    inside = np.zeros(CROP_PX[::-1], bool)
    inside[10:-10, 7:-7] = True
    open_ = inside & (covered < 128)
    if np.count_nonzero(open_) < LEAST_PX:
        return 0.0
    shown = rectify(now, quad)
    ways = (shown, np.ascontiguousarray(shown[::-1, ::-1])), (open_, np.ascontiguousarray(open_[::-1, ::-1]))
    return max(
        float((difference(was, picture, LIKE_SLACK_PX)[where] < LIKE_LEVELS).mean())
        for picture, where in zip(*ways, strict=True)
    )


def find_indices(
    eye: IndexEye, image: Image, quad: QuadArray, hidden: QuadArray | None, around: QuadArray | None = None,
    least: float | None = None, where: Callable[[QuadArray], bool] | None = None,
) -> list[IndexReading]:  # fmt: skip
    """The indices of faces in and round the card outside `hidden` that point its way; or those round what has the
    corners `around`, in pixels of the picture, too, that point any way: the card lies there as high, but who knows how.
    least, where: see `IndexEye.find`.
    """
    height = float(np.hypot(*(quad[3] - quad[0] + quad[2] - quad[1]))) / 2
    sought = quad if around is None else around
    low = np.maximum(np.floor(sought.min(0) - GROUND * height), 0).astype(int)
    high = np.minimum(np.ceil(sought.max(0) + GROUND * height), [image.shape[1], image.shape[0]]).astype(int)
    if (high - low < 8).any():
        return []
    part = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
    shift = low.astype(np.float32)
    there = None if where is None else lambda quad: where(quad + shift)
    found = [replace(index, quad=index.quad + shift) for index in eye.find(part, [height], least=least, where=there)]
    along = _unit(quad[3] - quad[0])
    return [
        index
        for index in found
        if index.reading.card is not None
        and index.face_probability >= LEAST_FACE
        and (around is not None or abs(float(_unit(index.quad[3] - index.quad[0]) @ along)) >= ALIKE)
        and (hidden is None or not _lies_in(hidden, index.centre))
    ]


def _open(quad: QuadArray, hidden: QuadArray) -> float:
    """Share of a card's first index outside what hides the card."""
    box = on_card(quad, box_mm(*INDEX_PART_MM))
    covered, _ = cv2.intersectConvexConvex(box, hidden.astype(np.float32))
    return 1.0 - min(1.0 - LEAST_OPEN, float(covered) / max(1e-6, cv2.contourArea(box)))


def _lies_in(quad: QuadArray, point: Floats) -> bool:
    return cv2.pointPolygonTest(quad.reshape(-1, 1, 2), [float(v) for v in point], False) >= 0


def _unit(v: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(v / max(1e-6, float(np.hypot(*v))), np.float32)
