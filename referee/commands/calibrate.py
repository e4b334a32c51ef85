"""`referee calibrate SOURCE`: from a picture of the table to the calibration file (CONTRACT)."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands.data import Refused, spare, write_out

if TYPE_CHECKING:
    from referee.frame import Image
    from referee.vision.calibration import Calibration
    from referee.vision.find_mat import Advice, MatLook

SETTLE_S = 1.5
"""Seconds that a live camera is watched before its pictures count. Too short: exposure and focus are still moving; too
long: people wait."""
LIVE_FRAMES = 8
"""Pictures of a live camera of which the best is taken. Fewer: a hand in the way; more: people wait."""
RECORDED_FRAMES = 40
"""Pictures of a recording that are looked at, spread over its beginning."""
EVERY = 5
SHEETS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}


@click.command(name="calibrate")
@click.argument("source")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The calibration file. [default: the one that `serve` uses]")  # fmt: skip
@click.option("--corners", metavar='"X,Y X,Y X,Y X,Y"',
              help="Without a mat: corners of a rectangle on the table, in pixels, in any order.")  # fmt: skip
@click.option("--size", default="a4", show_default=True, metavar="a4|letter|WxH",
              help="With --corners: its size; WxH in millimetres, such as 1200x800 for a table.")  # fmt: skip
@click.option("--seats", type=click.IntRange(2, 10), default=4, show_default=True,
              help="Players round the table, clockwise from the lower edge of the picture.")  # fmt: skip
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), metavar="OUT.jpg",
              help="The picture with what was found. [default: beside FILE]")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    source: str, out: Path | None, corners: str | None, size: str, seats: int, picture: Path | None, as_json: bool
) -> None:
    """Find the table in SOURCE, a picture, a recording or a camera, and write the calibration file.

    Lay the printed mat (`referee mat`) under the camera, or name four corners with --corners.
    """
    from referee.hardware.cameras import CameraError
    from referee.vision.calibration import CalibrationError, save_calibration
    from referee.vision.find_mat import Code, from_corners, look_for_mat, seats_round, view_advice
    from referee.vision.light_check import light_advice
    from referee.vision.picture_file import PictureError

    out = out or _default_file()
    picture = picture or out.with_suffix(".jpg")
    spare(source, out, picture)
    try:
        image, look = _best(source, any_picture=corners is not None)
        if corners is not None:
            calibration = from_corners((image.shape[1], image.shape[0]), _points(corners), _size(size))
            look = look_for_mat(image)
            advice = view_advice(calibration)
        elif look.calibration is None:
            mirrored = any(one.code is Code.MIRRORED for one in look.advice)  # corners would not mend that
            instead = "" if mirrored else " Or name four corners with --corners."
            raise Refused(f"{source}: {' '.join(_words(look.advice))}{instead}")
        else:
            calibration, advice = look.calibration, list(look.advice)
        calibration = replace(calibration, seats=seats_round(calibration, seats))
        advice += light_advice(image, look, calibration)
        save_calibration(calibration, out)
        _write_picture(picture, image, calibration, look)
    except (CameraError, CalibrationError, PictureError) as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{error.filename or out}: cannot be written: {error.strerror}; name another file") from None
    facts: dict[str, Any] = {
        "file": str(out), "picture": str(picture), "table_mm": list(calibration.table_mm),
        "card_px": round(calibration.px_per_mm() * calibration.card_mm[1]),
        "markers": len(look.markers) if corners is None else None,
        "residual_mm": None if corners is not None or look.residual_mm is None else round(look.residual_mm, 2),
        "advice": [one.to_json() for one in advice],
    }  # fmt: skip
    if as_json:
        click.echo(json.dumps(facts))
        return
    if facts["markers"] is not None:
        click.echo(f"{facts['markers']} of 6 markers, {facts['residual_mm']:.2f} mm apart from where they should be.")
    wide, high = calibration.table_mm
    click.echo(f"The camera sees {wide:.0f} x {high:.0f} mm of the table; a card is {facts['card_px']} pixels high.")
    for line in _words(advice):
        click.echo(f"! {line}")
    click.echo(f"wrote {out}; look at {picture}: the piles belong into the two boxes")


def _default_file() -> Path:
    from referee.config import ConfigError, load

    try:
        return load().calibration_file
    except ConfigError as error:
        raise Refused(str(error)) from None


def _points(text: str) -> list[tuple[float, float]]:
    try:
        points = [tuple(float(v) for v in pair.split(",")) for pair in text.replace(";", " ").split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(pair) != 2 for pair in points):
        raise Refused(f'--corners {text!r}: expected four points, such as "120,80 1150,90 1180,650 100,640"')
    return [(pair[0], pair[1]) for pair in points]


def _size(text: str) -> tuple[float, float]:
    if text.lower() in SHEETS:
        return SHEETS[text.lower()]
    width, _, height = text.lower().partition("x")
    try:
        return float(width), float(height)
    except ValueError:
        raise Refused(f"--size {text!r}: expected a4, letter, or millimetres such as 1200x800") from None


def _best(source: str, *, any_picture: bool) -> tuple[Image, MatLook]:
    """The picture that shows the mat best, or the first one, and what it shows. Raises CameraError, Refused."""
    from referee.vision.find_mat import look_for_mat

    best: tuple[Image, MatLook] | None = None
    for image in _images(source):
        look = look_for_mat(image)
        if best is None or _rank(look) > _rank(best[1]):
            best = image, look
        if any_picture or (_rank(look)[:2] == (True, 6) and not look.advice):
            break
    if best is None:
        raise Refused(f"{source}: gives no picture; check the camera, or name a picture or a recording")
    return best


def _rank(look: MatLook) -> tuple[bool, int, float]:
    return look.calibration is not None, len(look.markers), -(look.residual_mm or 0.0)


def _images(source: str) -> Any:
    """Pictures of the source, one after the other."""
    from referee.hardware.cameras import frames, open_camera, parse_source
    from referee.vision.picture_file import ENDINGS, load_picture

    path = Path(source)
    if path.is_file() and path.suffix.lower() in ENDINGS:
        yield load_picture(path)
        return
    with open_camera(parse_source(source)) as camera:
        started = time.monotonic()
        images = (
            frame.image
            for number, frame in enumerate(frames(camera))
            if (time.monotonic() - started >= SETTLE_S if camera.live else number % EVERY == 0)
        )
        yield from islice(images, LIVE_FRAMES if camera.live else RECORDED_FRAMES)


def _words(advice: Any) -> list[str]:
    """Advice in English sentences, from the catalogue of the pages."""
    from referee.dashboard.phrases import load_phrases, translator
    from referee.paths import shipped

    t = translator(load_phrases(shipped("web") / "locale")["en"])

    def sentence(one: Advice) -> str:
        return t(f"advice.{one.code.value}", n=one.n, side=t(f"side.{one.side}") if one.side else "")

    return [sentence(one) for one in advice]


def _write_picture(path: Path, image: Image, calibration: Calibration, look: MatLook) -> None:
    import cv2

    from referee.vision.annotate import draw_calibration

    ok, data = cv2.imencode(".jpg", draw_calibration(image, calibration, [quad for _, quad in look.markers]))
    if not ok:
        raise Refused(f"{path}: the picture cannot be made")
    write_out(path, data.tobytes())
