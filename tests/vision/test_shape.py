"""What the cards that were found say about how another one lies in the picture."""

import numpy as np
import pytest

from referee.vision.indices import INDEX_MM, box_mm, on_card
from referee.vision.shape import SIZES, Known, shape_near, shape_of, shaped

CARD = box_mm(0, 0, 56, 87)
FLAT = np.float64([[2, 0], [0, 2]])
ASLANT = np.float64([[2, 0.2], [0, 1.5]])


def lying(x, y, angle, view=FLAT, size=1.0):
    """A card turned by so many degrees about its first corner, seen so, that corner at (x, y) pixels."""
    a = np.radians(angle)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return (CARD * size @ turn @ view.T + [x, y]).astype(np.float32)


def crooked(quad, by):
    return (quad + np.float32([[0, 0], [by, 0], [0, by], [-by, by]])).astype(np.float32)


FAN = [lying(300 + 30 * i, 300 - 5 * i, -20 + 10 * i) for i in range(5)]


@pytest.mark.parametrize("view", [FLAT, ASLANT], ids=["from above", "at a slant"])
@pytest.mark.parametrize("angle", [0, 35, 90, 200])
def test_a_card_has_the_shape_of_its_neighbours(view, angle):
    others = [Known(lying(200 + 90 * i, 150, 40 * i, view), 1.0) for i in range(4)]
    quad = lying(320, 200, angle, view)
    wrong = on_card(quad, CARD * np.float32(0.8) + np.float32(INDEX_MM) * np.float32(0.2))  # its index read too small
    right = shaped(wrong, INDEX_MM, shape_near((320, 200), others))
    assert right == pytest.approx(quad, abs=8 if view is ASLANT else 1)
    assert shaped(quad, INDEX_MM, shape_of(quad)) == pytest.approx(quad, abs=0.01)


def test_one_crooked_card_of_several_counts_little():
    cards = [Known(quad, 1.0) for quad in FAN] + [Known(crooked(FAN[2], 60), 1.0)]
    assert np.sqrt(np.diag(shape_near((360, 290), cards))) == pytest.approx([0.5, 0.5], rel=0.03)


def test_near_cards_count_more_than_far_ones():
    """On a table seen at a slant, where no card is odd."""
    sizes = ((100, 1.0), (700, 0.95), (1300, 0.9), (1900, 0.85))
    cards = [Known(lying(x, 300, 10, size=size), 1.0) for x, size in sizes]
    told = [shape_near(card.quad.mean(0), cards)[1, 1] for card in cards]
    true = [shape_of(card.quad)[1, 1] for card in cards]
    assert told == sorted(told)
    assert np.sqrt(np.array(told) / true) == pytest.approx([1, 1, 1, 1], abs=0.05)


@pytest.mark.parametrize(
    ("size", "same"), [(0.75, False), (1.3, False), (1 / SIZES - 0.02, True), (SIZES + 0.02, True)]
)
def test_a_card_of_another_size_altogether_is_left_as_it_is(size, same):
    quad = lying(300, 300, 25, size=size)
    assert (shaped(quad, INDEX_MM, shape_of(FAN[0])) is quad) == same


def test_a_card_keeps_its_place_and_direction():
    quad = lying(300, 300, 25, size=0.8)
    now = shaped(quad, INDEX_MM, shape_of(FAN[0]))
    index = np.float32([INDEX_MM])
    assert on_card(now, index)[0] == pytest.approx(on_card(quad, index)[0], abs=0.01)
    assert now[3] - now[0] == pytest.approx((quad[3] - quad[0]) / 0.8, abs=0.01)


@pytest.mark.parametrize("seen", [(), (0.05,), (0.1, 0.1)], ids=["none", "one under a hand", "two strips"])
def test_cards_of_which_hardly_anything_is_seen_tell_nothing(seen):
    assert shape_near((100, 100), [Known(FAN[i], weight) for i, weight in enumerate(seen)]) is None


def test_slivers_say_nothing():
    sliver = np.float32([[100, 100], [212, 100], [212, 108], [100, 108]])
    assert shape_near((100, 100), [Known(sliver, 1.0)] * 3) is None
