"""Samples for the index reader, a thousand at a time: those of `IndexCropMaker`, as `batches` makes whole cards."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from referee.training.batches import Made, Table, seen, turning
from referee.training.crops import IGNORE
from referee.training.indices import (
    ASTRAY,
    ASTRAY_MM,
    ASTRAY_SIZES,
    BARE,
    BY_A_HAND,
    CARD,
    CLEAR,
    CORNER,
    CORNER_WEIGHTS,
    COVERED,
    CUT,
    CUT_HIDDEN,
    DETAIL,
    FOREIGN,
    LEVEL_SHARES,
    LEVELS,
    MARK,
    PILED,
    SIGN_BOX_MM,
    SIZE,
    UPRIGHT,
    WRONG,
)  # fmt: skip
from referee.training.many_lights import Dice
from referee.training.pasting import from_square
from referee.vision.classes import NO_FACE
from referee.vision.indices import CORNER_PX, INDEX_MM, MARK_UNIT_MM
from referee.vision.mat import CARD_MM

_TRIES = 12
"""Places that are tried for a card that covers another. Fewer: some stay uncovered; more: time."""


def corners(table: Table, n: int, dice: Dice, host: np.random.Generator) -> Made:
    """n samples of corners, all of one size before they are seen by a camera. table.hands: over such corners."""
    device = table.device
    detail = min(1.0, math.exp(host.uniform(*np.log(DETAIL))))
    size = (round(CORNER_PX[0] * detail), round(CORNER_PX[1] * detail))
    roll = dice.uniform(0, 1, n)
    bare = roll < BARE
    rank = dice.weighted(CORNER_WEIGHTS, n)
    foreign = dice.chance(FOREIGN, n) | table.strange(n, dice)
    rows = torch.where(foreign, table.foreign(n, dice), table.some(rank, dice))
    colour, rank, indices = table.cards.labels[rows].unbind(1)
    wrong = (roll < BARE + WRONG) | ((indices == 0) & ~(foreign & dice.chance(UPRIGHT, n)))
    card = _points(CARD, device)
    frame = _jittered(n, dice)
    canvas = table.ground(n, size, dice)
    below = torch.where(bare, 0, dice.below(3, n))
    for k in range(2):
        kind = dice.uniform(0, 1, n)
        half = torch.where(dice.chance(0.5, n), math.pi, 0.0) + dice.normal(n) * 0.2
        angle = torch.where(kind < 0.7, dice.normal(n) * 0.25, dice.uniform(0, 2 * math.pi, n))
        angle = torch.where(kind < PILED, half, angle)
        fan = torch.stack([dice.uniform(-26, 26, n), dice.normal(n) * 8], 1)
        shift = torch.where((kind < 0.7)[:, None], fan, dice.uniform(-40, 40, n, 2))
        shift = torch.where((kind < PILED)[:, None], dice.normal(n, 2) * 5, shift)
        canvas = table.lay(canvas, table.any(n, dice), _shares(frame, _moved(card, shift, angle)), below > k, dice)
    astray = foreign & dice.chance(ASTRAY, n)
    place = torch.where(astray[:, None, None], _astray(frame, dice), frame)
    place = torch.where(wrong[:, None, None], _misplaced(frame, dice), place)
    where = _shares(place, card.expand(n, 4, 2))
    # A stored picture shows its first index at the top left; every second card is taken the other way up.
    where = torch.where(dice.chance(0.5, n)[:, None, None], where.roll(2, 1), where)
    canvas = table.lay(canvas, rows, where, ~bare, dice)
    covered = ~bare & dice.chance(COVERED, n)
    hand = covered & dice.chance(BY_A_HAND, n)
    canvas = table.under_hands(canvas, hand, dice)
    over, fits = _cover(n, device, dice)
    canvas = table.lay(canvas, table.any(n, dice), _shares(place, over), covered & ~hand & fits, dice)
    known = ~bare & ~wrong & (rank != NO_FACE)
    corner, size_mm = _points(CORNER, device), _points(SIZE, device)
    mark = _points(MARK, device)
    marks = (_shares(frame, mark.expand(n, 4, 2)) - (mark - corner[0]) / size_mm) * size_mm / MARK_UNIT_MM
    return (
        seen(canvas, detail, CORNER_PX, dice), torch.where(known, colour, IGNORE), torch.where(known, rank, NO_FACE),
        torch.where(known[:, None], marks.reshape(n, 8), math.nan), foreign & ~bare,
    )  # fmt: skip


def _cover(n: int, device: torch.device, dice: Dice) -> tuple[Tensor, Tensor]:
    """(n, 4, 2), where a card of the fan, or one at random, lies over the neighbours of an index, millimetres; and
    (n,), whether a place was found at which it hides no more of it than it may."""
    m = n * _TRIES
    hidden = torch.where(dice.chance(CUT, n), CUT_HIDDEN, 1 - CLEAR + 0.1)
    side = torch.where(dice.chance(0.85, m), 1.0, -1.0)
    fan = torch.stack([side * dice.uniform(9, 34, m), dice.normal(m) * 7 + 1], 1)
    above = torch.stack([dice.normal(m) * 5, dice.uniform(15, 40, m)], 1)
    fan = torch.where(dice.chance(0.2, m)[:, None], above, fan)
    loose = dice.chance(0.3, m)
    shift = torch.where(loose[:, None], dice.uniform(-85, 85, m, 2), fan)
    angle = torch.where(loose, dice.uniform(0, 2 * math.pi, m), dice.normal(m) * 0.12 + side * 0.13)
    over = _moved(_points(CARD, device), shift, angle)
    share = _hidden(over).reshape(n, _TRIES)
    fits = share < hidden[:, None]
    first = fits.float().argmax(1)
    return over.reshape(n, _TRIES, 4, 2)[torch.arange(n, device=device), first], fits.any(1)


def _hidden(over: Tensor) -> Tensor:
    """(m,): share of the index's box under cards that lie at `over`, (m, 4, 2), millimetres."""
    left, top, right, bottom = SIGN_BOX_MM
    x = torch.linspace(left, right, 17, device=over.device)
    y = torch.linspace(top, bottom, 17, device=over.device)
    points = torch.stack([x.expand(17, 17), y[:, None].expand(17, 17)], -1).reshape(1, -1, 1, 2)
    side = (over.roll(-1, 1) - over)[:, None]
    away = points - over[:, None]
    inside = (side[..., 0] * away[..., 1] - side[..., 1] * away[..., 0] > 0).all(-1)
    return inside.float().mean(1)


