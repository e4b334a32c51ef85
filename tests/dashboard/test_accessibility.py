"""Everybody can use the pages: in every view and both looks axe finds nothing serious, the keyboard reaches all, and
text of twice the size breaks nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fake_parts import FakeDecks, FakeSetUp, FakeShows, FakeVoice
from fake_table import asking, challenged, doubting, naming, other_table, over, partners, paused, running, tournament
from rooms import CHROMIUM, PHONE, TELEVISION, Room, violations

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


@dataclass(frozen=True)
class View:
    """A page at which somebody looks after some taps. sees: what is there then; here: others with a phone."""

    path: str
    board: Callable[[], dict[str, Any] | None] = running
    taps: tuple[str, ...] = ()
    sees: str = "#main button, #main a.act"
    name: str | None = "Ben"
    host: bool = False
    here: tuple[str, ...] = ()


def nothing() -> None:
    """No game yet."""


VIEWS = {
    "join": View("/", name=None),
    "join before the first game": View("/", nothing, name=None),
    "joined": View("/"),
    "rename": View("/", taps=("[data-key=rename]",)),
    "a name that is taken": View("/", taps=("[data-key=Ana]",), name=None, here=("Ana",)),
    "play": View("/play"),
    "no game": View("/play", nothing),
    "a question with its photo": View("/play", asking),
    "naming a colour": View("/play", naming),
    "points of the other table": View("/play", other_table),
    "a tournament": View("/play", tournament),
    "a challenge": View("/play", challenged, name="Cleo"),
    "a shown hand": View("/play", challenged, ("[data-key=show]",), "dialog .pick", name="Cleo"),
    "a hand that others see": View("/play", challenged, ("[data-key=show]",), "dialog .lead"),
    "end of a hand": View("/play", over),
    "a hand is counted": View("/play", over, ("[data-key=showCleo]",), "dialog .pick"),
    "wrong card": View("/play", taps=("[data-key=wrong]",)),
    "missed card": View("/play", taps=("[data-key=missed]",)),
    "undo": View("/play", taps=("[data-key=undo]",)),
    "hand size": View("/play", taps=("[data-key=count]",)),
    "advice": View("/play", taps=("[data-key=suggested]",)),
    "rules": View("/rules", taps=("summary",), sees="details[open] dd"),
    "voice": View("/play", taps=("[data-key=voice]",)),
    "a ruling": View("/play", taps=("#news .ruling.call",)),
    "an appeal": View("/play", taps=("#news .ruling.call", "dialog [data-key=appeal]"), here=("Ana", "Cleo")),
    "a doubted card": View("/play", doubting, here=("Ana",)),
    "a pause": View("/play", paused),
    "a long name": View("/play", paused, sees=".phase", name="Bartholomäus-Jan"),
    "first host": View("/host"),
    "host of a tournament": View("/host", nothing, host=True, here=("Ana",)),
    "a host at the table": View("/play", host=True, here=("Ana",)),
    "host in a game": View("/host", host=True, here=("Ana",)),
    "host renames": View("/host", taps=("[data-key=nameAna]",), host=True),
    "a deck to show": View("/deck", host=True),
    "a deck is shown": View("/deck", taps=("[data-key=begin]",), sees=".wanted .say p", host=True),
    "a deck is forgotten": View("/deck", taps=("[data-key=forget]",), sees="dialog .act", host=True),
    "a deck is learned": View("/deck", taps=("[data-key=begin]", "[data-key=finish]"), sees="progress", host=True),
    "the referee's own voice": View("/host", taps=("[data-key=voice]",), host=True),
}

REACHABLE = """() => [...(document.querySelector('dialog[open]') ?? document).querySelectorAll(
    'button, a[href], select, input, summary, [tabindex="0"]')]
  .filter((e) => e.checkVisibility() && !e.disabled && e.type !== 'radio')"""
COLLECT = """() => { window.reached = new Set(); document.activeElement?.blur();
  document.addEventListener('focusin', (event) => reached.add(event.target)); }"""
MISSED = f"() => ({REACHABLE})().filter((e) => !reached.has(e)).map((e) => e.outerHTML.slice(0, 120))"
WIDE = """() => { document.documentElement.style.fontSize = '200%';
  return [document.documentElement, document.querySelector('dialog .sheet-in'), document.querySelector('.bar .eye')]
    .filter((e) => e && e.scrollWidth > e.clientWidth + 1).map((e) => e.className || 'page'); }"""


def check(page: Any, axe: str) -> dict[str, list[str]]:
    """What is wrong with the view: by axe in both looks, by keyboard, with large text."""
    found = {"axe": violations(page, axe)}
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    found["axe, light"] = violations(page, axe, "color-contrast")
    page.evaluate(COLLECT)
    for _ in range(page.evaluate(f"({REACHABLE})().length") + 3):
        page.keyboard.press("Tab")
    found["keyboard"] = page.evaluate(MISSED)
    found["large text"] = page.evaluate(WIDE)
    return {what: wrong for what, wrong in found.items() if wrong}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_everybody_can_use(room, axe, view):
    shows = FakeShows(challenge=view.board is challenged)
    decks = FakeDecks(7, deck={"name": "Grandma’s deck", "faces": 54, "used": True})
    place = room(view.board(), shows=shows, voice=FakeVoice(), set_up=FakeSetUp(), decks=decks)
    for other in view.here:
        place.dashboard.phone(other)
    page = place.open(view.path, name=view.name, host=view.host, reduced_motion="reduce")
    for tap in view.taps:
        page.click(tap)
    page.wait_for_selector(view.sees)
    assert check(page, axe) == {}
    place.troubles.clear()  # no picture can be drawn of a hand that is none


@pytest.mark.parametrize("path", ["/history", "/history/{game}", "/history/{game}/1"])
def test_everybody_can_use_the_history(browser, evening, axe, path):
    place = Room(browser, evening)
    page = place.open(path.format(game=evening.first), reduced_motion="reduce")
    page.wait_for_selector("[href$='.csv'], .stage svg")
    found = check(page, axe)
    place.close()
    assert found == {}


@pytest.mark.parametrize("board", [running, asking, nothing])
def test_everybody_can_read_the_big_screen(room, axe, board):
    page = room(board()).open("/board", TELEVISION, reduced_motion="reduce")
    page.wait_for_selector("#pile > *")
    assert violations(page, axe) == []
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert violations(page, axe, "color-contrast") == []


@pytest.mark.parametrize(("device", "other"), [("dark", "light"), ("light", "dark")])
def test_a_phone_has_the_look_of_the_device_until_it_is_given_another(room, device, other):
    page = room(running()).open("/play", PHONE, color_scheme=device)
    look = page.locator("html")
    assert look.get_attribute("data-theme") == device
    page.emulate_media(color_scheme=other)
    page.wait_for_selector(f"html[data-theme={other}]")
    page.emulate_media(color_scheme=device)
    page.wait_for_selector(f"html[data-theme={device}]")
    assert page.locator("[href^='/theme/']:visible").count() == 1
    page.click(f"[href='/theme/{other}']")
    page.wait_for_selector(f"html[data-theme={other}]")
    page.reload()
    assert look.get_attribute("data-theme") == other


def test_a_screen_reader_says_what_the_numbers_of_a_player_are(room):
    page = room(partners()).open("/play", name="Ben")
    page.wait_for_selector(".player")
    said = page.locator("#players").aria_snapshot()
    for words in ("Ben you", 'img "3–4 cards"', 'img "1 card"', 'img "85 points"', 'img "Team B"'):
        assert words in said


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "es-ES"])
def test_the_way_to_a_seat_is_readable_beside_the_eye(room, locale):
    board = {**running(), "eye": {"state": "lost", "since": 0.0, "detail": "no_camera"}}
    chip = room(board).open("/play", PHONE, locale=locale).wait_for_selector("#who .chip")
    assert not chip.evaluate("(e) => e.scrollWidth > e.clientWidth")


WHOLE = """(list) => { const words = document.createElement('canvas').getContext('2d'), style = getComputedStyle(list);
  words.font = style.font;
  const room = list.clientWidth - parseFloat(style.paddingLeft) - 24; // its arrow
  return room - words.measureText(list.selectedOptions[0].text).width; }"""


@pytest.mark.parametrize("width", [320, 360, 390, 412, 600])
@pytest.mark.parametrize("eye", [{}, {"eye": {"state": "lost", "since": 0.0, "detail": "no_camera"}}])
def test_a_host_reads_whom_the_phone_taps_for(room, width, eye):
    page = room({**running(), **eye}).open("/play", (width, 740), "Ben", host=True, locale="de-DE")
    assert page.wait_for_selector("#who select").evaluate(WHOLE) >= 0
    page.select_option("#who select", "Cleo")
    page.wait_for_selector(".phase >> text=Ben ist dran")
    assert page.locator("#who select").evaluate(WHOLE) >= 0
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_role("link", name="Gastgeber").click()
    page.wait_for_url("**/host")


def test_a_big_screen_stays_dark_on_a_light_device(room):
    page = room(running()).open("/board", color_scheme="light")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_screen_that_wants_no_motion_gets_none(room):
    page = room(running()).open("/play", name="Ben", reduced_motion="reduce")
    page.click("[data-key=uno]")
    page.wait_for_selector("text=Ben calls UNO.")
    moving = page.evaluate("() => document.getAnimations().filter((one) => one.playState === 'running').length")
    assert moving == 0
