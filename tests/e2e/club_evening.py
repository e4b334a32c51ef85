"""A hand of eight phones and a television, from the first card to the next hand, in real browsers.

The eye's sightings come from a list; everything else is tapped. `python tests/e2e/club_evening.py` plays it and keeps
a picture of every view at four sizes in docs/screens.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.cards import Card
from referee.clock import ManualClock
from referee.dashboard import DashboardSettings, create_app, open_keys, serve
from referee.faces import draw_face, random_design
from referee.observations import CardLanded, CardReading, CardsDrawn, Quality
from referee.rules import PRESETS
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.storage.journal import FILE_NAME

NAMES = ("Ana", "Ben", "Cleo", "Dana", "Eli", "Finn", "Gia", "Hugo")
SIZES = {"360x740": (360, 740), "390x844": (390, 844), "820x1180": (820, 1180), "1920x1080": (1920, 1080)}
PHONE = SIZES["390x844"]
SCREENS = Path(__file__).resolve().parents[2] / "docs" / "screens"
WHEN = 1_790_000_000.0
"""Seconds since 1970 at which the evening begins: only pictures show it."""

PATIENCE_MS = 60_000
"""A busy machine is slow, and nothing waits longer than it must."""

Picture = Callable[[str, Any], None]


class Table:
    """A session with its dashboard on a port, and an eye that sees what it is told."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock(WHEN)
        self.session = Session(Journal(folder / FILE_NAME), Evidence(folder / "evidence"), self.clock)
        self.session.set_eye(Quality.CLEAR)
        keys, pin = open_keys(folder)
        assert pin is not None
        self.pin = pin
        settings = DashboardSettings(address="http://192.168.1.20:8080", presets=tuple(PRESETS), streams=20)
        app = create_app(self.session, settings, keys, folder)
        self.code = app.extensions["people"].code
        self._server = serve(app, "127.0.0.1", 0, threads=32)
        self.base = f"http://127.0.0.1:{self._server.port}"
        self._design = random_design(random.Random(5))
        self._pile = np.full((360, 480, 3), (58, 92, 46), np.uint8)

    def lands(self, card: str, by: str | None, confidence: float = 0.998, other: str | None = None) -> None:
        """A card comes to rest; a reading below 0.9 is unsure, and may have been `other`."""
        self.clock.t += 4.0
        reading = CardReading(Card.parse(card), confidence, ((Card.parse(other), 1 - confidence),) if other else ())
        seat = None if by is None else NAMES.index(by) + 1
        self.session.sighted(
            CardLanded(t=self.clock.t, since=self.clock.t - 0.5, seat=seat, seat_confidence=0.95, reading=reading,
                       sure=confidence > 0.9),
            self._photo(other or card),
        )  # fmt: skip

    def drawn(self, by: str, n: int) -> None:
        """Cards leave the draw pile."""
        self.clock.t += 2.0
        seat = NAMES.index(by) + 1
        self.session.sighted(CardsDrawn(t=self.clock.t, since=self.clock.t, seat=seat, seat_confidence=0.95, count=n))

    def _photo(self, card: str) -> bytes:
        face = draw_face(Card.parse(card), self._design, 190)[:, :, :3]
        h, w = face.shape[:2]
        angle = (hash_of(card) % 50) - 25
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1.0)
        turn[:, 2] += (240 - w / 2 + angle, 180 - h / 2)
        mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), turn, (480, 360))
        laid = cv2.warpAffine(face, turn, (480, 360), flags=cv2.INTER_LINEAR)
        before, self._pile = self._pile, np.where(mask[:, :, None] > 127, laid, self._pile)
        both = np.hstack([before, np.full((360, 6, 3), 255, np.uint8), self._pile])
        return bytes(cv2.imencode(".jpg", both, [cv2.IMWRITE_JPEG_QUALITY, 75])[1])

    def close(self) -> None:
        self._server.stop()
        self.session.close()


def hash_of(text: str) -> int:
    """A number that is the same in every run."""
    return sum(ord(letter) * 7 for letter in text)


class Phones:
    """Eight phones and a television."""

    def __init__(self, browser: Any, table: Table) -> None:
        self._browser, self._table = browser, table
        self.troubles: list[str] = []
        self.host = self._open("/host", PHONE)
        self.television = self._open("/board", SIZES["1920x1080"])
        self.of: dict[str, Any] = {}

    def _open(self, path: str, size: tuple[int, int]) -> Any:
        context = self._browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(self._table.base + path)
        return page

    def start(self) -> None:
        """The host enters the PIN and starts a game of hands of three."""
        self.host.fill("#pin", self._table.pin)
        self.host.press("#pin", "Enter")
        self.host.wait_for_selector("#add")
        game = {"players": NAMES, "preset": "official_108", "dealer": "Hugo", "options": {"hand_size": 3}}
        answer = self.host.request.post(f"{self._table.base}/api/game", data=game, headers={"Origin": self._table.base})
        assert answer.ok, answer.text()

    def join(self, name: str) -> None:
        """A phone takes its seat, or takes it over."""
        page = self._open("/", PHONE)
        page.click(f".seat[data-key='{name}']")
        if name in self.of:
            page.fill("#code", self._table.code)
            page.press("#code", "Enter")
        page.wait_for_url("**/play")
        page.wait_for_selector("#dock .uno")
        self.of[name] = page

    def lose(self, name: str) -> None:
        """A phone falls into the tea."""
        self.of[name].context.close()

    def close(self) -> None:
        """Switches everything off."""
        for page in (self.host, self.television, *self.of.values()):
            page.context.close()


