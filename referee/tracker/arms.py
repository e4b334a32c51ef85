"""Arms from frame to frame: which seat they come from, and whether they reached for the draw pile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from referee.observations import Point
from referee.tracker.draw_pile import DRAW_STAY_S, Draw, DrawPile, draw_of
from referee.tracker.looks import Activity, ArmLook, TableGeometry, Zone
from referee.tracker.visit import REACH_MM, TIPS, TURN_MM, ArmTrack

SAME_ARM_MM = 170.0
"""Distance between the entries of one arm in two frames. Smaller: a sliding elbow is two arms; larger: neighbours'
arms are one."""

GONE_S = 0.15
"""Seconds without it, or at rest on the edge of the picture, after which an arm is gone. Shorter: an arm that is lost
for a frame is two visits; longer: two quick visits are one."""

DRAW_BEYOND_MM = 30.0
"""How far outside the draw zone the tip of who draws may be: an arm ends with its shadow. Smaller: draws by long
fingers and from a sloppy pile are missed; larger: who reaches for a glass beside the draw pile draws."""

RIM_MM = 12.0
"""How far inside the discard zone it may be: no pile lies at its rim. Smaller: draws by long fingers are missed;
larger: a card laid at the rim counts as a draw."""

DRAW_HOLD_S = 0.15
"""Seconds for which the tip must be in the draw zone. Shorter: hands that pass it, square up the discard pile or toss a
card across draw; longer: quick draws are missed."""

FRAME_S = 0.07
"""Longest time from frame to frame for half of which a tip may have been there unseen. Shorter: quick draws before slow
cameras are missed; longer: where frames are lost, a brush with the zone is a draw."""

THROWN_SHARE = 0.06
"""Share of the discard zone by which what has changed there must have grown since a hand came to the draw pile, with no
other over the discard pile, for it to have thrown a card there, or laid one unseen. Smaller: who draws as a shadow
falls on the pile does not draw; larger: a hand that lets a card go over the draw pile draws."""

DRAW_LEFT_S = 0.1
"""Seconds after the hand has left the draw zone until the draw is reported. Shorter: one draw with a fumble is two;
longer: reported late."""

TOUCH_MM2 = 60.0
"""Area from which an arm is in a zone."""

COVERS_MM2 = 2500.0
"""Area of an outline that a shadow is joined to, in the discard zone, from which a hand may be there. Smaller: who
draws beside the rim of a shadow is not seen; larger: who lays a card in it draws."""

SHADED = 0.65
"""Share of the discard zone from which what covers it is a shadow, or an arm that one is joined to. Smaller: hands that
square up the pile have no seat, and who draws across it is not seen; larger: shadows lay cards and draw."""

WIDE_MM = 280.0
"""Mean width from which an outline is no arm: a shadow is joined to it, and nothing tells where the arm is. Smaller:
two hands at the pile have no seat; larger: cards and draws are given to who throws the shadow."""

NARROW_MM = 150.0
"""Mean width up to which an outline is an arm, however much of the discard zone it covers: it has its own shadow beside
it. Smaller: who draws across the discard pile in the lamp's light is not seen; larger: as above."""

THIN_MM = 20.0
"""Mean width below which an outline is no arm but an edge of the table's pattern, when the table is leaned on. Smaller:
stripes draw; larger: arms of which the light shows little have no seat."""

MOST_ARMS = 6
"""Arms at once from which it is the table that trembles: its stripes and edges pass for arms. Smaller: where everybody
reaches in at once nobody is seen; larger: a table that is leaned on draws."""

JUMP_MM = 80.0
"""How far the tip of an arm may go to the side from one frame to the next; beyond that it is another arm's. Smaller: a
quick hand's turn is forgotten; larger: who draws beside a hand that lays a card is not seen."""

FINGERS_MM2 = 400.0
"""Area in the draw zone from which what is left there by another arm is a hand. Smaller: the rim of a shadow draws;
larger: who draws with the fingertips beside a hand that lays a card is not seen."""

THERE_MM = 70.0
"""How near another arm's tip is to where one was for it to have been that arm's, whose hand was joined to this outline.
Smaller and larger: of two hands that cross, the wrong one draws."""

