"""A card that another one hides in part is placed by what changed of it, and where that misleads, by its index."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.observations import UNREAD, CardReading
from referee.tracker.looks import CardLook
from referee.tracker.signs import is_under
from referee.tracker.verdict import PiledCard
from referee.vision.calibration import Calibration, Seat
from referee.vision.evidence import Evidence, Finding
from referee.vision.from_above import FromAbove
from referee.vision.indices import IndexReading
from referee.vision.nets import Read
from referee.vision.outline import Outline
from referee.vision.peeking import peeking
from referee.vision.strip import find_indices

PX = 1.4
"""Pixels of the picture to a table millimetre."""
TABLE = Calibration((700, 500), (500.0, 357.0), np.diag([PX, PX, 1.0]), (150.0, 80.0, 180.0, 180.0),
                    (400.0, 80.0, 70.0, 110.0), (56.0, 87.0), (Seat(1, (240.0, 600.0)),))  # fmt: skip
ABOVE = FromAbove(TABLE)
Y, X = np.mgrid[:500, :700]
IMAGE = np.stack([X % 256, Y % 256, X // 256 * 16 + Y // 256], -1).astype(np.uint8)
"""Every pixel tells where it is."""


def card(x, y, angle=0.0):
    """Corners, table millimetres, of a card with its middle there."""
    corners = np.array([[-28, -43.5], [28, -43.5], [28, 43.5], [-28, 43.5]])
    a = np.radians(angle)
    return corners @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)


LOWER, UPPER = card(230, 165), card(250, 171, 4)


class Eye:
    """Finds the indices of the cards at `found`, and reads that of the card at LOWER, from whatever is nearly there,
    and an R0 in the corner of the card `old`; in the picture from above, as it was, it reads `before` anywhere. score:
    of the indices."""

    def __init__(self, found, before, old=None, score=0.7):
        self._found, self._before, self._old, self._score = found, before, old, score

    def find(self, image, heights_px=(), least=None, where=None):
        if self._score < (0.2 if least is None else least):
            return []
        x, y, high = (int(level) for level in image[0, 0])
        corner = np.array([x + high // 16 * 256, y + high % 16 * 256])
        quads = [(quad * PX - corner).astype(np.float32) for quad in self._found]
        quads = [quad for quad in quads if where is None or where(quad)]
        return [IndexReading(seen("G7", 0.9), quad, self._score, 0.99) for quad in quads]

    def read(self, image, quad, score, thorough=False, shape=None):
        if image.shape != IMAGE.shape:
            return IndexReading(self._before, quad, score, 0.99)
        if self._old is not None and float(np.hypot(*(quad[0] / PX - self._old[0]))) < 4:
            return IndexReading(seen("R0", 0.99), quad, score, 0.99)
        there = float(np.hypot(*(quad[0] / PX - LOWER[0]))) < 4
        return IndexReading(seen("G7", 0.99) if there else UNREAD, quad, score, 0.99)


def seen(name, confidence):
    return CardReading(Card.parse(name), confidence)


def under_at(changed, found, before=None, top=None):
    """The lower card, as what changed of it and the indices that were found tell. before: what was to be read there
    before. top: the remembered top card."""
    upper = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim)
    mask = np.asarray(cv2.max(cv2.subtract(changed, upper), upper), np.uint8)
    reference = None if before is None else ABOVE.patch(IMAGE)
    old = None if top is None else tuple(map(tuple, top.tolist()))
    finding = Finding(ABOVE.patch(IMAGE), reference, reference, mask, 1.0, (), old, None)
    newest = CardLook(seen("R5", 0.99), tuple(map(tuple, UPPER)), 0.8, 0.9)
    models = SimpleNamespace(indices=Eye(found, before), reader=None)
    evidence = Evidence(ABOVE, finding)
    return peeking(IMAGE, evidence, [(evidence.measured(newest), UPPER * PX)], Outline(ABOVE.card_px), models).card


def found_at(changed, found, before=None, top=None):
    """Where the lower card is placed, millimetres off, and what it shows. The rest: see `under_at`."""
    under = under_at(changed, found, before, top)
    off = min(np.hypot(*(np.array(under.quad) - np.roll(LOWER, k, 0)).T).mean() for k in range(4))
    return float(off), under.reading.notation


def shape(*quads_mm):
    return np.asarray(np.max([ABOVE.filled(ABOVE.px(quad)) for quad in quads_mm], axis=0), np.uint8)


ALL = shape(LOWER)
LIKE = shape([(215, 135), (240, 135), (240, 165), (215, 165)], [(195, 160), (235, 160), (235, 205), (195, 205)])
SOME = np.asarray(cv2.subtract(ALL, LIKE), np.uint8)
"""What changes of a card where its like lay under the rest of it."""


@pytest.mark.parametrize(
    ("case", "changed", "found", "low", "high", "reads"),
    [
        ("all of it changed", ALL, [], 0, 2, "G7"),
        ("... and an index of another card is found, too", ALL, [card(210, 190)], 0, 2, "G7"),
        ("its like lay there, and no index is to be seen", SOME, [], 4, 30, "?"),
        ("... its own index says where", SOME, [card(231, 163, 3)], 0, 2, "G7"),
        ("... another one lies where what changed does not fit", SOME, [card(200, 120, 40)], 4, 30, "?"),
    ],
)
def test_a_card_that_peeks_out_is_placed(case, changed, found, low, high, reads):
    off, face = found_at(changed, found)
    assert (low <= off <= high, face) == (True, reads), (case, off)


@pytest.mark.parametrize(
    ("case", "top", "reads"),
    [
        ("the card beneath it lies exactly there", LOWER, "G7"),
        ("nobody knows that the pile was not pushed", None, "?"),
    ],
)
def test_where_the_change_misplaces_a_card_on_its_like_its_index_is_sought_wherever_something_changed(
    monkeypatch, case, top, reads
):
    wide = 7
    seek = "referee.vision.peeking.find_indices"
    monkeypatch.setattr(seek, lambda *where: find_indices(*where) if len(where) == wide else [])
    index, left = [(204, 125), (216, 125), (216, 141), (204, 141)], [(202, 144), (204, 144), (204, 208), (202, 208)]
    above = [(216, 121), (255, 121), (255, 127), (216, 127)]
    assert found_at(shape(index, left, above), [LOWER], None, top)[1] == reads, case


@pytest.mark.parametrize(
    ("case", "top", "reads"),
    [
        ("... where the card beneath lies as it lay", LOWER, "G7"),
        ("... and nowhere, where the pile may have been pushed", None, "?"),
    ],
)
def test_an_outline_that_holds_all_that_changed_and_shows_no_face_gives_way_to_an_index_that_came(
    monkeypatch, case, top, reads
):
    monkeypatch.setattr(Outline, "under", lambda *_: ABOVE.px(card(240, 150, 90)))
    changed = shape([(204, 125), (216, 125), (216, 141), (204, 141)], [(202, 144), (206, 144), (206, 175), (202, 175)])
    assert found_at(changed, [LOWER], None, top)[1] == reads, case


@pytest.mark.parametrize(
    ("case", "index", "reads"),
    [
        ("... is where its index says", LOWER, (0, "G7")),
        ("... is nowhere, where that index is another card's", card(200, 120, 40), (4, "?")),
    ],
)
def test_a_card_of_which_only_the_signs_changed_on_its_like(case, index, reads):
    signs = shape([(208, 128), (216, 128), (216, 141), (208, 141)], [(208, 180), (222, 180), (222, 204), (208, 204)])
    off, face = found_at(signs, [index], None, LOWER)
    assert (min(4, round(off)), face) == reads, case


@pytest.mark.parametrize(
    ("case", "before", "reads"),
    [
        ("nobody knows", None, "?"),
        ("it showed another face: the sign hardly changes what it covers", seen("G8", 0.97), "G7"),
        ("it may have", seen("G8", 0.6), "?"),
        ("it showed the same: that index lay there", seen("G7", 0.97), "?"),
        ("it showed none", UNREAD, "?"),
    ],
)
def test_an_index_where_little_changed_places_no_card_unless_it_showed_another_face_before(case, before, reads):
    assert found_at(SOME, [card(236, 172)], before)[1] == reads, case


@pytest.mark.parametrize(
    ("case", "mark_y", "before", "came"),
    [
        ("its index is what changed", 127, seen("G7", 0.97), True),
        ("its index hardly changed, and nobody knows what was there", 180, None, False),
        ("... showed another face before", 180, seen("G8", 0.97), True),
        ("... showed the same", 180, seen("G7", 0.97), False),
    ],
)
def test_of_a_white_card_on_white_that_holds_what_changed_its_index_tells_whether_it_came(case, mark_y, before, came):
    edges = shape([(202, 122), (205, 122), (205, 208), (202, 208)], [(202, 122), (258, 122), (258, 125), (202, 125)])
    mark = shape([(206, mark_y), (214, mark_y), (214, mark_y + 14), (206, mark_y + 14)])
    under = under_at(np.asarray(cv2.max(edges, mark), np.uint8), [LOWER], before)
    assert (under.reading.notation, is_under(under), under.came) == ("G7", False, came), case


NONE = CardReading(None, 0.99)
"""What is read where surely no index is."""
FIGURE = [(206, 127), (214, 127), (214, 131), (206, 131)]
"""As much of the lower card's index as changes on its like."""
NOISE = [(300, 200), (310, 200), (310, 210), (300, 210)]


