"""`referee config`: the configuration's fields, what they mean and what holds; writes a commented file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee import config
from referee.commands.data import Refused, write_out


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="The file to show. [default: the usual place]")
@click.option("--json", "as_json", is_flag=True, help="One object a line: name, value, default, expected.")
@click.option("--write", type=click.Path(path_type=Path), help="Write a commented file here, with what holds now.")
def command(file: Path | None, as_json: bool, write: Path | None) -> None:
    """Show every field of the configuration, or write it as a commented file."""
    try:
        settings = config.load(file)
    except config.ConfigError as error:
        raise Refused(str(error)) from None
    if write is not None:
        _write(settings, write)
        return
    if as_json:
        for one in config.every_field(settings):
            line = {
                "name": one.name, "value": one.value, "default": one.default, "kind": one.kind,
                "expected": config.expected(one.about), "title": one.about.title, "about": one.about.text,
            }  # fmt: skip
            click.echo(json.dumps(line, ensure_ascii=False))
        return
    used = file or config.default_path()
    click.echo(f"file: {used}" + ("" if used.exists() else " (not there: the defaults hold)"))
    click.echo(f"data: {settings.data_folder}")
    for one in config.every_field(settings):
        mark = "" if one.value == one.default else f"   (default {config.toml_value(one.default)})"
        bounds = config.expected(one.about)
        click.echo(f"\n{one.name} = {config.toml_value(one.value)}{mark}")
        click.echo(f"    {one.about.title}. {one.about.text}" + (f" [{bounds}]" if bounds else ""))


def _write(settings: config.Config, path: Path) -> None:
    if path.exists():
        raise Refused(f"{path}: is already there; remove it first, or write to another file")
    write_out(path, config.to_toml(settings).encode())
    click.echo(f"wrote {path}")
