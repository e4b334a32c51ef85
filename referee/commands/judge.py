"""`referee judge FILE`: the rules alone, on a case, an array of cases, or an exported log (CONTRACT)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from referee.commands.data import Refused
from referee.rules.cases import judge, judge_log

EXPECTED = "expected a case, a list of cases, or a log of events"


@click.command(name="judge")
@click.argument("file")
def command(file: str) -> None:
    """Judge the cases or the log in FILE ("-": standard input); one JSON object a line.

    FILE holds a case, a list of cases, an object with "cases" or "events", or a log with one event a line. A case that
    cannot be judged gets its line on standard error, and exit status 2 at the end; the others are judged.
    """
    name = "standard input" if file == "-" else file
    try:
        text = _bytes(file).decode("utf-8-sig")  # whatever the locale: it is JSON
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}; {EXPECTED}") from None
    refused = False
    for where, answer in answers(name, parse(name, text)):
        try:
            click.echo(json.dumps(answer(), ensure_ascii=False))
        except ValueError as error:
            click.echo(f"referee judge: {where}: {error}", err=True)
            refused = True
    if refused:
        sys.exit(Refused.exit_code)


def _bytes(file: str) -> bytes:
    if file != "-":
        return Path(file).read_bytes()
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer.read()


def answers(name: str, data: Any) -> list[tuple[str, Callable[[], Any]]]:
    """What is to be printed for the file: where it stands and what judges it, for each case or for the log."""
    if isinstance(data, dict) and isinstance(data.get("cases"), list):
        data = data["cases"]
    if isinstance(data, dict) and isinstance(data.get("events"), list) and not {"ev", "kind", "players"} & data.keys():
        data = data["events"]
    if isinstance(data, dict):
        data = [data]
    if not isinstance(data, list):
        raise Refused(f"{name}: holds {data!r:.40}: {EXPECTED}")
    if not data:
        raise Refused(f"{name}: holds nothing: {EXPECTED}")
    if all(isinstance(item, dict) and ("ev" in item or isinstance(item.get("event"), dict)) for item in data):
        return [(name, partial(judge_log, data))]
    return [(f"{name}: {_title(case, place)}", partial(judge, case)) for place, case in enumerate(data, 1)]


def _title(case: Any, place: int) -> str:
    """What a complaint calls a case: its place and its id."""
    named = isinstance(case, dict) and isinstance(case.get("id"), str)
    return f"case {place} ({case['id']})" if named else f"case {place}"


def parse(name: str, text: str) -> Any:
    """The JSON of a file, or the list of its lines where each is JSON."""
    if not text.strip():
        raise Refused(f"{name}: holds nothing: {EXPECTED}")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise Refused(f"{name}: line {error.lineno}: not JSON: {error.msg}; {EXPECTED}") from None
    except (RecursionError, ValueError):
        raise Refused(f"{name}: nested too deep, or a number of thousands of digits; {EXPECTED}") from None
    lines = []
    for place, line in enumerate(text.splitlines(), 1):
        try:
            lines += [json.loads(line)] if line.strip() else []
        except (RecursionError, ValueError):
            raise Refused(f"{name}: line {place}: not JSON; expected an object on each line") from None
    return lines
