"""What an undo takes back is said before it is tapped, and two people who tap at once take back one thing."""

from __future__ import annotations

import pytest
from rooms import CHROMIUM, Room

from referee.cards import Card
from referee.events import Discard, TurnUp

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


@pytest.fixture
def place(browser, evening):
    """The second game of the evening: a red 5 was turned up, and Ana laid a red 7."""
    evening.say(TurnUp(card=Card.parse("R5")))
    evening.say(Discard(card=Card.parse("R7"), by="Ana"))
    room = Room(browser, evening)
    yield room
    troubles = list(room.troubles)
    room.close()
    assert troubles == []


def test_the_sheet_names_what_it_takes_back_and_brings_it_back(place, evening):
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=undo]")
    assert "Ana: red 7" in phone.inner_text("[data-key=last]")
    assert phone.query_selector("[data-key=redo]") is None
    phone.click("[data-key=last]")
    phone.wait_for_selector("dialog", state="detached")
    assert evening.session.board()["top"] == "R5"
    phone.click("[data-key=undo]")
    assert "First card: red 5" in phone.inner_text("[data-key=last]")
    assert "Ana: red 7" in phone.inner_text("[data-key=redo]")
    phone.click("[data-key=redo]")
    phone.wait_for_selector("dialog", state="detached")
    assert evening.session.board()["top"] == "R7"


def test_two_people_who_undo_the_same_thing_take_back_one(place, evening):
    ana, host = place.open("/play", name="Ana"), place.open("/host", host=True)
    ana.click("[data-key=undo]")
    assert "Ana: red 7" in host.inner_text("[data-key=undo]")
    with host.expect_response("**/api/act/undo"), ana.expect_response("**/api/act/undo"):
        host.evaluate("document.querySelector('[data-key=undo]').click()")
        ana.click("[data-key=last]")
    board = evening.session.board()
    assert (board["top"], board["turn"]) == ("R5", "Ana")
