"""Presets and options as the pages show them, and the page that tells players what they play by: from the rules' own
table, so that the two cannot differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint
from flask.typing import ResponseReturnValue

from referee.dashboard.render import Renderer
from referee.dashboard.table import Table
from referee.events import GameStarted
from referee.rules import OPTIONS, PRESETS, Options


def rules_table(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """`chosen` with every option by group, and every preset's values where they differ from the defaults.

    An option is {"name", "group", "default", "values", "least"}; `values` is empty when any number from `least` will
    do. The pages have the words: `option.NAME`, `option.NAME.note`, `value.VALUE`.
    """
    default = Options()
    presets = []
    for name in PRESETS:
        values = {key: value for key, value in Options.of(name).as_dict().items() if value != getattr(default, key)}
        presets.append({"name": name, "values": values})
    options_shown = [
        {"name": one.name, "group": one.group, "default": getattr(default, one.name), "values": list(one.values),
         "least": one.least}
        for one in OPTIONS.values()
    ]  # fmt: skip
    return {**chosen, "presets": presets, "options_shown": options_shown}


def check_rules(preset: str, options: Mapping[str, Any]) -> None:
    """Raises ValueError naming what is wrong."""
    Options.of(preset, options)


def make_rules(table: Table, renderer: Renderer, next_rules: Callable[[], Mapping[str, Any]]) -> Blueprint:
    """The page /rules, for everybody: what the present game is played by, before the first one what `next_rules` says
    that it will be."""
    routes = Blueprint("rules", __name__)

    @routes.get("/rules")
    def page() -> ResponseReturnValue:
        games = table.games()
        started = games[-1].event if games else None
        if isinstance(started, GameStarted):
            return renderer.page("rules", rules=rules_table({"preset": started.preset, "options": started.options}))
        return renderer.page("rules", rules=rules_table(next_rules()))

    return routes
