"""Samples that are made a thousand at a time are of the same kind as those that are made one by one."""

import cv2
import numpy as np
import pytest

from referee.training.crops import HARD_RANKS, CropMaker
from referee.training.decks import draw_decks, ever_new_decks
from referee.training.indices import IndexCropMaker
from referee.training.stuff import Stuff
from referee.vision.classes import NO_FACE

torch = pytest.importorskip("torch", reason="needs PyTorch (the train extra)")

SIZES = {"reader": (120, 80), "index_reader": (60, 48)}


@pytest.fixture(scope="module")
def decks():
    return draw_decks(6, 3, lambda done, of: None)


@pytest.fixture(scope="module")
def stuff():
    return Stuff.made(1)


def source(decks, stuff, seed=5, keep=False):
    from referee.training.rounds import Source

    return Source(decks, decks, stuff, seed, 2, 1, "cpu", keep=keep)


def made(name, decks, stuff, seed=5, begin=0, end=16, batch=48, keep=False):
    from referee.training.rounds import Rounds

    return list(Rounds(name, source(decks, stuff, seed, keep), batch)(begin, end))


@pytest.mark.usefixtures("small_rounds")
@pytest.mark.parametrize("name", SIZES)
def test_a_batch_has_pictures_classes_and_corrections_that_fit(name, decks, stuff):
    for pictures, colour, rank, offset, other in made(name, decks, stuff):
        assert pictures.shape == (48, 3, *SIZES[name])
        assert pictures.dtype == torch.uint8
        assert colour.shape == rank.shape == (48,)
        assert offset.shape == (48, 8)
        known = torch.isfinite(offset).all(1)
        assert known[rank != NO_FACE].all()
        assert (colour[rank == NO_FACE] < 0).all()
        assert (rank[other] == NO_FACE).all()
        assert 0 < other.sum() < (rank == NO_FACE).sum()


@pytest.mark.usefixtures("small_rounds")
@pytest.mark.parametrize("name", SIZES)
def test_where_only_other_games_cards_are_learnt_of_more_of_them_are_shown(name, decks, stuff):
    usual, more = (
        float(torch.cat([others for *_, others in made(name, decks, stuff, keep=keep)]).float().mean())
        for keep in (False, True)
    )
    assert usual < 0.15
    assert usual + 0.15 < more < 0.45


@pytest.mark.usefixtures("small_rounds")
def test_batches_repeat_from_their_seed_and_differ_with_it(decks, stuff):
    one, again, other = (made("index_reader", decks, stuff, seed) for seed in (5, 5, 6))
    for a, b in zip(one, again, strict=True):
        assert torch.equal(a[0], b[0])
        assert torch.equal(a[2], b[2])
    assert not torch.equal(one[0][0], other[0][0])


@pytest.mark.usefixtures("small_rounds")
def test_a_batch_larger_than_a_round_is_refused(decks, stuff):
    with pytest.raises(ValueError, match="a round of 192: give a smaller --larger"):
        made("reader", decks, stuff, batch=193)


@pytest.mark.usefixtures("small_rounds")
@pytest.mark.parametrize("name", SIZES)
def test_the_shipped_reader_reads_both_kinds_alike(name, decks, stuff):
    """What it gets right of some hundred faces of either kind differs by no more than chance makes it."""
    from referee.paths import shipped

    net = cv2.dnn.readNetFromONNX(str(shipped("models") / f"{name}.onnx"))
    crops = CropMaker(decks, decks, stuff)
    maker = crops if name == "reader" else IndexCropMaker(crops)
    singly = [maker.make(np.random.default_rng([5, i])) for i in range(600)]
    at_once = made(name, decks, stuff, end=12)
    shares = []
    for pictures, ranks in (
        (np.stack([one[0] for one in singly]).transpose(0, 3, 1, 2), np.array([one[2] for one in singly])),
        (torch.cat([one[0] for one in at_once]).numpy(), torch.cat([one[2] for one in at_once]).numpy()),
    ):
        net.setInput(pictures.astype(np.float32) / 255)
        right = net.forward()[:, 5:21].argmax(1) == ranks
        shares.append((right.mean(), (ranks != NO_FACE).mean(), pictures.mean() / 255, pictures.std() / 255))
    np.testing.assert_allclose(shares[0], shares[1], atol=0.07)


