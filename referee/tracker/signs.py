"""What one card of a look at the pile tells: whether it came, lies under another, or is the old top card's twin."""

from __future__ import annotations

import math

from referee.cards import Card
from referee.observations import Point, Quad
from referee.tracker.looks import CardLook

EXPLAINS = 0.72
"""Share of the change that one new card must explain. Smaller: nudges pass for landings; larger: a landing that
shifts the pile a little is not believed."""

FRESH = 0.25
"""Share of a card that must have changed for it to be new. Smaller: covered cards pass for new ones; larger: yellow
on yellow is missed."""

FRESH_AT_LEAST = 0.1
"""... of a card of the old one's colour, laid so that the old one still shows unchanged: less of it changes."""

LITTLE_EXPLAINS = 0.85
"""... and share of the change that it must explain. Smaller: the old one, pushed and misread, lands; larger: such a
card that shifts the pile a little is missed."""

LAY_STILL = 0.03
"""Share of a card's part beside the old top card up to which it lay there before. Smaller: noise; larger: cards on
their like are missed."""

FRESH_UNREAD = 0.6
"""... of a card that cannot be read. Smaller: shadows count as cards; larger: unread landings are missed."""

FRESH_UNREAD_ON = 0.35
"""... where the old top card is seen to lie beneath it as it lay. Smaller and larger: as above."""

FRESH_UNREAD_PLAINLY = 0.2
"""... and the card lies plainly on that one. Smaller and larger: as above."""

PLAINLY_OPEN, PLAINLY_ALL = 0.85, 0.99
"""Belief that nothing lies on a card, and share of the change that it explains, from which it plainly does. Smaller:
hands and shadows are cards; larger: cards that nobody can read, on their like, are missed."""

CERTAIN = 0.9
"""Confidence of a face from which little change is enough for a new card. Smaller: a shadow on a badly read card is a
landing; larger: plain yellow on plain yellow is missed."""

SPREAD = 0.8
"""Share of a card that lies where the old top card lay below which it is not the one that lay under that. Smaller:
unread landings are removals; larger: removals that bare an unread card are landings."""

ELSEWHERE = 0.5
"""Share of a card's part beside the old top card that must have changed for the card to have come from elsewhere.
Smaller: shadows; larger: cards on their like are missed."""

STAYED = 0.22
"""Share of the open part of the old top card up to which it stayed where it was. Smaller: shadows of the new card
count as movement; larger: a nudge counts as a landing of the same face."""

STRIP_STAYED = 0.16
"""... where less than `TWIN_APART` of the card lies beside the old one's place. Smaller and larger: as above."""

INDEX_STAYED = 0.1
"""Share of an index of the old top card up to which it is still to be seen. Smaller: shadows; larger: a 3 is an 8."""

IN_PLACE = 0.85
"""Share of a card that must lie where the old top card lay for it to have been laid exactly there. Smaller: a badly
seen landing beside it counts; larger: hands are not that exact, and the landing is missed."""

CORNERS_OFF = 0.05
"""Share of a card beside the old top card's place that wrong corners explain. Smaller: what they leave open of a pushed
card makes a twin of it; larger: twins laid almost on each other are missed."""

BESIDE = 0.12
"""Share of a card that must lie beside the old top card before what changed or stayed there tells anything: wider than
the white border, which a white table hides. Smaller: nudges are twins; larger: twins are nudges."""

TWIN_EXPLAINS = 0.94
"""Share of the change that a card with the old top card's face must explain to be its twin where little of the old
one shows. Smaller: nudges count as landings; larger: twins are taken for nudges."""

TWIN_APART = 0.3
"""Share of such a card that must lie beside the old top card's place: people lay cards less exactly than they nudge
them. Smaller: a nudge on a squared pile is a landing; larger: a twin is missed."""

SAME_PLACE_MM = 14.0
"""Mean distance of corners up to which a card lies where it was last seen. Smaller: the error of corners; larger: a
new card with a face that was seen below counts as that card."""

UNDER_OPEN = 0.07
"""Share of a card under the newest one that must show. Smaller: its edge, where corners are off, counts as a second
card; larger: two cards laid almost on each other count as one."""

INDEX_OPEN = 0.05
"""... where its index came: a corner with an index is a twentieth of a card. Smaller: a part of an index is another
one; larger: a card of which only that peeks out is missed."""

