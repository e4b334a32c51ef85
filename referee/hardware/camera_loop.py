"""What runs inside the camera process: it owns the camera, runs the eye, and sends what it sees.

Newest frame wins: a live camera is read by a thread of its own, and what the eye had no time for is counted as
dropped. Sightings are never dropped: sending one waits until the service has taken it. A recording loses nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, runtime_checkable

from referee.frame import WHOLE, Frame, Part
from referee.hardware import wire
from referee.hardware.cameras import Aiming, Camera, CameraError, Settling
from referee.hardware.evidence import Crop, Evidence, encode_jpeg, shrink
from referee.hardware.motion import MotionGate
from referee.hardware.orphans import die_with
from referee.hardware.parts import near
from referee.health import Trouble
from referee.observations import Quality, Sighting, ViewChanged

READ_S = 1.0
"""Seconds to wait for a frame before asking again. Only bounds how fast a clean stop can be."""

BEAT_S = 0.25
"""Seconds between signs of life. Too small: chatter; too large: the service sees a hang late."""

SURVEY_S = 0.5
"""Seconds between looks over the table while it is being set up. Too small: the processor gets hot; too large: aiming
the camera by the pictures is tedious."""

SURVEY_SIDE = 960
"""Longest side of the pictures shown then, pixels."""

TURN_FRAMES = 20
"""Frames that a camera has for showing another part of its view. Fewer: the eye begins with the part before, and again;
more: where a camera cannot show that part, watching begins later."""

NO_HAND = frozenset({Quality.CLEAR, Quality.DARK, Quality.GLARE})
"""Views in which nobody is at the table: the light may be measured."""


class Eye(Protocol):
    """What the camera process needs of `referee.vision.eye.Eye`."""

    def process(self, frame: Frame) -> list[Sighting]:
        """What has been decided with this frame."""


class Surveyor(Protocol):
    """What looks over the table while it is being set up: `referee.vision.survey.Survey`."""

    def survey(self, frame: Frame) -> Mapping[str, Any]:
        """What is found on this frame, as JSON."""


@runtime_checkable
class Brisk(Protocol):
    """A surveyor that people wait for. every_s: seconds between looks, in the place of SURVEY_S."""

    every_s: float


@dataclass(frozen=True, slots=True)
class Watching:
    """With which eye to watch, None for none. crop: what evidence shows, of a frame of the whole view. part: of the
    view, that the camera is to show if it can."""

    make_eye: Callable[[], Eye] | None
    crop: Crop | None
    part: Part = WHOLE


@dataclass(frozen=True, slots=True)
class Surveying:
    """Look over the table instead of watching it; None: watch it again, with a fresh eye."""

    make: Callable[[], Surveyor] | None


@dataclass(frozen=True, slots=True)
class Job:
    """What the service asks of the process, as its first message."""

    open_camera: Callable[[], Camera]
    watching: Watching
    parent: int


class Command(Enum):
    """Later messages of the service, besides `Watching` and `Surveying`."""

    STOP = "stop"


Order = Command | Watching | Surveying


@dataclass(frozen=True, slots=True)
class Seen:
    """A sighting and its evidence."""

    sighting: Sighting
    photo: bytes | None


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life, sent after a frame was looked at, and never otherwise."""

    frames: int
    dropped: int
    camera: str


@dataclass(frozen=True, slots=True)
class Preparing:
    """An eye or a surveyor is about to be made, which from a slow card takes longer than the heartbeat's limit: until
    the next message it is a start."""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What the camera sees now, as JPEG, and what was found on it."""

    jpeg: bytes
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """The process gives up, for this reason."""

    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Ended:
    """The recording is over."""


def main(descriptor: int) -> None:
    """The process. descriptor: its end of the socket pair. Leaves through `os._exit`, because a camera library may
    otherwise hang in its own clean-up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the service decides
    with socket.socket(fileno=descriptor) as sock:
        receiver = wire.Receiver(sock)
        job: Job | None = None
        queued: list[Order] = []
        while job is None and not receiver.closed:
            first = receiver.receive(None)
            if first:
                job, queued = first[0], first[1:]
        status = 1 if job is None else _work(sock, receiver, job, queued)
    sys.stderr.flush()
    os._exit(status)


