"""The configuration as a host's phone changes it: checked, written whole, and in force after a new start."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from referee import config
from referee.config import Config, ConfigError, Field
from referee.hardware.cameras import CameraError
from referee.hardware.setup import camera_spec
from referee.hardware.usb_camera import list_devices
from referee.hardware.wiring_svg import as_svg

CHANGEABLE = ("general.language", "camera.", "buttons.", "signals.")
"""How the names of fields begin that a phone may change. A wrong address, port or folder would shut the phones out; the
rules are kept by the wizard."""

NOT_CHANGEABLE = frozenset({"camera.calibration"})
"""Of those, what the wizard keeps."""

IN_THE_PICTURE = frozenset({"camera.source", "camera.width", "camera.height", "camera.view"})
"""Fields after whose change the table lies elsewhere in the picture."""


class Configuring:
    """What the page about the machine asks and decides: `referee.dashboard.machine.Machine`.

    file: the configuration's; it may not be there yet. restart: starts the service again with what the file says then;
    called from any thread.
    """

    def __init__(self, file: Path, restart: Callable[[], None]) -> None:
        self._file, self._restart = file, restart
        self.started = secrets.token_hex(4)

    def fields(self) -> list[dict[str, Any]]:
        """Every field that may be changed, as JSON. Raises ConfigError when the file was spoilt meanwhile."""
        return [_as_json(one) for one in config.every_field(self._now()) if _changeable(one.name)]

    @staticmethod
    def cameras() -> list[dict[str, str]]:
        """USB cameras that are plugged in: `source` for the field, and `name`."""
        return [{"source": device.path, "name": device.name} for device in list_devices()]

    def wiring(self) -> str:
        """The wiring picture, SVG."""
        return as_svg(self._now())

    def keep(self, changes: Mapping[str, Any]) -> bool:
        """Writes the fields of `changes`, by full name; whether the table must be set up again.

        Raises ConfigError, a ValueError, in one line that names the field; OSError.
        """
        now = self._now()
        values = asdict(now)
        for name, value in changes.items():
            if not _changeable(name):
                raise ConfigError(f"{name}: is not changed here; expected one of the fields of this page")
            section, _, field = name.partition(".")
            if field not in values[section]:
                raise ConfigError(f"unknown field {name}")
            values[section][field] = value
        made = config.from_values(values)
        try:
            camera_spec(made.camera)
        except CameraError as error:
            raise ConfigError(f"camera.source is {made.camera.source!r}: {error}") from None
        config.save(made, self._file)
        before, after = ({one.name: one.value for one in config.every_field(each)} for each in (now, made))
        return any(before[name] != after[name] for name in IN_THE_PICTURE)

    def restart(self) -> None:
        """Starts the service again."""
        self._restart()

    def _now(self) -> Config:
        return config.load(self._file) if self._file.exists() else Config()


def _changeable(name: str) -> bool:
    return name.startswith(CHANGEABLE) and name not in NOT_CHANGEABLE


def _as_json(one: Field) -> dict[str, Any]:
    about = one.about
    return {
        "name": one.name, "value": one.value, "default": one.default, "kind": one.kind, "unit": about.unit,
        "low": about.low, "high": about.high, "choices": about.choices, "most": about.most,
    }  # fmt: skip
