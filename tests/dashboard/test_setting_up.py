"""The service over a table that nobody has set up yet: camera process, pins and pages are the real ones."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import numpy as np
import pytest
import set_up_camera

from referee.app import Plan, Service
from referee.hardware.buttons import ButtonPlan
from referee.hardware.gpio import mock_factory
from referee.health import CameraHealth, Supervision
from referee.setting_up import SettingUp
from referee.vision.calibration import load_calibration, parse_calibration
from referee.vision.close_up import close_up

PATIENCE_S = 120.0


class Host:
    """A host's phone that speaks HTTP to the running service. pin: of one that has been started before."""

    def __init__(self, service: Service, pin: str | None = None) -> None:
        self.base = f"http://127.0.0.1:{service.server.port}"
        self._opener = build_opener(HTTPCookieProcessor())
        self.post("/api/host", pin=pin or service.pin)

    def get(self, path: str) -> Any:
        with self._opener.open(self.base + path) as answer:
            data = answer.read()
            return json.loads(data) if answer.headers.get_content_type() == "application/json" else data

    def post(self, path: str, **fields: Any) -> Any:
        return self.send(path, fields)

    def send(self, path: str, data: Any) -> Any:
        request = Request(self.base + path, json.dumps(data).encode(), {"Content-Type": "application/json"})
        with self._opener.open(request) as answer:
            return json.loads(answer.read())

    def until(self, happened: Callable[[Any], bool], look: str = "table") -> Any:
        """Asks as the wizard does until `happened`; what was answered then."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            state = self.get(f"/api/setup?look={look}")
            if happened(state):
                return state
            time.sleep(0.2)
        raise AssertionError(f"it did not happen; the last answer was {state}")


@pytest.fixture
def pins() -> Any:
    """Mock pins under the service."""
    return mock_factory()


@pytest.fixture
def table(tmp_path: Path, pins: Any, request: pytest.FixtureRequest) -> Iterator[tuple[Service, Path]]:
    """A service with a camera over a bare table, and the folder of the camera's picture. Parameter: another camera."""
    set_up_camera.show(tmp_path, set_up_camera.bare())
    plan = Plan(
        data=tmp_path / "data",
        open_camera=partial(getattr(request, "param", set_up_camera.SetUpCamera), str(tmp_path)),
        buttons=(ButtonPlan(17, None), ButtonPlan(27, 2)),
        factory=pins,
        supervision=Supervision(heartbeat_limit_s=60.0, start_limit_s=120.0),
        host="127.0.0.1",
        port=0,
    )
    with Service(plan) as service:
        yield service, tmp_path


def until(happened: Callable[[], bool]) -> None:
    """Waits until `happened`."""
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def found(state: Any) -> bool:
    return bool(state["facts"] and state["facts"]["mat"]["calibration"])


def test_a_table_is_set_up_while_the_service_runs(table):
    service, folder = table
    host = Host(service)
    until(lambda: service.session.board()["eye"]["detail"] == "not_set_up")
    state = host.until(lambda state: state["facts"])
    assert (state["ready"], state["calibration"]) == (False, None)
    assert [one["code"] for one in state["facts"]["mat"]["advice"]] == ["no_mat"]
    assert host.get("/api/setup/picture.jpg")[:2] == b"\xff\xd8"
    assert service.session.board()["eye"]["detail"] == "being_set_up"
    set_up_camera.show(folder, set_up_camera.with_mat())
    state = host.until(found)
    assert (state["facts"]["advice"], len(state["facts"]["mat"]["markers"])) == ([], 6)
    pid = service.camera.pid
    assert host.send("/api/setup/calibration", state["facts"]["mat"]["calibration"]) == {"ready": True}
    file = folder / "data" / "calibration.json"
    assert load_calibration(file).to_json() == state["facts"]["mat"]["calibration"]
    set_up_camera.show(folder, set_up_camera.with_cards())
    state = host.until(lambda state: state["facts"] and len(state["facts"]["cards"] or ()) == 12, look="cards")
    assert {card["card"] for card in state["facts"]["cards"] if card["sure"]} == set(set_up_camera.TWELVE.split())
    assert host.post("/api/setup/end") == {"ready": True}
    until(lambda: service.session.board()["eye"]["state"] == "clear")
    assert service.session.board()["eye"] | {"since": 0} == {"state": "clear", "since": 0, "detail": ""}
    assert service.camera.pid == pid


def test_the_wizard_waits_for_a_hand_that_is_shown_and_goes_on(table):
    service, _ = table
    host = Host(service)
    service.session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
    host.until(lambda state: state["facts"])
    service.showing.begin("Ana")
    host.until(lambda state: state["hand_shown"] and state["facts"] is None)
    until(lambda: service.showing.picture is not None)
    host.get("/api/setup?look=cards")
    assert service.showing.state()["player"] == "Ana"
    service.showing.cancel()
    state = host.until(lambda state: state["facts"], look="cards")
    assert (state["hand_shown"], state["facts"]["cards"]) == (False, [])


