"""Buttons on the Pi's pins: the UNO call and, if you like, catch, challenge, draw and the colours, each button for the
whole table or for one seat.

A pin's handler only puts the edge into a queue, with the time at which it happened. A thread of our own debounces the
edges and tells of presses, so that nothing that happens afterwards can delay or lose one.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from referee.clock import Clock, SystemClock
from referee.hardware.debounce import Contact, ContactEvent, Debounce, DebounceLimits
from referee.hardware.gpio import use_pin
from referee.health import Trouble

MAX_LAG_S = 1.0
"""An edge whose own time is older than this many seconds is stamped on arrival. Too small: a busy machine blurs the
order of two presses; too large: a time of another clock is believed."""


class Role(Enum):
    """What a press of a button says. The value is how messages name the button."""

    UNO = "UNO"
    """"UNO!", the call with one card left."""
    CATCH = "catch"
    """Somebody has one card and did not call."""
    CHALLENGE = "challenge"
    """The Wild Draw Four is challenged."""
    DRAW = "draw"
    """Cards were drawn: for a table whose draw pile the camera does not see."""
    RED = "red"
    """Red is named for a wild."""
    YELLOW = "yellow"
    """Yellow is named for a wild."""
    GREEN = "green"
    """Green is named for a wild."""
    BLUE = "blue"
    """Blue is named for a wild."""


COLOURS = (Role.RED, Role.YELLOW, Role.GREEN, Role.BLUE)
"""The colour buttons in the order of the configuration."""


@dataclass(frozen=True, slots=True)
class ButtonPlan:
    """Where a button is wired.

    pin: GPIO number (BCM), 2 to 27. seat: its player's seat from 1, None for a button of the whole table. active_low:
    it connects the pin to ground (the Pi's own pull-up is used), else to 3.3 V. role: what a press says.
    """

    pin: int
    seat: int | None = None
    active_low: bool = True
    role: Role = Role.UNO

    def __post_init__(self) -> None:
        if not 2 <= self.pin <= 27:
            raise ValueError(f"button pin is {self.pin}: expected a GPIO number, 2 to 27")
        if self.seat is not None and self.seat < 1:
            raise ValueError(f"button seat is {self.seat}: expected 1 or more")

    @property
    def name(self) -> str:
        """How messages name it."""
        where = "of the table" if self.seat is None else f"at seat {self.seat}"
        return f"{self.role.value} button {where} (GPIO {self.pin})"


def plan_buttons(pins: Sequence[int], active_low: bool = True, role: Role = Role.UNO) -> tuple[ButtonPlan, ...]:
    """Buttons by the rule of the configuration: one pin is the table's, several are the seats' from seat 1."""
    if len(pins) == 1:
        return (ButtonPlan(pins[0], None, active_low, role),)
    return tuple(ButtonPlan(pin, seat, active_low, role) for seat, pin in enumerate(pins, 1))


@dataclass(frozen=True, slots=True)
class Press:
    """A push of a button. t: the time of its first edge on the clock given to `Buttons`. seat: None, the table's."""

    t: float
    seat: int | None
    role: Role = Role.UNO


class Buttons:
    """The buttons of a table.

    on_press(press) and on_trouble(plan, trouble, or None when it is over) run in the thread of `start`, or in the
    caller's of `poll`. factory: a gpiozero pin factory (`gpio.open_factory`). clock: what presses are stamped with; the
    same as the session's. Raises GpioError when a pin cannot be used.
    """

    def __init__(
        self,
        plans: Sequence[ButtonPlan],
        factory: Any,
        on_press: Callable[[Press], None],
        on_trouble: Callable[[ButtonPlan, Trouble | None], None],
        clock: Clock | None = None,
        limits: DebounceLimits | None = None,
    ) -> None:
        self._on_press, self._on_trouble = on_press, on_trouble
        self._clock = clock or SystemClock()
        self._edges: queue.SimpleQueue[tuple[_Channel, float, bool] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._channels: list[_Channel] = []
        try:
            for plan in plans:
                self._channels.append(_Channel(plan, factory, self._clock, self._edges, limits))
        except BaseException:
            self.close()
            raise

    def start(self) -> None:
        """Handles presses in a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name="buttons")
        self._thread.start()

    def poll(self) -> None:
        """Handles what has happened up to now, in the caller's thread: for a demo that makes its own time."""
        while not self._edges.empty():
            self._feed(self._edges.get())
        self._tick()

    def close(self) -> None:
        """Frees the pins and ends the thread. May be called twice."""
        for channel in self._channels:
            channel.device.close()
        if self._thread is not None:
            self._edges.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while True:
            due = min((t for channel in self._channels if (t := channel.debounce.due) is not None), default=None)
            wait = None if due is None else max(0.0, due - self._clock.monotonic())
            try:
                item = self._edges.get(timeout=wait)
            except queue.Empty:
                self._tick()
                continue
            if item is None:
                return
            self._feed(item)

    def _feed(self, item: tuple[_Channel, float, bool] | None) -> None:
        if item is not None:
            channel, t, pressed = item
            self._tell(channel, channel.debounce.edge(t, pressed))

    def _tick(self) -> None:
        now = self._clock.monotonic()
        for channel in self._channels:
            self._tell(channel, channel.debounce.tick(now))

    def _tell(self, channel: _Channel, events: list[ContactEvent]) -> None:
        for event in events:
            if event.what is Contact.PRESSED:
                self._on_press(Press(event.t, channel.plan.seat, channel.plan.role))
            elif event.what is Contact.WELL:
                self._on_trouble(channel.plan, None)
            elif event.what is not Contact.RELEASED:
                self._on_trouble(channel.plan, button_trouble(channel.plan, event.what))


def button_trouble(plan: ButtonPlan, what: Contact) -> Trouble:
    """What is wrong with the button. what: STUCK or CHATTERING."""
    if what is Contact.STUCK:
        remedy = "Free it if it is jammed; check that its wires do not touch"
        return Trouble("button_stuck", f"the {plan.name} has been down for too long", remedy, {"pin": plan.pin})
    remedy = "Check its wires and plugs; keep them away from lamp and motor cables"
    return Trouble("button_chatters", f"the {plan.name} chatters, as a loose wire does", remedy, {"pin": plan.pin})


class _Channel:
    """One pin: its gpiozero device, its debounce, and the handler that only enqueues."""

    def __init__(
        self,
        plan: ButtonPlan,
        factory: Any,
        clock: Clock,
        edges: queue.SimpleQueue[tuple[_Channel, float, bool] | None],
        limits: DebounceLimits | None,
    ) -> None:
        from gpiozero import Button

        self.plan = plan
        self._clock, self._edges = clock, edges
        self.device = use_pin(
            plan.pin, plan.name, Button, pull_up=plan.active_low, bounce_time=None, pin_factory=factory
        )
        self.debounce = Debounce(limits, pressed=bool(self.device.is_pressed), t=clock.monotonic())
        # At the pin and not at the device, because the device swallows edges that repeat the state it knows, and
        # because only the pin passes on the time that the kernel gave the edge.
        self.device.pin.when_changed = self._changed

    def _changed(self, ticks: float | None, level: int) -> None:
        """Runs in the pin library's thread."""
        now = self._clock.monotonic()
        t = ticks if ticks is not None and 0.0 <= now - ticks <= MAX_LAG_S else now
        self._edges.put((self, t, bool(level) != self.plan.active_low))
