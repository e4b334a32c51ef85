"""The plug is pulled, for real: nothing that was acknowledged is lost, and the game stands where it stood."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random

import playing

from referee.rules import replay

KILLS = 20


def run_until_killed(folder: Path, seed: int, after: int) -> list[int]:
    """Lets a referee record; kills it once it acknowledged `after` events; returns all it acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()  # a process of its own, without the second that a fresh interpreter takes to start
    if child == 0:
        os.close(reader)
        try:
            playing.record_for_ever(folder, seed, lambda number: os.write(writer, b"%d\n" % number))
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as told:
        lines = [told.readline() for _ in range(after + 1)]
        os.kill(child, signal.SIGKILL)
        lines += told.readlines()
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    return [int(line) for line in lines if line.endswith("\n")]


def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    rng = Random(42)
    acknowledged: list[int] = []
    for seed in range(KILLS):
        acknowledged += run_until_killed(tmp_path, seed, after=rng.randrange(12))
    session = playing.open_session(tmp_path)
    try:
        entries, board = session.entries(), session.board()
    finally:
        session.close()
    recorded = {entry.number for entry in entries}
    assert len(acknowledged) > KILLS
    assert set(acknowledged) <= recorded
    assert len(recorded - set(acknowledged)) <= KILLS  # at most the one on its way at each kill
    again = replay([(entry.number, entry.event) for entry in entries])
    assert again.position is not None
    assert board["turn"] == again.position.turn
    assert board["hand"] == again.position.hand
    assert {player["name"]: player["score"] for player in board["players"]} == again.position.scores


def test_killed_in_the_middle_of_a_hand_the_game_goes_on_where_it_was(tmp_path: Path) -> None:
    """The same events without a kill give the same position, scores and rulings."""
    acknowledged = run_until_killed(tmp_path / "killed", seed=7, after=25)

    resumed = playing.open_session(tmp_path / "killed")
    heard = [entry for entry in resumed.entries() if entry.number <= acknowledged[-1]]
    after_kill = resumed.position()
    everything = resumed.entries()
    resumed.close()

    whole = playing.open_session(tmp_path / "whole")
    playing.begin(whole)
    playing.play_on(whole, Random(7), len(everything) - 1)
    expected = whole.position()
    assert whole.entries()[: len(heard)] == heard
    whole.close()

    assert after_kill == expected
    assert after_kill is not None
    assert after_kill.hand == 1


def test_a_resumed_game_goes_on(tmp_path: Path) -> None:
    first = playing.open_session(tmp_path)
    playing.begin(first)
    playing.play_on(first, Random(1), 10)
    before = first.board()
    first.close()

    second = playing.open_session(tmp_path)
    after = second.board()
    changing = {"seq", "t", "eye"}
    assert {k: v for k, v in after.items() if k not in changing} == {
        k: v for k, v in before.items() if k not in changing
    }
    assert after["t"] > before["t"]
    playing.play_on(second, Random(2), 10)
    assert len(second.entries()) == 21
    second.close()
