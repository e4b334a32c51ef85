"""What `GET /api` answers: every endpoint, who may use it, and the schema of what it takes."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from referee.dashboard.actions import ACTIONS
from referee.paths import shipped

_NAME = {"type": "string", "minLength": 1, "maxLength": 16}
_READ: tuple[tuple[str, str], ...] = (
    ("/api", "this description"),
    (
        "/api/board",
        "the board; `since=TAG` (header X-Board-Tag of an earlier answer): 204 while nothing is new; "
        "`lang=en|de|es`: of its sentences, else the table's; header X-Scripts: the version of the pages' scripts",
    ),
    (
        "/api/stream",
        "server-sent events named `board`, id = tag; `Last-Event-ID` or `since=TAG` resumes; `lang` as of the board; "
        "503: poll",
    ),
    ("/api/me", "name and role of this phone; `code`: the table's, for players and hosts; `asks`: a name it asks for"),
    ("/photo/<photo_id>.jpg", "a photo named by a ruling or a play"),
    ("/qr.svg", "the join address as a QR code"),
    ("/api/games", "every game of the journal, newest first"),
    ("/api/games/<int:game>", "a game: score sheet, the referee's own record, what each player did"),
    ("/api/games/<int:game>/hands/<int:hand>", "a hand, step by step, with the position after each"),
    ("/api/games/<int:game>/log.json", "the game's log, as `referee judge` reads it"),
    ("/api/games/<int:game>/scores.csv", "the totals after each hand"),
    ("/api/statistics", "what each player did in all games together, and in each, oldest first"),
    ("/api/statistics.csv", "a line for each player of each game"),
    ("/api/backup.zip", "games, photos and how the table is set up in one file; hosts only"),
)
_SAY: tuple[tuple[str, str, str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "/api/join",
        "anyone",
        "takes a name; 409 name_taken when another phone holds it, unless `code` is the table's",
        {"name": _NAME, "code": {"type": "string"}},
        ("name",),
    ),
    ("/api/claim", "anyone", "asks a host for a name that another phone holds", {"name": _NAME}, ("name",)),
    (
        "/api/claim/answer",
        "host",
        "gives the name to the phone that asks for it, or does not",
        {"name": _NAME, "give": {"type": "boolean"}},
        ("name", "give"),
    ),
    (
        "/api/rename",
        "player",
        "another name; in a running game the player's whole record follows",
        {"name": _NAME, "to": _NAME},
        ("name", "to"),
    ),
    ("/api/leave", "anyone", "gives the name back", {}, ()),
    ("/api/host", "anyone", "becomes host; 429 after too many wrong PINs", {"pin": {"type": "string"}}, ("pin",)),
    (
        "/api/host/first",
        "anyone",
        "becomes the first host with the table's code, and chooses the PIN; 409 has_host later",
        {"code": {"type": "string"}, "pin": {"type": "string", "pattern": "^[0-9]{4,6}$"}},
        ("code", "pin"),
    ),
    ("/api/host/end", "anyone", "is host no more", {}, ()),
    ("/api/host/release", "host", "takes the name off the phone that holds it", {"name": _NAME}, ("name",)),
    ("/api/host/pass", "host", "the phone that holds the name is host instead", {"name": _NAME}, ("name",)),
    ("/api/appeal", "player", "doubts a ruling by its `id`; play pauses", {"ruling": {"type": "string"}}, ("ruling",)),
    ("/api/appeal/vote", "player", "a vote; a host's decides", {"overrule": {"type": "boolean"}}, ("overrule",)),
    ("/api/appeal/drop", "player", "the one who appealed lets it go", {}, ()),
    (
        "/api/game",
        "host",
        "starts a new game",
        {
            "players": {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 10},
            "preset": {"type": "string"},
            "dealer": {"type": "string"},
            "options": {"type": "object"},
            "table": {"type": "integer", "minimum": 1},
            "after": {
                "type": ["integer", "null"],
                "description": "`game` on the board of the game before. Where another has begun since: its number if it"
                " is the same game, else 409 game_begun",
            },
        },
        ("players", "preset"),
    ),
)
_SET_UP_READ: tuple[tuple[str, str], ...] = (
    ("/api/setup", "what the camera sees and what is known of the table; `look`: table, cards or buttons. Host only"),
    ("/api/setup/picture.jpg", "the camera's newest picture, 204 while there is none. Host only"),
)
_POINTS = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}, "minItems": 4, "maxItems": 4}
_SET_UP_SAY: tuple[tuple[str, str, str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "/api/setup/corners",
        "host",
        "the calibration that follows from four corners in the picture; `size`: a4, letter or [mm, mm]",
        {"corners": _POINTS, "size": {"type": ["string", "array"]}},
        ("corners", "size"),
    ),
    ("/api/setup/calibration", "host", "watches with it from now on; calibration/table.schema.json", {}, ()),
    (
        "/api/setup/rules",
        "host",
        "what a new game starts with",
        {"preset": {"type": "string"}, "options": {"type": "object"}},
        ("preset",),
    ),
    ("/api/setup/end", "host", "watches the game again", {}, ()),
)
_ANY = ("/api/setup/calibration",)
"""What takes a file with a schema of its own."""
_HANDS_READ: tuple[tuple[str, str], ...] = (
    ("/api/hand", "the hand that is being shown to the camera, null without one; in a challenge the challenger's only"),
    ("/api/hand/picture.jpg", "what the camera sees of it, to the same phones"),
)
_HANDS_SAY: tuple[tuple[str, str, str, dict[str, Any], tuple[str, ...]], ...] = (
    ("/api/hand/begin", "player", "this player shows the hand to the camera", {"player": _NAME}, ("player",)),
    (
        "/api/hand/accept", "player", "the hand counts, as read or with these cards; in a challenge for the challenger",
        {"cards": {"type": "array", "items": {"type": "string"}}}, (),
    ),
    ("/api/hand/cancel", "player", "the camera watches the pile again", {}, ()),
)
_VOICE_SAY: tuple[tuple[str, str, str, dict[str, Any], tuple[str, ...]], ...] = (
    (
        "/api/voice", "host",
        "how the referee's own voice speaks; what is left out stays; `language`: empty for the table's",
        {
            "on": {"type": "boolean"}, "volume": {"type": "integer", "minimum": 0, "maximum": 100},
            "language": {"enum": ["", "en", "de", "es"]}, "brief": {"type": "boolean"},
        }, (),
    ),
    ("/api/voice/try", "host", "it says a sentence", {}, ()),
)  # fmt: skip
_MORE = {
    "setup": (_SET_UP_READ, _SET_UP_SAY),
    "hands": (_HANDS_READ, _HANDS_SAY),
    "voice": ((("/api/voice", "how the referee's own voice speaks. Host only"),), _VOICE_SAY),
}
_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "message": {"type": "string"}},
    "required": ["error", "message"],
}


def describe(parts: Collection[str]) -> dict[str, Any]:
    """The description as JSON: the schema of the board, and endpoints with method, path, role, note and body schema.

    parts: what there is besides the game: "setup", the wizard; "hands" that are shown; the referee's own "voice".
    """
    read, say = [*_READ], [*_SAY]
    for part in ("setup", "hands", "voice"):
        if part in parts:
            read += _MORE[part][0]
            say += _MORE[part][1]
    endpoints: list[dict[str, Any]] = [{"method": "GET", "path": p, "role": "anyone", "note": n} for p, n in read]
    for path, role, note, fields, needs in say:
        schema = {"type": "object", "properties": fields, "required": list(needs), "additionalProperties": path in _ANY}
        endpoints.append({"method": "POST", "path": path, "role": role, "note": note, "body": schema})
    for name, action in ACTIONS.items():
        endpoints.append(
            {
                "method": "POST", "path": f"/api/act/{name}", "role": "host" if action.host else "player",
                "note": action.note, "body": action.schema(),
            }
        )  # fmt: skip
    board = json.loads((shipped("web") / "board.schema.json").read_text(encoding="utf-8"))
    return {"board": board, "error": _ERROR, "endpoints": endpoints}
