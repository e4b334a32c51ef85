"""Whole cards and corner indices brought together: an index is that of a card found, or all there is to see of one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from referee.cards import Card, Colour
from referee.observations import CardReading
from referee.vision.belonging import (
    along,
    are_at_ends,
    are_beside,
    are_ends,
    belongs,
    is_on,
    is_outside,
    may_be_ends,
    owner,
    repeats,
    spanned,
)
from referee.vision.classes import ALTERNATIVE
from referee.vision.ground import Ground
from referee.vision.indices import IndexReading
from referee.vision.nets import RIVAL, Found, Read, agreed
from referee.vision.warp import QuadArray, overlap

LEAST_SCORE = 0.4
"""Least score for an index that is a card of its own. Smaller reports symbols of other things; larger drops cards that
should be shown more clearly."""

FAINT_SCORE, FAINT_CERTAIN = 0.35, 0.99
"""A fainter index is one, too, from this score on when it is read with this confidence. Smaller believes fingers on a
card and the corners of other games' cards; larger drops what shows between the cards of a pile."""

FAINTEST_SCORE = 0.25
"""The same in a hand that is shown where what else is seen of the card is a face's, of the index's colour, or says the
same face. Smaller: hardly any is there; larger: narrow strips and small cards are not seen."""

UNCOVERED = 0.5
"""From this `top` on, nothing lies on a card, so that an index in the middle of it is its symbol. Smaller drops cards
that lie on others; larger reports symbols as cards."""

SIZES = 1.5
"""Cards in one picture differ at most so much in height. Smaller loses cards held nearer; larger believes symbols."""

DECIDED = 0.95
"""A card read as a whole with this confidence is not doubted for its index, which is read worse, unless it is covered
and the index certain, or the index is certain and surer. Larger leaves clear cards unsure; smaller believes the middle
of a card that is half covered."""

WHOLE = 0.75
"""Visible share from which on a card is in full view: an index in its middle is part of its picture, as with
`UNCOVERED`, and its picture counts as much as its indices. Smaller: the symbols of covered cards mislead; larger: cards
that are no faces are taken for one by a sign in their corner."""

PARTLY = 0.9
"""Visible share from which on a card that was taken for no face stays one whatever its index says, and one that was
surely read is asked about where its index says another face. Smaller: cards under a hand are not read; larger: other
games' cards are."""

BELIEVED = 0.96
"""Confidence from which on an index may gainsay a card that was not read for sure. Smaller believes wrong corners of
cards at a slant; larger leaves cards with a hand over them unread."""

CERTAIN = 0.97
"""The same on video, where other looks follow."""

PICTURE = 0.5
"""What the picture of a card that was not read for sure counts for beside its indices, 1 as much. Larger: a symbol half
under a hand misleads; smaller: its colour is forgotten."""

UNLIKELY = 0.003
"""The least chance that one view leaves a face when views are weighed against each other. Smaller: one wrong view
silences all others; larger: none ever decides."""

UNSURE = 0.5
"""The confidence left to a reading that something speaks against, while it is heard together with others. Larger: two
such are said; smaller: what speaks for it, too, is not heard."""

LEFT = 0.88
"""The share of the square of its confidence that is told of such a reading in the end: about how often it is right
(`lost_faces.py`, `asked_about`). Larger comes near to being said; smaller hides how likely it is."""

SAME_PLACE = 0.5
"""Share of the smaller card from which on a card known by its index alone lies where one that was found does. Smaller:
cards beside an unread one are lost; larger: one card is reported twice."""

ALONE = 0.97
"""Confidence from which an index that is all there is to see of a card says its face: a wrong face is as bad as thirty
that are asked about. Smaller: pieces of signs are cards; larger: cards of a fan are asked about."""

ALONE_OF_COLOUR = 0.9
"""The same of a hand that is shown, where what else is seen of the card is a face's, of the index's colour: then it is
one of ours."""

