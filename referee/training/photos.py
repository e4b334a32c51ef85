"""Rectified crops of the training photographs: corners by outline at first, by the networks where these exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from referee.cards import Card
from referee.frame import Image
from referee.training.decks import CARD_PX, Pictures, classes
from referee.training.outlines import card_outline
from referee.training.split import Photo
from referee.vision.nets import Models, Read
from referee.vision.warp import QuadArray, rectify

_CLEAR = 0.5
"""Least probability of the label for a card that the networks found. Lower cuts out the wrong thing, higher loses
hand-held cards."""

_AGREES = 0.05
"""Least probability of the label for a card that an outline gave. Lower keeps outlines of other things."""

_RADIUS = 0.055
"""Rounding of a printed card's corners as a share of its width, when it was not drawn by us."""


def photo_pictures(
    photos: Sequence[Photo], models: Models | None, progress: Callable[[int, int], None]
) -> tuple[Pictures, list[int]]:
    """Crops of the photographs whose card was located, and the index of each one's photograph.

    Every source counts as one deck. With `models`, cards that no outline gives are found by the networks, and crops
    that the networks cannot reconcile with the label are dropped.
    """
    sources = sorted({photo.source for photo in photos})
    images, labels, decks, used = [], [], [], []
    for i, photo in enumerate(photos):
        progress(i + 1, len(photos))
        image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
        if image is None:
            continue
        quad = _corners(np.asarray(image, np.uint8), photo, models)
        if quad is None:
            continue
        images.append(rectify(np.asarray(image, np.uint8), quad, CARD_PX, 0.0))
        labels.append(classes(photo.card))
        decks.append(sources.index(photo.source))
        used.append(i)
    colour, rank = (np.array(column, np.int8) for column in zip(*labels, strict=True))
    radius = np.full(len(images), _RADIUS, np.float32)
    indices = np.full(len(images), 2, np.int8)
    return Pictures(np.stack(images), colour, rank, np.array(decks, np.int16), radius, indices), used


def _corners(image: Image, photo: Photo, models: Models | None) -> QuadArray | None:
    """The networks first: an outline may be that of a checked cloth under the card."""
    outline = card_outline(image) if photo.kind != "hand-held" else None
    if models is None:
        return outline
    if photo.card is None:
        return None if outline is None else models.reader.read(image, [outline])[0].quad
    reads = models.reader.read(image, [found.quad for found in models.finder.find(image)])
    chances = [_chance(read, photo.card) for read in reads]
    best = int(np.argmax(chances)) if chances else -1
    if best >= 0 and chances[best] >= _CLEAR:
        return reads[best].quad
    if outline is None:
        return None
    read = models.reader.read(image, [outline])[0]
    return read.quad if _chance(read, photo.card) >= _AGREES else None


def _chance(read: Read, card: Card) -> float:
    """The probability that the networks give `card`."""
    named = {} if read.reading.card is None else {read.reading.card: read.reading.confidence}
    return {**dict(read.reading.alternatives), **named}.get(card, 0.0)
