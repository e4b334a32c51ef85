"""Tournaments and teams, played: seats, dealers, partners and totals, hand by hand (RULES 6.11, 6.12)."""

from __future__ import annotations

from itertools import combinations

import pytest

from referee.cards import Card
from referee.events import Discard, Event, GameStarted, HandDealt, Points, TurnUp
from referee.rules import Code, Phase, Position, Replay, start
from referee.rules.tournaments import SCHEDULES, seats

R5, R6 = Card.parse("R5"), Card.parse("R6")


class Game:
    """A game that is told event by event."""

    def __init__(self, names: str, **options: object) -> None:
        table = int(str(options.pop("table", 1)))
        self.names = names.split()
        self.replay = Replay()
        self.say(GameStarted(players=tuple(self.names), dealer=self.names[0], options=options, table=table))

    @property
    def position(self) -> Position:
        assert self.replay.position is not None
        return self.replay.position

    def say(self, event: Event) -> None:
        self.replay.append(len(self.replay.events), event)


def quick(names: str, **options: object) -> Game:
    """With one card each, so that the first to play wins."""
    return Game(names, hand_size=1, **options)


def test_twelve_hands_every_pair_partners_in_four() -> None:
    game = quick("A B C D", tournament="four_player_12_hands")
    partners: dict[frozenset[str], int] = {}
    dealt: dict[str, int] = {}
    for hand in range(12):
        game.say(HandDealt())
        position = game.position
        assert position.hand == hand + 1
        dealt[str(position.dealer)] = dealt.get(str(position.dealer), 0) + 1
        order = position.players
        for pair in (frozenset(order[::2]), frozenset(order[1::2])):
            partners[pair] = partners.get(pair, 0) + 1
        game.say(TurnUp(card=R5))
        winner = str(game.position.turn)
        game.say(Discard(card=R6, by=winner))
        assert game.position.winner == winner
        for loser in (name for place, name in enumerate(order) if (place - order.index(winner)) % 2):
            game.say(Points(player=loser, n=10))
    assert partners == {frozenset(pair): 4 for pair in combinations("ABCD", 2)}
    assert set(dealt.values()) == {3}
    assert game.position.phase is Phase.GAME_OVER
    assert sum(game.position.scores.values()) == 12 * 2 * 20
    assert game.replay.rulings[-1].ruling.code is Code.GAME_OVER


@pytest.mark.parametrize("table", [1, 2])
def test_twenty_eight_hands_the_other_table_is_typed_in(table: int) -> None:
    names = "1 2 3 4 5 6 7 8"
    game = quick(names, tournament="eight_player_28_hands", table=table)
    for hand in range(28):
        game.say(HandDealt())
        here = seats(SCHEDULES["eight_player_28_hands"][hand // 4][table - 1])
        assert game.position.players == tuple(map(str, here))
        game.say(TurnUp(card=R5))
        winner = str(game.position.turn)
        game.say(Discard(card=R6, by=winner))
        place = game.position.players.index(winner)
        for step in (1, 3):
            game.say(Points(player=game.position.players[(place + step) % 4], n=10))
        if hand % 4 == 3:
            assert game.position.phase is Phase.SCORED
            assert [question.kind for question in game.position.questions] == ["other_table"]
            for name in names.split():
                if name not in game.position.players:
                    game.say(Points(player=name, n=30))
                    game.say(Points(player=name, n=40))  # typed again: put right
            assert game.position.questions == ()
    assert game.position.phase is Phase.GAME_OVER
    assert sum(game.position.scores.values()) == 28 * 2 * 20 + 7 * 4 * 40


def test_men_against_women() -> None:
    game = quick("Al Bea Cem Dot", teams="two_sides", target=60)
    for _ in range(3):
        game.say(HandDealt())
        game.say(TurnUp(card=R5))
        winner = str(game.position.turn)
        game.say(Discard(card=R6, by=winner))
        other = [name for name in game.names if (game.names.index(name) - game.names.index(winner)) % 2]
        for name in other:
            game.say(Points(player=name, n=15))
    # The first player is left of the dealer: women, men, women.
    assert game.position.scores == {"Al": 30, "Bea": 60, "Cem": 30, "Dot": 60}
    assert game.position.phase is Phase.GAME_OVER


@pytest.mark.parametrize(("final_duel", "hands"), [("to_target", 3), ("single_hand", 2)])
def test_elimination_ends_in_a_duel(final_duel: str, hands: int) -> None:
    game = quick("A B C", scoring="elimination", target=100, final_duel=final_duel)
    game.say(TurnUp(card=R5))
    game.say(Discard(card=R6, by=game.position.turn))  # B, left of the dealer A
    game.say(Points(player="A", n=120))
    game.say(Points(player="C", n=50))
    assert game.position.phase is Phase.SCORED
    for played in range(1, hands):
        game.say(HandDealt(dealer="C"))
        assert set(game.position.players) == {"B", "C"}
        game.say(TurnUp(card=R5))
        game.say(Discard(card=R6, by="B"))
        game.say(Points(player="C", n=25))
        assert (game.position.phase is Phase.GAME_OVER) == (played == hands - 1)
    assert game.position.game_winner == "B"


@pytest.mark.parametrize(
    ("names", "options"),
    [
        ("A B C", {"teams": "partners"}),
        ("A B C D E", {"teams": "two_sides"}),
        ("A B C", {"tournament": "four_player_12_hands"}),
        ("A B C D", {"tournament": "eight_player_28_hands"}),
    ],
)
def test_a_table_of_the_wrong_size_is_refused(names: str, options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="names"):
        start(GameStarted(players=tuple(names.split()), dealer="A", options=options))
