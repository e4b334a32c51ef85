"""The draw pile as a witness: it shows another picture after a draw, which the hand may hide, or only seem to make."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.tracker.looks import DrawPileLeft
from referee.tracker.visit import ArmTrack

ONE_CARD_S = 1.0
"""Seconds over the draw pile up to which one card was drawn; after that nobody could count them. Shorter: slow hands
draw an unknown number; longer: four cards taken together count as one."""

DRAW_STAY_S = 0.5
"""Seconds of rest over the draw pile that are a draw even if the arm then reaches farther, and whatever the pile shows.
What rests there of an arm that reached farther before is its shadow."""

WERE_THERE = 8
"""Visits to the draw pile that are remembered. Fewer: where many reach across it, who drew unseen is forgotten; more:
costs memory."""

ANSWER_S = 1.0
"""Seconds for which a brief draw waits for what the pile shows. Shorter: where another hand goes on at the
pile, hands that only pass draw; longer: told late."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A visit to the draw pile. since: the hand came; t: it had left the zone."""

    since: float
    t: float
    seat: int | None
    seat_confidence: float
    count: int | None


class DrawPile:
    """Weighs what hands seemed to do at the draw pile against what it shows. `update` once a frame."""

    def __init__(self) -> None:
        self._were_there: deque[ArmTrack] = deque(maxlen=WERE_THERE)
        self._told_t = self._sure_t = -1.0
        self._tells = False
        self._waiting: list[tuple[Draw, float, bool]] = []

    def update(
        self, tracks: Iterable[ArmTrack], told: Sequence[tuple[ArmTrack, Draw]], left: DrawPileLeft | None, t: float
    ) -> list[Draw]:
        """The draws that are sure by now. told: the visits that seem to have drawn, as they ended; left: what the pile
        shows, as soon as all have left it.

        The pile is believed if the last draw that was surely seen changed it: one in a box, or white on white, shows
        the same picture always. A brief visit waits for it then; and always where a card came to the discard pile
        meanwhile that nobody else can have laid: hands stop there to toss one across. Such a one drew only if the pile
        tells it.
        """
        self._were_there.extend(k for k in tracks if k.last_in_draw == t and k not in self._were_there)
        brief = [draw for track, draw in told if track.over_draw < DRAW_STAY_S]
        out = [draw for track, draw in told if draw not in brief or not (self._tells or track.tossed)]
        self._waiting += [(draw, t, track.tossed) for track, draw in told if draw not in out]
        self._told_t = max([self._told_t, *(draw.t for _, draw in told)])
        self._sure_t = max([self._sure_t, *(draw.t for _, draw in told if draw not in brief)])
        if left is not None:
            shows = left.changed
            out += [draw for draw, _, tossed in self._waiting if _drew(shows if draw.t >= left.since else None, tossed)]
            self._waiting = []
            if self._sure_t >= left.since and left.changed is not None:
                self._tells = left.changed
            if left.changed and self._tells and self._told_t < left.since:
                out += self._unseen(left.since)
        out += [draw for draw, begin, tossed in self._waiting if t - begin >= ANSWER_S and _drew(None, tossed)]
        self._waiting = [one for one in self._waiting if t - one[1] < ANSWER_S]
        return out

    def _unseen(self, since: float) -> list[Draw]:
        """The draw of hands that came at `since`, none of which was seen to draw: that of who ended at the pile, of
        several who was at the other pile for the shortest time."""
        who = [track for track in self._were_there if track.last_in_draw >= since]
        if not who:
            return []
        track = min(who, key=lambda k: (k.over_draw_t < since, k.discard_s))
        track.drew_t = track.last_in_draw
        return [draw_of(track, since)]


def _drew(changed: bool | None, tossed: bool) -> bool:
    """The pile says so, or does not gainsay it where no card was tossed across. changed: None where it says nothing."""
    return bool(changed) if tossed else changed is not False


def draw_of(track: ArmTrack, since: float) -> Draw:
    """The draw that this visit was, which came at `since`."""
    track.drawn, track.low, track.first_in_draw = True, track.reach, None
    return Draw(since, track.last_in_draw, *track.seat(), 1 if track.over_draw < ONE_CARD_S else None)
