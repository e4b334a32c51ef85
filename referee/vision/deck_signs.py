"""What a deck prints across the other two corners of its cards, a name or a mark, as cards in full view show it: of a
covered card it may be all that is open, and look like an index."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.indices import SIGN_MM, IndexEye, corner_part, corner_picture
from referee.vision.mat import CARD_MM
from referee.vision.warp import QuadArray

LIKE = 0.9
"""Correlation from which an index looks like such a sign. Smaller: indices that look a little like it are asked about;
larger: blurred signs are said to be cards."""

OFF_MM = 2.0
"""How far such a sign may lie off where the cards' corners put it. Smaller: crooked corners hide it; larger: the corner
of any card's border is like an angular index."""

LEAST_LEVELS = 4.0
"""Standard deviation, grey levels, of a corner that shows something. Smaller: bare ground, unevenly lit, is like any
other; larger: signs in the dark are said to be cards."""


def across_corners(quad: QuadArray) -> list[QuadArray]:
    """The card's other two corners, each as the first one of a card of this size that lies across it."""
    return [_across(np.roll(quad, turn, 0)) for turn in (0, 2)]


def is_sign(eye: IndexEye, image: Image, quad: QuadArray, corners: Sequence[QuadArray]) -> bool:
    """What is printed in the first corner of this card looks like what is in one of these, white on its ground or dark,
    and that can be read as an index, too: bare corners, with the card's border and its oval, are alike."""
    sign = corner_part(_without_colour(image, quad), SIGN_MM)
    if float(sign.std()) < LEAST_LEVELS:
        return False
    left, top, right, bottom = SIGN_MM
    around = (left - OFF_MM, top - OFF_MM, right + OFF_MM, bottom + OFF_MM)
    others = [corner_part(_without_colour(image, corner), around) for corner in corners]
    return any(
        float(cv2.matchTemplate(other, sign, cv2.TM_CCOEFF_NORMED).max()) > LIKE
        and eye.read_placed(image, [corner])[0].reading.card is not None
        for corner, other in zip(corners, others, strict=True)
    )


def _without_colour(image: Image, quad: QuadArray) -> Image:
    """The first corner of this card, uint8 (h, w): all colours of a deck are dark here, so that one card's sign is like
    another's."""
    return np.asarray(corner_picture(image, quad).min(2), np.uint8)


def _across(quad: QuadArray) -> QuadArray:
    """A card of this size that lies across this one, its first corner in the second of this one."""
    a, b, c, _ = quad
    w, h = CARD_MM
    right, down = (c - b) * np.float32(w / h), (a - b) * np.float32(h / w)
    return np.array([b, b + right, b + right + down, b + down], np.float32)
