"""How large cards lie in a picture and how it shortens them: what the cards that were found say about another one.

A corner alone says little about the size of its card, for decks print their indices in all sizes. Cards of one hand or
one table are as large as their neighbours. A shape is the metric of the cards' plane as the picture shows it near a
place: float64 (2, 2), symmetric, so that a step of p pixels is sqrt(p S p) millimetres long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.vision.mat import CARD_MM
from referee.vision.warp import QuadArray

Shape = npt.NDArray[np.float64]

REACH = 3.0
"""Distance, in heights of the card there, at which a card counts half as much as one on the spot. Smaller: one crooked
card decides; larger: on a table seen at a slant the far cards are too large."""

TOLD = 0.25
"""What the cards must count together, one in full view as 1. Smaller: a card half under a hand tells how others lie;
larger: nothing is known of a fan whose top card is not seen."""

EVEN = 0.5
"""What it counts, a card in full view as 1, that the picture shortens nothing. Smaller: one crooked card slants all;
larger: a table seen at a slant lies flat."""

ODD = 0.15
"""Share by which a card may be larger than the others and count half. Smaller: all but a few are odd; larger: crooked
cards count."""

ROUNDS = 6
"""Times that odd cards are weighed anew. Fewer leave them heavy; more change nothing."""

FLATTEST = 0.2
"""Least square of how much the picture may shorten one way rather than another. Smaller believes slivers."""

SIZES = 1.4
"""A card further from the others in size is left as it is: it is held nearer, or they were found wrongly. Smaller
leaves crooked corners; larger spoils the corners of another pack or of a hand above the table."""


class Known(NamedTuple):
    """A card that was found: where, pixels, and what it counts, 0 to 1."""

    quad: QuadArray
    weight: float


def shape_of(quad: QuadArray) -> Shape:
    """The shape by which this card has a card's size."""
    sides = np.stack(_sides(quad), 1)
    return np.asarray(np.linalg.inv(sides @ sides.T), np.float64)


def shape_near(place: npt.ArrayLike, cards: Sequence[Known]) -> Shape | None:
    """The shape of cards near a place (2,) pixels, as these cards have it; None where they say too little.

    Each card says of its two sides' directions, per millimetre, that both are one long and stand square on each other:
    three linear equations for the metric's three numbers, solved by iteratively reweighted least squares.
    """
    if sum(card.weight for card in cards) < TOLD:
        return None
    sides = np.array([_sides(card.quad) for card in cards])
    long = np.hypot(*sides[:, 1].T)
    away = np.array([float(np.hypot(*(card.quad.mean(0) - place))) for card in cards]) / (long * CARD_MM[1])
    weight = np.array([card.weight for card in cards]) / (1 + (away / REACH) ** 2)
    unit = float(np.median(long))
    short, down = (sides[:, k] / unit for k in (0, 1))
    rows = np.stack([_row(short, short), _row(down, down), _row(short, down)], 1)
    wanted = np.array([1.0, 1.0, 0.0])
    kept = weight
    for _ in range(ROUNDS):
        equations = np.concatenate([(rows * kept[:, None, None]).reshape(-1, 3), EVEN * np.eye(3)])
        values = np.concatenate([(kept[:, None] * wanted).ravel(), EVEN * np.array([1.0, 0.0, 1.0])])
        a, b, c = np.linalg.lstsq(equations, values, rcond=None)[0]
        odd = np.sqrt(((rows @ np.array([a, b, c]) - wanted) ** 2).sum(1))
        kept = weight / (1 + (odd / ODD) ** 2)
    shape = np.array([[a, b], [b, c]])
    return shape / unit**2 if np.linalg.eigvalsh(shape)[0] > FLATTEST else None


def shaped(quad: QuadArray, pivot_mm: npt.ArrayLike, shape: Shape) -> QuadArray:
    """The card with this shape that lies as this one does, its point `pivot_mm` (2,) where it was; unchanged when its
    size is another one altogether."""
    values, vectors = np.linalg.eigh(shape)
    flat = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    sides = np.stack(_sides(quad), 1)
    lies = flat @ sides  # (2, 2): the card's sides on the table, one millimetre long if it has this shape
    size = float(np.sqrt(abs(np.linalg.det(lies))))
    if not 1 / SIZES < size < SIZES:
        return quad
    u, _, vt = np.linalg.svd(lies / np.hypot(*lies))
    right, down = (np.linalg.inv(flat) @ u @ vt).T
    w, h = CARD_MM
    x, y = np.asarray(pivot_mm, np.float64)
    corner = quad[0] + sides @ (x, y) - right * x - down * y
    return np.array([corner, corner + right * w, corner + right * w + down * h, corner + down * h], np.float32)


def _sides(quad: QuadArray) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A card's short and long side as steps of the picture per millimetre, each the mean of two."""
    a, b, c, d = quad.astype(np.float64)
    return (b - a + c - d) / (2 * CARD_MM[0]), (d - a + c - b) / (2 * CARD_MM[1])


def _row(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What a metric's numbers (xx, xy, yy) count in the product of two steps, (n, 2) each: (n, 3)."""
    (x, y), (u, v) = one.T, other.T
    return np.stack([x * u, x * v + y * u, y * v], -1)
