"""Things that come to rest on the table while people play on."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from drawn_table import TABLE

from referee.frame import Frame, Image
from referee.vision.light import Mask
from referee.vision.resting import ABSORB_INSIDE_S, ABSORB_S, Resting
from referee.vision.scene import Scene

FPS = 15
WIDTH, HEIGHT = TABLE.image_size
HAND = (120, 150, 200)
SHEET = (225, 232, 235)


@cache
def _cloth() -> Image:
    noise = np.random.default_rng(7).normal(0, 3, (HEIGHT, WIDTH, 1))
    image = np.clip(noise + (96, 120, 88), 0, 255).astype(np.uint8)
    image[: HEIGHT // 5, : WIDTH // 4] //= 2
    return image


def cloth() -> Image:
    return _cloth().copy()


def beside() -> tuple[int, int]:
    """A place right of the piles, pixels."""
    zones = [TABLE.discard_zone_mm, TABLE.draw_zone_mm]
    x, y = max(x + w for x, _, w, _ in zones) + 70, min(y for _, y, _, _ in zones) + 60
    u, v = TABLE.to_image([(x, y)])[0]
    return round(u), round(v)


def arm(image: Image, number: int) -> None:
    """Somebody who is there every other second, far from that place."""
    if number // FPS % 2:
        cv2.line(image, (0, HEIGHT // 2), (120, HEIGHT // 2 + number % FPS), HAND, 50)


@pytest.mark.parametrize(("lies_s", "things"), [(8, 0), (1, 1)], ids=["a sheet that lies there", "one just put down"])
def test_a_sheet_of_paper_is_a_part_of_the_table_soon_though_somebody_moves(lies_s: int, things: int) -> None:
    scene, (u, v) = Scene(TABLE), beside()
    for number in range(FPS * (4 + lies_s) + 1):
        now = cloth()
        if number >= 4 * FPS:
            cv2.rectangle(now, (u - 60, v - 80), (u + 60, v + 80), SHEET, -1)
        arm(now, number)
        scene.look(Frame(now, number, number / FPS), True)
    mask = scene._mask
    seen = 0 if mask is None else cv2.countNonZero(mask[:, round(mask.shape[1] * (u - 60) / WIDTH) :])
    assert (seen > 0) == bool(things)


def test_the_place_of_a_sheet_that_has_gone_is_bare_table_soon() -> None:
    scene, (u, v), after = Scene(TABLE), beside(), list[float]()
    for number in range(FPS * 10):
        now = cloth()
        if number < 5 * FPS:
            cv2.rectangle(now, (u - 60, v - 80), (u + 60, v + 80), SHEET, -1)
        arm(now, number)
        look = scene.look(Frame(now, number, number / FPS), True)
        if number >= 5 * FPS and not look.active:
            after.append(number / FPS - 5)
    assert min(after) < 3.0


def test_an_arm_that_moves_is_never_a_part_of_the_table() -> None:
    scene = Scene(TABLE)
    x, y, w, h = TABLE.discard_zone_mm
    u, v = (round(c) for c in TABLE.to_image([(x + w / 2, y + h / 2)])[0])
    for number in range(FPS * 12):
        now = cloth()
        if number >= 4 * FPS:
            sway = round(14 * np.sin(number / FPS * 5))
            cv2.line(now, (u, HEIGHT), (u + sway, v + 40), HAND, 60)
        look = scene.look(Frame(now, number, number / FPS), True)
    assert look.arms


SMALL = (60, 80)
"""Height and width of the small picture in the tests below."""


def differs(before: Image, now: Image) -> Mask:
    return np.asarray(np.where(cv2.absdiff(before, now).max(axis=2) > 20, 255, 0), np.uint8)


def lies(box: tuple[int, int, int, int], seconds: float, over_pile: float) -> bool:
    """Whether a thing that came at such a place, x, y, width and height, lies there after so long, of which a share
    reaches over a pile."""
    x, y, w, h = box
    table = np.full((*SMALL, 3), 90, np.uint8)
    part = np.zeros(SMALL, np.uint8)
    part[y : y + h, x : x + w] = 255
    beside = np.full(SMALL, 255, np.uint8)
    beside[y : y + h, x : x + round(w * over_pile)] = 0
    there = table.copy()
    there[part > 0] = HAND
    resting = Resting(differs, beside)
    resting.look(table, -0.1, None)
    for t in (0.0, 0.1, seconds):  # the second look shows that it rests, from the first one on
        resting.look(there, t, None)
    return resting.lies(part, part, table)


INSIDE = (20, 15, 40, 30)


@pytest.mark.parametrize("box", [(0, 15, 40, 30), (20, 0, 40, 30), (40, 15, 40, 30), (20, 30, 40, 30)])
def test_what_reaches_the_edge_of_the_picture_must_rest_longer_for_it_may_be_an_arm(
    box: tuple[int, int, int, int],
) -> None:
    assert lies(INSIDE, ABSORB_INSIDE_S + 0.1, 0.0)
    assert not lies(INSIDE, ABSORB_INSIDE_S - 0.1, 0.0)
    assert not lies(box, ABSORB_S - 0.1, 0.0)
    assert lies(box, ABSORB_S + 0.1, 0.0)


@pytest.mark.parametrize(
    ("box", "over_pile", "part_of_the_table"),
    [(INSIDE, 0.3, True), (INSIDE, 0.5, False), ((20, 0, 40, 30), 0.2, True), ((20, 0, 40, 30), 0.3, False)],
)
def test_what_reaches_far_over_a_pile_is_no_part_of_the_table_however_long_it_rests(
    box: tuple[int, int, int, int], over_pile: float, part_of_the_table: bool
) -> None:
    assert lies(box, 20.0, over_pile) == part_of_the_table


@pytest.mark.parametrize(("over_pile", "longer"), [(0.1, 1.0), (0.15, 1.25), (0.2, 1.67)])
def test_the_farther_it_reaches_over_a_pile_from_the_edge_the_longer_it_must_rest(
    over_pile: float, longer: float
) -> None:
    """A box that just touched the zone of a pile was somebody's hand there for as long as it lay."""
    assert not lies((20, 0, 40, 30), longer * ABSORB_S - 0.1, over_pile)
    assert lies((20, 0, 40, 30), longer * ABSORB_S + 0.1, over_pile)
