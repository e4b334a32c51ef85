"""A hand that is shown: what most looks agree on counts, and the rest is to be separated."""

import cv2
import numpy as np
import pytest

from referee.cards import Card, Deck, parse_cards
from referee.faces import STYLES, draw_back, draw_face
from referee.observations import CardReading
from referee.vision.hand_shown import EMPTY, HandWatcher, ShownCard
from referee.vision.nets import load_models


@pytest.fixture(scope="module")
def models():
    return load_models()


def look(text):
    """Cards from left to right; `R7?` is read and not sure, `?` is not read."""
    cards = []
    for i, word in enumerate(text.split()):
        face = None if word == "?" else Card.parse(word.rstrip("?"))
        reading = CardReading(face, 0.5 if word.endswith("?") else 0.97)
        cards.append(ShownCard(reading, not word.endswith("?"), (0.1 + 0.08 * i, 0.5)))
    return cards


def said(hand):
    return " ".join(card.reading.notation + ("" if card.sure else "?") for card in hand.cards)


@pytest.mark.parametrize(
    ("looks", "expected", "steady"),
    [
        (["R7 B2 W"], "R7 B2 W", False),
        (["R7 B2 W"] * 3, "R7 B2 W", True),
        (["R7 B2 W", "R7 B2 W", "R7 B3 W"], "R7 B3? W", False),
        (["R7 B2 W", "R7 B3 W", "R7 B2 W", "R7 B2 W", "R7 B2 W"], "R7 B2 W", True),
        (["R7 ? W"] * 3, "R7 ?? W", True),
        (["R7 B8? W"] * 3, "R7 B8? W", True),
        (["R7 R7 B2"] * 3, "R7 R7 B2", True),
        (["R7 R7 R7 B2"] * 3, "R7 R7 R7? B2", True),
        (["R0 R0"] * 3, "R0 R0?", True),
        (["R7 B2", "R7 B2 W", "R7 B2 W"], "R7 B2 W", False),
    ],
)
def test_what_most_looks_agree_on_counts(models, looks, expected, steady):
    watcher = HandWatcher(models)
    for text in looks:
        hand = watcher.add(look(text))
    assert (said(hand), hand.steady) == (expected, steady)


def test_a_face_counts_as_often_as_the_table_has_it(models):
    watcher = HandWatcher(models, {card: 2 * n for card, n in Deck.MODERN_112_SWAP.copies.items()})
    for _ in range(3):
        hand = watcher.add(look("R7 R7 R7 R0 R0 R0 WS"))
    assert said(hand) == "R7 R7 R7 R0 R0 R0? WS"


def test_a_new_hand_begins_when_none_is_shown(models):
    watcher = HandWatcher(models)
    for _ in range(4):
        watcher.add(look("R7 B2"))
    assert watcher.add([]) == EMPTY
    assert said(watcher.add(look("G4"))) == "G4"


def test_what_the_service_is_told_of_a_hand(models):
    told = HandWatcher(models).add(look("R7 G9?")).to_json()
    cards = [{"card": "R7", "sure": True, "at": [0.1, 0.5]}, {"card": "G9", "sure": False, "at": [0.18, 0.5]}]
    assert told == {"cards": cards, "steady": False}


def paste(image, face, x, y):
    alpha = face[..., 3:].astype(float) / 255
    part = image[y : y + face.shape[0], x : x + face.shape[1]]
    part[:] = (face[..., :3] * alpha + part * (1 - alpha)).astype(np.uint8)


def test_a_spread_hand_is_read(models):
    table = np.full((420, 760, 3), (60, 90, 40), np.uint8)
    for i, card in enumerate(parse_cards("R7 BS W+4 G2 Y9 B0 RR")):
        paste(table, draw_face(card, STYLES["white_oval"], 170), 20 + 180 * (i % 4), 20 + 200 * (i // 4))
    watcher = HandWatcher(models)
    hand = EMPTY
    for shift in (0, 2, 4):
        hand = watcher.look(np.roll(table, shift, 1))
    assert sorted(card.reading.notation for card in hand.cards) == sorted(["R7", "BS", "W+4", "G2", "Y9", "B0", "RR"])
    assert (all(card.sure for card in hand.cards), hand.steady) == (True, True)


def test_a_back_among_the_cards_is_never_a_face(models):
    table = np.full((260, 420, 3), (60, 90, 40), np.uint8)
    paste(table, draw_face(Card.parse("B5"), STYLES["white_oval"], 170), 30, 40)
    paste(table, draw_back(STYLES["white_oval"], 170), 220, 40)
    hand = HandWatcher(models).look(table)
    assert [card.reading.notation for card in hand.cards if card.sure] == ["B5"]


def test_a_card_whose_index_is_all_there_is_to_see_is_right_or_unsure(models):
    table = np.full((320, 420, 3), (60, 90, 40), np.uint8)
    truth = parse_cards("R7 B2 G4 Y9 RS")
    for i, card in enumerate(truth):
        paste(table, cv2.resize(draw_face(card, STYLES["white_oval"], 400), (142, 220)), 20 + 44 * i, 40)
    hand = HandWatcher(models).look(table)
    assert {card.reading.card for card in hand.cards if card.sure} <= set(truth)
