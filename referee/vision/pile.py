"""A close look at the settled discard pile: what changed, which cards are there, and what they show."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.frame import Image
from referee.observations import UNREAD, CardReading, Quad
from referee.tracker.looks import CardLook, PileLook
from referee.tracker.pile import NOTHING_CARDS, RIVAL_EXPLAINS, TWO_CARDS, UNDER_CARDS
from referee.tracker.signs import (
    CERTAIN,
    ELSEWHERE,
    FRESH,
    OWN_OPEN,
    TWIN_EXPLAINS,
    UNDER_OPEN,
    is_doubtful,
    is_found_under,
    is_under,
    newness,
)
from referee.vision.calibration import Calibration, Floats
from referee.vision.hidden import (
    AS_IT_LAY,
    LEAST_HID,
    SLACK_PX,
    hides,
    is_cleared,
    is_empty,
    is_restored,
    is_unmoved,
    may_be_restored,
)
from referee.vision.light import Mask, difference, relit, soft_shadows
from referee.vision.nets import BEST_CARD_PX, Found, Models
from referee.vision.outline import Outline
from referee.vision.snap import is_off, snapped
from referee.vision.strip import likeness, read_again, read_strip
from referee.vision.twin import index_changed, inner, is_turned, stays
from referee.vision.warp import QuadArray, overlap, upright

PATCH_PX_PER_MM = 1.4
"""Scale of the top-down patch at most. Smaller: thin changes vanish; larger: every look costs more."""

MARGIN_MM = 18.0
"""Ground round the discard zone that the patch shows. Smaller: cards that stick out are cut; larger: costs time."""

DRAW_PILE_MM = 6.0
"""Ground round the draw zone in which nothing counts as a change of the discard pile. Smaller: a shifted draw pile is a
change; larger: cards that lie near the draw pile are missed."""

CHANGE = 20
"""Grey levels by which the patch must differ. Smaller: compression noise; larger: yellow on yellow."""

SHADOW_DARKEST = 0.45
"""Least share of light in a shadow on the pile."""

SHADOW_TOLERANCE = 16.0
"""Grey levels by which colours in a shadow may be off. Smaller: shadows are changes; larger: grey cards are shadows."""

RIM_MM = 1.4
"""Ground round a card that still belongs to it: its shadow and the error of its corners. Smaller: a shadow is a change
beside the card; larger: thin strips that tell a nudge from a twin are lost."""

LEAST_PART = 0.025
"""Share of a card that a part must have for its change to be told."""

LEAST_REST = 0.01
"""... of the remembered top card's coloured face. Smaller: its blurred edge; larger: strips that tell a twin are
lost."""

CANDIDATES = 3
"""Most cards that are read on one look. Fewer: the new card may be left out; more: costs time."""

LEAST_EXPLAINS = 0.12
"""Share of the change that a card must touch to be read at all."""

MAY_RIVAL = RIVAL_EXPLAINS - 0.1
"""Share of the change from which a card that was found under a plainly new one is read all the same: it may be the
right one. Smaller: costs time; larger: a card that was placed across two is asserted."""

NO_RIVAL_OPEN = UNDER_OPEN + 0.1
"""... unless so much of it lies open, as a share. Smaller: badly found corners count; larger: costs time."""

NEAR_MM = 20.0
"""Ground round the change that is searched for cards. Smaller: cards are found badly at its edge; larger: costs
time."""

NEAR_FROM_CARDS = 0.4
"""Change, in cards, from which only its surroundings are searched. Smaller: a card of which little shows (plain yellow
on plain yellow) is cut off; larger: costs time."""

NEAR_SURE = 0.97
"""Confidence below which all of the patch is searched after all. Smaller: cards found badly stay so; larger: costs
time."""

NEAR_STEP = 32
"""Steps of the size of what is searched, pixels of the finder's input: it works slower after each change of size.
Smaller: more such changes; larger: more than needed is searched."""

LEAST_FACE = 0.35
"""Probability of a face below which a card counts as unread."""

FIT_EXPLAINS = 0.8
"""Share of the change that a fitted card must explain."""

FIT_UNLESS = 0.88
"""... and that no found card may explain for one to be fitted. Smaller: a card of an odd design whose middle alone was
found is read by its middle; larger: costs time."""

MEAN_OF = 8
"""Frames that later looks are averaged over, against noise. Fewer: noise; more: a change of light is followed late."""

MEAN_OFF = 8.0
"""Mean difference of a frame from that average, grey levels, from which the average begins again. Smaller: noise spoils
the average; larger: two lights are mixed."""

MEAN_MARGIN_PX = 30
"""Ground round the cards that is averaged, pixels of the frame. Smaller: their corners cannot be put right; larger:
costs time."""


@dataclass(slots=True)
class Patch:
    """The discard zone from above and what the last look found there. quads: pixels of the full picture.

    strip: which card lies half hidden, and the card as its index suggests it, if that is to be seen.
    mean: float32 (height, width, 3), the part of the picture round those cards averaged over `looks` looks, or None.
    around: rows and columns of that part.
    """

    image: Image
    look: PileLook
    quads: tuple[QuadArray, ...]
    strip: tuple[int, QuadArray | None] | None = None
    mean: npt.NDArray[np.float32] | None = None
    around: tuple[slice, slice] = (slice(0), slice(0))
    looks: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """The discard zone from above, what changed there, and the cards that have to do with it, not yet read.

    reference: the discard zone as it was settled; None when there is nothing to compare with. change: area, in cards.
    top: the remembered top card, table millimetres; face: what it shows; beneath: the discard zone as it was before
    that card came, None where it has been moved since; bare: as it was when nothing lay there, None if never seen.
    """

    image: Image
    reference: Image | None
    mask: Mask
    change: float
    found: tuple[Found, ...]
    top: Quad | None
    face: Card | None
    beneath: Image | None = None
    bare: Image | None = None


class PileEye:
    """Looks at the discard pile through one calibration. px_per_mm: of its pictures from above, at most; None: what the
    calibration has. Pictures that are compared need the same."""

    def __init__(self, calibration: Calibration, models: Models, px_per_mm: float | None = None) -> None:
        x, y, w, h = calibration.discard_zone_mm
        self._calibration = calibration
        self._models = models
        self._scale = min(PATCH_PX_PER_MM, px_per_mm or calibration.px_per_mm())
        self._origin = (x - MARGIN_MM, y - MARGIN_MM)
        self._size = (round((w + 2 * MARGIN_MM) * self._scale), round((h + 2 * MARGIN_MM) * self._scale))
        s = self._scale
        to_table = np.array([[1 / s, 0, self._origin[0]], [0, 1 / s, self._origin[1]], [0, 0, 1.0]])
        self._to_image = calibration.table_to_image @ to_table
        self._card_px = (calibration.card_mm[0] * s, calibration.card_mm[1] * s)
        self._card_area = self._card_px[0] * self._card_px[1]
        self._rim = max(1, round(RIM_MM * s))
        self._where = self._counted()
        self._outline = Outline(self._card_px)

    def patch(self, image: Image) -> Image:
        """The discard zone from above, uint8 (height, width, 3), whatever lies or moves there."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        edge = cv2.BORDER_REPLICATE
        patch = cv2.warpPerspective(image, self._to_image, self._size, flags=flags, borderMode=edge)
        return np.asarray(patch, np.uint8)

    def changed(self, reference: Image | None, patch: Image) -> Mask:
        """Where the patch differs from the reference in more than light: uint8 (height, width), 255 or 0."""
        if reference is None:
            return self._where
        expected = relit(reference, patch)
        off = cv2.blur(difference(expected, patch, SLACK_PX), (3, 3))
        mask = np.asarray(cv2.threshold(off, CHANGE, 255, cv2.THRESH_BINARY)[1], np.uint8)
        if not mask.any():
            return mask
        mask = np.asarray(
            cv2.subtract(mask, soft_shadows(expected, patch, mask, SHADOW_DARKEST, SHADOW_TOLERANCE)), np.uint8
        )
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        return np.asarray(cv2.bitwise_and(mask, self._where), np.uint8)

    def change_cards(self, mask: Mask) -> float:
        """Area of a change, in cards."""
        return float(cv2.countNonZero(mask) / self._card_area)

    def find(
        self, image: Image, reference: Image | None, top: Quad | None, face: Card | None = None,
        beneath: Image | None = None, bare: Image | None = None,
    ) -> Finding:  # fmt: skip
        """Finds the cards that have to do with the change.

        top: the remembered top card, table millimetres; face: what it shows; beneath, bare: see `Finding`.
        """
        patch = self.patch(image)
        mask = self.changed(reference, patch)
        change = self.change_cards(mask)
        quiet = reference is not None and change < NOTHING_CARDS
        found = () if quiet else self._candidates(patch, mask, change, top, every=reference is None)
        return Finding(patch, reference, mask, change, found, top, face, beneath, bare)

    def read(self, image: Image, t: float, finding: Finding) -> Patch:
        """Reads the cards that were found, on the same picture or one that was taken just after it, at rest."""
        mask, top, change, is_first = finding.mask, finding.top, finding.change, finding.reference is None
        if not is_first and change < NOTHING_CARDS:
            return Patch(finding.image, PileLook(t, change), ())
        cards = self._read(image, finding.image, mask, finding.found, top)
        if not is_first and change >= NEAR_FROM_CARDS and _surest(cards) < NEAR_SURE:
            # What lies round the change helps to tell its corners from those of a card of the same colour beneath.
            found = self._candidates(finding.image, mask, change, top, whole=True)
            cards = max(cards, self._read(image, finding.image, mask, found, top), key=_surest)
        strip = None
        if not is_first:
            cards, under = self._with_hidden(image, finding, cards)
            unexplained = 0.15 < change < 1.7 and not any(c.explains >= FIT_UNLESS for c, _ in cards)
            if unexplained and not _are_two(cards, under):
                fitted = self._fitted(image, mask, top)
                cards, under = self._with_hidden(image, finding, cards + fitted) if fitted else (cards, under)
            if under is not None:
                card, quad, corner = under
                strip = (len(cards), corner)
                cards.append((card, quad))
        cards = [(self._as_twin(finding, card), quad) for card, quad in cards]
        told = tuple(card for card, _ in cards)
        cleared, bare = self._left(finding)
        look = PileLook(t, change, self._in_top(mask, top), told, cleared=cleared, bare=bare,
                        restored=self._is_restored(finding))  # fmt: skip
        if not cards:
            return Patch(finding.image, look, ())
        quads = tuple(quad for _, quad in cards)
        around = self._around(quads)
        return Patch(finding.image, look, quads, strip, image[around].astype(np.float32), around, 1)

    def again(self, image: Image, t: float, before: Patch, which: Collection[int]) -> Patch:
        """Reads the cards `which` (indices of the look before) once more."""
        cards = list(before.look.cards)
        chosen = [index for index in which if index < len(cards)]
        if not chosen:
            return replace(before, look=replace(before.look, t=t))
        mean, looks = self._mean(image, before)
        clean = image.copy()
        clean[before.around] = cv2.convertScaleAbs(mean)
        for index in chosen:
            cards[index] = replace(cards[index], reading=self._once_more(clean, before, index))
        return replace(before, look=replace(before.look, t=t, cards=tuple(cards)), mean=mean, looks=looks)

    def lies_beneath(self, patch: Image, beneath: Image, top: Quad) -> bool:
        """The discard zone looks as in `beneath` but for the card `top`, table millimetres, on it."""
        around = self._filled(self._patch_px(top).astype(np.float32), 2 * self._rim)
        return is_unmoved(self.changed(beneath, patch), around, self._card_area)

    # -----------------------------------------------------------------------------------------------------------

    def _once_more(self, image: Image, before: Patch, index: int) -> CardReading:
        if before.strip is not None and before.strip[0] == index:  # as a whole it would be read as what lies on it
            corner = before.strip[1]
            return UNREAD if corner is None else read_again(self._models.indices, image, corner)
        (read,) = self._models.reader.read(image, [before.quads[index]], refined=True)
        return read.reading if read.face_probability >= LEAST_FACE else UNREAD

    def _around(self, quads: tuple[QuadArray, ...]) -> tuple[slice, slice]:
        """Rows and columns of the picture round some cards."""
        corners = np.concatenate(quads)
        wide, high = self._calibration.image_size
        low = np.clip(np.floor(corners.min(0)) - MEAN_MARGIN_PX, 0, [wide - 1, high - 1]).astype(int)
        top = np.clip(np.ceil(corners.max(0)) + MEAN_MARGIN_PX, low + 1, [wide, high]).astype(int)
        return slice(int(low[1]), int(top[1])), slice(int(low[0]), int(top[0]))

    def _mean(self, image: Image, before: Patch) -> tuple[npt.NDArray[np.float32], int]:
        """The picture round the cards, averaged with the looks before while the light stays the same."""
        here = image[before.around]
        if before.mean is None or before.looks == 0:
            return here.astype(np.float32), 1
        off = cv2.absdiff(here, np.asarray(cv2.convertScaleAbs(before.mean), np.uint8))
        if float(off[::4, ::4].mean()) > MEAN_OFF:
            return here.astype(np.float32), 1
        looks = min(before.looks + 1, MEAN_OF)
        mean = before.mean.copy()
        cv2.accumulateWeighted(here, mean, 1.0 / looks)
        return mean, looks

    def _counted(self) -> Mask:
        """Where in the patch changes count: everywhere but at the draw pile."""
        where = np.full((self._size[1], self._size[0]), 255, np.uint8)
        x, y, w, h = self._calibration.draw_zone_mm
        low = self._patch_px(np.array([[x - DRAW_PILE_MM, y - DRAW_PILE_MM]]))[0]
        high = self._patch_px(np.array([[x + w + DRAW_PILE_MM, y + h + DRAW_PILE_MM]]))[0]
        cv2.rectangle(where, np.rint(low).astype(int).tolist(), np.rint(high).astype(int).tolist(), 0, cv2.FILLED)
        return where

    def _patch_px(self, points_mm: npt.ArrayLike) -> Floats:
        return (np.asarray(points_mm, np.float64) - self._origin) * self._scale

    def _full(self, quad: QuadArray) -> QuadArray:
        shaped = quad.reshape(-1, 1, 2).astype(np.float64)
        return cv2.perspectiveTransform(shaped, self._to_image).reshape(4, 2).astype(np.float32)

    def _table(self, quad_px: QuadArray) -> Quad:
        a, b, c, d = ((float(x), float(y)) for x, y in self._calibration.to_table(quad_px))
        return (a, b, c, d)

    def _candidates(
        self, patch: Image, mask: Mask, change: float, top: Quad | None, every: bool = False, whole: bool = False
    ) -> tuple[Found, ...]:
        """The cards that were found and touch the change or the old top card, those that explain most first.

        every: those that touch neither as well. whole: they are looked for in the whole patch.
        """
        old = None if top is None else self._patch_px(top).astype(np.float32)
        part = self._near(mask) if change >= NEAR_FROM_CARDS and not whole else None
        kept: list[tuple[float, Found]] = []
        for found in self._models.finder.find(patch, self._card_px[1], part):
            inside = self._inside(mask, found.quad)
            on_old = overlap(found.quad, old) if old is not None else 0.0
            if every or inside >= LEAST_EXPLAINS or on_old > 0.3:
                kept.append((inside + 0.3 * found.top + 0.2 * found.score, found))
        kept.sort(key=lambda pair: -pair[0])
        return tuple(found for _, found in kept[:CANDIDATES])

    def _near(self, mask: Mask) -> tuple[slice, slice]:
        """Rows and columns of the patch round the change."""
        margin = NEAR_MM * self._scale
        step = NEAR_STEP * self._card_px[1] / BEST_CARD_PX
        x, y, w, h = cv2.boundingRect(mask)
        rows, columns = (
            _span(begin - margin, length + 2 * margin, step, whole)
            for begin, length, whole in ((y, h, mask.shape[0]), (x, w, mask.shape[1]))
        )
        return rows, columns

    def _inside(self, mask: Mask, quad: QuadArray) -> float:
        """Share of the change that lies in the card. quad: pixels of the patch."""
        return cv2.countNonZero(cv2.bitwise_and(mask, self._filled(quad, self._rim))) / max(1, cv2.countNonZero(mask))

    def _read(
        self, image: Image, patch: Image, mask: Mask, found: tuple[Found, ...], top: Quad | None
    ) -> list[tuple[CardLook, QuadArray]]:
        cards: list[tuple[CardLook, QuadArray]] = []
        for one in found:
            if cards and self._is_plain(mask, cards[0][0]) and not self._may_rival(mask, one.quad, found[0].quad):
                continue  # mostly covered: it costs more to read than the new one, and nothing hangs on it
            (read,) = self._models.reader.read(image, [self._full(one.quad)], quick=True)
            reading = read.reading if read.face_probability >= LEAST_FACE else UNREAD
            quad = read.quad
            if any(overlap(quad, other) > 0.85 for _, other in cards):
                continue
            right = quad if cards else self._put_right(patch, quad, one.quad)  # of the others nothing exact is asked
            card = CardLook(reading, self._table(right), 0, 0, on_top=one.top)
            cards.append((self._measured(mask, top, card), quad))
        return cards

    def _is_plain(self, mask: Mask, card: CardLook) -> bool:
        """The card came, for sure, and nothing else did."""
        if card.reading.card is None or card.reading.confidence < CERTAIN or card.on_top <= 0.5:
            return False
        came = card.outside is not None and card.outside > ELSEWHERE and card.fresh >= FRESH
        return came and card.explains >= TWIN_EXPLAINS and (1 - card.explains) * self.change_cards(mask) < UNDER_CARDS

    def _may_rival(self, mask: Mask, quad: QuadArray, plain: QuadArray) -> bool:
        """The card may as well be the one that came, instead of the plainly new one. Both in pixels of the patch."""
        whole = self._filled(quad)
        open_ = cv2.countNonZero(cv2.subtract(whole, self._filled(plain, self._rim))) / max(1, cv2.countNonZero(whole))
        return open_ < NO_RIVAL_OPEN and self._inside(mask, quad) >= MAY_RIVAL

    def _put_right(self, patch: Image, quad: QuadArray, found: QuadArray) -> QuadArray:
        """The card `quad`, pixels of the picture, of the right size. found: as it was found, pixels of the patch."""
        here = upright(self._patch_px(self._calibration.to_table(quad)).astype(np.float32))
        if not is_off(here, self._card_px):
            return quad
        return self._full(snapped(patch, here, upright(found), self._card_px))

    def _measured(self, mask: Mask, top: Quad | None, card: CardLook) -> CardLook:
        """The card with what the change says about it."""
        here = self._patch_px(card.quad).astype(np.float32)
        whole, rim, core = self._filled(here), self._filled(here, self._rim), self._filled(here, -self._rim)
        total = max(1, cv2.countNonZero(mask))
        explains = cv2.countNonZero(cv2.bitwise_and(mask, rim)) / total
        area = max(1, cv2.countNonZero(whole))
        fresh = cv2.countNonZero(cv2.bitwise_and(mask, whole)) / area
        if top is None:
            return replace(card, explains=explains, fresh=fresh)
        at = self._patch_px(top).astype(np.float32)
        old_rim, old_core = self._filled(at, self._rim), self._filled(at, -self._rim)
        return replace(
            card,
            explains=explains,
            fresh=fresh,
            beneath=self._share(mask, cv2.subtract(old_core, rim)),
            outside=self._share(mask, cv2.subtract(core, old_rim)),
            covers=cv2.countNonZero(cv2.bitwise_and(whole, self._filled(at))) / area,
            rest=self._share(mask, cv2.subtract(self._filled(inner(at)), rim), LEAST_REST),
        )

    def _beside_newest(
        self, finding: Finding, cards: list[tuple[CardLook, QuadArray]]
    ) -> list[tuple[CardLook, QuadArray]]:
        """The cards with what changed of each beside the newest one."""
        newest = max(range(len(cards)), key=lambda i: newness(cards[i][0]))
        here = [self._patch_px(card.quad).astype(np.float32) for card, _ in cards]
        on_top = self._filled(here[newest], self._rim)
        beside = np.asarray(cv2.subtract(finding.mask, on_top), np.uint8)
        total = max(1, cv2.countNonZero(beside))
        out = []
        for i, (card, quad) in enumerate(cards):
            if i == newest:
                out.append((card, quad))
                continue
            part = np.asarray(cv2.subtract(self._filled(here[i], -self._rim), on_top), np.uint8)
            area = cv2.countNonZero(part)
            left = cv2.countNonZero(cv2.bitwise_and(beside, self._filled(here[i], self._rim))) / total
            fresh = cv2.countNonZero(cv2.bitwise_and(beside, part)) / max(1, area)
            still = self._stays(finding, cv2.max(on_top, self._filled(here[i], self._rim)))
            out.append((replace(card, open=area / self._card_area, aside=fresh, left=left, stays=still), quad))
        return out

    def _with_hidden(
        self, image: Image, finding: Finding, cards: list[tuple[CardLook, QuadArray]]
    ) -> tuple[list[tuple[CardLook, QuadArray]], tuple[CardLook, QuadArray, QuadArray | None] | None]:
        """The cards, measured beside the newest one, and the one that came under it: see `_half_hidden`."""
        beside = self._beside_newest(finding, cards) if len(cards) > 1 else cards
        return beside, self._half_hidden(image, finding, beside) if beside else None

    def _half_hidden(
        self, image: Image, finding: Finding, cards: list[tuple[CardLook, QuadArray]]
    ) -> tuple[CardLook, QuadArray, QuadArray | None] | None:
        """A card that came under the newest one, placed by what changed beside that; with the card that its index
        suggests, if one is to be seen. None where too little changed there, or a card that was found explains it."""
        newest = max((card for card, _ in cards), key=newness)
        if newest.reading.card is None:
            return None
        on_top = self._filled(self._patch_px(newest.quad).astype(np.float32), self._rim)
        beside = np.asarray(cv2.subtract(finding.mask, on_top), np.uint8)
        if cv2.countNonZero(beside) < UNDER_CARDS * self._card_area or any(
            is_under(card) and card.reading.confidence >= CERTAIN for card, _ in cards
        ):
            return None
        found = [self._patch_px(card.quad).astype(np.float32) for card, _ in cards if is_found_under(card)]
        here = self._outline.under(beside, on_top, found)
        open_ = np.asarray(cv2.subtract(self._filled(here, -self._rim), on_top), np.uint8)
        area = cv2.countNonZero(open_)
        full = self._full(here)
        hidden = self._full(self._patch_px(newest.quad).astype(np.float32))
        index = read_strip(self._models.indices, image, full, hidden)
        card = CardLook(UNREAD, self._table(full), 0, 0, fitted=True, peeks=True)
        card = replace(
            self._measured(finding.mask, finding.top, card),
            reading=UNREAD if index is None else index.reading,
            on_top=0.0,
            open=area / self._card_area,
            aside=cv2.countNonZero(cv2.bitwise_and(beside, open_)) / max(1, area),
            left=cv2.countNonZero(cv2.bitwise_and(beside, self._filled(here, self._rim))) / cv2.countNonZero(beside),
        )
        if finding.top is not None and finding.reference is not None:
            old = self._patch_px(finding.top).astype(np.float32)
            rest = cv2.subtract(cv2.subtract(self._filled(old, -self._rim), on_top), self._filled(here, self._rim))
            was = relit(finding.reference, finding.image)
            like = likeness(was, old, finding.image, here, on_top)
            still = self._stays(finding, cv2.max(on_top, self._filled(here, self._rim)))
            card = replace(card, vacated=self._share(finding.mask, rest), like_old=like, stays=still)
        return card, full, None if index is None else index.quad

    def _as_twin(self, finding: Finding, card: CardLook) -> CardLook:
        """A card with what tells, if it has a face that the pile held before, whether it is another one."""
        if finding.top is None or finding.reference is None or card.reading.card is None or card.fitted:
            return card
        old = self._patch_px(finding.top).astype(np.float32)
        here = self._patch_px(card.quad).astype(np.float32)
        if card.open == 0.0:  # else it was looked for beside the newest one
            card = replace(card, stays=self._stays(finding, self._filled(here, self._rim)))
        if card.reading.card != finding.face:
            return card
        before = relit(finding.reference, finding.image)
        known = not is_off(old, self._card_px)  # else nobody knows where its index is
        index = index_changed(before, old, finding.mask, self._filled(here, self._rim)) if known else None
        bare = self._bare(finding, old, here)
        return replace(card, turned=is_turned(before, old, finding.image, here), index=index, bare=bare)

    def _stays(self, finding: Finding, hidden: npt.NDArray[np.generic]) -> bool:
        """The remembered top card is seen to be there still beside what is `hidden` now."""
        if finding.top is None or finding.reference is None or finding.beneath is None:
            return False
        top = self._filled(self._patch_px(finding.top).astype(np.float32), self._rim)
        beside = np.asarray(cv2.subtract(top, np.asarray(hidden)), np.uint8)
        return stays(finding.reference, finding.beneath, finding.image, beside, self._card_area)

    def _bare(self, finding: Finding, old: QuadArray, here: QuadArray) -> float | None:
        """Of what the remembered top card hid, and a card with its face leaves open, the share that changed. old, here:
        the two, pixels of the patch."""
        if finding.beneath is None or finding.reference is None:
            return None
        strip = cv2.subtract(self._filled(old, -self._rim), self._filled(here, self._rim))
        hid = hides(finding.beneath, finding.reference)
        return self._share(finding.mask, cv2.bitwise_and(strip, hid), LEAST_HID)

    def _is_restored(self, finding: Finding) -> bool:
        """All lies as it lay before the remembered top card came."""
        if finding.beneath is None or not may_be_restored(finding.beneath, finding.image, finding.mask):
            return False
        differs = self.changed(finding.beneath, finding.image)
        return is_restored(differs, cv2.countNonZero(finding.mask), self._card_area)

    def _left(self, finding: Finding) -> tuple[bool, bool]:
        """Whether the remembered top card is all that is left where it lay, and whether nothing is."""
        if finding.bare is None or finding.reference is None or finding.top is None:
            return False, False
        top = self._patch_px(finding.top).astype(np.float32)
        stayed = (self._share(finding.mask, self._filled(top, -self._rim)) or 0.0) <= AS_IT_LAY
        if finding.found and not stayed:
            return False, False
        shows = self.changed(finding.bare, finding.image)
        if not stayed:
            return False, is_empty(shows, self._card_area)
        showed = self.changed(finding.bare, finding.reference)
        return is_cleared(showed, shows, self._filled(top, 2 * self._rim), self._card_area), False

    def _share(self, mask: Mask, part: npt.NDArray[np.generic], least: float = LEAST_PART) -> float | None:
        area = cv2.countNonZero(np.asarray(part))
        if area < least * self._card_area:
            return None
        return cv2.countNonZero(cv2.bitwise_and(mask, np.asarray(part))) / area

    def _in_top(self, mask: Mask, top: Quad | None) -> float:
        if top is None:
            return 0.0
        inside = self._filled(self._patch_px(top).astype(np.float32), self._rim)
        return cv2.countNonZero(cv2.bitwise_and(mask, inside)) / max(1, cv2.countNonZero(mask))

    def _filled(self, quad: npt.NDArray[np.float32], grow: int = 0) -> Mask:
        mask = np.zeros((self._size[1], self._size[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 255, shift=4)
        if grow:
            kernel = np.ones((2 * abs(grow) + 1, 2 * abs(grow) + 1), np.uint8)
            mask = np.asarray(cv2.dilate(mask, kernel) if grow > 0 else cv2.erode(mask, kernel), np.uint8)
        return mask

    def _fitted(self, image: Image, mask: Mask, top: Quad | None) -> list[tuple[CardLook, QuadArray]]:
        """A card-sized rectangle laid over the change, where the finder saw no card that explains it."""
        quad = self._full(self._outline.one(mask))
        read = self._models.reader.read(image, [quad], quick=True)[0]
        if read.face_probability < LEAST_FACE:
            card = self._measured(mask, top, CardLook(UNREAD, self._table(quad), 0, 0, fitted=True))
        else:
            quad = read.quad
            card = self._measured(mask, top, CardLook(read.reading, self._table(quad), 0, 0, fitted=True))
        return [(card, quad)] if card.explains >= FIT_EXPLAINS else []


def _are_two(
    cards: list[tuple[CardLook, QuadArray]], under: tuple[CardLook, QuadArray, QuadArray | None] | None
) -> bool:
    """The newest card, surely read, and one of another face under it together explain the change. What seems to be its
    like is as often the same card, whose corners were found wrong."""
    if under is None:
        return False
    newest = max((card for card, _ in cards), key=newness)
    if under[0].reading.card == newest.reading.card:
        return False
    explains = newest.explains + (1 - newest.explains) * under[0].left
    return not is_doubtful(newest) and is_under(under[0]) and explains >= TWO_CARDS and under[0].open >= OWN_OPEN


def _surest(cards: list[tuple[CardLook, QuadArray]]) -> float:
    """The confidence of the surest face."""
    return max((card.reading.confidence for card, _ in cards if card.reading.card is not None), default=0.0)


def _span(begin: float, length: float, step: float, whole: int) -> slice:
    """A part of `whole` pixels that holds those from `begin`, its length a multiple of `step`."""
    size = min(whole, round(np.ceil(length / step) * step))
    start = round(min(max(0.0, begin - (size - length) / 2), whole - size))
    return slice(start, start + size)
