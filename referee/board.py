"""The board: the one JSON object that every screen shows, made from a replayed game.

Its form is in docs/architecture.md. Pure: the same game, eye and language give the same board. Screens never read a
position themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.events import GameStarted, NameColour, Seen, subject
from referee.health import Pace, Trouble
from referee.observations import Quality
from referee.rules import Filed, Play, Position, Replay, actions, ask, may_join, say
from referee.rules.tournaments import HANDS_PER_ROUND, hands_of

SHOWN = 20
"""Rulings and plays on the board. Fewer: a play is gone before it is disputed; more: every change sends more to
every phone."""


@dataclass(frozen=True, slots=True)
class Eye:
    """Whether the referee is watching. since: seconds on the table's clock. detail: why, as the phrase
    `service.DETAIL` of the pages, or `eye.DETAIL` where that is said instead of the state, or "".

    pace: how well it keeps up, None while unknown. troubles: what else is wrong with camera, buttons or lamp.
    """

    state: Quality = Quality.LOST
    since: float = 0.0
    detail: str = ""
    pace: Pace | None = None
    troubles: tuple[Trouble, ...] = ()


def make_board(game: Replay, eye: Eye, *, seq: int, now: float, lang: str = "en") -> dict[str, Any]:
    """The board of the game as it stands.

    seq: grows with every change of the board. now: seconds on the table's clock. `players` is empty before a game.
    """
    position = game.position
    board: dict[str, Any] = {
        "seq": seq, "lang": lang, "t": _seconds(now), "phase": None, "paused": False, "game": 0, "hand": 0,
        "deal": 0, "preset": None,
        "target": None, "scoring": None, "players": [], "turn": None, "direction": 1, "top": None, "colour": None,
        "pending": 0, "winner": None, "game_winner": None, "wd4": None, "takeback": None, "draw_pile": None,
        "question": None, "wilds": [], "tournament": None, "elsewhere": [], "rulings": [], "plays": [], "undo": None,
        "redo": None, "actions": {}, "room": False,
        "eye": {"state": eye.state.value, "since": _seconds(eye.since), "detail": eye.detail},
        "pace": {"fps": eye.pace.fps, "lost": eye.pace.lost} if eye.pace else None,
        "troubles": [one.to_json() for one in eye.troubles],
    }  # fmt: skip
    if position is None:
        return board
    number, started = next((n, event) for n, event in game.events if isinstance(event, GameStarted))
    board |= {
        "phase": position.phase.value, "paused": position.paused, "game": number, "hand": position.hand,
        "deal": position.tally.dealt, "preset": started.preset,
        "target": position.options.target, "scoring": position.options.scoring,
        "players": _players(position), "turn": position.turn, "direction": position.direction,
        "top": _text(position.top), "colour": position.colour.value if position.colour else None,
        "pending": position.pending, "winner": position.winner, "game_winner": position.game_winner,
        "wd4": {"offender": position.wd4[0], "victim": position.wd4[1]} if position.wd4 else None,
        "takeback": {"player": position.takeback[0], "card": str(position.takeback[1])} if position.takeback else None,
        "draw_pile": position.draw_pile, "question": _question(position, lang),
        "wilds": [str(card) for card in position.setup.pack.copies if card.is_wild],
        "tournament": _tournament(position), "elsewhere": _elsewhere(position),
        "rulings": rulings_json(game, game.rulings[: -SHOWN - 1 : -1], lang),
        "plays": [_play(play) for play in game.plays[: -SHOWN - 1 : -1]],
        "undo": _deed(game, game.last_deed), "redo": _redo(game),
        "actions": {name: list(may) for name, may in actions(position).items()},
        "room": may_join(position.phase, position.setup),
    }  # fmt: skip
    return board


def seats(position: Position) -> dict[str, int]:
    """Seat numbers by player, from 1 clockwise, of those who still play; who joins gets a new one. In a tournament
    players change seats from round to round."""
    if position.options.tournament != "none":
        return {name: seat for seat, name in enumerate(position.players, start=1)}
    everybody = enumerate(position.scores, start=1)
    return {name: seat for seat, name in everybody if name in position.players}


def rulings_json(game: Replay, rulings: Iterable[Filed], lang: str = "en") -> list[dict[str, Any]]:
    """Rulings of the game as the board shows them, in the order given."""
    return [_ruling(game, filed, lang) for filed in rulings]


def _ruling(game: Replay, filed: Filed, lang: str) -> dict[str, Any]:
    ruling, event = filed.ruling, game.event(filed.number)
    t = event.t if event is not None else 0.0
    return {
        "id": f"{filed.number}.{filed.k}", "ref": filed.number, "t": _seconds(t), "code": ruling.code.value,
        "player": ruling.player, "by": ruling.by, "winner": ruling.winner,
        "cards": [str(card) for card in ruling.cards], "n": ruling.n,
        "colour": ruling.colour.value if ruling.colour else None,
        "reason": ruling.reason.value if ruling.reason else None, "section": ruling.section,
        "tier": ruling.tier.value, "text": say(ruling, lang), "photo": _photo(game, t, filed.number),
        "overruled": filed.overruled, "hand": filed.hand,
    }  # fmt: skip


def _photo(game: Replay, t: float, number: int) -> str | None:
    """The event's own photograph, or that of the last play before it: what lay on the table then."""
    own = game.event(number)
    before = bisect_right(game.plays, (t, number), key=lambda play: (play.t, play.number))
    last = game.plays[before - 1] if before else None
    if isinstance(own, Seen) and own.photo and (last is None or last.number != number):
        return own.photo
    return last.event.photo if last is not None else None


