"""What happened to the discard pile between two rests: the hypotheses, and which of them a look bears out."""

from __future__ import annotations

from referee.tracker.brought import was_brought, was_laid, was_not_brought
from referee.tracker.chances import SAME_FACE, probability
from referee.tracker.landing import landed, of_those_that_came, plainly_came, under, with_under
from referee.tracker.looks import CardLook, PileLook
from referee.tracker.pile import Pile
from referee.tracker.removal import bared, laid_open, plainly_gone, plainly_taken, removed, uncovered
from referee.tracker.signs import (
    ALL_EXPLAINS,
    BESIDE,
    CERTAIN,
    ELSEWHERE,
    FRESH,
    FRESH_UNREAD,
    PLAINLY_OPEN,
    TWIN_EXPLAINS,
    UNTOUCHED,
    came_unread,
    has_come,
    is_guess,
    is_newest,
    is_twin,
    lay_there,
    lies_open,
    lies_plainly,
    newness,
    old_lies_under,
    old_stayed,
    old_still_shows,
)
from referee.tracker.unread import laid_unread, no_face
from referee.tracker.verdict import Verdict, What

NOTHING_CARDS = 0.012
"""Changed area, in cards, up to which nothing happened. Smaller: noise and trembling are looked into; larger: a card
laid exactly on a twin goes unseen."""

LITTLE_CARDS = 0.004
"""... where a hand brought the top card's colours, and another face is surely read there. Smaller: as above; larger: a
card laid exactly on one of which only a thin figure differs goes unseen."""

OLD_EXPLAINS = 0.5
"""Share of the change below which the old top card hardly changed, where another card explains all of it. Smaller: a
card over its corner is a push; larger: a push that bares a misread card lands it."""


def judge(pile: Pile, look: PileLook) -> Verdict:
    """What happened, from the look that was taken first after the pile came to rest."""
    if look.change < NOTHING_CARDS and not _shows_other_figure(pile, look):
        return Verdict(What.NOTHING)
    if pile.top is None:
        return _first(pile, look)
    if pile.top.guess and any(card.other for card in look.cards):
        return judge(pile.unguessed(), look)
    if (look.cleared or look.bare) and len(pile.cards) > 1:
        return Verdict(What.TAKEN)
    if look.restored:
        return Verdict(What.REMOVED, laid_open(pile, look))
    if all(c.reading.card is None or (pile.face() is None and lay_there(c)) for c in look.cards):
        return no_face(pile, look)
    if (laid := laid_unread(look, plainly=True)) is not None:
        return Verdict(What.LANDED, with_under(pile, look, laid))
    if _shows_a_hand(pile, look):
        return Verdict(What.UNCLEAR)
    if (lies_open := plainly_taken(pile, look)) is not None:
        return Verdict(What.REMOVED, (lies_open,))
    came = plainly_came(pile, look)
    if came and not any(probability(look.cards[i].reading, pile.top.card) >= SAME_FACE for i in came):
        return Verdict(What.LANDED, of_those_that_came(pile, look, came))
    if not came and (lies_open := removed(pile, look)) is not None:
        return Verdict(What.REMOVED, (lies_open,))
    if (same := _moved(pile, look)) is not None:
        laid = _brought(pile, look)
        return Verdict(What.MOVED, (same,)) if laid is None else Verdict(What.LANDED, with_under(pile, look, laid))
    if plainly_gone(look):
        return Verdict(What.REMOVED, bared(look))
    if cards := landed(pile, look):
        return Verdict(What.LANDED, cards)
    if (laid := _brought(pile, look)) is not None:
        return Verdict(What.LANDED, (laid,))
    if (laid := laid_unread(look)) is not None:
        return Verdict(What.LANDED, (laid,))
    lies_open = uncovered(pile, look)
    return Verdict(What.UNCLEAR) if lies_open is None else Verdict(What.REMOVED, (lies_open,))


