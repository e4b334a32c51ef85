"""Who is in turn after a card: what is expected while the order of turns is in doubt is what the rules then do."""

from __future__ import annotations

from itertools import product

import pytest

from referee.cards import Card, Colour
from referee.events import Discard, Draw, GameStarted, NameColour
from referee.rules import OPTIONS, PRESETS, Phase, Replay, start
from referee.rules.drift import after_card

TURNS = ("skip_effect", "reverse_effect", "two_player_reverse", "stacking")
"""The options by which a card moves the turn, beside those that presets differ in."""
CHANGED = [dict(zip(TURNS, values, strict=True)) for values in product(*(OPTIONS[name].values for name in TURNS))]
RULES = [(preset, {}) for preset in PRESETS] + [("official_108", changed) for changed in CHANGED]


@pytest.mark.parametrize("players", ["AB", "ABC", "ABCD"])
@pytest.mark.parametrize("text", ["R4", "RS", "RR", "R+2", "W", "W+4"])
def test_who_is_expected_after_a_card_is_in_turn_after_it(text: str, players: str) -> None:
    card = Card.parse(text)
    for (preset, changed), direction in product(RULES, (1, -1)):
        table = GameStarted(
            players=tuple(players), dealer="B", preset=preset, options={"teams": "none", **changed},
            hands=dict.fromkeys(players, 5), turn="A", top=Card.parse("R8"), direction=direction,
        )  # fmt: skip
        game = Replay()
        game.append(0, table)
        game.append(1, Discard(t=2.0, card=card, by="A"))
        if card.rank.is_wild:
            game.append(2, NameColour(t=3.0, by="A", colour=Colour.RED))
        now = game.position
        if now is not None and now.phase is Phase.WD4 and not now.pending:
            game.append(3, Draw(t=4.0, by=now.dues[0].player, n=4))
            now = game.position
        assert now is not None
        expected = players[after_card(start(table), 0, card, direction)]
        assert (now.turn, preset, changed) == (expected, preset, changed)
