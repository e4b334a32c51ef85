"""Hands of the table's own colour, known by their hem; and what has none, or is no hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.frame import Image
from referee.vision.hem import hemmed
from referee.vision.light import Mask

SHAPE = (180, 320)
GREY = 70.0


def wood(seed: int = 3) -> Image:
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 90, SHAPE), (0, 0), sigmaX=12, sigmaY=1.5)
    return noisy(np.repeat((GREY + grain)[..., None], 3, 2) * [0.6, 0.8, 1.0], seed)


def noisy(picture: np.ndarray, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 1.5, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def drawn(*ways: tuple[tuple[int, int], tuple[int, int]], wide: int = 34) -> Mask:
    mask = np.zeros(SHAPE, np.uint8)
    for start, end in ways:
        cv2.line(mask, start, end, 255, wide)
    return mask


def with_skin(table: Image, hand: Mask) -> Image:
    """The table with a hand of its own brightness and colour, darker where it bends away from the lamp."""
    bend = np.clip(cv2.distanceTransform(hand, cv2.DIST_L2, 5) / 4, 0, 1)[..., None]
    skin = np.array([0.6, 0.8, 1.0]) * GREY * (0.7 + 0.3 * bend)
    return noisy(np.where(hand[..., None] > 0, skin, table), 9)


def found(table: Image, now: Image) -> Mask:
    """What is known by its hem alone: nothing of it counts as seen."""
    differs = np.asarray((cv2.blur(cv2.absdiff(table, now).max(2), (3, 3)) > 8) * 255, np.uint8)
    return hemmed(table, now, differs, np.zeros(SHAPE, np.uint8))


def test_a_hand_of_the_tables_colour_is_known_by_its_hem() -> None:
    table, hand = wood(), drawn(((60, 179), (150, 80)))
    arms = found(table, with_skin(table, hand))
    core = cv2.erode(hand, np.ones((7, 7), np.uint8)) > 0
    assert (arms[core] > 0).mean() > 0.95
    assert (arms[cv2.dilate(hand, np.ones((9, 9), np.uint8)) == 0] > 0).mean() < 0.001


def soft_shadow() -> tuple[Image, Image]:
    table = wood()
    depth = cv2.GaussianBlur(drawn(((60, 179), (150, 80))).astype(np.float32), (0, 0), 9)[..., None] / 255
    return table, noisy(table * (1 - 0.4 * depth), 9)


def deep_shadow() -> tuple[Image, Image]:
    """Somebody's head under the lamp, that reaches over the edge: of its rim, a part was known for a hand's hem."""
    table = noisy(np.full((*SHAPE, 3), 150.0), 3)
    depth = cv2.GaussianBlur(drawn(((60, 179), (150, 80)), wide=90).astype(np.float32), (0, 0), 6)[..., None] / 255
    return table, noisy(table * (1 - 0.6 * depth), 9)


def card() -> tuple[Image, Image]:
    table = wood()
    return table, with_skin(table, drawn(((130, 90), (160, 90))))


def stripes() -> tuple[Image, Image]:
    across = np.sin(np.arange(SHAPE[1]) / 4.0) > 0
    striped = np.repeat(np.where(across, 120.0, 60.0)[None, :, None].repeat(SHAPE[0], 0), 3, 2)
    return noisy(striped, 3), noisy(np.roll(striped, 1, 1), 9)


def stripes_in_less_light() -> tuple[Image, Image]:
    """A cloud comes, the camera trembles, and the stripes on both sides of the draw pile have a hem, like all."""
    down = np.sin(np.arange(SHAPE[0]) / 6.0) > 0
    table = np.repeat(np.where(down, 170.0, 90.0)[:, None, None].repeat(SHAPE[1], 1), 3, 2)
    now = np.roll(table, 1, 0) * 0.88
    table[60:105, 90:120] = now[60:105, 90:120] = (30, 60, 60)
    return noisy(table, 3), noisy(now, 9)


def nothing() -> tuple[Image, Image]:
    table = wood()
    return table, noisy(table, 9)


@pytest.mark.parametrize(
    "case", [soft_shadow, deep_shadow, card, stripes, stripes_in_less_light, nothing],
    ids=["a soft shadow", "a deep one", "a thing away from the edge", "a striped table that trembles",
         "... in less light", "noise"],
)  # fmt: skip
def test_what_is_no_hand_has_no_hem_from_the_edge(case) -> None:
    assert not found(*case()).any()
