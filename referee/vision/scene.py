"""The table on a small picture: what moves, and where arms reach in from. Cheap enough for every frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Frame, Image
from referee.vision.calibration import Calibration, Zone
from referee.vision.light import Mask, difference, relit, soft_shadows

SMALL_PX = 320
"""Width of the small picture. Smaller: fingers vanish; larger: the idle frame costs more."""

NOTICE = 14
"""Grey levels by which a pixel of the small picture must differ to count. Smaller: noise and compression wake the
eye; larger: a dark sleeve on a dark table goes unseen."""

FLICKER = 1.6
"""... and how many times the most that this very pixel differs from frame to frame while nothing happens (noise, the
edges of a chequered cloth under compression), where that is more. Smaller: the eye wakes for nothing; larger: it is
blind at edges."""

FLICKER_S = 5.0
"""Seconds in which that is forgotten."""

FLICKER_MOST = 30
"""Grey levels of flicker that are believed. Larger: a passing hand teaches the eye blindness."""

IDLE_SHARE = 0.0012
"""Share of the small picture that must differ before a frame is looked at closely. Smaller: more work for nothing;
larger: a finger tip at the edge comes late."""

ARM_MM2 = 250.0
"""Smallest area on the table of what counts as an arm. Smaller: noise at the picture's edge; larger: finger tips."""

TOUCH_MM2 = 60.0
"""Area of an arm inside a zone from which it is said to be in the zone. Smaller: a hand's shadow keeps the pile
unread; larger: a finger tip on a card is not seen."""

SHADOW_DARKEST = 0.5
"""Share of light that the deepest shadow leaves. Smaller: grey sleeves pass for shadows; larger: shadows pass
for sleeves."""

SHADOW_TOLERANCE = 14.0
"""Grey levels by which colours in a shadow may be off. Smaller: shadows count as things; larger: hands as shadows."""

FLICKER_EVERY_S = 0.13
"""Seconds between lessons. Shorter: the idle frame costs more; longer: flicker is learned late."""

FLICKER_SHARE = 0.02
"""Share of the picture that may flicker. Smaller: a chequered cloth is never learned; larger: a switched lamp is."""

CALM_S = 0.4
"""Seconds without a hand after which flicker is learned. Shorter: hands teach blindness; longer: slow to learn."""

CUT_OFF_CARDS = 2.5
"""Size, in cards, from which something that an arm's place shows is still the arm although no sleeve links it to the
edge. Smaller: cards just laid and straightened piles pass for a hand; larger: a still
hand is read as a card."""

CUT_OFF_S = 0.8
"""Seconds for which an arm may be without its sleeve. Shorter: as above; longer: two cards laid side by side are
read late."""

SLEEVE_MM = 170.0
"""How far from where a cut-off hand came in its sleeve may cross the edge. Smaller: one arm is two; larger: neighbours'
arms are one."""

ADAPT_S = 1.5
"""Seconds in which the memory of the empty scene follows slow light. Shorter: a still hand fades into the table;
longer: sunset counts as a change."""

ABSORB_S = 4.0
"""Seconds for which the whole picture must be at rest before what is new outside the zones becomes part of the
scene. Shorter: a resting arm is forgotten and its leaving looks like a change; longer: a moved glass costs time."""

START_STILL_S = 0.25
"""Seconds without motion until the first picture is taken for the scene. Shorter: a hand that is there when watching
begins becomes part of the table; longer: a card laid at once is taken for one that lay there."""

START_MOVING = 0.01
"""Share of the picture that must move for somebody to be there. Smaller: noise, whose size is not known yet; larger: a
fingertip at the edge."""


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


@dataclass(frozen=True, slots=True)
class SceneLook:
    """One frame on the small picture.

    active: anything differs from the settled scene. moving, discard_moving: shares of the picture and of the discard
    zone that differ from the frame before. discard_changed: share of the discard zone that differs from the settled
    scene and belongs to no arm. changed: share of the picture that differs from the settled scene in any light.
    """

    t: float
    active: bool
    moving: float
    discard_moving: float
    discard_changed: float
    changed: float
    arms: tuple[Arm, ...] = ()


