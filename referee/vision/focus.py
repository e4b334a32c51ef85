"""Whether the pile is in focus: a lens that hunts is waited for, one that stays out of focus is how it is."""

from __future__ import annotations

from enum import Enum

from referee.frame import Image
from referee.vision.sight import SHARP_RATIO, sharpness

SOFTER = 0.75
"""Sharpness, as a share of the settled one, below which the lens has lost its focus. Larger: piles whose edges are
softer by themselves are waited for (they have 0.85 and more); smaller: half a blur makes cards of a sharp pile."""

SHARPEST = 2.4
"""Sharpness that counts at most: narrow strips, such as the borders of pale cards, reach 3.3, other edges of cards 2.2
to 2.6. Larger: a card that is laid upon such is waited for; smaller: half a blur is not noticed."""

HUNT_S = 1.2
"""Seconds for which the picture must stay softer before it is judged as it is. Shorter: what a hunting lens makes of a
pile is taken for cards; longer: when a lens has lost its focus for good one card is told so much later."""

FOLLOW = 0.2
"""Share by which the settled sharpness follows each look. Smaller: a lens that softens bit by bit is said to hunt;
larger: it may soften while it hunts."""


class Change(Enum):
    """How the focus is compared with the one that is settled."""

    NONE = "none"
    HUNTS = "hunts"
    """Softer, perhaps for a moment only."""
    CHANGED = "changed"
    """Softer for long, or sharper: what differs is no change of the pile."""


class Focus:
    """The settled focus, and since when the picture has been out of it. blurred: it is too soft to be read now."""

    def __init__(self) -> None:
        self.blurred = False
        self._settled: float | None = None
        self._since: float | None = None

    def look(self, patch: Image, t: float, known: bool) -> Change:
        """Looks at the pile from above, uint8 (h, w, 3), at `t` seconds. known: there is a card; an empty table may
        have no sharp edge."""
        seen = sharpness(patch) if known else None
        self.blurred = seen is not None and seen < SHARP_RATIO
        seen = None if seen is None else min(seen, SHARPEST)
        before, self._since, since = self._settled, None, self._since
        if seen is None or before is None:
            self._settled = seen
            return Change.NONE
        if SOFTER * before <= seen <= before / SOFTER:
            self._settled = before + FOLLOW * (seen - before)
            return Change.NONE
        if seen < before:
            self._since = t if since is None else since
            if t - self._since < HUNT_S:
                return Change.HUNTS
        self._settled, self._since = seen, None
        return Change.CHANGED
