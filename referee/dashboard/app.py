"""The application factory."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from referee.dashboard import guard as guards
from referee.dashboard import squeeze
from referee.dashboard.api import make_api
from referee.dashboard.appeals import Appeals, make_appeals
from referee.dashboard.deck import Decks, make_deck
from referee.dashboard.hands import Shows, make_hands
from referee.dashboard.history import make_history
from referee.dashboard.joining import make_joining
from referee.dashboard.keys import Gate, Keys
from referee.dashboard.live import Live
from referee.dashboard.machine import Machine, make_machine
from referee.dashboard.pages import make_pages, modules_of, next_rules, static_files, version_of
from referee.dashboard.people import People
from referee.dashboard.refused import Refused
from referee.dashboard.render import Renderer
from referee.dashboard.rules import make_rules
from referee.dashboard.settings import DashboardSettings
from referee.dashboard.setup import SetUp, make_setup
from referee.dashboard.table import Table
from referee.dashboard.voice import Voice, make_voice
from referee.paths import shipped

log = logging.getLogger(__name__)


def create_app(
    table: Table,
    settings: DashboardSettings,
    keys: Keys,
    data_folder: Path,
    *,
    config_file: Path | None = None,
    set_up: SetUp | None = None,
    machine: Machine | None = None,
    shows: Shows | None = None,
    decks: Decks | None = None,
    voice: Voice | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The dashboard of `table`. keys: from `open_keys`; data_folder: where it remembers who holds which name.

    config_file: the configuration that a backup holds; None: the one that `storage.backup.settings_files` finds.
    set_up: what the wizard asks; None: there is no wizard. machine: changes the configuration; None: no phone may.
    shows: reads hands that are shown; None: points are typed in. decks: learns decks; None: there is no camera.
    voice: the referee's own, None where there is none.
    clock: seconds that never go back, for the wait after wrong PINs. Call `app.extensions["live"].close()` when it is
    not run by `serve`, which does so when it stops.
    """
    web = settings.web or shipped("web")
    app = Flask("referee.dashboard", template_folder=str(web / "templates"), static_folder=None)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.json.sort_keys = False  # type: ignore[attr-defined]
    people = People(data_folder / "phones.json", clock)
    guard = guards.Guard(keys, people, Gate(clock), Gate(clock), data_folder)
    appeals = Appeals(table, people.here)
    files = static_files(web / "static")
    version = version_of(files)
    hint = None if decks is None else decks.hint
    live = Live(table, people, appeals, guard, settings.streams, version, hint)
    app.extensions.update(live=live, people=people)
    guards.install(app, keys)
    squeeze.install(app)
    app.register_blueprint(make_api(table, settings, guard, live, appeals))
    app.register_blueprint(make_appeals(table, appeals, guard, live.poke))
    app.register_blueprint(make_joining(table, guard, people, appeals, live))
    renderer = Renderer(settings, guard, live, web, version, modules_of(files))
    has = {"shows": shows is not None, "voice": voice is not None, "machine": machine is not None}
    deck = None if decks is None else decks.summary
    app.register_blueprint(make_pages(settings, renderer, files, version, set_up, deck, **has))
    app.register_blueprint(make_rules(table, renderer, partial(next_rules, settings, set_up)))
    if set_up is not None:
        app.register_blueprint(make_setup(set_up, table, renderer, guard))
    if machine is not None:
        app.register_blueprint(make_machine(machine, table, renderer, guard, deck))
    if shows is not None:
        app.register_blueprint(make_hands(shows, table, guard, people))
    if decks is not None:
        app.register_blueprint(make_deck(decks, table, renderer, guard, live.poke))
    if voice is not None:
        app.register_blueprint(make_voice(voice, table, guard))
    app.register_blueprint(make_history(table, renderer, guard, data_folder, config_file))

    @app.errorhandler(Refused)
    def refused(error: Refused) -> ResponseReturnValue:
        return jsonify({"error": error.code, "message": error.detail, **error.more}), error.status

    @app.errorhandler(OSError)
    def not_kept(error: OSError) -> ResponseReturnValue:
        """Who holds which name, or who is host, could not be written: the disk is full, or read-only."""
        log.warning("%s %s: %s", request.method, request.path, error)
        return jsonify({"error": "not_kept", "message": f"cannot be written: {error.strerror}"}), 503

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> ResponseReturnValue:
        if request.path.startswith("/api"):
            code = (error.name or "error").lower().replace(" ", "_")
            return jsonify({"error": code, "message": error.description}), error.code or 500
        return error if error.code != 404 else (renderer.page("missing"), 404)

    return app
