"""A hand that is over may go on (RULES 9): what that takes."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cards import Card
from referee.events import Discard, Draw, Event, GameStarted, Uno
from referee.rules import Phase, ended, replay


def after_the_end(n: int) -> list[Event]:
    """Somebody goes out; then the cards are played with, and the button is pressed, n times in all."""
    begin = GameStarted(players=("A", "B", "C"), dealer="C", turn="A", top=Card.parse("R8"), hands={"A": 1, "B": 5})
    out = Discard(t=1, card=Card.parse("R3"), by="A", side=0.9, confidence=0.99)
    kinds = (
        lambda t: Discard(t=t, card=Card.parse(f"G{t % 9}"), by="ABC"[t % 3], side=0.9, confidence=0.99),
        lambda t: Draw(t=t, by="ABC"[t % 3], side=0.9),
        lambda t: Uno(t=t, by="B"),
    )
    return [begin, out, *(kinds[t % 3](t) for t in range(10, 10 + n))]


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
