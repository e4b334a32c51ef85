"""What systemd is told."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.hardware import notify


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    name = str(tmp_path / "n") if request.param == "path" else f"@referee-test-{tmp_path.name}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.settimeout(5.0)
        sock.bind(name.replace("@", "\0"))
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        yield sock


@pytest.mark.parametrize(
    ("tell", "told"),
    [
        (notify.ready, "READY=1"),
        (partial(notify.ready, "watching"), "READY=1\nSTATUS=watching"),
        (notify.alive, "WATCHDOG=1"),
        (notify.stopping, "STOPPING=1"),
    ],
)
def test_messages(systemd: socket.socket, tell: Callable[[], None], told: str) -> None:
    tell()
    assert systemd.recv(1000).decode() == told


@pytest.mark.parametrize("address", ["", "/nowhere/at/all", "vsock:1:2"])
def test_without_systemd_nothing_happens(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    notify.alive()
