"""Cards laid by hands that are not told from the table over the pile, as in the dark: whose they were."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from story import ENTRIES, Story, arm, new, pile, said, said_of_a_visit

from referee.observations import CardLanded
from referee.tracker import ArmLook

FROM_BELOW = arm(ENTRIES[1], (288.0, 330.0))
FROM_THE_RIGHT = arm(ENTRIES[2], (600.0, 215.0))
DRAWS = arm(ENTRIES[2], (435.0, 215.0))
AT_REST = arm(ENTRIES[4], (100.0, 215.0))


@pytest.mark.parametrize(
    ("case", "comes", "at_pile", "goes", "after", "seat"),
    [
        ("a hand is seen on its way there", [FROM_BELOW], [], [], [], 1),
        ("... and on its way back only", [], [], [FROM_THE_RIGHT], [], 2),
        ("... and both ways", [FROM_BELOW], [], [FROM_BELOW], [], 1),
        ("two people reach in", [FROM_BELOW, FROM_THE_RIGHT], [], [], [], None),
        ("somebody draws meanwhile", [DRAWS], [DRAWS], [], [], None),
        ("... as another one is seen to come", [DRAWS, FROM_BELOW], [DRAWS], [], [], 1),
        ("an arm rests beside the pile all the time", [AT_REST], [AT_REST], [AT_REST], [AT_REST], None),
        ("nobody is seen", [], [], [], [], None),
    ],
)
def test_a_card_from_an_unseen_hand_is_of_who_alone_was_seen_to_reach_in(
    case: str,
    comes: Sequence[ArmLook],
    at_pile: Sequence[ArmLook],
    goes: Sequence[ArmLook],
    after: Sequence[ArmLook],
    seat: int | None,
) -> None:
    story, card = Story().start().rest(1.0), pile(1.0, new("R7"))
    for arms, frames in ((comes, 3), (at_pile, 6), (goes, 2)):
        for _ in range(frames):
            story.tell(arms, 0.2)
    for _ in range(15):
        story.tell(after, look=card)
    (landed,) = [s for s in story.out if isinstance(s, CardLanded)]
    assert landed.seat == seat, case


def test_a_hand_of_the_tables_colour_on_the_card_that_it_laid_is_no_card_under_that() -> None:
    """As the eye had it in an evening of the demo (seed 1381): two cards came that nobody could read."""
    laid = new("B+2", 0.98, explains=0.56, fresh=0.68, beneath=0.45, outside=0.74, covers=0.78, on_top=0.13)
    hand = new("?", explains=0.58, fresh=0.73, beneath=0.56, outside=0.67, covers=0.41, on_top=0.0, fitted=True,
               peeks=True, open=0.58, aside=0.7, left=0.79, vacated=0.0, like_old=0.1, stays=True)  # fmt: skip
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("B1")))
    story.hand(0.5).rest(0.2, pile(1.36, laid, hand, in_top=0.53)).hand(0.1)
    story.rest(1.0, pile(0.67, new("B+2", 0.98, explains=1.0, fresh=0.64, beneath=0.0, outside=0.8, covers=0.78)))
    assert [said(s) for s in story.out if isinstance(s, CardLanded)] == ["card_landed B1", "card_landed B+2"]


def test_two_cards_that_an_unseen_hand_holds_over_the_pile_land_once_it_has_gone() -> None:
    """As on table 19468, of photographed cloth: the hand was settled with what it covered, and both were missed."""
    held = new("B1", 0.86, explains=0.42, fresh=0.8, beneath=0.68, outside=0.98, covers=0.64, on_top=0.32)
    below = new("W+4", explains=0.42, fresh=0.79, beneath=0.34, outside=0.82, covers=0.75, on_top=0.0, fitted=True,
                peeks=True, open=0.23, aside=0.91, left=0.22, vacated=0.2, like_old=0.35)  # fmt: skip
    laid = new("B1", 0.98, explains=0.77, fresh=0.7, beneath=0.49, outside=0.98, covers=0.63, on_top=0.99)
    lower = new("W+4", explains=0.75, fresh=0.66, beneath=0.08, outside=0.79, covers=0.78, on_top=0.0, open=0.23,
                aside=0.82, left=1.0)  # fmt: skip
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("R6"))).hand(0.4).rest(0.8, pile(1.0, new("BR")))
    done = len(story.out)
    story.hand(0.3).rest(0.6, pile(2.07, held, below, in_top=0.37)).hand(0.1).rest(1.0, pile(0.99, laid, lower))
    assert [said(s) for s in story.out[done:]] == ["card_landed W+4", "card_landed B1"]


@pytest.mark.parametrize(
    ("case", "top", "expected"),
    [
        ("the old top card is seen to lie open", {}, ["pile_moved"]),
        ("... which is not sure", {"on_top": 0.5}, ["card_landed ?"]),
        ("another face is seen there", {"reading": new("G7").reading, "explains": 0.2}, ["card_landed ?"]),
    ],
)
def test_what_a_hand_leaves_that_rested_there_unseen_is_no_card(
    case: str, top: dict[str, object], expected: list[str]
) -> None:
    fields = {"explains": 0.29, "fresh": 0.19, "beneath": None, "outside": None, "covers": 1.0, "on_top": 0.97, **top}
    left = new("?", explains=0.97, fresh=0.67, beneath=0.0, outside=0.64, covers=0.22, on_top=1.0, fitted=True)
    assert said_of_a_visit("B1 B+2", pile(0.725, new("B+2", 0.974, **fields), left, in_top=0.32)) == expected, case
