"""A lens that hunts for its focus is waited for; one that stays out of focus is how it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import FPS, Laid, Table

from referee.frame import Image
from referee.vision.focus import HUNT_S, Change, Focus


def pile(blur: float = 0.0) -> Image:
    """A card from above, in focus or not."""
    patch = np.full((300, 280, 3), 120, np.uint8)
    cv2.rectangle(patch, (90, 80), (190, 230), (235, 235, 235), -1)
    cv2.rectangle(patch, (105, 95), (175, 215), (40, 40, 200), -1)
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), blur or 0.7), np.uint8)


def strips() -> Image:
    """Nothing but narrow strips from above."""
    patch = np.full((300, 280, 3), 120, np.uint8)
    for y in range(20, 280, 12):
        cv2.rectangle(patch, (20, y), (260, y + 3), (235, 235, 235), -1)
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.5), np.uint8)


HUNTS, CHANGED, NONE = Change.HUNTS, Change.CHANGED, Change.NONE


@pytest.mark.parametrize(
    ("looks", "changes"),
    [
        # seconds and blur of each look after a sharp one
        ([(1.0, 0.0), (2.0, 0.0)], [NONE, NONE]),
        ([(1.0, 3.0), (1.5, 5.0), (1.9, 0.0)], [HUNTS, HUNTS, NONE]),
        ([(1.0, 5.0), (1.0 + HUNT_S, 5.0), (3.0, 5.0), (4.0, 0.0)], [HUNTS, CHANGED, NONE, CHANGED]),
        ([(1.0, 5.0), (1.5, 0.0), (2.0, 5.0), (2.1 + HUNT_S, 0.0)], [HUNTS, NONE, HUNTS, NONE]),
    ],
)
def test_a_softer_picture_is_another_focus_once_it_has_lasted(
    looks: list[tuple[float, float]], changes: list[Change]
) -> None:
    focus = Focus()
    assert focus.look(pile(), 0.0, known=True) is NONE
    assert [focus.look(pile(blur), t, known=True) for t, blur in looks] == changes


def test_a_card_upon_narrow_strips_is_not_waited_for() -> None:
    focus = Focus()
    focus.look(strips(), 0.0, known=True)
    assert focus.look(pile(), 1.0, known=True) is NONE


def test_of_an_empty_table_nothing_is_told() -> None:
    focus = Focus()
    assert [focus.look(pile(blur), t, known=False) for t, blur in ((0.0, 0.0), (1.0, 5.0))] == [NONE, NONE]
    assert not focus.blurred


@pytest.mark.parametrize("blur", [3.0, 7.0])
def test_a_card_that_is_laid_while_the_lens_hunts_is_read_once_it_has_found_its_focus(blur: float) -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.blur = blur
    table.run(1 / FPS)
    table.arm_mm = 300.0
    table.run(2 / FPS)
    table.knower.laid.append(Laid("G2", 300, 222, 30))
    table.arm_mm = 380.0
    table.run(1 / FPS)
    table.arm_mm = None
    assert table.run(0.5).said() == ["landed R7"]
    table.blur = 0.0
    assert table.run(0.7).said() == ["landed R7", "landed G2"]
