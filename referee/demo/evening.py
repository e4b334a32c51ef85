"""The evening that a demo plays: its simulated table, how far it has come, and the account of it."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from referee.demo.score import Landing, Verdict, score_readings, score_rulings
from referee.durable import write_atomically
from referee.events import Discard, TurnUp
from referee.rules import replay
from referee.session import Session
from referee.storage import Journal
from referee.storage.journal import FILE_NAME as JOURNAL_FILE
from referee.virtual_table import Level, Look, VirtualTable, play
from referee.vision.calibration import Calibration, parse_calibration
from referee.vision.eye import Eye
from referee.vision.nets import load_models

FILE_NAME = "demo.json"
AUTHOR = "demo"
FIRST_PIN = 2
"""GPIO number of seat 1's button on the mock pins; the next seat's is one more."""


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """What is played. The same plan is the same evening."""

    seed: int = 1
    players: int = 4
    hands: int = 3
    preset: str = "official_108"
    level: str = "normal"
    style: str | None = "white_oval"
    top: str | None = "wood"
    fps: float = 15.0

    def table(self) -> VirtualTable:
        """The simulated table. Raises ValueError for what there is not."""
        level = Level(self.level)
        look = Look.draw(self.seed, level, self.top, self.style)
        script = play(self.seed, players=self.players, hands=self.hands, preset=self.preset, level=level)
        return VirtualTable(script, look)


@dataclass
class Evening:
    """A plan being played, kept in `folder` so that a demo that was killed goes on where it was.

    offsets: (table time from which it holds, table time less script time), one for each start.
    """

    plan: DemoPlan
    folder: Path
    offsets: list[tuple[float, float]] = field(default_factory=list)

    @classmethod
    def open(cls, folder: Path, plan: DemoPlan) -> Evening:
        """The evening in `folder`, or a new one by `plan`. Raises ValueError when another one is played there."""
        file = folder / FILE_NAME
        if not file.exists():
            return cls(plan, folder)
        try:
            data = json.loads(file.read_text("utf-8"))
            kept = cls(DemoPlan(**data["plan"]), folder, [(float(t), float(by)) for t, by in data["offsets"]])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}: damaged ({error}); delete the folder for a new demo") from None
        if kept.plan != plan:
            raise ValueError(f"{folder}: another demo was begun there; name another folder or delete this one")
        return kept

    @cached_property
    def begin(self) -> float:
        """Seconds of the script from which to play: 0, or where the journal ends."""
        if not self.offsets:
            return 0.0
        journal = Journal(self.folder / JOURNAL_FILE, read_only=True)
        try:
            return max(
                0.0, self.script_time(max(entry.event.t for entry in journal.entries(journal.games()[-1].number)))
            )
        finally:
            journal.close()

    def start(self, session: Session, table: VirtualTable) -> None:
        """Starts the game unless it was begun before."""
        if not session.entries():
            script = table.script
            session.start_game(script.players, script.preset, script.dealer, {}, AUTHOR)

    def aligned(self, table_time: float, script_time: float) -> None:
        """From now on the table's clock shows `table_time` when the script is at `script_time`; kept on disk."""
        self.offsets.append((table_time, table_time - script_time))
        kept = {"plan": asdict(self.plan), "offsets": self.offsets}
        write_atomically(self.folder / FILE_NAME, json.dumps(kept).encode())

    def script_time(self, table_time: float) -> float:
        """The script's time of an event of the journal."""
        at = bisect_right([since for since, _ in self.offsets], table_time) - 1
        return table_time - self.offsets[max(0, at)][1]

    def report(self, session: Session, truth: Mapping[str, Any], questions: int, seconds: float) -> dict[str, Any]:
        """The object that `referee demo --json` prints last (CONTRACT), and in detail what was not right."""
        entries = session.entries()
        log = [(entry.number, entry.event) for entry in entries]
        game = replay(log)
        times = {number: event.t for number, event in log}
        landings = [
            Landing(self.script_time(event.t), "?" if event.card is None else str(event.card), event.sure)
            for _, event in game.events
            if isinstance(event, Discard | TurnUp)
        ]
        verdicts = [
            Verdict(
                self.script_time(times[filed.number]), filed.ruling.code.value,
                filed.ruling.player or filed.ruling.winner, filed.ruling.n or None,
                filed.ruling.reason.value if filed.ruling.reason else None, filed.ruling.tier.value,
            )
            for filed in game.rulings
            if not filed.overruled
        ]  # fmt: skip
        scores = truth["hands"][-1]["scores"] if truth["hands"] else {}
        return {
            "hands": len(truth["hands"]),
            "plays": sum(event["event"] == "landed" for event in truth["events"]),
            "readings": score_readings(truth["events"], landings),
            "rulings": score_rulings(truth["rulings"], verdicts),
            "questions": questions,
            "scores_right": game.position is not None and dict(game.position.scores) == scores,
            "seconds": round(seconds, 1),
        }


def eye_for(calibration: Mapping[str, Any]) -> Eye:
    """The eye over a table; a function of a module, because it travels into the camera process."""
    return Eye(parse_calibration(calibration), load_models())


def calibrated(table: VirtualTable) -> tuple[Calibration, partial[Eye]]:
    """The table's calibration, and what makes its eye."""
    data = table.calibration()
    return parse_calibration(data), partial(eye_for, data)


def seat_pins(players: int) -> dict[int, int]:
    """GPIO number of every seat's button on the mock pins."""
    return {seat: FIRST_PIN + seat - 1 for seat in range(1, players + 1)}


class QuestionCount:
    """Counts the questions that the table was really asked: a screen shows one only from its `after` on (RULES 13)."""

    def __init__(self) -> None:
        self._asked: set[str] = set()

    def look(self, question: Mapping[str, Any] | None, now: float) -> None:
        """Takes in the board's question (None: there is none) at `now`, seconds on the table's clock."""
        if question is not None and now >= question["after"]:
            self._asked.add(question["id"])

    def __len__(self) -> int:
        return len(self._asked)
