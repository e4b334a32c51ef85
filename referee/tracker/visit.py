"""One visit of an arm: how far it reached, where it paused, and which seat it comes from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from referee.observations import Point

REACH_MM = 60.0
"""How far an arm must reach in before its direction counts."""

SEAT_SIGMA_DEG = 13.0
"""How far an arm's direction strays from its seat's. Smaller: people who lean over are taken for their neighbour with
confidence; larger: nobody is told apart."""

OFF_MOST_DEG = 60.0
"""What an arm is off a seat's direction at most. Smaller: a wrong seat costs too little; larger: one odd outline of an
arm outweighs the rest of its visit."""

SEAT_S = 3.0
"""Seconds in which an arm's directions are forgotten. Shorter: one odd outline decides; longer: of who holds cards at
the edge all the time, the hand that is not at a pile decides."""

ELSEWHERE = 0.02
"""How much its direction counts where it is at neither pile. Smaller: one frame at a pile decides; larger: hands that
fidget with their cards at the edge have another's seat, or none."""

TURN_MM = 25.0
"""How far a hand must have come back from its farthest point to have turned. Smaller: trembling; larger: late."""

PAUSE_MM, PAUSE_S = 30.0, 0.12
"""How far a tip may stray, and for how many seconds, to have paused: a hand that draws does, one that passes does not.
Less, and longer: quick draws are missed; more, and shorter: slow hands that pass draw."""

LIES_MM, LIES_S, LIES_MOST_S = 6.0, 1.5, 3.0
"""How far its end may stray at the draw pile, and for how many seconds, for it to lie there as no hand does that draws;
and for how many more it is so where it is joined to something else. Larger, and shorter: of who thinks with a hand on
the pile, and draws as another reaches in, the draw is told late; smaller, and longer: a sheet of paper draws."""

START_MS2 = 20.0
"""Acceleration that no hand has, m/s2: what runs ahead of a pause faster is another's. Smaller: a hand that hesitates
on its way to the discard pile draws; larger: who draws beneath a hand that lays a card is not seen."""

AHEAD_MM = 12.0
"""... and how far beyond that it must be ahead. Smaller: trembling outlines; larger: as above."""

HAND_MS = 4.0
"""Speed at which no hand goes back, m/s: a shadow does that is torn off it. Smaller: quick hands are shadows; larger:
as above."""

FAR_S = 0.105
"""Seconds for which a hand must have reached so far. Shorter: what the outline has of another arm for a moment counts
as its reach; longer: a card laid in passing is a draw."""

SHARED = 0.5
"""Share of a visit to the draw pile for which another hand seemed to be there, too, from which it is not told whose
visit it was. Smaller: two hands whose outlines met have no seat; larger: who only lays a card beside it draws."""

TIPS = 90
"""Places of a fingertip over the discard pile that are remembered. Fewer: a hand that lingers on its way back is not
known to have laid the card; more: costs memory."""


