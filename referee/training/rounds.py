"""Batches for the readers that are made where they learn: `--fresh`, of ever new designs."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import numpy as np
import torch

from referee.faces.forms import random_forms
from referee.training.batches import Table, crops
from referee.training.corner_batches import corners
from referee.training.decks import FEW, Pictures, ever_new_decks
from referee.training.learn import Batches
from referee.training.many_lights import Dice
from referee.training.pools import (
    DRAWN,
    OTHER_GAMES,
    PHOTOGRAPHED,
    Cards,
    grounds,
    hands_on_cards,
    hands_over_corners,
    hands_over_crops,
    other_games,
)  # fmt: skip
from referee.training.stuff import Random, Stuff

AT_ONCE, TIMES, MORE_ON_A_GPU = 1024, 16, 4
"""Samples of one size before the camera that are made at once, how often before they are shuffled, and how many times
as many at once on a GPU. Fewer at once: a GPU waits for the program that tells it what to do (1,024 took an H100 10 ms,
and the program 36); more: memory, of a GPU 15 GB for the reader."""

ROUND = AT_ONCE * TIMES
"""Samples of a round; on a GPU it is `MORE_ON_A_GPU` rounds together."""

GROUNDS, HANDS, FOREIGN = 8000, 3000, 20000
"""Grounds, hands of each kind and other games' cards that are held. Fewer repeat; more take time and memory."""

STRANGERS = 0.25
"""Share of samples that are other games' cards, besides usual ones, where only these are learnt of. Fewer: it takes
longer; more: what is to be kept is seen less."""


@dataclass(frozen=True, slots=True)
class Source:
    """What rounds are made from. fresh: new designs a round, drawn by `workers` processes. keep: for a training that
    learns of other games' cards alone."""

    drawn: Pictures
    photographed: Pictures
    stuff: Stuff
    seed: int
    fresh: int
    workers: int
    device: str
    typefaces: tuple[str, ...] = ()
    keep: bool = False


class Rounds:
    """Batches for `reader` or `index_reader`, from one number to before another. They depend on where they begin: those
    of a training that was broken off go on with rounds of their own."""

    def __init__(self, name: str, source: Source, batch: int) -> None:
        """Raises ValueError for a batch that is larger than a round."""
        if batch > ROUND:
            raise ValueError(f"batches of {batch} are more than a round of {ROUND}: give a smaller --larger")
        self.source, self.batch = source, batch
        self.together = MORE_ON_A_GPU if torch.device(source.device).type == "cuda" else 1
        self.rng = np.random.default_rng(source.seed)
        self.ground = grounds(source.stuff, self.rng, source.device, GROUNDS)
        self.others = other_games(source.stuff, self.rng, FOREIGN)
        self.make = crops if name == "reader" else corners
        over = hands_over_crops if name == "reader" else hands_over_corners
        self.hands = over(source.stuff, self.rng, source.device, HANDS)
        self.held = hands_on_cards(source.stuff, self.rng, source.device, HANDS) if name == "reader" else None

    def __call__(self, begin: int, end: int) -> Batches:
        source = self.source
        rounds = -(-(end - begin) // (ROUND * self.together // self.batch))
        fresh = source.fresh * self.together
        host = np.random.default_rng([source.seed, begin])
        dice = Dice(int(host.integers(1 << 31)), source.device)
        new = ever_new_decks(fresh, int(host.integers(1 << 31)), source.workers, source.typefaces, random_forms)
        with closing(new):
            room = len(source.drawn.rank) + len(source.photographed.rank) + len(self.others.rank)
            cards = Cards(room + rounds * fresh * FEW, source.device)
            cards.add(source.drawn, DRAWN)
            cards.add(self.others, OTHER_GAMES)
            cards.add(source.photographed, PHOTOGRAPHED)
            table = Table(cards, self.ground, self.hands, self.held, STRANGERS if source.keep else 0.0)
            left: list[tuple[torch.Tensor, ...]] = []
            for _ in range(end - begin):
                if not left:
                    cards.add(next(new), DRAWN)
                    left = self._round(table, dice, host)
                yield left.pop()

    def _round(self, table: Table, dice: Dice, host: Random) -> list[tuple[torch.Tensor, ...]]:
        made = [self.make(table, AT_ONCE * self.together, dice, host) for _ in range(TIMES)]
        order = torch.randperm(ROUND * self.together, generator=dice.generator, device=dice.device)
        whole = [torch.cat(parts)[order] for parts in zip(*made, strict=True)]
        parts = zip(*(part.split(self.batch) for part in whole), strict=True)
        return [part for part in parts if len(part[0]) == self.batch]
