"""Stories of what hands were seen to bring to the pile and to take: it tells a twin, a push and a take-back apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from story import BESIDE, ELSEWHERE, NOTHING, Story, new, pile, said, said_of_a_visit

from referee.observations import CardLanded
from referee.tracker import PileLook


@pytest.mark.parametrize(
    ("case", "before", "look", "expected"),
    [
        ("a twin lands almost squared on the old one, and a hand was seen to bring it", "Y1 R7",
         replace(pile(0.15, new("R7", fresh=0.15, covers=0.94, beneath=None, outside=None), in_top=0.87),
                 brought=0.33, taken=0.01), ["card_landed R7"]),
        ("two cards are laid, of which the upper one is the old one's like, and a hand brought it", "B6 B+2 G5",
         replace(pile(1.19, new("G5", explains=0.75, fresh=0.82, beneath=0.35, outside=0.89, covers=0.13, on_top=0.71,
                                index=0.85, rest=0.41),
                      new("B6", explains=0.75, fresh=0.83, outside=0.91, covers=0.47, on_top=0.0, fitted=True,
                          peeks=True, open=0.29, aside=0.92, left=1.0, vacated=0.0, like_old=0.61)),
                 brought=0.3, taken=0.01), ["card_landed B6", "card_landed G5"]),
        ("a wild lands on a card on another wild, much of that card is seen beside it, and no hand went with one",
         "W+4 R7", replace(pile(0.848, new("W+4", explains=0.91, fresh=0.84, beneath=0.39, outside=0.07, covers=0.89,
                                           on_top=0.33, rest=0.59, quad=ELSEWHERE), in_top=0.99),
                           brought=0.05, taken=0.0), ["card_landed W+4"]),
        ("the card on a wild goes, hardly anything of it is seen beside that, and it was hidden in the hand", "W+4 R7",
         replace(pile(0.848, new("W+4", explains=0.91, fresh=0.84, beneath=0.9, outside=0.07, covers=0.89, rest=0.9,
                                 quad=ELSEWHERE), in_top=0.99), brought=0.0, taken=0.03), ["card_removed R7"]),
        ("the card on its like goes, of whose white more is left than has gone, and the one below lies where it lay",
         "G8 Y5 Y7", replace(pile(0.303, new("Y5", explains=0.7, fresh=0.19, beneath=0.35, outside=0.0, covers=0.73,
                                             rest=0.29), in_top=1.0), brought=0.0, taken=0.045), ["card_removed Y7"]),
        ("a special wild, which is no face, is laid on a Wild, nearly where that lies", "Y4 W",
         replace(pile(0.613, new("?", fresh=0.6, beneath=0.0, outside=0.58, covers=0.9, on_top=0.45), in_top=0.96),
                 brought=0.16, taken=0.01), ["card_landed ?"]),
        ("a push, and the sleeve that came and went is of many colours", "Y1 R7",
         replace(pile(0.15, new("R7", fresh=0.15, covers=0.94, beneath=None, outside=None), in_top=0.87),
                 brought=0.17, taken=0.15), ["pile_moved"]),
        ("a twin lands on the old one the other way up, a glare changes beside it, and a hand was seen to bring it",
         "Y9 B7", replace(pile(0.476, new("B7", explains=0.69, fresh=0.31, beneath=None, outside=None, covers=0.95,
                                          turned=True, stays=True), in_top=0.66), brought=0.41, taken=0.01),
         ["card_landed B7"]),
        ("taken back from a squared pile, whose edge looks as before, and a hand was seen to take it", "Y0 R0 Y5",
         replace(pile(0.949, new("R0", explains=0.99, fresh=0.9, beneath=None, outside=None, covers=0.94, stays=True),
                      in_top=1.0), brought=0.0, taken=0.3), ["card_removed Y5"]),
        ("taken back from a squared pile, of whose white edge a strip is as before, and a hand took it", "G2 W+4 RR",
         replace(pile(0.471, new("W+4", explains=1.0, fresh=0.45, beneath=0.0, outside=0.0, covers=0.91), in_top=1.0),
                 brought=0.03, taken=0.3), ["card_removed RR"]),
        ("the face that lay below is laid where the old one shows beneath it, and no hand took that", "G2 W+4 RR",
         replace(pile(0.471, new("W+4", explains=1.0, fresh=0.45, beneath=0.0, outside=0.0, covers=0.91), in_top=1.0),
                 brought=0.03, taken=0.02), ["card_landed W+4"]),
        ("the face that lay below is laid on a squared pile", "Y0 R0 Y5",
         replace(pile(0.949, new("R0", explains=0.99, fresh=0.9, beneath=None, outside=None, covers=0.94, stays=True),
                      in_top=1.0), brought=0.0, taken=0.0), ["card_landed R0"]),
        ("squared up, and cards of the pile seemed to be in the hand", "RR Y2",
         replace(pile(2.287, new("Y2", explains=0.38, fresh=0.73, beneath=1.0, outside=0.89, covers=0.69), in_top=0.37),
                 brought=0.2, taken=0.0), ["pile_moved"]),
        ("a twin lands within millimetres of the old one, and little of it was seen in the hand", "R2 W+4",
         replace(pile(0.256, new("W+4", explains=1.0, fresh=0.24, beneath=None, outside=None, covers=0.93),
                      in_top=0.95), brought=0.11, taken=0.02), ["card_landed W+4"]),
        ("... and less of it, as all of the change is the card's", "G+2 R7",
         replace(pile(0.207, new("R7", explains=1.0, fresh=0.16, beneath=None, outside=0.38, covers=0.9), in_top=0.92),
                 brought=0.09, taken=0.0), ["card_landed R7"]),
        ("the face below is laid where that lies, and a hand was seen to bring the like of the old one", "Y5 G1 G4",
         replace(pile(0.133, new("G1", explains=1.0, fresh=0.1, beneath=None, outside=None, covers=0.95), in_top=0.97),
                 brought=0.1, taken=0.01), ["card_landed G1"]),
        ("the same, and a third of what it brought seemed to be in the hand as it went", "Y5 B1 R8",
         replace(pile(0.965, new("B1", explains=1.0, fresh=0.72, beneath=None, outside=0.0, covers=0.86), in_top=1.0),
                 brought=0.069, taken=0.023), ["card_landed B1"]),
        ("taken back, and nothing tells what the hand held", "Y5 G1 G4",
         pile(0.133, new("G1", explains=1.0, fresh=0.1, beneath=None, outside=None, covers=0.95), in_top=0.97),
         ["card_removed G4"]),
        ("... and the old one was found for it, while the outline of the change is that of one card with its face",
         "Y9 Y9 R+2 Y3",
         replace(pile(0.473, new("Y3", explains=0.88, fresh=0.37, beneath=None, outside=None, covers=0.99),
                      new("Y3", explains=1.0, fresh=0.45, beneath=None, outside=0.91, covers=0.88, fitted=True,
                          open=0.04, aside=0.9, left=1.0), in_top=0.87), brought=0.16, taken=0.0),
         ["card_landed Y3"]),
        ("taken back from a squared pile of two alike, and little of it was seen in the hand", "R1 G7 G7 B+2",
         replace(pile(0.713, new("G7", explains=1.0, fresh=0.7, beneath=None, outside=None, covers=0.98, stays=True),
                      in_top=1.0), brought=0.007, taken=0.065), ["card_removed B+2"]),
        ("a push, and the hand has some of the colours in another light", "R2 W+4",
         replace(pile(0.256, new("W+4", explains=0.92, fresh=0.24, beneath=None, outside=None, covers=0.93),
                      in_top=0.95), brought=0.11, taken=0.02), ["pile_moved"]),
        ("squared up, and where the old one was found, too low, its edge stays; no hand brought a card", "R8 B2 W",
         replace(pile(0.936, new("W", explains=0.92, fresh=0.75, beneath=0.15, outside=0.55, covers=0.85, rest=0.0),
                      in_top=0.86), brought=0.013, taken=0.049), ["pile_moved"]),
        ("... with its corners found a little beside the card, and skin has something of its colours", "B4 Y4 Y4",
         replace(pile(0.555, new("Y4", explains=0.9, fresh=0.46, beneath=0.94, outside=0.09, covers=0.88), in_top=0.99),
                 brought=0.005, taken=0.047), ["pile_moved"]),
        ("the same, and a hand went with a card", "B4 Y4 Y4",
         replace(pile(0.555, new("Y4", explains=0.9, fresh=0.46, beneath=0.94, outside=0.09, covers=0.88), in_top=0.99),
                 brought=0.005, taken=0.3), ["card_removed Y4"]),
        ("another figure in the top card's place, of which next to nothing differs, and a hand brought a card", "B2 R9",
         replace(pile(0.008, new("R0", explains=1.0, fresh=0.01, beneath=None, outside=None, covers=0.98), in_top=1.0),
                 brought=0.26, taken=0.01), ["card_landed R0"]),
        ("... is not surely read", "B2 R9",
         replace(pile(0.008, new("R0", 0.85, explains=1.0, fresh=0.01, beneath=None, outside=None, covers=0.98),
                      in_top=1.0), brought=0.26, taken=0.01), []),
        ("... and the hand went with the card", "B2 R9",
         replace(pile(0.008, new("R0", explains=1.0, fresh=0.01, beneath=None, outside=None, covers=0.98), in_top=1.0),
                 brought=0.26, taken=0.25), []),
        ("... and nothing tells what the hand held", "B2 R9",
         pile(0.008, new("R0", explains=1.0, fresh=0.01, beneath=None, outside=None, covers=0.98), in_top=1.0), []),
        ("nothing changed, and a hand goes with some of the top card's colours: backs are black, too", "R9 W+4 W+4",
         replace(NOTHING, brought=0.004, taken=0.215), []),
        ("pushed and read as another face of its colour, of which no hand brought anything", "Y4 GS",
         replace(pile(0.41, new("G0", 0.976, explains=0.65, fresh=0.55, beneath=0.48, outside=0.1, covers=0.75)),
                 brought=0.0, taken=0.0), ["pile_moved"]),
        ("the same, and nothing tells what the hand held", "Y4 GS",
         pile(0.41, new("G0", 0.976, explains=0.65, fresh=0.55, beneath=0.48, outside=0.1, covers=0.75)),
         ["card_landed G0"]),
        ("taken back after a push, which leaves its place unknown; what seems to peek out is unread",
         "Y4 GS",
         replace(pile(0.96, new("Y4", explains=0.77, fresh=0.69, beneath=0.61, outside=0.12, covers=0.71),
                      new("?", explains=1.0, beneath=0.0, outside=0.98, covers=0.86, on_top=0.0, fitted=True, open=0.18,
                          peeks=True, aside=1.0, left=1.0, vacated=0.0, like_old=0.43, stays=True), in_top=0.91),
                 brought=0.01, taken=0.04), ["card_removed GS"]),
        ("taken back after a push, one from deep in the pile is found beneath, and what lies open is not", "R7 G8 G6",
         replace(pile(0.87, new("R7", explains=0.6, fresh=0.46, beneath=0.99, outside=0.0, covers=0.57, on_top=0.0,
                                open=0.39),
                      new("?", explains=1.0, fresh=0.85, beneath=None, outside=None, covers=0.96, fitted=True),
                      in_top=1.0), brought=0.02, taken=0.43), ["card_removed G6"]),
        ("... and nothing tells what the hand held", "R7 G8 G6",
         pile(0.87, new("R7", explains=0.6, fresh=0.46, beneath=0.99, outside=0.0, covers=0.57, on_top=0.0, open=0.39),
              new("?", explains=1.0, fresh=0.85, beneath=None, outside=None, covers=0.96, fitted=True), in_top=1.0),
         ["card_landed ?"]),
        ("taken back before a camera that swings, so that all about the one below has changed", "R1 R5 G3",
         replace(pile(1.02, new("R5", explains=0.76, fresh=0.68, beneath=0.62, outside=0.35, covers=0.64),
                      new("Y4", 0.78, explains=0.8, beneath=0.63, outside=0.45, covers=0.87, on_top=0.0, fitted=True,
                          open=0.26, aside=0.69, left=0.8, peeks=True, vacated=0.12, like_old=0.92), in_top=0.82),
                 brought=0.002, taken=0.24), ["card_removed G3"]),
        ("... and no hand went with a card", "R1 R5 G3",
         replace(pile(1.02, new("R5", explains=0.76, fresh=0.68, beneath=0.62, outside=0.35, covers=0.64), in_top=0.82),
                 brought=0.002, taken=0.04), ["card_landed R5"]),
        ("a push that looks like a take-back from its like, and no hand went with a card", "Y2 Y7 Y7",
         replace(pile(0.47, new("Y7", explains=0.97, fresh=0.41, beneath=None, outside=None, covers=0.92), in_top=0.98),
                 brought=0.03, taken=0.01), ["pile_moved"]),
    ],
)  # fmt: skip
def test_hands_tell_what_happened(case: str, before: str, look: PileLook, expected: list[str]) -> None:
    assert said_of_a_visit(before, look) == expected, case


@pytest.mark.parametrize(("brought", "sure"), [(0.2, True), (0.03, False)])
def test_a_card_of_which_only_the_figure_is_new_is_sure_where_a_hand_brought_it(brought: float, sure: bool) -> None:
    """A 3 on an 8 in the noise of a bad camera: a few of its pixels changed, or none, and the eye misread it before."""
    look = pile(0.016, new("G3", explains=1.0, fresh=0.01, beneath=None, outside=None, covers=0.98), in_top=1.0)
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("G8")))
    story.hand(0.5).rest(0.6, replace(look, brought=brought, taken=0.0))
    landed = [s for s in story.out if isinstance(s, CardLanded)]
    assert [(said(s), s.sure) for s in landed] == [("card_landed G8", True), ("card_landed G3", sure)]


def test_of_two_finds_of_a_brought_twin_the_one_that_explains_the_change_lands() -> None:
    """A B+2 laid on a B+2, found once by the shape of the change and once askew, half under that (table 17757). The
    askew one would be waited for, as a card that a hand still covers."""
    askew = new("B+2", 0.4, explains=0.48, fresh=0.2, beneath=None, outside=0.66, covers=0.77, on_top=0.05, open=0.5)
    there = tuple((x + 40.0, y) for x, y in BESIDE)
    whole = new("B+2", 0.93, explains=1.0, fresh=0.56, beneath=0.0, covers=0.49, fitted=True, quad=there)
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("B+2"))).hand(0.5)
    story.rest(0.9, replace(pile(0.64, askew, whole, in_top=0.22), brought=0.16, taken=0.0))
    assert [said(s) for s in story.out if isinstance(s, CardLanded)] == ["card_landed B+2", "card_landed B+2"]
    assert story.tracker.pile.top is not None
    assert story.tracker.pile.top.quad == there


@pytest.mark.parametrize(
    ("case", "told", "expected"),
    [
        ("it lies the other way up", {}, ["card_removed Y3"]),
        ("it lies as the old one did: that may be pushed", {"turned": False}, ["pile_moved"]),
        ("beside the old one's place it has changed", {"outside": 0.2}, ["pile_moved"]),
    ],
)
def test_a_card_taken_from_its_like_by_a_hand_that_hid_it_is_told_by_the_like_that_lies_open(
    case: str, told: dict[str, float], expected: list[str]
) -> None:
    """As the eye had it at a rendered table: a yellow 3 is taken from another one, and no yellow was seen to go."""
    fields = {"explains": 0.76, "fresh": 0.45, "beneath": 0.91, "outside": 0.0, "covers": 0.78, "on_top": 0.95,
              "turned": True, "rest": 0.84}  # fmt: skip
    look = pile(0.634, new("Y3", 0.986, **{**fields, **told}), in_top=1.0)
    assert said_of_a_visit("R7 Y3 Y3", replace(look, brought=0.01, taken=0.01)) == expected, case
