"""What stands at the head of a phone while something is in doubt: a card that may not go, a pause, an appeal."""

from __future__ import annotations

from typing import Any

import pytest
from fake_table import doubting, paused, running
from rooms import CHROMIUM, PHONE

from referee.events import Lift, Override, Resume

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


def said(place: Any) -> list[Any]:
    return [event for event, _ in place.table.events]


BOX = "#question .ask-box"


def buttons(page: Any) -> list[str]:
    """What the box offers."""
    page.wait_for_selector(".phase")
    return [one.get_attribute("data-key") for one in page.locator(f"{BOX} [data-key]").all()]


@pytest.mark.parametrize(
    ("name", "host", "offered"),
    [
        ("Ben", False, ["lifted", "other"]),  # whose word alone does not count
        ("Ana", False, ["goes", "other"]),
        ("Ben", True, ["goes", "lifted", "other"]),
        (None, True, ["goes", "lifted", "other"]),
        ("Zoe", False, []),
    ],
)
def test_who_is_asked_whether_a_card_goes_and_may_say_what(room, name, host, offered):
    place = room(doubting())
    if name != "Ben":
        place.open("/play", name="Ben")
    page = place.open("/play", name=name, host=host)
    assert buttons(page) == offered
    assert page.locator(f"{BOX} >> text=Does green 9 go here, Ben?").count() == bool(offered)
    assert page.locator("#actions [data-key=lifted]").count() == 0


def test_where_its_player_has_no_phone_anybody_tells_that_a_card_was_taken_back(room):
    place = room(doubting())
    ana = place.open("/play", name="Ana")
    assert buttons(ana) == ["goes", "lifted", "other"]
    assert ana.inner_text("[data-key=lifted]") == "Ben took it back"
    with ana.expect_response("**/api/act/lifted"):
        ana.click("[data-key=lifted]")
    assert said(place) == [Lift()]


def test_a_doubt_is_settled_by_one_tap_and_gone_from_every_phone(room):
    place = room(doubting())
    ben, ana = place.open("/play", name="Ben"), place.open("/play", name="Ana")
    with ana.expect_response("**/api/act/goes"):
        ana.click("[data-key=goes]")
    assert said(place) == [Override(what="legal", ref=41, by="Ana")]
    place.table.change(phase="turn", takeback=None)
    for page in (ben, ana):
        page.wait_for_selector(BOX, state="detached")


def test_a_doubted_card_is_put_right_where_it_is_asked_about(room):
    place = room(doubting())
    ben = place.open("/play", name="Ben")
    ben.click(f"{BOX} [data-key=other]")
    ben.wait_for_selector("dialog >> text=What card was it?")
    assert ben.locator("dialog .pick.mini[aria-pressed=true] svg").get_attribute("aria-label") == "green 9"


def called_wrong(confidence: float) -> dict[str, Any]:
    """Ben's green 9 on a blue 3 was called wrong aloud. confidence: that it is one; 1.0: a person has said so."""
    board = doubting()
    board["rulings"][0]["tier"] = "call"
    board["plays"][0]["confidence"] = confidence
    return board


@pytest.mark.parametrize("name", ["Ben", "Ana"])
def test_a_card_that_was_misread_and_called_wrong_is_put_right_by_one_tap(room, name):
    place = room(called_wrong(0.999))
    phone = place.open("/play", name=name)
    phone.wait_for_selector("#actions >> text=The referee read green 9, 99")
    offered = [one.get_attribute("data-key") for one in phone.locator("#actions .which_card [data-key]").all()]
    assert offered == ["wasB9", "wasG3", "other"]  # what goes on a blue 3 and is easily read as a green 9
    with phone.expect_response("**/api/act/correct"):
        phone.click("[data-key=wasB9]")
    assert [(event.ref, event.fields["card"], event.by) for event in said(place)] == [(41, "B9", name)]


