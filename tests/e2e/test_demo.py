"""The whole product on the simulated table, in processes of their own: it referees, and it survives being killed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.app import free_port
from referee.board import Eye, make_board
from referee.rules import replay
from referee.storage import Journal, JournalError
from referee.storage.journal import FILE_NAME

LIMIT_S = 240.0

KEPT = ("phase", "hand", "turn", "direction", "top", "colour", "pending", "players", "winner", "wd4", "plays")
"""What of the board a restart must not change."""


def demo(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "referee.cli", "demo", *arguments]


def kept_board(folder: Path) -> dict[str, Any]:
    """The board that the journal on disk stands for."""
    journal = Journal(folder / FILE_NAME, read_only=True)
    try:
        entries = journal.entries(journal.games()[-1].number)
    finally:
        journal.close()
    log = [(entry.number, entry.event) for entry in entries]
    return make_board(replay(log), Eye(), seq=len(log), now=0.0)


def wait_for(what: Callable[[], Any], process: subprocess.Popen[bytes]) -> Any:
    """What `what` gives once it gives something true; errors of a start that is not over yet count as nothing."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        assert process.poll() is None, "the demo ended by itself"
        with contextlib.suppress(urllib.error.URLError, ConnectionError, JournalError, IndexError, StopIteration):
            if found := what():
                return found
        time.sleep(0.1)
    pytest.fail(f"nothing within {LIMIT_S:.0f} s")


@contextlib.contextmanager
def running(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command in a process group of its own; nothing of it is left afterwards."""
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_hand_on_the_default_deck_is_refereed_without_a_wrong_ruling(tmp_path: Path) -> None:
    run = subprocess.run(
        demo("--hands", "1", "--players", "3", "--fast", "--json"),
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout.splitlines()[-1])
    assert report["plays"] > 10
    assert report["readings"]["wrong"] == 0, report
    assert report["readings"]["invented"] == 0, report
    assert report["rulings"]["wrong"] == 0, report
    assert report["readings"]["right"] >= 0.9 * report["plays"], report


def test_a_demo_that_is_killed_in_mid_hand_goes_on_where_it_was(tmp_path: Path) -> None:
    port = free_port("127.0.0.1")
    command = demo("--data", str(tmp_path / "table"), "--port", str(port), "--seed", "3")

    def board() -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/board", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)
        return found.get("board", found)

    with running(command, tmp_path / "first.log") as process:
        wait_for(lambda: len(board()["plays"]) >= 4, process)
        seen = board()
        os.kill(process.pid, signal.SIGKILL)  # the service alone: its camera process must notice
        process.wait()
    before = kept_board(tmp_path / "table")
    assert {play["ref"] for play in seen["plays"]} <= {play["ref"] for play in before["plays"]}, "a shown play is lost"

    with running(command, tmp_path / "second.log") as process:
        after = wait_for(board, process)
        assert {key: after[key] for key in KEPT} == {key: before[key] for key in KEPT}
        wait_for(lambda: len(board()["plays"]) > len(before["plays"]), process)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0, (tmp_path / "second.log").read_text()
