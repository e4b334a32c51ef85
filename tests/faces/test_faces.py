"""Drawn cards: right size, clear of each other, the same every time."""

import random
from dataclasses import replace

import numpy as np
import pytest

from referee.cards import FACES, Card, Colour, Rank
from referee.faces import CARD_MM, STYLES, Design, draw_back, draw_blank, draw_face, draw_text_card, random_design


@pytest.mark.parametrize("style", sorted(STYLES))
def test_every_face_of_a_style_differs_from_every_other(style):
    faces = {card: draw_face(card, STYLES[style], 48).astype(int) for card in FACES}
    for i, a in enumerate(FACES):
        for b in FACES[i + 1 :]:
            assert np.abs(faces[a] - faces[b]).max() > 60, f"{a} looks like {b}"


def test_a_face_has_the_size_of_a_card_and_round_corners():
    face = draw_face(Card.parse("R7"), STYLES["white_oval"], 174)
    assert face.dtype == np.uint8
    assert face.shape == (174, round(174 * CARD_MM[0] / CARD_MM[1]), 4)
    assert face[0, 0, 3] == 0
    assert face[87, 56, 3] == 255


def test_the_same_design_draws_the_same_pixels():
    design = random_design(random.Random(5))
    assert random_design(random.Random(5)) == design
    assert np.array_equal(draw_face(Card.parse("G+2"), design, 60), draw_face(Card.parse("G+2"), design, 60))


@pytest.mark.parametrize("seed", range(25))
def test_a_random_design_draws_every_kind_of_card(seed):
    design = random_design(random.Random(seed))
    cards = [Card(r, None if r.is_wild else Colour.GREEN) for r in Rank]
    shapes = {draw_face(card, design, 40).shape for card in cards}
    assert shapes == {draw_back(design, 40).shape, draw_blank(design, 40, Colour.RED).shape} == {(40, 26, 4)}


@pytest.mark.parametrize("style", ["white_oval", "colour_oval"])
@pytest.mark.parametrize("colour", [Colour.RED, None], ids=["coloured", "wild"])
def test_a_card_of_another_edition_has_its_text_in_the_middle_and_in_two_corners(style, colour):
    design = replace(STYLES[style], logo="")
    card = draw_text_card("+1", design, 174, colour)
    other = draw_text_card("+6", design, 174, colour)
    rank = Rank.WILD if colour is None else Rank.ONE
    assert card.shape == draw_face(Card(rank, colour), design, 174).shape
    ys, xs = np.nonzero((card != other).any(2))
    places = {(int(y * 3 // card.shape[0]), int(x * 3 // card.shape[1])) for y, x in zip(ys, xs, strict=True)}
    assert {(0, 0), (1, 1), (2, 2)} <= places <= {(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)}


@pytest.mark.parametrize("text", ["A", "FLIP", "DISCARD"])
def test_a_card_of_another_edition_may_have_a_letter_a_word_or_many_cards(text):
    design = replace(STYLES["white_oval"], logo="")
    card, other, index = (draw_text_card(one, design, 174, Colour.BLUE) for one in (text, "+1", text[:1]))
    blank = draw_blank(design, 174, Colour.BLUE)
    h, w = card.shape[:2]
    middle = np.s_[h // 3 : h * 2 // 3, w // 4 : w * 3 // 4]
    corners = (np.s_[: h // 5, : w // 4], np.s_[-h // 5 :, -w // 4 :])
    for part in (middle, *corners):
        assert (card[part] != other[part]).any()
        assert (card[part] != blank[part]).any()
    assert all(np.array_equal(card[part], index[part]) for part in corners) == (text != "DISCARD")


def test_nobody_plays_with_a_deck_whose_nine_is_its_six_upside_down():
    unmarked = [seed for seed in range(60) if not random_design(random.Random(seed), unmarked=True).tells_nine]
    assert unmarked
    for seed in unmarked:
        alike = random_design(random.Random(seed), unmarked=True)
        marked = random_design(random.Random(seed))
        assert marked == replace(alike, underline="both")
        changed = {c for c in FACES if not np.array_equal(draw_face(c, alike, 90), draw_face(c, marked, 90))}
        assert changed == {c for c in FACES if c.rank in (Rank.SIX, Rank.NINE)}


def test_shape_marks_are_drawn_only_on_styles_that_have_them():
    plain, marked = (draw_face(Card.parse("B4"), STYLES[n], 90) for n in ("white_oval", "white_oval_shapes"))
    assert not np.array_equal(plain, marked)


def test_a_design_names_the_field_it_cannot_draw():
    with pytest.raises(ValueError, match="oval is 'square'"):
        replace(Design(), oval="square")
