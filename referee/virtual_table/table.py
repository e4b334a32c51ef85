"""The simulated table as a camera and its buttons see it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.frame import Frame
from referee.virtual_table.geometry import Layout
from referee.virtual_table.look import Look
from referee.virtual_table.render import Renderer
from referee.virtual_table.script import Input, Script

DEFAULT_FPS = 15.0


class VirtualTable:
    """A script played on a table of a certain look. Frames are a pure function of script, look and time."""

    def __init__(self, script: Script, look: Look) -> None:
        self.script, self.look = script, look
        self._layout = Layout.arrange(look.seed, look.level, len(script.players))
        self._renderer: Renderer | None = None

    def __reduce__(self) -> tuple[type[VirtualTable], tuple[Script, Look]]:
        return VirtualTable, (self.script, self.look)

    def go_on(self, script: Script) -> None:
        """Plays a script that begins like the present one and goes on; what was drawn of the table is kept."""
        self.script = script
        if self._renderer is not None:
            self._renderer.follow(script)

    @property
    def duration_s(self) -> float:
        """Seconds until all is over."""
        return self.script.duration_s

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Button presses and phone taps, by time."""
        return self.script.inputs

    @property
    def truth(self) -> Mapping[str, Any]:
        """What is true: see `players.play`, with `table` and `style` of the look."""
        return {**self.script.truth, "table": self.look.table, "style": self.look.style}

    def calibration(self) -> dict[str, Any]:
        """The table calibration file (CONTRACT, "Table calibration file") as a JSON object."""
        return self._layout.calibration()

    def frame_count(self, fps: float = DEFAULT_FPS) -> int:
        """How many frames `frames` yields."""
        return int(self.duration_s * fps) + 1

    def frame_at(self, t: float, seq: int = 0) -> Frame:
        """The frame at t seconds, 0 or more."""
        if self._renderer is None:
            self._renderer = Renderer(self.script, self.look, self._layout)
        return Frame(self._renderer.picture(t), seq, t)

    def frames(self, fps: float = DEFAULT_FPS) -> Iterator[Frame]:
        """All frames in order."""
        for seq in range(self.frame_count(fps)):
            yield self.frame_at(seq / fps, seq)


class VirtualCamera:
    """A camera over a simulated table, with the methods of `referee.hardware.cameras.Camera`. Can be pickled.

    realtime: frames come at their times on the machine's monotonic clock, counted from `start_monotonic` (None: the
    first read), those that nobody fetched in time are dropped, and `Frame.t` is on that clock. Otherwise every frame
    comes at once when asked for, and `Frame.t` is the table's time.

    cue: a file that holds the start once it is there; until then the table lies as it is before anybody moves.
    """

    def __init__(
        self, table: VirtualTable, fps: float = DEFAULT_FPS, realtime: bool = True,
        start_monotonic: float | None = None, cue: Path | None = None,
    ) -> None:  # fmt: skip
        if not fps > 0:
            raise ValueError(f"fps is {fps!r}: expected more than 0")
        self._table, self._fps, self._realtime, self._start = table, fps, realtime, start_monotonic
        self._cue = cue
        self._next = 0

    @property
    def live(self) -> bool:
        """True when frames come at their own pace and are lost unless read."""
        return self._realtime

    @property
    def ended(self) -> bool:
        """True once the last frame has been read or lost."""
        return self._next >= self._table.frame_count(self._fps)

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame; None when none is due within `timeout_s` or the script is over (`ended` tells which)."""
        if self._cue is not None and not self._cued(self._cue):
            time.sleep(min(timeout_s, 1 / self._fps))
            return replace(self._table.frame_at(0.0), t=time.monotonic())
        start = self._wait(timeout_s) if self._realtime else 0.0
        if start is None or self.ended:
            return None
        seq = self._next
        self._next += 1
        frame = self._table.frame_at(seq / self._fps, seq)
        return replace(frame, t=start + frame.t)

    def _cued(self, cue: Path) -> bool:
        """Has the start been told?"""
        if self._start is None and cue.exists():
            self._start = float(cue.read_text("utf-8"))
        return self._start is not None

    def _wait(self, timeout_s: float) -> float | None:
        """Waits until the next frame is due; the start of time, or None when it is not due soon enough."""
        now = time.monotonic()
        if self._start is None:
            self._start = now
        self._next = max(self._next, int((now - self._start) * self._fps))
        wait = self._start + self._next / self._fps - now
        time.sleep(max(0.0, min(wait, timeout_s)))
        return self._start if wait <= timeout_s else None

    def close(self) -> None:
        """Nothing to give back: there is no device."""

    def describe(self) -> str:
        """One line for people."""
        look = self._table.look
        return f"simulated table ({look.table}, {look.level.value}), 1280x720 at {self._fps:g} frames/s"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def truth_json(table: VirtualTable, fps: float) -> str:
    """The truth file beside a recording of the table."""
    return json.dumps({**table.truth, "fps": fps}, indent=1)
