"""Deep shadows that move over the table all the time, as between the sun's spots under leaves: none can judge there."""

from __future__ import annotations

import math

import cv2

from referee.vision.light import Mask

DEEP = 0.12
"""Share of the picture that must differ from the settled scene, in any light. Smaller: cards are asked about in shadows
in which they are read well; larger: what the sun leaves of the pile is believed."""

MANY, LEAST_PX = 5, 20
"""... in so many parts at least of so many pixels of the small picture: arms, and who leans over the table, are fewer.
Fewer and smaller: cards are asked about where all have their hands on the table; more and larger: spots are arms."""

OFTEN, MEMORY_S = 0.5, 4.0
"""... in that share of the frames of late, and seconds in which that is forgotten. Smaller and shorter: what people do
is light; larger and longer: the table is told late."""

FRAME_S = 0.2
"""Seconds at most for which one frame speaks."""


class Spots:
    """Knows whether such shadows move over the table."""

    def __init__(self) -> None:
        self._often = 0.0
        self._t = -math.inf

    @property
    def there(self) -> bool:
        """They do, and have for a while."""
        return self._often > OFTEN

    def see(self, differs: Mask | None, t: float) -> None:
        """Takes a frame. differs: uint8 (height, width), above 0 where the small picture differs from the settled
        scene, None where it does nowhere; t: seconds."""
        since, self._t = min(t - self._t, FRAME_S), t
        spotted = differs is not None and _is_spotted(differs)
        self._often += (spotted - self._often) * (1 - math.exp(-since / MEMORY_S))


def _is_spotted(differs: Mask) -> bool:
    if cv2.countNonZero(differs) <= DEEP * differs.size:
        return False
    _, _, stats, _ = cv2.connectedComponentsWithStats(differs)
    return int((stats[1:, cv2.CC_STAT_AREA] >= LEAST_PX).sum()) >= MANY