OWN_OPEN = 0.15
"""... for it to have come with the newest card's own face. Smaller: the newest card's edge, where its corners are off,
counts as a second one; larger: one of two like cards is missed."""

UNDER_FRESH = 0.6
"""Share of that part that must have changed. Smaller: pushed cards count; larger: cards on their like are missed."""

UNDER_FRESH_READ = 0.4
"""... where its corner was read with certainty. Smaller: corners of cards that lay there count; larger: cards on their
like are missed."""

UNDER_FRESH_ALL = 0.35
"""... where it explains all of the change beside the newest card, and `OWN_OPEN` of it shows, or its index came.
Smaller: shadows beside a card count; larger: cards whose white lies on their like's white are missed."""

UNDER_FRESH_NEW = 0.2
"""... and its corner was surely read and shows a face that the pile had not. Smaller: a misread corner that a shadow
touches lands; larger: a yellow card on a yellow one is missed."""

UNDER_ALL = 0.9
"""Share of that change which is all of it. Smaller: as above; larger: noise beside them hides such cards."""

UNDER_LEFT = 0.65
"""Share of the change beside the newest card that such a card must explain. Smaller: a pushed pile counts as a card;
larger: a second card is missed when the pile was pushed, too."""

UNDER_LEFT_READ = 0.5
"""... where its corner was read with certainty and the old top card lies as it lay: nothing was pushed. Smaller:
corners that a shadow touches land; larger: a card of which a corner peeks out is missed."""

LIKE_OLD = 0.75
"""Share of what is open of a card under the newest one that shows what the old top card showed, from which it is that
card, pushed aside. Smaller: cards of one colour are taken for each other, and one is missed; larger: a pushed card
lands."""

UNTOUCHED = 0.1
"""Share of a card, or of what changed, up to which the card lies as it lay. Smaller: noise, and an arm that rests
beside the pile moves it; larger: a shifted card."""

NEW = 0.5
"""Share of a card that must have changed for it to count as new where nothing else is known. Smaller: cards that lay
there; larger: cards on their like are not asked about."""

COVERED, COVERED_EXPLAINS = 0.1, 0.95
"""Belief that nothing lies on a card, and share of the change that it explains, below which it lies under a hand; below
the first alone, if its face is doubtful.
Larger: cards that were laid over others' edges are told late; smaller: cards that a hand holds over the pile land."""

ALL_EXPLAINS = 0.98
"""Share of the change that is all of it, of a card found twice. Smaller: a second card under the newest is that one;
larger: one card lands as two."""


def is_under(card: CardLook) -> bool:
    """The card may have come under the newest one: it explains what changed beside that."""
    if card.reading.card is None and not card.peeks:
        return False
    sure, unpushed = not is_doubtful(card), old_stayed(card)
    if card.left >= UNDER_ALL and (card.open >= OWN_OPEN or (sure and card.came)):
        fresh = UNDER_FRESH_ALL
    else:
        fresh = UNDER_FRESH_READ if sure or (card.left >= UNDER_ALL and unpushed) else UNDER_FRESH
    left = UNDER_LEFT_READ if sure and unpushed else UNDER_LEFT
    shows = card.open >= (INDEX_OPEN if sure and card.came else UNDER_OPEN)
    return shows and card.aside >= fresh and card.left >= left


def is_seen_under(card: CardLook) -> bool:
    """What changed beside the newest card lies on this one, which peeks out from under that. Its index came; or the old
    top card lies as it lay, or exactly beneath this one, and enough changed. If it was surely read, and the pile had no
    such face, it came."""
    if card.open < OWN_OPEN or card.left < UNDER_ALL:
        return False
    unpushed = old_stayed(card) or card.covers >= IN_PLACE
    return card.came or (unpushed and card.aside >= UNDER_FRESH_NEW)


def index_came(card: CardLook) -> bool:
    """Its index, surely read, stands where none or another face's did, and the old top card lies as it lay, so that
    nothing was pushed: it came, however little else changed beside the newest card."""
    return card.came and card.open >= OWN_OPEN and old_stayed(card)


