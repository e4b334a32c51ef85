"""What samples are put together from, in the memory of the device that trains: cards, grounds and hands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from referee.frame import Image
from referee.training.crops import IGNORE, cover_with_hand, hold
from referee.training.decks import CARD_PX, Pictures
from referee.training.many_lights import Dice
from referee.training.stuff import Random, Stuff
from referee.vision.classes import NO_FACE
from referee.vision.indices import CORNER_MM, CORNER_PX
from referee.vision.mat import CARD_MM
from referee.vision.warp import CROP_PX, unit_quad

DRAWN, OTHER_GAMES, PHOTOGRAPHED = range(3)
"""Pools of card pictures."""


class Cards:
    """Card pictures with what they show, in pools. More may come into a pool while others are learnt from."""

    def __init__(self, room: int, device: str) -> None:
        """room: pictures for which memory is taken at once, 50 kB each."""
        self.images = torch.zeros((room, 3, CARD_PX[1], CARD_PX[0]), dtype=torch.uint8, device=device)
        self.labels = torch.zeros((room, 3), dtype=torch.int64, device=device)
        self.radius = torch.zeros(room, device=device)
        self.count = 0
        self._rows = [np.zeros((0, 2), np.int64)] * 3
        self._members = [_by_rank(rows, self.radius.device) for rows in self._rows]

    def add(self, pictures: Pictures, pool: int) -> None:
        """Adds pictures to a pool. Raises ValueError when there is no room."""
        n, begin = len(pictures.rank), self.count
        if begin + n > len(self.images):
            raise ValueError(f"room for {len(self.images)} card pictures, {begin + n} come")
        self.images[begin : begin + n] = _planes(np.array(pictures.images)).to(self.images.device)
        labels = np.stack([pictures.colour, pictures.rank, pictures.indices], 1).astype(np.int64)
        self.labels[begin : begin + n] = torch.from_numpy(labels).to(self.labels.device)
        self.radius[begin : begin + n] = torch.from_numpy(np.array(pictures.radius)).to(self.radius.device)
        self.count += n
        rows = np.column_stack([np.arange(begin, self.count), labels[:, 1]])
        self._rows[pool] = np.concatenate([self._rows[pool], rows])
        self._members[pool] = _by_rank(self._rows[pool], self.radius.device)

    def of_rank(self, rank: Tensor, pool: Tensor, dice: Dice) -> Tensor:
        """Numbers of pictures: one for each rank, out of its pool; a drawn one where that has none."""
        counts = torch.stack([count for _, _, count in self._members])
        pool = torch.where(counts[pool, rank] > 0, pool, DRAWN)
        out = torch.zeros_like(rank)
        for number, (order, begin, count) in enumerate(self._members):
            if not len(order):
                continue
            some = order[(begin[rank] + dice.below(count[rank].clamp(min=1), len(rank))).clamp(max=len(order) - 1)]
            out = torch.where(pool == number, some, out)
        return out


def _by_rank(rows: npt.NDArray[np.int64], device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    """Rows in order of their rank, where each rank begins, and how many it has."""
    order = np.argsort(rows[:, 1], kind="stable")
    count = np.bincount(rows[:, 1], minlength=NO_FACE + 1)
    begin = np.cumsum(count) - count
    return _sent(rows[order, 0], device), _sent(begin, device), _sent(count, device)


def _sent(numbers: npt.NDArray[np.int64], device: torch.device) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(numbers)).to(device)


def other_games(stuff: Stuff, rng: Random, count: int) -> Pictures:
    """Other games' cards as pictures."""
    images = np.stack([stuff.foreign_card(rng) for _ in range(count)])
    same = np.zeros(count, np.int8)
    return Pictures(
        images, same + IGNORE, same + NO_FACE, np.zeros(count, np.int16),
        rng.uniform(0.03, 0.1, count).astype(np.float32), same,
    )  # fmt: skip


def grounds(stuff: Stuff, rng: Random, device: str, count: int) -> Tensor:
    """Tables, uint8 (count, 3, 120, 80)."""
    return _planes(np.stack([stuff.ground(rng, *CROP_PX) for _ in range(count)])).to(device)


def _planes(pictures: npt.NDArray[np.uint8]) -> Tensor:
    """(n, h, w, 3) as (n, 3, h, w)."""
    return torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)))


def hands_over_crops(stuff: Stuff, rng: Random, device: str, count: int) -> Tensor:
    """Hands beside the middle of a whole card's crop, as `overlays` gives them."""
    return overlays(lambda canvas, r: cover_with_hand(canvas, stuff, r, canvas.shape[0]), CROP_PX, rng, device, count)


def hands_over_corners(stuff: Stuff, rng: Random, device: str, count: int) -> Tensor:
    """Hands beside an index, over the crop of a card's corner."""
    card_px = CORNER_PX[1] * CARD_MM[1] / (CORNER_MM[3] - CORNER_MM[1])
    return overlays(lambda canvas, r: cover_with_hand(canvas, stuff, r, card_px, 0.3), CORNER_PX, rng, device, count)


def hands_on_cards(stuff: Stuff, rng: Random, device: str, count: int) -> Tensor:
    """Hands that hide a fifth to two thirds of a card and leave one index."""

    def put(canvas: Image, r: Random) -> None:
        if not hold(canvas, unit_quad(), stuff, r):
            cover_with_hand(canvas, stuff, r, canvas.shape[0])

    return overlays(put, CROP_PX, rng, device, count)


def overlays(
    put: Callable[[Image, Random], None], size: tuple[int, int], rng: Random, device: str, count: int
) -> Tensor:
    """What `put` puts over a picture of that width and height, uint8 (count, 4, h, w): its colour, made darker by the
    share in which it covers, and that share."""
    made = np.zeros((count, 4, size[1], size[0]), np.uint8)
    for i in range(count):
        seed = int(rng.integers(1 << 62))
        on_black, on_white = np.zeros((*size[::-1], 3), np.uint8), np.full((*size[::-1], 3), 255, np.uint8)
        for canvas in (on_black, on_white):
            put(canvas, np.random.default_rng(seed))
        made[i, :3] = on_black.transpose(2, 0, 1)
        made[i, 3] = 255 - (on_white.astype(np.int16) - on_black).clip(0, 255).mean(2).astype(np.uint8)
    return torch.from_numpy(made).to(device)
