"""The configuration's file: checked when it is read, written whole or not at all, with a comment for every field."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from referee import paths
from referee.config.fields import ConfigError, expected
from referee.config.sections import SECTIONS, Config, every_field
from referee.durable import write_atomically

FILE_NAME = "config.toml"


def default_path() -> Path:
    """Where the configuration is looked for: beside the games, in `paths.data_folder()`."""
    return paths.data_folder() / FILE_NAME


def load(path: Path | None = None) -> Config:
    """The configuration in a file. None: the default place, where a missing file means the defaults.

    Raises ConfigError that names the file, the field and what was expected.
    """
    file = path or default_path()
    if path is None and not file.exists():
        return Config()
    try:
        text = file.read_text(encoding="utf-8-sig")  # some editors begin with a mark
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
    except RecursionError:
        raise ConfigError("is no configuration: it is nested too deep") from None
    return from_values(data)


def from_values(data: Mapping[str, Any]) -> Config:
    """The configuration of these values by section and field. Raises ConfigError that names the field."""
    sections = {}
    for name, values in data.items():
        if name not in SECTIONS:
            raise ConfigError(_unknown(name, values))
        if not isinstance(values, dict):
            raise ConfigError(f"{name} is {values!r}: expected a section, [{name}]")
        known = {f.name for f in fields(SECTIONS[name])}
        for key in values:
            if key not in known:
                raise ConfigError(_unknown(f"{name}.{key}", values[key]))
        sections[name] = SECTIONS[name](**values)
    return Config(**sections)


def _unknown(name: str, value: Any) -> str:
    """What to say about a name that is none: the nearest section or field."""
    if isinstance(value, dict):
        near = difflib.get_close_matches(name, SECTIONS, 1, 0.4)
        return f"unknown section [{name}]; " + (
            f"did you mean [{near[0]}]?" if near else f"sections: {', '.join(SECTIONS)}"
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
    write_atomically(path, to_toml(config).encode())
