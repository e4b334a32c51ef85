"""What the camera is asked while a table is being set up: is the mat there, is the light good, can cards be read?

`Survey(...).survey(frame)` gives one JSON object:

    {"size": [w, h], "advice": [...],
     "mat": {"calibration": {...} or null, "residual_mm", "markers": [[[x, y] * 4], ...], "advice": [...]},
     "cards": null or [{"card", "confidence", "sure", "quad", "alternatives": [[card, p], ...]}, ...]}

Advice is as in `find_mat.Advice`; quads are pixels of the frame.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from referee.frame import Frame, Image
from referee.observations import SeenCard
from referee.vision.calibration import Calibration, CalibrationError, parse_calibration
from referee.vision.deck import DeckError, load_with_deck
from referee.vision.find_mat import Advice, Code, look_for_mat, view_advice
from referee.vision.light_check import light_advice
from referee.vision.nets import Models, load_models
from referee.vision.reading import read_photo

log = logging.getLogger(__name__)

LEAST_CARDS = 3
"""Cards that are measured before the mat is said to be out of scale. Fewer: one badly found corner; more: late."""

SCALE_OFF = 0.05
"""How far a card's measured size may be off. Smaller: decks of slightly other sizes and raised corners; larger: a mat
that was shrunk to the page (94 to 97 %) passes."""

MIRRORED_MORE = 3
"""Cards more that are surely read in the mirrored picture before the camera is said to mirror. Fewer: signs that look
like themselves in a mirror; more: late."""

LEAST_WHOLE = 0.9
"""Visible share of a card that is measured."""


@lru_cache(maxsize=1)
def shared_models() -> Models:
    """The networks that ship, loaded once in this process."""
    return load_models()


def models_for(deck: Path | None) -> Models:
    """Those networks with a deck enrolled. deck: where its file would be; one that cannot be used is left aside, with a
    line in the log."""
    models = shared_models()
    if deck is not None and deck.exists():
        try:
            return load_with_deck(deck, models)
        except DeckError as error:
            log.warning("%s; the shipped eye is used", error)
    return models


def survey_from(calibration: dict[str, Any] | None, *, cards: bool) -> Survey:
    """A survey of a table. calibration: the one in force. cards: also read every card. Travels by pickle as a
    `functools.partial`."""
    given = None if calibration is None else parse_calibration(calibration)
    return Survey(given, shared_models() if cards else None)


class Survey:
    """Looks over one table. calibration: the one in force, None before there is one. models: to read cards with."""

    def __init__(self, calibration: Calibration | None, models: Models | None = None) -> None:
        self._given, self._models = calibration, models

    def survey(self, frame: Frame) -> dict[str, Any]:
        """What is found on the frame, see above."""
        image = frame.image
        height, width = image.shape[:2]
        try:
            calibration = None if self._given is None else self._given.for_frames(width, height)
        except CalibrationError:
            calibration = None  # made with another camera mode: as good as none
        look = look_for_mat(image)
        advice = light_advice(image, look, calibration or look.calibration)
        if calibration is not None:
            advice += view_advice(calibration)
        cards = None
        if self._models is not None:
            seen = read_photo(image, self._models)
            cards = [_card(one, self._models) for one in seen]
            if cards and all(card["sure"] for card in cards):
                # White borders in a strong light are no trouble while the cards are read.
                advice = [one for one in advice if one.code not in (Code.GLARE, Code.BRIGHT)]
            advice += _mirror_advice(image, seen, self._models)
            advice += [] if calibration is None else _scale_advice(seen, calibration)
        return {
            "size": [width, height],
            "advice": [one.to_json() for one in advice],
            "mat": {
                "calibration": None if look.calibration is None else look.calibration.to_json(),
                "residual_mm": None if look.residual_mm is None else round(look.residual_mm, 2),
                "markers": [np.round(corners, 1).tolist() for _, corners in look.markers],
                "advice": [one.to_json() for one in look.advice],
            },
            "cards": cards,
        }


def _card(seen: SeenCard, models: Models) -> dict[str, Any]:
    reading = seen.reading
    return {
        "card": reading.notation,
        "confidence": round(reading.confidence, 4),
        "sure": models.is_sure(reading),
        "quad": [[round(x, 1), round(y, 1)] for x, y in seen.quad],
        "alternatives": [[str(card), round(p, 4)] for card, p in reading.alternatives],
    }


def _mirror_advice(image: Image, cards: list[SeenCard], models: Models) -> list[Advice]:
    """Whether the camera mirrors: cards that are not sure are, seen in a mirror."""
    sure = sum(models.is_sure(one.reading) for one in cards)
    if len(cards) - sure < MIRRORED_MORE:
        return []
    mirrored = read_photo(np.ascontiguousarray(image[:, ::-1]), models)
    more = sum(models.is_sure(one.reading) for one in mirrored) - sure
    return [Advice(Code.MIRRORED)] if more >= MIRRORED_MORE else []


def _scale_advice(cards: list[SeenCard], calibration: Calibration) -> list[Advice]:
    """Whether cards have the size that they should have: if not, the mat was printed at another scale."""
    shares = []
    for one in cards:
        if one.visible < LEAST_WHOLE:
            continue
        corners = calibration.to_table(one.quad)
        sides = np.hypot(*(np.roll(corners, -1, 0) - corners).T)
        # Both directions count, so that a card that was found a little too long and too narrow is no finding.
        shares.append(float(np.sqrt(sides.prod() ** 0.5 / (calibration.card_mm[0] * calibration.card_mm[1]))))
    if len(shares) < LEAST_CARDS or abs(float(np.median(shares)) - 1) <= SCALE_OFF:
        return []
    return [Advice(Code.NOT_TO_SCALE, round(100 * float(np.median(shares))))]


