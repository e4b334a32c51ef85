"""Fitting the last layers of a reader to a deck: what a Pi can do without a trainer.

Fitted on one look at each face, made many by other light, sharpness and placing, together with drawn cards of many
designs whose readings must stay as they were (EYES, "Enrolment").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.frame import Image
from referee.vision.classes import COLOURS, NO_FACE, RANKS, Floats
from referee.vision.deck_signs import across_corners
from referee.vision.head import BATCH, CLASSES, COLOUR_CLASSES, Head, Headed, chances
from referee.vision.indices import corner_picture
from referee.vision.warp import CROP_PX, unit_quad

COPIES = 24
"""Pictures made of each look. Fewer: other light is read badly; more: takes longer on a Pi."""

CORNER_COPIES = 8
"""Pictures made of each look for its two corners. Fewer: more are said wrong; more: takes longer on a Pi."""

SIDEWAYS = 3
"""Pictures of each look lying on its side, which the reader must refuse, so that a card is not read the wrong way."""

SIDEWAYS_WEIGHT = 0.3
"""Their weight against the looks' own. Smaller: cards are read lying on their side; larger: faces are refused."""

UNDER_OTHERS = 0.5
"""Share of the corners over which another card reaches. Smaller: the indices of a fan are read less surely; larger: the
others are."""

STEPS = 250
"""Steps of the fit. Fewer: the reader stays unsure of the deck; more: takes longer."""

RATE = 1.5e-3
"""Size of a step (Adam). Smaller: too little is learned; larger: other decks are forgotten."""

PULL = 1e-3
"""Pull towards the shipped numbers. Smaller: one look is learned by heart; larger: the deck is not learned."""

MODESTY = 1.3
"""What the fitted logits are divided by: pictures made of a single look make the head surer than it may be. Smaller:
wrong faces are said, of the deck and still more of others; larger: it asks too often."""

DESCENT = 0.9
"""What the steps of the fit cost for each picture, in times of what it costs to make and to see it. Larger and smaller:
what is told of the progress runs ahead of the clock, or behind it."""

_FIRST, _SECOND = 0.9, 0.99
"""Adam's memories of slope and of its square."""

_OPEN = (34, 42), (46, 56), (4, 12)
"""Of a corner over which another card reaches, as pixels: its right and lower end, and its left, from and to. The sign
stays in sight."""

_CARD = (unit_quad() * CROP_PX).astype(np.float32)

Look = tuple[Card, Image]
"""A face, and a rectified crop of it, uint8 (120, 80, 3), either way up."""

Lesson = tuple[list[Image], Card | None, float]
"""Pictures of one size, what they show, None for no face, and what they weigh together."""

Progress = Callable[[float], None]


def work(looks: int, others: int) -> float:
    """What `fit_reader` costs, in times of making one picture and seeing it."""
    return _count(looks, COPIES + SIDEWAYS, others) * (1 + DESCENT)


def corner_work(looks: int, others: int) -> float:
    """What `fit_indices` costs, in the same unit for corners."""
    return _count(looks, 2 * (CORNER_COPIES + 1), others) * (1 + DESCENT)


def _count(looks: int, each: int, others: int) -> int:
    return looks * each + others


def fit_reader(
    net: Headed, looks: Sequence[Look], others: Sequence[Image], seed: int, progress: Progress = lambda share: None
) -> Head:
    """The head that reads the deck of `looks`.

    others: crops of other decks, backs and tables, read afterwards as before. progress is told 0 to 1, evenly over the
    time. The same arguments give the same head. Raises ValueError without looks or without others.
    """
    rng = np.random.default_rng(seed)

    def lessons() -> Iterator[Lesson]:
        for card, crop in looks:
            yield [changed(crop, rng) for _ in range(COPIES)], card, 1.0
            side = np.asarray(cv2.resize(np.rot90(crop), CROP_PX), np.uint8)
            yield [changed(side, rng) for _ in range(SIDEWAYS)], None, SIDEWAYS_WEIGHT

    kept = (changed(crop, rng) for crop in others)
    return _fit(net, len(looks), len(others), COPIES + SIDEWAYS, lessons(), kept, progress)