def test_a_corner_is_found_where_it_was_put():
    from referee.training.pasting import from_square, on_source

    quad = torch.tensor([[[0.2, 0.1], [0.9, 0.2], [0.8, 0.95], [0.1, 0.7]]])
    square = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    there = square @ from_square(quad)[0].T
    assert torch.allclose(there[:, :2] / there[:, 2:], quad[0], atol=1e-6)
    at = on_source(quad, 100, 100)[0]
    for (x, y), corner in zip(quad[0].tolist(), square, strict=True):
        assert torch.allclose(at[round(y * 100 - 0.5), round(x * 100 - 0.5)], corner[:2], atol=0.03)


@pytest.mark.parametrize("quality", [30, 60, 90])
def test_a_picture_is_compressed_as_jpeg_compresses_it(quality, decks):
    from referee.training.many_lights import compressed

    picture = np.ascontiguousarray(decks.images[7])
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    packed = cv2.imdecode(data, cv2.IMREAD_COLOR).astype(float)
    ours = compressed(torch.from_numpy(picture).permute(2, 0, 1)[None].float(), torch.tensor([float(quality)]))
    ours = ours[0].permute(1, 2, 0).numpy()
    assert np.abs(ours - packed).mean() < 0.4 * np.abs(packed - picture).mean()


def test_a_card_lies_where_it_was_pasted_and_nowhere_else():
    from referee.training.many_lights import Dice
    from referee.training.pasting import paste

    canvas = torch.full((1, 3, 120, 80), 255.0)
    card = torch.zeros((1, 3, 160, 104), dtype=torch.uint8)
    quad = torch.tensor([[[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]]])
    out = paste(canvas, card, torch.tensor([0.05]), quad, Dice(1, "cpu"))[0]
    assert (out[:, 34:86, 24:56] < 1).all()
    assert (out[:, :15] > 250).all()
    assert (out[:, 105:] > 250).all()


def test_other_cards_and_hands_keep_to_those_they_are_put_on():
    from referee.training.many_lights import only

    pictures, on = torch.zeros((4, 3, 2, 2)), torch.tensor([False, True, False, True])
    out = only(on, pictures, lambda some, level: some + level[:, None, None, None], torch.arange(4.0))
    assert out[:, 0, 0, 0].tolist() == [0, 1, 0, 3]


@pytest.mark.usefixtures("helpers")
def test_new_decks_come_for_ever_and_are_the_same_however_many_draw_them():
    for count in (1, 2):
        new = ever_new_decks(2, 9, count)
        first, second = next(new), next(new)
        new.close()
        assert len(first.rank) == len(second.rank) == 48
        assert not np.array_equal(first.images, second.images)
        if count == 1:
            alone = first
    np.testing.assert_array_equal(alone.images, first.images)


def test_hard_ranks_come_oftener():
    from referee.training.crops import RANK_WEIGHTS
    from referee.training.many_lights import Dice

    drawn = np.bincount(Dice(3, "cpu").weighted(RANK_WEIGHTS, 20000).numpy(), minlength=NO_FACE + 1)
    hard = next(iter(HARD_RANKS))
    assert drawn[hard] > 1.3 * drawn[1]


@pytest.mark.parametrize("size", [(80, 120), (20, 25), (66, 30)])
def test_stretching_is_pytorchs_bilinear_resizing(size):
    from referee.training.many_lights import stretched

    images = torch.rand((5, 3, 40, 33), generator=torch.Generator().manual_seed(1)) * 255
    want = torch.nn.functional.interpolate(images, size[::-1], mode="bilinear", align_corners=False)
    assert torch.allclose(stretched(images, size), want, atol=1e-3)
