"""Real browsers over a real session: what phones and screens tell of an evening as it goes on."""

from __future__ import annotations

import pytest
from rooms import CHROMIUM, TELEVISION, Room

from referee.cards import Card, Colour
from referee.events import Correct, Discard, HandDealt, Lift, NameColour, Points, TurnUp, Uno
from referee.health import Pace

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


HIDDEN = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  const seen = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
  return at === document.body || at.closest("#dock, .bar") || at.contains(seen) ? "" : at.outerHTML;
}"""
"""What has the keyboard and is under something else."""


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


def win_hand(evening):
    """The wrong card was another; then they play on until somebody is out, and the points are told."""
    board = evening.session.board()
    evening.say(Correct(ref=board["plays"][0]["ref"], fields={"card": "R9", "sure": True}), "Ben")
    while (board := evening.session.board())["phase"] != "hand_over":
        evening.say(Discard(card=Card.parse(f"R{board['plays'][0]['ref'] % 8 + 1}"), by=board["turn"]))
    loser = next(one["name"] for one in board["players"] if one["name"] != board["winner"])
    evening.say(Points(player=loser, n=20), "Ana")


def test_the_sheet_names_what_it_takes_back_and_brings_it_back(place, evening):
    phone = place.open("/play", name="Ben")
    phone.click("[data-key=undo]")
    assert "Ana: red 7" in phone.inner_text("[data-key=last]")
    assert phone.query_selector("[data-key=redo]") is None
    phone.press("[data-key=last]", "Enter")  # a second click so soon and so near would be a double one
    phone.wait_for_selector("dialog", state="detached")
    assert evening.session.board()["top"] == "R5"
    phone.click("[data-key=undo]")
    assert "First card: red 5" in phone.inner_text("[data-key=last]")
    assert "Ana: red 7" in phone.inner_text("[data-key=redo]")
    phone.press("[data-key=redo]", "Enter")
    phone.wait_for_selector("dialog", state="detached")
    assert evening.session.board()["top"] == "R7"


def test_two_people_who_undo_the_same_thing_take_back_one(place, evening):
    ana, host = place.open("/play", name="Ana"), place.open("/host", host=True)
    ana.click("[data-key=undo]")
    assert "Ana: red 7" in host.inner_text("[data-key=undo]")
    with host.expect_response("**/api/act/undo"), ana.expect_response("**/api/act/undo"):
        host.evaluate("document.querySelector('[data-key=undo]').click()")
        ana.press("[data-key=last]", "Enter")
    board = evening.session.board()
    assert (board["top"], board["turn"]) == ("R5", "Ana")


def test_rulings_of_earlier_hands_stand_below_a_line_and_not_on_the_television(place, evening):
    evening.say(Discard(card=Card.parse("B9"), by="Ben"))
    phone, television = place.open("/play", name="Ben"), place.open("/board", TELEVISION)
    phone.wait_for_selector("#news .ruling.call >> text=blue 9")
    television.wait_for_selector("#news .ruling.call >> text=blue 9")
    assert phone.query_selector(".of-hand") is None
    win_hand(evening)
    evening.say(HandDealt())
    television.wait_for_selector("#news >> text=Nothing to rule on yet.")
    evening.say(TurnUp(card=Card.parse("R5")))
    evening.say(Uno(by="Ben"))
    television.wait_for_selector("#news .ruling")
    assert television.locator("#news .ruling").count() == 1
    lines = phone.locator("#news li").all_inner_texts()
    assert lines[1:2] == ["Hand 1"]
    assert sum(line == "Hand 1" for line in lines) == 1


@pytest.mark.parametrize(("card", "n"), [("R+2", 2), ("W+4", 4)])
def test_who_takes_a_chain_of_draw_cards_says_so_in_one_tap(place, evening, card, n):
    evening.session.start_game(("Ana", "Ben"), "stacked_draws", "Ben", {}, "host")
    evening.say(TurnUp(card=Card.parse("R5")))
    evening.say(Discard(card=Card.parse(card), by="Ana"))
    if n == 4:
        evening.say(NameColour(colour=Colour.BLUE, by="Ana"))
    phone = place.open("/play", name="Ben")
    assert phone.inner_text("[data-key=drew]") == f"I drew {n}"
    with phone.expect_response("**/api/act/drew"):
        phone.click("[data-key=drew]")
    ben = evening.session.board()["players"][1]
    assert (ben["best"], ben["due"], evening.session.board()["pending"]) == (7 + n, [], 0)


def test_everybody_reads_in_one_tap_what_the_table_plays_by(place, evening):
    evening.session.start_game(("Ana", "Ben"), "house_seven_o", "Ben", {"uno_penalty": 4, "hand_size": 5}, "host")
    phone = place.open("/play")  # a spectator
    phone.click("[data-key=rules]")
    phone.wait_for_selector("h2 >> text=House: seven-zero")
    options, values = (phone.locator(f"main > section dl {part}").all_inner_texts() for part in ("dt", "dt + dd"))
    told = dict(zip(options, values, strict=True))
    marked = phone.locator("main > section .special dt").all_inner_texts()
    assert (told["Cards dealt"], told["Missed UNO"], told["Seven-zero"], told["Stacking"]) == ("5", "4", "Yes", "Off")
    assert {"Cards dealt", "Missed UNO", "Seven-zero"} <= set(marked)
    assert "Stacking" not in marked
    phone.click("summary")
    assert phone.locator("details dt").count() > 50
    phone.click(".back")
    phone.wait_for_url("**/play")


@pytest.mark.parametrize(("width", "height"), [(768, 1024), (820, 1180)])
@pytest.mark.parametrize(("path", "last"), [("/play", "#repairs"), ("/board", "#news .ruling")])
def test_ten_players_fit_a_tablet_held_upright(place, evening, path, last, width, height):
    names = ("Ana", "Bartholomäus", "Cleo", "Dana", "Eli", "Finn", "Maximilian", "Hugo", "Ida", "Jo")
    evening.session.start_game(names, "official_108", "Jo", {}, "host")
    evening.say(TurnUp(card=Card.parse("R5")))
    evening.say(Discard(card=Card.parse("B9"), by="Ana"))
    page = place.open(path, (width, height), name="Cleo")
    page.wait_for_selector(last)
    below = "(dock) => (dock ? dock.getBoundingClientRect().top : innerHeight)"
    box = page.locator(last).first.bounding_box()
    assert box["y"] + box["height"] <= page.evaluate(f"({below})(document.querySelector('.dock'))")
    lines = "(names) => names.map((one) => Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).fontSize)))"
    assert set(page.locator(".player .name b").evaluate_all(lines)) == {1}


def test_the_rulings_beside_the_newest_break_no_name(place, evening):
    names = ("Bartholomäus", "Ben", "Cleo", "Dana", "Eli", "Finn", "Maximilian", "Hugo", "Ida", "Jo")
    evening.session.start_game(names, "official_108", "Jo", {}, "host")
    evening.say(TurnUp(card=Card.parse("R5")))
    for card, by in (("B9", names[0]), ("R7", names[0]), ("B8", "Ben")):
        evening.say(Discard(card=Card.parse(card), by=by))
    television = place.open("/board", TELEVISION)
    oldest = television.locator("#news .ruling >> nth=2 >> b", has_text="Bartholomäus")
    broken = """(words) => { const text = document.createRange(), at = words.textContent.indexOf("Bartholomäus");
      text.setStart(words.firstChild, at); text.setEnd(words.firstChild, at + 12);
      return text.getClientRects().length; }"""
    assert oldest.evaluate(broken) == 1


def test_a_tablet_has_room_for_the_way_to_a_name_in_one_line(place):
    chip = place.open("/play", (1280, 800)).locator("#who .chip")
    text = "const all = document.createRange(); all.selectNodeContents(chip); return all.getClientRects().length"
    assert chip.evaluate(f"(chip) => {{ {text} }}") == 1


def test_an_old_wrong_card_does_not_stay_in_front_of_what_came_after(place, evening):
    television = place.open("/board", TELEVISION)
    evening.say(Discard(card=Card.parse("B9"), by="Ben"))
    evening.say(Lift(by="Ben"))
    evening.say(Uno(by="Ana"))
    first = television.locator("#news .ruling").first
    first.locator("text=blue 9").wait_for()
    for card, by in (("R8", "Ben"), ("R9", "Ana"), ("R1", "Ben")):
        evening.say(Discard(card=Card.parse(card), by=by))
    first.locator("text=Ana").wait_for()


def test_after_a_game_the_host_chooses_who_plays_the_next_at_once(place, evening):
    evening.session.start_game(("Ana", "Ben"), "official_108", "Ben", {"target": 1, "hand_size": 2}, "host")
    evening.say(TurnUp(card=Card.parse("R5")))
    for n in range(3):
        evening.say(Discard(card=Card.parse(f"R{n + 1}"), by=("Ana", "Ben")[n % 2]))
    evening.say(Points(player="Ben", n=20), "Ana")
    phone = place.open("/play", name="Ana", host=True)
    phone.click("#actions >> text=New game")
    phone.wait_for_selector("text=Who deals first?")
    assert phone.locator(".seat-list b").all_inner_texts()[:2] == ["Ana", "Ben"]
    phone.click("text=Back to the game that is over")
    phone.wait_for_selector("text=Ana wins the game")
    assert phone.query_selector("text=Pause") is None


@pytest.mark.parametrize("size", [(360, 640), (390, 844)])
def test_every_tool_can_be_tapped_and_seen_by_keyboard_with_text_of_twice_the_size(place, evening, size):
    """Also while a trouble is told, as it is all evening at a table without buttons."""
    evening.session.set_troubles((Pace(4, 60).trouble,))
    phone = place.open("/play", size, name="Ben", locale="de-DE")
    phone.wait_for_selector("#trouble .eye")
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    for key in ("wrong", "missed", "undo", "count"):
        phone.click(f"[data-key={key}]")
        phone.keyboard.press("Escape")
    phone.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    for _ in range(20):
        phone.keyboard.press("Tab")
        assert phone.evaluate(HIDDEN) == ""


def test_a_small_phone_with_large_text_keeps_the_way_back_and_the_margin_of_the_host_page(place):
    page = place.open("/host", (360, 640), host=True, locale="de-DE")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    back, tools = page.locator(".back"), page.locator("main > section").first
    text = "const text = document.createRange(); text.selectNodeContents(link);"
    assert back.evaluate(f"(link) => {{ {text} return text.getClientRects().length; }}") == 1
    box = tools.bounding_box()
    assert box["x"] + box["width"] <= 360 - 20


def test_the_history_gives_a_reading_s_confidence_only_of_what_was_read(place, evening):
    evening.say(Discard(card=Card.parse("R9"), by="Ben", confidence=0.97))
    page = place.open(f"/history/{evening.second}/1")
    said = {row.inner_text().split("\n")[-1]: row for row in page.locator(".steps button").all()}
    shown = {}
    for line, row in said.items():
        row.click()
        shown[line] = page.inner_text(".what")
    assert shown["Ana: red 7"] == "Ana: red 7"  # said by people
    assert shown["Ben: red 9"] == "Ben: red 9 97\u00a0%"


def test_the_history_says_in_words_which_rule_a_ruling_rests_on(place, evening):
    evening.say(Discard(card=Card.parse("B9"), by="Ben"))
    page = place.open(f"/history/{evening.second}/1")
    page.locator(".steps button").last.click()
    assert "Rule: wrong cards, and out of turn" in page.inner_text(".said")


def test_the_figures_of_a_family_of_four_fit_a_phone(place, evening):
    evening.session.start_game(("Mum", "Dad", "Zoé", "Grandma"), "official_108", "Mum", {}, "host")
    for card in ("R5", "R7", "R9", "R1", "R2"):
        evening.say(TurnUp(card=Card.parse(card)) if card == "R5" else Discard(card=Card.parse(card)))
    game = evening.session.board()["game"]
    page = place.open(f"/history/{game}")
    table = page.locator(".wide-table").last
    assert "Grandma" in table.inner_text()
    assert table.evaluate("(e) => e.scrollWidth <= e.clientWidth && !e.classList.contains('stack')")


@pytest.mark.parametrize(("size", "rows"), [((390, 844), True), ((1280, 800), False)])
def test_the_sheet_and_the_figures_of_ten_players_need_no_scrolling_sideways(place, evening, size, rows):
    names = ("Ana", "Bartholomäus", "Clementine", "Dana", "Eli", "Friederike", "Maximilian", "Hugo", "Ida", "Jo")
    evening.session.start_game(names, "official_108", "Jo", {"hand_size": 1}, "host")
    evening.say(TurnUp(card=Card.parse("R5")))
    evening.say(Discard(card=Card.parse("R7"), by="Ana"))
    for name in names[1:]:
        evening.say(Points(player=name, n=3), name)
    page = place.open(f"/history/{evening.session.board()['game']}", size)
    sheet, figures = page.locator(".wide-table").all()
    page.wait_for_selector(".by-hand.stack")
    for table in (sheet, figures):
        assert table.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    assert sheet.locator("td:visible").all_inner_texts()[0] == "27 +27"
    assert sheet.locator("td:visible").count() == 3  # who gained, cards and time
    assert figures.evaluate("(e) => e.classList.contains('stack')") == rows


@pytest.mark.parametrize(
    ("scoring", "line"), [("winner_takes", "Ana 6, Ben 0, Cleo 0"), ("cumulative_low", "Ana 0, Cleo 1, Ben 5")]
)
def test_the_history_names_first_who_is_ahead(place, evening, scoring, line):
    evening.session.start_game(("Ana", "Ben", "Cleo"), "official_108", "Cleo",
                               {"hand_size": 1, "scoring": scoring}, "host")  # fmt: skip
    evening.say(TurnUp(card=Card.parse("R5")))
    evening.say(Discard(card=Card.parse("R7"), by="Ana"))
    for name, points in (("Ben", 5), ("Cleo", 1)):
        evening.say(Points(player=name, n=points), name)
    page = place.open("/history")
    page.wait_for_selector("li:first-child small:nth-of-type(2) >> text=1 hand")
    assert page.inner_text("li:first-child small:nth-of-type(2)").replace("\u00a0", " ").endswith(line)
