"""A host changes camera, buttons and lamp from a phone: what is kept, what is refused, and the new start."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from fake_parts import FakeDecks
from fake_table import running
from rooms import CHROMIUM, PHONE, SMALL_PHONE, violations

from referee.config import load
from referee.configuring import Configuring

PATIENCE_S = 120.0


class Machine:
    """A dashboard over a configuration's file, and how often it was told to start again."""

    def __init__(self, make: Callable[..., Any], file: Path) -> None:
        self.file, self.starts = file, 0
        self.dashboard = make(running(), machine=Configuring(file, self._started))
        self.host = self.dashboard.phone(host=True)

    def _started(self) -> None:
        self.starts += 1

    def keep(self, **fields: Any) -> Any:
        return self.host.post("/api/machine", fields={name.replace("__", "."): value for name, value in fields.items()})


@pytest.fixture
def machine(make: Callable[..., Any], tmp_path: Path) -> Machine:
    return Machine(make, tmp_path / "referee" / "config.toml")


def test_a_machine_without_a_file_has_the_defaults_and_gets_a_file(machine: Machine) -> None:
    fields = {one["name"]: one for one in machine.host.get("/api/machine").json["fields"]}
    assert fields["buttons.uno_pins"]["value"] == fields["buttons.uno_pins"]["default"] == [17]
    assert machine.keep(buttons__uno_pins=[17, 27], signals__lamp_pins=[22]).json == {"set_up_again": False}
    kept = load(machine.file)
    assert (kept.buttons.uno_pins, kept.signals.lamp_pins) == ((17, 27), (22,))
    assert [one.name for one in machine.file.parent.iterdir()] == ["config.toml"]


def test_what_the_page_does_not_show_stays(machine: Machine) -> None:
    machine.file.parent.mkdir()
    machine.file.write_text("[dashboard]\nport = 9000\n[camera]\nfps = 10\n")
    assert machine.keep(camera__mains_hz=60).status_code == 200
    kept = load(machine.file)
    assert (kept.dashboard.port, kept.camera.fps, kept.camera.mains_hz) == (9000, 10.0, 60)


@pytest.mark.parametrize(
    ("field", "value", "again"),
    [("camera__source", "usb:1", True), ("camera__view", 0.5, True), ("camera__width", 1920, True),
     ("camera__fps", 10, False), ("camera__source", "pi", False)],
)  # fmt: skip
def test_the_table_is_set_up_again_where_the_picture_is_another(
    machine: Machine, field: str, value: Any, again: bool
) -> None:
    assert machine.keep(**{field: value}).json == {"set_up_again": again}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("buttons__uno_pins", [1], "buttons.uno_pins is 1: expected 2 to 27, at most 10 of them"),
        ("buttons__uno_pins", ["x"], "buttons.uno_pins is 'x': expected a whole number"),
        ("buttons__uno_pins", [None], "buttons.uno_pins is None: expected a whole number"),
        ("signals__lamp_pins", [17], "signals.lamp_pins has GPIO 17: expected a free pin, buttons.uno_pins uses it"),
        ("signals__lamp_pins", [22, 23], "signals.lamp_pins has 2 entries"),
        ("camera__mains_hz", 55, "camera.mains_hz is 55: expected 50 or 60 Hz"),
        ("camera__source", "nowhere", "camera.source is 'nowhere': there is no camera, file or folder"),
        ("camera__nothing", 1, "unknown field camera.nothing"),
        ("dashboard__port", 80, "dashboard.port: is not changed here"),
        ("general__data_folder", "/", "general.data_folder: is not changed here"),
    ],
)
def test_what_cannot_be_is_refused_by_name_and_nothing_is_written(
    machine: Machine, field: str, value: Any, said: str
) -> None:
    answer = machine.keep(**{field: value})
    assert (answer.status_code, answer.json["error"]) == (400, "bad_setting")
    assert answer.json["message"].startswith(said)
    assert not machine.file.exists()


def test_a_file_spoilt_by_hand_is_named(machine: Machine) -> None:
    machine.file.parent.mkdir()
    machine.file.write_text("[buttons]\nuno_pin = [17]\n")
    answer = machine.keep(camera__fps=10)
    assert answer.status_code == 400
    assert "did you mean buttons.uno_pins?" in answer.json["message"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("get", "/api/machine"), ("get", "/machine/wiring.svg"),
     ("post", "/api/machine"), ("post", "/api/machine/restart")],
)  # fmt: skip
def test_only_a_host_may(machine: Machine, method: str, path: str) -> None:
    assert getattr(machine.dashboard.phone("Ana"), method)(path).status_code == 403
    assert machine.starts == 0


