"""Cards found askew or in pieces under a hand, and what their indices say of where they lie."""

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.askew import askew, is_shaped, one_of_both, put_right, without_pieces
from referee.vision.indices import IndexReading
from referee.vision.merge import with_indices
from referee.vision.nets import Found, Read

CARD = np.array([[100, 100], [212, 100], [212, 274], [100, 274]], np.float32)  # 2 px a mm
LEANING = np.array([[100, 100], [212, 100], [290, 274], [100, 274]], np.float32)
CORNER = np.array([[100, 100], [150, 100], [150, 170], [100, 170]], np.float32)
HALF = np.array([[100, 100], [212, 100], [212, 230], [100, 230]], np.float32)
OTHER_HALF = np.array([[212, 274], [100, 274], [100, 150], [212, 150]], np.float32)


def card(quad, name="R1", sure=0.99, score=0.8, visible=0.6):
    face = None if name == "?" else Card.parse(name)
    return Found(quad, score, visible, 0.9), Read(CardReading(face, sure), quad, 0.9)


def index(name="R1", quad=CARD, sure=0.99, score=0.7):
    return IndexReading(CardReading(Card.parse(name), sure), quad, score, 0.99)


def left(cards, *indices):
    kept = without_pieces(cards, indices)
    return [(read.reading.notation, np.array(read.quad).tolist()) for _, read in kept]


@pytest.mark.parametrize(
    ("quad", "shaped"),
    [(CARD, True), (LEANING, False), (CARD[[1, 2, 3, 0]], True), (LEANING[[1, 2, 3, 0]], False)],
)
def test_one_side_may_not_be_far_longer_than_the_one_opposite(quad, shaped):
    assert is_shaped(quad) == shaped


END = np.roll(CARD, 2, 0)
SLANTED = np.array([[110, 100], [200, 100], [222, 300], [88, 300]], np.float32)
"""Seen from low and close by; as the corners of its near and of its far end have it, flat."""
NEAR = np.array([[222, 300], [85, 300], [40, 10], [177, 10]], np.float32)
FAR = np.array([[110, 100], [200, 100], [185, 230], [95, 230]], np.float32)


@pytest.mark.parametrize(
    ("cards", "indices", "kept"),
    [
        ([card(CORNER, "R0", 0.5)], [index()], []),
        ([card(CORNER, "R0", 0.95)], [index()], []),
        ([card(CORNER, "R1", 0.95)], [index()], []),
        ([card(CARD), card(CORNER, "R1", 0.95, 0.5)], [index()], [("R1", CARD.tolist())]),
        ([card(CORNER, "R0", 0.5)], [], [("R0", CORNER.tolist())]),
        ([card(HALF), card(OTHER_HALF, score=0.7)], [index(), index(quad=END)], [("R1", HALF.tolist())]),
        ([card(HALF), card(OTHER_HALF, score=0.7)], [index()], [("R1", HALF.tolist()), ("R1", OTHER_HALF.tolist())]),
    ],
    ids=["unsure piece", "sure piece", "sure piece of its face", "found whole and in a piece",
         "no index", "two halves", "one half's index"],
)  # fmt: skip
def test_pieces_of_a_card_that_its_indices_show_are_no_cards(cards, indices, kept):
    assert left(cards, *indices) == kept


@pytest.mark.parametrize(
    ("quad", "indices", "moved"),
    [
        (CARD, [index()], []),
        (CARD + np.float32([[0, 0], [0, 0], [20, 8], [0, 9]]), [index()], []),
        (LEANING, [index()], [CARD]),
        (LEANING, [], []),
        (CARD + np.float32([[0, 0], [0, 0], [60, 30], [0, 30]]), [index()], [CARD]),
        (SLANTED, [index(quad=NEAR)], [NEAR]),
        (SLANTED, [index(quad=NEAR), index(quad=FAR)], []),
    ],
    ids=["where it lies", "a little off", "no card's shape", "no index", "far off", "at a slant", "with both ends"],
)
def test_a_card_found_askew_lies_where_its_index_says(quad, indices, moved):
    found, read = card(quad)
    out = askew([(0, read)], indices)
    assert [place.tolist() for _, place in out] == [place.tolist() for place in moved]
    if moved:
        found, read = put_right(found, read, out[0][1])
        assert (read.quad == moved[0]).all()
        assert found.visible == 0.5


STEEP = np.array([[120, 100], [180, 100], [230, 300], [70, 300]], np.float32)


@pytest.mark.parametrize(
    ("quad", "far", "left"),
    [(STEEP, "R1", 0.9995), (STEEP, "R7", None), (SLANTED, "R1", None), (STEEP + np.float32([60, 0]), "R1", None)],
    ids=["one card", "two faces", "a card's shape", "not its ends"],
)
def test_at_both_ends_of_a_card_found_with_no_cards_shape_there_is_one_index(quad, far, left):
    """Each suggests a flat card that does not reach to the other: a Reverse was said twice."""
    near = index(quad=np.array([[230, 300], [70, 300], [10, -60], [170, -60]], np.float32), sure=0.99)
    other = index(far, np.array([[120, 100], [180, 100], [165, 195], [105, 195]], np.float32), sure=0.95, score=0.5)
    kept = one_of_both([other, near], [card(quad)[1]])
    if left is None:
        assert {id(x) for x in kept} == {id(near), id(other)}
    else:
        ((quad, sure),) = [(x.quad, x.reading.confidence) for x in kept]
        assert (quad == near.quad).all()
        assert sure == pytest.approx(left)


@pytest.mark.parametrize(
    ("visible", "size", "indices", "said"),
    [(0.6, 1, [], []), (0.6, 1, [index()], ["R1"]), (0.9, 1, [], ["R1"]), (0.6, 0.4, [], ["R1"])],
    ids=["covered", "covered, with its index", "in full view", "too small for its index"],
)
def test_a_covered_card_is_said_only_when_an_index_of_its_own_agrees(visible, size, indices, said):
    cards = with_indices([card(CARD * np.float32(size), visible=visible)], indices, 0.9)
    assert [read.reading.notation for _, read in cards if read.reading.confidence >= 0.9] == said
