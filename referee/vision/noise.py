"""What a settled table's pixels do by themselves (noise, flicker, tremor), and what differs beyond that."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask, difference
from referee.vision.tremor import Tremor

NOTICE = 14
"""Grey levels by which a pixel of the small picture must differ to count, where it is not dark. Smaller: noise and
compression wake the eye; larger: a sleeve of the table's colour goes unseen."""

NOTICE_DARK = 7
"""... where it is black. Smaller: as above; larger: a dark arm on a dark table goes unseen."""

NOT_DARK = 110
"""Grey level from which a place is not dark. Smaller and larger: as above."""

FLICKER = 1.6
"""... and how many times the most that this very pixel differs from frame to frame while nothing happens (noise, the
edges of a chequered cloth under compression), where that is more. Smaller: the eye wakes for nothing; larger: it is
blind at edges."""

FLICKER_S = 5.0
"""Seconds in which that is forgotten."""

FLICKER_MOST = 30
"""Grey levels of flicker that are believed. Larger: a passing hand teaches the eye blindness."""

FLICKER_EVERY_S = 0.13
"""Seconds between lessons. Shorter: the idle frame costs more; longer: flicker is learned late."""

NOISE_FLOOR = 2.0
"""How many times the median difference from frame to frame a pixel must differ to count, where that is more: noise that
is everywhere. Smaller: a noisy camera blinds the eye, which sees motion all over; larger: dim things go unseen."""

NOISE_FRAMES = 6
"""Frames of which the least such median counts. Fewer: a switched lamp is noise; more: new noise is learned late."""

RETURN_S = 0.15
"""Seconds in which what shows again what it showed has not moved: the blocks of compression shimmer, and so does what a
trembling camera makes of edges. Shorter: a card that has just come seems to move for ever; longer: a hand that came and
went is passed over."""

CALM_S = 0.4
"""Seconds without a hand after which flicker is learned. Shorter: hands teach blindness; longer: slow to learn."""


class Noise:
    """Learns from frame to frame by how much a pixel must differ to count. All pictures are small ones of one size."""

    def __init__(self, size: tuple[int, int]) -> None:
        """size: width and height of the pictures, pixels."""
        width, height = size
        self._flicker = np.zeros((height, width), np.float32)
        self._level: Mask = np.full((height, width), NOTICE, np.uint8)
        self._lately: deque[tuple[float, Image]] = deque()
        self._medians: deque[float] = deque(maxlen=NOISE_FRAMES)
        self._floor = 0.0
        self._tremor = Tremor()
        self._learned_t = -1.0
        self.busy_t = -1.0
        """When something last happened, which teaches no flicker, seconds."""

    @property
    def shakes(self) -> bool:
        """The camera shakes, as far as `moved` was asked about this frame: what it shows is not to be settled."""
        return self._tremor.shakes

    def look(self, small: Image, t: float) -> None:
        """Remembers the frame of `t` seconds as one of those of late. Once a frame, before all else."""
        self._tremor.shakes = False
        while self._lately and t - self._lately[0][0] > RETURN_S:
            self._lately.popleft()
        self._lately.append((t, small))

    def settle(self, reference: Image) -> None:
        """What the settled scene looks like: where it is dark, less counts."""
        grey = cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY)
        least = cv2.convertScaleAbs(grey, alpha=(NOTICE - NOTICE_DARK) / NOT_DARK, beta=NOTICE_DARK)
        scaled = cv2.convertScaleAbs(cv2.dilate(self._flicker, np.ones((3, 3), np.uint8)), alpha=FLICKER)
        self._level = np.maximum(np.maximum(scaled, np.minimum(least, NOTICE)), self._floor).astype(np.uint8)

    def differs(self, reference: Image, small: Image) -> Mask:
        """By how many grey levels two pictures differ, single noisy pixels smoothed away."""
        return np.asarray(cv2.blur(difference(reference, small), (3, 3)), np.uint8)

    def exceeding(self, differs: Mask) -> Mask:
        """How much of what `differs` said is beyond each pixel's flicker."""
        return np.asarray(cv2.subtract(differs, self._level), np.uint8)

    def steadied(self, exceeding: Mask, small: Image) -> Mask:
        """What `exceeding` said of this frame, without what a trembling camera mostly makes of its edges."""
        return np.asarray(cv2.subtract(exceeding, self._tremor.mostly(small)), np.uint8)

    def beyond(self, reference: Image, small: Image) -> Mask:
        """By how much two pictures differ beyond each pixel's flicker."""
        return self.exceeding(self.differs(reference, small))

    def moved(self, before: Image, small: Image, things: Mask | None, reference: Image) -> Mask:
        """By how much a frame differs from the one before, and all others of late, beyond each pixel's flicker, the
        noise of the whole picture, and what a trembling camera makes of every edge, those of a card that has just come,
        too. things: where something lies that is not settled; reference: as in `settle`."""
        seen = self.differs(before, small)
        floor = self._measured_floor(seen)
        if floor > self._floor + 1:
            self._floor = floor
            self.settle(reference)
        level = np.maximum(self._level, self._tremor.level(small, seen, things))
        moved = cv2.subtract(seen, level)
        for _, shown in list(self._lately)[:-2]:  # but this one and the one before
            if not moved.any():
                break
            moved = cv2.min(moved, cv2.subtract(self.differs(shown, small), level))
        return np.asarray(moved, np.uint8)

    def learn(self, small: Image, before: Image, t: float, reference: Image) -> None:
        """Learns flicker from a frame and the one before, unless something happened of late. reference: as in
        `settle`."""
        if t - self.busy_t < CALM_S or t - self._learned_t < FLICKER_EVERY_S:
            return  # the trail of a hand is no flicker
        dt, self._learned_t = t - self._learned_t, t
        differs = self.differs(before, small)
        self._floor = self._measured_floor(differs)
        seen = np.minimum(differs, FLICKER_MOST).astype(np.float32)
        self._flicker = np.asarray(cv2.max(self._flicker * np.float32(np.exp(-dt / FLICKER_S)), seen), np.float32)
        self.settle(reference)

    def _measured_floor(self, seen: Mask) -> float:
        """Grey levels that noise alone explains. seen: how much two frames in a row differ."""
        self._medians.append(float(np.median(seen[::4, ::4])))
        return min(NOISE_FLOOR * min(self._medians), FLICKER_MOST)
