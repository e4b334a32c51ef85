"""The JSON API: what phones and scripts ask and say. `GET /api` describes it."""

from __future__ import annotations

import re
import threading
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from referee.dashboard.actions import ACTIONS, follows, make_event
from referee.dashboard.appeals import Appeals
from referee.dashboard.describe import describe
from referee.dashboard.guard import Guard, any_body, body, may_act
from referee.dashboard.live import Live, Stream
from referee.dashboard.people import clean_name
from referee.dashboard.refused import Refused
from referee.dashboard.settings import LANGUAGES, DashboardSettings
from referee.dashboard.table import Table
from referee.events import GameStarted, HandDealt
from referee.rules import MOST_PLAYERS
from referee.storage import JournalError

POLL_S = 2
"""Seconds a screen without a stream waits between questions. Less loads the Pi, more makes phones feel late."""
_PHOTO_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FOREVER = "private, max-age=31536000, immutable"


def make_api(
    table: Table, settings: DashboardSettings, guard: Guard, live: Live, appeals: Appeals
) -> Blueprint:
    """Routes under /api, and the photos."""
    api = Blueprint("api", __name__)
    starting = threading.Lock()

    @api.get("/api")
    def about() -> ResponseReturnValue:
        return jsonify(describe({"setup", "hands", "voice"} & set(current_app.blueprints)))

    @api.get("/api/board")
    def board() -> ResponseReturnValue:
        live.heard(guard.phone)
        tag, text = live.newest(_language())
        told = {"X-Board-Tag": tag, "X-Scripts": live.scripts}
        if request.args.get("since") == tag:
            return Response(status=204, headers=told)
        return Response(text, mimetype="application/json", headers=told)

    @api.get("/api/stream")
    def stream() -> ResponseReturnValue:
        language = _language()
        if not live.open_stream():
            return Response(status=503, headers={"Retry-After": str(POLL_S)})
        tag = request.headers.get("Last-Event-ID") or request.args.get("since")
        parts = Stream(live, tag, settings.comment_s, language, guard.phone)
        return Response(parts, mimetype="text/event-stream", headers={"Cache-Control": "no-store"})

    @api.post("/api/game")
    def game() -> ResponseReturnValue:
        data, who = body("players", "preset", "dealer", "options", "table", "after"), guard.who(table.board())
        if not who.host:
            raise Refused("host_only", 403, "only a host may start a game")
        players, dealer, preset, options = _game(data, settings)
        at = _whole(data, "table", 1, "the number of this table, from 1")
        after = _whole(data, "after", None, "`game` on the board of the game before, 0 before the first one")
        with starting:
            number = table.board()["game"]
            if after in (None, number):
                try:
                    number = table.start_game(players, preset, dealer, options, who.author, at)
                except ValueError as error:
                    raise _refused(error, "no_start", n=len(players)) from None
            elif _as_started(table) != (tuple(players), preset, dealer, options, at):
                raise Refused("game_begun", 409, f"after: game {number} has begun meanwhile")
            return jsonify({"number": number})

    @api.post("/api/act/<name>")
    def act(name: str) -> ResponseReturnValue:
        if name not in ACTIONS:
            raise Refused("no_action", 404, f"{name!r} is no action; expected one of {', '.join(ACTIONS)}")
        data, present = any_body(), table.board()
        who = guard.who(present)
        by = may_act(who, name, data.get("by"))
        event, after = make_event(name, data, by, present), follows(data)
        if isinstance(event, HandDealt) and event.ends not in (None, present["deal"]):
            return jsonify({"number": present["deal"]})  # two tapped at once, and it is dealt already
        try:
            number = table.record(event, who.author) if after is None else table.insert(event, after, who.author)
            appeals.settle()
        except ValueError as error:
            raise _refused(error) from None
        return jsonify({"number": number})

    @api.get("/photo/<photo_id>.jpg")
    def photo(photo_id: str) -> ResponseReturnValue:
        jpeg = table.photo(photo_id) if _PHOTO_ID.fullmatch(photo_id) else None
        if jpeg is None:
            raise Refused("no_photo", 404, "no such photo")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": _FOREVER})

    return api


def _language() -> str | None:
    """The language that was asked for, None for the table's. Raises Refused."""
    asked = request.args.get("lang")
    if asked is not None and asked not in LANGUAGES:
        raise Refused("bad_field", 400, f"lang: {asked[:40]!r}; expected one of {', '.join(LANGUAGES)}")
    return asked


def _refused(error: Exception, code: str = "refused", **more: Any) -> Refused:
    """What the table said when it could not do something: 503 when it could not be written down."""
    if isinstance(error, JournalError):
        return Refused("not_kept", 503, str(error))
    return Refused(code, 409, str(error), **more)


def _whole(data: dict[str, Any], field: str, default: int | None, expected: str) -> Any:
    """A whole number that was sent, `default` without one. Raises Refused."""
    value = data.get(field, default)
    if value is not default and (not isinstance(value, int) or isinstance(value, bool)):
        raise Refused("bad_field", 400, f"{field}: {value!r}; expected {expected}")
    return value


def _as_started(table: Table) -> tuple[object, ...] | None:
    """What the last game was started with, in the order of `Table.start_game`."""
    games = table.games()
    last = games[-1].event if games else None
    if not isinstance(last, GameStarted):
        return None
    return last.players, last.preset, last.dealer, dict(last.options), last.table


def _game(data: dict[str, Any], settings: DashboardSettings) -> tuple[list[str], str, str, dict[str, Any]]:
    """Players, dealer, preset and options of a new game. Raises Refused naming the field."""
    names = data.get("players")
    if not isinstance(names, list) or not 2 <= len(names) <= MOST_PLAYERS:
        raise Refused("bad_players", 400, f"players: expected 2 to {MOST_PLAYERS} names in clockwise order")
    players = [clean_name(name) for name in names]
    if len({name.casefold() for name in players}) < len(players):
        raise Refused("same_name", 400, "players: two have the same name")
    dealer, preset, options = data.get("dealer", players[0]), data.get("preset"), data.get("options", {})
    if dealer not in players:
        raise Refused("bad_field", 400, f"dealer: {dealer!r} is not among the players")
    if preset not in settings.presets:
        raise Refused("bad_field", 400, f"preset: {preset!r}; expected one of {', '.join(settings.presets)}")
    if not isinstance(options, dict):
        raise Refused("bad_field", 400, "options: expected an object")
    return players, str(dealer), str(preset), options
