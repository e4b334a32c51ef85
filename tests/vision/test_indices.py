"""Corner indices: where one puts its card, and which card it belongs to."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.belonging import belongs
from referee.vision.classes import ANSWER
from referee.vision.ground import Ground
from referee.vision.indices import (
    CORNER_MM,
    CORNER_PX,
    INDEX_MM,
    MARK_MM,
    MARK_UNIT_MM,
    IndexEye,
    IndexReading,
    box_mm,
    corner_picture,
    decode_indices,
    in_mm,
    on_card,
)
from referee.vision.merge import ALONE, LEFT, may_be_shown, unsure, with_strip
from referee.vision.merge import with_indices as with_indices_from
from referee.vision.nets import Found, Read, agreed
from referee.vision.shape import Known, shape_of

with_indices = partial(with_indices_from, sure=0.9)
R1, R7, B2, Y9, WILD = (Card.parse(name) for name in ("R1", "R7", "B2", "Y9", "W"))


def card_at(x, y, angle=0.0, height=174.0):
    """Corners of an upright card whose first corner is at (x, y), turned about it."""
    a = np.radians(angle)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return (box_mm(0, 0, 56, 87) * height / 87 @ turn + [x, y]).astype(np.float32)


def whole(quad, card=R7, confidence=0.99, top=0.9, visible=0.5):
    reading = CardReading(card, confidence, () if card == R7 else ((R7, (1 - confidence) / 2),))
    return Found(quad, 0.9, visible, top), Read(reading, quad, 0.99 if card else 1 - confidence)


def index_at(quad, card=R7, confidence=0.97, score=0.8, face=0.98):
    return IndexReading(CardReading(card, confidence), quad, score, face)


def smaller(quad):
    """A card of seven tenths of the size with the same first corner."""
    return (quad[0] + (quad - quad[0]) * 0.7).astype(np.float32)


def faces(pairs):
    return [str(read.reading.card) for _, read in pairs]


def test_millimetres_and_pixels_of_a_card_are_inverse():
    quad = np.array([[10, 20], [120, 30], [130, 190], [5, 180]], np.float32)
    points = np.array([[8, 10.5], [50, 70]], np.float32)
    assert in_mm(quad, on_card(quad, points)) == pytest.approx(points, abs=1e-3)


def test_the_corner_picture_shows_the_corner():
    image = np.zeros((300, 300, 3), np.uint8)
    quad = card_at(60, 60, angle=30)
    place = on_card(quad, np.array([INDEX_MM], np.float32))[0].round().astype(int)
    image[place[1] - 3 : place[1] + 4, place[0] - 3 : place[0] + 4] = 255
    shown = corner_picture(image, quad)
    assert shown.shape == (CORNER_PX[1], CORNER_PX[0], 3)
    y, x = (np.argwhere(shown[..., 0] > 200).mean(0) + 0.5) / 2 + [CORNER_MM[1], CORNER_MM[0]]
    assert (x, y) == pytest.approx(INDEX_MM, abs=0.4)


def test_decoding_a_peak_gives_the_upright_card():
    out = np.full((9, 16, 16), -9, np.float32)
    out[:, 6, 5] = [4, 0, 0, 0, np.log(56 / 87), 1, 0, 0, 1]
    ((score, quad),) = decode_indices(out, 0.3)
    assert score > 0.98
    assert on_card(quad, np.array([INDEX_MM], np.float32))[0] == pytest.approx([21.5, 25.5], abs=1e-3)
    assert np.ptp(quad, axis=0) == pytest.approx([128 * 56 / 87, 128], abs=0.01)


class Peak:
    """An index finder that sees one index, of a score of about 0.1."""

    def setInput(self, blob):
        self._shape = blob.shape[2] // 4, blob.shape[3] // 4

    def forward(self):
        out = np.full((1, 9, *self._shape), -9, np.float32)
        out[0, :, 6, 5] = [-2.2, 0, 0, 0, np.log(56 / 87), 1, 0, 0, 1]
        return out


@pytest.mark.parametrize(("least", "found"), [(None, 0), (0.05, 1), (0.15, 0)])
def test_where_an_index_is_looked_for_closely_a_lower_score_will_do(least, found):
    eye = IndexEye(Peak(), Network(), 0.2, 1.0)
    assert len(eye.find(np.zeros((300, 300, 3), np.uint8), [150], least=least)) == found


def test_an_index_that_is_not_worth_it_costs_no_reading():
    reader = Network()
    eye = IndexEye(Peak(), reader, 0.05, 1.0)
    assert eye.find(np.zeros((300, 300, 3), np.uint8), [150], where=lambda quad: quad[0, 0] > 150) == []
    assert reader.shown == 0
    assert len(eye.find(np.zeros((300, 300, 3), np.uint8), [150], where=lambda quad: quad[0, 0] < 150)) == 1


class Network:
    """Counts the corners it is shown and answers that each is as it should be."""

    def __init__(self):
        self.shown = 0

    def setInput(self, blob):
        self.shown += len(blob)

    def forward(self):
        out = np.zeros((1, ANSWER + 8), np.float32)
        out[:, 0] = self.shown
        return out


@pytest.mark.parametrize(("thorough", "mean"), [(False, 2.0), (True, 3.0)])
def test_a_thorough_look_reads_a_corner_in_three_places_and_takes_the_mean(thorough, mean):
    eye, quad = IndexEye(None, Network(), 0.2, 1.0), card_at(60, 60)
    logits, read = eye.look(np.zeros((300, 300, 3), np.uint8), quad, thorough)
    assert logits[0] == mean
    assert read == pytest.approx(quad, abs=1e-3)


class Shrinks(Network):
    """Takes every corner for that of a card eight tenths as large."""

    def forward(self):
        out = super().forward()
        corners = box_mm(*MARK_MM)
        out[:, ANSWER:] = ((corners - INDEX_MM) * -0.2 / MARK_UNIT_MM).reshape(8)
        return out


@pytest.mark.parametrize(("known", "height", "looks"), [(False, 0.8, 4), (True, 1.0, 4)])
def test_a_corner_of_known_shape_keeps_it_and_is_looked_at_no_more_once_it_stays(known, height, looks):
    network, quad = Shrinks(), card_at(60, 60)
    shape = shape_of(quad) if known else None
    _, read = IndexEye(None, network, 0.2, 1.0).look(np.zeros((300, 300, 3), np.uint8), quad, True, shape)
    assert float(np.hypot(*(read[3] - read[0]))) == pytest.approx(height * 174, rel=0.01)
    assert network.shown == looks


@pytest.mark.parametrize("short", [(-1.0, 0.0), (0.0, 1.0)], ids=["mirrored", "folded"])
def test_what_cannot_be_a_card_is_not_decoded(short):
    out = np.full((9, 16, 16), -9, np.float32)
    out[:, 6, 5] = [4, 0, 0, 0, np.log(56 / 87), 1, 0, short[1], short[0]]
    assert decode_indices(out, 0.3) == []


def test_the_size_of_a_corner_is_told_by_other_cards_not_by_its_own(monkeypatch):
    """The finder saw its own card too large, and beside it one as large as all are."""
    found = card_at(60, 60)
    eye = IndexEye(None, Shrinks(), 0.2, 1.0)
    monkeypatch.setattr(eye, "_level", lambda *_: [(0.9, found)])
    own, other = Known(card_at(58, 58, height=200), 1.0), Known(card_at(160, 60, 10), 1.0)
    heights = []
    for cards in ([], [own], [own, other]):
        (index,) = eye.find(np.zeros((300, 300, 3), np.uint8), (174.0,), True, cards)
        heights.append(float(np.hypot(*(index.quad[3] - index.quad[0]))) / 174)
    assert heights == pytest.approx([0.8, 0.8, 1.0], abs=0.02)


@pytest.mark.parametrize(
    ("at", "angle", "own"),
    [
        ((100, 100), 0, True),
        ((106, 96), 5, True),
        ((124, 100), 8, False),
        ((100, 100), 60, False),
        ((212, 274), 180, True),
    ],
    ids=["same", "nearly", "next in the fan", "another direction", "the other end"],
)
def test_an_index_belongs_where_a_card_has_one(at, angle, own):
    assert (belongs(index_at(card_at(*at, angle=angle)), card_at(100, 100)) is not None) == own


def test_an_index_of_a_found_card_adds_no_card():
    quad = card_at(100, 100)
    merged = with_indices([whole(quad)], [index_at(quad), index_at(np.roll(quad, 2, 0))])
    assert faces(merged) == ["R7"]


@pytest.mark.parametrize(("indices", "said"), [(1, True), (0, False)])
def test_an_index_that_says_nothing_speaks_for_a_covered_card_all_the_same(indices, said):
    """What a deck without indices has in its corners is found as one, and not read."""
    quad = card_at(100, 100)
    ((_, read),) = with_indices([whole(quad, R7, 0.99, visible=0.6)], [index_at(quad, None, 0.9)][:indices])
    assert (read.reading.confidence >= 0.9) == said


@pytest.mark.parametrize(
    ("case", "visible", "picture", "indices", "said"),
    [
        ("all that is seen is ours", 0.95, -6.0, (-5.0, -6.0), True),
        ("each view doubts a little", 0.95, -2.2, (-2.2, -2.2), False),
        ("a little less", 0.95, -2.4, (-2.4, -2.4), True),
        ("one index doubts, the others do not", 0.95, -6.0, (-0.5, -6.0), True),
        ("one doubts much and one a little", 0.95, -4.0, (-0.1, -2.5), False),
        ("the picture alone, in full view", 0.95, -0.9, (), False),
        ("the picture under a hand is not asked", 0.8, -0.9, (-6.0,), True),
        ("half covered, its index doubts", 0.5, -6.0, (-0.9,), False),
        ("an index that shows no face without that says nothing", 0.95, -4.0, (None, -4.0), True),
        ("nothing is known", 0.95, None, (None, None), True),
    ],
)
def test_a_card_is_asked_about_that_all_its_views_together_hold_to_be_strange(case, visible, picture, indices, said):
    found, read = whole(card_at(100, 100), visible=visible)
    ends = (card_at(100, 100), np.roll(card_at(100, 100), 2, 0).astype(np.float32))
    own = [replace(index_at(end), strange=strange) for end, strange in zip(ends, indices, strict=False)]
    ((_, judged),) = with_indices([(found, replace(read, strange=picture))], own)
    assert (judged.reading.card, judged.reading.confidence >= 0.9) == (R7, said), case


@pytest.mark.parametrize(
    ("case", "card", "strange", "said"),
    [
        ("an index of ours", R7, -4.0, True),
        ("one that is another game's, most likely", R7, -0.9, False),
    ],
)
def test_so_is_one_that_only_its_index_shows(case, card, strange, said):
    index = replace(index_at(card_at(100, 100), card, 0.99), strange=strange)
    ((_, read),) = with_indices([], [index])
    assert (read.reading.card, read.reading.confidence >= 0.9) == (card, said), case


@pytest.mark.parametrize(
    ("case", "other", "said"),
    [
        ("a second index in that corner of another game's", index_at(card_at(102, 102), None, 0.9), False),
        ("one that is hardly one", index_at(card_at(102, 102), None, 0.9, 0.3), True),
        ("one of a card elsewhere", index_at(card_at(300, 100), None, 0.9), True),
    ],
)
def test_what_is_no_index_or_not_its_own_says_nothing_of_a_card(case, other, said):
    own = replace(index_at(card_at(100, 100), confidence=0.99), strange=-4.0)
    cards = with_indices([], [own, replace(other, strange=0.5)])
    assert (max(read.reading.confidence for _, read in cards) >= 0.9) is said, case


def test_an_index_that_takes_the_place_of_a_card_in_full_view_is_heard_once():
    askew = whole(card_at(80, 90, angle=12), B2, 0.4, top=0.4, visible=0.95)
    index = replace(index_at(card_at(110, 110), confidence=0.99), strange=-1.9)
    ((found, read),) = with_indices([askew], [index])
    assert (found.visible, read.reading.card, read.reading.confidence >= 0.9) == (0.95, R7, True)


def test_an_index_reads_a_card_that_could_not_be_read():
    quad = card_at(100, 100)
    ((_, read),) = with_indices([whole(quad, None, 0.5)], [index_at(quad)])
    assert read.reading.card == R7
    assert read.reading.confidence > 0.9


@pytest.mark.parametrize(
    ("visible", "picture", "signs", "said"),
    [
        (0.9, (B2, 0.5), [(R7, 0.97, 0.6)], "R7"),
        (0.9, (R7, 0.6), [(R7, 0.97, 0.4)], "R7"),
        (0.9, (B2, 0.5), [(R7, 0.93, 0.6)], "R7"),
        (0.9, (B2, 0.5), [(R7, 0.89, 0.6)], "unsure"),
        (0.9, (R7, 0.8), [(R7, 0.8, 0.9), (R7, 0.8, 0.9)], "unsure"),
        (0.9, (B2, 0.5), [(R7, 0.97, 0.6), (B2, 0.9, 0.6)], "unsure"),
        (0.9, (None, 0.9), [(R7, 0.99, 0.9)], "unsure"),
        (0.8, (None, 0.9), [(R7, 0.99, 0.9)], "R7"),
        (0.8, (None, 0.9), [(R7, 0.95, 0.9)], "unsure"),
        (0.8, (None, 0.9), [(WILD, 0.99, 0.9)], "unsure"),
        (0.8, (B2, 0.8), [(R7, 0.98, 0.6), (Y9, 0.92, 0.6)], "unsure"),
        (0.4, (B2, 0.8), [(R7, 0.97, 0.6)], "R7"),
    ],
    ids=["a hand", "agreed", "a sign not so sure", "nor sure at all", "none is sure", "signs differ", "no face",
         "no face under a hand", "no face, sign not so sure", "a special wild", "gainsaid", "covered"],
)
def test_a_card_that_was_not_read_for_sure_is_what_its_indices_say_when_they_may(visible, picture, signs, said):
    quad = card_at(100, 100)
    ends = [quad, np.roll(quad, 2, 0)]
    indices = [index_at(end, card, p, score) for end, (card, p, score) in zip(ends, signs, strict=False)]
    ((_, read),) = with_indices([whole(quad, *picture, visible=visible)], indices)
    assert (str(read.reading.card) if read.reading.confidence >= 0.9 and read.reading.card else "unsure") == said


@pytest.mark.parametrize(
    ("visible", "face", "said"), [(0.4, 0.99, True), (0.4, 0.6, True), (0.9, 0.99, False)],
    ids=["covered", "hardly a face", "in full view"],
)  # fmt: skip
def test_the_strip_of_a_found_card_is_not_heard_about_its_rank(visible, face, said):
    quad = card_at(100, 100)
    strip = Read(CardReading(R1, 0.85, ((R7, 0.02),)), quad, face)
    index = replace(index_at(quad), reading=CardReading(R7, 0.92, ((R1, 0.06),)))
    ((_, read),) = with_indices([(Found(quad, 0.9, visible, 0.1), strip)], [index])
    assert (read.reading.card == R7 and read.reading.confidence >= 0.9) == said


def test_covered_cards_of_a_fan_are_cards_of_their_own():
    fan = [index_at(card_at(100 + 25 * i, 100), card) for i, card in enumerate((B2, Y9, R7))]
    merged = with_indices([whole(card_at(150, 100))], fan)
    assert faces(merged) == ["R7", "B2", "Y9"]
    assert merged[1][0].visible < 0.5
    assert merged[1][0].top == 0.0


def test_both_indices_of_a_card_are_one_card():
    quad = card_at(100, 100)
    merged = with_indices([], [index_at(quad), index_at(np.roll(quad, 2, 0) + np.float32(5))])
    assert faces(merged) == ["R7"]
    assert merged[0][1].quad == pytest.approx(quad + [[0], [2.5], [5], [2.5]], abs=1.0)


def test_the_symbol_of_a_card_on_which_nothing_lies_is_no_card():
    inside = index_at(card_at(140, 150, height=150), B2)
    assert faces(with_indices([whole(card_at(100, 100), top=0.9, visible=0.9)], [inside])) == ["R7"]
    assert faces(with_indices([whole(card_at(100, 100), top=0.1, visible=0.9)], [inside])) == ["R7"]
    covered, own = whole(card_at(100, 100), top=0.1), index_at(card_at(100, 100))
    assert faces(with_indices([covered], [own, inside])) == ["R7", "B2"]


@pytest.mark.parametrize(
    ("visible", "confidence", "index", "left"),
    [
        (1.0, 0.99, 0.98, 0.99), (1.0, 0.92, 0.98, 0.22), (0.5, 0.99, 0.9, 0.99), (0.5, 0.99, 0.98, 0.49),
        (0.5, 0.96, 0.98, 0.98),
    ],
    ids=["decided", "only just", "covered", "covered, both certain", "covered, only the index certain"],
)
def test_an_index_casts_doubt_on_a_card_read_with_some_and_on_a_covered_one(visible, confidence, index, left):
    quad = card_at(100, 100)
    ((_, read),) = with_indices([whole(quad, confidence=confidence, visible=visible)], [index_at(quad, B2, index)])
    assert read.reading.confidence == pytest.approx(left, abs=0.1)


@pytest.mark.parametrize(("visible", "said"), [(0.94, None), (0.7, "R7")], ids=["in full view", "half covered"])
def test_a_card_in_full_view_that_is_surely_read_is_not_made_another_one_by_its_two_indices(visible, said):
    """Both are drawn alike: a blurred 5 was said to be a 6."""
    quad = card_at(100, 100)
    signs = [index_at(quad, R7, 0.78), index_at(np.roll(quad, 2, 0), R7, 0.987)]
    ((_, read),) = with_indices([whole(quad, B2, 0.905, visible=visible)], signs)
    assert (str(read.reading.card) if read.reading.confidence >= 0.9 else None) == said


@pytest.mark.parametrize(
    "index",
    [
        index_at(card_at(0, 0), None),
        index_at(card_at(0, 0), score=0.31, confidence=0.999), index_at(card_at(0, 0), score=0.37, confidence=0.98),
    ],
    ids=["unread", "faint", "less faint, and not certain enough for that"],
)  # fmt: skip
def test_what_is_hardly_an_index_is_no_card(index):
    assert with_indices([], [index]) == []


def test_a_faint_index_that_is_read_with_certainty_is_a_card():
    assert faces(with_indices([], [index_at(card_at(0, 0), B2, score=0.37, confidence=0.995)])) == ["B2"]


def test_two_looks_that_agree_are_surer_and_two_that_do_not_are_less_sure():
    assert agreed(CardReading(R7, 0.8), CardReading(R7, 0.9)).confidence == pytest.approx(0.98)
    doubted = agreed(CardReading(R7, 0.9), CardReading(B2, 0.9))
    assert doubted.confidence == pytest.approx(0.45)
    assert B2 in dict(doubted.alternatives) or R7 in dict(doubted.alternatives)


def test_a_certain_index_takes_the_place_of_a_card_found_askew_and_not_read():
    askew, index = whole(card_at(80, 90, angle=12), B2, 0.4, visible=0.8), index_at(card_at(110, 110), score=0.6)
    ((found, read),) = with_indices([askew], [index])
    assert str(read.reading.card) == "R7"
    assert (found.visible, found.top) == (0.8, 0.9)
    assert faces(with_indices([whole(card_at(80, 90, angle=12), B2, visible=0.8)], [index])) == ["B2"]


def test_a_second_card_of_one_face_in_one_place_is_asked_about():
    near, far = index_at(card_at(60, 40), score=0.6), index_at(card_at(400, 100), score=0.6)
    merged = with_indices([whole(card_at(100, 100), top=0.1)], [near, far])
    assert sorted(read.reading.confidence >= 0.9 for _, read in merged) == [False, True, True]


@pytest.mark.parametrize(
    ("found", "mm", "turn", "said"),
    [
        (2, 9, 0, 2), (1, 9, 0, 2), (0, 9, 0, 2), (2, 20, 0, 2), (1, 20, 0, 2), (0, 20, 0, 2),
        (2, 3, 0, 1), (0, 3, 0, 1), (1, 40, 0, 1), (0, 40, 0, 1), (2, 20, 180, 1), (0, 20, 180, 1),
    ],
)  # fmt: skip
def test_two_cards_of_one_face_side_by_side_in_a_fan_are_two(found, mm, turn, said):
    """Not where one index may have been found twice, where it may be the card's other corner, or upside down."""
    cards = [card_at(100, 100), card_at(100 + 2 * mm, 100)]
    if turn:
        cards[1] = np.roll(cards[1], 2, 0)
    indices = [index_at(quad, confidence=0.99) for quad in cards]
    pairs = with_indices([whole(quad, visible=0.4, top=0.1) for quad in cards[:found]], indices)
    assert sum(read.reading.confidence >= 0.9 for _, read in pairs) == said


