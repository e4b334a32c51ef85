"""The service's side of the process that learns a deck: its progress, its end, and what becomes of a failure."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""So that it leaves the other cores to the eye."""

COMMAND = "import sys; from referee.enrolling.fit_process import main; main(*sys.argv[1:3], int(sys.argv[3]))"
"""What the process runs: with the draft, the target and the service's process as arguments."""

SURE_SHARE = 0.1
"""Of the learning, how much must be done before it is told how long the rest takes. Smaller: what is told jumps;
larger: people wait for it."""

STOP_S = 3.0
"""Seconds that a killed process may take to be gone. Shorter: one that waits for the disk is given up early; longer:
the service's own end waits for it."""


class Fit:
    """Learns the deck of the file `draft` into the file `target`, in a process of its own, from now on.

    done(facts): called in a thread of its own once it is learned, with `faces`, `before` and `now`; raises OSError when
    the deck cannot be put to use.
    """

    def __init__(self, draft: Path, target: Path, done: Callable[[dict[str, int]], None]) -> None:
        self._draft, self._target, self._done = draft, target, done
        self._lock = threading.Lock()
        self._state: dict[str, Any] = {"state": "running", "share": 0.0, "left_s": None}
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="deck-fit")
        self._thread.start()

    @property
    def state(self) -> dict[str, Any]:
        """`{"state": "running", "share", "left_s"}`, `{"state": "failed", "why"}` or `{"state": "done", "faces",
        "before", "now"}`. left_s: seconds that the rest takes at the pace so far, None before that is known; why: the
        phrase `deck.failed.WHY`."""
        with self._lock:
            return dict(self._state)

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return bool(self.state["state"] == "running")

    @property
    def pid(self) -> int | None:
        """The process, None before it was started."""
        return None if self._process is None else self._process.pid

    def stop(self) -> None:
        """Ends it, if it is under way. May be called twice."""
        with self._lock:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        # The thread that starts it stays for as long as it runs: the kernel kills it with that thread.
        try:
            ended = self._learn()
        except OSError as error:
            log.warning("the deck cannot be learned: %s", error)
            ended = {"state": "failed", "why": "not_kept"}
        except Exception:
            log.exception("the deck cannot be learned")
            ended = {"state": "failed", "why": "crashed"}
        with contextlib.suppress(OSError):
            self._target.unlink(missing_ok=True)
        with self._lock:
            self._state = ended

    def _learn(self) -> dict[str, Any]:
        path = os.pathsep.join(entry for entry in sys.path if entry)
        with self._lock:
            if self._stopped:
                return {"state": "failed", "why": "killed"}
            process = self._process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, str(self._draft), str(self._target), str(os.getpid())],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
            )  # fmt: skip
        facts: dict[str, Any] = {}
        began = None
        assert process.stdout is not None
        with process:
            for line in process.stdout:
                facts = json.loads(line)
                if "share" in facts:
                    now, share = time.monotonic(), facts["share"]
                    began = now if began is None else began  # what it takes to start is no pace
                    left = round((now - began) * (1 - share) / share) if share >= SURE_SHARE else None
                    with self._lock:
                        self._state = {"state": "running", "share": share, "left_s": left}
        status = process.returncode
        if status == 0 and "now" in facts:
            self._done(facts)
            return {"state": "done", **facts}
        log.warning("learning the deck ended with status %d: %s", status, facts.get("error", "no reason was given"))
        return {"state": "failed", "why": "killed" if status < 0 else "not_kept" if "errno" in facts else "crashed"}
