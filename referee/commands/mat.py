"""`referee mat FILE.pdf`: the printable table mat that the camera finds the table by."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands.data import write_out


@click.command(name="mat")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="To print on.")
@click.option("--language", type=click.Choice(["en", "de", "es"]), default="en", show_default=True,
              help="Of the words on it.")  # fmt: skip
def command(file: Path, paper: str, language: str) -> None:
    """Write the table mat, a PDF of one page, to FILE. Print it at 100 % and measure the ruler on it."""
    from referee.dashboard.phrases import load_phrases
    from referee.paths import shipped
    from referee.vision.mat import Paper
    from referee.vision.mat_pdf import mat_pdf

    phrases = load_phrases(shipped("web") / "locale")[language]
    words = {word: phrases[f"mat.{word}"] for word in ("title", "discard", "draw", "ruler", "steps")}
    write_out(file, mat_pdf(Paper(paper), words))
    click.echo(f"wrote {file}: print it at 100 %, lay it under the camera, then: referee calibrate SOURCE")
