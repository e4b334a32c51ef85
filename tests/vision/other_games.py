"""Other games' cards, of which nothing may be said: playing cards of real decks on tables, apart, in piles and fanned.
And other things that may lie there.

    python tests/vision/other_games.py cards/held_out --data ../shared/data
    python tests/vision/other_games.py things/held_out --data ../shared/data

The folder holds a folder of pictures (.png) for each deck: `tests/training/card_folders.py` makes such; or pictures
with alpha of each kind of things: `tests/training/thing_folders.py`. Prints a Markdown table: how many faces are said,
and asked about, and in how many pictures something is said. Not collected by pytest.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Image
from referee.training.light import relight, resample
from referee.training.stuff import Stuff
from referee.vision.nets import Models, load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.warp import QuadArray

SIZE = (960, 720)
KINDS = ("apart", "pile", "fan")
MOST = 8
"""Cards in a picture."""
HEIGHTS = (90.0, 330.0)
"""Of the cards, pixels."""
SLANT = 0.3
"""Most by which a card is seen shorter, as a share."""
PROPORTION = 0.68
"""Of a card, width for height."""


def places(kind: str, count: int, rng: np.random.Generator) -> list[QuadArray]:
    """Where the cards of a picture lie, from the lowest on."""
    w, h = SIZE
    height = rng.uniform(*HEIGHTS)
    middle, turn = np.array([rng.uniform(0.25, 0.75) * w, rng.uniform(0.35, 0.65) * h]), rng.uniform(0, 2 * np.pi)
    quads = []
    for i in range(count):
        at, angle = rng.uniform([0.06 * w, 0.08 * h], [0.94 * w, 0.92 * h]), rng.uniform(0, 2 * np.pi)
        if kind == "pile":
            at = middle + rng.normal(0, 0.2 * height, 2)
        elif kind == "fan":
            angle = turn + (i - count / 2) * 0.16
            at = middle + 1.1 * height * np.array([np.sin(angle), -np.cos(angle)])
        tall = height * (1 - rng.uniform(0, SLANT))
        card = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [PROPORTION * height / 2, tall / 2]
        c, s = np.cos(angle), np.sin(angle)
        quads.append((card @ np.array([[c, s], [-s, c]]) + at).astype(np.float32))
    return quads


def fitted(quad: QuadArray, proportion: float) -> QuadArray:
    """As much of a card's place, in its middle, as a thing of another width for height has room in."""
    share = np.array([min(1.0, proportion / PROPORTION), min(1.0, PROPORTION / proportion)])
    right, down = (quad[1] - quad[0]) * share[0] / 2, (quad[3] - quad[0]) * share[1] / 2
    middle = quad.mean(0)
    corners = [middle - right - down, middle + right - down, middle + right + down, middle - right + down]
    return np.asarray(corners, np.float32)


def picture(deck: list[Path], kind: str, stuff: Stuff, rng: np.random.Generator) -> tuple[Image, int]:
    """Some cards of one deck, or things of one kind, on a table, uint8 (h, w, 3), and how many."""
    canvas = stuff.ground(rng, *SIZE)
    quads = places(kind, int(rng.integers(1, MOST + 1)), rng)
    for quad in quads:
        card = np.asarray(cv2.imread(str(deck[int(rng.integers(len(deck)))]), cv2.IMREAD_UNCHANGED), np.uint8)
        if card.shape[2] == 4:
            quad = fitted(quad, card.shape[1] / card.shape[0])
        f = min(1.0, 1.5 * float(np.hypot(*(quad[3] - quad[0]))) / card.shape[0])
        card = np.asarray(cv2.resize(card, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), np.uint8)
        h, w = card.shape[:2]
        whole = np.ones((h, w), np.float32) if card.shape[2] == 3 else card[..., 3].astype(np.float32) / 255
        view = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), quad)
        share = cv2.warpPerspective(whole, view, SIZE)[..., None]
        laid = cv2.warpPerspective(card[..., :3], view, SIZE, borderMode=cv2.BORDER_REPLICATE)
        canvas = np.asarray(laid * share + canvas * (1 - share), np.uint8)
    hard = rng.uniform(0.3, 0.8)
    return resample(relight(canvas, rng, hard), rng, hard), len(quads)


def count(image: Image, models: Models) -> tuple[int, int]:
    """Faces said and asked about."""
    cards = read_photo(image, models)
    said = [card for card in cards if is_certain(card, models)]
    return len(said), len(cards) - len(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cards", type=Path)
    parser.add_argument("--data", type=Path, help="photographs of tables, ../shared/data; drawn ones without it")
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=Path, help="other networks than the shipped ones")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures in which something is said")
    given = parser.parse_args()
    models = load_models(given.models)
    stuff = Stuff.made(given.seed) if given.data is None else Stuff.load(given.data)
    decks = [deck for deck in (sorted(folder.glob("*.png")) for folder in sorted(given.cards.iterdir())) if deck]
    if not decks:
        parser.error(f"{given.cards} holds no folder with .png files: see card_folders.py and thing_folders.py")
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for number in range(given.pictures):
        rng = np.random.default_rng([given.seed, number])
        kind, deck = KINDS[number // len(decks) % len(KINDS)], decks[number % len(decks)]
        image, shown = picture(deck, kind, stuff, rng)
        said, asked = count(image, models)
        counts[kind].update(pictures=1, cards=shown, said=said, asked=asked, some=int(said > 0))
        if said and given.keep is not None:
            given.keep.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(given.keep / f"{deck[0].parent.name}_{number}.png"), image)
    print("| cards | pictures | cards | faces said | asked about | pictures with a face said |")
    print("|---|---|---|---|---|---|")
    for kind, c in {**counts, "all": sum(counts.values(), Counter())}.items():
        print(f"| {kind} | {c['pictures']} | {c['cards']} | {c['said']} | {c['asked']} | {c['some']} |")


if __name__ == "__main__":
    main()
