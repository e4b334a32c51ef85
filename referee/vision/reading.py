"""Every face-up card in a still picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.frame import Image
from referee.observations import UNREAD, Quad, Quality, SeenCard
from referee.vision.askew import askew, is_shaped, one_of_both, put_right, without_pieces
from referee.vision.belonging import belongs
from referee.vision.black_ground import is_in_white_light
from referee.vision.burnt import FULL
from referee.vision.clarity import DARK_LEVEL, GLARE_SHARE, clarity_of
from referee.vision.classes import Floats
from referee.vision.deck_signs import across_corners, is_sign
from referee.vision.ground import Ground, ground_of
from referee.vision.indices import IndexReading
from referee.vision.merge import (
    LAPPING,
    LEAST_SCORE,
    STRIP,
    WHOLE,
    is_believed,
    may_be_alone,
    may_be_shown,
    unsure,
    with_indices,
    with_strip,
)
from referee.vision.nets import Found, Models, Read, same_place
from referee.vision.shape import Known
from referee.vision.sight import is_coloured
from referee.vision.stacking import above, open_odds, topmost
from referee.vision.warp import QuadArray, covered, frame_of, overlap, rectify, signed_area

LEAST_FACE = 0.4
"""Least probability of a face for a card that is reported. Lower reports backs and other games' cards as unread faces;
higher drops real ones in bad light."""

FOREIGN = 0.05
"""Probability of a face below which a card in view is another game's or a back, and its corner not looked at: a playing
card's may read like one of ours. Smaller: playing cards are said; larger: cards under a hand are not read."""

IN_VIEW = 0.6
"""Visible share from which that is known of a card. Smaller: the strips of a fan are taken for no faces; larger:
playing cards are said."""

LOST = 0.3
"""Error allowed in the visible share when two finds are compared. Smaller drops cards of a pile; larger keeps
doubles."""

TOUCH, GRAZE = 0.004, 0.01
"""Share of the smaller card that overlaps when two cards lie on each other; and when one of which all is seen lies on
or under another. Smaller: cards that lie side by side, with corners that are a millimetre off, are asked which of them
is on top; larger: a card under another's corner is on top, too."""

ALL_SEEN = 0.9
"""Visible share from which on all of a card is seen. Smaller: a card under another's corner is on top, too; larger:
neighbours hide nothing and are asked about."""

SURELY = 0.9
"""Confidence of a reading from which its card's corners say how cards lie in the picture; if there is none, all do.
Smaller: crooked ones count; larger: few do."""

LEAST_KNOWN = 0.02
"""What such a card counts at least, one in full view as 1. Smaller: nothing is known of a fan; larger: guesses
count."""

PART, SIGN = 0.8, 4.0
"""Share of a supposed card in a larger one, and how much larger that is, from which it is a sign of it. Smaller: a card
on a cloth with a large pattern is lost; larger: the index of a card that reaches out of the picture is a card."""

LEAST_PX = 30.0
"""Height of a card, pixels, from which its face may be said. Smaller: stitches of a jumper are cards; larger: the cards
of a camera that hangs high are asked about."""

PLAIN_PX = 640.0
"""Longest side, pixels, at which a picture without cards, or its light, is judged. Smaller loses bright spots, larger
costs time."""


def read_photo(image: Image, models: Models) -> list[SeenCard]:
    """Face-up cards anywhere in `image` (uint8 (h, w, 3) B, G, R), best score first.

    Where there may be cards, their corner indices are read, too: also about a back, which may lie on faces. `top` is
    true for cards on which nothing lies, as far as that can be seen; of a pile it may be true for none.
    """
    pairs, others = _whole(image, models)
    indices: list[IndexReading] = []
    if pairs or others:
        heights = [found.height_px for found, _ in pairs or others]
        whole, indices = _indexed(image, models, pairs, others, heights)
        if pairs and not any(_may_be_said(read, models) for _, read in whole):
            again = _indexed(image, models, pairs, others)  # what was found may be a piece of a card
            before: list[Read | IndexReading] = [*indices, *(read for _, read in whole if models.is_sure(read.reading))]
            if any(_may_be_said(read, models) and not _gainsaid(read, before) for _, read in again[0]):
                whole, indices = again
        pairs = whole
    said = [read for _, read in pairs if _may_be_said(read, models)]
    if len(said) < 2:
        close = _close(image, models)
        if any(_may_be_said(read, models) and _holds(read, said) and not _gainsaid(read, indices) for _, read in close):
            pairs, others, indices = close, [], []
    return _tops(image, pairs, others, indices)


