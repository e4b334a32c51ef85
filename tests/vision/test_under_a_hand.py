"""Cards of which a hand leaves a part: what their picture and their indices, whole and cut, say together."""

from dataclasses import replace

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.indices import IndexReading
from referee.vision.merge import with_indices
from referee.vision.nets import Found, Read, load_models
from referee.vision.reading import is_certain, read_photo

CARD = np.array([[100, 100], [212, 100], [212, 274], [100, 274]], np.float32)  # 2 px a mm
END = np.roll(CARD, 2, 0)
MIDDLE = np.array([[125, 140], [185, 140], [185, 230], [125, 230]], np.float32)
SURE = 0.9


def reading(name, confidence, others):
    face = None if name == "?" else Card.parse(name)
    return CardReading(face, confidence, tuple((Card.parse(other), p) for other, p in others.items()))


def card(name, confidence, visible=0.9, face=0.95, quad=CARD, score=0.8, **others):
    return Found(quad, score, visible, 0.4), Read(reading(name, confidence, others), quad, face)


def index(name, confidence, quad=CARD, score=0.8, **others):
    return IndexReading(reading(name, confidence, others), quad, score, 0.98)


def said(cards, *indices):
    read = [read for _, read in with_indices(cards, indices, SURE)]
    return [one.reading.notation for one in read if one.reading.card and one.reading.confidence >= SURE]


@pytest.mark.parametrize(
    ("other", "names"),
    [
        (index("B4", 0.95, END, B8=0.05), ["B8"]),
        (index("B4", 0.95, END), []),
        (index("B4", 0.95, END, score=0.3), ["B8"]),
    ],
    ids=["it may be the same", "it is another", "hardly an index"],
)
def test_an_index_that_fingers_cut_gainsays_a_whole_one_only_where_it_cannot_be_the_same(other, names):
    assert said([card("?", 0.9, visible=0.5)], index("B8", 0.995), other) == names


@pytest.mark.parametrize(
    ("visible", "confidence", "sign", "names"),
    [
        (0.8, 0.96, 0.998, ["R2"]), (0.92, 0.978, 0.994, []), (0.9, 0.999, 0.98, ["R3"]), (0.9, 0.96, 0.96, ["R3"]),
        (0.5, 0.96, 0.975, ["R2"]),
    ],
    ids=["half a 2", "in full view", "the picture is surer", "a sign not so sure", "covered"],
)  # fmt: skip
def test_a_certain_index_that_is_surer_than_the_picture_says_the_card(visible, confidence, sign, names):
    """What fingers leave of a 2 in the middle of the card was surely a 3, and the index of it was whole."""
    assert said([card("R3", confidence, visible, R2=0.01)], index("R2", sign)) == names


@pytest.mark.parametrize(
    ("visible", "signs", "names"),
    [
        (0.4, [("R1", 0.91)], ["R1"]), (0.4, [("R1", 0.89)], []), (0.4, [("R1", 0.85), ("R1", 0.85)], ["R1"]),
        (0.4, [("R1", 0.96), ("R7", 0.93)], []), (0.8, [("R1", 0.95)], []),
    ],
    ids=["as sure as alone", "not as sure", "both", "two that differ", "in full view"],
)  # fmt: skip
def test_what_is_seen_of_a_covered_card_without_a_face_takes_nothing_from_its_indices(visible, signs, names):
    indices = [index(*sign, quad) for sign, quad in zip(signs, (CARD, END), strict=False)]
    assert said([card("?", 0.9, visible, face=0.45)], *indices) == names


@pytest.mark.parametrize(("sign", "names"), [(0.95, ["RR"]), (0.89, [])])
def test_an_index_in_full_view_says_the_card_where_a_hand_hides_the_picture_of_it(sign, names):
    assert said([card("R6", 0.18, visible=0.78)], index("RR", sign)) == names


@pytest.mark.parametrize(("seen", "names"), [("B1", ["B0"]), ("?", ["B0"]), ("W+4", []), ("R0", [])])
def test_a_covered_card_is_as_sure_as_its_index_where_no_other_colour_is_seen_of_it(seen, names):
    """A Wild Draw Four of a strange deck was said to be what half its index looked like."""
    assert said([card(seen, 0.45, visible=0.4)], index("B0", 0.946, B8=0.04)) == names


def test_a_part_of_a_card_is_no_second_card_for_the_index_of_the_first():
    """The finder took the right half of a 1 for a covered 4, and the index of the 1 lay where that had its own."""
    half = CARD + np.float32([6, 6])
    cards = [card("B1", 0.98), card("B4", 0.95, visible=0.27, quad=half, score=0.3)]
    assert said(cards, index("B1", 0.993)) == ["B1"]


class Finder:
    """Finds what a hand leaves of the middle of a card."""

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [Found(MIDDLE, 0.5, 0.4, 0.5)]

    def find_cut_off(self, image):
        return []


class Reader:
    """Reads no face there, and a green card where the index puts it."""

    def read(self, image, quads, quick=False, refined=False):
        name, face = ("G6", 0.8) if refined else ("?", 0.5)
        return [Read(reading(name, 0.9, {}), quad, face) for quad in quads]


class Indices:
    """Finds the index of the card when it seeks indices of every size."""

    def find(self, image, heights_px=(), thorough=False, cards=()):
        return [] if heights_px else [index("G6", 0.995)]


def test_where_a_part_was_taken_for_a_small_card_without_a_face_indices_of_every_size_are_sought():
    models = replace(load_models(), finder=Finder(), reader=Reader(), indices=Indices())
    cards = read_photo(np.full((300, 300, 3), (60, 160, 40), np.uint8), models)
    assert [c.reading.notation for c in cards if is_certain(c, models)] == ["G6"]