@pytest.mark.parametrize(("off", "angle", "said"), [((-90, 60), -20, 2), ((-100, 80), -40, 2), ((-60, 30), -30, 1)])
def test_two_cards_of_one_face_at_an_angle_are_two_where_the_index_of_one_lies_outside_the_other(off, angle, said):
    """Not where the one may be the other, whose corners were found askew."""
    lower, upper = card_at(100, 100), card_at(100 + off[0], 100 + off[1], angle=angle)
    indices = [index_at(quad, confidence=0.99) for quad in (lower, upper)]
    pairs = with_indices([whole(upper, top=0.9)], indices)
    assert sum(read.reading.confidence >= 0.9 for _, read in pairs) == said


@pytest.mark.parametrize(("right", "down", "said"), [(73, 38, 1), (73, 70, 2)], ids=["of one card", "too far apart"])
def test_two_indices_that_stand_opposite_ways_are_of_one_card_also_where_they_seem_to_lead_past_each_other(
    right, down, said
):
    """right, down: millimetres from the one to the other. A skip whose two corners showed was said twice."""
    one, other = card_at(100, 100), card_at(100 + 2 * (16 + right), 100 + 2 * (21 + down), angle=180)
    indices = [index_at(quad, confidence=0.995) for quad in (one, other)]
    pairs = with_indices([whole(one, None, 0.5, visible=0.26, top=0.0)], indices)
    assert sum(read.reading.confidence >= 0.9 for _, read in pairs) == said


