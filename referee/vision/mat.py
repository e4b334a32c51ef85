"""The printed table mat: where its markers, its outlines and its piles are on the paper, and what follows from them.

Paper millimetres: x to the right and y down, from the sheet's upper left corner, long side across.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.vision.calibration import Zone

Xy = tuple[float, float]

CARD_MM = (56.0, 87.0)
"""Width and height of a card of the usual decks."""

MARKER_MM = 30.0
"""Side of a marker. Smaller: not found by a camera that hangs high; larger: no room for the piles."""

MARGIN_MM = 12.0
"""White between a marker and the edge of the paper. Smaller: cut off by home printers, and the marker loses the white
round it that it is found by; larger: markers closer together, and errors grow towards the edge of the table."""

BETWEEN_PILES_MM = 152.0
"""From the middle of one pile to the middle of the other. Smaller: messy cards reach the draw pile; larger: the
outlines leave the paper."""

DISCARD_SIZE_MM = (190.0, 200.0)
"""How far the discard pile may spread. Smaller: cards that slide are missed; larger: it swallows the draw pile."""

DRAW_SIZE_MM = (90.0, 120.0)
"""Where a hand takes cards. Smaller: draws are missed; larger: hands that pass by count as draws."""

RULER_MM = 100.0
"""Length of the printed ruler."""


class Paper(Enum):
    """A sheet that the mat is printed on, long side across. The value is its name on the command line."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return (297.0, 210.0) if self is Paper.A4 else (279.4, 215.9)

    @property
    def first_marker(self) -> int:
        """Number of its first marker: the sheets carry different ones, so that nobody need say which was printed."""
        return 0 if self is Paper.A4 else 10


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker on the paper. number: in OpenCV's dictionary of 4 x 4 bits; at_mm: its upper left corner."""

    number: int
    at_mm: Xy

    @property
    def corners_mm(self) -> tuple[Xy, Xy, Xy, Xy]:
        """Clockwise from the upper left, in the order in which OpenCV reports them."""
        (x, y), side = self.at_mm, MARKER_MM
        return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


def markers(paper: Paper) -> tuple[Marker, ...]:
    """The six markers of the sheet: three along the upper and three along the lower edge."""
    width, height = paper.size_mm
    columns = (MARGIN_MM, (width - MARKER_MM) / 2, width - MARGIN_MM - MARKER_MM)
    rows = (MARGIN_MM, height - MARGIN_MM - MARKER_MM)
    places = [(x, y) for y in rows for x in columns]
    return tuple(Marker(paper.first_marker + index, at) for index, at in enumerate(places))


def discard_mm(paper: Paper) -> Xy:
    """Middle of the discard pile."""
    width, height = paper.size_mm
    return (width - BETWEEN_PILES_MM) / 2, height / 2


def draw_mm(paper: Paper) -> Xy:
    """Middle of the draw pile."""
    width, height = paper.size_mm
    return (width + BETWEEN_PILES_MM) / 2, height / 2


def zone_about(middle: Xy, size: tuple[float, float]) -> Zone:
    """The zone of a size about a point."""
    return (middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size)
