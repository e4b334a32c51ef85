"""A demo without a clock: every frame through the eye, every press through the pins, as fast as the machine can."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.app import BUTTON, evidence_crop
from referee.clock import ManualClock
from referee.demo.evening import DemoPlan, Evening, QuestionCount, calibrated, seat_pins
from referee.events import Uno
from referee.hardware.buttons import ButtonPlan, Buttons
from referee.hardware.buttons import Press as Pressed
from referee.hardware.evidence import Evidence as EvidenceCamera
from referee.hardware.gpio import mock_factory
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.storage.evidence import FOLDER_NAME as EVIDENCE_FOLDER
from referee.storage.journal import FILE_NAME as JOURNAL_FILE
from referee.virtual_table import Press
from referee.virtual_table.buttons import VirtualButtons

Progress = Callable[[float, float, dict[str, Any]], None]
"""Called with the script's time, its length (seconds) and the board."""

PROGRESS_S = 2.0
"""Seconds of the script between two progress reports."""


def run(plan: DemoPlan, folder: Path, progress: Progress) -> dict[str, Any]:
    """Plays the evening, or the rest of it, in `folder`; returns the report."""
    started = time.monotonic()
    table = plan.table()
    evening = Evening.open(folder, plan)
    begin = evening.begin
    clock = ManualClock()
    with ExitStack() as stack:
        session = Session(Journal(folder / JOURNAL_FILE), Evidence(folder / EVIDENCE_FOLDER), clock)
        stack.callback(session.close)
        questions = QuestionCount()
        evening.start(session, table)
        evening.aligned(session.table_time(clock.t), begin)
        shift = clock.t - begin  # from the script's time to the session's clock
        names = table.script.players

        def pressed(press: Pressed) -> None:
            assert press.seat is not None
            session.record(Uno(t=session.table_time(press.t), by=names[press.seat - 1]), BUTTON)

        def let_time_pass(seconds: float) -> None:
            clock.t += seconds

        pins = seat_pins(len(names))
        factory = mock_factory()
        fingers = VirtualButtons(pins, factory, plan.seed, let_time_pass)
        buttons = Buttons(
            [ButtonPlan(pin, seat) for seat, pin in pins.items()], factory, pressed, lambda plan, trouble: None,
            clock,
        )  # fmt: skip
        stack.callback(buttons.close)
        calibration, make_eye = calibrated(table)
        eye, evidence = make_eye(), EvidenceCamera(evidence_crop(calibration))
        inputs = deque(one for one in table.inputs if one.t > begin or begin == 0.0)
        next_report = begin
        for seq in range(int(begin * plan.fps), table.frame_count(plan.fps)):
            t = seq / plan.fps
            while inputs and inputs[0].t <= t:
                one = inputs.popleft()
                clock.t = max(clock.t, one.t + shift)
                if isinstance(one, Press):
                    fingers.press(one.seat)
                    buttons.poll()
                else:
                    session.record(replace(one.event, t=session.table_time(one.t + shift)), one.player)
            clock.t = max(clock.t, t + shift)
            buttons.poll()
            frame = table.frame_at(t, seq)
            frame = replace(frame, t=max(0.0, t + shift))
            evidence.keep(frame)
            for sighting in eye.process(frame):
                session.sighted(sighting, evidence.photo(sighting, frame))
            questions.look(session.board()["question"], session.now())
            if t >= next_report:
                next_report = t + PROGRESS_S
                progress(t, table.duration_s, session.board())
        progress(table.duration_s, table.duration_s, session.board())
        return evening.report(session, table.truth, len(questions), time.monotonic() - started)