SIGNS_PX = 75.0
"""Height of a card, pixels, from which its indices can be read: the least that they were trained on. Smaller: small
cards under a hand are asked about; larger: a piece of a card is said to be one."""

NO_STRIP = 0.05
"""Probability of a face below which what is seen of a card speaks against its index. Smaller: the corners of playing
cards in a fan are said; larger: narrow strips are asked about."""

LEAST_STRIP = 0.5
"""The same of a coloured index that stands on little of its colour. Smaller: playing cards of which a corner shows are
said, and an index that a finger cuts is a second card; larger: narrow strips and decks with a white ground are asked
about."""

STRIP_FACE = 0.9
"""Probability of a face from which what is seen of a card is one of ours. Smaller: the corners of playing cards are
said; larger: narrow strips are asked about."""

NEUTRAL, STRANGE = -3.0, 2.0
"""Log odds of no face of ours at which a view of a card speaks neither for ours nor for another game's; and what all
views of it must say beyond that, together, for it to be asked about. Smaller: cards of odd designs, in fans above all,
are asked about; larger: more cards of other editions are said."""

LAPPING = 0.2
"""Share of the smaller card from which on two cards of one face may be one card. Smaller asks about pairs that lie
apart; larger says one card twice."""

View = TypeVar("View", Read, IndexReading)

ACROSS = 0.3
"""Cosine between the long sides of two cards that lie across each other. Smaller believes signs that decks print along
the short sides; larger drops cards of wide fans."""

STRIP = 0.25
"""The visible share given to a card of which only an index was found."""


def with_indices(
    cards: Sequence[tuple[Found, Read]], indices: Sequence[IndexReading], sure: float
) -> list[tuple[Found, Read]]:
    """The cards with what their indices add, and then the cards that only an index shows.

    A card that was found and not read for sure speaks against no index: the finder may have put a card with a hand over
    it askew. An index that would be the second of its face in one place is not sure: it may be the first one's other
    corner. A sign that lies across a card in another corner of it is no index, and where a deck prints one that looks
    like some rank, no index of that rank alone is sure. No covered card is sure where no index is found, be it one that
    cannot be read: it may be a piece of a card. No card is sure that its views together hold to be another game's.
    sure: the least confidence of a reading that may be said without asking (`Tuning.sure`).
    """
    owned = _owned(indices, cards, sure)
    cards = [
        (found, read if i in owned or _needs_no_index(found) else unsure(read))
        for i, (found, read) in enumerate(cards)
    ]
    own: list[list[IndexReading]] = [[] for _ in cards]
    settled = [pair for pair in cards if _said(pair[1], sure)]
    signs = _signs_across(indices, [read for _, read in settled])
    looks_like = {one.reading.card.rank for one, its in signs if not its and one.reading.card is not None}
    alone: list[IndexReading] = []
    for index, of in zip(indices, owned, strict=True):
        if index.reading.card is None or any(index is sign for sign, _ in signs):
            continue
        if of is not None:
            own[of].append(index)
        elif may_be_alone(index) and not _doubted(index, settled):
            alone.append(unsure(index) if index.reading.card.rank in looks_like else index)
    whole = [(found, _heard(found, read, heard, sure)) for (found, read), heard in zip(cards, own, strict=True)]
    whole = _once(whole, indices, sure)
    for index in _one_each(alone):
        whole = _put(index, whole, indices, sure)
    places = [index for index in indices if not any(index is sign for sign, _ in signs)]
    return [(found, _left(unsure(read) if _is_strange(found, read, places) else read)) for found, read in whole]


