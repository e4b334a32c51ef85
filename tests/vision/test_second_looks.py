"""A picture in which nothing could be said is looked at again, without the cards' height and from close by: what is
read then does not stand against what was surely read before."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.askew import is_shaped
from referee.vision.indices import IndexReading
from referee.vision.nets import Found, Read, load_models
from referee.vision.reading import read_photo

CARD = np.array([[60, 40], [220, 40], [220, 290], [60, 290]], np.float32)
MISSHAPEN = np.array([[60, 40], [155, 40], [220, 290], [60, 290]], np.float32)
AT_ITS_CORNER = np.array([[60, 40], [165, 40], [165, 203], [60, 203]], np.float32)
CLOSE = np.array([[20, 0], [240, 10], [240, 310], [20, 300]], np.float32)
"""So far off that no index of `CARD` is where this one has its own."""


@pytest.fixture(scope="module")
def models():
    return load_models()


@dataclass
class Looks:
    """Finds a card, another one from close by, and indices, (name, confidence, card), in the first look and without the
    cards' height; and reads (card, name, confidence)."""

    found: np.ndarray
    close: np.ndarray | None
    first: list[tuple[str, float, np.ndarray]]
    again: list[tuple[str, float, np.ndarray]]
    reads: list[tuple[np.ndarray, str, float]]

    def find(self, image, heights_px=None, thorough=False, cards=(), on_all_levels=False):
        if heights_px is None:
            return [Found(self.found, 0.9, 0.92, 0.9)]
        seen = self.first if heights_px else self.again
        return [IndexReading(CardReading(Card.parse(name), p), quad, 0.7, 0.99) for name, p, quad in seen]

    def find_cut_off(self, image):
        return [] if self.close is None else [Found(self.close, 0.9, 0.92, 0.9)]

    def read(self, image, quads, quick=False, refined=False):
        told = [next(one for one in self.reads if np.array_equal(one[0], quad)) for quad in quads]
        return [Read(CardReading(Card.parse(name), p), quad, 0.99) for quad, name, p in told]


def said(models, looks):
    """What is surely read, on a red table, of what has a card's shape."""
    red = np.full((320, 260, 3), (40, 40, 200), np.uint8)
    seen = read_photo(red, replace(models, finder=looks, reader=looks, indices=looks))
    sure = [card for card in seen if models.is_sure(card.reading)]
    return [card.reading.notation for card in sure if is_shaped(np.array(card.quad, np.float32))]


@pytest.mark.parametrize(
    ("index", "again", "close", "names"),
    [("R0", True, "R0", ["R0"]), ("RS", True, "R0", []), ("RS", False, "R0", []), ("RS", True, "RS", ["RS"])],
    ids=[
        "both say the same", "a sure index said another face", "it is not found again", "it mends what was doubtful",
    ],
)  # fmt: skip
def test_nothing_is_said_that_a_sure_index_gainsaid(models, index, again, close, names):
    """A Skip of which the picture, and again from close by, looked like a 0."""
    sign = [(index, 0.98, CARD)]
    looks = Looks(CARD, CLOSE, sign, sign if again else [], [(CARD, "R0", 0.95), (CLOSE, close, 0.96)])
    assert said(models, looks) == names


@pytest.mark.parametrize(("again", "names"), [("RS", ["RS"]), ("R0", [])], ids=["the same face", "another face"])
def test_of_a_misshapen_card_no_other_face_is_said_than_was_surely_read(models, again, names):
    """Its index is found only where the cards' height is not known."""
    reads = [(MISSHAPEN, "RS", 0.98), (AT_ITS_CORNER, again, 0.9)]
    looks = Looks(MISSHAPEN, None, [], [(again, 0.99, AT_ITS_CORNER)], reads)
    assert said(models, looks) == names
