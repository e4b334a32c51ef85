"""What players did, counted from chronicles: every figure is of events in the journal. Where nobody saw how many cards
a hand drew of its own accord, it counts as the rules count it, as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from statistics import median

from referee.chronicle.reading import Chronicle, Hand
from referee.events import Discard
from referee.rules import Code, Phase

LONGEST_TURN_S = 60.0
"""Seconds: a longer turn is a break and not counted. Too small hides slow thinkers; too large counts trips to the
kitchen."""


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What one player did. points: won or, where points count against, collected; turn_s: seconds of each turn that
    ended with a card."""

    games: int = 0
    games_won: int = 0
    hands: int = 0
    hands_won: int = 0
    points: int = 0
    plays: int = 0
    drawn: int = 0
    uno_calls: int = 0
    caught: int = 0
    catches: int = 0
    wrong_cards: int = 0
    challenges: int = 0
    challenges_won: int = 0
    turn_s: tuple[float, ...] = ()

    @property
    def usual_turn_s(self) -> float | None:
        """Median seconds of a turn, None without one."""
        return median(self.turn_s) if self.turn_s else None


def statistics(chronicle: Chronicle) -> dict[str, PlayerRecord]:
    """The record of every player of a game, by name in seating order."""
    names = list(chronicle.end.scores)
    counted = {name: dict.fromkeys((f.name for f in fields(PlayerRecord)), 0) for name in names}
    turns: dict[str, list[float]] = {name: [] for name in names}
    for hand in chronicle.hands:
        for name in hand.end.players:
            counted[name]["hands"] += 1
        if hand.end.winner in counted:
            counted[hand.end.winner]["hands_won"] += 1
        _count_steps(hand, counted)
        for name, seconds in _turns(hand):
            turns[name].append(seconds)
    for name in names:
        counted[name] |= {"games": 1, "points": chronicle.end.scores[name]}
        counted[name]["games_won"] = int(chronicle.end.game_winner == name)
        del counted[name]["turn_s"]
    return {name: PlayerRecord(**counted[name], turn_s=tuple(turns[name])) for name in names}


def add_up(games: Iterable[Mapping[str, PlayerRecord]]) -> dict[str, PlayerRecord]:
    """Records of several games together, by name."""
    total: dict[str, PlayerRecord] = {}
    for game in games:
        for name, record in game.items():
            old = total.get(name, PlayerRecord())
            total[name] = PlayerRecord(*(getattr(old, f.name) + getattr(record, f.name) for f in fields(PlayerRecord)))
    return total


def _count_steps(hand: Hand, counted: dict[str, dict[str, int]]) -> None:
    def count(name: str | None, what: str, n: int = 1) -> None:
        if name in counted:
            counted[name][what] += n

    for step in hand.steps:
        if step.play is not None and isinstance(step.event, Discard) and step.play.standing != "taken_back":
            count(step.play.by, "plays")
        drew, n = step.drew
        count(drew, "drawn", n)
        for filed in step.rulings:
            ruling = filed.ruling
            if filed.overruled:
                continue
            if ruling.code is Code.UNO_OK:
                count(ruling.player, "uno_calls")
            elif ruling.code is Code.CATCH_OK:
                count(ruling.player, "caught")
                count(ruling.by, "catches")
            elif ruling.code is Code.ILLEGAL_CARD:
                count(ruling.player, "wrong_cards")
            elif ruling.code in (Code.GUILTY, Code.INNOCENT):
                count(ruling.by, "challenges")
                count(ruling.by, "challenges_won", int(ruling.code is Code.GUILTY))


def _turns(hand: Hand) -> Iterable[tuple[str, float]]:
    """Seconds from the moment the turn was a player's to the card that ended it."""
    since: float | None = None
    whose: str | None = None
    for step in hand.steps:
        t = step.event.t
        if whose is not None and since is not None and step.play is not None and step.play.by == whose:
            if step.play.standing in ("legal", "unverified", "stands") and t - since <= LONGEST_TURN_S:
                yield whose, t - since
            whose = None
        if step.after.phase in (Phase.TURN, Phase.DRAWN, Phase.NAME_COLOUR) and step.after.turn != whose:
            whose, since = step.after.turn, t
        elif step.after.phase is Phase.HAND_OVER:
            whose = None
