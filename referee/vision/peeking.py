"""A card that came under the newest one in the same visit and peeks out from under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from referee.frame import Image
from referee.observations import UNREAD
from referee.tracker.judge import NOTHING_CARDS
from referee.tracker.landing import TWO_CARDS, UNDER_CARDS
from referee.tracker.looks import CardLook
from referee.tracker.pile import Pile
from referee.tracker.signs import (
    ALL_EXPLAINS,
    CERTAIN,
    FRESH,
    OWN_OPEN,
    UNDER_ALL,
    UNDER_FRESH_READ,
    is_doubtful,
    is_found_under,
    is_seen_under,
    is_under,
    newness,
    old_stayed,
)
from referee.vision.by_index import (
    INDEX_CHANGED,
    by_both_indices,
    by_index,
    changed_share,
    has_come,
    is_new,
    read_before,
)
from referee.vision.evidence import Evidence, Measured
from referee.vision.indices import IndexReading
from referee.vision.light import Mask
from referee.vision.nets import Models
from referee.vision.outline import Outline
from referee.vision.snap import is_off
from referee.vision.strip import Strip, corners_of, find_indices, likeness, read_strip
from referee.vision.twin import indices_changed
from referee.vision.warp import QuadArray, upright

FAINT = 0.05
"""Score of the index finder from which there may be an index where something changed. Smaller: costs time; larger:
indices of cards without borders on cards of their colour go unseen."""

HALF_SURE = 0.97
"""Confidence of a card that was found half hidden from which its corner is not looked at. Smaller: a 6 that was taken
for a 5 in the next picture is asked about; larger: costs time."""


class Peeking(NamedTuple):
    """The card, and where it is read."""

    card: CardLook
    strip: Strip


def peeking(
    image: Image, evidence: Evidence, cards: list[Measured], outline: Outline, models: Models
) -> Peeking | None:
    """The card that came under the newest of `cards`, placed by what changed beside that. None where too little changed
    there, or a card that was found explains it. outline: of cards seen from above."""
    above = evidence.above
    newest = newest_of(cards)
    if newest is None or newest.reading.card is None:
        return None
    # Of the newest one's face it may be its like that lay there; and one that did may be hidden by what came.
    known = Pile(evidence.finding.pile)
    others = [card for card, _ in cards if card.reading.card != newest.reading.card and not known.was_seen_there(card)]
    found = [card for card in others if came_under(card, newest)]
    if any(card.reading.confidence >= HALF_SURE for card in found):
        return None
    beside = _Beside(image, evidence, outline, models, newest, above.px(newest.quad))
    changed = above.change_cards(beside.mask)
    told = None
    if changed >= UNDER_CARDS:
        told = beside.placed([above.px(card.quad) for card, _ in cards if is_found_under(card)])
    elif (renamed := _on_its_like(image, evidence, newest, beside.mask, models)) is not None:
        return renamed
    elif changed >= NOTHING_CARDS:
        told = max(beside.by_any_index(), key=_rank, default=None)
    if told is not None and _surely_came(told.card):
        return told
    if found:
        return None  # its corner does not tell more than the half of it that was found
    return _beside_true_size(image, evidence, outline, models, newest) or told


class _Beside:
    """What changed beside the newest card, `mask`, and the cards that may have come under that. quad: where it lies,
    pixels from above, as all quads here."""

    def __init__(
        self, image: Image, evidence: Evidence, outline: Outline, models: Models, newest: CardLook, quad: QuadArray
    ) -> None:
        above = evidence.above
        self._image, self._evidence, self._outline, self._models = image, evidence, outline, models
        self._coloured = newest.reading.card is not None and newest.reading.card.colour is not None
        self._hidden, self._on_top = above.full(quad), above.filled(quad, above.rim)
        self.mask = np.asarray(cv2.subtract(evidence.finding.mask, self._on_top), np.uint8)

    def placed(self, known: Sequence[QuadArray]) -> Peeking:
        """The card that what changed places, or an index of it, where that misleads. known: cards that may lie
        there."""
        here = self._outline.under(self.mask, self._on_top, known)
        found = find_indices(self._models.indices, self._image, self._evidence.above.full(here), self._hidden)
        best = self._read(here, self._measured(here), found)
        if not is_doubtful(best.card) and (best.card.left >= UNDER_ALL or is_under(best.card)):
            best = _with_index_told(self._image, self._evidence, best, self.mask, self._models)
            if _surely_came(best.card):
                return best
        # It does not hold all that changed, or shows no face, or lay there: a card of which an index came does, be it
        # laid on its like, or where the outline was laid over other cards.
        return max([best, *(self.by_indices(found) or self.by_any_index())], key=_rank)

    def by_any_index(self) -> list[Peeking]:
        """The cards of which indices came anywhere, be they hardly seen."""
        image, evidence, models, hidden = self._image, self._evidence, self._models, self._hidden
        return self.by_indices(_changed_indices(image, evidence, models, hidden, hidden, self.mask, self.mask))

    def by_indices(self, found: Sequence[IndexReading]) -> list[Peeking]:
        """The cards of which an index came, of those `found`."""
        told = []
        for index in found:
            shown = by_index(self._evidence, index)
            changed = changed_share(self._evidence, shown, self.mask)
            if changed < INDEX_CHANGED:
                continue
            before = read_before(self._evidence, shown, self._models)
            came, new = has_come(index, changed, before), is_new(index, changed, before)
            # What did not change there may push the outline off that index.
            for place in (self._outline.near(self.mask, self._on_top, shown), shown) if came or new else ():
                card = self._measured(place)
                tells = new and card.open >= OWN_OPEN and old_stayed(card)
                if not tells and (not came or card.left < UNDER_ALL):
                    continue
                one = self._read(place, card, found)
                if is_doubtful(one.card) or one.card.reading.card != index.reading.card:
                    continue
                if tells:
                    told.append(one._replace(card=replace(one.card, came=True)))
                    break
                if card.aside >= UNDER_FRESH_READ or is_seen_under(one.card):
                    told.append(one)
                    break
        return told

    def _measured(self, here: QuadArray) -> CardLook:
        return _measured(self._evidence, here, self._on_top, self.mask)

    def _read(self, here: QuadArray, card: CardLook, found: Sequence[IndexReading]) -> Peeking:
        full = self._evidence.above.full(here)
        pictured = self._coloured and is_under(card)
        strip = Strip(full, corners_of(full, self._hidden, found), pictured)
        return Peeking(replace(card, reading=read_strip(self._models, self._image, strip)), strip)


def _beside_true_size(
    image: Image, evidence: Evidence, outline: Outline, models: Models, newest: CardLook
) -> Peeking | None:
    """The card of which an index came where the newest one was found larger than a card is: of two of one colour that
    have no borders, as if they were one. The newest lies where both its indices say."""
    above, quad = evidence.above, evidence.above.px(newest.quad)
    if not is_off(upright(quad), above.card_px):
        return None
    mask = evidence.finding.mask
    around = np.asarray(cv2.max(mask, above.filled(quad)), np.uint8)
    found = _changed_indices(image, evidence, models, above.full(quad), None, mask, around)
    own = [index for index in found if index.reading.card == newest.reading.card]
    here = by_both_indices(image, evidence, own, models)
    if here is None:
        return None
    others = [index for index in found if index.reading.card != newest.reading.card]
    told = _Beside(image, evidence, outline, models, newest, here).by_indices(others)
    return max((one for one in told if one.card.came), key=_rank, default=None)


def _changed_indices(
    image: Image, evidence: Evidence, models: Models, quad: QuadArray, hidden: QuadArray | None, mask: Mask,
    around: Mask,
) -> list[IndexReading]:  # fmt: skip
    """The indices, be they hardly seen, where the mask says that something changed, outside `hidden`. quad: a card that
    lies there; both in pixels of the picture. around: where they are sought."""
    above = evidence.above

    def changed(place: QuadArray) -> bool:
        return changed_share(evidence, above.px(above.table(place)), mask) >= INDEX_CHANGED

    return find_indices(models.indices, image, quad, hidden, above.full(_box(around)), FAINT, changed)


def _surely_came(card: CardLook) -> bool:
    """The card is surely read and came under the newest one."""
    return not is_doubtful(card) and (card.came or is_under(card) or is_seen_under(card))


def _rank(one: Peeking) -> tuple[bool, bool, float]:
    """Orders cards that may have come under the newest one."""
    return one.card.came, not is_doubtful(one.card), one.card.left


def _with_index_told(image: Image, evidence: Evidence, one: Peeking, beside: Mask, models: Models) -> Peeking:
    """The card, and whether its index came, where what changed `beside` the newest card does not tell that it did."""
    if is_doubtful(one.card) or is_under(one.card) or is_seen_under(one.card):
        return one
    for corner in one.strip.corners:
        for placing in corner.placings:
            index = models.indices.read(image, placing, 1.0, True, corner.shape)
            if index.reading.card != one.card.reading.card:
                continue
            shown = by_index(evidence, index)
            if has_come(index, changed_share(evidence, shown, beside), read_before(evidence, shown, models)):
                return one._replace(card=replace(one.card, came=True))
    return one


def _on_its_like(image: Image, evidence: Evidence, newest: CardLook, beside: Mask, models: Models) -> Peeking | None:
    """The card that was laid on the remembered top card, whose colour it has, so exactly that of what changed `beside`
    the newest one only an index tells: it surely showed that card's face, and surely shows another one."""
    above, finding = evidence.above, evidence.finding
    if finding.top is None or finding.before is None or finding.face is None:
        return None
    old, on_top = above.px(finding.top), above.filled(above.px(newest.quad), above.rim)
    if is_off(old, above.card_px):  # nobody knows where its index is
        return None
    hidden = above.full(above.px(newest.quad))
    for quad, share in indices_changed(finding.before, old, beside, on_top):
        if share < INDEX_CHANGED:
            continue
        was = models.indices.read(finding.before, quad, 1.0).reading
        if was.card != finding.face or was.confidence < CERTAIN:
            continue
        full = above.full(quad)
        strip = Strip(full, corners_of(full, hidden, ()))
        card = replace(_measured(evidence, quad, on_top, beside), reading=read_strip(models, image, strip))
        if not is_doubtful(card) and card.reading.card != finding.face:
            return Peeking(replace(card, renamed=True), strip)
    return None


