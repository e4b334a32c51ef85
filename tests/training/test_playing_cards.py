"""Cards of other games that the trainings draw: each of a design of its own, with a rank and a suit in its corners."""

import numpy as np
import pytest

from referee.training import playing_cards
from referee.training.playing_cards import LETTERS, NUMBERS, SUITS, playing_card

SIZE = (104, 160)
PICTURE = (255, 0, 255)


@pytest.fixture(autouse=True)
def signs(monkeypatch):
    """A block for each sign of a typeface, for which no font file is needed, and what was asked for."""
    asked = []

    def sign(typeface, rank):
        asked.append((typeface, rank))
        return np.full((50, 30), 255, np.uint8)

    monkeypatch.setattr(playing_cards, "_sign", sign)
    return asked


def card(seed):
    return playing_card(np.random.default_rng(seed), SIZE, ("one", "two"), court)


def court(width, height):
    return np.full((height, width, 3), PICTURE, np.uint8)


def corners_with_ink(picture):
    """Which corners differ from what most of the card is: top left, top right, bottom right, bottom left."""
    ground = np.median(picture[60:100, 30:70].reshape(-1, 3), 0)
    inked = np.abs(picture.astype(int) - ground).max(2) > 40
    return tuple(bool(part.any()) for part in (inked[:50, :40], inked[:50, -40:], inked[-50:, -40:], inked[-50:, :40]))


def test_a_seed_gives_one_card_and_another_seed_another():
    cards = [card(seed) for seed in range(40)]
    assert {(one.shape, one.dtype) for one in cards} == {((160, 104, 3), np.dtype(np.uint8))}
    assert all(np.array_equal(one, card(seed)) for seed, one in enumerate(cards))
    assert len({one.tobytes() for one in cards}) == 40


def test_ranks_are_those_of_ours_and_others_in_every_typeface(signs):
    for seed in range(400):
        card(seed)
    assert {path for path, _ in signs} == {"one", "two"}
    assert {sign for _, sign in signs} == {*NUMBERS, *LETTERS}
    assert sum(sign in LETTERS for _, sign in signs) / len(signs) == pytest.approx(playing_cards.LETTERED, abs=0.08)


@pytest.mark.parametrize(
    ("four", "turned", "inked"),
    [
        (0.0, 1.0, (True, False, True, False)),
        (0.0, 0.0, (True, True, False, False)),
        (1.0, 1.0, (True, True, True, True)),
    ],
)
def test_the_index_is_in_two_corners_or_four(monkeypatch, four, turned, inked):
    monkeypatch.setattr(playing_cards, "FOUR_CORNERS", four)
    monkeypatch.setattr(playing_cards, "TURNED", turned)
    monkeypatch.setattr(playing_cards, "_middle", lambda *_: None)
    monkeypatch.setattr("cv2.rectangle", lambda *_: None)
    seen = [corners_with_ink(card(seed)) for seed in range(60)]
    assert sum(one == inked for one in seen) >= 55  # ink that is hardly unlike the card is not seen


def test_court_cards_show_a_picture_and_numbers_do_not(signs):
    for seed in range(200):
        shown = bool((card(seed) == PICTURE).all(2).any())
        assert not (shown and signs[-1][1].isdigit())
    assert any((card(seed) == PICTURE).all(2).mean() > 0.1 for seed in range(40))


def test_suits_are_told_apart():
    masks = [playing_cards._suit(suit) for suit in SUITS]
    assert {mask.shape for mask in masks} == {(64, 64)}
    for i, one in enumerate(masks):
        assert 0.08 < (one > 127).mean() < 0.8, SUITS[i]
        assert all(np.abs(one.astype(int) - other).mean() > 10 for other in masks[:i]), SUITS[i]