def fit_indices(
    net: Headed, looks: Sequence[Look], others: Sequence[Image], seed: int, progress: Progress = lambda share: None
) -> Head:
    """The head that reads the corner indices of the deck of `looks`, as `fit_reader` does; what its cards have in their
    other two corners is read afterwards as before, too."""
    rng = np.random.default_rng(seed)
    above = [corner for crop in others for corner in corners(crop)]

    def lessons() -> Iterator[Lesson]:
        for card, crop in looks:
            made = [corner for _ in range(CORNER_COPIES) for corner in corners(changed(crop, rng))]
            yield [_under_another(corner, above, rng) for corner in made], card, 1.0

    def kept() -> Iterator[Image]:
        for crop in others:
            yield _under_another(corners(changed(crop, rng))[0], above, rng)
        for _, crop in looks:
            for quad in across_corners(_CARD):
                yield _under_another(corner_picture(changed(crop, rng), quad), above, rng)

    return _fit(net, len(looks), len(others), 2 * (CORNER_COPIES + 1), lessons(), kept(), progress)


def corners(crop: Image) -> list[Image]:
    """Both corners with an index of a rectified crop, uint8 (60, 48, 3), as the index reader sees them."""
    return [corner_picture(crop, np.roll(_CARD, turn, 0).astype(np.float32)) for turn in (0, 2)]


def _under_another(corner: Image, others: Sequence[Image], rng: np.random.Generator) -> Image:
    """The corner, now and then with some of another card over its right, lower or left side."""
    if rng.random() >= UNDER_OTHERS:
        return corner
    other = others[int(rng.integers(len(others)))]
    side = int(rng.integers(3))
    slope, end = rng.normal(0, 0.25), int(rng.integers(*_OPEN[side]))
    h, w = corner.shape[:2]
    y, x = np.mgrid[:h, :w]
    over = (x > end + slope * (y - h / 2), y > end + slope * (x - w / 2), x < end + slope * (y - h / 2))[side]
    return np.where(over[..., None], other, corner)


def _fit(
    net: Headed, looks: int, others: int, each: int, lessons: Iterator[Lesson], kept: Iterator[Image],
    progress: Progress,
) -> Head:  # fmt: skip
    """looks, others: how many there are. each: pictures made of a look. kept: those whose readings stay, together as
    heavy as the looks."""
    if not looks or not others:
        raise ValueError("a deck is fitted on at least one look, beside crops of other decks")
    features, targets, weights = [], [], []
    seen, count, seeing = 0, _count(looks, each, others), 1 / (1 + DESCENT)
    for pictures, card, weight in lessons:
        features.append(net.features(pictures))
        targets.append(np.repeat(_target(card), len(pictures), 0))
        weights.append(np.full(len(pictures), weight / len(pictures)))
        seen += len(pictures)
        progress(seeing * seen / count)
    staying = count - seen
    while pictures := list(islice(kept, BATCH)):
        features.append(net.features(pictures))
        targets.append(chances(net.shipped.logits(features[-1])))
        weights.append(np.full(len(pictures), looks / staying))
        seen += len(pictures)
        progress(seeing * seen / count)
    shares = (np.concatenate(weights) / looks).astype(np.float32)
    head = _descend(
        net.shipped, np.vstack(features), np.vstack(targets), shares,
        lambda share: progress(seeing + (1 - seeing) * share),
    )  # fmt: skip
    return Head(head.w1, head.b1, head.w2 / np.float32(MODESTY), head.b2 / np.float32(MODESTY))


def _target(card: Card | None) -> Floats:
    """(1, 21): certain colour and rank; for no face only the rank, whatever the colour."""
    target = np.zeros((1, CLASSES), np.float32)
    if card is None:
        target[0, COLOUR_CLASSES + NO_FACE] = 1
    else:
        target[0, COLOURS.index(card.colour)] = target[0, COLOUR_CLASSES + RANKS.index(card.rank)] = 1
    return target


