"""Views of docs/screens that no walk passes: partners, a tournament, and the machine.

    python tests/dashboard/table_views.py

A service without a camera, games of real rules, and a browser at four sizes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from rooms import CHROMIUM, PHONE, SMALL_PHONE, TABLET, TELEVISION
from setup_walk import SCREENS

from referee.app import Plan, Service
from referee.cards import Card
from referee.configuring import Configuring
from referee.events import Discard, TurnUp
from referee.hardware.gpio import mock_factory

SIZES = (SMALL_PHONE, PHONE, TABLET, TELEVISION)
EIGHT = ("Ana", "Ben", "Cleo", "Dana", "Eli", "Finn", "Gia", "Hugo")
GAMES: dict[str, dict[str, Any]] = {
    "teams": {"players": EIGHT[:4], "options": {"teams": "partners"}},
    "tournament": {"players": EIGHT, "options": {"tournament": "eight_player_28_hands"}},
}
"""By the name of the picture: who plays, and by which options."""


def main() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        machine = Configuring(folder / "config.toml", lambda: None)
        plan = Plan(data=folder, open_camera=None, factory=mock_factory(), host="127.0.0.1", port=0, machine=machine)
        with Service(plan) as service:
            base = f"http://127.0.0.1:{service.server.port}"
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_context(has_touch=True, locale="en-GB", color_scheme="dark").new_page()
            page.request.post(f"{base}/api/host", data={"pin": service.pin}, headers={"Origin": base})
            for picture, game in GAMES.items():
                start(page, base, service, game)
                take(page, f"{base}/play", picture, "#players .player, .players .player")
                take(page, f"{base}/board", f"{picture}-tv", ".player")
            take(page, f"{base}/machine", "machine", "form, .field, label")
            browser.close()


def start(page: Any, base: str, service: Service, game: dict[str, Any]) -> None:
    """A game with two cards on the pile."""
    data = {"preset": "official_108", "dealer": game["players"][3], **game}
    answer = page.request.post(f"{base}/api/game", data=data, headers={"Origin": base})
    assert answer.ok, answer.text()
    for event in (TurnUp(card=Card.parse("R7")), Discard(card=Card.parse("R2"))):
        service.session.record(event, "eye")


def take(page: Any, address: str, picture: str, ready: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        page.wait_for_selector(ready)
        page.wait_for_timeout(400)
        page.screenshot(path=str(SCREENS / f"{picture}-{width}x{height}.jpg"), type="jpeg", quality=70)


if __name__ == "__main__":
    main()
