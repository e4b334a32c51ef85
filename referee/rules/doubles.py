"""A card that landed upon its like: told twice, or another player's of the same face (RULES 9, 12). The moment does not
tell which; what people do next does, and then the landing is taken for what explains it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.events import Discard, Event, Lift, TurnUp
from referee.rules.echoes import NUDGE_S
from referee.rules.hand import CERTAIN, SIDE_SURE
from referee.rules.position import NOBODY, Position
from referee.rules.record import Entry
from referee.rules.unsure import strangeness

ARMLESS = 0.1
"""The share of landings without an arm, soon upon their like, that are another player's card. Too small: a card that
was laid is not believed; too large: one odd act makes a play of what the eye told twice."""
OTHERS_ARM = 0.05
"""The share of landings by another's arm, soon upon their like, that are the card beneath, told twice. Too small: the
next player is thought to have played when only reaching over; too large: one odd act undoes a play that was seen."""
ARM = 0.9
"""How surely a telling has its arm: as an arm that was well seen, never as a person's word."""


def lately(entries: Sequence[Entry]) -> int | None:
    """Where among the entries, of which the last one is odd, the last card lies that landed upon its like. Who takes a
    card back says that it was a mistake, and tells nothing of the cards before it."""
    if isinstance(entries[-1].event, Lift):
        return None
    landings = [place for place, entry in enumerate(entries) if isinstance(entry.event, Discard | TurnUp)]
    for before, place in zip(landings[-2::-1], landings[:0:-1], strict=False):
        if place < len(entries) - 1 and is_double(entries[before].event, entries[place].event):
            lifts = (entry.event for entry in entries[before:place])
            return None if any(isinstance(event, Lift) for event in lifts) else place
    return None


def is_double(first: Event, second: Event) -> bool:
    """Did the second card land soon upon its like, and was it only seen?"""
    if not isinstance(first, Discard | TurnUp) or not isinstance(second, Discard) or second.card is None:
        return False
    told = second.confidence >= CERTAIN or second.extra.get("named") or second.side >= CERTAIN
    known = told and second.by is not None
    return second.card == first.card and not known and second.t - first.t <= NUDGE_S


def retold(before: Position, entries: Sequence[Entry]) -> Discard | None:
    """The first of the entries, a card that landed upon its like, as that of another arm, where that explains the
    others better. before: the position before it."""
    first = entries[0].event
    assert isinstance(first, Discard)
    armless = first.by is None or first.side < SIDE_SURE
    found, best = None, strangeness(before, entries, first, 1.0 - (ARMLESS if armless else OTHERS_ARM))
    for reading in others(before, first, armless):
        here = strangeness(before, entries, reading, ARMLESS if armless else OTHERS_ARM)
        if here < best:
            found, best = reading, here
    return found


def others(before: Position, first: Discard, armless: bool) -> Iterator[Discard]:
    """Whose it may be besides: without an arm another player's, the one's in turn first; else the card's beneath."""
    names, owner = before.setup.names, before.setup.dealer if before.last is None else before.last.who
    players: tuple[int, ...] = (owner,) if first.by != names[owner] else ()
    if armless:
        jump = before.setup.order if before.setup.options.jump_in != "off" else ()
        players = (before.turn_id, *(player for player in jump if player != before.turn_id))
    for player in players:
        if player != NOBODY and (not armless or player != owner):
            yield replace(first, by=names[player], side=ARM)
