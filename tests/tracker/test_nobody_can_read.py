"""Stories of cards that nobody can read, such as another edition's: hands tell what became of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from story import NOTHING, Story, new, pile, said, said_of_a_visit

from referee.observations import CardLanded
from referee.tracker import CardLook, PileLook


def on_old(**told: object) -> PileLook:
    """A card that nobody can read lies open nearly where the old top card lay, and is all that changed."""
    card: dict[str, object] = {"explains": 1.0, "fresh": 0.47, "beneath": None, "outside": None, "covers": 0.91}
    return pile(0.5, new("?", on_top=0.96, **{**card, **told}), in_top=0.92)


@pytest.mark.parametrize(
    ("case", "before", "look", "expected"),
    [
        ("laid nearly exactly on its like, and a hand was seen to bring it", "G5 ? ?",
         replace(on_old(), brought=0.29, taken=0.01), ["card_landed ?"]),
        ("laid on a card that is known, and a hand was seen to bring it", "B5 Y8",
         replace(on_old(covers=0.97), brought=0.12, taken=0.0), ["card_landed ?"]),
        ("... and what it covered is still seen, as something else", "G5 ? ?",
         replace(pile(0.57, new("?", explains=1.0, fresh=0.53, beneath=0.0, outside=0.27, covers=0.84),
                      new("R+2", 0.3, explains=0.69, fresh=0.36, beneath=0.62, outside=0.05, covers=0.69, on_top=0.0,
                          open=0.2, aside=0.1), in_top=0.96), brought=0.23, taken=0.01), ["card_landed ?"]),
        ("pushed: no hand brought anything, and none took anything", "G5 ? ?",
         replace(on_old(), brought=0.02, taken=0.0), ["pile_moved"]),
        ("taken back: a hand went with it, and another such card lies open", "G5 ? ?",
         replace(pile(0.62, new("?", explains=1.0, fresh=0.6, beneath=0.0, outside=0.39, covers=0.72), in_top=0.86),
                 brought=0.0, taken=0.08), ["card_removed None"]),
        ("laid on its like, hidden in the hand, and nothing of what shows of the old one has changed", "G5 ? ?",
         replace(on_old(fresh=0.34, beneath=0.0, outside=0.79, covers=0.81), brought=0.0, taken=0.0),
         ["card_landed ?"]),
        ("laid on a card that is known, which was found again a little beside itself", "Y4 B6",
         replace(pile(0.79, new("?", explains=1.0, fresh=0.76, beneath=0.0, outside=0.77, covers=0.68, on_top=0.87),
                      new("B6", 0.95, explains=0.84, fresh=0.52, beneath=None, outside=0.75, covers=0.87, on_top=0.0),
                      in_top=0.73), brought=0.15, taken=0.01), ["card_landed ?"]),
        ("taken back, hidden in the hand for the most part, and another lies open where it lay", "G5 ? ?",
         replace(pile(0.34, new("?", explains=0.81, fresh=0.26, beneath=0.45, outside=0.0, covers=0.79, on_top=0.97),
                      new("?", explains=1.0, fresh=0.33, beneath=None, outside=None, covers=0.96, fitted=True),
                      in_top=1.0), brought=0.0, taken=0.04), ["card_removed None"]),
        ("... and no hand took anything: it was pushed", "G5 ? ?",
         replace(pile(0.2, new("?", explains=0.73, fresh=0.09, beneath=0.64, outside=0.0, covers=0.79, on_top=0.98),
                      in_top=0.98), brought=0.01, taken=0.01), ["pile_moved"]),
        ("taken back, and where it lay something is read that is not there", "Y9 ? ?",
         replace(pile(0.58, new("?", explains=0.48, fresh=0.25, beneath=0.71, outside=0.0, covers=0.53, on_top=0.97),
                      new("Y9", 0.97, explains=0.85, fresh=0.53, beneath=0.72, outside=None, covers=0.98, fitted=True),
                      in_top=1.0), brought=0.0, taken=0.14), ["card_removed None"]),
        ("two of which only the lower one shows a little, at once, and a hand was seen to bring them", "G5 ?",
         replace(pile(0.86, new("?", explains=0.66, fresh=0.52, beneath=0.9, outside=0.92, covers=0.67, on_top=0.95),
                      new("Y+2", 0.16, explains=0.66, fresh=0.53, beneath=None, outside=None, covers=0.9, on_top=0.0,
                          open=0.29, aside=0.92, left=1.0, stays=True), in_top=0.67), brought=0.1, taken=0.0),
         ["card_landed Y+2", "card_landed ?"]),
    ],
)  # fmt: skip
def test_hands_tell_what_became_of_it(case: str, before: str, look: PileLook, expected: list[str]) -> None:
    assert said_of_a_visit(before, look) == expected, case


@pytest.mark.parametrize(
    ("case", "look", "expected"),
    [
        ("it lies open, and is all that came: white on a white table", new("?", fresh=0.4, explains=1.0), 1),
        ("only its outline is seen: fingers reach in", new("?", fresh=0.4, explains=1.0, fitted=True), 0),
        ("hardly anything has changed there", new("?", fresh=0.2, explains=1.0), 0),
        ("something else came, too", new("?", fresh=0.4, explains=0.8), 0),
    ],
)
def test_the_first_card_lands_though_nobody_can_read_it(case: str, look: CardLook, expected: int) -> None:
    card = replace(look, beneath=None, outside=None, covers=0.0)
    story = Story().start().hand(0.4).rest(1.8, pile(0.4, card, in_top=0.0)).rest(0.5, NOTHING)
    assert [said(s) for s in story.out if isinstance(s, CardLanded)] == ["card_landed ?"] * expected, case
