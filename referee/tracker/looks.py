"""What the tracker is told: small looks at the table, numbers without pixels. Lengths are table millimetres."""

from __future__ import annotations

from dataclasses import dataclass

from referee.observations import CardReading, Point, Quad, Quality

Zone = tuple[float, float, float, float]
"""x, y, width, height."""


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """Where things are. seats: number and the point from which that player's arm comes."""

    discard_zone: Zone
    draw_zone: Zone
    card: tuple[float, float]
    seats: tuple[tuple[int, Point], ...]

    def __post_init__(self) -> None:
        if min(self.discard_zone[2:] + self.draw_zone[2:] + self.card) <= 0:
            raise ValueError("zones and cards have a width and a height above 0")


@dataclass(frozen=True, slots=True)
class ArmLook:
    """An arm in one frame. entry: where it crosses the edge of the picture; tip: its far end, with what it holds.
    in_discard, in_draw: mm2 of the zone that it covers. area: mm2 of the table that it covers in all."""

    entry: Point
    tip: Point
    in_discard: float
    in_draw: float
    area: float = 0.0


@dataclass(frozen=True, slots=True)
class DrawPileLeft:
    """The draw pile after hands were there. since: when they came, s; changed: it shows another picture than before,
    which it does whenever a card was drawn. None where it may be the same and may not."""

    since: float
    changed: bool | None


@dataclass(frozen=True, slots=True)
class Activity:
    """One frame, seen roughly. moving: share of the discard zone that moves; changed: share of it that differs from
    the settled table and belongs to no arm; pile_came: a hand has just left a draw pile where the table was bare;
    left: hands have just left the draw pile."""

    t: float
    arms: tuple[ArmLook, ...] = ()
    moving: float = 0.0
    changed: float = 0.0
    pile_came: bool = False
    left: DrawPileLeft | None = None


@dataclass(frozen=True, slots=True)
class CardLook:
    """A card that was found on the settled pile.

    explains: share of all that changed that lies inside this card. fresh: share of the card that changed.
    beneath: of the part of the remembered top card that this card leaves open, the share that changed. outside: of
    the part of this card that lies beside the remembered top card, the share that changed. Both are None when that
    part is too small to tell. covers: share of this card that lies where the remembered top card was.
    on_top: 0 to 1, nothing lies on it. fitted: placed by the shape of the change, not found as a card.
    open: share of the card that the newest card of this look leaves open; aside: the share of that part that changed;
    left: share of the change beside the newest card that lies inside this card. All 0 for the newest card itself.
    peeks: placed under the newest card by what changed beside that, not found as a card.
    vacated: of the remembered top card's part that neither this card nor the newest one covers, the share that changed;
    None when it is too small to tell. like_old: share of the open part that shows what the remembered top card showed
    there. Both are told of a card that peeks out.
    turned: it shows the remembered top card's picture the other way up; told of a card with the remembered face.
    index: of an index of the remembered top card that this card leaves open, the share that changed; None when none is
    to be seen. Told of a card with the remembered face.
    rest: of the remembered top card without its border, as far as this card leaves that open, the share that changed;
    None when it is too small to tell.
    stays: beside this card, and the newest one, the remembered top card is seen to show still what it showed, and not
    what it hid.
    other: it does not show the picture of the remembered top card, whose face, which it may have, was guessed.
    renamed: an index of the remembered top card, which the newest card leaves open, surely shows this face now: the
    card was laid on that one so exactly that little else changed. Told of a card that peeks out.
    came: an index of it, surely read, stands where none or another face's did. Told of a card that peeks out, where
    what changed leaves that open.
    """

    reading: CardReading
    quad: Quad
    explains: float
    fresh: float
    beneath: float | None = None
    outside: float | None = None
    covers: float = 0.0
    on_top: float = 1.0
    fitted: bool = False
    open: float = 0.0
    aside: float = 0.0
    left: float = 0.0
    peeks: bool = False
    vacated: float | None = None
    like_old: float = 0.0
    turned: bool = False
    index: float | None = None
    rest: float | None = None
    stays: bool = False
    renamed: bool = False
    other: bool = False
    came: bool = False


@dataclass(frozen=True, slots=True)
class PileLook:
    """The settled discard pile, seen closely.

    change: area that differs from the pile as it was settled last, in cards. in_top: share of that area that lies
    inside the remembered top card. quality: how well the pile can be seen. cards: what was found, in the same order
    on every look at one rest. cleared: the remembered top card lies as it lay, or lower, and the bare table where
    others showed. bare: nothing but the bare table is to be seen. restored: all lies as it lay before the remembered
    top card came.
    brought, taken: how much of the remembered top card's colours hands had at their tips as they came and not as they
    went, and the other way round, shares of a card; None when not known.
    """

    t: float
    change: float
    in_top: float = 0.0
    cards: tuple[CardLook, ...] = ()
    quality: Quality = Quality.CLEAR
    cleared: bool = False
    bare: bool = False
    restored: bool = False
    brought: float | None = None
    taken: float | None = None
