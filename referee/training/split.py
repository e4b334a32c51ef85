"""Which photographs may be learned from. The validation sources are only ever reported (models/MODEL_CARD.md)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from referee.cards import Card

VALIDATION_SOURCES = frozenset({
    "Radialarray/UNO-Computer-Vision-Game",
    "SyedHannaan/PDE4434-UNO-card-detection",
    "soloskino1/uno_card_cv",
    "criscardMDX/Uno_Cards_Reader",
    "Natnael-k/uno_card_detection",
    "R3xol/UNO_card_recognition",
    "devanshk29/UNO-card-recognition",
    "MEGHA-MURALI/Uno_card_color_shape_detection",
})  # fmt: skip
"""Never trained or tuned on. The bursts in data/sequences come from one of them and are left out too."""

TUNING_SOURCES = frozenset({
    "Vignesh-Lakshmanasamy-mdx/CW2_PDE4434_Intelligent_Sensing",
    "svolsch/uno-card-detection",
})  # fmt: skip
"""Training sources that a run with `--hold-out` leaves out, to choose settings and to calibrate confidence."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One labelled photograph. card: the single card in it, None when it is no known face."""

    path: Path
    card: Card | None
    kind: str
    source: str


def training_photos(data: Path, hold_out: bool) -> list[Photo]:
    """Photographs of one card each that may be learned from; `hold_out` leaves out the tuning sources.

    Raises FileNotFoundError naming the file when `data` holds no photos/labels.csv.
    """
    return [
        photo
        for photo in _photos(data)
        if photo.source not in VALIDATION_SOURCES and not (hold_out and photo.source in TUNING_SOURCES)
    ]


def tuning_photos(data: Path) -> list[Photo]:
    """Photographs of the tuning sources."""
    return [photo for photo in _photos(data) if photo.source in TUNING_SOURCES]


def held_out_photos(data: Path) -> list[Photo]:
    """Photographs of the validation sources: to report on, never to learn from or to choose by."""
    return [photo for photo in _photos(data) if photo.source in VALIDATION_SOURCES]


def _photos(data: Path) -> list[Photo]:
    labels = data / "photos" / "labels.csv"
    if not labels.is_file():
        raise FileNotFoundError(f"{labels} is missing: give the folder that holds photos/labels.csv with --data")
    photos = []
    with labels.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            words = row["cards"].split()
            if len(words) == 1:
                card = None if words[0] == "?" else Card.parse(words[0])
                photos.append(Photo(data / "photos" / row["file"], card, row["kind"], row["source"]))
    return photos