@pytest.mark.parametrize(("mm", "said"), [(44, 1), (60, 2)])
def test_two_cards_of_one_face_far_apart_in_a_fan_are_two(mm, said):
    """mm: from corner to corner, askew. A deck with an index in each corner has them nearer to each other."""
    away = 2 * mm * np.array([np.cos(np.radians(150)), np.sin(np.radians(150))])
    indices = [index_at(quad, confidence=0.99) for quad in (card_at(200, 200, 31), card_at(*(200 + away)))]
    assert sum(read.reading.confidence >= 0.9 for _, read in with_indices([], indices)) == said


@pytest.mark.parametrize(
    ("card", "visible", "said"),
    [(B2, 0.6, True), (R1, 0.6, False), (WILD, 0.6, False), (B2, 0.9, False)],
    ids=["of another colour", "of its colour", "a wild", "a card in full view"],
)
def test_an_index_where_a_covered_card_has_a_corner_is_another_cards_when_its_colour_is(card, visible, said):
    below = card_at(100, 100)
    own = index_at(below)
    corner = index_at(card_at(100 + 80, 100, angle=8), card, 0.99)
    pairs = with_indices([whole(below, visible=visible, top=0.1)], [own, corner])
    assert (str(card) in faces(pairs)) == said


@pytest.mark.parametrize(("confidence", "said"), [(0.99, True), (0.95, False)])
def test_a_coloured_index_where_a_covered_wild_has_a_corner_is_another_cards(confidence, said):
    below = card_at(100, 100)
    corner = index_at(card_at(100 + 80, 100, angle=8), R1, confidence)
    pairs = with_indices([whole(below, WILD, visible=0.3, top=0.1)], [index_at(below, WILD), corner])
    assert ("R1" in faces(pairs)) == said


