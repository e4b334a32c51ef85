"""The referee's own voice: espeak-ng, where it is installed, reads announcements aloud. Never blocks the caller.

espeak-ng is a program of its own that plays through the machine's sound card. One runs at a time; one that hangs is
killed, and closing leaves none behind.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from referee.health import Trouble

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
BACKLOG = 2
"""Sentences that may wait. Fewer: two rulings at once lose one; more: what is said late is said too late."""
LONGEST_S = 20.0
"""Seconds after which a sentence is cut off. Shorter cuts long rulings; longer: a hanging sound card silences all."""
LOUDEST = 200
"""espeak-ng's greatest amplitude: a volume of 100 %."""
WORDS_A_MINUTE = 150
"""Slower bores, faster is not understood across a table."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """text in language ("en", "de", "es"); volume: per cent, 0 to 100."""

    text: str
    language: str
    volume: int


class Speech:
    """Speaks sentences one after the other. program: its path, None for the installed one, if there is one.

    trouble: why the last sentence was not heard, None when it was. on_trouble: called when that has changed, from any
    thread.
    """

    def __init__(self, program: str | None = None) -> None:
        self._program = program or shutil.which(PROGRAM)
        self.trouble: Trouble | None = None
        self.on_trouble: Callable[[], None] = lambda: None
        self._queue: deque[Sentence] = deque(maxlen=BACKLOG)
        self._wake = threading.Condition()
        self._running: subprocess.Popen[bytes] | None = None
        self._hushed = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def available(self) -> bool:
        """Whether there is a voice."""
        return self._program is not None

    def say(self, sentence: Sentence) -> None:
        """Speaks it when those before it are over; of too many the oldest are left out."""
        with self._wake:
            if self._closed or self._program is None or not sentence.volume:
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="speech", daemon=True)
                self._thread.start()
            self._queue.append(sentence)
            self._wake.notify()

    def hush(self) -> None:
        """Stops speaking, and forgets what was still to be said and that it could not be heard."""
        with self._wake:
            self._queue.clear()
            self._hushed += 1
            if self._running is not None:
                self._running.kill()
        self._tell(None)

    def close(self) -> None:
        """Stops for good. May be called twice."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self.on_trouble = lambda: None
        self.hush()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closed or self._queue)
                if self._closed:
                    return
                sentence, hushed = self._queue.popleft(), self._hushed
            self._speak(sentence, hushed)

    def _speak(self, sentence: Sentence, hushed: int) -> None:
        """hushed: how often it had been hushed when the sentence was taken."""
        assert self._program is not None
        amplitude = round(LOUDEST * sentence.volume / 100)
        command = [self._program, "-v", sentence.language, "-a", str(amplitude), "-s", str(WORDS_A_MINUTE), "--stdin"]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._failed(error.strerror or str(error))
            return
        with self._wake:
            self._running = process
            if self._hushed != hushed:  # while the program started
                process.kill()
        try:
            _, said = process.communicate(sentence.text.encode(), LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self._failed(f"it did not end within {LONGEST_S:.0f} s")
            return
        finally:
            with self._wake:
                self._running = None
        lines = said.decode(errors="replace").strip().splitlines()
        # espeak-ng 1.51 says "error: ..." and yet ends with 0 where there is no sound card.
        if process.returncode > 0 or any(line.startswith("error:") for line in lines):
            self._failed(lines[-1].removeprefix("error:").strip() if lines else "no reason given")
        elif process.returncode == 0:
            self._tell(None)

    def _failed(self, why: str) -> None:
        if self.trouble is None:
            log.warning("%s: %s", self._program, why)
        remedy = "Connect a loudspeaker and choose it with raspi-config, or switch the voice off"
        self._tell(Trouble("no_sound", f"the referee's voice cannot be heard ({why})", remedy))

    def _tell(self, trouble: Trouble | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self.on_trouble()
