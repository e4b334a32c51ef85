"""What has lain on the small picture for how long, whoever passes over it meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.ghosts import is_unveiled
from referee.vision.lamp import relit
from referee.vision.light import Mask

ABSORB_S = 4.0
"""Seconds for which the whole picture must be at rest before what is new outside the zones becomes part of the
scene. Shorter: a resting arm is forgotten and its leaving looks like a change; longer: a moved glass costs time."""

ABSORB_INSIDE_S = 1.5
"""Seconds for which a thing must rest that does not reach the edge of the picture. Shorter: a hand whose sleeve cannot
be told from the table is a part of it; longer: a glass beside the pile stops the game for so long."""

ABSORB_OVER = 0.4
"""Share of it that may reach over the piles, where it does not reach the edge of the picture. Smaller: a glass that
touches the zone of the discard pile stops the game; larger: a card that fell beside the pile is a part of the table."""

ABSORB_OVER_AT_EDGE = 0.12
"""... and where it does. Smaller: a bowl that touches both stops the game; larger: an arm that rests is a part of the
table, and its going makes another arm. Of what rests so many times longer as much more may: an arm does not."""

ABSORB_MOST_AT_EDGE = 0.25
"""... at most. Smaller: a box that touches a zone stops the game; larger: a hand that holds a pile is a part of it."""

GONE_S = 0.3
"""Seconds of rest after which a thing is none if something has gone from there. Shorter: costs time; longer: an arm
that crosses that place is as large as both."""

STILL = 0.95
"""Share of a thing that must have lain there so long. Smaller: an arm that rests but for its fingers lies there;
larger: noise keeps everything from lying there."""


class Resting:
    """Looks at the small picture now and then, and remembers what two looks in a row have shown alike."""

    def __init__(self, over: Callable[[Image, Image], Mask], beside: Mask) -> None:
        """over: by how much two pictures differ, uint8 (height, width). beside: where no pile lies."""
        self._over = over
        self._beside = beside
        self._shown: Image | None = None
        self._before: Image
        self._off: npt.NDArray[np.bool_]
        self._since: npt.NDArray[np.float64]
        self.t = -1e9

    def look(self, small: Image, t: float, ignore: Mask | None) -> None:
        """The picture at `t` seconds. ignore: where not to learn from what the light makes of the picture."""
        if self._shown is None:
            self._shown, self._off = small.copy(), np.zeros(small.shape[:2], bool)
            self._since = np.full(small.shape[:2], t)
        else:
            self._shown = relit(self._shown, small, ignore).copy()
            off = self._over(self._shown, small) > 0
            new = off & self._off & (self._over(relit(self._before, small, ignore), small) == 0)
            self._shown[new], self._since[new] = small[new], self.t
            self._off = off & ~new
        self._before, self.t = small, t

    def lies(self, part: Mask, things: Mask, expected: Image) -> bool:
        """A thing, 255 where `part` shows it on the picture that was last looked at, lies beside the piles and has not
        moved for long, or is none: something has gone from there. What reaches far over the piles may be a hand.

        things: all that differs from the scene, which is `expected` in the light of now.
        """
        (x, y, w, h), (high, wide) = cv2.boundingRect(part), part.shape
        at_edge = x <= 1 or y <= 1 or x + w >= wide - 1 or y + h >= high - 1
        over = cv2.countNonZero(cv2.subtract(part, self._beside)) / cv2.countNonZero(part)
        if over > (ABSORB_MOST_AT_EDGE if at_edge else ABSORB_OVER):
            return False
        rests_s = self._seconds(part)
        if rests_s >= (ABSORB_S * max(1.0, over / ABSORB_OVER_AT_EDGE) if at_edge else ABSORB_INSIDE_S):
            return True
        few = not at_edge or over <= ABSORB_OVER_AT_EDGE
        return few and rests_s > GONE_S and is_unveiled(part, things, expected, self._before, self._beside)

    def _seconds(self, part: Mask) -> float:
        """How long a thing has lain there; 0 if it does not."""
        where = part > 0
        since = np.where(self._off[where], self.t, self._since[where])
        return self.t - float(np.quantile(since, STILL))
