"""Test only: makes libcamera's virtual camera keep time as a sensor does. Loaded into the camera process by the tier.

libcamera 0.4's virtual camera completes every request at once, stamps none, and shows each picture four times. With
SENSOR_CLOCK=FPS:FILE the n-th picture is asked for no earlier than n/FPS seconds after the first, its frame is stamped
with that moment, repetitions go back unseen, and FILE holds the moment of the first (seconds of the monotonic clock).
What else the program sees is picamera2's and libcamera's own.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import Any

REPEATS = 4
"""How often libcamera 0.4's virtual camera shows a picture before the next."""


def install() -> None:
    """Wraps picamera2 and libcamera in this process, if SENSOR_CLOCK asks for it."""
    asked = os.environ.get("SENSOR_CLOCK")
    if not asked:
        return
    fps_text, _, file = asked.partition(":")
    import camsim
    import libcamera
    from picamera2 import Picamera2, request

    clock = _Clock(float(fps_text), Path(file))
    queue_request = libcamera.Camera.queue_request

    def paced(camera: Any, wanted: Any) -> Any:
        with clock.turn:
            clock.wait()
            return queue_request(camera, wanted)

    get_metadata = request.CompletedRequest.get_metadata

    def stamped(completed: Any) -> dict[str, Any]:
        offset = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
        moment = clock.moment(completed.request.sequence) + offset
        return {**get_metadata(completed), "SensorTimestamp": int(moment * 1e9)}

    def take(camera: Any, completed: list[Any]) -> None:
        camera.__dict__["_new"] = [one for one in completed if one.request.sequence % REPEATS == 0]
        for one in completed:
            if one.request.sequence % REPEATS:
                with contextlib.suppress(RuntimeError):  # the camera was stopped meanwhile
                    one.release()

    libcamera.Camera.queue_request = paced
    request.CompletedRequest.get_metadata = stamped
    Picamera2._requests = property(lambda camera: camera.__dict__["_new"], take)  # where finished requests wait
    Picamera2.process_requests = camsim._pr  # without the lab's own pacing


class _Clock:
    def __init__(self, fps: float, file: Path) -> None:
        self.turn = threading.Lock()
        self._fps, self._file = fps, file
        self._queued, self._origin = 0, 0.0

    def wait(self) -> None:
        if not self._queued:
            self._origin = time.monotonic()
            part = self._file.with_suffix(".part")
            part.write_text(repr(self._origin))
            part.replace(self._file)
        time.sleep(max(0.0, self.moment(self._queued) - time.monotonic()))
        self._queued += 1

    def moment(self, sequence: int) -> float:
        return self._origin + sequence // REPEATS / self._fps
