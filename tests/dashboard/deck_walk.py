"""A host shows a deck to the camera with a phone. `python tests/dashboard/deck_walk.py` takes the pictures of it that
are in docs/screens."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import set_up_camera
from rooms import CHROMIUM, PHONE, SMALL_PHONE, TABLET, TELEVISION
from setup_walk import SCREENS, WAIT_MS, host_page

from referee.app import Plan, Service
from referee.cards import Card
from referee.health import Supervision
from referee.virtual_table.set_up import Pose, SetUpTable


def lay(folder: Path, *cards: str) -> None:
    """Cards side by side where the camera in `folder` looks; none: the bare table."""
    laid = tuple((Card.parse(card), Pose((330.0 + 110.0 * i, 210.0), 4.0)) for i, card in enumerate(cards))
    set_up_camera.show(folder, SetUpTable(set_up_camera.LOOK, cards=laid))


@contextmanager
def deck_table(
    folder: Path, watched: Supervision = Supervision(heartbeat_limit_s=60.0, start_limit_s=120.0)
) -> Iterator[Service]:
    """A service over a bare table; its picture lies in `folder`, its data in `folder`/data."""
    lay(folder)
    plan = Plan(
        data=folder / "data", open_camera=partial(set_up_camera.SetUpCamera, str(folder)), host="127.0.0.1", port=0,
        supervision=watched,
    )  # fmt: skip
    with Service(plan) as service:
        yield service


class Walk:
    """One host's phone at one table. shot(name) is called where a picture is worth taking."""

    def __init__(self, page: Any, base: str, folder: Path, shot: Callable[[str], object]) -> None:
        self.page, self.base, self.folder, self.shot = page, base, folder, shot
        page.set_default_timeout(WAIT_MS)

    def key(self, name: str) -> None:
        """Taps the button with that key."""
        self.page.click(f"[data-key='{name}']")

    def says(self, text: str) -> None:
        """Waits until that is said of the card."""
        self.page.wait_for_selector(f".wanted .say >> text={text}")

    def seen(self, n: int) -> None:
        """Waits until so many faces were seen."""
        self.page.wait_for_selector(f".far b >> text=/^{n} /")

    def show(self, *cards: str) -> None:
        """Lays each card alone, after the one before was taken."""
        for card in cards:
            lay(self.folder, card)
            self.page.wait_for_selector(f".all-faces .seen[data-key='{card}']")

    def begin(self) -> None:
        self.page.goto(f"{self.base}/deck")
        self.page.wait_for_selector("[data-key=begin]")
        self.shot("begin")
        self.key("begin")
        self.says("lay it below the camera")

    def bad_looks(self) -> None:
        lay(self.folder, "R0", "G4")
        self.says("one card at a time")
        lay(self.folder, "B8")
        self.says("this looks like blue 8; leave it there if it is red 0")
        self.shot("other")
        lay(self.folder)
        self.says("lay it below the camera")

    def some(self) -> None:
        self.show("R0")
        self.page.wait_for_selector(".wanted.got")
        self.shot("took")
        self.show("R1", "R2")
        self.key("skip")
        self.page.wait_for_selector(".wanted >> text=red 4")
        self.show("R4")

    def learn(self) -> None:
        self.key("finish")
        self.page.wait_for_selector("progress:not([hidden])")
        self.shot("learning")
        self.page.wait_for_selector(".gain")
        self.shot("learned")


def main() -> None:
    """Takes the pictures."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for size, other in ((SMALL_PHONE, TABLET), (PHONE, TELEVISION)):
            with tempfile.TemporaryDirectory() as name, deck_table(Path(name)) as service:
                page, base = host_page(browser, service, size)

                def shot(name: str, page: Any = page, sizes: Any = (other, size)) -> None:
                    for width, height in sizes:
                        page.set_viewport_size({"width": width, "height": height})
                        page.wait_for_timeout(200)
                        file = SCREENS / f"deck-{name}-{width}x{height}.jpg"
                        page.screenshot(path=str(file), type="jpeg", quality=70)

                walk = Walk(page, base, Path(name), shot)
                walk.begin()
                walk.bad_looks()
                walk.some()
                walk.learn()
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
