"""A card that was laid open, whose picture leaves open whether it shows a face at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pytest
from drawn_table import Knower, Laid, Table

from referee.cards import Card
from referee.frame import Image
from referee.observations import CardLanded, CardRead, CardReading
from referee.tracker.looks import CardLook
from referee.vision.face_up import as_face, came_open, is_uncovered
from referee.vision.nets import Found, Read

QUAD = ((0.0, 0.0), (56.0, 0.0), (56.0, 87.0), (0.0, 87.0))
GS, G2, YS = (Card.parse(name) for name in ("GS", "G+2", "YS"))
LAID = CardLook(CardReading(GS, 0.8), QUAD, explains=1.0, fresh=0.5, on_top=0.94)


def read(card: Card | None, confidence: float, face: float, *others: tuple[Card, float]) -> Read:
    return Read(CardReading(card, confidence, others), np.array(QUAD, np.float32), face)


@pytest.mark.parametrize(
    ("confidence", "other", "face", "now"),
    [(0.79, 0.05, 0.85, 0.913), (0.67, 0.0, 0.68, 0.941), (0.79, 0.2, 0.995, 0.793), (0.99, 0.0, 0.995, 0.994),
     (0.5, 0.1, 0.61, 0.77)],
    ids=["a word on black", "signs in a small oval", "one of two faces", "sure anyway", "more like none"],
)  # fmt: skip
def test_that_it_may_show_no_face_counts_little_and_that_it_may_be_another_as_before(
    confidence: float, other: float, face: float, now: float
) -> None:
    told = as_face(read(GS, confidence, face, (G2, other)))
    assert told.card == GS
    assert told.confidence == pytest.approx(now, abs=0.001)
    assert told.alternatives[0][1] / told.confidence == pytest.approx(other / confidence)


def test_no_face_stays_none() -> None:
    none = read(None, 0.6, 0.4, (GS, 0.35))
    assert as_face(none) == none.reading


def test_a_colour_that_the_light_leaves_open_stays_open() -> None:
    """The chances of a burnt-out card's colours make one already, whatever share was left to no face."""
    told = as_face(read(YS, 0.5, 0.6, (Card.parse("RS"), 0.5)))
    assert told.confidence == 0.5


@pytest.mark.parametrize(
    ("what", "came"),
    [({}, True), ({"fitted": True}, False), ({"peeks": True}, False), ({"on_top": 0.3}, False),
     ({"explains": 0.8}, False), ({"fresh": 0.1}, False)],
    ids=["laid open", "placed by the change alone", "peeks out", "covered", "more came", "was there before"],
)  # fmt: skip
def test_only_what_was_found_as_a_card_that_has_just_come_lies_face_up(what: dict[str, float], came: bool) -> None:
    assert came_open(replace(LAID, **what)) is came


@dataclass
class Words(Knower):
    """Reads cards of words on black: with nothing in their corners, they look a little like none."""

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        read = super().read(image, quads, quick, refined)
        return [replace(one, reading=replace(one.reading, confidence=0.8), face_probability=0.84)
                if one.reading.card is not None else one for one in read]  # fmt: skip


@pytest.mark.parametrize(
    ("finds", "index", "sure"), [(True, "", True), (False, "", False), (True, "B9", False)],
    ids=["found, and no index is heard", "placed by the change alone", "its indices say otherwise"],
)  # fmt: skip
def test_a_card_of_words_that_lands_is_sure_where_it_was_found_as_a_card_and_nothing_gainsays_it(
    finds: bool, index: str, sure: bool
) -> None:
    table = Table(knower=Words(finds=finds, index=index)).run(0.5).reach(Laid("R7", 290, 210)).run(3.0)
    told = [sighting for sighting in table.out if isinstance(sighting, (CardLanded, CardRead))]
    assert [(one.reading.notation, one.sure) for one in told] == [("R7", sure)]


@pytest.mark.parametrize(
    ("what", "uncovered"),
    [({}, True), ({"on_top": 0.4}, True), ({"on_top": 0.4, "explains": 0.5}, False),
     ({"on_top": 0.4, "open": 0.3}, False), ({"on_top": 0.4, "fitted": True}, False)],
    ids=["the finder says so", "it is the newest one", "more came", "another one is newer", "the change places it"],
)  # fmt: skip
def test_nothing_lies_on_the_newest_card_whatever_the_finder_says(
    what: dict[str, float], uncovered: bool
) -> None:
    assert is_uncovered(replace(LAID, **what)) is uncovered


@dataclass
class Covered(Words):
    """Finds cards as if something lay on them."""

    def find(self, image: Image, card_px: float | None = None, part: tuple[slice, slice] | None = None) -> list[Found]:
        return [replace(one, top=0.4) for one in super().find(image, card_px, part)]


@pytest.mark.parametrize(("index", "sure"), [("R7", True), ("B9", False)])
def test_the_indices_of_the_newest_card_are_heard_though_the_finder_takes_it_for_covered(
    index: str, sure: bool
) -> None:
    table = Table(knower=Covered(finds=True, index=index)).run(0.5).reach(Laid("R7", 290, 210)).run(3.0)
    landed, *_ = (sighting for sighting in table.out if isinstance(sighting, CardLanded))
    assert (landed.reading.notation, landed.sure) == ("R7", sure)
