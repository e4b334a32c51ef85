"""Measures what docs/hardware-tests.md states: python tests/hardware/measure.py

Prints how long a press takes from its first edge to the lamp, on gpiozero's mock pins with recorded bounce in real
time, and how long the table is unseen after the camera process was killed or stopped.
"""

from __future__ import annotations

import os
import queue
import random
import signal
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import fakes
from recorded_bounce import press_edges

from referee.hardware.buttons import Press, plan_buttons
from referee.hardware.camera_child import CameraChild
from referee.hardware.debounce import DebounceLimits
from referee.hardware.gpio import mock_factory
from referee.hardware.panel import Panel
from referee.hardware.signals import SignalPlan
from referee.health import CameraHealth, State

PUSHES = 200
REST_S = 0.4  # longer than a release needs and than the lamp's pattern, so that the next press switches it on again


def press_to_lamp() -> None:
    chance, factory = random.Random(1), mock_factory()
    presses: queue.Queue[Press] = queue.Queue()
    lit: queue.Queue[float] = queue.Queue()
    panel = Panel(plan_buttons([17]), SignalPlan(lamp=(22,)), presses.put, lambda troubles: None, factory=factory)
    lamp: Any = factory.pin(22)
    change = lamp._change_state

    def note(value: bool) -> bool:
        if value:
            lit.put(time.monotonic())
        return bool(change(value))

    lamp._change_state = note
    button: Any = factory.pin(17)
    delays, more, stretched, opened = [], 0, 0, 0.0
    for number in range(PUSHES):
        for i, (gap, closed) in enumerate(press_edges(number, chance)):
            time.sleep(gap)
            # A busy machine can sleep so long within a push that this is another push.
            stretched += closed and i > 0 and time.monotonic() - opened >= DebounceLimits().release_s
            opened = opened if closed else time.monotonic()
            button.drive_low() if closed else button.drive_high()
        press = presses.get(timeout=5.0)
        time.sleep(REST_S)
        while presses.qsize():
            presses.get()
            more += 1
        while lit.qsize() and not delays_of(lit, press, delays):
            pass
        while lit.qsize():
            lit.get()
    panel.close()
    factory.close()
    delays.sort()
    print(
        f"press to lamp: {PUSHES} bouncing pushes, {len(delays)} answered, {more - stretched} doubled "
        f"({stretched} that a late finger made two); "
        f"median {1000 * statistics.median(delays):.0f} ms, 99 % {1000 * delays[int(0.99 * len(delays))]:.0f} ms, "
        f"worst {1000 * delays[-1]:.0f} ms"
    )


def delays_of(lit: queue.Queue[float], press: Press, delays: list[float]) -> bool:
    """Takes the lamp's switching-on that answered `press`."""
    t = lit.get()
    if t < press.t:
        return False
    delays.append(t - press.t)
    return True


def unseen_after(sign: signal.Signals, times: int = 5) -> None:
    said: queue.Queue[CameraHealth] = queue.Queue()
    child = CameraChild(fakes.FakeCamera, fakes.LandsEveryTenth, lambda sighting, photo: None, said.put)
    child.start()
    gaps = []
    for _ in range(times):
        while not said.get(timeout=60.0).watching:
            pass
        pid = child.pid
        assert pid is not None
        os.kill(pid, sign)
        hit = time.monotonic()
        while said.get(timeout=60.0).state is not State.STARTING:
            pass
        while not said.get(timeout=60.0).watching:
            pass
        gaps.append(time.monotonic() - hit)
    child.stop()
    print(f"after {sign.name}: watching again in {min(gaps):.1f} to {max(gaps):.1f} s ({times} times)")


if __name__ == "__main__":
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    press_to_lamp()
    unseen_after(signal.SIGKILL)
    unseen_after(signal.SIGSTOP)
