"""What changed at the edge of the picture of the discard zone, away from every card: an arm that rests there, or rested
there when the pile was settled, and is no part of what happened to the pile."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.light import Mask
from referee.vision.pieces import pieces

ARM_CARDS = 0.5
"""Area, in cards, up to which what changed at the edge is an arm, though none was told from the table there. Smaller:
an elbow beside the pile hides that two cards were laid; larger: a card that was laid half out of the zone, and not
found, is one."""

ARM_SHARE = 0.8
"""Share of what changed at the edge from which it is a part of the arm that is seen there, or was, however large.
Smaller: a card half under a sleeve, and not found, is one; larger: who rests a hand beside the pile lays a card."""

EDGE_PX = 2
"""Distance from the edge of the picture at which something reaches out of it, pixels. Smaller: what smooths the change
parts it from the edge; larger: a card near the edge is an arm."""


def without_arms(mask: Mask, cards: Mask, card_px: float, seen: Mask | None = None) -> Mask:
    """The change without that of arms. mask: 255 where it changed; cards: where cards lie or lay; seen: where arms are
    seen now, or were when the pile was settled; all uint8 (h, w). card_px: area of a card, pixels."""
    inner = (slice(EDGE_PX, -EDGE_PX),) * 2
    if cv2.countNonZero(mask) == cv2.countNonZero(mask[inner]):
        return mask
    labels, areas = pieces(mask, 8)
    edge = np.ones(mask.shape, bool)
    edge[inner] = False
    arms = np.setdiff1d(labels[edge], labels[cards > 0])
    arms = arms[arms > 0]
    of_arms = areas[arms] <= ARM_CARDS * card_px
    if seen is not None:
        of_arms |= np.bincount(labels[seen > 0], minlength=areas.size)[arms] >= ARM_SHARE * areas[arms]
    arms = arms[of_arms]
    return np.where(np.isin(labels, arms), np.uint8(0), mask) if arms.size else mask
