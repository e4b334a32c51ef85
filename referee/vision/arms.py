"""Arms on the small picture: which of the things that were not there a moment ago are arms, and how far they reach."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.calibration import Calibration, Floats
from referee.vision.carried import TIP_MM, AtTip, is_shadow
from referee.vision.fork import ends
from referee.vision.light import Mask
from referee.vision.lying import Lying
from referee.vision.pieces import pieces, where

ARM_MM2 = 250.0
"""Smallest area on the table of what counts as an arm. Smaller: noise at the picture's edge; larger: finger tips."""

TOUCH_MM2 = 60.0
"""Area of an arm inside a zone from which it is said to be in the zone. Smaller: a hand's shadow keeps the pile
unread; larger: a finger tip on a card is not seen."""

CUT_OFF_CARDS = 2.5
"""Size, in cards, from which something that an arm's place shows is still the arm although no sleeve links it to the
edge. Smaller: cards just laid and straightened piles pass for a hand; larger: a still
hand is read as a card."""

CUT_OFF_BESIDE = 0.2
"""Share of it that must lie beside both zones: a hand comes from somewhere. Smaller: a pile that was squared up is an
arm, and two plays are one; larger: as with larger `CUT_OFF_CARDS`."""

SAME_CUT_OFF = 0.8
"""Share of itself, and of the arms of the frame before, that one without a sleeve must have in common with them to be
that arm wherever it lies. Smaller: what a hand leaves is the hand; larger: a hand that stops over the pile is a card
when its sleeve has the table's colour."""

CUT_OFF_S = 0.8
"""Seconds for which an arm may be without its sleeve, if anything has moved since. Shorter: as above; longer: two cards
laid side by side are read late."""

BEYOND_CARDS = 0.8
"""Size, in cards, of what lies outside both zones of something that moves, from which it is an arm whose sleeve cannot
be told from the table. Smaller: slipping cards pass for a hand; larger: dark hands on dark tables go unseen."""

SLEEVE_MM = 170.0
"""How far from where a cut-off hand came in its sleeve may cross the edge. Smaller: one arm is two; larger: neighbours'
arms are one."""


APART_MM = 170.0
"""Distance of two places where something crosses the edge of the picture from which it is two arms that meet. Smaller:
a sleeve that the corner of the picture cuts in two is two arms; larger: two neighbours' arms are one."""

CUT_MM, SLEEVE_LONG_MM = 50.0, 160.0
"""Between which distances from where it comes in a sleeve tells which way an arm points. Smaller: how a corner of the
picture cuts it, and its folds; larger: the other arm."""

ACROSS_MM = 350.0
"""Distance of such places from which the one is that of an arm that came in since the frame before. Smaller: an arm and
its shadow are two; larger: before slow cameras two people who reach across the table at once are one."""

STEP_MM = 100.0
"""How much farther an arm can reach from one frame to the next. Smaller: a quick hand is left behind; larger: the other
arm's hand passes for its own."""

REACHES_MM = 60.0
"""Reach from which something at the edge is an arm that another can meet. Smaller: a shadow's rim; larger: an arm that
comes in beside another is not known from it."""

WAS_MM = 60.0
"""By how much what was one arm's in the frame before counts as lying farther off the other. Smaller: an arm that comes
to rest beside another takes that one's sleeve for its own hand; larger: a hand that comes over another arm is left to
that."""

AT_EDGE_MM = 40.0
"""Reach up to which an arm only shows at the edge of the picture: nothing is known of its tip."""

BOTH_WIDE_MM = 110.0
"""Mean width up to which an outline is that of two arms. Smaller: bulky sleeves that meet are one arm; larger: an arm
and somebody's shadow are two arms."""


