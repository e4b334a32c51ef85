"""Phones in real life: asleep, without a network, with two tabs, with a second thought; each shows the truth again by
itself."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from fake_table import running
from rooms import CHROMIUM, PHONE, TELEVISION, Room

from referee.events import Uno
from referee.paths import shipped

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]

LOADED_ONCE = "window.loadedOnce ??= performance.now()"


def said(room: Room) -> list[Any]:
    return [event for event, _ in room.table.events]


def test_a_phone_that_slept_for_five_minutes(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.clock.install()
    phone.wait_for_selector(".phase >> text=Your turn")
    phone.context.set_offline(True)
    place.table.change(turn="Dana")
    phone.clock.fast_forward("05:00")
    phone.context.set_offline(False)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait_for_selector(".phase >> text=Dana’s turn")
    place.troubles.clear()  # the browser reports the lost connection


def test_eight_phones_and_a_television_over_a_restart(room, make):
    names = ("Ana", "Ben", "Cleo", "Dana", "Eli", "Finn", "Gia", "Hugo")
    board = running()
    board["players"] = [{**board["players"][i % 4], "name": name, "seat": i + 1} for i, name in enumerate(names)]
    place = room(board)
    pages = [place.open("/board", TELEVISION), *(place.open("/play", name=name) for name in names)]
    for page in pages:
        page.evaluate(LOADED_ONCE)
    place.stop()
    pages[1].wait_for_selector("#link >> text=No connection")
    place.start(make({**board, "turn": "Gia", "seq": 3}, place.dashboard.folder))
    for page in pages:
        page.wait_for_selector(".phase >> text=/(Gia’s|Your) turn/")
        page.wait_for_selector("#link", state="hidden")
        assert page.evaluate("window.loadedOnce") is not None
    pages[2].click("[data-key=uno]")
    pages[0].wait_for_selector("text=Ben calls UNO.")
    place.troubles.clear()  # the browsers report the lost connection


def test_after_an_update_an_open_page_takes_the_new_scripts_once(room, make, tmp_path):
    place, web = room(running()), tmp_path / "web"
    shutil.copytree(shipped("web"), web)
    script = web / "static" / "js" / "dom.js"
    script.write_text(script.read_text("utf-8") + "\nwindow.updated = true;\n", "utf-8")
    phone = place.open("/play", name="Ben")
    phone.wait_for_selector(".phase >> text=Your turn")
    place.stop()
    place.start(make(running(), place.dashboard.folder, web=web))
    phone.wait_for_function("() => window.updated")
    phone.evaluate(LOADED_ONCE)
    phone.click("[data-key=uno]")
    phone.wait_for_selector("#news >> text=Ben calls UNO.")
    assert phone.evaluate("window.loadedOnce") is not None
    place.troubles.clear()  # the browser reports the lost connection


def test_after_an_update_pages_that_get_no_stream_take_the_new_scripts_too(room, make, tmp_path):
    place, web = room(running(), streams=1), tmp_path / "web"
    shutil.copytree(shipped("web"), web)
    script = web / "static" / "js" / "dom.js"
    script.write_text(script.read_text("utf-8") + "\nwindow.updated = true;\n", "utf-8")
    pages = [place.open("/board", TELEVISION), place.open("/play", name="Ben")]
    pages[1].wait_for_selector(".phase >> text=Your turn")
    place.stop()
    place.start(make(running(), place.dashboard.folder, web=web, streams=1))
    for page in pages:
        page.wait_for_function("() => window.updated", timeout=30_000)
    place.troubles.clear()  # the browsers report the lost connection and the refused stream


def test_a_phone_that_gets_another_address_keeps_its_seat(dashboard):
    phone = dashboard.phone("Ben").client
    for address in ("192.168.1.30", "192.168.1.77"):
        answer = phone.post("/api/act/uno", json={}, environ_overrides={"REMOTE_ADDR": address})
        assert answer.status_code == 200


def test_a_phone_that_lost_its_cookie_says_so_and_gets_its_seat_back(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.context.clear_cookies()
    phone.click("[data-key=uno]")
    phone.wait_for_selector(".toast >> text=Choose your name first")
    phone.wait_for_selector("#dock .uno", state="detached")
    phone.click("#who >> text=Choose your name")
    phone.click(".seat >> text=Ben")
    phone.fill("#code", place.dashboard.code)
    phone.press("#code", "Enter")
    phone.wait_for_url("**/play")
    phone.click("[data-key=uno]")
    phone.wait_for_selector("#news >> text=Ben calls UNO.")
    assert said(place) == [Uno(by="Ben")]
    place.troubles.clear()  # the browser reports what was refused


def test_two_tabs_of_one_player_show_the_same(room):
    place = room(running())
    one = place.open("/play", name="Ben")
    other = one.context.new_page()
    other.goto(f"{place.base}/play")
    one.click("[data-key=uno]")
    for page in (one, other):
        page.wait_for_selector("#news >> text=Ben calls UNO.")
    assert said(place) == [Uno(by="Ben")]


def test_the_back_button_leads_to_what_is_true_now(room):
    place = room(running())
    phone = place.open("/play", PHONE, name="Ben")
    phone.click("text=History")
    phone.wait_for_url("**/history")
    place.table.change(turn="Dana")
    phone.go_back()
    phone.wait_for_selector(".phase >> text=Dana’s turn")


def test_where_nothing_but_questions_comes_through_the_page_asks(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.wait_for_selector(".phase >> text=Your turn")
    phone.route("**/api/stream**", lambda route: route.abort())
    phone.evaluate("dispatchEvent(new Event('online'))")  # it looks for another way
    place.table.change(turn="Dana")
    phone.wait_for_selector(".phase >> text=Dana’s turn")
    assert phone.locator("#link").is_hidden()
    place.troubles.clear()  # the browser reports the lost streams


SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


@pytest.mark.parametrize("page", ["play", "join", "board", "host", "history"])
def test_on_a_slow_network_the_page_says_that_it_waits(room, page):
    place = room(running())
    phone = place.open("/language/en", name="Ben")
    network = phone.context.new_cdp_session(phone)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOW_3G)
    seen: list[str] = []

    def look_and_go_on(route: Any) -> None:
        seen.append(phone.inner_text(".waiting"))
        route.continue_()

    phone.route(f"**/js/{page}.js", look_and_go_on)
    phone.goto(f"{place.base}/{page if page != 'join' else ''}")
    phone.wait_for_selector(".waiting", state="detached")
    assert seen[0].startswith("One moment")
    if page == "play":
        phone.click("[data-key=uno]")
        phone.wait_for_selector("#news >> text=Ben calls UNO.")


def test_a_page_whose_script_never_comes_offers_to_load_it_again(room):
    place = room(running())
    phone = place.open("/language/en", name="Ben")
    phone.route("**/js/play.js", lambda route: None)
    phone.goto(f"{place.base}/play", wait_until="commit")
    phone.wait_for_selector(".waiting a:visible")
    phone.route("**/js/play.js", lambda route: route.continue_())
    phone.click(".waiting a")
    phone.wait_for_selector(".player >> text=Cleo")


def test_a_double_tap_is_one_tap(room):
    place = room(running())
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    phone.dblclick("[data-key=uno]")
    television.wait_for_selector("text=Ben calls UNO.")
    phone.click("[data-key=catch]")
    television.wait_for_selector("text=Cleo did not call UNO")
    assert [type(event).__name__ for event in said(place)] == ["Uno", "Catch"]