def tells_itself(card: CardLook, little: bool) -> bool:
    """The card, if the pile had no such face, came under the newest one. little: hardly anything changed beside that:
    its index, on its like."""
    return is_seen_under(card) or card.renamed or (little and is_under(card) and old_stayed(card))


def is_covered(card: CardLook) -> bool:
    """The newest card was found with something on it, which is all that it does not explain of the change, or hides
    its face: a hand."""
    hides = card.explains < COVERED_EXPLAINS or is_doubtful(card)
    return not card.fitted and card.on_top < COVERED and hides


def may_be_new(card: CardLook) -> bool:
    """It has a face, and much of it has changed."""
    return card.reading.card is not None and card.fresh > NEW


def is_found_under(card: CardLook) -> bool:
    """It was found as a card that lies half under the newest one."""
    return not card.fitted and card.on_top < 0.5 and card.open >= UNDER_OPEN


def middle(quad: Quad) -> Point:
    """The mean of the corners, in the quadrilateral's units."""
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def was_pushed(card: CardLook) -> bool:
    """A card that was placed beside the newest one is the old top card, which is not where it was."""
    return card.like_old >= LIKE_OLD and not old_stayed(card)


def old_stayed(card: CardLook) -> bool:
    """Beside a card that peeks out the old top card is seen to lie as it lay."""
    return card.stays or (card.vacated is not None and card.vacated <= STAYED)


def old_lies_under(card: CardLook, most: float) -> bool:
    """The old top card is still there under this one: what shows of it changed by less than `most`."""
    return card.beneath is not None and card.beneath < most


def old_is_gone(card: CardLook) -> bool:
    """What would show of the old top card beside this one is not there any more."""
    return card.beneath is not None and card.beneath > ELSEWHERE


def same_place(before: Quad | None, now: Quad) -> bool:
    """The quadrilaterals are about the same, whichever corner comes first; True when the place is not known."""
    return before is None or corners_off(before, now) <= SAME_PLACE_MM


def corners_off(before: Quad, now: Quad) -> float:
    """Mean distance of the corners of two quadrilaterals, in their units, whichever corner comes first."""
    return min(sum(math.dist(before[(k + turn) % 4], now[k]) for k in range(4)) / 4 for turn in range(4))


def old_still_shows(card: CardLook, top: Card | None, beneath: Card | None) -> bool:
    """The old top card's colour still shows beside this one, and is not that of the card `beneath`, which would lie
    open there. top, beneath: what these two show."""
    if top is None or beneath is None or card.rest is None or 1 - card.covers < CORNERS_OFF:
        return False
    return card.rest < UNTOUCHED and beneath.colour is not top.colour


def lay_beside(card: CardLook, apart: float = TWIN_APART) -> bool:
    """Much of the card lies beside the old top card's place, and nothing of that has changed: it was there before.
    apart: the share that is much."""
    return card.outside is not None and card.outside < LAY_STILL and 1 - card.covers >= apart


def is_twin(card: CardLook, strip_tells: bool = True, index_tells: bool = True) -> bool:
    """A card with the old top card's face came, and the old one is still there.

    strip_tells: a narrow strip of the old one beside it cannot be that of the card below, and a card may have been
    brought. index_tells: an index cannot, either, nor can what lies turned half under another card.
    """
    index_stays = index_tells and card.index is not None and card.index < INDEX_STAYED
    if (card.turned and index_tells) or ((card.stays or index_stays) and has_come(card)):
        return True
    if 1 - card.covers < BESIDE:
        return False
    if card.beneath is not None:
        if 1 - card.covers >= TWIN_APART:
            return card.beneath < STAYED and has_come(card)
        # A narrow strip of it is half white border, or nothing else, which is like that of the card below.
        return strip_tells and card.rest is not None and card.rest < STRIP_STAYED and has_come(card)
    # Little of the old one shows: nothing changed where it would have moved away from.
    apart = 1 - card.covers >= TWIN_APART
    return apart and not card.fitted and card.outside is not None and card.explains >= TWIN_EXPLAINS


def has_come(card: CardLook) -> bool:
    """The card was not there before: it explains the change."""
    if card.peeks or card.explains < EXPLAINS or lay_beside(card) or is_no_card(card):
        return False
    if card.explains >= TWIN_EXPLAINS and not is_doubtful(card) and (card.turned or card.fresh >= FRESH_AT_LEAST):
        return True
    if card.reading.card is None and (card.fresh < _least_unread(card) or lay_beside(card, BESIDE)):
        return False
    lies_on_like = old_lies_under(card, STAYED) and card.explains >= LITTLE_EXPLAINS
    return card.fresh >= FRESH or (lies_on_like and card.fresh >= FRESH_AT_LEAST)


