"""A game of eight phones and a television at a simulated table, in real browsers and with the real eye.

The service runs as on a Pi: a camera process watches the rendered table, buttons are pressed on mock pins, everything
else is tapped. `python tests/e2e/club_evening.py` plays the whole game, and keeps a picture of every view at four sizes
in docs/screens; the test plays its first acts.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stage import Stage, StageCamera

from referee.app import Plan, Service
from referee.cards import Card
from referee.demo.evening import calibrated, seat_pins
from referee.events import Discard, Draw, TurnUp
from referee.hardware.buttons import ButtonPlan
from referee.hardware.gpio import mock_factory
from referee.health import Supervision
from referee.rules import card_name
from referee.virtual_table import VirtualButtons

NAMES = ("Ana", "Ben", "Cleo", "Dana", "Eli", "Finn", "Gia", "Hugo")
SIZES = {"360x740": (360, 740), "390x844": (390, 844), "820x1180": (820, 1180), "1920x1080": (1920, 1080)}
PHONE = SIZES["390x844"]
SCREENS = Path(__file__).resolve().parents[2] / "docs" / "screens"
HAND_SIZE, TARGET = 3, 150
OPTIONS = {"hand_size": HAND_SIZE, "target": TARGET}
STACK = 108 - HAND_SIZE * len(NAMES)

PATIENCE_S = 60.0
"""A busy machine is slow, and nothing waits longer than it must."""

Picture = Callable[[str, Any], None]


class Table:
    """The service over the stage. put_right: how many cards of shown hands people had to name."""

    def __init__(self, folder: Path) -> None:
        self.stage = Stage(folder / "cue", NAMES, STACK)
        calibration, make_eye = calibrated(self.stage.table())
        self._pins, self._factory = seat_pins(len(NAMES)), mock_factory()
        self._plan = Plan(
            data=folder / "data", open_camera=partial(StageCamera, self.stage.file), calibration=calibration,
            make_eye=make_eye, buttons=tuple(ButtonPlan(pin, seat) for seat, pin in self._pins.items()),
            factory=self._factory, host="127.0.0.1", port=0, streams=20,
            supervision=Supervision(heartbeat_limit_s=PATIENCE_S, start_limit_s=PATIENCE_S),
        )  # fmt: skip
        self.put_right = 0
        self._start()

    def _start(self) -> None:
        self.service = Service(self._plan)
        self._buttons = VirtualButtons(self._pins, self._factory, 1)
        self.session, self.code = self.service.session, self.service.code
        self.base = f"http://127.0.0.1:{self.service.server.port}"

    def restart(self) -> None:
        """The service is stopped, and started again at the same address."""
        self._plan = replace(self._plan, port=self.service.server.port)
        self.close()
        self._start()

    def lands(self, card: str, by: str) -> None:
        """A card is laid on the discard pile, and the eye has seen it."""
        before = self._seen(Discard, TurnUp)
        self.stage.lays(by, card)
        self.until(lambda: self._seen(Discard, TurnUp) > before, f"{by}'s {card} was not seen")
        event = max((one for one in self.session.entries() if one.author == "eye"), key=lambda one: one.number).event
        read, sure = (getattr(event, field, None) for field in ("card", "sure"))
        print(f"{by} lays {card}; the eye: {read}{'' if sure else ', not sure'}", flush=True)

    def drawn(self, by: str, n: int) -> None:
        """Cards leave the draw pile, and the eye has seen that."""
        before = self._seen(Draw)
        self.stage.draws(by, n)
        self.until(lambda: self._seen(Draw) > before, f"{by}'s {n} from the draw pile were not seen")

    def press(self, name: str) -> None:
        """The UNO button of a seat goes down."""
        self._buttons.press(NAMES.index(name) + 1)

    def watches(self) -> None:
        """Waits until the eye sees the pile."""
        self.until(lambda: self.session.board()["eye"]["state"] == "clear", "the eye does not watch")

    def until(self, true: Callable[[], bool], else_: str) -> None:
        """Waits until it is true."""
        end = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end, f"{else_}: {self.session.board()['eye']}"
            time.sleep(0.05)

    def _seen(self, *kinds: type) -> int:
        return sum(isinstance(entry.event, kinds) and entry.author == "eye" for entry in self.session.entries())

    def close(self) -> None:
        self.service.close()


class Phones:
    """Eight phones and a television."""

    def __init__(self, browser: Any, table: Table) -> None:
        self._browser, self._table = browser, table
        self.troubles: list[str] = []
        self.host = self._open("/host", PHONE)
        self.television = self._open("/board", SIZES["1920x1080"])
        self.of: dict[str, Any] = {}

    def _open(self, path: str, size: tuple[int, int]) -> Any:
        viewport = {"width": size[0], "height": size[1]}
        context = self._browser.new_context(viewport=viewport, locale="en-GB", color_scheme="dark")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(self._table.base + path)
        return page

    def start(self) -> None:
        """The first phone becomes host by the code on the big screen, and starts a game of short hands."""
        self.host.fill("#first-code", self.television.locator(".code").inner_text().split()[-1])
        self.host.fill("#first-pin", "2468")
        self.host.press("#first-pin", "Enter")
        self.host.wait_for_selector("#add")
        game = {"players": NAMES, "preset": "official_108", "dealer": "Hugo", "options": OPTIONS}
        answer = self.host.request.post(f"{self._table.base}/api/game", data=game, headers={"Origin": self._table.base})
        assert answer.ok, answer.text()

    def join(self, name: str) -> None:
        """A phone takes its seat, or takes it over."""
        page = self._open("/", PHONE)
        page.click(f".seat[data-key='{name}']")
        if name in self.of:
            page.fill("#code", self._table.code)
            page.press("#code", "Enter")
        page.wait_for_url("**/play")
        page.wait_for_selector("#dock .uno")
        self.of[name] = page

    def lose(self, name: str) -> None:
        """A phone falls into the tea."""
        self.of[name].context.close()

    def calls_uno(self, name: str) -> None:
        """Every other player hits the button of the table, the rest tap it on the phone."""
        self.of[name].wait_for_selector("[data-key=uno]:enabled")
        if NAMES.index(name) % 2:
            self._table.press(name)
        else:
            self.of[name].click("[data-key=uno]")
        self.of[name].wait_for_selector(f"#news >> text={name} called UNO")

    def close(self) -> None:
        """Switches everything off."""
        for page in (self.host, self.television, *self.of.values()):
            page.context.close()


def named(cards: Iterable[str]) -> Counter[str]:
    """Cards as the pages name them."""
    return Counter(card_name(Card.parse(card)) for card in cards)


def take_hand(table: Table, page: Any, cards: Sequence[str], before_taking: Callable[[], None]) -> None:
    """The hand lies under the camera; what it misread is put right by taps, then the hand is taken."""
    table.stage.shows(cards)
    put_right(table, page, named(cards))
    before_taking()
    put_right(table, page, named(cards))
    page.click("dialog [data-key=take]:enabled")
    page.wait_for_selector("dialog", state="detached")
    table.stage.shows(())
    table.watches()


def put_right(table: Table, page: Any, wanted: Counter[str]) -> None:
    """Waits until the hand is read, and names the cards that were not, or not rightly."""
    end = time.monotonic() + PATIENCE_S
    while (read := page.evaluate(READ)) is None:
        assert time.monotonic() < end, "the hand is never read"
        page.wait_for_timeout(200)
    while Counter(read) != wanted:
        table.put_right += 1
        if extra := Counter(read) - wanted:
            page.click(f"dialog .shown .pick >> nth={read.index(next(iter(extra)))}")
            page.click("[data-key=or]")
        else:
            missing = next(iter(wanted - Counter(read)))
            page.click("dialog .shown >> text=Add a card")
            colour = missing.partition(" ")[0]
            if colour in ("red", "yellow", "green", "blue"):
                page.click(f".picker .colour.{colour[0].upper()}")
            page.click(f".picker .pick svg[aria-label='{missing}']")
        page.wait_for_selector(".picker", state="detached")
        read = page.evaluate(READ) or []


READ = """() => {
  const shown = document.querySelector("dialog .shown");
  const picks = [...(shown?.querySelectorAll(".pick") ?? [])].map((one) => one.ariaLabel.replace("Change ", ""));
  return picks.length && !shown.textContent.includes("Hold still.") ? picks : null;
}"""
"""The cards of the hand as the page names them, null while the camera still looks."""


# --- the acts ---------------------------------------------------------------------------------------------------------


def sitting_down(table: Table, phones: Phones, picture: Picture) -> None:
    """Eight phones take their seats, and the first cards are played."""
    picture("lobby", phones.television)
    phones.start()
    for name in NAMES:
        phones.join(name)
    table.watches()
    table.lands("R5", "Hugo")
    table.lands("R7", "Ana")


def a_wild_and_a_correction(table: Table, phones: Phones, picture: Picture) -> None:
    """A wild, and its colour on the phone of the one who played it. A green 3 then stands for a blue 3 that the family
    has lost: the referee calls it, and three taps put it right."""
    of = phones.of
    table.lands("W", "Ben")
    of["Ben"].wait_for_selector(".act.colour.B")
    picture("wild", of["Ben"])
    of["Ben"].click(".act.colour.B")
    phones.television.wait_for_selector(".force.B")
    table.lands("G3", "Cleo")
    phones.television.wait_for_selector(".ruling.fault >> text=Cleo")
    of["Cleo"].click("[data-key=wrong]")
    of["Cleo"].wait_for_selector(".pick svg[aria-label='blue 3']")
    picture("correct", of["Cleo"])
    of["Cleo"].click(".pick[type=button] >> css=svg[aria-label='blue 3']")
    of["Cleo"].wait_for_selector("dialog", state="detached")
    phones.television.wait_for_selector(".phase >> text=Dana’s turn")


def an_appeal(table: Table, phones: Phones, picture: Picture) -> None:
    """A wrong card, an appeal, and a vote that lets it stand."""
    of = phones.of
    table.lands("G9", "Dana")
    of["Dana"].click("#news .ruling.call >> nth=0")
    of["Dana"].wait_for_selector("dialog [data-key=appeal]")
    picture("ruling", of["Dana"])
    of["Dana"].click("dialog [data-key=appeal]")
    phones.television.wait_for_selector(".strip.ask")
    picture("appeal", of["Ana"])
    picture("appeal-tv", phones.television)
    for name in ("Ana", "Ben", "Cleo", "Eli"):
        of[name].click("[data-key=overrule]")
    phones.television.wait_for_selector(".strip.ask", state="detached")


def a_challenge(table: Table, phones: Phones, picture: Picture) -> None:
    """A Wild Draw Four, challenged; Eli lays the hand before the camera. Only Finn sees it: it holds a green card."""
    of = phones.of
    table.lands("W+4", "Eli")
    of["Eli"].click(".act.colour.R")
    of["Finn"].wait_for_selector("[data-key=challenge]")
    picture("challenge", of["Finn"])
    of["Finn"].click("[data-key=challenge]")
    of["Eli"].wait_for_selector("[data-key=show]")
    of["Finn"].click("[data-key=show]")

    def before_judging() -> None:
        picture("challenge-hand", of["Finn"])
        of["Eli"].click("[data-key=show]")
        of["Eli"].wait_for_selector("dialog >> text=Only Finn sees these cards.")
        picture("challenge-hidden", of["Eli"])

    take_hand(table, of["Finn"], ("G2", "B5"), before_judging)
    phones.television.wait_for_selector(".badge.due >> text=draws 4")
    of["Eli"].wait_for_selector("dialog", state="detached")
    assert not [entry for entry in table.session.entries() if entry.event.ev == "show"], "the hand was written down"
    table.drawn("Eli", 4)
    phones.television.wait_for_selector(".badge.due", state="detached")


def a_catch(table: Table, phones: Phones, picture: Picture) -> None:
    """A missed UNO call, and a catch."""
    of = phones.of
    for card, name in (("R1", "Finn"), ("R2", "Gia"), ("R4", "Hugo"), ("R6", "Ana")):
        table.lands(card, name)
    of["Cleo"].wait_for_selector("[data-key=catch]:enabled")
    picture("exposed", of["Cleo"])
    picture("exposed-tv", phones.television)
    of["Cleo"].click("[data-key=catch]")
    phones.television.wait_for_selector(".badge.due")
    table.drawn("Ana", 2)


def a_lost_phone(table: Table, phones: Phones, picture: Picture) -> None:
    """A phone is lost and another takes its seat."""
    phones.lose("Ben")
    phones.join("Ben")


def a_restart(table: Table, phones: Phones, picture: Picture) -> None:
    """The referee is started again in mid-hand: every screen shows the truth again by itself."""
    screens = (phones.television, *phones.of.values())
    for page in screens:
        page.evaluate("window.loadedOnce = true")
    table.restart()
    table.watches()
    phones.of["Ana"].click("[data-key=pause]")
    for page in screens:
        page.wait_for_selector("#eye .paused")
    picture("paused", phones.of["Cleo"])
    phones.of["Ana"].click("[data-key=pause]")
    for page in screens:
        page.wait_for_selector("#eye .watching")
        assert page.evaluate("window.loadedOnce"), "a page had to be loaded again"


def the_end_of_the_hand(table: Table, phones: Phones, picture: Picture) -> None:
    """UNO by button and by phone, and Ben goes out."""
    for card, name in (("R8", "Ben"), ("R9", "Cleo"), ("R3", "Dana"), ("R0", "Eli"), ("R5", "Finn"), ("R7", "Gia"),
                       ("R2", "Hugo"), ("R1", "Ana")):  # fmt: skip
        if name not in ("Eli", "Ana"):
            phones.calls_uno(name)
        table.lands(card, name)
    table.lands("R6", "Ben")
    phones.of["Ana"].wait_for_selector(".points-list")
    picture("hand-over", phones.of["Ana"])
    picture("hand-over-tv", phones.television)


FIRST_HANDS = {"Ana": ("Y3", "G0"), "Cleo": ("Y5",), "Dana": ("BS",), "Eli": ("G2", "B5", "Y7", "G4", "B1"),
               "Finn": ("Y2",), "Gia": ("G6",), "Hugo": ("W",)}  # fmt: skip
"""What is left when Ben goes out: 105 points."""


def scoring_by_camera(table: Table, phones: Phones, picture: Picture) -> None:
    """Seven hands, one after the other, before the camera."""
    for name, cards in FIRST_HANDS.items():
        phones.of["Ana"].click(f"[data-key='show{name}']")
        shown = partial(picture, "count-hand", phones.of["Ana"]) if name == "Eli" else lambda: None
        take_hand(table, phones.of["Ana"], cards, shown)
    phones.of["Ana"].wait_for_selector("[data-key=next]")
    scores = {player["name"]: player["score"] for player in table.session.board()["players"]}
    assert scores == {**dict.fromkeys(NAMES, 0), "Ben": 105}, scores


def undo_across_hands(table: Table, phones: Phones, picture: Picture) -> None:
    """The next hand, undone across its beginning, and one hand's points with it; typed in, and dealt again."""
    ana = phones.of["Ana"]
    ana.click("[data-key=next]")
    ana.wait_for_selector(".phase >> text=Turn up the first card")
    ana.click("[data-key=undo]")
    picture("undo", ana)
    ana.click("dialog >> text=Undo the last thing")
    ana.wait_for_selector("[data-key=next]")
    ana.click("[data-key=undo]")
    ana.click("dialog >> text=Undo the last thing")
    ana.wait_for_selector("[data-key=pointsHugo]")
    ana.fill("[data-key=pointsHugo]", "50")
    ana.press("[data-key=pointsHugo]", "Enter")
    ana.click("[data-key=next]")
    ana.wait_for_selector(".phase >> text=Turn up the first card")


