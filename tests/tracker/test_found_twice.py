"""Stories of one card that a look finds twice."""

from __future__ import annotations

import pytest
from story import new, pile, said_of_a_visit


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
