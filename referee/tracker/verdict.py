"""What the pile holds as far as it is known, and what is said to have happened to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.cards import Card
from referee.observations import Quad


@dataclass(frozen=True, slots=True)
class PiledCard:
    """A card that the pile is known to hold. quad is where it was last seen, None when it has been moved since. guess:
    it was not read surely."""

    card: Card | None
    quad: Quad | None
    guess: bool = False


class What(Enum):
    """What happened to the pile."""

    NOTHING = "nothing"
    """The same pile, at most in other light."""
    LANDED = "landed"
    """A card came."""
    REMOVED = "removed"
    """The top card went."""
    MOVED = "moved"
    """The same card lies on top, elsewhere."""
    TAKEN = "taken"
    """The pile went, with or without its top card."""
    UNCLEAR = "unclear"
    """Something happened that no hypothesis explains."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happened. cards: indices into the look's cards: those that landed, lowest first, or the new top card."""

    what: What
    cards: tuple[int, ...] = ()
