"""A dashboard on a fake table, and phones that use it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fake_table import FakeTable, running
from flask.testing import FlaskClient
from played import Evening
from rooms import Room
from werkzeug.test import TestResponse

from referee.clock import ManualClock
from referee.dashboard import DashboardSettings, Keys, create_app, open_keys
from referee.dashboard.deck import Decks
from referee.dashboard.hands import Shows
from referee.dashboard.machine import Machine
from referee.dashboard.setup import SetUp
from referee.dashboard.voice import Voice
from referee.storage import Entry

PRESETS = ("official_108", "official", "penalty_box")


@cache
def _keys() -> tuple[Keys, str]:
    with TemporaryDirectory() as folder:  # hashing a PIN takes its time, so that all share one
        keys, pin = open_keys(Path(folder))
    assert pin is not None
    return keys, pin


class Dashboard:
    """The application with its table, its PIN and its clock."""

    def __init__(self, folder: Path, table: FakeTable, shows: Shows | None = None, voice: Voice | None = None,
                 set_up: SetUp | None = None, machine: Machine | None = None, decks: Decks | None = None,
                 **settings: Any) -> None:  # fmt: skip
        self.table, self.folder, self.clock = table, folder, ManualClock()
        keys, self.pin = _keys()
        made = DashboardSettings(**{"address": "http://192.168.1.20:8080", "presets": PRESETS, **settings})
        self.app = create_app(
            table, made, keys, folder, set_up=set_up, machine=machine, shows=shows, decks=decks,
            voice=voice, clock=self.clock.monotonic,
        )  # fmt: skip
        self.app.testing = True

    @property
    def code(self) -> str:
        """The table's code."""
        code: str = self.app.extensions["people"].code
        return code

    def phone(self, name: str | None = None, *, host: bool = False) -> Phone:
        phone = Phone(self.app.test_client())
        if name is not None:
            assert phone.post("/api/join", name=name).status_code == 200
        if host:
            assert phone.post("/api/host", pin=self.pin).status_code == 200
        return phone

    def close(self) -> None:
        self.app.extensions["live"].close()


class Phone:
    """A browser without a screen."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        return self.client.get(path, **kwargs)

    def post(self, path: str, **body: Any) -> TestResponse:
        headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
        return self.client.post(path, json=body, headers=headers)

    def act(self, name: str, **body: Any) -> TestResponse:
        return self.post(f"/api/act/{name}", **body)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Dashboard]]:
    """Makes dashboards: `make(board, streams=2)`; they are closed at the end. folder: of one that was before; journal:
    what happened then."""
    made: list[Dashboard] = []

    def build(
        board: dict[str, Any] | None = None, folder: Path | None = None, journal: Sequence[Entry] = (), **settings: Any
    ) -> Dashboard:
        made.append(Dashboard(folder or tmp_path / f"data{len(made)}", FakeTable(board, journal), **settings))
        return made[-1]

    yield build
    for dashboard in made:
        dashboard.close()


@pytest.fixture
def dashboard(make: Callable[..., Dashboard]) -> Dashboard:
    """A dashboard in the middle of a hand."""
    return make(running())


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A dashboard with two games in its journal."""
    evening = Evening(tmp_path)
    yield evening
    evening.close()


@pytest.fixture
def room(browser, make) -> Iterator[Callable[..., Room]]:
    """Opens a room: `room(board)`; a page that reports an error fails the test."""
    rooms: list[Room] = []

    def build(board: dict[str, Any] | None = None, **settings: Any) -> Room:
        rooms.append(Room(browser, make(board, **settings)))
        return rooms[-1]

    yield build
    for one in rooms:
        troubles = list(one.troubles)
        one.close()
        assert troubles == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which comes with its Python package."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("axe-playwright-python is not installed")
    return Path(found.origin).with_name("axe.min.js").read_text("utf-8")
