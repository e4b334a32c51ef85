"""A phone and a television in a real browser: what one taps, the other shows."""

from __future__ import annotations

from typing import Any

import pytest
from fake_parts import FakeShows
from fake_table import asking, other_table, over, partners, partners_over, ruling, running, starting, tournament
from rooms import CHROMIUM, PHONE, SMALL_PHONE, TABLET, TELEVISION, Room

from referee.events import (
    Answer,
    Catch,
    Correct,
    Count,
    Discard,
    Draw,
    NameColour,
    Override,
    Pause,
    Points,
    Resume,
    Suggestion,
    Uno,
)
from referee.health import Pace

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


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


def test_the_colour_of_a_wild_is_put_right_in_two_taps(room):
    board = running()
    board["plays"].insert(0, {**board["plays"][0], "ref": 41, "card": "W", "alternatives": []})
    place = room(board)
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=wrong]")
    phone.click("[data-key=recolourG]")
    phone.wait_for_selector("dialog", state="detached")
    assert [(event.ref, event.fields) for event in said(place)] == [(41, {"colour": "G"})]


def test_what_was_typed_wrong_is_said_in_the_language_of_the_page(room):
    spanish = "(input) => input.form.reportValidity() || input.validationMessage"
    host = room(over()).open("/host", locale="es-ES")
    host.click("summary")
    host.fill("#pin", "12")
    assert host.eval_on_selector("#pin", spanish) == "Un PIN tiene de 4 a 6 cifras."
    host.fill("#pin", "1234")
    assert host.eval_on_selector("#pin", "(input) => input.form.checkValidity()")
    phone = room(over()).open("/play", name="Ben", locale="es-ES")
    phone.fill("[data-key=pointsBen]", "-3")
    assert phone.eval_on_selector("[data-key=pointsBen]", spanish) == "De 0 a 999 puntos."


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


def test_a_question_is_shown_with_its_photo_and_answered_by_a_tap(room):
    place = room(asking())
    phone, television = place.open("/play", name="Dana"), place.open("/board", TELEVISION)
    television.wait_for_selector("text=Who played the blue 3?")
    for page in (phone, television):
        assert page.get_attribute("#main .evidence", "src") == "/photo/p40.jpg"
    phone.click(".ask-box >> text=Ben")
    television.wait_for_selector("text=Who played the blue 3?", state="detached")
    assert said(place) == [Answer(question="who_played:40", value="Ben", by="Dana")]


def test_advice_is_reported_in_two_taps(room):
    place = room(running())
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=suggested]")
    phone.click("[data-key=saidCleo]")
    phone.wait_for_selector("dialog", state="detached")
    assert said(place) == [Suggestion(by="Ben", on="Cleo")]
    place.table.change(actions={"Ben": ["uno", "count"]})  # by most rules it costs nothing
    phone.wait_for_selector("[data-key=suggested]", state="detached")


def test_the_size_of_a_hand_is_marked_and_put_right_up_to_25_cards(room):
    board = running()
    board["players"][3].update(count=[16, 16], best=16)
    place = room(board)
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=count]")
    assert phone.locator("dialog [aria-pressed=true]").inner_text() == "5"
    phone.select_option("#count-who", "Dana")
    assert phone.locator("dialog [aria-pressed=true]").inner_text() == "16"
    phone.click("[data-key=size25]")
    phone.wait_for_selector(".toast >> text=Dana holds 25 cards.")
    assert said(place) == [Count(by="Ben", player="Dana", n=25)]
    question = {"id": "how_many:40", "kind": "how_many", "ref": 40, "player": "Dana", "after": 0.0, "options": []}
    place.table.change(question={**question, "text": "How many cards does Dana hold?"})
    phone.click(".ask-box summary")
    phone.click(".ask-box [data-key=size18]")
    phone.wait_for_selector(".ask-box", state="detached")
    assert said(place)[1:] == [Answer(question="how_many:40", value=18, by="Ben")]


