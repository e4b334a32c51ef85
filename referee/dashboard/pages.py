"""The pages: joining, the phone, the big screen, the host. The first picture of each comes with the page."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, redirect, request, session
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from referee.cards import FACES
from referee.dashboard.render import THEMES, Renderer
from referee.dashboard.settings import LANGUAGES, DashboardSettings
from referee.dashboard.setup import SetUp

_KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
"""Media types of our files, whatever the machine's own table says."""

_IMPORT = re.compile(rb'from "\./(\w+\.js)"')


def make_pages(
    settings: DashboardSettings, renderer: Renderer, files: Mapping[str, bytes], version: str, set_up: SetUp | None,
    deck: Callable[[], dict[str, Any] | None] | None, shows: bool, voice: bool, machine: bool,
) -> Blueprint:
    """Routes of the pages and of what they load. files: from `static_files`; version: of them all; deck(): which one is
    in use, None where there is no camera; shows: whether a camera can read hands; voice: whether the referee has one of
    its own; machine: whether the configuration may be changed."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def home() -> ResponseReturnValue:
        return renderer.page("join", ready=set_up is None or set_up.ready)

    @pages.get("/play")
    def play() -> ResponseReturnValue:
        return renderer.page("play", shows=shows)

    @pages.get("/board")
    def board() -> ResponseReturnValue:
        return renderer.page("board", ready=set_up is None or set_up.ready)

    @pages.get("/host")
    def host() -> ResponseReturnValue:
        rules = next_rules(settings, set_up)
        ready = set_up is None or set_up.ready
        return renderer.page("host", presets=settings.presets, rules=rules, ready=ready, wizard=set_up is not None,
                             voice=voice, machine=machine, decks=deck is not None,
                             deck=None if deck is None else deck(), faces=len(FACES))

    def chosen(key: str, value: str, allowed: Sequence[str]) -> ResponseReturnValue:
        """Keeps what this phone chose, and goes back to where it was chosen."""
        if value in allowed:
            session[key] = value
        back = urlsplit(request.referrer or "")
        return redirect(back.path if back.netloc == request.host and back.path.startswith("/") else "/")

    @pages.get("/language/<code>")
    def choose(code: str) -> ResponseReturnValue:
        return chosen("language", code, LANGUAGES)

    @pages.get("/theme/<name>")
    def theme(name: str) -> ResponseReturnValue:
        return chosen("theme", name, THEMES)

    @pages.get("/qr.svg")
    def qr() -> ResponseReturnValue:
        out = io.BytesIO()
        segno.make(renderer.invitation(), error="m", micro=False).save(
            out, kind="svg", scale=8, border=2, dark="#0d1017", light="#fff", xmldecl=False
        )
        return Response(out.getvalue(), mimetype="image/svg+xml")

    @pages.get("/static/<stamp>/<path:name>")
    def static(stamp: str, name: str) -> ResponseReturnValue:
        if name not in files:
            raise NotFound
        kind = _KINDS[name.rpartition(".")[2]]
        keep = {"Cache-Control": "public, max-age=31536000, immutable"} if stamp == version else {}
        return Response(files[name], mimetype=kind, headers=keep)

    return pages


def next_rules(settings: DashboardSettings, set_up: SetUp | None) -> dict[str, Any]:
    """`preset` and `options` that a new game starts with unless the host chooses others."""
    return {"preset": settings.presets[0], "options": {}} if set_up is None else set_up.rules()


def static_files(folder: Path) -> dict[str, bytes]:
    """Every file under `folder` by its path: some 70 kB that are read once."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def modules_of(files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """The scripts that each script of `files` imports, and those that these import, by name. The page names them all at
    once: found one by one, each layer of them costs a slow network another journey there and back."""
    imports = {
        name.removeprefix("js/"): [found.decode() for found in _IMPORT.findall(text)]
        for name, text in files.items()
        if name.startswith("js/")
    }
    needed: dict[str, list[str]] = {}
    for name in imports:
        known = [name]
        for one in known:
            known += [other for other in imports[one] if other not in known]
        needed[name] = known[1:]
    return needed


def version_of(files: Mapping[str, bytes]) -> str:
    """A word that changes with any of the files: phones keep what they loaded until then."""
    return f"{zlib.crc32(b''.join(files.values())):08x}"
