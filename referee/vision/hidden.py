"""What the discard zone hides: what lay there before the top card came, and the bare table."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.light import Mask, difference

HID = 40
"""Grey levels by which a card must differ from what it lies on for that to be seen once the card has gone. Smaller: a
white border on a white table tells nothing; larger: twins on their like are missed."""

UNMOVED_CARDS = 0.02
"""Area, in cards, that may look otherwise beside a pushed card than before it came, for what it lies on to be known
still. Smaller: shadows make it unknown; larger: cards that were pushed with it are taken for those beneath."""

GLANCE_PX, GLANCE_LIKE = 4, 0.7
"""Pixels from one that is glanced at to the next, and the share of them that must be alike. A smaller distance or share
costs time; with larger ones shadows hide a take-back."""

RESTORED = 0.15
"""Share of what changed that may look otherwise than before the top card came, where that has gone. Smaller: shadows
hide it; larger: a push of a card by its border's width is a removal."""

AS_IT_LAY = 0.1
"""Share of the top card that may have changed where the pile under it went. Smaller: shadows hide that it did; larger:
a pushed pile counts as taken."""

UNTOUCHED, MUCH_CARDS = 0.02, 0.6
"""... and area beside it, in cards, that showed others, at which the pile went whatever hands are seen to hold: who
pushes so many cards under the top one touches it. Smaller share and larger area: piles in hands of which little is seen
have not gone; larger and smaller: cards that are pushed together neatly under it have."""

SANK, SANK_MM = 0.15, 7.0
"""Share of the top card that may have changed, or mean distance of its corners from where they were, up to which it may
lie where it lay, but lower: a thick pile went from under it. Smaller: thick piles are not seen to go; larger: hands
that square up a pile take it."""

SANK_TAKEN = 0.05
"""Share of a card of the colours that went from beside it that hands must have taken, beyond what they brought, for it
to have sunk. Smaller: as above; larger: piles that are hardly seen in the hand have not gone."""

SUNK_MM, SUNK_LEAST = 3.0, 20
"""Mean distance of its corners from where they were beyond which the pile must be known to have had so many cards, of
0.3 mm each, for the top card to have sunk. Larger and fewer: hands that square up a small pile take it; smaller and
more: thick piles are not seen to go."""

LAY_TAKEN = 0.02
"""The same where the top card lies as it lay. Smaller: a pile that is pushed together neatly under it has gone; larger:
as above."""

CLEARED_CARDS = 0.06
"""Area beside the top card, in cards, that must have shown others before, and that may differ from a bare table where
nothing lies. Smaller: a shadow that left, or stayed; larger: tidy piles are not seen to go."""

SUNK_CARDS = 0.03
"""The same where hands must have been seen to take it. Smaller: a border's width that a push hides is a pile; larger:
as above."""

TOUCHES_PX = 7
"""Twice the distance from the top card, pixels of the patch, up to which what showed beside it peeked out from under
it. Smaller: a dark border parts them; larger: a hand beside the pile counts as cards."""

CLEARED_LEFT = 0.1
"""Share of that area that may differ from the bare table now. Smaller: a shadow hides that the pile went; larger: one
whose cards were pushed under the top one counts as taken."""


def is_unmoved(differs: Mask, around: Mask, card_px: float) -> bool:
    """Nothing but the top card has been pushed. differs: where the zone looks otherwise than before that came; around:
    where it lies; card_px: area of a card, pixels."""
    return cv2.countNonZero(cv2.subtract(differs, around)) < UNMOVED_CARDS * card_px


def may_be_restored(beneath: Image, now: Image, mask: Mask) -> bool:
    """A quick look at whether `now` may be `beneath` again where `mask` is above 0, in about the same light."""
    step = np.s_[::GLANCE_PX, ::GLANCE_PX]
    off = difference(np.ascontiguousarray(beneath[step]), np.ascontiguousarray(now[step]))[mask[step] > 0]
    return bool(off.size and (off < HID).mean() >= GLANCE_LIKE)


def is_restored(differs: Mask, change_px: float, card_px: float) -> bool:
    """The top card has gone. differs: where the zone looks otherwise than before that came; change_px: what differs
    from the settled zone; card_px: area of a card, pixels."""
    return cv2.countNonZero(differs) < min(UNMOVED_CARDS * card_px, RESTORED * change_px)


def is_empty(shows: Mask, card_px: float) -> bool:
    """Nothing lies there. shows: where the zone differs from the bare table; card_px: area of a card, pixels."""
    return cv2.countNonZero(shows) < CLEARED_CARDS * card_px


def may_have_sunk(changed: float, off_mm: float) -> bool:
    """The top card lies where it lay, or lower. changed: share of it; off_mm: mean distance of its corners."""
    return changed <= SANK or off_mm <= SANK_MM


def went_for_sure(changed: float, showed_px: int, card_px: float) -> bool:
    """The pile went from under a top card that lies as it lay, whatever hands are seen to hold. changed: share of that
    card; showed_px: area beside it that showed others, pixels; card_px: of a card."""
    return changed <= UNTOUCHED and showed_px >= MUCH_CARDS * card_px


def was_taken_from_under(carried: tuple[float, float] | None, off_mm: float | None, cards: int) -> bool:
    """Hands went with what lay under the top card. carried: shares of a card that they brought and took of its colours;
    None where hands were not seen to come and to go: a pile that is squared up looks the same. off_mm: mean distance of
    the top card's corners from where they were; None where it lies as it lay. cards: how many the pile is known to
    have had."""
    if carried is None or (off_mm is not None and off_mm > SUNK_MM and cards < SUNK_LEAST):
        return False
    brought, taken = carried
    return taken - brought >= (LAY_TAKEN if off_mm is None else SANK_TAKEN)


def is_cleared(showed: Mask, shows: Mask, around: Mask, card_px: float, least: float = CLEARED_CARDS) -> bool:
    """The bare table shows where other cards did. showed, shows: where the zone differed from the bare table before,
    and does now; around: where the top card lies; card_px: area of a card, pixels; least: so much must have shown,
    cards."""
    before, now = (np.asarray(cv2.subtract(differs, around), np.uint8) for differs in (showed, shows))
    # What did not peek out from under the top card was a hand that rested beside it.
    count, labels = cv2.connectedComponents(before, connectivity=8)
    near = cv2.dilate(around, np.ones((TOUCHES_PX,) * 2, np.uint8)) > 0
    peeked = np.isin(np.arange(count), np.unique(labels[near & (before > 0)]))
    cards = int(np.count_nonzero(peeked[labels] & (before > 0)))
    return cards >= least * card_px and cv2.countNonZero(now) <= CLEARED_LEFT * cards
