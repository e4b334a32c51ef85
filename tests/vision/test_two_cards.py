"""Two cards of one visit, and one card whose corners were found wrong."""

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from drawn_table import Knower, Laid, Table

from referee.cards import Card
from referee.observations import CardReading
from referee.tracker.looks import CardLook, PileLook
from referee.vision.peeking import Peeking, are_two, came_under, peeking, was_found_under
from referee.vision.pile import Patch, PileEye
from referee.vision.strip import Strip

QUAD = np.float32([[0, 0], [56, 0], [56, 87], [0, 87]])


def seen(name: str, confidence: float, explains: float, fresh: float = 0.5, **more: float) -> CardLook:
    quad = ((0.0, 0.0), (56.0, 0.0), (56.0, 87.0), (0.0, 87.0))
    return CardLook(CardReading(Card.parse(name), confidence), quad, explains, fresh, **more)


@pytest.mark.parametrize(
    ("case", "newest", "under", "told", "two"),
    [
        ("another face peeks out", "Y9", "R4", {}, True),
        ("its like peeks out: the same card, found again", "Y9", "Y9", {}, False),
        ("much is left that neither explains", "Y9", "R4", {"left": 0.6}, False),
        ("it alone explains all: the other one lay there", "Y9", "R4", {"explains": 1.0}, False),
    ],
)  # fmt: skip
def test_two_cards_explain_the_change_together(
    case: str, newest: str, under: str, told: dict[str, float], two: bool
) -> None:
    upper = seen(newest, 0.99, 0.65)
    lower = seen(under, 0.99, **{"explains": 0.9, "fitted": True, "open": 0.3, "aside": 0.9, "left": 1.0, **told})
    assert are_two([(upper, QUAD)], Peeking(lower, Strip(QUAD, ()))) is two, case


@pytest.mark.parametrize(
    ("case", "name", "open_", "under"),
    [
        ("another face peeks out", "Y7", 0.09, True),
        ("the newest one again, placed a little beside itself", "G6", 0.09, False),
        ("its like peeks out far", "G6", 0.3, True),
    ],
)  # fmt: skip
def test_the_newest_card_does_not_come_under_itself(case: str, name: str, open_: float, under: bool) -> None:
    newest = seen("G6", 0.99, 0.85)
    card = seen(name, 0.99, 0.95, fitted=True, open=open_, aside=0.85, left=0.71)
    assert came_under(card, newest) is under, case


@pytest.mark.parametrize(
    ("case", "placed", "confidence", "lower", "upper", "dropped"),
    [
        ("it has the face of the lower one", "BS", 0.986, {}, {}, True),
        ("it is read with doubt", "G+2", 0.79, {}, {}, True),
        ("it has a face of its own", "R7", 0.986, {}, {}, False),
        ("it has the face of the upper one, which was found a little beside itself", "G2", 0.986, {}, {}, False),
        ("much is left that the two do not explain", "BS", 0.986, {"explains": 0.1}, {}, False),
        ("the lower one lay there before", "BS", 0.986, {"fresh": 0.1}, {}, False),
        ("nothing lies on the card with its face", "BS", 0.986, {"on_top": 0.9}, {}, False),
        ("what lies on it is not surely read", "BS", 0.986, {}, {"confidence": 0.8}, False),
    ],
)  # fmt: skip
def test_a_card_placed_by_the_outline_of_two_that_were_found_is_none_of_its_own(
    case: str, placed: str, confidence: float, lower: dict[str, float], upper: dict[str, float], dropped: bool
) -> None:
    below = seen(**{"name": "BS", "confidence": 0.99, "explains": 0.78, "on_top": 0.0, "fresh": 0.64, **lower})
    above = seen(**{"name": "G2", "confidence": 0.98, "explains": 0.72, "on_top": 0.62, "fresh": 0.59, **upper})
    card = seen(placed, confidence, 0.92, on_top=1.0, fitted=True)
    assert was_found_under(card, [(above, QUAD), (below, QUAD)]) is dropped, case


def test_what_the_newest_card_hides_is_sought_once_where_a_card_is_placed_by_the_outline_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(Knower(finds_top=True)).run(0.5).reach(Laid("B9", 290, 210, 10))
    seek = Mock(side_effect=peeking)
    monkeypatch.setattr("referee.vision.pile.peeking", seek)
    table.reach(Laid("R7", 287, 231), Laid("G2", 297, 235))
    assert table.said()[1:] == ["landed ?", "landed G2"]
    assert seek.call_count == 1


@pytest.mark.parametrize("dropped", [True, False])
def test_the_outline_of_two_that_were_found_is_left_out_of_the_look(
    monkeypatch: pytest.MonkeyPatch, dropped: bool
) -> None:
    looks: list[PileLook] = []

    def told(pile: PileEye, *given: Any) -> Patch:
        looks.append((patch := tell(pile, *given)).look)
        return patch

    tell = PileEye.tell
    monkeypatch.setattr(PileEye, "tell", told)
    monkeypatch.setattr("referee.vision.pile.was_found_under", Mock(return_value=dropped))
    table = Table(Knower(finds_top=True)).run(0.5).reach(Laid("B9", 290, 210, 10))
    looks.clear()
    table.reach(Laid("R7", 287, 231), Laid("G2", 297, 235))
    assert any(card.fitted and not card.peeks for look in looks for card in look.cards) is not dropped
