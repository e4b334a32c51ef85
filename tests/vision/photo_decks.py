"""Decks of photographed cards for the simulated table: `many_tables.py --photos ../shared/data`.

Only validation sources give cards: neither the weights nor the drawn decks have any part in them. Each of `SOURCES` is
one deck; a face that it lacks comes from another of them. Nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card
from referee.faces import CARD_MM, STYLES, draw_back
from referee.frame import Frame, Image
from referee.training.photos import photo_pictures
from referee.training.split import held_out_photos
from referee.virtual_table import render
from referee.virtual_table.render import EDGE_PX, FACE_PX
from referee.vision.nets import Models

SOURCES = ("Natnael-k/uno_card_detection", "criscardMDX/Uno_Cards_Reader", "soloskino1/uno_card_cv")
"""Validation sources of 47 faces or more, seen from above: others are too few, too blurred or too slanted."""
ROUNDING = 0.055
"""Radius of a card's corners as a share of its width."""


@dataclass(frozen=True, slots=True)
class PhotoDeck:
    """One deck: pictures as `virtual_table.render` wants them, uint8 (h, w, 4), colours times alpha, clear edge."""

    source: str
    pictures: dict[Card | None, Image]

    def dealt(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """The frames of a simulated table, rendered with this deck in the place of the drawn one."""
        while True:
            with mock.patch.object(render, "_card_picture", lambda card, design: self.pictures[card]):
                frame = next(frames, None)
            if frame is None:
                return
            yield frame


def photo_decks(data: Path, models: Models) -> list[PhotoDeck]:
    """The decks that the folder's validation photographs make. Raises FileNotFoundError without photos/labels.csv."""
    photos = [p for p in held_out_photos(data) if p.source in SOURCES and p.card is not None]
    crops, used = photo_pictures(photos, models, lambda done, of: None)
    by_source: dict[str, dict[Card | None, Image]] = {}
    for crop, number in zip(crops.images, used, strict=True):
        photo = photos[number]
        by_source.setdefault(photo.source, {}).setdefault(photo.card, _with_edge(crop[..., :3]))
    decks = []
    for k, (source, own) in enumerate(sorted(by_source.items())):
        back = draw_back(list(STYLES.values())[k % len(STYLES)], FACE_PX)
        lent = {face: other[face] for other in by_source.values() for face in FACES if face in other}
        decks.append(PhotoDeck(source, {None: _with_edge(back[..., :3]), **lent, **own}))
    return decks


def _with_edge(picture: npt.NDArray[np.uint8]) -> Image:
    size = (round(FACE_PX * CARD_MM[0] / CARD_MM[1]), FACE_PX)
    how = cv2.INTER_AREA if picture.shape[0] > FACE_PX else cv2.INTER_CUBIC
    face = cv2.resize(picture, size, interpolation=how)
    r, (w, h) = round(ROUNDING * size[0]), size
    alpha = np.zeros((h, w), np.uint8)
    cv2.rectangle(alpha, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1)
    flat = np.dstack([face * (alpha[..., None] > 0), alpha])
    edged = cv2.copyMakeBorder(flat, EDGE_PX, EDGE_PX, EDGE_PX, EDGE_PX, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(edged, np.uint8)
