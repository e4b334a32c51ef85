"""What the commands on kept games share."""

from __future__ import annotations

from pathlib import Path

import click

from referee import config
from referee.durable import write_atomically


class Refused(click.ClickException):
    """Ends a command with one line on standard error and exit status 2."""

    exit_code = 2


def kept_in() -> Path:
    """The folder in which `referee serve` keeps games, photographs and the deck, by the usual configuration."""
    try:
        return config.load().data_folder
    except config.ConfigError as error:
        raise Refused(str(error)) from None


data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=kept_in,
    show_default="the one that `serve` uses",
    help="Folder of the journal and the photographs.",
)
"""`--data FOLDER`."""


def spare(source: Path | str, *targets: Path | None) -> None:
    """Refuses to write over the file that is read, by whatever name it is called."""
    for target in targets:
        if target is not None and target.exists() and Path(source).exists() and target.samefile(source):
            raise Refused(f"{target}: is what is read itself, which would be written over; name another file")


def write_out(file: Path, data: bytes) -> None:
    """Writes what a command was asked to make, whole or not at all: what was there before outlives a full disk."""
    try:
        write_atomically(file, data)
    except OSError as error:
        raise Refused(f"{file}: cannot be written: {error.strerror}; name another file") from None
