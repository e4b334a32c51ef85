"""Which cards of a still are said to be on top, by what the networks may answer about them."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.nets import Found, Read, load_models
from referee.vision.reading import read_photo

QUAD = np.array([[100, 60], [200, 60], [200, 215], [100, 215]], np.float32)


@pytest.fixture(scope="module")
def models():
    return load_models()


@dataclass
class SeesCards:
    """Finds and reads these cards: (name, corners, belief that nothing lies on it). visible: the share seen of each."""

    cards: list
    visible: float

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [Found(quad, 0.9, self.visible, top) for _, quad, top in self.cards]

    def find_cut_off(self, image):
        return []

    def read(self, image, quads, quick=False, refined=False):
        names = [next(n for n, own, _ in self.cards if own is quad) for quad in quads]
        return [Read(CardReading(Card.parse(n), 0.99), q, 0.99) for n, q in zip(names, quads, strict=True)]


class SeesNoIndex:
    def find(self, image, heights_px=(), thorough=False, cards=()):
        return []


def tops(image, models, cards, visible=0.95):
    """The cards that are said to be on top. visible: the share that is seen of each."""
    sees = SeesCards(cards, visible)
    blind = replace(models, finder=sees, reader=sees, indices=SeesNoIndex())
    return sorted(card.reading.notation for card in read_photo(image, blind) if card.top)


@pytest.mark.parametrize(
    ("lapping_px", "visible", "said"),
    [(0.9, 0.95, ["B8", "R7"]), (3.0, 0.95, []), (0.9, 0.85, [])],
    ids=["corners a little off", "one under the other", "one a little under the other"],
)
def test_cards_side_by_side_are_both_on_top(models, lapping_px, visible, said):
    beside = QUAD + np.float32([100 - lapping_px, 0])
    plain = np.full((300, 400, 3), 120, np.uint8)
    assert tops(plain, models, [("R7", QUAD, 0.9), ("B8", beside, 0.9)], visible) == said
