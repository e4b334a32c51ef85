"""`referee watch`: its lines, and one clear line for wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cards import Card
from referee.commands import replay
from referee.commands.watch import command, in_words
from referee.observations import (
    CardLanded,
    CardRead,
    CardReading,
    CardRemoved,
    CardsDrawn,
    PileMoved,
    PileTaken,
    Quality,
    Sighting,
    ViewChanged,
)
from referee.paths import shipped

CALIBRATION = str(shipped("calibration") / "default.json")
R7 = CardReading(Card.parse("R7"), 0.97)


def _pictures(folder: Path, count: int = 12) -> Path:
    rng = np.random.default_rng(3)
    cloth = cv2.resize(rng.integers(60, 120, (45, 80, 3), np.uint8), (1280, 720))
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.png").write_bytes(cv2.imencode(".png", cloth)[1].tobytes())
    return folder


@pytest.mark.parametrize("as_json", [True, False])
def test_a_folder_of_frames_is_watched(tmp_path: Path, as_json: bool) -> None:
    args = [str(_pictures(tmp_path / "frames")), "--calibration", CALIBRATION, *(["--json"] if as_json else [])]
    result = CliRunner().invoke(command, args)
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    if as_json:
        assert json.loads(line) == {"t": 0.0, "event": "view", "state": "clear"}
    else:
        assert line.endswith("view: clear")


def test_an_annotated_video_is_written(tmp_path: Path) -> None:
    out = tmp_path / "seen.mp4"
    args = [str(_pictures(tmp_path / "frames")), "--calibration", CALIBRATION, "--annotate", str(out)]
    assert CliRunner().invoke(command, args).exit_code == 0
    video = cv2.VideoCapture(str(out))
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) == 12
    video.release()


@pytest.mark.parametrize(
    ("source", "calibration", "named"),
    [
        ("nothing.mp4", CALIBRATION, "nothing.mp4"),
        (__file__, CALIBRATION, "test_watch.py"),
        (".", "none.json", "none.json"),
        (".", __file__, "is not JSON"),
    ],
)
def test_wrong_input_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, calibration: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(command, [source, "--calibration", calibration, "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert named in line


@pytest.mark.parametrize("of_replay", [False, True])
@pytest.mark.parametrize(
    ("sizes", "named"),
    [
        ([(960, 720)], "the frames are 960x720 and the calibration's image_size is 1280x720"),
        ([(1280, 720), (640, 480)], "f2.png is 640x480, the first was 1280x720: expected one size"),
    ],
)
def test_frames_of_another_size_are_named_with_their_files(
    tmp_path: Path, sizes: list[tuple[int, int]], named: str, of_replay: bool
) -> None:
    for number, (width, height) in enumerate(sizes, 1):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), np.full((height, width, 3), 90, np.uint8))
    args = [str(tmp_path), "--calibration", CALIBRATION, *(["--players", "Ana,Ben"] if of_replay else [])]
    result = CliRunner().invoke(replay.command if of_replay else command, args)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert f"{tmp_path} with {CALIBRATION}: {named}" in line


@pytest.mark.parametrize(
    ("sighting", "words"),
    [
        (CardLanded(t=1.5, reading=R7, sure=True, seat=3), "seat 3 lays R7"),
        (CardLanded(t=1.5, reading=R7, sure=False), "someone lays R7  (unsure, 0.97)"),
        (CardRead(t=1.5, reading=R7, sure=True), "the card laid then is R7"),
        (CardRemoved(t=1.5, card=Card.parse("R7")), "someone takes back R7; on top now: nothing"),
        (CardsDrawn(t=1.5, seat=2), "seat 2 draws 1"),
        (CardsDrawn(t=1.5, count=None), "someone draws some"),
        (PileMoved(t=1.5), "the pile was moved"),
        (PileTaken(t=1.5), "the pile was taken"),
        (ViewChanged(t=1.5, state=Quality.GLARE), "view: glare"),
    ],
)
def test_events_in_words(sighting: Sighting, words: str) -> None:
    assert in_words(sighting) == f"    1.50 s  {words}"
