"""The checks of `referee doctor`: each looks at one thing and says how it stands and what to do."""

from __future__ import annotations

import os
import platform
import queue
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from referee import paths
from referee.cards import FACES
from referee.config import Config
from referee.frame import Frame
from referee.hardware.camera_child import CameraChild
from referee.hardware.cameras import CameraError, CameraKind, open_camera
from referee.hardware.diagnosis_of_games import check_clock, check_disk, check_games, last_event
from referee.hardware.gpio import GpioError, open_factory
from referee.hardware.setup import camera_spec
from referee.health import CameraHealth, Check, Level, Supervision
from referee.observations import Sighting

_ONE_TRY = Supervision(start_limit_s=20.0)
"""How long to wait for a frame. Too small: a slow camera is called broken; too large: `doctor` is tedious."""


def checks(config: Config, *, try_camera: bool = True) -> Iterator[Check]:
    """Every check, in order. try_camera: take a frame, too; not while the service uses the camera."""
    yield check_python()
    yield check_opencv()
    yield check_models()
    yield check_camera(config, try_camera)
    yield check_calibration(config)
    yield from check_deck(config.data_folder)
    yield check_gpio(config)
    yield check_disk(config.data_folder)
    yield check_port(config.dashboard.host, config.dashboard.port)
    yield check_games(config.data_folder)
    yield check_clock(time.time(), last_event(config.data_folder))
    yield from check_power(Path("/usr/bin/vcgencmd"))


def check_python() -> Check:
    found = f"{platform.python_version()} on {platform.machine()}"
    if sys.maxsize < 2**32:
        return Check("Python", Level.MISSING, f"{found}, 32 bits", "Use the 64-bit Raspberry Pi OS: OpenCV needs it")
    return Check("Python", Level.OK, found)


def check_opencv() -> Check:
    try:
        import cv2
        import numpy as np
    except ImportError as error:
        return Check("OpenCV", Level.MISSING, str(error), "Run ./run again, which installs what is missing")
    found = f"OpenCV {cv2.__version__}, numpy {np.__version__}"
    version = tuple(int(part) for part in cv2.__version__.split(".")[:2])
    if not (4, 10) <= version < (5, 0):
        return Check("OpenCV", Level.WARN, found, "Versions 4.10 to 4.14 are tested; run ./run again to install one")
    return Check("OpenCV", Level.OK, found)


def check_models() -> Check:
    from referee.vision.nets import ModelError, load_models

    try:
        load_models()
    except (ModelError, FileNotFoundError) as error:
        return Check("models", Level.MISSING, str(error), "Install the program again; `models/` belongs to it")
    return Check("models", Level.OK, str(paths.shipped("models")))


def check_camera(config: Config, try_it: bool) -> Check:
    """Takes a frame in a process of its own, because a camera that hangs would hang `doctor` with it."""
    try:
        spec = camera_spec(config.camera)
    except CameraError as error:
        return Check("camera", Level.MISSING, error.what, error.remedy)
    if not try_it:
        return Check("camera", Level.OK, f"{spec.kind.value} {spec.where}, not tried")
    said: queue.SimpleQueue[CameraHealth] = queue.SimpleQueue()
    child = CameraChild(partial(open_camera, spec), _Blind, lambda sighting, photo: None, said.put, policy=_ONE_TRY)
    child.start()
    try:
        while not (health := said.get()).watching and health.trouble is None:
            pass
    finally:
        child.stop()
    if health.trouble is not None:
        return Check("camera", Level.MISSING, health.trouble.what, f"{health.trouble.remedy}{_others(config)}")
    found = f"{health.camera}: a picture came"
    if spec.kind in (CameraKind.VIDEO, CameraKind.FOLDER):
        return Check("camera", Level.WARN, found, "A recording is configured: set camera.source to a camera to play")
    return Check("camera", Level.OK, found)


class _Blind:
    """An eye that sees nothing."""

    def process(self, frame: Frame) -> list[Sighting]:
        return []


