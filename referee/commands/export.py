"""`referee export`: a game as a log that `referee judge` reads, or its scores as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from referee.chronicle import read, scores_csv
from referee.commands.data import Refused, data_option, spare
from referee.storage import Entry, Journal
from referee.storage.export import export_log, log_text, write_file
from referee.storage.journal import FILE_NAME


@click.command()
@data_option
@click.option("--game", type=click.IntRange(1, 2**63 - 1), help="Number of the game; the last one unless given.")
@click.option("--list", "list_games", is_flag=True, help="List the games instead.")
@click.option("--csv", "as_csv", is_flag=True, help="The score after each hand as CSV instead of the log.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Write over the file if it is there.")
def command(data: Path, game: int | None, list_games: bool, as_csv: bool, output: Path | None, force: bool) -> None:
    """Write a game as one JSON log, with every event, correction and answer. A running referee goes on."""
    spare(data / FILE_NAME, output)
    try:
        with Journal(data / FILE_NAME, read_only=True) as journal:
            games = journal.games()
            if list_games:
                text = _list(games)
            else:
                if game is None and games:
                    game = games[-1].number
                entries = journal.entries(game) if game is not None else []
                if not entries:
                    known = ", ".join(str(entry.number) for entry in games)
                    if not known:
                        raise Refused(f"{data / FILE_NAME}: no game has begun there; name another folder with --data")
                    raise Refused(f"--game {game}: not in {data / FILE_NAME}; games there: {known}")
                text = _scores(entries) if as_csv else log_text(export_log(entries))
        if output is None:
            click.echo(text, nl=False)
        else:
            write_file(output, text, force=force)
    except ValueError as error:
        raise Refused(str(error)) from None


def _list(games: Sequence[Entry]) -> str:
    return "".join(
        f"{entry.number}: {', '.join(getattr(entry.event, 'players', ()))} ({getattr(entry.event, 'preset', '')})\n"
        for entry in games
    )


def _scores(entries: Sequence[Entry]) -> str:
    chronicle = read((entry.number, entry.event) for entry in entries)
    return scores_csv(chronicle) if chronicle is not None else ""
