"""What a play changed is there again once it is taken back."""

from __future__ import annotations

from referee.cards import Card
from referee.events import GameStarted
from referee.rules import start
from referee.rules.draft import WAS, remember, restore, thaw


def test_every_field_that_a_play_changes_comes_back() -> None:
    """Each holds a value of its own, so that no two can be mixed up unseen."""
    draft = thaw(start(GameStarted(players=("A", "B"), dealer="B")))
    before = {name: object() for _, name in WAS}
    for name, value in before.items():
        setattr(draft, name, value)
    last = remember(draft, 1, Card.parse("R7"), 2.0)
    assert (last.who, last.card, last.t, last.ruled, last.ref) == (1, Card.parse("R7"), 2.0, False, draft.number)
    for name in before:
        setattr(draft, name, None)
    restore(draft, last)
    assert {name: getattr(draft, name) for name in before} == before
