"""What looks like an arm at rest and is none: a shadow, or the place from which a shadow or a thing has gone."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import CLIPPED, Mask, alike, largest
from referee.vision.pieces import pieces, where
from referee.vision.surroundings import grown_alike

ARM_CORE = 0.25
"""Share of an arm at rest that is no soft shadow, at least. Smaller: a shadow that left while a hand was there passes
for that hand until it comes back; larger: a still grey sleeve is taken for a shadow."""

GHOST_SHARE = 0.9
"""Share of an arm at rest that is the table in more light, from which it is where a shadow has gone that was settled,
however sharp the edges of cards make its border. Smaller: a white sleeve on a grey table is passed over; larger: the
eye waits for an arm that is not there."""

GHOST_BESIDE = 0.6
"""... and of its part beside the piles, where that is now like what lies round it. Smaller: a sleeve of the table's
pattern is passed over; larger: a card laid as the shadow went, or a hand that comes then, makes an arm of all."""

GHOST_OPEN = 0.2
"""Share of the whole that must be such a part. Smaller and larger: as above."""

GHOST_ALIKE = 0.25
"""Correlation of the table's fine pattern from which it is the same table. Smaller: a camera's own pattern tells;
larger: noise hides it."""

GHOST_ALIKE_ODD = 0.6
"""... where that place stands out from its surroundings as it did not. Smaller: skin on brown wood is wood in more
light; larger: a shadow that lifts in part stays an arm."""

GHOST_PX = 200
"""Pixels that such a part must have. Fewer: chance tells; more: the rest of a shadow round a hand stays."""

GHOST_MOST = 0.4
"""Share of the picture that it may cover. Smaller: the shadow of who leans over the table is an arm; larger: a camera's
exposure that runs away is settled."""

UNVEILED_LIKE = 0.2
"""By how much more alike (0 to 1) that place and its surroundings must be than they were. Smaller: a sleeve of the
table's colours is taken for the table; larger: the eye waits for what has gone."""


def parts(arms: Mask) -> Iterator[Mask]:
    """Each piece of a mask: uint8, 255 or 0."""
    count, labels = cv2.connectedComponents(arms, connectivity=8)
    for index in range(1, count):
        yield np.asarray(labels == index, np.uint8) * np.uint8(255)


def with_core(arms: Mask, shadows: Mask) -> Mask:
    """The arms at rest, but for those that are soft shadow nearly all over: it is the shadow of somebody who came or
    went with them."""
    kept = np.zeros_like(arms)
    for arm in parts(arms):
        if cv2.countNonZero(np.minimum(arm, shadows)) <= (1 - ARM_CORE) * cv2.countNonZero(arm):
            kept = np.maximum(kept, arm)
    return kept


def lifted_about(lit: Mask, arms: Mask) -> Mask:
    """Where a shadow has lifted from arms at rest, which are none there, and from more of the table about them: a card
    was laid there as it did, or a hand was there. lit: soft shadows that have left."""
    wide = np.zeros_like(arms)
    labels, areas = pieces(lit, 8)
    for index in range(1, len(areas)):
        if areas[index] >= GHOST_PX:
            part, here = where(labels, index)
            if cv2.countNonZero(cv2.bitwise_and(arms[here], arms[here], mask=part)) <= areas[index] / 2:
                wide[here] = cv2.max(wide[here], part * np.uint8(255))
    return wide


def is_lit(light: Mask, arm: Mask) -> bool:
    """An arm is the table in more light nearly all over. light: where that is so."""
    return cv2.countNonZero(np.minimum(light, arm)) >= GHOST_SHARE * cv2.countNonZero(arm)


def lifted(light: Mask, arm: Mask, things: Mask, beside: Mask, before: Image, now: Image) -> Mask | None:
    """The part of an arm from which a shadow has lifted, None where none has: `beside` the piles it is mostly the table
    in more `light`, and like what lies round it, as it was not in the shadow, or of the same pattern as before. A card
    that was laid meanwhile, or a hand that has come, is left. things: the arm and whatever else is no surroundings."""
    clear = np.minimum(arm, beside)
    lit = np.minimum(light, clear)
    least = max(GHOST_BESIDE * cv2.countNonZero(clear), GHOST_OPEN * cv2.countNonZero(arm), GHOST_PX)
    large = cv2.countNonZero(arm) > GHOST_MOST * arm.size
    if large or cv2.countNonZero(lit) < least:
        return None
    lit[largest(now) >= CLIPPED] = 0  # how light it is there nobody knows
    inside = np.asarray(cv2.erode(lit, np.ones((3, 3), np.uint8)), np.uint8)
    if cv2.countNonZero(lit) < least or not inside.any():
        return None
    grown = grown_alike(before, now, inside, things, beside)
    pattern = GHOST_ALIKE if grown > -UNVEILED_LIKE else GHOST_ALIKE_ODD
    if grown < UNVEILED_LIKE and alike(now, before, inside) < pattern:
        return None
    return np.asarray(cv2.dilate(light, np.ones((5, 5), np.uint8)), np.uint8)


def joined(place: Mask, lit: Mask) -> Mask:
    """The place and each piece of `lit` that it touches: one shadow has left both."""
    labels, _ = pieces(np.maximum(place, lit), 8)
    touched = np.unique(labels[place > 0])
    return np.asarray(np.isin(labels, touched), np.uint8) * np.uint8(255)


def is_unveiled(arms: Mask, things: Mask, before: Image, now: Image, where: Mask | None = None) -> bool:
    """Something has gone from where arms seem to be: that place is now like its surroundings, and was not so before.
    things: the arms and whatever else is no surroundings; where: these are sought there only."""
    inside = np.asarray(cv2.erode(arms, np.ones((3, 3), np.uint8)), np.uint8)
    return grown_alike(before, now, inside, things, where) >= UNVEILED_LIKE
