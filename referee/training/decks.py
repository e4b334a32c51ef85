"""Rectified card pictures to learn from: drawn decks of many designs and crops of photographs, all of one size."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import FACES, Card, Colour, Rank
from referee.faces import Design, draw_back, draw_blank, draw_face, random_design
from referee.faces.forms import Forms
from referee.vision.classes import COLOURS, NO_FACE, RANKS

CARD_PX = (104, 160)
"""Width and height of the stored pictures. Smaller blurs what the networks see of big cards; larger costs memory."""

FEW = 24
"""Pictures of a design that is drawn in part."""

_OTHERS = (Card(Rank.WILD_SHUFFLE_HANDS), Card(Rank.WILD_SWAP_HANDS), Card(Rank.WILD_CUSTOMIZABLE))


@dataclass(frozen=True, slots=True)
class Pictures:
    """Card pictures and what they show.

    images: uint8 (n, 160, 104, 3). colour, rank: int8 (n,), classes of the reader. deck: int16 (n,), pictures with
    the same number share a design. radius: float32 (n,), the rounding of the corners as a share of the width.
    indices: int8 (n,), how many corners carry an index: 0, 2 or 4.
    """

    images: npt.NDArray[np.uint8]
    colour: npt.NDArray[np.int8]
    rank: npt.NDArray[np.int8]
    deck: npt.NDArray[np.int16]
    radius: npt.NDArray[np.float32]
    indices: npt.NDArray[np.int8]

    def save(self, folder: Path, name: str) -> None:
        """Writes NAME.npy (pictures, can be mapped) and NAME.npz (labels)."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / f"{name}.npy", self.images)
        np.savez(
            folder / f"{name}.npz", colour=self.colour, rank=self.rank, deck=self.deck, radius=self.radius,
            indices=self.indices,
        )  # fmt: skip

    @classmethod
    def load(cls, folder: Path, name: str) -> Pictures:
        """Reads what `save` wrote; the pictures stay on disk until touched."""
        labels = np.load(folder / f"{name}.npz")
        images = np.load(folder / f"{name}.npy", mmap_mode="r")
        return cls(images, *(labels[name] for name in ("colour", "rank", "deck", "radius", "indices")))


def classes(card: Card | None) -> tuple[int, int]:
    """Colour and rank class of a card; anything outside the 54 faces is (none, not a face)."""
    if card is None or card.rank not in RANKS:
        return len(Colour), NO_FACE
    return COLOURS.index(card.colour), RANKS.index(card.rank)


def draw_decks(
    count: int, seed: int, progress: Callable[[int, int], None], few: bool = False, unmarked: bool = False,
    workers: int = 0, typefaces: Sequence[str] = (),
    forms: Callable[[random.Random], Forms] | None = None,
) -> Pictures:  # fmt: skip
    """`count` decks of random design, 60 pictures each: the faces, three special wilds, two blanks and the back.

    few: 24 pictures of each instead, every rank in one colour and four faces more, three special wilds, a blank and
    the back: many designs teach more than all faces of a few. unmarked, typefaces, forms: as for `random_design`.
    workers: processes that draw; however many, the pictures are the same.
    """
    rng = random.Random(seed)
    designs = partial(random_design, rng, unmarked=unmarked, typefaces=typefaces, forms=forms)
    plans = [_plan(rng, designs(), few) for _ in range(count)]
    images = []
    with ExitStack() as stack:
        drawn: Iterable[npt.NDArray[np.uint8]] = map(_drawn, plans)
        if workers > 1:
            pool = stack.enter_context(ProcessPoolExecutor(workers, get_context("spawn")))
            drawn = pool.map(_drawn, plans, chunksize=4)
        for number, pictures in enumerate(drawn):
            images.append(pictures)
            progress(number + 1, count)
    return _labelled(plans, images)


def ever_new_decks(
    count: int, seed: int, workers: int, typefaces: Sequence[str] = (),
    forms: Callable[[random.Random], Forms] | None = None,
) -> Generator[Pictures]:  # fmt: skip
    """`count` decks of random design, then as many others, and so on for ever: 24 pictures of each, as `draw_decks`
    draws few of a deck, some without a line below their 6 and 9. Drawn ahead by processes; however many those are, the
    pictures are the same.
    """
    rng = random.Random(seed)
    with ProcessPoolExecutor(max(1, workers), get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        ahead: deque[tuple[list[_Plan], list[Future[npt.NDArray[np.uint8]]]]] = deque()
        try:
            while True:
                while len(ahead) * count < 2 * max(1, workers) + count:
                    designs = [
                        random_design(rng, unmarked=True, typefaces=typefaces, forms=forms) for _ in range(count)
                    ]
                    plans = [_plan(rng, design, True) for design in designs]
                    ahead.append((plans, [pool.submit(_drawn, plan) for plan in plans]))
                plans, drawn = ahead.popleft()
                yield _labelled(plans, [one.result() for one in drawn])
        finally:
            pool.shutdown(cancel_futures=True)


def _labelled(plans: Sequence[_Plan], drawn: Sequence[npt.NDArray[np.uint8]]) -> Pictures:
    colour, rank, deck, radius, indices = [], [], [], [], []
    for number, (plan, pictures) in enumerate(zip(plans, drawn, strict=True)):
        shown = [classes(card) for card in plan.faces]
        shown += [classes(None)] * (len(pictures) - len(shown))
        colour += [c for c, _ in shown]
        rank += [r for _, r in shown]
        deck += [number] * len(shown)
        radius += [plan.design.edge_radius / 56.0] * len(shown)
        indices += [plan.design.corners] * len(shown)
    return Pictures(
        np.concatenate(drawn), np.array(colour, np.int8), np.array(rank, np.int8), np.array(deck, np.int16),
        np.array(radius, np.float32), np.array(indices, np.int8),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be drawn of one design."""

    design: Design
    faces: tuple[Card, ...]
    blanks: tuple[Colour | None, ...]


def _plan(rng: random.Random, design: Design, few: bool) -> _Plan:
    faces = tuple(_some_faces(rng)) if few else FACES
    return _Plan(design, faces, (rng.choice([None, *Colour]),) if few else (rng.choice(list(Colour)), None))


def _drawn(plan: _Plan) -> npt.NDArray[np.uint8]:
    """The pictures of one design, faces first."""
    design, height = plan.design, CARD_PX[1]
    drawn = [draw_face(card, design, height) for card in (*plan.faces, *_OTHERS)]
    drawn += [draw_blank(design, height, colour) for colour in plan.blanks]
    drawn.append(draw_back(design, height))
    return np.stack([_fit(picture[..., :3]) for picture in drawn])


def together(one: Pictures, other: Pictures) -> Pictures:
    """The pictures of both, their designs numbered on."""
    other = replace(other, deck=(other.deck + one.deck.max() + 1).astype(np.int16))
    return Pictures(*(np.concatenate([getattr(one, f.name), getattr(other, f.name)]) for f in fields(Pictures)))


def _some_faces(rng: random.Random) -> list[Card]:
    ranks: dict[Rank, list[Card]] = {}
    for card in FACES:
        ranks.setdefault(card.rank, []).append(card)
    each = [rng.choice(cards) for cards in ranks.values()]
    return each + rng.sample([card for card in FACES if card.colour is not None and card not in each], 4)


def _fit(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """To the stored width: the drawing's width is rounded from the card's proportions and may differ by a pixel."""
    width = CARD_PX[0]
    if picture.shape[1] < width:
        picture = np.pad(picture, ((0, 0), (0, width - picture.shape[1]), (0, 0)), mode="edge")
    return picture[:, :width]
