"""Warm light: lamps tint a card, and the border that most decks leave white shows how.

A camera that keeps the white balance of the day sees an evening's lamp so. Cards without a white border are left as
they are, but for those whose border is as pale as white in a lamp's light.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.mat import CARD_MM
from referee.vision.warp import CROP_MARGIN, CROP_PX, QuadArray, rectify

Mask = npt.NDArray[np.bool_]

BORDER_MM = (0.6, 2.5)
"""From where to where inside a card's edge its border is looked at, millimetres. Nearer: the table; further: what is
printed."""

LEAST_LEVEL = 100.0
"""Red of the border from which it may be white. Smaller: black borders; larger: white ones in the evening are not
believed."""

BLUE = (0.22, 0.8)
"""Blue of the border for one of red, between which it may be white in a lamp's light. Smaller first one: yellow borders
are taken for white; larger: candles are left out, and by their light blue cards are yellow. Smaller second one: tints
are left; larger: white itself is put right, for nothing."""

GREEN = (-0.12, 0.24)
"""Green of the border for one of red, less the square root of its blue for one of red: a lamp's has 0.06 at 3000 K and
0.02 at 4000 K by Planck's law, in a picture's values, and more where red is full. Wider: coloured borders, such as pale
yellow, are taken for white; narrower: lamps are left out. Green and blue borders never are, nor is green or blue light
put right."""

WHITER_RED, WHITER_BLUE = 0.8, 1.35
"""Red, for one of the border's, from which a pixel is as bright as white, and blue for one of red, for one of the
border's, from which it is whiter. Smaller: noise and bluish cloths keep lamps from being put right; larger: yellow
borders and cards of no border are taken for white ones, and yellow cards for blue."""

WHITER_SHARE, WHITER_PX = 0.02, 5
"""Share of a picture that is whiter than its border where that is not white, and side of the squares that are averaged
for that. Smaller: noise counts; larger share: white signs on yellow do not; larger squares: nor do thin ones."""


def border_of(size: tuple[int, int], box_mm: tuple[float, float, float, float]) -> Mask:
    """Which pixels of a picture of a card, `size` (width, height), show its border, bool (height, width). box_mm: left,
    top, right and bottom of the picture, millimetres from the card's first corner."""
    (w, h), (left, top, right, bottom) = size, box_mm
    x = left + (np.arange(w) + 0.5) * (right - left) / w
    y = (top + (np.arange(h) + 0.5) * (bottom - top) / h)[:, None]
    inside = np.minimum(np.minimum(x, CARD_MM[0] - x), np.minimum(y, CARD_MM[1] - y))
    return np.asarray((inside >= BORDER_MM[0]) & (inside <= BORDER_MM[1]))


def in_white_light(picture: Image, border: Mask) -> Image:
    """The picture, uint8 (h, w, 3), as white light would show it where a lamp tints its border; else itself, also where
    something in it is whiter than the border: that is of a pale yellow then. border: bool (h, w)."""
    level = np.median(picture[border], axis=0)
    if level[2] < LEAST_LEVEL:
        return picture
    blue, green, _ = level / level[2]
    if not (BLUE[0] <= blue <= BLUE[1] and GREEN[0] <= green - blue**0.5 <= GREEN[1]) or _is_whiter(picture, level):
        return picture
    return np.asarray(np.minimum(picture * (level[2] / level), 255.0), np.uint8)


def _is_whiter(picture: Image, white: npt.NDArray[np.float64]) -> bool:
    """Some of the picture is as bright in red as this, B, G, R, and has more blue."""
    smooth = cv2.blur(picture, (WHITER_PX, WHITER_PX)).astype(np.float32)
    blue, red = smooth[..., 0] / white[0], smooth[..., 2] / white[2]
    return bool(((red >= WHITER_RED) & (blue >= WHITER_BLUE * red)).mean() > WHITER_SHARE)


def card_picture(image: Image, quad: QuadArray) -> Image:
    """A card as the reader sees it: `warp.rectify`, in white light."""
    return in_white_light(rectify(image, quad), _BORDER)


def _crop_mm() -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the reader's crop, millimetres from the card's first corner."""
    x, y = (CROP_MARGIN / (1 - 2 * CROP_MARGIN) * side for side in CARD_MM)
    return -x, -y, CARD_MM[0] + x, CARD_MM[1] + y


_BORDER = border_of(CROP_PX, _crop_mm())
