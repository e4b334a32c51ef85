"""What a deck prints across the other two corners of its cards, a name or a mark, as cards in full view show it: of a
covered card it may be all that is open, and look like an index."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.indices import SIGN_MM, corner_part, corner_picture
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


def across_corners(image: Image, quad: QuadArray) -> list[Image]:
    """The pictures of the card's other two corners, as if its index were printed there across: see `corner_picture`."""
    return [corner_picture(image, _across(np.roll(quad, turn, 0))) for turn in (0, 2)]


def is_sign(image: Image, quad: QuadArray, signs: Sequence[Image]) -> bool:
    """What is printed in the first corner of this card looks like one of these signs: white on its ground, or dark."""
    sign = corner_part(_without_colour(corner_picture(image, quad)), SIGN_MM)
    left, top, right, bottom = SIGN_MM
    around = (left - OFF_MM, top - OFF_MM, right + OFF_MM, bottom + OFF_MM)
    others = [corner_part(_without_colour(other), around) for other in signs]
    return float(sign.std()) >= LEAST_LEVELS and any(
        float(cv2.matchTemplate(other, sign, cv2.TM_CCOEFF_NORMED).max()) > LIKE for other in others
    )


def _without_colour(picture: Image) -> Image:
    """All colours of a deck are dark here, so that one card's sign is like another's: uint8 (h, w)."""
    return np.asarray(picture.min(2), np.uint8)


def _across(quad: QuadArray) -> QuadArray:
    """A card of this size that lies across this one, its first corner in the second of this one."""
    a, b, c, _ = quad
    w, h = CARD_MM
    right, down = (c - b) * np.float32(w / h), (a - b) * np.float32(h / w)
    return np.array([b, b + right, b + right + down, b + down], np.float32)
