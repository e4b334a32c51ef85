"""Parts of a camera's view, between shares of it and the pixels of its sensor."""

from __future__ import annotations

from collections.abc import Sequence

from referee.frame import WHOLE, Part

Rect = tuple[int, int, int, int]
"""x, y, width, height, sensor pixels."""

NEAR = 0.01
"""By how much, as a share of the view, a part may differ from the one that was asked for: cameras round. Smaller: a
camera that rounds is waited for in vain; larger: another part passes for it."""


def rect_of(part: Part, whole: Rect) -> Rect:
    """The sensor's pixels of a part of `whole`; even numbers, because colours lie in twos."""
    x, y, w, h = part
    left, top = round(whole[0] + x * whole[2]), round(whole[1] + y * whole[3])
    return left & ~1, top & ~1, round(w * whole[2]) & ~1, round(h * whole[3]) & ~1


def part_of(rect: Sequence[int], whole: Rect) -> Part:
    """The part of `whole` that a rectangle of the sensor is; exactly `WHOLE` when it is nearly that."""
    x, y, w, h = rect
    part = (x - whole[0]) / whole[2], (y - whole[1]) / whole[3], w / whole[2], h / whole[3]
    return WHOLE if near(part, WHOLE) else part


def near(one: Part, other: Part) -> bool:
    """Whether two parts are the same but for rounding."""
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))


def no_smaller(part: Part, least: float) -> Part:
    """The part, grown about its middle inside the view until it is `least` (a share of it) wide and high."""
    x, y, w, h = part
    wide, high = min(1.0, max(w, least)), min(1.0, max(h, least))
    return (
        min(max(0.0, x - (wide - w) / 2), 1.0 - wide),
        min(max(0.0, y - (high - h) / 2), 1.0 - high),
        wide,
        high,
    )
