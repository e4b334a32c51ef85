"""What is read of a half hidden card: its indices in the places that are believed, and a wild's picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import UNREAD, CardReading
from referee.vision.indices import INDEX_MM, IndexReading
from referee.vision.nets import Read
from referee.vision.strip import (
    Corner,
    Strip,
    corners_of,
    find_indices,
    not_strange,
    read_corners,
    read_strip,
    with_own_indices,
)

QUAD = np.float32([[100, 100], [156, 100], [156, 187], [100, 187]])
"""A card seen from above, one pixel a millimetre."""
TURNED = np.roll(QUAD, 2, 0)
RIGHT = np.float32([[130, 60], [220, 60], [220, 220], [130, 220]])
"""What hides its right side, with its second index."""
PICTURE = np.zeros((300, 300, 3), np.uint8)


def seen(name: str, confidence: float = 0.95, **others: float) -> CardReading:
    alternatives = tuple((Card.parse(other), p) for other, p in others.items())
    return CardReading(None if name == "?" else Card.parse(name), confidence, alternatives)


def index(name: str, x: float, y: float, confidence: float = 0.95, score: float = 0.7) -> IndexReading:
    """An index whose middle lies at x, y."""
    quad = QUAD + np.float32([x - 100 - INDEX_MM[0], y - 100 - INDEX_MM[1]])
    return IndexReading(seen(name, confidence), quad, score, 0.99)


class Eye:
    """Finds the given indices, and reads each placing in turn as told."""

    def __init__(self, found: list[IndexReading], read: list[CardReading] | None = None) -> None:
        self._found, self._read = found, iter(read or [])

    def find(self, image: Any, heights_px: Any = (), **_: Any) -> list[IndexReading]:
        corner = np.maximum(np.floor(QUAD.min(0) - 0.15 * 87), 0).astype(np.float32)
        return [IndexReading(i.reading, i.quad - corner, i.score, i.face_probability) for i in self._found]

    def read(self, image: Any, quad: Any, *_: Any) -> IndexReading:
        return IndexReading(next(self._read), quad, 1.0, 0.99)

    def read_placed(self, image: Any, quads: Any) -> list[IndexReading]:
        return [self.read(image, quad) for quad in quads]


@pytest.mark.parametrize(
    ("case", "found", "places"),
    [
        ("where the card has it, and where the card's own place says", [index("B2", 112, 112)], [(4.0, 1.5), (0, 0)]),
        ("none is found: where the card's own place says", [], [(0, 0)]),
        ("a certain one of a card that was placed askew", [index("B2", 119, 112, 0.98)], [(11.0, 1.5), (0, 0)]),
        ("so far off, one that is not certain is another card's", [index("B2", 119, 112, 0.8)], [(0, 0)]),
        ("a nearer one, though less sure", [index("B2", 119, 112), index("B7", 109, 111, 0.6)], [(1.0, 0.5), (0, 0)]),
        ("another card's", [index("B2", 112, 140)], [(0, 0)]),
        ("one that lies on what hides the card is not its own", [index("B2", 148, 176)], [(0, 0)]),
    ],
)
def test_an_index_is_believed(case: str, found: list[IndexReading], places: list[tuple[float, float]]) -> None:
    corners = corners_of(QUAD, RIGHT, find_indices(Eye(found), PICTURE, QUAD, RIGHT))
    assert [[tuple((quad - QUAD)[0]) for quad in corner.placings] for corner in corners] == [places], case


@pytest.mark.parametrize(
    ("case", "hidden", "around", "found"),
    [
        ("the card's own place says which way its index points", RIGHT, None, ["B2"]),
        ("where nobody knows how it lies, one that points across is found, too", RIGHT, QUAD, ["B2", "B7"]),
        ("... and where nothing hides the card, one on its other side", None, QUAD, ["B2", "B7", "B9"]),
    ],
)
def test_an_index_is_found(case: str, hidden: Any, around: Any, found: list[str]) -> None:
    upright, other = index("B2", 112, 112), index("B9", 148, 176)
    middle = np.float32([112, 140])
    across = (upright.quad - [108, 110.5]) @ np.float32([[0, 1], [-1, 0]]) + middle
    sideways = IndexReading(seen("B7"), across.astype(np.float32), 0.7, 0.99)
    indices = find_indices(Eye([upright, sideways, other]), PICTURE, QUAD, hidden, around)
    assert [one.reading.notation for one in indices] == found, case


def test_both_indices_are_read_where_both_lie_open() -> None:
    away = np.float32([[0, 0], [10, 0], [10, 10], [0, 10]])
    first, second = corners_of(QUAD, away, [])
    assert (first.placings[0] == QUAD).all()
    assert (second.placings[0] == TURNED).all()
    assert (first.open, second.open) == (1.0, 1.0)
    assert (first.shape == np.eye(2)).all(), "they are read in the card's own size: a pixel is a millimetre"


@pytest.mark.parametrize(("from_x", "low", "high"), [(113.0, 1.0, 1.0), (109.0, 0.4, 0.7), (104.0, 0.0, 0.2)])
def test_how_much_of_an_index_lies_open(from_x: float, low: float, high: float) -> None:
    over = np.float32([[from_x, 60], [220, 60], [220, 220], [from_x, 220]])
    corners = corners_of(QUAD, over, [index("B2", 103, 112)])
    assert low <= corners[0].open <= high


@pytest.mark.parametrize(
    ("case", "corners", "read", "face", "low", "high"),
    [
        ("none lies open", (), [], "?", 0.0, 0.0),
        ("the surer of two placings", ((QUAD, QUAD),), [seen("Y8", 0.5), seen("Y8", 0.96)], "Y8", 0.96, 0.96),
        ("... unless the other gainsays it", ((QUAD, QUAD),), [seen("B0", 0.95), seen("B9", 0.7)], "B0", 0.4, 0.6),
        ("one placing shows nothing", ((QUAD, QUAD),), [seen("?", 0.6), seen("Y8", 0.9)], "Y8", 0.9, 0.9),
        ("two indices agree", ((QUAD,), (TURNED,)), [seen("Y2", 0.75), seen("Y2", 0.8)], "Y2", 0.94, 0.96),
        ("... or do not", ((QUAD,), (TURNED,)), [seen("Y2", 0.95), seen("Y3", 0.8)], "Y2", 0.6, 0.85),
        ("a cut 9 may be a 0", ((QUAD,), (TURNED,)), [seen("Y0", 0.8, Y9=0.15), seen("Y9", 0.98)], "Y9", 0.95, 0.98),
        ("a whole 9 is none, nor a 0 a 9", ((QUAD,), (TURNED,)), [seen("Y0", 0.95), seen("Y9", 0.98)], "Y9", 0.4, 0.7),
        ("half an 8, which looks like a 0, and a whole one", (Corner((QUAD,), 0.55), Corner((TURNED,), 1.0)),
         [seen("G0", 0.45, G9=0.24, G2=0.12), seen("G8", 0.98)], "G8", 0.94, 0.97),
        ("... or both may be cut as far", (Corner((QUAD,), 0.6), Corner((TURNED,), 0.6)),
         [seen("G0", 0.45, G9=0.24, G2=0.12), seen("G8", 0.98)], "G8", 0.85, 0.92),
        ("a half one that is surer, and a whole one", (Corner((QUAD,), 0.5), Corner((TURNED,), 1.0)),
         [seen("R+2", 0.97), seen("R1", 0.96)], "R1", 0.85, 0.96),
        ("one shows next to nothing", ((QUAD,), (TURNED,)), [seen("Y6", 0.3), seen("Y9", 0.98)], "Y9", 0.95, 0.98),
        ("a 9 may be half an 8, of which the other half is no 9", ((QUAD,), (TURNED,)),
         [seen("Y9", 0.9, Y8=0.06), seen("Y8", 0.36, Y4=0.17, Y3=0.13)], "Y9", 0.3, 0.7),
    ],
)  # fmt: skip
def test_indices_are_heard_together(
    case: str, corners: Any, read: list[CardReading], face: str, low: float, high: float
) -> None:
    reading = read_corners(Eye([], read), PICTURE, tuple(c if isinstance(c, Corner) else Corner(c) for c in corners))
    assert reading.notation == face, case
    assert low <= reading.confidence <= high, case


@pytest.mark.parametrize(
    ("case", "cut", "picture", "pictured", "face", "sure"),
    [
        ("a wild whose index is cut", seen("W", 0.76), seen("W", 0.9), True, "W", True),
        ("a wild whose index shows nothing", UNREAD, seen("W", 0.95), True, "W", True),
        ("its picture and its index say two things", seen("W+4", 0.8), seen("W", 0.95), True, "W", False),
        ("a number's picture is that of what lies on it", seen("Y7", 0.7), seen("W", 0.95), True, "Y7", False),
        ("... or shows the same cut sign", seen("Y1", 0.7), seen("Y1", 0.95), True, "Y1", False),
        ("what lies on it is a wild itself", seen("W", 0.76), seen("W", 0.95), False, "W", False),
    ],
)  # fmt: skip
def test_of_a_wild_the_picture_counts(
    case: str, cut: CardReading, picture: CardReading, pictured: bool, face: str, sure: bool
) -> None:
    reader = SimpleNamespace(read=lambda *_, **__: [SimpleNamespace(reading=picture, quad=QUAD, face_probability=0.99)])
    models = SimpleNamespace(indices=Eye([], [cut]), reader=reader)
    reading = read_strip(models, PICTURE, Strip(QUAD, (Corner((QUAD,)),), pictured))
    assert reading.notation == face, case
    assert (reading.confidence >= 0.9) is sure, case


@pytest.mark.parametrize(
    ("case", "whole", "first", "second", "face", "low", "high"),
    [
        ("its large 6 may be a 9, not its small one", seen("B6", 0.58, B9=0.4), seen("B6"), seen("B6"),
         "B6", 0.97, 1.0),
        ("... though the 9 was ahead", seen("B9", 0.55, B6=0.41), seen("B6"), seen("B6"), "B6", 0.95, 1.0),
        ("both doubt alike", seen("B9", 0.55, B6=0.41), seen("B9", 0.5, B6=0.4), seen("B6", 0.5, B9=0.4),
         "B9", 0.5, 0.7),
        ("small ones that are drawn oddly err together", seen("G9", 0.45, G6=0.42, G5=0.04),
         seen("G5", 0.86, G6=0.07), seen("G5", 0.9, G6=0.05), "G5", 0.4, 0.7),
        ("one is hidden", seen("R8", 0.8, R6=0.1), seen("?"), seen("R8"), "R8", 0.98, 1.0),
        ("both are", seen("R8", 0.8, R6=0.1), seen("?"), seen("?"), "R8", 0.8, 0.8),
        ("they gainsay each other", seen("R8", 0.8), seen("R8"), seen("B2"), "R8", 0.9, 1.0),
        ("its colour is burnt out, which its index does not tell", seen("Y5", 0.5, R5=0.5), seen("Y5", 0.98),
         seen("Y5", 0.98), "Y5", 0.5, 0.5),
        ("... and theirs are, too", seen("Y5", 0.5, R5=0.5), seen("Y5", 0.5, R5=0.5), seen("Y5", 0.5, R5=0.5),
         "Y5", 0.4, 0.5),
        ("a special wild", seen("W", 0.6), seen("W", 0.8), seen("W", 0.8), "W", 0.7, 0.88),
        ("they are another card's", seen("R8", 0.8), seen("B2", 0.99), seen("B2", 0.99), "R8", 0.3, 0.6),
        ("nothing is read of the whole", UNREAD, seen("B2"), seen("B2"), "?", 0.0, 0.0),
    ],
)  # fmt: skip
def test_an_unsure_card_is_read_by_its_indices_too(
    case: str, whole: CardReading, first: CardReading, second: CardReading, face: str, low: float, high: float
) -> None:
    models = SimpleNamespace(indices=Eye([], [first, second]), is_sure=lambda reading: reading.confidence >= 0.9)
    reading = with_own_indices(models, PICTURE, QUAD, whole)
    assert reading.notation == face, case
    assert low <= reading.confidence <= high, case


def test_a_sure_card_is_not_read_by_its_indices() -> None:
    models = SimpleNamespace(indices=Eye([], []), is_sure=lambda reading: reading.confidence >= 0.9)
    assert with_own_indices(models, PICTURE, QUAD, seen("R8", 0.92)) == seen("R8", 0.92)


@pytest.mark.parametrize(
    ("case", "picture", "indices", "asked", "confidence"),
    [
        ("its picture leaves no doubt, and its indices are not looked at", -4.0, (5.0, 5.0), 0, 0.98),
        ("it tells nothing, but that it shows no face without what tells strangers", None, (5.0, 5.0), 0, 0.98),
        ("its indices are plainly a face's", -1.0, (-6.0, -7.0), 2, 0.98),
        ("its indices doubt it, too", -2.0, (-2.5, -2.4), 2, 0.5),
        ("its indices tell nothing, but its picture all", -1.0, (None, None), 2, 0.5),
    ],
)
def test_an_open_card_is_not_said_that_is_another_games(
    case: str, picture: float | None, indices: tuple[float | None, float | None], asked: int, confidence: float
) -> None:
    shown: list[Any] = []

    class Corners:
        def read_placed(self, image: Any, quads: Any) -> list[IndexReading]:
            shown.extend(quads)
            return [IndexReading(seen("B2"), quad, 1.0, 0.99, one) for quad, one in zip(quads, indices, strict=True)]

    models: Any = SimpleNamespace(indices=Corners())
    reading = not_strange(models, PICTURE, QUAD, Read(seen("B2"), QUAD, 0.99, picture), seen("B2", 0.98))
    assert (reading.card, reading.confidence, len(shown)) == (Card.parse("B2"), confidence, asked), case
