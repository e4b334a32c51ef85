"""Dealer by high card, seats of teams, and tournaments: who partners whom in which round (RULES 6.11, 6.12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from referee.cards import Card

Table = tuple[tuple[int, int], tuple[int, int]]
"""Two partnerships that face each other at a table, players numbered from 1."""

HANDS_PER_ROUND = 4
SCHEDULES: Mapping[str, tuple[tuple[Table, ...], ...]] = {
    "four_player_12_hands": ((((1, 2), (3, 4)),), (((1, 3), (2, 4)),), (((1, 4), (2, 3)),)),
    "eight_player_28_hands": (
        (((8, 1), (2, 4)), ((3, 7), (5, 6))),
        (((8, 2), (3, 5)), ((4, 1), (6, 7))),
        (((8, 3), (4, 6)), ((5, 2), (7, 1))),
        (((8, 4), (5, 7)), ((6, 3), (1, 2))),
        (((8, 5), (6, 1)), ((7, 4), (2, 3))),
        (((8, 6), (7, 2)), ((1, 5), (3, 4))),
        (((8, 7), (1, 3)), ((2, 6), (4, 5))),
    ),
}
"""Rounds, each of one or two tables, of four hands (RULES 6.12)."""


def seats(table: Table) -> tuple[int, int, int, int]:
    """The players of a table in seat order: partners opposite each other."""
    (a, b), (c, d) = table
    return a, c, b, d


class Seating(NamedTuple):
    """Who sits at a table in a hand of a tournament. order: players from 0, clockwise; sides: the partnership of every
    player of the tournament; dealer: each deals once a round."""

    order: tuple[int, ...]
    sides: tuple[int, ...]
    dealer: int


def players_of(name: str) -> int:
    """How many play in a tournament."""
    return 4 * len(SCHEDULES[name][0])


def hands_of(name: str) -> int:
    """How many hands everybody plays."""
    return HANDS_PER_ROUND * len(SCHEDULES[name])


def seating(name: str, hand: int, table: int) -> Seating:
    """The seating for a hand, from 1, at a table, from 1; after the last round it stays."""
    rounds = SCHEDULES[name]
    tables = rounds[min((hand - 1) // HANDS_PER_ROUND, len(rounds) - 1)]
    order = tuple(player - 1 for player in seats(tables[table - 1]))
    pairs = [pair for one in tables for pair in one]
    sides = [0] * players_of(name)
    for side, pair in enumerate(pairs):
        for player in pair:
            sides[player - 1] = side
    return Seating(order, tuple(sides), order[(hand - 1) % HANDS_PER_ROUND])


def high_card(rounds: Sequence[Mapping[str, Card]]) -> tuple[str | None, list[str]]:
    """The dealer by the highest card; symbols and wilds count 0, and those who tie draw again in the next round.

    Returns the dealer, or None and those who must draw again.
    """
    tied: list[str] = []
    for draws in rounds:
        worth = {
            name: card.rank.points if card.rank.is_number else 0
            for name, card in draws.items()
            if not tied or name in tied
        }
        tied = [name for name, n in worth.items() if n == max(worth.values())]
        if len(tied) == 1:
            return tied[0], []
    return None, tied


def play_order(teams: Sequence[Sequence[str]], first: int = 0) -> list[str]:
    """Teams take turns: A1 B1 A2 B2 and so on (RULES 6.11)."""
    turned = [*teams[first:], *teams[:first]]
    longest = max((len(team) for team in turned), default=0)
    return [team[place] for place in range(longest) for team in turned if place < len(team)]


def seated_well(order: Sequence[str], side: Mapping[str, int]) -> bool:
    """Do the sides alternate around the table?"""
    sides = [side.get(player, -1) for player in order]
    step = max(sides, default=0) + 1
    return len(order) % max(step, 1) == 0 and all(
        one != other and sides[(place + step) % len(sides)] == one
        for place, (one, other) in enumerate(zip(sides, [*sides[1:], sides[0]], strict=True))
    )


def tally(round_totals: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Totals of each player over the rounds."""
    totals: Counter[str] = Counter()
    for one in round_totals:
        for player, n in one.items():
            totals[str(player)] += n
    return dict(totals)


def describe(name: str) -> dict[str, Any]:
    """A schedule with what it promises: how often each pair partners and opposes, and who sits out."""
    rounds = SCHEDULES[name]
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    players = {player for table in rounds[0] for pair in table for player in pair}
    everybody = True
    for tables in rounds:
        playing = [player for table in tables for pair in table for player in pair]
        everybody = everybody and sorted(playing) == sorted(players)
        for one, other in tables:
            partners[frozenset(one)] += 1
            partners[frozenset(other)] += 1
            opponents.update(frozenset((a, b)) for a in one for b in other)
    pairs = [frozenset(pair) for pair in combinations(sorted(players), 2)]
    partner_counts = {partners[pair] for pair in pairs}
    opponent_counts = {opponents[pair] for pair in pairs}
    partner_times = partner_counts.pop() if len(partner_counts) == 1 else None
    return {
        "tournament": name,
        "players": len(players),
        "tables": len(rounds[0]),
        "rounds": len(rounds),
        "hands": len(rounds) * HANDS_PER_ROUND,
        "hands_per_round": HANDS_PER_ROUND,
        "hands_per_pair": (partner_times or 0) * HANDS_PER_ROUND,
        "partner_times": partner_times,
        "opponent_times": opponent_counts.pop() if len(opponent_counts) == 1 else None,
        "everybody_plays": everybody,
        "deals_per_player_per_round": 1,
        "pairings": [["-".join(map(str, pair)) for table in tables for pair in table] for tables in rounds],
        "seats": [[list(seats(table)) for table in tables] for tables in rounds],
    }
