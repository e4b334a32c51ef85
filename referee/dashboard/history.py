"""Afterwards: earlier games, every hand play by play, figures, and everything to take away."""

from __future__ import annotations

import threading
from itertools import chain
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify
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
from referee.dashboard.guard import Guard
from referee.dashboard.refused import Refused
from referee.dashboard.render import Renderer
from referee.dashboard.table import Table
from referee.events import GameStarted
from referee.storage import Entry, JournalError
from referee.storage.backup import streamed
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
        self._over: dict[int, Any] = {}

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

    def listed(self) -> list[dict[str, Any]]:
        """Every game in a line, newest first."""
        return [_listed(entry) for entry in self.games()]

    def told(self, game: int) -> dict[str, Any]:
        """The game for a page. Raises NotFound."""
        started = self.started(game)
        return game_json(self.chronicle(game), game, started.wall)

    def hand_told(self, game: int, hand: int, language: str) -> dict[str, Any]:
        """The hand, step by step, in that language. Raises NotFound."""
        found = next((one for one in self.chronicle(game).hands if one.number == hand), None)
        if found is None:
            raise NotFound(f"game {game} has no hand {hand}")
        return hand_json(found, language)

    def all_figures(self) -> list[tuple[Entry, Any]]:
        """What each player did in each game, by name, oldest game first."""
        games = self.games()
        for entry in games[1:]:  # nothing is added to them any more: they need not be read a second time
            if entry.number not in self._over:
                self._over[entry.number] = self.figures(entry.number)
        newest = [(entry, self.figures(entry.number)) for entry in games[:1]]
        return [(entry, self._over[entry.number]) for entry in reversed(games[1:])] + newest


def make_history(
    table: Table, renderer: Renderer, guard: Guard, data_folder: Path, config_file: Path | None
) -> Blueprint:
    """Routes of the history pages and of their API. data_folder, config_file: what a backup holds."""
    history, archive = Blueprint("history", __name__), Archive(table)
    _pages(history, archive, renderer)
    _answers(history, archive, renderer)
    _files(history, archive, table)
    _backup(history, table, guard, data_folder, config_file)
    return history


def _pages(history: Blueprint, archive: Archive, renderer: Renderer) -> None:
    """All games, one game, one hand."""

    @history.get("/history")
    def all_games() -> ResponseReturnValue:
        return renderer.page("history", games=archive.listed())

    @history.get("/history/<int:game>")
    def one_game(game: int) -> ResponseReturnValue:
        return renderer.page("history", game=archive.told(game), figures=statistics_json(archive.figures(game)))

    @history.get("/history/<int:game>/<int:hand>")
    def one_hand(game: int, hand: int) -> ResponseReturnValue:
        story = archive.hand_told(game, hand, renderer.language())
        return renderer.page("history", game=archive.told(game), story=story)


def _answers(history: Blueprint, archive: Archive, renderer: Renderer) -> None:
    """The same as JSON."""

    @history.get("/api/games")
    def games() -> ResponseReturnValue:
        return jsonify({"games": archive.listed()})

    @history.get("/api/games/<int:game>")
    def game(game: int) -> ResponseReturnValue:
        return jsonify({**archive.told(game), "players_did": statistics_json(archive.figures(game))})

    @history.get("/api/games/<int:game>/hands/<int:hand>")
    def hand(game: int, hand: int) -> ResponseReturnValue:
        return jsonify(archive.hand_told(game, hand, renderer.language()))

    @history.get("/api/statistics")
    def all_figures() -> ResponseReturnValue:
        games = archive.all_figures()
        records = add_up(figures for _, figures in reversed(games))
        return jsonify({"players": statistics_json(records), "games": _each_game(games)})


def _files(history: Blueprint, archive: Archive, table: Table) -> None:
    """What may be taken away."""

    @history.get("/api/games/<int:game>/log.json")
    def log(game: int) -> ResponseReturnValue:
        archive.started(game)
        return _file(log_text(export_log(table.entries(game))), "application/json", f"uno-game-{game}.json")

    @history.get("/api/games/<int:game>/scores.csv")
    def scores(game: int) -> ResponseReturnValue:
        return _file(scores_csv(archive.chronicle(game)), "text/csv", f"uno-game-{game}.csv")

    @history.get("/api/statistics.csv")
    def figures_csv() -> ResponseReturnValue:
        return _file(statistics_csv(_each_game(archive.all_figures())), "text/csv", "uno-statistics.csv")


def _backup(history: Blueprint, table: Table, guard: Guard, data_folder: Path, config_file: Path | None) -> None:
    """Everything in one file, for the host."""

    @history.get("/api/backup.zip")
    def backup() -> ResponseReturnValue:
        guard.host_only(table.board())
        pieces = streamed(data_folder, config_file)
        try:
            first = next(pieces)
        except JournalError as error:
            raise Refused("not_kept", 503, str(error)) from None
        name = {"Content-Disposition": 'attachment; filename="uno-backup.zip"', "Cache-Control": "no-store"}
        return Response(chain((first,), pieces), mimetype="application/zip", headers=name)


def _each_game(games: list[tuple[Entry, Any]]) -> list[dict[str, Any]]:
    return [
        {"game": entry.number, "wall": round(entry.wall, 3), "players": statistics_json(figures)}
        for entry, figures in games
    ]


def _listed(entry: Entry) -> dict[str, Any]:
    started = entry.event
    assert isinstance(started, GameStarted)
    return {"game": entry.number, "wall": round(entry.wall, 3), "players": list(started.players),
            "preset": started.preset}  # fmt: skip


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
