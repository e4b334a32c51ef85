"""The hypothesis that cards landed: which they are, and which of them lies on the other."""

from __future__ import annotations

import math

from referee.tracker.brought import was_brought
from referee.tracker.chances import SAME_FACE, probability
from referee.tracker.looks import CardLook, PileLook
from referee.tracker.pile import Pile
from referee.tracker.signs import (
    CERTAIN,
    ELSEWHERE,
    FRESH,
    FRESH_UNREAD_ON,
    IN_PLACE,
    INDEX_STAYED,
    LIKE_OLD,
    OWN_OPEN,
    STAYED,
    TWIN_EXPLAINS,
    UNDER_FRESH,
    UNDER_OPEN,
    UNTOUCHED,
    corners_off,
    has_come,
    index_came,
    is_doubtful,
    is_elsewhere,
    is_found_again,
    is_found_under,
    is_guess,
    is_newest,
    is_under,
    is_unread,
    lay_beside,
    lay_there,
    lies_open,
    middle,
    newness,
    old_stayed,
    tells_itself,
    was_pushed,
)

PUSHED_EXPLAINS = 0.5
"""Share of the change from which the old top card, found and surely read, is what changed. Smaller: cards that nobody
can read are pushes of the one beside which they land; larger: a face guessed where two cards were pushed lands."""

FRESH_OF_LIKE = 0.05
"""Share of a card with another face than the old top card's that must have changed, where all of the change lies inside
it: only the symbols differ. Smaller: noise and shadows land; larger: plain red on plain red is missed."""

REST_OF_LIKE = 0.03
"""Change beside such a card, surely read, in cards, which it need not explain: of little change a few wrong pixels are
a large share. Smaller: cards exactly on their like are missed; larger: a nudge beside a misread card lands."""

TWO_CARDS = 0.9
"""Share of the change that two cards laid at once must explain together."""

UNDER_CARDS = 0.07
"""Change beside the newest card, in cards, from which it places a second card under that one; of less only an index
tells one. Smaller: shadows and pushed cards count as cards; larger: two laid almost on each other count as one."""

UNDER_MM = 70.0
"""Distance of the two middles up to which one card can lie under the other. Smaller: two that were fanned out are one;
larger: a sleeve at the edge of the zone is a second card."""

OWN_OFF_MM = 8.0
"""Mean distance of its corners from the newest card's for a card of the same face to be another one: one of which
`OWN_OPEN` shows is as far off. Smaller: a card that was placed twice lands twice; larger: one of two like cards is
missed."""

UNREAD_OPEN = 0.09
"""Share of a card under the newest one that must show for it to have come although it cannot be read. Smaller: a pushed
card's edge counts; larger: a card that peeks out is missed."""

RIVAL_EXPLAINS = 0.65
"""Share of the change that a card with another face must explain to make the newest card's face doubtful. Smaller: more
questions; larger: a card that was placed across two is asserted."""

ALL, PLAINER_EXPLAINS, PLAINER = 0.98, 0.1, 50.0
"""Share of the change that a card must explain, and by how much more than one with another face, and how many times the
doubt that one must leave, for its face not to be doubtful for it. Smaller: as above; larger: more questions."""


def plainly_came(pile: Pile, look: PileLook) -> list[int]:
    """The cards that came from beside the old top card's place. Nothing that was badly read half under another card,
    and not the card below the old one, pushed along half under that; nor, where the old one is seen to be what changed,
    a face guessed from the outline of the change."""
    found = [c for c in look.cards if not c.fitted and probability(c.reading, pile.face()) >= CERTAIN]
    is_pushed = any(c.explains >= PUSHED_EXPLAINS for c in found)
    return [
        i
        for i, c in enumerate(look.cards)
        if c.outside is not None
        and c.outside > ELSEWHERE
        and has_come(c)
        and not (is_pushed and is_guess(c))
        and not (is_found_under(c) and (is_doubtful(c) or probability(c.reading, pile.face(1)) >= CERTAIN))
    ]


def landed(pile: Pile, look: PileLook) -> tuple[int, ...]:
    """The cards that landed, lowest first."""
    came = [i for i, c in enumerate(look.cards) if has_come(c) or _lies_on_its_like(pile, c, look)]
    if came:
        return of_those_that_came(pile, look, came)
    faces = [
        i
        for i, c in enumerate(look.cards)
        if c.reading.card is not None and not c.fitted and c.fresh >= FRESH and not lay_there(c) and not lay_beside(c)
    ]
    pairs = [(a, b) for k, a in enumerate(faces) for b in faces[k + 1 :]]
    best = max(pairs, key=lambda p: look.cards[p[0]].explains + look.cards[p[1]].explains, default=None)
    if best is not None and sum(look.cards[i].explains for i in best) >= TWO_CARDS:
        lower, upper = sorted(best, key=lambda i: look.cards[i].on_top)
        if _is_old_pushed(pile, look, look.cards[lower]) or _lay_as_known(pile, look, look.cards[lower]):
            return (upper,)
        half = _half_hidden(pile, look, faces)
        # What was read of the lower one as a whole is half the upper one's: its corner, if that is to be seen.
        same = look.cards[lower].reading.card == look.cards[upper].reading.card
        if half and (is_doubtful(look.cards[lower]) or (same and not _shows_own(look.cards[lower], look.cards[upper]))):
            return half
        return lower, upper
    if faces:
        return _half_hidden(pile, look, faces) or _half_hidden(pile, look, _unread(look))
    # Of one that was laid on its like little changes; a card that came under it for sure tells that it came, too.
    both = _half_hidden(pile, look, [i for i, c in enumerate(look.cards) if pile.shows_new_face(c)])
    return both if both and not is_doubtful(look.cards[both[0]]) else ()


