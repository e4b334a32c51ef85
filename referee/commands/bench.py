"""`referee bench NAME`: measure one part of the referee on this machine (CONTRACT)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click

BENCHES: Mapping[str, str] = {
    "dashboard": "The dashboard: fifty phones, ten actions a second.",
    "eye": "The eye: an idle frame, a close look, memory, frames a second.",
    "rules": "The rules: replay of an evening's log, random play.",
}
"""Every measurement, `referee.bench.NAME`, and its line in the help."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(BENCHES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in BENCHES:
            return None
        command: click.Command = importlib.import_module(f"referee.bench.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Measurements"):
            formatter.write_dl(list(BENCHES.items()))


@click.command(name="bench", cls=_Lazy)
def command() -> None:
    """Measure one part of the referee on this machine. With --json each prints one JSON object."""
