"""Cards of which a hand leaves a part: what their picture and their indices, whole and cut, say together."""

import numpy as np

from referee.cards import Card
from referee.observations import CardReading
from referee.vision.indices import IndexReading
from referee.vision.merge import with_indices
from referee.vision.nets import Found, Read

CARD = np.array([[100, 100], [212, 100], [212, 274], [100, 274]], np.float32)  # 2 px a mm
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


def test_a_part_of_a_card_is_no_second_card_for_the_index_of_the_first():
    """The finder took the right half of a 1 for a covered 4, and the index of the 1 lay where that had its own."""
    half = CARD + np.float32([6, 6])
    cards = [card("B1", 0.98), card("B4", 0.95, visible=0.27, quad=half, score=0.3)]
    assert said(cards, index("B1", 0.993)) == ["B1"]
