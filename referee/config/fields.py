"""What a field of the configuration is: typed, bounded, titled and described."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar


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


def setting(default: Any, title: str, text: str, **bounds: Any) -> Any:
    """A field of a section. bounds: as in `About`."""
    return field(default=default, metadata={"about": About(title, text, **bounds)})


WORDS = {
    "str": "text", "int": "a whole number", "float": "a number", "bool": "true or false",
    "tuple[int, ...]": "a list of whole numbers",
}  # fmt: skip
"""The types that a field may have, in words."""


class Section:
    """A section of the file: checks its fields when it is made."""

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
    if kind == "str" and isinstance(value, str) and "\0" in value:
        raise ConfigError(f"{name} is {value!r}: expected text without a zero byte")
    if (kind == "int" and whole) or (kind in ("str", "bool") and type(value).__name__ == kind):
        return value
    raise ConfigError(f"{name} is {value!r}: expected {WORDS[kind]}")


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
