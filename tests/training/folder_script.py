"""What the scripts that make folders to learn from out of Debian's packages have in common. Not collected by pytest."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path


def given_folder(about: str | None, packages: Iterable[str]) -> tuple[argparse.ArgumentParser, Path]:
    """The parser, for errors, and the folder to write; prints what to install, and ends, without one."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--packages", action="store_true", help="print what to install")
    given = parser.parse_args()
    if given.packages or given.out is None:
        print(*packages)
        parser.exit()
    return parser, given.out
