"""`referee doctor`: looks at everything the program needs, and says what to mend."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import click

from referee import config
from referee.commands.data import Refused
from referee.health import Check, Level

_MARKS = {Level.OK: "ok", Level.WARN: "warn", Level.MISSING: "MISSING"}


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="Configuration file.  [default: the usual one]")
@click.option("--json", "as_json", is_flag=True, help="One object: {ok, checks: [{name, state, found, remedy}]}.")
@click.option("--no-camera", is_flag=True, help="Do not open the camera: the service may be using it.")
def command(file: Path | None, as_json: bool, no_camera: bool) -> None:
    """Check this machine. Exit status 1 when something is missing that a game needs."""
    from referee.hardware.diagnosis import checks

    try:
        settings = config.load(file)
    except config.ConfigError as error:
        raise Refused(str(error)) from None
    logging.getLogger("referee").addHandler(logging.NullHandler())  # what goes wrong is the report itself
    done: list[Check] = []
    for check in checks(settings, try_camera=not no_camera):
        done.append(check)
        if not as_json:
            click.echo(f"{_MARKS[check.level]:<8}{check.name:<12}{check.found}")
            if check.remedy:
                click.echo(f"{'':<20}-> {check.remedy}")
    ok = all(check.level is not Level.MISSING for check in done)
    if as_json:
        lines = [{"name": c.name, "state": c.level.value, "found": c.found, "remedy": c.remedy} for c in done]
        click.echo(json.dumps({"ok": ok, "checks": lines}, ensure_ascii=False))
    raise SystemExit(0 if ok else 1)
