"""Samples for the two readers, a thousand at a time, made by PyTorch on the device that trains.

They are of the same kind as `CropMaker`'s and `IndexCropMaker`'s (`corner_batches`), which processes make one by one.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn

from referee.training.crops import (
    BARE,
    BETWEEN,
    COVERED,
    DETAIL,
    FOREIGN_SHARE,
    IGNORE,
    LEVEL_SHARES,
    LEVELS,
    LYING,
    PHOTO_SHARE,
    PILED,
    RANK_WEIGHTS,
)  # fmt: skip
from referee.training.many_lights import Dice, only, relight, resample, stretched
from referee.training.pasting import paste, put_on_cards, put_over
from referee.training.pools import DRAWN, OTHER_GAMES, PHOTOGRAPHED, Cards
from referee.vision.classes import NO_FACE
from referee.vision.warp import CROP_MARGIN, CROP_PX, unit_quad

Made = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]
"""Pictures uint8 (n, 3, h, w), colour classes or IGNORE, rank classes, corner offsets (n, 8), NaN where none, and bool
(n,), whether it shows another game's card."""


class Table:
    """What all samples are put together from."""

    def __init__(
        self, cards: Cards, grounds: Tensor, hands: Tensor, held: Tensor | None, strangers: float = 0.0
    ) -> None:
        """hands, held: `pools.overlays` beside the middle of a crop, and over a card but for one index (None where
        corners are made). strangers: share of samples, 0 to 1, that are other games' cards, besides usual ones."""
        self.cards, self.grounds, self.hands, self.held, self.strangers = cards, grounds, hands, held, strangers
        self.device = grounds.device

    def ground(self, n: int, size: tuple[int, int], dice: Dice) -> Tensor:
        """Tables, float (n, 3, h, w)."""
        some = self.grounds[dice.below(len(self.grounds), n)].float()
        some = _either(some, some.flip(3), dice.chance(0.5, n))
        some = _either(some, some.flip(2), dice.chance(0.5, n))
        return nn.functional.interpolate(some, (size[1], size[0]), mode="area")

    def some(self, rank: Tensor, dice: Dice) -> Tensor:
        """A card of each rank: drawn, or as often photographed."""
        photographed = dice.chance(PHOTO_SHARE, len(rank))
        return self.cards.of_rank(rank, torch.where(photographed, PHOTOGRAPHED, DRAWN), dice)

    def any(self, n: int, dice: Dice) -> Tensor:
        """Any cards of the deck."""
        return self.some(dice.below(NO_FACE + 1, n), dice)

    def foreign(self, n: int, dice: Dice) -> Tensor:
        """Other games' cards."""
        no_face, pool = (torch.full((n,), number, device=self.device) for number in (NO_FACE, OTHER_GAMES))
        return self.cards.of_rank(no_face, pool, dice)

    def strange(self, n: int, dice: Dice) -> Tensor:
        """(n,) bool: samples that are other games' cards, besides usual ones."""
        if not self.strangers:  # nothing is drawn by chance: the samples of other trainings stay
            return torch.zeros(n, dtype=torch.bool, device=self.device)
        return dice.chance(self.strangers, n)

    def under_hands(self, canvas: Tensor, on: Tensor, dice: Dice) -> Tensor:
        """The canvases with a hand over each that is `on`."""
        which = dice.below(len(self.hands), len(canvas))
        return only(on, canvas, lambda some, row: put_over(some, self.hands[row]), which)

    def lay(self, canvas: Tensor, rows: Tensor, quads: Tensor, on: Tensor, dice: Dice) -> Tensor:
        """The canvases with a card each that is `on`."""

        def put(some: Tensor, row: Tensor, quad: Tensor) -> Tensor:
            return paste(some, self.cards.images[row], self.cards.radius[row], quad, dice)

        return only(on, canvas, put, rows, quads)


