"""The page about the machine: camera, buttons, lamp. What is kept there is in force after the service has started
again, which it does by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from referee.cards import FACES
from referee.dashboard.guard import Guard, body
from referee.dashboard.refused import Refused
from referee.dashboard.render import Renderer
from referee.dashboard.table import Table


class Machine(Protocol):
    """What the page needs of the service. All methods may be called from any thread; ValueError is one line for
    people."""

    @property
    def started(self) -> str:
        """Another word after every start."""

    def fields(self) -> list[dict[str, Any]]:
        """Fields of the configuration that may be changed: name, value, default, kind, unit, low, high, choices, most.
        Raises ValueError."""

    def cameras(self) -> list[dict[str, str]]:
        """USB cameras that are plugged in: source, name."""

    def wiring(self) -> str:
        """The wiring picture, SVG. Raises ValueError."""

    def keep(self, changes: Mapping[str, Any]) -> bool:
        """Writes fields by name; whether the table must be set up again. Raises ValueError, OSError."""

    def restart(self) -> None:
        """Starts the service again."""


def make_machine(
    machine: Machine, table: Table, renderer: Renderer, guard: Guard, deck: Callable[[], dict[str, Any] | None] | None
) -> Blueprint:
    """The page /machine and the routes under /api/machine, the host's only. deck: as `pages.make_pages` takes it."""
    routes = Blueprint("machine", __name__)

    def host_only() -> None:
        guard.host_only(table.board())

    def now() -> dict[str, Any]:
        try:
            return {"started": machine.started, "fields": machine.fields(), "cameras": machine.cameras()}
        except ValueError as error:
            raise Refused("bad_setting", 400, str(error)) from None

    @routes.get("/machine")
    def page() -> ResponseReturnValue:
        return renderer.page("machine", machine=now() if guard.who(table.board()).host else None,
                             decks=deck is not None, deck=None if deck is None else deck(), faces=len(FACES))

    @routes.get("/api/machine")
    def look() -> ResponseReturnValue:
        host_only()
        return jsonify(now())

    @routes.get("/machine/wiring.svg")
    def wiring() -> ResponseReturnValue:
        host_only()
        try:
            return Response(machine.wiring(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})
        except ValueError as error:
            raise Refused("bad_setting", 400, str(error)) from None

    @routes.post("/api/machine")
    def keep() -> ResponseReturnValue:
        host_only()
        changes = body("fields").get("fields")
        if not isinstance(changes, dict):
            raise Refused("bad_field", 400, "fields: expected an object of name to value")
        try:
            return jsonify({"set_up_again": machine.keep(changes)})
        except ValueError as error:
            raise Refused("bad_setting", 400, str(error)) from None

    @routes.post("/api/machine/restart")
    def restart() -> ResponseReturnValue:
        host_only()
        machine.restart()
        return jsonify({"started": machine.started})

    return routes