def _unread(look: PileLook) -> list[int]:
    """Cards that were found, though not read, lie open, and came from elsewhere, where a hand was seen to bring one."""
    found = [i for i, c in enumerate(look.cards) if is_unread(c) and c.fresh >= FRESH_UNREAD_ON]
    return [i for i in found if was_brought(look) and is_elsewhere(look.cards[i])]


def of_those_that_came(pile: Pile, look: PileLook, came: list[int]) -> tuple[int, ...]:
    """The newest of the cards that came, and the one that came under it, lowest first. Of two that lie half on each
    other each explains little, and a card that lies across both may pass for the newest."""
    read = [i for i, c in enumerate(look.cards) if i not in came and is_newest(c)]
    if half := _half_hidden(pile, look, read):
        return half
    newest = _found_open(look, max(came, key=lambda i: newness(look.cards[i])))
    both, upon = with_under(pile, look, newest), _upon(pile, look, newest)
    if len(both) == 2 and _is_placed_twice(look.cards[newest], look.cards[both[0]]):
        upon = upon or tuple(i for i, c in enumerate(look.cards) if i not in both and pile.shows_new_face(c))[:1]
        both = (max(both, key=lambda i: look.cards[i].reading.confidence),)
    return (*both, *upon)


def _is_placed_twice(newest: CardLook, under: CardLook) -> bool:
    """The card that passes for the newest lies under another one, is read with doubt, and was placed under itself."""
    doubtful = newest.on_top <= 0.5 and is_doubtful(newest)
    return doubtful and corners_off(newest.quad, under.quad) < OWN_OFF_MM


def with_under(pile: Pile, look: PileLook, newest: int) -> tuple[int, ...]:
    """The newest card and the one that came under it, lowest first."""
    below = under(pile, look, newest)
    return below if below and is_found_again(look.cards[newest], look.cards[below[0]]) else (*below, newest)


def under(pile: Pile, look: PileLook, newest: int) -> tuple[int, ...]:
    """The card that came in the same visit and lies under the newest one."""
    upper = look.cards[newest]
    little = (1 - upper.explains) * look.change < UNDER_CARDS
    pushed = probability(upper.reading, pile.face()) >= SAME_FACE  # perhaps
    found = [
        i
        for i, c in enumerate(look.cards)
        if i != newest
        and not (c.reading.card is None and (is_doubtful(upper) or upper.on_top <= 0.5))  # a hand lies on that one
        and (
            (is_under(c) and not little)
            or (pile.has_not(c) and (tells_itself(c, little) or (index_came(c) and not pushed)))
        )
        and math.dist(middle(c.quad), middle(upper.quad)) <= UNDER_MM
        and (c.reading.card is not None or c.open >= UNREAD_OPEN)
        and (pile.has_not(c) or not was_pushed(c) or pile.has_no_such_colour(c))
        and (c.reading.card != upper.reading.card or _shows_own(c, upper))
        and not _is_old(pile, c)
        and not _lay_deep(pile, c)
        and not _lay_half_open(pile, c)
        and (_old_shows(pile, c) or all(probability(c.reading, pile.face(k)) < SAME_FACE / 2 for k in range(2)))
    ]
    # A face that is half hidden and was read as a whole with doubt is that of the card on it as often as not.
    best = max(found, key=lambda i: (look.cards[i].peeks, look.cards[i].left), default=None)
    return () if best is None else (best,)


def _shows_own(card: CardLook, upper: CardLook) -> bool:
    """The card, which has the upper one's face, shows enough beside that to be another one: much of it, or an index of
    its own. What it shows was measured beside the newest card, which the upper one need not be."""
    shows_index = card.peeks and not is_doubtful(card)
    return (card.open >= OWN_OPEN or shows_index) and corners_off(card.quad, upper.quad) >= OWN_OFF_MM


def _is_old(pile: Pile, card: CardLook) -> bool:
    """What is open of the card looks like the old top card. It is that one, a part of whose index was misread, if it
    lay there and has not that one's colour; and in other light, if it cannot be read and beside it that one has
    changed, though it is seen to be there still."""
    old, now = pile.face(), card.reading.card
    if old is None or not card.peeks or card.like_old < LIKE_OLD:
        return False
    if now is None:
        return card.stays and card.vacated is not None and card.vacated > STAYED
    return old.colour is not now.colour and card.aside < UNTOUCHED


