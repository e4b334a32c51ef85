"""`referee mat` and `referee calibrate`: from a picture to the file, and one line for everything that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from referee.cli import _group
from referee.dashboard.phrases import load_phrases
from referee.paths import shipped
from referee.virtual_table.look import Look
from referee.virtual_table.script import Level
from referee.virtual_table.set_up import Pose, SetUpTable
from referee.vision.calibration import load_calibration
from referee.vision.find_mat import Code
from referee.vision.mat import Paper


def referee(*words: object):
    return CliRunner().invoke(_group, [str(word) for word in words])


@pytest.fixture(scope="module")
def pictures(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    look = Look.draw(3, Level.NORMAL)
    cv2.imwrite(str(folder / "mat.png"), SetUpTable(look, Paper.A4, Pose(angle=4.0)).image())
    cv2.imwrite(str(folder / "mirrored.png"), SetUpTable(look, Paper.A4).image()[:, ::-1])
    cv2.imwrite(str(folder / "none.png"), SetUpTable(look).image())
    (folder / "broken.png").write_bytes(b"no picture")
    frames = folder / "frames"
    frames.mkdir()
    for number in range(12):
        name = "mat.png" if number == 10 else "none.png"
        (frames / f"{number}.png").write_bytes((folder / name).read_bytes())
    return folder


def test_the_mat_is_a_pdf_of_one_page_in_every_language(tmp_path):
    for language, word in (("en", b"Discard pile"), ("de", b"Ablagestapel"), ("es", b"Pila de descarte")):
        out = referee("mat", tmp_path / "mat.pdf", "--language", language, "--paper", "letter")
        assert (out.exit_code, out.stdout.startswith("wrote ")) == (0, True)
        data = (tmp_path / "mat.pdf").read_bytes()
        assert data.startswith(b"%PDF-1.4")
        assert data.count(b"/Type /Page ") == 1
        assert word in data


def test_a_picture_of_the_mat_makes_a_file_that_the_eye_takes(pictures, tmp_path):
    out = referee("calibrate", pictures / "mat.png", "-o", tmp_path / "c.json", "--seats", 6)
    assert out.exit_code == 0
    assert out.stdout.startswith("6 of 6 markers, 0.")
    calibration = load_calibration(tmp_path / "c.json")
    assert (calibration.image_size, len(calibration.seats)) == ((1280, 720), 6)
    picture = cv2.imread(str(tmp_path / "c.jpg"))
    assert picture.shape == (720, 1280, 3)


def test_a_recording_is_searched_until_the_mat_is_seen(pictures, tmp_path):
    out = referee("calibrate", pictures / "frames", "-o", tmp_path / "c.json", "--json")
    facts = json.loads(out.stdout)
    assert (facts["markers"], facts["advice"], facts["file"]) == (6, [], str(tmp_path / "c.json"))
    assert facts["residual_mm"] < 0.5


def test_four_corners_do_without_a_mat(pictures, tmp_path):
    corners = "300,150 980,160 990,560 290,550"
    out = referee("calibrate", pictures / "none.png", "-o", tmp_path / "c.json", "--corners", corners,
                  "--size", "400x240", "--json")  # fmt: skip
    facts = json.loads(out.stdout)
    assert facts["table_mm"] == pytest.approx([748, 436], abs=15)
    assert facts["markers"] is None


@pytest.mark.parametrize(("words", "said"), [
    (("none.png",), "No mat in sight"),
    (("none.png",), "Or name four corners with --corners.\n"),
    (("mirrored.png",), "The camera mirrors"),
    (("mirrored.png",), "in the camera’s own settings.\n"),
    (("broken.png",), "not a picture that can be read"),
    (("nothing.png",), "there is no camera, file or folder"),
    (("none.png", "--corners", "1,2 3,4"), "--corners '1,2 3,4': expected four points"),
    (("none.png", "--corners", "1,2 3,4 5,6 a,b"), "expected four points"),
    (("none.png", "--corners", "0,0 10,0 20,0 30,0"), "corners: expected four corners of a rectangle"),
    (("none.png", "--corners", "300,150 980,160 990,560 290,550", "--size", "big"), "--size 'big': expected a4"),
    (("none.png", "--corners", "300,150 980,160 990,560 290,550", "--size", "1x2"), "size: expected two lengths"),
])  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(pictures, tmp_path, words, said):
    name, *more = words
    out = referee("calibrate", pictures / name, "-o", tmp_path / "c.json", *more)
    assert out.exit_code == 2
    assert said in out.stderr
    assert out.stderr.count("\n") == 1
    assert not (tmp_path / "c.json").exists()


def test_a_file_that_cannot_be_written_is_named(pictures, tmp_path):
    (tmp_path / "taken").write_text("a file")
    for words in (("calibrate", pictures / "mat.png", "-o", tmp_path / "taken" / "c.json"), ("mat", tmp_path)):
        out = referee(*words)
        assert out.exit_code == 2
        assert str(tmp_path) in out.stderr


def test_every_advice_has_a_sentence_in_every_language():
    for phrases in load_phrases(shipped("web") / "locale").values():
        sentences = [phrases[f"advice.{code.value}"] for code in Code]
        assert len(set(sentences)) == len(Code)
        assert all(phrases[f"side.{side}"] for side in ("left", "right", "top", "bottom", "discard", "draw"))
