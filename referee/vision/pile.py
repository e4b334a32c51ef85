"""A close look at the settled discard pile: what changed, which cards are there, and what they show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card, Colour
from referee.frame import Image
from referee.observations import UNREAD, CardReading, Quad
from referee.tracker.landing import RIVAL_EXPLAINS, UNDER_CARDS
from referee.tracker.looks import CardLook, PileLook
from referee.tracker.signs import CERTAIN, ELSEWHERE, FRESH, TWIN_EXPLAINS, UNDER_OPEN
from referee.tracker.verdict import PiledCard
from referee.vision.at_edge import without_arms
from referee.vision.by_index import placed
from referee.vision.card_size import Sizes
from referee.vision.evidence import Evidence, Finding, Measured
from referee.vision.face_up import as_face, came_open, is_uncovered
from referee.vision.from_above import FromAbove
from referee.vision.hidden import is_unmoved
from referee.vision.in_parts import Parts
from referee.vision.lamp import relit
from referee.vision.light import Mask
from referee.vision.nets import BEST_CARD_PX, Found, Models
from referee.vision.outline import Outline
from referee.vision.peeking import Peeking, are_two, came_under, newest_of, peeking, was_found_under
from referee.vision.same_light import may_be_instead, seen_unburnt
from referee.vision.snap import FAR_OFF, is_off, snapped
from referee.vision.strip import Strip, not_strange, read_strip, with_own_indices
from referee.vision.warp import GREY, QuadArray, overlap, upright

CANDIDATES = 3
"""Most cards that are read on one look. Fewer: the new card may be left out; more: costs time."""

LEAST_EXPLAINS = 0.12
"""Share of the change that a card must touch to be read at all."""

MAY_RIVAL = RIVAL_EXPLAINS - 0.1
"""Share of the change from which a card that was found under a plainly new one is read all the same: it may be the
right one. Smaller: costs time; larger: a card that was placed across two is asserted."""

NO_RIVAL_OPEN = UNDER_OPEN + 0.1
"""... unless so much of it lies open, as a share. Smaller: badly found corners count; larger: costs time."""

ON_OLD = 0.3
"""Overlap with the old top card from which a card that was found has to do with it. Smaller: costs time; larger: cards
on their like are missed, whose signs alone change."""

REACHED_OVER = 0.25
"""Changed share of a card up to which a hand merely reaches over it, or over what was taken for one, if it has not to
do with the old top card. Smaller: what rests there is a card; larger: cards of the table's colour are missed."""

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

REFIT_EXPLAINS = 0.95
"""Share of the change that a card must explain to take the place of one that was found with another shape than a
card's. Smaller: of two cards that came at once one is laid across both; larger: shadows beside the card count."""

REFIT_FRESH = 0.3
"""... and share of it that must have changed. Smaller: the signs alone of a card on its like place it; larger: cards
that are laid neatly on their like stay misshapen."""

MEAN_OF = 8
"""Frames that later looks are averaged over, against noise. Fewer: noise; more: a change of light is followed late."""

MEAN_OFF = 8.0
"""Mean difference of a frame from that average, grey levels, from which the average begins again. Smaller: noise spoils
the average; larger: two lights are mixed."""

MEAN_MARGIN = 0.25
"""Ground round the cards that is averaged, as a share of the longest side of one. Smaller: their corners cannot be put
right; larger: costs time."""


@dataclass(slots=True)
class Patch:
    """The discard zone from above and what the last look found there. quads: pixels of the full picture.

    strip: which card lies half hidden, and where it is read.
    mean: float32 (height, width, 3), the part of the picture round those cards averaged over `looks` looks, or None.
    around: rows and columns of that part. gone: pixels of what may have gone from under the top card: `Evidence.gone`.
    unburnt: colours that the light is seen to leave as they are.
    """

    image: Image
    look: PileLook
    quads: tuple[QuadArray, ...]
    strip: tuple[int, Strip] | None = None
    mean: npt.NDArray[np.float32] | None = None
    around: tuple[slice, slice] = (slice(0), slice(0))
    looks: int = 0
    gone: npt.NDArray[np.uint8] | None = None
    unburnt: frozenset[Colour] = frozenset()


