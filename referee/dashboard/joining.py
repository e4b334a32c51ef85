"""Who is who: taking a name, getting it back on another phone, the host's PIN, and passing the host's role on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from referee.dashboard.appeals import Appeals
from referee.dashboard.guard import Guard, body
from referee.dashboard.live import Live
from referee.dashboard.people import NameTaken, People, clean_name
from referee.dashboard.refused import Refused
from referee.dashboard.table import Table
from referee.events import Rename
from referee.storage import JournalError


def make_joining(table: Table, guard: Guard, people: People, appeals: Appeals, live: Live) -> Blueprint:
    """Routes /api/me, /api/join, /api/claim, /api/leave, /api/rename and /api/host."""
    routes, door = Blueprint("joining", __name__), _Door(table, guard, people, live)
    routes.get("/api/me")(door.me)
    _names(routes, door)
    _renaming(routes, door, appeals)
    _hosts(routes, door)
    return routes


@dataclass(frozen=True, slots=True)
class _Door:
    """What all of these routes need."""

    table: Table
    guard: Guard
    people: People
    live: Live

    def me(self) -> ResponseReturnValue:
        """Who this phone is, and which name it asks a host for."""
        who = self.guard.who(self.table.board())
        code = self.people.code if who.plays or who.host else None
        return jsonify({
            "name": who.name, "role": who.role, "plays": who.plays, "host": who.host, "code": code,
            "asks": self.guard.asks,
        })  # fmt: skip

    def told(self) -> ResponseReturnValue:
        """Who this phone is now; every screen hears of the change."""
        self.live.poke()
        return self.me()

    def known(self, board: Mapping[str, Any]) -> list[str]:
        """Names that are in use."""
        return [*(player["name"] for player in board["players"]), *self.people.names()]

    def asked_name(self, data: dict[str, Any]) -> str:
        """The name that was sent. Raises Refused."""
        return clean_name(data.get("name"), self.known(self.table.board()))

    def host_only(self) -> None:
        """Raises Refused when this phone is no host."""
        self.guard.host_only(self.table.board())


def _names(routes: Blueprint, door: _Door) -> None:
    """Taking a name, asking for one that another phone holds, and giving it back."""
    guard, people = door.guard, door.people

    @routes.post("/api/join")
    def join() -> ResponseReturnValue:
        data = body("name", "code")
        code = data.get("code")
        if code is not None and not isinstance(code, str):
            raise Refused("bad_field", 400, "code: expected the four digits of the big screen")
        try:
            guard.join(door.asked_name(data), code)
        except NameTaken as taken:
            raise Refused("name_taken", 409, f"another phone holds {taken}", name=str(taken)) from None
        except ValueError as error:
            raise Refused("bad_name", 400, str(error)) from None
        return door.told()

    @routes.post("/api/claim")
    def claim() -> ResponseReturnValue:
        name = door.asked_name(body("name"))
        if name not in people.names():
            raise Refused("nobody", 409, f"no phone holds {name!r}: join with it", name=name)
        guard.claim(name)
        return door.told()

    @routes.post("/api/claim/answer")
    def answer() -> ResponseReturnValue:
        door.host_only()
        data = body("name", "give")
        try:
            people.settle(door.asked_name(data), give=data.get("give") is True)
        except KeyError as name:
            raise Refused("nobody", 409, f"no phone asks for {name}") from None
        return door.told()

    @routes.post("/api/leave")
    def leave() -> ResponseReturnValue:
        guard.leave()
        return door.told()


def _renaming(routes: Blueprint, door: _Door, appeals: Appeals) -> None:
    """Another name, also for somebody in a running game."""
    people = door.people

    @routes.post("/api/rename")
    def rename() -> ResponseReturnValue:
        data, board = body("name", "to"), door.table.board()
        who, old = door.guard.who(board), door.asked_name(data)
        if not (who.host or who.name == old):
            raise Refused("host_only", 403, "only a host may rename somebody else")
        to = clean_name(data.get("to"), [name for name in door.known(board) if name != old])
        if to == old:
            return door.me()
        if to in people.names():
            raise Refused("same_name", 409, f"another phone holds {to}")
        players = [player["name"] for player in board["players"]]
        if old not in players and old not in people.names():
            raise Refused("nobody", 409, f"nobody is called {old!r}", name=old)
        if old in players:
            _rename_player(door.table, old, to, who.author)
            appeals.rename(old, to)
        elif to in players:
            raise Refused("name_plays", 409, f"{to!r} plays already", name=to)
        if old in people.names():
            people.rename(old, to)
        return door.told()


def _hosts(routes: Blueprint, door: _Door) -> None:
    """Becoming host, by PIN or as the first one, and passing the role on."""
    guard = door.guard

    @routes.post("/api/host")
    def host() -> ResponseReturnValue:
        guard.become_host(str(body("pin").get("pin", "")))
        return door.told()

    @routes.post("/api/host/first")
    def first_host() -> ResponseReturnValue:
        data = body("code", "pin")
        guard.be_first_host(str(data.get("code", "")), str(data.get("pin", "")))
        return door.told()

    @routes.post("/api/host/end")
    def end_host() -> ResponseReturnValue:
        guard.end_host()
        return door.told()

    @routes.post("/api/host/release")
    def release() -> ResponseReturnValue:
        door.host_only()
        name = door.asked_name(body("name"))
        try:
            door.people.release(name)
        except KeyError:
            raise Refused("nobody", 409, f"no phone holds {name!r}", name=name) from None
        return door.told()

    @routes.post("/api/host/pass")
    def pass_host() -> ResponseReturnValue:
        door.host_only()
        name = door.asked_name(body("name"))
        try:
            guard.pass_host(name)
        except KeyError:
            raise Refused("nobody", 409, f"no phone holds {name!r}", name=name) from None
        return door.told()


def _rename_player(table: Table, old: str, to: str, author: str) -> None:
    """The game's whole record calls the player `to` from now on. Raises Refused."""
    try:
        table.record(Rename(player=old, to=to), author)
    except JournalError as error:
        raise Refused("not_kept", 503, str(error)) from None
    except ValueError as error:
        raise Refused("name_plays", 409, str(error), name=to) from None
