"""`referee pin`: a new PIN for the host, when the old one is forgotten."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands.data import Refused, data_option


@click.command()
@data_option
def command(data: Path) -> None:
    """Make a new host PIN and show it once. The old one, and hosts who used it, stop being valid at the next start."""
    from referee.dashboard import open_keys

    if not data.is_dir():
        raise Refused(f"{data}: no referee has kept anything there; name its folder with --data")
    _, pin = open_keys(data, new_pin=True)
    click.echo(f"Host PIN: {pin}")
    click.echo("It holds from the next start of the referee on.", err=True)
