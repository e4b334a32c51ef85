"""What readings say of a face: of one look, and of several."""

from __future__ import annotations

from collections.abc import Sequence

from referee.cards import Card
from referee.observations import CardReading

SAME_FACE = 0.3
"""Probability of the remembered face from which a doubtful reading counts as that face, where geometry fits a move.
Smaller: a nudge with a bad look is a landing; larger: a landing with a bad look is a nudge."""


def mean_reading(readings: Sequence[CardReading]) -> CardReading:
    """Several looks at one card as one reading: the mean probability of each face. Of faces that are as likely, the one
    that was read."""
    if not readings:
        raise ValueError("no readings to take the mean of")
    total: dict[Card | None, float] = {}
    for reading in readings:  # what is named first stays first among equals
        total[reading.card] = total.get(reading.card, 0.0) + reading.confidence
        for card, p in reading.alternatives:
            if card != reading.card:
                total[card] = total.get(card, 0.0) + p
    order = sorted(total, key=lambda c: -total[c])
    n = len(readings)
    best = order[0]
    others = tuple((card, min(1.0, total[card] / n)) for card in order[1:] if card is not None)[:4]
    return CardReading(best, min(1.0, total[best] / n), others)


def probability(reading: CardReading, card: Card | None) -> float:
    """How probable the reading holds `card` to be."""
    if card is None:
        return 0.0
    return reading.confidence if reading.card == card else dict(reading.alternatives).get(card, 0.0)
