"""The configuration: one TOML file, every field typed, bounded, titled and described.

The dataclasses below are the only table of fields: `referee config` prints them, `write` turns them into a commented
file, `load` checks a file against them. A field that is missing holds its default; an unknown one is refused.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from referee import paths

FILE_NAME = "config.toml"

SPARE_THREADS = 8
"""Threads of the dashboard that live phones leave free. Too few: pages wait while many phones are connected; too many:
phones poll that could be told at once."""


FIXED_PULL_UP = frozenset({2, 3})
"""GPIO numbers that a resistor on the Pi's board pulls to 3.3 V (the I2C bus)."""


class ConfigError(ValueError):
    """The configuration is wrong. The text is one line that names file, field and what was expected."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a field.

    low, high: bounds, inclusive, of a number or of each number of a list. choices: the only values. unit: for people.
    most: the longest list.
    """

    title: str
    text: str
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()
    unit: str = ""
    most: int = 0


def _setting(default: Any, title: str, text: str, **bounds: Any) -> Any:
    return field(default=default, metadata={"about": About(title, text, **bounds)})


_WORDS = {
    "str": "text", "int": "a whole number", "float": "a number", "bool": "true or false",
    "tuple[int, ...]": "a list of whole numbers",
}  # fmt: skip


class _Section:
    """Checks its fields when it is made."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        for f in fields(self):  # type: ignore[arg-type]
            about: About = f.metadata["about"]
            value = _typed(f"{self.name}.{f.name}", str(f.type), getattr(self, f.name))
            _bounded(f"{self.name}.{f.name}", about, value)
            object.__setattr__(self, f.name, value)


def _typed(name: str, kind: str, value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if kind == "float" and (whole or isinstance(value, float)):
        return float(value)
    if kind == "tuple[int, ...]" and isinstance(value, list | tuple):
        return tuple(_typed(name, "int", item) for item in value)
    if (kind == "int" and whole) or (kind in ("str", "bool") and type(value).__name__ == kind):
        return value
    raise ConfigError(f"{name} is {value!r}: expected {_WORDS[kind]}")


def _bounded(name: str, about: About, value: Any) -> None:
    if about.choices and value not in about.choices:
        raise ConfigError(f"{name} is {value!r}: expected {expected(about)}")
    if about.most and len(value) > about.most:
        raise ConfigError(f"{name} has {len(value)} entries: expected {expected(about)}")
    for number in value if isinstance(value, tuple) else (value,):
        if about.low is not None and not about.low <= number <= (about.high or 0.0):
            raise ConfigError(f"{name} is {number!r}: expected {expected(about)}")


def expected(about: About) -> str:
    """The bounds of a field in words; empty when there are none."""
    unit = f" {about.unit}" if about.unit else ""
    if about.choices:
        return " or ".join(map(str, about.choices)) + unit
    if about.low is None:
        return ""
    bounds = f"{about.low:g} to {about.high:g}{unit}"
    return f"{bounds}, at most {about.most} of them" if about.most else bounds


@dataclass(frozen=True, slots=True)
class General(_Section):
    """What concerns the whole program."""

    name: ClassVar[str] = "general"
    data_folder: str = _setting(
        "", "Data folder", "Where games, photos and the host's PIN are kept. Empty: the system's place for it."
    )
    language: str = _setting(
        "en", "Language", "Language of rulings and pages unless a phone asks for another.", choices=("en", "de", "es")
    )
    preset: str = _setting(
        "official_108", "House rules", "Preset that a new game starts with; `referee rules` lists them."
    )


@dataclass(frozen=True, slots=True)
class CameraConfig(_Section):
    """The camera over the table."""

    name: ClassVar[str] = "camera"
    source: str = _setting(
        "pi", "Camera", "pi, pi:1, usb:0, /dev/video0, or the path of a video file or of a folder of pictures."
    )
    width: int = _setting(
        1280, "Width", "Width of the picture that cards are read in.", low=160, high=4608, unit="pixels"
    )
    height: int = _setting(720, "Height", "Height of the picture.", low=120, high=2592, unit="pixels")
    fps: float = _setting(
        15.0, "Frame rate", "More frames show quick hands better and cost more power.", low=1, high=60, unit="frames/s"
    )
    distance_m: float = _setting(
        1.0, "Distance", "From the lens to the table, for a camera that focuses; 0 leaves the lens alone.",
        low=0, high=10, unit="m",
    )  # fmt: skip
    mains_hz: int = _setting(
        50, "Mains frequency", "So that lamps do not flicker in the picture: 60 in most of the Americas, else 50.",
        choices=(50, 60), unit="Hz",
    )  # fmt: skip
    view: float = _setting(
        1.0, "View", "Middle part of a Pi camera's view to use, where the table fills only part. Then calibrate again.",
        low=0.2, high=1,
    )  # fmt: skip
    calibration: str = _setting(
        "", "Calibration", "File that says where table and piles lie in the picture. Empty: the one in the data folder."
    )


@dataclass(frozen=True, slots=True)
class ButtonConfig(_Section):
    """The buttons. `referee wiring` draws where their wires go."""

    name: ClassVar[str] = "buttons"
    uno_pins: tuple[int, ...] = _setting(
        (17,), "UNO buttons", "GPIO numbers. One: a button for the whole table; several: seat 1, 2, 3 ...; none: [].",
        low=2, high=27, most=10,
    )  # fmt: skip
    catch_pins: tuple[int, ...] = _setting(
        (), "Catch buttons", "Pressed when somebody forgot to call UNO. One for the table or one a seat, as above.",
        low=2, high=27, most=10,
    )  # fmt: skip
    challenge_pins: tuple[int, ...] = _setting(
        (), "Challenge buttons", "Pressed to challenge a Wild Draw Four. One for the table or one a seat, as above.",
        low=2, high=27, most=10,
    )  # fmt: skip
    draw_pins: tuple[int, ...] = _setting(
        (), "Draw buttons",
        "Pressed after drawing, where the camera does not see the draw pile: with both, a draw counts twice.",
        low=2, high=27, most=10,
    )  # fmt: skip
    colour_pins: tuple[int, ...] = _setting(
        (), "Colour buttons", "Four, in this order: red, yellow, green, blue. Pressed to name the colour of a wild.",
        low=2, high=27, most=4,
    )  # fmt: skip
    active_low: bool = _setting(True, "To ground", "A pressed button connects its pin to ground (else to 3.3 V).")

    def __post_init__(self) -> None:
        _Section.__post_init__(self)
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
class SignalConfig(_Section):
    """Lamp and buzzer."""

    name: ClassVar[str] = "signals"
    lamp_pins: tuple[int, ...] = _setting(
        (), "Lamp",
        "GPIO numbers: one for one colour; three for red, green, blue; four for a row: red, yellow, green, blue.",
        low=2, high=27, most=4,
    )  # fmt: skip
    strip: bool = _setting(
        False, "LED strip", "The lamp is a plain LED strip with a supply of its own; `referee wiring` draws its switch."
    )
    buzzer_pins: tuple[int, ...] = _setting((), "Buzzer", "GPIO number of an active buzzer.", low=2, high=27, most=1)
    active_low: bool = _setting(False, "On when low", "Lamp and buzzer are on when their pin is low.")

    def __post_init__(self) -> None:
        _Section.__post_init__(self)
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
class DashboardConfig(_Section):
    """The pages for phones and the television."""

    name: ClassVar[str] = "dashboard"
    host: str = _setting(
        "0.0.0.0", "Address", "0.0.0.0: every device in the home network; 127.0.0.1: this machine only."
    )
    port: int = _setting(8080, "Port", "The number after the colon in the address.", low=1, high=65535)
    threads: int = _setting(
        32, "Threads", "Requests that are answered at once; every live phone holds one.", low=8, high=128
    )
    streams: int = _setting(
        24, "Live phones", "Phones that are told at once; further ones ask every few seconds.", low=1, high=120
    )

    def __post_init__(self) -> None:
        _Section.__post_init__(self)
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
        return Path(self.general.data_folder).expanduser() if self.general.data_folder else paths.data_folder()


_SECTIONS: Mapping[str, type[Any]] = {
    kind.name: kind for kind in (General, CameraConfig, ButtonConfig, SignalConfig, DashboardConfig)
}


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
    for section, kind in _SECTIONS.items():
        for f in fields(kind):
            value = getattr(getattr(config, section), f.name)
            yield Field(f"{section}.{f.name}", value, f.default, _WORDS[str(f.type)], f.metadata["about"])


# --- places ---------------------------------------------------------------------------------------------------------


def default_path() -> Path:
    """Where the configuration is looked for: beside the games, in `paths.data_folder()`."""
    return paths.data_folder() / FILE_NAME


# --- the file -------------------------------------------------------------------------------------------------------


def load(path: Path | None = None) -> Config:
    """The configuration in a file. None: the default place, where a missing file means the defaults.

    Raises ConfigError that names the file, the field and what was expected.
    """
    file = path or default_path()
    if path is None and not file.exists():
        return Config()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{file}: there is no such file; make one with: referee config --write {file}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from None
    try:
        return parse(text)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def parse(text: str) -> Config:
    """The configuration written in TOML. Raises ConfigError that names the field."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not TOML: {error}") from None
    sections = {}
    for name, values in data.items():
        if name not in _SECTIONS:
            raise ConfigError(_unknown(name, values))
        if not isinstance(values, dict):
            raise ConfigError(f"{name} is {values!r}: expected a section, [{name}]")
        known = {f.name for f in fields(_SECTIONS[name])}
        for key in values:
            if key not in known:
                raise ConfigError(_unknown(f"{name}.{key}", values[key]))
        sections[name] = _SECTIONS[name](**values)
    return Config(**sections)


