"""`referee backup`: everything in one file."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands.data import Refused, data_option
from referee.storage import JournalError
from referee.storage.backup import back_up


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
@click.option("--force", is_flag=True, help="Write over FILE if it is there.")
def command(file: Path, data: Path, force: bool) -> None:
    """Save every game and photograph, and how the table is set up, to FILE (a ZIP). A running referee goes on."""
    try:
        photos = back_up(data, file, force=force)
    except JournalError as error:
        raise Refused(str(error)) from None
    click.echo(f"{file}: all games and {photos} photographs, {file.stat().st_size / 1e6:.1f} MB")
