"""A camera that sways or vibrates: by how much each picture lies beside the settled one, told by what edges show.

One step of registration by least squares (B. Lucas and T. Kanade, An iterative image registration technique, 1981), at
the strongest edges of the settled picture only.
"""

from __future__ import annotations

import math
from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.light import Mask

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

EDGE = 6.0
"""Grey levels from pixel to pixel from which there is an edge. Smaller: noise tells; larger: plain tables tell
nothing."""

EDGES, EDGES_AT_LEAST = 500, 60
"""At each place the strongest so many of them count, and so many there must be. More: time on every frame; fewer: a
hand hides them; at least fewer: chance."""

PLENTY = 200
"""... on the table beside the piles for no pile to be needed. Fewer: a sheet of paper that is pushed sways the camera;
more: it is not told behind a hand."""

QUIET = 4.0
"""Mean difference of these pixels, grey levels, up to which nothing is asked. Smaller: time on every frame; larger: a
small sway is left as it is."""

GLANCE = 5
"""Of these pixels one in so many is looked at for that."""

FAR_PX = 2.0
"""How far a pixel's difference may say that its edge has moved since the frame before, pixels, for it to count.
Smaller: a quick sway is lost; larger: hands count."""

OFF = 8.0, 0.3
"""Grey levels, and share of the edge, by which a pixel may differ from what the movement makes of it and still agree.
Smaller: noise disagrees; larger: hands agree."""

AGREE, EXPLAINED = 0.5, 0.5
"""Share of the pixels that must agree on a movement, and of their difference that it must explain. Smaller: a hand
moves the picture; larger: it is not steadied while a hand is there."""

LINEAR_PX = 0.5
"""Movement from which a second step mends the first, pixels: an edge is linear near its place only."""

ONE_WAY = 0.01
"""How much of their strength edges must have across to how most of them run. Smaller: a camera sways along stripes;
larger: it is not told on striped tables."""

LEAST_PX, MOST_PX = 0.12, 4.0
"""Movements that count, pixels. Smaller, and larger, ones are noise, and a knock."""

MOVES_PX, MOVES_S = 0.25, 1.0
"""By how much it must vary, and in what time, for the camera to sway: what stays aside was bumped. Smaller and longer:
a bump is taken for sway; larger and shorter: a slow sway is none."""

SLOW_PX = 0.5
"""How far it moves from picture to picture at most, and lies aside at least, to be where it was while a hand hides it.
Smaller: a sway is lost there, or a trembling camera is elsewhere; larger: a vibrating one is, or a sway is lost."""

KNOWN_S = 0.3
"""Seconds for which it lies where it was found, or near there. Shorter: behind a hand a wide sway is lost; longer: it
went on meanwhile."""

ASK_S = 0.12
"""Seconds between questions while it does not sway. Shorter: frames with a hand cost more; longer: the first pictures
of a sway are not put right."""