class Orders:
    """Stands in for the camera process. at_once: what another phone does while the first order is being given."""

    health = CameraHealth()

    def __init__(self, at_once: Callable[[], None]) -> None:
        self.given: list[Any] = []
        self.other = threading.Thread(target=at_once)

    def survey(self, make: Any) -> None:
        if not self.other.ident:
            self.other.start()
            self.other.join(0.2)  # as long as it wants to be quicker than the order
        self.given.append(make)


def test_who_leaves_the_wizard_in_the_instant_it_opens_is_heard(tmp_path):
    surveying: list[bool] = []
    set_up = SettingUp(
        file=tmp_path / "calibration.json", data=tmp_path, calibration=None, preset="official_108", buttons=(),
        watch=lambda calibration: None, surveying=surveying.append,
    )  # fmt: skip
    camera = Orders(set_up.end)
    set_up.attach(camera)
    set_up.look("table")
    camera.other.join()
    assert (camera.given[-1], surveying) == (None, [True, False])


@pytest.mark.parametrize("table", [set_up_camera.HighCamera], indirect=True)
def test_a_camera_that_hangs_high_shows_the_piles_larger_and_is_set_up_in_its_whole_view(table):
    service, folder = table
    host = Host(service)
    set_up_camera.show(folder, set_up_camera.with_mat())
    made = host.until(found)["facts"]["mat"]["calibration"]
    host.send("/api/setup/calibration", made)
    calibration = parse_calibration(made)
    part = close_up(calibration)
    assert 0.5 < part[2] < 0.6
    set_up_camera.show(folder, set_up_camera.pile("R1 G2"))
    host.post("/api/setup/end")
    until(lambda: service.session.board()["eye"]["state"] == "clear")
    until(lambda: service.camera.health.camera == f"a simulated camera, {part[2]:.2f} of its view")
    set_up_camera.show(folder, set_up_camera.with_mat())
    again = parse_calibration(host.until(found)["facts"]["mat"]["calibration"])
    assert np.abs(again.to_image([(200, 200)]) - calibration.to_image([(200, 200)])).max() < 1.0
    until(lambda: service.camera.health.camera == "a simulated camera, 1.00 of its view")


def test_four_corners_are_enough(table):
    service, _ = table
    host = Host(service)
    state = host.until(lambda state: state["facts"])
    made = host.post("/api/setup/corners", corners=[[380, 170], [900, 175], [910, 540], [372, 548]], size="a4")
    assert made["calibration"]["image_size"] == state["facts"]["size"]
    assert host.send("/api/setup/calibration", made["calibration"]) == {"ready": True}
    for bad in ({"corners": [[1, 1]] * 4, "size": "a4"}, {"corners": [], "size": "a4"}, {"corners": [[0, 0]] * 4}):
        with pytest.raises(HTTPError) as error:
            host.send("/api/setup/corners", bad)
        assert error.value.code == 400
        error.value.close()


def test_presses_are_shown_and_do_not_count(table, pins):
    service, _ = table
    host = Host(service)
    host.send("/api/game", {"players": ["Ana", "Ben"], "preset": "official_108", "dealer": "Ana"})
    before = service.session.board()["seq"]
    state = host.until(lambda state: True, look="buttons")
    assert state["buttons"] == [
        {"pin": 17, "seat": None, "role": "UNO"}, {"pin": 27, "seat": 2, "role": "UNO"},
    ]  # fmt: skip
    for pin in (17, 27):
        pins.pin(pin).drive_low()
    state = host.until(lambda state: len(state["presses"]) == 2, look="buttons")
    assert {press["seat"] for press in state["presses"]} == {None, 2}
    assert service.session.entries()[-1].number <= before


def test_only_the_host_sees_what_the_camera_sees(table):
    service, _ = table
    host = Host(service)
    host.post("/api/host/end")
    for path in ("/api/setup", "/api/setup/picture.jpg"):
        with pytest.raises(HTTPError) as error:
            host.get(path)
        assert error.value.code == 403
        error.value.close()


def test_rules_are_kept_for_the_next_game(table):
    service, folder = table
    host = Host(service)
    assert host.post("/api/setup/rules", preset="house_party", options={"hand_size": 5}) == {"ready": False}
    assert json.loads((folder / "data" / "rules.json").read_text()) == {
        "preset": "house_party", "options": {"hand_size": 5},
    }  # fmt: skip
    for bad in ({"preset": "nonsense"}, {"preset": "official", "options": {"hand_size": 99}}, {"preset": 3}):
        with pytest.raises(HTTPError) as error:
            host.send("/api/setup/rules", bad)
        assert error.value.code == 400
        error.value.close()
    assert service.set_up.rules() == {"preset": "house_party", "options": {"hand_size": 5}}
