"""Lamp and buzzer: short patterns that answer a press and announce a ruling. Never blocks the caller.

A press is answered within 100 ms: its pattern interrupts every other, which is then played again from its start, and
begins in the thread that asks for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from referee.hardware.gpio import use_pin


class Light(Enum):
    """What the lamp shows: (red, green, blue). A lamp of one colour is on for all but OFF; see `lamp_levels`."""

    OFF = (False, False, False)
    RED = (True, False, False)
    YELLOW = (True, True, False)
    GREEN = (False, True, False)
    BLUE = (False, False, True)
    WHITE = (True, True, True)


class Signal(Enum):
    """What the lamp and the buzzer say, most urgent first."""

    PRESSED = "pressed"
    """A button press has arrived."""
    RED = "red"
    """Red was named by a button."""
    YELLOW = "yellow"
    """Yellow was named by a button."""
    GREEN = "green"
    """Green was named by a button."""
    BLUE = "blue"
    """Blue was named by a button."""
    RULING = "ruling"
    """The referee announces something."""
    QUESTION = "question"
    """The referee asks; the phones show what."""
    TROUBLE = "trouble"
    """Something needs a look at the dashboard."""


@dataclass(frozen=True, slots=True)
class Step:
    """light and buzz for so many seconds."""

    seconds: float
    light: Light
    buzz: bool = False


_PAUSE = Step(0.12, Light.OFF)


def _answer(light: Light) -> tuple[Step, ...]:
    return (Step(0.08, light, buzz=True), Step(0.25, light))


PATTERNS: Mapping[Signal, tuple[Step, ...]] = {
    Signal.PRESSED: _answer(Light.WHITE),
    Signal.RED: _answer(Light.RED),
    Signal.YELLOW: _answer(Light.YELLOW),
    Signal.GREEN: _answer(Light.GREEN),
    Signal.BLUE: _answer(Light.BLUE),
    Signal.RULING: (
        Step(0.30, Light.RED, buzz=True), _PAUSE, Step(0.30, Light.RED, buzz=True), _PAUSE, Step(2.0, Light.RED),
    ),
    Signal.QUESTION: (Step(0.06, Light.YELLOW, buzz=True), Step(0.8, Light.YELLOW), _PAUSE, Step(0.8, Light.YELLOW)),
    Signal.TROUBLE: (Step(0.3, Light.BLUE), _PAUSE, Step(0.3, Light.BLUE), _PAUSE, Step(0.3, Light.BLUE)),
}  # fmt: skip
"""What each signal looks and sounds like. They differ in rhythm, so that nobody needs to tell colours apart; only the
answer to a colour button is told by its colour, and the player knows which one was pressed."""

ANSWERS = frozenset({Signal.PRESSED, Signal.RED, Signal.YELLOW, Signal.GREEN, Signal.BLUE})
"""The answers to a press: the newest takes the place of the one before, so that one at most is wanted."""

_URGENCY = {signal: rank for rank, signal in enumerate(Signal)}


class Signals:
    """Plays signals through `show(light, buzz)`, which must be quick: their beginning in the thread that asks for them,
    the rest in one of its own."""

    def __init__(self, show: Callable[[Light, bool], None]) -> None:
        self._show = show
        self._changed = threading.Condition()
        self._wanted: set[Signal] = set()
        self._interrupt = False
        self._closing = False
        self._shown = (Light.OFF, False)
        self._thread = threading.Thread(target=self._run, name="signals")
        self._thread.start()

    def signal(self, signal: Signal) -> None:
        """Plays `signal` now, or after a more urgent one that is being played. Returns at once."""
        with self._changed:
            if self._closing:
                return
            if signal in ANSWERS:
                self._wanted -= ANSWERS
            self._wanted.add(signal)
            if signal is self._most_urgent():
                self._interrupt = True
                self._set(PATTERNS[signal][0].light, PATTERNS[signal][0].buzz)
            self._changed.notify_all()

    def close(self) -> None:
        """Switches off and ends the thread. May be called twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        with self._changed:
            while (signal := self._next()) is not None:
                if self._played(PATTERNS[signal]):
                    self._set(Light.OFF, False)
                    self._wanted.discard(signal)
            self._set(Light.OFF, False)

    def _next(self) -> Signal | None:
        """The most urgent signal, when there is one; None when the end has come."""
        self._changed.wait_for(lambda: self._wanted or self._closing)
        self._interrupt = False
        return None if self._closing else self._most_urgent()

    def _most_urgent(self) -> Signal:
        return min(self._wanted, key=_URGENCY.__getitem__)

    def _played(self, pattern: tuple[Step, ...]) -> bool:
        """Plays to the end, or until another signal or the end interrupts it: False."""
        for step in pattern:
            self._set(step.light, step.buzz)
            if self._changed.wait_for(lambda: self._interrupt or self._closing, step.seconds):
                return False
        return True

    def _set(self, light: Light, buzz: bool) -> None:
        """The pins, if they show something else."""
        if (light, buzz) != self._shown:
            self._shown = (light, buzz)
            self._show(light, buzz)


