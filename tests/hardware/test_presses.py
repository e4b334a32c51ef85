"""What a press says about the game, by the button's role and what the board shows."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cards import Colour
from referee.events import Catch, Challenge, Draw, Event, NameColour, Uno
from referee.hardware.buttons import Press, Role
from referee.hardware.presses import meaning


def board(exposed: str = "", played: str = "", due: str = "", pending: int = 0) -> dict[str, Any]:
    """Ana, Ben and Cleo at seats 1 to 3; played: who played, newest first, by initial."""
    names = ("Ana", "Ben", "Cleo")
    players = [
        {"name": name, "seat": seat, "exposed": name[0] in exposed, "due": [{"n": 2}] if name[0] in due else []}
        for seat, name in enumerate(names, 1)
    ]
    plays = [{"by": next(name for name in names if name[0] == letter)} for letter in played]
    return {"players": players, "plays": plays, "pending": pending}


T = {"t": 7.0}


@pytest.mark.parametrize(
    ("role", "seat", "game", "event"),
    [
        (Role.UNO, None, board(), Uno(**T)),
        (Role.UNO, 2, board(), Uno(**T, by="Ben")),
        (Role.UNO, 4, board(), None),  # nobody sits there
        (Role.UNO, None, {"players": [], "plays": [], "pending": 0}, None),  # no game
        (Role.CHALLENGE, None, board(), Challenge(**T)),
        (Role.CHALLENGE, 3, board(), Challenge(**T, by="Cleo")),
        (Role.DRAW, 1, board(), Draw(**T, by="Ana", n=1)),
        (Role.DRAW, 1, board(due="A"), Draw(**T, by="Ana", n=None)),
        (Role.DRAW, None, board(pending=4), Draw(**T, n=None)),
        (Role.RED, None, board(), NameColour(**T, colour=Colour.RED)),
        (Role.YELLOW, None, board(), NameColour(**T, colour=Colour.YELLOW)),
        (Role.GREEN, None, board(), NameColour(**T, colour=Colour.GREEN)),
        (Role.BLUE, None, board(), NameColour(**T, colour=Colour.BLUE)),
        (Role.CATCH, None, board(exposed="B", played="CBA"), Catch(**T, on="Ben")),
        (Role.CATCH, 1, board(exposed="AB", played="ABC"), Catch(**T, by="Ana", on="Ben")),
        (Role.CATCH, None, board(exposed="AB", played="CBA"), Catch(**T, on="Ben")),  # the one who played later
        (Role.CATCH, 3, board(played="CBA"), Catch(**T, by="Cleo", on="Ben")),  # nobody can be caught: the rules say so
        (Role.CATCH, None, board(), None),  # nobody has played
    ],
)
def test_what_a_press_means(role: Role, seat: int | None, game: dict[str, Any], event: Event | None) -> None:
    assert meaning(Press(7.0, seat, role), game, 7.0) == event
