"""What a hand is worth, and who is out or has won (RULES 6.11). Pure functions on names and points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.cards import Card, Rank
from referee.rules.options import Options

SPECIAL = frozenset({Rank.WILD_SHUFFLE_HANDS, Rank.WILD_SWAP_HANDS, Rank.WILD_CUSTOMIZABLE})


def rank_points(options: Options, rank: Rank) -> int:
    """Points of a card of that rank left in a hand."""
    return options.special_wild_points if rank in SPECIAL else rank.points


def card_points(options: Options, card: Card) -> int:
    """Points of a card left in a hand."""
    return rank_points(options, card.rank)


class Result(NamedTuple):
    """A counted hand. points: by player, of this hand; totals: after it; eliminated: who is out now; heads_up: two are
    left; winner: of the game, or None."""

    points: dict[str, int]
    totals: dict[str, int]
    eliminated: tuple[str, ...] = ()
    heads_up: bool = False
    winner: str | None = None


def count_hand(
    options: Options,
    winner: str,
    hands: Mapping[str, int],
    scores: Mapping[str, int],
    teams: Mapping[str, int] | None = None,
    duel: bool = False,
) -> Result:
    """Score a hand. hands: points of the cards each player was left with; scores: totals before it, of those in play.

    teams: the team of each player, None without teams; duel: only two were in this hand of an elimination game.
    """
    players = list(dict.fromkeys([*scores, *hands, winner]))
    side = teams or {player: place for place, player in enumerate(players)}
    points = dict.fromkeys(players, 0)
    if options.scoring == "winner_takes":
        # RULES 6.11: the winner, or every member of the winning side, gets the other hands; a partner's do not count.
        gained = sum(n for player, n in hands.items() if side.get(player) != side.get(winner))
        for player in players:
            if side.get(player) == side.get(winner):
                points[player] = gained
    elif options.scoring != "none":
        for player, n in hands.items():
            if player != winner:
                points[player] = n
    totals = {player: scores.get(player, 0) + points[player] for player in players}
    return conclude(options, winner, points, totals, duel)


def conclude(options: Options, winner: str, points: dict[str, int], totals: dict[str, int], duel: bool) -> Result:
    """Is the game over, and who is out?"""
    reached = tuple(player for player, total in totals.items() if total >= options.target)
    if options.scoring == "winner_takes":
        return Result(points, totals, winner=winner if winner in reached else reached[0] if reached else None)
    if options.scoring == "cumulative_low":
        least = min(totals.values())
        lowest = [player for player, total in totals.items() if total == least]
        # RULES 6.11: somebody reached the target; the lowest total wins, a tie means another hand.
        return Result(points, totals, winner=lowest[0] if reached and len(lowest) == 1 else None)
    if options.scoring == "elimination":
        left = [player for player in totals if player not in reached]
        won = left[0] if len(left) == 1 else None
        if not left or (duel and options.final_duel == "single_hand"):
            won = winner
        return Result(points, totals, reached, heads_up=len(left) == 2, winner=won)
    return Result(points, totals)
