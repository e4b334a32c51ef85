"""Runs inside the virtual machine of vm_tier.sh, as root: `referee serve` by its own user on the kernel's V4L2 drivers,
and what its page says of a camera that is absent, plugged in, forbidden, taken, unplugged, misnumbered and hanging. A
line each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

PROGRAM = Path("/opt/uno-referee/current/bin")
FOLDER = Path("/run/vm_serve")
URL = "http://127.0.0.1:8081/api/board"
PATIENCE_S = 120.0
CONFIG = """
[general]
data_folder = "/run/vm_serve/data"
[camera]
source = "{source}"
width = 640
height = 360
[buttons]
uno_pins = []
[dashboard]
host = "127.0.0.1"
port = 8081
"""
WELL = "not_set_up"
"""What the page says when the camera runs and the table was not set up yet."""
HOLDER = """
import sys, time
from referee.hardware.cameras import CameraError, open_camera, parse_source
while True:
    try:
        with open_camera(parse_source("usb:0", size=(640, 360))) as camera:
            while True:
                camera.read(2.0)
    except CameraError:
        time.sleep(0.05)
"""


def page() -> str:
    """What the page says about the camera."""
    try:
        with urllib.request.urlopen(URL, timeout=10) as reply:
            board = json.load(reply)
            return " ".join([board["eye"]["detail"], *(f"{one['what']}. {one['remedy']}" for one in board["troubles"])])
    except OSError:
        return ""


def wait_for(what: str, words: str) -> None:
    """Waits until the page says `words`."""
    start, said = time.monotonic(), ""
    while words not in said:
        said = page()
        if time.monotonic() - start > PATIENCE_S:
            raise SystemExit(f"{what}: the page says {said!r}, not {words!r}")
        time.sleep(0.1)
    print(f"{what}: after {time.monotonic() - start:.1f} s the page says: {said}", flush=True)


def end_camera_process(serve: int) -> None:
    subprocess.run(["pkill", "-KILL", "-P", str(serve)], check=True)


def serving(source: str) -> subprocess.Popen[bytes]:
    """`referee serve` with this camera."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "config.toml").write_text(CONFIG.replace("{source}", source))
    subprocess.run(["chown", "-R", "uno-referee:", FOLDER], check=True)
    # As the unit does it: the group gives the right to cameras.
    own_user = ["setpriv", "--reuid", "uno-referee", "--regid", "uno-referee", "--groups", "video", "--no-new-privs"]
    return subprocess.Popen(
        [*own_user, PROGRAM / "referee", "serve", "--config", FOLDER / "config.toml"], cwd=FOLDER,
        env={"PATH": "/usr/bin:/bin", "HOME": str(FOLDER), "GPIOZERO_PIN_FACTORY": "mock"}, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def troubles_of_a_plug() -> None:
    subprocess.run(["modprobe", "-r", "vivid"], check=True)
    serve = serving("usb:0")
    try:
        wait_for("no camera", "there is no camera /dev/video0")
        subprocess.run(["modprobe", "vivid", "n_devs=1"], check=True)
        wait_for("plugged in", WELL)

        os.chmod("/dev/video0", 0)  # noqa: PTH101
        end_camera_process(serve.pid)
        wait_for("no permission", "this user may not open /dev/video0")
        os.chmod("/dev/video0", 0o660)  # noqa: PTH101
        wait_for("permission given", WELL)

        # Its stderr: OpenCV says a line at each try.
        holder = subprocess.Popen([PROGRAM / "python", "-c", HOLDER], cwd=FOLDER, stderr=subprocess.DEVNULL)
        time.sleep(15.0)  # until it tries to take the camera
        end_camera_process(serve.pid)
        wait_for("another program was faster", "is in use")
        holder.kill()
        holder.wait()
        wait_for("that program ended", WELL)

        bound = next(Path("/sys/bus/platform/drivers/vivid").glob("vivid.*"))
        (bound.parent / "unbind").write_text(bound.name)
        wait_for("unplugged", "was unplugged")
        (bound.parent / "bind").write_text(bound.name)
        wait_for("plugged in again", WELL)
    finally:
        serve.terminate()
        serve.wait()


def a_camera_that_hangs() -> None:
    """Its driver waits for a picture that never comes (v4l2loopback, whose feeder was stopped)."""
    subprocess.run(["modprobe", "v4l2loopback", "video_nr=9", "exclusive_caps=1", "card_label=table"], check=True)
    (FOLDER / "frames").mkdir(exist_ok=True)
    make = f"import cv2, numpy; cv2.imwrite('{FOLDER}/frames/0.jpg', numpy.full((720, 1280, 3), 90, numpy.uint8))"
    subprocess.run([PROGRAM / "python", "-c", make], check=True)
    feeder = subprocess.Popen(["/usr/bin/python3", "/opt/lab/vm_feeder.py", "/dev/video9", FOLDER])
    time.sleep(3.0)
    serve = serving("usb:7")
    try:
        wait_for("a wrong number", "there is no camera /dev/video7. Found: ")
        serve.terminate()
        serve.wait()
        serve = serving("usb:9")
        wait_for("a camera with pictures", WELL)
        feeder.send_signal(signal.SIGSTOP)
        wait_for("no more pictures", "gave no frame for")
        feeder.send_signal(signal.SIGCONT)
        wait_for("pictures again", WELL)
    finally:
        serve.terminate()
        serve.wait()
        feeder.kill()


def main() -> None:
    troubles_of_a_plug()
    a_camera_that_hangs()


if __name__ == "__main__":
    main()
