"""Cards lie face up on the pile: what that adds to a picture which leaves open whether it shows a face at all.

The reader has seen backs, other games' cards, bare ground and parts of several cards. A deck without indices, of words
or small signs on black, looks to it a little like those. Of what was found as a card where a hand has just laid
something, hardly anything is.
"""

from __future__ import annotations

from referee.observations import CardReading
from referee.tracker.looks import CardLook
from referee.tracker.signs import FRESH, TWIN_EXPLAINS, has_come
from referee.vision.nets import Read

RARER = 0.1
"""How much rarer what shows no face is among cards that came to lie open than among the pictures that the reader
learned from, a fifth of which show none: the ratio of the odds. Smaller: a back that is laid there is said to be a
face; larger: decks without indices are asked about."""


def is_uncovered(card: CardLook) -> bool:
    """Nothing lies on it: the finder sees nothing there, or it is the newest card, whatever the finder says."""
    return card.on_top > 0.5 or (not card.fitted and card.open == 0.0 and has_come(card))


def came_open(card: CardLook) -> bool:
    """It was found as a card that nothing covers, and is all that changed."""
    found = not card.fitted and not card.peeks and card.on_top > 0.5
    return found and card.explains >= TWIN_EXPLAINS and card.fresh >= FRESH


def as_face(read: Read) -> CardReading:
    """What such a card shows, by Bayes' rule: the reader's answer, no face being so much rarer."""
    reading, face = read.reading, read.face_probability
    if reading.card is None:
        return reading
    named = reading.confidence + sum(p for _, p in reading.alternatives)
    gain = max(1.0, min(1 / (face + RARER * (1 - face)), 1 / named))  # what is named has no more than all
    others = tuple((card, min(1.0, p * gain)) for card, p in reading.alternatives)
    return CardReading(reading.card, min(1.0, reading.confidence * gain), others)