def _shows_other_figure(pile: Pile, look: PileLook) -> bool:
    """A hand brought a card of the top card's colours, and what little changed is another figure in its place."""
    if look.change < LITTLE_CARDS or not was_brought(look):
        return False
    return any(lies_open(card) and pile.shows_new_face(card) for card in look.cards)


def _shows_a_hand(pile: Pile, look: PileLook) -> bool:
    """Nothing that was found has come, and an outline alone, in which no face is read, reaches over the old top card,
    which is surely seen to lie open: it is that of a hand that rests there unseen, or has left."""
    found = [c for c in look.cards if not c.fitted]
    if any(has_come(c) for c in found):
        return False
    lies_there = any(c.on_top >= PLAINLY_OPEN and probability(c.reading, pile.face()) >= CERTAIN for c in found)
    return lies_there and any(c.reading.card is None and c.covers >= BESIDE and has_come(c) for c in look.cards)


def _first(pile: Pile, look: PileLook) -> Verdict:
    """The first card; not fingers that reach into the discard zone, whose outline is no whole card's."""
    plain = tuple(i for i, c in enumerate(look.cards) if lies_plainly(c) and came_unread(c))[:1]
    cards = landed(pile, look) or plain
    found = [look.cards[i] for i in cards]
    part = look.change < FRESH_UNREAD and all(c.fitted and c.reading.card is None for c in found)
    return Verdict(What.LANDED, cards) if cards and not part else Verdict(What.UNCLEAR)


def _brought(pile: Pile, look: PileLook) -> int | None:
    """The old top card's like that a hand was seen to bring. Where the outline of what changed is that of one card, and
    the face there is the same, little to be seen in the hand is enough."""
    same = [i for i, c in enumerate(look.cards) if probability(c.reading, pile.face()) >= CERTAIN and was_laid(look, c)]
    return max(same, key=lambda i: look.cards[i].on_top, default=None)


def _moved(pile: Pile, look: PileLook) -> int | None:
    """The card that is still on top after a nudge or a squaring up."""
    same = [i for i, c in enumerate(look.cards) if probability(c.reading, pile.face()) >= SAME_FACE]
    if not same:
        return None
    best = max(same, key=lambda i: (not look.cards[i].fitted, newness(look.cards[i])))
    card = look.cards[best]
    others = [c for i, c in enumerate(look.cards) if i not in same]
    came = [c for c in others if has_come(c) and not is_guess(c)]
    if came and (card.fresh < UNTOUCHED or any(c.on_top > card.on_top for c in came)):
        return None  # the card is the old one, where it was, and another came
    if any(is_newest(c) and pile.has_not(c) and (c.outside or 0.0) > _elsewhere(c, card) for c in others):
        return None  # another that the pile had not lies open
    new = [c for c in others if lies_open(c) and pile.has_not(c) and c.explains >= ALL_EXPLAINS]
    if any(old_lies_under(c, UNTOUCHED) for c in new):
        return None  # ... and be it on its like, the old one lies under it as it lay
    lower = [look.cards[i] for i in under(pile, look, best)]
    if any(pile.has_not(c) and old_stayed(c) and not pile.was_seen_there(c) for c in lower):
        return None  # a twin came, and another card under it
    return None if _is_twin(pile, look, card) else best


def _elsewhere(card: CardLook, old: CardLook) -> float:
    """Share of a card's part beside the old top card that must have changed for it to have come from elsewhere. Less
    where it is all that changed, and the old one hardly did: it may lie on cards of its colour."""
    return FRESH if card.explains >= ALL_EXPLAINS and old.explains < OLD_EXPLAINS else ELSEWHERE


def _is_twin(pile: Pile, look: PileLook, card: CardLook) -> bool:
    """The card, which has the old top card's face, came, and the old one is still there."""
    strip_tells = not (pile.is_squared_on_its_like() or was_not_brought(look))
    if is_twin(card, strip_tells, index_tells=pile.face(1) != pile.face()):
        return True
    return card.explains >= TWIN_EXPLAINS and old_still_shows(card, pile.face(), pile.face(1))
