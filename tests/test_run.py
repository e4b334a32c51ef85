"""`./run` where people keep it: with a python that only notes what it is asked, so that nothing is fetched."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PYTHON = r"""#!/bin/sh
case "$*" in
"-m venv --clear "*)
    rm -rf "$4"
    mkdir -p "$4/bin"
    cp "$0" "$4/bin/python"
    touch "$4/pyvenv.cfg"
    ;;
"-m pip install "*)
    for word in "$@"; do printf '%s\n' "$word"; done >"$NOTED"
    printf '#!/bin/sh\necho "referee $*"\n' >"${0%/*}/referee"
    chmod +x "${0%/*}/referee"
    ;;
*argv*) echo "3 11 $3" ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "my uno"
    folder.mkdir()
    for file in (ROOT / "run", ROOT / "pyproject.toml", *ROOT.glob("constraints*.txt")):
        shutil.copy(file, folder)
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    return folder


def run(folder: Path) -> list[str]:
    """The words that pip was called with; none when nothing was set up."""
    noted = folder.parent / "noted"
    noted.unlink(missing_ok=True)
    environment = {"PATH": "/usr/bin:/bin", "PYTHON": str(folder.parent / "python"), "NOTED": str(noted)}
    done = subprocess.run([folder / "run", "rules"], env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "referee rules\n"), done.stderr
    return noted.read_text().splitlines() if noted.exists() else []


@pytest.mark.skipif(not (ROOT / "run").exists(), reason="an installed program has no ./run")
def test_a_folder_with_a_space_is_set_up_once_and_anew_where_it_was_moved_or_cut_off(checkout: Path) -> None:
    assert run(checkout)[-4:] == ["-c", str(checkout / "constraints.txt"), "-e", str(checkout)]
    assert run(checkout) == []
    moved = checkout.rename(checkout.with_name("club"))
    assert run(moved)[-1] == str(moved)
    assert run(moved) == []
    shutil.rmtree(moved / ".venv")
    (moved / ".venv" / "bin").mkdir(parents=True)  # what Ctrl-C leaves of `python -m venv`
    shutil.copy(moved.with_name("python"), moved / ".venv" / "bin" / "python")
    (moved / ".venv" / "pyvenv.cfg").touch()
    assert run(moved)[-1] == str(moved)
    assert (moved / ".venv" / "made-for").exists()