def test_a_phone_buzzes_when_it_is_meant_but_does_not_try_before_it_was_tapped(room):
    place = room(running())
    place.table.photos["p50"] = place.table.photos["p40"]
    phone = place.open("/play", name="Ben")
    wrong = ruling(50, "illegal_card", "Ben: red 2 does not match.", tier="call", player="Ben", photo="p50")
    with phone.expect_response("**/photo/p50.jpg"):  # looking into the page would count as a tap
        place.table.change(rulings=[wrong])
    assert place.troubles == []
    phone.click(".phase")
    phone.evaluate("() => { window.buzzed = []; navigator.vibrate = (pattern) => window.buzzed.push(pattern); }")
    place.table.change(rulings=[{**wrong, "id": "51.0", "text": "Ben: red 3 does not match."}])
    phone.wait_for_selector("#news >> text=Ben: red 3 does not match.")
    assert phone.evaluate("window.buzzed") == [[80, 60, 80]]


def test_points_of_the_other_table_are_typed_in(room):
    place = room(other_table())
    phone = place.open("/play", name="Ben")
    phone.fill("[data-key=pointsGia]", "120")
    phone.press("[data-key=pointsGia]", "Enter")
    phone.wait_for_selector(".toast >> text=Gia: 120 points")
    assert said(place) == [Points(by="Ben", player="Gia", n=120)]


def test_what_cannot_be_done_now_is_not_offered(room):
    board = running()
    board["actions"] = {"Ben": ["uno"]}
    phone = room(board).open("/play", name="Ben")
    assert phone.is_enabled("[data-key=uno]")
    assert phone.is_disabled("[data-key=catch]")
    assert phone.locator("#actions button").count() == 0


def test_who_draws_until_a_card_fits_says_so_card_by_card(room):
    board = running()
    board.update(phase="drawn", actions={"Ben": ["pass", "drew"]})
    place = room(board)
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    phone.wait_for_selector(".phase >> text=Draw until a card fits")
    television.wait_for_selector(".phase >> text=Ben draws until a card fits")
    phone.click("[data-key=drew]")
    phone.wait_for_selector("[data-key=drew].done")
    assert said(place) == [Draw(by="Ben", n=1)]
    board["players"][1]["due"] = [{"n": 2, "reason": "uno"}]  # what is offered is to pay what is owed
    place.table.change(players=board["players"])
    phone.wait_for_selector(".phase >> text=You drew: play it or keep it")


@pytest.mark.parametrize("path", ["/play", "/board"])
def test_the_draw_pile_is_told_as_far_as_it_is_known(room, path):
    place = room(running())
    page = place.open(path)
    page.wait_for_selector("#pile >> text=61 left to draw")
    place.table.change(draw_pile=None)
    page.wait_for_selector(".stock", state="detached")


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
    host.click("text=I know the PIN")
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
    new.fill("#code", place.dashboard.code)
    new.press("#code", "Enter")
    new.wait_for_url("**/play")
    new.wait_for_selector("#dock .uno")
    old.wait_for_selector("#dock .uno", state="detached")
    place.troubles.clear()  # the browser reports that the name was taken


ON_TOP = """(line) => { line.style.pointerEvents = 'auto'; const box = line.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === line; }"""


def test_what_is_refused_in_a_sheet_is_said_on_top_of_it(room):
    place = room(running())
    place.open("/play", name="Ben")
    phone = place.open("/", SMALL_PHONE)
    phone.click(".seat >> text=Ben")
    wrong = "0000" if place.dashboard.code != "0000" else "1111"
    phone.fill("#code", wrong)
    phone.press("#code", "Enter")
    assert phone.wait_for_selector(".toast.bad").evaluate(ON_TOP)
    phone.keyboard.press("Escape")
    phone.wait_for_selector("dialog", state="detached")
    assert phone.wait_for_selector(".toast.bad").evaluate(ON_TOP)
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


def test_partners_are_shown_with_what_their_side_has(room):
    place = room(partners())
    for page in (place.open("/play", name="Ben"), place.open("/board", TELEVISION)):
        page.wait_for_selector(".player")
        assert page.locator(".sides li").all_inner_texts() == ["A\nAna + Cleo\n120", "B\nBen + Dana\n85"]
        assert page.locator(".player .team").all_inner_texts() == ["A", "B", "A", "B"]