PARTED_MM = 130.0
"""How much nearer a tip must be than in the frame before, with another arm's tip where it was, for that to have been
the other arm's all the time. Smaller: two hands at the discard pile, of which one goes back, draw; larger: of who draws
beneath an arm that lays a card only the other hand is known."""

LEFT_SHARE = 0.7
"""Share of what an arm covered of the discard zone by which what has changed there grows as it seems to go back to the
draw pile, where its hand is there still and cannot be told from the table. Smaller: noise is a hand, and who goes on
from there to draw does not; larger: a hand of the table's colour that lays a card draws."""

BOTH_THERE = 5.0
"""How many times as much of the discard zone as of the draw zone an outline wider than an arm covers, where both hands
are at the discard pile and only a thumb is beyond it. Smaller: who lays with one hand and draws with the other does not
draw; larger: who squares up the discard pile draws."""

BOTH_MM = 20.0
"""How near to each other both hands of somebody come in whose outlines are one in some frames. Smaller: as the two
outlines join the one at the draw pile has drawn, and draws again; larger: who sits beside them draws late."""

AGAIN_MM = 45.0
"""How far a hand must go back before reaching out again is another visit."""


class Arms:
    """Follows arms. `update` once a frame."""

    def __init__(self, geometry: TableGeometry) -> None:
        self._geometry = geometry
        self.tracks: list[ArmTrack] = []
        self._t = 0.0
        self._changed = self._changed_before = 0.0
        self._draw_pile = DrawPile()

    def update(self, activity: Activity) -> list[Draw]:
        """Takes one frame; returns the draws that are complete."""
        t = activity.t
        self._changed_before, self._changed = self._changed, activity.changed
        if len(activity.arms) > MOST_ARMS:
            for known in self.tracks:
                known.last = t
            self._t = t
            return []
        matched = self._matched([arm for arm in activity.arms if not _is_thin(arm)])
        for other in _parted(matched):
            other.was_at_pile()
        for arm, track in matched:
            if track is not None and _reaches_in(arm) and track.rested is not None and t - track.rested >= GONE_S:
                self.tracks.remove(track)
                track = None
            if track is None:
                since = max(self._t, t - FRAME_S)  # it may have come right after the frame before
                track = ArmTrack(arm.entry, arm.tip, since, math.dist(arm.entry, arm.tip))
                self.tracks.append(track)
            if self._is_cut(track, arm):
                track.cut_t = t
            hiding = [other for other, _ in matched if other is not arm and _hides(other, arm, track)]
            if track.cut_t == t or self._is_shadow(arm):
                _endure(track, arm, t)
            elif hiding:
                _endure(track, hiding[0], t)
            else:
                self._extend(track, arm, t)
        for track in self.tracks:
            joined = [arm for arm, known in matched if known is not track and track.last < t and _holds(arm, track)]
            if joined:
                _endure(track, joined[0], t)
        if activity.pile_came:
            self._brought()
        self._note_company(t)
        self._share(t - self._t, t)
        self._t = t
        done = [(track, draw) for track in self.tracks if (draw := self._draw(track, t)) is not None]
        draws = self._draw_pile.update(self.tracks, self._one_hand(done, t), activity.left, t)
        self.tracks = [track for track in self.tracks if t - track.last <= GONE_S]
        return draws

    def forget_present(self) -> None:
        """What seems to be an arm now is none: the picture has moved."""
        self.tracks = [track for track in self.tracks if track.last < self._t]

    def _matched(self, arms: Sequence[ArmLook]) -> list[tuple[ArmLook, ArmTrack | None]]:
        """Each arm with the visit whose entry and tip moved least, None for a new one. The longest comes first: an
        elbow at rest beside it, or a part of itself, is part of its outline in one frame and apart in the next. What a
        shadow is joined to comes last: it is the arm that is missing."""
        free = list(self.tracks)
        found: list[tuple[ArmLook, ArmTrack | None]] = []
        for arm in sorted(arms, key=lambda arm: (self._is_shadow(arm), -math.dist(arm.entry, arm.tip))):
            if self._is_shadow(arm):
                track = max(free, key=lambda k: (k.last, k.reach), default=None)
            else:
                near = [track for track in free if math.dist(arm.entry, track.entry) <= SAME_ARM_MM]
                track = min(near, key=lambda k: math.dist(arm.entry, k.entry) + math.dist(arm.tip, k.tip), default=None)
            if track is not None:
                free.remove(track)
            found.append((arm, track))
        return found

    def _is_shadow(self, arm: ArmLook) -> bool:
        """It is a shadow, or one is joined to it: too wide, or nearly all over the discard zone."""
        _, _, width, height = self._geometry.discard_zone
        reach = max(REACH_MM, math.dist(arm.entry, arm.tip))
        narrow = 0.0 < arm.area <= NARROW_MM * reach
        return arm.area > WIDE_MM * reach or (arm.in_discard >= SHADED * width * height and not narrow)

    def _is_cut(self, track: ArmTrack, arm: ArmLook) -> bool:
        """The outline ends at the draw pile all at once, and what it covered of the discard zone is there still; or has
        ended at the draw pile since it did."""
        if not self._ends_there(arm.tip):
            return False
        if track.cut_t == track.last:
            return True
        _, _, width, height = self._geometry.discard_zone
        left = (self._changed - self._changed_before) * width * height
        farther = track.reach > math.dist(arm.entry, arm.tip) + JUMP_MM
        return farther and track.in_discard > COVERS_MM2 and left >= LEFT_SHARE * track.in_discard

    def _extend(self, track: ArmTrack, arm: ArmLook, t: float) -> None:
        dt, was_here = t - track.last, track.over_draw_t == track.last
        if self._was_another(track, arm):
            track.start_over()
        track.shaded = False
        before, track.reach = track.reach, math.dist(arm.entry, arm.tip)
        track.pause(arm.tip, self._ends_there(arm.tip) and arm.in_draw >= FINGERS_MM2, t, before)
        track.entry, track.tip, track.last = arm.entry, arm.tip, t
        if _reaches_in(arm):
            track.came, track.rested = True, None
        elif track.came and track.rested is None:
            track.rested = t
        if track.reach > REACH_MM:
            at_pile = max(arm.in_discard, arm.in_draw) > TOUCH_MM2
            for number, at in self._geometry.seats:
                track.points(number, _angle(arm.tip, arm.entry, at), at_pile, dt)
            track.reached_t = t
        if arm.in_draw >= FINGERS_MM2:
            track.lie(arm.tip, dt)
        track.in_draw, track.in_discard = arm.in_draw, arm.in_discard
        if arm.in_discard > TOUCH_MM2:
            track.discard_s += dt
            track.last_in_discard = t
            track.tips = [*track.tips[1 - TIPS :], arm.tip]
        if self._ends_there(arm.tip) and arm.in_draw > TOUCH_MM2 and not _squares_up(arm):
            here_s = dt if was_here else min(dt, t - self._t)  # lost on its way, it came after the last frame at most
            track.over_draw, track.over_draw_t = track.over_draw + here_s, t
            track.there = (track.reach, arm.tip)
            track.frame_s = max(track.frame_s, min(here_s, FRAME_S))
            track.stayed_s += here_s if track.reach > track.far - TURN_MM else 0.0
        if arm.in_draw > TOUCH_MM2:
            track.last_in_draw = t
            if track.first_in_draw is None:
                track.first_in_draw = t
        if track.drawn:
            track.low = min(track.low, track.reach)
            if track.reach < track.low + AGAIN_MM:
                return
            track.visit_anew(t)
        again = track.back < track.far - AGAIN_MM and track.reach > track.back + AGAIN_MM
        drew = track.first_in_draw is not None and arm.in_draw <= TOUCH_MM2 and self._has_held(track)  # not told yet
        if again and track.stayed_s < DRAW_STAY_S and not drew:
            track.start_over()
            track.first_in_draw = t if arm.in_draw > TOUCH_MM2 else None
        track.back = min(track.back, track.reach)
        track.reach_farther(arm.tip, max(dt, t - self._t))  # one seen in a single frame of a slow camera was there

    def _was_another(self, track: ArmTrack, arm: ArmLook) -> bool:
        """What reached farthest was another arm, joined to this one by its shadow, that has gone back: the outline ends
        over the draw pile now, and not only the rim of the shadow that a hand leaves behind."""
        if track.shaded or self._has_stayed(track) or _aside(arm.tip, track.entry, track.tip) <= JUMP_MM:
            return False
        return self._ends_there(arm.tip) and arm.in_draw > FINGERS_MM2

    def _ends_there(self, tip: Point) -> bool:
        """An arm with this tip ends at the draw pile."""
        over_discard = _inside(tip, self._geometry.discard_zone, -RIM_MM)
        return _inside(tip, self._geometry.draw_zone, DRAW_BEYOND_MM) and not over_discard

    def _brought(self) -> None:
        """Who reached for the draw pile last brought it."""
        track = max(self.tracks, key=lambda k: k.last_in_draw, default=None)
        if track is not None and not track.drawn:
            track.drawn, track.low, track.first_in_draw = True, track.reach, None

    def _note_company(self, t: float) -> None:
        """What has changed on the discard pile as a hand came to the draw pile, and who was over it since: only what
        comes there with no hand about was thrown."""
        laying = [track for track in self.tracks if track.last_in_discard == t]
        for track in self.tracks:
            if track.first_in_draw == t:
                track.changed_then, track.company = self._changed_before, track.discard_s > track.over_draw
            track.company |= any(other is not track for other in laying)

    def _has_thrown(self, track: ArmTrack) -> bool:
        """What its hand let go over the draw pile slid on to the discard pile; or a slow camera has missed it there."""
        brief = track.over_draw < DRAW_STAY_S and not track.company
        return brief and self._changed - track.changed_then >= THROWN_SHARE

    def _share(self, dt: float, t: float) -> None:
        """Notes who seems to be at the draw pile at once, and whose hand may be another's and be there itself."""
        seen = [track for track in self.tracks if track.last == t]
        for track in seen:
            near = any(other is not track and math.dist(other.tip, track.tip) < THERE_MM for other in seen)
            if near and track.over_draw_t < t and track.in_draw >= FINGERS_MM2:
                track.beneath_s += dt
        there = [track for track in self.tracks if track.over_draw_t == t]
        for track in there if len(there) > 1 else ():
            track.shared_s += dt
            track.rivals.extend(other for other in there if other is not track and other not in track.rivals)

    def _one_hand(self, done: Sequence[tuple[ArmTrack, Draw]], t: float) -> list[tuple[ArmTrack, Draw]]:
        """The draws among the visits that ended: two hands do not fit over the draw pile, and of two that seem to be
        there the one has the other's fingers. They are those of the hand that is there alone, too, or still; else
        nobody knows whose."""
        draws = []
        for track, draw in sorted(done, key=lambda one: one[0].is_contested()):
            if not track.is_contested():
                draws.append((track, draw))
            elif not any(self._draws_itself(rival, draw, t) for rival in track.rivals):
                draws.append((track, replace(draw, seat=None, seat_confidence=0.0)))
            else:
                continue
            if not track.tossed:  # else it laid the card, and whether it drew, too, is to be seen
                track.drew_t = draw.t
        return draws

    def _draws_itself(self, rival: ArmTrack, draw: Draw, t: float) -> bool:
        """It is at the draw pile still, has drawn, or will be told to have drawn there for the most part alone."""
        if rival.over_draw_t == t or rival.drew_t >= draw.since:
            return True
        return rival.first_in_draw is not None and self._has_stayed(rival) and not rival.is_contested()

    def _has_stayed(self, track: ArmTrack) -> bool:
        """It was at the draw pile for long, and reached no farther."""
        return track.over_draw >= DRAW_HOLD_S and self._ends_there(track.far_tip)

    def _has_held(self, track: ArmTrack) -> bool:
        """It reached to the draw pile and no farther, and was there for long enough."""
        return self._ends_there(track.far_tip) and track.may_have_held(DRAW_HOLD_S)

    def _draw(self, track: ArmTrack, t: float) -> Draw | None:
        if track.drawn or track.first_in_draw is None or t - track.last_in_draw < DRAW_LEFT_S:
            return None
        back = track.has_turned() or t - track.last >= DRAW_LEFT_S
        held = back and self._has_held(track)
        if not held and track.stayed_s < DRAW_STAY_S and not track.has_paused():
            return None
        track.tossed = self._has_thrown(track)
        return draw_of(track, track.first_in_draw)