def _owned(
    indices: Sequence[IndexReading], cards: Sequence[tuple[Found, Read]], sure: float
) -> list[int | None]:
    """Whose each index is. Two of one face at both ends of a card are its own, were it found askew. Of certain ones of
    two colours at a covered card that is not read for sure only the nearest is its own, for no card has two: the other
    is that of a card beside it in a fan."""
    owned = [owner(index, cards) for index in indices]
    for i, (found, read) in enumerate(cards):
        for k, one in enumerate(indices):
            for j, other in enumerate(indices[:k]):
                if owned[k] is None and owned[j] is None and are_at_ends(one, other, read.quad):
                    owned[k] = owned[j] = i
        if found.visible >= WHOLE or _said(read, sure):
            continue
        own = [k for k, of in enumerate(owned) if of == i and is_believed(indices[k])]
        own.sort(key=lambda k: belongs(indices[k], read.quad) or 0.0)
        for k in own[1:]:
            if _colour(indices[k]) is not _colour(indices[own[0]]):
                owned[k] = None
    return owned


def _colour(index: IndexReading) -> Colour | None:
    return None if index.reading.card is None else index.reading.card.colour


def _needs_no_index(found: Found) -> bool:
    """The card is said without an index of it: nothing lies on it, or it is small."""
    return found.visible >= WHOLE or found.height_px < SIGNS_PX


def may_be_alone(index: IndexReading) -> bool:
    """The index is clear enough to be a card of its own."""
    return index.reading.card is not None and _is_found(index)


def may_be_shown(index: IndexReading) -> bool:
    """The same in a hand that is shown, if the rest of the card bears it out (`with_strip`)."""
    return index.reading.card is not None and index.score >= FAINTEST_SCORE


def with_strip(index: IndexReading, strip: Read, ground: Ground, shown: bool, ours: bool = False) -> IndexReading:
    """An index that is all that was found of a card, with what is seen of the card, read as a whole: mostly the strip
    beside the index.

    Where that is no face's, the index is not believed: it may be another game's, the more so where it is a coloured
    sign on white, which a face of its colour must speak for, or cut by a finger; less so on its own colour or on
    black. Where both say the same face they count together. Where it is some face of the index's colour, a less sure
    index will do of a hand that is shown, or a fainter one, as where both say the same: in a pile other cards of that
    colour lie about the corner, and there what such an index says is wrong once in five times.

    shown: the cards are a hand that is shown. ours: and one of them, on which nothing lies, is surely of our deck: then
    what is seen of the others does not speak against a certain index of a colour.
    """
    reading, seen = index.reading, strip.reading.card
    coloured = reading.card is not None and reading.card.colour is not None
    doubtful = coloured and ground in (Ground.LITTLE, Ground.WHITE)
    certain = ours and coloured and index.score >= LEAST_SCORE and reading.confidence >= ALONE
    if strip.face_probability < (LEAST_STRIP if doubtful else NO_STRIP) and not certain:
        return unsure(index)
    if reading.card is None:
        return index
    faint = not _is_found(index)
    if faint and shown and (reading.card == seen or _of_its_colour(strip, reading.card)):
        index = replace(index, score=LEAST_SCORE)
    if coloured and ground is Ground.WHITE and not _of_its_colour(strip, reading.card) and not certain:
        return unsure(index)
    if reading.card == seen:
        return replace(index, reading=_weighed([_chances(strip), _chances(index)], [PICTURE, 1.0]))
    if shown and not faint and _of_its_colour(strip, reading.card) and ALONE_OF_COLOUR <= reading.confidence < ALONE:
        return replace(index, reading=replace(reading, confidence=ALONE))
    return index


def _of_its_colour(seen: Read, card: Card) -> bool:
    """What is seen is a face, of this card's colour."""
    colour = None if seen.reading.card is None else seen.reading.card.colour
    return colour is not None and colour is card.colour and seen.face_probability >= STRIP_FACE


def _said(read: Read, sure: float) -> bool:
    return read.reading.card is not None and read.reading.confidence >= sure


def unsure(read: View) -> View:
    """The reading, something speaks against. Its `doubted` keeps how surely it was read before anything did."""
    before = read.reading.confidence if read.doubted is None else read.doubted
    reading = replace(read.reading, confidence=min(read.reading.confidence, UNSURE))
    return replace(read, reading=reading, doubted=before)


