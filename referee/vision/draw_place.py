"""The place of the draw pile on the small picture: when a hand has left it, and whether a pile has come there."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.arms import TOUCH_MM2, Arm
from referee.vision.light import Mask, difference
from referee.vision.surroundings import grown_alike

STILL_SHARE = 0.01
"""Share of the place that may move when all is still. Smaller: noise keeps it busy; larger: a hand that leaves becomes
part of it."""

CAME_CARDS = 0.5
"""Area, in cards, that must differ for a pile to have come or gone. Smaller: a pushed pile; larger: a pile of which a
hand's shadow hides a part is missed."""

CAME_LEVELS = 24
"""Grey levels by which a pixel of it must differ. Smaller: noise and shadows; larger: backs on a table of their colour
are missed."""

BARE_LIKE = 0.2
"""By how much more alike (0 to 1) the place and its surroundings must have been before. Smaller: a pile that shrank;
larger: a pile on a busy table is missed."""


class DrawPlace:
    """Watches the draw zone from frame to frame."""

    def __init__(self, zone: Mask, zone_cards: float) -> None:
        """zone: 255 in the draw zone, on the small picture. zone_cards: how many cards' area that is."""
        self._zone = zone
        self._pixels = max(1, cv2.countNonZero(zone))
        self._card_px = self._pixels / zone_cards
        self._visited = False

    def is_left(self, arms: Iterable[Arm], moved: Mask) -> bool:
        """True once, on the frame on which a hand that reached there is gone and nothing moves there any more.

        moved: above 0 where this frame differs from the one before.
        """
        if any(arm.in_draw > TOUCH_MM2 for arm in arms):
            self._visited = True
            return False
        if not self._visited or cv2.countNonZero(cv2.bitwise_and(moved, self._zone)) > STILL_SHARE * self._pixels:
            return False
        self._visited = False
        return True

    def has_come(self, before: Image, now: Image) -> bool:
        """A pile lies now where the bare table was before: uint8 (h, w, 3) each, in the same light."""
        off = np.asarray(cv2.bitwise_and(difference(before, now), self._zone), np.uint8)
        differs = np.asarray(cv2.threshold(off, CAME_LEVELS, 255, cv2.THRESH_BINARY)[1], np.uint8)
        differs = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        if cv2.countNonZero(differs) < CAME_CARDS * self._card_px:
            return False
        things = np.asarray(cv2.dilate(differs, np.ones((3, 3), np.uint8)), np.uint8)
        return grown_alike(now, before, differs, things) >= BARE_LIKE
