"""A whole hand shown to the camera, fanned, spread or in a row: from several looks to one set of cards.

    watcher = HandWatcher(models)
    hand = watcher.look(image)        # every half second, until hand.steady

A card counts when most of the last looks agree on it. A card that is there and was not read keeps its place and waits
to be separated from the others; it never becomes a face by guessing. Used at the end of a hand (RULES 6.10) and for a
challenge (RULES 6.5).
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.cards import Card, Deck
from referee.frame import Frame, Image
from referee.observations import CardReading, Point, SeenCard
from referee.vision.nets import Models
from referee.vision.reading import is_certain, read_hand
from referee.vision.survey import models_for

LOOKS = 5
"""Last looks that count. Fewer: one bad look decides; more: a hand that was changed shows late."""

LEAST_LOOKS = 3
"""Looks from which a hand may be steady. Fewer: a passing misreading is believed; more: people wait longer."""

AGREE = 0.6
"""Share of the looks that must show a card. Smaller: passing misreadings count; larger: a card read now and then
never counts."""

MOST_SIDE = 1600
"""Longest side, pixels, of the picture that is read. Smaller: indices of tight fans are lost; larger: slow on a Pi."""


@dataclass(frozen=True, slots=True)
class ShownCard:
    """One card of a hand. sure: most looks agree on its face. at: its middle (of what is seen of it) in the picture,
    shares of width and height, 0 to 1."""

    reading: CardReading
    sure: bool
    at: Point


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand as far as it is known. cards: from left to right in the picture. steady: the last looks agree on
    how many cards there are and on each that is sure."""

    cards: tuple[ShownCard, ...]
    steady: bool

    def to_json(self) -> dict[str, Any]:
        """What the service makes its proposal of (`session.showing.propose`)."""
        return {
            "cards": [
                {"card": card.reading.notation, "sure": card.sure, "at": [round(card.at[0], 3), round(card.at[1], 3)]}
                for card in self.cards
            ],
            "steady": self.steady,
        }


EMPTY = HandShown((), False)


class HandWatcher:
    """Watches one hand. copies: how many of each card the table has; what exceeds that is never sure."""

    def __init__(self, models: Models, copies: Mapping[Card, int] = Deck.CLASSIC_108.copies) -> None:
        self._models, self._copies = models, copies
        self._looks: deque[tuple[ShownCard, ...]] = deque(maxlen=LOOKS)

    def look(self, image: Image) -> HandShown:
        """Takes another look, uint8 (h, w, 3) B, G, R, and says what is known now."""
        return self.add(_looked(image, self._models))

    def add(self, cards: Sequence[ShownCard]) -> HandShown:
        """Takes another look that was already read. A look without a card begins anew."""
        if not cards:
            self._looks.clear()
            return EMPTY
        self._looks.append(tuple(sorted(cards, key=lambda card: card.at)))
        agreed = self._agreed()
        latest = self._looks[-1]
        left = Counter(agreed)
        out = []
        for card in sorted(latest, key=lambda one: -one.reading.confidence):
            face = card.reading.card
            known = face is not None and left[face] > 0
            if known and face is not None:
                left[face] -= 1
            out.append(ShownCard(card.reading, known, card.at))
        steady = len(self._looks) >= LEAST_LOOKS and self._same(agreed)
        return HandShown(tuple(sorted(out, key=lambda card: card.at)), steady)

    def _agreed(self) -> Counter[Card]:
        """How many of each face most looks show for sure, no more than the table has."""
        need = max(1, math.ceil(AGREE * len(self._looks)))
        shown = [_faces(look) for look in self._looks]
        agreed: Counter[Card] = Counter()
        for face in {face for look in shown for face in look}:
            counts = sorted((look[face] for look in shown), reverse=True)
            agreed[face] = min(counts[need - 1], self._copies.get(face, 0))
        return agreed

    def _same(self, agreed: Counter[Card]) -> bool:
        """The last looks show as many cards as each other, and all that is agreed on."""
        last = list(self._looks)[-LEAST_LOOKS:]
        if len({len(look) for look in last}) > 1:
            return False
        return all(not agreed - _faces(look) for look in last)


def _faces(look: Sequence[ShownCard]) -> Counter[Card]:
    """How many of each face this look is sure of."""
    return Counter(card.reading.card for card in look if card.sure and card.reading.card is not None)


def _looked(image: Image, models: Models) -> list[ShownCard]:
    import cv2

    h, w = image.shape[:2]
    scale = MOST_SIDE / max(h, w)
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        h, w = image.shape[:2]
    return [_shown(card, is_certain(card, models), (w, h)) for card in read_hand(image, models)]


def _shown(card: SeenCard, sure: bool, size: tuple[int, int]) -> ShownCard:
    corners = np.array(card.quad)
    # Of a card that is mostly covered only the corner with its index is seen: the first one.
    at = corners.mean(0) if card.visible > 0.5 else corners[0] + (corners[2] - corners[0]) * 0.12
    x, y = np.clip(at / size, 0, 1)
    return ShownCard(card.reading, sure, (float(x), float(y)))


class HandSurvey:
    """Reads a hand in the camera process: a `referee.hardware.camera_loop.Surveyor`."""

    def __init__(self, watcher: HandWatcher) -> None:
        self._watcher = watcher

    def survey(self, frame: Frame) -> dict[str, Any]:
        """{"hand": `HandShown.to_json`} for this frame and those before it."""
        return {"hand": self._watcher.look(frame.image).to_json()}


def hand_survey(deck: Path, copies: Mapping[Card, int]) -> HandSurvey:
    """A survey of one hand. deck: where an enrolled deck's file would be; copies: as of `HandWatcher`. Travels into the
    camera process as a `functools.partial`.

    Raises ModelError.
    """
    return HandSurvey(HandWatcher(models_for(deck), copies))
