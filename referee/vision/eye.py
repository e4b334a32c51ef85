"""The eye on video: from frames to sightings.

    eye = Eye(load_calibration(path), load_models())
    for frame in frames:
        for sighting in eye.process(frame):
            ...

Deterministic: the same frames give the same sightings, at whatever speed they are worked through.
"""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Frame, Image
from referee.observations import Quality, Sighting
from referee.tracker import Activity, ArmLook, TableGeometry, Tracker, Want
from referee.tracker.pile import NOTHING_CARDS
from referee.vision.calibration import Calibration
from referee.vision.nets import Models
from referee.vision.pile import Patch, PileEye
from referee.vision.scene import Scene, SceneLook

QUALITY_S = 0.2
"""Seconds between measurements of the picture's quality. Longer: a covered lens is reported late; shorter: costs
time."""

REFRESH_S = 2.0
"""Seconds between comparisons of the resting pile with its settled picture. Longer: slow light adds up to a change, a
card laid by an unseen hand is found late; shorter: costs time."""

DARK_LEVEL = 60
"""Grey level that the brightest fiftieth of both zones (white borders, backs) must reach, or else it is dark. Smaller:
cards in the dark are misread; larger: an empty dark cloth counts as the dark."""

GLARE_SHARE = 0.3
"""Share of both zones at full white from which it is glare. Smaller: a white table in good light; larger: faces
are washed out before it is noticed."""

LOST_SPREAD = 2.0
"""Standard deviation of a picture's grey levels below which there is no picture (lens covered, black frames)."""

MOVED_PX = 5.0
"""Shift of the picture, pixels of a 1280 wide frame, from which the camera has moved. Smaller: trembling; larger:
zones and seats are off."""

BUMP_S = 0.5
"""Seconds of rest after which a picture that has changed at its edge is checked for a bump. Shorter: resting arms
cost time; longer: reported late."""

MOVED_CLEAR = 0.25
"""How clear the shift must be, 0 to 1. Smaller: hands count as shifts; larger: bumps on plain tables go unnoticed."""


class Eye:
    """Watches one table through one camera."""

    def __init__(self, calibration: Calibration, models: Models) -> None:
        self._given = calibration
        self._models = models
        self._calibration = calibration
        self._ready = False
        self._tracker = Tracker(_geometry(calibration), models.sure)
        self._offset = np.zeros(2)
        self._quality = Quality.CLEAR
        self._quality_t = -1e9
        self._refresh_t = 0.0
        self._still_t = 0.0
        self._reference: Image | None = None
        self._patch: Patch | None = None

    @property
    def photo(self) -> Image | None:
        """The settled discard zone from above, uint8 (height, width, 3); None before the first rest."""
        return self._reference

    def process(self, frame: Frame) -> list[Sighting]:
        """What has been decided with this frame. Frames come in order of time.

        Raises CalibrationError when the frame's shape does not fit the calibration.
        """
        if not self._ready:
            self._set_up(self._given.for_frames(frame.image.shape[1], frame.image.shape[0]))
        seen = self._scene.look(frame)
        if self._stands_still(seen) and self._reference is not None and self._has_moved():
            return []
        out = self._tracker.activity(_activity(seen))
        self._accept()
        if self._tracker.want is not Want.NOTHING:
            out += self._look(frame)
        elif not seen.active and frame.t - self._refresh_t >= REFRESH_S and self._reference is not None:
            self._refresh(frame)
        if frame.t - self._quality_t >= QUALITY_S:
            self._quality_t = frame.t
            self._quality = self._measure()
        return out + self._tracker.view(frame.t, self._quality)

    def _set_up(self, calibration: Calibration) -> None:
        self._ready = True
        self._calibration = calibration
        self._scene = Scene(calibration)
        self._pile = PileEye(calibration, self._models)

    def _stands_still(self, seen: SceneLook) -> bool:
        """True now and then while something rests over the edge of the picture: an arm, or a bumped camera."""
        if not seen.arms or seen.moving > 0.002:
            self._still_t = seen.t
        if seen.t - self._still_t < BUMP_S:
            return False
        self._still_t = seen.t
        return True

    def _look(self, frame: Frame) -> list[Sighting]:
        top = self._tracker.pile.top
        if self._tracker.want is Want.AGAIN and self._patch is not None:
            self._patch = self._pile.again(frame.image, frame.t, self._patch, self._tracker.asked)
        else:
            if self._reference is not None and self._has_moved():
                return []
            self._patch = self._pile.first(frame.image, frame.t, self._reference, top.quad if top else None)
        out = self._tracker.look(self._patch.look)
        self._accept()
        return out

    def _accept(self) -> None:
        """Takes the pile of the last close look as settled, when the tracker says so."""
        if self._tracker.accepted and self._patch is not None:
            self._reference = self._patch.image
            self._refresh_t = self._patch.look.t
            self._scene.settle_discard()

    def _refresh(self, frame: Frame) -> None:
        """Follows slow changes of light."""
        self._refresh_t = frame.t
        patch = self._pile.patch(frame.image)
        if self._pile.change_cards(self._pile.changed(self._reference, patch)) < NOTHING_CARDS:
            self._reference = patch
        else:
            self._tracker.doubt_rest(frame.t)

    def _has_moved(self) -> bool:
        """Follows the picture when the camera was bumped: zones and settled pictures move along."""
        dx, dy, clear = self._scene.drift_px()
        if clear < MOVED_CLEAR or np.hypot(dx, dy) * 1280 / self._calibration.image_size[0] < MOVED_PX:
            return False
        self._offset += (dx, dy)
        self._set_up(self._calibration.shifted(dx, dy))
        self._reference = None
        self._tracker.restart()
        return True

    def _measure(self) -> Quality:
        small = self._scene.small
        if small is None:
            return Quality.LOST
        grey = cv2.cvtColor(small[::2, ::2], cv2.COLOR_BGR2GRAY)
        if float(grey.std()) < LOST_SPREAD:
            return Quality.LOST
        zones = self._scene.zone_pixels(small)
        if float(np.percentile(zones, 98)) < DARK_LEVEL:
            return Quality.DARK
        if float((zones >= 252).mean()) > GLARE_SHARE:
            return Quality.GLARE
        if np.hypot(*self._offset) * 1280 / self._calibration.image_size[0] >= MOVED_PX:
            return Quality.MOVED
        return Quality.CLEAR


def _geometry(calibration: Calibration) -> TableGeometry:
    return TableGeometry(
        calibration.discard_zone_mm,
        calibration.draw_zone_mm,
        calibration.card_mm,
        tuple((seat.number, seat.at_mm) for seat in calibration.seats),
    )


def _activity(seen: SceneLook) -> Activity:
    arms = tuple(ArmLook(arm.entry, arm.tip, arm.in_discard, arm.in_draw) for arm in seen.arms)
    return Activity(seen.t, arms, seen.discard_moving, seen.discard_changed)
