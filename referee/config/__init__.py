"""The configuration: one TOML file, every field typed, bounded, titled and described.

The dataclasses of `sections` are the only table of fields: `referee config` prints them, `to_toml` turns them into a
commented file, `load` checks a file against them. A field that is missing holds its default; an unknown one is refused.
"""

from referee.config.fields import About, ConfigError, expected
from referee.config.file import default_path, from_values, load, parse, save, to_toml, toml_value
from referee.config.sections import (
    CALIBRATION_FILE,
    ButtonConfig,
    CameraConfig,
    Config,
    DashboardConfig,
    Field,
    General,
    SignalConfig,
    every_field,
)

__all__ = [
    "CALIBRATION_FILE",
    "About",
    "ButtonConfig",
    "CameraConfig",
    "Config",
    "ConfigError",
    "DashboardConfig",
    "Field",
    "General",
    "SignalConfig",
    "default_path",
    "every_field",
    "expected",
    "from_values",
    "load",
    "parse",
    "save",
    "to_toml",
    "toml_value",
]
