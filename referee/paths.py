"""Where the program finds what it ships: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The shipped folder `web`, `models`, `calibration` or `systemd`. Raises FileNotFoundError naming both places."""
    places = (_PACKAGE / "_data" / folder, _PACKAGE.parent / folder)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {folder!r} is missing: looked in {places[0]} and {places[1]}; install again")
