"""How a page is made: its template, its phrases, and the first picture that comes with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import render_template, request, session

from referee.dashboard.guard import Guard
from referee.dashboard.live import Live
from referee.dashboard.phrases import load_phrases, translator
from referee.dashboard.settings import LANGUAGES, DashboardSettings, is_lan_ip

THEMES = ("dark", "light")
"""Looks of the pages."""


class Renderer:
    """Makes pages for whoever asks, in the language that was asked for. version: changes with any file under static.
    modules: by script, the other scripts that it needs."""

    def __init__(
        self, settings: DashboardSettings, guard: Guard, live: Live, web: Path, version: str,
        modules: Mapping[str, Sequence[str]],
    ) -> None:  # fmt: skip
        self._settings, self._guard, self._live, self._version = settings, guard, live, version
        self._modules = modules
        self._phrases: Mapping[str, Mapping[str, str]] = load_phrases(web / "locale")

    def language(self) -> str:
        """The language chosen on this phone, else the browser's, else the table's."""
        asked: str | None = session.get("language")
        return asked or request.accept_languages.best_match(LANGUAGES) or self._settings.language

    def theme(self) -> str | None:
        """The look that was chosen on this phone, None where nobody has."""
        theme: str | None = session.get("theme")
        return theme

    def address(self) -> str:
        """The address for other phones: the one this phone used when it is an IP address, for that one surely works."""
        if is_lan_ip(urlsplit(request.url).hostname or ""):
            return f"{request.scheme}://{request.host}"
        return self._settings.address

    def invitation(self) -> str:
        """What the QR code carries: the address with the table's code, for who scans it is at the table."""
        return f"{self.address()}/?c={self._guard.code}"

    def phrase(self, key: str) -> str:
        """A phrase in the language of whoever asks."""
        return self._phrases[self.language()][key]

    def page(self, name: str, **more: Any) -> str:
        """The template `name`.html with the module js/`name`.js. more: what the module finds in `boot` besides."""
        language = self.language()
        self._live.heard(self._guard.phone)
        tag, text = self._live.newest(language)
        board = json.loads(text)
        who = self._guard.who(board)
        phrases, address = _needed(name, self._phrases[language]), self.address()
        boot = {
            "board": board, "tag": tag, "phrases": phrases, "address": address, "language": language,
            "version": self._version, **more,
            "me": {"name": who.name, "role": who.role, "plays": who.plays, "host": who.host},
            "code": self._guard.code if who.plays or who.host or name == "board" else None,
        }  # fmt: skip
        return render_template(
            f"{name}.html", page=name, boot=boot, version=self._version, language=language, languages=LANGUAGES,
            t=translator(phrases), address=address, me=who, theme=self.theme(), themes=THEMES,
            modules=self._modules.get(f"{name}.js", ()),
        )  # fmt: skip


SETTING_UP = ("setup.", "mat.", "side.", "advice.", "role.", "option.", "value.", "group.", "machine.", "unit.",
              "deck.")
"""How phrases begin that only the set-up and the rules need: half of them all, and every page carries its own."""


HINT = ("deck.hint", "deck.hint_again", "deck.hint_no")
"""Phrases with which a host is told to show the deck."""


def _needed(page: str, phrases: Mapping[str, str]) -> Mapping[str, str]:
    if page in ("setup", "machine", "rules", "deck"):
        return phrases
    kept = ("setup.needed", "setup.open", "machine.open", "deck.open", "deck.in_use", "deck.unused",
            "deck.shipped", "deck.usual_name", *HINT)
    return {key: text for key, text in phrases.items() if key in kept or not key.startswith(SETTING_UP)}