@dataclass(slots=True, eq=False)
class ArmTrack:
    """One visit of an arm. entry, tip: where they were last seen; last: when it was. born: how far it reached
    when it was first seen. came: it has reached in; rested: since when it only lies on the edge again.
    far, back: how far it reached, and how near it has come since. lately: reach, tip and seconds of its latest frames,
    as many as make `FAR_S`. over_draw: seconds with the tip over the draw pile, a frame's length for each frame;
    frame_s: the longest of these; over_draw_t: when it was last; stayed_s: of them with nothing reached farther before;
    shared_s: of them with another hand there, one of `rivals`.
    anchor, anchor_t: where and since when it rests at the draw pile; rested_at: how far it reached as it rested there
    on its way back; torn: all but its beginning was lost at once, as no hand goes; overtaken: something ran ahead of it
    as it rested there.
    lies_at: where it ends at the draw pile; lies_s: seconds for which that has been there, but for those elsewhere.
    there: how far it reached as it last ended at the draw pile, and its tip then; beneath_s: seconds for which it
    covered that and had its tip where another arm had it.
    in_draw: mm2 of the draw zone that it covers. drew_t: when it had last drawn. shaded: a shadow was joined to it in
    the frame before. in_discard: mm2 of the discard zone that it covered when it was last seen whole; cut_t: when its
    hand was there last, but not in its outline. tips: its latest places over that zone.
    reached_t: when it last reached in by more than `REACH_MM`.
    changed_then: share of the discard zone that had changed as it came to the draw pile; company: another was over the
    discard zone since, or itself before; tossed: a card has come there since that nobody else can have laid."""

    entry: Point
    tip: Point
    last: float
    born: float = 0.0
    came: bool = False
    rested: float | None = None
    reach: float = 0.0
    discard_s: float = 0.0
    last_in_discard: float = -1.0
    in_discard: float = 0.0
    in_draw: float = 0.0
    first_in_draw: float | None = None
    last_in_draw: float = -1.0
    far: float = 0.0
    far_tip: Point = (0.0, 0.0)
    back: float = 0.0
    lately: list[tuple[float, Point, float]] = field(default_factory=list)
    over_draw: float = 0.0
    frame_s: float = 0.0
    over_draw_t: float = -1.0
    lies_at: Point = (0.0, 0.0)
    lies_s: float = 0.0
    stayed_s: float = 0.0
    anchor: Point = (0.0, 0.0)
    anchor_t: float | None = None
    rested_at: float = 0.0
    torn: bool = False
    overtaken: bool = False
    shared_s: float = 0.0
    there: tuple[float, Point] | None = None
    beneath_s: float = 0.0
    drew_t: float = -1.0
    low: float = 0.0
    drawn: bool = False
    reached_t: float = -1.0
    shaded: bool = False
    cut_t: float = -1.0
    changed_then: float = 0.0
    company: bool = False
    tossed: bool = False
    tips: list[Point] = field(default_factory=list)
    rivals: list[ArmTrack] = field(default_factory=list)
    angles: dict[int, tuple[float, float]] = field(default_factory=dict)

    def reach_farther(self, tip: Point, dt: float) -> None:
        """What it reached for less than `FAR_S` may be a part of another arm that was joined to it. Where frames were
        dropped, half of the gap was as the frame before it shows."""
        if self.lately:
            *_, (far, far_tip, seconds) = self.lately
            gap = max(0.0, (dt - seconds) / 2)
            self.lately[-1] = (far, far_tip, seconds + gap)
            self._take_reach()
            dt -= gap
        self.lately.append((self.reach, tip, dt))
        self._take_reach()

    def _take_reach(self) -> None:
        """Takes how far it reached for long enough on its latest frames."""
        while sum(s for _, _, s in self.lately[1:]) >= FAR_S:
            del self.lately[0]
        if sum(s for _, _, s in self.lately) < FAR_S:
            return
        far, far_tip, _ = min(self.lately, key=lambda frame: frame[0])
        if far > self.far:
            self.far, self.far_tip, self.back = far, far_tip, self.reach

    def start_over(self) -> None:
        """What was seen so far tells nothing of where this hand goes now."""
        self.far = self.over_draw = self.frame_s = self.stayed_s = self.shared_s = 0.0
        self.beneath_s, self.there = 0.0, None
        self.rivals, self.lately = [], []

    def was_at_pile(self) -> None:
        """What it reached since it ended at the draw pile was another's hand, and its own was there."""
        if self.there is not None:
            self.over_draw += self.beneath_s
            self.far, self.far_tip = self.there
            self.beneath_s, self.discard_s, self.lately = 0.0, 0.0, []

    def pause(self, tip: Point, at_pile: bool, t: float, before: float) -> None:
        """Notes where the hand pauses at the draw pile. at_pile: it ends there; before: its reach in the last frame. To
        be called before `last` is set."""
        dt = t - self.last
        rested = self.anchor_t is not None and self.last - self.anchor_t >= PAUSE_S
        if rested and self.reach - before > AHEAD_MM + 500.0 * START_MS2 * dt**2:
            self.overtaken = True
        torn = before - self.reach > 1000.0 * HAND_MS * dt
        self.torn = torn or (self.torn and self.reach <= REACH_MM)
        if torn:
            self.rested_at = 0.0
        if not at_pile:
            self.anchor_t = None
        elif self.anchor_t is None or math.dist(tip, self.anchor) > PAUSE_MM:
            self.anchor, self.anchor_t = tip, t
        elif t - self.anchor_t >= PAUSE_S and self.reach < self.far - TURN_MM:
            self.rested_at = max(self.rested_at, self.reach)

    def lie(self, tip: Point, dt: float) -> None:
        """Takes where it ends at the draw pile, `dt` seconds after the last frame."""
        if math.dist(tip, self.lies_at) <= LIES_MM:
            self.lies_s = min(LIES_MOST_S, self.lies_s + dt)
        elif self.lies_s > dt:
            self.lies_s -= dt
        else:
            self.lies_at, self.lies_s = tip, 0.0

    def lies(self) -> bool:
        """It ends at the draw pile where nothing moves: a sleeve, or a thing that lies at the edge of the picture."""
        return self.lies_s >= LIES_S

    def has_turned(self) -> bool:
        """It has come back from its farthest point."""
        return self.reach < self.far - TURN_MM

    def was_seen_to_come(self) -> bool:
        """It reached farther and farther: no place of a hand that was taken for the table, and has gone, does."""
        return self.far >= self.born + REACH_MM

    def has_paused(self) -> bool:
        """It paused at the draw pile and went back, or somebody then reached past it."""
        return self.overtaken or self.reach < self.rested_at - REACH_MM

    def visit_anew(self, t: float) -> None:
        """Who drew reaches out again."""
        self.drawn, self.first_in_draw = False, t
        self.overtaken, self.rested_at, self.anchor_t = False, 0.0, None
        self.start_over()

    def may_have_held(self, seconds: float) -> bool:
        """Its tip may have been over the draw pile for so long: half a frame longer than it was seen there."""
        return self.over_draw + self.frame_s / 2 >= seconds

    def is_contested(self) -> bool:
        """Another hand seemed to be at the draw pile for most of the time."""
        return self.shared_s >= SHARED * self.over_draw

    def nearest(self, point: Point) -> float:
        """How near its tip came to a point on the discard pile, mm."""
        return min((math.dist(tip, point) for tip in self.tips), default=math.inf)

    def stayed(self, point: Point, near: float) -> int:
        """Frames in which its tip was within `near` mm of a point on the discard pile: a sleeve lays nothing."""
        return sum(math.dist(tip, point) <= near for tip in self.tips)

    def points(self, seat: int, off: float, at_pile: bool, dt: float) -> None:
        """Takes by how many degrees its direction is off a seat's, `dt` seconds after the last one."""
        square, weight = self.angles.get(seat, (0.0, 0.0))
        fade, counts = math.exp(-dt / SEAT_S), 1.0 if at_pile else ELSEWHERE
        self.angles[seat] = square * fade + counts * min(off, OFF_MOST_DEG) ** 2, weight * fade + counts

    def seat(self) -> tuple[int | None, float]:
        """The seat this arm comes from, and how sure that is, 0 to 1; (None, 0) when it was not seen well."""
        if not self.angles:
            return (None, 0.0)
        scores = {n: math.exp(-0.5 * s / w / SEAT_SIGMA_DEG**2) for n, (s, w) in self.angles.items()}
        best = max(scores, key=lambda n: scores[n])
        # A constant for "none of the seats", so that an arm from nowhere has no seat.
        confidence = scores[best] / (sum(scores.values()) + 0.02)
        return (best, confidence) if confidence >= 0.5 else (None, 0.0)
