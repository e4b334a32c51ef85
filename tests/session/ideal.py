"""A perfect eye: the truth of a simulated evening, as the sightings that an eye without a fault would report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.cards import Card
from referee.clock import ManualClock
from referee.events import Uno
from referee.observations import CardLanded, CardReading, CardRemoved, CardsDrawn, PileTaken, Sighting
from referee.session import Session
from referee.virtual_table.script import Draw, Lay, Press, Reach, Script, TakeBack, TakePile

LATENCY_S = 0.4
"""Seconds from the hand's leaving to the decision."""


def sightings(script: Script) -> Iterator[tuple[float, Sighting]]:
    """When each is decided, and what it is; in that order."""
    hands = {(round(a.end, 3), a.seat): a for a in script.actions if isinstance(a, Lay | Draw | TakeBack | TakePile)}
    for event in script.truth["events"]:
        t, seat, kind = event["t"], event.get("seat"), event["event"]
        reach: Reach | None = hands.get((round(t, 3), seat))
        seen = {"t": t, "since": reach.contact if reach else t, "seat": seat, "seat_confidence": 0.9}
        made: Sighting | None = None
        if kind == "landed":
            made = CardLanded(**seen, reading=CardReading(Card.parse(event["card"]), 0.999), sure=True)
        elif kind == "removed":
            top = event.get("top")
            made = CardRemoved(**seen, card=Card.parse(event["card"]), top=Card.parse(top) if top else None)
        elif kind == "drew":
            made = CardsDrawn(**seen, count=event["n"])
        elif kind == "pile_taken":
            top = event.get("top")
            made = PileTaken(**seen, top=Card.parse(top) if top else None)
        if made is not None:
            yield t + LATENCY_S, made


def referee_evening(session: Session, clock: ManualClock, script: Script) -> None:
    """Plays the script's evening into the session; the clock has to stand at 0."""
    session.start_game(script.players, script.preset, script.dealer, {}, "host")
    happens: list[tuple[float, object]] = [*sightings(script), *((one.t, one) for one in script.inputs)]
    for t, what in sorted(happens, key=lambda pair: pair[0]):
        clock.t = max(clock.t, t)
        if isinstance(what, Sighting):
            session.sighted(what)
        elif isinstance(what, Press):
            session.record(Uno(t=t, by=script.players[what.seat - 1]), "button")
        else:
            session.record(replace(what.event, t=t), what.player)  # type: ignore[attr-defined]
