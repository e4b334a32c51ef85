"""What a phone may do: one table that makes the routes, checks the fields, and writes the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.cards import Card, Colour
from referee.dashboard.people import clean_name
from referee.dashboard.refused import Refused
from referee.event_json import decode
from referee.events import Event, Seen
from referee.rules import MOST_PLAYERS

FIELDS: Mapping[str, tuple[dict[str, Any], str]] = {
    "by": ({"type": "string"}, "the player who did it; the phone's own seat unless a host says otherwise"),
    "on": ({"type": "string"}, "the player it is about"),
    "player": ({"type": "string"}, "the player it is about"),
    "after": ({"type": ["string", "null"]}, "the player whose left the newcomer sits at; null: last"),
    "target": ({"type": "string"}, "the player to swap hands with"),
    "colour": ({"enum": [colour.value for colour in Colour]}, "colour letter"),
    "card": ({"type": "string"}, "card in the notation of CONTRACT.md, for example R7, G+2 or W+4"),
    "guilty": ({"type": "boolean"}, "whether the hand showed a card of the earlier colour"),
    "n": ({"type": "integer", "minimum": 0, "maximum": 999}, "a number of cards or points"),
    "question": ({"type": "string"}, "`id` or `kind` of the question on the board"),
    "value": ({}, "the answer: one of the question's options"),
    "what": (
        {"enum": ["legal", "illegal", "void", "turn"]},
        "legal: the card stands; illegal: it does not; void: the rulings on `ref` do not count; turn: `player` is next",
    ),
    "ref": ({"type": ["integer", "null"]}, "number of the event on the board"),
    "follows": ({"type": ["integer", "null"]}, "`ref` of the play it came right after; null: it landed last"),
    "dealer": ({"type": ["string", "null"]}, "who deals; null: by the rotation"),
    "ends": (
        {"type": ["integer", "null"]},
        "`deal` on the board of the hand that ends; nothing happens if another was dealt since; null: the present hand",
    ),
}
"""Every field of an action: its JSON Schema and what it means."""


CARD_RULINGS = frozenset({"illegal_card", "out_of_turn", "draw_first"})
"""Rulings about a card: overruling one lets the card stand."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a phone may say. event: its name in the vocabulary of events. host: only for a host.

    named: the field of the event that carries the player who did it, None when it has none.
    anyones: any player may say it of another, and nobody is meant when nobody is named.
    """

    event: str
    note: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    host: bool = False
    named: str | None = "by"
    anyones: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields it takes."""
        return (*self.needs, *self.may, *(("by",) if self.named else ()))

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the body."""
        return {
            "type": "object",
            "properties": {name: {**FIELDS[name][0], "description": FIELDS[name][1]} for name in self.fields},
            "required": list(self.needs),
            "additionalProperties": False,
        }


ACTIONS: Mapping[str, Action] = {
    "uno": Action("uno", "the UNO call: a spare for the button on the table"),
    "catch": Action("catch", "a player with one card did not call UNO", ("on",)),
    "colour": Action("colour", "the colour named for a wild", ("colour",)),
    "target": Action("target", "the player to swap hands with", ("target",)),
    "challenge": Action("challenge", "a Wild Draw Four is challenged"),
    "challenge_result": Action("challenge_result", "what the shown hand proved", ("guilty",)),
    "drew": Action("draw", "cards were drawn that the camera missed", (), ("n",)),
    "pass": Action("pass", "the drawn card is kept"),
    "suggestion": Action(
        "suggestion", "a player suggested a card to somebody; a second phone confirms it", ("on",)
    ),
    "count": Action("count", "a player says how many cards a hand holds", ("player", "n")),
    "points": Action("points", "points in a hand at the end, typed in", ("player", "n")),
    "answer": Action("answer", "the answer to the question on the board", ("question", "value")),
    "correct": Action(
        "correct", "a play was another card, by another player, or of another colour", ("ref",),
        ("card", "player", "colour"),
    ),
    "missed": Action("discard", "a card landed that the camera missed", ("card",), ("follows",), anyones=True),
    "lifted": Action("lift", "the top card was taken back and the camera missed it", anyones=True),
    "goes": Action("override", "the card that the referee asks about counts; not for who laid it", ("ref",)),
    "undo": Action("undo", "an event does not count; without `ref` the last one", (), ("ref",)),
    "pause": Action("pause", "play pauses; what the camera sees does not count"),
    "resume": Action("resume", "play goes on"),
    "override": Action("override", "the table overrules the referee", ("what",), ("ref", "player"), host=True),
    "next_hand": Action("hand_dealt", "the next hand is dealt", (), ("dealer", "ends"), named=None),
    "add_player": Action("join", "a player joins the game", ("player",), ("after",), host=True, named=None),
    "remove_player": Action("leave", "a player leaves the game", ("player",), host=True, named=None),
}
"""Every action by the last part of its path under /api/act/."""


def make_event(name: str, body: Mapping[str, Any], by: str | None, board: Mapping[str, Any]) -> Event:
    """The event that the action `name` with `body` stands for, happening now. Raises Refused naming the field.

    by: the player who acts, as found out by the caller.
    """
    action = ACTIONS[name]
    data: dict[str, Any] = {key: body[key] for key in action.fields if key in body and key not in ("by", "follows")}
    for key in action.needs:
        if key not in data:
            raise Refused("bad_field", 400, f"{key}: missing; {FIELDS[key][1]}")
    for key in set(body) - set(action.fields):
        raise Refused("bad_field", 400, f"{key}: unknown; expected {', '.join(action.fields) or 'no field'}")
    players = [player["name"] for player in board["players"]]
    elsewhere = name == "points" and (board["question"] or {}).get("kind") == "other_table"
    for key in ("on", "target", "dealer", "after") + (() if name == "add_player" or elsewhere else ("player",)):
        if data.get(key) is not None and data[key] not in players:
            raise Refused("bad_field", 400, f"{key}: {data[key]!r} does not play; expected one of {', '.join(players)}")
    if by is not None and by not in players:
        raise Refused("bad_field", 400, f"by: {by!r} does not play; expected one of {', '.join(players)}")
    if name == "add_player":
        data["player"] = _newcomer(data["player"], board)
    elif name == "correct":
        data = {"ref": data["ref"], "fields": _corrected(data)}
    elif name == "missed":
        data |= {"card": _card(data["card"]), "named": True, "typed": True}
    elif name == "goes":
        _doubted(data["ref"], by, board)
        data["what"] = "legal"
    if action.named and by is not None:
        data[action.named] = by
    if name == "drew" and "n" not in body:
        data["n"] = _owed(by, board)
    try:
        event = decode({"ev": action.event, **data})
    except ValueError as error:
        raise Refused("bad_field", 400, str(error)) from None
    if board["paused"] and isinstance(event, Seen) and body.get("follows") is None:
        raise Refused("paused", 409, "play is paused: what happens at the table does not count")
    return event


def _doubted(ref: Any, by: str | None, board: Mapping[str, Any]) -> None:
    """Whether somebody's word makes the card count that the referee asks about; another's than who laid it is the
    assent that RULES 11 want. Raises Refused."""
    laid = board["takeback"]
    asked = next((one for one in board["rulings"] if one["ref"] == ref and one["code"] in CARD_RULINGS), None)
    if laid is None or asked is None or asked["overruled"] or asked["cards"] != [laid["card"]]:
        raise Refused("no_ruling", 409, f"ref: no card that lies there now is asked about as {ref!r}")
    if asked["tier"] != "ask":
        raise Refused("no_ruling", 409, "ref: that was ruled: appeal")
    if by == laid["player"]:
        raise Refused("not_alone", 403, "another player says so, or the host overrules")


def _newcomer(name: Any, board: Mapping[str, Any]) -> str:
    """The name of somebody who sits down at a running game, who would else be ignored or be somebody else's double."""
    players = [player["name"] for player in board["players"]]
    if board["phase"] in (None, "game_over"):
        raise Refused("refused", 409, "player: there is no game to join")
    if len(players) >= MOST_PLAYERS:
        raise Refused("bad_players", 400, f"player: {MOST_PLAYERS} play already")
    if not board["room"]:
        raise Refused("no_room", 409, "player: the deck has too few cards for one more, or a tournament is played")
    newcomer = clean_name(name, players)
    if newcomer in players:
        raise Refused("same_name", 400, f"player: {newcomer!r} plays already")
    return newcomer


