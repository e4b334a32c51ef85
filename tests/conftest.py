"""What every test may use, and the two leaks that fail any test: threads and file descriptors."""

from __future__ import annotations

import gc
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Photographs, recordings and cases that are not part of the project (README, "Try it")."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared folder of photographs and recordings is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests: its driver can run only once in a process."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def _descriptors() -> set[str]:
    found = set()
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - the descriptor of the listing itself must be closed
        try:
            found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")  # noqa: PTH115
        except FileNotFoundError:
            continue
    return {entry for entry in found if "/proc/" not in entry and "/dev/urandom" not in entry}


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails the test that leaves a thread running or a file descriptor open."""
    threads, descriptors = set(threading.enumerate()), _descriptors()
    yield
    if "browser" in request.keywords:
        return  # the browser's driver keeps its own
    left: list[str] = []
    opened: set[str] = set()
    for attempt in range(40):  # a thread that was told to stop may need a moment
        left = [t.name for t in set(threading.enumerate()) - threads if t.is_alive()]
        opened = _descriptors() - descriptors
        if not left and not opened:
            return
        if attempt == 0:
            gc.collect()  # what nobody holds any more closes; only then, for it takes longer than most tests
        else:
            time.sleep(0.05)
    pytest.fail(f"left behind: threads {left}, descriptors {sorted(opened)}", pytrace=False)
