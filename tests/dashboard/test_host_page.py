"""The host's page in a real browser: who plays, and where they sit."""

from __future__ import annotations

import time
from typing import Any

import pytest
from fake_table import player, running
from rooms import CHROMIUM, violations

from referee.cards import Card
from referee.events import Discard, HandDealt, Join, TopSeen
from referee.storage import Entry

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


IN_SIGHT = """(e) => { const box = e.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight
    && e.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"""


def ten() -> list[dict[str, Any]]:
    """As many as may play."""
    return [player(f"P{seat}", seat) for seat in range(1, 11)]


def test_a_newcomer_to_a_running_game_sits_where_the_host_says(room):
    place = room(running())
    host = place.open("/host", name="Ben", host=True)
    assert host.input_value("[data-key=after]") == "Dana"
    host.fill("#newcomer", "Emil")
    host.select_option("[data-key=after]", "Ana")
    place.table.change(turn="Cleo")
    host.wait_for_selector(".lead >> text=Cleo")  # the game went on meanwhile, and what was typed stays
    host.press("#newcomer", "Enter")
    host.wait_for_selector(".toast >> text=Emil plays now, seated after Ana.")
    assert [event for event, _ in place.table.events] == [Join(player="Emil", after="Ana")]
    assert (host.input_value("#newcomer"), host.input_value("[data-key=after]")) == ("", "Dana")


def test_a_newcomer_with_a_phone_learns_how_to_get_in_and_is_let_in_by_one_tap(room):
    place = room(running())
    zoe = place.open("/play", name="Zoe")
    zoe.wait_for_selector("#actions >> text=You are not in this game. The host can let you in")
    host = place.open("/host", name="Ben", host=True)
    host.select_option("[data-key=after]", "Ana")
    host.click("[data-key=sitZoe]")
    host.wait_for_selector(".toast >> text=Zoe plays now, seated after Ana.")
    assert [event for event, _ in place.table.events] == [Join(player="Zoe", after="Ana")]
    place.table.change(room=False)
    zoe.wait_for_selector("#actions >> text=You can be in the next one.")
    host.wait_for_selector("[data-key^=sit]", state="detached")
    assert place.open("/play").locator("text=You are not in this game").count() == 0  # who only watches knows


def test_a_newcomer_whose_name_is_taken_is_told_so_and_the_eleventh_is_not_asked_for(room):
    place = room(running())
    host = place.open("/host", name="Ben", host=True)
    host.fill("#newcomer", "BEN")
    host.press("#newcomer", "Enter")
    host.wait_for_selector(".toast.bad >> text=Two players have the same name.")
    place.troubles.clear()  # the browser reports the refusal itself
    place.table.change(players=ten(), room=False)
    host.wait_for_selector("text=Ten play: the table is full.")
    assert (host.query_selector("#newcomer"), place.table.events) == (None, [])


def test_where_the_deck_is_too_small_for_one_more_the_host_is_told_so_before_typing(room):
    host = room({**running(), "room": False}).open("/host", name="Ben", host=True)
    host.wait_for_selector("text=Nobody can join this game: its deck has too few cards for one more hand")
    assert host.query_selector("#newcomer") is None


def test_a_hand_is_only_thrown_away_after_a_second_thought(room):
    place = room(running())
    host = place.open("/host", name="Ben", host=True)
    host.click("[data-key=abandon]")
    host.click("dialog >> text=Close")
    host.wait_for_selector("dialog", state="detached")
    assert place.table.events == []
    host.click("[data-key=abandon]")
    host.click("dialog [data-key=next]")
    host.wait_for_selector("dialog", state="detached")
    assert [event for event, _ in place.table.events] == [HandDealt(ends=30)]
    place.table.change(phase="scored", winner="Ana")
    host.wait_for_selector("[data-key=abandon]", state="detached")
    host.click("text=Deal the next hand")
    host.wait_for_selector("[data-key=abandon]")
    assert [event for event, _ in place.table.events] == [HandDealt(ends=30), HandDealt(ends=41)]


def test_a_hand_that_is_gone_already_is_not_thrown_away_twice(room):
    place = room(running())
    host = place.open("/host", name="Ben", host=True)
    host.click("[data-key=abandon]")
    place.table.change(phase="turn", deal=50)  # another host was quicker, and the next first card lies there
    host.click("dialog [data-key=next]")
    host.wait_for_selector("dialog", state="detached")
    assert place.table.events == []


def test_a_host_who_is_setting_up_hears_that_another_started(room):
    place = room()
    slow, quick = (place.open("/host", host=True) for _ in range(2))
    for host in (slow, quick):
        for name in ("Ana", "Ben"):
            host.fill("#add", name)
            host.press("#add", "Enter")
    quick.click("text=Start the game")
    slow.wait_for_selector(".toast >> text=A game was started on another phone just now.")
    slow.wait_for_selector("[data-key=abandon]")
    quick.wait_for_url("**/play")
    assert len(place.table.started) == 1


