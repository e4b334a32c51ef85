"""`referee backup`: everything in one file."""

from __future__ import annotations

from pathlib import Path

import click

from referee import config
from referee.commands.data import Refused
from referee.storage import JournalError
from referee.storage.backup import back_up


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), show_default="the one that `serve` uses",
              help="Folder of the journal and the photographs.")  # fmt: skip
@click.option("--config", "config_file", type=click.Path(dir_okay=False, path_type=Path),
              help="The configuration that `serve` was given. Default: the usual place.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over FILE if it is there.")
def command(file: Path, data: Path | None, config_file: Path | None, force: bool) -> None:
    """Save every game and photograph, and how the table is set up, to FILE (a ZIP). A running referee goes on."""
    try:
        used = data or config.load(config_file).data_folder
        photos = back_up(used, file, config_file=config_file, force=force)
    except (JournalError, config.ConfigError) as error:
        raise Refused(str(error)) from None
    click.echo(f"{file}: all games and {photos} photographs, {file.stat().st_size / 1e6:.1f} MB")