LAMPS = (0, 1, 3, 4)
"""How many pins a lamp may have."""

LAMPS_IN_WORDS = "none, one, three for red, green and blue, or four for a row of red, yellow, green and blue LEDs"

_ROW = (Light.RED, Light.YELLOW, Light.GREEN, Light.BLUE)


def lamp_levels(light: Light, pins: int) -> tuple[bool, ...]:
    """Which of a lamp's pins are on for `light`: of one pin, of red, green and blue, or of a row of four LEDs."""
    if pins == 3:
        return light.value
    if pins == 4:
        return tuple(light in (one, Light.WHITE) for one in _ROW)
    return (light is not Light.OFF,) * pins


@dataclass(frozen=True, slots=True)
class SignalPlan:
    """Where lamp and buzzer are wired, by GPIO number; all optional.

    lamp: its pins: one (one colour), three (red, green, blue) or four (a row of plain LEDs: red, yellow, green, blue).
    buzzer: an active buzzer. active_low: they are on when the pin is low.
    """

    lamp: tuple[int, ...] = ()
    buzzer: int | None = None
    active_low: bool = False

    def __post_init__(self) -> None:
        if len(self.lamp) not in LAMPS:
            raise ValueError(f"lamp pins are {self.lamp}: expected {LAMPS_IN_WORDS}")
        for pin in (*self.lamp, *(() if self.buzzer is None else (self.buzzer,))):
            if not 2 <= pin <= 27:
                raise ValueError(f"signal pin is {pin}: expected a GPIO number, 2 to 27")

    @property
    def empty(self) -> bool:
        """True when nothing is wired."""
        return not self.lamp and self.buzzer is None


class Outputs:
    """The lamp's and the buzzer's pins. Raises GpioError when one cannot be used."""

    def __init__(self, plan: SignalPlan, factory: Any) -> None:
        from gpiozero import DigitalOutputDevice

        self._lamp: list[Any] = []
        self._buzzer: Any = None
        options = {"active_high": not plan.active_low, "pin_factory": factory}
        try:
            for pin in plan.lamp:
                self._lamp.append(use_pin(pin, "lamp", DigitalOutputDevice, **options))
            if plan.buzzer is not None:
                self._buzzer = use_pin(plan.buzzer, "buzzer", DigitalOutputDevice, **options)
        except BaseException:
            self.close()
            raise

    def show(self, light: Light, buzz: bool) -> None:
        """Sets all pins at once."""
        for device, value in zip(self._lamp, lamp_levels(light, len(self._lamp)), strict=True):
            device.value = value
        if self._buzzer is not None:
            self._buzzer.value = buzz

    def close(self) -> None:
        """Frees the pins. May be called twice."""
        for device in [*self._lamp, *([] if self._buzzer is None else [self._buzzer])]:
            device.close()
