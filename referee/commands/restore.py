"""`referee restore`: bring a backup back."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands.data import Refused, data_option
from referee.storage import JournalError
from referee.storage.backup import restore


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
@click.option("--force", is_flag=True, help="Replace the games that are there; they are kept beside.")
def command(file: Path, data: Path, force: bool) -> None:
    """Bring back what `referee backup` saved in FILE. Stop the referee first."""
    try:
        kept = restore(file, data, force=force)
    except JournalError as error:
        raise Refused(str(error)) from None
    click.echo(f"{data}: restored from {file}" + (f"; what was there is kept as {kept}" if kept else ""))
