"""A card that was not surely read is told better by what people do next (RULES 9, 12): where its best reading makes an
odd act of what follows, and another reading does not, the other one is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from referee.cards import Card
from referee.events import Discard, Event, TurnUp
from referee.rules.draft import Draft, thaw
from referee.rules.game import step
from referee.rules.position import NOBODY, Position
from referee.rules.record import Entry
from referee.rules.rulings import Code, Reason, Ruling

WATCHED = 8
"""Acts after an unsure card that may still tell what it was. Too small: a card that changes the direction is found out
too late; too large: somebody's mistake long after it changes what lay there."""
MISTAKE = 0.02
"""How often, as a share of acts, people do something odd. Too small: an unlikely reading is believed at the first odd
act; too large: the referee asks where the reading was to blame."""
UNREAD = 0.02
"""The share of unsure readings in which the card is none of those offered. Too small: the referee asks about every act
after a card that it does not know; too large: it forgets a card for somebody's mistake."""
ODD = frozenset(
    {
        Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST, Code.MUST_DRAW, Code.OVERDRAWN, Code.DRAW_OUT_OF_TURN,
        Code.CHALLENGE_REFUSED, Code.NOT_ENTITLED,
    }
)  # fmt: skip
"""Rulings that nobody hears where people play by the rules and every card is read."""
ODD_QUESTIONS = frozenset({"whose_turn", "who_drew", "which_card", "play_after_hand_over"})
"""Questions that nobody is asked there."""


def is_unsure(event: Event) -> bool:
    """A card landed, and it could be another than the one it was taken for."""
    return isinstance(event, Discard | TurnUp) and not event.sure and bool(event.card and event.alternatives)


def odd(d: Draft, rulings: Sequence[Ruling], number: int) -> float:
    """How odd it was, 0 to 1, what happened in the event with that number and led to these rulings."""
    if any(ruling.code in ODD for ruling in rulings):
        return 1.0
    turn = d.setup.names[d.turn_id] if d.turn_id != NOBODY else None
    for question in d.open:
        if question.ref == number and (
            question.kind in ODD_QUESTIONS or (question.kind == "did_draw" and question.player != turn)
        ):
            return 1.0
    # A colour that nobody named for a wild is often only not typed in.
    return 0.5 if any(ruling.reason in (Reason.COLOUR, Reason.HIDDEN_CARD) for ruling in rulings) else 0.0


def retold(before: Position, entries: Sequence[Entry]) -> Discard | TurnUp | None:
    """The first of the entries, an unsure card, as another reading that explains the others better; None where its
    best reading explains them as well as any. before: the position before it."""
    first = entries[0].event
    assert isinstance(first, Discard | TurnUp)
    found, best = None, strangeness(before, entries, first, first.confidence)
    for reading in others(before, first):
        found_here = strangeness(before, entries, reading, reading.confidence or UNREAD)
        if found_here < best:
            found, best = reading, found_here
    return found


def others(before: Position, event: Discard | TurnUp) -> Iterator[Discard | TurnUp]:
    """The card as each of its alternatives, the likeliest first, and as one that was not read."""
    offered = ((str(event.card), event.confidence), *event.alternatives)
    for name, share in event.alternatives:
        try:
            card = Card.parse(name)
        except ValueError:
            continue
        if card in before.setup.pack.copies:
            rest = tuple(pair for pair in offered if pair[0] != name)
            yield replace(event, card=card, confidence=min(1.0, max(0.0, share)), alternatives=rest)
    yield replace(event, card=None, confidence=0.0, alternatives=offered)


def strangeness(before: Position, entries: Sequence[Entry], reading: Discard | TurnUp, share: float) -> float:
    """How strange the entries are if the first of them is that reading: the negative logarithm of how often one sees
    such a thing, up to a constant."""
    d = thaw(before)
    found = -log(max(share, 1e-6))
    for entry in (entries[0]._replace(event=reading), *entries[1:]):
        d.out = ()
        step(d, entry.event, entry.number)
        found -= log(MISTAKE) * odd(d, d.out, entry.number)
    return found
