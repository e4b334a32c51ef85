"""What a sighting of the eye means as an event of the game: seats become players, landings become plays. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.cards import Card
from referee.events import (
    Correct,
    Discard,
    Draw,
    Event,
    HandDealt,
    Lift,
    Pause,
    Reshuffle,
    Resume,
    ReturnOpening,
    TopSeen,
    TurnUp,
)
from referee.observations import (
    CardLanded,
    CardRead,
    CardReading,
    CardRemoved,
    CardsDrawn,
    PileSeen,
    PileTaken,
    Sighting,
)
from referee.rules import Phase, Position

_NO_GAME = (Phase.SCORED, Phase.GAME_OVER)
_NO_PILE = (Phase.OPENING, Phase.HAND_OVER, *_NO_GAME)
"""Phases in which the table deals or gathers up the cards: what leaves the piles means nothing to the game."""

ARM_AT_MOST = 0.99
"""Confidence, 0 to 1: an arm is never as sure as a person who says who it was (1.0), so that the rules ask before a
card out of turn costs anybody cards (RULES 7.2). Below 0.8 the seat of an arm would never count."""


def to_events(
    sighting: Sighting,
    position: Position,
    by: str | None,
    t: float,
    photo: str | None,
    landed: float | None = None,
) -> tuple[Event, ...]:
    """The events that the sighting stands for in `position`, the last one being its own; none when it means nothing.

    by: the player at the sighting's seat. t: seconds on the table's clock at which it was first seen: the hand came.
    landed: seconds on the same clock as the sighting's own times at which the last card lay at rest.
    """
    phase = position.phase
    side = min(sighting.seat_confidence, ARM_AT_MOST) if by else 1.0
    if isinstance(sighting, CardLanded):
        card, seen = sighting.reading.card, _reading(sighting.reading, sighting.sure, photo)
        if phase is Phase.OPENING:
            return (TurnUp(t=t, card=card, by=by, side=side, **seen),)
        if phase is Phase.SCORED:  # the next hand has been dealt, and nobody told us
            return HandDealt(t=t), TurnUp(t=t, card=card, by=by, side=side, **seen)
        if phase is not Phase.GAME_OVER:
            return (Discard(t=t, card=card, by=by, side=side, **seen),)
    elif isinstance(sighting, CardRemoved):
        if phase is Phase.OPENING and sighting.card is not None:
            return (ReturnOpening(t=t, photo=photo),)
        if phase not in _NO_PILE:
            came = sighting.t if sighting.since is None else sighting.since
            lain = None if landed is None else round(max(0.0, came - landed), 3)
            return (Lift(t=t, card=sighting.card, by=by, lain=lain, photo=photo),)
    elif isinstance(sighting, CardsDrawn):
        if phase not in (Phase.OPENING, *_NO_GAME):
            return (Draw(t=t, by=by, n=sighting.count, side=side, photo=photo),)
    elif isinstance(sighting, PileSeen):
        return (TopSeen(t=t, card=sighting.reading.card, **_reading(sighting.reading, sighting.sure, photo)),)
    elif isinstance(sighting, PileTaken) and phase not in _NO_PILE:
        return (Reshuffle(t=t, bare=sighting.top is None, photo=photo),)
    return ()


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What happened to the discard pile during a pause. top: the card on it, None when that is not known."""

    changed: bool = False
    top: Card | None = None

    def after(self, sighting: Sighting) -> Meanwhile:
        """What it is after one more sighting (RULES 12: on resume the top card is compared)."""
        if isinstance(sighting, CardLanded | CardRead | PileSeen):
            return Meanwhile(True, sighting.reading.card if sighting.sure else None)
        if isinstance(sighting, CardRemoved):
            return Meanwhile(True, sighting.top)
        return Meanwhile(True) if isinstance(sighting, PileTaken) else self


@dataclass(frozen=True, slots=True)
class Missed:
    """What the eye saw while nothing could be written down, as on a full disk. since, until: seconds on the table's
    clock of the first and the last of it."""

    since: float
    until: float
    pile: Meanwhile

    def after(self, sighting: Sighting, t: float) -> Missed:
        """What it is after one more sighting, at `t`."""
        return replace(self, until=max(self.until, t), pile=self.pile.after(sighting))

    def as_events(self) -> tuple[Event, ...]:
        """What it means to the game: a pause, so that nobody is accused upon a pile that is not known."""
        return Pause(t=self.since), Resume(t=self.until, top=self.pile.top, changed=self.pile.changed)


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on the discard pile before a game begins: families deal first and press the button afterwards.

    bare: nothing lies there, as far as is known. top: what told of the top card, None where that is not known.
    """

    bare: bool = True
    top: CardLanded | PileSeen | None = None

    def after(self, sighting: Sighting) -> Lying:
        """What lies there after one more sighting."""
        if isinstance(sighting, CardLanded):
            return Lying(False, sighting if self.bare else None)
        if isinstance(sighting, CardRead) and isinstance(self.top, CardLanded) and self.top.t == sighting.t:
            return replace(self, top=replace(self.top, reading=sighting.reading, sure=sighting.sure))
        if isinstance(sighting, PileSeen):
            known = self.top is not None and self.top.reading.card == sighting.reading.card
            return self if known else Lying(False, sighting)
        if isinstance(sighting, CardRemoved | PileTaken):
            return Lying(sighting.top is None)
        return self

    def as_first(self, t: float) -> TurnUp | TopSeen | None:
        """What it means to a game that begins at t: a card that came to a bare table has been turned up; of one that
        lay there before anybody watched, the table is asked."""
        if self.top is None or self.top.reading.card is None:
            return None
        seen = _reading(self.top.reading, self.top.sure, None)
        kind = TurnUp if isinstance(self.top, CardLanded) else TopSeen
        return kind(t=t, card=self.top.reading.card, **seen)


def better_look(sighting: CardRead, landing: Discard | TurnUp, ref: int, photo: str | None) -> Correct | None:
    """The correction of the landing numbered `ref` by a later look, None when that says nothing new."""
    reading = sighting.reading
    if reading.card == landing.card:
        news = sighting.sure and not landing.sure
    else:
        news = sighting.sure or (not landing.sure and reading.confidence > landing.confidence)
    if reading.card is None or not news:
        return None
    seen = _reading(reading, sighting.sure, photo or landing.photo)
    alternatives = [list(pair) for pair in seen["alternatives"]]
    return Correct(ref=ref, fields={**seen, "card": reading.notation, "alternatives": alternatives})


def _reading(reading: CardReading, sure: bool, photo: str | None) -> dict[str, Any]:
    alternatives = tuple((str(card), p) for card, p in reading.alternatives)
    return {"confidence": reading.confidence, "sure": sure, "alternatives": alternatives, "photo": photo}
