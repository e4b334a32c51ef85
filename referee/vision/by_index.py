"""A card of no border on its like, whose outline nobody can tell from that one's, is placed by its corner index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.frame import Image
from referee.observations import CardReading
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

CAME_EXPLAINS = 0.6
"""Share of the change that a card must hold whose index came. Smaller: of a pushed pile a card that lay there is the
new one; larger: two cards without borders that are laid at once are read as one."""


def placed(image: Image, evidence: Evidence, card: Measured, models: Models) -> Measured | None:
    """The misshapen card where an index near it says that it lies, of a card's true size, if it is surely read there
    and holds all that changed, or `CAME_EXPLAINS` of it and its index came, or shows the face that it was read as and
    both its indices; None where none says so."""
    above, finding = evidence.above, evidence.finding
    look, quad = card
    fits: list[Measured] = []
    for index in find_indices(models.indices, image, quad, None, quad):
        here = by_index(evidence, index)
        changed = changed_share(evidence, here, finding.mask)
        if changed < INDEX_CHANGED:
            continue
        full = above.full(here)
        (whole,) = models.reader.read(image, [full], refined=True)
        if whole.reading.card != index.reading.card:
            continue
        reading = with_own_indices(models, image, full, whole.reading)
        moved = evidence.measured(replace(look, quad=above.table(full), reading=reading))
        if not models.is_sure(reading):
            continue
        came = moved.explains >= CAME_EXPLAINS and changed >= UNDER_FRESH_READ
        same = reading.card == look.reading.card and _shows_both(image, (moved, full), models)
        if not (came or same or moved.explains >= min(TWIN_EXPLAINS, look.explains)):
            continue
        fits.append((moved, full))
    if len({fit.reading.card for fit, _ in fits}) > 1:  # of two that lie on each other the upper one shows both
        fits = [fit for fit in fits if _shows_both(image, fit, models)] or fits
    return max(fits, key=lambda fit: fit[0].reading.confidence, default=None)


def _shows_both(image: Image, card: Measured, models: Models) -> bool:
    """Both indices are to be seen where the card lies."""
    look, quad = card
    return all(models.indices.read(image, np.roll(quad, by, 0), 1.0).reading.card == look.reading.card for by in (0, 2))


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
    quads = [by_index(evidence, one) for one in found]
    best = _best_pair(evidence, [(one, other) for one in quads for other in quads])
    if best is not None:
        return best
    pairs = []
    for one, here in zip(found, quads, strict=True):
        other = models.indices.read(image, evidence.above.full(np.roll(here, 2, 0)), 1.0)
        if other.reading.card == one.reading.card:
            pairs.append((here, by_index(evidence, other)))
    return _best_pair(evidence, pairs)


def _best_pair(evidence: Evidence, pairs: Sequence[tuple[QuadArray, QuadArray]]) -> QuadArray | None:
    """The card whose two indices one of the pairs shows: they lie as far apart as a card's do, and turned."""
    w, h = evidence.above.card_px
    fits = []
    for here, there in pairs:
        off = abs(float(np.hypot(*(there[0] - here[0]))) / float(np.hypot(w, h)) - 1)
        if off <= OFF and float((here[3] - here[0]) @ (there[3] - there[0])) < 0:
            fits.append((off, _between(here[0], there[0], (w, h))))
    return min(fits, key=lambda fit: fit[0])[1] if fits else None


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


def read_before(evidence: Evidence, quad: QuadArray, models: Models) -> CardReading | None:
    """What the first index of a card, pixels from above, showed when the pile was settled; None where nobody knows."""
    reference = evidence.finding.reference
    return None if reference is None else models.indices.read(reference, quad, 1.0).reading


def has_come(index: IndexReading, changed: float, before: CardReading | None) -> bool:
    """The index was not there before: what shows there changed, or surely showed another face. changed: the share of it
    that did; before: what it showed."""
    if changed >= UNDER_FRESH_READ or before is None:
        return changed >= UNDER_FRESH_READ
    return before.card not in (None, index.reading.card) and before.confidence >= CERTAIN


def is_new(index: IndexReading, changed: float, before: CardReading | None) -> bool:
    """Some of the index changed, and it was surely none, or another face's, that showed there before; or much of it
    changed. Where the pile was pushed that may be a card that lay there. The rest: see `has_come`."""
    if before is None or before.card == index.reading.card or changed < INDEX_CHANGED:
        return False
    return changed >= UNDER_FRESH_READ or before.confidence >= CERTAIN