def _work(sock: socket.socket, receiver: wire.Receiver, job: Job, queued: list[Order]) -> int:
    die_with(job.parent)
    orders = _Orders(receiver, queued)
    orders.start()
    try:
        _watch(sock, job, orders)
    except CameraError as error:
        return _give_up(sock, Trouble(error.kind.value, error.what, error.remedy))
    except OSError as error:
        if isinstance(error, ConnectionError):  # the service is gone; there is nobody left to tell
            return 1
        return _crashed(sock, error)
    except Exception as error:
        return _crashed(sock, error)
    return 0


def _crashed(sock: socket.socket, error: Exception) -> int:
    traceback.print_exc()
    what = f"the camera process failed: {type(error).__name__}: {error}"
    return _give_up(sock, Trouble("crashed", what, "It is started again by itself; the log has the details"))


def _give_up(sock: socket.socket, trouble: Trouble) -> int:
    with contextlib.suppress(OSError):
        wire.send(sock, Failed(trouble))
    return 1


class _Orders(threading.Thread):
    """Listens to the service. A service that is gone ends the process at once, wherever it hangs."""

    def __init__(self, receiver: wire.Receiver, queued: list[Order]) -> None:
        super().__init__(name="orders", daemon=True)
        self._receiver = receiver
        self.stop = threading.Event()
        self.watching: Watching | None = None
        self.surveying = Surveying(None)
        for order in queued:
            self._obey(order)

    def run(self) -> None:
        while not self._receiver.closed:
            for order in self._receiver.receive(None):
                self._obey(order)
        os._exit(1)

    def _obey(self, order: Order) -> None:
        if isinstance(order, Watching):
            self.watching = order
        elif isinstance(order, Surveying):
            self.surveying = order
        else:
            self.stop.set()


class _Looker:
    """What is done with each frame: watched by the eye, or looked over by the surveyor, as the service last said.

    free: the eye sees nothing but the table. Setting up and hands that are shown need all that the camera sees, and
    watching only the piles: `aim` is the part of the view that is wanted now.
    """

    def __init__(self, sock: socket.socket, job: Job, orders: _Orders) -> None:
        self._sock, self._orders = sock, orders
        self._watching, self._surveying = job.watching, Surveying(None)
        self.free = False
        self._surveyor: Surveyor | None = None
        self._surveyed_at = -SURVEY_S
        self._patience = TURN_FRAMES
        self._shown: Part | None = None
        self._watched: Part | None = None
        self._fresh_eye()

    @property
    def aim(self) -> Part:
        """The part of the view that frames should show."""
        return WHOLE if self._surveyor is not None or self._eye is None else self._watching.part

    def look(self, frame: Frame) -> None:
        """Takes the newest orders, and a frame."""
        self._obey()
        part = frame.part or WHOLE
        if not self._turned(frame):
            return
        if self._surveyor is not None:
            if part == WHOLE:
                self._survey(self._surveyor, frame)
            return
        if part != self._watched:
            if self._watched is not None:
                self._fresh_eye()
            self._watched = part
        if self._eye is not None and self._gate.wants(frame):
            for sighting in self._eye.process(frame):
                if isinstance(sighting, ViewChanged):
                    self.free = sighting.state in NO_HAND
                wire.send(self._sock, Seen(sighting, self._evidence.photo(sighting, frame)))
            self._evidence.keep(frame)

    def _turned(self, frame: Frame) -> bool:
        """Whether the frame may be looked at: it shows the part that is wanted, or no other part can be waited for."""
        part = frame.part or WHOLE
        waits = self._patience > 0 and self._shown in (None, part)
        if waits and frame.part is not None and not near(part, self.aim):
            self._patience -= 1
            return False
        self._patience, self._shown = 0, part
        return True

    def _obey(self) -> None:
        watching, surveying = self._orders.watching or self._watching, self._orders.surveying
        stale = watching is not self._watching
        aimed = self.aim
        self._watching = watching
        if surveying is not self._surveying:
            self._surveying = surveying
            self._begin_anew()
            self._surveyor = surveying.make() if surveying.make is not None else None
            self._surveyed_at = -SURVEY_S
            stale = stale or self._surveyor is None
        if stale:
            self._fresh_eye()
        if self.aim != aimed:
            self._patience = TURN_FRAMES

    def _fresh_eye(self) -> None:
        self._begin_anew()
        self._eye = self._watching.make_eye() if self._watching.make_eye is not None else None
        self._evidence, self._gate = Evidence(self._watching.crop), MotionGate()
        self._watched = None

    def _begin_anew(self) -> None:
        """Before an eye or a surveyor is made; what the eye before it saw counts no longer."""
        wire.send(self._sock, Preparing())
        self.free = False

    def _survey(self, surveyor: Surveyor, frame: Frame) -> None:
        every_s = surveyor.every_s if isinstance(surveyor, Brisk) else SURVEY_S
        if time.monotonic() - self._surveyed_at < every_s:
            return
        facts = surveyor.survey(frame)
        wire.send(self._sock, Surveyed(encode_jpeg(shrink(frame.image, SURVEY_SIDE)), facts))
        self._surveyed_at = time.monotonic()


