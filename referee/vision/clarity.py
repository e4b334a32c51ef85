"""How well one card can be seen: light, glare and sharpness of its rectified picture, as named states."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.cards import Card, Colour
from referee.frame import Image
from referee.observations import CardReading, Quality
from referee.vision.burnt import FULL, colour_spread, instead_of, is_burnt_out
from referee.vision.white import CardParts, may_be_blue

DARK_LEVEL = 40.0
"""Grey level that the brightest twentieth of a card must reach. Smaller: faces are guessed from noise; larger: dark
decks in the evening are refused."""

FLAT_LEVELS = 24.0
"""Levels between a card's darkest and brightest parts, in the channel in which they differ most, below which nothing
can be told. Smaller: noise is read; larger: cards in weak light are refused."""

HAZED_LEVELS = 32.0
"""The same for a card as bright as `WASHED_LEVEL`. Smaller: a red card in a haze is surely said to be yellow; larger:
pale designs are refused."""

GLARE_SHARE = 0.62
"""Share of a card at full white in all colours. Smaller: white ovals in good light are refused; larger: washed-out
faces are read."""

WASHED_LEVEL = 200.0
"""Grey level of the brightest twentieth from which a card without contrast is washed out, not out of focus. Smaller:
the wrong remedy is named, and cards in weak light are refused; larger: haze is read."""

SHARPNESS = 0.1
"""Steepest slope of a card's picture, in shares of its contrast a pixel of the crop. Smaller: shaken pictures are read;
larger: soft lenses are refused."""

LEAST_COLOUR, COLOURED_SHARE = 12.0, 0.02
"""Grey levels between the strongest and the weakest channel, and the share of a coloured card's picture that reaches
them. Smaller levels: the colours of a black-and-white picture are guessed; larger: pale decks in weak light are
doubted, the palest of which reach 37. Smaller share: specks of noise are a colour; larger: a single symbol is none."""


@dataclass(frozen=True, slots=True)
class Clarity:
    """What was measured on one card: see the thresholds of this module. burnt: its colour may be another one."""

    level: float
    contrast: float
    white: float
    slope: float
    burnt: bool = False

    @property
    def quality(self) -> Quality:
        """CLEAR, DARK, GLARE or BLURRED."""
        if self.level < DARK_LEVEL:
            return Quality.DARK
        if self.white > GLARE_SHARE or self.burnt:
            return Quality.GLARE
        if self._is_flat:
            return Quality.GLARE if self.level > WASHED_LEVEL else Quality.BLURRED
        return Quality.BLURRED if self.slope < SHARPNESS else Quality.CLEAR

    @property
    def is_sharp(self) -> bool:
        """What is seen stands out, in its colours, whether light is short or much of the card is white."""
        return not self.burnt and not self._is_flat and self.slope >= SHARPNESS

    @property
    def _is_flat(self) -> bool:
        return self.contrast < (HAZED_LEVELS if self.level > WASHED_LEVEL else FLAT_LEVELS)


def clarity_of(crop: Image) -> Clarity:
    """Measures a rectified crop, uint8 (120, 80, 3)."""
    card = crop[12:-12, 8:-8]
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high, top = np.percentile(grey, (3, 97, 95))
    slope = cv2.magnitude(*(cv2.Sobel(grey, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1))))
    # In grey, yellow is nearly white. The mean of nine pixels, for one channel alone has more noise.
    least, most = np.percentile(cv2.blur(card, (3, 3)).reshape(-1, 3), (3, 97), axis=0)
    return Clarity(
        float(top), float((most - least).max()), float((card.min(2) >= FULL).mean()),
        float(np.percentile(slope, 98)) / max(1.0, float(high - low)), is_burnt_out(card),
    )  # fmt: skip


def with_colour_seen(
    reading: CardReading, crop: Image, unburnt: frozenset[Colour] = frozenset(), parts: CardParts | None = None
) -> CardReading:
    """The reading, at a chance of one in four where it names a colour and the crop, uint8 (h, w, 3), has none, as in a
    black-and-white picture or at night by infra-red light; at an even chance of its colour and of what else has that
    in the crop where it is over-exposed, or tinted. unburnt: colours that the light is known to leave as they are.
    parts: those of the crop; None where nothing is asked about tints."""
    card = reading.card
    if card is None or card.colour is None:
        return reading
    instead = tuple(colour for colour in instead_of(card.colour, crop) if colour not in unburnt)
    if card.colour is Colour.YELLOW and parts is not None and may_be_blue(crop, parts):
        instead = (*instead, Colour.BLUE)
    if instead:
        chance = min(1 / (1 + len(instead)), reading.confidence)
        others = tuple((Card(card.rank, colour), chance) for colour in instead)
        return CardReading(card, chance, others)
    if _is_coloured(crop):
        return reading
    chance = min(0.25, reading.confidence)
    others = tuple((Card(card.rank, colour), chance) for colour in Colour if colour is not card.colour)
    return CardReading(card, chance, others)


def _is_coloured(crop: Image) -> bool:
    spread = colour_spread(crop)
    return bool(np.count_nonzero(spread >= LEAST_COLOUR) >= COLOURED_SHARE * spread.size)
