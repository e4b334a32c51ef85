"""What happened where no face is to be seen: a card that nobody can read came, was pushed or went, or the pile did."""

from __future__ import annotations

from referee.tracker.brought import was_laid, was_not_brought, was_not_taken, was_taken
from referee.tracker.chances import probability
from referee.tracker.looks import PileLook
from referee.tracker.pile import Pile
from referee.tracker.removal import LEFT, bared
from referee.tracker.signs import (
    CERTAIN,
    SPREAD,
    TWIN_EXPLAINS,
    came_unread,
    has_come,
    is_elsewhere,
    is_unread,
    lies_on_old,
    lies_plainly,
    newness,
    old_is_gone,
)
from referee.tracker.verdict import Verdict, What

LEAST_CHANGE = 0.3
"""Changed area, in cards, from which the top card may have gone where no hand was seen to take it. Smaller: a shadow on
it takes it; larger: a card on its like is not seen to go."""

PILE_CHANGE = 0.6
"""... from which the pile may have. Smaller: a card that goes takes the pile along; larger: a pile of cards like the
table is not seen to go."""

THING_CARDS = 2.3
"""Changed area, in cards, from which something else than cards lies over the pile, where no face is to be seen.
Smaller: a pile that lay far apart was not taken up; larger: a phone that is put down on the pile is a card."""

STILL_THERE = 0.2
"""Share of an open card that was found, and that lies where the old top card lay, from which the pile is still there.
Smaller: what lies beside a pile that was taken up is one; larger: a pile that is squared up was taken up."""


def no_face(pile: Pile, look: PileLook) -> Verdict:
    """The verdict where no face is to be seen, or none but of what lies beneath a top card that nobody could read."""
    if hides_the_pile(look):
        return Verdict(What.UNCLEAR)
    if (laid := laid_unread(look)) is not None:
        return Verdict(What.LANDED, (laid,))
    lies_open = bared(look)
    if (lies_open or was_taken(look)) and look.in_top >= LEFT and not any(map(is_elsewhere, look.cards)):
        return Verdict(What.REMOVED, lies_open)
    # Where nothing of the old card is left, the outline of the change is that of what went, not of a new card.
    came = [i for i, c in enumerate(look.cards) if has_come(c) and not (c.fitted and old_is_gone(c))]
    spread = [i for i in came if look.cards[i].covers < SPREAD or lies_on_old(look.cards[i])]
    # Where the card below was read, it is not that one which lies open.
    unread = [i for i, c in enumerate(look.cards) if pile.face(1) is not None and came_unread(c)]
    pushed = was_not_taken(look) and was_not_brought(look)
    if pile.face() is None and (pushed or (unread and not spread)):
        spread, unread = [i for i in spread if look.cards[i].explains >= TWIN_EXPLAINS], []
        if not spread:
            return _moved(look)
    if spread or unread:
        return Verdict(What.LANDED, (max({*spread, *unread}, key=lambda i: newness(look.cards[i])),))
    if look.in_top >= LEFT and look.change > LEAST_CHANGE and not pushed and not any(map(lies_on_old, look.cards)):
        return Verdict(What.REMOVED)
    lies_there = any(not c.fitted and c.on_top > 0.5 and c.covers > STILL_THERE for c in look.cards)
    if look.change > PILE_CHANGE and len(pile.cards) > 1 and not lies_there:
        return Verdict(What.TAKEN)
    return Verdict(What.UNCLEAR)


def hides_the_pile(look: PileLook) -> bool:
    """Something larger than what is laid lies there, such as a score sheet, and not the bare table."""
    return look.change > THING_CARDS and not look.bare and all(c.reading.card is None for c in look.cards)


def lies_as_before(pile: Pile, look: PileLook) -> int | None:
    """The pile's top card, where it is seen again once what hid the pile has gone."""
    same = [i for i, c in enumerate(look.cards) if not c.fitted and probability(c.reading, pile.face()) >= CERTAIN]
    return max(same, key=lambda i: look.cards[i].on_top, default=None)


def laid_unread(look: PileLook, plainly: bool = False) -> int | None:
    """A card that was found, though not read, lies open, and a hand was seen to bring it. plainly: only one that is all
    that changed, where no other card lies open."""
    found = [i for i, c in enumerate(look.cards) if is_unread(c) and was_laid(look, c)]
    if plainly:
        alone = sum(c.on_top > 0.5 and not c.fitted for c in look.cards) == 1
        found = [i for i in found if alone and lies_plainly(look.cards[i])]
    return max(found, key=lambda i: newness(look.cards[i]), default=None)


def _moved(look: PileLook) -> Verdict:
    """The top card, which nobody could read before, was pushed: it is the one that lies open."""
    found = tuple(i for i, c in enumerate(look.cards) if is_unread(c))
    return Verdict(What.MOVED, found) if len(found) == 1 else Verdict(What.UNCLEAR)
