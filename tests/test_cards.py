"""Notation and decks: a table in, a table out."""

from __future__ import annotations

import copy
import pickle

import pytest

from referee.cards import FACES, Card, Colour, Deck, Rank, parse_cards, write_cards


@pytest.mark.parametrize(
    ("text", "rank", "colour"),
    [
        ("R7", Rank.SEVEN, Colour.RED),
        ("bs", Rank.SKIP, Colour.BLUE),
        ("RR", Rank.REVERSE, Colour.RED),
        ("g+2", Rank.DRAW_TWO, Colour.GREEN),
        ("W", Rank.WILD, None),
        ("w+4", Rank.WILD_DRAW_FOUR, None),
        ("WS", Rank.WILD_SWAP_HANDS, None),
    ],
)
def test_notation_is_read_in_any_case(text: str, rank: Rank, colour: Colour | None) -> None:
    assert Card.parse(text) == Card(rank, colour)


@pytest.mark.parametrize("text", ["", "R", "7", "P7", "R10", "+4", "WW", "?"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse(text)


def test_a_line_of_cards_round_trips() -> None:
    line = " ".join(str(card) for card in FACES)
    assert write_cards(parse_cards(line)) == line
    assert len(set(FACES)) == 54


@pytest.mark.parametrize(("rank", "colour"), [(Rank.WILD, Colour.RED), (Rank.SEVEN, None)])
def test_a_card_is_coloured_or_wild(rank: Rank, colour: Colour | None) -> None:
    with pytest.raises(ValueError, match="colour"):
        Card(rank, colour)


@pytest.mark.parametrize(
    ("deck", "size", "specials"),
    [
        (Deck.CLASSIC_108, 108, {}),
        (Deck.MODERN_112_SWAP, 112, {"WS": 1, "WC": 3}),
        (Deck.MODERN_112_SHUFFLE, 112, {"WX": 1, "WC": 3}),
    ],
)
def test_a_deck_holds_what_is_printed(deck: Deck, size: int, specials: dict[str, int]) -> None:
    assert deck.size == size
    copies = {str(card): n for card, n in deck.copies.items()}
    assert copies["R0"] == 1
    assert copies["B9"] == copies["YS"] == copies["G+2"] == 2
    assert copies["W"] == copies["W+4"] == 4
    assert {card: n for card, n in copies.items() if card[0] == "W" and len(card) == 2 and card != "W"} == specials


@pytest.mark.parametrize(
    ("card", "points"), [("R0", 0), ("G9", 9), ("BS", 20), ("Y+2", 20), ("W", 50), ("W+4", 50), ("WX", 40)]
)
def test_points(card: str, points: int) -> None:
    assert Card.parse(card).points == points


def test_there_is_one_object_of_each_face() -> None:
    for card in FACES:
        assert Card(card.rank, card.colour) is card
        assert Card.parse(str(card)) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card
