"""What is watched while the program runs, and what is known of it. Pure values: no threads, no clocks.

Supervision is data: `Supervision` says when something counts as hung, how often it may be started again, and what
happens then; `Restarts` applies it; `CameraHealth` is what every screen may show.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class State(Enum):
    """How a watched part stands."""

    STARTING = "starting"
    """Opening the camera, loading the eye."""
    RUNNING = "running"
    """Frames come and are looked at."""
    RESTARTING = "restarting"
    """It failed and is about to be started again."""
    WAITING = "waiting"
    """It failed too often; the next attempt comes after a pause."""
    ENDED = "ended"
    """A recording has been seen to its end."""
    STOPPED = "stopped"
    """Switched off."""


@dataclass(frozen=True, slots=True)
class Supervision:
    """How a child process is watched.

    heartbeat_limit_s: seconds without an examined frame after which it is killed. Too small: a slow look at a full
    table is taken for a hang; too large: the table plays on unseen.
    start_limit_s: the same, until the first frame of a start or of a new eye. Too small: a slow SD card never gets to
    it; too large: a hang while opening is noticed late.
    restarts, window_s: at most this many restarts in so many seconds. Too few: a loose cable stops the referee; too
    many: a broken camera keeps the processor busy.
    restart_delay_s: before each restart, so that the kernel can release the device.
    pause_s: how long it rests when the restarts are used up. Too small: as many restarts; too large: a camera that was
    plugged in again is noticed late.
    stop_limit_s: how long a clean stop may take before the process is killed.
    """

    heartbeat_limit_s: float = 5.0
    start_limit_s: float = 45.0
    restarts: int = 5
    window_s: float = 60.0
    restart_delay_s: float = 1.0
    pause_s: float = 20.0
    stop_limit_s: float = 3.0

    def __post_init__(self) -> None:
        for name in ("heartbeat_limit_s", "start_limit_s", "window_s", "pause_s", "stop_limit_s"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}: expected more than 0 seconds")
        if self.restarts < 1 or self.restart_delay_s < 0:
            raise ValueError("expected at least one restart, after 0 seconds or more")

    def overdue(self, started: float, last_beat: float | None, now: float) -> bool:
        """Whether a child that was started at `started` and last gave a sign at `last_beat` counts as hung."""
        if last_beat is None:
            return now - started > self.start_limit_s
        return now - last_beat > self.heartbeat_limit_s


class Restarts:
    """Counts failures and says when to start again."""

    def __init__(self, policy: Supervision) -> None:
        self._policy = policy
        self._recent: deque[float] = deque()
        self.total = 0

    def failed(self, now: float) -> tuple[float, State]:
        """The time of the next start, and whether that is a restart or the pause after too many of them."""
        self.total += 1
        while self._recent and now - self._recent[0] >= self._policy.window_s:
            self._recent.popleft()
        if len(self._recent) >= self._policy.restarts:
            self._recent.clear()
            return now + self._policy.pause_s, State.WAITING
        self._recent.append(now)
        return now + self._policy.restart_delay_s, State.RESTARTING


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong and what to do: code is its stable name, what and remedy are lines for people who read logs.

    facts: what the pages put into the blanks of their own sentence for the code (`trouble.CODE`).
    """

    code: str
    what: str
    remedy: str
    facts: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """For the pages."""
        return {"code": self.code, "what": self.what, "remedy": self.remedy, "facts": dict(self.facts)}


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """What is known of the camera process.

    since: seconds of the monotonic clock at which `state` began. camera: the camera's own description. frames: looked
    at since the process started; dropped: frames of a live camera that were too late to be looked at; fps: frames
    looked at in the last seconds; restarts: how often the process was started again in all.
    """

    state: State = State.STOPPED
    since: float = 0.0
    camera: str = ""
    trouble: Trouble | None = None
    frames: int = 0
    dropped: int = 0
    fps: float = 0.0
    restarts: int = 0

    @property
    def watching(self) -> bool:
        """True while the table is being looked at."""
        return self.state is State.RUNNING


PACE_EVERY_S = 10.0
"""Seconds between two words about the pace. Too small: every phone is woken for a figure; too large: a Pi that has
become slow is noticed late."""

SLOW_FPS = 5.0
"""Frames a second below which the eye misses quick hands. Too small: a slow machine goes unnoticed; too large: a
camera that was set to few frames is complained about."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How well the eye keeps up. fps: frames looked at a second; lost: per cent of the frames that came too fast."""

    fps: int
    lost: int

    @property
    def trouble(self) -> Trouble | None:
        """What to say when it cannot keep up."""
        if self.fps >= SLOW_FPS or not self.lost:
            return None
        what = f"the eye looks at only {self.fps} frames a second and misses {self.lost} % of them"
        remedy = "Close other programs, cool the Pi, or set a smaller camera.width"
        return Trouble("camera_slow", what, remedy, {"fps": self.fps, "lost": self.lost})


class PaceMeter:
    """From what the camera process says now and then to the pace of the last seconds."""

    def __init__(self) -> None:
        self._last: tuple[float, int, int] | None = None

    def look(self, health: CameraHealth, now: float) -> Pace | None:
        """The pace since the last word, every `PACE_EVERY_S`; None in between and while nothing runs."""
        counted = now, health.frames, health.dropped
        if self._last is None or not health.watching or health.frames < self._last[1]:
            self._last = counted if health.watching else None
            return None
        seconds = now - self._last[0]
        if seconds < PACE_EVERY_S:
            return None
        frames, dropped = health.frames - self._last[1], health.dropped - self._last[2]
        self._last = counted
        return Pace(round(frames / seconds), round(100 * dropped / max(1, frames + dropped)))


class Level(Enum):
    """The outcome of one check of `referee doctor`."""

    OK = "ok"
    WARN = "warn"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `referee doctor`: what was checked, how it stands, what was found, what to do unless it is OK."""

    name: str
    level: Level
    found: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.level is Level.OK) == bool(self.remedy):
            raise ValueError(f"check {self.name!r}: a remedy belongs to a warning or a lack, and to nothing else")
