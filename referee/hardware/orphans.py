"""Processes of the service's own that must not outlive it."""

from __future__ import annotations

import ctypes
import os
import signal


def die_with(parent: int) -> None:
    """Asks the kernel to kill this process when the service dies: a hung camera would stay busy for ever. parent: the
    service's process, of which the thread that started this one has to stay."""
    pr_set_pdeathsig = 1  # linux/prctl.h
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
