"""The table on a small picture: what moves, and where arms reach in from. Cheap enough for every frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Frame, Image
from referee.observations import Quad
from referee.tracker.looks import DrawPileLeft
from referee.vision.arms import TOUCH_MM2, Arm, ArmFinder
from referee.vision.calibration import Calibration, Zone
from referee.vision.carried import AtTip
from referee.vision.draw_place import ABOUT_PX, DrawPlace
from referee.vision.drift import Landmarks, landmarks, movement
from referee.vision.flutter import Flutter
from referee.vision.ghosts import is_lit, is_unveiled, joined, lifted, lifted_about, parts, with_core
from referee.vision.hem import hemmed
from referee.vision.lamp import relit
from referee.vision.light import CLIPPED, Mask, brighter, lighter, soft_shadows
from referee.vision.noise import Noise
from referee.vision.resting import ABSORB_S, Resting
from referee.vision.sight import is_lost
from referee.vision.sway import Sway

SMALL_PX = 320
"""The longer side of the small picture. Smaller: fingers vanish; larger: the idle frame costs more."""

IDLE_SHARE = 0.0012
"""Share of the small picture that must differ before a frame is looked at closely. Smaller: more work for nothing;
larger: a finger tip at the edge comes late."""

SHADOW_DARKEST = 0.5
"""Share of light below which a shadow must have a soft border round its core. Smaller: grey sleeves pass for shadows;
larger: shadows pass for sleeves."""

SHADOW_TOLERANCE = 14.0
"""Grey levels by which colours in a shadow may be off. Smaller: shadows count as things; larger: hands as shadows."""

ARM_CORE_S = 0.15
"""Seconds of rest after which an arm is asked whether it is a shadow, or where one was. Shorter: a grey sleeve that
stops for a moment is lost; longer: the card laid is seen late."""

GHOST_S = 0.8
"""Seconds of rest after which an arm is none that is the table in more light nearly all over. Shorter: a white sleeve
that rests on a grey table is passed over; longer: cards are missed."""

FLICKER_SHARE = 0.02
"""Share of the picture that may flicker. Smaller: a chequered cloth is never learned; larger: a switched lamp is."""

ADAPT_S = 1.5
"""Seconds in which the memory of the empty scene follows slow light. Shorter: a still hand fades into the table;
longer: sunset counts as a change."""

FOLLOW_S = 0.09
"""Seconds between two such steps. Shorter: the idle frame costs more; longer: slow light is followed in jerks."""

ABSORB_EVERY_S = 1.0
"""Seconds between looks at what has come to rest while something else moves. Shorter: costs time; longer: an arm that
crosses a sheet of paper is as large as both."""

UNVEILED_S = 0.4
"""Seconds of rest after which an arm is checked for being the place of something that has gone. Shorter: costs time;
longer: the pile that a hand covered when watching began is seen late."""

STIRRED_SHARE = 0.001
"""Share of the picture that must differ outside the discard zone for the camera to have been bumped. Smaller: a shadow
is looked into, which costs time; larger: bumps over plain tables go unnoticed."""

SPARED_S = 0.13
"""Seconds for which a hand that moves away from the piles is not looked for while the pile is looked at. Shorter:
frames take longer, and a brisk player's next card comes before the look is done; longer: an arm comes late."""

START_STILL_S = 0.25
"""Seconds without motion until the first picture is taken for the scene. Shorter: a hand that is there when watching
begins becomes part of the table; longer: a card laid at once is taken for one that lay there."""

START_PILES_STILL_S = 0.6
"""... without motion at the piles, whatever moves elsewhere. Shorter: a hand on its way to a pile becomes part of the
table; longer: where people fidget with their cards, the first ones are missed."""

START_MOVING = 0.01
"""Share of the picture, or of the places of the piles, that must move for somebody to be there. Smaller: noise, whose
size is not known yet; larger: a fingertip at the edge."""


@dataclass(frozen=True, slots=True)
class SceneLook:
    """One frame on the small picture.

    active: anything differs from the settled scene. moving, discard_moving: shares of the picture and of the discard
    zone that differ from the frame before. discard_changed: share of the discard zone that differs from the settled
    scene and belongs to no arm. changed: share of the picture that differs from the settled scene in any light.
    lost: there is no picture, and nothing else is known.
    pile_came: a draw pile lies now where the bare table was before the hand came that has just left.
    left: hands have just left the draw pile.
    unveiled: what looked like an arm is where something has gone that had been settled; that place is settled now.
    as_before: what the last frame showed is taken over; only what moves has been looked for.
    """

    t: float
    active: bool
    moving: float
    discard_moving: float
    discard_changed: float
    changed: float
    arms: tuple[Arm, ...] = ()
    pile_came: bool = False
    left: DrawPileLeft | None = None
    unveiled: bool = False
    lost: bool = False
    as_before: bool = False


