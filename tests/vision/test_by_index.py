"""A doubtful card of no border, whose corners were found wrong on its like, is placed by its index and read there."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from drawn_table import Knower, Laid, Table

from referee.cards import Card
from referee.observations import UNREAD, CardReading
from referee.tracker.looks import CardLook
from referee.vision.by_index import by_both_indices, placed
from referee.vision.calibration import Calibration, Seat
from referee.vision.evidence import Evidence, Finding
from referee.vision.from_above import FromAbove
from referee.vision.in_parts import finished
from referee.vision.indices import IndexReading
from referee.vision.nets import Read

PX = 1.4
"""Pixels of the picture to a table millimetre."""
TABLE = Calibration((700, 500), (500.0, 357.0), np.diag([PX, PX, 1.0]), (150.0, 80.0, 180.0, 180.0),
                    (400.0, 80.0, 70.0, 110.0), (56.0, 87.0), (Seat(1, (240.0, 600.0)),))  # fmt: skip
ABOVE = FromAbove(TABLE)
IMAGE = np.zeros((500, 700, 3), np.uint8)
TRUE = np.array([[202, 121.5], [258, 121.5], [258, 208.5], [202, 208.5]])
"""Where the R+2 lies, table millimetres."""
FOUND = TRUE + [[-14, -4], [6, -2], [8, 5], [-10, 3]]
"""As what it was found: a part of its like beneath is taken for it."""


def reading(text):
    name, confidence = text.split()
    return CardReading(Card.parse(name), float(confidence))


class Networks:
    """The index finder sees one at `at`, as `index` says; whole cards there are `whole`, their two indices `own`."""

    def __init__(self, at, index, whole, own):
        self.indices = self.reader = self
        self._at, self._index, self._whole, self._own = at, reading(index), reading(whole), reading(own)

    def find(self, image, heights_px=(), least=None, where=None):
        low = np.floor((FOUND * PX).min(0) - 0.15 * heights_px[0])
        return [IndexReading(self._index, (self._at * PX - low).astype(np.float32), 0.5, 0.99)]

    def read(self, image, quads, refined):
        assert refined, "sought, its corners would move to those of its like"
        return [Read(self._whole, quads[0], 0.99)]

    def read_placed(self, image, quads):
        return [IndexReading(self._own, quad, 1.0, 0.99) for quad in quads]

    def is_sure(self, one):
        return one.card is not None and one.confidence >= 0.9


INDEX = [(208, 130), (214, 130), (214, 136), (208, 136)]
STRIP, ASIDE = ([(x, 121), (x + 12, 121), (x + 12, 208), (x, 208)] for x in (222, 189))
BUT_INDEX = [(220, 122), (258, 122), (258, 208), (220, 208)]
ELSEWHERE = [(190, 200), (270, 200), (270, 215), (190, 215)]


@pytest.mark.parametrize(
    ("case", "at", "index", "whole", "own", "changed", "reads"),
    [
        ("the card as a whole shows there what the index does", TRUE, "R+2 .99", "R+2 .65", "R+2 .99", [INDEX], "R+2"),
        ("... it shows another face there", TRUE, "R+2 .99", "R1 .65", "R+2 .99", [INDEX], None),
        ("... and stays in doubt", TRUE, "R+2 .5", "R+2 .4", "R+2 .5", [INDEX], None),
        ("the index lay there before", TRUE, "R+2 .99", "R+2 .65", "R+2 .99", [[(240, 170)] * 4], None),
        ("most of what changed lies there", TRUE, "R+2 .99", "R+2 .65", "R+2 .99", [TRUE, ELSEWHERE], "R+2"),
        ("... its index does not", TRUE, "R+2 .99", "R+2 .65", "R+2 .99", [BUT_INDEX, ELSEWHERE], None),
        ("a card there does not hold what changed", TRUE, "R+2 .99", "R+2 .65", "R+2 .99", [INDEX, ELSEWHERE], None),
    ],
)
def test_a_doubtful_card_is_placed_by_its_index(case, at, index, whole, own, changed, reads):
    mask = np.max([ABOVE.filled(ABOVE.px(part)) for part in changed], axis=0).astype(np.uint8)
    mask = np.asarray(cv2.max(mask, ABOVE.filled(ABOVE.px([(225, 150), (235, 150), (235, 170), (225, 170)]))), np.uint8)
    patch = ABOVE.patch(IMAGE)
    evidence = Evidence(ABOVE, Finding(patch, patch, patch, mask, 0.2, (), None, None))
    card = evidence.measured(CardLook(reading("R1 .41"), tuple(map(tuple, FOUND)), 0, 0))
    better = placed(IMAGE, evidence, (card, (FOUND * PX).astype(np.float32)), Networks(at, index, whole, own))
    if reads is None:
        assert better is None, case
        return
    look, quad = better
    assert look.reading.notation == reads, case
    assert float(np.abs(quad / PX - at).max()) < 1.0, "it is read there again"
    assert float(np.abs(np.array(look.quad) - at).max()) < 1.0


class Two(Networks):
    """Of two cards an index is found, that of the lower one by its reading the surer. upper: of the two the one that
    shows both its indices."""

    LOWER = TRUE + [8.0, 6.0]

    def __init__(self, upper, at_once=True):
        super().__init__(TRUE, "R+2 .99", "R+2 .95", "R+2 .99")
        self._upper, self._places = upper, (TRUE, self.LOWER) if at_once else (TRUE,)

    def _face(self, quad):
        lower = abs(quad.mean(0) / PX - self.LOWER.mean(0)).max() < 2.0
        return reading("R1 .995" if lower else "R+2 .99")

    def find(self, image, heights_px=(), least=None, where=None):
        low = np.floor((FOUND * PX).min(0) - 0.15 * heights_px[0])
        return [IndexReading(self._face(at * PX), (at * PX - low).astype(np.float32), 0.5, 0.99)
                for at in self._places]

    def read(self, image, quads, *_, refined=False):
        if not refined:  # an index
            face = self._face(quads)
            again = face if face.notation == self._upper or quads[0, 1] < quads[2, 1] else UNREAD
            return IndexReading(again, quads, 1.0, 0.99)
        return [Read(self._face(quads[0]), quads[0], 0.99)]

    def read_placed(self, image, quads):
        return []


@pytest.mark.parametrize(("read_as", "upper", "reads"), [("R+2 .99", "R+2", "R+2"), ("R+2 .99", "R1", None),
                                                         ("RS .99", "R+2", None)])  # fmt: skip
def test_a_card_that_was_pushed_with_others_lies_where_both_its_indices_are(read_as, upper, reads):
    """Much more changed than it holds, and its indices lay nearly there before."""
    patch = ABOVE.patch(IMAGE)
    mask = np.maximum.reduce([ABOVE.filled(ABOVE.px(part)) for part in (STRIP, ASIDE, INDEX)])
    evidence = Evidence(ABOVE, Finding(patch, patch, patch, mask, 1.0, (), None, None))
    card = evidence.measured(CardLook(reading(read_as), tuple(map(tuple, FOUND)), 0, 0))
    better = placed(IMAGE, evidence, (card, (FOUND * PX).astype(np.float32)), Two(upper, at_once=False))
    assert (None if better is None else better[0].reading.notation) == reads


@pytest.mark.parametrize(("upper", "reads"), [("R+2", "R+2"), ("R1", "R1"), ("neither", "R1")])
def test_of_two_cards_that_were_found_as_one_the_upper_one_shows_both_its_indices(upper, reads):
    patch = ABOVE.patch(IMAGE)
    mask = ABOVE.filled(ABOVE.px(TRUE + [4.0, 3.0]))
    evidence = Evidence(ABOVE, Finding(patch, patch, patch, mask, 1.0, (), None, None))
    card = evidence.measured(CardLook(reading("RS .41"), tuple(map(tuple, FOUND)), 0, 0))
    look, _ = placed(IMAGE, evidence, (card, (FOUND * PX).astype(np.float32)), Two(upper))
    assert look.reading.notation == reads


@pytest.mark.parametrize(
    ("case", "swells", "sure", "asked"),
    [
        ("doubtful, and larger than a card", 1.15, 0.995, True),
        ("of a card's size", 1.0, 0.995, False),
        ("surely read all the same", 1.15, 0.9, False),
        ("... and much larger: two may be read as one", 1.3, 0.9, True),
    ],
)
def test_the_index_is_asked_where_a_doubtful_card_has_not_the_shape_of_one(monkeypatch, case, swells, sure, asked):
    calls = []
    monkeypatch.setattr("referee.vision.pile.placed", lambda *_: calls.append(1))
    monkeypatch.setattr("referee.vision.pile.snapped", lambda _patch, quad, *_: quad)  # there is no edge to be seen
    Table(Knower(finds=True, swells=swells, sure=sure)).run(1.0).reach(Laid("R7", 285, 205))
    assert bool(calls) is asked, case


@pytest.mark.parametrize(("old", "asked"), [("R7", True), ("B9", False)])
def test_the_index_of_a_surely_read_card_of_another_shape_is_asked_on_its_like(monkeypatch, old, asked):
    """The two were found as one: the upper one would be the old top card, pushed."""
    calls = []
    monkeypatch.setattr("referee.vision.pile.placed", lambda *_: calls.append(1))
    monkeypatch.setattr("referee.vision.pile.snapped", lambda _patch, quad, *_: quad)
    table = Table(Knower(finds=True, swells=1.15, sure=0.9)).run(1.0).reach(Laid(old, 285, 205))
    assert not calls
    table.reach(Laid("R7", 280, 220))
    assert bool(calls) is asked


@pytest.mark.parametrize(
    ("case", "index", "believed"),
    [("its own", "R7", True), ("that of a card beneath, which the push laid open", "B9", False)],
)
def test_a_card_surely_read_as_the_old_top_card_is_placed_by_an_index_of_its_face_only(
    monkeypatch, case, index, believed
):
    table = Table(Knower(finds=True, swells=1.15, sure=0.9, laid=[Laid("R7", 285, 205)])).run(1.0)
    above, eye = table.eye._above, table.eye._pile
    before = above.patch(table.frame().image)
    table.knower.laid = [Laid("R7", 280, 212)]
    after = table.frame().image
    top = above.table(Laid("R7", 285, 205).corners())

    def by_its_index(_image, _evidence, card, _models):
        return replace(card[0], reading=reading(f"{index} .999")), card[1]

    monkeypatch.setattr("referee.vision.pile.snapped", lambda _patch, quad, *_: quad)
    monkeypatch.setattr("referee.vision.pile.placed", by_its_index)
    finding = eye.find(eye.change(after, before, top, Card.parse("R7")))
    ((card, _),) = finished(eye.read(after, finding))
    assert card.reading == reading(f"{index} .999" if believed else "R7 .99"), case


@pytest.mark.parametrize(
    ("case", "sure", "index", "told"),
    [
        ("doubtful, and its index says another face", 0.995, "G2", ("G2", False)),
        ("doubtful, and no index is found", 0.995, None, ("R7", True)),
        ("surely read", 0.9, "G2", ("R7", True)),
    ],
)
def test_a_card_placed_by_the_change_alone_is_placed_by_its_index_where_it_is_doubtful(
    monkeypatch, case, sure, index, told
):
    table = Table(Knower(sure=sure)).run(1.0)
    before = table.frame().image
    table.knower.laid = [Laid("R7", 285, 205)]
    after, eye = table.frame().image, table.eye._pile

    def by_its_index(_image, _evidence, card, _models):
        return None if index is None else (replace(card[0], reading=reading(f"{index} .999")), card[1])

    monkeypatch.setattr("referee.vision.pile.placed", by_its_index)
    finding = eye.find(eye.change(after, table.eye._above.patch(before), None))
    (card,) = eye.tell(after, 2.0, finding, finished(eye.read(after, finding))).look.cards
    assert (card.reading.notation, card.fitted) == told, case


def index_at(quad, face="R+2"):
    """An index in the first corner of the card `quad`, table millimetres."""
    return IndexReading(CardReading(Card.parse(face), 0.99), (quad * PX).astype(np.float32), 0.7, 0.99)


def end(askew=0.0, aside=(0, 0)):
    """The card at TRUE by its other index, which is seen `askew`, degrees, and `aside`, millimetres."""
    quad = np.roll(TRUE, 2, 0) - TRUE[2]
    a = np.radians(askew)
    return quad @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + TRUE[2] + aside


@pytest.mark.parametrize(
    ("case", "found", "opposite", "seen"),
    [
        ("both are found, the one askew", [index_at(TRUE), index_at(end(8))], UNREAD, True),
        ("one is found, and the other one read where it says", [index_at(TRUE)], reading("R+2 .99"), True),
        ("... shows another face there: that of a card which lies on it", [index_at(TRUE)], reading("R4 .99"), False),
        ("two are too far apart for one card", [index_at(TRUE), index_at(end(0, (8, 8)))], UNREAD, False),
        ("two are the same way up: of two cards", [index_at(TRUE), index_at(end(180))], UNREAD, False),
    ],
)
def test_a_card_both_indices_of_which_are_seen_lies_between_them(case, found, opposite, seen):
    changed = ABOVE.filled(ABOVE.px(TRUE))
    evidence = Evidence(ABOVE, Finding(ABOVE.patch(IMAGE), None, None, changed, 1.0, (), None, None))
    eye = SimpleNamespace(read=lambda _image, quad, score: IndexReading(opposite, quad, score, 0.9))
    quad = by_both_indices(IMAGE, evidence, found, SimpleNamespace(indices=eye))
    assert (quad is not None) is seen, case
    if seen:
        assert float(np.abs(quad - ABOVE.px(TRUE)).max()) < 1.0, case
