"""What has lain at the edge of the small picture for a moment, and whether an arm has come in beside it since."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.pieces import pieces

LIES_S = 0.4
"""Seconds for which an outline at the edge must not change to be known for what lies there. Shorter: a hand that stops
as another comes in beside it; longer: where a sheet of paper was just put down, who passes it has no seat."""

SAME = 0.95
"""Share of such outlines that two must have in common to be one. Smaller: an arm that moves lies there; larger: nothing
lies still before a noisy camera."""

EDGE_PX = 8
"""Pixels of the picture's edge that what is new must cross by itself to be an arm. Fewer: a resting arm that reaches
out is two; more: an arm in the picture's corner is one with what lies beside it."""

MOST = 0.9
"""Share of what is new that must be one piece. Smaller: an arm that crosses what lies there is cut short; larger: one
whose shadow falls beyond that is not told from it."""

Bits = npt.NDArray[np.bool_]


class Lying:
    """Remembers the outlines at the edge of the picture, from frame to frame."""

    def __init__(self, edge: Bits) -> None:
        """edge: where the picture ends."""
        self._edge = edge
        self._known: list[tuple[Bits, float]] = []

    def forget(self) -> None:
        """Nothing lies there."""
        self._known = []

    def parted(self, outline: Bits, t: float) -> list[Bits]:
        """What lay there and the arm that has come in beside it, of an outline in which they are; the outline itself
        where they are not to be told apart."""
        rest, found = outline.copy(), []
        for lies, since in self._known:
            if t - since >= LIES_S and np.count_nonzero(lies & rest) >= SAME * np.count_nonzero(lies):
                found.append(lies & rest)
                rest &= cv2.dilate(lies.view(np.uint8), np.ones((5, 5), np.uint8)) == 0
        if not found:
            return [outline]
        labels, areas = pieces(rest.view(np.uint8), 8)
        areas[0] = 0
        largest = int(areas.argmax())
        arm = (labels == largest) & rest
        if np.count_nonzero(arm & self._edge) >= EDGE_PX and areas[largest] >= MOST * areas.sum():
            return [*found, arm]
        return [outline]

    def look(self, outlines: Sequence[Bits], t: float) -> None:
        """Takes what one frame shows at the edge."""
        whole = np.any(outlines, axis=0) if outlines else np.zeros_like(self._edge)
        kept = [(k, since) for k, since in self._known
                if t - since >= LIES_S and np.count_nonzero(k & whole) >= SAME * np.count_nonzero(k)]  # fmt: skip
        for outline in outlines:
            since = next((since for k, since in self._known if _is_same(k, outline)), t)
            if not any(_is_same(k, outline) for k, _ in kept):
                kept.append((outline, since))
        self._known = kept


def _is_same(one: Bits, other: Bits) -> bool:
    return bool(np.count_nonzero(one & other) >= SAME * np.count_nonzero(one | other))