def _endure(track: ArmTrack, arm: ArmLook, t: float) -> None:
    """The visit goes on somewhere in an outline that a shadow is joined to, from where it was last seen."""
    if not track.shaded and track.reach > track.far:
        track.far, track.far_tip = track.reach, track.tip
    if arm.in_discard > TOUCH_MM2:
        track.last_in_discard = t
    if arm.in_discard > COVERS_MM2:
        track.discard_s += t - track.last
    track.shaded = True
    if arm.in_draw > TOUCH_MM2 and track.first_in_draw is not None:
        track.last_in_draw = t
    track.last = t


def _holds(arm: ArmLook, track: ArmTrack) -> bool:
    """The outline of who came in there with both hands, seen as two a moment ago, covers as much of the draw pile as
    this one did: it is there still."""
    same = math.dist(arm.entry, track.entry) <= BOTH_MM
    return same and track.in_draw >= FINGERS_MM2 and arm.in_draw >= LEFT_SHARE * track.in_draw


def _hides(other: ArmLook, arm: ArmLook, track: ArmTrack) -> bool:
    """What lay still at the draw pile is in the outline of another arm that reaches over it now."""
    there = track.lies() and track.in_draw >= FINGERS_MM2 and arm.in_draw <= TOUCH_MM2
    return there and other.in_draw >= LEFT_SHARE * track.in_draw


