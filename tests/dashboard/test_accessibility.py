"""Everybody can use the pages: axe finds nothing serious, the keyboard reaches all, and large text breaks nothing."""

from __future__ import annotations

from typing import Any

import pytest
from fake_table import player, running
from rooms import CHROMIUM, PHONE, TELEVISION, violations

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


def asking() -> dict[str, Any]:
    """A question on every screen."""
    board = running()
    board["question"] = {"id": "who_played:40", "kind": "who_played", "ref": 40, "player": None, "after": 0.0,
                         "options": ["Ana", "Ben"], "text": "Who played the blue 3?"}  # fmt: skip
    return board


def naming() -> dict[str, Any]:
    """Ben names a colour."""
    board = running()
    board.update(phase="name_colour", top="W", colour=None, actions={"Ben": ["uno", "colour"]})
    return board


def over() -> dict[str, Any]:
    """Ana has won the hand; points are typed in."""
    board = running()
    board.update(phase="hand_over", winner="Ana", players=[player("Ana", 1, 0), player("Ben", 2, 4)], actions={})
    return board


PAGES = [
    ("/", PHONE, running),
    ("/play", PHONE, running),
    ("/play", PHONE, asking),
    ("/play", PHONE, naming),
    ("/play", PHONE, over),
    ("/board", TELEVISION, running),
    ("/board", TELEVISION, lambda: None),
    ("/host", PHONE, running),
    ("/host", PHONE, lambda: None),
    ("/history", PHONE, running),
]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("path", "size", "board"), PAGES)
def test_axe_finds_nothing_serious(room, axe, path, size, board, theme):
    page = room(board()).open(f"/theme/{theme}", size, name="Ben", host=path == "/host")
    page.goto(page.url.removesuffix("/") + path)
    page.wait_for_selector("#main *:visible")
    assert page.locator("html").get_attribute("data-theme") == theme
    assert violations(page, axe) == []


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("tool", ["wrong", "missed", "undo", "count"])
def test_axe_finds_nothing_serious_in_a_sheet(room, axe, tool, theme):
    page = room(running()).open(f"/theme/{theme}", name="Ben")
    page.goto(page.url.removesuffix("/") + "/play")
    page.click(f"[data-key={tool}]")
    page.wait_for_selector("dialog[open]")
    assert violations(page, axe) == []


REACHABLE = """() => [...document.querySelectorAll('button, a[href], select, input, summary, [tabindex="0"]')]
  .filter((e) => e.offsetParent && !e.disabled && e.type !== 'radio').length"""


@pytest.mark.parametrize("path", ["/", "/play", "/host"])
def test_the_tabulator_key_reaches_every_control(room, path):
    page = room(running()).open(path, name="Ben", host=True)
    page.wait_for_selector("#main button")
    reached = set()
    for _ in range(page.evaluate(REACHABLE) + 2):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("""() => { const e = document.activeElement;
          const all = [...document.querySelectorAll('*')]; return e === document.body ? -1 : all.indexOf(e); }"""))
    assert len(reached - {-1}) >= page.evaluate(REACHABLE)


@pytest.mark.parametrize(
    ("path", "board"), [("/", running), ("/play", asking), ("/host", running), ("/history", running)]
)
def test_text_of_twice_the_size_is_not_wider_than_the_screen(room, path, board):
    page = room(board()).open(path, name="Ben", host=path == "/host")
    page.wait_for_selector("#main *:visible")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_screen_that_wants_no_motion_gets_none(room):
    page = room(running()).open("/play", name="Ben")
    page.emulate_media(reduced_motion="reduce")
    page.click("[data-key=uno]")
    page.wait_for_selector("text=Ben calls UNO.")
    moving = page.evaluate("() => document.getAnimations().filter((one) => one.playState === 'running').length")
    assert moving == 0
