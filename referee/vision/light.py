"""Comparing two pictures of one scene under different light: a change of lamp, exposure or shadow is not a change."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.pieces import pieces, where

SHARP_SLOPE = 0.05
"""Change of the share of light from pixel to pixel that no soft shadow has. Smaller: shadows count as cloth; larger:
cloth as shadow."""

SHARP_RIM = 0.35
"""Share of a dark patch's border that must be sharp for it to be cloth. Smaller and larger: as SHARP_SLOPE."""

FREE_RIM = 0.25
"""Share of that border that must lie free of things for it alone to show that the patch is no cloth. Smaller: a few
pixels decide; larger: where a hand's edge crosses a shadow the shadow passes for cloth."""

STEEP_INSIDE = 0.25
"""Share of the inside of a patch up to which it may be steep for its free border to tell. Smaller: noise makes cloth of
shadows; larger: a hand of the table's brightness is a shadow with the one that it throws."""

SHARP_MIN_PX = 60
"""Patches smaller than this are taken as shadow without a look at their border, pixels."""

DEEPEST = 0.25
"""Share of light that the shadow of somebody who leans over the table leaves. Smaller: black cloth with a fold for a
border is a shadow; larger: the shadow under a single lamp is an arm that covers the piles."""

DEEP_SLOPE = 0.12
"""Change of the logarithm of that share from pixel to pixel that the core of a deep shadow has nowhere at its border.
Smaller: such shadows are arms; larger: a dark sleeve is the core of the soft shadow that it throws."""

CLIPPED = 250
"""Level of any colour from which a pixel is as light as can be told. Smaller: white tables are; larger: a picture that
was far too bright stays an arm."""

DARK_OFF = (5.0, 0.1)
"""In the dark, colours of a shadow may be off by the first, grey levels, and the second for each level of brightness.
Smaller: noise in a dark shadow is a thing; larger: a dark arm over a dark table is a shadow."""

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]
"""uint8 (height, width), 255 where something holds, else 0."""

FINE_PX = 7
"""Side of a pixel's surroundings, pixels. Smaller: only noise is left; larger: a slope of light is a pattern."""

FINE_LEAST = 1.5
"""Grey levels, standard deviation, from which there is such a pattern. Smaller: the blocks of compression are
one; larger: felt has none."""

FINE_MOST = 3.0
"""How many times its median, from 0, what differs from the surroundings counts at most. Smaller: a pattern's lines are
lost; larger: the edge of a sheet of paper that lies there tells, whatever the rest shows."""


def difference(reference: Image, current: Image, slack_px: int = 0) -> Mask:
    """How much `current` differs from `reference`, uint8 (height, width): the largest of the three colours.

    slack_px: differences that a shift by so many pixels explains do not count (edges that tremble).
    """
    if slack_px == 0:
        return largest(cv2.absdiff(reference, current))
    kernel = np.ones((2 * slack_px + 1, 2 * slack_px + 1), np.uint8)
    over = cv2.subtract(current, cv2.dilate(reference, kernel))
    under = cv2.subtract(cv2.erode(reference, kernel), current)
    return largest(cv2.max(over, under))


def largest(colours: npt.NDArray[np.generic]) -> Mask:
    """The largest of the three colours of every pixel, uint8 (height, width): numpy's own maximum takes twenty times as
    long over so short an axis."""
    b, g, r = cv2.split(np.asarray(colours))
    return np.asarray(cv2.max(cv2.max(b, g), r), np.uint8)


def soft_shadows(reference: Image, current: Image, differs: Mask, darkest: float, tolerance: float) -> Mask:
    """The part of `differs` where `current` is `reference` under a soft shadow, or `reference` lay under one that left.

    Grey cloth looks like a shadow, too, but it has a sharp border. darkest: the share of light below which, down to
    `DEEPEST`, a part needs a soft border of its own: most sleeves are so dark.
    tolerance: grey levels by which the colours may differ from the reference's colours in less light.
    """
    soft = np.zeros_like(differs)
    x0, y0, w0, h0 = cv2.boundingRect(differs)
    if w0 == 0:
        return soft
    part = (slice(max(0, y0 - 2), y0 + h0 + 2), slice(max(0, x0 - 2), x0 + w0 + 2))
    soft[part] = _soft(reference[part], current[part], differs[part], darkest, tolerance)
    return soft


