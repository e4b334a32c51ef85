"""What hands were seen to bring to the pile and to take from it."""

from __future__ import annotations

from referee.tracker.looks import CardLook, PileLook
from referee.tracker.signs import old_is_gone

BROUGHT, BROUGHT_MORE = 0.2, 0.03
"""Share of a card that hands must have brought, and by how much more than they took. Smaller: shadows and sleeves lay
cards; larger: twins are taken for nudges."""

TAKEN_MORE = 0.05
"""By how much more hands must have taken than they brought to have taken a card, as a share of one. Smaller: shadows
and sleeves take cards; larger: take-backs are taken for nudges."""

BROUGHT_LEAST, BROUGHT_BESIDE = 0.06, 1.1
"""Share that is enough of a card that explains all of the change, and how much more it must be for what that leaves: a
push changes something beside the card, too. Smaller: skin in another light lays cards; larger: twins of which hands
show little are pushes."""

LAID_EXPLAINS = 0.65
"""Share of the change that a card must explain to be what a hand was seen to bring. Smaller: a pile that is squared up
shows its cards beside the hand, and one lands; larger: a glare beside the card hides that it landed."""

NOT_BROUGHT = 0.03
"""Share of a card below which hands brought none. Smaller: skin is like red and yellow, and pushes count as landings;
larger: cards that hands hide as they come count as pushed."""


def was_laid(look: PileLook, card: CardLook) -> bool:
    """A hand came with a card of the remembered top card's face and went without, and `card`, which shows it, may be
    that: it explains the change, and the old one is not gone."""
    if card.explains < LAID_EXPLAINS or old_is_gone(card):
        return False
    return was_brought(look, min(BROUGHT, BROUGHT_LEAST + BROUGHT_BESIDE * (1 - card.explains)))


def was_brought(look: PileLook, least: float = BROUGHT_LEAST) -> bool:
    """A hand came with `least` of a card of the remembered top card's colours, as a share of a card, and went
    without."""
    if look.brought is None or look.taken is None:
        return False
    return look.brought >= least and look.brought - look.taken >= BROUGHT_MORE


def was_not_brought(look: PileLook) -> bool:
    """No hand came with the remembered top card's colours."""
    return look.brought is not None and look.brought < NOT_BROUGHT


def was_not_taken(look: PileLook) -> bool:
    """It is known that hands went with hardly more of the remembered top card's colours than they came with."""
    return look.brought is not None and look.taken is not None and look.taken - look.brought < TAKEN_MORE


def was_taken(look: PileLook, least: float = TAKEN_MORE) -> bool:
    """Hands went with more of the remembered top card's colours than they came with, by `least` of a card."""
    return look.brought is not None and look.taken is not None and look.taken - look.brought >= least
