"""Stories of cards that were laid on cards of their colour, so that little of them changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from story import BESIDE, ELSEWHERE, half_hidden, new, pile, reading, said_of_a_visit

from referee.cards import Card
from referee.observations import CardReading, Quad
from referee.tracker.judge import judge
from referee.tracker.landing import is_disputed
from referee.tracker.pile import Pile
from referee.tracker.verdict import PiledCard, What


@pytest.mark.parametrize(
    ("case", "before", "told", "expected"),
    [
        ("exactly on a B1, and a Red Skip upon both", "Y6 B1", {}, ["card_landed B7", "card_landed RS"]),
        ("the pile has a B7: that may have been pushed out", "B7 Y6 B1", {}, ["card_landed RS"]),
        ("its corner was not read surely", "Y6 B1", {"confidence": 0.8}, ["card_landed RS"]),
        ("it lies elsewhere, where the B1 would be seen to have gone", "Y6 B1", {"covers": 0.7}, ["card_landed RS"]),
        ("hardly anything of it changed", "Y6 B1", {"aside": 0.1}, ["card_landed RS"]),
    ],
)
def test_of_a_card_beneath_another_that_lies_exactly_on_its_like_a_corner_tells(
    case: str, before: str, told: dict[str, float], expected: list[str]
) -> None:
    """A borderless deck: the B7 covers the B1, and what changed beside the Skip is an edge and the index."""
    skip = new("RS", 0.98, explains=0.93, fresh=0.89, beneath=0.15, outside=0.91, covers=0.67, on_top=0.85, rest=0.02)
    under = {"explains": 0.67, "fresh": 0.6, "beneath": 1.0, "outside": 0.31, "covers": 0.91, "on_top": 0.0,
             "rest": 1.0, "fitted": True, "peeks": True, "open": 0.39, "aside": 0.21, "left": 1.0,
             "like_old": 1.0}  # fmt: skip
    look = pile(1.13, skip, new("B7", **{**under, **told}), in_top=0.77)
    assert said_of_a_visit(before, look) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "told", "expected"),
    [
        ("of a B2 on a B+2 an edge and the index", "W+4 B+2", {}, ["card_landed B2", "card_landed R4"]),
        ("the pile has a B2", "B2 W+4 B+2", {}, ["card_landed R4"]),
        ("its corner was not read surely", "W+4 B+2", {"confidence": 0.8}, ["card_landed R4"]),
        ("the pile was pushed", "W+4 B+2", {"stays": False, "vacated": 0.4}, ["card_landed R4"]),
    ],
)
def test_where_hardly_anything_changed_beside_the_newest_card_a_new_face_tells_that_another_came(
    case: str, before: str, told: dict[str, float], expected: list[str]
) -> None:
    newest = new("R4", 1.0, explains=0.94, fresh=0.9, beneath=0.04, covers=0.5, on_top=0.8, stays=True)
    under = {"explains": 0.4, "fresh": 0.4, "on_top": 0.0, "fitted": True, "peeks": True, "open": 0.12, "aside": 0.44,
             "left": 1.0, "vacated": 0.0, "like_old": 0.95, "stays": True}  # fmt: skip
    assert said_of_a_visit(before, pile(1.15, newest, new("B2", **{**under, **told}), in_top=0.55)) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "confidence", "expected"),
    [
        ("a B9 lies deep in the pile", "B9 RS RS R1 B1", 0.99, ["card_landed B9", "card_landed Y4"]),
        ("one lies where a push lays it open", "RS B9 R1 B1", 0.99, ["card_landed Y4"]),
        ("its corner was not read surely", "B9 RS RS R1 B1", 0.8, ["card_landed Y4"]),
    ],
)
def test_a_card_whose_open_part_looks_like_the_old_top_card_is_another_by_its_corner(
    case: str, before: str, confidence: float, expected: list[str]
) -> None:
    """Of the B9 a strip of blue and the index show, where the B1 was."""
    newest = new("Y4", explains=0.81, fresh=0.76, beneath=0.43, outside=0.97, covers=0.83, on_top=0.97, rest=0.43)
    under = new("B9", confidence, explains=0.76, fresh=0.72, beneath=0.61, outside=0.98, covers=0.84, on_top=0.0,
                fitted=True, peeks=True, open=0.19, aside=0.76, left=1.0, like_old=1.0, rest=0.62)  # fmt: skip
    assert said_of_a_visit(before, pile(1.04, newest, under, in_top=0.73)) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "told", "expected"),
    [
        ("its index stands where none did", "R5 YR Y4", {}, ["card_landed Y2", "card_landed B6"]),
        ("... it did before, or nobody knows", "R5 YR Y4", {"came": False}, ["card_landed B6"]),
        ("the pile has a Y2: that may have been pushed out", "Y2 YR Y4", {}, ["card_landed B6"]),
        ("its index was not read surely", "R5 YR Y4", {"confidence": 0.8}, ["card_landed B6"]),
        ("hardly more than its edge peeks out", "R5 YR Y4", {"open": 0.12}, ["card_landed B6"]),
        ("it holds half of what changed beside the B6", "R5 YR Y4", {"left": 0.5}, ["card_landed B6"]),
    ],
)
def test_a_card_of_a_white_deck_under_another_one_is_told_by_its_index_wherever_the_pile_lies(
    case: str, before: str, told: dict[str, float], expected: list[str]
) -> None:
    """Of white on white only the signs change, and what lies beneath is hidden or looks the same."""
    newest = new("B6", 1.0, explains=0.91, fresh=0.65, beneath=0.07, outside=0.74, on_top=0.78, rest=0.06)
    under = {"explains": 0.67, "fresh": 0.39, "beneath": 0.11, "outside": 0.27, "covers": 0.44, "on_top": 0.0,
             "rest": 0.11, "fitted": True, "peeks": True, "open": 0.46, "aside": 0.14, "left": 1.0, "like_old": 0.96,
             "came": True}  # fmt: skip
    look = pile(0.78, newest, new("Y2", **{**under, **told}), in_top=0.53)
    assert said_of_a_visit(before, look) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "shows", "expected"),
    [
        ("yellow, by what half an index shows", "Y9 W", reading("Y+2", 0.66, ("Y4", 0.26)),
         ["card_landed Y+2", "card_landed R5"]),
        ("... or it may be as black as the Wild", "Y9 W", reading("Y+2", 0.66, ("W", 0.26)), ["card_landed R5"]),
        ("the old top card is as yellow", "W Y9", reading("Y+2", 0.66, ("Y4", 0.26)), ["card_landed R5"]),
        ("it may be the one below that, laid open", "Y9 W", reading("Y+2", 0.66, ("Y9", 0.26)), ["card_landed R5"]),
        ("... or the next one", "Y9 B3 W", reading("Y+2", 0.66, ("Y9", 0.26)), ["card_landed R5"]),
        ("nobody can read it", "Y9 W", reading("?"), ["card_landed R5"]),
    ],
)  # fmt: skip
def test_a_card_whose_open_part_looks_like_the_old_top_card_is_another_by_its_colour(
    case: str, before: str, shows: CardReading, expected: list[str]
) -> None:
    """A white border looks like any other one, and the old top card, which lies hidden, may have been pushed."""
    newest = new("R5", 0.98, explains=0.88, fresh=0.87, beneath=0.57, outside=0.8, covers=0.8)
    under = new("?", explains=0.89, fresh=0.89, beneath=0.71, outside=0.78, covers=0.82, on_top=0.0, fitted=True,
                peeks=True, open=0.12, aside=0.69, left=0.98, like_old=0.83, rest=1.0)  # fmt: skip
    look = pile(1.11, newest, replace(under, reading=shows), in_top=0.83)
    assert said_of_a_visit(before, look) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "told", "expected"),
    [
        ("none stood there before", "Y6 R2 G1 G8", {}, ["card_landed G7", "card_landed W+4"]),
        ("... and a G7 lies deep in the pile", "G7 R2 G1 G8", {}, ["card_landed G7", "card_landed W+4"]),
        ("one lies where a push lays it open", "R2 G7 G1 G8", {}, ["card_landed W+4"]),
        ("nobody knows what stood there", "Y6 R2 G1 G8", {"came": False}, ["card_landed W+4"]),
        ("it was not read surely", "Y6 R2 G1 G8", {"confidence": 0.8}, ["card_landed W+4"]),
        ("the old top card went from where it lay", "Y6 R2 G1 G8", {"vacated": 0.4}, ["card_landed W+4"]),
        ("hardly more than its edge peeks out", "Y6 R2 G1 G8", {"open": 0.12}, ["card_landed W+4"]),
    ],
)
def test_an_index_that_came_tells_the_card_under_the_newest_however_little_else_changed(
    case: str, before: str, told: dict[str, float], expected: list[str]
) -> None:
    """A borderless deck: green on green beside the Wild, and more than half of what changed there is noise."""
    newest = new("W+4", 0.99, explains=0.97, fresh=0.98, beneath=0.03, outside=1.0, covers=0.67, on_top=0.81)
    under = {"explains": 0.55, "fresh": 0.52, "on_top": 0.0, "fitted": True, "peeks": True, "open": 0.23, "aside": 0.03,
             "left": 0.43, "vacated": 0.03, "like_old": 0.95, "came": True}  # fmt: skip
    assert said_of_a_visit(before, pile(1.04, newest, new("G7", **{**under, **told}), in_top=0.6)) == expected, case


@pytest.mark.parametrize(
    ("case", "newest", "expected"),
    [
        ("another one lies there now", "R9", ["card_landed G7", "card_landed R9"]),
        ("the old top card lies there, pushed, and lays open what nobody saw", "G8", ["pile_moved"]),
    ],
)
def test_an_index_that_came_beside_the_old_top_card_tells_no_card(case: str, newest: str, expected: list[str]) -> None:
    """A borderless deck: where the old top card lay it is green as before."""
    top = new(newest, 0.99, explains=0.8, fresh=0.5, beneath=0.3, outside=0.6, covers=0.6, on_top=0.9)
    under = new("G7", explains=0.5, fresh=0.3, on_top=0.0, fitted=True, peeks=True, open=0.23, aside=0.23, left=0.8,
                vacated=0.01, like_old=0.9, came=True)  # fmt: skip
    assert said_of_a_visit("R2 G8", pile(0.6, top, under, in_top=0.6)) == expected, case


@pytest.mark.parametrize(("beneath", "expected"), [(0.0, ["card_landed R6"]), (0.5, ["pile_moved"])])
def test_a_badly_read_card_of_which_little_changed_came_where_the_old_one_lies_beneath_it_as_it_lay(
    beneath: float, expected: list[str]
) -> None:
    """A white deck on a white table: of a R6 on a G2 only the face has changed, and that is out of focus."""
    six = new("R6", 0.564, explains=1.0, fresh=0.15, beneath=beneath, outside=0.11, covers=0.47, on_top=0.94)
    two = new("G2", 0.934, explains=0.67, fresh=0.1, beneath=None, outside=None, covers=0.98, on_top=0.01, open=0.47)
    assert said_of_a_visit("R7 GR G2", pile(0.176, six, two, in_top=0.66)) == expected


def test_two_cards_are_taken_back_and_the_third_lies_open() -> None:
    third = new("Y3", explains=0.83, fresh=0.6, beneath=0.7, outside=0.15, covers=0.84)
    assert said_of_a_visit("Y3 R7 GR", pile(1.0, third, in_top=1.0)) == ["card_removed GR"]


def test_a_card_on_the_top_one_lies_on_what_is_open_beside_it_and_was_not_laid_open() -> None:
    came = new("RS", explains=1.0, fresh=0.76, beneath=None, outside=None, covers=0.93, on_top=0.67)
    lay = new("G5", explains=0.17, fresh=0.1, beneath=0.84, outside=0.0, covers=0.18, on_top=0.58, open=0.8, rest=0.96)
    look = pile(0.8, came, lay, in_top=0.97)
    assert said_of_a_visit("G5 Y3 W", replace(look, brought=0.02, taken=0.0)) == ["card_landed RS"]
    assert said_of_a_visit("G5 Y3 W", replace(look, brought=0.0, taken=0.3)) == ["card_removed W"]


def test_the_old_top_card_that_was_pushed_as_another_landed_did_not_come_under_that() -> None:
    came = new("Y2", explains=0.55, fresh=0.79, beneath=0.53, outside=0.79, covers=0.38, on_top=0.97, rest=0.46)
    old = new("Y0", explains=0.46, fresh=0.65, beneath=None, outside=0.66, covers=0.86, on_top=0.0, open=0.44,
              aside=0.49, left=0.45)  # fmt: skip
    assert said_of_a_visit("W+4 GS Y0", pile(1.56, came, old, in_top=0.44)) == ["card_landed Y2"]
    assert said_of_a_visit("W+4 GS Y7", pile(1.56, came, old, in_top=0.44)) == ["card_landed Y0", "card_landed Y2"]


def test_a_face_that_the_pile_had_not_is_no_second_card_where_nothing_of_it_has_changed() -> None:
    """The old top card was misread, and is read better beside the one that came under it."""
    came = new("R4", explains=0.88, fresh=0.37, beneath=0.06, outside=0.88, covers=0.64, on_top=0.0)
    old = new("G8", explains=0.1, fresh=0.02, beneath=None, outside=None, covers=0.97, on_top=0.9, open=0.4)
    assert said_of_a_visit("B3 GS", pile(0.459, came, old, in_top=0.3)) == ["card_landed R4"]


@pytest.mark.parametrize(("face", "explains", "expected"), [
    ("Y7", 0.36, ["card_landed Y7"]), ("Y7", 0.7, ["pile_moved"]), ("YS", 0.36, ["pile_moved"]),
])  # fmt: skip
def test_a_card_of_the_colour_beneath_it_that_covers_a_corner_of_the_top_card_lands(
    face: str, explains: float, expected: list[str]
) -> None:
    """Half of it looks as before, and the finder takes both for as open; not one that the pile had, or a push."""
    came = new(face, explains=1.0, fresh=0.5, beneath=0.0, outside=0.47, covers=0.17, on_top=0.35)
    old = new("G4", explains=explains, fresh=0.15, beneath=None, outside=0.13, covers=0.78, on_top=0.38, open=0.88)
    assert said_of_a_visit("YS G4", pile(0.591, came, old, in_top=0.3)) == expected


@pytest.mark.parametrize(
    ("left", "expected"), [(0.96, ["card_landed R6", "card_landed G2"]), (0.7, ["card_landed G2"])]
)
def test_two_cards_of_which_neither_explains_much_of_the_change_explain_it_together(
    left: float, expected: list[str]
) -> None:
    """Else the pile was squared up, and one of them lay there."""
    assert said_of_a_visit("R5 W", half_hidden("R6", upper=0.5, left=left)) == expected


@pytest.mark.parametrize(
    ("case", "off_mm", "expected"),
    [
        ("placed twice, as by its index and as it was found", 5.0, ["card_landed BR"]),
        ("two of a kind, fanned out", 9.0, ["card_landed BR", "card_landed BR"]),
    ],
)
def test_a_card_that_was_placed_twice_lands_once(case: str, off_mm: float, expected: list[str]) -> None:
    """A borderless deck: the card beneath was taken for the newest one, beside which two places of the true one were
    measured. A red 6 was said to be a second Blue Reverse."""
    beneath = new("BR", 0.73, explains=0.98, fresh=0.83, beneath=0.05, outside=0.38, covers=0.77, on_top=0.0)
    found = new("BR", 0.999, explains=0.73, fresh=0.46, beneath=0.55, outside=0.05, covers=0.45, on_top=0.8, open=0.47,
                aside=0.04, left=1.0, stays=True)  # fmt: skip
    told = new("BR", 0.998, explains=0.62, fresh=0.5, beneath=0.61, outside=0.03, covers=0.49, on_top=0.0, fitted=True,
               peeks=True, open=0.29, aside=0.06, left=0.99, vacated=0.0, like_old=0.38, came=True)  # fmt: skip
    a, b, c, d = ((x + off_mm, y) for x, y in found.quad)
    look = pile(0.886, found, beneath, replace(told, quad=(a, b, c, d)), in_top=0.91)
    assert said_of_a_visit("G6 B8 W", look) == expected, case


@pytest.mark.parametrize(
    ("case", "told", "expected"),
    [
        ("it is all that changed there", {}, ["card_landed B4", "card_landed B9"]),
        ("nobody knows whether it came", {"came": False}, ["card_landed B9"]),
        ("a part of it peeks out", {"open": 0.04}, ["card_landed B9"]),
    ],
)
def test_a_card_of_which_no_more_than_an_index_peeks_out_lands_if_that_came(
    case: str, told: dict[str, float], expected: list[str]
) -> None:
    """As the eye had it at a rendered table: a borderless blue 4 almost exactly under the blue 9 laid with it."""
    newest = new("B9", 0.997, explains=0.93, fresh=0.94, beneath=0.66, outside=0.97, covers=0.64, on_top=0.86)
    under = {"explains": 0.77, "fresh": 0.98, "beneath": 0.59, "outside": 0.97, "covers": 0.85, "on_top": 0.0,
             "fitted": True, "peeks": True, "open": 0.067, "aside": 0.94, "left": 0.98, "like_old": 0.09, "rest": 0.78,
             "stays": True, "came": True}  # fmt: skip
    look = pile(1.402, newest, new("B4", 0.995, **{**under, **told}), in_top=0.74)
    assert said_of_a_visit("G2 R1", look) == expected, case


def test_who_lands_on_a_card_of_which_no_more_than_an_index_peeks_out_is_not_in_doubt() -> None:
    newest = new("B9", 0.997, explains=0.93)
    under = new("B4", 0.995, explains=0.77, fresh=0.98, on_top=0.0, fitted=True, peeks=True, open=0.067, aside=0.94,
                left=0.98, stays=True)  # fmt: skip
    told = [is_disputed(pile(1.4, newest, replace(under, came=came)), 0) for came in (False, True)]
    assert told == [True, False]


@pytest.mark.parametrize(
    ("case", "sure", "told", "disputed"),
    [
        ("what was placed across cards is read surely", 0.99993, {}, False),
        ("the card that lies there is hardly surer", 0.998, {}, True),
        ("the other one explains all, too", 0.99993, {"explains": 0.95}, True),
    ],
)
def test_a_find_across_cards_that_is_less_sure_and_explains_less_makes_no_doubt(
    case: str, sure: float, told: dict[str, float], disputed: bool
) -> None:
    """As the eye had it on a recording: in glare a green 9 lay crooked on green cards, across two of which another find
    was read as a green Skip."""
    lies = new("G9", sure, explains=1.0, fresh=0.58, beneath=0.0, outside=0.55, covers=0.66, fitted=True, left=1.0)
    across = {"explains": 0.82, "fresh": 0.43, "beneath": 0.28, "outside": 0.37, "covers": 0.79, "on_top": 0.11}
    assert is_disputed(pile(1.4, lies, new("GS", 0.982, **{**across, **told})), 0) is disputed, case


@pytest.mark.parametrize(
    ("case", "face", "told", "expected"),
    [
        ("it looks like the old top card, which is blue", "Y2", {}, ["card_landed Y3"]),
        ("it does not", "Y2", {"like_old": 0.3}, ["card_landed Y2", "card_landed Y3"]),
        ("it looks like that and is blue, too", "B2", {}, ["card_landed B2", "card_landed Y3"]),
    ],
)
def test_a_part_of_the_old_top_cards_index_that_is_misread_beside_the_newest_card_is_no_second_one(
    case: str, face: str, told: dict[str, float], expected: list[str]
) -> None:
    """As the eye had it at a rendered table: of the sign of a blue Draw Two, half under a yellow 3, a yellow 2 was
    read."""
    newest = new("Y3", 0.996, explains=1.0, fresh=0.83, beneath=0.0, outside=0.63, covers=0.8, on_top=0.78)
    under = {"explains": 0.82, "fresh": 0.78, "beneath": 0.48, "outside": None, "covers": 1.0, "on_top": 0.0,
             "fitted": True, "peeks": True, "open": 0.15, "aside": 0.03, "left": 1.0, "vacated": 0.0, "like_old": 0.89,
             "came": True}  # fmt: skip
    look = pile(1.029, newest, new(face, 0.974, **{**under, **told}), in_top=0.91)
    assert said_of_a_visit("R6 B+2", look) == expected, case


NEAR_BESIDE: Quad = ((276.0, 186.0), (332.0, 186.0), (332.0, 273.0), (276.0, 273.0))


@pytest.mark.parametrize(
    ("case", "before", "quad", "expected"),
    [
        ("it was seen to lie there", "R3 G7 G7 R1", NEAR_BESIDE, ["pile_moved"]),
        ("it lies elsewhere than its like in the pile", "R3 G7 G7 R1", ELSEWHERE, ["card_landed R3", "card_landed R1"]),
        ("the pile has none like it", "B3 G7 G7 R1", NEAR_BESIDE, ["card_landed R3", "card_landed R1"]),
    ],
)
def test_a_card_deep_in_the_pile_that_a_push_lays_open_has_not_landed(
    case: str, before: str, quad: Quad, expected: list[str]
) -> None:
    """As the eye had it at a rendered table: a red 1 is pushed off a corner of a red 3, the fourth card from above."""
    pushed = new("R1", 0.996, explains=0.75, fresh=0.35, beneath=0.52, outside=0.63, covers=0.73, on_top=0.98,
                 rest=0.83)  # fmt: skip
    bared = new("R3", 0.997, explains=0.81, fresh=0.38, beneath=0.01, outside=0.63, covers=0.89, on_top=0.0,
                fitted=True, peeks=True, open=0.08, aside=0.76, left=0.82, vacated=0.01, rest=None,
                quad=quad)  # fmt: skip
    assert said_of_a_visit(before, pile(0.529, pushed, bared, in_top=0.69)) == expected, case


@pytest.mark.parametrize(
    ("case", "explains", "expected"),
    [
        ("what it moved away from changed, too", 0.73, What.UNCLEAR),
        ("all that changed lies in it", 1.0, What.LANDED),
    ],
)
def test_the_old_top_card_that_is_pushed_and_misread_is_looked_at_again(
    case: str, explains: float, expected: What
) -> None:
    """As the eye had it at a rendered table, in hard light: a yellow 8 that was pushed was read as a yellow Skip."""
    lies = Pile([PiledCard(Card.parse(face), BESIDE) for face in ("B5", "Y8")])
    card = new("YS", 0.932, explains=explains, fresh=0.21, beneath=0.13, outside=0.2, covers=0.72, on_top=0.75,
               rest=0.04)  # fmt: skip
    assert judge(lies, pile(0.337, card, in_top=0.7)).what is expected, case


@pytest.mark.parametrize(
    ("came", "expected"),
    [(True, ["card_landed R3", "card_landed G8"]), (False, ["card_landed G8"])],
)
def test_a_card_of_which_a_strip_peeks_out_on_its_like_lands_if_its_index_came(came: bool, expected: list[str]) -> None:
    """As the eye had it at a rendered table: less than half of a red 3's strip changed on a red Draw Two, and nothing
    else did beside the green 8 that was laid with it."""
    newest = new("G8", explains=0.9, fresh=0.64, beneath=0.09, outside=0.42, covers=0.44, rest=0.07)
    under = new("R3", explains=0.85, fresh=0.61, beneath=0.0, outside=0.4, covers=0.59, on_top=0.0, fitted=True,
                peeks=True, open=0.149, aside=0.38, left=1.0, vacated=0.0, like_old=1.0, stays=True,
                came=came)  # fmt: skip
    assert said_of_a_visit("R9 R+2", pile(0.765, newest, under, in_top=0.62)) == expected


@pytest.mark.parametrize(
    ("case", "lay", "cards"),
    [("it lay there", BESIDE, (0,)), ("it lay elsewhere", ELSEWHERE, (1, 0)), ("nobody knows where", None, (1, 0))],
)
def test_a_card_that_was_seen_to_lie_there_has_not_come_under_the_newest_one(
    case: str, lay: Quad | None, cards: tuple[int, ...]
) -> None:
    """As the eye had it at a table: a yellow Draw Two came with the yellow 2, over a yellow 5 that lay half under the
    green one, and the 5 was told."""
    newest = new("Y2", explains=0.76, fresh=0.89, beneath=0.27, outside=0.98, covers=0.54, rest=0.24)
    lower = new("Y5", explains=0.44, fresh=0.54, beneath=0.45, outside=0.34, covers=0.41, on_top=0.0, open=0.61,
                aside=0.44, left=0.97, rest=0.5, stays=True)  # fmt: skip
    known = Pile([PiledCard(Card.parse("Y5"), lay), PiledCard(Card.parse("G5"), BESIDE)])
    verdict = judge(known, pile(1.25, newest, lower, in_top=0.53))
    assert (verdict.what, verdict.cards) == (What.LANDED, cards), case


@pytest.mark.parametrize(
    ("case", "upper", "expected"),
    [
        ("laid exactly on its like", {"fresh": 0.23, "beneath": 0.94, "outside": None, "covers": 0.99, "on_top": 0.85},
         ["card_landed Y6", "card_landed G5"]),
        ("beside it, and hardly more than its figure changed", {"fresh": 0.21, "outside": 0.26, "covers": 0.67},
         ["card_landed Y6", "card_landed G5"]),
        ("not found", None, ["card_landed Y6"]),
    ],
)  # fmt: skip
def test_what_came_under_a_card_on_its_like_lands_once(
    case: str, upper: dict[str, object] | None, expected: list[str]
) -> None:
    """As the eye had it at two rendered tables: the lower one of two was found, passed for the newest, and was placed
    by what changed, too."""
    found = new("Y9", 0.264, explains=0.86, fresh=0.44, beneath=0.2, outside=0.76, covers=0.77, on_top=0.03, open=0.3,
                aside=0.87, left=1.0, rest=0.08)  # fmt: skip
    placed = new("Y6", 0.592, explains=0.86, fresh=0.47, beneath=0.2, outside=1.0, covers=0.83, on_top=0.0, fitted=True,
                 peeks=True, open=0.23, aside=1.0, left=1.0, like_old=0.36, rest=0.09)  # fmt: skip
    above = [] if upper is None else [new("G5", 0.979, explains=0.5, **upper)]
    assert said_of_a_visit("RR GR", pile(0.558, found, placed, *above, in_top=0.76)) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "upper", "lower", "expected"),
    [
        ("both are surely read", "B1 R4", {}, {}, ["card_landed W+4", "card_landed R2"]),
        ("the lower one cannot be read", "B1 R4", {}, {"reading": reading("?")}, ["card_landed R2"]),
        ("the pile had the upper one's face", "R2 R4", {}, {}, ["pile_moved"]),
        ("what lies on the lower one is not known to lie open", "B1 R4", {"on_top": 0.4}, {}, ["pile_moved"]),
    ],
)
def test_a_card_on_its_like_lands_with_the_one_that_surely_came_under_it(
    case: str, before: str, upper: dict[str, object], lower: dict[str, object], expected: list[str]
) -> None:
    """As the eye had it at a rendered table: of a red 2 on a red 4 hardly more than the figure changed, and of the wild
    that was laid with it a third shows beside it."""
    newest = new("R2", 0.959, **{"explains": 0.42, "fresh": 0.17, "beneath": 0.9, "outside": 0.19, "covers": 0.71,
                                 "on_top": 0.78, "rest": 0.95, **upper})  # fmt: skip
    wild = new("W+4", 0.998, **{"explains": 0.89, "fresh": 0.51, "beneath": 0.0, "outside": 0.65, "covers": 0.57,
                                "on_top": 0.0, "fitted": True, "peeks": True, "open": 0.33, "aside": 0.93, "left": 1.0,
                                "like_old": 0.08, "rest": 0.0, **lower})  # fmt: skip
    assert said_of_a_visit(before, pile(0.589, newest, wild, in_top=0.43)) == expected, case


@pytest.mark.parametrize(
    ("case", "found", "placed", "expected"),
    [
        ("what was found there is read as another with doubt", {}, None, ["card_landed G5"]),
        ("and the top card was placed there again", {}, {}, ["card_landed G5"]),
        ("another face was placed there", None, {"reading": reading("Y8")}, ["card_landed Y8", "card_landed G5"]),
        ("its like peeks out elsewhere", None, {"covers": 0.7}, ["card_landed Y9", "card_landed G5"]),
    ],
)
def test_the_top_card_in_another_light_has_not_come_under_the_newest_one(
    case: str, found: dict[str, object] | None, placed: dict[str, object] | None, expected: list[str]
) -> None:
    """As the eye had it at a rendered table: the pile was remembered from a moment in which it was over-exposed."""
    cards = [new("G5", 0.976, explains=0.91, fresh=0.87, beneath=0.4, outside=0.83, covers=0.7, rest=0.5, stays=True)]
    if found is not None:
        cards.append(new("Y5", 0.53, **{"explains": 0.66, "fresh": 0.77, "beneath": 0.64, "outside": None, "rest": 0.83,
                                        "covers": 0.98, "on_top": 0.0, "open": 0.17, "aside": 0.45, "left": 0.93,
                                        "stays": True, **found}))  # fmt: skip
    if placed is not None:
        cards.append(new("Y9", 0.992, **{"explains": 0.84, "fresh": 0.79, "beneath": 0.25, "outside": None,
                                         "covers": 0.91, "on_top": 0.0, "fitted": True, "peeks": True, "open": 0.17,
                                         "aside": 0.45, "left": 1.0, "like_old": 0.42, "stays": True,
                                         **placed}))  # fmt: skip
    assert said_of_a_visit("B8 R7 Y9", pile(0.991, *cards, in_top=0.81)) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "upper", "expected"),
    [
        ("the pile had not that face", "R2 YR", {}, ["card_landed R+2"]),
        ("the pile had it", "R+2 YR", {}, ["pile_moved"]),
        ("the top card does not show as it lay", "R2 YR", {"beneath": 0.3}, ["pile_moved"]),
        ("more has changed than that card", "R2 YR", {"explains": 0.9}, ["pile_moved"]),
    ],
)
def test_a_card_laid_on_its_like_over_the_top_card_is_no_push_of_that(
    case: str, before: str, upper: dict[str, float], expected: list[str]
) -> None:
    """As the eye had it at a rendered table: a red Draw Two on the red 2 that lay half under a yellow Reverse, of which
    a quarter shows beside it and was read with doubt."""
    newest = new("R+2", 0.984, **{"explains": 1.0, "fresh": 0.57, "beneath": 0.0, "outside": 0.02, "covers": 0.65,
                                  "on_top": 0.98, "rest": 0.0, **upper})  # fmt: skip
    old = new("YR", 0.467, explains=0.99, fresh=0.59, beneath=None, outside=None, covers=0.99, on_top=0.0, open=0.26)
    assert said_of_a_visit(before, pile(0.624, newest, old, in_top=0.99)) == expected, case


@pytest.mark.parametrize(
    ("case", "before", "told", "expected"),
    [
        ("a Y+2 lay there, and a lamp was turned down", "Y+2 Y7 W+4 G5", {}, ["card_landed G3"]),
        ("... and all of it has changed", "Y+2 Y7 W+4 G5", {"aside": 0.9}, ["card_landed Y+2", "card_landed G3"]),
        ("no Y+2 lay there", "R9 Y7 W+4 G5", {}, ["card_landed Y+2", "card_landed G3"]),
    ],
)
def test_a_card_deep_in_the_pile_that_shows_in_another_light_has_not_come_under_the_newest_one(
    case: str, before: str, told: dict[str, object], expected: list[str]
) -> None:
    """As the eye had it in an evening of the demo (seed 1382): the next player was accused of a wrong card."""
    newest = new("G3", 0.986, explains=0.84, fresh=0.75, beneath=0.0, outside=0.9, covers=0.63, rest=0.0, stays=True)
    lower: dict[str, object] = {"explains": 0.74, "fresh": 0.64, "beneath": 0.18, "outside": 0.72, "covers": 0.6,
                                "on_top": 0.0, "fitted": True, "peeks": True, "open": 0.2, "aside": 0.43, "left": 0.71,
                                "vacated": 0.0, "like_old": 0.37, "rest": 0.27, "stays": True, **told}  # fmt: skip
    assert said_of_a_visit(before, pile(0.947, newest, new("Y+2", 0.99, **lower), in_top=0.51)) == expected, case
