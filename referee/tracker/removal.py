"""The hypothesis that the top card went: which card lies open then."""

from __future__ import annotations

from referee.cards import Card
from referee.tracker.brought import was_brought, was_not_taken, was_taken
from referee.tracker.chances import SAME_FACE, probability
from referee.tracker.looks import CardLook, PileLook
from referee.tracker.pile import Pile
from referee.tracker.signs import (
    BESIDE,
    CERTAIN,
    ELSEWHERE,
    FRESH,
    LAY_STILL,
    STAYED,
    UNTOUCHED,
    has_come,
    lay_beside,
    lies_open,
    old_lies_under,
    old_still_shows,
)

LEFT = 0.8
"""Share of the change that must lie where the top card was for it to have been taken away. Smaller: landings pass for
removals; larger: a removal that drags the next card along is not believed."""

LEFT_CLEARLY = 0.95
"""... where the face below is not known, or is the top card's own."""

TAKEN_PLAINLY = 0.2
"""Share of a card by which hands must have taken more than they brought for the top card to have gone, though nothing
tells what lies open. Smaller: sleeves of its colour take it; larger: who takes a card of few colours is disbelieved."""

TAKEN_LITTLE = 0.01
"""... or that lies open which lay beside and beneath it. Smaller: a push that turns the pile's cards takes the top one;
larger: who hides it in the hand has taken none."""


def laid_open(pile: Pile, look: PileLook) -> tuple[int, ...]:
    """The card that lay below the top card, if it was found, where that is known to have gone."""
    found = [i for i, c in enumerate(look.cards) if not c.peeks and probability(c.reading, pile.face(1)) >= 0.5]
    return tuple(sorted(found, key=lambda i: (look.cards[i].fitted, -look.cards[i].on_top))[:1])


def removed(pile: Pile, look: PileLook) -> int | None:
    """The card that lies open because the top card went."""
    if look.in_top < LEFT or was_brought(look):
        return None
    # It was pushed, on its like perhaps: its face is seen, and no hand went with it, or something changed beside it.
    pushed = was_not_taken(look) or (pile.face(1) == pile.face() and look.in_top < LEFT_CLEARLY)
    like = [c for c in look.cards if not c.fitted and probability(c.reading, pile.face()) >= SAME_FACE]
    if pushed and not all(_lay_turned(c) for c in like):
        return None
    stayed = [
        i
        for i, c in enumerate(look.cards)
        if not c.fitted and c.reading.card is not None and (c.outside is None or c.outside < STAYED)
        if not old_still_shows(c, pile.face(), pile.face(2))
    ]
    known = _known(pile, look, stayed)
    return _unknown(pile, look, stayed) if known is None else known


def _lay_turned(card: CardLook) -> bool:
    """The card shows the old top card's picture the other way up, and what shows of it beside that one's place has not
    changed: it is its like that lay beneath it."""
    return card.turned and card.outside is not None and card.outside < LAY_STILL


def _known(pile: Pile, look: PileLook, stayed: list[int]) -> int | None:
    """The card with the face that lay below the top card. stayed: those that may have lain there."""
    below = pile.face(1)
    # Where the top card is seen to be there still, it is the twin of the one below that lies on it, unless a hand was
    # seen to take the top card: the edge of a squared pile looks the same whatever lies on it. Where corners were found
    # wrong, that shows only beside a card that was placed by the change, and has a face.
    if not was_taken(look):
        if any(c.stays for c in look.cards if c.reading.card is not None or not c.peeks):
            return None
        stayed = [i for i in stayed if not old_lies_under(look.cards[i], UNTOUCHED)]
        if was_not_taken(look):  # of one that lies elsewhere than the card below did half of that is enough
            half = [i for i in stayed if old_lies_under(look.cards[i], ELSEWHERE)]
            stayed = [i for i in stayed if i not in half or pile.lay_below(look.cards[i])]
    found = [i for i in stayed if probability(look.cards[i].reading, below) >= 0.5]
    on_it = _newer_open(look, but=below)
    found = [i for i in found if look.cards[i].on_top > on_it]
    return max(found, key=lambda i: look.cards[i].on_top, default=None)