@pytest.mark.parametrize(
    ("case", "before", "old_went", "score", "told"),
    [
        ("none stood there", NONE, False, 0.7, "G7"),
        ("... and it is hardly seen", NONE, False, 0.1, "G7"),
        ("another face's stood there", seen("G8", 0.97), False, 0.7, "G7"),
        ("it stood there", seen("G7", 0.97), False, 0.7, None),
        ("something may have stood there", CardReading(None, 0.6), False, 0.7, None),
        ("the pile was pushed, and it may be that of a card that lay there", NONE, True, 0.7, None),
    ],
)
def test_where_hardly_anything_changed_beside_the_newest_card_an_index_that_came_tells_the_card_under_it(
    case, before, old_went, score, told
):
    old = card(250, 181, 4)
    changed = shape(FIGURE, [(228, 217), (262, 217), (262, 222), (228, 222)] if old_went else NOISE)
    upper, patch = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim), ABOVE.patch(IMAGE)
    finding = Finding(patch, patch, patch, cv2.max(changed, upper), 1.0, (), tuple(map(tuple, old.tolist())), None)
    evidence = Evidence(ABOVE, finding)
    newest = evidence.measured(CardLook(seen("R5", 0.99), tuple(map(tuple, UPPER)), 0.8, 0.9))
    models = SimpleNamespace(indices=Eye([LOWER], before, None, score), reader=None)
    under = peeking(IMAGE, evidence, [(newest, UPPER * PX)], Outline(ABOVE.card_px), models)
    came = under is not None and under.card.came
    assert (under.card.reading.notation if came else None) == told, case


