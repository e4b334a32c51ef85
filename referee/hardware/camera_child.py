"""The service's side of the camera process: starts it, listens, and kills and restarts it when it hangs.

libcamera can hang for ever, even while it is being stopped, so nothing in the service ever waits for a camera.

    child = CameraChild(partial(open_camera, spec), partial(make_eye, calibration), on_sighting, on_health)
    child.start()
    ...
    child.stop()
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from referee.frame import WHOLE, Part
from referee.hardware import wire
from referee.hardware.camera_loop import (
    Beat,
    Command,
    Ended,
    Eye,
    Failed,
    Job,
    Order,
    Preparing,
    Seen,
    Surveyed,
    Surveying,
    Surveyor,
    Watching,
)
from referee.hardware.cameras import Camera, CameraTrouble
from referee.hardware.evidence import Crop
from referee.health import CameraHealth, Restarts, State, Supervision, Trouble
from referee.observations import Sighting

log = logging.getLogger(__name__)

POLL_S = 0.2
"""Seconds between looks at the clock while nothing comes. Too small: wakes a sleeping Pi; too large: a stop or a hang
is noticed late."""

FPS_WINDOW_S = 5.0
"""Seconds over which frames a second are counted."""

SELECT_TIMEOUT = {"OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "2"}
"""OpenCV would wait 10 s for a USB camera that gives no frame; read when OpenCV is loaded."""


class _Outcome(Enum):
    STOPPED = "stopped"
    ENDED = "ended"
    FAILED = "failed"


class CameraChild:
    """Owns the camera process and a thread that supervises it.

    open_camera, make_eye: called in the process (make_eye None: nothing is watched until `use`); functions of a module,
    or `functools.partial` of them, because they travel by pickle (else PicklingError, here). on_sighting(sighting,
    photo): each sighting once, in order, with its evidence as JPEG or None; on_health(health): whenever what is known
    of the camera changes; on_survey(jpeg, facts): about twice a second while `survey` wants it; on_alive(): at least
    every few seconds for as long as frames are looked at, or a start is under way or pending, so that a service
    watchdog fed from it means something. All of them run in the supervising thread; what they raise is logged. crop:
    what evidence shows, of a frame of the whole view; part: of the view, that is watched if the camera can show it.
    clock_offset_s: added to the time of every sighting of a recording, whose clock starts at 0.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        make_eye: Callable[[], Eye] | None,
        on_sighting: Callable[[Sighting, bytes | None], object],
        on_health: Callable[[CameraHealth], None],
        *,
        on_survey: Callable[[bytes, Mapping[str, Any]], None] | None = None,
        on_alive: Callable[[], None] | None = None,
        policy: Supervision | None = None,
        crop: Crop | None = None,
        part: Part = WHOLE,
        clock_offset_s: float = 0.0,
    ) -> None:
        self._policy = policy or Supervision()
        self._job = Job(open_camera, Watching(make_eye, crop, part), os.getpid())
        pickle.dumps(self._job)
        self._on_sighting, self._on_health = on_sighting, on_health
        self._on_survey, self._on_alive = on_survey, on_alive
        self._offset = clock_offset_s
        self._stop = threading.Event()
        self._surveying = Surveying(None)
        self._health = CameraHealth()
        self._thread: threading.Thread | None = None
        self._pid: int | None = None
        self._beats: deque[tuple[float, int]] = deque()

    @property
    def health(self) -> CameraHealth:
        """What is known of the camera now."""
        return self._health

    @property
    def pid(self) -> int | None:
        """The process that runs now, None between two of them."""
        return self._pid

    def start(self) -> None:
        """Starts watching. Returns at once; `on_health` tells how it goes."""
        if self._thread is not None:
            raise RuntimeError("the camera process was already started")
        self._thread = threading.Thread(target=self._supervise, name="camera-supervisor")
        self._thread.start()

    def use(self, make_eye: Callable[[], Eye], crop: Crop | None, part: Part = WHOLE) -> None:
        """Watches with another eye from now on, without a restart of the camera."""
        job = replace(self._job, watching=Watching(make_eye, crop, part))
        pickle.dumps(job)
        self._job = job

    def survey(self, make: Callable[[], Surveyor] | None) -> None:
        """Looks over the table with what `make` makes, instead of watching it; None: watches again."""
        pickle.dumps(make)
        self._surveying = Surveying(make)

    def stop(self) -> None:
        """Ends the process, by force if it does not end within the policy's `stop_limit_s`. May be called twice."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    # --- in the supervising thread ----------------------------------------------------------------------------------

    def _supervise(self) -> None:
        restarts = Restarts(self._policy)
        while True:
            self._show(state=State.STARTING, frames=0, dropped=0, fps=0.0)
            try:
                outcome = self._run_one()
            except OSError as error:  # no memory or no process to be had: the machine may have one again
                outcome = _Outcome.FAILED
                self._health = replace(self._health, trouble=_not_started(error))
            if outcome is not _Outcome.FAILED:
                break
            again, state = restarts.failed(time.monotonic())
            trouble = self._health.trouble
            log.warning("camera: %s; next start in %.0f s", trouble.what if trouble else "?", again - time.monotonic())
            self._show(state=state, fps=0.0, restarts=restarts.total)
            if self._wait_until(again):
                outcome = _Outcome.STOPPED
                break
        self._show(state=State.ENDED if outcome is _Outcome.ENDED else State.STOPPED, fps=0.0)

    def _wait_until(self, when: float) -> bool:
        """True when a stop was asked for meanwhile."""
        while (left := when - time.monotonic()) > 0:
            self._alive()
            if self._stop.wait(min(left, 1.0)):
                return True
        return self._stop.is_set()

    def _run_one(self) -> _Outcome:
        """One life of the process, from its start until it is gone."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                # A fresh interpreter, because neither libcamera nor threads survive a fork.
                command = "import sys; from referee.hardware.camera_loop import main; main(int(sys.argv[1]))"
                path = os.pathsep.join(entry for entry in sys.path if entry)
                process = subprocess.Popen(
                    [sys.executable, "-c", command, str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    env={**SELECT_TIMEOUT, **os.environ, "PYTHONPATH": path},
                )
            self._pid = process.pid
            try:
                return self._listen(ours, process)
            finally:
                self._pid = None
                self._bury(process)

    def _listen(self, sock: socket.socket, process: subprocess.Popen[bytes]) -> _Outcome:
        policy, receiver = self._policy, wire.Receiver(sock)
        started = time.monotonic()
        last_beat: float | None = None
        stop_by: float | None = None
        ended = False
        job, surveying = self._job, Surveying(None)
        trouble: Trouble | None = None
        self._beats.clear()
        with contextlib.suppress(OSError):
            wire.send(sock, job)
        while not receiver.closed:
            messages = receiver.receive(POLL_S)
            for message in messages:
                if isinstance(message, Beat):
                    last_beat = time.monotonic()
                    self._beat(message)
                elif isinstance(message, Preparing):
                    started, last_beat = time.monotonic(), None
                elif isinstance(message, Failed):
                    trouble = message.trouble
                elif isinstance(message, Ended):
                    ended = True
                else:
                    last_beat = time.monotonic()  # what looks at frames has been made
                    self._deliver(message)
            if last_beat is None:
                self._alive()  # how long a start may take is limited here, not by the service's watchdog
            now = time.monotonic()
            if stop_by is None and self._stop.is_set():
                stop_by = now + policy.stop_limit_s
                self._order(sock, Command.STOP)
            if job is not self._job:
                job = self._job
                self._order(sock, job.watching)
            if surveying.make is not self._surveying.make:
                surveying = self._surveying
                self._order(sock, surveying)
            if messages:  # whatever it sends proves that it lives, and what waits to be read is older than now
                continue
            if stop_by is not None and now > stop_by:
                process.kill()
                break
            if stop_by is None and policy.overdue(started, last_beat, now):
                trouble = _hang(policy, last_beat is None)
                process.kill()
                break
        if ended:
            return _Outcome.ENDED
        if stop_by is not None:
            return _Outcome.STOPPED
        self._health = replace(self._health, trouble=trouble or _died(process))
        return _Outcome.FAILED

    def _bury(self, process: subprocess.Popen[bytes]) -> None:
        """Waits for the process, with force if need be. One that a driver holds in the kernel cannot be killed."""
        try:
            process.wait(self._policy.stop_limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            try:
                process.wait(self._policy.stop_limit_s)
            except subprocess.TimeoutExpired:
                log.error("camera process %d hangs in the kernel: restart the machine", process.pid)

    def _order(self, sock: socket.socket, order: Order) -> None:
        with contextlib.suppress(OSError):
            wire.send(sock, order)

    def _beat(self, beat: Beat) -> None:
        now = time.monotonic()
        self._beats.append((now, beat.frames))
        while now - self._beats[0][0] > FPS_WINDOW_S:
            self._beats.popleft()
        first_t, first_frames = self._beats[0]
        fps = round((beat.frames - first_frames) / (now - first_t), 1) if now > first_t else 0.0
        self._alive()
        self._show(
            state=State.RUNNING, trouble=None, camera=beat.camera, frames=beat.frames, dropped=beat.dropped, fps=fps
        )

    def _deliver(self, message: Any) -> None:
        if isinstance(message, Seen):
            self._call(self._on_sighting, self._shifted(message.sighting), message.photo)
        elif isinstance(message, Surveyed) and self._on_survey is not None:
            self._call(self._on_survey, message.jpeg, message.facts)

    def _shifted(self, sighting: Sighting) -> Sighting:
        if not self._offset:
            return sighting
        since = None if sighting.since is None else sighting.since + self._offset
        return replace(sighting, t=sighting.t + self._offset, since=since)

    def _show(self, **changes: Any) -> None:
        state = changes.get("state", self._health.state)
        if state is not self._health.state:
            changes["since"] = time.monotonic()
        health = replace(self._health, **changes)
        if health != self._health:
            self._health = health
            self._call(self._on_health, health)

    def _alive(self) -> None:
        if self._on_alive is not None:
            self._call(self._on_alive)

    def _call(self, callback: Callable[..., object], *arguments: Any) -> None:
        try:
            callback(*arguments)
        except Exception:
            log.exception("camera: %s failed", getattr(callback, "__qualname__", callback))


def _hang(policy: Supervision, starting: bool) -> Trouble:
    limit = policy.start_limit_s if starting else policy.heartbeat_limit_s
    return Trouble(
        CameraTrouble.HANG.value,
        f"the camera gave no frame for {limit:g} s and was stopped by force",
        "It is started again by itself; if this repeats, check the cable and the power supply",
    )


def _not_started(error: OSError) -> Trouble:
    what = f"the camera process could not be started ({error.strerror})"
    return Trouble("crashed", what, "It is tried again by itself; close other programs")


def _died(process: subprocess.Popen[bytes]) -> Trouble:
    try:
        status = process.wait(1.0)
    except subprocess.TimeoutExpired:
        status = None
    how = f"by signal {-status}" if status is not None and status < 0 else f"with status {status}"
    what = f"the camera process ended {how}"
    return Trouble("crashed", what, "It is started again by itself; the log has the details")
