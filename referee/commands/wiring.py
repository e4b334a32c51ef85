"""`referee wiring`: where the wires of buttons, lamp and buzzer go, by the configuration."""

from __future__ import annotations

from pathlib import Path

import click

from referee import config
from referee.commands.data import Refused, write_out


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="Configuration file.  [default: the usual one]")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
              help="Write the picture here instead of text; - for standard output.")  # fmt: skip
def command(file: Path | None, svg: Path | None) -> None:
    """Say or draw where each wire goes on the Pi's header: buttons, lamp, buzzer."""
    from referee.hardware.wiring import as_text
    from referee.hardware.wiring_svg import as_svg

    try:
        settings = config.load(file)
    except config.ConfigError as error:
        raise Refused(str(error)) from None
    if svg is None:
        click.echo(as_text(settings), nl=False)
    elif str(svg) == "-":
        click.echo(as_svg(settings), nl=False)
    else:
        write_out(svg, as_svg(settings).encode())
        click.echo(f"wrote {svg}")
