"""`referee bench NAME`: measure one part of the referee on this machine (CONTRACT)."""

from __future__ import annotations

from collections.abc import Mapping

import click

from referee.commands.lazy import LazyGroup

BENCHES: Mapping[str, str] = {
    "dashboard": "The dashboard: fifty phones, ten actions a second.",
    "eye": "The eye: an idle frame, a close look, memory, frames a second.",
    "rules": "The rules: replay of an evening's log, random play.",
}
"""Every measurement, `referee.bench.NAME`, and its line in the help."""


class _Benches(LazyGroup):
    package = "referee.bench"
    lines = BENCHES
    heading = "Measurements"


@click.command(name="bench", cls=_Benches)
def command() -> None:
    """Measure one part of the referee on this machine. With --json each prints one JSON object."""
