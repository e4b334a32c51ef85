"""The Pi's pins through gpiozero on lgpio, or on gpiozero's mock in tests and in the demo. Never a silent fallback."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from referee.health import Trouble


class GpioError(Exception):
    """A pin, or all of them, cannot be used. trouble: what is wrong and what to do about it."""

    def __init__(self, code: str, what: str, remedy: str, **facts: int) -> None:
        super().__init__(f"{what}. {remedy}")
        self.trouble = Trouble(code, what, remedy, facts)


def open_factory() -> Any:
    """A gpiozero pin factory: the mock if GPIOZERO_PIN_FACTORY says `mock`, lgpio otherwise. Close it after use.

    Raises GpioError.
    """
    if os.environ.get("GPIOZERO_PIN_FACTORY") == "mock":
        return mock_factory()
    # lgpio writes its notification pipes into the working folder, which a hardened service may not write.
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise GpioError(
            "no_lgpio",
            f"buttons and lamps need the library lgpio ({error})",
            "On a Raspberry Pi run: sudo apt install python3-lgpio (with an environment made by ./run); "
            "without a Pi use the UNO button on the phones",
        ) from error
    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio raises its own error class, which exists only where lgpio does
        raise GpioError(
            "no_gpio",
            f"this machine's pins cannot be opened ({error})",
            "On a Raspberry Pi run: sudo usermod -aG gpio $USER, and log in again (or restart the service); "
            "without a Pi use the UNO button on the phones",
        ) from error


def mock_factory() -> Any:
    """gpiozero's mock pins: `factory.pin(17).drive_low()` presses a button."""
    from gpiozero.pins.mock import MockFactory

    return MockFactory()


def use_pin(pin: int, what: str, make: Any, *arguments: Any, **options: Any) -> Any:
    """`make(pin, ...)`: a gpiozero device. Raises GpioError that names the pin and what it is for."""
    try:
        return make(pin, *arguments, **options)
    except Exception as error:
        raise GpioError(
            "bad_pin",
            f"GPIO {pin} cannot be used for the {what} ({error})",
            "Choose a free pin in the configuration (GPIO numbers, 2 to 27), each for one thing",
            pin=pin,
        ) from error
