"""The service as systemd sees it: ready, alive, stopping; and a unit whose limits fit the program's."""

from __future__ import annotations

import configparser
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.request import HTTPCookieProcessor, Request, build_opener

import cv2
import numpy as np
import pytest

from referee.app import eye_from
from referee.commands.serve import WATCHDOG_S, _tell_machine
from referee.health import Supervision
from referee.paths import shipped


@pytest.fixture
def unit() -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(shipped("systemd") / "uno-referee.service")
    return parser


def test_the_watchdog_is_slower_than_everything_that_feeds_it(unit: configparser.RawConfigParser) -> None:
    limit_s = unit.getfloat("Service", "WatchdogSec")
    assert limit_s > 3 * WATCHDOG_S
    assert limit_s > 3 * Supervision().heartbeat_limit_s


def test_a_stop_is_given_the_time_that_the_camera_process_may_take(unit: configparser.RawConfigParser) -> None:
    assert unit.getfloat("Service", "TimeoutStopSec") > 2 * Supervision().stop_limit_s + 3


def test_a_forbidden_call_is_an_error_and_not_death(unit: configparser.RawConfigParser) -> None:
    assert unit.get("Service", "SystemCallErrorNumber") == "EPERM"


def test_the_installer_and_the_unit_agree_on_their_places(unit: configparser.RawConfigParser) -> None:
    installer = (shipped("systemd") / "install.sh").read_text()
    root = next(line.partition("=")[2] for line in installer.splitlines() if line.startswith("root="))
    assert unit.get("Service", "ExecStart").startswith(f"{root}/current/bin/referee serve")
    assert f"user={unit.get('Service', 'User')}\n" in installer
    for group in unit.get("Service", "SupplementaryGroups").split():
        assert group in installer


def test_the_screen_takes_the_address_from_where_the_service_leaves_it(
    unit: configparser.RawConfigParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unit.get("Service", "RuntimeDirectory")
    assert f'ln -sfn /run/{folder}/issue "$screen"' in (shipped("systemd") / "install.sh").read_text()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    _tell_machine("http://192.168.1.20:8080", "1234", 8080)
    shown = (tmp_path / "issue").read_text(encoding="utf-8")
    assert "open http://192.168.1.20:8080\n" in shown
    assert "\\" not in shown  # the login would take it for a command of its own
    assert len({len(line) for line in shown.splitlines()[2:-1]}) == 1  # a square of blocks


def test_the_network_is_told_the_port_that_the_service_leaves(
    unit: configparser.RawConfigParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each start of the unit, as root, by the release's own installer."""
    unit_text = (shipped("systemd") / "uno-referee.service").read_text()
    assert "ExecStartPost=-+/bin/sh /opt/uno-referee/current/install.sh announce\n" in unit_text
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    _tell_machine("http://192.168.1.20:8099", "1234", 8099)
    text = (shipped("systemd") / "install.sh").read_text()
    folder = unit.get("Service", "RuntimeDirectory")
    for place, here in ((f"/run/{folder}", tmp_path / "run"), ("/etc/avahi/services", tmp_path / "services")):
        here.mkdir(exist_ok=True)
        assert place in text
        text = text.replace(place, str(here))
    installer, announced = tmp_path / "install.sh", tmp_path / "services" / "uno-referee.service"
    installer.write_text(text)
    for port in (8099, 80):
        _tell_machine("http://192.168.1.20", "1234", port)
        subprocess.run(["sh", installer, "announce"], check=True)
        assert f"<port>{port}</port>" in announced.read_text()
        assert [file.name for file in announced.parent.iterdir()] == [announced.name]
    (tmp_path / "run" / "port").write_text("80</port><evil/>\n")
    said = subprocess.run(["sh", installer, "announce"], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr.count("\n")) == (2, 1)
    assert "<port>80</port>" in announced.read_text()


def test_an_installation_from_a_wheel_brings_its_constraints() -> None:
    """install.sh takes them from beside its folder: the checkout's, or the wheel's data."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in ("systemd", "constraints.txt", "constraints-bookworm.txt"):
        assert included[name] == f"referee/_data/{name}"


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.settimeout(60.0)
        sock.bind(str(tmp_path / "notify"))
        yield sock


def test_the_service_says_ready_then_alive_then_stopping(systemd: socket.socket, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), np.full((720, 1280, 3), 90, np.uint8))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    file = tmp_path / "config.toml"
    file.write_text(
        f'[general]\ndata_folder = "{tmp_path / "data"}"\n[camera]\nsource = "{pictures}"\n'
        f'[dashboard]\nhost = "127.0.0.1"\nport = {port}\n[buttons]\nuno_pins = []\n'
    )
    with subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--config", file],
        env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")},
        stderr=subprocess.DEVNULL,
    ) as service:
        said = {systemd.recv(1000).decode().splitlines()[0] for _ in range(2)}
        assert said == {"READY=1", "WATCHDOG=1"}
        service.send_signal(signal.SIGTERM)
        while systemd.recv(1000).decode() != "STOPPING=1":
            pass
        assert service.wait(30.0) == 0


@pytest.mark.parametrize("supervised", [True, False])
def test_another_port_needs_a_new_start_of_the_unit_which_tells_the_network(
    systemd: socket.socket, tmp_path: Path, supervised: bool
) -> None:
    """A host restarts the service on a phone after somebody changed the port in the file."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [probe.getsockname()[1] for probe in (one, other)]
    file = tmp_path / "config.toml"
    text = f'[general]\ndata_folder = "{tmp_path / "data"}"\n[buttons]\nuno_pins = []\n'
    text += '[dashboard]\nhost = "127.0.0.1"\n'
    file.write_text(f"{text}port = {ports[0]}\n")
    with subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--no-camera", "--config", file],
        env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify") if supervised else ""},
        stderr=subprocess.PIPE, text=True,
    ) as service:  # fmt: skip
        assert service.stderr is not None
        pin = next(line.split()[2] for line in service.stderr if line.startswith("Host PIN"))
        file.write_text(f"{text}port = {ports[1]}\n")
        browser = build_opener(HTTPCookieProcessor())

        def post(path: str, **body: str) -> None:
            url = f"http://127.0.0.1:{ports[0]}{path}"
            browser.open(Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})).close()

        post("/api/host", pin=pin)
        with contextlib.suppress(OSError, http.client.HTTPException):  # its answer may be cut off
            post("/api/machine/restart")
        try:
            if supervised:
                assert service.wait(30.0) == 0
            else:
                address = next(line for line in service.stderr if line.startswith("Open")).split()[1]
                assert address.endswith(f":{ports[1]}")
        finally:
            service.kill()


def test_a_camera_that_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[general]\ndata_folder = "{tmp_path}"\n[camera]\nsource = "nowhere"\n')
    result = subprocess.run(
        [sys.executable, "-m", "referee.cli", "serve", "--config", file], capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 2
    assert [line for line in result.stderr.splitlines() if "nowhere" in line]
    assert "Traceback" not in result.stderr


def test_a_damaged_deck_is_left_aside_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    deck = tmp_path / "deck.zip"
    deck.write_bytes(b"PK cut off")
    eye_from(shipped("calibration") / "example.json", deck)
    (line,) = caplog.messages
    assert "deck.zip: is damaged" in line
    assert line.endswith("the shipped eye is used")
