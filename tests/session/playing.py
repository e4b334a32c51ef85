"""Plays UNO into a session, one event after another, by a seed: the table of the tests that pull the plug."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from referee.cards import FACES, Card, Colour
from referee.clock import ManualClock
from referee.events import (
    Correct,
    Discard,
    Draw,
    Event,
    HandDealt,
    Lift,
    NameColour,
    Pass,
    Points,
    TurnUp,
    Uno,
)
from referee.rules import Phase, Position, can_play
from referee.session import Session
from referee.storage import Evidence, Journal

PLAYERS = ("Ana", "Ben", "Cy")


def open_session(folder: Path) -> Session:
    """The session kept in `folder`; its clock stands still."""
    return Session(Journal(folder / "journal.db"), Evidence(folder / "evidence"), ManualClock())


def begin(session: Session) -> int:
    """Starts a game of three."""
    return session.start_game(PLAYERS, "official_108", "Cy", {}, "host")


def correction(ref: int, card: Card, by: str, player: str | None = None) -> Correct:
    """What `by` says from a phone: the event `ref` was that card, laid by that player (None: as it was)."""
    whose = {} if player is None else {"by": player, "side": 1.0}
    return Correct(ref=ref, fields={**whose, "card": str(card), "confidence": 1.0, "sure": True}, by=by)


def next_event(position: Position, t: float, rng: Random) -> Event:
    """Something that may happen next, mistakes included."""
    phase, player = position.phase, position.turn
    if phase is Phase.OPENING:
        return TurnUp(t=t, card=rng.choice(FACES))
    if phase is Phase.HAND_OVER:
        missing = [name for name in position.players if name != position.winner]
        return Points(t=t, player=rng.choice(missing), n=rng.randrange(60))
    if phase in (Phase.SCORED, Phase.GAME_OVER):
        return HandDealt(t=t)
    if phase is Phase.NAME_COLOUR:
        return NameColour(t=t, colour=rng.choice(list(Colour)))
    if phase is Phase.TAKEBACK:
        return Lift(t=t)
    if phase is Phase.WD4:
        return Draw(t=t, by=player, n=4)
    if rng.random() < 0.1:
        return Uno(t=t, by=rng.choice(position.players))
    if rng.random() < 0.1:
        return Discard(t=t, card=rng.choice(FACES), by=rng.choice(position.players), confidence=0.97)
    owed = sum(due.n for due in position.dues if due.player == player)
    if owed:
        return Draw(t=t, by=player, n=owed)
    playable = [card for card in FACES if can_play(position, card)]
    if playable and rng.random() < 0.8:
        return Discard(t=t, card=rng.choice(playable), by=player, side=0.9)
    return Pass(t=t, by=player) if phase is Phase.DRAWN else Draw(t=t, by=player)


def play_on(session: Session, rng: Random, events: int) -> list[int]:
    """Records so many events, a second apart; returns their numbers."""
    return [play_once(session, rng) for _ in range(events)]


def play_once(session: Session, rng: Random) -> int:
    """Records one event and returns its number."""
    position = session.position()
    assert position is not None
    t = session.entries()[-1].event.t + 1.0
    return session.record(next_event(position, t, rng), author="table")


def record_for_ever(folder: Path, seed: int, acknowledge: Callable[[int], object]) -> None:
    """The referee that gets killed: resumes the game in `folder`, or begins one, and plays on, saying each number."""
    session = open_session(folder)
    if session.position() is None:
        acknowledge(begin(session))
    rng = Random(seed)
    while True:
        acknowledge(play_once(session, rng))
