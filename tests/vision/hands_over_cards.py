"""Cards with a hand over them: hands pasted over the cards of photographs whose sources took no part in training.

    python tests/vision/hands_over_cards.py ../shared/data       # every third photograph
    python tests/vision/hands_over_cards.py ../shared/data --sheet hands.jpg

Prints a Markdown table. Not collected by pytest. Only photographs that are read right without a hand take part: where
their card lies is known from that reading. A hand covers a quarter to six tenths of the card and leaves at least one of
its corner indices in sight. The hands themselves (data/hands) are also in the training scenes; the photographs are not.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.training.split import held_out_photos, tuning_photos
from referee.training.stuff import Stuff, placed_hand
from referee.vision.indices import on_card
from referee.vision.nets import Models, load_models
from referee.vision.reading import annotate, is_certain, read_photo

SEED, TUNING_SEED = 18, 17
"""Rules for such cards were made with the latter."""
COVERED = (0.25, 0.6)
"""Share of the card under the hand."""
CLEAR = 0.97
"""Share of an index's box that must be in sight for the card to count as readable."""
INDEX_BOX_MM = (4.0, 5.5, 12.0, 15.5)


def grid(left: float, top: float, right: float, bottom: float) -> npt.NDArray[np.float32]:
    u, v = np.meshgrid(np.linspace(left, right, 24), np.linspace(top, bottom, 24))
    return np.stack([u, v], -1).reshape(-1, 2).astype(np.float32)


def share(alpha: npt.NDArray[np.uint8], points: npt.NDArray[np.float32]) -> float:
    """Share of the points under the hand; those outside the picture count as covered."""
    x, y = np.round(points).astype(int).T
    h, w = alpha.shape
    inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
    return float(np.where(inside, alpha[y.clip(0, h - 1), x.clip(0, w - 1)] > 127, True).mean())


def with_hand(image: Image, quad: npt.NDArray[np.float32], stuff: Stuff, rng: np.random.Generator) -> Image | None:
    """The picture with a hand over the card, None when none of many tries covers it as asked."""
    size = float(np.hypot(*(quad[3] - quad[0])))
    ends = (quad, np.roll(quad, 2, 0))
    for _ in range(200):
        hand = stuff.hands[int(rng.integers(len(stuff.hands)))]
        scale, a = size * rng.uniform(0.9, 1.8) / max(hand.shape[:2]), rng.uniform(0, 2 * np.pi)
        held = np.array(hand.shape[1::-1]) * rng.uniform(0.2, 0.8, 2)
        at = quad.mean(0) + (quad[2] - quad[0]) * rng.normal(0, 0.15) + (quad[1] - quad[3]) * rng.normal(0, 0.15)
        warped = placed_hand(hand, scale, a, held, at, (image.shape[1], image.shape[0]))
        alpha = np.asarray(warped[..., 3], np.uint8)
        if not COVERED[0] <= share(alpha, on_card(quad, grid(0, 0, 56, 87))) <= COVERED[1]:
            continue
        if min(share(alpha, on_card(end, grid(*INDEX_BOX_MM))) for end in ends) > 1 - CLEAR:
            continue
        a16 = alpha[..., None].astype(np.uint16)
        skin = np.clip(warped[..., :3] * rng.uniform(0.4, 1.1), 0, 255).astype(np.uint16)
        return ((skin * a16 + image * (255 - a16)) // 255).astype(np.uint8)
    return None


def outcome(image: Image, name: str, models: Models) -> str:
    said = [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)]
    return "exact" if said == [name] else "wrong" if any(s != name for s in said) or len(said) > 1 else "unsure"


def print_table(what: str, counts: dict[str, Counter[str]]) -> None:
    """Outcomes by source, and together, as a Markdown table."""
    print(f"| source | {what} | exact | wrong | unsure |\n|---|---|---|---|---|")
    for source, c in {**counts, "all": sum(counts.values(), Counter())}.items():
        shares = " | ".join(f"{c[kind] / c.total():.2%}" for kind in ("exact", "wrong", "unsure"))
        print(f"| {source} | {c.total()} | {shares} |")


def save_sheet(path: Path, images: list[Image], models: Models) -> None:
    """The first three dozen pictures on one sheet, with what is read in them."""
    tiles = []
    for image in images[:36]:
        tile = annotate(image, read_photo(image, models), models)
        f = 360 / max(tile.shape[:2])
        tile = cv2.resize(tile, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        tiles.append(cv2.copyMakeBorder(tile, 0, 360 - tile.shape[0], 0, 360 - tile.shape[1], cv2.BORDER_CONSTANT))
    if tiles:
        tiles += [np.zeros((360, 360, 3), np.uint8)] * (-len(tiles) % 6)
        cv2.imwrite(str(path), np.vstack([np.hstack(tiles[i : i + 6]) for i in range(0, len(tiles), 6)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--tuning", action="store_true", help="all photographs of the tuning sources")
    parser.add_argument("--seed", type=int, help=f"{SEED}, and {TUNING_SEED} with --tuning")
    parser.add_argument("--models", type=Path, help="other networks than the shipped ones")
    parser.add_argument("--sheet", type=Path, help="where to put a picture of those not read right")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, stuff = load_models(given.models), Stuff.load(given.data)
    counts: dict[str, Counter[str]] = {}
    missed: list[Image] = []
    photos = tuning_photos(given.data) if given.tuning else held_out_photos(given.data)[:: given.every]
    seed = given.seed or (TUNING_SEED if given.tuning else SEED)
    for number, photo in enumerate(photos):
        image = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
        cards = [c for c in read_photo(image, models) if is_certain(c, models)]
        if len(cards) != 1 or cards[0].reading.card != photo.card:
            continue
        held = with_hand(image, np.array(cards[0].quad, np.float32), stuff, np.random.default_rng([seed, number]))
        if held is None:
            continue
        what = outcome(held, str(photo.card), models)
        counts.setdefault(photo.source, Counter())[what] += 1
        if what != "exact":
            missed.append(held)
    print_table("photographs with a hand", counts)
    if given.sheet is not None:
        save_sheet(given.sheet, missed, models)


if __name__ == "__main__":
    main()
