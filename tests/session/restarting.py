"""Two sessions of one evening, of which only one is restarted at times: whatever it forgot, they come to differ.

    python tests/session/restarting.py [EVENINGS [FIRST]]    many evenings; names those that differ
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import ideal

from referee.cards import FACES
from referee.clock import ManualClock
from referee.dashboard.appeals import Appeals
from referee.dashboard.guard import Who
from referee.dashboard.refused import Refused
from referee.events import (
    Answer,
    Catch,
    Correct,
    Count,
    Discard,
    Event,
    Join,
    Json,
    Leave,
    Lift,
    NameColour,
    Override,
    Pause,
    Points,
    Rename,
    Resume,
    TurnUp,
    Undo,
    Uno,
)
from referee.observations import CardReading, PileSeen, Sighting
from referee.rules import Phase, Position
from referee.session import Session
from referee.session.session import RESTART_GAP_S
from referee.storage import Evidence, Journal
from referee.virtual_table import Level, Mistakes, play
from referee.virtual_table.customs import CUSTOMS
from referee.virtual_table.script import Input, Press

RESTARTS, SAYS, STOPS = 0.04, 0.12, 0.1
"""How often, as a share of acts, the plug is pulled, somebody says something, the table pauses instead."""
TICK = 1 / 256
"""Seconds of which every time is a multiple: then sums are exact, and both sessions' clocks show the same."""
PEOPLE = Mistakes(illegal=0.04, out_of_turn=0.02, forgotten_uno=0.3, bluff=0.3, challenge=0.3)


class Side:
    """One of the two: a session with its clock and the dashboard's appeals."""

    def __init__(self, folder: Path, names: tuple[str, ...]) -> None:
        self._folder, self._names = folder, names
        self.heard = 0
        self._open()

    def _open(self) -> None:
        self.clock = ManualClock()
        self.session = Session(Journal(self._folder / "journal.db"), Evidence(self._folder / "evidence"), self.clock)
        self.appeals = Appeals(self.session, lambda: self._names)  # all phones are here
        self.heard = self.session.board()["seq"]

    def restart(self) -> None:
        """The plug is pulled, and put back."""
        self.session.close()
        self._open()

    def restart_takes(self) -> float:
        """Seconds of the table's time from now to when it goes on; negative where it has been quiet for longer."""
        latest = max(entry.event.t for entry in self.session.entries())
        return latest + RESTART_GAP_S - self.session.now()

    def wait(self, seconds: float) -> None:
        self.clock.t += seconds
        self.heard = self.session.board()["seq"]

    def do(self, act: Act) -> str:
        """Returns what came of it: the number of the event, or why there is none."""
        self.clock.t += act.after
        try:
            if isinstance(act.what, Sighting):
                since = act.what.since
                lag = 0.0 if since is None else act.what.t - since
                seen = replace(act.what, t=self.clock.t, since=None if since is None else self.clock.t - lag)
                return str(self.session.sighted(seen))
            if isinstance(act.what, Event):
                number = self.session.record(act.what, act.author)
                if isinstance(act.what, Rename):
                    self.appeals.rename(act.what.player, act.what.to)
                self.appeals.settle()
                return str(number)
            self.vote(*act.what)
            return "voted"
        except (ValueError, Refused) as refused:
            return str(refused)

    def vote(self, word: str, what: object, who: Who) -> None:
        if word == "appeal":
            self.appeals.open(what, who)
        else:
            self.appeals.vote(what, who)

    def state(self) -> dict[str, Any]:
        """Everything that a table sees or hears, and what it comes of."""
        board = self.session.board()
        news = [{**one, "seq": 0} for one in self.session.announcements(self.heard)]
        self.heard = board["seq"]
        return {
            "position": self.session.position(), "news": news,
            "appeal": self.appeals.shown(board), "upheld": self.appeals.upheld(board),
            "board": {key: value for key, value in board.items() if key not in ("seq", "t", "eye")},
        }  # fmt: skip

    def record(self) -> dict[str, Any]:
        """All that was kept, and what it comes to."""
        game = self.session.replayed()
        kept = [(entry.number, as_remembered(entry.event), entry.author) for entry in self.session.entries()]
        return {"entries": kept, "replayed": game.position, "rulings": game.rulings, "plays": game.plays}


class Act(NamedTuple):
    """after: seconds since the act before; what: seen by the eye, said by a phone, or said about an appeal."""

    after: float
    what: Sighting | Event | tuple[str, object, Who]
    author: str = "host"


def exact(t: float) -> float:
    return round(t / TICK) * TICK


