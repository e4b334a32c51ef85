"""Enrolling a deck from a phone: the page and its API. What the camera sees of it comes from the service as JPEG and
JSON; nothing here touches a pixel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from referee.cards import FACES, Card
from referee.dashboard.guard import Guard, body
from referee.dashboard.live_picture import live_picture
from referee.dashboard.refused import Refused
from referee.dashboard.render import Renderer
from referee.dashboard.table import Table

MOST_LETTERS = 24
"""Of a deck's name. Fewer: editions of long names are cut; more: it does not fit on a phone."""


class NotNow(ValueError):
    """What was asked for cannot be done as things stand. code: names the phrase `error.CODE`."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class Decks(Protocol):
    """What the page needs of the service (docs/architecture.md, "Enrolling at the table"). All methods may be called
    from any thread; all but `summary` and `hint` may raise NotNow and OSError."""

    def summary(self) -> dict[str, Any] | None:
        """The deck whose file is there: `name`, how many `faces`, and whether it is `used`, which it is not before it
        was learned for these networks; None where there is none."""

    def hint(self) -> dict[str, Any] | None:
        """Why the host should show the deck: `unsure` of the last `of` cards, and of which `faces` of the deck in use,
        empty without one; None where nothing speaks for it or the host has heard it."""

    def hush(self) -> None:
        """The host has heard the hint of this game."""

    def look(self) -> dict[str, Any]:
        """All that the page shows; keeps the camera looking for some seconds if it looks."""

    def picture(self) -> bytes | None:
        """What the camera saw last, JPEG, None when it does not look."""

    def begin(self) -> None:
        """Looks for faces instead of watching the game."""

    def pause(self) -> None:
        """Watches the game again; what was seen is kept."""

    def put_off(self, face: Card) -> None:
        """If this face is wanted, it comes last."""

    def again(self, face: Card) -> None:
        """This face comes next, whether it was seen or not."""

    def rename(self, name: str) -> None:
        """The deck is called otherwise."""

    def start_over(self) -> None:
        """Forgets what was seen; a deck in use stays in use."""

    def forget(self) -> None:
        """Forgets what was seen, and the deck in use."""

    def finish(self) -> None:
        """Learns the deck from what was seen."""

    def stop(self) -> None:
        """Ends the learning, and forgets how it went."""


def make_deck(
    decks: Decks, table: Table, renderer: Renderer, guard: Guard, poke: Callable[[], None]
) -> Blueprint:
    """The page /deck and the routes under /api/deck. The host's only, for they show what the camera sees. poke(): tells
    every screen that the hint on the board may be another."""
    routes = Blueprint("deck", __name__)

    def host_only() -> None:
        guard.host_only(table.board())

    def done(work: Callable[..., None], *arguments: Any) -> ResponseReturnValue:
        try:
            work(*arguments)
            poke()
            return jsonify(decks.look())
        except NotNow as error:
            raise Refused(error.code, 409, str(error)) from None

    @routes.get("/deck")
    def page() -> ResponseReturnValue:
        faces = [str(face) for face in FACES]
        who = guard.who(table.board())
        return renderer.page("deck", faces=faces, deck=decks.look() if who.host else None)

    @routes.get("/api/deck")
    def look() -> ResponseReturnValue:
        host_only()
        return jsonify(decks.look())

    @routes.get("/api/deck/picture.jpg")
    def picture() -> ResponseReturnValue:
        host_only()
        return live_picture(decks.picture())

    plain: dict[str, Callable[[], None]] = {
        "begin": decks.begin, "pause": decks.pause, "restart": decks.start_over, "forget": decks.forget,
        "finish": decks.finish, "stop": decks.stop, "hush": decks.hush,
    }  # fmt: skip

    @routes.post("/api/deck/<word>")
    def act(word: str) -> ResponseReturnValue:
        host_only()
        if word in plain:
            body()
            return done(plain[word])
        if word in ("skip", "again"):
            return done(decks.put_off if word == "skip" else decks.again, _face(body("face").get("face")))
        if word == "name":
            return done(decks.rename, _name(body("name").get("name")))
        raise Refused("no_action", 404, f"{word[:40]!r}: expected {', '.join([*plain, 'skip', 'again', 'name'])}")

    return routes


def _face(word: Any) -> Card:
    try:
        face = Card.parse(word)
    except (ValueError, AttributeError) as error:
        raise Refused("bad_field", 400, f"face: {error}") from None
    if face not in FACES:
        raise Refused("bad_field", 400, f"face: {face} is not shown, only the 54 of the classic deck are")
    return face


def _name(given: Any) -> str:
    name = re.sub(r"\s+", " ", given).strip() if isinstance(given, str) else ""
    if not (1 <= len(name) <= MOST_LETTERS and name.isprintable()):
        raise Refused("bad_deck_name", 400, f"name: expected 1 to {MOST_LETTERS} letters")
    return name