class Scene:
    """Remembers the settled table and compares each frame with it."""

    def __init__(self, calibration: Calibration) -> None:
        width, height = calibration.image_size
        self._scale = min(1.0, SMALL_PX / max(width, height))
        self._size = (max(1, round(width * self._scale)), max(1, round(height * self._scale)))
        self._calibration = calibration
        self._discard = _zone_mask(calibration, calibration.discard_zone_mm, 0.0, self._size)
        self._draw = _zone_mask(calibration, calibration.draw_zone_mm, 0.0, self._size)
        piles = cv2.dilate(cv2.max(self._discard, self._draw), np.ones((9, 9), np.uint8))
        self._beside: Mask = np.asarray(cv2.bitwise_not(piles), np.uint8)
        self._zones = cv2.max(self._discard, self._draw) > 0
        self._arm_finder = ArmFinder(calibration, self._discard, self._draw)
        _, _, wide, high = calibration.draw_zone_mm
        card_mm2 = calibration.card_mm[0] * calibration.card_mm[1]
        self._draw_place = DrawPlace(self._draw, wide * high / card_mm2, self._beside)
        self._near_discard = cv2.countNonZero(self._discard) or 1
        self._reference: Image | None = None
        self._slow: npt.NDArray[np.float32] | None = None
        self._before: Image | None = None
        self._noise = Noise(self._size)
        self._flutter = Flutter(SHADOW_DARKEST, SHADOW_TOLERANCE)
        places = np.where(self._beside > 0, 0, np.where(cv2.dilate(self._discard, np.ones((9, 9), np.uint8)) > 0, 2, 1))
        self._sway = Sway(places.astype(np.uint8))
        self._t = 0.0
        self._still_since = self._piles_still_since = 0.0
        self._resting = Resting(self._noise.beyond, self._beside)
        self._starting = True
        self._pile_known = False
        self._mask: Mask | None = None
        self._differs: Mask | None = None
        self._expected: Image | None = None
        self._last: tuple[Image, SceneLook] | None = None
        self._unfollowed_s = 0.0
        self._landmarks: Landmarks | None = None
        self.small: Image | None = None

    def look(self, frame: Frame, pile_known: bool = False, hurried: bool = False) -> SceneLook:
        """Compares the frame with the settled scene.

        pile_known: the discard pile has been seen, so that where an arm over it is the place of something that has
        gone, only what lies beside the piles is settled.
        hurried: the frame has other work to do: what the last one showed is taken over where nothing has moved since.
        """
        self._pile_known = pile_known
        small = np.asarray(cv2.resize(frame.image, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)
        self.small = small
        if is_lost(small):
            return SceneLook(frame.t, False, 0.0, 0.0, 0.0, 0.0, lost=True)
        if not self._starting:
            small = self.small = self._sway.steadied(small, frame.t, hurried)
        before, dt = self._before, max(0.0, frame.t - self._t)
        self._before, self._t = small, frame.t
        self._noise.look(small, frame.t)
        if self._reference is None or before is None:
            self.settle()
            self._still_since = self._piles_still_since = frame.t
            return SceneLook(frame.t, False, 0.0, 0.0, 0.0, 0.0)
        if self._starting:
            return self._start(small, before, frame.t)
        if hurried and self._last is not None and (same := self._as_last(small, frame.t)):
            return same
        if cv2.countNonZero(self._noise.beyond(self._reference, small)) < IDLE_SHARE * self._discard.size:
            if self._draw_place.visited:
                self._draw_place.is_left((), self._noise.beyond(before, small), frame.t)
            self._mask = None
            self._arm_finder.forget()
            left = self._left()
            self._follow(small, before, frame.t, dt)
            self._differs = self._expected = self._last = None
            return SceneLook(frame.t, False, 0.0, 0.0, 0.0, 0.0, left=left)
        return self._closely(small, before, frame.t)

    def _start(self, small: Image, before: Image, t: float) -> SceneLook:
        """Waits for a picture without motion, so that no hand is taken for a part of the table; where people move all
        the time at its edges, for one without motion at the piles."""
        self.settle()
        moved = self._flutter.without(self._noise.moved(before, small, self._mask, small), before, small, None, t)
        moving = cv2.countNonZero(moved) / moved.size
        if moving > START_MOVING:
            self._still_since = t
        if cv2.countNonZero(cv2.subtract(moved, self._beside)) > START_MOVING * np.count_nonzero(self._beside == 0):
            self._piles_still_since = t
        still = t - self._still_since >= START_STILL_S or t - self._piles_still_since >= START_PILES_STILL_S
        self._starting = not still
        return SceneLook(t, self._starting, moving, float(self._starting), 0.0, 0.0)

    def settle(self) -> None:
        """The present picture, all of it, is the settled scene."""
        if self.small is not None:
            self._remember(self.small.copy())

    def settle_discard(self) -> None:
        """The present discard zone is settled, with whatever reaches over its border and belongs to no arm. A soft
        shadow is left out: what is settled of it would end at the zone's border, sharp as a thing, when it has gone.
        Where one has lifted, the table is settled all over, noise or none: else the next hand there makes an arm of all
        of that."""
        if self.small is None or self._reference is None:
            return
        where = cv2.dilate(self._discard, np.ones((9, 9), np.uint8))
        if self._arm_finder.mask is not None:
            where = cv2.subtract(where, self._arm_finder.mask)
        reference = (self._reference if self._expected is None else self._expected).copy()
        if self._differs is not None:
            shade = soft_shadows(reference, self.small, self._differs, SHADOW_DARKEST, SHADOW_TOLERANCE)
            lit = np.minimum(shade, lighter(reference, self.small))
            lit = np.asarray(cv2.morphologyEx(lit, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
            if self._arm_finder.mask is not None:
                lit = np.asarray(cv2.subtract(lit, self._arm_finder.mask), np.uint8)
            where = cv2.subtract(where, shade)
            if not self._flutter.always:
                where = cv2.max(where, lit)
            elif self._mask is not None:  # each part in the light of its moment would be a thing in the next one's
                where = cv2.bitwise_and(where, cv2.dilate(self._mask, np.ones((5, 5), np.uint8)))
        cv2.copyTo(self.small, where, reference)
        self._remember(reference)

    def _settle_draw(self, expected: Image) -> bool:
        """Settles what has come or gone in the draw zone as a hand has left it: else it is a part of the next arm.

        True when a pile has come to lie there.
        """
        assert self.small is not None
        assert self._mask is not None
        things = cv2.dilate(self._mask, np.ones((5, 5), np.uint8))
        if self._arm_finder.mask is not None:
            things = cv2.subtract(things, self._arm_finder.mask)
        reference, where = expected.copy(), cv2.bitwise_and(things, self._draw) > 0
        reference[where] = self.small[where]
        came = self._draw_place.has_come(expected, self.small)
        self._remember(reference)
        return came

    def _left(self) -> DrawPileLeft | None:
        """What hands that have left the draw pile have done there, once."""
        small, left = self.small, None
        assert small is not None
        assert self._reference is not None
        if self._draw_place.before:
            differs = self._differs_from(self._draw_place.before, small)
            over = self._noise.steadied(self._noise.exceeding(differs), small)
            left = self._draw_place.left(differs, over, self._t)
        self._draw_place.look(self._mask if left is None else None, self._reference, small)
        return left

    def _differs_from(self, before: Sequence[Image], small: Image) -> Mask:
        """By how many grey levels the present picture differs from all of these, but for arms, in the table's light and
        in that of the draw pile, which somebody's shadow may have left or reached."""
        x, y, w, h = cv2.boundingRect(cv2.dilate(self._draw, np.ones((2 * ABOUT_PX + 1, 2 * ABOUT_PX + 1), np.uint8)))
        here = (slice(y, y + h), slice(x, x + w))
        differs = np.full(small.shape[:2], 255, np.uint8)
        for picture in before:
            seen = self._noise.differs(relit(picture, small, self._mask), small)
            near, now = (np.ascontiguousarray(one[here]) for one in (picture, small))
            cv2.min(seen[here], self._noise.differs(relit(near, now), now), seen[here])
            differs = np.asarray(cv2.min(differs, seen), np.uint8)
        if self._arm_finder.mask is not None:
            arms = cv2.dilate(self._arm_finder.mask, np.ones((9, 9), np.uint8))
            differs = np.asarray(cv2.subtract(differs, arms), np.uint8)
        return differs

    @property
    def arms(self) -> Mask | None:
        """Where arms are on the small picture: uint8 (height, width), 255 or 0; None where none was looked for."""
        return self._arm_finder.mask

    def at_tips(self) -> list[AtTip]:
        """What is to be seen of the hands on the present picture near their tips."""
        if self.small is None or self._expected is None:
            return []
        return self._arm_finder.at_tips(self.small, self._expected)

    def card_pixels(self, quad: Quad, settled: bool = False) -> npt.NDArray[np.uint8]:
        """The pixels of a card on the present picture, or on the settled one, uint8 (n, 3). quad: table millimetres."""
        picture = self._reference if settled else self.small
        assert picture is not None
        mask = np.zeros((self._size[1], self._size[0]), np.uint8)
        corners = (self._calibration.to_image(quad) + 0.5) * self._scale - 0.5
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
        return np.asarray(picture.reshape(-1, 3).take(np.flatnonzero(mask > 0), 0), np.uint8)

    def zone_pixels(self) -> npt.NDArray[np.uint8]:
        """The grey levels of the present picture inside both zones, uint8 (n,)."""
        assert self.small is not None
        return np.asarray(cv2.cvtColor(self.small, cv2.COLOR_BGR2GRAY)[self._zones], np.uint8)

    @property
    def shakes(self) -> bool:
        """The camera shakes: what the present frame shows is a little beside its place."""
        return self._noise.shakes

    @property
    def differs(self) -> Mask | None:
        """Above 0 where the present frame differs from the settled scene in any light, small picture; None: nowhere."""
        return self._mask

    @property
    def sway_px(self) -> tuple[float, float]:
        """How far to the right and down the present frame lies beside the settled scene, as far as the camera sways,
        pixels of the full frame."""
        x, y = self._sway.px
        return x / self._scale, y / self._scale

    @property
    def stirred(self) -> bool:
        """Something differs from the settled scene that is neither at the piles nor an arm: the picture may have
        moved."""
        if self._differs is None:
            return False
        differs = cv2.bitwise_and(self._differs, self._beside)
        if self._arm_finder.mask is not None:
            differs = cv2.subtract(differs, cv2.dilate(self._arm_finder.mask, np.ones((9, 9), np.uint8)))
        return cv2.countNonZero(differs) > STIRRED_SHARE * self._beside.size

    def learned_landmarks(self) -> bool:
        """Learns what stands out in the settled scene, if that is not known: it is half the work of `movement_px`, and
        has a frame of its own. True where it has been learned now."""
        if self._landmarks is not None or self._reference is None:
            return False
        self._landmarks = landmarks(self._reference)
        return True

    def movement_px(self) -> npt.NDArray[np.float64] | None:
        """How the picture has moved against the settled scene: a similarity of the full frame's pixels, float64 (3, 3);
        None when none is clear."""
        self.learned_landmarks()
        if self.small is None or self._landmarks is None:
            return None
        found = movement(self._landmarks, landmarks(self.small), self._discard, self._draw)
        if found is None:
            return None
        s = self._scale
        to_small = np.array([[s, 0, s / 2 - 0.5], [0, s, s / 2 - 0.5], [0, 0, 1.0]])
        return np.asarray(np.linalg.inv(to_small) @ found @ to_small, np.float64)

    def _remember(self, picture: Image) -> None:
        self._reference, self._expected, self._last, self._landmarks = picture, None, None, None
        self._slow = picture.astype(np.float32)
        self._unfollowed_s = 0.0
        self._noise.settle(picture)
        self._sway.settle(picture)

    def _follow(self, small: Image, before: Image, t: float, dt: float) -> None:
        assert self._reference is not None
        assert self._slow is not None
        self._unfollowed_s += dt
        if self._unfollowed_s >= FOLLOW_S and self._sway.px == (0.0, 0.0):
            cv2.accumulateWeighted(small, self._slow, 1.0 - float(np.exp(-self._unfollowed_s / ADAPT_S)))
            self._reference = np.asarray(cv2.convertScaleAbs(self._slow), np.uint8)
            self._unfollowed_s = 0.0
        self._noise.learn(small, before, t, self._reference)

    def _closely(self, small: Image, before: Image, t: float) -> SceneLook:
        assert self._reference is not None
        expected = self._expect(small)
        mask = self._things(expected, small)
        things = self._with_things(mask)  # of the frame before, too
        self._mask, self._expected = mask, expected
        moved = self._noise.moved(before, small, mask, self._reference)
        moved = self._flutter.without(moved, before, small, things, t)
        moving = cv2.countNonZero(moved) / moved.size
        discard_moving = cv2.countNonZero(cv2.bitwise_and(moved, moved, mask=self._discard)) / self._near_discard
        if moving > IDLE_SHARE:
            self._still_since = t
        arms = self._arm_finder.find(mask, t, moving > IDLE_SHARE)
        unveiled = False
        if t - self._still_since > UNVEILED_S and not self._flutter.always and any(arm.in_zones for arm in arms):
            at_pile = self._pile_known and any(arm.in_discard > TOUCH_MM2 for arm in arms)
            unveiled = self._unveil(expected, self._beside if at_pile else None)
            arms = self._arm_finder.arms
        rest = mask if self._arm_finder.mask is None else cv2.subtract(mask, self._arm_finder.mask)
        came = not unveiled and self._draw_place.is_left(arms, moved, t, mask) and self._settle_draw(expected)
        look = SceneLook(
            t,
            cv2.countNonZero(mask) > IDLE_SHARE * mask.size,
            moving,
            discard_moving,
            cv2.countNonZero(cv2.bitwise_and(rest, self._discard)) / self._near_discard,
            cv2.countNonZero(mask) / mask.size,
            arms,
            came,
            None if came else self._left(),
            unveiled,
        )
        if look.active or moving > FLICKER_SHARE:
            self._noise.busy_t = t
        else:
            self._noise.learn(small, before, t, self._reference)
        self._last = None if look.pile_came or look.unveiled else (small, look)
        self._rest(look, t)
        return look

    def _as_last(self, small: Image, t: float) -> SceneLook | None:
        """What was seen when last looked closely; None when something has moved at the piles since, or has moved
        elsewhere for too long."""
        assert self._last is not None
        before, look = self._last
        moved = self._noise.beyond(before, small)
        moving = cv2.countNonZero(moved)
        at_piles = moving - cv2.countNonZero(cv2.bitwise_and(moved, self._beside))
        least = IDLE_SHARE * moved.size
        if at_piles > least or (moving > least and t - look.t > SPARED_S):
            return None
        self._noise.busy_t = t
        discard_moving = cv2.countNonZero(cv2.bitwise_and(moved, self._discard)) / self._near_discard
        share = moving / moved.size
        return replace(look, t=t, moving=share, discard_moving=discard_moving, left=None, as_before=True)

    def _expect(self, small: Image) -> Image:
        """The settled scene in the light of now. A colour that was clipped may have been lighter, and is then as it is
        now."""
        assert self._reference is not None
        expected = relit(self._reference, small, self._mask)
        clipped = cv2.threshold(self._reference, CLIPPED - 1, 255, cv2.THRESH_BINARY)[1]
        return np.asarray(cv2.max(expected, cv2.bitwise_and(small, clipped)), np.uint8)

    def _things(self, expected: Image, small: Image) -> Mask:
        """Where something lies that did not: differences of light and soft shadows left out."""
        mask = np.asarray(cv2.threshold(self._noise.beyond(expected, small), 0, 255, cv2.THRESH_BINARY)[1], np.uint8)
        self._differs = mask
        shadows = soft_shadows(expected, small, mask, SHADOW_DARKEST, SHADOW_TOLERANCE)
        if self._arm_finder.mask is not None:  # what was an arm a moment ago is no shadow now
            rests = self._t - self._still_since >= ARM_CORE_S and not self._flutter.always
            arms = self._arm_finder.mask
            if rests:
                lit = np.minimum(shadows, lighter(expected, small))
                arms = with_core(arms, shadows)
                arms = np.asarray(cv2.subtract(arms, lifted_about(lit, arms)), np.uint8)
            shadows = np.asarray(cv2.subtract(shadows, arms), np.uint8)
            if rests:
                shadows = np.asarray(cv2.max(shadows, self._ghosts(expected, small, mask, lit)), np.uint8)
        things = cv2.morphologyEx(cv2.subtract(mask, shadows), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        seen: Mask = np.asarray(cv2.morphologyEx(things, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        return np.asarray(cv2.max(seen, hemmed(expected, small, mask, seen)), np.uint8)

    def _ghosts(self, expected: Image, small: Image, mask: Mask, lit: Mask) -> Mask:
        """Where arms at rest seem to be, though it is the table in more light: a shadow that was settled has gone. What
        of it is sure is settled, with what it left of its rim: else that would be a hem. lit: soft shadows that have
        left."""
        arms = self._arm_finder.mask
        assert arms is not None
        inside = np.asarray(cv2.bitwise_and(mask, arms), np.uint8)
        light = brighter(expected, small, inside, SHADOW_DARKEST, SHADOW_TOLERANCE)
        where: Mask = np.zeros_like(mask)
        for arm in parts(arms):
            things = arm if self._mask is None else np.maximum(arm, self._mask)
            gone = lifted(np.minimum(light, arm), arm, things, self._beside, expected, small)
            if gone is not None:
                gone = joined(gone, lit)
                self._settle_light(gone, arm, expected, small)
            elif self._t - self._still_since >= GHOST_S and is_lit(light, arm):
                gone = np.asarray(cv2.dilate(arm, np.ones((5, 5), np.uint8)), np.uint8)
            if gone is not None:
                where = np.maximum(where, gone)
        return where

    def _settle_light(self, where: Mask, arm: Mask, expected: Image, small: Image) -> None:
        """Settles the light of a place from which a shadow has lifted, and expects it there."""
        assert self._reference is not None
        reference = self._reference.copy()
        cv2.copyTo(relit(small, reference, arm), where, reference)  # in its own light, for another may clip it
        cv2.copyTo(small, where, expected)
        self._remember(reference)

    def _unveil(self, expected: Image, within: Mask | None) -> bool:
        """Settles where arms seem to be, if something has gone from there. within: only there, for one of the piles may
        have changed as well: a hand that was taken for the table in more light and settled has gone, and its place
        would be an arm for good."""
        mask, small = self._arm_finder.mask, self.small
        if mask is None or small is None:
            return False
        gone = [part for part in parts(mask) for clear in [part if within is None else np.minimum(part, within)]
                if is_unveiled(clear, self._with_things(mask), expected, small, within)]  # fmt: skip
        if not gone:
            return False
        where = np.asarray(np.max(gone, axis=0), np.uint8)
        self._settle_at(where if within is None else np.minimum(where, within), expected, within)
        self._arm_finder.leave_out(where)
        return True

    def _with_things(self, mask: Mask) -> Mask:
        """The mask and whatever else is a thing now."""
        return mask if self._mask is None else np.maximum(mask, self._mask)

    def _settle_at(self, what: Mask, expected: Image, within: Mask | None = None) -> None:
        """The present picture is the settled scene where `what` is, and close round it, as far as that is `within`;
        elsewhere what is `expected` is."""
        assert self.small is not None
        where = np.asarray(cv2.dilate(what, np.ones((5, 5), np.uint8)), np.uint8)
        reference = expected.copy()
        cv2.copyTo(self.small, where if within is None else cv2.bitwise_and(where, within), reference)
        self._remember(reference)

    def _rest(self, look: SceneLook, t: float) -> None:
        """What lies still long enough outside the zones becomes part of the scene, and so does new light; not while the
        camera shakes."""
        if self._noise.shakes or self._flutter.always or self._sway.px != (0.0, 0.0):
            return
        over_zones = any(arm.in_zones for arm in look.arms)
        unseen = look.discard_changed > 0.0
        if look.moving <= IDLE_SHARE and (
            not look.active or (t - self._still_since > ABSORB_S and not over_zones and not unseen)
        ):
            self.settle()
        elif t - self._resting.t >= (UNVEILED_S if t - self._still_since > UNVEILED_S else ABSORB_EVERY_S):
            self._absorb(t)

    def _absorb(self, t: float) -> None:
        """The same of each thing by itself: who plays briskly does not wait until a sheet of paper is known."""
        if self._mask is None or self._expected is None or self.small is None:
            return
        self._resting.look(self.small, t, self._mask)
        still = [part for part in parts(self._mask) if self._resting.lies(part, self._mask, self._expected)]
        if still:
            self._settle_at(np.max(still, axis=0), self._expected, self._beside)


def _zone_mask(calibration: Calibration, zone: Zone, grow_mm: float, size: tuple[int, int]) -> Mask:
    x, y, w, h = zone
    x, y, w, h = x - grow_mm, y - grow_mm, w + 2 * grow_mm, h + 2 * grow_mm
    scale = size[0] / calibration.image_size[0]
    corners = calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint((corners + 0.5) * scale - 0.5).astype(np.int32), 255)
    return mask
