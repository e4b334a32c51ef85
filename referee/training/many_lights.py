"""`referee.training.light` for many pictures at once, in PyTorch: what light and cameras do to them.

Pictures are float (n, 3, h, w), B, G, R, 0 to 255. JPEG is done as its standard says, without the coding that loses
nothing: 8 x 8 blocks of a cosine transform, the tables of ITU-T T.81 annex K, colours at half the size.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

_KERNEL = 9
"""Pixels of the kernels that blur: twice the widest blur to each side, and the longest motion."""

_BRIGHT = (
    (16, 11, 10, 16, 24, 40, 51, 61), (12, 12, 14, 19, 26, 58, 60, 55), (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62), (18, 22, 37, 56, 68, 109, 103, 77), (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101), (72, 92, 95, 98, 112, 100, 103, 99),
)  # fmt: skip
_COLOURED = (
    (17, 18, 24, 47, 99, 99, 99, 99), (18, 21, 26, 66, 99, 99, 99, 99), (24, 26, 56, 99, 99, 99, 99, 99),
    (47, 66, 99, 99, 99, 99, 99, 99), *((99,) * 8,) * 4,
)  # fmt: skip
_TO_YCC = ((0.114, 0.587, 0.299), (0.5, -0.331264, -0.168736), (-0.081312, -0.418688, 0.5))


class Dice:
    """Random numbers for n samples at once, from one generator, on its device."""

    def __init__(self, seed: int, device: str) -> None:
        self.device = torch.device(device)
        self.generator = torch.Generator(self.device)
        self.generator.manual_seed(seed)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(shape, generator=self.generator, device=self.device) * (high - low) + low

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.generator, device=self.device)

    def chance(self, share: float | Tensor, count: int) -> Tensor:
        """bool (count,): true in that share, which may differ from sample to sample."""
        return self.uniform(0, 1, count) < share

    def below(self, limit: int | Tensor, *shape: int) -> Tensor:
        """int64 of that shape: from 0 to limit - 1."""
        return (self.uniform(0, 1, *shape) * limit).long()

    def weighted(self, weights: npt.NDArray[np.float64], count: int) -> Tensor:
        """int64 (count,): numbers of the weights, each as often as it weighs."""
        each = torch.tensor(weights, dtype=torch.float32, device=self.device)
        return torch.multinomial(each, count, replacement=True, generator=self.generator)

    def among(self, values: tuple[float, ...], shares: tuple[float, ...], *shape: int) -> Tensor:
        """One of the values each, by their shares."""
        ends = torch.tensor(shares, device=self.device).cumsum(0)[:-1]
        return torch.tensor(values, device=self.device)[torch.bucketize(self.uniform(0, 1, *shape), ends)]


def relight(images: Tensor, dice: Dice, hard: Tensor) -> Tensor:
    """The pictures under other lights and cameras. hard: (n,), how far each goes, 0 none to 1 everything."""
    n, _, h, w = images.shape
    x = images / 255
    grey = x.mean(1, keepdim=True)
    factor = torch.where(dice.chance(0.25, n), (1 + hard * dice.uniform(-0.7, 0.4, n)).clamp(min=0), 1.0)
    x = grey + (x - grey) * _each(factor)
    cast = dice.normal(n, 3) * 0.13 * hard[:, None] * dice.chance(0.7, n)[:, None]
    gain = torch.exp(dice.normal(n, 1) * 0.22 * hard[:, None] + cast - cast.mean(1, keepdim=True))
    bright, dim = dice.chance(0.12 * hard, n), dice.chance(0.12 * hard, n)
    exposure = torch.where(dim, dice.uniform(0.25, 0.7, n), 1.0)
    gain = gain * torch.where(bright, dice.uniform(1.2, 2.0, n), exposure)[:, None]
    x = x * gain[:, :, None, None]
    across = (torch.linspace(-0.5, 0.5, w, device=x.device), torch.linspace(-0.5, 0.5, h, device=x.device)[:, None])
    ramp = _along(dice, n, across) * _flat(dice.uniform(-0.6, 0.6, n) * dice.chance(0.45 * hard, n))
    edge = torch.sigmoid((_along(dice, n, across) - _flat(dice.uniform(-0.4, 0.4, n))) * _flat(dice.uniform(8, 80, n)))
    edge = edge * _flat(dice.uniform(0.15, 0.6, n) * dice.chance(0.2 * hard, n))
    x = x * ((1 + ramp) * (1 - edge))[:, None]
    shine = [
        (axis + 0.5 - _flat(dice.uniform(-0.1, 1.1, n))) / _flat(dice.uniform(0.05, 0.35, n)) for axis in across
    ]
    blob = torch.exp(-(shine[0] ** 2) - shine[1] ** 2) * _flat(dice.uniform(0.2, 0.9, n) * dice.chance(0.2 * hard, n))
    x = x + blob[:, None]
    haze = _each(dice.uniform(0.03, 0.22, n) * dice.chance(0.2 * hard, n))
    x = (x * (1 - haze) + haze * dice.uniform(0.5, 1.0, n, 3)[:, :, None, None]).clamp(0, 1)
    curve = torch.where(dice.chance(0.5, n), torch.exp(dice.normal(n) * 0.25 * hard), 1.0)
    return x.clamp(min=1e-4) ** _each(curve) * 255


def resample(images: Tensor, dice: Dice, hard: Tensor) -> Tensor:
    """Blur, motion, noise and JPEG as cameras add them."""
    n = len(images)
    kernels, on = _kernels(dice, hard)
    images = only(on, images, filtered, kernels)
    level = dice.uniform(1, 11, n) * hard * dice.chance(0.6 * hard, n)
    images = (images + dice.normal(*images.shape) * _each(level)).clamp(0, 255)
    return only(dice.chance(0.5 * hard, n), images, compressed, dice.uniform(28, 92, n))


def only(on: Tensor, images: Tensor, change: Callable[..., Tensor], *given: Tensor) -> Tensor:
    """The pictures, those that are `on`, (n,) bool, changed with what is given for each."""
    some = on.nonzero()[:, 0]
    if not len(some):
        return images
    return images.index_copy(0, some, change(images[some], *(one[some] for one in given)))


def filtered(images: Tensor, kernels: Tensor) -> Tensor:
    """Each picture through its own kernel, (n, k, k), k odd."""
    n, c, h, w = images.shape
    k = kernels.shape[-1]
    padded = nn.functional.pad(images, (k // 2,) * 4, "replicate").reshape(1, n * c, h + k - 1, w + k - 1)
    each = kernels[:, None].expand(n, c, k, k).reshape(n * c, 1, k, k)
    return nn.functional.conv2d(padded, each, groups=n * c).reshape(n, c, h, w).clamp(0, 255)


def compressed(images: Tensor, quality: Tensor) -> Tensor:
    """As JPEG of that quality, (n,), 1 to 100, would show them again."""
    _, _, h, w = images.shape
    mix = torch.tensor(_TO_YCC, device=images.device)
    whole = nn.functional.pad(images, (0, -w % 16, 0, -h % 16), "replicate")
    ycc = torch.einsum("kc,nchw->nkhw", mix, whole)
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)
    light = _blocks_rounded(ycc[:, :1] - 128, _BRIGHT, scale) + 128
    colour = _blocks_rounded(nn.functional.avg_pool2d(ycc[:, 1:], 2), _COLOURED, scale)
    colour = stretched(colour, (colour.shape[3] * 2, colour.shape[2] * 2))
    back = torch.einsum("ck,nkhw->nchw", torch.linalg.inv(mix), torch.cat([light, colour], 1))
    return back[:, :, :h, :w].round().clamp(0, 255)


def stretched(images: Tensor, size: tuple[int, int]) -> Tensor:
    """At another width and height, bilinear: as two products of matrices, since PyTorch's own takes a GPU several
    times as long for many small pictures."""
    w, h = images.shape[3], images.shape[2]
    across, down = (
        nn.functional.interpolate(torch.eye(a, device=images.device)[None], b, mode="linear", align_corners=False)[0]
        for a, b in ((w, size[0]), (h, size[1]))
    )
    return down.T @ (images @ across)


def _blocks_rounded(planes: Tensor, table: tuple[tuple[int, ...], ...], scale: Tensor) -> Tensor:
    """Planes of whole 8 x 8 blocks whose cosine transform is rounded to multiples of the table."""
    n, c, h, w = planes.shape
    steps = ((torch.tensor(table, device=planes.device).reshape(64) * scale[:, None] + 50) / 100).floor().clamp(1, 255)
    place = torch.arange(8, device=planes.device, dtype=torch.float32)
    cosine = torch.cos((2 * place + 1) * place[:, None] * math.pi / 16) / 2
    cosine[0] /= math.sqrt(2)
    both = torch.kron(cosine, cosine)
    blocks = planes.reshape(n, c, h // 8, 8, w // 8, 8).transpose(3, 4).reshape(n, -1, 64)
    rounded = ((blocks @ both.T) / steps[:, None]).round() * steps[:, None]
    return (rounded @ both).reshape(n, c, h // 8, w // 8, 8, 8).transpose(3, 4).reshape(n, c, h, w)


def _kernels(dice: Dice, hard: Tensor) -> tuple[Tensor, Tensor]:
    """(n, 9, 9), a blur, a motion or a sharpening; and (n,), for which pictures."""
    n = len(hard)
    reach = torch.arange(_KERNEL, device=hard.device, dtype=torch.float32) - _KERNEL // 2
    y, x = reach[:, None], reach
    roll = dice.uniform(0, 1, n)
    spread = torch.where(roll < 0.3 * hard, dice.uniform(0.4, 1.5, n), 1.2)
    blur = _whole(torch.exp(-(x**2 + y**2) / (2 * _flat(spread) ** 2)))
    angle, half = dice.uniform(0, math.pi, n), (dice.below(5, n) + 2) / 2
    along = x * _flat(angle.cos()) + y * _flat(angle.sin())
    beside = (y * _flat(angle.cos()) - x * _flat(angle.sin())).abs()
    beyond = (along.abs() - _flat(half)).clamp(min=0)
    motion = _whole((1 - torch.hypot(beside, beyond)).clamp(min=0))
    still = ((x == 0) & (y == 0)).float().expand(n, -1, -1)
    sharp = 1.8 * still - 0.8 * blur
    out = torch.where(_flat(roll < 0.42 * hard), motion, sharp)
    return torch.where(_flat(roll < 0.3 * hard), blur, out), roll < 0.5 * hard


def _whole(kernels: Tensor) -> Tensor:
    return kernels / kernels.sum((1, 2), keepdim=True)


def _along(dice: Dice, n: int, across: tuple[Tensor, Tensor]) -> Tensor:
    """(n, h, w): how far along some direction a pixel is, -0.5 to 0.5 on the axes."""
    angle = dice.uniform(0, 2 * math.pi, n)
    return across[0] * _flat(angle.cos()) + across[1] * _flat(angle.sin())


def _each(values: Tensor) -> Tensor:
    return values[:, None, None, None]


def _flat(values: Tensor) -> Tensor:
    return values[:, None, None]
