"""Measures what docs/hardware-tests.md states: python tests/hardware/measure.py

Prints how long a press takes from its first edge to the lamp, on gpiozero's mock pins with recorded bounce in real
time, and where that time goes: to the contact, which must be still for 8 ms before it is believed; then to the program
and the machine, beside what the machine alone takes for a thread that waits as long. And how long the table is unseen
after the camera process was killed or stopped.
"""

from __future__ import annotations

import math
import os
import queue
import random
import signal
import sys
import threading
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import fakes
from recorded_bounce import press_edges

from referee.hardware.buttons import Press, plan_buttons
from referee.hardware.camera_child import CameraChild
from referee.hardware.debounce import Debounce, DebounceLimits
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
    bare = BareThread()
    delays, contact, added, more, stretched = [], [], [], 0, 0
    for number in range(PUSHES):
        edges: list[tuple[float, bool]] = []
        for gap, closed in press_edges(number, chance):
            time.sleep(gap)
            edges.append((time.monotonic(), closed))
            button.drive_low() if closed else button.drive_high()
        # A busy machine can sleep so long within a push that this is another push.
        gaps = [t - before for (before, was), (t, _) in pairwise(edges) if not was]
        stretched += sum(gap >= DebounceLimits().release_s for gap in gaps)
        presses.get(timeout=5.0)
        time.sleep(REST_S)
        bare.ask()
        more += drained(presses)
        answers = [lit.get() for _ in range(lit.qsize())]
        if answers:
            first, still = edges[0][0], believed(edges)
            delays.append(answers[0] - first)
            contact.append(still - first)
            added.append(answers[0] - still)
    panel.close()
    factory.close()
    print(
        f"press to lamp: {PUSHES} bouncing pushes, {len(delays)} answered, {more - stretched} doubled "
        f"({stretched} that a late finger made two)"
    )
    for what, times in (
        ("first edge to lamp", delays), ("of that, until the contact was still for 8 ms", contact),
        ("of that, added by program and machine", added), ("a bare thread that waits 8 ms comes late by", bare.close()),
    ):  # fmt: skip
        ms = [f"{1000 * sorted(times)[int(part * (len(times) - 1))]:.1f}" for part in (0.5, 0.9, 0.99, 1.0)]
        print(f"  {what}: median {ms[0]} ms, 90 % {ms[1]}, 99 % {ms[2]}, worst {ms[3]}")


def drained(some: queue.Queue[Any]) -> int:
    """How many waited in a queue."""
    count = some.qsize()
    for _ in range(count):
        some.get()
    return count


def believed(edges: list[tuple[float, bool]]) -> float:
    """The time at which these edges have become a press: closed for `press_s` without a break."""
    debounce = Debounce()
    for (t, closed), (following, _) in pairwise([*edges, (math.inf, False)]):
        debounce.edge(t, closed)
        if closed and debounce.due is not None and debounce.due <= following:
            return debounce.due
    raise ValueError("no press")


class BareThread:
    """What the machine alone takes: a thread that is woken, waits as long as a debounce, and does nothing."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[float | None] = queue.SimpleQueue()
        self._late: list[float] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def ask(self) -> None:
        self._asked.put(time.monotonic())

    def close(self) -> list[float]:
        """By how much it came late each time, seconds."""
        self._asked.put(None)
        self._thread.join()
        return self._late

    def _run(self) -> None:
        nothing: queue.SimpleQueue[None] = queue.SimpleQueue()
        wait = DebounceLimits().press_s
        while (asked := self._asked.get()) is not None:
            with suppress(queue.Empty):
                nothing.get(timeout=wait)
            self._late.append(time.monotonic() - asked - wait)


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
    print(f"load {os.getloadavg()[0]:.1f}")
    unseen_after(signal.SIGKILL)
    unseen_after(signal.SIGSTOP)
