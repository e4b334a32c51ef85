"""What the reading networks can answer, and how their raw answers become a reading."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card, Colour, Rank
from referee.observations import CardReading

COLOURS: tuple[Colour | None, ...] = (*Colour, None)
RANKS: tuple[Rank, ...] = tuple(
    rank for rank in Rank if rank not in (Rank.WILD_SHUFFLE_HANDS, Rank.WILD_SWAP_HANDS, Rank.WILD_CUSTOMIZABLE)
)
NO_FACE = len(RANKS)
"""The classes: four colours and none; fifteen ranks and then "not one of the 54 faces"."""

LOGITS = len(COLOURS) + NO_FACE + 1

ALTERNATIVE = 0.005
"""Least confidence of an alternative that is reported. Smaller fills the answer with noise."""

Floats = npt.NDArray[np.float32]


def interpret(logits: Floats, temperature: float) -> tuple[CardReading, float]:
    """A reading and the probability of a face, from colour and rank logits (21,)."""
    colour = _softmax(logits[: len(COLOURS)] / temperature)
    rank = _softmax(logits[len(COLOURS) :] / temperature)
    chance: dict[Card, float] = {
        card: float(colour[COLOURS.index(card.colour)] * rank[RANKS.index(card.rank)]) for card in FACES
    }
    ranked = sorted(chance.items(), key=lambda item: -item[1])
    none = float(rank[NO_FACE])
    others = tuple((card, min(1.0, p)) for card, p in ranked[:4] if p >= ALTERNATIVE)
    if none > ranked[0][1]:
        return CardReading(None, min(1.0, none), others), 1 - none
    return CardReading(ranked[0][0], min(1.0, ranked[0][1]), others[1:]), 1 - none


def _softmax(x: Floats) -> Floats:
    e = np.exp(x - x.max())
    return np.asarray(e / e.sum(), np.float32)
