"""`referee train`: makes the eye's networks again from a seed with PyTorch, or scores them on rendered scenes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from referee.commands.data import Refused

NETWORKS = ("finder", "pile_finder", "reader", "index_finder", "index_reader")
"""The names of `referee.vision.nets.FILES`, which would load OpenCV to say a help text."""

_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@click.command()
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), default=_DATA, help="Photographs, grounds, hands."
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path("models-new"), help="Where to write."
)
@click.option("--device", default="auto", show_default=True, help="auto, cpu, cuda, cuda:1 ...")
@click.option(
    "--steps", type=click.IntRange(10), default=29000, show_default=True,
    help="Batches for the reader; each other network gets twice as many.",
)  # fmt: skip
@click.option(
    "--decks", type=click.IntRange(2), default=240, show_default=True,
    help="Whole decks to draw; of seven times as many designs a few cards are drawn.",
)  # fmt: skip
@click.option(
    "--fonts", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
    help="Draw six decks in ten with typefaces found in FOLDER (.ttf, .otf).",
)  # fmt: skip
@click.option("--workers", type=click.IntRange(0), default=2, show_default=True, help="Processes that make samples.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--start", type=click.Path(file_okay=False, path_type=Path),
    help="Networks that help to locate cards; by default those of --further.",
)  # fmt: skip
@click.option(
    "--further", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Go on from the networks in FOLDER, such as models; their thresholds are kept.",
)  # fmt: skip
@click.option(
    "--only", multiple=True, type=click.Choice(NETWORKS), help="With --further: train this one. May be repeated."
)
@click.option("--rate", type=click.FloatRange(1e-6, 0.1), default=0.002, show_default=True, help="Largest step.")
@click.option(
    "--larger", type=click.IntRange(1), default=1, show_default=True,
    help="Batches so many times as large, for a GPU, which fewer of them keep busier.",
)  # fmt: skip
@click.option(
    "--fresh", type=click.IntRange(0), default=0, metavar="DESIGNS",
    help="Make the readers' samples where they learn, with so many new designs for every 16,384. For a GPU.",
)  # fmt: skip
@click.option(
    "--other-games", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
    help="Pictures (.png) of other games' cards and, with alpha, of other things on a table, which are no faces.",
)  # fmt: skip
@click.option(
    "--keep", is_flag=True,
    help="With --further and --fresh: the readers learn only what are other games' cards, and of all else go on saying "
    "what they said.",
)  # fmt: skip
@click.option(
    "--none-less", type=click.FloatRange(0, 10), default=0.0, show_default=True, metavar="NATS",
    help="With --keep: how much less likely the readers then hold 'no face', so that faces of new decks stay faces.",
)  # fmt: skip
@click.option(
    "--strangers-less", type=click.FloatRange(0, 10), default=0.0, show_default=True, metavar="NATS",
    help="With --keep: how much less what was learnt of other games' cards then counts, for the same end.",
)  # fmt: skip
@click.option("--hold-out", is_flag=True, help="Leave the tuning sources out, to choose settings and calibrate.")
@click.option("--resume", is_flag=True, help="Go on with what is in --out.")
@click.option(
    "--evaluate", "scenes", type=click.IntRange(1), metavar="SCENES",
    help="Train nothing: score the shipped networks, or those of --start, on so many rendered scenes of each kind.",
)
@click.option(
    "--failures", type=click.Path(dir_okay=False, path_type=Path), metavar="PICTURE",
    help="With --evaluate: the ten worst failures as one picture.",
)
def command(
    data: Path, out: Path, device: str, steps: int, decks: int, workers: int, seed: int, start: Path | None,
    further: Path | None, only: tuple[str, ...], rate: float, larger: int, fonts: Path | None, fresh: int,
    other_games: Path | None, keep: bool, none_less: float, strangers_less: float, hold_out: bool, resume: bool,
    scenes: int | None, failures: Path | None,
) -> None:  # fmt: skip
    """Train the eye's networks again: draw decks, cut out photographed cards, train, calibrate, export."""
    if scenes is not None:
        _evaluate(scenes, data, start, seed, failures)
        return
    try:
        from referee.training.recipe import Recipe, run
        from referee.vision.nets import ModelError

        if fonts is not None:
            import_module("PIL")  # needed only by then
    except ModuleNotFoundError as error:
        raise Refused(f"{error.name} is missing: pip install 'uno-table-referee[train]'") from None
    if only and further is None:
        raise Refused("--only needs --further FOLDER: where the other networks come from")
    if keep and further is None:
        raise Refused("--keep needs --further FOLDER: whose readings are kept")
    for option, nats in (("--none-less", none_less), ("--strangers-less", strangers_less)):
        if nats and not keep:
            raise Refused(f"{option} needs --keep: other trainings learn what is no face, and what is one, together")
    if keep and not fresh:
        raise Refused("--keep needs --fresh DESIGNS: its samples say which cards are other games'")
    try:
        recipe = Recipe(
            data, out, device, steps, decks, workers, seed, start, hold_out, resume, further, only, rate, larger, fonts,
            fresh, other_games, keep, none_less, strangers_less,
        )  # fmt: skip
        run(recipe, _bar)
    except (FileNotFoundError, ValueError, ModelError) as error:
        raise Refused(str(error)) from None


def _evaluate(count: int, data: Path, networks: Path | None, seed: int, picture: Path | None) -> None:
    import cv2

    from referee.training.evaluate import Failure, rows, sheet
    from referee.vision.nets import ModelError, load_models

    failures: list[Failure] = []
    try:
        models = load_models(networks)
        for line in rows(models, data, count, seed, lambda n, of: _bar("scenes", n, of, ""), failures):
            click.echo(line)
    except (FileNotFoundError, ValueError, ModelError) as error:
        raise Refused(str(error)) from None
    if picture is not None:
        cv2.imwrite(str(picture), sheet(failures, models))


def _bar(what: str, done: int, total: int, note: str) -> None:
    width = 24
    filled = width * done // max(1, total)
    line = f"{what:8} [{'#' * filled}{'.' * (width - filled)}] {done}/{total} {note}"
    click.echo(f"\r{line:100}", nl=done == total or not sys.stderr.isatty(), err=True)
