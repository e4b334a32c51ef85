"""Parts of a camera's view in shares and in the pixels of its sensor."""

from __future__ import annotations

import pytest

from referee.frame import WHOLE, Part
from referee.hardware.parts import Rect, near, no_smaller, part_of, rect_of

SENSOR: Rect = (0, 0, 4608, 2592)
MIDDLE: Rect = (576, 324, 3456, 1944)


@pytest.mark.parametrize(
    ("part", "whole", "rect"),
    [
        (WHOLE, SENSOR, SENSOR),
        (WHOLE, MIDDLE, MIDDLE),
        ((0.25, 0.5, 0.5, 0.5), SENSOR, (1152, 1296, 2304, 1296)),
        ((0.25, 0.5, 0.5, 0.5), MIDDLE, (1440, 1296, 1728, 972)),
        ((0.1, 0.1, 0.7, 0.7), SENSOR, (460, 258, 3226, 1814)),  # even
    ],
)
def test_a_part_is_pixels_of_the_sensor_and_back(part: Part, whole: Rect, rect: Rect) -> None:
    assert rect_of(part, whole) == rect
    assert part_of(rect, whole) == pytest.approx(part, abs=1e-3)


def test_nearly_all_is_all_and_another_part_is_not() -> None:
    assert part_of((4, 4, 4600, 2584), SENSOR) == WHOLE
    assert near((0.2, 0.2, 0.5, 0.5), (0.205, 0.2, 0.497, 0.5))
    assert not near((0.2, 0.2, 0.5, 0.5), (0.22, 0.2, 0.5, 0.5))


@pytest.mark.parametrize(
    ("part", "least", "grown"),
    [
        ((0.2, 0.2, 0.5, 0.5), 0.4, (0.2, 0.2, 0.5, 0.5)),
        ((0.2, 0.3, 0.4, 0.4), 0.6, (0.1, 0.2, 0.6, 0.6)),
        ((0.0, 0.6, 0.4, 0.4), 0.6, (0.0, 0.4, 0.6, 0.6)),  # against the edges of the view
        ((0.2, 0.3, 0.4, 0.4), 1.3, WHOLE),
    ],
)
def test_a_part_grows_to_what_there_are_pixels_for(part: Part, least: float, grown: Part) -> None:
    assert no_smaller(part, least) == pytest.approx(grown)
