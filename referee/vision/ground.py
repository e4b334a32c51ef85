"""What an index stands on. A playing card's is coloured and stands on white: ours are white on the card's colour, or
the card has a rim of it."""

from __future__ import annotations

from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.burnt import colour_spread
from referee.vision.indices import CORNER_MM, CORNER_PX, SIGN_MM, corner_part, corner_picture
from referee.vision.pieces import pieces
from referee.vision.warp import QuadArray

GROUND_MM = (4.0, 17.0, 13.0, 26.0)
"""Left, top, right, bottom of the ground below an index, millimetres from the card's corner. Larger: neighbours of a
fan are looked at; smaller: a pip or a mark under the sign is all the ground."""

EDGES_MM = (0.5, 4.0, 2.5, 24.0), (4.0, 0.5, 18.0, 2.5)
"""The same of the card's edges beside the index and above it. Larger: the ground is the edge; further out: what lies
beneath the card is, where its corner is a little off."""

INK = 0.5
"""Share of the sign's strongest colour from which a place is coloured. Smaller: the shine of a playing card is; larger:
the ground of a card in a shadow is not."""

HUE = 35.0
"""Degrees of hue by which a place may differ from the sign and have its colour. Smaller: uneven light makes two colours
of one; larger: a yellow card that lies on a playing card is the ground of its green sign."""

COLOURED = 0.45
"""Share of the ground, or of both edges, from which on it has the card's colour. Smaller: playing cards with a large
pip have; larger: cards of whose ground little is seen have not."""

MOSTLY = 0.6
"""Share of the ground from which on most of it is coloured. Smaller: fingers about an index are its ground; larger:
cards of whose ground little is seen are asked about."""

PATCH_MM = (10.0, 18.0)
"""Width and height up to which the coloured patch at an index is a sign, at most joined with a pip below it. Smaller:
blurred playing cards are said; larger: narrow strips of ours are asked about."""

DARK = 0.5
"""Brightness of what is about a coloured sign, for one of the sign's, up to which it is black. Smaller: black decks in
pale light are asked about; larger: playing cards in a shadow are black."""

RIM_MM = 1.0
"""Width of what is looked at about a sign. Larger: neighbours of a fan and the card's edge are looked at; smaller: it
is the sign itself."""

ALL_ABOUT = 0.42
"""Share of that rim from which on the card's colour is all about its sign. Smaller: playing cards with a pip below the
index have; larger: signs that a neighbour touches are asked about."""

STROKES = 0.1
"""Share of the index's box that a white or black sign leaves without the card's colour. Smaller: where the white of a
playing card has the tint of the light, its green sign stands on green; larger: thin signs are asked about."""


class Ground(Enum):
    """What an index stands on."""

    OURS = "ours"  # its own colour is all about the sign, or black is
    COLOURED = "coloured"
    LITTLE = "little"  # of it has the sign's colour
    WHITE = "white"  # the sign is coloured, and no coloured rim is about it


def ground_of(image: Image, quad: QuadArray) -> Ground:
    """What the index in the first corner of this card, pixels, stands on."""
    corner = corner_picture(image, quad)
    coloured = _coloured(corner)
    if _is_ours(corner, coloured):
        return Ground.OURS
    ground, *edges = (float(corner_part(coloured, box).mean()) for box in (GROUND_MM, *EDGES_MM))
    if max(ground, min(edges)) < COLOURED and _is_small(coloured):
        return Ground.WHITE
    return Ground.LITTLE if ground < MOSTLY else Ground.COLOURED


def _is_ours(corner: Image, coloured: npt.NDArray[np.uint8]) -> bool:
    """No playing card has such an index: its sign is of another colour than its ground, and that is not white."""
    left, top, right, bottom = SIGN_MM
    rim = corner_part(coloured, (left - RIM_MM, top - RIM_MM, right + RIM_MM, bottom + RIM_MM)).astype(np.float32)
    sign = corner_part(coloured, SIGN_MM)
    if (rim.sum() - sign.sum()) / (rim.size - sign.size) >= ALL_ABOUT:
        return float(sign.mean()) <= 1 - STROKES
    light = corner_part(np.asarray(corner.max(2), np.uint8), SIGN_MM)
    ink, ground = light[sign == 1], light[sign == 0]
    return bool(ink.size and ground.size and np.median(ground) < DARK * np.median(ink))


def _coloured(corner: Image) -> npt.NDArray[np.uint8]:
    """1 where the corner has the sign's colour, 0 elsewhere."""
    spread = colour_spread(corner)
    strong = spread > INK * float(np.percentile(corner_part(spread, SIGN_MM), 95))
    turns = cv2.cvtColor(corner, cv2.COLOR_BGR2HSV)[..., 0] * np.float32(np.pi / 90)  # OpenCV has half degrees
    hues = np.exp(1j * turns)
    sign = corner_part(np.where(strong, hues, 0), SIGN_MM).sum()
    alike = (hues * sign.conj()).real >= np.cos(np.radians(HUE)) * abs(sign)
    return np.asarray(strong & alike, np.uint8)


def _is_small(coloured: npt.NDArray[np.uint8]) -> bool:
    """Of a corner in which coloured places are 1: the patch of which most is at the index is no more than a sign."""
    patches, _ = pieces(coloured, 4)
    counts = np.bincount(corner_part(patches, SIGN_MM).ravel(), minlength=2)
    _, _, w, h = cv2.boundingRect((patches == int(counts[1:].argmax()) + 1).view(np.uint8))
    mm = (CORNER_MM[2] - CORNER_MM[0]) / CORNER_PX[0]
    return w * mm <= PATCH_MM[0] and h * mm <= PATCH_MM[1]
