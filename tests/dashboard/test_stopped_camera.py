"""The camera process hangs while a host's phone looks through it: the host is told, and another one goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from deck_walk import deck_table, lay
from test_enrolling import DeckHost
from test_setting_up import until

from referee.health import Supervision

HEARTBEAT_S = 2.0


def wizard(host: DeckHost) -> Any:
    """What the wizard sees."""
    return host.get("/api/setup?look=table")


def deck(host: DeckHost) -> Any:
    """What the page about the deck sees."""
    return host.get("/api/deck")


@pytest.mark.parametrize("look", [wizard, deck])
def test_a_camera_process_that_is_stopped_is_replaced_and_the_picture_goes_on(
    tmp_path: Any, look: Callable[[DeckHost], Any]
) -> None:
    watched = Supervision(heartbeat_limit_s=HEARTBEAT_S, start_limit_s=120.0)
    with deck_table(tmp_path, watched) as service:
        host = DeckHost(service)
        if look is deck:
            host.act("begin")
            host.show(tmp_path, "R0")
        until(lambda: look(host)["facts"] is not None)
        assert service.camera is not None
        stopped = service.camera.pid
        assert stopped is not None
        os.kill(stopped, signal.SIGSTOP)
        troubles: list[str] = []

        def told() -> bool:
            trouble = look(host)["camera"]["trouble"]
            troubles.extend([trouble["code"]] if trouble else [])
            return service.camera is not None and service.camera.pid not in (None, stopped)

        until(told)
        assert "hang" in troubles
        before = look(host)["n"]
        until(lambda: look(host)["n"] > before + 1)
        until(lambda: look(host)["camera"] == {"state": "running", "trouble": None} | named(host, look))
        if look is deck:
            assert host.get("/api/deck")["seen"] == ["R0"]
            lay(tmp_path)
            host.show(tmp_path, "R1")


def named(host: DeckHost, look: Callable[[DeckHost], Any]) -> dict[str, Any]:
    """The wizard knows the camera's name besides."""
    return {"name": look(host)["camera"]["name"]} if look is wizard else {}
