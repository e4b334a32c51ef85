"""What counts as a change of the discard pile, seen from above, in good light and in the dark."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.frame import Image
from referee.paths import shipped
from referee.vision.calibration import load_calibration
from referee.vision.from_above import FromAbove

TABLE = load_calibration(shipped("calibration") / "default.json")
ABOVE = FromAbove(TABLE, TABLE.px_per_mm())
WOOD, YELLOW, WHITE = (105, 150, 185), (60, 175, 205), (235, 235, 235)


def table(light: float, card: bool, noise: float, seed: int, wood: tuple[int, int, int] = WOOD) -> Image:
    """The discard zone with a card of a white border on wood, and a yellow one without a border on that or not."""
    width, height = TABLE.image_size
    picture = np.full((height, width, 3), wood, np.uint8)
    x, y, w, h = TABLE.discard_zone_mm
    middle = np.array([x + w / 2, y + h / 2])
    for at, size, colour in ((-30, 1.0, WHITE), (-30, 0.85, (40, 40, 200)), (30, 1.0, YELLOW))[: 2 + card]:
        half = np.array(TABLE.card_mm) / 2 * size
        corners = TABLE.to_image([middle + (at, 0) + half * s for s in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), colour)
    off = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture * light + off, 0, 255).astype(np.uint8)


def change_cards(before: Image, now: Image) -> float:
    return ABOVE.change_cards(ABOVE.changed(ABOVE.patch(before), ABOVE.patch(now)))


@pytest.mark.parametrize("light", [1.0, 0.6, 0.4, 0.3])
def test_a_yellow_card_on_wood_is_a_change_in_any_light(light: float) -> None:
    assert change_cards(table(light, False, 2.0, 1), table(light, True, 2.0, 2)) > 0.6


@pytest.mark.parametrize("light", [1.0, 0.6, 0.4, 0.3])
def test_a_noisy_camera_changes_nothing(light: float) -> None:
    assert change_cards(table(light, True, 8.0, 1), table(light, True, 8.0, 2)) < 0.005


def test_in_good_light_little_is_no_change() -> None:
    like = tuple(int(level + 15) for level in YELLOW)
    assert change_cards(table(1.0, False, 2.0, 1, YELLOW), table(1.0, False, 2.0, 2, like)) < 0.005
