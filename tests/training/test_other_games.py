"""Other games' cards: real ones are learnt from as what is no face, and so are their indices."""

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.train import command
from referee.training import stuff as stuff_module
from referee.training.crops import CropMaker
from referee.training.decks import CARD_PX, draw_decks
from referee.training.indices import ASTRAY_MM, ASTRAY_SIZES, CORNER, IndexCropMaker
from referee.training.stuff import Stuff
from referee.vision.classes import NO_FACE
from referee.vision.indices import INDEX_MM
from referee.vision.mat import CARD_MM

TORCH = "needs PyTorch (the train extra)"

GREEN, MAGENTA, YELLOW = (40, 160, 40), (200, 0, 200), (0, 200, 200)


@pytest.fixture(scope="module")
def decks():
    return draw_decks(4, 3, lambda done, of: None)


def signed_card():
    """A green card with a magenta sign where ours have their index, and yellow below it, at both ends."""
    card = np.full((CARD_PX[1], CARD_PX[0], 3), GREEN, np.uint8)
    at = [round(mm * px / size) for mm, px, size in zip(INDEX_MM, CARD_PX, CARD_MM, strict=True)]
    for _ in range(2):
        cv2.circle(card, at, 10, MAGENTA, -1)
        cv2.rectangle(card, (at[0] - 8, at[1] + 11), (at[0] + 8, at[1] + 27), YELLOW, -1)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


@pytest.fixture
def whole(monkeypatch):
    """No pieces of cards."""
    monkeypatch.setattr(stuff_module, "PIECES", 0.0)


@pytest.fixture
def only_real(monkeypatch, whole):
    monkeypatch.setattr(stuff_module, "MADE_BY_OTHERS", 1.0)
    monkeypatch.setattr(stuff_module, "RECOLOURED", 0.0)
    return Stuff(Stuff.made(1).grounds, [], other_games=[signed_card()])


def test_without_real_ones_all_other_games_are_drawn_as_ever():
    drawn, with_none = Stuff.made(1), Stuff(Stuff.made(1).grounds, [], other_games=[])
    for seed in range(5):
        one, other = (stuff.foreign_card(np.random.default_rng(seed)) for stuff in (drawn, with_none))
        assert np.array_equal(one, other)


def test_of_a_quarter_only_a_piece_about_the_index_is_shown_larger(only_real, monkeypatch):
    (whole,) = {only_real.foreign_card(np.random.default_rng(seed)).tobytes() for seed in range(5)}
    monkeypatch.setattr(stuff_module, "PIECES", 0.25)
    cards = [only_real.foreign_card(np.random.default_rng(seed)) for seed in range(400)]
    pieces = [card for card in cards if card.tobytes() != whole]
    assert len(pieces) / 400 == pytest.approx(0.25, abs=0.06)
    (sign,) = {magenta(card) / 2 for card in cards if card.tobytes() == whole}
    least, middle = np.quantile([magenta(card) for card in pieces], [0, 0.5])
    assert least > sign
    assert middle > 2.5 * sign


def test_real_ones_are_shown_as_they_are_and_in_other_colours_beside_drawn_ones(whole):
    stuff = Stuff(Stuff.made(1).grounds, [], other_games=[cv2.resize(signed_card(), (208, 320))])
    cards = [stuff.foreign_card(np.random.default_rng(seed)) for seed in range(300)]
    assert {card.shape for card in cards} == {(CARD_PX[1], CARD_PX[0], 3)}
    same = sum(bool((np.abs(card[80, 52].astype(int) - GREEN) < 3).all()) for card in cards) / 300
    ground = [card[80, 52].astype(int) for card in cards if (card[60:70] == card[80, 52]).all()]
    turned = sum(abs(colour.max() - 160) < 3 and abs(colour - GREEN).max() > 3 for colour in ground) / 300
    assert same == pytest.approx(0.5 * 0.7, abs=0.1)
    assert turned == pytest.approx(0.5 * 0.3, abs=0.1)


def thing():
    """A magenta disc, seen through beside it."""
    picture = np.zeros((80, 80, 4), np.uint8)
    cv2.circle(picture, (40, 40), 38, (*MAGENTA, 255), -1)
    return picture


def magenta(card):
    return float((np.abs(card.astype(int) - MAGENTA).max(2) < 12).mean())


def test_things_with_alpha_lie_on_tables_where_cards_would(tmp_path, one_photograph):
    folder = tmp_path / "other games" / "things"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "disc.png"), thing())
    cv2.imwrite(str(folder / "card.png"), signed_card())
    cv2.imwrite(str(folder / "grey.png"), np.full((160, 104), 128, np.uint8))
    stuff = Stuff.load(one_photograph, (), folder.parent)
    assert (len(stuff.other_games), len(stuff.things)) == (2, 1)
    shown = [magenta(stuff._some_things(np.random.default_rng(seed))) for seed in range(60)]
    assert sum(share > 0.005 for share in shown) >= 50  # some lie mostly outside
    assert max(shown) > 0.3


