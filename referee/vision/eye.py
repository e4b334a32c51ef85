"""The eye on video: from frames to sightings.

    eye = Eye(load_calibration(path), load_models())
    for frame in frames:
        for sighting in eye.process(frame):
            ...

Deterministic: the same frames give the same sightings, at whatever speed they are worked through.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from referee.frame import WHOLE, Frame, Image
from referee.observations import CardLanded, CardRemoved, CardsDrawn, PileMoved, Quality, Sighting
from referee.tracker import Activity, ArmLook, PileLook, TableGeometry, Tracker, Want
from referee.tracker.arms import TOUCH_MM2
from referee.tracker.brought import was_brought
from referee.tracker.judge import LITTLE_CARDS, NOTHING_CARDS
from referee.tracker.signs import corners_off
from referee.tracker.verdict import PiledCard
from referee.vision.calibration import Calibration, CalibrationError
from referee.vision.carried import Carried
from referee.vision.evidence import Measured
from referee.vision.focus import Change, Focus
from referee.vision.from_above import FromAbove
from referee.vision.hidden import was_taken_from_under
from referee.vision.in_parts import advanced, finished
from referee.vision.light import Mask
from referee.vision.nets import Models
from referee.vision.pile import Patch, PileEye
from referee.vision.scene import Scene, SceneLook
from referee.vision.sight import is_coloured, is_washed_out, light_quality
from referee.vision.spots import Spots
from referee.vision.sway import moved

QUALITY_S = 0.2
"""Seconds between measurements of the picture's quality. Longer: a covered lens is reported late; shorter: costs
time."""

REFRESH_S = 2.0
"""Seconds between comparisons of the resting pile with its settled picture. Longer: slow light adds up to a change, a
card laid by an unseen hand is found late; shorter: costs time."""

SHARP_S = 1.0
"""Seconds between checks of the sharpness of the pile at rest. Longer: a shifted focus is reported late; shorter: costs
time."""

MOVED_PX = 5.0
"""Shift of a corner of the discard zone, pixels of a 1280 wide frame, from which the camera has moved. Smaller:
trembling; larger: zones and seats are off."""

BUMP_S = 0.5
"""Seconds of rest after which a picture that has changed beside the piles is checked for a bump. Shorter: resting arms
cost time; longer: reported late."""

BUMP_MOST_S = 4.0
"""... of what rests longer, each time twice as long, up to this. Shorter: an elbow on the table costs time for as long
as it rests; longer: a camera that slips slowly is reported late."""

SHAKEN = 0.4
"""Share of the picture that moves from one frame to the next where the camera is shaken: nothing of such a frame is
settled. Smaller: a deep shadow that moves makes it wait; larger: one of a few pixels on a striped table is settled."""

TINTED_S = 3.0
"""Seconds for which light that had one colour only counts as such. Shorter: a skin-coloured hand, or a reflex, makes
white of it for a moment, and a card is sure; longer: a bulb that was changed for a white one is believed late."""

REMEMBERED = 6
"""Cards of which it is remembered what they hide, and whose colours tell of the light. Fewer: of several that are taken
back the last are judged by their faces, and yellow cards are asked about in bright light; more: memory and time."""

BRISK_S = 0.05
"""Seconds between frames up to which each step of a first look has a frame of its own, and the first one waits for one
on which nothing has moved and nothing else need be looked at, so that no frame takes long.
Smaller: frames of a fast camera are lost; larger: a slow camera's answers come late."""

READ_ON = 2
"""Frames on which one run of a network each reads the cards that were found; the next one does as many as are left.
Fewer: that one takes long; more: answers come late."""

FAST_S = 0.036
"""Seconds between frames up to which there are so many, else one. Smaller: frames of 30 a second take long; larger: at
25 a second an answer is due before the looks that it is made of are taken."""

HURRIED_S = 0.1
"""Seconds after a part of a close look in which another one is likely to follow, so that a frame on which nothing moves
is spared. Shorter: frames take longer; longer: a hand that creeps in is seen late."""

