"""Whether a place is like what lies round it, in whatever light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.frame import Image
from referee.vision.surroundings import grown_alike, likeness

SIZE = (120, 160)
PLACE = np.zeros(SIZE, np.uint8)
cv2.rectangle(PLACE, (50, 30), (110, 90), 255, -1)
ROUND = np.asarray(cv2.subtract(cv2.dilate(PLACE, np.ones((19, 19), np.uint8)), PLACE), np.uint8)


def plain(grey: float, place: float | None = None) -> Image:
    """A table of one grey, a little lighter in its middle, and what lies at the place."""
    rng = np.random.default_rng(3)
    ys, xs = np.mgrid[: SIZE[0], : SIZE[1]]
    picture = grey + 8 * np.exp(-((xs - 80) ** 2 + (ys - 60) ** 2) / 40**2)
    picture = np.where((PLACE > 0) & (place is not None), place or 0.0, picture) + rng.normal(0, 1, SIZE)
    return np.clip(picture, 0, 255).astype(np.uint8)[..., None].repeat(3, 2)


def test_a_table_is_as_like_itself_in_any_light() -> None:
    alike = [likeness(plain(grey), PLACE, ROUND) for grey in np.arange(100, 125, 0.5)]
    assert max(alike) - min(alike) < 0.25


@pytest.mark.parametrize("grey", range(100, 122, 3))
@pytest.mark.parametrize(("case", "before", "now", "expected"), [
    ("a sleeve of nearly the table's grey comes to rest on it", 0, 6, False),
    ("a dark thing goes from it", -60, 0, True),
    ("a dark thing is laid on it", 0, -60, False),
])  # fmt: skip
def test_something_has_gone_only_where_the_place_was_unlike_the_table(
    case: str, before: int, now: int, expected: bool, grey: int
) -> None:
    grown = grown_alike(plain(grey, grey + before), plain(grey, grey + now), PLACE, PLACE)
    assert (grown >= 0.2) == expected, (case, grown)
