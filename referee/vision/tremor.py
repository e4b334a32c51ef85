"""A camera that trembles: what that alone makes of edges from one frame to the next."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask, largest

EDGE = 40
"""Difference of neighbouring pixels, grey levels, from which there is an edge that tells whether the camera trembles.
Smaller: noise does; larger: a plain table has no edges."""

EDGES_AT_LEAST = 100
"""... and how many such pixels, of every fourth one, there must be. Fewer: a hand in motion is the camera's; more: it
is not told on a plain table."""

TREMOR = 4.0
"""How many times what a trembling camera mostly makes of an edge a pixel there must differ from frame to frame to have
moved. Smaller: new cards seem to move for ever; larger: what slides slowly rests."""

TREMOR_FRAMES = 15
"""Frames of which the median counts for that. Fewer: a bump blinds the eye; more: it is learned late."""

SHAKES = 1.5
"""How many times what it mostly makes of edges a camera makes that shakes. Smaller: what comes and goes on a table of
few edges does; larger: a picture is settled a pixel from where it belongs."""

SHAKES_FRAMES = 60
"""Frames of which the median counts for that. Fewer: a table that is leaned on shakes as always; more: a camera that
begins to tremble for good is waited for."""


class Tremor:
    """Learns from frame to frame how much the camera trembles."""

    def __init__(self) -> None:
        self._shares: deque[float] = deque(maxlen=TREMOR_FRAMES)
        self._usual: deque[float] = deque(maxlen=SHAKES_FRAMES)
        self.shakes = False
        """It trembles more than it mostly does, so that the picture is not where it belongs."""

    def level(self, small: Image, differs: Mask, things: Mask | None) -> Mask:
        """By how much pixels may differ from the frame before without having moved, uint8 (height, width) grey levels.

        differs: by how much they do. things: where something lies that is not settled, such as hands.
        """
        edges = _edges(small)
        shares = _trembling(differs, edges, things)
        self._shares.extend(shares)
        self._usual.extend(shares)
        self.shakes = bool(shares) and shares[0] > SHAKES * float(np.median(self._usual))
        return np.asarray(cv2.convertScaleAbs(edges, alpha=TREMOR * self._share()), np.uint8)

    def mostly(self, small: Image) -> Mask:
        """By how much it mostly makes pixels differ from another frame, uint8 (height, width) grey levels, as far as it
        has been learned."""
        return np.asarray(cv2.convertScaleAbs(_edges(small), alpha=self._share()), np.uint8)

    def _share(self) -> float:
        return float(np.median(self._shares)) if self._shares else 0.0


def _edges(small: Image) -> Mask:
    """How much neighbouring pixels differ, uint8 (height, width) grey levels, blurred as differences of frames are."""
    steps = np.asarray(cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.uint8)
    return np.asarray(cv2.blur(largest(steps), (3, 3)), np.uint8)


def _trembling(differs: Mask, edges: Mask, things: Mask | None) -> list[float]:
    """How much two frames mostly differ at the edges of what is settled, as a share of these; nothing where there are
    too few. things: what is not settled, such as hands."""
    few = slice(None, None, 2)
    clear = edges[few, few] >= EDGE
    if things is not None:
        clear &= cv2.dilate(things, np.ones((9, 9), np.uint8))[few, few] == 0
    shares = differs[few, few][clear].astype(np.float32) / edges[few, few][clear]
    return [float(np.median(shares))] if shares.size >= EDGES_AT_LEAST else []
