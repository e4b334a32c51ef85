"""A game read from its journal: every step that counts with the position after it, and the referee's own record.

Two passes. In the order in which things were recorded, to learn what the referee said at the time and what the table
then put right; and in the order of effect, with every correction in it, to tell what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.events import (
    Answer,
    Correct,
    Draw,
    Event,
    GameStarted,
    HandDealt,
    Override,
    Pause,
    Rename,
    Resume,
    Undo,
    Upheld,
)
from referee.rules import Code, Filed, Play, Position, Replay, Tier, replay

SILENT = (GameStarted, HandDealt, Answer, Correct, Undo, Override, Pause, Resume, Upheld, Rename)
"""Events that are about the game and not moves in it: no step of the story, unless something was ruled on them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened, corrected, with what was ruled on it and the position after it."""

    number: int
    event: Event
    play: Play | None
    rulings: tuple[Filed, ...]
    before: Position | None
    after: Position

    @property
    def drew(self) -> tuple[str | None, int]:
        """Who drew in this step and how many cards: None and 0 where it is no draw, or none that counts.

        The hand that grew tells, for a button or an arm does not always say whose it was or how many it took.
        """
        if not isinstance(self.event, Draw) or self.before is None:
            return None, 0
        were = self.before.hands
        grew = {name: count.best - were[name].best for name, count in self.after.hands.items()}
        lay = self.before.takeback
        if lay is not None and self.after.takeback is None:
            grew[lay[0]] -= 1  # the wrong card went back to its player: that was no card drawn
        said = self.event.by or self.before.turn
        who = max(grew, key=lambda name: (grew[name] > 0, name == said, grew[name]))
        n = grew[who] if self.event.n is None else min(grew[who], self.event.n)
        return (who, n) if n > 0 else (None, 0)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: its number from 1, its steps in order, and the position after its last event."""

    number: int
    steps: tuple[Step, ...]
    end: Position

    @property
    def seconds(self) -> float:
        """Table time from the first step to the last."""
        return self.steps[-1].event.t - self.steps[0].event.t if self.steps else 0.0


@dataclass(frozen=True, slots=True)
class Record:
    """The referee's own record.

    plays: cards that landed; unsure: those read without certainty; corrected: those that people put right; calls:
    rulings that were announced; overturned: those that the table put right, by overruling, correcting or undoing;
    asked: questions put to the table.
    """

    plays: int = 0
    unsure: int = 0
    corrected: int = 0
    calls: int = 0
    overturned: int = 0
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A game with all its hands, oldest first."""

    started: GameStarted
    hands: tuple[Hand, ...]
    record: Record
    game: Replay = field(repr=False)

    @property
    def end(self) -> Position:
        """The position after everything."""
        return self.hands[-1].end


def read(recorded: Iterable[tuple[int, Event]], people: Iterable[int] = ()) -> Chronicle | None:
    """The chronicle of the events of one game, as (number, event); None where no game begins.

    people: numbers of the events that a person and not the camera recorded: a correction by the eye itself, after a
    better look, is not held against it.
    """
    events = sorted(recorded, key=lambda entry: entry[0])
    started = next((event for _, event in events if isinstance(event, GameStarted)), None)
    game = replay(events)
    if started is None or game.position is None:
        return None
    record = _record(events, game, frozenset(people))
    return Chronicle(started, tuple(_hands(game)), record, game)


def _hands(game: Replay) -> Iterator[Hand]:
    plays = {play.number: play for play in game.plays}
    filed: dict[int, list[Filed]] = {}
    for ruling in game.rulings:
        filed.setdefault(ruling.number, []).append(ruling)
    again, steps, before = Replay(), list[Step](), None
    for number, event in game.events:
        again.append(number, event)
        after = again.position
        if after is None:
            continue
        if before is not None and after.hand != before.hand:
            yield Hand(before.hand, tuple(steps), before)
            steps = []
        rulings = tuple(filed.pop(number, ()))
        if rulings or not isinstance(event, SILENT):
            steps.append(Step(number, event, plays.get(number), rulings, before, after))
        before = after
    if before is not None:
        yield Hand(before.hand, tuple(steps), before)


def _record(events: list[tuple[int, Event]], game: Replay, people: frozenset[int]) -> Record:
    called: set[tuple[int, int]] = set()
    overturned: set[tuple[int, int]] = set()
    asked: set[str] = set()
    told = Replay()
    known = 0
    for number, event in events:
        if told.position is not None:  # a question that play settled before it was due was never put
            asked |= {question.id for question in told.position.questions if question.after <= event.t}
        told.append(number, event)
        fresh = told.rulings if told.vanished else told.rulings[known:]
        called |= {(filed.number, filed.k) for filed in fresh if _announced(filed)}
        if number in people or isinstance(event, Override | Undo):
            overturned |= {(filed.number, filed.k) for filed in told.vanished if _announced(filed)}
        known = len(told.rulings)
    overturned |= {(filed.number, filed.k) for filed in game.rulings if filed.overruled and _announced(filed)}
    corrected = {
        event.ref for number, event in events if isinstance(event, Correct) and number in people and event.fields
    }
    return Record(
        plays=len(game.plays),
        unsure=sum(not play.event.sure for play in game.plays),
        corrected=len(corrected),
        calls=len(called),
        overturned=len(overturned & called),
        asked=len(asked),
    )


def _announced(filed: Filed) -> bool:
    return filed.ruling.tier is Tier.CALL and filed.ruling.code not in (Code.HAND_OVER, Code.GAME_OVER)
