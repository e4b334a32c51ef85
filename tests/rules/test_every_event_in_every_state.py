"""Every event in every state, and a second event after each: nothing raises, every position is sound, every change of
phase is in the state table, and a replay is the same game as one event after the other (RULES 10, 14).

The states are lines in `tests/tables/reached`, written as in `test_tables.py`: name | rules | start | what happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as with_fields
from functools import cache

import pytest
from test_invariants import sound
from test_tables import TABLES, act, table

from referee.cards import Card, Colour
from referee.events import (
    Answer,
    Begin,
    Catch,
    Challenge,
    ChallengeResult,
    Correct,
    Count,
    Discard,
    Draw,
    Event,
    HandDealt,
    Join,
    Leave,
    Lift,
    NameColour,
    Override,
    Pass,
    Pause,
    Points,
    Reshuffle,
    Resume,
    ReturnOpening,
    Show,
    Suggestion,
    Target,
    TopSeen,
    TouchDiscard,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import Phase, Position, apply, replay, start
from referee.rules.position import URGENCY
from referee.rules.states import follows

CARDS = tuple(Card.parse(word) for word in ("R3", "G5", "R7", "R+2", "RS", "RR", "W", "W+4", "WS"))
T = 40.0
"""Seconds on the table's clock of the first event that is tried."""


def tried(position: Position, t: float) -> Iterator[Event]:
    """Every kind of event by the player in turn, the next, the one after, nobody known and a stranger."""
    names = position.players
    first = names.index(position.turn) if position.turn in names else 0
    people = dict.fromkeys((*(names[(first + k) % len(names)] for k in range(3)), names[first - 1]))
    lies = position.takeback[1] if position.takeback is not None else position.top
    for by in (*people, None, "Zed"):
        for card in (*CARDS, lies, None):
            for sure in (True, False):
                yield Discard(t=t, card=card, by=by, sure=sure)
        for n in (1, 2, 4, None):
            yield Draw(t=t, by=by, n=n)
        for kind in (Uno, Challenge, Pass, Begin, TouchDiscard):
            yield kind(t=t, by=by)
        yield Lift(t=t, card=lies, by=by)
        yield NameColour(t=t, by=by, colour=Colour.GREEN)
        for guilty in (True, False):
            yield ChallengeResult(t=t, by=by, guilty=guilty)
        for on in (*people, None, "Zed"):
            yield Catch(t=t, by=by, on=on)
            yield Target(t=t, by=by, target=on or "Nobody")
        yield Suggestion(t=t, by=by)
        for what in ("legal", "illegal", "void", "turn"):
            yield Override(t=t, what=what, player=by)
    for player in (*people, "Zed"):
        for n in (0, 1, 3):
            yield Count(t=t, player=player, n=n)
        for held in ((), CARDS[:2]):
            yield Show(t=t, by=player, cards=held)
        yield Points(t=t, player=player, n=20)
        yield Leave(t=t, player=player)
        yield Join(t=t, player=player)
        yield HandDealt(t=t, dealer=player)
    for kind in URGENCY:
        for value in (*people, "yes", "no", "R", "R7", "none", 1):
            yield Answer(t=t, question=kind, value=value)
    for card in (CARDS[0], lies, None):
        yield Lift(t=t, card=card)
        yield Resume(t=t, top=card)
        yield TopSeen(t=t, card=card)
    for card in (CARDS[1], CARDS[4], CARDS[6], CARDS[7], None):
        yield TurnUp(t=t, card=card)
    yield from (ReturnOpening(t=t), Reshuffle(t=t), Pause(t=t), Resume(t=t, changed=True))


def edits(numbers: int, t: float) -> Iterator[Event]:
    """Events about earlier ones."""
    for ref in (None, *range(1, numbers)):
        yield Undo(t=t, ref=ref)
        for what in ("legal", "void"):
            yield Override(t=t, what=what, ref=ref)
        for fields in ({"card": "R3"}, {"card": "W+4"}, {"by": "B", "side": 1.0}, {"n": 2}):
            if ref is not None:
                yield Correct(t=t, ref=ref, fields=fields)


def second(position: Position, t: float) -> Iterator[Event]:
    """What may follow anything: the few events that move most."""
    names = position.players
    first = names.index(position.turn) if position.turn in names else 0
    for by in dict.fromkeys((names[first], names[(first + 1) % len(names)], names[first - 1])):
        yield Discard(t=t, card=CARDS[0], by=by)
        yield Discard(t=t, card=CARDS[7], by=by)
        yield Draw(t=t, by=by, n=1)
        yield Leave(t=t, player=by)
    yield from (Lift(t=t), Pass(t=t), Override(t=t, what="legal"), Override(t=t, what="illegal"))
    yield Answer(t=t, question="whose_turn", value=names[first - 1])


def checked(before: Position, event: Event) -> Position:
    """The position after the event, which is sound, and follows by the table of states."""
    after = apply(before, event)[0]
    sound(after)
    assert after.phase in followers(before.phase, event.ev), f"{before.phase} {event.ev} {after.phase}"
    return after


followers = cache(follows)


STATES = (TABLES / "reached" / "states.txt").read_text().splitlines()
LINES = [[part.strip() for part in line.split("|")] for line in STATES if not line.startswith("#")]


@pytest.mark.parametrize(("rules", "game", "acts"), [line[1:] for line in LINES], ids=[line[0] for line in LINES])
def test_every_event(rules: str, game: str, acts: str) -> None:
    log: list[tuple[int, Event]] = [(0, table(rules, game))]
    t = 0.0
    for number, text in enumerate(filter(None, (part.strip() for part in acts.split(";"))), 1):
        gap, _, said = text.partition(" ") if text.startswith("+") else ("2", "", text)
        t += float(gap)
        log.append((number, act(said, t)))
    position = start(log[0][1])  # type: ignore[arg-type]
    for number, event in log[1:]:
        position = apply(position, event, number)[0]
    sound(position)
    reached: dict[object, list[Position]] = {}
    for event in tried(position, T):
        after = checked(position, event)
        alike = reached.setdefault((after.phase, after.turn_id, after.best, after.owed, after.top), [])
        if after in alike:
            continue
        alike.append(after)
        for later in second(after, T + 0.1):
            checked(after, later)
        game_so_far = replay([*log, (len(log), event)]).position
        assert game_so_far is not None
        if event.ev in ("answer", "colour", "target", "override"):
            sound(game_so_far)  # may be about an earlier event
        else:
            assert game_so_far == with_fields(after, number=len(log))
    for event in edits(len(log), T):
        found = replay([*log, (len(log), event)]).position
        assert found is not None
        sound(found)


def test_every_phase_is_there() -> None:
    """The states above miss none of the phases."""
    named = {line[0].partition(",")[0].partition(" ")[0] for line in LINES}
    assert {phase.value for phase in Phase} <= named
