"""The sections of the configuration. These dataclasses are the only table of fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from referee import paths
from referee.config.fields import WORDS, About, ConfigError, Section, setting

SPARE_THREADS = 8
"""Threads of the dashboard that live phones leave free. Too few: pages wait while many phones are connected; too many:
phones poll that could be told at once."""


CALIBRATION_FILE = "calibration.json"
"""Name of the calibration file in the data folder."""

FIXED_PULL_UP = frozenset({2, 3})
"""GPIO numbers that a resistor on the Pi's board pulls to 3.3 V (the I2C bus)."""


@dataclass(frozen=True, slots=True)
class General(Section):
    """What concerns the whole program."""

    name: ClassVar[str] = "general"
    data_folder: str = setting(
        "", "Data folder", "Where games, photos and the host's PIN are kept. Empty: the system's place for it."
    )
    language: str = setting(
        "en", "Language", "Language of rulings and pages unless a phone asks for another.", choices=("en", "de", "es")
    )
    preset: str = setting(
        "official_108", "House rules", "Preset that a new game starts with; `referee rules` lists them."
    )


@dataclass(frozen=True, slots=True)
class CameraConfig(Section):
    """The camera over the table."""

    name: ClassVar[str] = "camera"
    source: str = setting(
        "pi", "Camera", "pi, pi:1, usb:0, /dev/video0, or the path of a video file or of a folder of pictures."
    )
    width: int = setting(
        1280, "Width", "Width of the picture that cards are read in.", low=160, high=4608, unit="pixels"
    )
    height: int = setting(720, "Height", "Height of the picture.", low=120, high=2592, unit="pixels")
    fps: float = setting(
        15.0, "Frame rate", "More frames show quick hands better and cost more power.", low=1, high=60, unit="frames/s"
    )
    distance_m: float = setting(
        1.0, "Distance", "From the lens to the table, for a camera that focuses; 0 leaves the lens alone.",
        low=0, high=10, unit="m",
    )  # fmt: skip
    mains_hz: int = setting(
        50, "Mains frequency", "So that lamps do not flicker in the picture: 60 in most of the Americas, else 50.",
        choices=(50, 60), unit="Hz",
    )  # fmt: skip
    view: float = setting(
        1.0, "View", "Middle part of the camera's view to use, where the table fills only part. Then calibrate again.",
        low=0.2, high=1,
    )  # fmt: skip
    close_up: bool = setting(
        True, "Close-up", "Once the table is set up, show the piles and what lies round them larger (Pi camera only)."
    )
    calibration: str = setting(
        "", "Calibration", "File that says where table and piles lie in the picture. Empty: the one in the data folder."
    )


@dataclass(frozen=True, slots=True)
class ButtonConfig(Section):
    """The buttons. `referee wiring` draws where their wires go."""

    name: ClassVar[str] = "buttons"
    uno_pins: tuple[int, ...] = setting(
        (17,), "UNO buttons", "GPIO numbers. One: a button for the whole table; several: seat 1, 2, 3 ...; none: [].",
        low=2, high=27, most=10,
    )  # fmt: skip
    catch_pins: tuple[int, ...] = setting(
        (), "Catch buttons", "Pressed when somebody forgot to call UNO. One for the table or one a seat, as above.",
        low=2, high=27, most=10,
    )  # fmt: skip
    challenge_pins: tuple[int, ...] = setting(
        (), "Challenge buttons", "Pressed to challenge a Wild Draw Four. One for the table or one a seat, as above.",
        low=2, high=27, most=10,
    )  # fmt: skip
    draw_pins: tuple[int, ...] = setting(
        (), "Draw buttons",
        "Pressed after drawing, where the camera does not see the draw pile: with both, a draw counts twice.",
        low=2, high=27, most=10,
    )  # fmt: skip
    colour_pins: tuple[int, ...] = setting(
        (), "Colour buttons", "Four, in this order: red, yellow, green, blue. Pressed to name the colour of a wild.",
        low=2, high=27, most=4,
    )  # fmt: skip
    active_low: bool = setting(True, "To ground", "A pressed button connects its pin to ground (else to 3.3 V).")

    def __post_init__(self) -> None:
        Section.__post_init__(self)
        if len(self.colour_pins) not in (0, 4):
            raise ConfigError(
                f"buttons.colour_pins has {len(self.colour_pins)} entries: expected none, or red, yellow, green, blue"
            )
        if not self.active_low:
            for name, pins in self.pins().items():
                for pin in sorted(set(pins) & FIXED_PULL_UP):
                    raise ConfigError(
                        f"{name} has GPIO {pin}: expected another pin, because the board itself holds it at 3.3 V, "
                        "and a button to 3.3 V would never be seen"
                    )

    def pins(self) -> dict[str, tuple[int, ...]]:
        """The pins of every field that holds some, by the field's full name."""
        return {f"buttons.{f.name}": getattr(self, f.name) for f in fields(self) if f.name.endswith("_pins")}


