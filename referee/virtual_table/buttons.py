"""Presses real `gpiozero.Button`s on gpiozero's mock pins, with the bounce of a cheap push button."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Edge = tuple[float, bool]
"""Seconds to wait, and then whether the contact is closed."""

HOLD_S = (0.06, 0.25)
"""How long people hold a button, seconds. Shorter than a debounce and a press would be lost."""
BOUNCES = (1, 5)
"""How often a contact opens again before it stays closed, and closes again before it stays open."""
BOUNCE_S = (0.00005, 0.0012)
"""Length of one bounce, seconds: push buttons settle within about 10 ms."""


def press_edges(rng: Random) -> tuple[Edge, ...]:
    """One press as a contact makes it: closes with bounces, is held, opens with bounces; it ends open."""
    edges: list[Edge] = []

    def settle(closed: bool) -> None:
        for _ in range(rng.randint(*BOUNCES)):
            edges.append((rng.uniform(*BOUNCE_S), not closed))
            edges.append((rng.uniform(*BOUNCE_S), closed))

    edges.append((0.0, True))
    settle(True)
    edges.append((rng.uniform(*HOLD_S), False))
    settle(False)
    return tuple(edges)


class VirtualButtons:
    """The UNO buttons of a simulated table.

    pins: GPIO number for each seat; the buttons pull up and a press pulls down. factory: the gpiozero mock factory that
    the buttons' pins come from. sleep: how to let time pass within a press.
    """

    def __init__(
        self, pins: Mapping[int, int], factory: Any, seed: int = 0, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._factory = factory
        self._pins, self._rng, self._sleep = dict(pins), Random(f"buttons {seed}"), sleep

    def press(self, seat: int) -> None:
        """Presses and lets go; returns when the button is up again. Raises KeyError for a seat without a button."""
        pin = self._factory.pin(self._pins[seat])
        for wait, closed in press_edges(self._rng):
            self._sleep(wait)
            if closed:
                pin.drive_low()
            else:
                pin.drive_high()