@pytest.mark.parametrize(
    ("confidence", "strip", "face", "shown", "said"),
    [
        (0.93, R7, 0.9, True, True), (0.93, B2, 0.9, True, False), (0.93, None, 0.3, True, False),
        (0.99, None, 0.3, True, True), (0.99, None, 0.01, True, False),
        (0.93, R1, 0.95, True, True), (0.93, R1, 0.6, True, False), (0.88, R1, 0.95, True, False),
        (0.93, R7, 0.9, False, True), (0.93, R1, 0.95, False, False), (0.99, R1, 0.95, False, True),
    ],
    ids=[
        "alike", "another face", "nothing", "nothing, and certain", "no face, and certain",
        "a face of its colour", "hardly a face of its colour", "a face of its colour, and not sure",
        "alike in a pile", "a face of its colour in a pile", "a face of its colour in a pile, and certain",
    ],
)  # fmt: skip
def test_the_strip_beside_an_index_is_heard(confidence, strip, face, shown, said):
    quad = card_at(100, 100)
    seen = Read(CardReading(strip, 0.8 if strip else 1 - face), quad, face)
    heard = with_strip(index_at(quad, confidence=confidence), seen, Ground.COLOURED, shown)
    assert (heard.reading.confidence >= ALONE) == said


@pytest.mark.parametrize(
    ("card", "ground", "strip", "face", "said"),
    [
        (R7, Ground.WHITE, R1, 0.88, False), (R7, Ground.WHITE, R1, 0.92, True), (R7, Ground.WHITE, B2, 0.97, False),
        (R7, Ground.WHITE, None, 0.97, False), (R7, Ground.COLOURED, None, 0.1, True),
        (R7, Ground.LITTLE, None, 0.1, False), (R7, Ground.LITTLE, None, 0.4, False),
        (R7, Ground.LITTLE, None, 0.6, True), (WILD, Ground.WHITE, None, 0.1, True), (R7, Ground.OURS, None, 0.1, True),
        (R7, Ground.OURS, B2, 0.97, True), (R7, Ground.OURS, None, 0.01, False),
    ],
    ids=[
        "a playing card", "a face with a white ground", "a playing card under a face", "hardly a face",
        "a coloured ground", "cut by a finger", "a playing card's corner", "a narrow strip",
        "a wild, whose ground has no colour", "red all about it, or black", "under a face", "surely no face",
    ],
)  # fmt: skip
def test_the_less_of_its_colour_an_index_stands_on_the_more_must_its_strip_be_a_faces(card, ground, strip, face, said):
    quad = card_at(100, 100)
    heard = with_strip(index_at(quad, card, 0.99), Read(CardReading(strip, 0.5), quad, face), ground, True)
    assert (heard.reading.confidence >= ALONE) == said


