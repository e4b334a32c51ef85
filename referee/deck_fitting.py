"""Finishing an enrolled deck: the looks that people gave, and drawn decks of other designs that must not suffer."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.cards import FACES
from referee.faces import draw_back, draw_face, random_design
from referee.frame import Image
from referee.vision.deck import Deck, with_deck
from referee.vision.head import DeckIndexEye, DeckReader, Heads
from referee.vision.head_fit import corner_work, fit_indices, fit_reader, work
from referee.vision.nets import Models
from referee.vision.warp import CROP_MARGIN, CROP_PX, unit_quad

DESIGNS = 8
"""Drawn decks whose readings are kept. Fewer: other decks are forgotten; more: takes longer on a Pi."""

BACKS = 6
"""Backs of each, and as many grounds without a card: they stay "not a face"."""

SEED = 0
"""Of the drawn decks and of the fit: the same looks give the same deck."""

DRAWN_PX = 200
"""Height at which cards are drawn."""

DRAWING = 3.7
"""What drawing one of them costs, in times of making a picture of a look and seeing it. Larger and smaller: what is
told of the progress runs ahead of the clock at first, or behind it."""

CORNER = 1.3
"""What a corner costs there, in times of a card. Larger and smaller: as above."""


def finish(deck: Deck, models: Models, progress: Callable[[float], None] = lambda share: None) -> Deck:
    """The deck with heads fitted on its looks. progress is told 0 to 1, evenly over the time.

    Raises ValueError for a deck without looks.
    """
    if not deck.looks:
        raise ValueError("a deck is finished when at least one face was seen")
    drawn = DESIGNS * (len(FACES) + 2 * BACKS)
    costs = DRAWING * drawn, work(len(deck.looks), drawn), CORNER * corner_work(len(deck.looks), drawn)
    at = [sum(costs[:n]) / sum(costs) for n in range(4)]

    def stage(n: int) -> Callable[[float], None]:
        return lambda share: progress(at[n] + (at[n + 1] - at[n]) * share)

    others, looks = other_decks(SEED, stage(0)), list(deck.looks.items())
    reader = fit_reader(DeckReader(models.reader).headed, looks, others, SEED, stage(1))
    indices = fit_indices(DeckIndexEye(models.indices).headed, looks, others, SEED, stage(2))
    return replace(deck, heads=Heads(reader, indices), readers=models.readers)


@dataclass(frozen=True, slots=True)
class Learned:
    """A finished deck, and what it brought: how many of its looks were read before and are read now, with certainty and
    right."""

    deck: Deck
    before: int
    now: int


def learn(deck: Deck, models: Models, progress: Callable[[float], None] = lambda share: None) -> Learned:
    """Finishes the deck and reads its looks with it and without. As `finish` otherwise."""
    done = finish(deck, models, progress)
    before, now = (_read_right(deck, each) for each in (models, with_deck(models, done)))
    return Learned(done, before, now)


def _read_right(deck: Deck, models: Models) -> int:
    """Looks whose face is said with certainty and right."""
    quad = unit_quad() * CROP_PX
    reads = [(card, models.reader.read(crop, [quad])[0].reading) for card, crop in deck.looks.items()]
    return sum(reading.card == card and models.is_sure(reading) for card, reading in reads)


def other_decks(seed: int, progress: Callable[[float], None] = lambda share: None) -> list[Image]:
    """Crops of drawn decks, backs and grounds, uint8 (120, 80, 3). The same seed gives the same. progress is told 0 to
    1."""
    chance, rng = random.Random(f"decks {seed}"), np.random.default_rng(seed)
    crops = []
    for done in range(DESIGNS):
        progress(done / DESIGNS)
        design = random_design(chance)
        crops += [_laid(draw_face(card, design, DRAWN_PX), rng) for card in FACES]
        crops += [_laid(draw_back(design, DRAWN_PX), rng) for _ in range(BACKS)]
        crops += [_ground(rng) for _ in range(BACKS)]
    return crops


def _laid(picture: Image, rng: np.random.Generator) -> Image:
    """A drawn card (with alpha) as a crop: on some ground, upright, in the reader's margins."""
    crop = _ground(rng)
    w, h = (round(side * (1 - 2 * CROP_MARGIN)) for side in CROP_PX)
    small = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = small[..., 3:] / 255
    x, y = (CROP_PX[0] - w) // 2, (CROP_PX[1] - h) // 2
    part = crop[y : y + h, x : x + w]
    part[:] = (small[..., :3] * alpha + part * (1 - alpha)).astype(np.uint8)
    return crop


def _ground(rng: np.random.Generator) -> Image:
    """A table without a card: blotches of one colour, coarse or fine."""
    cells = int(rng.integers(2, 24))
    blotches = rng.normal(0, rng.uniform(0, 30), (cells, cells, 1)) + rng.uniform(20, 230, 3)
    small = np.clip(blotches, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small, CROP_PX, interpolation=cv2.INTER_CUBIC), np.uint8)
