"""A hand that is over may go on (RULES 9): what that takes."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cards import Card
from referee.events import Discard, Event, GameStarted, Uno
from referee.rules import Phase, ended, replay


def after_the_end(n: int) -> list[Event]:
    """Somebody goes out; then the others press the button for the joy of it, n times."""
    begin = GameStarted(players=("A", "B", "C"), dealer="C", turn="A", top=Card.parse("R8"), hands={"A": 1, "B": 5})
    out = Discard(t=1, card=Card.parse("R3"), by="A", side=0.9, confidence=0.99)
    return [begin, out, *(Uno(t=t, by="B") for t in range(10, 10 + n))]


def test_what_is_done_after_the_end_costs_no_more_for_all_that_was_done_before(monkeypatch: pytest.MonkeyPatch) -> None:
    judged, step = [0], ended.step

    def counted(*args: Any) -> None:
        judged[0] += 1
        step(*args)

    monkeypatch.setattr(ended, "step", counted)
    costs = []
    for n in (100, 200, 300):
        judged[0] = 0
        game = replay(enumerate(after_the_end(n)))
        assert game.position is not None
        assert game.position.phase is Phase.HAND_OVER
        costs.append(judged[0])
    assert costs[2] - costs[1] <= costs[1] - costs[0]
    assert costs[1] - costs[0] <= 100 * ended.WITHIN
