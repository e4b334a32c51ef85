"""`referee serve`: the service over a real table."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands.data import Refused
from referee.durable import write_atomically
from referee.health import State

if TYPE_CHECKING:
    from referee.config import Config

log = logging.getLogger(__name__)

WATCHDOG_S = 5.0
"""Seconds between signs of life to systemd where no camera gives them. Must stay well below the unit's WatchdogSec."""


@click.command()
@click.option("--config", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="The configuration. Default: the usual place; `referee config` shows it.")  # fmt: skip
@click.option("--no-camera", is_flag=True, help="Buttons and phones only; cards are entered on the phones.")
def command(file: Path | None, no_camera: bool) -> None:
    """Referee a real table until Ctrl-C: camera, buttons, lamp, pages."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    stopped, over = threading.Event(), threading.Event()

    def stop(*_: object) -> None:
        stopped.set()
        over.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    port: int | None = None
    while not stopped.is_set():
        port = _serve(file, no_camera, over, stopped, port)
        if port is None:
            return
        over.clear()


def _serve(
    file: Path | None, no_camera: bool, over: threading.Event, stopped: threading.Event, before: int | None
) -> int | None:
    """One life of the service, until `over`: for good when `stopped`, else because a host changed the machine.

    before: the port of the life before. Returns this one's; None, and does not begin, where systemd must start the unit
    anew because only the unit can tell the network of another port.
    """
    from referee.app import Plan, Service
    from referee.config import default_path, load
    from referee.configuring import Configuring
    from referee.hardware import notify
    from referee.hardware.cameras import CameraError
    from referee.hardware.setup import button_plans, signal_plan
    from referee.vision.nets import ModelError

    try:
        config = load(file)
        if before not in (None, config.dashboard.port) and notify.supervised():
            return None
        plan = Plan(
            data=config.data_folder,
            config_file=file,
            buttons=button_plans(config.buttons),
            signals=signal_plan(config.signals),
            host=config.dashboard.host,
            port=config.dashboard.port,
            threads=config.dashboard.threads,
            streams=config.dashboard.streams,
            language=config.general.language,
            preset=config.general.preset,
            machine=Configuring(file or default_path(), over.set),
            **({} if no_camera else _camera(config)),
        )
        with Service(plan, on_alive=notify.alive) as service:
            click.echo(f"Open {service.address} on a phone of this network; Ctrl-C ends.", err=True)
            click.echo(f"Table code: {service.code} (makes the first host, gives a lost seat back)", err=True)
            if service.pin is not None:
                click.echo(f"Host PIN: {service.pin} (made just now; it is shown only once)", err=True)
                click.echo(invitation(service.address, service.code), err=True)
            if not service.set_up.ready:
                click.echo(f"The table is not set up yet: open {service.address}/setup as host.", err=True)
            _tell_machine(service.address, service.code, config.dashboard.port)
            notify.ready(service.address)
            while not over.wait(WATCHDOG_S):
                # Without a camera there is no frame loop that could tell systemd that all is well.
                if service.camera is None or service.camera.health.state is State.ENDED:
                    notify.alive()
            if stopped.is_set():
                notify.stopping()
            return config.dashboard.port
    except (ValueError, CameraError, ModelError) as error:
        raise Refused(str(error)) from None


def _camera(config: Config) -> dict[str, Any]:
    """The parts of the plan that belong to the camera."""
    from referee.app import eye_from
    from referee.hardware.cameras import open_live
    from referee.hardware.setup import camera_spec
    from referee.vision.calibration import CalibrationError, load_calibration
    from referee.vision.deck import FILE_NAME

    camera, file = config.camera, config.calibration_file
    parts: dict[str, Any] = {
        "open_camera": partial(open_live, camera_spec(camera)), "calibration_file": file, "close_up": camera.close_up,
    }  # fmt: skip
    if not file.exists():
        return parts  # the wizard makes it
    try:
        make_eye = partial(eye_from, file, config.data_folder / FILE_NAME)
        return {**parts, "calibration": load_calibration(file), "make_eye": make_eye}
    except CalibrationError as error:
        log.warning("%s; set the table up again", error)
        return parts


def invitation(address: str, code: str) -> str:
    """The address, and a QR code of it with the table's code, as lines for a console."""
    import segno

    drawn = io.StringIO()
    segno.make(f"{address}/?c={code}", error="m").terminal(drawn, border=2, compact=True)
    return f"Scan this, or open {address}\n{drawn.getvalue()}"


def _tell_machine(address: str, code: str, port: int) -> None:
    """Leaves the invitation where the Pi's own screen takes it from, above the login, and the port where the unit takes
    it from for the network's name (systemd/install.sh)."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if folder:
        with contextlib.suppress(OSError):
            write_atomically(Path(folder) / "issue", f"UNO table referee\n{invitation(address, code)}\n".encode())
            write_atomically(Path(folder) / "port", f"{port}\n".encode())
