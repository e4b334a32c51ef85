"""The pages: joining, the phone, the big screen, the host. The first picture of each comes with the page."""

from __future__ import annotations

import io
import json
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, redirect, render_template, request, session
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from referee.dashboard.guard import Guard
from referee.dashboard.live import Live
from referee.dashboard.phrases import load_phrases, translator
from referee.dashboard.settings import LANGUAGES, DashboardSettings, is_lan_ip
from referee.dashboard.table import Table

_KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
"""Media types of our files, whatever the machine's own table says."""


def make_pages(table: Table, settings: DashboardSettings, guard: Guard, live: Live, web: Path) -> Blueprint:
    """Routes of the pages and of what they load."""
    pages = Blueprint("pages", __name__)
    phrases = load_phrases(web / "locale")
    files = _files(web / "static")
    version = f"{zlib.crc32(b''.join(files.values())):08x}"

    def language() -> str:
        asked = session.get("language")
        return asked or request.accept_languages.best_match(LANGUAGES) or settings.language

    def page(name: str, **more: Any) -> ResponseReturnValue:
        tag, text = live.newest()
        board = json.loads(text)
        who = guard.who(board)
        boot = {
            "board": board, "tag": tag, "phrases": phrases[language()], "address": _address(settings), **more,
            "me": {"name": who.name, "role": who.role, "plays": who.plays, "host": who.host},
        }  # fmt: skip
        return render_template(
            f"{name}.html", page=name, boot=boot, version=version, language=language(), languages=LANGUAGES,
            t=translator(phrases[language()]), address=_address(settings), me=who,
        )  # fmt: skip

    @pages.get("/")
    def home() -> ResponseReturnValue:
        return page("join")

    @pages.get("/play")
    def play() -> ResponseReturnValue:
        return page("play")

    @pages.get("/board")
    def board() -> ResponseReturnValue:
        return page("board")

    @pages.get("/host")
    def host() -> ResponseReturnValue:
        return page("host", presets=settings.presets)

    @pages.get("/language/<code>")
    def choose(code: str) -> ResponseReturnValue:
        if code in LANGUAGES:
            session.permanent = True
            session["language"] = code
        back = urlsplit(request.referrer or "")
        return redirect(back.path if back.netloc == request.host and back.path.startswith("/") else "/")

    @pages.get("/qr.svg")
    def qr() -> ResponseReturnValue:
        out = io.BytesIO()
        segno.make(_address(settings), error="m", micro=False).save(
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


def _address(settings: DashboardSettings) -> str:
    """The address for other phones: the one this phone used when it is an IP address, for that one surely works."""
    return f"{request.scheme}://{request.host}" if is_lan_ip(urlsplit(request.url).hostname or "") else settings.address


def _files(folder: Path) -> dict[str, bytes]:
    """Every file under `folder` by its path: some 70 kB that are read once."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
