"""Afterwards: earlier games, every hand play by play, figures, and everything to take away."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, send_file
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from referee.chronicle import (
    Chronicle,
    add_up,
    game_json,
    hand_json,
    read,
    scores_csv,
    statistics,
    statistics_csv,
    statistics_json,
)
from referee.dashboard.actions import Refused
from referee.dashboard.guard import Guard
from referee.dashboard.render import Renderer
from referee.dashboard.table import Table
from referee.events import GameStarted
from referee.storage import Entry, JournalError
from referee.storage.backup import back_up
from referee.storage.export import export_log, log_text

KEPT_GAMES = 12
"""Chronicles held in memory. Fewer: the page of a game is read anew at every tap; more: memory that the eye wants."""
SPOKEN_BY_CAMERA = frozenset({"eye"})
"""Authors in the journal that are not people."""


class Archive:
    """Chronicles of the table's games, each read once while it does not change. Safe for several threads."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._read: dict[int, tuple[int, Chronicle]] = {}
        self._figures: dict[int, tuple[int, Any]] = {}

    def games(self) -> list[Entry]:
        """What started each game, newest first."""
        return self._table.games()[::-1]

    def started(self, game: int) -> Entry:
        """What started the game. Raises NotFound."""
        found = next((entry for entry in self.games() if entry.number == game), None)
        if found is None:
            raise NotFound(f"there is no game {game}")
        return found

    def chronicle(self, game: int) -> Chronicle:
        """The game. Raises NotFound."""
        entries = self._table.entries(game)
        with self._lock:
            length, known = self._read.get(game, (-1, None))
        if known is None or length != len(entries):
            people = [entry.number for entry in entries if entry.author not in SPOKEN_BY_CAMERA]
            known = read(((entry.number, entry.event) for entry in entries), people)
            if known is None:
                raise NotFound(f"there is no game {game}")
            with self._lock:
                self._read.pop(game, None)
                self._read[game] = (len(entries), known)
                self._figures[game] = (len(entries), statistics(known))
                while len(self._read) > KEPT_GAMES:
                    del self._read[next(iter(self._read))]
        return known

    def figures(self, game: int) -> Any:
        """What each player did in the game, by name. Raises NotFound."""
        entries = self._table.entries(game)
        with self._lock:
            length, known = self._figures.get(game, (-1, None))
        if known is None or length != len(entries):
            known = statistics(self.chronicle(game))
        return known


def make_history(table: Table, renderer: Renderer, guard: Guard, data_folder: Path) -> Blueprint:
    """Routes of the history pages and of their API. data_folder: what a backup holds."""
    history = Blueprint("history", __name__)
    archive = Archive(table)

    def game_told(game: int) -> dict[str, Any]:
        started = archive.started(game)
        return game_json(archive.chronicle(game), game, started.wall)

    def hand_told(game: int, hand: int) -> dict[str, Any]:
        found = next((one for one in archive.chronicle(game).hands if one.number == hand), None)
        if found is None:
            raise NotFound(f"game {game} has no hand {hand}")
        return hand_json(found, renderer.language())

    @history.get("/history")
    def all_games() -> ResponseReturnValue:
        return renderer.page("history", games=[_listed(entry) for entry in archive.games()])

    @history.get("/history/<int:game>")
    def one_game(game: int) -> ResponseReturnValue:
        return renderer.page("history", game=game_told(game), figures=statistics_json(archive.figures(game)))

    @history.get("/history/<int:game>/<int:hand>")
    def one_hand(game: int, hand: int) -> ResponseReturnValue:
        return renderer.page("history", game=game_told(game), story=hand_told(game, hand))

    @history.get("/api/games")
    def games() -> ResponseReturnValue:
        return jsonify({"games": [_listed(entry) for entry in archive.games()]})

    @history.get("/api/games/<int:game>")
    def game(game: int) -> ResponseReturnValue:
        return jsonify({**game_told(game), "players_did": statistics_json(archive.figures(game))})

    @history.get("/api/games/<int:game>/hands/<int:hand>")
    def hand(game: int, hand: int) -> ResponseReturnValue:
        return jsonify(hand_told(game, hand))

    @history.get("/api/games/<int:game>/log.json")
    def log(game: int) -> ResponseReturnValue:
        archive.started(game)
        return _file(log_text(export_log(table.entries(game))), "application/json", f"uno-game-{game}.json")

    @history.get("/api/games/<int:game>/scores.csv")
    def scores(game: int) -> ResponseReturnValue:
        return _file(scores_csv(archive.chronicle(game)), "text/csv", f"uno-game-{game}.csv")

    def each_game() -> list[dict[str, Any]]:
        """What each player did in each game, oldest first."""
        games = [(entry, archive.figures(entry.number)) for entry in reversed(archive.games())]
        return [
            {"game": entry.number, "wall": round(entry.wall, 3), "players": statistics_json(figures)}
            for entry, figures in games
        ]

    @history.get("/api/statistics")
    def all_figures() -> ResponseReturnValue:
        records = add_up(archive.figures(entry.number) for entry in archive.games())
        return jsonify({"players": statistics_json(records), "games": each_game()})

    @history.get("/api/statistics.csv")
    def figures_csv() -> ResponseReturnValue:
        return _file(statistics_csv(each_game()), "text/csv", "uno-statistics.csv")

    @history.get("/api/backup.zip")
    def backup() -> ResponseReturnValue:
        if not guard.who(table.board()).host:
            raise Refused("host_only", 403, "only a host may take a backup")
        with tempfile.TemporaryDirectory(dir=data_folder, prefix=".backup-") as work:
            target = Path(work, "backup.zip")
            try:
                back_up(data_folder, target)
            except JournalError as error:
                raise Refused("not_kept", 503, str(error)) from None
            # On Linux the open file outlives its folder, which is gone before the last byte is sent.
            return send_file(target.open("rb"), "application/zip", as_attachment=True, download_name="uno-backup.zip")

    return history


def _listed(entry: Entry) -> dict[str, Any]:
    started = entry.event
    assert isinstance(started, GameStarted)
    return {"game": entry.number, "wall": round(entry.wall, 3), "players": list(started.players),
            "preset": started.preset}  # fmt: skip


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
