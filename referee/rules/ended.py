"""A hand that seemed to be over goes on (RULES 9): its winner held a card more, drawn unseen. The referee asks how many
cards are held once two things show it: that the winner calls UNO or is caught, and that people play on in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.events import Answer, Catch, Count, Discard, Draw, Event, HandDealt, Points, Show, Uno
from referee.rules.draft import Draft, ask, debt, exact, following, rule, seat, thaw
from referee.rules.effects import ONE_MORE
from referee.rules.game import step
from referee.rules.hand import SIDE_SURE
from referee.rules.legality import mismatch
from referee.rules.position import HAND_OVER, NOBODY, Phase, Position
from referee.rules.record import Entry, Told
from referee.rules.rulings import Code, Reason, Tier
from referee.rules.unsure import odd

PROOF = 2
"""Acts in order, or a call or a catch, that show together that the hand goes on; one is asked about. Too small: a card
that somebody throws in at the end opens the hand again; too large: what is played meanwhile is not followed."""
CALLED_S = 2.0
"""Seconds after the card within which the winner's call is enough. Too small: a winner is announced who holds a card;
too large: a call for the joy of going out is taken for one with a card left."""
WITHIN = 32
"""Events after the end of a hand that may still show that it goes on. Too small: what is played at a table that taps
much meanwhile is not followed; too large: where cards are played with after the end, each event takes longer."""
TELLING = (Uno, Catch, Discard, Draw)
"""What may show that the hand goes on."""
PEOPLE_SAID = (Points, Show, Answer, Count, HandDealt)
"""After these it is people who say whether the hand is over."""


def ended_by(event: Event, winner: str) -> Discard | Draw | None:
    """The card that seemed to be the winner's last, or the draw that showed that it stands, as one before which the
    winner may have held one more; None where neither ended the hand, or that is asked already."""
    if not isinstance(event, Discard | Draw) or ONE_MORE in event.extra:
        return None
    return replace(event, extra={**event.extra, ONE_MORE: winner})


def goes_on(before: Position, entries: Sequence[Entry], winner: str) -> bool:
    """Does what followed show that the hand was not over? entries: the card that seemed to be the winner's last, as
    `ended_by` tells it, and all since; before: the position before it."""
    d, proof = thaw(before), 0
    step(d, entries[0].event, entries[0].number)
    for entry in entries[1:]:
        event, d.out = entry.event, ()
        if isinstance(event, PEOPLE_SAID):
            return False
        in_order = is_in_order(d, event, winner)
        step(d, event, entry.number)
        if isinstance(event, Uno | Catch):
            meant = event.by if isinstance(event, Uno) else event.on
            at_once = isinstance(event, Uno) and meant == winner and event.t - entries[0].t < CALLED_S
            proof += 0 if meant not in (winner, None) else PROOF if at_once else 1
        elif in_order:
            proof += 1
        elif isinstance(event, Discard | Draw) and odd(d, d.out, entry.number) == 1.0:
            proof -= 1
    return proof >= PROOF


def is_in_order(d: Draft, event: Event, winner: str) -> bool:
    """Is it the player in turn, as far as an arm was seen, who draws what is not owed, or plays a card that goes there?
    The winner, who is to have no cards, has no reason to draw at all."""
    if not isinstance(event, Discard | Draw) or event.side < SIDE_SURE:
        return False
    who = seat(d, event.by)
    if who == NOBODY or (isinstance(event, Draw) and (debt(d, who) or d.pending)):
        return False
    if isinstance(event, Draw) and event.by == winner:
        return True
    if isinstance(event, Discard) and (event.card is None or mismatch(d, event.card, who) is not None):
        return False
    return who == d.turn_id or (d.phase is Phase.DRAWN and who == following(d, d.turn_id))


def is_about(told: Told) -> bool:
    """Does it tell that a card was not the last?"""
    return ONE_MORE in told.told.extra and ONE_MORE not in told.read.event.extra


def tell(d: Draft, told: Told) -> None:
    """The hand goes on: the table says how many cards are held by who seemed to have none."""
    who = seat(d, str(told.told.extra[ONE_MORE]))
    rule(d, Code.INFERRED, who, 1, Reason.DRAWN, tier=Tier.NOTE)
    if d.phase is not HAND_OVER and not exact(d, who):
        ask(d, "how_many", who)