def test_a_side_wins_together_and_only_the_other_sides_hands_are_counted(room):
    place = room(partners_over(), shows=FakeShows())
    phone, television = place.open("/play", name="Cleo"), place.open("/board", TELEVISION)
    assert phone.locator(".points-list label span").all_inner_texts() == ["Ben ✓ 21", "Dana"]
    television.wait_for_selector(".phase >> text=Ana + Cleo win the hand")
    assert television.locator(".player.won .name").all_inner_texts() == ["Ana", "Cleo"]
    assert television.locator(".badge.counted").all_inner_texts() == ["✓ 21"]


@pytest.mark.parametrize("path", ["/play", "/board", "/host"])
def test_every_screen_says_by_which_rules_and_how_far_the_game_is(room, path):
    page = room(running()).open(path, name="Ben", host=True)
    page.wait_for_selector("text=Hand 2 · Official, 108 cards · to 500")


def test_a_tournament_says_how_far_it_is_and_how_all_stand(room):
    place = room(tournament())
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    for page in (phone, television):
        page.wait_for_selector("text=Table 1 · round 3 of 7 · hand 2 of 4")
        best = page.locator(".standings li").all_inner_texts()[:3]
        assert [line.split("\n")[0].removesuffix("other table").strip() for line in best] == ["Hugo", "Cleo", "Eli"]


def by_phone() -> dict[str, Any]:
    """A table without a camera, on purpose; the blue 3 was entered."""
    board = running()
    board["eye"] = {"state": "lost", "since": 0.0, "detail": "no_camera"}
    board["plays"] = [{**board["plays"][0], "confidence": 1.0, "photo": None}]
    board["rulings"] = [ruling(40, "illegal_card", "Ana: blue 3 does not match.", tier="call", cards=["B3"])]
    return board


def test_without_a_camera_a_card_is_laid_on_the_phone_and_nothing_looks_broken(room):
    place = room(by_phone())
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    for page in (phone, television):
        page.wait_for_selector("#eye .eye.phones >> text=Cards by phone")
        assert "read" not in page.inner_text(".ruling")
    phone.click("[data-key=lay]")
    phone.wait_for_selector("dialog >> text=Which card?")
    phone.click(".picker .colour.B")
    phone.click(".pick svg[aria-label='blue 7']")
    phone.wait_for_selector("dialog", state="detached")
    assert [str(event.card) for event in said(place)] == ["B7"]
    assert "camera" not in place.open("/").inner_text("main")
    assert place.open("/play").locator("[data-key=lay]").count() == 0


def test_a_special_wild_of_the_deck_can_be_named(room):
    board = running()
    board["wilds"] = ["W", "W+4", "WS", "WC"]
    place = room(board)
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=missed]")
    phone.click(".picker .pick svg[aria-label='Wild Swap Hands']")
    phone.wait_for_selector("dialog", state="detached")
    assert [str(event.card) for event in said(place)] == ["WS"]


