"""A card of no border on its like, whose outline nobody can tell from that one's, is placed by its corner index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.frame import Image
from referee.tracker.signs import CERTAIN, TWIN_EXPLAINS, UNDER_FRESH_READ
from referee.vision.classes import Floats
from referee.vision.evidence import Evidence, Measured
from referee.vision.indices import IndexReading, box_mm, on_card
from referee.vision.light import Mask
from referee.vision.nets import Models
from referee.vision.snap import OFF
from referee.vision.strip import find_indices, with_own_indices
from referee.vision.twin import INDEX_PART_MM
from referee.vision.warp import QuadArray

INDEX_CHANGED = 0.02
"""Share of an index that must have changed for it to be a new card's or to be read again. Smaller: costs time; larger:
a 3 laid on a 2 of its colour goes unseen."""


def placed(image: Image, evidence: Evidence, card: Measured, models: Models) -> Measured | None:
    """The doubtful card where one of the indices near it says that it lies, of a card's true size, if it is surely read
    there and holds all that changed; None where none says so."""
    above, finding = evidence.above, evidence.finding
    look, quad = card
    best = None
    for index in find_indices(models.indices, image, quad, None, quad):
        here = by_index(evidence, index)
        if changed_share(evidence, here, finding.mask) < INDEX_CHANGED:
            continue
        full = above.full(here)
        (whole,) = models.reader.read(image, [full], refined=True)
        if whole.reading.card != index.reading.card:
            continue
        reading = with_own_indices(models, image, full, whole.reading)
        moved = evidence.measured(replace(look, quad=above.table(full), reading=reading))
        if not models.is_sure(reading) or moved.explains < min(TWIN_EXPLAINS, look.explains):
            continue
        if best is None or reading.confidence > best[0].reading.confidence:
            best = moved, full
    return best


def by_index(evidence: Evidence, index: IndexReading) -> QuadArray:
    """The card that an index shows, of its true size, pixels from above."""
    above = evidence.above
    corner, right, _, below = above.px(above.table(index.quad))
    down = (below - corner) / max(1e-6, float(np.hypot(*(below - corner))))
    across = np.array([down[1], -down[0]], np.float32)
    across *= np.sign(float(across @ (right - corner))) * above.card_px[0]
    down = down * above.card_px[1]
    return np.asarray([corner, corner + across, corner + across + down, corner + down], np.float32)


def by_both_indices(
    image: Image, evidence: Evidence, found: Sequence[IndexReading], models: Models
) -> QuadArray | None:
    """The card, of its true size and in pixels from above, both indices of which are seen: two of those `found`, all of
    its face, or one and what is read where that says the other is. None where no two lie as far apart as a card's.
    image: the full picture."""
    above, diagonal = evidence.above, float(np.hypot(*evidence.above.card_px))
    best: tuple[float, QuadArray] | None = None
    for one in found:
        here = by_index(evidence, one)
        opposite = models.indices.read(image, above.full(np.roll(here, 2, 0)), 1.0)
        for other in (index for index in (*found, opposite) if index.reading.card == one.reading.card):
            there = by_index(evidence, other)
            off = abs(float(np.hypot(*(there[0] - here[0]))) / diagonal - 1)
            turned = float((here[3] - here[0]) @ (there[3] - there[0])) < 0
            if turned and off <= OFF and (best is None or off < best[0]):
                best = off, _between(here[0], there[0], above.card_px)
    return None if best is None else best[1]


def _between(corner: Floats, opposite: Floats, card_px: tuple[float, float]) -> QuadArray:
    """The card of which two opposite corners are seen, the first one `corner`."""
    w, h = card_px
    x, y = opposite - corner
    turn = np.arctan2(y, x) - np.arctan2(h, w)
    c, s = np.cos(turn), np.sin(turn)
    unit = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]])
    return np.asarray(unit + (corner + opposite) / 2, np.float32)


def changed_share(evidence: Evidence, quad: QuadArray, where: Mask) -> float:
    """Share of the first index of a card, pixels from above, that changed. where: 255 where something did."""
    part = evidence.above.filled(on_card(quad, box_mm(*INDEX_PART_MM)))
    return cv2.countNonZero(cv2.bitwise_and(where, part)) / max(1, cv2.countNonZero(part))


def has_come(evidence: Evidence, index: IndexReading, quad: QuadArray, beside: Mask, models: Models) -> bool:
    """The index was not there before: what shows there changed, or surely showed another face. quad: the card that it
    shows, pixels from above."""
    changed = changed_share(evidence, quad, beside)
    if changed >= UNDER_FRESH_READ or evidence.finding.reference is None:
        return changed >= UNDER_FRESH_READ
    before = models.indices.read(evidence.finding.reference, quad, 1.0).reading
    return before.card not in (None, index.reading.card) and before.confidence >= CERTAIN


def is_new(evidence: Evidence, index: IndexReading, quad: QuadArray, beside: Mask, models: Models) -> bool:
    """Some of the index changed, and it was surely none, or another face's, that showed there before; or much of it
    changed. Where the pile was pushed that may be a card that lay there. The rest: see `has_come`."""
    changed = changed_share(evidence, quad, beside)
    if evidence.finding.reference is None or changed < INDEX_CHANGED:
        return False
    before = models.indices.read(evidence.finding.reference, quad, 1.0).reading
    return before.card != index.reading.card and (changed >= UNDER_FRESH_READ or before.confidence >= CERTAIN)
