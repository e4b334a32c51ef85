"""The 40-pin header of a Raspberry Pi: which GPIO number is where, and what else a pin is used for.

Source: the Raspberry Pi hardware documentation, "GPIO and the 40-pin header"; the same on every Pi since the B+.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Rail(Enum):
    """A pin that carries no signal. The value is printed beside it."""

    GROUND = "ground"
    V3 = "3.3 V"
    V5 = "5 V"


_3, _5, _G = Rail.V3, Rail.V5, Rail.GROUND
HEADER: tuple[int | Rail, ...] = (
    _3, _5, 2, _5, 3, _G, 4, 14, _G, 15, 17, 18, 27, _G, 22, 23, _3, 24, 10, _G,
    9, 25, 11, 8, _G, 7, 0, 1, 5, _G, 6, 12, 13, _G, 19, 16, 26, 20, _G, 21,
)  # fmt: skip
"""What pin 1, 2, ... 40 is: a GPIO number or a rail. Odd pins are one row, even ones (at the edge) the other."""

PIN_OF: Mapping[int, int] = {what: pin for pin, what in enumerate(HEADER, 1) if isinstance(what, int)}
"""Number on the header, 1 to 40, by GPIO number."""

RAIL_PIN: Mapping[Rail, int] = {Rail.V3: 1, Rail.V5: 4, Rail.GROUND: 6}
"""The pin that the wiring picture takes for each rail; any other of the same rail does as well."""

_SHARED: Mapping[frozenset[int], str] = {
    frozenset({2, 3}): "the I2C bus: free unless I2C is switched on",
    frozenset({7, 8, 9, 10, 11}): "SPI: free unless SPI is switched on",
    frozenset({14, 15}): "the serial console, which talks here unless it is switched off (raspi-config)",
    frozenset({18, 19, 20, 21}): "I2S sound: free unless a sound board sits on the header",
}

_HIGH_AT_BOOT = frozenset(range(2, 9))


def remarks(gpio: int, output: bool, active_low: bool) -> list[str]:
    """What to know before a pin is used, as sentences without a stop; empty for a pin without a past.

    output: a lamp or a buzzer hangs on it. active_low: it is on when the pin is low.
    """
    said = [f"GPIO {gpio} is also for {what}" for pins, what in _SHARED.items() if gpio in pins]
    # Until the program runs, GPIO 0 to 8 are pulled up and the others down (BCM2711 peripherals, table 94).
    if output and (gpio in _HIGH_AT_BOOT) != active_low:
        said.append(f"GPIO {gpio} is {'low' if active_low else 'high'} while the Pi starts: what hangs on it may be on")
    return said