def _descend(
    start: Head, x: Floats, targets: Floats, weight: Floats, progress: Callable[[float], None]
) -> Head:
    """Cross entropy by Adam, all at once, from the shipped numbers and drawn back to them."""
    seen = np.ascontiguousarray(x[:, :-1])  # and last what speaks for "no face" besides, see `Head`
    theta = [a.copy() for a in start.arrays]
    mean = [np.zeros_like(a) for a in theta]
    square = [np.zeros_like(a) for a in theta]
    coloured = targets[:, :COLOUR_CLASSES].sum(1, keepdims=True) > 0
    for step in range(1, STEPS + 1):
        before = seen @ theta[0].T + theta[1]
        hidden = np.maximum(before, 0)
        logits = hidden @ theta[2].T + theta[3]
        logits[:, -1] += x[:, -1]
        off = chances(logits) - targets
        off[:, :COLOUR_CLASSES] *= coloured
        off *= weight[:, None]
        back = (off @ theta[2]) * (before > 0)
        for i, slope in enumerate((back.T @ seen, back.sum(0), off.T @ hidden, off.sum(0))):
            slope = slope + PULL * (theta[i] - start.arrays[i])
            mean[i] = _FIRST * mean[i] + (1 - _FIRST) * slope
            square[i] = _SECOND * square[i] + (1 - _SECOND) * slope**2
            size = np.sqrt(square[i] / (1 - _SECOND**step)) + 1e-8
            theta[i] -= (RATE * mean[i] / (1 - _FIRST**step) / size).astype(np.float32)
        progress(step / STEPS)
    return Head(*theta)


def changed(crop: Image, rng: np.random.Generator) -> Image:
    """The crop in another light, placing and sharpness; as often upside down as not."""
    h, w = crop.shape[:2]
    angle, size = rng.normal(0, 0.03), 1 + rng.normal(0, 0.03)
    c, s = size * np.cos(angle), size * np.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0]], np.float32)
    turn[:, 2] = np.array([w / 2, h / 2]) - turn[:, :2] @ [w / 2, h / 2] + rng.normal(0, 1.6, 2)
    out = cv2.warpAffine(crop, turn, (w, h), borderMode=cv2.BORDER_REPLICATE)
    detail = float(np.exp(rng.uniform(np.log(0.35), 0)))
    if detail < 0.9:
        out = cv2.resize(cv2.resize(out, None, fx=detail, fy=detail, interpolation=cv2.INTER_AREA), (w, h))
    x: npt.NDArray[np.floating] = out.astype(np.float32)
    cast = rng.normal(0, 0.12, 3)
    x *= np.exp(rng.normal(0, 0.25) + cast - cast.mean()).astype(np.float32)
    if rng.random() < 0.4:
        way = rng.uniform(0, 2 * np.pi)
        ys, xs = np.mgrid[0:h, 0:w]
        ramp = 1 + rng.uniform(-0.5, 0.5) * ((xs / w - 0.5) * np.cos(way) + (ys / h - 0.5) * np.sin(way))
        x *= ramp[..., None].astype(np.float32)
    if rng.random() < 0.25:
        haze = rng.uniform(0.05, 0.25)
        x = x * (1 - haze) + 255 * haze * rng.uniform(0.5, 1.0)
    if rng.random() < 0.3:
        grey = x.mean(2, keepdims=True)
        x = grey + (x - grey) * rng.uniform(0.4, 1.3)
    x = np.clip(x, 0, 255)
    if rng.random() < 0.5:
        x = 255 * (x / 255) ** np.exp(rng.normal(0, 0.25))
    x = x + rng.normal(0, rng.uniform(0, 8), x.shape)
    out = np.clip(x, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(out[::-1, ::-1]) if rng.random() < 0.5 else np.asarray(out, np.uint8)
