"""Tells systemd that the service is ready, alive or stopping: the protocol of sd_notify(3), in plain sockets.

`alive` belongs into the supervision of the camera (`CameraChild(on_alive=notify.alive)`): a timer would go on telling
systemd that all is well while nothing is looked at.
"""

from __future__ import annotations

import os
import socket


def supervised() -> bool:
    """Whether systemd started this process and would start it again."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def ready(status: str = "") -> None:
    """The service answers: start-up is over. status: one line that `systemctl status` shows."""
    _send(f"READY=1\nSTATUS={status}" if status else "READY=1")


def alive() -> None:
    """Feeds the watchdog (`WatchdogSec=` of the unit)."""
    _send("WATCHDOG=1")


def stopping() -> None:
    """The service is about to end."""
    _send("STOPPING=1")


def _send(state: str) -> None:
    """Nothing outside systemd, and never an error: the table matters more than its supervisor."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
            sock.settimeout(1.0)
            # A leading @ stands for the zero byte of Linux's abstract addresses.
            sock.sendto(state.encode(), "\0" + address[1:] if address[0] == "@" else address)
    except OSError:
        return