def _is_thin(arm: ArmLook) -> bool:
    return 0.0 < arm.area < THIN_MM * math.dist(arm.entry, arm.tip)


def _squares_up(arm: ArmLook) -> bool:
    """Both hands, in one outline, are at the discard pile."""
    return arm.area > NARROW_MM * math.dist(arm.entry, arm.tip) and arm.in_discard > BOTH_THERE * arm.in_draw


def _parted(matched: Sequence[tuple[ArmLook, ArmTrack | None]]) -> list[ArmTrack]:
    """The visits that seemed to have the hand of another arm, beside which they ended: it stays where it is, and they
    reached no farther."""
    known = [(arm, track) for arm, track in matched if track is not None]
    return [
        track for arm, track in known
        if track.reach - math.dist(arm.entry, arm.tip) > PARTED_MM
        and math.dist(track.far_tip, track.tip) < THERE_MM
        and any(max(math.dist(other.tip, track.tip), math.dist(its.tip, track.tip)) < THERE_MM
                for other, its in known if its is not track)
    ]  # fmt: skip


def _reaches_in(arm: ArmLook) -> bool:
    """False for an arm that only rests on the edge of the picture."""
    return math.dist(arm.entry, arm.tip) > REACH_MM or max(arm.in_discard, arm.in_draw) > TOUCH_MM2


def _aside(point: Point, entry: Point, tip: Point) -> float:
    """How far a point lies beside the line from entry to tip."""
    length = math.dist(entry, tip)
    if length < REACH_MM:
        return 0.0
    dx, dy = tip[0] - entry[0], tip[1] - entry[1]
    return abs(dx * (point[1] - entry[1]) - dy * (point[0] - entry[0])) / length


def _inside(point: Point, zone: Zone, margin: float) -> bool:
    x, y, w, h = zone
    return x - margin <= point[0] <= x + w + margin and y - margin <= point[1] <= y + h + margin


def _angle(tip: Point, entry: Point, seat: Point) -> float:
    """Degrees between the way from the tip back to the entry and the way to the seat."""
    a = math.atan2(entry[1] - tip[1], entry[0] - tip[0])
    b = math.atan2(seat[1] - tip[1], seat[0] - tip[0])
    return abs(math.degrees(math.remainder(a - b, 2 * math.pi)))