OVERFLOW = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth;
  const seen = 'button, .chip, .bar select, .badge, .name b, .force, .phase, .count, .score, .ruling, .eye';
  const cut = [...document.querySelectorAll(seen)]
    .filter((e) => e.offsetParent && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'))
    .map((e) => e.className + ': ' + e.textContent);
  const broken = [...document.querySelectorAll('.seat-list b, .standings span, .name b')].filter((e) => {
    const name = document.createRange();
    name.selectNodeContents(e.firstChild);
    return e.offsetParent && !/[ -]/.test(name.toString()) && name.getClientRects().length > 1;
  }).map((e) => e.textContent);
  const high = [...document.querySelectorAll('body > header')].some((e) => e.offsetHeight > innerHeight / 4);
  return { wide, cut, broken, high };
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


def troubled() -> dict[str, Any]:
    """The eye cannot keep up, which takes many words."""
    trouble = Pace(4, 60).trouble
    assert trouble is not None
    return {**running(), "troubles": [trouble.to_json()]}


@pytest.mark.parametrize(
    ("changes", "headline"),
    [
        ({"paused": True}, "Paused"),
        ({}, "Watching"),
        ({"eye": {"state": "dark", "since": 0.0, "detail": ""}}, "Cannot see: too dark, or the light too colourful"),
        ({"eye": {"state": "lost", "since": 0.0, "detail": "not_set_up"}}, "Not set up yet"),
        ({"eye": {"state": "lost", "since": 0.0, "detail": "being_set_up"}}, "Being set up"),
    ],
)
def test_a_trouble_is_no_reason_of_what_the_headline_says(room, changes, headline):
    place = room({**troubled(), **changes})
    for page in (place.open("/play", name="Ben"), place.open("/board", TELEVISION)):
        page.wait_for_selector(".eye")
        assert page.locator(".eye").nth(0).inner_text() == headline
        assert page.locator(".eye.trouble").last.inner_text().startswith("The eye looks at only 4 pictures")


def test_a_host_is_led_to_the_set_up_that_is_missing(room):
    place = room({**running(), "eye": {"state": "lost", "since": 0.0, "detail": "not_set_up"}})
    assert place.open("/play", name="Ben", host=True).get_attribute(".eye a", "href") == "/setup"
    assert place.open("/play", name="Ana").locator(".eye a").count() == 0


@pytest.mark.parametrize(
    ("path", "size", "board", "language"),
    [
        ("/board", TELEVISION, running, "en"),
        ("/board", TELEVISION, ten_players, "de"),
        ("/board", SMALL_PHONE, ten_players, "de"),
        ("/board", TABLET, running, "en"),
        ("/play", PHONE, running, "en"),
        ("/play", SMALL_PHONE, running, "de"),
        ("/play", SMALL_PHONE, ten_players, "es"),
        ("/", SMALL_PHONE, ten_players, "de"),
        ("/host", SMALL_PHONE, ten_players, "es"),
        ("/play", SMALL_PHONE, partners, "de"),
        ("/board", TELEVISION, tournament, "de"),
        ("/board", SMALL_PHONE, tournament, "es"),
        ("/host", SMALL_PHONE, partners, "de"),
        ("/board", TELEVISION, troubled, "de"),
        ("/play", SMALL_PHONE, troubled, "de"),
        ("/board", SMALL_PHONE, starting, "en"),
    ],
)
def test_nothing_is_cut_or_wider_than_the_screen(room, path, size, board, language):
    page = room(board()).open(f"/language/{language}", size, name="Ben", host=path == "/host")
    page.goto(page.url.removesuffix("/") + path)
    assert page.evaluate(OVERFLOW) == {"wide": False, "cut": [], "broken": [], "high": False}


def opening() -> dict[str, Any]:
    """The first card is to be turned up."""
    return {**running(), "phase": "opening", "top": None, "colour": None, "rulings": [], "plays": [], "actions": {}}


def crowded() -> dict[str, Any]:
    """Ten players, a question, and a ruling of many words."""
    board = {**ten_players(), "question": asking()["question"]}
    for item in board["rulings"]:
        item["text"] = "Bartholomäus: green 7 does not match the blue in force. " * 3
    return board


SPILT = """() => [
  ...[...document.querySelectorAll('.join-small')].filter((e) => e.getBoundingClientRect().bottom > innerHeight),
  ...[...document.querySelectorAll('.player')].filter((e) => e.querySelector('.name').offsetHeight > e.clientHeight),
].map((e) => e.textContent)"""


@pytest.mark.parametrize("size", [TELEVISION, (1366, 768), (1280, 720)])
@pytest.mark.parametrize("board", [opening, crowded])
def test_a_television_shows_how_to_join_and_every_name_whole(room, board, size):
    page = room(board()).open("/board", size)
    page.wait_for_selector(".player")
    assert page.evaluate(SPILT) == []


def test_a_tablet_held_upright_shows_all_players_and_what_was_ruled(room):
    page = room(running()).open("/board", (768, 1024))
    page.wait_for_selector(".ruling")
    assert page.eval_on_selector(".ruling", "(e) => e.getBoundingClientRect().top + 48 < innerHeight")


def test_the_board_grows_with_the_television(room):
    page = room(running()).open("/board", (1280, 720))
    page.wait_for_selector(".player")
    small = page.eval_on_selector(".phase", "(e) => e.getBoundingClientRect().height")
    page.set_viewport_size({"width": 3840, "height": 2160})
    large = page.eval_on_selector(".phase", "(e) => e.getBoundingClientRect().height")
    assert 2.5 < large / small < 3.5


@pytest.mark.parametrize("path", ["/play", "/", "/host"])
def test_every_target_is_big_enough_for_a_thumb(room, path):
    page = room(running()).open(path, SMALL_PHONE, name="Ben", host=True)
    page.wait_for_selector("#main button")
    assert page.evaluate(SMALL) == []


def test_on_a_phone_the_board_can_be_made_to_speak_and_a_per_cent_keeps_its_sign(room):
    page = room(running()).open("/board", SMALL_PHONE)
    assert page.wait_for_selector("#voice button").bounding_box()["height"] >= 47.5
    assert "99\u00a0%" in page.text_content(".ruling small")


SPOKEN = """() => {
  window.spoken = [];
  window.speechSynthesis.speak = (words) => window.spoken.push([words.lang, words.text]);
}"""


def test_a_ruling_is_spoken_once_where_the_voice_was_switched_on(room):
    place = room(running())
    phone, silent = place.open("/play", name="Ben"), place.open("/play", name="Ana")
    for page in (phone, silent):
        page.evaluate(SPOKEN)
    phone.click("[data-key=voice]")
    phone.check("dialog .switch:has-text('Voice') input")
    phone.evaluate("window.spoken.length = 0")
    phone.click("dialog >> text=Done")
    for _ in range(2):
        place.table.change(rulings=[ruling(50, "illegal_card", "Ana: red 2 does not match.", tier="call")])
        phone.wait_for_selector("#news >> text=Ana: red 2 does not match.")
    silent.wait_for_selector("#news >> text=Ana: red 2 does not match.")
    assert phone.evaluate("window.spoken") == [["en", "Ana: red 2 does not match."]]
    assert silent.evaluate("window.spoken") == []


def test_every_phone_asks_for_its_own_language_and_speaks_it(room):
    place = room(running())
    phone = place.open("/play", name="Ben", locale="es-ES")
    phone.evaluate(SPOKEN)
    phone.click("[data-key=voice]")
    phone.check("dialog .switch input >> nth=0")
    phone.click("dialog .strong")
    place.table.change(rulings=[ruling(50, "illegal_card", "Ana: el dos rojo no va aquí.", tier="call")])
    phone.wait_for_selector("#news >> text=Ana: el dos rojo no va aquí.")
    assert phone.evaluate("window.spoken.at(-1)") == ["es", "Ana: el dos rojo no va aquí."]
    phone.click("[data-key=voice]")
    phone.click("dialog >> text=Deutsch")
    phone.wait_for_selector("html[lang=de]")
    assert phone.url == place.base + "/play"


def test_after_a_correction_only_the_correction_is_spoken(room):
    board = running()
    place = room(board)
    phone = place.open("/play", name="Ben")
    phone.evaluate(SPOKEN)
    phone.click("[data-key=voice]")
    phone.check("dialog .switch:has-text('Voice') input")
    phone.evaluate("window.spoken.length = 0")
    place.table.change(rulings=[{**board["rulings"][0], "overruled": True}, *board["rulings"][1:]])
    phone.wait_for_selector(".ruling.overruled")
    assert [text for _, text in phone.evaluate("window.spoken")] == [
        "Withdrawn: Ben: green 7 does not match blue. Take it back."
    ]


def test_an_appeal_is_decided_by_the_phones(room):
    place = room(running())
    ben, ana, cleo, television = (
        place.open("/play", name="Ben"), place.open("/play", name="Ana"), place.open("/play", name="Cleo"),
        place.open("/board", TELEVISION),
    )  # fmt: skip
    ben.click("#news .ruling.call")
    ben.click("dialog [data-key=appeal]")
    television.wait_for_selector(".strip >> text=Ben appeals:")
    ana.click("[data-key=overrule]")
    television.wait_for_selector(".strip >> text=To overrule: 2 of 2", state="detached")
    cleo.wait_for_selector(".appeal", state="detached")
    assert [type(event) for event in said(place)] == [Pause, Override, Resume]