def _players(position: Position) -> list[dict[str, Any]]:
    seat, counted, team = seats(position), dict(position.tally.points), _teams(position)
    return [
        {
            "name": name, "seat": seat[name], "team": team.get(name),
            "count": [position.hands[name].lo, position.hands[name].hi], "best": position.hands[name].best,
            "score": position.scores.get(name, 0),
            "due": [
                {"n": due.n, "reason": due.reason.value} for due in position.dues if due.player == name
            ],
            "exposed": name in position.exposed, "dealer": name == position.dealer,
            "points": counted.get(position.setup.ids[name]),
        }
        for name in position.players
    ]  # fmt: skip


def _teams(position: Position) -> dict[str, int]:
    """The team of each player here, from 1 in the order of seats; empty without teams (RULES 6.11)."""
    sides = position.setup.teams
    if sides is None:
        return {}
    here = list(dict.fromkeys(sides[name] for name in position.players))
    return {name: here.index(sides[name]) + 1 for name in position.players}


def _tournament(position: Position) -> dict[str, int] | None:
    """Which round and hand of how many, and at which table (RULES 6.12); None outside tournaments."""
    name = position.options.tournament
    if name == "none":
        return None
    done, hands = position.hand - 1, HANDS_PER_ROUND
    rounds = hands_of(name) // hands
    round_ = min(done // hands + 1, rounds)
    return {"round": round_, "rounds": rounds, "hand": done % hands + 1, "hands": hands, "table": position.setup.table}


def _elsewhere(position: Position) -> list[dict[str, Any]]:
    """Who sits at another table of the tournament in this round, with the points told so far of it (RULES 6.12)."""
    if position.options.tournament == "none":
        return []
    told = dict(position.tally.elsewhere)
    return [
        {"name": name, "score": score, "points": told.get(position.setup.ids[name])}
        for name, score in position.scores.items()
        if name not in position.players
    ]


def _question(position: Position, lang: str) -> dict[str, Any] | None:
    if not position.questions:
        return None
    first = position.questions[0]
    return {
        "id": f"{first.kind}:{first.ref}", "kind": first.kind, "ref": first.ref, "player": first.player,
        "options": list(first.options), "after": first.after, "text": ask(first, lang),
    }  # fmt: skip


def _play(play: Play) -> dict[str, Any]:
    event = play.event
    return {
        "ref": play.number, "t": _seconds(play.t), "card": _text(play.card) or "?", "by": play.by,
        "confidence": round(event.confidence, 4), "sure": event.sure,
        "alternatives": [[card, round(p, 4)] for card, p in event.alternatives], "photo": event.photo,
        "standing": play.standing,
    }  # fmt: skip


def _redo(game: Replay) -> dict[str, Any] | None:
    """What the last undo took back, under the number of that undo: who undoes that one gets it back."""
    undone = game.last_undo
    if undone is None:
        return None
    undo, number = undone
    deed = _deed(game, number)
    return deed | {"ref": undo} if deed else None


def _deed(game: Replay, number: int | None) -> dict[str, Any] | None:
    """Something that was done, as a step of the history is told."""
    event = game.event(number) if number is not None else None
    if event is None:
        return None
    play = next((play for play in reversed(game.plays) if play.number == number), None)
    return {
        "ref": number, "event": event.ev,
        "by": play.by if play else subject(event),
        "card": _text(play.card if play else getattr(event, "card", None)), "n": getattr(event, "n", None),
        "colour": event.colour.value if isinstance(event, NameColour) else None,
    }  # fmt: skip


def _text(card: object) -> str | None:
    return None if card is None else str(card)


def _seconds(t: float) -> float:
    return round(t, 3)
