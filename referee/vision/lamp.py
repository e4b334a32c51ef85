"""One picture in the light of another: what the lamp has done to the table, whatever lies on it and shades it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Floats, Mask

SAMPLES = 1000
"""Pixels that the light is fitted to. Fewer: the fit wobbles; more: costs time on every frame with a hand in it."""

OUTLIER = 0.22
"""Natural logarithm of the ratio by which a pixel may differ from the fitted light and still count as the same
thing. Smaller: steep shadows break the fit; larger: a hand's colour bends it."""

DARK, BRIGHT, LIT_BRIGHT = 12, 246, 250
"""Level up to which a colour tells nothing of the light, and from which it may be clipped, before and now. Smaller and
larger: noise, and clipped colours, bend the fit."""

LEAST_SAMPLES = 100
"""Pixels from which they tell the light. Fewer: noise is light; more: on a table under many hands nothing does."""

SECOND_LIGHT = 0.25
"""Share of the pixels that must agree on a light for it to be one. Smaller: what was laid down on a plain table is one;
larger: where a deep shadow lies on half of the picture all of it is taken for changed."""


def relit(reference: Image, current: Image, ignore: Mask | None = None) -> Image:
    """`reference` as it would look under the light of `current`: uint8, the shape of both, (height, width, 3).

    The light's change is a gain for each colour that varies linearly over the picture, fitted to the pixels that
    agree (most of the picture must show the same things). ignore: pixels not to fit to.
    """
    h, w = reference.shape[:2]
    step = max(1, int((h * w / SAMPLES) ** 0.5))
    before, after = (_samples(picture, step) for picture in (reference, current))
    tells = (before > DARK) & (before < BRIGHT) & (after < LIT_BRIGHT)
    if ignore is not None:
        tells &= ignore[step // 2 :: step, step // 2 :: step].reshape(-1) == 0
    keep = tells[0] & tells[1] & tells[2]
    colours = [0, 1, 2]
    if keep.sum() < LEAST_SAMPLES:  # of a cloth in one strong colour another one may tell nothing
        colours = [colour for colour in colours if tells[colour].sum() >= LEAST_SAMPLES]
        keep = tells[colours].all(0)
    if not colours or keep.sum() < LEAST_SAMPLES:
        return reference
    kept = np.flatnonzero(keep)
    grid = _grid(h, w, step).take(kept, 1)
    ratio = np.log((after.take(kept, 1) + 4.0) / (before.take(kept, 1) + 4.0))[colours]
    plane = np.zeros((3, len(colours)), np.float32)
    plane[0] = _usual(ratio)
    for width in (OUTLIER, OUTLIER / 2):
        inside = _off(ratio, plane.T @ grid) < width
        fits = np.flatnonzero(inside)
        if len(fits) < 0.3 * len(inside):
            break
        a = grid.take(fits, 1)
        b = ratio.take(fits, 1)
        plane = np.linalg.solve(a @ a.T + np.eye(3, dtype=np.float32) * 1e-3, a @ b.T).astype(np.float32)
    if len(colours) < 3:
        plane = np.stack([plane[:, colours.index(k)] if k in colours else plane.mean(1) for k in range(3)], 1)
    if np.abs(plane[1:]).max() < 0.02:
        if np.abs(plane[0]).max() < 0.004:
            return reference
        gain = np.exp(plane[0])
        return np.asarray(cv2.LUT(reference, _curves(gain)), np.uint8)
    across = np.exp(np.outer(plane[1], np.arange(w, dtype=np.float32) / w - 0.5) + plane[0][:, None])
    down = np.exp(np.outer(plane[2], np.arange(h, dtype=np.float32) / h - 0.5))
    field = cv2.merge([np.outer(down[colour], across[colour]) for colour in range(3)])
    return np.asarray(cv2.multiply(reference, field, dtype=cv2.CV_8U), np.uint8)


def _usual(ratio: Floats) -> Floats:
    """What the light has done, float32 (c,): the logarithms of how much lighter pixels have become, of ratio (c, n).
    Where a deep shadow lies on a part of the picture, or lay there, two lights explain much of it and what lies between
    them nothing: the one that has changed less is the lamp's."""
    least = SECOND_LIGHT * ratio.shape[1]
    middle = np.median(ratio, 1)
    if _agreeing(ratio, middle) >= ratio.shape[1] - least:
        return middle
    step = np.floor(ratio.mean(0) / OUTLIER)
    lots = [ratio[:, step == one] for one in np.unique(step)]
    lights = [middle, *(np.median(lot, 1) for lot in lots if lot.shape[1] >= least / 2)]
    found = [light for light in lights if _agreeing(ratio, light) >= least]
    return min(found, key=lambda light: abs(float(light.mean())), default=middle)


def _off(ratio: Floats, light: Floats) -> Floats:
    """How far each pixel is off what the light makes of it, of its colours that which is farthest, (n,)."""
    return np.asarray(np.maximum.reduce(np.abs(ratio - light)), np.float32)


def _agreeing(ratio: Floats, gain: Floats) -> int:
    """How many pixels have about this gain."""
    return int(np.count_nonzero(_off(ratio, gain[:, None]) < OUTLIER))


@cache
def _grid(h: int, w: int, step: int) -> Floats:
    """Where those samples lie, float32 (3, n): 1, across and down, shares of the picture from its middle."""
    ys, xs = np.mgrid[step // 2 : h : step, step // 2 : w : step].reshape(2, -1).astype(np.float32)
    return np.stack([np.ones_like(xs), xs / w - 0.5, ys / h - 0.5])


def _samples(picture: Image, step: int) -> Floats:
    """Every `step`th pixel, float32 (3, n)."""
    return picture[step // 2 :: step, step // 2 :: step].reshape(-1, 3).T.astype(np.float32, order="C")


def _curves(gain: Floats) -> Image:
    levels = np.arange(256, dtype=np.float32)[:, None] * gain[None, :]
    return np.asarray(np.clip(np.rint(levels), 0, 255)[None], np.uint8)
