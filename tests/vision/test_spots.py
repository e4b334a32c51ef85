"""Deep shadows all over the table, all the time, are told from people's hands and from what lies there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_table import Laid, Table

from referee.frame import Frame
from referee.observations import CardLanded, CardsDrawn, Quality
from referee.vision.light import Mask
from referee.vision.spots import Spots

FPS = 15


def empty() -> Mask:
    return np.zeros((180, 320), np.uint8)


def leaves(n: int) -> Mask:
    """Twelve shadows, which sway: a fifth of the picture."""
    shadows = empty()
    for number in range(12):
        at = (40 + 70 * (number % 4) + round(10 * np.sin(n / 5)), 30 + 60 * (number // 4))
        cv2.circle(shadows, at, 18, 255, -1)
    return shadows


def small_leaves(n: int) -> Mask:
    """The same, nearer to the sun: a twentieth of the picture."""
    return np.asarray(cv2.erode(leaves(n), np.ones((19, 19), np.uint8)), np.uint8)


def hands(n: int) -> Mask:
    """Four people have their arms over the table: a fifth of the picture."""
    arms = empty()
    for x in (20, 100, 180, 260):
        cv2.rectangle(arms, (x, 90 + n % 5), (x + 36, 179), 255, -1)
    return arms


def crumbs(n: int) -> Mask:
    """Somebody leans over the table, and there is noise all over it."""
    leaning = empty()
    cv2.rectangle(leaning, (0, 0), (140, 179), 255, -1)
    leaning[::9, 150::9] = 255
    return leaning


@pytest.mark.parametrize(
    ("case", "differs", "seconds", "there"),
    [
        ("leaves", leaves, 6.0, True),
        ("a cloud's hole", leaves, 1.0, False),
        ("small leaves", small_leaves, 6.0, False),
        ("hands", hands, 6.0, False),
        ("who leans over it, and noise", crumbs, 6.0, False),
    ],
)  # fmt: skip
def test_deep_shadows_all_over(case: str, differs: Callable[[int], Mask], seconds: float, there: bool) -> None:
    spots = Spots()
    for n in range(round(seconds * FPS)):
        spots.see(differs(n), n / FPS)
    assert spots.there is there, case


def test_they_are_forgotten_in_even_light() -> None:
    spots = Spots()
    for n in range(round(6.0 * FPS)):
        spots.see(leaves(n), n / FPS)
    for n in range(round(6.0 * FPS), round(11.0 * FPS)):
        spots.see(None, n / FPS)
    assert not spots.there


class UnderLeaves(Table):
    """The drawn table, from two seconds on with shadows that take three quarters of the light."""

    def frame(self) -> Frame:
        frame = super().frame()
        if frame.t < 2.0:
            return frame
        light = 1 - 0.75 * cv2.GaussianBlur(leaves(frame.seq), (0, 0), 1.5) / 255
        dim = np.asarray(cv2.resize(light.astype(np.float32), (1280, 720)), np.float32)
        return replace(frame, image=(frame.image * dim[..., None]).astype(np.uint8))


def test_no_card_is_sure_and_nobody_has_drawn_under_leaves() -> None:
    table = UnderLeaves().run(1.0).reach(Laid("R7", 290, 210)).run(4.5).reach(Laid("G2", 300, 222, 30))
    assert table.states() == [Quality.CLEAR, Quality.GLARE]
    landed = [(one.reading.notation, one.sure) for one in table.out if isinstance(one, CardLanded)]
    assert landed[:2] == [("R7", True), ("G2", False)]
    assert not any(sure for _, sure in landed[2:])
    assert not any(isinstance(one, CardsDrawn) for one in table.out)
