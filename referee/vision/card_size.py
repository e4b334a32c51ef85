"""How large a deck's cards are, which nobody is asked when a table is set up: some are larger than the usual ones."""

from __future__ import annotations

from collections import deque
from statistics import median

import cv2

from referee.vision.light import Mask
from referee.vision.snap import is_off
from referee.vision.warp import QuadArray

Size = tuple[float, float]
"""Width and height of a card, pixels from above."""

HEM_PX = 2.8
"""By how much the change that a card makes is wider and longer than the card: its shadow, and the slack of
comparing. Smaller: a usual deck's cards seem large; larger: a large deck's do not."""

FILLED = 0.88
"""Share of its smallest rectangle that the change of one card fills. Smaller: a hand, a second card, or one of which a
part shows what was there before, count as one; larger: none does whose corners are round or in a shadow."""

PARTLY = 0.4
"""... of a card of which not all is seen to change, where it is read in the same size. Smaller: corners that changed by
chance make a card; larger: on white cloths few cards tell."""

READ_ALIKE = 0.15
"""Share by which the sides of the card as it was read may differ from that. Smaller: those without borders, which are
read up to a seventh too large, tell nothing; larger: a sleeve counts as a card."""

READ_SAME = 0.05
"""... of one that does not fill its rectangle. Smaller: few cards tell; larger: what a card shares with the one beneath
makes it smaller."""

LATELY, ALIKE = 5, 3
"""Cards of which the size is remembered, and how many must have about that of the middle one. Fewer: chance; more: it
is learnt late."""

ALIKE_SHARE = 0.05
"""How much these may differ from that one, as a share."""

LARGER, SMALLER = 0.05, 0.1
"""Shares by which a side must differ for the cards to be larger or smaller than the usual ones. Smaller: the error of
one measurement counts, and that what cards have in common makes them smaller; larger: the rim of a larger card is
another card beneath it."""

MOST = 1.6
"""Most by which cards may be larger or smaller than the usual ones. Larger: a table mat is a card."""


class Sizes:
    """The sizes that cards had lately."""

    def __init__(self) -> None:
        self._seen: deque[Size] = deque(maxlen=LATELY)

    def add(self, mask: Mask, read: QuadArray, usual: Size, bare: bool) -> Size | None:
        """Takes the card that came, and gives the size of all where it is plainly another than `usual`; else None.

        mask: what has changed, uint8 (h, w), 255 or 0. read: where the card was read, pixels, a short side first.
        bare: nothing lay there before, so that one card is enough to tell.
        """
        size, filled = _size(mask)
        if filled < PARTLY or is_off(read, size, READ_ALIKE if filled >= FILLED else READ_SAME):
            return None
        self._seen.append(size)
        middle = median(w for w, _ in self._seen), median(h for _, h in self._seen)
        alike = sum(max(_shares(one, middle)) < 1 + ALIKE_SHARE and min(_shares(one, middle)) > 1 - ALIKE_SHARE
                    for one in self._seen)  # fmt: skip
        told = size if bare else middle
        least, most = sorted(_shares(told, usual))
        is_other = (most >= 1 + LARGER or least <= 1 - SMALLER) and least > 1 / MOST and most < MOST
        return told if is_other and (bare or alike >= ALIKE) else None


def _shares(size: Size, of: Size) -> Size:
    """The size as shares of another."""
    return size[0] / of[0], size[1] / of[1]


def _size(mask: Mask) -> tuple[Size, float]:
    """The size of the card that made this change, if one alone did, and how much of it the change fills, 0 to 1."""
    parts = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    part = max(parts, key=cv2.contourArea, default=None)
    w, h = (0.0, 0.0) if part is None else sorted(cv2.minAreaRect(part)[1])
    if part is None or w <= HEM_PX:
        return (1.0, 1.0), 0.0
    # from the middle of its first pixel to that of its last
    return (w + 1 - HEM_PX, h + 1 - HEM_PX), cv2.contourArea(part) / (w * h)
