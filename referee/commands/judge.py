"""`referee judge FILE`: the rules alone, on a case, an array of cases, or an exported log (CONTRACT)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from referee.rules.cases import judge, judge_log


@click.command(name="judge")
@click.argument("file")
def command(file: str) -> None:
    """Judge the cases or the log in FILE ("-": standard input); one JSON object a line.

    FILE holds a case, a list of cases, an object with "cases" or "events", or a log with one event a line.
    """
    name = "standard input" if file == "-" else file
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    for place, answer in enumerate(answers(name, text)):
        try:
            click.echo(json.dumps(answer() if callable(answer) else answer, ensure_ascii=False))
        except ValueError as error:
            raise click.UsageError(f"{name}: case {place + 1}: {error}") from None


def answers(name: str, text: str) -> list[Any]:
    """What is to be printed for the file: one callable a case, or the answer to a log."""
    data = parse(name, text)
    if isinstance(data, dict) and isinstance(data.get("cases"), list):
        data = data["cases"]
    if isinstance(data, dict) and "ev" not in data and "players" not in data and isinstance(data.get("events"), list):
        data = data["events"]
    if isinstance(data, dict):
        data = [data]
    if not isinstance(data, list):
        raise click.UsageError(f"{name}: expected a case, a list of cases, or a log of events")
    if any(not isinstance(item, dict) for item in data):
        raise click.UsageError(f"{name}: expected objects in the list")
    if data and all("ev" in item or isinstance(item.get("event"), dict) for item in data):
        return [lambda: judge_log(data)]
    return [lambda case=case: judge(case) for case in data]


def parse(name: str, text: str) -> Any:
    """The JSON of a file, or the list of its lines where each is JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if len(lines) > 1:
                return [json.loads(line) for line in lines]
        except json.JSONDecodeError:
            pass
        raise click.UsageError(f"{name}: line {error.lineno}: not JSON: {error.msg}") from None
