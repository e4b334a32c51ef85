"""As much of picamera2 as the Pi camera module uses, for machines without it. The same tests run on the real library
on libcamera's virtual camera: see docs/hardware-tests.md."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import Any

import cv2
import numpy as np

MODELS = ["imx708"]


class Request:
    """A frame that holds a buffer until it is released."""

    def __init__(self, camera: Picamera2, metadata: dict[str, Any]) -> None:
        self._camera, self._metadata = camera, metadata
        camera.held += 1

    def make_array(self, name: str) -> np.ndarray:
        width, height = self._camera.config[name]["size"]
        if name == "main" and self._camera.sensor is not None:
            x, y, w, h = (side // 2 for side in self._metadata["ScalerCrop"])
            return cv2.resize(self._camera.sensor[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA)
        if name == "main":
            return np.full((height, width, 3), np.multiply((10, 20, 230), self._camera.light), np.uint8)
        return np.full((height * 3 // 2, width + 32), 66, np.uint8)  # Y, U, V with a stride that is padded

    def get_metadata(self) -> dict[str, Any]:
        return self._metadata

    def release(self) -> None:
        self._camera.held -= 1


class Picamera2:
    """Gives a frame every 2 ms; exposure searches for 10 frames, colour stands still."""

    deaf = 0
    """How many calls of set_controls for exposure are ignored, as libcamera sometimes does (issues 1269, 1278)."""
    crops = True
    """Whether it can show a part of its view."""
    sensor: np.ndarray | None = None
    """What it sees, half its sensor's pixels across and down, uint8 (1296, 2304, 3); None: one colour."""
    made: list[Picamera2] = []  # noqa: RUF012

    def __init__(self, number: int) -> None:
        self.held = self.frames = 0
        self.light = 1.0
        self.config: dict[str, Any] = {}
        self.controls: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}
        self.crop_now, self._crops_to_come = (0, 0, 4608, 2592), [(0, 0, 4608, 2592)] * 2
        self.camera_controls = {
            **dict.fromkeys(("AeFlickerMode", "AeFlickerPeriod", "LensPosition"), (0, 1, 0)),
            **({"ScalerCrop": ((0, 0, 64, 64), (0, 0, 4608, 2592), (0, 0, 4608, 2592))} if self.crops else {}),
        }
        self._jobs: list[Future[Request]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.started = self.starved = False
        self.made.append(self)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": model, "Num": i} for i, model in enumerate(MODELS)]

    def create_video_configuration(self, **config: Any) -> dict[str, Any]:
        return config

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert self.started, "focus that is set before the start can be lost"
        self.controls.append(controls)
        if "ScalerCrop" in controls:
            x, y, w, h = controls["ScalerCrop"]
            self.crop_now = x & ~3, y & ~3, w & ~3, h & ~3  # a Pi rounds, too
        if controls.get("AeEnable"):
            self.frames, self.now = 0, {}
        elif "ExposureTime" in controls:
            if self.deaf:
                self.deaf -= 1
            else:
                self.now = controls

    def start(self) -> None:
        self.started = True
        self._thread.start()

    def capture_request(self, wait: bool) -> Any:
        assert wait is False
        job: Future[Request] = Future()
        self._jobs.append(job)
        job.get_result = job.result  # type: ignore[attr-defined]
        return job

    def _run(self) -> None:
        while not self._stop.wait(0.002):
            if self._jobs and not self.starved and self.held < self.config["buffer_count"]:
                self.frames += 1
                exposure = 18_000 + 4_000 * max(0, 10 - self.frames)
                auto = {"ExposureTime": exposure, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.7)}
                stamp = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 1_000_000
                self._crops_to_come.append(self.crop_now)  # shown two frames later
                crop = {"ScalerCrop": self._crops_to_come.pop(0)} if self.crops else {}
                self._jobs.pop(0).set_result(Request(self, {**auto, **self.now, **crop, "SensorTimestamp": stamp}))

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def close(self) -> None:
        self._stop.set()
