"""The place of the draw pile on the small picture: when a hand has left it, and what it has done to the pile."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from referee.frame import Image
from referee.tracker.looks import DrawPileLeft
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

CHANGED_CARDS = 0.05
"""Area, in cards, that must differ beyond noise for a card to have been drawn: the next one lies a little askew, and
lower. Smaller: another light in a compressed picture draws; larger: of draws from a neat pile it tells nothing."""

SAME_CARDS, SAME_LEVELS = 0.015, 6
"""Area, in cards, up to which the pile may differ by more grey levels than these for none to have been drawn. Smaller:
noise leaves it open, and hands that only pass draw; larger: where the next card lies nearly as the last one did, who
was there for a moment did not draw."""

COVERED_SHARE = 0.05
"""Share of the ground about the place up to which things may lie there when a hand has left. Smaller: a sloppy pile is
settled late; larger: a hand whose sleeve has the table's colour is settled as a part of the pile."""

CHANGED_S = 0.15
"""Seconds for which that must be seen. Shorter: a camera that trembles draws; longer: told late."""

ASKED_S = 5.0
"""Seconds for which what hides it is waited for. Shorter: a draw beneath another arm that stays is not told; longer:
where something was put down about the pile, each picture of a table at rest costs more."""

ELSEWHERE = 0.25
"""How much may differ beside both piles, as a share of what differs at this one. Smaller: who leans over the table far
away hides draws; larger: a camera that is knocked draws."""

ABOUT_PX = 10
"""Ground about the place that must look as before for what differs there to be no shadow, pixels. Fewer, and more: of
shadows, and of arms near the pile, which are waited for, some are not seen, and some that do not matter are."""


class DrawPlace:
    """Watches the draw zone from frame to frame."""

    def __init__(self, zone: Mask, zone_cards: float, beside: Mask | None = None) -> None:
        """zone: 255 in the draw zone, on the small picture. zone_cards: how many cards' area that is. beside: 255 where
        no pile lies; all that is not the zone unless given."""
        self._zone = zone
        self._pixels = max(1, cv2.countNonZero(zone))
        self._card_px = self._pixels / zone_cards
        about = cv2.dilate(zone, np.ones((2 * ABOUT_PX + 1, 2 * ABOUT_PX + 1), np.uint8))
        self._beside = cv2.bitwise_not(zone) if beside is None else beside
        self._about = cv2.bitwise_and(about, self._beside)
        self._visited = self._asks = False
        self._since = 0.0
        self._clear: tuple[Image, ...] = ()
        self._clear_until: float | None = None
        self._before: tuple[Image, ...] = ()
        self._differs: Mask | None = None
        self._over = zone
        self._left_t = 0.0

    @property
    def visited(self) -> bool:
        """A hand has been there, and has not been seen to have left."""
        return self._visited

    @property
    def before(self) -> tuple[Image, ...]:
        """What `look` was given last before the hand came that has left; nothing where that is not to be asked."""
        return self._before if self._asks else ()

    def look(self, things: Mask | None, *pictures: Image) -> None:
        """Remembers pictures of a frame, of which any may show what was there before a hand. things: 255 where any lie;
        None where none do."""
        if things is None or not cv2.bitwise_and(things, cv2.max(self._zone, self._about)).any():
            self._clear, self._clear_until = pictures, None

    def is_left(self, arms: Iterable[Arm], moved: Mask, t: float, things: Mask | None = None) -> bool:
        """True once, on the frame on which a hand that reached there is gone and nothing moves there any more.

        moved: above 0 where the frame at `t` seconds differs from the one before. things: as in `look`; a hand that is
        not known for one lies about the pile, too.
        """
        if any(arm.in_draw > TOUCH_MM2 for arm in arms):
            if not self._visited:
                # Where the pile was not seen since others were there, what it shows may be their doing.
                self._clear_until = t if self._clear_until is None else self._clear_until
                self._before, self._since = self._clear, self._clear_until
            self._visited, self._asks = True, False
            return False
        if not self._visited or cv2.countNonZero(cv2.bitwise_and(moved, self._zone)) > STILL_SHARE * self._pixels:
            return False
        if things is not None and self._about_share(things) > COVERED_SHARE:
            return False
        self._visited, self._asks, self._differs = False, True, None
        return True

    def left(self, differs: Mask, over: Mask, t: float) -> DrawPileLeft | None:
        """What hands that have left the pile have done there; None until that is known, and as long as shadows or arms
        about it hide it. differs: by how many grey levels the picture at `t` seconds differs from that of before; over:
        above 0 where that is beyond noise."""
        if self._differs is None:
            self._differs, self._over, self._left_t = differs, over, t
        self._differs = np.asarray(cv2.min(self._differs, differs), np.uint8)
        self._over = np.asarray(cv2.min(self._over, over), np.uint8)
        self._asks = t - self._left_t < ASKED_S
        if t - self._left_t < CHANGED_S or self._about_share(self._over) > STILL_SHARE:
            return None
        here = cv2.countNonZero(cv2.bitwise_and(self._over, self._zone))
        if here and cv2.countNonZero(cv2.bitwise_and(self._over, self._beside)) > ELSEWHERE * here:
            return None
        self._asks = False
        if here >= CHANGED_CARDS * self._card_px:
            return DrawPileLeft(self._since, True)
        faint = np.count_nonzero((self._differs > SAME_LEVELS) & (self._zone > 0))
        return DrawPileLeft(self._since, None if faint > SAME_CARDS * self._card_px else False)

    def _about_share(self, mask: Mask) -> float:
        return cv2.countNonZero(cv2.bitwise_and(mask, self._about)) / max(1, cv2.countNonZero(self._about))

    def has_come(self, before: Image, now: Image) -> bool:
        """A pile lies now where the bare table was before: uint8 (h, w, 3) each, in the same light."""
        off = np.asarray(cv2.bitwise_and(difference(before, now), self._zone), np.uint8)
        differs = np.asarray(cv2.threshold(off, CAME_LEVELS, 255, cv2.THRESH_BINARY)[1], np.uint8)
        differs = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        if cv2.countNonZero(differs) < CAME_CARDS * self._card_px:
            return False
        things = np.asarray(cv2.dilate(differs, np.ones((3, 3), np.uint8)), np.uint8)
        return grown_alike(now, before, differs, things) >= BARE_LIKE