class Sway:
    """How far the camera has swayed from where the settled picture was taken. Pixels are those of the small picture."""

    def __init__(self, places: Mask) -> None:
        """places: what may be pushed by itself, uint8 (height, width): 1 and 2 for the piles, 0 for the table."""
        self._places = places.ravel()
        self._at: npt.NDArray[np.intp] = np.zeros(0, np.intp)
        self._levels = self._across = self._down = np.zeros(0, np.float32)
        self._glance: npt.NDArray[np.int16] = np.zeros((0, 3), np.int16)
        self._lately: deque[tuple[float, float, float]] = deque()
        self._asked_t = -math.inf
        self._found = (-math.inf, 0.0, 0.0)
        self._slow = False
        self._unlearned: Image | None = None
        self.px = (0.0, 0.0)
        """How far to the right and down the present picture lies beside the settled one, as far as it sways."""

    def settle(self, reference: Image) -> None:
        """What the settled picture looks like, uint8 (height, width, 3); nobody writes to it."""
        self._unlearned = reference

    def _learn(self, reference: Image) -> None:
        grey = cv2.GaussianBlur(cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
        across, down = (cv2.Sobel(grey, cv2.CV_32F, *way, ksize=1, scale=0.5) for way in ((1, 0), (0, 1)))
        # Squared it is exact: the last digit of cv2.magnitude is chance, and so is then which of equal edges are taken.
        squared = np.asarray(cv2.add(cv2.multiply(across, across), cv2.multiply(down, down)), np.float32)
        squared[[0, -1], :] = squared[:, [0, -1]] = 0.0
        flat = squared.ravel()
        here = [np.flatnonzero((flat >= EDGE**2) & (self._places == place)) for place in range(3)]
        self._at = at = np.concatenate([_strongest(flat, pixels) for pixels in here])
        self._levels, self._across, self._down = (np.asarray(part).ravel()[at] for part in (grey, across, down))
        self._glance = reference.reshape(-1, 3)[at[::GLANCE]].astype(np.int16)

    def steadied(self, small: Image, t: float, hurried: bool = False) -> Image:
        """The picture where the settled one is, uint8 (height, width, 3), while the camera sways; else as it is. t: of
        the frame, seconds. hurried: it has other work to do, and nothing is asked while the camera does not sway."""
        self.px = (0.0, 0.0)
        while self._lately and t - self._lately[0][0] > MOVES_S:
            self._lately.popleft()
        if (hurried or t - self._asked_t < ASK_S) and not any(x or y for _, x, y in self._lately):
            return small
        if self._unlearned is not None:
            self._learn(self._unlearned)
            self._unlearned = None
        x, y = self._sought(small, t)
        self._lately.append((t, x, y))
        self._asked_t = t
        if max(abs(x), abs(y)) < LEAST_PX or float(np.ptp(np.array(self._lately)[:, 1:], axis=0).max()) < MOVES_PX:
            return small
        self.px = (x, y)
        return moved(small, -x, -y)

    def _sought(self, small: Image, t: float) -> tuple[float, float]:
        """How far the picture lies aside: as far as it shows, from its place or from where it lay a moment ago; else as
        far as it did then, if the camera sways slowly and far."""
        known_t, x, y = self._found
        known = t - known_t <= KNOWN_S
        found = (0.0, 0.0) if self._is_quiet(small) else self._movement(small, 0.0, 0.0)
        if found is None and known and (x or y):
            found = self._movement(small, x, y)
        if found is None:
            return (x, y) if known and self._slow and max(abs(x), abs(y)) > SLOW_PX else (0.0, 0.0)
        self._slow = known and max(abs(found[0] - x), abs(found[1] - y)) <= SLOW_PX
        self._found = (t, *found)
        return found

    def _movement(self, small: Image, x: float, y: float) -> tuple[float, float] | None:
        """How far the picture lies to the right and below the settled one; None where that is not clear. x, y: how far
        it did a moment ago."""
        grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.uint8)
        before, strength = self._off(grey), np.hypot(self._across, self._down)
        off = self._off(moved(grey, -x, -y)) if x or y else before
        keep, found = np.abs(off) <= FAR_PX * strength, (0.0, 0.0)
        left = off
        for _ in range(2):
            if (step := self._solved(off, keep)) is None:
                return None
            found = step
            left = np.asarray(off + self._across * step[0] + self._down * step[1], np.float32)
            keep = np.abs(left) <= OFF[0] + OFF[1] * strength
        if not self._agree(before, left, keep):
            return None
        x, y = x + found[0], y + found[1]
        if max(map(abs, found)) > LINEAR_PX and (more := self._solved(self._off(moved(grey, -x, -y)), keep)):
            x, y = x + more[0], y + more[1]
        return (x, y) if max(abs(x), abs(y)) <= MOST_PX else None

    def _is_quiet(self, small: Image) -> bool:
        if len(self._at) < EDGES_AT_LEAST:
            return True
        now = small.reshape(-1, 3)[self._at[::GLANCE]]
        return float(np.abs(now - self._glance).mean()) <= QUIET

    def _off(self, grey: Image) -> Floats:
        """By how many grey levels the pixels differ from the settled ones, but for what all do, float32 (n,)."""
        off = grey.ravel()[self._at].astype(np.float32) - self._levels
        return np.asarray(off - np.median(off), np.float32)

    def _solved(self, off: Floats, keep: Bools) -> tuple[float, float] | None:
        """The movement that explains best how much the pixels `keep` differ; None where all edges run one way."""
        if keep.sum() < EDGES_AT_LEAST:
            return None
        sides = np.stack([self._across[keep], self._down[keep]])
        square = sides @ sides.T
        if np.linalg.det(square) <= ONE_WAY * float(np.trace(square)) ** 2 / 4:
            return None
        x, y = -np.linalg.solve(square, sides @ off[keep])
        return float(x), float(y)

    def _agree(self, before: Floats, left: Floats, keep: Bools) -> bool:
        """The table moves, or two of it and the piles do, each of which may be pushed by itself. before, left: by how
        much the pixels differ, and what the movement leaves of it; keep: those that agree."""
        places, moves = self._places[self._at], []
        for place in range(3):
            here = places == place
            agree = here & keep
            count = int(agree.sum())
            explains = float((left[agree] ** 2).sum()) <= (1 - EXPLAINED) * float((before[agree] ** 2).sum())
            moves.append(count if explains and count >= max(EDGES_AT_LEAST, AGREE * int(here.sum())) else 0)
        return sum(map(bool, moves)) >= 2 or moves[0] >= PLENTY


def _strongest(strength: Floats, at: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    return at if len(at) <= EDGES else at[np.argpartition(strength[at], -EDGES)[-EDGES:]]


def moved(picture: Image, x: float, y: float) -> Image:
    """The picture so many pixels farther right and down."""
    to = np.array([[1, 0, x], [0, 1, y]], np.float32)
    height, width = picture.shape[:2]
    return np.asarray(cv2.warpAffine(picture, to, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
