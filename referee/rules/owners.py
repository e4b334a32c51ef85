"""Whose wild it was: of the player in turn, who names its colour, where only an arm spoke for another (RULES 7.2)."""

from __future__ import annotations

from dataclasses import replace

from referee.events import Discard, Event, NameColour
from referee.rules.draft import Draft, following, rule, seat
from referee.rules.hand import CERTAIN
from referee.rules.position import DRAWN, NOBODY, Position
from referee.rules.record import Told
from referee.rules.rulings import Code, Tier


def laid_by(before: Position, landing: Event, named: NameColour) -> Discard | None:
    """The landing as one by the player who named the colour, where that player was in turn and another's arm alone was
    seen; else None. before: the position before the landing."""
    if not isinstance(landing, Discard) or landing.card is None or not landing.card.is_wild:
        return None
    who = before.setup.seats.get(named.by or "", NOBODY)
    if who == NOBODY or landing.by in (None, named.by) or landing.side >= CERTAIN:
        return None
    in_turn = who == before.turn_id or (before.phase is DRAWN and who == following(before, before.turn_id))
    return replace(landing, by=named.by, side=CERTAIN) if in_turn else None


def is_about(told: Told) -> bool:
    """Does it tell whose card it was?"""
    return isinstance(told.told, Discard) and told.told.by != getattr(told.read.event, "by", None)


def tell(d: Draft, told: Told) -> None:
    """It was another's card than the arm showed: that is noted."""
    assert isinstance(told.told, Discard)
    rule(d, Code.CORRECTED, seat(d, told.told.by), tier=Tier.NOTE)
