"""Training on other games' cards alone: of all else the readers go on saying what they said (`--keep`)."""

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
    out = torch.zeros(1, 30)
    out[0, 1], out[0, 5 + rank] = sure, sure
    return out


@pytest.mark.parametrize(
    ("what", "said", "before", "other", "learns"),
    [
        ("a face is read as before", 3, 3, False, False),
        ("a face is read otherwise than before", 4, 3, False, True),
        ("the back of a card is no face, as before", NO_FACE, NO_FACE, False, False),
        ("another game's card is said to be a face, as before", 3, 3, True, True),
        ("another game's card is said to be no face, other than before", NO_FACE, 3, True, False),
    ],
)
def test_only_that_other_games_cards_are_no_face_is_learnt(what, said, before, other, learns):
    from referee.training.learn import keeping_loss

    loss, _ = keeping_loss(answers(said), answers(before), torch.tensor([other]))
    assert (float(loss) > 1) is learns, what


@pytest.mark.parametrize("name", ["reader", "index_reader"])
def test_no_face_becomes_less_likely_and_nothing_else_changes(name):
    from referee.training.export import hold_none_less_likely
    from referee.training.networks import NETWORKS

    net = NETWORKS[name]().eval()
    pictures = torch.rand(3, 3, *((120, 80) if name == "reader" else (60, 48)))
    with torch.no_grad():
        before = net(pictures)
        hold_none_less_likely(net, 1.5)
        change = net(pictures) - before
    assert change[:, 5 + NO_FACE].numpy() == pytest.approx(-1.5, abs=1e-4)
    change[:, 5 + NO_FACE] = 0
    assert float(change.abs().max()) < 1e-5


@pytest.mark.parametrize("name", ["reader", "index_reader"])
def test_what_tells_strangers_counts_less_and_least_where_it_says_little(name):
    from referee.training.export import hear_strangers_less
    from referee.training.networks import NETWORKS

    net = NETWORKS[name]().eval()
    last = net.strangers.out[4]
    said = {}
    with torch.no_grad():
        seen = torch.zeros(1, last.in_features)
        for before in (-2.0, 9.0):
            torch.nn.init.constant_(last.bias, before)
            hear_strangers_less(net, 2.0)
            said[before] = float(net.strangers.out[4:](seen))
    assert said[9.0] == pytest.approx(7.0, abs=0.01)
    assert said[-2.0] == pytest.approx(0.018, abs=0.001)


@pytest.mark.parametrize(("name", "size"), [("reader", (120, 80)), ("index_reader", (60, 48))])
def test_what_is_kept_is_what_the_last_layers_say(name, size):
    from referee.training.networks import NETWORKS

    net = NETWORKS[name]().eval()
    torch.nn.init.constant_(net.strangers.out[4].bias, 5.0)
    pictures = torch.rand(3, 3, *size)
    with torch.no_grad():
        last = net.faces(net.body(pictures - 0.5))
        assert float((net(pictures)[:, :21] - last).max()) > 4
        net.strangers.silence()
        assert torch.allclose(net(pictures)[:, :21], last, atol=1e-5)


@pytest.mark.slow
@pytest.mark.usefixtures("small_rounds")
def test_a_training_keeps_its_readings_and_corners_and_says_so_in_the_manifest(tmp_path, one_photograph):
    before, out = shipped("models"), tmp_path / "out"
    small = ["--steps", "10", "--decks", "2", "--workers", "0", "--device", "cpu", "--only", "reader"]
    where = ["--data", str(one_photograph), "--out", str(out), "--further", str(before), "--rate", "0.0005"]
    kept = ["--keep", "--fresh", "1", "--none-less", "0.5", "--strangers-less", "1"]
    result = CliRunner().invoke(command, [*where, *small, *kept])
    assert result.exit_code == 0, result.output
    last = json.loads((out / "MANIFEST.json").read_text())["recipe"]["further"][-1]
    assert (last["keep"], last["none_less"], last["strangers_less"]) == (True, 0.5, 1.0)
    crops = CropMaker(draw_decks(2, 4, lambda done, of: None), None, Stuff.made(1))
    some = [crops.make(np.random.default_rng([9, i])) for i in range(80)]
    faces = np.stack([crop for crop, colour, *_ in some if colour != IGNORE]).transpose(0, 3, 1, 2).astype(np.float32)
    said = []
    for folder in (before, out):
        net = cv2.dnn.readNetFromONNX(str(folder / "reader.onnx"))
        net.setInput(faces / 255)
        said.append(net.forward().copy())
    one, other = said
    assert (one[:, 5:21].argmax(1) == other[:, 5:21].argmax(1)).mean() > 0.9
    change = other - one
    assert np.ptp(change[:, 5 + NO_FACE]) > 0.001  # something is learnt
    assert change[:, 5 + NO_FACE].mean() == pytest.approx(-0.5, abs=0.2)
    others = np.delete(change, [5 + NO_FACE, 6 + NO_FACE], 1)  # without "no face" and what strangers add to it
    assert np.abs(others).max() < 0.001  # faces and where the corners are stay


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (["--keep", "--fresh", "4"], "--keep needs --further FOLDER"),
        (["--keep", "--further", "models"], "--keep needs --fresh DESIGNS"),
        (["--none-less", "1", "--further", "models"], "--none-less needs --keep"),
        (["--strangers-less", "1", "--further", "models"], "--strangers-less needs --keep"),
    ],
)
def test_what_keeping_needs_is_named(tmp_path, given, error):
    result = CliRunner().invoke(command, ["--out", str(tmp_path / "out"), *given])
    assert result.exit_code == 2
    assert error in result.stderr
    assert not (tmp_path / "out").exists()
