"""Supervision as data: what counts as hung, how often it is started again."""

from __future__ import annotations

import pytest

from referee.health import Check, Level, Restarts, State, Supervision

POLICY = Supervision(restarts=5, window_s=60.0, restart_delay_s=1.0, pause_s=20.0)
RESTART, WAIT = State.RESTARTING, State.WAITING


@pytest.mark.parametrize(
    ("failures", "expected"),
    [
        ([0, 2, 4, 6, 8], [(1, RESTART), (3, RESTART), (5, RESTART), (7, RESTART), (9, RESTART)]),
        ([0, 2, 4, 6, 8, 10], [(1, RESTART), (3, RESTART), (5, RESTART), (7, RESTART), (9, RESTART), (30, WAIT)]),
        ([0, 2, 4, 6, 61, 63], [(1, RESTART), (3, RESTART), (5, RESTART), (7, RESTART), (62, RESTART), (64, RESTART)]),
        ([0, 1, 2, 3, 4, 5, 26], [(i, RESTART) for i in range(1, 6)] + [(25, WAIT), (27, RESTART)]),
    ],
    ids=["five are allowed", "the sixth within a minute waits", "old ones are forgotten", "after the pause afresh"],
)  # fmt: skip
def test_restarts(failures: list[float], expected: list[tuple[float, State]]) -> None:
    restarts = Restarts(POLICY)
    assert [restarts.failed(now) for now in failures] == expected
    assert restarts.total == len(failures)


@pytest.mark.parametrize(
    ("started", "beat", "now", "hung"),
    [
        (0.0, None, 44.0, False),
        (0.0, None, 46.0, True),
        (0.0, 50.0, 54.9, False),
        (0.0, 50.0, 55.1, True),
    ],
)
def test_what_counts_as_hung(started: float, beat: float | None, now: float, hung: bool) -> None:
    assert POLICY.overdue(started, beat, now) is hung


@pytest.mark.parametrize(
    "wrong", [{"heartbeat_limit_s": 0.0}, {"window_s": -1.0}, {"restarts": 0}, {"restart_delay_s": -1.0}]
)
def test_a_policy_refuses_nonsense(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        Supervision(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("level", "remedy"), [(Level.OK, "do it"), (Level.WARN, ""), (Level.MISSING, "")])
def test_a_check_has_a_remedy_exactly_when_something_is_amiss(level: Level, remedy: str) -> None:
    with pytest.raises(ValueError, match="remedy"):
        Check("camera", level, "found", remedy)
