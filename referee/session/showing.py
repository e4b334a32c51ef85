"""A hand that a player shows: what the camera made of it against what is known of the hand. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from referee.cards import Card, Rank
from referee.events import Show
from referee.rules import Options
from referee.rules.scoring import card_points, rank_points


class Doubt(Enum):
    """Why a hand that is shown cannot be taken yet. The value is its name on the board."""

    NONE_SEEN = "none_seen"
    """No card is in view."""
    FEW = "few"
    """Fewer cards than the player holds: some lie on each other."""
    MANY = "many"
    """More cards than the player holds."""
    UNSURE = "unsure"
    """Cards that are to be separated from the others."""
    MOVING = "moving"
    """The last looks differ."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the table is asked to agree to.

    cards: from left to right in the picture, None for one that was not read for sure. expected: least and most cards
    that the player holds. separate: places from the left, 1 for the leftmost, of cards to pull clear of the others.
    options: what the cards are worth at this table.
    """

    player: str
    cards: tuple[Card | None, ...] = ()
    expected: tuple[int, int] | None = None
    separate: tuple[int, ...] = ()
    at: tuple[tuple[float, float], ...] = ()
    doubts: tuple[Doubt, ...] = (Doubt.NONE_SEEN,)
    options: Options = field(default_factory=Options)

    @property
    def points(self) -> int:
        """Of the cards that were read (RULES 6.11)."""
        return sum(card_points(self.options, card) for card in self.cards if card is not None)

    @property
    def settled(self) -> bool:
        """Nothing is in doubt: one tap agrees."""
        return not self.doubts

    def to_json(self) -> dict[str, Any]:
        """For the phones (docs/architecture.md)."""
        return {
            "player": self.player,
            "cards": ["?" if card is None else str(card) for card in self.cards],
            "at": [list(point) for point in self.at],
            "points": self.points,
            "worth": {rank.value: rank_points(self.options, rank) for rank in Rank},
            "expected": None if self.expected is None else list(self.expected),
            "separate": list(self.separate),
            "doubts": [doubt.value for doubt in self.doubts],
            "settled": self.settled,
        }


@dataclass(frozen=True, slots=True)
class Pile:
    """The discard pile, which lies in the picture too. box: left, top, right, bottom, shares of the picture's width and
    height; top: what lies on it, in notation, None where that is not known."""

    box: tuple[float, float, float, float]
    top: str | None

    def holds(self, card: Mapping[str, Any]) -> bool:
        """Whether a card of the report lies there."""
        x, y = card["at"]
        left, top, right, bottom = self.box
        return bool(left <= x <= right and top <= y <= bottom)


def beside_pile(
    seen: Sequence[Mapping[str, Any]], pile: Pile, expected: tuple[int, int] | None
) -> list[Mapping[str, Any]]:
    """The cards without those of the pile: they lie where it is, and its top card is among them or they are too many.

    A hand that was laid over the pile, and hides it, stays whole.
    """
    there = [card for card in seen if pile.holds(card)]
    rest = [card for card in seen if not pile.holds(card)]
    shows = any(card["sure"] and card["card"] == pile.top for card in there)
    many = expected is not None and len(seen) > expected[1] and len(rest) >= expected[0]
    return rest if there and (shows or many) else list(seen)


def propose(
    player: str, hand: Mapping[str, Any], expected: Sequence[int] | None, pile: Pile | None = None,
    options: Options | None = None,
) -> Proposal:  # fmt: skip
    """The proposal made of the hand that the camera process reports (`vision.hand_shown.HandShown.to_json`)."""
    bounds = None if expected is None else (int(expected[0]), int(expected[1]))
    seen = list(hand["cards"]) if pile is None else beside_pile(hand["cards"], pile, bounds)
    cards = tuple(Card.parse(card["card"]) if card["sure"] else None for card in seen)
    separate = tuple(place for place, card in enumerate(cards, 1) if card is None)
    doubts = []
    if not cards:
        doubts.append(Doubt.NONE_SEEN)
    elif bounds is not None and len(cards) < bounds[0]:
        doubts.append(Doubt.FEW)
    elif bounds is not None and len(cards) > bounds[1]:
        doubts.append(Doubt.MANY)
    if separate:
        doubts.append(Doubt.UNSURE)
    if cards and not hand["steady"]:
        doubts.append(Doubt.MOVING)
    return Proposal(
        player, cards, bounds, separate,
        tuple((float(card["at"][0]), float(card["at"][1])) for card in seen), tuple(doubts),
        options or Options(),
    )  # fmt: skip


def shown(proposal: Proposal, cards: Sequence[Card] | None = None) -> Show:
    """The event to record: the proposal as it is, or with the cards as a person put them right.

    Raises ValueError when cards are in doubt and nobody put them right.
    """
    if cards is not None:
        return Show(by=proposal.player, cards=tuple(cards))
    sure = tuple(card for card in proposal.cards if card is not None)
    if len(sure) < len(proposal.cards) or not sure:
        raise ValueError("some cards of this hand were not read: separate them, or name them")
    return Show(by=proposal.player, cards=sure)
