"""Every face-up card in a still picture."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.observations import Quad, SeenCard
from referee.vision.nets import Found, Models, Read, same_place
from referee.vision.warp import QuadArray, overlap

LEAST_FACE = 0.4
"""Least probability of a face for a card that is reported. Lower reports backs and other games' cards as unread faces;
higher drops real ones in bad light."""

LOST = 0.3
"""Error allowed in the visible share when two finds are compared. Smaller drops cards of a pile; larger keeps
doubles."""

TOUCH = 0.04
"""Share of the smaller card that overlaps when two cards lie on each other. Smaller joins neighbours."""


def read_photo(image: Image, models: Models) -> list[SeenCard]:
    """Face-up cards anywhere in `image` (uint8 (h, w, 3) B, G, R), best score first.

    `top` is true for one card of every group that lies on each other, and for cards that lie alone.
    """
    found = models.finder.find(image)
    pairs = list(zip(found, models.reader.read(image, [f.quad for f in found]), strict=True))
    pairs = [(f, r) for f, r in pairs if r.face_probability >= LEAST_FACE]
    return _tops(_distinct(pairs))


def _distinct(pairs: list[tuple[Found, Read]]) -> list[tuple[Found, Read]]:
    """One of each card, the surer: refining can draw two finds to one card, or one card be found in two ways."""
    kept: list[tuple[Found, Read]] = []
    for found, read in sorted(pairs, key=lambda p: -p[0].score * p[1].reading.confidence):
        if not any(same_place(read.quad, r.quad) or _impossible(found, read, f, r) for f, r in kept):
            kept.append((found, read))
    return kept


def _impossible(found: Found, read: Read, other: Found, other_read: Read) -> bool:
    """Two cards that share more room than the more covered one is said to have lost."""
    shared = overlap(read.quad, other_read.quad)
    return shared > LOST + 1 - min(found.visible, other.visible)


def _tops(pairs: list[tuple[Found, Read]]) -> list[SeenCard]:
    cards = []
    for i, (found, read) in enumerate(pairs):
        rivals = [f.top for j, (f, r) in enumerate(pairs) if j != i and overlap(read.quad, r.quad) > TOUCH]
        cards.append(SeenCard(read.reading, as_quad(read.quad), found.visible, all(found.top > top for top in rivals)))
    return cards


def as_quad(quad: QuadArray) -> Quad:
    """An array of corners as plain numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d


def annotate(image: Image, cards: list[SeenCard], models: Models) -> Image:
    """A copy of the picture with every card's outline and name: green when sure, red when not."""
    out = image.copy()
    scale = max(out.shape[:2]) / 1000
    for card in cards:
        ink = (40, 200, 40) if models.is_sure(card.reading) else (40, 40, 230)
        points = np.round(np.array(card.quad)).astype(np.int32)
        cv2.polylines(out, [points], True, ink, max(1, round(3 * scale)), cv2.LINE_AA)
        text = f"{card.reading.notation} {card.reading.confidence:.2f}{' top' if card.top else ''}"
        at = (int(points[:, 0].min()), int(points[:, 1].mean()))
        for colour, width in (((0, 0, 0), 5), (ink, 2)):
            thick = max(1, round(width * scale))
            cv2.putText(out, text, at, cv2.FONT_HERSHEY_SIMPLEX, max(0.4, scale), colour, thick, cv2.LINE_AA)
    return out
