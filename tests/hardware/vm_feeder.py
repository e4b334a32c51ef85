"""Runs inside the virtual machine of vm_tier.sh: gives the pictures of the hand to a V4L2 loopback device, as a USB
camera with its own clock would: python vm_feeder.py DEVICE FOLDER. Standard library only.

FOLDER/frames/*.jpg, rendered for 10 a second, go out as Motion-JPEG, which is what a USB camera sends; every second one
with EVERY=2 in the environment. The first is repeated until FOLDER/ready is there; FOLDER/origin then tells the moment
(seconds of the monotonic clock) of the first of the hand.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

EVERY, SIZE = int(os.environ.get("EVERY", "1")), (1280, 720)
FPS = 10.0 / EVERY
_SET_FORMAT = 0xC0D05605  # VIDIOC_S_FMT, linux/videodev2.h: struct v4l2_format, 208 bytes
_OUTPUT = 2  # V4L2_BUF_TYPE_VIDEO_OUTPUT
_MJPG = int.from_bytes(b"MJPG", "little")
_PROGRESSIVE = 1  # V4L2_FIELD_NONE


def main(device: str, folder: Path) -> None:
    out = os.open(device, os.O_RDWR)
    # type, padding, then struct v4l2_pix_format: width, height, pixelformat, field, bytesperline, sizeimage, colorspace
    wanted = struct.pack("=II7I", _OUTPUT, 0, *SIZE, _MJPG, _PROGRESSIVE, 0, SIZE[0] * SIZE[1] * 2, 7)
    fcntl.ioctl(out, _SET_FORMAT, wanted.ljust(208, b"\0"))
    frames = sorted(folder.glob("frames/*.jpg"))[::EVERY]
    first, ready = frames[0].read_bytes(), folder / "ready"
    while not ready.exists():
        os.write(out, first)
        time.sleep(1.0 / FPS)
    origin = time.monotonic()
    part = folder / "origin.part"
    part.write_text(repr(origin))
    part.replace(folder / "origin")
    for number, frame in enumerate(frames):
        picture = frame.read_bytes()
        time.sleep(max(0.0, origin + number / FPS - time.monotonic()))
        os.write(out, picture)
    while True:  # the last picture stays
        os.write(out, picture)
        time.sleep(1.0 / FPS)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
