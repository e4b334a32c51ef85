"""Signs that a card with the face of the one that lay on top is another card, and not that one, pushed."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import difference
from referee.vision.warp import CROP_PX, QuadArray, rectify

BORDER = 0.1
"""Width of a card's white border as a share of its width, and a little more. Smaller: a white border over a white one
tells nothing; larger: narrow strips of the card below are lost."""

MIDDLE = 0.25
"""Share of the crop left out on each side: only the middle of a face differs from its half-turn."""

SLACK_PX = 2
"""Shift, pixels of the crop, that is no difference. Smaller: corners that were found badly differ; larger: a 3 turned
is like a 3."""

TURNED = 0.6
"""What turning must leave of the difference between two cards for one of them to lie the other way up, as a share.
Larger: a glare on the card turns it; smaller: badly lit twins are missed."""

LEAST_LEVELS = 8.0
"""Mean difference, grey levels, that must be there to be explained. Smaller: noise; larger: 6 and 9 in the dark."""


def is_turned(before: Image, old: QuadArray, now: Image, quad: QuadArray) -> bool:
    """The card `quad` in `now` shows in its middle what the card `old` showed in `before`, but the other way up: nobody
    pushes a card by half a turn. Both pictures in the same light."""
    if float((old[3] - old[0]) @ (quad[3] - quad[0])) < 0:
        quad = np.roll(quad, 2, 0)
    was, shown = rectify(before, old), rectify(now, quad)
    turned = np.ascontiguousarray(shown[::-1, ::-1])
    w, h = CROP_PX
    middle = (slice(round(h * MIDDLE), round(h * (1 - MIDDLE))), slice(round(w * MIDDLE), round(w * (1 - MIDDLE))))
    straight, other = (float(difference(was, one, SLACK_PX)[middle].mean()) for one in (shown, turned))
    return straight >= LEAST_LEVELS and other < TURNED * straight


def inner(quad: QuadArray) -> QuadArray:
    """The card without its white border."""
    a, b = BORDER, BORDER * float(np.hypot(*(quad[1] - quad[0]))) / max(1e-6, float(np.hypot(*(quad[3] - quad[0]))))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    corners = np.array([[[a, b], [1 - a, b], [1 - a, 1 - b], [a, 1 - b]]], np.float32)
    return np.asarray(cv2.perspectiveTransform(corners, matrix)[0], np.float32)
