"""The command line: every command is there, helps, and refuses nonsense in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import COMMANDS
from referee.dashboard import open_keys


def referee(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "referee.cli", *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(name: str) -> None:
    run = referee(name, "--help")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"Usage: referee {name}")
    assert len(run.stdout.splitlines()) > 4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nosuch"], "No such command 'nosuch'"),
        (["demo", "--players", "1"], "--players"),
        (["demo", "--rules", "nosuch"], "--rules nosuch"),
        (["demo", "--style", "nosuch", "--fast"], "style is 'nosuch'"),
        (["pin", "--data", "/nowhere"], "/nowhere: no referee"),
        (["judge", "/nowhere.json"], "/nowhere.json"),
        (["watch", "/nowhere.mp4", "--calibration", "/nowhere.json"], "/nowhere"),
        (["serve", "--config", "/nowhere.toml"], "/nowhere.toml"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments: list[str], says: str) -> None:
    run = referee(*arguments)
    assert run.returncode == 2
    assert says in run.stderr
    assert "Traceback" not in run.stderr
    assert len([line for line in run.stderr.splitlines() if line.startswith("Error:")]) <= 1


def test_a_forgotten_pin_is_made_anew(tmp_path: Path) -> None:
    keys, first = open_keys(tmp_path)
    run = referee("pin", "--data", str(tmp_path))
    pin = run.stdout.removeprefix("Host PIN: ").strip()
    assert first is not None
    assert not open_keys(tmp_path)[0].is_pin(first)
    assert open_keys(tmp_path)[0].is_pin(pin)
    assert open_keys(tmp_path)[0].secret == keys.secret


def test_the_rules_need_no_picture_library() -> None:
    code = "import sys, referee.commands.judge; sys.exit('cv2' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