def crops(table: Table, n: int, dice: Dice, host: np.random.Generator) -> Made:
    """n samples of whole cards, all of one size before they are seen by a camera."""
    detail = min(1.0, math.exp(host.uniform(*np.log(DETAIL))))
    slant = np.ones(2)
    if host.random() < 0.2:
        slant[int(host.integers(2))] = host.uniform(0.45, 0.9)
    size = (round(CROP_PX[0] * detail * slant[0]), round(CROP_PX[1] * detail * slant[1]))
    roll = dice.uniform(0, 1, n)
    bare, between = roll < BARE, (roll >= BARE) & (roll < BARE + BETWEEN)
    shown = ~(bare | between)
    rank = dice.weighted(RANK_WEIGHTS, n)
    stranger = table.strange(n, dice)
    foreign = (rank == NO_FACE) & dice.chance(FOREIGN_SHARE, n) | stranger
    rank = torch.where(stranger, NO_FACE, rank)
    rows = torch.where(foreign, table.foreign(n, dice), table.some(rank, dice))
    colour, _, indices = table.cards.labels[rows].unbind(1)
    signed = (indices > 0) | foreign
    corners = _jittered(n, dice)
    canvas = table.ground(n, size, dice)
    across, away = dice.uniform(0, 2 * math.pi, n), 1 + dice.below(3, n)
    roll = dice.uniform(0, 1, n)
    below = torch.where(between, away, torch.where(shown & (roll < 0.6), 1 + dice.below(4, n), 0))
    for k in range(4):
        piled = torch.where(dice.chance(0.5, n), math.pi, 0.0) + dice.normal(n) * 0.2
        angle = torch.where(roll < PILED, piled, dice.uniform(0, 2 * math.pi, n))
        shift = dice.normal(n, 2) * torch.where(roll < PILED, 0.1, 0.35)[:, None]
        a = across + (0.0, math.pi, math.pi / 2, 0.0)[k]
        side = torch.stack([a.cos() * dice.uniform(0.5, 0.75, n), a.sin() * dice.uniform(0.45, 0.7, n)], 1)
        angle = torch.where(between, dice.normal(n) * 0.3 * dice.chance(0.5, n), angle)
        quads = _turned(_jittered(n, dice), angle) + torch.where(between[:, None], side, shift)[:, None]
        canvas = table.lay(canvas, table.any(n, dice), quads, below > k, dice)
    canvas = table.lay(canvas, rows, corners, shown, dice)
    canvas = _covered(table, canvas, corners, signed, shown & dice.chance(COVERED, n), dice)
    turned = dice.chance(0.5, n)
    canvas = _either(canvas, canvas.flip(2, 3), turned)
    corners = torch.where(turned[:, None, None], 1 - corners.roll(2, 1), corners)
    lying = shown & dice.chance(LYING, n)
    canvas = only(lying, canvas, lambda some: stretched(some.transpose(2, 3).flip(2), size))
    known = shown & ~lying
    rank = torch.where(known, rank, NO_FACE)
    colour = torch.where(known & (rank != NO_FACE), colour, IGNORE)
    offset = (corners - torch.from_numpy(unit_quad()).to(corners.device)).reshape(n, 8) * 10
    offset = torch.where(known[:, None], offset, math.nan)
    return seen(canvas, detail, CROP_PX, dice), colour, rank, offset, foreign & shown


def seen(canvas: Tensor, detail: float, size: tuple[int, int], dice: Dice) -> Tensor:
    """The canvases under some light, through some camera, at the size that the network takes."""
    hard = dice.uniform(0.4, 1.0, len(canvas))
    image = resample(relight(canvas, dice, hard), dice, hard * (1.0 if detail > 0.6 else 0.6))
    if image.shape[-1:-3:-1] != size:
        image = stretched(image, size)
    return image.round().clamp(0, 255).to(torch.uint8)


def _covered(table: Table, canvas: Tensor, corners: Tensor, signed: Tensor, on: Tensor, dice: Dice) -> Tensor:
    """Another card or a hand over part of each card that is `on`."""
    n = len(canvas)
    roll = dice.uniform(0, 1, n)
    side = torch.where(dice.chance(0.5, n), 1.0, -1.0)
    beside = torch.stack([dice.uniform(0.24, 0.6, n), dice.normal(n) * 0.08], 1)
    above = torch.stack([dice.normal(n) * 0.08, dice.uniform(0.22, 0.5, n)], 1)
    fan = _either(beside, above, dice.chance(0.3, n)) * side[:, None]
    a = dice.uniform(0, 2 * math.pi, n)
    loose = torch.stack([a.cos() * dice.uniform(0.5, 0.9, n), a.sin() * dice.uniform(0.5, 0.9, n)], 1)
    fanned = roll < 0.35
    angle = torch.where(fanned, dice.normal(n) * 0.14, dice.uniform(0, 2 * math.pi, n) * dice.chance(0.5, n))
    quads = _turned(_jittered(n, dice), angle) + _either(loose, fan, fanned)[:, None]
    canvas = table.lay(canvas, table.any(n, dice), quads, on & (roll < 0.65), dice)
    hand = on & (roll >= 0.65)
    held = hand & signed & (roll >= 0.83)
    canvas = table.under_hands(canvas, hand & ~held, dice)
    assert table.held is not None
    ends = _either(corners, corners.roll(2, 1), dice.chance(0.5, n))
    which, pool = dice.below(len(table.held), n), table.held
    return only(held, canvas, lambda some, row, quad: put_on_cards(some, pool[row], quad, CROP_MARGIN), which, ends)


def _jittered(n: int, dice: Dice) -> Tensor:
    """(n, 4, 2): the cards' corners in shares of the crop, off by what a finder is off, now much, now little."""
    level = dice.among(LEVELS, LEVEL_SHARES, n)[:, None, None]
    corners = (torch.from_numpy(unit_quad()).to(level.device) - 0.5) * (1 + dice.normal(n, 1, 2) * 0.035 * level) + 0.5
    corners = _turned(corners, dice.normal(n) * 0.035 * level[:, 0, 0])
    return corners + dice.normal(n, 1, 2) * 0.022 * level + dice.normal(n, 4, 2) * 0.016 * level


def _turned(corners: Tensor, angle: Tensor) -> Tensor:
    """Turned about the crop's middle, in true proportions."""
    ratio = torch.tensor(CROP_PX, dtype=torch.float32, device=corners.device)
    return (((corners - 0.5) * ratio) @ turning(angle)) / ratio + 0.5


def turning(angle: Tensor) -> Tensor:
    """(n, 2, 2): what rows of points are multiplied with to turn them by angles in radians."""
    c, s = angle.cos(), angle.sin()
    return torch.stack([torch.stack([c, s], 1), torch.stack([-s, c], 1)], 1)


def _either(one: Tensor, other: Tensor, chosen: Tensor) -> Tensor:
    """The second where `chosen`, (n,) bool, the first elsewhere."""
    return torch.where(chosen.reshape(-1, *(1,) * (one.dim() - 1)), other, one)