VAIN_S = 2.0
"""Seconds after a frame without other work was waited for in vain in which none is waited for. Shorter: under a ceiling
fan, whose shadows move most of the time, looks are cut short; longer: frames take longer."""


class Eye:
    """Watches one table through one camera."""

    def __init__(self, calibration: Calibration, models: Models) -> None:
        self._given = calibration
        self._models = models
        self._calibration = calibration
        self._ready = False
        self._tracker = Tracker(_geometry(calibration), models.sure)
        self._quality = Quality.CLEAR
        self._spots = Spots()
        self._quality_t = -1e9
        self._focus = Focus()
        self._sharp_t = -1e9
        self._refresh_t = 0.0
        self._still_t, self._bump_s = 0.0, BUMP_S
        self._reference: Image | None = None
        self._beneath: list[Image] = []
        self._bare: Image | None = None
        self._patch: Patch | None = None
        self._settled: Patch | None = None
        self._arms: Mask | None = None
        self._settled_arms: Mask | None = None
        self._steps: Generator[None, Frame, Patch | None] | None = None
        self._t, self._hurries_t, self._vain_t, self._looked_t = -1e9, -1e9, -1e9, -2e9
        self._waits = self._due = self._shaken = False
        self._tinted_t = -math.inf

    @property
    def looked(self) -> bool:
        """The last frame was one of a close look at the pile, at which cards are found, read and compared."""
        return self._looked_t == self._t

    def process(self, frame: Frame) -> list[Sighting]:
        """What has been decided with this frame. Frames come in order of time and show one part of the view.

        Raises CalibrationError when the frame's shape does not fit the calibration, or is another than the first's.
        """
        height, width = frame.image.shape[:2]
        if not self._ready:
            self._at_start = self._given.for_frames(width, height).in_part(frame.part or WHOLE)
            self._set_up(self._at_start)
        elif (width, height) != self._calibration.image_size:
            w, h = self._calibration.image_size
            name = frame.name or f"frame {frame.seq}"
            raise CalibrationError(f"{name} is {width}x{height}, the first was {w}x{h}: expected one size")
        if self._due and not self._shaken:  # of the frame before, which had other work to do
            self._scene.settle_discard()
            self._due = False
        hurried = frame.t - self._t < BRISK_S and frame.t - self._hurries_t < HURRIED_S
        seen = self._scene.look(frame, self._tracker.pile.top is not None, hurried)
        self._shaken = seen.moving > SHAKEN or self._scene.shakes
        if seen.lost:
            return self._tracker.view(frame.t, Quality.LOST)
        if not seen.as_before:
            self._spots.see(self._scene.differs, frame.t)
        if self._stands_still(seen) and self._reference is not None and self._has_moved():
            return []
        if seen.unveiled and self._tracker.pile.top is None and not self._tracker.saw_it_bare:
            self._tracker.restart()
        top = self._tracker.pile.top
        if seen.arms and not seen.as_before:
            entries = [arm.entry for arm in seen.arms if arm.in_discard > TOUCH_MM2]
            self._carried.watch(frame.t, entries, self._scene.at_tips())
        out = self._tracker.activity(_activity(seen))
        if self._spots.there:  # a shadow over the draw pile looks like a hand there
            out = [one for one in out if not isinstance(one, CardsDrawn)]
        self._accept(out, top)
        if self._tracker.want is not Want.FIRST:
            self._steps = None
        wants = self._tracker.want is not Want.NOTHING
        self._waits = wants and self._may_wait(frame.t, seen.as_before or seen.changed == 0.0)
        if wants:
            out += [] if self._waits else self._look(frame)
        elif not seen.active and frame.t - self._refresh_t >= REFRESH_S and self._reference is not None:
            self._refresh(frame)
        elif frame.t - self._sharp_t >= SHARP_S and not seen.arms and seen.discard_moving == 0.0:
            self._sharp_t = frame.t
            self._check_focus(frame)
        if frame.t - self._quality_t >= QUALITY_S and self._scene.small is not None:  # None: it has just been moved
            self._quality_t = frame.t
            self._quality = self._measure()
        self._t = frame.t
        return out + self._tracker.view(frame.t, self._quality)

    def _set_up(self, calibration: Calibration) -> None:
        self._ready = True
        self._calibration = calibration
        self._scene = Scene(calibration)
        width, height = calibration.card_mm
        self._carried = Carried(width * height)
        self._above = FromAbove(calibration, self._at_start.px_per_mm())
        self._pile = PileEye(self._above, self._models)
        self._steps = None
        self._due = False

    def _stands_still(self, seen: SceneLook) -> bool:
        """True now and then while something rests beside the piles: an arm, or a bumped camera's table; more and more
        seldom."""
        if seen.moving > 0.002:
            self._still_t, self._bump_s = seen.t, BUMP_S
        if seen.t - self._still_t < self._bump_s:
            return False
        if not (seen.arms or self._scene.stirred):
            self._still_t, self._bump_s = seen.t, BUMP_S
            return False
        if self._scene.learned_landmarks():
            return False
        self._still_t, self._bump_s = seen.t, min(2 * self._bump_s, BUMP_MOST_S)
        return True

    def _may_wait(self, t: float, is_free: bool) -> bool:
        """A close look has time until the next frame, which may be one without other work: not where that was waited
        for in vain of late, for then it has none to lose. is_free: this frame is one."""
        if self._waits and not is_free:
            self._vain_t = t
        if is_free or self._waits or t - self._t >= BRISK_S or t - self._vain_t < VAIN_S:
            return False
        self._hurries_t = t
        return True

    def _look(self, frame: Frame) -> list[Sighting]:
        self._looked_t = self._hurries_t = frame.t
        frame = self._steadied(frame)
        if self._tracker.want is Want.AGAIN and self._patch is not None:
            patch = self._pile.again(frame.image, frame.t, self._patch, self._tracker.asked)
        else:
            found = self._first(frame)
            if found is None:
                return []
            patch = self._compared(found)
            self._quality_t = -1e9  # another card may lie in this light
        self._patch, top = patch, self._tracker.pile.top
        out = self._tracker.look(patch.look)
        self._accept(out, top)
        return out

    def _steadied(self, frame: Frame) -> Frame:
        """The frame where the settled scene is, to a pixel, if the camera sways."""
        x, y = (round(px) for px in self._scene.sway_px)
        return replace(frame, image=moved(frame.image, -x, -y)) if x or y else frame

    def _first(self, frame: Frame) -> Patch | None:
        """A first look at the pile; None while there is more to do on the next frame, the lens hunts for its focus, or
        the camera has moved."""
        try:
            if self._steps is None:
                self._steps = self._in_steps(frame)
                next(self._steps)
            else:
                self._steps.send(frame)
            while frame.t - self._t >= BRISK_S:
                self._steps.send(frame)
        except StopIteration as done:
            self._steps = None
            patch: Patch | None = done.value
            return patch
        return None

    def _in_steps(self, frame: Frame) -> Generator[None, Frame, Patch | None]:
        """A first look, in steps that cost about as much each; takes the frame for the next step, gives the look."""
        self._arms = None
        if self._reference is not None:
            patch = self._above.patch(frame.image)
            focus = self._look_at_focus(patch, frame.t)
            if focus is Change.HUNTS:
                return None
            if focus is Change.CHANGED and not self._tracker.visited:
                return Patch(patch, PileLook(frame.t, 0.0), ())  # as it was found before
            frame = yield
        if self._reference is not None and (self._scene.stirred or not self._tracker.visited):
            if self._scene.learned_landmarks():
                frame = yield
            if self._has_moved():
                return None
            frame = yield
        top = self._tracker.pile.top
        quad, face, guess = (top.quad, top.card, top.guess) if top else (None, None, False)
        finding = self._pile.change(frame.image, self._reference, quad, face, self._hidden(), self._bare, guess,
                                    self._tracker.pile.cards[-REMEMBERED:], self._arms_about())  # fmt: skip
        if finding.quiet and finding.change >= LITTLE_CARDS:
            look = self._with_carried(Patch(finding.image, PileLook(frame.t, finding.change), ())).look
            finding = replace(finding, brought=was_brought(look))
        cards: list[Measured] = []
        if not finding.quiet:
            frame = yield
            finding = self._pile.find(finding)
            frame = yield
            reading = self._pile.read(self._pile.kept(frame.image), finding)
            for _ in range(READ_ON if frame.t - self._t < FAST_S else 1):
                if (read := advanced(reading)) is not None:
                    break
                frame = yield
            cards = finished(reading) if read is None else read
        return self._pile.tell(frame.image, frame.t, finding, cards)

    def _arms_about(self) -> Mask | None:
        """Where arms are in the picture from above, and where some were when the pile was settled."""
        self._arms = self._above.of_small(self._scene.arms)
        known = [arms for arms in (self._arms, self._settled_arms) if arms is not None]
        return np.asarray(np.maximum.reduce(known), np.uint8) if known else None

    def _accept(self, said: Sequence[Sighting], top: PiledCard | None) -> None:
        """Takes the pile of the last close look as settled, when the tracker says so. said: what the tracker said with
        it; top: the top card before."""
        if self._tracker.accepted:
            self._carried.settled()
        if self._tracker.accepted and self._patch is not None:
            self._remember([type(s) for s in said if not isinstance(s, CardsDrawn)], top)
            if self._tracker.pile.top is None and not self._patch.look.cards:
                self._bare = self._patch.image
            self._reference, self._settled, self._settled_arms = self._patch.image, self._patch, self._arms
            self._refresh_t = self._patch.look.t
            self._due = True

    def _remember(self, said: list[type[Sighting]], top: PiledCard | None) -> None:
        """Keeps what the cards of the pile hide, the topmost last, as far as it is known."""
        now = self._tracker.pile.top
        if said == [CardLanded] and self._reference is not None:
            self._beneath = [*self._beneath[1 - REMEMBERED :], self._reference]
        elif said == [CardRemoved]:
            self._beneath = self._beneath[:-1]
        elif now is not top and not (said == [PileMoved] and self._lies_beneath(now)):
            self._beneath = []

    def _hidden(self) -> Image | None:
        """The discard zone as it was before the top card came, as far as that is known."""
        if self._beneath:
            return self._beneath[-1]
        return self._bare if len(self._tracker.pile.cards) == 1 else None

    def _lies_beneath(self, top: PiledCard | None) -> bool:
        """What lay under the top card is still there, although that was moved."""
        if not self._beneath or self._patch is None or top is None or top.quad is None:
            return False
        return self._pile.lies_beneath(self._patch.image, self._beneath[-1], top.quad)

    def _refresh(self, frame: Frame) -> None:
        """Follows slow changes of light, and checks the focus, too."""
        self._refresh_t = self._sharp_t = frame.t
        patch = self._above.patch(self._steadied(frame).image)
        same = self._above.change_cards(self._above.changed(self._reference, patch)) < NOTHING_CARDS
        focus = self._look_at_focus(patch, frame.t)
        if focus is Change.CHANGED:
            self._refocused(patch)
        elif focus is Change.NONE and same:
            self._reference, self._settled_arms = patch, None
        elif focus is Change.NONE:
            self._tracker.doubt_rest(frame.t)

    def _look_at_focus(self, patch: Image, t: float) -> Change:
        return self._focus.look(patch, t, self._tracker.pile.top is not None)

    def _check_focus(self, frame: Frame) -> None:
        patch = self._above.patch(self._steadied(frame).image)
        changed = self._look_at_focus(patch, frame.t) is Change.CHANGED
        if changed and self._reference is not None and not self._tracker.visited:
            self._refocused(patch)

    def _refocused(self, patch: Image) -> None:
        """A change of focus is no change of the pile."""
        self._reference, self._settled_arms = patch, None
        self._scene.settle_discard()

    def _compared(self, patch: Patch) -> Patch:
        """The same patch, with the cards that were found when the pile last changed where it has not changed since;
        else with what hands carried of the top card's colours, if that is to be seen."""
        changed = bool(patch.look.cards) or patch.look.change >= NOTHING_CARDS
        if changed or self._settled is None or self._reference is None:
            return self._with_carried(patch)
        look = replace(self._settled.look, t=patch.look.t, change=patch.look.change)
        return replace(self._settled, image=patch.image, look=look)

    def _with_carried(self, patch: Patch) -> Patch:
        """The same patch, with what hands carried of the top card's colours, if that is to be seen; of the open card's
        where nobody could read the one, nor can the other."""
        top = self._tracker.pile.top
        if top is None or top.quad is None:
            return patch
        same = [c for c in patch.look.cards if c.reading.card == top.card and not c.fitted]
        now = max(same, key=lambda c: c.on_top).quad if same else top.quad
        look, quads = patch.look, [top.quad, now]
        shares = self._carried.shares(self._scene.card_pixels(now, settled=not same), quads)
        if shares is not None:
            look = replace(look, brought=shares[0], taken=shares[1])
        if patch.gone is not None:
            lower = self._carried.shares(patch.gone, quads)
            off_mm = None if look.cleared else corners_off(top.quad, now)
            look = replace(look, cleared=was_taken_from_under(lower, off_mm, len(self._tracker.pile.cards)))
        return replace(patch, look=look)

    def _has_moved(self) -> bool:
        """Follows the picture when the camera was bumped: zones and the settled pile move along."""
        matrix = self._scene.movement_px()
        if matrix is None:
            return False
        moved = self._calibration.moved(matrix)
        if self._off_px(self._calibration, moved) < MOVED_PX:
            return False
        self._set_up(replace(moved, card_mm=self._above.card_mm))
        self._tracker.knocked()
        return True

    def _off_px(self, before: Calibration, now: Calibration) -> float:
        """How far the corners of the discard zone lie apart at most, pixels of a 1280 wide frame."""
        x, y, w, h = before.discard_zone_mm
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        apart = float(np.hypot(*(now.to_image(corners) - before.to_image(corners)).T).max())
        return apart * 1280 / before.image_size[0]

    def _measure(self) -> Quality:
        light = light_quality(self._scene.zone_pixels())
        if light is not Quality.CLEAR and not (light is Quality.GLARE and self._is_glare_beside_cards()):
            return light
        if self._spots.there:
            return Quality.GLARE
        if self._focus.blurred:
            return Quality.BLURRED
        tinted = self._scene.small is not None and is_coloured(self._scene.small)
        if tinted and self._tracker.pile.top is not None:  # of a table and backs alone little may be white
            self._tinted_t = self._t
        if tinted or self._t - self._tinted_t < TINTED_S:
            return Quality.DARK
        moved = self._off_px(self._at_start, self._calibration) >= MOVED_PX
        return Quality.MOVED if moved else Quality.CLEAR

    def _is_glare_beside_cards(self) -> bool:
        """The table is washed out, a white one in hard light, and none of the cards of the last close look is."""
        cards = self._patch.look.cards if self._patch is not None else ()
        return bool(cards) and not any(is_washed_out(self._scene.card_pixels(card.quad)) for card in cards)


def _geometry(calibration: Calibration) -> TableGeometry:
    return TableGeometry(
        calibration.discard_zone_mm,
        calibration.draw_zone_mm,
        calibration.card_mm,
        tuple((seat.number, seat.at_mm) for seat in calibration.seats),
    )


def _activity(seen: SceneLook) -> Activity:
    arms = tuple(ArmLook(arm.entry, arm.tip, arm.in_discard, arm.in_draw, arm.area) for arm in seen.arms)
    return Activity(seen.t, arms, seen.discard_moving, seen.discard_changed, seen.pile_came, seen.left)