def said(rng: Random, session: Session, position: Position) -> Event | tuple[str, object, Who]:
    """What somebody at the table says, sensible or not."""
    names, entries, board = position.players, session.entries()[1:], session.board()
    by, other = rng.choice(names), rng.choice(names)
    numbers = [entry.number for entry in entries[-12:]] or [0]
    landed = [entry.number for entry in entries if isinstance(entry.event, Discard | TurnUp)][-5:] or [0]
    question = rng.choice(position.questions) if position.questions else None
    if question is not None and rng.random() < 0.4:
        values: tuple[Json, ...] = question.options or (0, 1, 2, "R7", "yes", "no", by)
        return Answer(question=question.id, value=rng.choice(values), by=by)
    if board["rulings"] and rng.random() < 0.15:
        return "appeal", rng.choice(board["rulings"][:4])["id"], Who(by, True, False)
    card = str(rng.choice(FACES))
    choices: list[Event] = [
        Undo(by=by), Undo(by=by), Undo(ref=rng.choice(numbers), by=by), Uno(by=by), Catch(by=by, on=other),
        Correct(ref=rng.choice(landed), fields={"card": card, "confidence": 1.0, "sure": True}, by=by),
        Correct(ref=rng.choice(landed), fields={"by": other, "side": 1.0}, by=by),
        Override(what=rng.choice(("legal", "void")), ref=rng.choice(numbers), by=by),
        Count(player=other, n=rng.randrange(1, 4), by=by), Points(player=other, n=rng.randrange(30), by=by),
        Rename(player=other, to=f"{other[:3]} {rng.randrange(9)}"), Leave(player=other), Join(player="Zoe", after=by),
        NameColour(by=by, colour=rng.choice([card.colour for card in FACES if card.colour])),
    ]  # fmt: skip
    return rng.choice(choices)


def next_steps(rng: Random, side: Side) -> Iterator[Act]:
    """What people do between two acts of the evening: pauses, appeals and the end of these, words."""
    position, appeal = side.session.position(), side.appeals.shown(side.session.board())
    assert position is not None
    if appeal is not None and rng.random() < 0.3:
        yield Act(1.0, ("vote", rng.random() < 0.5, Who(None, False, True)))
    elif position.paused:
        if rng.random() < 0.3:
            yield Act(1.0, Resume(by=rng.choice(position.players)))
    elif rng.random() < SAYS:
        stops = rng.random() < STOPS and position.phase is not Phase.OPENING
        yield Act(0.5, Pause(by=rng.choice(position.players)) if stops else said(rng, side.session, position))


def fresh_look(position: Position, rng: Random) -> Act:
    """The first thing that an eye tells which has just been started: what lies on top."""
    card = position.top if position.top is not None and rng.random() < 0.9 else rng.choice(FACES)
    return Act(2.0, PileSeen(t=0.0, reading=CardReading(card, 0.99), sure=True))


def as_remembered(event: Event) -> Event:
    """Without for how long a card had lain, where that is longer than any rule asks: a restart forgets it."""
    return replace(event, lain=None) if isinstance(event, Lift) and (event.lain or 0.0) > RESTART_GAP_S else event


def unlike(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """What is not the same in both."""
    found = []
    for key in ours:
        one, other = ours[key], theirs[key]
        if isinstance(one, dict) and isinstance(other, dict):
            keys = dict.fromkeys((*one, *other))
            found += [f"{key}.{line}" for line in unlike({**keys, **one}, {**keys, **other})]
        elif isinstance(one, list | tuple) and not hasattr(one, "_fields") and one != other:
            both = [*zip_longest(one, other or ())]
            found += [f"{key}[{at}]: {a} / {b}" for at, (a, b) in enumerate(both) if a != b]
        elif one != other:
            found.append(f"{key}: {one} / {other}")
    return found


def differences(seed: int, folder: Path) -> list[str]:
    """What of an evening with restarts is not as it is without, and after which act; empty: nothing."""
    rng = Random(f"restart {seed}")
    preset, players = rng.choice(list(CUSTOMS)), rng.randrange(2, 6)
    script = play(seed, players=players, hands=1, preset=preset, level=Level.NORMAL, mistakes=PEOPLE, seconds=400)
    for name in ("whole", "broken"):
        (folder / name).mkdir()
    whole, broken = (Side(folder / name, script.players) for name in ("whole", "broken"))
    for side in (whole, broken):
        side.session.start_game(script.players, preset, script.dealer, {}, "host")
    happens: list[tuple[float, Sighting | Input]] = [*ideal.sightings(script), *((one.t, one) for one in script.inputs)]
    now, found = 0.0, list[str]()
    for t, what in sorted(happens, key=lambda pair: pair[0]):
        acts, after, now = [*next_steps(rng, whole)], exact(t - now), t
        if isinstance(what, Sighting):
            since = None if what.since is None else exact(what.t - what.since)
            acts.append(Act(after, replace(what, t=0.0, since=None if since is None else -since), "eye"))
        elif isinstance(what, Press):
            acts.append(Act(after, Uno(by=script.players[what.seat - 1]), "button"))
        else:
            acts.append(Act(after, replace(what.event, t=0.0), what.player))
        for act in acts:
            came = [side.do(act) for side in (whole, broken)]
            if came[0] != came[1]:
                found.append(f"{act}: {came}")
        position = whole.session.position()
        if rng.random() < RESTARTS and position is not None and (gap := whole.restart_takes()) > 0:
            whole.wait(gap)
            broken.restart()
            look = fresh_look(position, rng)
            for side in (whole, broken):
                side.do(look)
        found += [f"{what} after {acts[-1]}" for what in unlike(whole.state(), broken.state())]
        if found:
            break
    found += unlike(whole.record(), broken.record())
    for side in (whole, broken):
        side.session.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evenings", nargs="?", type=int, default=100, metavar="EVENINGS")
    parser.add_argument("first", nargs="?", type=int, default=0, metavar="FIRST")
    chosen = parser.parse_args()
    for seed in range(chosen.first, chosen.first + chosen.evenings):
        with tempfile.TemporaryDirectory() as folder:
            for line in differences(seed, Path(folder))[:2]:
                print(seed, line[:1500], flush=True)


if __name__ == "__main__":
    main()
