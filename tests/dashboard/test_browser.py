"""A phone and a television in a real browser: what one taps, the other shows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_table import running

from referee.dashboard import serve
from referee.events import Answer, Catch, Correct, Discard, NameColour, Uno

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE, SMALL_PHONE, TELEVISION = (390, 844), (360, 740), (1920, 1080)

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Room:
    """A dashboard on a port, and the browsers that look at it."""

    def __init__(self, browser: Any, dashboard: Any) -> None:
        self._browser, self.dashboard, self.table = browser, dashboard, dashboard.table
        self._server = serve(dashboard.app, "127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{self._server.port}"
        self._contexts: list[Any] = []
        self.troubles: list[str] = []

    def open(self, path: str, size: tuple[int, int] = PHONE, name: str | None = None, *, host: bool = False) -> Any:
        context = self._browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
        self._contexts.append(context)
        if name:
            context.request.post(f"{self.base}/api/join", data={"name": name}, headers={"Origin": self.base})
        if host:
            pin = self.dashboard.pin
            context.request.post(f"{self.base}/api/host", data={"pin": pin}, headers={"Origin": self.base})
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy Pi is slow, and nothing waits longer than it must
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: line.type == "error" and self.troubles.append(line.text))
        page.goto(self.base + path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self._server.stop()


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


def said(room: Room) -> list[Any]:
    return [event for event, _ in room.table.events]


def test_a_tap_on_uno_is_recorded_and_the_television_shows_it(room):
    place = room(running())
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    phone.click("[data-key=uno]")
    television.wait_for_selector("text=Ben calls UNO.")
    phone.wait_for_selector("text=Ben calls UNO.")
    assert said(place) == [Uno(by="Ben")]


def test_a_catch_is_one_tap_when_only_one_player_is_exposed(room):
    place = room(running())
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    phone.click("[data-key=catch]")
    television.wait_for_selector("text=Cleo did not call UNO")
    assert said(place) == [Catch(by="Ben", on="Cleo")]


def test_a_colour_is_one_tap_and_the_television_shows_it(room):
    board = running()
    board.update(phase="name_colour", top="W", colour=None, actions={"Ana": ["uno", "colour"]})
    place = room(board)
    phone, television = place.open("/play", name="Ana"), place.open("/board", TELEVISION)
    television.wait_for_selector(".force.none")
    phone.click(".act.colour.G")
    television.wait_for_selector(".force.G >> text=green")
    phone.wait_for_selector(".act.colour.G", state="detached")
    (event,) = said(place)
    assert isinstance(event, NameColour)
    assert (event.by, event.colour.value) == ("Ana", "G")


def test_a_likely_correction_is_two_taps_and_any_other_three(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=wrong]")
    phone.click(".pick[type=button] >> css=svg[aria-label='blue 8']")
    phone.wait_for_selector("dialog", state="detached")
    phone.click("[data-key=wrong]")
    phone.click(".picker .colour.R")
    phone.click(".picker .pick svg[aria-label='red Skip']")
    phone.wait_for_selector("dialog", state="detached")
    corrected = [(event.ref, event.fields["card"]) for event in said(place) if isinstance(event, Correct)]
    assert corrected == [(40, "B8"), (40, "RS")]


def test_a_missed_card_is_three_taps(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=missed]")
    phone.click(".picker .colour.Y")
    phone.click(".picker .pick svg[aria-label='yellow 6']")
    phone.wait_for_selector("dialog", state="detached")
    (event,) = said(place)
    assert isinstance(event, Discard)
    assert str(event.card) == "Y6"


def test_a_question_is_answered_by_a_tap(room):
    board = running()
    board["question"] = {"id": "who_played:40", "kind": "who_played", "ref": 40, "player": None, "after": 0.0,
                         "options": ["Ana", "Ben"], "text": "Who played the blue 3?"}  # fmt: skip
    place = room(board)
    phone, television = place.open("/play", name="Dana"), place.open("/board", TELEVISION)
    television.wait_for_selector("text=Who played the blue 3?")
    phone.click(".ask-box >> text=Ben")
    television.wait_for_selector("text=Who played the blue 3?", state="detached")
    assert said(place) == [Answer(question="who_played:40", value="Ben", by="Dana")]


def test_what_cannot_be_done_now_is_not_offered(room):
    board = running()
    board["actions"] = {"Ben": ["uno"]}
    phone = room(board).open("/play", name="Ben")
    assert phone.is_enabled("[data-key=uno]")
    assert phone.is_disabled("[data-key=catch]")
    assert phone.locator("#actions button").count() == 0


def test_a_spectator_is_offered_nothing(room):
    page = room(running()).open("/play")
    assert page.locator("#actions button, #repairs button, #dock button").count() == 0


def test_what_the_table_refuses_is_said_and_the_button_works_again(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    place.table.refuse = ValueError("not now")
    phone.click("[data-key=uno]")
    phone.wait_for_selector(".toast.bad")
    place.table.refuse = None
    phone.click("[data-key=uno]")
    phone.wait_for_selector("text=Ben calls UNO.")
    place.troubles.clear()  # the browser reports the refusal itself


def test_a_family_starts_its_first_game(room):
    place = room()
    ana, television = place.open("/"), place.open("/board", TELEVISION)
    television.wait_for_selector("text=Scan to join")
    ana.fill("#name", "Ana")
    ana.press("#name", "Enter")
    ana.wait_for_url("**/play")
    television.wait_for_selector("text=Here: Ana")
    host = place.open("/host")
    host.fill("#pin", place.dashboard.pin)
    host.press("#pin", "Enter")
    host.wait_for_selector(".seat-list >> text=Ana")
    host.fill("#add", "Ben")
    host.press("#add", "Enter")
    host.click("text=Start the game")
    host.wait_for_url("**/play")
    television.wait_for_selector(".player >> text=Ben")
    ana.wait_for_selector("#dock .uno")
    assert [p["name"] for p in place.table.board()["players"]] == ["Ana", "Ben"]


def test_a_lost_phone_gets_its_seat_back(room):
    place = room(running())
    old, new = place.open("/play", name="Ben"), place.open("/")
    new.click(".seat >> text=Ben")
    new.click("text=Take my seat")
    new.wait_for_url("**/play")
    new.wait_for_selector("#dock .uno")
    old.wait_for_selector("#dock .uno", state="detached")
    place.troubles.clear()  # the browser reports that the name was taken


def test_without_a_stream_the_screen_asks(room):
    place = room(running(), streams=1)
    place.open("/board", TELEVISION)
    phone = place.open("/play", name="Ben")
    phone.wait_for_selector(".player >> text=Cleo")
    place.table.change(turn="Cleo")
    phone.wait_for_selector(".phase >> text=Cleo’s turn")
    assert phone.locator("#link").is_hidden()
    place.troubles.clear()  # the browser reports the refused stream


def test_a_connection_that_comes_back_catches_up(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.wait_for_selector(".player >> text=Cleo")
    phone.context.set_offline(True)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_selector("#link >> text=No connection")
    place.table.change(turn="Dana")
    phone.context.set_offline(False)
    phone.wait_for_selector(".phase >> text=Dana’s turn")
    phone.wait_for_selector("#link", state="hidden")
    place.troubles.clear()


def test_rulings_are_read_to_screen_readers(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    assert phone.locator("#announce p").count() == 0
    phone.click("[data-key=uno]")
    phone.wait_for_selector("#announce >> text=Ben calls UNO.", state="attached")
    assert phone.locator("#announce p").count() == 1


OVERFLOW = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth;
  const cut = [...document.querySelectorAll('button, .badge, .name b, .force, .phase, .count, .score, .ruling, .eye')]
    .filter((e) => e.offsetParent && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'))
    .map((e) => e.className + ': ' + e.textContent);
  return { wide, cut };
}"""
SMALL = """() => [...document.querySelectorAll('button, a, select, input, summary')]
  .filter((e) => e.offsetParent).map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.height < 47.5 || box.width < 47.5)
  .map(([box, e]) => `${e.className} ${e.textContent} ${box.width}x${box.height}`)"""