def brighter(reference: Image, current: Image, differs: Mask, darkest: float, tolerance: float) -> Mask:
    """The part of `differs` where `current` is `reference` in more light, however sharp its border and through a dark
    table's noise: uint8, 255 or 0. darkest: the least share of light that the reference had of it. tolerance: as for
    `soft_shadows`."""
    lit = np.zeros_like(differs)
    x, y, w, h = cv2.boundingRect(differs)
    if w > 0:
        part = slice(y, y + h), slice(x, x + w)
        was, now = (np.asarray(cv2.blur(picture[part], (3, 3)), np.uint8) for picture in (reference, current))
        like, share = _like(was, now, differs[part], darkest, tolerance, darkest)
        lit[part] = like * np.asarray(share > 1.0, np.uint8) * np.uint8(255)
    return lit


def lighter(one: Image, other: Image) -> Mask:
    """Where `other` is lighter than `one`: uint8, 255 or 0, single noisy pixels smoothed away."""
    before, after = (cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3)) for picture in (one, other))
    return np.asarray(cv2.compare(after, before, cv2.CMP_GT), np.uint8)


def alike(one: Image, other: Image, where: Mask) -> float:
    """How much the fine pattern of two pictures has in common where the mask is above 0, in any light: the correlation,
    -1 to 1, of what differs from its surroundings, few strong edges left aside; 0 where either has no pattern."""
    fine = []
    for picture in (one, other):
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
        values = (grey - cv2.blur(grey, (FINE_PX, FINE_PX)))[where > 0]
        most = FINE_MOST * float(np.median(np.abs(values)))
        fine.append(np.clip(values, -most, most))
    if min(float(values.std()) for values in fine) < FINE_LEAST:
        return 0.0
    return float(np.corrcoef(fine[0].astype(np.float64), fine[1].astype(np.float64))[0, 1])


def _like(
    reference: Image, current: Image, differs: Mask, darkest: float, tolerance: float, deepest: float
) -> tuple[Mask, Floats]:
    """Where `current` is `reference` in other light, 1 or 0, and the share of light everywhere. deepest: the least
    share; of what lay in less than `darkest`, colours may be off by as many times more as it has become lighter, as far
    as that can be told."""
    before, now = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (reference, current))
    levels = before.astype(np.float32) + 1.0
    share = cv2.divide(now.astype(np.float32) + 1.0, levels)
    expected = cv2.multiply(reference, cv2.merge([share, share, share]), dtype=cv2.CV_8U)
    off = difference(np.asarray(expected, np.uint8), current)
    like = np.asarray(cv2.compare(cv2.LUT(before, _off_below(tolerance)), off, cv2.CMP_GT), np.uint8)
    much_lighter = np.flatnonzero((share > 1.0 / darkest) & (differs > 0))
    if len(much_lighter):
        known = largest(current).ravel().take(much_lighter) < CLIPPED
        more_light = np.where(known, share.ravel().take(much_lighter), np.float32(1.0))
        least, more = DARK_OFF
        most = np.minimum(tolerance, least + more * levels.ravel().take(much_lighter) * more_light) * more_light
        like.ravel()[much_lighter] = off.ravel().take(much_lighter) < most
    like = np.asarray((share > deepest) & (share < 1.0 / deepest) & (like > 0) & (differs > 0)).view(np.uint8)
    return like, np.asarray(share, np.float32)


@cache
def _off_below(tolerance: float) -> Mask:
    """For each grey level of the reference, below how many the colours must be off."""
    least, more = DARK_OFF
    most = np.minimum(tolerance, least + more * (np.arange(256, dtype=np.float32) + 1.0))
    return np.asarray(np.ceil(most), np.uint8)


def _soft(reference: Image, current: Image, differs: Mask, darkest: float, tolerance: float) -> Mask:
    like, share = _like(reference, current, differs, darkest, tolerance, DEEPEST)
    if not like.any():
        return like
    like = _without_dark_cloth(like, share, darkest)
    labels, areas = pieces(like, 4)
    soft = like * np.uint8(255)
    large = _large(areas)
    if large:
        # A shadow that lifts is as soft as one that falls: 2 - 1 / share where that is above 1.
        change = np.minimum(share, 1.0) * (2.0 - 1.0 / np.maximum(share, 1.0))
        steep = _steep(change, SHARP_SLOPE)
        things = np.asarray(cv2.dilate(cv2.subtract(differs, soft), np.ones((5, 5), np.uint8)), np.uint8)
    for index in large:
        part, here = where(labels, index)
        if _is_cloth(part, steep[here], things[here]):
            soft[here] = cv2.subtract(soft[here], part * np.uint8(255))
            soft[here] = cv2.max(soft[here], _shadows_beside(part, steep[here], things[here]))
    return soft


