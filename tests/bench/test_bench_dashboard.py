"""`referee bench dashboard` measures a real server: every update arrives, and a phone too many is told to ask."""

from __future__ import annotations

import json

from click.testing import CliRunner

from referee.bench.dashboard import command


def test_every_update_reaches_every_phone() -> None:
    run = CliRunner().invoke(command, ["--streams", "3", "--rate", "20", "--seconds", "0.5", "--json"])
    assert run.exit_code == 0, run.output
    found = json.loads(run.output)
    assert (found["actions"], found["updates"], found["updates_lost"]) == (10, 30, 0)
    assert (found["next_phone_stream"], found["next_phone_board"]) == (503, 200)
    assert 0 < found["update_p50_ms"] <= found["update_p99_ms"] <= found["update_worst_ms"]
    assert found["get_p99_ms"] > 0
    assert found["peak_mb"] > 0
