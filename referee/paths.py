"""Where the program finds what it ships: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The shipped folder `web`, `models`, `calibration` or `systemd`. Raises FileNotFoundError naming both places."""
    places = (_PACKAGE / "_data" / folder, _PACKAGE.parent / folder)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {folder!r} is missing: looked in {places[0]} and {places[1]}; install again")


def data_folder() -> Path:
    """Where games are kept, unless a command is told otherwise: $REFEREE_DATA, else the folder that systemd gives a
    service (StateDirectory), else the user's own data folder. It may not be there yet. Raises FileNotFoundError for a
    user without a home folder."""
    if named := os.environ.get("REFEREE_DATA"):
        return Path(named)
    if given := os.environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    try:
        home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    except RuntimeError:
        raise FileNotFoundError("this user has no home folder: name one for the games with REFEREE_DATA") from None
    return Path(home, "uno-table-referee")


def written(text: str) -> Path:
    """The path that a person wrote: ~ is their home folder; one that leads to no home stays as it is."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)