def read_hand(image: Image, models: Models) -> list[SeenCard]:
    """The cards of a hand that is shown, fanned, spread or in a row: as `read_photo`, but indices count also where
    no card was found as a whole."""
    pairs, others = _whole(image, models)
    heights = [found.height_px for found, _ in pairs or others]
    pairs, indices = _indexed(image, models, pairs, others, heights, shown=True)
    return _tops(image, pairs, others, indices)


def indices_in(image: Image, models: Models) -> list[IndexReading]:
    """The corner indices as `read_hand` finds and reads them."""
    pairs, others = _whole(image, models)
    return _find_indices(image, models, pairs, [found.height_px for found, _ in pairs or others])


def is_certain(card: SeenCard, models: Models) -> bool:
    """True when the card's face may be said without asking: read for sure, in a clear view, with corners that can be a
    card's."""
    return card.quality is Quality.CLEAR and models.is_sure(card.reading) and _is_shaped(card)


def _may_be_said(read: Read, models: Models) -> bool:
    return models.is_sure(read.reading) and is_shaped(read.quad)


def _is_shaped(card: SeenCard) -> bool:
    """The corners are as far apart as those of a card may be. A card known by its index alone has been made so."""
    quad = np.asarray(card.quad, np.float32)
    sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T).reshape(2, 2)
    return bool(sides.mean(0).max() >= LEAST_PX) and is_shaped(quad)


