"""Whole evenings with a perfect eye: every ruling and every score is what the simulated people know to be true."""

from __future__ import annotations

from pathlib import Path

import ideal
import pytest

from referee.clock import ManualClock
from referee.demo.score import Verdict, score_rulings
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.virtual_table import Level, play


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (3, 4), (4, 6), (5, 10)])
def test_an_evening_is_refereed_without_a_fault(tmp_path: Path, seed: int, players: int) -> None:
    script = play(seed, players=players, hands=2, level=Level.HARD)
    clock = ManualClock()
    session = Session(Journal(tmp_path / "journal.db"), Evidence(tmp_path / "evidence"), clock)
    ideal.referee_evening(session, clock, script)
    times = {entry.number: entry.event.t for entry in session.entries()}
    game = session.replayed()
    session.close()

    verdicts = [
        Verdict(
            times[filed.number], filed.ruling.code.value, filed.ruling.player or filed.ruling.winner,
            filed.ruling.n or None, filed.ruling.reason.value if filed.ruling.reason else None,
        )
        for filed in game.rulings
        if not filed.overruled
    ]  # fmt: skip
    result = score_rulings(script.truth["rulings"], verdicts)
    assert (result["wrong_list"], result["missed_list"]) == ([], [])
    assert result["right"] > 10
    assert game.position is not None
    assert game.position.scores == script.truth["hands"][-1]["scores"]
