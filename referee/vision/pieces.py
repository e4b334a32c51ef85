"""The connected pieces of a mask: OpenCV's own figures of each take four times as long as finding them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int32]
"""int32 (height, width): 0 where there is no piece, else the number of the piece."""


def pieces(mask: npt.NDArray[np.uint8], connectivity: int) -> tuple[Labels, npt.NDArray[np.intp]]:
    """The pieces of what is above 0 in the mask, and the area of each in pixels; the first is that of what is none.
    connectivity: 4 or 8 neighbours."""
    count, labels = cv2.connectedComponents(mask, connectivity=connectivity)
    return np.asarray(labels, np.int32), np.bincount(labels.ravel(), minlength=count)


def where(labels: Labels, index: int, margin: int = 0) -> tuple[npt.NDArray[np.uint8], tuple[slice, slice]]:
    """1 where the piece is, 0 elsewhere, in the rows and columns that hold it and a margin of so many pixels, and
    these."""
    whole = (labels == index).view(np.uint8)
    x, y, w, h = cv2.boundingRect(whole)
    here = (slice(max(0, y - margin), y + h + margin), slice(max(0, x - margin), x + w + margin))
    return whole[here], here
