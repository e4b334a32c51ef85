"""Time as the program uses it: monotonic for order, wall for decoration (a Pi has no clock battery)."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Where the edge of the program takes its time from; tests and fast demos bring their own."""

    def monotonic(self) -> float:
        """Seconds that never go back; the origin has no meaning."""

    def wall(self) -> float:
        """Seconds since 1970, as far as the machine knows."""


class SystemClock:
    """The machine's own clocks."""

    def monotonic(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()


class ManualClock:
    """A clock that is set by hand: for tests and for a demo that runs faster than time."""

    def __init__(self, t: float = 0.0) -> None:
        self.t = t

    def monotonic(self) -> float:
        return self.t

    def wall(self) -> float:
        return self.t