@dataclass(frozen=True, slots=True)
class Arm:
    """Something that reaches into the picture from its edge, table millimetres.

    entry: the middle of where it crosses the edge of the picture. tip: its farthest point from there. in_discard and
    in_draw: mm2 of the zone that it covers. at_edge: it is seen to cross the edge; else it did a moment ago.
    """

    entry: tuple[float, float]
    tip: tuple[float, float]
    area: float
    in_discard: float
    in_draw: float
    at_edge: bool

    @property
    def in_zones(self) -> bool:
        """It covers a part of a zone."""
        return self.in_discard > TOUCH_MM2 or self.in_draw > TOUCH_MM2


class ArmFinder:
    """Finds arms among the things on the small picture, from frame to frame."""

    def __init__(self, calibration: Calibration, discard: Mask, draw: Mask) -> None:
        """discard, draw: the zones on the small picture."""
        h, w = discard.shape
        self._calibration = calibration
        self._scale = w / calibration.image_size[0]
        self._discard, self._draw = discard, draw
        self._area = _areas(calibration, (w, h))
        xs, ys = np.meshgrid(np.arange(w), np.arange(h))
        self._places = self._to_table(np.stack([xs.ravel(), ys.ravel()], 1)).reshape(h, w, 2)
        # The same as two planes: to pick pixels out of a plane takes a tenth of the time.
        self._x, self._y = (np.ascontiguousarray(self._places[..., axis]) for axis in (0, 1))
        self._edge = (xs <= 1) | (ys <= 1) | (xs >= w - 2) | (ys >= h - 2)
        self._most_area = float(self._area.max())
        self._card_mm2 = calibration.card_mm[0] * calibration.card_mm[1]
        self._arm_t = -1e9
        self._moved_t = -1e9
        self.arms: tuple[Arm, ...] = ()
        self.mask: Mask | None = None
        self._seen: list[tuple[Arm, npt.NDArray[np.bool_]]] = []
        self._linked: Mask | None = None
        self._forks = self._forked_before = False
        self._lying = Lying(self._edge)

    def forget(self) -> None:
        """Nobody is there."""
        self.arms, self.mask, self._linked, self._seen = (), None, None, []
        self._forks = False
        self._lying.forget()

    def leave_out(self, where: Mask) -> None:
        """No arm lies where this is above 0; those that lie elsewhere, across the edge of the picture, are there."""
        gone = {arm.entry for arm, own in self._seen if (own & (where > 0)).any()}
        self.arms = tuple(arm for arm in self.arms if arm.at_edge and arm.entry not in gone)
        self._seen = [(arm, own) for arm, own in self._seen if arm.entry not in gone]
        self.mask = None if self.mask is None else np.asarray(cv2.subtract(self.mask, where), np.uint8)

    def find(self, things: Mask, t: float, moves: bool) -> tuple[Arm, ...]:
        """The arms among `things` (255 where something is that was not there). moves: the picture does.

        Sets `arms` and `mask`, where they are.
        """
        h, w = things.shape
        x0, y0, w0, h0 = cv2.boundingRect(things)
        crop = things[y0 : y0 + max(1, h0), x0 : x0 + max(1, w0)]  # OpenCV crashes on a picture without pixels
        near, areas = pieces(crop, 8)
        arms, mask = [], np.zeros_like(things)
        seen: list[tuple[Arm, npt.NDArray[np.bool_]]] = []
        outlines: list[npt.NDArray[np.bool_]] = []
        parted = False
        self._forked_before, self._forks = self._forks, False
        if moves:
            self._moved_t = t
        for index in range(1, len(areas)):
            pixels = int(areas[index])
            if pixels * self._most_area < ARM_MM2:
                continue
            one, (rows, columns) = where(near, index)
            part, (bh, bw) = one.view(bool), one.shape
            x, y = columns.start + x0, rows.start + y0
            area = float(self._area[y : y + bh, x : x + bw][part].sum())
            if area < ARM_MM2:
                continue
            entry = None
            if x > 1 and y > 1 and x + bw < w - 1 and y + bh < h - 1:
                entry = self._cut_off(part, (x, y), area, pixels, t)
                if entry is None and self._is_parted(part, (x, y), things):
                    entry, parted = self._nearest(part, (x, y)), True
                if entry is None:
                    continue
            mask[y : y + bh, x : x + bw][part] = 255
            if entry is not None:
                arms.append(self._arm(part, area, (x, y), entry))
                continue
            outline = np.zeros(things.shape, bool)
            outline[y : y + bh, x : x + bw] = part
            for piece in self._lying.parted(outline, t):
                outlines.append(piece)
                seen.extend(self._at_edge(piece))
        arms.extend(arm for arm, _ in seen)
        if any(arm.at_edge and (moves or arm.in_zones) for arm in arms):
            self._arm_t = t
        self._lying.look(outlines, t)
        self.arms, self.mask, self._seen = _whole(arms), mask, seen
        if not parted:
            self._linked = mask if any(arm.in_draw > TOUCH_MM2 for arm in self.arms) else None
        return self.arms

    def _at_edge(self, outline: npt.NDArray[np.bool_]) -> list[tuple[Arm, npt.NDArray[np.bool_]]]:
        """The arms of an outline that crosses the edge of the picture, each with what is its own of the picture."""
        x, y, bw, bh = cv2.boundingRect(outline.view(np.uint8))
        here = (slice(y, y + bh), slice(x, x + bw))
        found = []
        for arm, own in self._two(outline[here], float(self._area[here][outline[here]].sum()), (x, y)):
            whole = np.zeros(outline.shape, bool)
            whole[here] = own
            found.append((arm, whole))
        return found

    def at_tips(self, small: Image, table: Image) -> list[AtTip]:
        """What `small`, the picture that the arms were found on, shows of them near their tips, without their shadow on
        `table`, which is what it shows without them. Only of arms that are seen to cross the edge: the pile may look
        like a hand."""
        arms = [arm for arm in self.arms if arm.at_edge and math.dist(arm.tip, arm.entry) > AT_EDGE_MM]
        if self.mask is None or not arms:
            return []
        shown = np.flatnonzero(self.mask > 0)
        x, y = (plane.ravel()[shown] for plane in (self._x, self._y))
        off = np.stack([(x - arm.tip[0]) ** 2 + (y - arm.tip[1]) ** 2 for arm in arms])
        near = off.min(0) < TIP_MM**2
        shown, whose = shown[near], off[:, near].argmin(0)
        colours, beneath, places = (
            plane.reshape(-1, plane.shape[2]).take(shown, 0) for plane in (small, table, self._places)
        )
        other = ~is_shadow(colours, beneath)
        mm2 = self._area.ravel()[shown]
        each = [other & (whose == k) for k in range(len(arms))]
        return [AtTip(arm.entry, colours[k], places[k], mm2[k]) for arm, k in zip(arms, each, strict=True)]

    def _two(
        self, part: npt.NDArray[np.bool_], area: float, at: tuple[int, int]
    ) -> list[tuple[Arm, npt.NDArray[np.bool_]]]:
        """The arm that crosses the edge, or the two that were apart until their outlines met: each point belongs to the
        one along which it lies, as far as that one can reach by now, or whose it was. What was never apart may be one
        and a shadow. Each with its part of the outline."""
        whole = [(self._arm(part, area, at, None), part)]
        (x, y), (bh, bw) = at, part.shape
        here = (slice(y, y + bh), slice(x, x + bw))
        table = self._places[here]
        entries = _entries(table, part & self._edge[here])
        if len(entries) != 2:
            return self._forked(part, area, at) or whole
        before = self._known(entries, part, here)
        if before is None:
            return whole
        points = table[part]
        off = np.stack([_off(points, e, arm) for e, (arm, _) in zip(entries, before, strict=True)])
        was = np.stack([seen[part] for _, seen in before])
        off += WAS_MM * (was[::-1] & ~was)
        arms = []
        for mine in (off[0] <= off[1], off[0] > off[1]):
            split = part.copy()
            split[part] = mine
            if not (split & self._edge[here]).any():
                return whole
            arms.append((self._arm(split, float(self._area[here][split].sum()), at, None), split))
        reach = sum(float(np.hypot(*np.subtract(arm.tip, arm.entry))) for arm, _ in arms)
        return arms if area <= BOTH_WIDE_MM * reach else whole

    def _known(
        self, entries: list[Floats], part: npt.NDArray[np.bool_], here: tuple[slice, slice]
    ) -> list[tuple[Arm, npt.NDArray[np.bool_]]] | None:
        """The arms that came in there, as they were in the frame before, each with its place within `here`. One of the
        two may have come since then, if that is far from the other and its sleeve was not there: so far off lies
        nobody's shadow that was not there with him. None where neither was there, or it is not clear which."""
        seen = [(arm, place[here]) for arm, place in self._seen if math.dist(arm.tip, arm.entry) > REACHES_MM]
        if not seen:
            return None
        off = [[math.dist(entry, arm.entry) for arm, _ in seen] for entry in entries]
        (one, one_mm), (other, other_mm) = (min(enumerate(each), key=lambda k: k[1]) for each in off)
        if one != other and max(one_mm, other_mm) <= APART_MM:
            return [seen[one], seen[other]]
        if min(one_mm, other_mm) > APART_MM or math.dist(*entries) < ACROSS_MM:
            return None
        first, new = (one, 1) if one_mm <= other_mm else (other, 0)
        sleeve = part & (np.hypot(*np.moveaxis(self._places[here] - entries[new], 2, 0)) <= SLEEVE_LONG_MM)
        if (sleeve & seen[first][1]).sum() > sleeve.sum() / 2:
            return None  # it was there before, joined to the other
        u, v = (float(mm) for mm in entries[new])
        came = Arm((u, v), seen[first][0].tip, 0.0, 0.0, 0.0, True)  # it reaches to where they meet, at most
        both = [seen[first], (came, np.zeros(part.shape, bool))]
        return both if new == 1 else both[::-1]

    def _forked(
        self, part: npt.NDArray[np.bool_], area: float, at: tuple[int, int]
    ) -> list[tuple[Arm, npt.NDArray[np.bool_]]]:
        """Both hands of somebody who comes to both piles with them, with what is theirs of the outline. What parts in
        one frame alone is one hand of which its outline has lost a part."""
        (x, y), (bh, bw) = at, part.shape
        here = (slice(y, y + bh), slice(x, x + bw))
        discard, draw = (zone[here] > 0 for zone in (self._discard, self._draw))
        if not (part & discard).any() or not (part & draw).any():
            return []
        u, v = (float(mm) for mm in self._places[here][part & self._edge[here]].mean(0))
        far = np.zeros(part.shape)
        far[part] = self._far(part, at, (u, v))
        found = ends(part, far, self._area[here], (discard, draw))
        self._forks = self._forks or found is not None
        if found is None or not self._forked_before:
            return []
        lays, draws = (part & ~other for other in found[::-1])
        arm, other = (self._arm(own, area / 2, at, (u, v)) for own in (lays, draws))
        tips = [self._arm(end, 0.0, at, (u, v)).tip for end in found]
        return [(replace(arm, tip=tips[0], in_draw=0.0, at_edge=True), lays),
                (replace(other, tip=tips[1], in_discard=0.0, at_edge=True), draws)]  # fmt: skip

    def _cut_off(
        self, part: npt.NDArray[np.bool_], at: tuple[int, int], area: float, pixels: int, t: float
    ) -> tuple[float, float] | None:
        """The entry of an arm whose sleeve cannot be told from the table just now, so that it ends inside the picture:
        larger than a card, where an arm was a moment ago, or far outside the zones while things move. None when it is
        no arm."""
        if area < CUT_OFF_CARDS * self._card_mm2:
            return None
        (x, y), (bh, bw) = at, part.shape
        zones = cv2.max(self._discard, self._draw)[y : y + bh, x : x + bw] > 0
        outside = float(self._area[y : y + bh, x : x + bw][part & ~zones].sum())
        common, was = 0, 0
        if self.mask is not None and self.arms:
            common = cv2.countNonZero(cv2.bitwise_and(self.mask[y : y + bh, x : x + bw], part.astype(np.uint8)))
            was = cv2.countNonZero(self.mask)
        goes_on = common >= SAME_CUT_OFF * max(pixels, was, 1) and not any(arm.at_edge for arm in self.arms)
        if outside < CUT_OFF_BESIDE * area and not goes_on:
            return None
        rests = self._moved_t <= self._arm_t  # since it was last seen with a sleeve
        if self.arms and common >= 0.4 * pixels and (rests or t - self._arm_t <= CUT_OFF_S):
            return self._nearest(part, at)
        if t - self._moved_t > CUT_OFF_S:
            return None
        inside = bool((part & zones).any())
        return self._way_out(part & ~zones, at) if inside and outside > BEYOND_CARDS * self._card_mm2 else None

    def _nearest(self, part: npt.NDArray[np.bool_], at: tuple[int, int]) -> tuple[float, float]:
        """The entry of the arm of the frame before along which a part of the picture lies."""
        (x, y), (h, w) = at, part.shape
        middle = self._places[y : y + h, x : x + w][part].mean(0)
        return min(self.arms, key=lambda arm: _aside(middle, arm)).entry

    def _is_parted(self, part: npt.NDArray[np.bool_], at: tuple[int, int], things: Mask) -> bool:
        """It is the hand at the draw pile of an arm that lies where it lay with it, but for what linked them: something
        of the table's colour. At the discard pile it may be a card."""
        (x, y), (h, w) = at, part.shape
        here = (slice(y, y + h), slice(x, x + w))
        if self._linked is None or self.mask is None or not self.arms or (part & (self._discard[here] > 0)).any():
            return False
        linked, was = self._linked > 0, self.mask[here] > 0
        if not (part & (self._draw[here] > 0)).any() or (part & was).sum() < part.sum() / 2:
            return False
        return bool((linked & (things > 0)).sum() >= SAME_CUT_OFF * linked.sum())

    def _way_out(self, part: npt.NDArray[np.bool_], at: tuple[int, int]) -> tuple[float, float]:
        """Where a line from the discard zone through the middle of `part` leaves the picture, table millimetres."""
        h, w = self._discard.shape
        ys, xs = np.nonzero(part)
        zy, zx = np.nonzero(self._discard)
        start = np.array([zx.mean(), zy.mean()])
        way = np.array([xs.mean() + at[0], ys.mean() + at[1]]) - start
        steps = [(edge - s) / d for s, d, edges in zip(start, way, ((0, w - 1), (0, h - 1)), strict=True)
                 for edge in edges if abs(d) > 1e-6 and (edge - s) / d > 0]  # fmt: skip
        x, y = self._to_table(np.array([start + way * min(steps, default=1.0)]))[0]
        return (float(x), float(y))

    def _to_table(self, points: npt.ArrayLike) -> Floats:
        return self._calibration.to_table((np.asarray(points) + 0.5) / self._scale - 0.5)

    def _arm(
        self, part: npt.NDArray[np.bool_], area: float, at: tuple[int, int], entry: tuple[float, float] | None
    ) -> Arm:
        x0, y0 = at
        bh, bw = part.shape
        here = (slice(y0, y0 + bh), slice(x0, x0 + bw))
        table = self._places[here]
        start = table[part & self._edge[here]].mean(0) if entry is None else np.array(entry)
        far = self._far(part, at, (float(start[0]), float(start[1])))
        # The mean of the farthest few, so that one noisy pixel is not a finger.
        few = max(1, len(far) // 50)
        farthest = part.copy()
        farthest[part] = far >= np.partition(far, -few)[-few]
        tip = table[farthest].mean(0)
        discard, draw = (zone[here] > 0 for zone in (self._discard, self._draw))
        areas = self._area[here]
        return Arm(
            (float(start[0]), float(start[1])),
            (float(tip[0]), float(tip[1])),
            area,
            float(areas[part & discard].sum()),
            float(areas[part & draw].sum()),
            entry is None,
        )

    def _far(self, part: npt.NDArray[np.bool_], at: tuple[int, int], start: tuple[float, float]) -> Floats:
        """How far each pixel of a part of the picture lies from `start` on the table, mm, (n,)."""
        (x, y), (h, w) = at, part.shape
        here = (slice(y, y + h), slice(x, x + w))
        return np.asarray(np.hypot(self._x[here][part] - start[0], self._y[here][part] - start[1]), np.float64)


def _entries(table: Floats, edge: npt.NDArray[np.bool_]) -> list[Floats]:
    """Where arms cross the edge of the picture. table: the place of each pixel (h, w, 2); edge: the pixels that do.
    What the corner or a gap beside a sleeve's shadow cuts in two is one."""
    count, labels = cv2.connectedComponents(edge.astype(np.uint8))
    lots = [table[labels == index] for index in range(1, count)]
    while len(lots) > 1:
        middles = np.stack([lot.mean(0) for lot in lots])
        apart = np.hypot(*np.moveaxis(middles[:, None] - middles[None], 2, 0)) + 1e9 * np.eye(len(lots))
        one, other = sorted(divmod(int(apart.argmin()), len(lots)))
        if apart[one, other] >= APART_MM:
            break
        lots[one] = np.concatenate([lots[one], lots.pop(other)])
    return [lot.mean(0) for lot in lots]


def _off(points: Floats, entry: Floats, before: Arm) -> Floats:
    """How far each point (n, 2) lies off the arm that comes in at `entry`, and beyond its reach, mm."""
    way = points - entry
    away = np.hypot(*way.T)
    sleeve = way[(away > CUT_MM) & (away <= SLEEVE_LONG_MM)]
    near = (sleeve if len(sleeve) else way).mean(0)
    along = way @ (near / max(1e-6, float(np.hypot(*near))))
    across = np.sqrt(np.maximum((way**2).sum(1) - along**2, 0.0))
    reach = float(np.hypot(*np.subtract(before.tip, before.entry)))
    return np.asarray(across + np.maximum(along - reach - STEP_MM, 0.0), np.float64)


def _aside(point: Floats, arm: Arm) -> float:
    """How far a point (2,) lies from the line between an arm's entry and its tip, mm."""
    entry, way = np.array(arm.entry), np.subtract(arm.tip, arm.entry)
    share = float(np.clip((point - entry) @ way / max(1e-6, float(way @ way)), 0.0, 1.0))
    return float(np.hypot(*(point - entry - share * way)))


def _whole(arms: list[Arm]) -> tuple[Arm, ...]:
    """The arms, each hand that is cut off from its sleeve joined to what crosses the edge where it came in."""
    whole = [arm for arm in arms if arm.at_edge]
    for hand in arms:
        if hand.at_edge:
            continue
        sleeve = min(whole, key=lambda arm: float(np.hypot(*np.subtract(arm.entry, hand.entry))), default=None)
        if sleeve is None or np.hypot(*np.subtract(sleeve.entry, hand.entry)) > SLEEVE_MM:
            whole.append(hand)
            continue
        whole.remove(sleeve)
        reach = [float(np.hypot(*np.subtract(arm.tip, sleeve.entry))) for arm in (hand, sleeve)]
        whole.append(
            Arm(
                sleeve.entry,
                hand.tip if reach[0] >= reach[1] else sleeve.tip,
                hand.area + sleeve.area,
                hand.in_discard + sleeve.in_discard,
                hand.in_draw + sleeve.in_draw,
                True,
            )
        )
    return tuple(whole)


def _areas(calibration: Calibration, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Square millimetres of the table that each pixel of the small picture shows, float32 (height, width)."""
    w, h = size
    scale = w / calibration.image_size[0]
    xs, ys = np.meshgrid(np.arange(w + 1), np.arange(h + 1))
    points = calibration.to_table(np.stack([xs.ravel(), ys.ravel()], 1) / scale - 0.5).reshape(h + 1, w + 1, 2)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    p, q = c - a, d - b
    return np.asarray(np.abs(p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]) / 2, np.float32)
