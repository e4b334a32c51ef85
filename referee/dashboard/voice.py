"""The settings of the referee's own voice, for the host: on or off, how loud, in which language, how much it says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from referee.dashboard.guard import Guard, any_body, body
from referee.dashboard.keys import write_json
from referee.dashboard.refused import Refused
from referee.dashboard.settings import LANGUAGES
from referee.dashboard.table import Table

FILE_NAME = "voice.json"


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """volume: per cent. language: of LANGUAGES, or "" for the table's. brief: questions are shown and not spoken."""

    on: bool = False
    volume: int = 80
    language: str = ""
    brief: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.on, bool) or not isinstance(self.brief, bool):
            raise ValueError("on, brief: expected true or false")
        if isinstance(self.volume, bool) or not isinstance(self.volume, int) or not 0 <= self.volume <= 100:
            raise ValueError(f"volume: {self.volume!r}; expected 0 to 100")
        if self.language not in ("", *LANGUAGES):
            raise ValueError(f"language: {self.language!r}; expected one of {', '.join(LANGUAGES)}, or nothing")


def load_voice(folder: Path) -> VoiceSettings:
    """The settings kept in `folder`; the defaults where there are none that can be read."""
    try:
        return VoiceSettings(**json.loads((folder / FILE_NAME).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return VoiceSettings()


def keep_voice(folder: Path, settings: VoiceSettings) -> None:
    """Writes them."""
    write_json(folder / FILE_NAME, asdict(settings))


class Voice(Protocol):
    """What the dashboard needs of the service's voice."""

    @property
    def settings(self) -> VoiceSettings:
        """The present ones."""

    def use(self, settings: VoiceSettings) -> None:
        """Keeps them, and speaks by them from now on. Raises OSError."""

    def try_out(self) -> None:
        """Says a sentence."""


def make_voice(voice: Voice, table: Table, guard: Guard) -> Blueprint:
    """Routes under /api/voice; hosts only."""
    routes = Blueprint("voice", __name__)

    def host_only() -> None:
        guard.host_only(table.board())

    def told() -> ResponseReturnValue:
        return jsonify(asdict(voice.settings))

    @routes.get("/api/voice")
    def settings() -> ResponseReturnValue:
        host_only()
        return told()

    @routes.post("/api/voice")
    def use() -> ResponseReturnValue:
        host_only()
        wanted: Mapping[str, Any] = {**asdict(voice.settings), **any_body()}
        try:
            voice.use(VoiceSettings(**wanted))
        except (ValueError, TypeError) as error:
            raise Refused("bad_field", 400, str(error)) from None
        return told()

    @routes.post("/api/voice/try")
    def try_out() -> ResponseReturnValue:
        host_only()
        body()
        voice.try_out()
        return told()

    return routes