def _measured(evidence: Evidence, here: QuadArray, on_top: Mask, beside: Mask) -> CardLook:
    """A card that peeks out from under `on_top` at `here`, pixels from above, with what changed `beside` that."""
    above, finding = evidence.above, evidence.finding
    open_ = np.asarray(cv2.subtract(above.filled(here, -above.rim), on_top), np.uint8)
    area = cv2.countNonZero(open_)
    around = above.filled(here, above.rim)
    card = replace(
        evidence.measured(CardLook(UNREAD, above.table(above.full(here)), 0, 0, fitted=True, peeks=True)),
        on_top=0.0,
        open=area / above.card_area,
        aside=cv2.countNonZero(cv2.bitwise_and(beside, open_)) / max(1, area),
        left=cv2.countNonZero(cv2.bitwise_and(beside, around)) / max(1, cv2.countNonZero(beside)),
    )
    if finding.top is None or finding.before is None:
        return card
    old = above.px(finding.top)
    rest = cv2.subtract(cv2.subtract(above.filled(old, -above.rim), on_top), around)
    return replace(
        card,
        vacated=above.share(finding.mask, rest),
        like_old=likeness(finding.before, old, finding.image, here, on_top),
        stays=evidence.stays(cv2.max(on_top, around)),
    )


def _box(mask: Mask) -> QuadArray:
    """The corners of what the mask holds."""
    x, y, w, h = cv2.boundingRect(mask)
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def newest_of(cards: list[Measured]) -> CardLook | None:
    """The card that came last, by what the look says of each."""
    return max((card for card, _ in cards), key=newness, default=None)


