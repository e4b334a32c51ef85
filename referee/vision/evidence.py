"""What the change of the discard zone says of each card that was found there, and of what went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.frame import Image
from referee.observations import Quad
from referee.tracker.chances import probability
from referee.tracker.judge import LITTLE_CARDS, NOTHING_CARDS
from referee.tracker.looks import CardLook
from referee.tracker.signs import corners_off, newness
from referee.tracker.verdict import PiledCard
from referee.vision.from_above import FromAbove
from referee.vision.hidden import (
    AS_IT_LAY,
    SUNK_CARDS,
    is_cleared,
    is_empty,
    is_restored,
    may_be_restored,
    may_have_sunk,
    went_for_sure,
)
from referee.vision.lamp import relit
from referee.vision.light import Mask
from referee.vision.nets import Found
from referee.vision.snap import is_off
from referee.vision.twin import index_changed, inner, is_other_picture, is_turned, stays
from referee.vision.warp import QuadArray

LEAST_REST = 0.01
"""Area, in cards, that must show of the remembered top card's coloured face for its change to be told. Smaller: its
blurred edge; larger: strips that tell a twin are lost."""

Measured = tuple[CardLook, QuadArray]
"""A card of a look, and where it lies: pixels of the full picture."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The discard zone from above, what changed there, and the cards that have to do with it, not yet read.

    reference: the discard zone as it was settled; None when there is nothing to compare with. before: the same in the
    light of now. change: area, in cards. top: the remembered top card, table millimetres; face: what it shows, by a
    `guess` or surely; beneath: the discard zone as it was before that card came, None where it has been moved since;
    bare: as it was when nothing lay there, None if never seen; pile: the upper cards that it is known to hold; arms:
    255 where arms are seen, or were in the reference; brought: hands brought colours of the top card.
    """

    image: Image
    reference: Image | None
    before: Image | None
    mask: Mask
    change: float
    found: tuple[Found, ...]
    top: Quad | None
    face: Card | None
    beneath: Image | None = None
    bare: Image | None = None
    guess: bool = False
    pile: Sequence[PiledCard] = ()
    arms: Mask | None = None
    brought: bool = False

    @property
    def quiet(self) -> bool:
        """Nothing has changed since the pile was settled."""
        return self.reference is not None and self.change < (LITTLE_CARDS if self.brought else NOTHING_CARDS)


class Evidence:
    """What one finding says. above: the zone it is of."""

    def __init__(self, above: FromAbove, finding: Finding) -> None:
        self.above = above
        self.finding = finding

    @cached_property
    def _beneath(self) -> Image | None:
        """The discard zone as it was before the remembered top card came, in the light of now; None when that is not
        known."""
        beneath = self.finding.beneath
        return None if beneath is None else relit(beneath, self.finding.image)

    def measured(self, card: CardLook) -> CardLook:
        """The card with what the change says about it."""
        above, mask, top = self.above, self.finding.mask, self.finding.top
        here = above.px(card.quad)
        whole, rim, core = above.filled(here), above.filled(here, above.rim), above.filled(here, -above.rim)
        total = max(1, cv2.countNonZero(mask))
        explains = cv2.countNonZero(cv2.bitwise_and(mask, rim)) / total
        area = max(1, cv2.countNonZero(whole))
        fresh = cv2.countNonZero(cv2.bitwise_and(mask, whole)) / area
        if top is None:
            return replace(card, explains=explains, fresh=fresh)
        at = above.px(top)
        old_rim, old_core = above.filled(at, above.rim), above.filled(at, -above.rim)
        return replace(
            card,
            explains=explains,
            fresh=fresh,
            beneath=above.share(mask, cv2.subtract(old_core, rim)),
            outside=above.share(mask, cv2.subtract(core, old_rim)),
            covers=cv2.countNonZero(cv2.bitwise_and(whole, above.filled(at))) / area,
            rest=above.share(mask, cv2.subtract(above.filled(inner(at)), rim), LEAST_REST),
        )

    def beside_newest(self, cards: list[Measured]) -> list[Measured]:
        """The cards with what changed of each beside the newest one."""
        if len(cards) < 2:
            return cards
        above = self.above
        newest = max(range(len(cards)), key=lambda i: newness(cards[i][0]))
        here = [above.px(card.quad) for card, _ in cards]
        on_top = above.filled(here[newest], above.rim)
        beside = np.asarray(cv2.subtract(self.finding.mask, on_top), np.uint8)
        total = max(1, cv2.countNonZero(beside))
        out = []
        for i, (card, quad) in enumerate(cards):
            if i == newest:
                out.append((card, quad))
                continue
            around = above.filled(here[i], above.rim)
            part = np.asarray(cv2.subtract(above.filled(here[i], -above.rim), on_top), np.uint8)
            area = cv2.countNonZero(part)
            left = cv2.countNonZero(cv2.bitwise_and(beside, around)) / total
            fresh = cv2.countNonZero(cv2.bitwise_and(beside, part)) / max(1, area)
            still = self.stays(cv2.max(on_top, around))
            out.append((replace(card, open=area / above.card_area, aside=fresh, left=left, stays=still), quad))
        return out

    def as_twin(self, card: CardLook) -> CardLook:
        """A card with what tells, if it has a face that the pile held before, whether it is another one."""
        above, finding = self.above, self.finding
        if finding.top is None or card.reading.card is None or finding.before is None:
            return card
        if card.fitted and card.reading.card != finding.face:
            return card
        old, here = above.px(finding.top), above.px(card.quad)
        around = above.filled(here, above.rim)
        if card.open == 0.0:  # else it was looked for beside the newest one
            card = replace(card, stays=self.stays(around))
        if finding.guess and probability(card.reading, finding.face) > 0:
            card = replace(card, other=is_other_picture(finding.before, old, finding.image, here))
        if card.fitted or card.reading.card != finding.face:
            return card  # of one that was placed by the change nobody knows which way up it lies
        known = not is_off(old, above.card_px)  # else nobody knows where its index is
        index = index_changed(finding.before, old, finding.mask, around) if known else None
        turned = is_turned(finding.before, old, finding.image, here)
        return replace(card, turned=turned, index=index)

    def stays(self, hidden: npt.NDArray[np.generic]) -> bool:
        """The remembered top card is seen to be there still beside what is `hidden` now."""
        above, finding = self.above, self.finding
        if finding.top is None or finding.before is None:
            return False
        top = above.filled(above.px(finding.top), above.rim)
        beside = np.asarray(cv2.subtract(top, np.asarray(hidden)), np.uint8)
        if not beside.any() or self._beneath is None:
            return False
        return stays(finding.before, self._beneath, finding.image, beside, above.card_area)

    def in_top(self) -> float:
        """Share of the change that lies in the remembered top card."""
        above, mask, top = self.above, self.finding.mask, self.finding.top
        return 0.0 if top is None else above.inside(mask, above.px(top))

    def is_restored(self) -> bool:
        """All lies as it lay before the remembered top card came."""
        finding = self.finding
        if finding.beneath is None or not may_be_restored(finding.beneath, finding.image, finding.mask):
            return False
        assert self._beneath is not None
        differs = self.above.differs(self._beneath, finding.image)
        return is_restored(differs, cv2.countNonZero(finding.mask), self.above.card_area)

    def left(self) -> tuple[bool, bool]:
        """Whether the remembered top card is all that is left where it lay, and whether nothing is."""
        above, finding = self.above, self.finding
        if finding.bare is None or finding.reference is None or finding.top is None:
            return False, False
        top = above.px(finding.top)
        stayed = self._changed(top) <= AS_IT_LAY
        if finding.found and not stayed:
            return False, False
        shows = above.changed(finding.bare, finding.image)
        if not stayed:
            return False, is_empty(shows, above.card_area)
        showed = above.changed(finding.bare, finding.reference)
        return is_cleared(showed, shows, above.filled(top, 2 * above.rim), above.card_area), False

    def gone(self, cards: Sequence[CardLook], cleared: bool) -> npt.NDArray[np.uint8] | None:
        """Pixels of what showed beside the remembered top card, uint8 (n, 3) B, G, R, where that lies as it lay
        (`cleared`), or was found nearly there, and the bare table shows where they did: either hands took the pile from
        under it, so that it may lie lower, or they squared it up. None where not, and where the pile went for sure.
        cards: those that were read."""
        above, finding = self.above, self.finding
        if finding.bare is None or finding.reference is None or finding.top is None:
            return None
        top = above.px(finding.top)
        around = above.filled(top, 2 * above.rim)
        if not cleared:
            open_ = (card for card in cards if not card.fitted and card.on_top > 0.5)
            again = next((card.quad for card in open_ if finding.face and card.reading.card == finding.face), None)
            if again is None or not may_have_sunk(self._changed(top), corners_off(finding.top, again)):
                return None
            around = np.asarray(cv2.max(around, above.filled(above.px(again), 2 * above.rim)), np.uint8)
        showed = above.changed(finding.bare, finding.reference)
        if not cleared and not is_cleared(
            showed, above.changed(finding.bare, finding.image), around, above.card_area, SUNK_CARDS
        ):
            return None
        beside = cv2.subtract(showed, around) > 0
        if cleared and went_for_sure(self._changed(top), int(np.count_nonzero(beside)), above.card_area):
            return None
        return np.asarray(finding.reference[beside], np.uint8)

    def _changed(self, top: QuadArray) -> float:
        """Share of the remembered top card that has changed. top: its corners, pixels from above."""
        return self.above.share(self.finding.mask, self.above.filled(top, -self.above.rim)) or 0.0