class Scene:
    """Remembers the settled table and compares each frame with it."""

    def __init__(self, calibration: Calibration) -> None:
        width, height = calibration.image_size
        self._scale = min(1.0, SMALL_PX / width)
        self._size = (max(1, round(width * self._scale)), max(1, round(height * self._scale)))
        self._calibration = calibration
        self._area = _areas(calibration, self._size)
        self._discard = _zone_mask(calibration, calibration.discard_zone_mm, 0.0, self._size)
        self._draw = _zone_mask(calibration, calibration.draw_zone_mm, 0.0, self._size)
        self._near_discard = cv2.countNonZero(self._discard) or 1
        self._reference: Image | None = None
        self._slow: npt.NDArray[np.float32] | None = None
        self._before: Image | None = None
        self._flicker = np.zeros((self._size[1], self._size[0]), np.float32)
        self._level: Mask = np.full((self._size[1], self._size[0]), NOTICE, np.uint8)
        self._t = 0.0
        self._still_since = 0.0
        self._starting = True
        self._mask: Mask | None = None
        self._arms_mask: Mask | None = None
        self._last_arms: tuple[Arm, ...] = ()
        self._arm_t = 0.0
        self._busy_t = -1.0
        self._flicker_t = -1.0
        self._card_mm2 = calibration.card_mm[0] * calibration.card_mm[1]
        self.small: Image | None = None

    def look(self, frame: Frame) -> SceneLook:
        """Compares the frame with the settled scene."""
        small = np.asarray(cv2.resize(frame.image, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)
        self.small = small
        before, dt = self._before, max(0.0, frame.t - self._t)
        self._before, self._t = small, frame.t
        if self._reference is None or before is None:
            self.settle()
            self._still_since = frame.t
            return SceneLook(frame.t, False, 0.0, 0.0, 0.0, 0.0)
        if self._starting:
            return self._start(small, before, frame.t)
        if cv2.countNonZero(self._over(self._reference, small)) < IDLE_SHARE * self._level.size:
            self._follow(small, before, frame.t, dt)
            self._mask = self._arms_mask = None
            self._last_arms = ()
            return SceneLook(frame.t, False, 0.0, 0.0, 0.0, 0.0)
        return self._closely(small, before, frame.t)

    def _start(self, small: Image, before: Image, t: float) -> SceneLook:
        """Waits for a picture without motion, so that no hand is taken for a part of the table."""
        self.settle()
        moved = self._over(before, small)
        moving = cv2.countNonZero(moved) / moved.size
        if moving > START_MOVING:
            self._still_since = t
        self._starting = t - self._still_since < START_STILL_S
        return SceneLook(t, self._starting, moving, float(self._starting), 0.0, 0.0)

    def settle(self) -> None:
        """The present picture, all of it, is the settled scene."""
        if self.small is not None:
            self._remember(self.small.copy())

    def settle_discard(self) -> None:
        """The present discard zone is settled, with whatever reaches over its border and belongs to no arm."""
        if self.small is None or self._reference is None:
            return
        where = cv2.dilate(self._discard, np.ones((9, 9), np.uint8))
        if self._arms_mask is not None:
            where = cv2.subtract(where, self._arms_mask)
        if self._mask is not None:
            reference = relit(self._reference, self.small, self._mask)
        else:
            reference = self._reference.copy()
        if reference is self._reference:
            reference = reference.copy()
        reference[where > 0] = self.small[where > 0]
        self._remember(reference)

    def zone_pixels(self, picture: Image) -> npt.NDArray[np.uint8]:
        """The grey levels of a small picture inside both zones, uint8 (n,)."""
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[cv2.max(self._discard, self._draw) > 0], np.uint8)

    def drift_px(self) -> tuple[float, float, float]:
        """How far the picture has moved against the settled scene: dx, dy in pixels of the full frame, and 0 to 1
        how clear the answer is. The zones do not take part."""
        if self.small is None or self._reference is None:
            return (0.0, 0.0, 0.0)
        zones = cv2.dilate(cv2.max(self._discard, self._draw), np.ones((9, 9), np.uint8))
        keep: Mask = np.asarray(cv2.bitwise_not(zones), np.uint8)
        a, b = (_edges(picture, keep) for picture in (self._reference, self.small))
        if float(a.std()) < 1e-6 or float(b.std()) < 1e-6:
            return (0.0, 0.0, 0.0)
        (dx, dy), response = cv2.phaseCorrelate(a, b, cv2.createHanningWindow(self._size, cv2.CV_64F))
        return (float(dx) / self._scale, float(dy) / self._scale, float(max(0.0, min(1.0, response))))

    def _remember(self, picture: Image) -> None:
        self._reference = picture
        self._slow = picture.astype(np.float32)

    def _over(self, reference: Image, small: Image) -> Mask:
        """By how much two pictures differ beyond each pixel's flicker, single noisy pixels smoothed away."""
        return np.asarray(cv2.subtract(cv2.blur(difference(reference, small), (3, 3)), self._level), np.uint8)

    def _follow(self, small: Image, before: Image, t: float, dt: float) -> None:
        assert self._slow is not None
        cv2.accumulateWeighted(small, self._slow, 1.0 - float(np.exp(-dt / ADAPT_S)))
        self._reference = np.asarray(cv2.convertScaleAbs(self._slow), np.uint8)
        self._learn_flicker(small, before, t)

    def _learn_flicker(self, small: Image, before: Image, t: float) -> None:
        if t - self._busy_t < CALM_S or t - self._flicker_t < FLICKER_EVERY_S:
            return  # the trail of a hand is no flicker
        dt, self._flicker_t = t - self._flicker_t, t
        seen = np.minimum(cv2.blur(difference(before, small), (3, 3)), FLICKER_MOST).astype(np.float32)
        self._flicker = np.asarray(cv2.max(self._flicker * np.float32(np.exp(-dt / FLICKER_S)), seen), np.float32)
        scaled = cv2.convertScaleAbs(cv2.dilate(self._flicker, np.ones((3, 3), np.uint8)), alpha=FLICKER)
        self._level = np.maximum(scaled, NOTICE).astype(np.uint8)

    def _closely(self, small: Image, before: Image, t: float) -> SceneLook:
        assert self._reference is not None
        expected = relit(self._reference, small, self._mask)
        mask = self._things(expected, small)
        self._mask = mask
        moved = self._over(before, small)
        moving = cv2.countNonZero(moved) / moved.size
        discard_moving = cv2.countNonZero(cv2.bitwise_and(moved, moved, mask=self._discard)) / self._near_discard
        arms, arms_mask = self._arms(mask, t, moving > IDLE_SHARE)
        self._arms_mask, self._last_arms = arms_mask, arms
        rest = cv2.subtract(mask, arms_mask)
        look = SceneLook(
            t,
            cv2.countNonZero(mask) > IDLE_SHARE * mask.size,
            moving,
            discard_moving,
            cv2.countNonZero(cv2.bitwise_and(rest, self._discard)) / self._near_discard,
            cv2.countNonZero(mask) / mask.size,
            arms,
        )
        if look.active or moving > FLICKER_SHARE:
            self._busy_t = t
        else:
            self._learn_flicker(small, before, t)
        self._rest(look, t)
        return look

    def _things(self, expected: Image, small: Image) -> Mask:
        """Where something lies that did not: differences of light and soft shadows left out."""
        mask = np.asarray(cv2.threshold(self._over(expected, small), 0, 255, cv2.THRESH_BINARY)[1], np.uint8)
        shadows = soft_shadows(expected, small, mask, SHADOW_DARKEST, SHADOW_TOLERANCE)
        if self._arms_mask is not None:  # what was an arm a moment ago is no shadow now
            was_arm = cv2.dilate(self._arms_mask, np.ones((5, 5), np.uint8))
            shadows = np.asarray(cv2.subtract(shadows, was_arm), np.uint8)
        things = cv2.morphologyEx(cv2.subtract(mask, shadows), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return np.asarray(cv2.morphologyEx(things, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)

    def _rest(self, look: SceneLook, t: float) -> None:
        """What lies still long enough outside the zones becomes part of the scene, and so does new light."""
        if look.moving > IDLE_SHARE:
            self._still_since = t
            return
        over_zones = any(arm.in_discard > TOUCH_MM2 or arm.in_draw > TOUCH_MM2 for arm in look.arms)
        unseen = look.discard_changed > 0.0
        if not look.active or (t - self._still_since > ABSORB_S and not over_zones and not unseen):
            self.settle()

    def _arms(self, mask: Mask, t: float, moves: bool) -> tuple[tuple[Arm, ...], Mask]:
        h, w = mask.shape
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        arms, arms_mask = [], np.zeros_like(mask)
        for index in range(1, count):
            x, y, bw, bh, pixels = stats[index]
            part = labels[y : y + bh, x : x + bw] == index
            areas = self._area[y : y + bh, x : x + bw]
            area = float(areas[part].sum())
            if area < ARM_MM2:
                continue
            entry = None
            if x > 1 and y > 1 and x + bw < w - 1 and y + bh < h - 1:
                entry = self._cut_off(part, (x, y), area, pixels, t)
                if entry is None:
                    continue
            arms_mask[y : y + bh, x : x + bw][part] = 255
            arms.append(self._arm(part, areas, area, (x, y), entry))
        if any(arm.at_edge and (moves or arm.in_discard + arm.in_draw > TOUCH_MM2) for arm in arms):
            self._arm_t = t
        return _whole(arms), arms_mask

    def _cut_off(
        self, part: npt.NDArray[np.bool_], at: tuple[int, int], area: float, pixels: int, t: float
    ) -> tuple[float, float] | None:
        """The entry of an arm whose sleeve cannot be told from the table just now, so that it ends inside the picture:
        larger than a card, where an arm was a moment ago. None when it is no arm."""
        if self._arms_mask is None or not self._last_arms or t - self._arm_t > CUT_OFF_S:
            return None
        if area < CUT_OFF_CARDS * self._card_mm2:
            return None
        (x, y), (bh, bw) = at, part.shape
        common = cv2.countNonZero(cv2.bitwise_and(self._arms_mask[y : y + bh, x : x + bw], part.astype(np.uint8)))
        if common < 0.4 * pixels:
            return None
        return max(self._last_arms, key=lambda arm: arm.in_discard + arm.in_draw + 1e-3 * arm.area).entry

    def _arm(
        self,
        part: npt.NDArray[np.bool_],
        areas: npt.NDArray[np.float32],
        area: float,
        at: tuple[int, int],
        entry: tuple[float, float] | None,
    ) -> Arm:
        x0, y0 = at
        bh, bw = part.shape
        h, w = self._discard.shape
        ys, xs = np.nonzero(part)
        points = np.stack([xs + x0, ys + y0], 1)
        edge = (points[:, 0] <= 1) | (points[:, 1] <= 1) | (points[:, 0] >= w - 2) | (points[:, 1] >= h - 2)
        table = self._calibration.to_table((points + 0.5) / self._scale - 0.5)
        start = table[edge].mean(0) if entry is None else np.array(entry)
        far = np.hypot(*(table - start).T)
        # The mean of the farthest few, so that one noisy pixel is not a finger.
        tip = table[far >= np.partition(far, -max(1, len(far) // 50))[-max(1, len(far) // 50)]].mean(0)
        discard, draw = (zone[y0 : y0 + bh, x0 : x0 + bw] > 0 for zone in (self._discard, self._draw))
        return Arm(
            (float(start[0]), float(start[1])),
            (float(tip[0]), float(tip[1])),
            area,
            float(areas[part & discard].sum()),
            float(areas[part & draw].sum()),
            entry is None,
        )


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


def _edges(picture: Image, keep: Mask) -> npt.NDArray[np.float64]:
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0).astype(np.float64)
    strong = np.log1p(np.hypot(cv2.Sobel(grey, cv2.CV_64F, 1, 0), cv2.Sobel(grey, cv2.CV_64F, 0, 1)))
    strong[keep == 0] = 0
    return np.asarray(strong, np.float64)


def _zone_mask(calibration: Calibration, zone: Zone, grow_mm: float, size: tuple[int, int]) -> Mask:
    x, y, w, h = zone
    x, y, w, h = x - grow_mm, y - grow_mm, w + 2 * grow_mm, h + 2 * grow_mm
    scale = size[0] / calibration.image_size[0]
    corners = calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint((corners + 0.5) * scale - 0.5).astype(np.int32), 255)
    return mask


def _areas(calibration: Calibration, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Square millimetres of the table that each pixel of the small picture shows, float32 (height, width)."""
    w, h = size
    scale = w / calibration.image_size[0]
    xs, ys = np.meshgrid(np.arange(w + 1), np.arange(h + 1))
    points = calibration.to_table(np.stack([xs.ravel(), ys.ravel()], 1) / scale - 0.5).reshape(h + 1, w + 1, 2)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    p, q = c - a, d - b
    return np.asarray(np.abs(p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]) / 2, np.float32)
