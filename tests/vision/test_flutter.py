"""Light that moves all the time is no motion; light that moves for a moment, and things, are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import blades

from referee.frame import Image
from referee.vision.flutter import Flutter
from referee.vision.light import Mask

FPS = 15


def table(t: float) -> Image:
    """A grey table under a ceiling fan at t seconds."""
    return np.repeat((150 * (1 - 0.2 * blades(t))).astype(np.uint8)[..., None], 3, 2)


def differs(one: Image, other: Image) -> Mask:
    return np.asarray(cv2.subtract(cv2.absdiff(one, other).max(2), np.full((180, 320), 3, np.uint8)), np.uint8)


def last(seconds: float, still_s: float = 0.0, thing: bool = False) -> tuple[Mask, Mask]:
    """What moves, and what is left of that, on the last frame of so many seconds of moving shadows, after which the
    light rests for a while, but for one frame. thing: a hand comes on that frame."""
    flutter, before, times = Flutter(0.5, 14.0), table(0.0), [n / FPS for n in range(1, round(seconds * FPS))]
    for t in times:
        now = table(t)
        flutter.without(differs(before, now), before, now, None, t)
        before = now
    t = seconds + still_s
    now, things = table(t), np.zeros((180, 320), np.uint8)
    if thing:
        cv2.rectangle(now, (40, 120), (80, 179), (110, 150, 205), -1)
        things[120:, 40:81] = 255
    moved = differs(before, now)
    return moved, flutter.without(moved, before, now, things, t)


@pytest.mark.parametrize(
    ("case", "seconds", "still_s", "least", "most"),
    [
        ("a fan", 3.0, 0.0, 0.0, 0.1),
        ("somebody leans over the table", 0.4, 0.0, 1.0, 1.0),
        ("the fan was turned off a while ago", 3.0, 4.0, 1.0, 1.0),
    ],
)
def test_light_that_moves_all_the_time_is_no_motion(
    case: str, seconds: float, still_s: float, least: float, most: float
) -> None:
    moved, kept = last(seconds, still_s)
    assert least <= cv2.countNonZero(kept) / cv2.countNonZero(moved) <= most, case


def test_a_hand_under_a_fan_moves() -> None:
    moved, kept = last(3.0, thing=True)
    assert (kept[120:, 40:81] == moved[120:, 40:81]).all()
