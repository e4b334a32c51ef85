"""What the reading networks can answer, and how their raw answers become a reading."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Colour, Rank
from referee.frame import Image
from referee.observations import CardReading

COLOURS: tuple[Colour | None, ...] = (*Colour, None)
RANKS: tuple[Rank, ...] = tuple(
    rank for rank in Rank if rank not in (Rank.WILD_SHUFFLE_HANDS, Rank.WILD_SWAP_HANDS, Rank.WILD_CUSTOMIZABLE)
)
NO_FACE = len(RANKS)
"""The classes: four colours and none; fifteen ranks and then "not one of the 54 faces"."""

_COLOUR_OF, _RANK_OF = (
    np.array(numbers)
    for numbers in ([COLOURS.index(face.colour) for face in FACES], [RANKS.index(face.rank) for face in FACES])
)
"""For each face the number of its colour and that of its rank."""

LOGITS = len(COLOURS) + NO_FACE + 1
ANSWER = LOGITS + 1
"""What a reader says of a picture: the logits of colours, ranks and, last, "no face"; and how much of that last one is
said by what tells strangers (`training.networks.Strangers`)."""

IN_FULL = 2.0
"""Nats that what tells strangers is held back by in each reading, so that cards of odd designs are read; heard in full
where all that is seen of a card is judged (`strangeness`). The readers had so much taken off."""

ALTERNATIVE = 0.005
"""Least confidence of an alternative that is reported. Smaller fills the answer with noise."""

Floats = npt.NDArray[np.float32]


def answers(network: cv2.dnn.Net, pictures: Sequence[Image]) -> Floats:
    """The network's answers for pictures of one size, float32 (n, k). All at once would be no faster a picture, and
    OpenCV sets a network up anew whenever their number changes."""
    out = []
    for picture in pictures:
        network.setInput(cv2.dnn.blobFromImage(picture, 1 / 255))
        out.append(np.array(network.forward()[0], np.float32))
    return np.stack(out)


def interpret(logits: Floats, temperature: float) -> tuple[CardReading, float]:
    """A reading and the probability of a face, from a reader's answer (21,) or (22,), see `ANSWER`."""
    colour = _softmax(logits[: len(COLOURS)] / temperature)
    rank = _softmax(logits[len(COLOURS) : LOGITS] / temperature)
    chances = colour[_COLOUR_OF] * rank[_RANK_OF]
    ranked = [(FACES[i], float(chances[i])) for i in np.argsort(-chances, kind="stable")[:4]]
    none = float(rank[NO_FACE])
    others = tuple((card, min(1.0, p)) for card, p in ranked if p >= ALTERNATIVE)
    if none > ranked[0][1]:
        return CardReading(None, min(1.0, none), others), 1 - none
    return CardReading(ranked[0][0], min(1.0, ranked[0][1]), others[1:]), 1 - none


def strangeness(answer: Floats) -> float | None:
    """Log odds that a picture shows no face of ours, with what tells strangers heard in full, from a reader's answer
    (22,). None where it shows none without that: then it may be the wrong piece of the right card."""
    *ranks, none, strange = (float(x) for x in np.clip(answer[len(COLOURS) : ANSWER], -99, 99))
    most = max(ranks)
    odds = none - strange - most - math.log(sum(math.exp(rank - most) for rank in ranks))
    # Strange is softplus(x) of some x: this adds softplus(x + IN_FULL).
    return None if odds >= 0 else odds + math.log1p(math.exp(IN_FULL) * math.expm1(max(0.0, strange)))


def _softmax(x: Floats) -> Floats:
    e = np.exp(x - x.max())
    return np.asarray(e / e.sum(), np.float32)
