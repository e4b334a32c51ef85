"""A deck is shown to the camera with a phone in a real browser, over a real camera process; axe looks at every step."""

from __future__ import annotations

import time
from typing import Any

import pytest
import quick_fit
from deck_walk import Walk, deck_table, lay
from fake_parts import FakeDecks
from fake_table import running
from rooms import CHROMIUM, PHONE, violations
from setup_walk import host_page
from test_setup_browser import SMALL, THEME, WIDE

from referee.cards import FACES

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]

BUZZES = "window.buzzes = []; navigator.vibrate = (how) => buzzes.push(how);"
RIGHT = "e.getBoundingClientRect().right"
HINT = {"unsure": 6, "of": 20, "faces": []}


@pytest.fixture
def walk(browser, tmp_path):
    """A host's phone at a table whose referee has never been shown a deck. A page that reports an error fails."""
    with deck_table(tmp_path) as service:
        page, base = host_page(browser, service, PHONE)
        page.add_init_script(BUZZES)
        page.emulate_media(reduced_motion="reduce")  # no contrast is measured while something changes its colour
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda line: line.type == "error" and troubles.append(line.text))
        made = Walk(page, base, tmp_path, lambda name: None)
        made.service = service
        yield made
        page.context.close()
        assert troubles == []


def test_a_host_shows_a_deck_and_comes_back_to_it(walk, axe, monkeypatch):
    monkeypatch.setattr("referee.enrolling.fitting.COMMAND", quick_fit.command("learn"))
    page, shots = walk.page, []

    def shot(name: str) -> None:
        shots.append(name)
        assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (False, []), name
        for theme in ("light", "dark"):
            page.evaluate(THEME, theme)
            assert violations(page, axe) == [], name

    walk.shot = shot
    walk.begin()
    walk.bad_looks()
    walk.some()
    assert 60 in page.evaluate("buzzes")
    walk.key("last")
    page.wait_for_selector(".wanted b >> text=red 4")
    page.wait_for_selector(".wanted .took >> text=red 4")
    walk.key("pause")
    page.fill("#deck-name", "Grandma's deck")
    page.press("#deck-name", "Enter")
    page.wait_for_selector(".toast >> text=Grandma's deck")
    page.reload()
    walk.seen(4)
    walk.key("W")
    page.wait_for_selector(".wanted b >> text=Wild")
    walk.show("W")
    walk.learn()
    assert page.inner_text(".gain") == "Of your 5 looks the eye read 1 before, and 5 now."
    page.click(".go a[href='/play']")
    page.goto(f"{walk.base}/host")
    page.wait_for_selector("a[href='/deck'] >> text=Grandma's deck, 5 of 54 faces")
    page.click("a[href='/deck']")
    walk.key("forget")
    page.click("dialog [data-key=sure]")
    walk.seen(0)
    assert walk.service.enrolling.summary() is None
    assert shots == ["begin", "other", "took", "learning", "learned"]


def test_a_learning_that_is_killed_is_told_and_tried_again(walk, monkeypatch):
    monkeypatch.setattr("referee.enrolling.fitting.COMMAND", quick_fit.command("die"))
    walk.begin()
    walk.show("R0")
    walk.key("finish")
    walk.page.wait_for_selector(".warn >> text=perhaps because memory ran out")
    monkeypatch.setattr("referee.enrolling.fitting.COMMAND", quick_fit.command("learn"))
    walk.key("retry")
    walk.page.wait_for_selector(".gain")


def test_the_game_is_watched_at_once_when_the_host_leaves(walk, monkeypatch):
    monkeypatch.setattr("referee.enrolling.service.LEASE_S", 3600.0)  # so that only the page itself can have ended it
    walk.begin()
    assert walk.service.enrolling.looks
    walk.page.goto(f"{walk.base}/play")
    walk.page.wait_for_selector("#eye >> text=Not set up yet")
    assert not walk.service.enrolling.looks


def test_a_phone_that_slept_goes_on_looking(walk):
    walk.begin()
    walk.service.enrolling.pause()  # as when nobody has asked for a while
    walk.page.wait_for_selector("[data-key=begin]", state="detached")
    end = time.monotonic() + 60
    while not walk.service.enrolling.looks:
        assert time.monotonic() < end
        walk.page.wait_for_timeout(100)
    lay(walk.folder, "R0")
    walk.seen(1)


def test_a_phone_that_is_no_host_is_asked_for_the_pin(room):
    page = room(running(), decks=FakeDecks()).open("/deck")
    page.wait_for_selector("#first-pin, #pin, .pin, form")
    assert page.locator(".all-faces").count() == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"playing": True}, "A hand is being played"),
        ({"trouble": "full"}, "The disk is full"),
        ({"trouble": "damaged"}, "cannot be read"),
        ({"fit": {"state": "failed", "why": "not_kept"}}, "could not be written"),
        ({"deck": {"name": "Old", "faces": 54, "used": False}}, "Old does not count yet"),
    ],
)
def test_what_the_host_must_know_is_said(room, more: dict[str, Any], said):
    page = room(running(), decks=FakeDecks(3, **more)).open("/deck", host=True)
    page.wait_for_selector(f"main >> text={said}")


def test_a_deck_that_was_seen_whole_is_to_be_learned_next(room):
    decks = FakeDecks(len(FACES))
    page = room(running(), decks=decks).open("/deck", host=True)
    page.wait_for_selector("main >> text=All faces have been seen.")
    assert page.locator("[data-key=begin]").count() == 0
    page.click("[data-key=finish].strong")
    page.wait_for_selector('progress[value="0.4"]:not([hidden])')  # until then it counts the faces that were seen


@pytest.mark.parametrize(
    ("left", "said"),
    [(None, ""), (0, "Noch etwa 10 Sekunden."), (42, "Noch etwa 50 Sekunden."), (200, "Noch etwa 3 Minuten.")],
)
def test_how_long_the_learning_takes_is_said_as_soon_as_it_is_known(room, left, said):
    decks = FakeDecks(54, fit={"state": "running", "share": 0.3, "left_s": left})
    page = room(running(), decks=decks).open("/deck", host=True, locale="de-DE")
    page.wait_for_selector("progress")
    assert page.inner_text(".left") == said


@pytest.mark.parametrize(("faces", "said"), [([], "Show it your deck once"), (["R6", "W"], "again: red 6, Wild.")])
def test_the_host_alone_is_told_once_that_the_referee_should_see_the_deck(room, axe, faces, said):
    place = room(running(), decks=FakeDecks(hint={**HINT, "faces": faces}))
    player = place.open("/play", name="Ben")
    player.wait_for_selector("#pile .face")
    host = place.open("/play", host=True)
    host.wait_for_selector(".deck-hint >> text=unsure of 6 of the last 20 cards")
    host.wait_for_selector(f".deck-hint >> text={said}")
    assert host.get_attribute(".deck-hint a", "href") == "/deck"
    assert player.locator(".deck-hint").count() == 0
    assert (violations(host, axe), host.evaluate(SMALL)) == ([], [])
    host.evaluate("document.documentElement.style.fontSize = '200%'")
    assert host.evaluate(f"[...document.querySelectorAll('.deck-hint *')].every((e) => {RIGHT} <= innerWidth)")
    host.click("[data-key=hush]")
    host.wait_for_selector(".deck-hint", state="detached")