@pytest.mark.parametrize(
    ("case", "before", "told"),
    [
        ("none stood there", NONE, ("G7", True)),
        ("something may have stood there", CardReading(None, 0.6), ("R0", False)),
    ],
)
def test_a_card_that_lay_where_all_of_the_change_is_gives_way_to_one_of_which_an_index_came(case, before, told):
    lay, top = card(228, 150), card(215, 245)
    changed = shape(FIGURE, [(203, 150), (215, 150), (215, 180), (203, 180)])
    upper, patch, real = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim), ABOVE.patch(IMAGE), Outline(ABOVE.card_px)
    finding = Finding(patch, patch, patch, cv2.max(changed, upper), 1.0, (), tuple(map(tuple, top.tolist())), None)
    evidence = Evidence(ABOVE, finding)
    newest = evidence.measured(CardLook(seen("R5", 0.99), tuple(map(tuple, UPPER)), 0.8, 0.9))
    models = SimpleNamespace(indices=Eye([LOWER], before, lay), reader=None)
    outline = SimpleNamespace(under=lambda *_: ABOVE.px(lay), near=real.near)
    under = peeking(IMAGE, evidence, [(newest, UPPER * PX)], outline, models)
    assert (under.card.reading.notation, under.card.came) == told, case


class Named:
    """Finds and reads the indices of these cards, table millimetres, by their faces; in the picture from above, as it
    was, it reads none."""

    def __init__(self, cards):
        self._cards = cards

    def find(self, image, heights_px=(), least=None, where=None):
        x, y, high = (int(level) for level in image[0, 0])
        corner = np.array([x + high // 16 * 256, y + high % 16 * 256])
        quads = [(face, (quad * PX - corner).astype(np.float32)) for face, quad in self._cards]
        return [IndexReading(seen(face, 0.99), quad, 0.7, 0.99)
                for face, quad in quads if where is None or where(quad)]  # fmt: skip

    def read(self, image, quad, score, thorough=False, shape=None):
        near = [face for face, one in self._cards if float(np.hypot(*(quad[0] / PX - one[0]))) < 4]
        there = seen(near[0], 0.99) if near and image.shape == IMAGE.shape else NONE
        return IndexReading(there, quad, score, 0.99)


TURNED = np.roll(UPPER, 2, 0)
"""The upper card by its other index."""


@pytest.mark.parametrize(
    ("case", "sure", "indices", "told"),
    [
        ("the index of the lower one came", 0.99, [("R5", UPPER), ("R5", TURNED), ("R7", LOWER)], "R7"),
        ("... and both of the upper one tell its face", 0.8, [("R5", UPPER), ("R5", TURNED), ("R7", LOWER)], "R7"),
        ("... none is seen", 0.99, [("R5", UPPER), ("R5", TURNED)], None),
        ("nobody knows where the upper one lies", 0.99, [("R5", UPPER), ("R7", LOWER)], None),
        ("what seems to be the lower one is the upper one", 0.99, [("R5", UPPER), ("R5", TURNED), ("R5", LOWER)], None),
    ],
)
def test_two_cards_of_one_colour_that_were_found_as_one_are_two(case, sure, indices, told):
    """Red on red without borders: the five seems to reach over the seven's corner."""
    old, found = card(250, 181, 4), UPPER[2] + (UPPER - UPPER[2]) * 1.3
    changed = shape(UPPER, FIGURE, [(202, 150), (208, 150), (208, 165), (202, 165)])
    patch = ABOVE.patch(IMAGE)
    finding = Finding(patch, patch, patch, changed, 1.0, (), tuple(map(tuple, old.tolist())), None)
    evidence = Evidence(ABOVE, finding)
    newest = evidence.measured(CardLook(seen("R5", sure), tuple(map(tuple, found.tolist())), 0.8, 0.9))
    models = SimpleNamespace(indices=Named(indices), reader=None)
    under = peeking(IMAGE, evidence, [(newest, found * PX)], Outline(ABOVE.card_px), models)
    assert (under and (under.card.reading.notation, under.card.came)) == (told and (told, True)), case


@pytest.mark.parametrize(
    ("case", "was", "face", "changed", "told"),
    [
        ("a G7 was laid exactly on a G8: its index is another", seen("G8", 0.97), "G8", (3, 5, 8, 12), "G7"),
        ("the index was not read so surely before", seen("G8", 0.6), "G8", (3, 5, 8, 12), None),
        ("it was another card's", seen("G2", 0.97), "G8", (3, 5, 8, 12), None),
        ("it still says the same", seen("G7", 0.97), "G7", (3, 5, 8, 12), None),
        ("the index lies as it lay", seen("G8", 0.97), "G8", (3, 18, 14, 24), None),
    ],
)
def test_a_card_laid_exactly_on_its_like_is_told_by_its_index(case, was, face, changed, told):
    left, top, right, bottom = (LOWER[0][[0, 1, 0, 1]] + changed).tolist()
    patch = shape([(left, top), (right, top), (right, bottom), (left, bottom)])
    upper = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim)
    settled = np.random.default_rng(1).integers(0, 255, ABOVE.patch(IMAGE).shape, np.uint8)
    top_card = tuple(map(tuple, LOWER.tolist()))
    finding = Finding(ABOVE.patch(IMAGE), settled, settled, cv2.max(upper, patch), 1.0, (), top_card, Card.parse(face))
    evidence = Evidence(ABOVE, finding)
    newest = evidence.measured(CardLook(seen("R5", 0.99), tuple(map(tuple, UPPER)), 0.8, 0.9))
    models = SimpleNamespace(indices=Eye([], was), reader=None)
    under = peeking(IMAGE, evidence, [(newest, UPPER * PX)], Outline(ABOVE.card_px), models)
    assert (under and (under.card.reading.notation, under.card.renamed)) == (told and (told, True)), case


@pytest.mark.parametrize(
    ("case", "found", "told"),
    [
        ("an index of the card that came is found", [LOWER], ("G7", True)),
        ("none is: the old top card, which lies where some of the change is, has not come", [], ("R0", False)),
    ],
)
def test_the_old_top_card_where_little_of_it_changed_does_not_hide_the_one_that_came(case, found, told):
    old = card(228, 150)
    strip = shape([(202, 124), (214, 124), (214, 204), (202, 204)])
    upper = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim)
    patch, real = ABOVE.patch(IMAGE), Outline(ABOVE.card_px)
    finding = Finding(patch, None, patch, cv2.max(strip, upper), 1.0, (), tuple(map(tuple, old.tolist())), None)
    evidence = Evidence(ABOVE, finding)
    newest = evidence.measured(CardLook(seen("R5", 0.99), tuple(map(tuple, UPPER)), 0.8, 0.9))
    models = SimpleNamespace(indices=Eye(found, None, old), reader=None)
    outline = SimpleNamespace(under=lambda *_: ABOVE.px(old), near=real.near)
    under = peeking(IMAGE, evidence, [(newest, UPPER * PX)], outline, models)
    assert (under.card.reading.notation, is_under(under.card)) == told, case


