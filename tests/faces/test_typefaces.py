"""Decks in real typefaces, to learn from: which font files do, and what is drawn of them. Needs Pillow and a font."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face, random_design
from referee.training.playing_cards import _sign
from referee.training.stuff import TYPESET, Stuff

pytest.importorskip("PIL", reason="needs Pillow (the train extra)")

from referee.faces.typefaces import has_signs, sign_mask, usable


@pytest.fixture(scope="module")
def font() -> str:
    """Any font of this machine that has what a card needs."""
    for folder in sorted(Path("/usr/share/fonts/truetype").glob("*")):
        try:
            return usable(folder)[0]
        except FileNotFoundError:
            continue
    pytest.skip("no font with digits and capitals below /usr/share/fonts/truetype")


def test_a_face_is_drawn_with_the_typeface(font):
    plain, typeset = (draw_face(Card.parse("R8"), design, 160)
                      for design in (STYLES["plain"], replace(STYLES["plain"], typeface=font)))  # fmt: skip
    assert plain.shape == typeset.shape
    assert not np.array_equal(plain, typeset)


@pytest.mark.parametrize("text", ["0", "7", "+2", "WILD"])
def test_a_sign_is_where_its_mask_says(font, text):
    mask, (left, top, width, height) = sign_mask(font, text)
    ys, xs = np.nonzero(mask > 127)
    assert left - 1 <= xs.min() <= xs.max() < left + width + 1
    assert top - 1 <= ys.min() <= ys.max() < top + height + 1


def test_a_line_tells_a_typeset_nine_from_a_six(font):
    design = replace(STYLES["white_oval"], typeface=font, underline="both")
    six, nine = (draw_face(Card.parse(name), design, 160)[..., :3].astype(int) for name in ("B6", "B9"))
    assert np.abs(six - nine[::-1, ::-1]).max() > 100


def test_some_random_decks_are_typeset_and_the_others_are_as_without(font):
    with_fonts = [random_design(random.Random(seed), typefaces=(font,)) for seed in range(40)]
    without = [random_design(random.Random(seed)) for seed in range(40)]
    assert 10 < sum(design.typeface == font for design in with_fonts) < 38
    assert [replace(design, typeface="") for design in with_fonts] == without


def test_files_that_are_no_fonts_are_left_out(font, tmp_path):
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    with pytest.raises(FileNotFoundError, match="holds no font file"):
        usable(tmp_path)
    shutil.copy(font, tmp_path / "good.ttf")
    assert usable(tmp_path) == (str(tmp_path / "good.ttf"),)


@pytest.mark.parametrize("missing", ["7", "+", "W", "*"])
def test_a_font_without_a_sign_that_cards_have_is_left_out(font, monkeypatch, missing):
    def drawn(path, text):
        if text == missing:
            raise ValueError(f"{path} draws nothing for {text!r}")
        return sign_mask(path, text)

    assert has_signs(font)
    monkeypatch.setattr("referee.faces.typefaces.sign_mask", drawn)
    assert not has_signs(font)


def test_most_other_games_cards_are_set_in_a_typeface_where_there_is_one(font, monkeypatch):
    asked = []

    def playing_card(rng, size, typefaces, picture):
        asked.append(typefaces)
        return picture(*size)

    monkeypatch.setattr("referee.training.stuff.playing_card", playing_card)
    ground = np.full((50, 50, 3), 250, np.uint8)
    rng = np.random.default_rng(1)
    cards = [Stuff([ground], [], (font,)).foreign_card(rng) for _ in range(200)]
    assert {card.shape for card in cards} == {(160, 104, 3)}
    assert len(asked) / 200 == pytest.approx(TYPESET, abs=0.08)
    assert set(asked) == {(font,)}


@pytest.mark.parametrize("sign", ["10", "Q", "7", "J"])
def test_the_rank_of_another_games_card_is_cut_to_its_ink(font, sign):
    ink = _sign(font, sign) > 40
    ys, xs = np.nonzero(ink)
    assert np.ptp(ys) > 0.95 * (ink.shape[0] - 2)
    assert np.ptp(xs) > 0.7 * ink.shape[1]  # beside it a typeface leaves some room
    assert 0.1 < ink.mean() < 0.9