@pytest.mark.parametrize(
    ("card", "confidence", "score", "ground", "strip", "face", "ours", "said"),
    [
        (R7, 0.98, 0.6, Ground.OURS, None, 0.02, True, True), (R7, 0.98, 0.6, Ground.OURS, None, 0.02, False, False),
        (R7, 0.98, 0.6, Ground.WHITE, B2, 0.9, True, True), (R7, 0.98, 0.6, Ground.WHITE, B2, 0.9, False, False),
        (R7, 0.95, 0.6, Ground.OURS, None, 0.02, True, False), (R7, 0.98, 0.38, Ground.OURS, None, 0.02, True, False),
        (WILD, 0.98, 0.6, Ground.OURS, None, 0.02, True, False),
    ],
    ids=[
        "one of ours", "of a strange hand", "one of ours on white", "of a strange hand on white", "not certain",
        "faint", "a special wild",
    ],
)  # fmt: skip
def test_beside_an_open_card_of_ours_a_strip_does_not_speak_against_a_certain_index(
    card, confidence, score, ground, strip, face, ours, said
):
    quad = card_at(100, 100)
    index = index_at(quad, card, confidence, score)
    heard = with_strip(index, Read(CardReading(strip, 0.5), quad, face), ground, True, ours)
    assert (heard.reading.confidence >= ALONE) == said


