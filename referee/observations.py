"""What the eye says: readings of cards, one look at the table, and the sightings that the tracker makes of looks.

Nothing here knows the rules: a reading says what was seen, how sure the eye is, and what else it could be.
Sightings are the events of `referee watch` (CONTRACT, "Commands"): seats instead of players, and no judgement.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from referee.cards import Card

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners in order round the card, top left of the upright face first. Pixels or table millimetres, as stated."""


class Quality(Enum):
    """How well the discard pile can be seen. A card is sure only while it is CLEAR, or MOVED with the calibration
    carried along."""

    CLEAR = "clear"
    """At rest, sharp and lit well enough to read."""
    HAND = "hand"
    """Something moves over or covers the pile."""
    DARK = "dark"
    """Too little light, or of one colour only."""
    GLARE = "glare"
    """Over-exposed or mirrored light on the pile's cards, or on the bare table."""
    BLURRED = "blurred"
    """Out of focus or shaken."""
    MOVED = "moved"
    """The camera or the table no longer stands where it was calibrated."""
    LOST = "lost"
    """No picture."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """What a card looks like.

    card: the best face, None when it is no known face or cannot be told. confidence: 0 to 1, calibrated: of readings
    at 0.99 one in a hundred is wrong. alternatives: other faces and their confidence, best first.
    """

    card: Card | None
    confidence: float
    alternatives: tuple[tuple[Card, float], ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence is {self.confidence!r}: expected 0 to 1")

    @property
    def notation(self) -> str:
        """The card's notation, `?` when unread."""
        return "?" if self.card is None else str(self.card)


UNREAD = CardReading(None, 0.0)
"""A card that is there and could not be read."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A face-up card found in a picture.

    quad: its corners, pixels of the picture. visible: 0 to 1, the part not covered by other things.
    top: nothing lies on it. quality: CLEAR, DARK, GLARE or BLURRED; a card that is not clear is never read for sure.
    """

    reading: CardReading
    quad: Quad
    visible: float = 1.0
    top: bool = False
    quality: Quality = Quality.CLEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """Something happened at the table, as far as the eye can tell.

    t: seconds at which the change was complete (the hand gone). since: seconds at which the change was first seen
    (first contact; equal to t when unknown). latency_s: from t to the frame on which it was decided.
    seat: number of the seat the arm came from, None when unknown; seat_confidence: 0 to 1.
    """

    event: ClassVar[str] = ""
    t: float
    since: float | None = None
    latency_s: float = 0.0
    seat: int | None = None
    seat_confidence: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The object `referee watch --json` prints."""
        return {"t": round(self.t, 3), "event": self.event}


def _reading_json(reading: CardReading, sure: bool) -> dict[str, Any]:
    return {
        "card": reading.notation,
        "confidence": round(reading.confidence, 4),
        "sure": sure,
        "alternatives": [[str(card), round(p, 4)] for card, p in reading.alternatives],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLanded(Sighting):
    """A card came to rest on the discard pile and nobody holds it any more."""

    event: ClassVar[str] = "card_landed"
    reading: CardReading
    sure: bool

    def to_json(self) -> dict[str, Any]:
        return {
            **Sighting.to_json(self), **_reading_json(self.reading, self.sure), "seat": self.seat,
            "latency_s": round(self.latency_s, 3),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead(Sighting):
    """A later, better look at the landing that was reported with the same t."""

    event: ClassVar[str] = "card_read"
    reading: CardReading
    sure: bool

    def to_json(self) -> dict[str, Any]:
        return {**Sighting.to_json(self), **_reading_json(self.reading, self.sure)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRemoved(Sighting):
    """The top card left the discard pile; top: the card that lies on top now, None when the pile is empty."""

    event: ClassVar[str] = "card_removed"
    card: Card | None
    top: Card | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            **Sighting.to_json(self), "card": "?" if self.card is None else str(self.card),
            "top": None if self.top is None else str(self.top), "seat": self.seat,
            "latency_s": round(self.latency_s, 3),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn(Sighting):
    """One visit of a hand to the draw pile; count None when the number was not seen."""

    event: ClassVar[str] = "cards_drawn"
    count: int | None = 1

    def to_json(self) -> dict[str, Any]:
        return {
            **Sighting.to_json(self), "count": self.count, "seat": self.seat, "latency_s": round(self.latency_s, 3),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PileMoved(Sighting):
    """The discard pile was nudged or squared up; the same card lies on top."""

    event: ClassVar[str] = "pile_moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class PileTaken(Sighting):
    """The discard pile was picked up; top: the one card that is left, None when nothing is."""

    event: ClassVar[str] = "pile_taken"
    top: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PileSeen(Sighting):
    """What lies on the discard pile when watching begins: no event of the game, but a check of what is remembered."""

    event: ClassVar[str] = "pile_seen"
    reading: CardReading
    sure: bool

    def to_json(self) -> dict[str, Any]:
        return {
            **Sighting.to_json(self), "card": self.reading.notation, "confidence": round(self.reading.confidence, 4),
            "sure": self.sure,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewChanged(Sighting):
    """How well the pile can be seen has changed."""

    event: ClassVar[str] = "view"
    state: Quality

    def to_json(self) -> dict[str, Any]:
        return {**Sighting.to_json(self), "state": self.state.value}