def _is_old_pushed(pile: Pile, look: PileLook, lower: CardLook) -> bool:
    """The card that lies under the newest one has the old top card's face, and beside none with that is that one to be
    seen where it lay: it was pushed, or the camera was, as the newest landed."""
    like = [c for c in look.cards if probability(c.reading, pile.face()) >= SAME_FACE]
    return lower in like and not any(_old_shows(pile, c) for c in like)


def _lay_as_known(pile: Pile, look: PileLook, lower: CardLook) -> bool:
    """The card that lies under the newest one lies where one of its face was last seen, and nowhere else is another
    with that face to be seen: it shows in another light."""
    return all(pile.was_seen_there(c) for c in look.cards if c.reading.card == lower.reading.card)


def _lay_deep(pile: Pile, card: CardLook) -> bool:
    """Where the card was placed by what changed, one of its face was last seen to lie, deep in the pile. Not all of it
    has changed, nor has its index come: it shows in another light."""
    lay = pile.has_not(card) and pile.was_seen_there(card)
    return lay and card.fitted and not card.came and card.aside < UNDER_FRESH


def _lay_half_open(pile: Pile, card: CardLook) -> bool:
    """The card, found half under the newest one, lay there, and nothing was pushed: it is hidden further; so is one in
    the old top card's place that shows no other face for sure. A like of that card would change nothing there."""
    in_place = card.covers >= IN_PLACE
    if in_place and probability(card.reading, pile.face()) >= SAME_FACE:
        return True
    misread = in_place and is_doubtful(card) and card.aside < UNDER_FRESH
    return is_found_under(card) and old_stayed(card) and (misread or pile.was_seen_there(card))


def is_disputed(look: PileLook, index: int) -> bool:
    """Another card, found in nearly the same place, shows another face as clearly. One that was placed across several
    is read surely now and then, but explains less, and is not as sure, as the card that lies there."""
    chosen = look.cards[index]
    return any(
        card.reading.card not in (None, chosen.reading.card)
        and card.explains >= RIVAL_EXPLAINS
        and card.fresh >= FRESH
        and card.open < UNDER_OPEN
        and not is_under(card)
        and card.reading.confidence >= CERTAIN
        and not _is_plainer(chosen, card)
        for i, card in enumerate(look.cards)
        if i != index
    )


def _is_plainer(card: CardLook, other: CardLook) -> bool:
    """It is read with far less doubt than the other one, and explains all of what changed, which that does not."""
    doubt, rival = 1 - card.reading.confidence, 1 - other.reading.confidence
    return card.explains >= ALL and other.explains <= card.explains - PLAINER_EXPLAINS and rival > PLAINER * doubt


def _half_hidden(pile: Pile, look: PileLook, faces: list[int]) -> tuple[int, ...]:
    """Two cards that only together explain what changed: the newest of those, and one under it that need not have been
    found as a card."""
    if not faces:
        return ()
    both = with_under(pile, look, max(faces, key=lambda i: newness(look.cards[i])))
    explains = look.cards[both[-1]].explains
    together = explains + (1 - explains) * look.cards[both[0]].left
    return both if len(both) == 2 and together >= TWO_CARDS else ()


def _found_open(look: PileLook, newest: int) -> int:
    """The newest card, or the one with its face that hides it but for a hem: that is the same card, whose corners were
    found once more beside themselves."""
    card = look.cards[newest]
    if card.on_top > 0.5 or card.open >= OWN_OPEN or card.reading.card is None:
        return newest
    found = [i for i, c in enumerate(look.cards) if lies_open(c) and c.reading.card == card.reading.card]
    return max(found, key=lambda i: newness(look.cards[i]), default=newest)


def _upon(pile: Pile, look: PileLook, newest: int) -> tuple[int, ...]:
    """The card that was laid exactly on the old top card, its like, while what changed most came under it."""
    open_ = max(0.5, look.cards[newest].on_top)
    found = [i for i, c in enumerate(look.cards) if not c.fitted and c.on_top > open_ and c.covers >= IN_PLACE]
    found = [i for i in found if look.cards[i].fresh >= FRESH_OF_LIKE]
    return tuple(i for i in found if pile.has_not(look.cards[i]))[:1]


def _lies_on_its_like(pile: Pile, card: CardLook, look: PileLook) -> bool:
    """Another face where hardly anything changed: plain red on plain red."""
    top = pile.face()
    if top is None or card.reading.card is None or card.fitted or probability(card.reading, top) >= SAME_FACE / 2:
        return False
    if card.fresh < FRESH_OF_LIKE and not was_brought(look):
        return False
    rest = (1 - card.explains) * look.change
    return card.explains >= TWIN_EXPLAINS or (rest < REST_OF_LIKE and not is_doubtful(card))


def _old_shows(pile: Pile, card: CardLook) -> bool:
    """The old top card is seen to lie as it lay beside this one, or its index is, if it cannot be that of its like
    beneath it."""
    tells = pile.face() is not None and pile.face(1) != pile.face()
    return old_stayed(card) or (tells and card.index is not None and card.index < INDEX_STAYED)