def test_a_fifth_of_what_is_no_card_of_ours_are_things(monkeypatch):
    monkeypatch.setattr(stuff_module, "MADE_BY_OTHERS", 0.0)
    stuff = Stuff([np.full((80, 80, 3), 250, np.uint8)], [], other_games=[thing()])
    cards = [stuff.foreign_card(np.random.default_rng(seed)) for seed in range(300)]
    assert sum(magenta(card) > 0.005 for card in cards) / 300 == pytest.approx(stuff_module.THINGS, abs=0.06)


def test_without_cards_only_things_and_drawn_cards_are_shown():
    stuff = Stuff(Stuff.made(1).grounds, [], other_games=[thing()])
    assert not stuff.other_games
    assert all(stuff.foreign_card(np.random.default_rng(seed)).shape == (160, 104, 3) for seed in range(30))


def share_upright(pictures, ranks):
    """Share of corners, (n, h, w, 3), that show the sign with yellow below it, none of which is a face's."""
    h, w = pictures.shape[1:3]
    blue, green, red = pictures[:, h // 2 - 2 : h // 2 + 3, w // 2 - 2 : w // 2 + 3].mean((1, 2)).T
    _, green_below, red_below = below = pictures[:, h // 2 + 14 : h // 2 + 19, w // 2 - 2 : w // 2 + 3].mean((1, 2)).T
    sign = np.minimum(blue, red) > green + 50
    upright = sign & (np.minimum(green_below, red_below) > below[0] + 50)
    assert (ranks[upright] == NO_FACE).all()
    return upright.mean()


def test_their_indices_are_shown_where_ours_are_found(decks, only_real):
    maker = IndexCropMaker(CropMaker(decks, None, only_real))
    made = [maker.make(np.random.default_rng([7, i])) for i in range(700)]
    assert share_upright(np.stack([one[0] for one in made]), np.array([one[2] for one in made])) > 0.012


def test_their_indices_are_shown_so_where_corners_are_made_a_thousand_at_a_time(decks, only_real):
    pytest.importorskip("torch", reason=TORCH)
    from referee.training.batches import Table
    from referee.training.corner_batches import corners
    from referee.training.many_lights import Dice
    from referee.training.pools import DRAWN, OTHER_GAMES, Cards, grounds, hands_over_corners, other_games

    rng = np.random.default_rng(3)
    cards = Cards(len(decks.rank) + 20, "cpu")
    cards.add(decks, DRAWN)
    cards.add(other_games(only_real, rng, 20), OTHER_GAMES)
    table = Table(cards, grounds(only_real, rng, "cpu", 20), hands_over_corners(only_real, rng, "cpu", 5), None)
    pictures, _, ranks, *_ = corners(table, 1500, Dice(5, "cpu"), rng)
    assert share_upright(pictures.permute(0, 2, 3, 1).numpy(), ranks.numpy()) > 0.012


def frames(way, count):
    """The corner's place of `count` other games' cards, (count, 4, 2), millimetres, put astray in either way."""
    if way == "one by one":
        from referee.training.indices import _astray

        rng = np.random.default_rng(4)
        return np.stack([_astray(CORNER, rng) for _ in range(count)])
    torch = pytest.importorskip("torch", reason=TORCH)
    from referee.training.corner_batches import _astray as all_astray
    from referee.training.many_lights import Dice

    return all_astray(torch.from_numpy(CORNER).expand(count, 4, 2), Dice(4, "cpu")).numpy()


@pytest.mark.parametrize("way", ["one by one", "a thousand at a time"])
def test_their_indices_lie_some_millimetres_off_and_have_other_sizes(way):
    placed = frames(way, 400)
    sizes = (placed[:, 2] - placed[:, 0]) / (CORNER[2] - CORNER[0])
    assert np.allclose(sizes[:, 0], sizes[:, 1], atol=1e-4)
    assert ASTRAY_SIZES[0] <= sizes.min() < 0.82
    assert 1.22 < sizes.max() <= ASTRAY_SIZES[1]
    index = (np.array(INDEX_MM) - CORNER[0]) / (CORNER[2] - CORNER[0])
    off = placed[:, 0] + index * (placed[:, 2] - placed[:, 0]) - INDEX_MM
    assert 0.95 * ASTRAY_MM < np.abs(off).max() <= ASTRAY_MM + 1e-3
    assert np.abs(off.mean(0)).max() < 0.5


def test_an_empty_folder_is_named(tmp_path, one_photograph):
    pytest.importorskip("torch", reason=TORCH)
    (tmp_path / "empty").mkdir()
    args = ["--data", str(one_photograph), "--out", str(tmp_path / "out"), "--other-games", str(tmp_path / "empty")]
    result = CliRunner().invoke(command, args)
    assert result.exit_code == 2
    assert "holds no .png: give a folder of cards with --other-games" in result.stderr
    assert not (tmp_path / "out").exists()
