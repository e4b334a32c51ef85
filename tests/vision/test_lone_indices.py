"""An index that is all that was found of a card, in a still: what else is to be seen of the card decides."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.indices import IndexReading, box_mm, on_card
from referee.vision.nets import Found, Read, load_models
from referee.vision.reading import read_hand, read_photo

RED, WHITE = (40, 30, 200), (250, 250, 250)
WHOLE = np.array([[40, 30], [152, 30], [152, 204], [40, 204]], np.float32)
COVERED = WHOLE + np.float32([170, 40])


@pytest.fixture(scope="module")
def models():
    return load_models()


@dataclass
class Sees:
    """Finds a B8, and reads whatever else as this face, hardly."""

    strip: str

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [Found(WHOLE, 0.9, 0.9, 0.9)]

    def find_cut_off(self, image):
        return []

    def read(self, image, quads, quick=False, refined=False):
        said = [("B8", 0.99) if quad is WHOLE else (self.strip, 0.3) for quad in quads]
        return [Read(CardReading(Card.parse(n), p), q, 0.95) for (n, p), q in zip(said, quads, strict=True)]


@dataclass
class SeesAnIndex:
    score: float

    def find(self, image, heights_px=(), thorough=False, cards=()):
        return [IndexReading(CardReading(Card.parse("R7"), 0.98), COVERED, self.score, 0.99)]


@pytest.mark.parametrize(
    ("score", "strip", "said"),
    [(0.7, "R1", ["B8", "R7"]), (0.25, "R7", ["B8"]), (0.25, "R1", ["B8"])],
    ids=["plain", "faint, and the card looks like it", "faint"],
)
def test_a_faint_index_is_no_card_whatever_else_is_to_be_seen_there(models, score, strip, said):
    sees = Sees(strip)
    blind = replace(models, finder=sees, reader=sees, indices=SeesAnIndex(score))
    red = np.full((280, 400, 3), (40, 30, 200), np.uint8)
    assert sorted(c.reading.notation for c in read_photo(red, blind) if models.is_sure(c.reading)) == said


@dataclass
class SeesCards:
    """Finds cards, (corners, what is read there, confidence, visible share), and reads them and these others."""

    cards: list[tuple[np.ndarray, str | None, float, float]]
    others: list[tuple[np.ndarray, str | None, float, float]]

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [Found(quad, 0.9, seen, seen) for quad, _, _, seen in self.cards]

    def find_cut_off(self, image):
        return []

    def read(self, image, quads, quick=False, refined=False):
        known = [*self.cards, *self.others]
        told = [next(card for card in known if np.array_equal(card[0], quad)) for quad in quads]
        return [
            Read(CardReading(Card.parse(name) if name else None, p), quad, 0.97 if name else 1 - p)
            for quad, name, p, _ in told
        ]


@dataclass
class SeesIndices:
    indices: list[tuple[np.ndarray, str, float]]

    def find(self, image, heights_px=(), thorough=False, cards=()):
        return [IndexReading(CardReading(Card.parse(name), p), quad, 0.7, 0.99) for quad, name, p in self.indices]


def said(models, image, cards, indices, others=(), reads=read_photo):
    """What is said where these cards and indices are found; see `SeesCards`."""
    sees = SeesCards(cards, list(others))
    seen = reads(image, replace(models, finder=sees, reader=sees, indices=SeesIndices(indices)))
    return sorted(card.reading.notation for card in seen if models.is_sure(card.reading))


@pytest.mark.parametrize(
    ("off", "strip", "reads", "names"),
    [
        ((-40, 0), "R7", read_hand, ["R7"]), ((170, 40), "R7", read_hand, ["R7", "R7"]),
        ((-40, 0), "R1", read_hand, ["R7", "R7"]), ((-40, 0), "R1", read_photo, ["R7"]),
    ],
    ids=[
        "the other lies on it", "apart", "it shows some other face of the colour",
        "it shows some other face of the colour, in a pile",
    ],
)  # fmt: skip
def test_the_picture_of_a_card_that_lies_on_it_does_not_back_an_index(models, off, strip, reads, names):
    """What a 1 shows was heard beside half an 8 under it: a second 1 was said."""
    lower = WHOLE + np.float32(off)
    indices = [(WHOLE, "R7", 0.99), (lower, "R7", 0.93)]
    red = np.full((280, 400, 3), RED, np.uint8)
    assert said(models, red, [(WHOLE, "R7", 0.99, 0.9)], indices, [(lower, strip, 0.95, 0.1)], reads) == names


@pytest.mark.parametrize(("ground", "names"), [(WHITE, ["B8"]), (RED, ["B8", "R2"])], ids=["a playing card", "ours"])
def test_the_sign_of_a_covered_card_of_which_nothing_was_read_is_told_from_a_playing_cards(models, ground, names):
    image = np.full((280, 400, 3), ground, np.uint8)
    cv2.fillConvexPoly(image, on_card(COVERED, box_mm(6, 6, 11, 15)).round().astype(np.int32), RED)
    cards = [(WHOLE, "B8", 0.99, 0.9), (COVERED, None, 0.5, 0.3)]
    assert said(models, image, cards, [(COVERED, "R2", 0.999)]) == names


@pytest.mark.parametrize(
    ("about", "index", "enrolled", "names"),
    [
        (WHITE, 0.99, False, ["R2", "R8"]), (RED, 0.99, False, ["R8"]), (WHITE, 0.9, False, ["R8"]),
        (RED, 0.9, True, ["R2", "R8"]),
    ],
    ids=["as the card in view has it", "the card in view is ours", "its own index is not surely read", "enrolled so"],
)  # fmt: skip
def test_a_sign_on_white_is_no_playing_cards_in_a_deck_that_has_its_signs_so(models, about, index, enrolled, names):
    image = np.full((280, 400, 3), WHITE, np.uint8)
    cv2.fillConvexPoly(image, WHOLE.astype(np.int32), about)
    for quad, sign in ((WHOLE, RED if about == WHITE else WHITE), (COVERED, RED)):
        cv2.fillConvexPoly(image, on_card(quad, box_mm(6, 6, 11, 15)).round().astype(np.int32), sign)
    cards = [(WHOLE, "R8", 0.99, 0.9), (COVERED, None, 0.7, 0.3)]
    indices = [(WHOLE, "R8", index), (COVERED, "R2", 0.999)]
    assert said(replace(models, on_white=enrolled), image, cards, indices) == names
