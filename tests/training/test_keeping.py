"""Training on what is no face alone: of faces the readers go on saying what they said (`--keep`)."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.train import command
from referee.paths import shipped
from referee.training.crops import IGNORE, CropMaker
from referee.training.decks import draw_decks
from referee.training.stuff import Stuff
from referee.vision.classes import NO_FACE

torch = pytest.importorskip("torch", reason="needs PyTorch (the train extra)")


def answers(rank, sure=8.0):
    out = torch.zeros(1, 29)
    out[0, 1], out[0, 5 + rank] = sure, sure
    return out


@pytest.mark.parametrize(
    ("what", "said", "before", "truth", "learns"),
    [
        ("a face is read as before", 3, 3, 3, False),
        ("a face that was read wrong before is still read so", 3, 3, 4, False),
        ("a face is read otherwise than before, as it is", 4, 3, 4, True),
        ("no face is said to be one, as before", 3, 3, NO_FACE, True),
        ("no face is said to be none, other than before", NO_FACE, 3, NO_FACE, False),
    ],
)
def test_what_was_said_of_a_face_is_kept_and_what_is_no_face_is_learnt(what, said, before, truth, learns):
    from referee.training.learn import keeping_loss

    offset = torch.full((1, 8), torch.nan) if truth == NO_FACE else torch.zeros(1, 8)
    loss, _ = keeping_loss(answers(said), answers(before), torch.tensor([truth]), offset)
    assert (float(loss) > 1) is learns, what


def test_corners_are_kept_too_where_there_is_a_card_and_not_where_there_is_none():
    from referee.training.learn import keeping_loss

    moved = answers(3)
    moved[0, 21:] = 2.0
    rank = torch.tensor([3])
    loss, _ = keeping_loss(moved, answers(3), rank, torch.zeros(1, 8))
    assert float(loss) == pytest.approx(2.0, abs=0.01)
    nowhere, _ = keeping_loss(moved, answers(3), rank, torch.full((1, 8), torch.nan))
    assert float(nowhere) == pytest.approx(0.0, abs=0.01)


@pytest.mark.slow
def test_a_training_that_keeps_its_readings_says_so_in_the_manifest(tmp_path, one_photograph):
    before, out = shipped("models"), tmp_path / "out"
    small = ["--steps", "10", "--decks", "2", "--workers", "0", "--device", "cpu", "--only", "reader"]
    where = ["--data", str(one_photograph), "--out", str(out), "--further", str(before), "--rate", "0.0001"]
    result = CliRunner().invoke(command, [*where, *small, "--keep"])
    assert result.exit_code == 0, result.output
    assert json.loads((out / "MANIFEST.json").read_text())["recipe"]["further"][-1]["keep"] is True
    crops = CropMaker(draw_decks(2, 4, lambda done, of: None), None, Stuff.made(1))
    some = [crops.make(np.random.default_rng([9, i])) for i in range(80)]
    faces = np.stack([crop for crop, colour, *_ in some if colour != IGNORE]).transpose(0, 3, 1, 2).astype(np.float32)
    said = []
    for folder in (before, out):
        net = cv2.dnn.readNetFromONNX(str(folder / "reader.onnx"))
        net.setInput(faces / 255)
        said.append(net.forward()[:, 5:21].argmax(1))
    assert (said[0] == said[1]).mean() > 0.9


def test_there_must_be_readings_to_keep(tmp_path):
    result = CliRunner().invoke(command, ["--out", str(tmp_path / "out"), "--keep"])
    assert result.exit_code == 2
    assert "--keep needs --further FOLDER" in result.stderr
    assert not (tmp_path / "out").exists()
