"""Chronicles as JSON for pages and scripts, and as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any

from referee.cards import Card
from referee.chronicle.reading import Chronicle, Hand, Step
from referee.chronicle.statistics import PlayerRecord
from referee.events import Discard, Event, NameColour, Seen, Show, TurnUp, subject
from referee.rules import Position, say


def game_json(chronicle: Chronicle, number: int, wall: float) -> dict[str, Any]:
    """A game with its score sheet and the referee's record; players' figures are in `statistics_json`.

    wall: seconds since 1970 as the machine knew it when the game began.
    """
    end = chronicle.end
    sheet = [
        {
            "hand": hand.number, "winner": hand.end.winner, "totals": dict(hand.end.scores),
            "plays": sum(step.play is not None for step in hand.steps), "seconds": round(hand.seconds, 1),
        }
        for hand in chronicle.hands
    ]  # fmt: skip
    return {
        "game": number, "wall": round(wall, 3), "players": list(end.scores), "preset": chronicle.started.preset,
        "scoring": end.options.scoring, "target": end.options.target, "hands": len(chronicle.hands),
        "totals": dict(end.scores), "winner": end.game_winner, "phase": end.phase.value,
        "sheet": sheet, "record": asdict(chronicle.record),
    }  # fmt: skip


def hand_json(hand: Hand, lang: str = "en") -> dict[str, Any]:
    """A hand, step by step."""
    return {"hand": hand.number, "winner": hand.end.winner, "steps": [_step(step, lang) for step in hand.steps]}


def statistics_json(records: Mapping[str, PlayerRecord]) -> dict[str, dict[str, Any]]:
    """Players' figures; `usual_turn_s` is the median, null without a turn."""
    told: dict[str, dict[str, Any]] = {}
    for name, record in records.items():
        usual = record.usual_turn_s
        told[name] = {key: value for key, value in asdict(record).items() if key != "turn_s"}
        told[name]["usual_turn_s"] = None if usual is None else round(usual, 1)
    return told


def scores_csv(chronicle: Chronicle) -> str:
    """The totals after each hand, one line a hand; a player who was not there yet has an empty field."""
    names = list(dict.fromkeys(name for hand in chronicle.hands for name in hand.end.scores))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["hand", "winner", *names])
    for hand in chronicle.hands:
        table.writerow([hand.number, hand.end.winner, *(hand.end.scores.get(name, "") for name in names)])
    return out.getvalue()


def statistics_csv(games: Iterable[Mapping[str, Any]]) -> str:
    """A line for each player of each game. games: {"game", "wall", "players": `statistics_json`}; the time is UTC."""
    figures = [f.name for f in fields(PlayerRecord) if f.name not in ("games", "turn_s")] + ["usual_turn_s"]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["game", "began", "player", *figures])
    for game in games:
        began = datetime.fromtimestamp(game["wall"], UTC).isoformat(timespec="seconds")
        for name, did in game["players"].items():
            table.writerow([game["game"], began, name, *(did[figure] for figure in figures)])
    return out.getvalue()


def _step(step: Step, lang: str) -> dict[str, Any]:
    event = step.event
    return {
        "ref": step.number, "t": round(event.t, 3), "event": event.ev, "by": _by(step),
        "card": _text(getattr(event, "card", None)) if not isinstance(event, Show) else None,
        "n": _number(event), "colour": event.colour.value if isinstance(event, NameColour) else None,
        "confidence": round(event.confidence, 4) if isinstance(event, Discard | TurnUp) else None,
        "standing": step.play.standing if step.play else None,
        "photo": event.photo if isinstance(event, Seen) else None,
        "rulings": [
            {"code": filed.ruling.code.value, "tier": filed.ruling.tier.value, "section": filed.ruling.section,
             "text": say(filed.ruling, lang), "overruled": filed.overruled}
            for filed in step.rulings
        ],
        "after": _position(step.after),
    }  # fmt: skip


def _by(step: Step) -> str | None:
    if step.play is not None:
        return step.play.by
    return step.drew[0] or subject(step.event)


def _number(event: Event) -> int | None:
    """Cards drawn or counted, or points."""
    n: int | None = getattr(event, "n", None)
    return n


def _position(position: Position) -> dict[str, Any]:
    return {
        "phase": position.phase.value, "turn": position.turn, "direction": position.direction,
        "top": _text(position.top), "colour": position.colour.value if position.colour else None,
        "pending": position.pending,
        "counts": {name: [count.lo, count.hi] for name, count in position.hands.items()},
    }  # fmt: skip


def _text(card: Card | None) -> str | None:
    return None if card is None else str(card)
