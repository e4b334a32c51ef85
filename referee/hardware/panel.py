"""Buttons, lamp and buzzer together, as the service uses them. Without GPIO it says so, and stays silent otherwise."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
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

    on_press(press): in a thread of the panel, after the lamp was told to answer. on_trouble(troubles): whenever what is
    wrong changes. factory: a gpiozero pin factory that stays the caller's, or None to open this machine's own.
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
        """Switches off and frees the pins. May be called twice."""
        for part in (self._buttons, self._signals, self._outputs, self._owned):
            if part is not None:
                part.close()
        self._buttons = self._signals = self._outputs = self._owned = None

    def _pressed(self, press: Press) -> None:
        self.signal(_ANSWERS.get(press.role, Signal.PRESSED))
        try:
            self._on_press(press)
        except Exception:  # the buttons' thread must live on
            log.exception("a press could not be recorded")
            self.signal(Signal.TROUBLE)

    def _fault(self, plan: ButtonPlan, trouble: Trouble | None) -> None:
        if trouble is None:
            self._faults.pop(plan, None)
        else:
            self._faults[plan] = trouble
            log.warning("%s. %s", trouble.what, trouble.remedy)
        self._on_trouble(self.troubles)