def photo_quality(image: Image, cards: Sequence[SeenCard]) -> Quality:
    """The worst of the cards' states; without cards that of the picture: CLEAR, DARK, GLARE, BLURRED or LOST."""
    if cards:
        return next((card.quality for card in cards if card.quality is not Quality.CLEAR), Quality.CLEAR)
    scale = min(1.0, PLAIN_PX / max(image.shape[:2]))
    h, w = (max(1, round(side * scale)) for side in image.shape[:2])
    grey = cv2.cvtColor(cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    if float(grey.std()) < 2.0:
        return Quality.LOST
    if float(np.percentile(grey, 98)) < DARK_LEVEL:
        return Quality.DARK
    return Quality.GLARE if float((grey >= FULL).mean()) > GLARE_SHARE else Quality.CLEAR


def _sampled(image: Image) -> Image:
    """Every nth pixel of the picture, for its longest side to be about `PLAIN_PX` at most."""
    step = max(1, round(max(image.shape[:2]) / PLAIN_PX))
    return np.ascontiguousarray(image[::step, ::step])


def _whole(image: Image, models: Models) -> tuple[list[tuple[Found, Read]], list[tuple[Found, Read]]]:
    """Cards that were found as cards: those that were read as faces, and backs and other games' cards.

    Where none is read for sure, what was found close by may be a bare table, and a smaller card lie on it.
    """
    found = models.finder.find(image)
    faces, others = _read_all(image, models, found)
    if found and not any(models.is_sure(read.reading) for _, read in faces):
        again = _read_all(image, models, models.finder.find(image, on_all_levels=True))
        if any(models.is_sure(read.reading) for _, read in again[0]):
            return again
    return faces, others


def _close(image: Image, models: Models) -> list[tuple[Found, Read]]:
    """The cards that reach out of the picture, read with their indices."""
    pairs, others = _read_all(image, models, models.finder.find_cut_off(image))
    if not pairs:
        return []
    return _indexed(image, models, pairs, others, [found.height_px for found, _ in pairs])[0]


def _holds(close: Read, said: list[Read]) -> bool:
    """What was said to be cards is part of this larger one: one of its signs."""
    large = abs(signed_area(close.quad))
    return all(covered(read.quad, close.quad) > PART and abs(signed_area(read.quad)) * SIGN < large for read in said)


def _gainsaid(read: Read, before: Sequence[Read | IndexReading]) -> bool:
    """Of what was surely read in another look some lies in this card's place and is another face."""
    return any(one.reading.card != read.reading.card and overlap(one.quad, read.quad) > LAPPING for one in before)


def _read_all(
    image: Image, models: Models, found: list[Found]
) -> tuple[list[tuple[Found, Read]], list[tuple[Found, Read]]]:
    picture = frame_of(image)
    pairs = [
        (replace(f, visible=min(f.visible, covered(read.quad, picture))), read)
        for f, read in zip(found, models.reader.read(image, [f.quad for f in found]), strict=True)
    ]
    faces = _distinct([(f, r) for f, r in pairs if r.face_probability >= LEAST_FACE])
    return faces, [(f, r) for f, r in pairs if r.face_probability < LEAST_FACE]


def _indexed(
    image: Image, models: Models, pairs: list[tuple[Found, Read]], others: list[tuple[Found, Read]],
    heights_px: Sequence[float] = (), shown: bool = False,
) -> tuple[list[tuple[Found, Read]], list[IndexReading]]:  # fmt: skip
    """The cards with what corner indices say about them, and those that only an index shows; and the indices that are
    read for sure. heights_px: how high cards are, where that is known. shown: they are a hand that is shown."""
    indices = _find_indices(image, models, pairs, heights_px)
    foreign = [read.quad for found, read in others if _is_foreign(found, read)]
    ours = [index for index in indices if all(belongs(index, quad) is None for quad in foreign)]
    ours = one_of_both(ours, [read for _, read in pairs])
    sure = [index for index in ours if index.score >= LEAST_SCORE and models.is_sure(index.reading)]
    pairs = _put_right(image, models, pairs, ours)
    return with_indices(pairs, _with_strips(image, models, pairs, ours, shown), models.sure), sure


def _find_indices(
    image: Image, models: Models, pairs: list[tuple[Found, Read]], heights_px: Sequence[float]
) -> list[IndexReading]:
    return models.indices.find(image, heights_px, thorough=True, cards=_known(pairs))


def _known(pairs: list[tuple[Found, Read]]) -> list[Known]:
    """How cards lie in the picture, as those tell that were read best: of a covered card that is partly a guess."""
    cards = [(f.visible**2, read) for f, read in pairs if read.reading.card is not None]
    best = [pair for pair in cards if pair[1].reading.confidence >= SURELY]
    return [Known(read.quad, max(LEAST_KNOWN, seen) * read.reading.confidence) for seen, read in best or cards]


def _with_strips(
    image: Image, models: Models, pairs: list[tuple[Found, Read]], indices: list[IndexReading], shown: bool
) -> list[IndexReading]:
    """The indices, those that are all that was read of a card heard together with what else is to be seen of it; none
    is sure that looks like what the deck prints in other corners. shown: see `with_strip`."""
    faces = [read for _, read in pairs if read.reading.card is not None]
    may_be = may_be_shown if shown else may_be_alone
    alone = [index for index in indices
             if may_be(index) and all(belongs(index, read.quad) is None for read in faces)]  # fmt: skip
    strips = models.reader.read(image, [index.quad for index in alone], refined=True)
    said = [read for read in faces if _may_be_said(read, models)]
    open_ = [read for found, read in pairs if found.visible >= WHOLE and _may_be_said(read, models)]
    ours = shown and bool(_own_indices(open_, indices))
    on_white = models.on_white or _on_white(image, open_, indices)
    # Where the deck's signs stand on white, that one does so speaks against nothing.
    grounds = [Ground.COLOURED if on_white else ground_of(image, index.quad) for index in alone]
    heard = {
        id(index): with_strip(index, _own(strip, index, said), ground, shown, ours)
        for index, strip, ground in zip(alone, strips, grounds, strict=True)
    }
    corners = [corner for read in open_ for corner in across_corners(read.quad)]
    signs = [index for index in alone if is_sign(models.indices, image, index.quad, corners)]
    heard |= {id(index): unsure(heard[id(index)]) for index in signs}
    return [heard.get(id(index), index) for index in indices]


def _on_white(image: Image, cards: Sequence[Read], indices: Sequence[IndexReading]) -> bool:
    """The deck's coloured indices stand on white, as these cards in full view show."""
    grounds = {ground_of(image, index.quad) for index in _own_indices(cards, indices)}
    return Ground.WHITE in grounds and grounds <= {Ground.WHITE, Ground.LITTLE}


def _own_indices(cards: Sequence[Read], indices: Sequence[IndexReading]) -> list[IndexReading]:
    """The believed coloured indices that say what these cards say on which they are."""
    return [
        index for index in indices
        if index.reading.card is not None and index.reading.card.colour is not None and is_believed(index)
        and any(read.reading.card == index.reading.card and belongs(index, read.quad) is not None for read in cards)
    ]  # fmt: skip


def _own(strip: Read, index: IndexReading, said: Sequence[Read]) -> Read:
    """What was read of the index's card; not its face where one of these, of that face, lies on it: that is its
    picture, and no second view."""
    on_it = (read for read in said if read.reading.card == strip.reading.card == index.reading.card)
    return replace(strip, reading=UNREAD) if any(overlap(read.quad, index.quad) > LAPPING for read in on_it) else strip


def _put_right(
    image: Image, models: Models, pairs: list[tuple[Found, Read]], indices: list[IndexReading]
) -> list[tuple[Found, Read]]:
    """The cards, those found askew read again where a certain index of theirs says that they lie, without pieces."""
    certain = [index for index in indices if index.reading.card is not None and is_believed(index)]
    pairs = without_pieces(pairs, certain)
    moved = askew([(i, read) for i, (_, read) in enumerate(pairs) if not _may_be_said(read, models)], certain)
    again = models.reader.read(image, [quad for _, quad in moved], refined=True)
    for (i, quad), read in zip(moved, again, strict=True):
        pairs[i] = put_right(pairs[i][0], read, quad)
    return pairs


def _is_foreign(found: Found, read: Read) -> bool:
    return found.visible >= IN_VIEW and read.face_probability < FOREIGN


def _distinct(pairs: list[tuple[Found, Read]]) -> list[tuple[Found, Read]]:
    """One of each card, the surer: refining can draw two finds to one card, or one card be found in two ways."""
    kept: list[tuple[Found, Read]] = []
    for pair in sorted(pairs, key=lambda p: -p[0].score * p[1].reading.confidence):
        if not any(_one_card(pair, other) for other in kept):
            kept.append(pair)
    return kept


def _one_card(one: tuple[Found, Read], other: tuple[Found, Read]) -> bool:
    return same_place(one[1].quad, other[1].quad) or _impossible(*one, *other)


def _impossible(found: Found, read: Read, other: Found, other_read: Read) -> bool:
    """Two cards that share more room than the more covered one is said to have lost."""
    shared = overlap(read.quad, other_read.quad)
    return shared > LOST + 1 - min(found.visible, other.visible)


def _tops(
    image: Image, pairs: list[tuple[Found, Read]], others: list[tuple[Found, Read]], indices: list[IndexReading]
) -> list[SeenCard]:
    """The cards of `pairs`; `others`, which are no faces, may lie on them. indices: those that were read for sure."""
    around = pairs + [other for other in others if not any(_one_card(other, pair) for pair in pairs)]
    signs = [_signs_of(read, indices) for _, read in around]
    odds, touching = [], []
    for i, (found, read) in enumerate(around):
        # Of a card known by its index alone only a corner is seen: it lies below.
        touch = GRAZE if found.visible >= ALL_SEEN else TOUCH
        rivals = [j for j, (f, r) in enumerate(around)
                  if j != i and f.visible != STRIP and overlap(read.quad, r.quad) > touch]  # fmt: skip
        chances = [above(image, read.quad, around[j][1].quad, signs[i], signs[j], (found.top, around[j][0].top))
                   for j in rivals]  # fmt: skip
        odds.append(open_odds(image, read.quad, chances, signs[i], found.top))
        touching.append(rivals)
    cards, tinted = [], bool(pairs) and is_coloured(_sampled(image)) and not is_in_white_light(image, indices)
    for (found, read), own, top in zip(pairs, signs, topmost(odds, touching), strict=False):  # the others are no faces
        quality = Quality.DARK if tinted else _quality(image, found, read, own)
        cards.append(SeenCard(read.reading, as_quad(read.quad), found.visible, top, quality))
    return cards


def _quality(image: Image, found: Found, read: Read, signs: Floats) -> Quality:
    """How well the card can be seen: not that it is too dark or too white where what is seen is sharp and an index of
    it says the same face, for then neither hid what it is. signs: see `_signs_of`."""
    if found.visible < WHOLE:
        return Quality.CLEAR
    clarity = clarity_of(rectify(image, read.quad))
    return Quality.CLEAR if len(signs) and clarity.is_sharp else clarity.quality


def _signs_of(read: Read, indices: list[IndexReading]) -> Floats:
    """Where indices of this card that say what it is were read, float32 (n, 2) pixels."""
    own = [x.centre for x in indices if x.reading.card == read.reading.card and belongs(x, read.quad) is not None]
    return np.array(own, np.float32).reshape(-1, 2)


def as_quad(quad: QuadArray) -> Quad:
    """An array of corners as plain numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
