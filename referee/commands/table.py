"""`referee table`: recordings of a simulated table, with calibration and truth beside them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee.commands.data import Refused
from referee.durable import write_atomically


@click.command(name="table")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--videos", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many recordings.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the first; the next is +1.")
@click.option("--level", type=click.Choice(["easy", "normal", "hard"]), default="normal", show_default=True)
@click.option("--style", help="The deck: a style's name, or 'any' for a design drawn at random. Default: by the seed.")
@click.option("--table", "table_top", help="The table top. Default: by the seed.")
@click.option("--hands", type=click.IntRange(1, 100), default=1, show_default=True, help="Hands to play in each.")
@click.option("--rules", default="official_108", show_default=True, metavar="PRESET", help="Rules they play by.")
@click.option("--players", type=click.IntRange(2, 10), help="How many players. Default: 2 to 6, by the seed.")
@click.option("--seconds", type=click.FloatRange(5), default=3600.0, help="Stop at about this many seconds.")
@click.option("--messy", type=click.IntRange(1), metavar="N",
              help="Instead of play: N landings among all that hands do to piles, by no rules.")  # fmt: skip
@click.option("--fps", type=click.FloatRange(5, 60), default=15.0, show_default=True)
def command(
    out: Path, videos: int, seed: int, level: str, style: str | None, table_top: str | None, hands: int,
    rules: str, players: int | None, seconds: float, messy: int | None, fps: float,
) -> None:  # fmt: skip
    """Render recordings of a simulated table into the folder OUT, with the truth."""
    from referee.virtual_table import Level, Look, VirtualTable, messy_script, play
    from referee.virtual_table.table import truth_json
    from referee.vision.video_file import VideoFile

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"{out}: cannot be made: {error.strerror}; name another folder") from None
    for number in range(seed, seed + videos):
        try:
            look = Look.draw(number, Level(level), table_top, style)
            seats = players or 2 + number % 5
            if messy:
                script = messy_script(number, players=seats, landings=messy, level=look.level)
            else:
                script = play(number, players=seats, hands=hands, preset=rules, level=look.level, seconds=seconds)
        except ValueError as error:
            raise Refused(str(error)) from None
        table = VirtualTable(script, look)
        stem = out / f"{level}-{number}"
        video = VideoFile(Path(f"{stem}.mp4"), fps)
        try:
            with click.progressbar(table.frames(fps), length=table.frame_count(fps), label=stem.name) as frames:
                for frame in frames:
                    video.write(frame.image)
            video.close()
            write_atomically(Path(f"{stem}.calibration.json"), json.dumps(table.calibration(), indent=1).encode())
            write_atomically(Path(f"{stem}.truth.json"), truth_json(table, fps).encode())
        except ValueError as error:
            raise Refused(str(error)) from None
        except OSError as error:
            raise Refused(f"{stem}: cannot be written: {error.strerror}; name another folder") from None
        finally:
            video.discard()
