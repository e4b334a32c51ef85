"""Hands shown to the camera: for their points, and in a challenge, where only the challenger sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from referee.cards import Card
from referee.dashboard.guard import Guard, Who, body
from referee.dashboard.live_picture import live_picture
from referee.dashboard.people import People
from referee.dashboard.refused import Refused
from referee.dashboard.table import Table
from referee.storage import JournalError


class Shows(Protocol):
    """What the pages need of the camera (docs/architecture.md, "A hand that is shown"). ValueError is one line for
    people."""

    def begin(self, player: str) -> dict[str, Any]:
        """Reads this player's hand from now on instead of watching the pile."""

    def state(self) -> dict[str, Any] | None:
        """What is known of the hand now, None when none is being shown. `challenge`: it is shown in a challenge."""

    @property
    def picture(self) -> bytes | None:
        """What the camera sees of it, JPEG."""

    def accept(self, author: str, cards: Sequence[Card] | None = None) -> int:
        """Records the hand, with the cards that people named if they did; in a challenge only the verdict is kept."""

    def cancel(self) -> None:
        """Watches the pile again."""


def make_hands(shows: Shows, table: Table, guard: Guard, people: People) -> Blueprint:
    """Routes under /api/hand."""
    routes, who_may = Blueprint("hands", __name__), _WhoMay(shows, table, guard, people)
    _looks(routes, who_may)
    _decides(routes, who_may)
    return routes


@dataclass(frozen=True, slots=True)
class _WhoMay:
    """Who may see the hand that is shown, and decide about it."""

    shows: Shows
    table: Table
    guard: Guard
    people: People

    def sees(self, who: Who, board: Mapping[str, Any], hand: Mapping[str, Any]) -> bool:
        """In a challenge the hand is for the challenger's eyes only; the host stands in for one without a phone."""
        if not hand["challenge"]:
            return True
        challenger = next((name for name, can in board["actions"].items() if "challenge_result" in can), None)
        if challenger is None:  # decided in this instant
            return False
        return who.name == challenger or (who.host and challenger not in self.people.here())

    def player(self) -> tuple[Who, dict[str, Any]]:
        """Who asks, a player or a host, and the board. Raises Refused."""
        board = self.table.board()
        who = self.guard.who(board)
        if not (who.plays or who.host):
            raise Refused("join_first", 403, "choose your name first")
        return who, board

    def judge(self) -> Who:
        """Who asks, a player or a host who sees the hand. Raises Refused."""
        who, board = self.player()
        hand = self.shows.state()
        if hand is not None and not self.sees(who, board, hand):
            raise Refused("not_your_hand", 403, "only the challenger sees this hand")
        return who


def _looks(routes: Blueprint, who_may: _WhoMay) -> None:
    """The hand as far as it is known, and its picture."""
    shows, table, guard = who_may.shows, who_may.table, who_may.guard

    @routes.get("/api/hand")
    def state() -> ResponseReturnValue:
        board, hand = table.board(), shows.state()
        if hand is None or who_may.sees(guard.who(board), board, hand):
            return jsonify({"hand": hand})
        return jsonify({"hand": {"player": hand["player"], "hidden": True, "settled": hand["settled"]}})

    @routes.get("/api/hand/picture.jpg")
    def picture() -> ResponseReturnValue:
        board, hand = table.board(), shows.state()
        if hand is None or not who_may.sees(guard.who(board), board, hand):
            raise Refused("no_photo", 404, "no hand is shown to this phone")
        return live_picture(shows.picture)


def _counts(board: Mapping[str, Any]) -> None:
    """Raises Refused while play is paused: no hand that is shown counts then."""
    if board["paused"]:
        raise Refused("paused", 409, "play is paused: no hand that is shown counts")


def _decides(routes: Blueprint, who_may: _WhoMay) -> None:
    """Beginning to show a hand, agreeing to what was read, and leaving off."""
    shows = who_may.shows

    @routes.post("/api/hand/begin")
    def begin() -> ResponseReturnValue:
        _, board = who_may.player()
        name = body("player").get("player")
        if board["phase"] == "challenge" and (board["wd4"] is None or name != board["wd4"]["offender"]):
            raise Refused("bad_field", 400, "player: in a challenge only the offender shows the hand")
        _counts(board)
        if board["phase"] not in ("challenge", "hand_over"):
            raise Refused("refused", 409, "hands are shown at the end of a hand and in a challenge")
        try:
            return jsonify({"player": shows.begin(str(name))["player"]})
        except ValueError as error:
            raise Refused("no_camera", 409, str(error)) from None

    @routes.post("/api/hand/accept")
    def accept() -> ResponseReturnValue:
        who, named = who_may.judge(), body("cards").get("cards")
        _counts(who_may.table.board())
        try:
            cards = None if named is None else [Card.parse(text) for text in named]
        except (ValueError, TypeError, AttributeError) as error:
            raise Refused("bad_field", 400, f"cards: {error}") from None
        try:
            return jsonify({"number": shows.accept(who.author, cards)})
        except JournalError as error:
            raise Refused("not_kept", 503, str(error)) from None
        except ValueError as error:
            raise Refused("hand_unread", 409, str(error)) from None

    @routes.post("/api/hand/cancel")
    def cancel() -> ResponseReturnValue:
        who_may.player()
        body()
        shows.cancel()
        return jsonify({})