def test_a_card_of_the_newest_ones_face_that_was_found_under_it_does_not_hide_the_one_that_came():
    """A W lay there, half of it was found again with what came on it, and another W was laid with an R0 under it."""
    again = card(226, 158)
    strip = shape([(202, 124), (226, 124), (226, 204), (202, 204)])
    upper = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim)
    patch = ABOVE.patch(IMAGE)
    finding = Finding(patch, None, patch, cv2.max(strip, upper), 1.0, (), None, None)
    evidence = Evidence(ABOVE, finding)
    cards = [
        (evidence.measured(CardLook(seen("W", sure), tuple(map(tuple, quad)), 0, 0, on_top=top)), quad * PX)
        for quad, sure, top in ((UPPER, 0.99, 0.9), (again, 0.95, 0.0))
    ]
    beside = evidence.beside_newest(cards)
    assert is_under(beside[1][0])
    under = peeking(IMAGE, evidence, beside, Outline(ABOVE.card_px), SimpleNamespace(indices=Eye([LOWER], None)))
    assert under is not None
    assert under.card.reading.notation == "G7"


@pytest.mark.parametrize(("lay", "told"), [((226, 158), "G7"), ((226, 185), None)])
def test_a_card_that_was_seen_to_lie_there_does_not_hide_the_one_that_came(lay, told):
    """A B4 lies half under the newest card, and much of what shows of it has changed: the G7 lies on it."""
    again = card(226, 158)
    strip = shape([(202, 124), (226, 124), (226, 204), (202, 204)])
    upper = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim)
    patch = ABOVE.patch(IMAGE)
    pile = (PiledCard(Card.parse("B4"), tuple(map(tuple, card(*lay).tolist()))),)
    finding = Finding(patch, None, patch, cv2.max(strip, upper), 1.0, (), None, None, pile=pile)
    evidence = Evidence(ABOVE, finding)
    cards = [
        (evidence.measured(CardLook(seen(name, 0.99), tuple(map(tuple, quad)), 0, 0, on_top=top)), quad * PX)
        for name, quad, top in (("R5", UPPER, 0.9), ("B4", again, 0.0))
    ]
    beside = evidence.beside_newest(cards)
    assert is_under(beside[1][0])
    under = peeking(IMAGE, evidence, beside, Outline(ABOVE.card_px), SimpleNamespace(indices=Eye([LOWER], None)))
    assert (under and under.card.reading.notation) == told


