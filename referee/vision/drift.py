"""How the picture has moved against a remembered one: a bumped camera shifts it, turns it and changes its scale.

What stands out in both pictures is compared (SIFT: D. Lowe, Distinctive image features from scale-invariant keypoints,
2004), so that it does not matter how far the camera was knocked, nor what light and arms there are now.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.light import Mask

Floats = npt.NDArray[np.float64]

MOST = 300
"""Landmarks of a picture at most. Fewer: of a chequered cloth only checks are left, which are all alike; more: time."""

CONTRAST = 0.002
"""How much a landmark must stand out. Smaller: only more noise; larger: in dim light, and of plain cloth, nothing is
left."""

PLAINLY = 0.8
"""How much nearer a landmark must be to its like than to the next best, as a share. Smaller: few are left; larger: one
check of a cloth is another one."""

NEAR_PX = 1.5
"""How far a landmark may be from where a movement puts it, pixels. Smaller: a camera that is tilted has not moved;
larger: landmarks agree by chance."""

STAYS_PX = 1.0
"""How far a landmark may be from its place for it to have stayed there, pixels."""

LEAST = 8
"""Landmarks that must agree on a movement. Fewer: chance; more: over plain tables bumps go unnoticed."""

LEAST_BESIDE = 4
"""Of these, those that are not at the discard pile, which hands push. Fewer: chance; more: as above."""

BENT = 1.7
"""How many times as many landmarks agree on a map that bends the picture where it was bent: a knocked camera turns it
and hardly bends it. Smaller: tilted cameras have not moved; larger: what bends it moves the table."""

MOST_STAY = 0.3
"""Landmarks that may have stayed where they were, as a share of those that moved: a camera that moves leaves none.
Smaller: stripes that are alike hide a bump; larger: a push moves the table."""

PILES_STAY = 3
"""Landmarks at both piles that must have stayed, and be more than that share of those that moved there, for the camera
not to have moved: the shadows of leaves did. Fewer: by chance one stays; more: a pile of plain backs tells nothing."""

MOST_SCALE = 1.25
"""Most by which a bumped camera changes the size of things. Larger: chance has its way."""


@dataclass(frozen=True, slots=True)
class Landmarks:
    """What stands out in a picture. at: float32 (n, 2), pixels; looks: float32 (n, 128)."""

    at: npt.NDArray[np.float32]
    looks: npt.NDArray[np.float32]


def landmarks(picture: Image) -> Landmarks:
    """What stands out in a picture, uint8 (height, width, 3)."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    found, looks = cv2.SIFT.create(nfeatures=MOST, contrastThreshold=CONTRAST).detectAndCompute(grey, None)
    at = np.array([point.pt for point in found], np.float32).reshape(-1, 2)
    return Landmarks(at, np.zeros((0, 128), np.float32) if looks is None else np.asarray(looks, np.float32))


def movement(before: Landmarks, now: Landmarks, discard: Mask, draw: Mask) -> Floats | None:
    """The similarity, float64 (3, 3), that takes pixels of the one picture to those of the other; None when none is
    clear. discard, draw: 255 where cards are laid and drawn, uint8 (height, width): what moves at the discard pile
    alone was pushed, and where both piles stay the camera does."""
    ones, others = _pairs(before, now)
    if len(ones) < LEAST:
        return None
    across, down = np.rint(ones).astype(int).T
    down, across = down.clip(0, discard.shape[0] - 1), across.clip(0, discard.shape[1] - 1)
    beside = discard[down, across] == 0
    at_piles = ~beside | (draw[down, across] > 0)
    stays = np.hypot(*(others - ones).T) < STAYS_PX
    stay = int(stays.sum())
    best, most = None, LEAST_BESIDE - 1
    for chosen in (np.full_like(beside, True), beside):
        found = _similarity(ones[chosen], others[chosen])
        if found is not None:  # again, with all that agree
            near = _off(found, ones, others) < 2 * NEAR_PX
            found = _similarity(ones[near], others[near])
        if found is None:
            continue
        fits = _off(found, ones, others) < NEAR_PX
        agree, agree_beside = int(fits.sum()), int(fits[beside].sum())
        # After a small movement a landmark may be near its old place and agree on the new one, too.
        piles_stay = int((stays & ~fits)[at_piles].sum())
        if piles_stay >= PILES_STAY and piles_stay > MOST_STAY * int(fits[at_piles].sum()):
            continue
        if agree >= LEAST and stay <= MOST_STAY * agree and agree_beside > most:
            best, most = (None if _is_bent(ones, others, agree) else found), agree_beside
    return best


def _pairs(before: Landmarks, now: Landmarks) -> tuple[Floats, Floats]:
    """Where landmarks of the one picture are, and where they are in the other, float64 (n, 2) each."""
    if not len(before.at) or len(now.at) < 2:
        return np.zeros((0, 2)), np.zeros((0, 2))
    near = cv2.BFMatcher(cv2.NORM_L2).knnMatch(before.looks, now.looks, k=2)
    plain = [best for best, second in near if best.distance < PLAINLY * second.distance]
    ones = before.at[[match.queryIdx for match in plain]].astype(np.float64).reshape(-1, 2)
    return ones, now.at[[match.trainIdx for match in plain]].astype(np.float64).reshape(-1, 2)


def _off(found: Floats, ones: Floats, others: Floats) -> Floats:
    """How far each landmark is from where the movement puts it, pixels, float64 (n,)."""
    return np.asarray(np.hypot(*(ones @ found[:2, :2].T + found[:2, 2] - others).T), np.float64)


def _is_bent(ones: Floats, others: Floats, agree: int) -> bool:
    """Many more landmarks than `agree` on a similarity agree on an affine map."""
    _, fits = cv2.estimateAffine2D(ones, others, ransacReprojThreshold=NEAR_PX, confidence=0.999)
    return fits is not None and int(fits.sum()) > BENT * agree


def _similarity(ones: Floats, others: Floats) -> Floats | None:
    if len(ones) < LEAST_BESIDE:
        return None
    found, _ = cv2.estimateAffinePartial2D(ones, others, ransacReprojThreshold=NEAR_PX, confidence=0.999)
    if found is None or not 1 / MOST_SCALE < np.sqrt(abs(np.linalg.det(found[:, :2]))) < MOST_SCALE:
        return None
    return np.vstack([found, [0.0, 0.0, 1.0]])
