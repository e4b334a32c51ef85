"""A mark that a deck prints across its other corners: where only that shows of a covered card, it is no index."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.deck_signs import across_corners, is_sign
from referee.vision.indices import IndexReading
from referee.vision.nets import Found, Read, load_models
from referee.vision.reading import is_certain, read_photo

BLUE, YELLOW, WHITE, BLACK = (170, 70, 30), (40, 190, 230), (250, 250, 250), (20, 20, 20)
WHOLE = np.array([[40, 30], [152, 30], [152, 204], [40, 204]], np.float32)
COVERED = WHOLE + np.float32([170, 40])
MARK = np.array([[6, 6], [8, 6], [8, 13], [11, 13], [11, 15], [6, 15]], np.float32)
SEVEN = np.array([[6, 6], [11, 6], [11, 8], [8, 15], [6, 15], [9, 8], [6, 8]], np.float32)
"""Both in millimetres of a card's first corner; two pixels are one."""


@pytest.fixture(scope="module")
def models():
    return load_models()


def picture(shown, ink=WHITE):
    """A blue card in full view with the mark across its second and fourth corner, and a yellow one that shows this."""
    image = np.full((280, 400, 3), (60, 80, 60), np.uint8)
    for quad, ground in ((WHOLE, BLUE), (COVERED, YELLOW)):
        cv2.rectangle(image, quad[0].astype(int).tolist(), quad[2].astype(int).tolist(), WHITE, -1)
        inner = (quad[0] + 7).astype(int).tolist(), (quad[2] - 7).astype(int).tolist()
        cv2.rectangle(image, *inner, ground, -1)
    across = np.stack([-MARK[:, 1], MARK[:, 0]], 1) * 2
    for corner, way in ((WHOLE[1], 1), (WHOLE[3], -1)):
        cv2.fillPoly(image, [np.rint(corner + way * across).astype(np.int32)], ink)
    cv2.fillPoly(image, [np.rint(COVERED[0] + 2 * shown).astype(np.int32)], ink)
    return cv2.GaussianBlur(image, (0, 0), 1.0)


@pytest.mark.parametrize("ink", [WHITE, BLACK], ids=["white", "black"])
@pytest.mark.parametrize(("shown", "sign"), [(MARK, True), (SEVEN, False)], ids=["the mark", "a seven"])
@pytest.mark.parametrize("off", [0.0, 2.0], ids=["well placed", "a millimetre off"])
def test_the_mark_of_a_card_in_full_view_is_known_on_another_one(ink, shown, sign, off):
    eye = SeesAnIndex(COVERED)
    assert is_sign(eye, picture(shown, ink), COVERED + np.float32(off), across_corners(WHOLE)) == sign


def test_a_corner_that_is_not_read_as_an_index_is_no_such_mark():
    """It is the border of a card that has none, and its oval."""
    eye = SeesAnIndex(COVERED, placed=None)
    assert not is_sign(eye, picture(MARK), COVERED, across_corners(WHOLE))


def test_bare_ground_is_no_sign():
    plain = np.full((280, 400, 3), YELLOW, np.uint8)
    assert not is_sign(SeesAnIndex(COVERED), plain, COVERED, across_corners(WHOLE))


@dataclass
class Sees:
    """Finds the blue card and reads it, and whatever else as some face, hardly."""

    visible: float

    def find(self, image, card_px=None, part=None, on_all_levels=False):
        return [Found(WHOLE, 0.9, self.visible, 0.9)]

    def find_cut_off(self, image):
        return []

    def read(self, image, quads, quick=False, refined=False):
        said = [("B8", 0.99) if quad is WHOLE else ("Y3", 0.3) for quad in quads]
        return [Read(CardReading(Card.parse(n), p), q, 0.95) for (n, p), q in zip(said, quads, strict=True)]


@dataclass
class SeesAnIndex:
    """Finds a Y1 here, and reads any other corner as this."""

    at: np.ndarray
    placed: str | None = "B1"

    def read_placed(self, image, quads):
        card = None if self.placed is None else Card.parse(self.placed)
        return [IndexReading(CardReading(card, 0.8), quad, 1.0, 0.9) for quad in quads]

    def find(self, image, heights_px=(), thorough=False, cards=()):
        return [IndexReading(CardReading(Card.parse("Y1"), 0.99), self.at, 0.7, 0.99)]


@pytest.mark.parametrize(
    ("shown", "visible", "said"),
    [(MARK, 0.9, ["B8"]), (SEVEN, 0.9, ["B8", "Y1"]), (MARK, 0.7, ["Y1"])],
    ids=["the mark", "an index", "no card in full view"],
)
def test_of_a_card_that_shows_the_mark_no_face_is_sure(models, shown, visible, said):
    sees = Sees(visible)
    blind = replace(models, finder=sees, reader=sees, indices=SeesAnIndex(COVERED))
    cards = read_photo(picture(shown), blind)
    assert sorted(c.reading.notation for c in cards if is_certain(c, models)) == said
