"""Temperature and threshold of the reader, from photographs that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.vision.classes import interpret
from referee.vision.nets import Tuning

WRONG_AT_MOST = 0.002
"""Share of readings above the `sure` threshold that may be wrong. Larger says wrong faces; smaller asks too often."""

INDEX_WRONG_AT_MOST = 0.01
"""Share of the corner indices said with certainty that may be wrong, by Jeffreys' estimate: half a wrong one more than
were seen. Larger says wrong faces in fans, smaller asks."""

INDEX_TEMPERATURES = tuple(round(0.5 + 0.05 * i, 2) for i in range(71))
"""Temperatures tried for the index reader, least first."""

LEAST_SURE = 0.9
"""The threshold is never set below this: a few hundred photographs cannot show that less is safe."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The reader's raw logits for one located card, and what it was (None: no face)."""

    logits: npt.NDArray[np.float32]
    card: Card | None


def calibrate(trials: Sequence[Trial], indices: Sequence[Trial], score: float, index_score: float) -> Tuning:
    """The temperature with the least log loss, and the least threshold that keeps wrong readings under the limit.

    The temperature is never below 1: easy photographs would make the reader surer than it may be on hard ones.
    indices: corner indices of rendered fans; their temperature is the least that keeps `INDEX_WRONG_AT_MOST`.
    """
    temperature = _temperature(trials)
    said = sorted(_said(trials, temperature), reverse=True)
    wrong, threshold = 0, LEAST_SURE
    for number, (confidence, is_wrong) in enumerate(said, 1):
        wrong += is_wrong
        if wrong > WRONG_AT_MOST * max(number, 500):
            threshold = max(LEAST_SURE, min(0.999, confidence + 1e-4))
            break
    return Tuning(temperature, round(threshold, 4), score, _index_temperature(indices, threshold), index_score)


def _index_temperature(trials: Sequence[Trial], sure: float) -> float:
    for temperature in INDEX_TEMPERATURES:
        said = [wrong for confidence, wrong in _said(trials, temperature) if confidence >= sure]
        if sum(said) + 0.5 <= INDEX_WRONG_AT_MOST * (len(said) + 1):
            return temperature
    return INDEX_TEMPERATURES[-1]


def _temperature(trials: Sequence[Trial]) -> float:
    return round(float(min(np.arange(1.0, 3.01, 0.1), key=lambda t: _loss(trials, float(t)))), 2)


def _said(trials: Sequence[Trial], temperature: float) -> list[tuple[float, bool]]:
    """(confidence, wrong) of every trial that gives a face."""
    readings = [(interpret(trial.logits, temperature)[0], trial.card) for trial in trials]
    return [(reading.confidence, reading.card != card) for reading, card in readings if reading.card is not None]


def _loss(trials: Sequence[Trial], temperature: float) -> float:
    total = 0.0
    for trial in trials:
        reading, face = interpret(trial.logits, temperature)
        chance: dict[Card | None, float] = {reading.card: reading.confidence}
        chance.update(reading.alternatives)
        total -= float(np.log(max(1e-6, chance.get(trial.card, 0.0) if trial.card else 1 - face)))
    return total / max(1, len(trials))