def _others(config: Config) -> str:
    """Cameras that are there although another one is configured."""
    from referee.hardware.usb_camera import list_devices

    found = [f"{device.path} ({device.name})" for device in list_devices() if device.path != config.camera.source]
    return f". Also found: {', '.join(found)}" if found else ""


def check_calibration(config: Config) -> Check:
    from referee.vision.calibration import CalibrationError, load_calibration

    path = config.calibration_file
    remedy = f"Open /setup on the host's phone, or run: referee calibrate SOURCE -o {path}"
    if not path.exists():
        return Check("calibration", Level.WARN, f"no {path}: the table is not set up yet", remedy)
    try:
        calibration = load_calibration(path)
    except (CalibrationError, OSError) as error:
        return Check("calibration", Level.MISSING, str(error), f"Set the table up again. {remedy}")
    return Check("calibration", Level.OK, f"{path}, {len(calibration.seats)} seats")


def check_deck(folder: Path) -> Iterator[Check]:
    """Which deck was enrolled; nothing where none was."""
    from referee.vision.deck import FILE_NAME, DeckError, load_deck
    from referee.vision.nets import ModelError, readers

    path = folder / FILE_NAME
    if not path.exists():
        return
    try:
        deck = load_deck(path, readers())
    except ModelError:
        return  # told of the models already
    except DeckError as error:
        yield Check("deck", Level.WARN, str(error), "Until then the referee reads as without it")
        return
    found = f"{deck.name or path.name}: {len(deck.looks)} of {len(FACES)} faces"
    if deck.heads is None:
        yield Check("deck", Level.WARN, f"{found}, not in use", "Let it be learned: open /deck on the host's phone")
    else:
        yield Check("deck", Level.OK, found)


def check_gpio(config: Config) -> Check:
    pins = [pin for some in config.pins().values() for pin in some]
    if not pins:
        return Check("pins", Level.OK, "no buttons and no lamp are configured")
    try:
        open_factory().close()
    except GpioError as error:
        return Check("pins", Level.WARN, error.trouble.what, error.trouble.remedy)
    names = ", ".join(f"GPIO {pin}" for pin in pins)
    if os.environ.get("GPIOZERO_PIN_FACTORY") == "mock":
        return Check("pins", Level.WARN, f"simulated pins for {names}", "Unset GPIOZERO_PIN_FACTORY to use real ones")
    return Check("pins", Level.OK, names)


def check_port(host: str, port: int) -> Check:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, port))
        except PermissionError:
            return Check(
                "port", Level.MISSING, f"port {port} needs root", "Set dashboard.port to 1024 or more, such as 8080"
            )
        except OSError as error:
            return Check(
                "port",
                Level.WARN,
                f"{host}:{port} cannot be used ({error.strerror})",
                f"Fine if the referee runs already; else set dashboard.port (`ss -ltnp sport = :{port}` shows why)",
            )
    return Check("port", Level.OK, f"{host}:{port} is free")


def check_power(vcgencmd: Path, run: Callable[[Path], str] | None = None) -> Iterator[Check]:
    """Under-voltage of a Pi, by `vcgencmd get_throttled`: bit 0 now, bit 16 since it was switched on."""
    if not vcgencmd.exists():
        return
    try:
        bits = int((run or _throttled)(vcgencmd).strip().partition("=")[2], 16)
    except (ValueError, OSError):
        return
    if bits & 1:
        yield Check("power", Level.WARN, "too little voltage now", "Use the Pi's own power supply and a short cable")
    elif bits & 1 << 16:
        yield Check("power", Level.WARN, "too little voltage since the start", "Use the Pi's own power supply")
    else:
        yield Check("power", Level.OK, "enough voltage since the start")


def _throttled(vcgencmd: Path) -> str:
    import subprocess

    try:
        return subprocess.run([vcgencmd, "get_throttled"], capture_output=True, text=True, timeout=5.0).stdout
    except subprocess.SubprocessError:
        return ""
