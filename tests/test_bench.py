"""`referee bench rules` runs and prints what it measured; how much that is, is not for a test to say."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

from referee.bench.rules import BEGIN, BESIDE, evening, hand
from referee.commands.bench import command
from referee.rules import replay


def test_the_rules_bench_prints_its_figures() -> None:
    run = CliRunner().invoke(command, ["rules", "--json", "--rounds", "2", "--events", "200"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.output)
    assert found["events"] == 200
    for figure in ("replay_ms", "undo_ms", "correct_late_ms", "insert_late_ms", "correct_first_ms", "moves_per_cpu_s"):
        assert found[figure] > 0
    assert (found["rlcard_moves_per_cpu_s"] is None) == (found["times_rlcard"] is None)


def test_without_rlcard_the_bench_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.bench.rules.reference", lambda: None)
    run = CliRunner().invoke(command, ["rules", "--rounds", "1", "--events", "200"])
    assert run.exit_code == 0, run.output
    said = dict(line.split(maxsplit=1) for line in run.output.splitlines())
    assert {said[figure] for figure in BESIDE} == {"not measured: pip install rlcard"}


def test_random_play_keeps_to_the_rules() -> None:
    assert hand(random.Random(1), BEGIN)[0] > 20
    said = replay(evening(random.Random(1), 400)).rulings
    assert {filed.ruling.code.value for filed in said} <= {
        "forced_draw", "uno_ok", "inferred", "hand_over", "redraw_opening", "reshuffled"
    }  # fmt: skip
