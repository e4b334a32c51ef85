"""The state table says all that happens, and nothing that cannot."""

from __future__ import annotations

from hypothesis import given
from tables_of_events import adversarial_logs
from test_invariants import rules, run

from referee.events import Event
from referee.rules import Phase
from referee.rules.states import ROWS, follows


@rules
@given(adversarial_logs())
def test_nothing_happens_that_is_not_in_the_table(log: list[tuple[int, Event]]) -> None:
    positions = run(log)[0]
    for (_, event), before, after in zip(log[1:], positions, positions[1:], strict=False):
        if event.ev in ("game_started",):
            continue
        assert after.phase in follows(before.phase, event.ev), f"{before.phase} {event.ev} {after.phase}"


def test_every_phase_can_be_left() -> None:
    for phase in Phase:
        leaves = {then for row in ROWS if phase in row.phases for then in row.then} - {phase}
        assert leaves or phase is Phase.GAME_OVER
