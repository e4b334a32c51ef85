"""Training on from the shipped weights: it begins with what they say, and leaves the other networks alone."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.train import command
from referee.paths import shipped
from referee.training.decks import draw_decks
from referee.training.scenes import CORNERS, WHOLE_CARDS, SceneMaker
from referee.training.stuff import Stuff
from referee.vision.classes import NO_FACE

torch = pytest.importorskip("torch", reason="needs PyTorch (the train extra)")


@pytest.fixture(scope="module")
def makers():
    decks, stuff = draw_decks(2, 3, lambda done, of: None), Stuff.made(1)
    kinds = {"finder": WHOLE_CARDS, "index_finder": CORNERS}
    return {name: SceneMaker(decks, None, stuff, kind) for name, kind in kinds.items()}


def batches(name, maker, count=6):
    from referee.training.learn import samples

    made = samples(name, maker, 3, 0, count * 8, 8)
    return [torch.stack([made[8 * n + i][0] for i in range(8)]).float() / 255 for n in range(count)]


def as_if_trained(net):
    """Biases that differ: equal ones are written once."""
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            torch.nn.init.normal_(layer.bias, std=0.1)


def without_the_new_block(folder):
    """The index reader as it was written before it had its last residual block."""
    from referee.training.export import export
    from referee.training.networks import IndexReaderNet

    net = IndexReaderNet().eval()
    net.body = torch.nn.Sequential(*net.body[:-2], net.body[-1])
    as_if_trained(net)
    export("index_reader", net, folder)
    return net


def test_a_block_that_the_file_lacks_adds_nothing_yet(tmp_path):
    from referee.training.further import unfolded

    before = without_the_new_block(tmp_path)
    images = [torch.rand((8, 3, 60, 48), generator=torch.Generator().manual_seed(n)) for n in range(3)]
    net = unfolded("index_reader", tmp_path, images).eval()
    assert len(net.body) == len(before.body) + 1
    with torch.no_grad():
        assert torch.allclose(net(images[0]), before(images[0]), atol=1e-4)


def without_strangers(name, folder):
    """A reader as it was written before it had what tells strangers."""
    from referee.training.export import export
    from referee.training.networks import NETWORKS

    net = NETWORKS[name]().eval()
    as_if_trained(net)
    net.strangers = Nothing()
    export(name, net, folder)
    return net


class Nothing(torch.nn.Module):
    def forward(self, x):
        first = x.flatten(1)[:, :1]
        return first - first


@pytest.mark.parametrize(("name", "size"), [("reader", (120, 80)), ("index_reader", (60, 48))])
def test_what_tells_strangers_says_hardly_anything_where_the_file_lacks_it(name, size, tmp_path):
    from referee.training.export import export
    from referee.training.further import unfolded

    before = without_strangers(name, tmp_path)
    images = [torch.rand((8, 3, *size), generator=torch.Generator().manual_seed(n)) for n in range(3)]
    net = unfolded(name, tmp_path, images).eval()
    for says, bias in [(0.127, None), (5.007, 5.0), (0.0, -9.0)]:  # a new one; one that was trained; never for a face
        if bias is not None:
            as_if_trained(net.strangers)
            torch.nn.init.constant_(net.strangers.out[4].bias, bias)
            export(name, net, tmp_path)
            net = unfolded(name, tmp_path, images).eval()
        with torch.no_grad():
            change = net(images[0]) - before(images[0])
        assert change[:, 5 + NO_FACE].numpy() == pytest.approx(says, abs=1e-3)
        assert change[:, 6 + NO_FACE].numpy() == pytest.approx(says, abs=1e-3)  # and the answer says so
        assert float(np.delete(change.abs().numpy(), [5 + NO_FACE, 6 + NO_FACE], 1).max()) < 1e-4


def test_a_network_that_differs_in_more_than_new_blocks_is_refused(makers, tmp_path):
    from referee.training.export import export
    from referee.training.further import unfolded
    from referee.training.networks import IndexFinderNet

    export("finder", IndexFinderNet().eval(), tmp_path)
    with pytest.raises(ValueError, match="another shape"):
        unfolded("finder", tmp_path, batches("finder", makers["finder"], 1))


@pytest.mark.parametrize("name", ["finder", "index_finder"])
def test_it_says_what_the_file_says(name, makers):
    from referee.training.further import unfolded

    images = batches(name, makers[name])
    net = unfolded(name, shipped("models"), images).eval()
    file = cv2.dnn.readNetFromONNX(str(shipped("models") / f"{name}.onnx"))
    file.setInput(images[0].numpy())
    with torch.no_grad():
        np.testing.assert_allclose(net(images[0]).numpy(), file.forward(), atol=1e-3)


def test_it_is_used_to_what_it_sees_in_training(makers):
    from referee.training.further import unfolded

    images = batches("finder", makers["finder"])
    net = unfolded("finder", shipped("models"), images)
    together = torch.cat(images)
    with torch.no_grad():
        settled, learning = net.eval()(together), net.train()(together)
    assert torch.allclose(settled, learning, atol=0.05)


@pytest.mark.parametrize("order", [range(192), [130, 3, 67, 66, 2, 131, 0]])
def test_a_sample_is_the_same_whatever_was_made_before_it(order, makers):
    from referee.training.learn import samples

    one, other = (samples("finder", makers["finder"], 4, 0, 192, 8) for _ in range(2))
    for i in order:
        one[i]
    for i in (66, 2, 131):
        assert all(torch.equal(a, b) for a, b in zip(one[i], other[i], strict=True))


def test_the_second_look_at_a_scene_sees_the_same_cards_in_other_light(makers):
    from referee.training.learn import APART, samples

    made = samples("index_finder", makers["index_finder"], 4, 0, 2 * APART * 8, 8)
    first, second = made[0], made[APART * 8]
    assert torch.equal(first[1], second[1])
    assert not torch.equal(first[0], second[0])


@pytest.mark.parametrize(("batch", "workers", "laid_for_two"), [(2, 1, 1), (2, 2, 1), (4, 8, 1), (2, 3, 2)])
def test_a_scene_is_laid_once_where_its_worker_comes_back_to_it(batch, workers, laid_for_two, makers, monkeypatch):
    from referee.training.learn import APART, samples

    laid = []
    lay = SceneMaker.laid
    monkeypatch.setattr(SceneMaker, "laid", lambda maker, rng: laid.append(1) or lay(maker, rng))
    count = 3 * 2 * APART * batch
    made = samples("finder", makers["finder"], 4, 0, count, batch)
    mine = [i for i in range(count) if i // batch % workers == 0]
    for i in mine:
        made[i]
    assert len(laid) / len(mine) == pytest.approx(laid_for_two / 2, abs=0.1)
    assert len(made.kept) <= 2 * APART * batch


@pytest.mark.slow
def test_one_network_is_trained_on_and_the_others_are_taken_over(tmp_path, one_photograph):
    from referee.vision.nets import load_models

    before, out = shipped("models"), tmp_path / "out"
    small = ["--steps", "10", "--decks", "2", "--workers", "0", "--device", "cpu", "--only", "finder", "--seed", "9"]
    where = ["--data", str(one_photograph), "--out", str(out), "--further", str(before)]
    result = CliRunner().invoke(command, where + small)
    assert result.exit_code == 0, result.output
    assert load_models(out).sure == load_models(before).sure
    same = [(out / f"{name}.onnx").read_bytes() == (before / f"{name}.onnx").read_bytes()
            for name in ("finder", "pile_finder", "reader", "index_finder", "index_reader")]  # fmt: skip
    assert same == [False, True, True, True, True]
    since = json.loads((out / "MANIFEST.json").read_text())["recipe"]["further"]
    assert since[-1] == {"seed": 9, "rate": 0.002, "decks": 16, "steps": {"finder": 20}, "batch": {"finder": 8}}


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--only", "finder"], "--only needs --further FOLDER"),
        (["--further", "/nowhere"], "/nowhere/MANIFEST.json is missing"),
        (["--further", "models", "--only", "searcher"], "'searcher' is not one of"),
    ],
)
def test_wrong_use_is_one_line_that_names_it(args, line, tmp_path):
    result = CliRunner().invoke(command, ["--out", str(tmp_path / "out"), *args])
    assert result.exit_code == 2
    assert line in result.stderr
    assert not (tmp_path / "out").exists()
