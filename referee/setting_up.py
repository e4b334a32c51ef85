"""Setting up a real table while the service runs: what the camera sees goes to the wizard, what the host decided goes
into files and into the camera process, and nothing is restarted."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from referee.dashboard.keys import write_json
from referee.dashboard.rules import check_rules
from referee.hardware.buttons import ButtonPlan, Press
from referee.hardware.camera_child import CameraChild
from referee.health import Trouble
from referee.vision.calibration import Calibration, parse_calibration, save_calibration
from referee.vision.find_mat import from_corners
from referee.vision.mat import Paper
from referee.vision.mat_pdf import mat_pdf
from referee.vision.survey import survey_from

log = logging.getLogger(__name__)

LEASE_S = 8.0
"""Seconds after the last question of a phone for which the table is looked over. Too small: a phone on a slow network
loses the picture between two questions; too large: a phone that was put away keeps the referee from watching."""

PRESSES = 20
"""Presses that are remembered for the button test."""

RULES_FILE = "rules.json"


class SettingUp:
    """What the wizard asks and decides: `referee.dashboard.setup.SetUp`.

    file: of the calibration. calibration: the one in force, None before there is one. watch(calibration): watches with
    a new one from now on. surveying(on): called when looking over begins and ends, from any thread.
    """

    def __init__(
        self,
        *,
        file: Path,
        data: Path,
        calibration: Calibration | None,
        preset: str,
        buttons: Sequence[ButtonPlan],
        watch: Callable[[Calibration], None],
        surveying: Callable[[bool], None],
    ) -> None:
        self._file, self._rules_file = file, data / RULES_FILE
        self._calibration, self._preset, self._plans = calibration, preset, tuple(buttons)
        self._watch, self._surveying = watch, surveying
        self._camera: CameraChild | None = None
        self._troubles: tuple[Trouble, ...] = ()
        self._lock = threading.RLock()
        self._mode: str | None = None
        self._lent: str | None = None
        self._until = 0.0
        self._count = 0
        self._seen: tuple[bytes, Mapping[str, Any]] | None = None
        self._presses: deque[dict[str, Any]] = deque(maxlen=PRESSES)
        self._pressed = 0

    def attach(self, camera: CameraChild) -> None:
        """Says which camera process to ask."""
        self._camera = camera

    @property
    def ready(self) -> bool:
        """Whether the table can be watched, or there is no camera that could."""
        return self._calibration is not None or self._camera is None

    @property
    def calibration(self) -> Calibration | None:
        """How the camera sees the table, None until it is set up."""
        return self._calibration

    @property
    def testing_buttons(self) -> bool:
        """Whether presses are being tried out, so that they do not count."""
        with self._lock:
            return self._mode == "buttons" and time.monotonic() < self._until

    # --- what the service tells -------------------------------------------------------------------------------------

    def surveyed(self, jpeg: bytes, facts: Mapping[str, Any]) -> None:
        """The camera process looked over the table; ends that when nobody has asked for a while."""
        with self._lock:
            if self._lent:
                return
            self._count += 1
            self._seen = (jpeg, facts)
            if time.monotonic() >= self._until:
                self.end()

    def lend(self, what: str | None) -> None:
        """A "hand" or a "deck" is being shown to the camera (None: no longer): the table is looked over again
        afterwards."""
        with self._lock:
            self._lent, self._seen = what, None
            if what is None and self._mode is not None:
                self._order(self._mode)

    def pressed(self, press: Press) -> None:
        """A button went down."""
        with self._lock:
            self._pressed += 1
            self._presses.append({"n": self._pressed, "seat": press.seat, "role": press.role.value})

    def troubled(self, troubles: tuple[Trouble, ...]) -> None:
        """What is wrong with the pins now."""
        self._troubles = troubles

    # --- what the wizard asks ---------------------------------------------------------------------------------------

    def look(self, what: str) -> dict[str, Any]:
        """What is known now; keeps looking at `what` for LEASE_S."""
        with self._lock:
            self._until = time.monotonic() + LEASE_S
            if what != self._mode:
                self._mode, self._seen = what, None
                self._order(what)
            camera = None if self._camera is None else self._camera.health
            trouble = None if camera is None or camera.trouble is None else camera.trouble.to_json()
            return {
                "n": self._count,
                "ready": self.ready,
                "camera": None
                if camera is None
                else {"state": camera.state.value, "name": camera.camera, "trouble": trouble},
                "calibration": None if self._calibration is None else self._calibration.to_json(),
                "facts": None if self._seen is None else self._seen[1],
                "hand_shown": self._lent == "hand",
                "deck_shown": self._lent == "deck",
                "buttons": [{"pin": one.pin, "seat": one.seat, "role": one.role.value} for one in self._plans],
                "presses": list(self._presses),
                "pin_troubles": [trouble.to_json() for trouble in self._troubles],
            }

    def picture(self) -> bytes | None:
        """The newest picture as JPEG."""
        with self._lock:
            return None if self._seen is None else self._seen[0]

    @staticmethod
    def mat(paper: str, words: Mapping[str, str]) -> bytes:
        """The table mat as PDF."""
        return mat_pdf(Paper(paper), words)

    def end(self) -> None:
        """Watches the game again."""
        with self._lock:
            if self._mode is None:
                return
            self._mode, self._seen = None, None
            self._order(None)

    def _order(self, what: str | None) -> None:
        """Under the lock, so that the last order is that of the mode."""
        if self._camera is None or self._lent:
            return
        if what in ("table", "cards"):
            given = None if self._calibration is None else self._calibration.to_json()
            self._camera.survey(partial(survey_from, given, cards=what == "cards"))
            self._surveying(True)
        else:
            self._camera.survey(None)
            self._surveying(False)

    # --- what the host decides --------------------------------------------------------------------------------------

    def from_corners(self, corners: Sequence[Sequence[float]], size_mm: tuple[float, float]) -> dict[str, Any]:
        """The calibration that follows from four corners. Raises CalibrationError, a ValueError."""
        with self._lock:
            seen = self._seen
        if seen is None:
            raise ValueError("the camera has given no picture yet: wait a moment")
        width, height = seen[1]["size"]
        points = [(float(x), float(y)) for x, y in corners]
        return from_corners((int(width), int(height)), points, size_mm).to_json()

    def keep(self, calibration: Mapping[str, Any]) -> None:
        """Writes the calibration and watches with it. Raises CalibrationError, OSError."""
        made = parse_calibration(calibration)
        save_calibration(made, self._file)
        with self._lock:
            self._calibration = made
            log.info("the table was set up: %s", self._file)
            self._watch(made)
            if self._mode is not None:
                self._order(self._mode)  # with the new calibration

    def rules(self) -> dict[str, Any]:
        """`preset` and `options` that a new game starts with."""
        try:
            kept = json.loads(self._rules_file.read_text("utf-8"))
            check_rules(kept["preset"], kept["options"])
        except FileNotFoundError:
            return {"preset": self._preset, "options": {}}
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("%s: %s; the configuration's preset is used", self._rules_file, error)
            return {"preset": self._preset, "options": {}}
        return {"preset": kept["preset"], "options": kept["options"]}

    def keep_rules(self, preset: str, options: Mapping[str, Any]) -> None:
        """Writes what a new game starts with. Raises ValueError, OSError."""
        check_rules(preset, options)
        write_json(self._rules_file, {"preset": preset, "options": dict(options)})
