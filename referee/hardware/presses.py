"""What a press says about the game: from a button's role and the board to an event. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cards import Colour
from referee.events import Catch, Challenge, Draw, Event, NameColour, Uno
from referee.hardware.buttons import Press, Role

_COLOURS: Mapping[Role, Colour] = {
    Role.RED: Colour.RED, Role.YELLOW: Colour.YELLOW, Role.GREEN: Colour.GREEN, Role.BLUE: Colour.BLUE,
}  # fmt: skip


def meaning(press: Press, board: Mapping[str, Any], t: float) -> Event | None:
    """The event that a press stands for; None when it means nothing now.

    board: as the session gives it. t: of the press on the table's clock. A press of the table's button names nobody:
    the rules then infer who it was (RULES 7.2). Nobody sits at the seat, or no game has begun: None.
    """
    by = next((player["name"] for player in board["players"] if player["seat"] == press.seat), None)
    if not board["players"] or (press.seat is not None and by is None):
        return None
    if press.role is Role.CATCH:
        on = _caught(by, board)
        return None if on is None else Catch(t=t, by=by, on=on)
    if press.role is Role.CHALLENGE:
        return Challenge(t=t, by=by)
    if press.role is Role.DRAW:
        owed = board["pending"] or any(player["due"] for player in board["players"])
        return Draw(t=t, by=by, n=None if owed else 1)  # None: as many as are owed (RULES 6.3)
    if press.role in _COLOURS:
        return NameColour(t=t, by=by, colour=_COLOURS[press.role])
    return Uno(t=t, by=by)


def _caught(by: str | None, board: Mapping[str, Any]) -> str | None:
    """Whom a catch means: of those who can be caught, and else of all others, the one who played last."""
    others = [player["name"] for player in board["players"] if player["name"] != by]
    exposed = [player["name"] for player in board["players"] if player["exposed"] and player["name"] != by]
    if len(exposed) == 1:
        return str(exposed[0])
    among = exposed or others
    return next((play["by"] for play in board["plays"] if play["by"] in among), None)
