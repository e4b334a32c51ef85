"""Runs inside the virtual machine of vm_tier.sh, as root, on the kernel's V4L2 test driver: a line for each finding."""

from __future__ import annotations

import os
import time
from pathlib import Path

from referee.hardware.cameras import CameraError, CameraTrouble, open_camera, parse_source
from referee.hardware.usb_camera import list_devices

PATIENCE_S = 120.0


def named(path: str) -> CameraTrouble:
    """What a camera that cannot be opened says is wrong."""
    try:
        open_camera(parse_source(path)).close()
    except CameraError as error:
        print(f"{error.kind.value}: {error}", flush=True)
        return error.kind
    raise SystemExit(f"{path} could be opened")


def as_nobody(path: str) -> None:
    """The same as a user without rights."""
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setuid(65534)
        os._exit(0 if named(path) is CameraTrouble.NO_PERMISSION else 1)
    assert os.waitpid(child, 0)[1] == 0


def main() -> None:
    device = list_devices()[0]
    print(f"found {device}")
    os.chmod(device.path, 0o660)  # noqa: PTH101
    assert named("/dev/video99") is CameraTrouble.NOT_FOUND
    as_nobody(device.path)
    with open_camera(parse_source(device.path, size=(640, 360), fps=15)) as camera:
        times, end = [], time.monotonic() + PATIENCE_S
        while "settling" in camera.describe() or len(times) < 30:
            frame = camera.read(2.0)
            assert time.monotonic() < end, "no frames"
            if frame is not None:
                times.append(frame.t)
        assert times == sorted(times)
        print(f"{len(times)} frames in {times[-1] - times[0]:.1f} s; {camera.describe()}")
        assert named(device.path) is CameraTrouble.BUSY
    with open_camera(parse_source(device.path, size=(640, 360), fps=15, view=0.5)) as camera:
        frame = camera.read(10.0)
        assert frame is not None
        assert frame.image.shape == (360, 640, 3)
        print(camera.describe())
        bound = next(Path("/sys/bus/platform/drivers/vivid").glob("vivid.*"))
        (bound.parent / "unbind").write_text(bound.name)
        try:
            while time.monotonic() < end:
                camera.read(2.0)
        except CameraError as error:
            print(f"{error.kind.value}: {error}", flush=True)
            if error.kind is CameraTrouble.UNPLUGGED:
                return
        raise SystemExit("unplugging was not noticed")


if __name__ == "__main__":
    main()
