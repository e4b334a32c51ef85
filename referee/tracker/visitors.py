"""Whose hands were at the discard pile since it lay at rest, and which of them laid or took what."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.observations import Point, Quad
from referee.tracker.arms import TOUCH_MM2
from referee.tracker.looks import Activity
from referee.tracker.visit import PAUSE_MM, REACH_MM, ArmTrack

HELD_SHARE = 0.1
"""Share of the discard zone that arms covered in the frame before, beyond what has moved since, from which a hand has
not gone from there, but is not told from the table any more. Smaller: fingers that leave; larger: a card is told
twice, under the hand and after it."""

NEAR_MM = 50.0
"""Distance of fingertips from the middle of a card up to which a hand may have laid or taken it. Smaller: who held the
card by its far edge is passed over; larger: a hand that only passes over the pile counts."""

THROWN_S = 0.5
"""Seconds after a hand reached in up to which something that moves on the pile may be its doing: a card that it threw.
Shorter: thrown cards have no seat; longer: sleeves at the table's edge have thrown what an unseen hand lays."""

SLID_SHARE = 0.08
"""Share of the discard zone that must have moved there, with no hand at it, for a card to have been thrown. Smaller: as
a sleeve leaves, a shadow on the pile is a card; larger: a thrown card that is much like the one below it is missed."""

Whose = tuple[int | None, float]
"""A seat, None where nobody knows, and how sure that is, 0 to 1."""


class Visitors:
    """Those who came since `begin`. there: who was over the discard zone, in the order in which they came; stayed: a
    hand that lay still over it is not told from the table any more, and was not seen to go."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """The pile lies at rest: nobody has come yet."""
        self.there: list[ArmTrack] = []
        self.stayed = False
        self._reaching: list[ArmTrack] = []
        self._resting: list[tuple[ArmTrack, Point]] = []
        self._covered = self._moved = self._slid = 0.0

    def saw(self, tracks: Sequence[ArmTrack], activity: Activity, zone_mm2: float) -> None:
        """Takes a frame in which somebody, or something, is at the pile. zone_mm2: area of the discard zone."""
        t = activity.t
        self.there.extend(k for k in tracks if k.last_in_discard == t and k not in self.there)
        self._reaching.extend(k for k in tracks if t - k.reached_t <= THROWN_S and k not in self._reaching)
        if not any(arm.in_discard > TOUCH_MM2 for arm in activity.arms):
            self._slid = max(self._slid, activity.moving)
        self._moved = activity.moving
        self._covered = sum(arm.in_discard for arm in activity.arms) / zone_mm2

    def settle(self, t: float, moving: float) -> None:
        """Nobody is seen at the pile any more, for the first time, and such a share of the zone moves."""
        held = self._covered - moving >= HELD_SHARE
        self.stayed = held and self._covered - self._moved >= HELD_SHARE
        self._resting = [(track, track.tip) for track in self.there if track.last == t and held]

    def rest_on(self, t: float) -> None:
        """A further frame: an arm that moves by now, or is gone, holds nothing there."""
        self._resting = [(k, tip) for k, tip in self._resting if k.last == t and math.dist(k.tip, tip) <= PAUSE_MM]

    def any_rests(self) -> bool:
        """The arm of a hand that is not told from the table any more has not moved."""
        return any(track.reach > REACH_MM for track, _ in self._resting)

    def went(self) -> bool:
        """Some came, and all of them were seen to draw their hands back."""
        return bool(self.there) and all(track.has_turned() and not track.torn for track in self.there)

    def threw(self) -> bool:
        """Somebody reached in, and something moved on the pile with no hand at it."""
        return bool(self._reaching) and self._slid >= SLID_SHARE

    def seats(self, quads: Sequence[Quad], since: float, gone_t: float) -> list[Whose]:
        """Who laid these cards, the lowest first: of two cards and two hands that were near, who left first laid the
        lower one. since: seconds at which the first hand came; gone_t: at which none was seen there any more."""
        near = [k for k in self.there if any(k.nearest(_middle(quad)) <= NEAR_MM for quad in quads)]
        near = [k for k in near if k.drew_t < since]
        if len(quads) == len(near) == 2:
            return [k.seat() for k in sorted(near, key=lambda k: k.last_in_discard)]
        return [self.seat(quad, since, gone_t) for quad in quads]

    def seat(self, quad: Quad | None, since: float, gone_t: float) -> Whose:
        """Who came: of several hands the one whose fingers came nearest to the card, or that did not draw meanwhile, or
        that stayed longest. Where none was seen there, who alone was seen to reach in and is gone, if anybody."""
        if not self.there:
            free = [k for k in self._reaching if k.drew_t < since]
            gone = [k.seat() for k in free if k.last < gone_t or k.reach <= REACH_MM]
            return max(gone, key=lambda seat: seat[1]) if len({number for number, _ in gone}) == 1 else (None, 0.0)
        if quad is None:
            return max(self.there, key=lambda k: k.discard_s).seat()
        middle = _middle(quad)

        def laid(k: ArmTrack) -> tuple[float, bool, int, float]:
            drew = k.drew_t >= since
            return max(NEAR_MM, k.nearest(middle)), drew, -k.stayed(middle, NEAR_MM), -k.discard_s

        return min(self.there, key=laid).seat()


def _middle(quad: Quad) -> Point:
    return (sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4)
