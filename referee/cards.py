"""Colours, ranks, cards and decks, and the one-line notation that everything speaks.

Notation (see CONTRACT, "Card notation"): a colour letter `R Y G B` followed by `0`-`9`, `S`, `R` or `+2`;
`W`, `W+4`, `WX`, `WS`, `WC` for the wilds. Reading ignores case; writing uses the form above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache


class Colour(Enum):
    """One of the four colours. The value is its letter in the notation."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"

    __hash__ = object.__hash__  # members are compared by identity, and Enum's own hash is a slow Python function


class Rank(Enum):
    """What is printed on a card besides its colour. The value is its notation."""

    ZERO = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    SKIP = "S"
    REVERSE = "R"
    DRAW_TWO = "+2"
    WILD = "W"
    WILD_DRAW_FOUR = "W+4"
    WILD_SHUFFLE_HANDS = "WX"
    WILD_SWAP_HANDS = "WS"
    WILD_CUSTOMIZABLE = "WC"

    is_number: bool
    """True for 0 to 9."""
    is_wild: bool
    """True for the cards that have no colour of their own."""
    points: int
    """Points of the card in another player's hand (RULES 6.11)."""

    def __init__(self, notation: str) -> None:
        # Plain attributes, not properties: the rules ask for them several times in every event.
        self.is_number = len(notation) == 1 and notation.isdigit()
        self.is_wild = notation[0] == "W"
        if self.is_number:
            self.points = int(notation)
        elif notation in ("W", "W+4"):
            self.points = 50
        else:
            self.points = 40 if self.is_wild else 20

    __hash__ = object.__hash__  # members are compared by identity, and Enum's own hash is a slow Python function


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Card:
    """A card: a rank, and a colour unless the rank is a wild.

    There is one object of each face, and `Card(...)` finds it: equal cards are the same object, and comparing and
    looking them up, which the rules do several times an event, costs no call of Python.
    """

    rank: Rank
    colour: Colour | None
    is_wild: bool
    """True for the cards that have no colour of their own."""
    place: int
    """The card's number among all faces of all decks, from 0."""

    def __new__(cls, rank: Rank, colour: Colour | None = None) -> Card:
        card = _CARDS.get((rank, colour))
        if card is None:
            raise ValueError(f"{rank.name} {'takes no' if rank.is_wild else 'needs a'} colour")
        return card

    @property
    def points(self) -> int:
        """Points of the card in another player's hand (RULES 6.11)."""
        return self.rank.points

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Colour | None]]:
        return Card, (self.rank, self.colour)

    def __str__(self) -> str:
        rank: str = self.rank.value
        return rank if self.colour is None else self.colour.value + rank

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written as `text`, in any case. Raises ValueError that names the text and the notation."""
        try:
            return _BY_NOTATION[text.strip().upper()]
        except KeyError:
            raise ValueError(
                f"{text!r} is not a card: write R, Y, G or B and then 0-9, S, R or +2; or W, W+4, WX, WS, WC"
            ) from None


def _every_card() -> dict[tuple[Rank, Colour | None], Card]:
    """The one object of each face, by rank and colour."""
    faces: list[tuple[Rank, Colour | None]] = [(rank, colour) for colour in Colour for rank in Rank if not rank.is_wild]
    faces += [(rank, None) for rank in Rank if rank.is_wild]
    cards = {}
    for place, (rank, colour) in enumerate(faces):
        card = cards[rank, colour] = object.__new__(Card)
        for name, value in (("rank", rank), ("colour", colour), ("is_wild", rank.is_wild), ("place", place)):
            object.__setattr__(card, name, value)
    return cards


_CARDS = _every_card()
_BY_NOTATION = {str(card): card for card in _CARDS.values()}

FACES: tuple[Card, ...] = tuple(card for card in _CARDS.values() if not card.is_wild or card.points == 50)
"""The 54 faces of the 108-card deck, in a fixed order: four colours of thirteen, Wild, Wild Draw Four."""


class Deck(Enum):
    """The printed decks (RULES 6.1)."""

    CLASSIC_108 = "classic_108"
    MODERN_112_SWAP = "modern_112_swap"
    MODERN_112_SHUFFLE = "modern_112_shuffle"

    @property
    def copies(self) -> Mapping[Card, int]:
        """How many of each card the deck holds."""
        return _copies(self)

    @property
    def size(self) -> int:
        """Number of cards: 108 or 112."""
        return sum(self.copies.values())


@cache
def _copies(deck: Deck) -> Counter[Card]:
    count: Counter[Card] = Counter()
    for card in FACES:
        if card.is_wild:
            count[card] = 4
        else:
            count[card] = 1 if card.rank is Rank.ZERO else 2
    if deck is not Deck.CLASSIC_108:
        swap = deck is Deck.MODERN_112_SWAP
        count[Card(Rank.WILD_SWAP_HANDS if swap else Rank.WILD_SHUFFLE_HANDS)] = 1
        count[Card(Rank.WILD_CUSTOMIZABLE)] = 3
    return count


def parse_cards(text: str) -> tuple[Card, ...]:
    """A line of cards separated by spaces. Raises ValueError for the first that is none."""
    return tuple(Card.parse(word) for word in text.split())


def write_cards(cards: Iterable[Card]) -> str:
    """Cards as one line, the inverse of `parse_cards`."""
    return " ".join(map(str, cards))