def _left(read: Read) -> Read:
    """The reading as it is told: where something speaks against it and nothing for it since, the less sure the less
    surely it was read before, and its alternatives as much less likely."""
    if read.doubted is None or read.reading.confidence > UNSURE:
        return read
    share = LEFT * read.doubted
    others = tuple((card, chance * share) for card, chance in read.reading.alternatives)
    return replace(read, reading=CardReading(read.reading.card, read.doubted * share, others))


def _is_found(index: IndexReading) -> bool:
    faint = index.score >= FAINT_SCORE and index.reading.confidence >= FAINT_CERTAIN
    return faint or index.score >= LEAST_SCORE


def is_believed(index: IndexReading) -> bool:
    """The index in a photograph says what its card is, unless another view gainsays it."""
    return _is_found(index) and index.reading.confidence >= BELIEVED


def is_certain_index(index: IndexReading) -> bool:
    """The same of an index on video."""
    return _is_found(index) and index.reading.confidence >= CERTAIN


def _same_place(one: QuadArray, other: QuadArray) -> bool:
    return overlap(one, other) > SAME_PLACE


def _put(
    index: IndexReading, cards: Sequence[tuple[Found, Read]], indices: Sequence[IndexReading], sure: float
) -> list[tuple[Found, Read]]:
    """The cards with the one that this index shows, in the place of those under it that were not read for sure."""
    found, new = _card(index)
    kept = []
    for one, read in cards:
        if not is_on(index, read) or not _same_place(read.quad, new.quad) or _are_pair(read, new, indices):
            kept.append((one, read))
        elif not _said(read, sure):
            found = replace(found, visible=one.visible, top=max(found.top, one.top))
        elif read.reading.card == new.reading.card:
            return list(cards)
        else:
            kept.append((one, read))
    return [*kept, (found, unsure(new) if _doubles(new, kept, indices, sure) else new)]


def _once(
    cards: Sequence[tuple[Found, Read]], indices: Sequence[IndexReading], sure: float
) -> list[tuple[Found, Read]]:
    """Best score first; of those said to show one face in one place only the first is sure: a card may be found twice,
    and one of its indices be taken for that of the second."""
    kept: list[tuple[Found, Read]] = []
    for found, read in sorted(cards, key=lambda pair: -pair[0].score):
        same = (other for _, other in kept if _said(other, sure) and other.reading.card == read.reading.card)
        twice = any(_same_place(other.quad, read.quad) and not _are_pair(other, read, indices) for other in same)
        kept.append((found, unsure(read) if twice else read))
    return kept


def _doubles(
    new: Read, cards: Sequence[tuple[Found, Read]], indices: Sequence[IndexReading], sure: float
) -> bool:
    """The same face was said of a card that overlaps this one."""
    same = (read for _, read in cards if _said(read, sure) and read.reading.card == new.reading.card)
    return any(overlap(read.quad, new.quad) > LAPPING and not _are_pair(read, new, indices) for read in same)


def _are_pair(one: Read, other: Read, indices: Sequence[IndexReading]) -> bool:
    """Two cards of one face: a deck has two or more of all but the zeros. An index of each is sure and not the
    other card's, and the two cannot be those of one card: they stand side by side, as in a fan, or one lies outside the
    other card and they are not as far apart as that."""
    said = [x for x in indices if x.reading.card == one.reading.card and x.reading.confidence >= ALONE]
    a, b = (
        [x for x in said if belongs(x, own.quad) is not None and belongs(x, next_.quad) is None]
        for own, next_ in ((one, other), (other, one))
    )
    return any(
        are_beside(x, y)
        or ((is_outside(x, other.quad) or is_outside(y, one.quad)) and not may_be_ends(x, y))
        for x in a for y in b
    )  # fmt: skip