def _jittered(n: int, dice: Dice) -> Tensor:
    """(n, 4, 2): where `CORNER` of each card lies, millimetres of the crop's frame: off by what a finder is off."""
    level = dice.among(LEVELS, LEVEL_SHARES, n)[:, None, None]
    middle = torch.tensor(INDEX_MM, device=level.device)
    corners = (_points(CORNER, level.device) - middle) * (1 + dice.normal(n, 1, 2) * 0.07 * level)
    flat = level[:, 0]
    corners = _moved(corners, dice.normal(n, 2) * 0.7 * flat, dice.normal(n) * 0.06 * flat[:, 0], (0.0, 0.0))
    shear = torch.eye(2, device=level.device).repeat(n, 1, 1)
    shear[:, 0, 1] = dice.normal(n) * 0.04 * flat[:, 0]
    return corners @ shear + middle + dice.normal(n, 4, 2) * 0.2 * level


def _misplaced(frame: Tensor, dice: Dice) -> Tensor:
    """Some other part of a card, or its corner turned, where an index was supposed to be."""
    n = len(frame)
    turn = dice.among((0.0, 0.5, 1.0, 1.5), (0.25,) * 4, n) * math.pi + dice.normal(n) * 0.1
    near = torch.stack([dice.uniform(-50, -6, n), dice.uniform(-75, -6, n)], 1)
    shift = torch.where(dice.chance(0.7, n)[:, None], near, dice.uniform(-80, 80, n, 2))
    shift = shift * torch.where(shift.abs().amax(1) < 9, 3.0, 1.0)[:, None]
    elsewhere = (turn < 0.5) | dice.chance(0.5, n)
    zero = torch.zeros_like(shift)
    return torch.where(elsewhere[:, None, None], _moved(frame, shift, turn), _moved(frame, zero, turn, INDEX_MM))


def _astray(frame: Tensor, dice: Dice) -> Tensor:
    """Other games' cards so that about their own index lies what the finder takes for a card of ours."""
    n = len(frame)
    low, high = (math.log(size) for size in ASTRAY_SIZES)
    larger = dice.uniform(low, high, n).exp()[:, None, None]
    middle = _points(np.array(INDEX_MM), frame.device)
    return (frame - middle) * larger + middle + dice.uniform(-ASTRAY_MM, ASTRAY_MM, n, 1, 2)


def _moved(
    points: Tensor, shift: Tensor, angle: Tensor, about: tuple[float, float] = (CARD_MM[0] / 2, CARD_MM[1] / 2)
) -> Tensor:
    middle = torch.tensor(about, device=shift.device)
    return (points - middle) @ turning(angle) + middle + shift[:, None]


def _shares(frame: Tensor, mm: Tensor) -> Tensor:
    """Points of the cards, (n, k, 2), millimetres, in shares of the crops when the corners lie at `frame`."""
    corner, size = _points(CORNER, frame.device), _points(SIZE, frame.device)
    flat = (mm - corner[0]) / size
    whole = torch.cat([flat, torch.ones_like(flat[..., :1])], -1)
    moved = whole @ from_square((frame - corner[0]) / size).transpose(1, 2)
    return moved[..., :2] / moved[..., 2:]


def _points(array: np.ndarray, device: torch.device) -> Tensor:
    return torch.from_numpy(np.asarray(array, np.float32)).to(device)
