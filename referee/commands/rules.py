"""`referee rules [PRESET [OTHER]]`: list the presets, show one, or how two differ (CONTRACT)."""

from __future__ import annotations

import json

import click

from referee.commands.data import Refused
from referee.rules import ABOUT, OPTIONS, PRESETS, Options, differences


@click.command(name="rules")
@click.argument("preset", required=False)
@click.argument("other", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(preset: str | None, other: str | None, as_json: bool) -> None:
    """List the presets and options, show PRESET, or show how PRESET and OTHER differ."""
    try:
        one = Options.of(preset) if preset is not None else Options()
        two = Options.of(other) if other is not None else None
    except ValueError as error:
        raise Refused(str(error)) from None
    if as_json:
        for line in _as_json(preset, one, other, two):
            click.echo(json.dumps(line, ensure_ascii=False))
        return
    if preset is None:
        click.echo("Presets")
        for name in PRESETS:
            click.echo(f"  {name:24}{ABOUT[name]}")
        click.echo("\nOptions (default first)")
        for option in OPTIONS.values():
            click.echo(f"  {option.name:26}{_word(option.default):26}{option.text} Allowed: {option.allowed}.")
    elif two is None:
        click.echo(f"{preset}: {ABOUT[preset]}")
        for option in OPTIONS.values():
            value = getattr(one, option.name)
            mark = " " if value == option.default else "*"
            click.echo(f"{mark} {option.name:26}{_word(value):26}{option.text}")
        click.echo("* differs from the default")
    else:
        found = differences(one, two)
        click.echo(f"{'':28}{preset:26}{other}")
        for name, (mine, theirs) in found.items():
            click.echo(f"  {name:26}{_word(mine):26}{_word(theirs)}")
        if not found:
            click.echo("  no difference")


def _as_json(preset: str | None, one: Options, other: str | None, two: Options | None) -> list[dict[str, object]]:
    if two is not None:
        return [{"preset": preset, "other": other, "differences": differences(one, two)}]
    if preset is not None:
        return [{"preset": preset, "about": ABOUT[preset], "options": one.as_dict()}]
    rows: list[dict[str, object]] = [
        {"preset": name, "about": ABOUT[name], "changes": PRESETS[name]} for name in PRESETS
    ]
    for option in OPTIONS.values():
        row = {"option": option.name, "default": option.default, "group": option.group, "title": option.title}
        rows.append({**row, "text": option.text, "allowed": option.allowed, "values": list(option.values)})
    return rows


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