@pytest.mark.parametrize(
    ("case", "sure", "lies", "told"),
    [
        ("its corner is surely read", 0.93, LOWER, "G7"),
        ("it was surely read as it was found", 0.98, LOWER, None),
        ("its corner tells nothing", 0.93, card(226, 158), None),
    ],
)
def test_the_corner_of_a_card_that_was_found_half_hidden_is_read_where_that_leaves_a_doubt(case, sure, lies, told):
    upper = ABOVE.filled(ABOVE.px(UPPER), ABOVE.rim)
    patch = ABOVE.patch(IMAGE)
    finding = Finding(patch, None, patch, cv2.max(shape(lies), upper), 1.0, (), None, None)
    evidence = Evidence(ABOVE, finding)
    cards = [
        (evidence.measured(CardLook(seen(name, sure), tuple(map(tuple, quad)), 0, 0, on_top=top)), quad * PX)
        for name, sure, quad, top in (("R5", 0.99, UPPER, 0.9), ("G7", sure, lies, 0.0))
    ]
    beside = evidence.beside_newest(cards)
    assert is_under(beside[1][0])
    reader = SimpleNamespace(read=lambda _image, quads, refined: [Read(UNREAD, quad, 0.1) for quad in quads])
    models = SimpleNamespace(indices=Eye([], None), reader=reader)
    under = peeking(IMAGE, evidence, beside, Outline(ABOVE.card_px), models)
    assert (under and under.card.reading.notation) == told, case
