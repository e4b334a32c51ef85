"""One press for one push: turns the edges of a contact into presses. Pure: time is an argument.

Contacts bounce: a push is a burst of edges, and so is a release. A press is believed once the contact has been closed
for `press_s` without a break, and is given the time of the burst's first edge. A release needs the longer `release_s`,
so that a finger that trembles on the button does not press twice. The pin library's own debounce is not used: it can
swallow presses (gpiozero issues 550, 1039).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

BURST_S = 0.001
"""Edges that follow each other within this many seconds count as one when chatter is looked for. Too small: a switch
that bounces a hundred times in some milliseconds, as worn ones do, is called a loose wire; too large: a loose wire that
is never still is not."""


class Contact(Enum):
    """What a button says after debouncing."""

    PRESSED = "pressed"
    """It was pushed."""
    RELEASED = "released"
    """It was let go."""
    STUCK = "stuck"
    """It has been down for too long: jammed, or wired to ground."""
    CHATTERING = "chattering"
    """Its edges come too fast for a finger: a loose wire, a missing pull-up, a long cable beside a lamp's."""
    WELL = "well"
    """It works again after one of the above."""


@dataclass(frozen=True, slots=True)
class ContactEvent:
    """What happened, and when on the clock of the edges, seconds."""

    what: Contact
    t: float


@dataclass(frozen=True, slots=True)
class DebounceLimits:
    """press_s: seconds of unbroken contact that make a press. Too small: a spark from a lamp's switch presses UNO; too
    large: a quick tap is lost and the lamp answers late.
    release_s: seconds of open contact that make a release. Too small: one push counts twice (a recorded push button
    opened for 87 ms in mid-push, tests/hardware/recorded_bounce.py); too large: two quick pushes count once.
    stuck_s: seconds of a press after which the button counts as stuck. Too small: an elbow resting on it is reported;
    too large: nobody learns why UNO does not work.
    chatter_edges, chatter_s: so many edges (`BURST_S` apart) within so many seconds count as chatter. Too few: a bad
    but usable contact is reported; too many: a loose wire is not.
    """

    press_s: float = 0.008
    release_s: float = 0.100
    stuck_s: float = 10.0
    chatter_edges: int = 80
    chatter_s: float = 1.0

    def __post_init__(self) -> None:
        if not (0 < self.press_s <= 0.1 and 0 < self.release_s <= 0.5):
            raise ValueError(
                f"press_s {self.press_s} and release_s {self.release_s}: expected up to 0.1 and 0.5 seconds"
            )
        if self.stuck_s <= self.press_s or self.chatter_edges < 4 or self.chatter_s <= 0:
            raise ValueError("stuck_s must be longer than a press, and chatter needs 4 edges or more in some time")


class Debounce:
    """The state of one contact. Feed it edges in the order they came, and the time now and then."""

    def __init__(self, limits: DebounceLimits | None = None, *, pressed: bool = False, t: float = 0.0) -> None:
        """pressed: how the contact stands at time t; a contact that is down at the start counts as no press."""
        self._limits = limits or DebounceLimits()
        self._raw = self._stable = pressed
        self._raw_since = float("-inf")
        self._stable_since = self._burst_since = t
        self._edges: deque[float] = deque(maxlen=self._limits.chatter_edges)
        self._stuck = self._chattering = False

    def edge(self, t: float, pressed: bool) -> list[ContactEvent]:
        """The contact changed at time t; pressed: how it stands now. What is known by then, in order.

        Two edges the same way mean that one between them was lost: it counts as a break.
        """
        t = max(t, self._raw_since)
        events = self.tick(t)
        if self._raw == self._stable and pressed != self._stable and t - self._raw_since >= self._quiet(self._stable):
            self._burst_since = t
        self._raw, self._raw_since = pressed, t
        if not self._edges or t - self._edges[-1] >= BURST_S:
            self._edges.append(t)
        if not self._chattering and self._is_chatter(t):
            self._chattering = True
            events.append(ContactEvent(Contact.CHATTERING, t))
        return events

    def tick(self, now: float) -> list[ContactEvent]:
        """Time has passed: what is known now that was not before."""
        limits, events = self._limits, []
        if self._raw != self._stable and now - self._raw_since >= self._quiet(self._raw):
            self._stable, self._stable_since = self._raw, self._burst_since
            events.append(ContactEvent(Contact.PRESSED if self._stable else Contact.RELEASED, self._burst_since))
        if self._stable and not self._stuck and now - self._stable_since >= limits.stuck_s:
            self._stuck = True
            events.append(ContactEvent(Contact.STUCK, self._stable_since))
        was_ill = self._stuck or self._chattering
        if self._stuck and not self._stable:
            self._stuck = False
        if self._chattering and self._edges and now - self._edges[-1] >= limits.chatter_s:
            self._chattering = False
            self._edges.clear()
        if was_ill and not (self._stuck or self._chattering):
            events.append(ContactEvent(Contact.WELL, now))
        return events

    @property
    def due(self) -> float | None:
        """The time at which `tick` next has something to say if no edge comes, None when never."""
        times = []
        if self._raw != self._stable:
            times.append(self._raw_since + self._quiet(self._raw))
        if self._stable and not self._stuck:
            times.append(self._stable_since + self._limits.stuck_s)
        if self._chattering:
            times.append(self._edges[-1] + self._limits.chatter_s)
        return min(times, default=None)

    def _quiet(self, pressed: bool) -> float:
        return self._limits.press_s if pressed else self._limits.release_s

    def _is_chatter(self, t: float) -> bool:
        return len(self._edges) == self._limits.chatter_edges and t - self._edges[0] <= self._limits.chatter_s