SECOND_HANDS = {"Ana": 9, "Cleo": 50, "Dana": 1, "Eli": 2, "Finn": 3, "Gia": 5, "Hugo": 4}
"""Points that are left when Ben goes out again."""


def the_second_hand(table: Table, phones: Phones, picture: Picture) -> None:
    """Shuffled, dealt and played to the end of the game; points are typed in."""
    table.stage.gathers("Ana", STACK)
    table.watches()
    order = (*NAMES[1:], NAMES[0])
    table.lands("G5", "Ana")
    for card, name in zip(("G7", "G1", "G8", "G2", "G6", "G4", "G9", "G3"), order, strict=True):
        table.lands(card, name)
    for card, name in zip(("G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8"), order, strict=True):
        phones.calls_uno(name)
        table.lands(card, name)
    table.lands("G9", "Ben")
    ana = phones.of["Ana"]
    for name, n in SECOND_HANDS.items():
        ana.fill(f"[data-key='points{name}']", str(n))
        ana.press(f"[data-key='points{name}']", "Enter")
        ana.wait_for_selector(f".toast >> text={name}: {n}")
    phones.television.wait_for_selector(".phase >> text=Ben wins the game")
    picture("game-over", phones.of["Ben"])
    picture("game-over-tv", phones.television)


ACTS: tuple[Callable[[Table, Phones, Picture], None], ...] = (
    sitting_down, a_wild_and_a_correction, an_appeal, a_challenge, a_catch, a_lost_phone, a_restart,
    the_end_of_the_hand, scoring_by_camera, undo_across_hands, the_second_hand,
)  # fmt: skip