def _heard(found: Found, read: Read, own: Sequence[IndexReading], sure: float) -> Read:
    """The card with what its own indices say.

    An index that is certain, and that no other one of the card gainsays, is believed, also where the picture of a card
    with something on it is surely another face, and less so: half a 2 looks like a 3. But a card in full view that was
    taken for no face stays one, also with a sign in its corner: other games' cards and special wilds have such. Of a
    card in full view is not said what no single view is sure of: an odd design misleads them all alike. What is seen of
    a covered card tells its colour, and little of its rank: where that is theirs, or nothing is read, its indices
    together are at least as sure as without it.
    """
    reading, covered = read.reading, found.visible < WHOLE
    if _said(read, sure):
        for index in own:
            alike = reading.card == index.reading.card
            surer = is_believed(index) and reading.confidence < index.reading.confidence
            if surer and not alike and found.visible < PARTLY:
                picture = replace(read, reading=reading)
                reading = _weighed([_chances(picture), _chances(index)], [PICTURE, 1.0])
            elif alike or surer or reading.confidence < DECIDED or (covered and is_believed(index)):
                reading = agreed(reading, index.reading)
        merged = replace(read, reading=reading)
        return unsure(merged) if found.visible >= PARTLY and reading.card != read.reading.card else merged
    certain = _certain(own, sure)
    if certain is not None and (covered or reading.card is not None or _hides(found, certain)):
        return replace(read, reading=certain)
    if not own or (not covered and reading.card is None):
        return read
    views = [_chances(read), *(_chances(index) for index in own)]
    together = _weighed(views, [PICTURE] + [1.0] * len(own))
    told = _together(own)
    colours = {card.colour for card in (reading.card, told.card) if card is not None}
    if covered and len(colours) < 2:
        return replace(read, reading=max(together, told, key=lambda one: one.confidence))
    surest = max(view.get(together.card, 0.0) for view in views)
    return replace(read, reading=replace(together, confidence=min(together.confidence, surest)))


def _is_strange(found: Found, read: Read, indices: Sequence[IndexReading]) -> bool:
    """Another game's card, by its indices and, where hardly anything lies on it, its picture."""
    views = [index.strange for index in indices
             if index.score >= LEAST_SCORE and belongs(index, read.quad) is not None]  # fmt: skip
    if found.visible >= PARTLY:
        views.append(read.strange)
    return are_strange(views)


def are_strange(views: Iterable[float | None]) -> bool:
    """Views of one card say together that it is another game's: see `STRANGE`. views: see `classes.strangeness`. The
    sign of another edition differs from one of ours by little: each view that takes it for ours doubts it a little."""
    return sum(strange - NEUTRAL for strange in views if strange is not None) >= STRANGE


def _hides(found: Found, sign: CardReading) -> bool:
    """Something may lie on a card that was taken for no face, and its index is not that of a special wild."""
    return found.visible < PARTLY and sign.card is not None and sign.card.colour is not None


def _certain(own: Sequence[IndexReading], sure: float) -> CardReading | None:
    """What a card's own indices say when one is certain, and it stays sure with those that say something else: half
    under a finger, a +2 may be read as a 4."""
    best = max(filter(is_believed, own), key=lambda one: one.reading.confidence, default=None)
    if best is None:
        return None
    rivals = [
        one for one in own
        if one.reading.card != best.reading.card and one.reading.confidence >= RIVAL and _is_found(one)
    ]  # fmt: skip
    together = _together([best, *rivals])
    return together if together.card == best.reading.card and together.confidence >= sure else None


def _together(indices: Sequence[IndexReading]) -> CardReading:
    """What several indices of one card say."""
    if len(indices) == 1:
        return indices[0].reading
    return _weighed([_chances(index) for index in indices], [1.0] * len(indices))


