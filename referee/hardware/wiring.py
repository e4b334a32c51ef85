"""Where every wire goes, from the configuration: as a list of parts, as text, and as a picture (SVG). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from referee.config import Config
from referee.hardware.header import HEADER, PIN_OF, RAIL_PIN, Rail, remarks
from referee.hardware.setup import button_plans, signal_plan


class Symbol(Enum):
    """What is drawn between a pin and a rail."""

    BUTTON = "button"
    LED = "led"
    STRIP = "strip"
    BUZZER = "buzzer"
    MODULE = "module"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing on one pin. symbol stands between GPIO number `gpio` and `rail`; colour: of wire and symbol, as CSS.

    words: how to connect it, one line. extra: a further rail that it needs.
    """

    name: str
    symbol: Symbol
    gpio: int
    rail: Rail
    colour: str
    words: str
    extra: Rail | None = None

    @property
    def pin(self) -> int:
        """Number on the header."""
        return PIN_OF[self.gpio]

    @property
    def output(self) -> bool:
        """Whether the Pi drives it."""
        return self.symbol is not Symbol.BUTTON


_BUTTON_COLOURS = {
    "UNO": "#6a3d9a", "catch": "#b15928", "challenge": "#33889c", "draw": "#666666",
    "red": "#d11f2f", "yellow": "#b58900", "green": "#2b8a3e", "blue": "#1c5fc4",
}  # fmt: skip
_LED_COLOURS = {"": "#d9730d", "red": "#d11f2f", "yellow": "#b58900", "green": "#2b8a3e", "blue": "#1c5fc4"}
_LAMPS = {0: (), 1: ("",), 3: ("red", "green", "blue"), 4: ("red", "yellow", "green", "blue")}


def parts(config: Config) -> tuple[Part, ...]:
    """Everything that is to be wired, in the order of the header's pins."""
    found = [*_buttons(config), *_lamp(config), *_buzzer(config)]
    return tuple(sorted(found, key=lambda part: part.pin))


def warnings(config: Config) -> list[str]:
    """What to know about the pins that are used, a sentence each."""
    outputs = {part.gpio: part.output for part in parts(config)}
    return [line for gpio, out in outputs.items() for line in remarks(gpio, out, config.signals.active_low)]


def _buttons(config: Config) -> Iterator[Part]:
    rail = Rail.GROUND if config.buttons.active_low else Rail.V3
    for plan in button_plans(config.buttons):
        where = "" if plan.seat is None else f", seat {plan.seat}"
        words = f"one side to the pin, the other to {rail.value}; no resistor"
        yield Part(f"{plan.role.value} button{where}", Symbol.BUTTON, plan.pin, rail,
                   _BUTTON_COLOURS[plan.role.value], words)  # fmt: skip


def _lamp(config: Config) -> Iterator[Part]:
    pins = signal_plan(config.signals).lamp
    low = config.signals.active_low
    for gpio, hue in zip(pins, _LAMPS[len(pins)], strict=True):
        name, colour = f"lamp {hue}".strip(), _LED_COLOURS[hue]
        if config.signals.strip:
            words = "100 ohm to the gate of a logic N-MOSFET; drain to the strip; source and supply minus to ground"
            yield Part(f"{name} strip", Symbol.STRIP, gpio, Rail.GROUND, colour, words)
        elif low:
            words = "330 ohm, then the LED's short leg; its long leg to 3.3 V"
            yield Part(name, Symbol.LED, gpio, Rail.V3, colour, words)
        else:
            words = "330 ohm, then the LED's long leg; its short leg to ground"
            yield Part(name, Symbol.LED, gpio, Rail.GROUND, colour, words)


def _buzzer(config: Config) -> Iterator[Part]:
    for gpio in config.signals.buzzer_pins:
        if config.signals.active_low:
            words = "input of a buzzer board that sounds when low; its supply to 3.3 V, its ground to ground"
            yield Part("buzzer board", Symbol.MODULE, gpio, Rail.GROUND, "#222222", words, Rail.V3)
        else:
            words = "1 kilohm to the base of an NPN transistor; emitter to ground; active buzzer from collector to 5 V"
            yield Part("buzzer", Symbol.BUZZER, gpio, Rail.GROUND, "#222222", words, Rail.V5)


# --- as text --------------------------------------------------------------------------------------------------------


def as_text(config: Config) -> str:
    """The header with what is on it, then the parts and how to connect each."""
    wired = parts(config)
    on = {part.pin: part.name for part in wired}
    for rail in _rails(wired):
        on[RAIL_PIN[rail]] = f"common {rail.value}"
    lines = ["The Pi's header, seen from above, its pin 1 beside the corner of the board:", ""]
    for odd in range(1, 41, 2):
        left, right = on.get(odd, ""), on.get(odd + 1, "")
        lines.append(f"{left:>24} {_label(odd):>8} {odd:>2} | {odd + 1:<2} {_label(odd + 1):<8} {right}".rstrip())
    lines.append("")
    if not wired:
        lines.append("Nothing is configured: set buttons.uno_pins, signals.lamp_pins or signals.buzzer_pins.")
    lines += [f"{part.name} (GPIO {part.gpio}, pin {part.pin}): {part.words}." for part in wired]
    for rail in _rails(wired):
        lines.append(f"Everything that goes to {rail.value} shares one wire to pin {RAIL_PIN[rail]}.")
    lines += [f"Note: {line}." for line in warnings(config)]
    return "\n".join(lines) + "\n"


def _label(pin: int) -> str:
    what = HEADER[pin - 1]
    return what.value if isinstance(what, Rail) else f"GPIO {what}"


def _rails(wired: Sequence[Part]) -> list[Rail]:
    used = {part.rail for part in wired} | {part.extra for part in wired}
    return [rail for rail in (Rail.V3, Rail.V5, Rail.GROUND) if rail in used]
