"""The command line: every command is there, helps, and refuses nonsense in one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import COMMANDS, _group
from referee.dashboard import open_keys
from referee.paths import shipped, written

REFEREE = (sys.executable, "-m", "referee.cli")
EXAMPLE = shipped("calibration") / "example.json"


def referee(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*REFEREE, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(name: str) -> None:
    run = referee(name, "--help")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"Usage: referee {name}")
    assert len(run.stdout.splitlines()) > 4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nosuch"], "referee: No such command 'nosuch'. See: referee --help"),
        (["watch"], "referee watch: Missing argument 'SOURCE'. See: referee watch --help"),
        (["bench", "nosuch"], "referee bench: No such command 'nosuch'"),
        (["demo", "--players", "1"], "--players"),
        (["demo", "--rules", "nosuch"], "--rules nosuch"),
        (["demo", "--style", "nosuch", "--fast"], "style is 'nosuch'"),
        (["export", "--game", "9" * 20], "--game"),
        (["pin", "--data", "/nowhere"], "/nowhere: no referee"),
        (["judge", "/nowhere.json"], "/nowhere.json"),
        (["watch", "/nowhere.mp4", "--calibration", "/nowhere.json"], "/nowhere"),
        (["serve", "--config", "/nowhere.toml"], "/nowhere.toml"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(arguments: list[str], says: str) -> None:
    run = referee(*arguments)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert says in line
    assert line.startswith("referee")
    assert run.stdout == ""


def test_a_file_cut_off_gets_no_lines_of_opencv_or_ffmpeg(tmp_path: Path) -> None:
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41")
    run = referee("watch", str(cut), "--calibration", str(EXAMPLE))
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert "cut.mp4 is not a video that OpenCV can read" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["read", "table.jpg", "--annotate", "."],
        ["watch", "table.jpg", "--calibration", str(EXAMPLE), "--annotate", "link.mp4"],
        ["calibrate", "table.jpg", "-o", "table.json"],
        ["calibrate", "table.jpg", "-o", "other.json", "--picture", "./table.jpg"],
        ["calibrate", "table.jpg", "-o", "table.jpg"],
    ],
)
def test_what_is_read_is_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.jpg").write_bytes(b"the only one")
    Path("link.mp4").symlink_to("table.jpg")
    run = CliRunner().invoke(_group, arguments)
    assert (run.exit_code, len(run.output.splitlines())) == (2, 1)
    assert "would be written over; name another" in run.output
    assert Path("table.jpg").read_bytes() == b"the only one"


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "--json"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as nobody:
        run = subprocess.run([*REFEREE, *arguments], stdout=nobody, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "--json"], ["config", "--json"], ["wiring", "--svg", "-"]])
def test_a_full_disk_is_one_line_and_status_2(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run([*REFEREE, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (2, f"referee {arguments[0]}: No space left on device\n")


@pytest.mark.parametrize("arguments", [["config"], ["doctor", "--no-camera"], ["export"], ["pin"]])
def test_a_user_without_a_home_folder_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("REFEREE_DATA", "STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    run = CliRunner().invoke(_group, arguments)
    assert (run.exit_code, len(run.output.splitlines())) == (2, 1)
    assert "this user has no home folder: name one for the games with REFEREE_DATA" in run.output


def test_a_home_that_is_nobodys_is_a_name_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert written("~nosuchuser/x") == Path("~nosuchuser/x")
    run = CliRunner().invoke(_group, ["watch", "~nosuchuser/x", "--calibration", str(EXAMPLE)])
    assert (run.exit_code, len(run.output.splitlines())) == (2, 1)
    assert "there is no camera, file or folder '~nosuchuser/x'" in run.output


@pytest.mark.parametrize("locale", ["utf-8", "latin-1", "ascii", "euc_jp"])
def test_json_is_utf_8_in_every_locale(tmp_path: Path, locale: str) -> None:
    case = '{"id": "ß→", "kind": "play", "players": ["Änne", "Bø"], "events": []}'.encode()
    (tmp_path / "case.json").write_bytes(case)
    for name in (str(tmp_path / "case.json"), "-"):
        environment = {**os.environ, "PYTHONIOENCODING": locale}
        run = subprocess.run([*REFEREE, "judge", name], input=case, capture_output=True, env=environment, timeout=60)
        assert (run.returncode, run.stderr) == (0, b"")
        judged = json.loads(run.stdout.decode("utf-8"))
        assert (judged["id"], list(judged["hands"])) == ("ß→", ["Änne", "Bø"])


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_ends_a_command_with_130_and_no_word() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # Whoever starts the tests in the background lets them ignore Ctrl-C, and a command inherits that.
    with subprocess.Popen([*REFEREE, "judge", "-"], text=True, preexec_fn=_heed_ctrl_c, **pipes) as run:
        assert run.stdin is not None
        run.stdin.write(" " * 1_000_000)  # comes back when most of it has been read: the command is at work
        run.stdin.flush()
        run.send_signal(signal.SIGINT)
        out, said = run.communicate(timeout=60)
    assert (run.returncode, out, said) == (130, "", "")


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


@pytest.mark.parametrize(
    "args",
    [["mat", "out"], ["wiring", "--svg", "out"], ["config", "--write", "new"]],
    ids=lambda args: str(args[0]),
)
def test_what_is_there_outlives_a_disk_that_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    Path("out").write_bytes(b"what was there")
    monkeypatch.setattr(os, "fsync", full)
    result = CliRunner().invoke(_group, args)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert f"{args[-1]}: cannot be written: No space left on device" in result.stderr
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"what was there"]
