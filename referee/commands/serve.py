"""`referee serve`: the service over a real table."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands.data import Refused

if TYPE_CHECKING:
    from referee.config import Config

log = logging.getLogger(__name__)


@click.command()
@click.option("--config", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="The configuration. Default: the usual place; `referee config` shows it.")  # fmt: skip
@click.option("--no-camera", is_flag=True, help="Buttons and phones only; cards are entered on the phones.")
def command(file: Path | None, no_camera: bool) -> None:
    """Referee a real table until Ctrl-C: camera, buttons, lamp, pages."""
    from referee.app import Plan, Service
    from referee.config import load
    from referee.hardware.buttons import plan_buttons
    from referee.hardware.signals import SignalPlan
    from referee.vision.nets import ModelError

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    try:
        config = load(file)
        signals = config.signals
        plan = Plan(
            data=config.data_folder,
            buttons=plan_buttons(config.buttons.uno_pins, config.buttons.active_low),
            signals=SignalPlan(
                signals.lamp_pins, signals.buzzer_pins[0] if signals.buzzer_pins else None, signals.active_low
            ),
            host=config.dashboard.host,
            port=config.dashboard.port,
            threads=config.dashboard.threads,
            streams=config.dashboard.streams,
            language=config.general.language,
            preset=config.general.preset,
            **({} if no_camera else _camera(config)),
        )
        with Service(plan) as service:
            click.echo(f"Open {service.address} on a phone of this network; Ctrl-C ends.", err=True)
            if service.pin is not None:
                click.echo(f"Host PIN: {service.pin} (made just now; it is shown only once)", err=True)
            if service.panel is not None and service.panel.trouble is not None:
                click.echo(f"{service.panel.trouble.what}. {service.panel.trouble.remedy}", err=True)
            stopped.wait()
    except (ValueError, OSError, ModelError) as error:
        raise Refused(str(error)) from None


def _camera(config: Config) -> dict[str, Any]:
    """The parts of the plan that belong to the camera."""
    from referee.app import eye_from
    from referee.hardware.cameras import open_camera, parse_source
    from referee.paths import shipped
    from referee.vision.calibration import load_calibration

    camera = config.camera
    file = Path(camera.calibration).expanduser() if camera.calibration else config.data_folder / "calibration.json"
    if not camera.calibration and not file.exists():
        file = shipped("calibration") / "default.json"
        log.warning("there is no %s: a camera straight above the table is assumed", config.data_folder / file.name)
    spec = parse_source(
        camera.source, size=(camera.width, camera.height), fps=camera.fps, distance_m=camera.distance_m or None,
        mains_hz=camera.mains_hz,
    )  # fmt: skip
    return {
        "open_camera": partial(open_camera, spec),
        "calibration": load_calibration(file),
        "make_eye": partial(eye_from, file),
    }