class PileEye:
    """Looks at the discard pile, seen from above."""

    def __init__(self, above: FromAbove, models: Models) -> None:
        self._above = above
        self._models = models
        self._outline = Outline(above.card_px)
        self._sizes = Sizes()
        width, height = above.image_size
        self._clean = np.full((height, width, 3), GREY, np.uint8)  # here: new memory costs as much as a look
        self._shown = (slice(0), slice(0))

    def change(
        self, image: Image, reference: Image | None, top: Quad | None, face: Card | None = None,
        beneath: Image | None = None, bare: Image | None = None, guess: bool = False,
        pile: Sequence[PiledCard] = (), arms: Mask | None = None,
    ) -> Finding:  # fmt: skip
        """What has changed, no card found yet: the first of the four steps of a look, and unless that is quiet, `find`,
        `read` and `tell` follow.

        top: the remembered top card, table millimetres; face: what it shows; beneath, bare, guess, pile, arms: see
        `Finding`.
        """
        patch = self._above.patch(image)
        before = None if reference is None else relit(reference, patch)
        mask = self._above.changed(None, patch) if before is None else self._above.differs(before, patch)
        change = self._above.change_cards(mask)
        return Finding(patch, reference, before, mask, change, (), top, face, beneath, bare, guess, pile, arms)

    def find(self, finding: Finding) -> Finding:
        """Finds the cards that have to do with the change, which is from now on that of no arm."""
        found = self._candidates(finding, every=finding.reference is None)
        above = self._above
        old = [] if finding.top is None else [above.px(finding.top)]
        lie = old + [one.quad for one in found if self._may_be_new(finding.mask, one.quad, old)]
        if finding.reference is None or not lie:
            return replace(finding, found=found)
        cards = np.maximum.reduce([above.filled(quad, above.rim) for quad in lie])
        mask = without_arms(finding.mask, cards, above.card_area, finding.arms)
        return replace(finding, found=found, mask=mask, change=above.change_cards(mask))

    def read(self, image: Image, finding: Finding) -> Parts[list[Measured]]:
        """Reads the cards that were found, on the same picture or one that was taken just after it, at rest. Each run
        of a network is a part."""
        evidence = Evidence(self._above, finding)
        cards = yield from self._read(image, evidence, finding.found)
        if finding.reference is not None and finding.change >= NEAR_FROM_CARDS and _surest(cards) < NEAR_SURE:
            # What lies round the change helps to tell its corners from those of a card of the same colour beneath.
            found = self._candidates(finding, whole=True)
            yield
            cards = max(cards, (yield from self._read(image, evidence, found)), key=_surest)
        if finding.reference is not None and any(self._is_misshapen(*card) for card in cards):
            yield
            cards = self._refitted(image, evidence, cards)
        cards = yield from self._in_light(image, evidence, cards)
        cards = yield from self._with_indices(image, cards)
        return (yield from self._placed(image, evidence, cards))

    def kept(self, image: Image) -> Image:
        """The same picture until the next close look, in memory of this eye's own."""
        return self._showing((slice(0, image.shape[0]), slice(0, image.shape[1])), image)

    def tell(self, image: Image, t: float, finding: Finding, cards: list[Measured]) -> Patch:
        """The look: what the change says of the cards that were read. image: as for `read`, at `t` seconds."""
        if finding.quiet:
            return Patch(finding.image, PileLook(t, finding.change), ())
        evidence, change = Evidence(self._above, finding), finding.change
        strip = None
        if finding.reference is not None:
            cards, under = self._with_peeking(image, evidence, cards)
            unexplained = 0.15 < change < 1.7 and not any(c.explains >= FIT_UNLESS for c, _ in cards)
            if unexplained and not are_two(cards, under):
                fitted = self._outlined(image, evidence)
                if fitted and not was_found_under(fitted[0][0], cards):
                    cards, under = self._with_peeking(image, evidence, cards + fitted, (newest_of(cards), under))
            if under is not None:
                strip = (len(cards), under.strip)
                cards.append((under.card, under.strip.quad))
        cards = [(evidence.as_twin(card), quad) for card, quad in cards]
        told = tuple(card for card, _ in cards)
        cleared, bare = evidence.left()
        look = PileLook(t, change, evidence.in_top(), told, cleared=cleared, bare=bare,
                        restored=evidence.is_restored())  # fmt: skip
        gone = None if bare else evidence.gone(told, cleared)
        if not cards:
            return Patch(finding.image, look, (), gone=gone)
        quads = tuple(quad for _, quad in cards)
        around = _around(image, quads)
        unburnt = seen_unburnt(evidence, told)
        return Patch(finding.image, look, quads, strip, image[around].astype(np.float32), around, 1, gone, unburnt)

    def again(self, image: Image, t: float, before: Patch, which: Collection[int]) -> Patch:
        """Reads the cards `which` (indices of the look before) once more."""
        cards = list(before.look.cards)
        chosen = [index for index in which if index < len(cards)]
        if not chosen:
            return replace(before, look=replace(before.look, t=t))
        mean, looks = self._mean(image, before)
        clean = self._showing(before.around, np.asarray(cv2.convertScaleAbs(mean), np.uint8))
        quads = list(before.quads)
        for index in chosen:
            reading, quads[index] = self._once_more(clean, before, index)
            cards[index] = replace(cards[index], reading=reading)
        look = replace(before.look, t=t, cards=tuple(cards))
        return replace(before, look=look, quads=tuple(quads), mean=mean, looks=looks)

    def lies_beneath(self, patch: Image, beneath: Image, top: Quad) -> bool:
        """The discard zone looks as in `beneath` but for the card `top`, table millimetres, on it."""
        around = self._above.filled(self._above.px(top), 2 * self._above.rim)
        return is_unmoved(self._above.changed(beneath, patch), around, self._above.card_area)

    # -----------------------------------------------------------------------------------------------------------

    def _once_more(self, image: Image, before: Patch, index: int) -> tuple[CardReading, QuadArray]:
        """What the card shows, and where it was read, pixels of the picture."""
        quad = before.quads[index]
        if before.strip is not None and before.strip[0] == index:  # as a whole it would be read as what lies on it
            return read_strip(self._models, image, before.strip[1]), quad
        models = self._models.in_light(before.unburnt)
        # The next look sees it the other way up: two such are as good as one that sees it both ways, and cost half.
        seen = np.roll(quad, 2 * (before.looks % 2), 0)
        (read,) = models.reader.read(image, [seen], quick=True, refined=True)
        if not models.is_sure(read.reading):  # the corners of the look before may be a little off
            (read,) = models.reader.read(image, [quad])
            quad = read.quad
        if read.face_probability < LEAST_FACE:
            return UNREAD, quad
        card = before.look.cards[index]
        if not is_uncovered(card):
            return read.reading, quad
        heard = with_own_indices(models, image, quad, read.reading)
        if heard is read.reading and came_open(card):  # no index says more
            heard = as_face(read)
        return not_strange(models, image, quad, read, heard), quad

    def _showing(self, around: tuple[slice, slice], part: Image) -> Image:
        """The picture, of which only this part is to be seen: all of it would be dear to copy."""
        self._clean[self._shown] = GREY
        self._clean[around] = part
        self._shown = around
        return self._clean

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

    def _candidates(self, finding: Finding, every: bool = False, whole: bool = False) -> tuple[Found, ...]:
        """The cards that were found and touch the change or the old top card, those that explain most first.

        every: those that touch neither as well. whole: they are looked for in the whole patch.
        """
        mask, top = finding.mask, finding.top
        old = None if top is None else self._above.px(top)
        part = self._near(mask) if finding.change >= NEAR_FROM_CARDS and not whole else None
        kept: list[tuple[float, Found]] = []
        for found in self._models.pile_finder.find(finding.image, self._above.card_px[1], part):
            inside = self._above.inside(mask, found.quad)
            on_old = overlap(found.quad, old) if old is not None else 0.0
            if every or inside >= LEAST_EXPLAINS or on_old > ON_OLD:
                kept.append((inside + 0.3 * found.top + 0.2 * found.score, found))
        kept.sort(key=lambda pair: -pair[0])
        return tuple(found for _, found in kept[:CANDIDATES])

    def _may_be_new(self, mask: Mask, quad: QuadArray, old: Sequence[QuadArray]) -> bool:
        """The card changed, or lies on the old top card; else a hand merely reaches over it."""
        changed = self._above.share(mask, self._above.filled(quad)) or 0.0
        return changed >= REACHED_OVER or any(overlap(quad, other) > ON_OLD for other in old)

    def _near(self, mask: Mask) -> tuple[slice, slice] | None:
        """Rows and columns of the patch round the change; None where that is all of them."""
        margin = NEAR_MM * self._above.scale
        step = NEAR_STEP * self._above.card_px[1] / BEST_CARD_PX
        x, y, w, h = cv2.boundingRect(mask)
        rows, columns = (
            _span(begin - margin, length + 2 * margin, step, whole)
            for begin, length, whole in ((y, h, mask.shape[0]), (x, w, mask.shape[1]))
        )
        return None if (rows, columns) == (slice(0, mask.shape[0]), slice(0, mask.shape[1])) else (rows, columns)

    def _read(self, image: Image, evidence: Evidence, found: tuple[Found, ...]) -> Parts[list[Measured]]:
        mask, cards = evidence.finding.mask, list[Measured]()
        for one in found:
            if cards and self._is_plain(mask, cards[0][0]) and not self._may_rival(mask, one.quad, found[0].quad):
                continue  # mostly covered: it costs more to read than the new one, and nothing hangs on it
            read = yield from self._models.reader.reading(image, self._above.full(one.quad), quick=True)
            reading = read.reading if read.face_probability >= LEAST_FACE else UNREAD
            quad = read.quad
            if any(overlap(quad, other) > 0.85 for _, other in cards):
                continue
            if not cards and evidence.finding.reference is not None and reading.card is not None:
                self._learn_size(evidence.finding, quad)
            # Of the others nothing exact is asked.
            right = quad if cards else self._put_right(evidence.finding.image, quad, one.quad)
            card = CardLook(reading, self._above.table(right), 0, 0, on_top=one.top)
            cards.append((evidence.measured(card), quad))
        return cards

    def _learn_size(self, finding: Finding, quad: QuadArray) -> None:
        """Learns how large the cards are from the one that came. quad: where it was read, pixels of the picture."""
        above = self._above
        read = upright(above.px(above.table(quad)))
        size = self._sizes.add(finding.mask, read, above.card_px, bare=finding.top is None)
        if size is not None:
            above.card_px, above.card_area = size, size[0] * size[1]
            self._outline = Outline(size)

    def _in_light(self, image: Image, evidence: Evidence, cards: list[Measured]) -> Parts[list[Measured]]:
        """The cards, those read again that are yellow or blue, or burnt out, where others are seen not to be."""
        unburnt = seen_unburnt(evidence, [card for card, _ in cards])
        known = []
        for card, quad in cards:
            if unburnt & may_be_instead(card.reading):
                yield
                (read,) = self._models.reader.in_light(unburnt).read(image, [quad], refined=True)
                card = replace(card, reading=read.reading)
            known.append((card, quad))
        return known

    def _with_indices(self, image: Image, cards: list[Measured]) -> Parts[list[Measured]]:
        """The cards, the indices heard of those that lie open and are not read for sure."""
        heard = []
        for card, quad in cards:
            if card.on_top > 0.5 and card.reading.card is not None and not self._models.is_sure(card.reading):
                yield
                card = replace(card, reading=with_own_indices(self._models, image, quad, card.reading))
            heard.append((card, quad))
        return heard

    def _placed(self, image: Image, evidence: Evidence, cards: list[Measured]) -> Parts[list[Measured]]:
        """The cards, one that lies open and has not the shape of a card where its index says it lies, if it is
        doubtful or it is far from that shape; or if it has the face of the old top card and the index has it: the two,
        without borders, may have been found as one."""
        for k, (card, quad) in enumerate(cards):
            here = upright(self._above.px(card.quad))
            if card.on_top <= 0.5 or not is_off(here, self._above.card_px):
                continue
            sure = self._models.is_sure(card.reading) and not is_off(here, self._above.card_px, FAR_OFF)
            if sure and card.reading.card != evidence.finding.face:
                continue
            yield
            better = placed(image, evidence, (card, quad), self._models)
            if better is not None and (not sure or better[0].reading.card == card.reading.card):
                return [*cards[:k], better, *cards[k + 1 :]]
        return cards

    def _is_plain(self, mask: Mask, card: CardLook) -> bool:
        """The card came, for sure, and nothing else did."""
        if card.reading.card is None or card.reading.confidence < CERTAIN or card.on_top <= 0.5:
            return False
        came = card.outside is not None and card.outside > ELSEWHERE and card.fresh >= FRESH
        left = (1 - card.explains) * self._above.change_cards(mask)
        return came and card.explains >= TWIN_EXPLAINS and left < UNDER_CARDS

    def _may_rival(self, mask: Mask, quad: QuadArray, plain: QuadArray) -> bool:
        """The card may as well be the one that came, instead of the plainly new one. Both in pixels of the patch."""
        whole = self._above.filled(quad)
        shows = cv2.subtract(whole, self._above.filled(plain, self._above.rim))
        open_ = cv2.countNonZero(shows) / max(1, cv2.countNonZero(whole))
        return open_ < NO_RIVAL_OPEN and self._above.inside(mask, quad) >= MAY_RIVAL

    def _put_right(self, patch: Image, quad: QuadArray, found: QuadArray) -> QuadArray:
        """The card `quad`, pixels of the picture, of the right size. found: as it was found, pixels of the patch."""
        here = upright(self._above.px(self._above.table(quad)))
        if not is_off(here, self._above.card_px):
            return quad
        return self._above.full(snapped(patch, here, upright(found), self._above.card_px))

    def _is_misshapen(self, card: CardLook, quad: QuadArray) -> bool:
        """The card was read in another shape than a card's, and not as surely as most: one without a border may be
        found together with its like beneath it. quad: where it was read, pixels of the picture."""
        doubtful = card.reading.card is None or card.reading.confidence < NEAR_SURE
        here = upright(self._above.px(self._above.table(quad)))
        return doubtful and card.explains >= FIT_EXPLAINS and is_off(here, self._above.card_px)

    def _refitted(self, image: Image, evidence: Evidence, cards: list[Measured]) -> list[Measured]:
        """The cards, the misshapen one that explains most in the place where the change puts a card, if it is surer
        read there."""
        index = max(range(len(cards)), key=lambda k: (self._is_misshapen(*cards[k]), cards[k][0].explains))
        old = cards[index][0]
        better = [(replace(card, fitted=False, on_top=old.on_top), quad)
                  for card, quad in self._fitted(image, evidence, REFIT_EXPLAINS)
                  if card.fresh >= REFIT_FRESH and card.reading.confidence > old.reading.confidence]  # fmt: skip
        better = better or self._pushed(image, evidence, old)
        return [*cards[:index], *(better or [cards[index]]), *cards[index + 1 :]]

    def _pushed(self, image: Image, evidence: Evidence, card: CardLook) -> list[Measured]:
        """The remembered top card near where it lay, if it is surely read there and the misshapen card has its face:
        it was pushed, and found together with the card beneath it."""
        top, face = evidence.finding.top, evidence.finding.face
        if top is None or face is None or card.reading.card != face:
            return []
        lay = upright(self._above.px(top))
        here = self._above.full(snapped(evidence.finding.image, lay, lay, self._above.card_px))
        (read,) = self._models.reader.read(image, [here], quick=True)
        quad = self._above.table(read.quad)
        fits = not is_off(upright(self._above.px(quad)), self._above.card_px)
        if read.reading.card != face or not self._models.is_sure(read.reading) or not fits:
            return []
        return [(evidence.measured(CardLook(read.reading, quad, 0, 0, on_top=card.on_top)), read.quad)]

    def _with_peeking(
        self, image: Image, evidence: Evidence, cards: list[Measured],
        known: tuple[CardLook | None, Peeking | None] = (None, None),
    ) -> tuple[list[Measured], Peeking | None]:  # fmt: skip
        """The cards, measured beside the newest one, and the one that came under that. known: that one is known already
        of this card, should it be the newest."""
        beside = evidence.beside_newest(cards)
        newest = newest_of(beside)
        if newest is None or (newest is known[0] and not any(came_under(card, newest) for card, _ in beside)):
            return beside, known[1]
        return beside, peeking(image, evidence, beside, self._outline, self._models)

    def _outlined(self, image: Image, evidence: Evidence) -> list[Measured]:
        """A card-sized rectangle laid over the change; a doubtful one where its index says that the card lies."""
        fitted = self._fitted(image, evidence)
        if not fitted or self._models.is_sure(fitted[0][0].reading):
            return fitted
        better = placed(image, evidence, fitted[0], self._models)
        return fitted if better is None else [(replace(better[0], fitted=False), better[1])]

    def _fitted(self, image: Image, evidence: Evidence, least: float = FIT_EXPLAINS) -> list[Measured]:
        """A card-sized rectangle laid over the change, as far as it explains so much of it. `least`: a share."""
        outline = self._outline.one(evidence.finding.mask)
        quad = right = self._above.full(outline)
        read = self._models.reader.read(image, [quad], quick=True)[0]
        reading = UNREAD
        if read.face_probability >= LEAST_FACE:
            reading, quad = read.reading, read.quad
            right = self._put_right(evidence.finding.image, quad, outline)
        card = evidence.measured(CardLook(reading, self._above.table(right), 0, 0, fitted=True))
        return [(card, quad)] if card.explains >= least else []


def _around(image: Image, quads: tuple[QuadArray, ...]) -> tuple[slice, slice]:
    """Rows and columns of the picture round some cards."""
    corners = np.concatenate(quads)
    margin = MEAN_MARGIN * max(float(np.hypot(*(quad - np.roll(quad, 1, 0)).T).max()) for quad in quads)
    high, wide = image.shape[:2]
    low = np.clip(np.floor(corners.min(0) - margin), 0, [wide - 1, high - 1]).astype(int)
    top = np.clip(np.ceil(corners.max(0) + margin), low + 1, [wide, high]).astype(int)
    return slice(int(low[1]), int(top[1])), slice(int(low[0]), int(top[0]))


def _surest(cards: list[Measured]) -> float:
    """The confidence of the surest face."""
    return max((card.reading.confidence for card, _ in cards if card.reading.card is not None), default=0.0)


def _span(begin: float, length: float, step: float, whole: int) -> slice:
    """A part of `whole` pixels that holds those from `begin`, its length a multiple of `step`."""
    size = min(whole, round(np.ceil(length / step) * step))
    start = round(min(max(0.0, begin - (size - length) / 2), whole - size))
    return slice(start, start + size)