def _watch(sock: socket.socket, job: Job, orders: _Orders) -> None:
    looker = _Looker(sock, job, orders)
    with job.open_camera() as camera:
        if isinstance(camera, Aiming):
            camera.aim = looker.aim
        source = _Newest(camera) if camera.live else _InOrder(camera)
        beat_at = 0.0
        frames = 0
        for frame in source.frames(orders.stop):
            looker.look(frame)
            if isinstance(camera, Settling):
                camera.free = looker.free
            if isinstance(camera, Aiming):
                camera.aim = looker.aim
            frames += 1
            now = time.monotonic()
            if now - beat_at >= BEAT_S:
                wire.send(sock, Beat(frames, source.dropped, camera.describe()))
                beat_at = now
        wire.send(sock, Beat(frames, source.dropped, camera.describe()))
        if camera.ended:
            wire.send(sock, Ended())


class _InOrder:
    """Every frame of a recording."""

    dropped = 0

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def frames(self, stop: threading.Event) -> Iterator[Frame]:
        while not stop.is_set():
            frame = self._camera.read(READ_S)
            if frame is not None:
                yield frame
            elif self._camera.ended:
                return


class _Newest:
    """The newest frame of a live camera. `dropped` counts those that were replaced before anybody took them."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._ready = threading.Condition()
        self._frame: Frame | None = None
        self._error: Exception | None = None
        self._done = False
        self.dropped = 0

    def frames(self, stop: threading.Event) -> Iterator[Frame]:
        reader = threading.Thread(target=self._read, args=(stop,), name="camera", daemon=True)
        reader.start()
        while True:
            with self._ready:
                self._ready.wait_for(lambda: self._frame is not None or self._done, READ_S)
                frame, self._frame = self._frame, None
                finished = self._done and frame is None
            if frame is not None and not stop.is_set():
                yield frame
            elif finished:
                break
        reader.join()
        if self._error is not None:
            raise self._error

    def _read(self, stop: threading.Event) -> None:
        try:
            while not stop.is_set() and not self._camera.ended:
                frame = self._camera.read(READ_S)
                if frame is None:
                    continue
                with self._ready:
                    self.dropped += self._frame is not None
                    self._frame = frame
                    self._ready.notify()
        except Exception as error:
            self._error = error
        finally:
            with self._ready:
                self._done = True
                self._ready.notify()