def test_a_wrong_card_that_a_person_named_was_not_misread(room):
    phone = room(called_wrong(1.0)).open("/play", name="Ben")
    phone.wait_for_selector("#actions [data-key=lifted]")
    assert phone.locator("#actions .which_card").count() == 0


def test_a_pause_says_what_it_means_and_how_to_go_on(room):
    place = room({**paused(), "eye": {"state": "lost", "since": 0.0, "detail": "no_camera"}})
    phone, watcher = place.open("/play", name="Ben"), place.open("/play")
    for page in (phone, watcher):
        page.wait_for_selector(f"{BOX} >> text=Paused: what is played now does not count")
        assert page.locator("#actions [data-key=lay], #actions [data-key=drew]").count() == 0
    assert watcher.locator(f"{BOX} button").count() == 0
    phone.click("[data-key=go_on]")
    phone.wait_for_selector("#actions [data-key=lay]")
    assert said(place) == [Resume(by="Ben")]


@pytest.mark.parametrize(("phase", "first"), [("turn", "lay"), ("wd4", "challenge")])
def test_a_card_is_laid_after_what_is_to_be_settled_before_it(room, phase, first):
    board = {**running(), "phase": phase, "eye": {"state": "lost", "since": 0.0, "detail": "no_camera"}}
    board.update(wd4={"offender": "Ana", "victim": "Ben"}, actions={"Ben": ["challenge", "drew"]})
    phone = room(board).open("/play", name="Ben")
    phone.wait_for_selector("[data-key=lay]")
    offered = [one.get_attribute("data-key") for one in phone.locator("#actions .act.strong").all()]
    assert offered[0] == first
    assert ("lay" in offered) == (first == "lay")


def test_an_appeal_is_in_sight_of_who_appealed_and_the_host_decides_it_on_the_hosts_page(room):
    place = room(running())
    ben = place.open("/play", (360, 500), name="Ben")
    host = place.open("/host", name="Ana", host=True)
    ben.click("#news .ruling.call")
    ben.click("dialog [data-key=appeal]")
    ben.wait_for_selector(f"{BOX}.appeal")
    assert ben.evaluate("scrollY") == 0
    assert ben.locator(f"{BOX} button").all_inner_texts() == ["The card goes back", "The card counts", "Let it go"]
    host.wait_for_selector(".appeal >> text=Ben appeals:")
    assert host.locator("text=Go on").count() == 0
    host.click("[data-key=overrule]")
    host.wait_for_selector(".toast >> text=The ruling stands.")
    host.wait_for_selector(".appeal", state="detached")


@pytest.mark.parametrize(("path", "host"), [("/play", False), ("/host", True), ("/", False), ("/board", False)])
def test_every_screen_says_that_the_referee_is_gone_and_nothing_of_what_it_watches(room, path, host):
    place = room(running())
    page = place.open(path, PHONE, name="Bartholomäus-Jan", host=host)
    page.wait_for_function("() => document.querySelector('#main, main')?.textContent.length > 40")
    place.stop()
    link = page.wait_for_selector("#link >> text=No connection")
    assert link.bounding_box()["height"] < 60
    assert page.locator("#eye").count() == 0 or page.locator("#eye").is_hidden()
    place.troubles.clear()  # the browser reports the lost connection


def test_who_appealed_in_vain_is_told_in_place_of_being_offered_it_again(room):
    place = room(running())
    pages = {name: place.open("/play", name=name) for name in ("Ben", "Ana")}
    host = place.open("/host", host=True)
    pages["Ben"].click("#news .ruling.fault")
    pages["Ben"].click("[data-key=appeal]")
    host.click("[data-key=stands]")
    told = {}
    for name, page in pages.items():
        page.wait_for_selector(BOX, state="detached")
        page.click("#news .ruling.fault")
        told[name] = (page.inner_text("dialog"), page.locator("[data-key=appeal]").count())
    assert "You appealed, and the table let it stand" in told["Ben"][0]
    assert "Ben appealed, and the table let it stand" in told["Ana"][0]
    assert (told["Ben"][1], told["Ana"][1]) == (0, 1)
