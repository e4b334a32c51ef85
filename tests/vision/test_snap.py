"""Corners put right by a card's size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.snap import is_off, snapped

CARD_PX = (78.0, 122.0)
INKS = ((40, 40, 210), (60, 170, 60))


def card(x: float, y: float, angle: float, size: tuple[float, float] = CARD_PX) -> np.ndarray:
    w, h = size
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]])
    return (corners + (x, y)).astype(np.float32)


def table(*cards: np.ndarray) -> np.ndarray:
    """Cards with a white border on a grey cloth, the last on top."""
    image = np.full((300, 300, 3), 110, np.uint8)
    for quad, ink in zip(cards, INKS, strict=True):
        middle = quad.mean(0)
        cv2.fillConvexPoly(image, np.rint(quad).astype(np.int32), (235, 235, 235))
        cv2.fillConvexPoly(image, np.rint((quad - middle) * 0.86 + middle).astype(np.int32), ink)
    return cv2.GaussianBlur(image, (3, 3), 0)


@pytest.mark.parametrize("angle", [-40.0, 0.0, 12.0, 75.0])
@pytest.mark.parametrize("side", range(4))
def test_a_side_that_reaches_beyond_the_card_comes_back_to_its_edge(angle: float, side: int) -> None:
    below, above = card(110, 125, angle + 30), card(150, 150, angle)
    reaching = above.copy()
    for corner in (side, (side + 1) % 4):
        reaching[corner] += (above[side] - above[side - 1]) * (0.11 if side % 2 else 0.07)
    assert is_off(reaching, CARD_PX)
    assert not is_off(above, CARD_PX)
    assert np.abs(snapped(table(below, above), reaching, reaching, CARD_PX) - above).max() < 3.0


def test_corners_at_the_edge_of_the_picture_break_nothing() -> None:
    image = table(card(140, 140, 0), card(2, 3, 30))
    assert np.isfinite(snapped(image, *[card(2, 3, 30, (90, 140))] * 2, CARD_PX)).all()
    assert np.isfinite(snapped(image, *[card(-400, -400, 30, (90, 140))] * 2, CARD_PX)).all()