@pytest.mark.parametrize(
    ("score", "strip", "face", "shown", "seen"),
    [
        (0.27, R7, 0.7, True, True), (0.27, R1, 0.95, True, True), (0.27, R1, 0.8, True, False),
        (0.27, B2, 0.95, True, False), (0.27, None, 0.8, True, False), (0.27, R7, 0.95, False, False),
        (0.2, R7, 0.95, True, False),
    ],
    ids=[
        "alike", "a face of its colour", "hardly a face", "a face of another colour", "nothing", "in a pile", "fainter",
    ],
)  # fmt: skip
def test_a_faint_index_of_a_shown_hand_is_a_card_where_its_strip_bears_it_out(score, strip, face, shown, seen):
    quad = card_at(100, 100)
    index = index_at(quad, confidence=0.93, score=score)
    assert may_be_shown(index) == (score >= 0.25)
    heard = with_strip(index, Read(CardReading(strip, 0.8), quad, face), Ground.COLOURED, shown)
    assert (may_be_shown(index) and bool(with_indices([], [heard]))) == seen


@pytest.mark.parametrize(("score", "said"), [(0.8, True), (0.3, False)], ids=["plain", "faint"])
def test_a_faint_index_that_is_read_less_surely_is_not_said_for_its_colour(score, said):
    quad = card_at(100, 100)
    strip = Read(CardReading(R1, 0.8), quad, 0.95)
    heard = with_strip(index_at(quad, confidence=0.93, score=score), strip, Ground.COLOURED, True)
    assert (heard.reading.confidence >= ALONE) == said


