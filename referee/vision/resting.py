"""What has lain on the small picture for how long, whoever passes over it meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.light import Mask, relit

STILL = 0.95
"""Share of a thing that must have lain there so long. Smaller: an arm that rests but for its fingers lies there;
larger: noise keeps everything from lying there."""


class Resting:
    """Looks at the small picture now and then, and remembers what two looks in a row have shown alike."""

    def __init__(self, over: Callable[[Image, Image], Mask]) -> None:
        """over: by how much two pictures differ, uint8 (height, width)."""
        self._over = over
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

    def seconds(self, part: Mask) -> float:
        """How long a thing has lain there, 255 where it is on the picture that was last looked at; 0 if it does not."""
        where = part > 0
        since = np.where(self._off[where], self.t, self._since[where])
        return self.t - float(np.quantile(since, STILL))
