"""The discard pile as far as it is known: its cards, where they lie, and what they tell of a face that is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.cards import Card
from referee.observations import Quad
from referee.tracker.chances import SAME_FACE, probability
from referee.tracker.looks import CardLook
from referee.tracker.signs import (
    CERTAIN,
    FRESH_AT_LEAST,
    TWIN_EXPLAINS,
    is_doubtful,
    lay_beside,
    lies_untouched,
    same_place,
)
from referee.tracker.verdict import PiledCard

LATELY = 3
"""Cards at the top of the pile that may lie open when it is pushed. Fewer: what a push lays open has come; more: one
that comes with the face of a card deep in the pile has been pushed out."""


class Pile:
    """The discard pile as far as it is known, the top card last."""

    def __init__(self, cards: Sequence[PiledCard] = ()) -> None:
        self.cards = list(cards)

    @property
    def top(self) -> PiledCard | None:
        """The top card; None when nothing is known to lie there."""
        return self.cards[-1] if self.cards else None

    def face(self, depth: int = 0) -> Card | None:
        """What the card `depth` below the top shows; None when nobody knows."""
        return self.cards[-1 - depth].card if depth < len(self.cards) else None

    def unguessed(self) -> Pile:
        """The same pile, with nothing guessed of what its top card shows."""
        return Pile([*self.cards[:-1], replace(self.cards[-1], card=None, guess=False)])

    # What it tells of a card that is seen --------------------------------------------------------------------

    def has_not(self, card: CardLook) -> bool:
        """Its face was read with certainty, and none of the upper cards of the pile, which a push may lay open, shows
        it."""
        lately = [known.card for known in self.cards[-LATELY:]]
        return bool(lately) and not is_doubtful(card) and None not in lately and card.reading.card not in lately

    def was_seen_there(self, card: CardLook) -> bool:
        """A card of its face, however deep in the pile, was last seen to lie there."""
        same = [known.quad for known in self.cards if known.card == card.reading.card]
        return any(quad is not None and same_place(quad, card.quad) for quad in same)

    def lay_below(self, card: CardLook) -> bool:
        """It lies where the card below the top one was last seen, as far as that is known."""
        return len(self.cards) < 2 or same_place(self.cards[-2].quad, card.quad)

    def has_no_such_colour(self, card: CardLook) -> bool:
        """What its corner shows is of another colour than the top card, and hardly one of the upper cards of the pile,
        whatever its rank: it is not that one, pushed."""
        top = self.face()
        if top is None or any(probability(card.reading, known.card) >= SAME_FACE / 2 for known in self.cards[-LATELY:]):
            return False
        named = [(card.reading.card, card.reading.confidence), *card.reading.alternatives]
        coloured = [(face.colour, p) for face, p in named if face is not None and face.colour is not None]
        return sum(p for colour, p in coloured if colour is not top.colour) >= CERTAIN

    def shows_new_face(self, card: CardLook) -> bool:
        """A card that was found lies open with a face that the pile surely had not; some of it has changed, or all that
        changed lies inside it: one figure on its like's place."""
        changed = card.fresh >= FRESH_AT_LEAST or card.explains >= TWIN_EXPLAINS
        return changed and not card.fitted and card.on_top > 0.5 and self.has_not(card)

    def lay_under_top(self, card: CardLook) -> bool:
        """The card is plainly the one that was seen to come under the top card, which has gone."""
        if len(self.cards) < 2 or self.cards[-2].quad is None or card.fitted or card.on_top <= 0.5:
            return False
        return same_place(self.cards[-2].quad, card.quad) and card.reading.card not in (None, self.face(2))

    def lay_half_open(self, card: CardLook) -> bool:
        """The card, surely read, is the one that lay half under the top card, its face unknown: the part of it that
        showed has not changed."""
        unknown = len(self.cards) > 1 and self.cards[-2].guess
        return unknown and lay_beside(card) and not is_doubtful(card) and self.lay_under_top(card)

    def is_squared_on_its_like(self) -> bool:
        """The card below has the top card's colour and may lie exactly under it: where the top card is pushed, the edge
        of that one is left, and it looks as if nothing had gone."""
        top, below = self.face(), self.face(1)
        if top is None or below is None or self.cards[-1].quad is None:
            return False
        return below.colour is top.colour and same_place(self.cards[-2].quad, self.cards[-1].quad)

    # What follows from a verdict -----------------------------------------------------------------------------

    def landed(self, card: Card | None, quad: Quad, guess: bool) -> None:
        """A card lies on top now. guess: its face is one."""
        self.cards.append(PiledCard(card, quad, guess))

    def removed(self, top: CardLook | None) -> PiledCard:
        """The top card went; `top` is what lies open now. Returns what went."""
        gone = self.cards.pop()
        if top is None:
            return gone
        if self.cards:
            below = self.cards[-1]
            guess = below.guess and is_doubtful(top)
            self.cards[-1] = PiledCard(top.reading.card or below.card, top.quad, guess)
        else:
            self.cards.append(PiledCard(top.reading.card, top.quad, is_doubtful(top)))
        return gone

    def moved(self, top: CardLook) -> None:
        """The top card lies where `top` was seen, those below it anywhere; all where they lay if it is untouched."""
        old = self.cards[-1]
        if lies_untouched(top) and same_place(old.quad, top.quad):
            return
        self.cards = [replace(card, quad=None) for card in self.cards[:-1]] + [replace(old, quad=top.quad)]

    def taken(self, but_top: bool) -> PiledCard | None:
        """The pile went; but_top: all but its top card. Returns what is left."""
        self.cards = self.cards[-1:] if but_top else []
        return self.top

    def reread(self, depth: int, card: Card | None) -> None:
        """A better look at the card `depth` below the top (0 is the top), which is a guess no more."""
        if depth < len(self.cards):
            index = -1 - depth
            self.cards[index] = replace(self.cards[index], card=card, guess=False)

    def reset(self, cards: Sequence[PiledCard] = ()) -> None:
        """Forgets the pile; `cards` is what lies there now."""
        self.cards = list(cards)