def _unknown(name: str, value: Any) -> str:
    """What to say about a name that is none: the nearest section or field."""
    if isinstance(value, dict):
        near = difflib.get_close_matches(name, _SECTIONS, 1, 0.4)
        return f"unknown section [{name}]; " + (
            f"did you mean [{near[0]}]?" if near else f"sections: {', '.join(_SECTIONS)}"
        )
    owner = {one.name.rpartition(".")[2]: one.name for one in every_field(Config())}
    close = difflib.get_close_matches(name.rpartition(".")[2], owner, 1, 0.55)
    return f"unknown field {name}; " + (f"did you mean {owner[close[0]]}?" if close else "`referee config` lists them")


def to_toml(config: Config) -> str:
    """The configuration as a commented file: fields that hold their default are commented out."""
    lines = ["# Configuration of the UNO referee. Lines that begin with # do nothing; what they show is the default."]
    section = ""
    for one in every_field(config):
        head, _, name = one.name.partition(".")
        if head != section:
            section = head
            lines += ["", f"[{section}]"]
        bounds = expected(one.about)
        lines.append(f"# {one.about.title}: {one.about.text}" + (f" ({bounds})" if bounds else ""))
        mark = "# " if one.value == one.default else ""
        lines.append(f"{mark}{name} = {toml_value(one.value)}")
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        if not isinstance(value, float)
        else repr(value)
    )


def save(config: Config, path: Path) -> None:
    """Writes the file whole or not at all, even when the plug is pulled. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(to_toml(config))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
