"""Buttons, lamp and buzzer together, as the service uses them. Without GPIO it says so, and stays silent otherwise.

The thread that debounces a press also lights the lamp. What the press means for the game is recorded by another one,
because a memory card may take longer to write than a person waits for an answer.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from referee.clock import Clock
from referee.hardware.buttons import COLOURS, ButtonPlan, Buttons, Press, Role
from referee.hardware.gpio import GpioError, open_factory
from referee.hardware.signals import Outputs, Signal, SignalPlan, Signals
from referee.health import Trouble

log = logging.getLogger(__name__)

_ANSWERS: Mapping[Role, Signal] = {role: Signal(role.value) for role in COLOURS}


class Panel:
    """What is wired to the pins.

    on_press(press): after the lamp has answered; on_trouble(troubles): whenever what is wrong changes. Both in one
    thread of the panel, in order, and they may take their time: no answer waits for them. factory: a gpiozero pin
    factory that stays the caller's, or None to open this machine's own.
    `trouble` tells why there is nothing, `troubles` all that is wrong now.
    """

    def __init__(
        self,
        buttons: Sequence[ButtonPlan],
        signals: SignalPlan,
        on_press: Callable[[Press], None],
        on_trouble: Callable[[tuple[Trouble, ...]], None],
        clock: Clock | None = None,
        factory: Any = None,
    ) -> None:
        self._on_press, self._on_trouble = on_press, on_trouble
        self._faults: dict[ButtonPlan, Trouble] = {}
        self._owned: Any = None
        self._buttons: Buttons | None = None
        self._outputs: Outputs | None = None
        self._signals: Signals | None = None
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._worker: threading.Thread | None = None
        self.trouble: Trouble | None = None
        if not buttons and signals.empty:
            return
        try:
            if factory is None:
                factory = self._owned = open_factory()
            if not signals.empty:
                self._outputs = Outputs(signals, factory)
                self._signals = Signals(self._outputs.show)
            if buttons:
                self._worker = threading.Thread(target=self._run, name="presses")
                self._worker.start()
                self._buttons = Buttons(buttons, factory, self._pressed, self._fault, clock)
                self._buttons.start()
        except GpioError as error:
            self.close()
            self.trouble = error.trouble
            log.warning("%s", error)

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """Everything that is wrong now: no GPIO, a bad pin, stuck or chattering buttons."""
        return (*(() if self.trouble is None else (self.trouble,)), *self._faults.values())

    def signal(self, signal: Signal) -> None:
        """Lamp and buzzer say `signal`, if there are any. Returns at once."""
        if self._signals is not None:
            self._signals.signal(signal)

    def close(self) -> None:
        """Records the presses that are still waiting, switches off and frees the pins. May be called twice."""
        if self._buttons is not None:
            self._buttons.close()
        if self._worker is not None:
            self._work.put(None)
            self._worker.join()
            self._worker = None
        for part in (self._signals, self._outputs, self._owned):
            if part is not None:
                part.close()
        self._buttons = self._signals = self._outputs = self._owned = None

    def _pressed(self, press: Press) -> None:
        self.signal(_ANSWERS.get(press.role, Signal.PRESSED))
        self._work.put(partial(self._on_press, press))

    def _fault(self, plan: ButtonPlan, trouble: Trouble | None) -> None:
        if trouble is None:
            self._faults.pop(plan, None)
        else:
            self._faults[plan] = trouble
            log.warning("%s. %s", trouble.what, trouble.remedy)
        self._work.put(partial(self._on_trouble, self.troubles))

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:  # the next press must be recorded all the same
                log.exception("what a button said could not be recorded")
                self.signal(Signal.TROUBLE)
