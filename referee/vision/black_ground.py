"""Decks that are printed on black: it tells the light, where nothing in the picture is white."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.frame import Image
from referee.vision.classes import Floats
from referee.vision.ground import GROUND_MM
from referee.vision.indices import IndexReading, on_card
from referee.vision.sight import FAINT

STEP_MM = 0.75
"""Distance of the points of a ground that are looked at. Larger: a line of print is the ground; smaller: time."""

EVEN = 0.6
"""The weakest channel of a ground, for one of the strongest, from which it is as grey as black is in white light.
Smaller: black in a coloured light is; larger: black with a sheen, or a little noise, is not."""

COLOURS = 2
"""Different colours of cards on such a ground from which it is black. One: a red card's ink is as grey in a light that
has no red; more: decks of which little is seen are asked about."""

_X, _Y = (np.arange(GROUND_MM[i], GROUND_MM[i + 2] + 0.01, STEP_MM) for i in (0, 1))
_POINTS = np.stack(np.meshgrid(_X, _Y), -1).reshape(-1, 2).astype(np.float32)


def is_in_white_light(image: Image, indices: Sequence[IndexReading]) -> bool:
    """Cards of several colours, whose indices were read for sure, have a ground that is as grey as black in white
    light. image: uint8 (h, w, 3). False where that cannot be told."""
    colours = {
        index.reading.card.colour for index in indices
        if index.reading.card is not None and _is_grey(_ground(image, index))
    }  # fmt: skip
    return len(colours - {None}) >= COLOURS


def _ground(image: Image, index: IndexReading) -> Floats:
    """What is mostly seen below the index, float32 (3,)."""
    h, w = image.shape[:2]
    x, y = np.rint(on_card(index.quad, _POINTS)).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
    return np.asarray(np.median(image[y[inside], x[inside]], axis=0) if inside.any() else np.zeros(3), np.float32)


def _is_grey(ground: Floats) -> bool:
    return bool(ground.max() >= FAINT and ground.min() >= EVEN * ground.max())