def play(browser: Any, table: Table, picture: Picture) -> Phones:
    """The whole evening. picture(name, page) keeps a view where it is wanted."""
    phones = Phones(browser, table)
    picture("lobby", phones.television)
    phones.start()
    for name in NAMES:
        phones.join(name)
    of = phones.of

    table.lands("R5", None)
    table.lands("R7", "Ana")

    # A wild, and its colour on the phone of the one who played it.
    table.lands("W", "Ben")
    of["Ben"].wait_for_selector(".act.colour.B")
    picture("wild", of["Ben"])
    of["Ben"].click(".act.colour.B")
    phones.television.wait_for_selector(".force.B")

    # A misread card, put right in three taps.
    table.lands("B8", "Cleo", 0.72, other="B3")
    of["Cleo"].wait_for_selector("[data-key=wrong]")
    of["Cleo"].click("[data-key=wrong]")
    of["Cleo"].wait_for_selector(".pick svg[aria-label='blue 3']")
    picture("correct", of["Cleo"])
    of["Cleo"].click(".pick[type=button] >> css=svg[aria-label='blue 3']")
    of["Cleo"].wait_for_selector("dialog", state="detached")

    # A wrong card, an appeal, and a vote that lets it stand.
    table.lands("G9", "Dana")
    of["Dana"].click("#news .ruling.call >> nth=0")
    of["Dana"].wait_for_selector("dialog [data-key=appeal]")
    picture("ruling", of["Dana"])
    of["Dana"].click("dialog [data-key=appeal]")
    phones.television.wait_for_selector(".strip.ask")
    picture("appeal", of["Ana"])
    picture("appeal-tv", phones.television)
    for name in ("Ana", "Ben", "Cleo", "Eli"):
        of[name].click("[data-key=overrule]")
    phones.television.wait_for_selector(".strip.ask", state="detached")

    # A Wild Draw Four, challenged and guilty.
    table.lands("W+4", "Eli")
    of["Eli"].click(".act.colour.R")
    of["Finn"].wait_for_selector("[data-key=challenge]")
    picture("challenge", of["Finn"])
    of["Finn"].click("[data-key=challenge]")
    of["Finn"].click("[data-key=guilty]")
    phones.television.wait_for_selector(".badge.due")
    table.drawn("Eli", 4)

    # A missed UNO call, and a catch.
    for card, name in (("R1", "Finn"), ("R2", "Gia"), ("R4", "Hugo"), ("R6", "Ana")):
        table.lands(card, name)
    of["Cleo"].wait_for_selector("[data-key=catch]:enabled")
    picture("exposed", of["Cleo"])
    picture("exposed-tv", phones.television)
    of["Cleo"].click("[data-key=catch]")
    phones.television.wait_for_selector(".badge.due")
    table.drawn("Ana", 2)

    # A phone is lost and another takes its seat.
    phones.lose("Ben")
    phones.join("Ben")

    for card, name in (("R8", "Ben"), ("R9", "Cleo"), ("R3", "Dana"), ("R0", "Eli"), ("R5", "Finn"), ("R7", "Gia"),
                       ("R2", "Hugo"), ("R1", "Ana")):  # fmt: skip
        if name not in ("Eli", "Ana"):
            of[name].click("[data-key=uno]:enabled")
            of[name].wait_for_selector("#news >> text=UNO")
        table.lands(card, name)
    table.lands("R6", "Ben")
    of["Ana"].wait_for_selector(".points-list")
    picture("hand-over", of["Ana"])
    picture("hand-over-tv", phones.television)
    for n, name in enumerate(NAMES, start=1):
        if name != "Ben":
            of["Ana"].fill(f"[data-key='points{name}']", str(n))
            of["Ana"].press(f"[data-key='points{name}']", "Enter")
            of["Ana"].wait_for_selector(f".toast >> text={name}: {n}")

    # The next hand, undone across its beginning, and dealt again.
    of["Ana"].click("[data-key=next]")
    of["Ana"].wait_for_selector(".phase >> text=Turn up the first card")
    of["Ana"].click("[data-key=undo]")
    picture("undo", of["Ana"])
    of["Ana"].click("dialog >> text=Undo the last thing")
    of["Ana"].click("[data-key=next]")
    of["Ana"].wait_for_selector(".phase >> text=Turn up the first card")
    return phones


def main() -> None:
    """Plays it, and keeps the pictures."""
    from playwright.sync_api import sync_playwright

    def keep(name: str, page: Any) -> None:
        before = page.viewport_size
        for label, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=str(SCREENS / f"club-{name}-{label}.jpg"), type="jpeg", quality=70)
        page.set_viewport_size(before)

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium",
                                         args=["--no-sandbox"])  # fmt: skip
        table = Table(Path(folder))
        phones = play(browser, table, keep)
        game = table.session.games()[-1].number
        past = {"history": f"/history/{game}", "replay": f"/history/{game}/1"}
        for name, path in {"join": "/", "host": "/host", **past}.items():
            phones.host.goto(table.base + path)
            phones.host.wait_for_selector("#main *:visible")
            keep(name, phones.host)
        browser.close()
        table.close()
        assert not phones.troubles, phones.troubles


if __name__ == "__main__":
    main()