def keep(name: str, page: Any) -> None:
    """A picture of the view at every size."""
    before = page.viewport_size
    for label, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=str(SCREENS / f"club-{name}-{label}.jpg"), type="jpeg", quality=70)
    page.set_viewport_size(before)


def afterwards(table: Table, phones: Phones) -> None:
    """Pictures of the pages that are not part of the game."""
    game = table.session.games()[-1].number
    pages = {
        "join": "/", "host": "/host", "history": "/history", "history-game": f"/history/{game}",
        "replay": f"/history/{game}/1",
    }  # fmt: skip
    for name, path in pages.items():
        phones.host.goto(table.base + path)
        phones.host.wait_for_selector("#main :is(section, .lead):visible")
        phones.host.wait_for_load_state("networkidle") if name == "history-game" else phones.host.wait_for_timeout(1500)
        keep(name, phones.host)


def main() -> None:
    """Plays it, and keeps the pictures."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium",
                                         args=["--no-sandbox"])  # fmt: skip
        table = Table(Path(folder))
        try:
            phones = Phones(browser, table)
            for act in ACTS:
                began = time.monotonic()
                act(table, phones, keep)
                print(f"--- {act.__name__}: {time.monotonic() - began:.0f} s", flush=True)
            afterwards(table, phones)
            browser.close()
        finally:
            table.close()
        print(f"cards of shown hands put right by people: {table.put_right}")
        assert not phones.troubles, phones.troubles


if __name__ == "__main__":
    main()