def _without_dark_cloth(like: Mask, share: Floats, darkest: float) -> Mask:
    """What may be shadow but for the parts beyond `darkest` that are small or whose own border is sharp: a dark sleeve
    in its soft shadow, the edge of a card."""
    deep = (((share <= darkest) | (share >= 1.0 / darkest)) & (like > 0)).view(np.uint8)
    x, y, w, h = cv2.boundingRect(deep)
    if w == 0:
        return like
    around = (slice(y, y + h), slice(x, x + w))
    labels, areas = pieces(deep[around], 4)
    is_cloth = np.ones(len(areas), np.uint8)
    is_cloth[0] = 0
    large = _large(areas)
    if large:
        steep = _steep(cv2.log(share), DEEP_SLOPE)[around]
    for index in large:
        part, here = where(labels, index)
        is_cloth[index] = _is_sharp(steep[here], _rim(part))
    kept = like.copy()
    kept[around] = cv2.subtract(like[around], is_cloth.take(labels))
    return kept


def _large(areas: npt.NDArray[np.intp]) -> list[int]:
    """The pieces whose border is looked at."""
    return [index for index in range(1, len(areas)) if areas[index] >= SHARP_MIN_PX]


def _steep(values: npt.NDArray[np.generic], slope: float) -> Mask:
    """1 where they change by more than `slope` from pixel to pixel, single noisy pixels smoothed away, else 0."""
    smooth = cv2.blur(np.asarray(values), (3, 3))
    across = (cv2.Sobel(smooth, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    return (np.asarray(cv2.magnitude(*across)) > slope).view(np.uint8)


def _is_cloth(part: Mask, steep: Mask, things: Mask) -> bool:
    """The border of the patch, where `part` is 1, is sharp: `steep`; where that is the border of `things`, it tells
    nothing as long as enough is free of them, and the patch is smooth itself: a hand has a soft shadow round it."""
    rim = _rim(part)
    if not _is_sharp(steep, rim):
        return False
    free, inner = (np.asarray(cv2.subtract(*pair), np.uint8) for pair in ((rim, things), (part, rim)))
    smooth = cv2.countNonZero(cv2.bitwise_and(steep, inner)) <= STEEP_INSIDE * cv2.countNonZero(inner)
    by_itself = smooth and cv2.countNonZero(free) >= FREE_RIM * cv2.countNonZero(rim)
    return not by_itself or _is_sharp(steep, free)


def _shadows_beside(part: Mask, steep: Mask, things: Mask) -> Mask:
    """The pieces of cloth that are none, 255 or 0: a hand of the table's colour and a shadow that it crosses are one
    patch, with the hand's border between them."""
    wide = np.asarray(cv2.dilate(steep, np.ones((3, 3), np.uint8)), np.uint8)
    labels, areas = pieces(np.asarray(cv2.subtract(part, steep), np.uint8), 4)
    shadows = np.zeros_like(part)
    for index in _large(areas):
        piece, here = where(labels, index, 1)  # its border shows against what lies round it
        if not _is_cloth(piece, wide[here], things[here]):
            shadows[here] = cv2.max(shadows[here], piece * np.uint8(255))
    return shadows


def _rim(part: Mask) -> Mask:
    """1 on the border of what is 1 in `part`, but for where that ends."""
    return np.asarray(cv2.subtract(part, cv2.erode(part, np.ones((3, 3), np.uint8), borderValue=1)), np.uint8)


def _is_sharp(steep: Mask, border: Mask) -> bool:
    """A border is sharp, 1 where it is, of which that is `steep` where the other mask is 1."""
    pixels = cv2.countNonZero(border)
    return pixels > 0 and cv2.countNonZero(cv2.bitwise_and(steep, border)) / pixels > SHARP_RIM
