"""The first part of docs/first-game.md, walked in the checkout it lies in: `python tests/e2e/first_walk.py` starts
`./run demo`, joins as a phone, waits for the first ruling, and puts it right. It prints the seconds since the start and
keeps the pictures docs/screens/first-*.jpg."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "docs" / "screens"
PATIENCE_MS = 300_000
RULING = "#news .ruling:is(.call, .ask)"


def walk(browser: Any, base: str, began: float) -> None:
    def after(what: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {what}", flush=True)

    def keep(page: Any, name: str) -> None:
        page.wait_for_timeout(500)
        page.screenshot(path=str(SCREENS / f"first-{name}.jpg"), type="jpeg", quality=80)

    phone = browser.new_context(viewport={"width": 360, "height": 740}, locale="en-GB", color_scheme="dark").new_page()
    television = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en-GB").new_page()
    phone.set_default_timeout(PATIENCE_MS)
    phone.goto(base)
    phone.wait_for_selector(".seat")
    after("names to choose from")
    keep(phone, "1-join")
    phone.click(".seat >> nth=0")
    phone.wait_for_selector("#pile svg.face")
    after("the first card on the phone")
    keep(phone, "2-play")
    television.goto(f"{base}/board")
    phone.wait_for_selector(RULING)
    after("the first ruling: " + phone.inner_text(f"{RULING} b >> nth=0"))
    phone.click(f"{RULING} >> nth=0")
    keep(phone, "3-ruling")
    keep(television, "4-board")
    phone.click("dialog .x")
    phone.click("[data-key=wrong]")
    phone.wait_for_timeout(800)  # a person looks first, and a second tap at once is half of a double tap
    phone.click("dialog .pick[type=button]:not(.mini) >> nth=0")
    phone.wait_for_selector(".toast >> text=Corrected")
    after("a card put right")
    phone.click("[data-key=undo]")
    phone.wait_for_timeout(800)
    phone.click("dialog >> text=Undo the last thing")
    phone.wait_for_selector(".toast >> text=Undone")
    after("and undone")


def main() -> None:
    from playwright.sync_api import sync_playwright

    chromium = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
    began = time.monotonic()
    demo = subprocess.Popen(
        [ROOT / "run", "demo"], cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert demo.stderr is not None
        address = next(line for line in demo.stderr if line.startswith("Open ")).split()[1]
        print(f"{time.monotonic() - began:6.0f} s  Open {address}", flush=True)
        with sync_playwright() as driver:
            walk(driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"]), address, began)
    finally:
        os.killpg(demo.pid, signal.SIGTERM)
        demo.wait()


if __name__ == "__main__":
    main()
