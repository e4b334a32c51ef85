"""`referee demo`: the whole product on a simulated table."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from referee.commands.data import Refused


@click.command()
@click.option("--hands", type=click.IntRange(1, 100), default=3, show_default=True, help="Hands to play.")
@click.option("--players", type=click.IntRange(2, 10), default=4, show_default=True, help="People at the table.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Another seed, another evening.")
@click.option("--rules", default="official_108", show_default=True, metavar="PRESET",
              help="Rules they play by; `referee rules` lists them.")  # fmt: skip
@click.option("--level", type=click.Choice(["easy", "normal", "hard"]), default="normal", show_default=True,
              help="How hard the table is to watch.")  # fmt: skip
@click.option("--style", default="white_oval", show_default=True, help="The deck: a style's name, or 'any'.")
@click.option("--table", "top", default="wood", show_default=True, help="The table top.")
@click.option("--fast", is_flag=True, help="No clock and no pages: as fast as the machine can, then end.")
@click.option("--json", "as_json", is_flag=True, help="Print the account of the evening as one JSON object, and end.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port of the pages.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path),
              help="Keep the game in this folder; a demo that was killed goes on there.")  # fmt: skip
def command(
    hands: int, players: int, seed: int, rules: str, level: str, style: str, top: str, fast: bool, as_json: bool,
    port: int, data: Path | None,
) -> None:  # fmt: skip
    """Play UNO on a simulated table, and referee it: camera frames, button presses, phones, pages."""
    from referee.demo.evening import DemoPlan
    from referee.virtual_table.customs import CUSTOMS
    from referee.vision.nets import ModelError

    if rules not in CUSTOMS:
        raise Refused(f"--rules {rules}: expected one of {', '.join(CUSTOMS)}")
    plan = DemoPlan(seed=seed, players=players, hands=hands, preset=rules, level=level, style=style, top=top)
    with ExitStack() as stack:
        if data is None:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-demo-")))
        try:
            data.mkdir(parents=True, exist_ok=True)
            report = _fast(plan, data) if fast else _live(plan, data, port, as_json)
        except (ValueError, ModelError) as error:
            raise Refused(str(error)) from None
    if report is not None:
        click.echo(json.dumps(report) if as_json else _words(report))


def _fast(plan: Any, data: Path) -> dict[str, Any]:
    from referee.demo import fast

    try:
        return fast.run(plan, data, _progress)
    finally:
        _end_line()


def _live(plan: Any, data: Path, port: int, as_json: bool) -> dict[str, Any] | None:
    from referee.demo.live import LiveDemo

    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with LiveDemo(plan, data, port) as demo:
        click.echo(f"Open {demo.service.address} on a phone or here; Ctrl-C ends the demo.", err=True)
        if demo.service.pin is not None:
            click.echo(f"Host PIN: {demo.service.pin} (made just now; it is shown only once)", err=True)
        report = demo.play(stopped, _progress)
        _end_line()
        if report is not None and not as_json:
            click.echo(_words(report))
            click.echo("The hands are over; the pages stay until Ctrl-C.", err=True)
            stopped.wait()
            return None
    return report


def _progress(t: float, length: float, board: dict[str, Any]) -> None:
    """One line that is written over, on a terminal; nothing into a file."""
    if not sys.stderr.isatty():
        return
    done = min(1.0, t / length)
    bar = "█" * round(20 * done) + "░" * (20 - round(20 * done))
    turn = f"{board['turn']}'s turn" if board["turn"] else board["phase"] or ""
    last = f"{board['rulings'][0]['text']}" if board["rulings"] else ""
    line = f"{bar} hand {board['hand']}, {board['top'] or '-'} on top, {turn}. {last}"
    click.echo("\r\033[K" + line[:110], nl=False, err=True)


def _end_line() -> None:
    if sys.stderr.isatty():
        click.echo(err=True)


def _words(report: dict[str, Any]) -> str:
    reads, rules = report["readings"], report["rulings"]
    return "\n".join(
        [
            f"{report['hands']} hands, {report['plays']} cards landed, {report['seconds']:.0f} s.",
            f"Readings: {reads['right']} right, {reads['unsure']} unsure, {reads['wrong']} wrong, "
            f"{reads['missed']} missed, {reads['invented']} invented.",
            f"Rulings: {rules['right']} right, {rules['wrong']} wrong, {rules['missed']} missed; "
            f"{report['questions']} questions asked.",
            f"Scores: {'right' if report['scores_right'] else 'not right'}.",
        ]
    )