def _card(text: Any) -> str:
    try:
        return str(Card.parse(text))
    except (ValueError, AttributeError) as error:
        raise Refused("bad_field", 400, f"card: {error}") from None


def _corrected(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a person says of a play is certain."""
    fields: dict[str, Any] = {}
    if data.get("card") is not None:
        fields |= {"card": _card(data["card"]), "confidence": 1.0, "sure": True}
    if data.get("player") is not None:
        fields |= {"by": data["player"], "side": 1.0}
    if data.get("colour") is not None:
        if data["colour"] not in FIELDS["colour"][0]["enum"]:
            raise Refused("bad_field", 400, "colour: expected R, Y, G or B")
        fields |= {"colour": data["colour"]}
    if not fields:
        raise Refused("bad_field", 400, "card: missing; say which card it was, by which player, or its colour")
    return fields


def _owed(by: str | None, board: Mapping[str, Any]) -> int:
    """What a player who "drew" without a number took: all that is owed or falls on whoever is in turn, else one card
    (RULES 6.3, 6.8)."""
    for player in board["players"]:
        if player["name"] == by and player["due"]:
            return sum(due["n"] for due in player["due"])
    return board["pending"] if by == board["turn"] and board["pending"] else 1


def follows(body: Mapping[str, Any]) -> int | None:
    """The event that an action comes right after, None when it happens now. Raises Refused."""
    ref = body.get("follows")
    if ref is not None and (not isinstance(ref, int) or isinstance(ref, bool)):
        raise Refused("bad_field", 400, f"follows: {ref!r}: expected the number of a play")
    return ref