def are_two(cards: list[Measured], under: Peeking | None) -> bool:
    """The newest card, surely read, and one of another face under it together explain the change. What seems to be its
    like is as often the same card, whose corners were found wrong."""
    if under is None:
        return False
    newest = newest_of(cards)
    if newest is None or under.card.reading.card == newest.reading.card:
        return False
    if under.card.explains >= ALL_EXPLAINS and under.card.open >= OWN_OPEN:
        return False  # nothing came beside it: the other one lay there
    explains = newest.explains + (1 - newest.explains) * under.card.left
    return not is_doubtful(newest) and is_under(under.card) and explains >= TWO_CARDS and under.card.open >= OWN_OPEN


def was_found_under(card: CardLook, cards: list[Measured]) -> bool:
    """The card, placed by the outline of the change, is one of two that were found, surely read, and explain the change
    together, the one that lies under the other; or it is doubtful: the outline is that of both."""
    sure = [c for c, _ in cards if not is_doubtful(c) and not c.fitted and c.fresh >= FRESH]
    return any(
        lower.on_top < 0.5 < upper.on_top
        and lower.explains + upper.explains >= TWO_CARDS
        and upper.reading.card != lower.reading.card
        and (is_doubtful(card) or card.reading.card == lower.reading.card)
        for lower in sure
        for upper in sure
    )


def came_under(card: CardLook, newest: CardLook) -> bool:
    """The card came under the newest one, for sure. What has that one's face and hardly peeks out is that one, placed a
    little beside itself."""
    again = card.reading.card == newest.reading.card and card.open < OWN_OPEN
    return is_under(card) and not is_doubtful(card) and not again
