"""What the commands on kept games share."""

from __future__ import annotations

from pathlib import Path

import click

from referee.paths import data_folder

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=data_folder,
    show_default="the service's or the user's data folder; REFEREE_DATA names another",
    help="Folder of the journal and the photographs.",
)
"""`--data FOLDER`."""


class Refused(click.ClickException):
    """Ends a command with one line on standard error and exit status 2."""

    exit_code = 2


def spare(source: str, *targets: Path | None) -> None:
    """Refuses to write over the file that is read, by whatever name it is called."""
    for target in targets:
        if target is not None and target.exists() and Path(source).exists() and target.samefile(source):
            raise Refused(f"{target}: is SOURCE itself, which would be written over; name another file")