def ten_players() -> dict[str, Any]:
    board = running()
    names = ["Ana", "Ben", "Cleo", "Dana", "Maximiliane", "Fritz", "Grandma Rosa", "Hugo", "Ines", "Bartholomäus"]
    model = board["players"]
    board["players"] = [{**model[i % 4], "name": name, "seat": i + 1} for i, name in enumerate(names)]
    return board


@pytest.mark.parametrize(
    ("path", "size", "board", "language"),
    [
        ("/board", TELEVISION, running, "en"),
        ("/board", TELEVISION, ten_players, "de"),
        ("/play", PHONE, running, "en"),
        ("/play", SMALL_PHONE, running, "de"),
        ("/play", SMALL_PHONE, ten_players, "es"),
        ("/", SMALL_PHONE, ten_players, "de"),
        ("/host", SMALL_PHONE, ten_players, "es"),
    ],
)
def test_nothing_is_cut_or_wider_than_the_screen(room, path, size, board, language):
    page = room(board()).open(f"/language/{language}", size, name="Ben", host=path == "/host")
    page.goto(page.url.removesuffix("/") + path)
    assert page.evaluate(OVERFLOW) == {"wide": False, "cut": []}


@pytest.mark.parametrize("path", ["/play", "/", "/host"])
def test_every_target_is_big_enough_for_a_thumb(room, path):
    page = room(running()).open(path, SMALL_PHONE, name="Ben", host=True)
    page.wait_for_selector("#main button")
    assert page.evaluate(SMALL) == []