def _unknown(pile: Pile, look: PileLook, stayed: list[int]) -> int | None:
    """The same, where no card is seen with that face: only one whose part beside the old top card is seen to have lain
    there all along, while the rest of that one's place changed."""
    if look.in_top < LEFT_CLEARLY:
        return None
    seen = [i for i in stayed if look.cards[i].outside is not None and look.cards[i].on_top > 0.5]
    on_it = 0.0 if was_taken(look) else _newer_open(look)
    seen = [i for i in seen if look.cards[i].on_top >= on_it]
    seen = [i for i in seen if (look.cards[i].beneath or 0.0) > ELSEWHERE or pile.lay_half_open(look.cards[i])]
    if any(probability(look.cards[i].reading, pile.face()) >= SAME_FACE for i in seen):
        return None
    # A face that the known pile has not was misread before, and lies untouched, or it has just come.
    if None not in [card.card for card in pile.cards[-3:-1]]:
        laid = [card.card for card in pile.cards[:-1]]
        lay = [i for i in seen if (look.cards[i].beneath or 0.0) >= LEFT or lay_beside(look.cards[i])]
        seen = [i for i in seen if i in lay or look.cards[i].reading.card in laid]
    return max(seen, key=lambda i: look.cards[i].on_top, default=None)


def _newer_open(look: PileLook, but: Card | None = None) -> float:
    """Belief that nothing lies on a card, surely read, that has another face than `but`. It came, or is the old top
    card, pushed: one that it lies on is not open."""
    newer = [c for c in look.cards if lies_open(c) and not lay_beside(c)]
    return max((c.on_top for c in newer if probability(c.reading, but) < SAME_FACE), default=0.0)


def plainly_gone(look: PileLook) -> bool:
    """All of the change is where the top card lay, nothing that was found has come, and a hand was plainly seen to go
    with that card, or went with some of it and another lies open."""
    if look.in_top < LEFT_CLEARLY or any(has_come(c) and not c.fitted for c in look.cards):
        return False
    return was_taken(look, TAKEN_PLAINLY) or (was_taken(look) and bool(bared(look)))


def plainly_taken(pile: Pile, look: PileLook) -> int | None:
    """The card that lay below the top card and lies open now, where a hand was plainly seen to go with the top one:
    however much has changed about it, as in the picture of a camera that swings."""
    if look.in_top < LEFT or not was_taken(look, TAKEN_PLAINLY):
        return None
    return uncovered(pile, look)


def bared(look: PileLook) -> tuple[int, ...]:
    """The card that was found open where it lay, beside the old top card and beneath that, which is not there now."""
    if look.taken is not None and not was_taken(look, TAKEN_LITTLE):
        return ()
    found = [i for i, c in enumerate(look.cards) if not c.fitted and c.on_top > 0.5 and lay_beside(c, BESIDE)]
    found = [i for i in found if not (look.cards[i].beneath is None or old_lies_under(look.cards[i], STAYED))]
    return tuple(sorted(found, key=lambda i: -look.cards[i].on_top)[:1])


def uncovered(pile: Pile, look: PileLook) -> int | None:
    """The card that lay below the top card and lies open now, though not where it lay: the pile was straightened and
    its top card taken in one visit."""
    if any(probability(c.reading, pile.face()) >= SAME_FACE for c in look.cards):
        return None
    found = [i for i, c in enumerate(look.cards) if not c.fitted and c.on_top > 0.5 and c.fresh >= FRESH]
    found = [i for i in found if probability(look.cards[i].reading, pile.face(1)) >= CERTAIN]
    return max(found, key=lambda i: look.cards[i].on_top, default=None)