def _weighed(views: Sequence[dict[Card | None, float]], weights: Sequence[float]) -> CardReading:
    """What several views of one card say together, each to the power of its weight, as if each saw it on its own."""
    logs: dict[Card | None, float] = {}
    for card in {card for view in views for card in view}:
        seen = (math.log(max(UNLIKELY, view.get(card, 0.0))) for view in views)
        logs[card] = sum(weight * log for weight, log in zip(weights, seen, strict=True))
    most = max(logs.values())
    chances = {card: math.exp(log - most) for card, log in logs.items()}
    total = sum(chances.values())
    (card, chance), *others = sorted(chances.items(), key=lambda item: -item[1])
    rest = tuple((other, p / total) for other, p in others if other is not None and p / total >= ALTERNATIVE)
    return CardReading(card, chance / total, rest[:4])


def _chances(view: Read | IndexReading) -> dict[Card | None, float]:
    """The chance of each face that this view names, and of none."""
    reading = view.reading
    return {**dict(reading.alternatives), reading.card: reading.confidence, None: 1 - view.face_probability}


def _signs_across(indices: Sequence[IndexReading], cards: Sequence[Read]) -> list[tuple[IndexReading, bool]]:
    """What was read as an index and lies across a card in another corner of it: of these cards, or of those that the
    indices suggest; and whether it is such a card's own face, which the deck prints in all four corners. Cards of a fan
    that lie across each other are too far apart for that."""
    places: list[Read | IndexReading] = [*cards, *(index for index in indices if index.score >= LEAST_SCORE)]
    signs = []
    for index in indices:
        if index.reading.card is None or index.reading.confidence < RIVAL:
            continue
        across = [one for one in places if abs(along(index.quad, one.quad)) < ACROSS and repeats(index, one.quad)]
        if across:
            signs.append((index, any(one.reading.card == index.reading.card for one in across)))
    return signs


def _doubted(index: IndexReading, cards: Sequence[tuple[Found, Read]]) -> bool:
    """What was found as a card speaks against this index being that of another card."""
    parts = any(_is_repeated(index, found, read) or _inside(index, found, read) for found, read in cards)
    return parts or _odd_size(index, cards)


def _is_repeated(index: IndexReading, found: Found, read: Read) -> bool:
    """The index is a sign in another corner of this card. On a covered card a certain one of another colour is not: no
    card has two."""
    if not repeats(index, read.quad):
        return False
    other = None if index.reading.card is None else index.reading.card.colour
    alike = other is None or read.reading.card is None or read.reading.card.colour is other
    return found.visible >= WHOLE or alike or not is_believed(index)


def _odd_size(index: IndexReading, cards: Sequence[tuple[Found, Read]]) -> bool:
    """There are whole cards, and none is about as large as this index says its card is."""
    height = float(np.hypot(*(index.quad[3] - index.quad[0])))
    return bool(cards) and not any(1 / SIZES < height / found.height_px < SIZES for found, _ in cards)


def _inside(index: IndexReading, found: Found, read: Read) -> bool:
    """The index lies in a card on which nothing or little lies: it is part of that card's picture."""
    if found.top < UNCOVERED and found.visible < WHOLE:
        return False
    return is_on(index, read)


def _one_each(indices: Sequence[IndexReading]) -> list[IndexReading]:
    """One of each card: both indices of a card may be in view. Best score first."""
    kept: list[IndexReading] = []
    for index in sorted(indices, key=lambda one: -one.score):
        for i, other in enumerate(kept):
            if are_ends(index, other):
                quad, _ = spanned(other.quad, index.quad)
                kept[i] = replace(other, quad=quad, reading=agreed(other.reading, index.reading))
                break
            if index.reading.card == other.reading.card and repeats(index, other.quad):
                break
        else:
            kept.append(index)
    return kept


def _card(index: IndexReading) -> tuple[Found, Read]:
    found = Found(index.quad, index.score, STRIP, 0.0)
    read = Read(index.reading, index.quad, index.face_probability, doubted=index.doubted)
    return found, read if read.reading.confidence >= ALONE else unsure(read)
