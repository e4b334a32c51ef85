"""When the eye rests: which of the frames of a Pi camera are worth a look."""

from __future__ import annotations

import numpy as np
import pytest

from referee.frame import Frame
from referee.hardware.motion import REST_S, STILL_S, MotionGate

FPS = 16.0
RNG = np.random.default_rng(5)


def frame(number: int, grey: np.ndarray | None) -> Frame:
    return Frame(np.zeros((8, 8, 3), np.uint8), number, number / FPS, grey)


def table(*, hand: bool = False, noise: float = 0.0) -> np.ndarray:
    """The grey plane of a table; hand: a fingertip over it."""
    grey = np.full((360, 640), 120.0)
    if hand:
        grey[100:110, 300:312] = 160.0
    return np.clip(grey + RNG.normal(0.0, noise, grey.shape), 0, 255).astype(np.uint8)


def looks(greys: list[np.ndarray | None]) -> list[bool]:
    gate = MotionGate()
    return [gate.wants(frame(number, grey)) for number, grey in enumerate(greys)]


def test_a_camera_without_a_grey_plane_is_looked_at_always() -> None:
    assert all(looks([None] * 100))


@pytest.mark.parametrize("noise", [0.0, 6.0], ids=["clean", "noisy"])
def test_a_table_at_rest_is_looked_at_now_and_then(noise: float) -> None:
    still = round(STILL_S * FPS)
    said = looks([table(noise=noise) for _ in range(still + 40)])
    assert all(said[:still])
    assert sum(said[still:]) == 40 / (REST_S * FPS)


def test_a_fingertip_is_looked_at_in_the_frame_in_which_it_comes() -> None:
    said = looks([table()] * 45 + [table(hand=True)] + [table(hand=True)] * 30)
    assert said[45]
    assert all(said[45 : 45 + round(STILL_S * FPS)])


def test_another_size_is_another_picture() -> None:
    assert looks([table()] * 45 + [table()[:180]])[45]
