"""Cards of the pile that were reported unsure, and are looked at again until they are read or another card comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.observations import CardReading
from referee.tracker.looks import PileLook

LOOKS = 3
"""Looks that a confident answer is made of when there is time. Fewer: one odd frame decides; more: later answers."""

BETTER_S = 0.4
"""Seconds between looks at a card that was not read surely. Shorter: costs time; longer: the better reading is late."""

OFTEN_LOOKS = 12
"""Looks at such a card after which it is looked at less often. Fewer: a hand's shadow that goes is noticed late; more:
costs time."""

SELDOM_S = 2.0
"""Seconds between those later looks, which go on until the next card comes: the light may be mended. Shorter: costs
time; longer: the better reading is late."""

BETTER_OF = 5
"""Looks in a row that must agree for a better reading. Fewer: of many looks at a bad picture some agree by chance;
more: the better reading is late."""


@dataclass(slots=True)
class Doubt:
    """A landing that was reported unsure, by its t. index: of its card in the looks; depth: cards that came upon it.
    looks: the last at it. landed: False for the card that lay on top when watching began. cut_short: the looks that an
    answer is made of were not all taken."""

    t: float
    index: int
    depth: int
    looks: list[CardReading] = field(default_factory=list)
    landed: bool = True
    cut_short: bool = False

    def enough(self) -> int:
        """Looks that a better answer is made of."""
        return LOOKS if self.cut_short else BETTER_OF


class Doubts:
    """The cards that are looked at again."""

    def __init__(self) -> None:
        self._open: list[Doubt] = []
        self._next = 0.0
        self._times = 0

    def __iter__(self) -> Iterator[Doubt]:
        return iter(self._open)

    def is_due(self, t: float) -> bool:
        """It is time for one more look."""
        return bool(self._open) and t >= self._next

    def add(self, doubt: Doubt, t: float) -> None:
        """A card was not read surely at `t`."""
        self._open.append(doubt)
        self._next, self._times = (t if doubt.cut_short else t + BETTER_S), 0

    def clear(self) -> None:
        """All of them are past mending."""
        self._open = []

    def moved(self, index: int) -> None:
        """The top card lies elsewhere, those below it who knows where. index: its number in the looks from now on."""
        self._open = [replace(doubt, index=index) for doubt in self._open if doubt.depth == 0]

    def left(self, top: bool) -> None:
        """The pile went but for its top card, or with it."""
        self._open = [doubt for doubt in self._open if top and doubt.depth == 0]

    def laid_open(self, index: int, looks: Sequence[CardReading], t: float) -> None:
        """The top card went: what it hid can be read now. index: its number in the looks from now on."""
        below = [doubt for doubt in self._open if doubt.depth == 1 and doubt.landed and _agree(doubt.looks, looks)]
        self.clear()
        for doubt in below:
            self.add(replace(doubt, index=index, depth=0, looks=list(looks), cut_short=True), t)

    def look(self, look: PileLook, is_sure: Callable[[Sequence[CardReading]], bool]) -> list[Doubt]:
        """Takes one more look; returns those that are read surely now. is_sure: whether looks make a sure reading."""
        self._times += 1
        read = []
        for doubt in list(self._open):
            if doubt.index >= len(look.cards):
                self._open.remove(doubt)
                continue
            doubt.looks = [*doubt.looks[1 - BETTER_OF :], look.cards[doubt.index].reading]
            if len(doubt.looks) < doubt.enough():
                continue
            doubt.cut_short = False
            if is_sure(doubt.looks):
                self._open.remove(doubt)
                read.append(doubt)
        if not any(doubt.cut_short for doubt in self._open):
            self._next = look.t + (BETTER_S if self._times < OFTEN_LOOKS else SELDOM_S)
        return read


def _agree(before: Sequence[CardReading], now: Sequence[CardReading]) -> bool:
    """The colour that a strip of the card showed is that which the whole card shows."""
    colours = {reading.card.colour for reading in (*before, *now) if reading.card is not None}
    return len(colours) <= 1
