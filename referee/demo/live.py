"""A demo in real time: the service as on a Pi, with a simulated table under its camera and simulated fingers."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.app import Plan, Service
from referee.demo.evening import DemoPlan, Evening, QuestionCount, calibrated, seat_pins
from referee.durable import write_atomically
from referee.hardware.buttons import ButtonPlan
from referee.hardware.gpio import mock_factory
from referee.hardware.signals import SignalPlan
from referee.health import State
from referee.virtual_table import Press, VirtualCamera
from referee.virtual_table.buttons import VirtualButtons
from referee.virtual_table.script import Input

log = logging.getLogger(__name__)

START_S = 1.0
"""Seconds from when frames are looked at until the simulated table begins. Too small: a hand moves before the eye
knows the table; too large: the newcomer waits."""

GO_ON_S = 3.0
"""The same from the start of a demo that goes on, where hands are in the picture and cannot be held still for long. Too
small: the camera process is not up and misses a card; too large: the newcomer waits."""

CUE = "demo.start"
"""File in the data folder that tells the camera process when the simulated table begins."""

LOOK_S = 0.5
"""Seconds between two looks at how it goes."""

LAMP_PIN, BUZZER_PIN = 20, 21

Progress = Callable[[float, float, dict[str, Any]], None]


class Fingers(threading.Thread):
    """Presses buttons and taps phones at their times until `stop`."""

    def __init__(self, service: Service, inputs: list[Input], buttons: VirtualButtons, start: float) -> None:
        super().__init__(name="fingers")
        self._service, self._inputs, self._buttons, self._start = service, inputs, buttons, start
        self._stopping = threading.Event()

    def run(self) -> None:
        for one in self._inputs:
            if self._stopping.wait(max(0.0, self._start + one.t - time.monotonic())):
                return
            if isinstance(one, Press):
                self._buttons.press(one.seat)
                continue
            session = self._service.session
            try:
                session.record(replace(one.event, t=session.table_time(self._start + one.t)), one.player)
            except ValueError as error:  # a person has started another game meanwhile
                log.warning("the simulated %s could not tap: %s", one.player, error)

    def stop(self) -> None:
        """Ends the thread."""
        self._stopping.set()
        self.join()


class LiveDemo:
    """The service over a simulated table; a context manager. service: the running service, for its address and PIN."""

    def __init__(self, plan: DemoPlan, folder: Path, port: int) -> None:
        """Begins the evening, or goes on with it. Raises what `Service` and `Evening.open` raise."""
        self._table = plan.table()
        self._evening = Evening.open(folder, plan)
        self._begun = time.monotonic()
        self._cue = folder / CUE
        self._cue.unlink(missing_ok=True)
        begin = self._evening.begin
        start = time.monotonic() + GO_ON_S - begin if begin else None
        factory, pins = mock_factory(), seat_pins(len(self._table.script.players))
        calibration, make_eye = calibrated(self._table)
        self.service = Service(
            Plan(
                data=folder,
                open_camera=partial(VirtualCamera, self._table, plan.fps, True, start, self._cue),
                calibration=calibration,
                make_eye=make_eye,
                buttons=tuple(ButtonPlan(pin, seat) for seat, pin in pins.items()),
                signals=SignalPlan(lamp=(LAMP_PIN,), buzzer=BUZZER_PIN),
                factory=factory,
                port=port,
            )
        )
        self._start: float | None = None
        self._fingers: Fingers | None = None
        self._buttons = VirtualButtons(pins, factory, plan.seed)
        self._questions = QuestionCount()
        try:
            self._evening.start(self.service.session, self._table)
            if start is not None:
                self._begins(start)
        except BaseException:
            self.service.close()
            raise

    def _begins(self, start: float) -> None:
        """People at the simulated table begin, `start` being the script's beginning on the monotonic clock."""
        begin = self._evening.begin
        self._start = start
        self._evening.aligned(self.service.session.table_time(start + begin), begin)
        inputs = [one for one in self._table.inputs if one.t > begin or begin == 0.0]
        self._fingers = Fingers(self.service, inputs, self._buttons, start)
        self._fingers.start()

    def play(self, stopped: threading.Event, progress: Progress) -> dict[str, Any] | None:
        """Waits until the table's hands are over, and returns the report; None when `stopped` was set before."""
        camera = self.service.camera
        assert camera is not None
        while not stopped.wait(LOOK_S):
            board = self.service.session.board()
            if self._start is None and camera.health.state is State.RUNNING:
                start = time.monotonic() + START_S
                write_atomically(self._cue, str(start).encode())
                self._begins(start)
            t = 0.0 if self._start is None else max(0.0, time.monotonic() - self._start)
            self._questions.look(board["question"], self.service.session.now())
            progress(t, self._table.duration_s, board)
            if camera.health.state is State.ENDED:
                seconds = time.monotonic() - self._begun
                return self._evening.report(self.service.session, self._table.truth, len(self._questions), seconds)
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._fingers is not None:
            self._fingers.stop()
        self.service.close()
