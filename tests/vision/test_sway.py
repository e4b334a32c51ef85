"""A camera that sways or vibrates: its pictures lie where the settled one does."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from drawn_table import Knower, Laid, Table

from referee.frame import Image
from referee.observations import Quality
from referee.vision.sway import Sway, moved

PLACES = np.zeros((180, 320), np.uint8)
PLACES[60:110, 90:150], PLACES[60:110, 160:210] = 2, 1


def cloth(pattern: str) -> Image:
    """A table with a card on the discard pile, and the draw pile."""
    rng = np.random.default_rng(3)
    picture = np.full((180, 320, 3), 120, np.uint8)
    if pattern == "woven":
        threads = cv2.GaussianBlur(rng.normal(0, 1, (180, 320, 1)).astype(np.float32), (0, 0), 1.2)
        picture = np.clip(picture + 60 * np.repeat(threads[..., None], 3, 2), 0, 255).astype(np.uint8)
    elif pattern == "striped":
        picture[:, (np.arange(320) // 8) % 2 == 0] = 170
    for x in (110, 175):
        cv2.rectangle(picture, (x, 70), (x + 20, 100), (235, 235, 235), -1)
        cv2.rectangle(picture, (x + 3, 73), (x + 17, 97), (60, 60, 200), -1)
    return cv2.GaussianBlur(picture, (0, 0), 0.7)


def pushed(picture: Image) -> Image:
    """The card on the discard pile lies a little to the right."""
    out = picture.copy()
    out[69:103, 109:133] = moved(picture, 0.8, 0.0)[69:103, 109:133]
    return np.asarray(out, np.uint8)


@pytest.mark.parametrize(
    ("pattern", "hand", "by"),
    [
        ("woven", False, (0.3, 0.0)),
        ("woven", False, (-0.6, 0.4)),
        ("woven", False, (1.4, -1.1)),
        ("woven", True, (0.3, 0.0)),
        ("woven", True, (0.0, -0.9)),
        ("plain", False, (-0.6, 0.4)),  # both piles tell
        ("plain", False, (0.0, -0.9)),
        ("striped", False, (0.8, 0.3)),
    ],
)
def test_a_picture_is_put_where_the_settled_one_is(pattern: str, hand: bool, by: tuple[float, float]) -> None:
    table, sway = cloth(pattern), Sway(PLACES)
    sway.settle(table)
    assert sway.steadied(table, 0.0) is table
    now = moved(table, *by)
    if hand:
        cv2.line(now, (100, 179), (120, 95), (110, 150, 205), 26)
    sway.steadied(now, 0.2)
    assert sway.px == pytest.approx(by, abs=0.1)


@pytest.mark.parametrize(
    ("case", "pattern", "does"),
    [
        ("a card is pushed", "woven", pushed),
        ("... on a plain table", "plain", pushed),
        ("... on a striped table", "striped", pushed),
        ("a lamp is turned down", "woven", lambda picture: cv2.convertScaleAbs(picture, alpha=0.7)),
        ("the camera is knocked far", "woven", lambda picture: moved(picture, 6.0, 3.0)),
    ],
)
def test_what_is_no_sway_is_left_as_it_is(case: str, pattern: str, does: Callable[[Image], Image]) -> None:
    table, sway = cloth(pattern), Sway(PLACES)
    sway.settle(table)
    now = np.asarray(does(table), np.uint8)
    sway.steadied(table, 0.0)
    assert sway.steadied(now, 0.2) is now, case


def test_a_camera_that_stays_aside_was_bumped() -> None:
    table, sway = cloth("woven"), Sway(PLACES)
    sway.settle(table)
    aside = moved(table, 0.8, 0.0)
    times = [n / 15 for n in range(30)]
    seen = [table if t < 0.3 else aside for t in times]
    steadied = [t for t, picture in zip(times, seen, strict=True) if sway.steadied(picture, t) is not picture]
    assert (steadied[0], steadied[-1]) == pytest.approx((1 / 3, 1.27), abs=0.07)


@pytest.mark.parametrize("fps", [15, 30])
def test_cards_land_before_a_camera_that_sways(fps: int) -> None:
    """Arms were seen all over the table, and the second card was missed."""
    table = Table(Knower(finds=True), sway_px=3.0, fps=fps).run(1.0)
    table.reach(Laid("R7", 290, 210)).reach(Laid("G2", 300, 222, 30))
    assert table.said() == ["landed R7", "landed G2"]
    assert Quality.MOVED not in table.states()
