"""Two hands in one outline: they come in as one arm and end at both piles."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Part = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.floating[Any]]

PRONG_MM = 28.0
"""How far two hands must have parted, from there on to the nearer of their ends. Smaller: thumbs and the corners of
cards are hands; larger: of two hands that lie nearly on each other one is not seen."""

END_MM = 15.0
"""Depth of an end: what of it lies over a pile no nearer to where the arm came in. Smaller: noise ends there; larger:
fingertips do not."""

END_MM2 = 200.0
"""Area of an end. Smaller: noise; larger: a fingertip over the draw pile is none."""

THICK_PX = 5
"""Width of an end, pixels of a picture 320 wide. Smaller: the edge of a pile, as the table trembles, is one; larger:
fingers are none."""


def ends(part: Part, far: Floats, area: Floats, zones: tuple[Part, Part]) -> tuple[Part, Part] | None:
    """The two ends of an outline that parts before it reaches two zones, each a part of it; None where it does not.

    far: how far each pixel of the picture lies from where the arm came in, mm; area: mm2 of the table that it shows.
    """
    thick = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_OPEN, np.ones((THICK_PX, THICK_PX), np.uint8)) > 0
    places = [thick & zone for zone in zones]
    reach = [_reach(far[place], area[place]) for place in places]
    if min(reach) <= 0.0:
        return None
    beyond = part & (far >= min(reach) - PRONG_MM)
    count, labels = cv2.connectedComponents(beyond.astype(np.uint8), connectivity=8)
    deep = (labels[place & (far >= r - END_MM)] for place, r in zip(places, reach, strict=True))
    names, others = (set(np.unique(lot)) for lot in deep)
    if names & others:
        return None
    one, other = (np.isin(np.arange(count), list(which))[labels] for which in (names, others))
    return one, other


def _reach(far: Floats, area: Floats) -> float:
    """How far what lies over a zone reaches, mm; 0 where too little does."""
    if float(area.sum()) < END_MM2:
        return 0.0
    order = np.argsort(-far)
    deep = np.cumsum(area[order])
    return float(far[order][np.searchsorted(deep, END_MM2 / 2)])
