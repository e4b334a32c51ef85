"""The light of now on the picture of before: what a deep shadow takes, on much of it or little, is not the lamp's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.frame import Image
from referee.vision.lamp import relit

HIGH, WIDE = 180, 320


def table() -> Image:
    """A wooden table with a red card, noise on both."""
    picture = np.full((HIGH, WIDE, 3), (95, 140, 175), np.float64)
    cv2.rectangle(picture, (20, 60), (60, 120), (60, 70, 230), -1)
    return np.clip(picture + np.random.default_rng(7).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def shaded(picture: Image, share: float, lamp: float = 1.0) -> Image:
    """The picture in so many times the light, with a shadow that leaves 0.45 of it on the right `share`."""
    across = np.clip((np.arange(WIDE) - (1 - share) * WIDE) / 24 + 0.5, 0, 1)
    return np.clip(picture * (lamp * (1 - 0.55 * across))[None, :, None], 0, 255).round().astype(np.uint8)


@pytest.mark.parametrize("lamp", [0.85, 1.0, 1.1])
@pytest.mark.parametrize("share", [0.3, 0.45, 0.5, 0.55, 0.65])
@pytest.mark.parametrize("comes", [False, True])
def test_the_light_is_that_of_what_lies_in_no_shadow(comes: bool, share: float, lamp: float) -> None:
    bare = table()
    before, now = (bare, shaded(bare, share, lamp)) if comes else (shaded(bare, share), shaded(bare, 0.0, lamp))
    expected = relit(before, now)
    clear = slice(0, round((1 - share) * WIDE) - 24)
    assert cv2.absdiff(expected[:, clear], now[:, clear]).mean() < 3


@pytest.mark.parametrize("lamp", [0.5, 0.7, 1.3])
def test_a_lamp_that_changes_everywhere_is_followed(lamp: float) -> None:
    bare = table()
    now = np.clip(bare * lamp, 0, 255).astype(np.uint8)
    assert cv2.absdiff(relit(bare, now), now).mean() < 2


@pytest.mark.parametrize("cloth", [(200, 45, 4), (3, 30, 190), (2, 4, 170)])
def test_the_light_on_a_cloth_in_one_strong_colour_is_that_of_the_colours_it_has(cloth: tuple[int, int, int]) -> None:
    """The white balance drifts: red becomes stronger, blue weaker."""
    bare = np.clip(np.random.default_rng(3).normal(cloth, 2, (HIGH, WIDE, 3)), 0, 255).astype(np.uint8)
    now = np.clip(bare * np.array([0.87, 1.0, 1.1]), 0, 255).astype(np.uint8)
    assert cv2.absdiff(relit(bare, now), now).mean() < 1.5
