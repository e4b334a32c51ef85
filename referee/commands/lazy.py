"""A group of commands whose modules are imported when they are asked for, so that none waits for what another needs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import ClassVar

import click


class LazyGroup(click.Group):
    """Commands `PACKAGE.NAME.command`.

    package: where their modules lie. lines: each command and its line in the help, in the order they are listed.
    heading: of that list.
    """

    package: ClassVar[str]
    lines: ClassVar[Mapping[str, str]]
    heading: ClassVar[str] = "Commands"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lines:
            return None
        command: click.Command = importlib.import_module(f"{self.package}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(self.heading):
            formatter.write_dl(list(self.lines.items()))
