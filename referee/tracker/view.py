"""How well the pile can be seen, without flicker."""

from __future__ import annotations

from collections.abc import Mapping

from referee.observations import Quality, ViewChanged

HOLD_S: Mapping[Quality, float] = {
    Quality.CLEAR: 0.25,
    Quality.HAND: 1.2,
    Quality.DARK: 0.6,
    Quality.GLARE: 0.6,
    Quality.BLURRED: 0.8,
    Quality.MOVED: 0.3,
    Quality.LOST: 0.5,
}
"""Seconds for which a state must hold before it is reported. Shorter: every hand that lays a card, every exposure
step is reported; longer: the table is told late that the referee cannot see."""


class View:
    """The reported state, and the one that may follow it."""

    def __init__(self) -> None:
        self.state: Quality | None = None
        self._next: Quality | None = None
        self._since = 0.0

    def update(self, t: float, seen: Quality) -> ViewChanged | None:
        """Takes the state of one frame; returns the change, once it has held long enough."""
        if seen is self.state:
            self._next = None
            return None
        if seen is not self._next:
            self._next, self._since = seen, t
        if self.state is not None and t - self._since < HOLD_S[seen]:
            return None
        self.state, self._next = seen, None
        return ViewChanged(t=self._since, latency_s=t - self._since, state=seen)
