"""`referee restore`: bring a backup back."""

from __future__ import annotations

from pathlib import Path

import click

from referee import config, paths
from referee.commands.data import Refused, kept_in
from referee.storage import JournalError
from referee.storage.backup import restore


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), show_default="the one that `serve` uses",
              help="Folder of the journal and the photographs.")  # fmt: skip
@click.option("--config", "config_file", type=click.Path(dir_okay=False, path_type=Path),
              help="The configuration that `serve` is given; comes back there. Default: the usual place.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace the games that are there; they are kept beside.")
def command(file: Path, data: Path | None, config_file: Path | None, force: bool) -> None:
    """Bring back what `referee backup` saved in FILE. Stop the referee first."""
    try:
        used = data or _kept_in(config_file)
        kept = restore(file, used, config_file=config_file, force=force)
    except (JournalError, config.ConfigError, FileNotFoundError) as error:
        raise Refused(str(error)) from None
    click.echo(f"{used}: restored from {file}" + (f"; what was there is kept as {kept}" if kept else ""))


def _kept_in(config_file: Path | None) -> Path:
    """Where `serve` keeps the games with this configuration; with one that is yet to come back, in the usual folder."""
    if config_file is None:
        return kept_in()
    return config.load(config_file).data_folder if config_file.exists() else paths.data_folder()
