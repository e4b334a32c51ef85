"""Things that people put down: at the edge, joined to the draw pile in one outline, and on the discard pile."""

from __future__ import annotations

from dataclasses import replace

import pytest
from story import NOTHING, Story, draws_of, new, pile, said

from referee.observations import ViewChanged
from referee.tracker.looks import PileLook, TableGeometry

SEATS = ((1, (380.0, 590.0)), (2, (-96.3, 27.5)), (3, (856.3, 27.5)))
TABLE = TableGeometry((220.4, 109.7, 190.0, 200.0), (422.4, 152.9, 90.0, 120.0), (56.0, 87.0), SEATS)
SHEET = (509, -14, 470, 244, 0, 4645, 26757)
APART = (509, -14, 465, 142, 0, 0, 21458)

Frames = list[list[tuple[int, ...]]]


def seats_that_drew(frames: Frames) -> list[int | None]:
    """Of ten frames a second, the last as it is told: what lies there stays."""
    return [seat for seat, _ in draws_of(TABLE, 10, frames, bare=0)]


@pytest.mark.parametrize(("lay_s", "drew"), [(2.5, []), (0.5, [None])])
def test_a_sheet_that_lies_at_the_draw_pile_draws_nothing_as_an_arm_reaches_over_both(
    lay_s: float, drew: list[int | None]
) -> None:
    """As the eye had it at a rendered table: a sheet of paper and the draw pile are one outline, of which the arm has
    the draw pile while it pushes the discard pile. What has not lain there for long may be a hand."""
    frames: Frames = [[SHEET]] * round(lay_s * 10)
    frames += [[SHEET, (805, 18, 675, 70, 0, 0, 8517)], [SHEET, (803, 40, 552, 98, 0, 0, 15863)]]
    frames += [[(509, -14, 460, 240, 347, 5559, 30937), (803, 37, 385, 196, 1528, 805, 26467)]]
    frames += [[APART, (799, 24, 315, 216, 8477, 6890, 47416)], [APART, (799, 22, 299, 222, 10633, 6705, 49600)]]
    frames += [[APART, (799, 22, 299, 222, 10763, 6679, 49672)]] * 8
    frames += [[APART, (798, 21, 313, 218, 9351, 6781, 48291)], [APART, (804, 31, 423, 195, 67, 6708, 31096)]]
    frames += [[SHEET, (804, 28, 614, 122, 0, 0, 13419)], [SHEET, (804, 28, 763, 16, 0, 0, 2587)], *[[SHEET]] * 10]
    assert seats_that_drew(frames) == drew


def test_a_hand_that_rests_on_the_draw_pile_as_an_arm_reaches_over_it_draws_when_it_has_gone() -> None:
    frames: Frames = [[(380, 430, 400 + 8 * k, 400 - 20 * k, 0, 0, 9000)] for k in range(9)]
    frames += [[(380, 430, 467, 225, 0, 4600, 22000)]] * 25
    frames += [[(380, 430, 440, 300, 0, 0, 15000), (803, 37, 385, 196, 1528, 5805, 36467)]] * 4
    frames += [[(380, 430, 420, 360, 0, 0, 9000), (804, 28, 614, 122, 0, 0, 13419)]]
    frames += [[(380, 430, 400, 400, 0, 0, 4000)], *[[]] * 6]
    assert seats_that_drew(frames) == [1]


OUTLINE = new("?", explains=1.0, covers=0.3, on_top=0.6)
"""The outline of something of which no face is read."""
TOP = new("R2", explains=0.3, beneath=None, outside=None, covers=0.95, on_top=0.98)
"""The pile's top card, where it lay, when something large has gone from it."""


@pytest.mark.parametrize(
    ("case", "put_down", "then", "told"),
    [
        ("a score sheet", pile(4.0, OUTLINE), pile(4.0, TOP), ["pile_moved", "pile_moved"]),
        ("no outline is found", pile(3.1), pile(3.1, TOP), ["pile_moved", "pile_moved"]),
        (
            "it goes as a pile does",
            pile(3.1),
            replace(pile(3.1, TOP), cleared=True),
            ["pile_moved", "pile_moved"],
        ),
        ("the next card is seen where it went", pile(3.1), pile(3.1, new("G7")), ["pile_moved", "card_landed G7"]),
        ("it is a card", pile(1.1, OUTLINE), NOTHING, ["card_landed ?"]),
        ("it is the bare table", replace(pile(3.1), bare=True), NOTHING, ["pile_taken"]),
    ],
)
def test_a_thing_that_is_put_down_on_the_pile_is_no_card_and_takes_no_pile(
    case: str, put_down: PileLook, then: PileLook, told: list[str]
) -> None:
    """A card that nobody could read landed, or the pile was picked up, and its top card landed again as it went."""
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("R1"))).hand(0.4).rest(0.8, pile(1.0, new("R2")))
    story.out.clear()
    story.hand(0.4).rest(1.0, put_down).hand(0.4).rest(1.0, then)
    assert [said(s) for s in story.out if not isinstance(s, ViewChanged)] == told, case
