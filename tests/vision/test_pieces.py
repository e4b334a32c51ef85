"""The pieces of a mask: the same that OpenCV's own figures tell of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.pieces import pieces, where

SPOTS = np.where(np.random.default_rng(3).random((40, 60)) < 0.4, 255, 0).astype(np.uint8)
NOTHING, ALL = np.zeros((5, 7), np.uint8), np.full((5, 7), 255, np.uint8)


@pytest.mark.parametrize("mask", [SPOTS, NOTHING, ALL])
@pytest.mark.parametrize("connectivity", [4, 8])
def test_areas_and_places_are_those_of_opencv(mask: np.ndarray, connectivity: int) -> None:
    count, expected, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    labels, areas = pieces(mask, connectivity)
    assert (labels == expected).all()
    assert areas.tolist() == stats[:, cv2.CC_STAT_AREA].tolist()
    for index in range(1, count):
        x, y, w, h = stats[index, :4]
        part, here = where(labels, index)
        assert here == (slice(y, y + h), slice(x, x + w))
        assert (part == (expected[here] == index)).all()


def test_a_margin_ends_with_the_picture() -> None:
    mask = NOTHING.copy()
    mask[1:3, 0:2] = 255
    part, here = where(pieces(mask, 4)[0], 1, 1)
    assert here == (slice(0, 4), slice(0, 3))
    assert part.tolist() == [[0, 0, 0], [1, 1, 0], [1, 1, 0], [0, 0, 0]]
