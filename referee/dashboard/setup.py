"""Setting up a table from a phone: the wizard's page and its API. Pictures and what is found on them come from the
service as JPEG and JSON; nothing here touches a pixel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from referee.dashboard.guard import Guard, any_body, body
from referee.dashboard.live_picture import live_picture
from referee.dashboard.refused import Refused
from referee.dashboard.render import Renderer
from referee.dashboard.rules import rules_table
from referee.dashboard.table import Table

LOOKS = ("table", "cards", "buttons")
"""What a phone may look at: the table and the mat on it, cards laid out for the proof, presses of the buttons."""

SHEETS: Mapping[str, tuple[float, float]] = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Sheets whose corners may be pointed at, millimetres."""

MAT_WORDS = ("title", "discard", "draw", "ruler", "steps")
"""Words on the mat, by the last part of their phrase."""


class SetUp(Protocol):
    """What the wizard needs of the service. All methods may be called from any thread; ValueError is one line for
    people."""

    @property
    def ready(self) -> bool:
        """Whether the table can be watched: it has a calibration, or no camera to need one."""

    def look(self, what: str) -> dict[str, Any]:
        """What is known now; keeps looking at `what` (of LOOKS) for some seconds. See docs/architecture.md, "Setting
        up"."""

    def picture(self) -> bytes | None:
        """The newest picture as JPEG, None when there is none."""

    def from_corners(self, corners: Sequence[Sequence[float]], size_mm: tuple[float, float]) -> dict[str, Any]:
        """The calibration that follows from four corners of a rectangle of that size. Raises ValueError."""

    def keep(self, calibration: Mapping[str, Any]) -> None:
        """Writes the calibration, and watches with it from now on. Raises ValueError, OSError."""

    def mat(self, paper: str, words: Mapping[str, str]) -> bytes:
        """The table mat as PDF. paper: of SHEETS; words: see `referee.vision.mat_pdf`."""

    def end(self) -> None:
        """Watches the game again."""

    def rules(self) -> dict[str, Any]:
        """`preset` and `options` that a new game starts with."""

    def keep_rules(self, preset: str, options: Mapping[str, Any]) -> None:
        """Writes them. Raises ValueError, OSError."""


def make_setup(set_up: SetUp, table: Table, renderer: Renderer, guard: Guard) -> Blueprint:
    """The page /setup and the routes under /api/setup. The host's only, for they show what the camera sees."""
    routes = Blueprint("setup", __name__)

    def host_only() -> None:
        guard.host_only(table.board())

    _pages(routes, set_up, table, renderer, guard)
    _looks(routes, set_up, host_only)
    _keeping(routes, set_up, host_only)
    return routes


def _pages(routes: Blueprint, set_up: SetUp, table: Table, renderer: Renderer, guard: Guard) -> None:
    """The wizard, and the mat to print."""

    @routes.get("/setup")
    def page() -> ResponseReturnValue:
        who = guard.who(table.board())
        return renderer.page("setup", ready=set_up.ready, rules=rules_table(set_up.rules()) if who.host else None)

    @routes.get("/setup/mat-<paper>.pdf")
    def mat(paper: str) -> ResponseReturnValue:
        if paper not in SHEETS:
            raise NotFound
        pdf = set_up.mat(paper, {word: renderer.phrase(f"mat.{word}") for word in MAT_WORDS})
        name = f'inline; filename="uno-referee-mat-{paper}.pdf"'
        return Response(pdf, mimetype="application/pdf", headers={"Content-Disposition": name})


def _looks(routes: Blueprint, set_up: SetUp, host_only: Callable[[], None]) -> None:
    """What the camera sees, and what would follow from it."""

    @routes.get("/api/setup")
    def look() -> ResponseReturnValue:
        host_only()
        what = request.args.get("look", LOOKS[0])
        if what not in LOOKS:
            raise Refused("bad_field", 400, f"look: {what!r}: expected one of {', '.join(LOOKS)}")
        return jsonify(set_up.look(what))

    @routes.get("/api/setup/picture.jpg")
    def picture() -> ResponseReturnValue:
        host_only()
        return live_picture(set_up.picture())

    @routes.post("/api/setup/corners")
    def corners() -> ResponseReturnValue:
        host_only()
        data = body("corners", "size")
        points, size = data.get("corners"), data.get("size")
        if not isinstance(points, list) or len(points) != 4 or not all(_pair(point) for point in points):
            raise Refused("bad_field", 400, "corners: expected four points [x, y] in pixels of the picture")
        size_mm = SHEETS.get(size) if isinstance(size, str) else size if _pair(size) else None
        if size_mm is None:
            raise Refused("bad_field", 400, f"size: expected {', '.join(SHEETS)} or [width, height] in millimetres")
        try:
            return jsonify({"calibration": set_up.from_corners(points, (float(size_mm[0]), float(size_mm[1])))})
        except ValueError as error:
            raise Refused("bad_corners", 400, str(error)) from None


def _keeping(routes: Blueprint, set_up: SetUp, host_only: Callable[[], None]) -> None:
    """What is kept: the calibration, and the rules of a new game."""

    def kept(work: Any, *arguments: Any) -> ResponseReturnValue:
        try:
            work(*arguments)
        except ValueError as error:
            raise Refused("bad_field", 400, str(error)) from None
        return jsonify({"ready": set_up.ready})

    @routes.post("/api/setup/calibration")
    def calibration() -> ResponseReturnValue:
        host_only()
        return kept(set_up.keep, any_body())

    @routes.post("/api/setup/rules")
    def rules() -> ResponseReturnValue:
        host_only()
        data = body("preset", "options")
        preset, options = data.get("preset"), data.get("options", {})
        if not isinstance(preset, str) or not isinstance(options, dict):
            raise Refused("bad_field", 400, "preset: expected a name, and options: an object")
        return kept(set_up.keep_rules, preset, options)

    @routes.post("/api/setup/end")
    def end() -> ResponseReturnValue:
        host_only()
        set_up.end()
        return jsonify({"ready": set_up.ready})


def _pair(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e6 for v in value)
    )
