"""A yellow or blue card in bright light beside others in the same light, which show what that burns out.

Red ink turns yellow where its green fills up. While a red card of the pile is plainly red in the same picture, none of
that deck does, and a card that looks yellow is: it need not be asked about. The same goes for green, which turns yellow
or blue.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.cards import Colour
from referee.observations import CardReading
from referee.tracker.looks import CardLook
from referee.vision.burnt import plainly
from referee.vision.evidence import Evidence

LEAST_SHOWN = 0.02
"""Area, in cards, that must be plainly red, or green. Smaller: a symbol's blurred edge speaks for the light; larger:
strips of a squared pile do not."""

BURNT_TO = frozenset({Colour.YELLOW, Colour.BLUE})
"""What other colours turn where they burn out."""


def may_be_instead(reading: CardReading) -> frozenset[Colour]:
    """The colours that a card read as yellow or blue may have as well, its rank the same."""
    if reading.card is None or reading.card.colour not in BURNT_TO:
        return frozenset()
    rank = reading.card.rank
    return frozenset(card.colour for card, _ in reading.alternatives if card.rank is rank and card.colour is not None)


def seen_unburnt(evidence: Evidence, cards: Sequence[CardLook]) -> frozenset[Colour]:
    """Of red and green, those of which a card that the pile was known to hold lies open beside the yellow and blue
    cards of a look, as it did, in its own colour."""
    doubted = [card.quad for card in cards
               if card.reading.card is not None and card.reading.card.colour in BURNT_TO]  # fmt: skip
    pile = [card for card in evidence.finding.pile if card.card is not None and not card.guess]
    if not doubted or not pile:
        return frozenset()
    above, image = evidence.above, evidence.finding.image
    changed = np.maximum.reduce([evidence.finding.mask, *(above.filled(above.px(quad), above.rim) for quad in doubted)])
    found = []
    for colour in (Colour.RED, Colour.GREEN):
        quads = [card.quad for card in pile if card.quad is not None and card.card is not None
                 and card.card.colour in (colour, None)]  # fmt: skip
        if quads:
            where = np.maximum.reduce([above.filled(above.px(quad)) for quad in quads]) > changed
            if cv2.countNonZero((where & plainly(image, colour)).astype(np.uint8)) >= LEAST_SHOWN * above.card_area:
                found.append(colour)
    return frozenset(found)
