"""Presets and options as the pages show them: from the rules' own table, so that the two cannot differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rules import OPTIONS, PRESETS, Options


def rules_table(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """`chosen` with every option by group, and every preset's values where they differ from the defaults.

    An option is {"name", "group", "default", "values"}; `values` is empty when any number from 0 will do. The pages
    have the words: `option.NAME`, `option.NAME.note`, `value.VALUE`.
    """
    default = Options()
    presets = []
    for name in PRESETS:
        values = {key: value for key, value in Options.of(name).as_dict().items() if value != getattr(default, key)}
        presets.append({"name": name, "values": values})
    options_shown = [
        {"name": one.name, "group": one.group, "default": getattr(default, one.name), "values": list(one.values)}
        for one in OPTIONS.values()
    ]
    return {**chosen, "presets": presets, "options_shown": options_shown}


def check_rules(preset: str, options: Mapping[str, Any]) -> None:
    """Raises ValueError naming what is wrong."""
    Options.of(preset, options)
