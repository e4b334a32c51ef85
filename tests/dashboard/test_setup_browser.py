"""The wizard in a real browser, by touch, over a real camera process, from an unknown table to one that is watched; axe
looks at every step."""

from __future__ import annotations

import json

import pytest
from fake_parts import FakeSetUp
from fake_table import EMPTY
from rooms import CHROMIUM, PHONE, SMALL_PHONE, violations
from set_up_camera import show, with_mat
from setup_walk import Walk, host_page, new_table

from referee.vision.calibration import load_calibration

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]

WIDE = "() => document.documentElement.scrollWidth > innerWidth"
SMALL = """() => [...document.querySelectorAll('button, a, select, input, summary')]
  .filter((e) => e.offsetParent && e.type !== 'radio').map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.height < 47.5 || box.width < 47.5).map(([box, e]) => e.outerHTML.slice(0, 80))"""

THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"


@pytest.mark.parametrize(("size", "locale"), [(SMALL_PHONE, "de-DE"), (PHONE, "en-GB")])
def test_a_host_sets_a_table_up_from_a_phone(browser, tmp_path, axe, size, locale):
    with new_table(tmp_path) as (service, pins):
        first = size == PHONE  # from the very first phone to the first ruling
        page, base = host_page(browser, service, size, locale, known=not first)
        page.emulate_media(reduced_motion="reduce")  # no contrast is measured while a button changes its colour
        troubles, shots = [], []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda line: line.type == "error" and troubles.append(line.text))

        def shot(name: str) -> None:
            shots.append(name)
            assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (False, []), name
            page.evaluate(THEME, "light" if size == PHONE else "dark")
            assert violations(page, axe) == [], name

        file = tmp_path / "data" / "calibration.json"
        walk = Walk(page, base, tmp_path, pins, shot)
        if first:
            walk.become_host(service.code)
        walk.to_the_table()
        assert not file.exists()
        walk.corners()
        walk.mat()
        walk.at("3")
        found = load_calibration(file)
        walk.piles()
        walk.at("4")
        moved = load_calibration(file)
        dx = moved.discard_zone_mm[0] - found.discard_zone_mm[0]
        assert -14 / size[0] * 780 * 1.3 < dx < -14 / size[0] * 780 * 0.7
        assert moved.draw_zone_mm == found.draw_zone_mm
        walk.seats()
        walk.at("5")
        assert [seat.number for seat in load_calibration(file).seats] == [1, 2, 3, 4, 5]
        walk.cards()
        walk.buttons()
        walk.rules()
        assert json.loads((tmp_path / "data" / "rules.json").read_text()) == {
            "preset": "house_party", "options": {"hand_size": 5},
        }  # fmt: skip
        assert service.set_up.ready
        assert len(shots) == 11
        if first:
            walk.first_ruling()
            ruling = page.inner_text("#news .ruling:is(.call, .ask) b")
            assert "blue 7" in ruling, ruling
        page.context.close()
        assert troubles == []


def test_a_phone_that_is_no_host_is_asked_for_the_pin(browser, tmp_path):
    with new_table(tmp_path) as (service, _):
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{service.server.port}/setup")
        page.click("text=I know the PIN")
        page.fill("#pin", service.pin)
        page.press("#pin", "Enter")
        page.wait_for_selector(".steps")
        context.close()


def test_things_on_the_picture_are_moved_by_keyboard(browser, tmp_path):
    with new_table(tmp_path) as (service, _):
        page, base = host_page(browser, service, PHONE)
        page.set_default_timeout(120_000)
        page.goto(f"{base}/setup")
        page.click(".steps button:nth-child(2)")
        page.click("[data-key=corners]")
        page.wait_for_selector(".view svg:not([hidden]) .handle")
        before = page.get_attribute(".handle:nth-child(1)", "transform")
        page.focus(".handle:nth-child(1)")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Shift+ArrowUp")
        x, y = (float(v) for v in before[10:-1].split())
        assert page.get_attribute(".handle:nth-child(1)", "transform") == f"translate({x - 3:.1f} {y - 20:.1f})"
        page.context.close()


def test_the_referee_goes_on_at_once_when_the_host_leaves_the_set_up(browser, tmp_path, monkeypatch):
    monkeypatch.setattr("referee.setting_up.LEASE_S", 3600.0)  # so that only the page itself can have ended it
    with new_table(tmp_path) as (service, _):
        page, base = host_page(browser, service, PHONE)
        page.set_default_timeout(120_000)
        page.goto(f"{base}/setup")
        page.wait_for_selector(".view svg:not([hidden])")
        assert service.session.board()["eye"]["detail"] == "being_set_up"
        page.goto(f"{base}/play")
        page.wait_for_selector("#eye >> text=Not set up yet")
        page.context.close()


@pytest.mark.parametrize(("locale", "words"), [("en-GB", "The camera mirrors"), ("es-ES", "en un espejo")])
def test_a_camera_that_mirrors_is_told_beside_its_picture(browser, tmp_path, locale, words):
    with new_table(tmp_path) as (service, pins):
        page, base = host_page(browser, service, SMALL_PHONE, locale)
        Walk(page, base, tmp_path, pins, lambda name: None).to_the_table()
        show(tmp_path, with_mat(), mirrored=True)
        page.wait_for_selector(f".advice li >> text={words}")
        assert page.is_disabled("[data-key=use]")
        assert not page.evaluate(WIDE)
        show(tmp_path, with_mat())
        page.wait_for_selector("[data-key=use]:not([disabled])")
        assert page.locator(f"text={words}").count() == 0
        page.context.close()


def test_the_last_step_lists_what_was_passed_over_and_leads_there(room):
    page = room({**EMPTY, "eye": {**EMPTY["eye"], "detail": "no_camera"}}, set_up=FakeSetUp()).open("/setup", host=True)
    page.wait_for_selector(".set-buttons li")
    page.click(".steps button:nth-child(3)")
    assert page.locator(".left-out button").all_inner_texts() == ["The buttons", "Deck and rules"]
    page.click("[data-key=to-rules]")
    page.click("[data-key=keep]")
    page.wait_for_selector(".left-out")
    assert page.locator(".left-out button").all_inner_texts() == ["The buttons"]
    page.reload()
    page.wait_for_selector(".steps button.ok:nth-child(2)")


@pytest.mark.parametrize("width", [360, 390, 412, 430, 459])
def test_all_eight_steps_are_in_sight_on_a_phone_each_of_a_fingers_size(room, width):
    page = room(EMPTY, set_up=FakeSetUp()).open("/setup", (width, 740), host=True)
    page.wait_for_selector(".steps button:nth-child(8)")
    assert page.locator(".steps").evaluate("(steps) => steps.scrollWidth <= steps.clientWidth")
    assert (page.evaluate(WIDE), page.evaluate(SMALL)) == (False, [])