@dataclass(frozen=True, slots=True)
class SignalConfig(Section):
    """Lamp and buzzer."""

    name: ClassVar[str] = "signals"
    lamp_pins: tuple[int, ...] = setting(
        (), "Lamp",
        "GPIO numbers: one for one colour; three for red, green, blue; four for a row: red, yellow, green, blue.",
        low=2, high=27, most=4,
    )  # fmt: skip
    strip: bool = setting(
        False, "LED strip", "The lamp is a plain LED strip with a supply of its own; `referee wiring` draws its switch."
    )
    buzzer_pins: tuple[int, ...] = setting((), "Buzzer", "GPIO number of an active buzzer.", low=2, high=27, most=1)
    active_low: bool = setting(False, "On when low", "Lamp and buzzer are on when their pin is low.")

    def __post_init__(self) -> None:
        Section.__post_init__(self)
        if len(self.lamp_pins) == 2:
            raise ConfigError(
                "signals.lamp_pins has 2 entries: expected none, one, three for red, green and blue, or four for a row"
            )
        if self.strip and (self.active_low or len(self.lamp_pins) == 4):
            what = "active_low = false" if self.active_low else "one or three lamp_pins"
            raise ConfigError(f"signals.strip is true: expected {what}, because its switch closes when the pin is high")

    def pins(self) -> dict[str, tuple[int, ...]]:
        """The pins of every field that holds some, by the field's full name."""
        return {f"signals.{f.name}": getattr(self, f.name) for f in fields(self) if f.name.endswith("_pins")}


@dataclass(frozen=True, slots=True)
class DashboardConfig(Section):
    """The pages for phones and the television."""

    name: ClassVar[str] = "dashboard"
    host: str = setting(
        "0.0.0.0", "Address", "0.0.0.0: every device in the home network; 127.0.0.1: this machine only."
    )
    port: int = setting(8080, "Port", "The number after the colon in the address.", low=1, high=65535)
    threads: int = setting(
        32, "Threads", "Requests that are answered at once; every live phone holds one.", low=8, high=128
    )
    streams: int = setting(
        24, "Live phones", "Phones that are told at once; further ones ask every few seconds.", low=1, high=120
    )

    def __post_init__(self) -> None:
        Section.__post_init__(self)
        try:
            self.host.encode("idna")
        except UnicodeError:
            raise ConfigError(f"dashboard.host is {self.host!r}: expected an address of this machine") from None
        if self.streams > self.threads - SPARE_THREADS:
            raise ConfigError(
                f"dashboard.streams is {self.streams}: expected at most {self.threads - SPARE_THREADS}, "
                f"dashboard.threads less {SPARE_THREADS}"
            )


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be configured."""

    general: General = General()
    camera: CameraConfig = CameraConfig()
    buttons: ButtonConfig = ButtonConfig()
    signals: SignalConfig = SignalConfig()
    dashboard: DashboardConfig = DashboardConfig()

    def __post_init__(self) -> None:
        used: dict[int, str] = {}
        for name, pins in self.pins().items():
            for pin in pins:
                if pin in used:
                    raise ConfigError(f"{name} has GPIO {pin}: expected a free pin, {used[pin]} uses it")
                used[pin] = name

    def pins(self) -> dict[str, tuple[int, ...]]:
        """GPIO numbers by the full name of the field that holds them."""
        return {**self.buttons.pins(), **self.signals.pins()}

    @property
    def data_folder(self) -> Path:
        """Where everything is kept that must survive."""
        return paths.written(self.general.data_folder) if self.general.data_folder else paths.data_folder()

    @property
    def calibration_file(self) -> Path:
        """Where the table's calibration is kept; it need not be there."""
        named = self.camera.calibration
        return paths.written(named) if named else self.data_folder / CALIBRATION_FILE


SECTIONS: Mapping[str, type[Any]] = {
    kind.name: kind for kind in (General, CameraConfig, ButtonConfig, SignalConfig, DashboardConfig)
}
"""The sections by name, in the order of the file."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of `referee config`. name: `section.field`; value: in force; kind: type in words."""

    name: str
    value: Any
    default: Any
    kind: str
    about: About


def every_field(config: Config) -> Iterator[Field]:
    """Every field with its value, in the order of the file."""
    for section, kind in SECTIONS.items():
        for f in fields(kind):
            value = getattr(getattr(config, section), f.name)
            yield Field(f"{section}.{f.name}", value, f.default, WORDS[str(f.type)], f.metadata["about"])
