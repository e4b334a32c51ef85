"""One row of the option table: what a value may be, and how the row is written down in `options`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Option:
    """One row of the table. values: the allowed words, (False, True), or a range of whole numbers.

    least and most bound a number (most None: no bound); a number of seconds may be a fraction.
    """

    name: str
    default: Value
    title: str
    text: str
    group: str
    words: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """Every allowed value where they can be listed, else nothing."""
        if isinstance(self.default, bool):
            return (False, True)
        if isinstance(self.default, int) and self.most is not None:
            return tuple(range(self.least, self.most + 1))
        return self.words

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if self.words:
            return ", ".join(self.words)
        if isinstance(self.default, float):
            return "a number of seconds, 0 or more and below 60"
        if self.most is None:
            return f"a whole number, {self.least} or more"
        return f"a whole number, {self.least} to {self.most}"

    def check(self, value: Value) -> Value:
        """The value, as this option holds it. Raises ValueError that lists what is allowed."""
        if isinstance(self.default, bool):
            good = isinstance(value, bool)
        elif self.words:
            good = value in self.words
        elif isinstance(self.default, float) and isinstance(value, int | float) and not isinstance(value, bool):
            good = 0 <= value < 60
            value = float(value) if good else value  # what is refused may be too large for a float
        elif isinstance(value, int) and not isinstance(value, bool):
            good = value >= self.least and (self.most is None or value <= self.most)
        else:
            good = False
        if not good:
            raise ValueError(f"option {self.name} is {value!r:.60}: expected {self.allowed}")
        return value


def row(default: Value, group: str, title: str, text: str, *words: str, least: int = 0, most: int | None = None) -> Any:
    return field(
        default=default,
        metadata={"row": {"title": title, "text": text, "group": group, "words": words, "least": least, "most": most}},
    )
