"""Stories of one card that a look finds twice."""

from __future__ import annotations

import pytest
from story import BESIDE, ELSEWHERE, new, pile, said_of_a_visit

from referee.observations import Quad


@pytest.mark.parametrize(
    ("case", "open_", "face", "expected"),
    [
        ("its corners were found once more beside themselves", 0.01, "B5", ["card_landed B5"]),
        ("a like of it lies under it and shows", 0.3, "B5", ["card_landed B5", "card_landed B5"]),
        ("another card lies under it", 0.01, "G2", ["card_landed G2", "card_landed B5"]),
    ],
)
def test_a_card_that_is_found_twice_lands_once(case: str, open_: float, face: str, expected: list[str]) -> None:
    """A B5 laid almost exactly on a Wild Draw Four."""
    card = new("B5", explains=0.99, fresh=0.83, beneath=0.0, outside=None, covers=0.93, on_top=0.96, stays=True)
    again = new(face, explains=1.0, fresh=0.86, beneath=0.0, outside=0.93, covers=0.9, on_top=0.0, stays=True,
                open=open_, aside=0.23, left=1.0, rest=0.0)  # fmt: skip
    assert said_of_a_visit("R+2 W+4", pile(0.88, card, again, in_top=0.94)) == expected, case


def test_a_card_that_is_found_beside_itself_and_placed_twice_by_what_changed_lands_once() -> None:
    """The outline of the change holds all of it, and the card that the finder saw, its corners off, does not."""
    found = new("W", 0.99, explains=0.8, fresh=0.61, beneath=None, outside=None, covers=0.96, on_top=0.95)
    outline = new("W", 0.994, explains=0.97, fresh=0.76, beneath=0.0, outside=0.92, covers=0.84, fitted=True,
                  open=0.1, aside=0.96, left=0.86, rest=0.0)  # fmt: skip
    beside = new("W", 0.906, explains=1.0, fresh=0.79, beneath=0.0, outside=0.91, covers=0.78, on_top=0.0, fitted=True,
                 peeks=True, open=0.16, aside=0.93, left=1.0, like_old=0.68, rest=0.0)  # fmt: skip
    assert said_of_a_visit("Y1 G5", pile(0.815, found, outline, beside, in_top=0.81)) == ["card_landed W"]


def test_a_card_that_is_found_twice_askew_is_not_two_of_which_neither_explains_the_change() -> None:
    """A Y8 laid half over a G2 at once, on a rendered table with a deck without borders."""
    upper = new("Y8", explains=0.64, fresh=0.53, beneath=0.4, outside=1.0, covers=0.69, on_top=0.94, rest=0.35)
    again = new("Y8", explains=0.62, fresh=0.52, beneath=0.43, outside=1.0, covers=0.69, on_top=0.75, rest=0.4)
    lower = new("G2", 0.908, explains=0.74, fresh=0.67, beneath=0.09, outside=1.0, covers=0.65, on_top=0.0, fitted=True,
                peeks=True, open=0.3, aside=1.0, left=1.0, vacated=0.0, like_old=0.13, rest=0.14, stays=True,
                quad=ELSEWHERE)  # fmt: skip
    look = pile(0.941, upper, again, lower, in_top=0.47)
    assert said_of_a_visit("B1 Y2", look) == ["card_landed G2", "card_landed Y8"]


NEAR: Quad = ((275.0, 190.0), (331.0, 190.0), (331.0, 277.0), (275.0, 277.0))


@pytest.mark.parametrize(
    ("case", "face", "confidence", "quad", "expected"),
    [
        ("its own index shows", "B3", 0.998, ELSEWHERE, ["card_landed B3", "card_landed B3"]),
        ("... and is not read for sure", "B3", 0.8, ELSEWHERE, ["card_landed B3"]),
        ("it is as near as the newest card's corners may be off", "B3", 0.998, NEAR, ["card_landed B3"]),
    ],
)
def test_a_like_of_the_newest_card_that_hardly_peeks_out_lands_if_its_index_shows(
    case: str, face: str, confidence: float, quad: Quad, expected: list[str]
) -> None:
    """As the eye had it at a rendered table: two blue 3s laid on a blue reverse at once, an eighth of the lower one to
    be seen, with both its indices."""
    upper = new("B3", explains=0.8, fresh=0.65, beneath=0.13, outside=0.77, covers=0.61, on_top=0.96, rest=0.19,
                stays=True, quad=BESIDE)  # fmt: skip
    lower = new(face, confidence, explains=0.87, fresh=0.72, beneath=0.25, outside=0.89, covers=0.5, on_top=0.0,
                fitted=True, peeks=True, open=0.12, aside=0.84, left=0.82, vacated=0.1, like_old=0.95, rest=0.32,
                stays=True, quad=quad)  # fmt: skip
    assert said_of_a_visit("R7 BR", pile(0.894, upper, lower)) == expected, case