def is_no_card(card: CardLook) -> bool:
    """What changed has the outline of a card and is surely no face: a hand. Cards without one are found as cards."""
    return card.fitted and card.reading.card is None and card.reading.confidence >= CERTAIN


def _least_unread(card: CardLook) -> float:
    """Share of a card that cannot be read that must have changed for it to be new."""
    if not lies_on_old(card):
        return FRESH_UNREAD
    return FRESH_UNREAD_PLAINLY if _lies_plainly_on_old(card) else FRESH_UNREAD_ON


def lies_on_old(card: CardLook) -> bool:
    """The card was found on the old top card, which shows beneath as it lay: it came from elsewhere."""
    beside = card.outside is not None and card.outside > (FRESH if _lies_plainly_on_old(card) else ELSEWHERE)
    return beside and not card.fitted and old_lies_under(card, STAYED)


def lies_plainly(card: CardLook) -> bool:
    """The card was found, lies open and is all that changed."""
    return not card.fitted and card.on_top >= PLAINLY_OPEN and card.explains >= PLAINLY_ALL


def _lies_plainly_on_old(card: CardLook) -> bool:
    """... and apart, or shows beside the old top card's place what was not there; and of what shows of that one nothing
    has changed."""
    apart = card.covers < SPREAD or is_elsewhere(card)
    return lies_plainly(card) and apart and old_lies_under(card, UNTOUCHED / 2)


def is_elsewhere(card: CardLook) -> bool:
    """A card that was found shows beside the old top card's place what was not there before."""
    return not card.fitted and card.outside is not None and card.outside > ELSEWHERE


def is_found_again(newest: CardLook, under: CardLook) -> bool:
    """The card under the newest one is that card, only found better: it shows a face and nearly all of the change,
    where the newest one, found askew, shows less or no face."""
    holds_all = under.explains >= ALL_EXPLAINS and newest.explains < TWIN_EXPLAINS
    return not is_doubtful(under) and (holds_all or (under.open < OWN_OPEN and is_doubtful(newest)))


def is_doubtful(card: CardLook) -> bool:
    """Its face is not certain."""
    return card.reading.card is None or card.reading.confidence < CERTAIN


def is_newest(card: CardLook) -> bool:
    """A card that was found and surely read is the one that the others' open parts were measured beside."""
    return not card.fitted and not is_doubtful(card) and card.fresh >= FRESH and card.open == card.left == 0.0


def lay_there(card: CardLook) -> bool:
    """What shows of it beside the newest card has not changed."""
    return card.open >= UNDER_OPEN and card.aside < UNDER_FRESH_READ


def is_guess(card: CardLook) -> bool:
    """A face guessed from the outline of the change: it does not outweigh the old top card, read where it lies."""
    return card.fitted and is_doubtful(card)


def lies_open(card: CardLook) -> bool:
    """A card that was found and surely read lies open where all of the change is."""
    return not is_doubtful(card) and not card.fitted and card.on_top > 0.5 and card.explains >= EXPLAINS


def is_unread(card: CardLook) -> bool:
    """A card that was found, though not read, lies open."""
    return card.reading.card is None and not card.fitted and card.on_top > 0.5


def came_unread(card: CardLook) -> bool:
    """... where all of the change is."""
    return is_unread(card) and card.explains >= EXPLAINS and card.fresh >= FRESH_UNREAD_ON


def lies_untouched(card: CardLook) -> bool:
    """What changed lies beside the card."""
    return card.explains < UNTOUCHED and card.fresh < UNTOUCHED


def newness(card: CardLook) -> float:
    """Orders candidates for the card that landed: what explains most of the change, is open, and is read surely (a
    card that was placed by the outline of the change may lie across two)."""
    read = card.reading.confidence if card.reading.card is not None else 0.0
    on_top = 0.0 if card.fitted else card.on_top
    return 1.5 * card.explains + 0.25 * card.fresh + 0.3 * on_top + 0.6 * read
