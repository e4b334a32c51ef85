"""A host's walk through the wizard with a finger. `python tests/dashboard/setup_walk.py` takes the pictures of it that
are in docs/screens; the test drives the same walk."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import set_up_camera
from rooms import CHROMIUM, PHONE, SMALL_PHONE, TABLET, TELEVISION

from referee.app import Plan, Service
from referee.hardware.buttons import ButtonPlan
from referee.hardware.gpio import mock_factory
from referee.health import Supervision

WAIT_MS = 120_000
BUTTONS = (ButtonPlan(17, None), ButtonPlan(27, 2))
SCREENS = Path(__file__).resolve().parents[2] / "docs" / "screens"


class Walk:
    """One host's phone at one table. shot(name) is called where a picture is worth taking."""

    def __init__(self, page: Any, base: str, folder: Path, pins: Any, shot: Callable[[str], object]) -> None:
        self.page, self.base, self.folder, self.pins, self.shot = page, base, folder, pins, shot
        page.set_default_timeout(WAIT_MS)

    def key(self, name: str) -> None:
        """Taps the button with that key."""
        self.page.click(f"[data-key={name}]")

    def at(self, step: str) -> None:
        """Waits until the step with that number is shown."""
        self.page.wait_for_selector(f".steps button:nth-child({step})[aria-current=step]")

    def drag(self, selector: str, dx: float, dy: float) -> None:
        """Drags a handle on the picture, in pixels of the screen."""
        self.page.wait_for_selector(f".view svg:not([hidden]) {selector}")
        self.page.locator(".view").scroll_into_view_if_needed()
        box = self.page.locator(f"{selector} .grip").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + dx / 2, y + dy / 2)
        self.page.mouse.move(x + dx, y + dy)
        self.page.mouse.up()

    def to_the_table(self) -> None:
        self.page.goto(f"{self.base}/setup")
        self.at("1")
        self.page.wait_for_selector(".advice .good")
        self.shot("camera")
        self.key("next")
        self.at("2")
        self.page.wait_for_selector(".advice li")
        self.shot("no-mat")

    def corners(self) -> None:
        self.key("corners")
        for number, by in enumerate(((-20, -12), (22, -8), (20, 14), (-18, 12)), 1):
            self.drag(f".handle.corner:nth-child({number})", *by)
        self.shot("corners")
        self.key("mat")

    def mat(self) -> None:
        set_up_camera.show(self.folder, set_up_camera.with_mat())
        self.page.wait_for_selector(".view .mark >> nth=5", state="attached")
        self.page.wait_for_selector("[data-key=use]:not([disabled])")
        self.shot("mat")
        self.key("use")

    def piles(self) -> None:
        self.at("3")
        self.drag(".handle:nth-child(1)", -14, 6)
        self.shot("piles")
        self.key("keep")

    def seats(self) -> None:
        self.at("4")
        self.key("more")
        self.drag(".handle.seat:nth-child(2)", 8, -30)
        self.shot("seats")
        self.key("keep")

    def cards(self) -> None:
        self.at("5")
        set_up_camera.show(self.folder, set_up_camera.with_cards())
        self.page.wait_for_selector(".read-cards li:nth-child(12)")
        self.shot("cards")
        set_up_camera.show(self.folder, set_up_camera.bare())  # as people do, and long before a game begins
        self.key("next")

    def buttons(self) -> None:
        self.at("6")
        self.page.wait_for_selector(".set-buttons li")
        for plan in BUTTONS:
            pin = self.pins.pin(plan.pin)
            pin.drive_low()
            self.page.wait_for_selector(f".set-buttons li:nth-child({BUTTONS.index(plan) + 1}).ok")
            pin.drive_high()
        self.shot("buttons")
        self.key("next")

    def rules(self) -> None:
        self.at("7")
        self.page.check("input[value=house_party]")
        self.shot("rules")
        self.page.click("details summary")
        self.page.select_option("#option-hand_size", label="5")
        self.page.locator(".option.changed").scroll_into_view_if_needed()
        self.shot("options")
        self.key("keep")
        self.at("8")
        self.page.wait_for_selector("a[href='/host'].act")
        self.page.wait_for_selector("a[href='/deck'].act")
        assert self.page.query_selector(".left-out") is None
        self.shot("done")

    def become_host(self, code: str) -> None:
        """The first phone ever scans the code of the big screen and chooses a PIN."""
        self.page.goto(f"{self.base}/?c={code}")
        self.page.click(".unready a")
        self.page.fill("#first-pin", "2468")
        self.page.press("#first-pin", "Enter")
        self.page.click("a[href='/setup']")
        self.at("1")

    def first_ruling(self) -> None:
        """From the end of the wizard to the first card that does not go."""
        self.page.click("a[href='/host'].act")
        for name in ("Ana", "Ben"):
            self.page.fill("#add", name)
            self.page.press("#add", "Enter")
        self.page.click(".start .strong")
        self.page.wait_for_url("**/play")
        self.page.wait_for_selector("#eye .watching")
        set_up_camera.show(self.folder, set_up_camera.pile("R5"))
        first = self.page.locator("#pile .face[aria-label='red 5']")
        asked = self.page.locator(".choices.which_card [data-key=qR5]")
        first.or_(asked).first.wait_for()
        if asked.is_visible():  # it lay there before the eye had seen the bare table
            asked.click()
            first.wait_for()
        set_up_camera.show(self.folder, set_up_camera.pile("R5 B7"))
        self.page.wait_for_selector("#pile .face[aria-label='blue 7'], #news .ruling:is(.call, .ask)")

    def whole(self) -> None:
        """Every step once."""
        self.to_the_table()
        self.corners()
        self.mat()
        self.piles()
        self.seats()
        self.cards()
        self.buttons()
        self.rules()


@contextmanager
def new_table(folder: Path) -> Iterator[tuple[Service, Any]]:
    """A service over a bare table that nobody has set up; its picture lies in `folder`. With its mock pins."""
    set_up_camera.show(folder, set_up_camera.bare())
    pins = mock_factory()
    plan = Plan(
        data=folder / "data", open_camera=partial(set_up_camera.SetUpCamera, str(folder)), buttons=BUTTONS,
        supervision=Supervision(heartbeat_limit_s=60.0, start_limit_s=120.0), factory=pins, host="127.0.0.1", port=0,
    )  # fmt: skip
    with Service(plan) as service:
        yield service, pins


def host_page(
    browser: Any, service: Service, size: tuple[int, int], locale: str = "en-GB", known: bool = True
) -> tuple[Any, str]:
    """A page with a touch screen, and the address. known: it is the host's."""
    base = f"http://127.0.0.1:{service.server.port}"
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, locale=locale, color_scheme="dark", has_touch=True)
    if known:
        context.request.post(f"{base}/api/host", data={"pin": service.pin}, headers={"Origin": base})
    return context.new_page(), base


def main() -> None:
    """Takes the pictures."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for size, other, locale in ((SMALL_PHONE, TABLET, "de-DE"), (PHONE, TELEVISION, "en-GB")):
            with tempfile.TemporaryDirectory() as name, new_table(Path(name)) as (service, pins):
                page, base = host_page(browser, service, size, locale)

                def shot(name: str, page: Any = page, sizes: Any = (other, size)) -> None:
                    for width, height in sizes:
                        page.set_viewport_size({"width": width, "height": height})
                        page.wait_for_timeout(400)
                        file = SCREENS / f"setup-{name}-{width}x{height}.jpg"
                        page.screenshot(path=str(file), type="jpeg", quality=70)

                Walk(page, base, Path(name), pins, shot).whole()
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
