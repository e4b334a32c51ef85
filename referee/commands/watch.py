"""`referee watch`: the eye alone on a recording or a camera (CONTRACT, "Commands")."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import cv2

from referee.commands.data import Refused, spare
from referee.frame import Frame
from referee.hardware.cameras import Camera, CameraError, frames, open_camera, parse_source
from referee.observations import (
    CardLanded,
    CardRead,
    CardRemoved,
    CardsDrawn,
    PileMoved,
    PileSeen,
    PileTaken,
    Sighting,
    ViewChanged,
)
from referee.vision.annotate import Annotator
from referee.vision.calibration import CalibrationError, load_calibration
from referee.vision.deck import DeckError, load_with_deck
from referee.vision.eye import Eye
from referee.vision.nets import ModelError, load_models


@click.command(name="watch")
@click.argument("source")
@click.option("--calibration", "calibration_file", required=True, type=click.Path(path_type=Path), metavar="FILE",
              help="How the camera sees the table.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each event.")
@click.option("--annotate", "annotated", type=click.Path(path_type=Path), metavar="OUT.mp4",
              help="Also write a video that shows what the eye saw.")  # fmt: skip
@click.option("--deck", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="A deck that `referee enrol` made.")  # fmt: skip
@click.option("--fps", default=15.0, show_default=True, type=click.FloatRange(1, 120),
              help="Frames a second of a folder of pictures, or wanted from a camera.")  # fmt: skip
def command(
    source: str, calibration_file: Path, as_json: bool, annotated: Path | None, deck: Path | None, fps: float
) -> None:
    """Print what happens on the table in SOURCE: a video file, a folder of frames, `pi`, `usb:0` or /dev/video0."""
    spare(source, annotated)
    cv2.setNumThreads(1)
    try:
        calibration = load_calibration(calibration_file)
        with open_camera(parse_source(source, size=calibration.image_size, fps=fps)) as camera:
            models = load_models()
            eye = Eye(calibration, models if deck is None else load_with_deck(deck, models))
            annotator = Annotator(annotated, calibration) if annotated else None
            try:
                _watch(camera, eye, as_json, annotator)
            except CalibrationError as error:  # of the frames' size
                raise Refused(f"{source} with {calibration_file}: {error}") from None
            finally:
                if annotator:
                    annotator.close()
    except (CalibrationError, CameraError, DeckError, ModelError, FileNotFoundError) as error:
        raise Refused(str(error)) from None
    except ValueError as error:
        raise Refused(f"{source}: {error}") from None


def _watch(camera: Camera, eye: Eye, as_json: bool, annotator: Annotator | None) -> None:
    progress = sys.stderr.isatty() and not camera.live
    last = 0.0
    for frame in frames(camera):
        sightings = [s for s in eye.process(frame) if not isinstance(s, PileSeen)]  # it is no event of the table
        for sighting in sightings:
            click.echo(json.dumps(sighting.to_json()) if as_json else in_words(sighting))
        if sightings:
            sys.stdout.flush()
        if annotator:
            annotator.write(frame, sightings)
        if progress and frame.t - last >= 1.0:
            last = frame.t
            _tell(frame)
    if progress:
        click.echo("\r" + " " * 30 + "\r", err=True, nl=False)


def _tell(frame: Frame) -> None:
    click.echo(f"\r{frame.t:7.1f} s, frame {frame.seq}", err=True, nl=False)


def in_words(sighting: Sighting) -> str:
    """One line for people."""
    seat = f"seat {sighting.seat}" if sighting.seat is not None else "someone"
    match sighting:
        case CardLanded():
            unsure = "" if sighting.sure else f"  (unsure, {sighting.reading.confidence:.2f})"
            what = f"{seat} lays {sighting.reading.notation}{unsure}"
        case CardRead():
            what = f"the card laid then is {sighting.reading.notation}"
        case CardRemoved():
            top = "nothing" if sighting.top is None else str(sighting.top)
            what = f"{seat} takes back {sighting.card or '?'}; on top now: {top}"
        case CardsDrawn():
            what = f"{seat} draws {'some' if sighting.count is None else sighting.count}"
        case PileMoved():
            what = "the pile was moved"
        case PileTaken():
            what = "the pile was taken"
        case ViewChanged():
            what = f"view: {sighting.state.value}"
        case _:
            what = sighting.event
    return f"{sighting.t:8.2f} s  {what}"