@pytest.mark.parametrize(
    ("case", "read", "visible", "nearer", "other", "said"),
    [
        ("the next card's index beside that of a card not read", None, 0.3, B2, R7, {"B2", "R7"}),
        ("of one colour: one of them is read wrong", None, 0.3, R1, R7, set()),
        ("the other is not certain", None, 0.3, B2, (R7, 0.9), set()),
        ("the card is in full view", None, 0.95, B2, R7, set()),
        ("the card is read for sure", R7, 0.3, B2, R7, {"R7"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_covered_card_has_two_colours(case, read, visible, nearer, other, said):
    quad = card_at(100, 100)
    card, confidence = other if isinstance(other, tuple) else (other, 0.99)
    indices = [index_at(quad + [2, 0], nearer, 0.99), index_at(quad + [12, 6], card, confidence)]
    pairs = with_indices([whole(quad, read, 0.99 if read else 0.6, top=0.1, visible=visible)], indices)
    assert {str(one.reading.card) for _, one in pairs if one.reading.confidence >= 0.9} == said, case


def test_of_a_card_that_was_found_twice_one_is_sure():
    quad = card_at(100, 100)
    first, again = whole(quad, R7, visible=0.9), whole(quad + [30, 0], None, 0.6, visible=0.4)
    pairs = with_indices([first, again], [index_at(quad, R7), index_at(np.roll(quad + [30, 0], 2, 0), R7)])
    assert [read.reading.confidence >= 0.9 for _, read in pairs if read.reading.card == R7] == [True, False]


@pytest.mark.parametrize(("off", "said"), [(13, 1), (20, 2)], ids=["one card", "too far off"])
def test_two_indices_at_both_ends_of_a_card_that_was_found_askew_are_its_own(off, said):
    """A card that reached out of the picture was said twice: both its indices seemed to be of a smaller card, and lay
    off where it was found. off: millimetres."""
    quad = card_at(100, 100)
    aside = np.float32([2 * off, 0])
    small = [index_at(smaller(end) + move, R7, 0.99) for end, move in ((quad, -aside), (np.roll(quad, 2, 0), aside))]
    pairs = with_indices([whole(quad, R7, 0.87, visible=0.82)], small)
    assert sum(read.reading.confidence >= 0.9 for _, read in pairs) == said


def test_an_index_beside_one_of_a_cards_own_is_that_of_a_card_beneath():
    """Both ends of the upper 8 are known: a third index is another one's, though it is not far from the one end."""
    quad = card_at(100, 100)
    ends = [index_at(quad, R7, 0.99), index_at(np.roll(quad, 2, 0), R7, 0.99), index_at(quad + [-24, 2], R7, 0.99)]
    pairs = with_indices([whole(quad, R7, 0.98, visible=0.95, top=0.9)], ends)
    assert [read.reading.confidence >= 0.9 for _, read in pairs] == [True, True]


def test_of_a_covered_card_that_was_found_twice_both_hear_its_index():
    """A 5 with a hand over it was said to be a 3 by the place that was a little askew."""
    quad = card_at(100, 100)
    askew, right = whole(quad + [4, 3], B2, 0.91), whole(quad, None, 0.5, visible=0.3)
    pairs = with_indices([askew, right], [index_at(quad, R7, 0.99)])
    assert [str(read.reading.card) for _, read in pairs if read.reading.confidence >= 0.9] == ["R7"]


def test_the_next_card_of_a_tight_fan_does_not_hear_the_index():
    quad = card_at(100, 100)
    fan = [whole(quad, None, 0.5, visible=0.3), whole(quad + [12, 2], B2, 0.91)]
    pairs = with_indices(fan, [index_at(quad, R7, 0.99), index_at(quad + [12, 2], B2, 0.91)])
    assert sorted(str(read.reading.card) for _, read in pairs if read.reading.confidence >= 0.9) == ["B2", "R7"]


def test_a_sign_across_a_card_says_nothing_of_one_found_across_it():
    seen = card_at(100, 100)
    sign = sign_of(seen, 3, Card.parse("R1"))
    pairs = with_indices([whole(seen, B2, visible=0.9), whole(sign.quad, None, 0.6, visible=0.4)], [sign])
    assert faces(pairs) == ["B2", "None"]


def test_where_no_card_was_read_for_sure_a_corner_must_be_certain():
    for confidence, said in ((0.93, False), (0.98, True)):
        ((_, read),) = with_indices([], [index_at(card_at(100, 100), confidence=confidence)])
        assert (read.reading.confidence >= 0.9) == said


@pytest.mark.parametrize("confidence", [0.96, 0.8, 0.3])
def test_of_such_a_card_that_is_asked_about_it_is_known_how_likely_its_face_is(confidence):
    ((_, read),) = with_indices([], [index_at(card_at(400, 100), B2, confidence)])
    assert read.reading.confidence == pytest.approx(LEFT * confidence**2)


@pytest.mark.parametrize("confidence", [0.99, 0.6])
def test_of_a_card_that_something_speaks_against_it_is_known_how_surely_it_was_read(confidence):
    covered = whole(card_at(100, 100), R7, confidence, visible=0.5)  # no index of it is found: it may be a piece of one
    ((_, read),) = with_indices([covered], [])
    assert read.reading.confidence == pytest.approx(LEFT * confidence**2)


def test_the_alternatives_of_a_doubted_card_are_no_likelier_than_its_face():
    covered = whole(card_at(100, 100), B2, 0.6, visible=0.5)  # R7 with 0.2
    ((_, read),) = with_indices([covered], [])
    assert read.reading.alternatives == ((R7, pytest.approx(LEFT * 0.6 * 0.2)),)


def test_what_speaks_for_a_doubted_card_is_heard():
    quad = card_at(100, 100)
    ((_, read),) = with_indices([], [unsure(index_at(quad, R7, 0.99)), index_at(np.roll(quad, 2, 0), R7, 0.98)])
    assert read.reading.confidence == pytest.approx(0.99)


@pytest.mark.parametrize(("confidence", "said"), [(0.96, False), (0.975, True)])
def test_of_what_only_an_index_shows_that_must_be_surer(confidence, said):
    cards = with_indices([whole(card_at(100, 100), visible=0.9)], [index_at(card_at(400, 100), B2, confidence)])
    assert [read.reading.confidence >= 0.9 for _, read in cards if read.reading.card == B2] == [said]


def test_decks_with_four_indices_give_one_card_each():
    quad = card_at(100, 100)
    beside = index_at(card_at(100 + 80, 100))
    assert faces(with_indices([whole(quad, top=0.1, visible=0.9)], [beside])) == ["R7"]
    assert faces(with_indices([], [index_at(quad), beside])) == ["R7"]
    other = index_at(card_at(100 + 80, 100), B2)
    assert faces(with_indices([], [index_at(quad), other])) == ["R7", "B2"]


def sign_of(quad, corner, card, confidence=0.99):
    """What looks like an index along the short side of a card in one of its other corners, 1 or 3."""
    width, height = (float(np.hypot(*(quad[k] - quad[0]))) for k in (1, 3))
    across = np.roll(quad, -corner, 0)
    right, down = (across[1] - across[0]) / height, (across[3] - across[0]) / width
    lying = [across[0], across[0] + right * width, across[0] + right * width + down * height, across[0] + down * height]
    return index_at(np.array(lying, np.float32), card, confidence, score=0.5)


@pytest.mark.parametrize("corner", [1, 3])
@pytest.mark.parametrize("found", [True, False], ids=["card found", "only its index"])
def test_a_sign_across_another_corner_is_no_index_and_no_sign_like_it_is_sure(corner, found):
    seen, hidden, other = card_at(100, 100), card_at(400, 100, 20), card_at(100, 400)
    one, nine = Card.parse("R1"), Card.parse("Y1")
    signs = [sign_of(seen, corner, one), index_at(hidden, nine, 0.99), index_at(other, Y9, 0.99)]
    own = [] if found else [index_at(seen, B2, 0.99)]
    whole_cards = [whole(seen, B2, visible=0.9)] if found else []
    pairs = with_indices(whole_cards, own + signs)
    assert sorted(faces(pairs)) == ["B2", "Y1", "Y9"]
    assert {str(r.reading.card): r.reading.confidence >= 0.9 for _, r in pairs} == {"B2": True, "Y1": False, "Y9": True}


def test_an_index_that_was_found_lying_in_its_own_cards_other_corner_is_no_mark_of_the_deck():
    """Of a deck with an index in each corner, a skip, which is alike however it is turned."""
    seen, hidden = card_at(100, 100), card_at(400, 100, 20)
    blue, red = Card.parse("BS"), Card.parse("RS")
    pairs = with_indices([whole(seen, blue, visible=0.9)], [sign_of(seen, 1, blue), index_at(hidden, red, 0.99)])
    assert {str(r.reading.card): r.reading.confidence >= 0.9 for _, r in pairs} == {"BS": True, "RS": True}


def test_an_index_of_another_size_than_the_cards_is_no_card():
    far = index_at(card_at(300, 100, height=80), B2)
    assert faces(with_indices([whole(card_at(100, 100), visible=0.9)], [far])) == ["R7"]