@pytest.mark.parametrize("size", [(320, 600), (390, 844), (1280, 720)])
def test_the_start_stays_in_sight_of_who_chooses_the_rules(room, axe, size):
    host = room().open("/host", size, host=True)
    host.wait_for_selector(".preset")
    start = host.get_by_role("button", name="Add at least two players")
    assert start.is_disabled()
    for name in ("Ana", "Ben"):
        host.fill("#add", name)
        host.press("#add", "Enter")
    start = host.get_by_role("button", name="Start the game")
    for place in (0, 400, 10_000):
        host.evaluate("(y) => scrollTo(0, y)", place)
        assert start.evaluate(IN_SIGHT)
    host.focus(".preset:last-of-type input")
    assert host.locator(".preset:last-of-type input").evaluate(IN_SIGHT)
    assert violations(host, axe) == []
    start.click()
    host.wait_for_url("**/play")


def test_a_host_without_a_big_screen_finds_the_code(room, axe):
    place = room()
    host = place.open("/host")
    assert violations(host, axe) == []
    host.click("a[href='/board']")
    code = host.inner_text(".code").split()[-1]
    host.go_back()
    host.fill("#first-code", code)
    host.fill("#first-pin", "2468")
    host.press("#first-pin", "Enter")
    host.wait_for_selector("#add")


def test_who_scanned_the_code_is_not_sent_for_it(room):
    place = room()
    host = place.open(f"/?c={place.dashboard.code}")
    host.click("text=Become the host")
    assert host.wait_for_selector("#first-code").input_value() == place.dashboard.code
    assert host.locator("a[href='/board']").count() == 0


def test_a_name_that_nobody_needs_is_taken_off_its_phone(room):
    place = room(running())
    zoe, host = place.open("/play", name="Zoe"), place.open("/host", name="Ben", host=True)
    host.click("[data-key=phoneZoe]")
    host.click("dialog [data-key=release]")
    host.wait_for_selector(".toast >> text=Zoe is free again.")
    host.wait_for_selector("[data-key=phoneZoe]", state="detached")
    zoe.wait_for_selector("#who >> text=Choose your name")
    host.click("[data-key=phoneBen]")
    assert host.locator("dialog [data-key=release]").count() == 0


def test_who_waits_is_offered_a_seat_while_there_is_one(room):
    place = room({**running(), "players": ten()})
    place.open("/", name="Zoe")
    host = place.open("/host", name="P1", host=True)
    host.click("text=New game")
    host.wait_for_selector("#add", state="detached")
    assert host.locator("text=+ Zoe").count() == 0
    host.click("[aria-label='Remove P7']")
    host.click("text=+ Zoe")
    host.wait_for_selector(".seat-list >> text=Zoe")


def test_why_a_game_cannot_start_is_said(room):
    place = room()
    place.table.refuse = ValueError("players: 2 names: the tournament four_player_12_hands is for 4")
    host = place.open("/host", host=True)
    for name in ("Ana", "Ben"):
        host.fill("#add", name)
        host.press("#add", "Enter")
    host.click("text=Start the game")
    host.wait_for_selector(".toast.bad >> text=2 players do not go with these rules.")
    place.troubles.clear()  # the browser reports the refusal itself


HOURS = 3600.0
LEFT = [
    # hours since the last play, and since the camera looked again; the phase -> are people told what to do?
    (0.5, None, "turn", False),
    (168.0, None, "turn", True),
    (168.0, 0.0, "turn", True),
    (168.0, None, "scored", False),
]
PAGES = [("/host", {"host": True}, "abandon it"), ("/play", {"name": "Ben"}, "the host abandons it")]


@pytest.mark.parametrize(("path", "who", "does"), PAGES)
@pytest.mark.parametrize(("played", "looked", "phase", "told"), LEFT)
def test_who_comes_back_after_days_learns_what_becomes_of_a_hand_whose_cards_are_gone(
    room, played, looked, phase, told, path, who, does
):
    journal = [Entry(40, 1, Discard(card=Card.parse("R7")), "eye", time.time() - played * HOURS)]
    if looked is not None:
        journal.append(Entry(41, 1, TopSeen(card=Card.parse("R7")), "eye", time.time() - looked * HOURS))
    place = room({**running(), "phase": phase}, journal=journal)
    page = place.open(path, **who)
    page.wait_for_selector("#main")
    page.wait_for_selector(".seat-list, #pile *")
    note = page.locator(f"text=This hand was left a while ago >> text={does}")
    assert note.count() == told
    place.table.journal.append(Entry(42, 1, Discard(card=Card.parse("R8")), "eye", time.time()))
    place.table.change()
    note.first.wait_for(state="detached")
