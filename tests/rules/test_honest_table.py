"""Invariants 1, 3, 4 and 9 of RULES 14 at a table with real cards, as a state machine that plays whole games.

The default plays a dozen short evenings; `REFEREE_LONG=N` plays N (the command is in `test_invariants.py`).
"""

from __future__ import annotations

from honest import ACCUSES, READY, HonestTable
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tables_of_events import LONG, NAMES

from referee.cards import Deck
from referee.events import GameStarted
from referee.rules import PRESETS, Phase, Position
from referee.rules.scoring import card_points

HOUSE = {
    "drawn_card": ("may_play", "must_play"),
    "draw_rule": ("draw_one", "draw_until_playable"),
    "stacking": ("off", "same_type", "any"),
    "seven_zero": (False, True),
    "deflect": ("off", "both"),
    "draw_two_forfeits": ("always", "never", "heads_up_only"),
    "wd4_forfeits": ("always", "never"),
    "illegal_play_penalty": (0, 2),
    "finish_restriction": ("none", "no_wild", "numbers_only"),
    "opening_skip": ("as_played", "colour_only"),
    "scoring": ("winner_takes", "cumulative_low", "elimination"),
    "target": (60, 500),
    "deck": ("classic_108", "modern_112_swap", "modern_112_shuffle"),
    "jump_in": ("off", "identical"),
    "two_player_reverse": ("acts_as_skip", "change_direction_only"),
}
picks = st.integers(0, 30)


class Evening(RuleBasedStateMachine):
    """Players who act by the rules, who blunder and take it back, and a referee that has to know how many cards lie
    where, to accuse only who blundered, and to give everybody the points of the hands that are really left."""

    table: HonestTable

    @initialize(
        players=st.integers(2, 5),
        preset=st.sampled_from(list(PRESETS)),
        house=st.lists(
            st.sampled_from(sorted(HOUSE)).flatmap(lambda name: st.tuples(st.just(name), st.sampled_from(HOUSE[name]))),
            max_size=5,
        ),
        size=st.integers(2, 7),
        seed=st.integers(0, 99999),
    )
    def sit_down(self, players: int, preset: str, house: list[tuple[str, object]], size: int, seed: int) -> None:
        options = {**dict(house), "hand_size": size}
        game = GameStarted(players=NAMES[:players], dealer=NAMES[0], preset=preset, options=options)
        self.table = HonestTable(game, seed)
        self.scores = dict(self.table.position.scores)

    # --- what happens -------------------------------------------------------------------------------------------------

    @rule(acts=st.integers(1, 12))
    def go_on(self, acts: int) -> None:
        """Everybody acts by the rules: nobody is accused, and a hand is counted right (invariant 9)."""
        for _ in range(acts):
            before = self.table.position
            said = self.table.go_on()
            assert not ACCUSES & set(said), self.table.story()
            if before.phase is Phase.HAND_OVER:
                self.points_are_right(before)

    def points_are_right(self, before: Position) -> None:
        """The winner gets, or everybody adds, exactly what is really held."""
        table, winner = self.table, before.winner
        assert winner is not None
        assert not table.hands[winner]
        worth = {
            name: sum(card_points(before.options, card) for card in hand) for name, hand in table.hands.items()
        }
        if before.options.scoring == "winner_takes":
            worth = {name: sum(worth.values()) if name == winner else 0 for name in worth}
        after = table.position.scores
        assert {name: after[name] - before.scores[name] for name in worth} == worth
        assert table.position.phase in (Phase.SCORED, Phase.GAME_OVER)

    @precondition(lambda self: self.table.position.phase in (*READY, Phase.WD4) and self.table.unplayable(self.turn))
    @rule(pick=picks)
    def blunder(self, pick: int) -> None:
        """Invariant 4: what may not be played is ruled out when it is played."""
        cards = self.table.unplayable(self.turn)
        said = self.table.blunder(self.turn, cards[pick % len(cards)])
        assert ACCUSES & set(said), self.table.story()

    @rule(pick=picks)
    def call_for_nothing(self, pick: int) -> None:
        self.table.uno(list(self.table.hands)[pick % len(self.table.hands)])

    @rule()
    def undo_and_redo(self) -> None:
        """Invariant 3."""
        before, rulings = self.table.position, list(self.table.game.rulings)
        self.table.undo_and_redo()
        assert self.table.position == before
        assert self.table.game.rulings == rulings

    # --- what is always so --------------------------------------------------------------------------------------------

    @property
    def turn(self) -> str:
        assert self.table.position.turn is not None
        return self.table.position.turn

    @invariant()
    def cards_are_neither_made_nor_lost(self) -> None:
        """Invariant 1: hands, discards and draw pile are the deck, and each is what it really is."""
        if not hasattr(self, "table"):
            return
        table, position = self.table, self.table.position
        for name, hand in table.hands.items():
            count = position.hands[name]
            assert (count.lo, count.hi) == (len(hand), len(hand)), f"{name} holds {len(hand)}: {table.story()}"
        if position.phase in (Phase.SCORED, Phase.GAME_OVER):
            return
        assert (position.draw_pile, position.laid) == (len(table.pile), len(table.discards)), table.story()
        held = sum(count.best for count in position.hands.values())
        assert held + position.laid + position.draw_pile == Deck(position.options.deck).size

    @invariant()
    def totals_never_fall(self) -> None:
        """Invariant 9."""
        if hasattr(self, "table"):
            scores = self.table.position.scores
            assert all(scores[name] >= before for name, before in self.scores.items())
            self.scores = scores

    @invariant()
    def only_a_question_that_a_card_raises_is_open(self) -> None:
        """Who acts by the rules and is seen is asked for nothing but a colour, a partner, a proof or a debt."""
        if hasattr(self, "table"):
            kinds = {question.kind for question in self.table.position.questions}
            assert kinds <= {"name_colour", "target", "challenge_result", "did_draw", "custom_rule"}, self.table.story()


Evening.TestCase.settings = settings(
    max_examples=LONG or 12,
    stateful_step_count=60,
    deadline=None,
    phases=(Stage.generate,),
    suppress_health_check=list(HealthCheck),
    derandomize=not LONG,
)
TestEvening = Evening.TestCase