def test_a_start_is_ordered_and_the_wiring_drawn(machine: Machine) -> None:
    assert machine.host.post("/api/machine/restart").status_code == 200
    assert machine.starts == 1
    machine.keep(buttons__uno_pins=[5])
    assert b"GPIO 5" in machine.host.get("/machine/wiring.svg").data


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str, Path]]:
    """`referee serve` in a process of its own: its address, the table's code, its configuration."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    file = tmp_path / "config.toml"
    file.write_text(
        f'[general]\ndata_folder = "{tmp_path / "data"}"\n[buttons]\nuno_pins = []\n'
        f'[dashboard]\nhost = "127.0.0.1"\nport = {port}\n'
    )
    with subprocess.Popen(
        [sys.executable, "-m", "referee.cli", "serve", "--no-camera", "--config", file],
        env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"}, stderr=subprocess.PIPE, text=True,
    ) as service:  # fmt: skip
        assert service.stderr is not None
        code = next(line.split()[2] for line in service.stderr if line.startswith("Table code: "))
        yield f"http://127.0.0.1:{port}", code, file
        service.terminate()
        service.stderr.read()
        assert service.wait(60.0) == 0


def test_the_service_starts_again_with_what_was_kept_and_the_game_goes_on(served: tuple[str, str, Path]) -> None:
    base, code, file = served
    opener = build_opener(HTTPCookieProcessor())

    def ask(path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        with opener.open(Request(base + path, body, {"Content-Type": "application/json"})) as answer:
            return json.loads(answer.read())

    ask("/api/host/first", {"code": code, "pin": "4711"})
    ask("/api/game", {"players": ["Ana", "Ben"], "dealer": "Ana", "preset": "official_108"})
    before = ask("/api/machine")["started"]
    ask("/api/machine", {"fields": {"buttons.uno_pins": [17, 27]}})
    with suppress(OSError, HTTPException):  # whatever was being answered is cut off
        ask("/api/machine/restart", {})
    end, now = time.monotonic() + PATIENCE_S, before
    while now == before:
        assert time.monotonic() < end
        time.sleep(0.2)
        with suppress(OSError, HTTPException):
            now = ask("/api/machine")["started"]
    assert load(file).buttons.uno_pins == (17, 27)
    assert [one["pin"] for one in ask("/api/setup?look=buttons")["buttons"]] == [17, 27]
    assert [one["name"] for one in ask("/api/board")["players"]] == ["Ana", "Ben"]
    with opener.open(base + "/api/backup.zip") as answer, zipfile.ZipFile(io.BytesIO(answer.read())) as archive:
        assert archive.read("config.toml") == file.read_bytes()


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize(("size", "locale"), [(SMALL_PHONE, "de-DE"), (PHONE, "es-ES")])
def test_a_host_changes_a_button_on_a_phone(room: Any, axe: str, tmp_path: Path, size: Any, locale: str) -> None:
    file = tmp_path / "config.toml"
    machine = Configuring(file, lambda: setattr(machine, "started", "again"))
    page = room(running(), machine=machine).open("/host", size, host=True, locale=locale)
    page.locator("a[href='/machine']").click()
    page.locator("#field-buttons-uno_pins").wait_for()
    assert violations(page, axe) == []
    assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    assert page.locator("img.wiring").evaluate("(image) => image.naturalWidth > 100")
    page.locator("#field-buttons-uno_pins").fill("17, 27")
    page.locator("#field-camera-mains_hz").select_option("60")
    page.locator("[data-key=keep]").click()
    page.locator("#field-buttons-uno_pins").wait_for(state="detached")
    page.locator("#field-buttons-uno_pins").wait_for()
    assert page.locator("#field-buttons-uno_pins").input_value() == "17, 27"
    kept = load(file)
    assert (kept.buttons.uno_pins, kept.camera.mains_hz) == ((17, 27), 60)


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("decks", [FakeDecks(54, deck={"name": "Grandma’s", "faces": 54, "used": True}), None])
def test_the_page_leads_on_to_the_deck_where_there_is_a_camera(room: Any, axe: str, tmp_path: Path, decks: Any) -> None:
    machine = Configuring(tmp_path / "config.toml", lambda: None)
    page = room(running(), machine=machine, decks=decks).open("/machine", SMALL_PHONE, host=True)
    page.locator("[data-key=keep]").wait_for()
    assert page.locator("a[href='/deck'] >> text=Grandma’s, 54 of 54 faces").count() == (decks is not None)
    assert violations(page, axe) == []


CLEAR = """(field) => [...document.querySelectorAll('.go .act, .toast')]
  .every((e) => e.getBoundingClientRect().top >= field.getBoundingClientRect().bottom)"""


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("camera-width", "5", "Breite: 160 bis 4608 Pixel"), ("camera-view", "2", "Ausschnitt: 0.2 bis 1"),
     ("buttons-uno_pins", "17, 40", "UNO-Knöpfe: 2 bis 27"), ("signals-buzzer_pins", "x", "Summer: 2 bis 27")],
)  # fmt: skip
def test_a_value_out_of_range_is_told_in_the_words_of_the_page_and_the_field_is_in_sight(
    room: Any, tmp_path: Path, field: str, value: str, said: str
) -> None:
    machine = Configuring(tmp_path / "config.toml", lambda: None)
    page = room(running(), machine=machine).open("/machine", (360, 640), host=True, locale="de-DE")
    box = page.locator(f"#field-{field}")
    box.fill(value)
    page.locator("[data-key=keep]").click()
    page.wait_for_selector(".toast.bad")
    assert page.inner_text(".toast.bad").strip() == said
    assert box.evaluate("(field) => field === document.activeElement")
    assert box.evaluate(CLEAR)
    assert not (tmp_path / "config.toml").exists()


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_what_cannot_be_is_told_by_the_names_of_the_page(room: Any, tmp_path: Path) -> None:
    place = room(running(), machine=Configuring(tmp_path / "config.toml", lambda: None))
    page = place.open("/machine", host=True, locale="de-DE")
    page.locator("#field-signals-buzzer_pins").fill("17")
    page.locator("[data-key=keep]").click()
    page.wait_for_selector(".toast.bad")
    said = page.inner_text(".toast.bad").strip()
    assert said == "Das geht nicht: Summer has GPIO 17: expected a free pin, UNO-Knöpfe uses it"
    place.troubles.clear()  # the browser reports the refusal
