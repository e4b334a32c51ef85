"""What the scripts share that change held-out photographs and count what is still read."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.training.split import Photo, held_out_photos, tuning_photos
from referee.vision.annotate import draw_cards
from referee.vision.nets import Models
from referee.vision.reading import is_certain, read_photo


def options(text: str) -> argparse.ArgumentParser:
    """The arguments that all have."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--tuning", action="store_true", help="all photographs of the tuning sources")
    parser.add_argument("--models", type=Path, help="other networks than the shipped ones")
    return parser


def read_right(
    given: argparse.Namespace, models: Models, longest_px: int | None = None
) -> Iterator[tuple[int, Photo, Image, npt.NDArray[np.float32]]]:
    """Number, photograph, picture and the card's corners of every photograph of one card that is read right as it is.
    longest_px: larger pictures are shrunk to that first."""
    photos = tuning_photos(given.data) if given.tuning else held_out_photos(given.data)[:: given.every]
    for number, photo in enumerate(photos):
        image = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
        if longest_px is not None:
            f = min(1.0, longest_px / max(image.shape[:2]))
            image = np.asarray(cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), np.uint8)
        cards = [c for c in read_photo(image, models) if is_certain(c, models)]
        if len(cards) == 1 and cards[0].reading.card == photo.card:
            yield number, photo, image, np.array(cards[0].quad, np.float32)


def outcome(image: Image, name: str, models: Models) -> str:
    said = [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)]
    return "exact" if said == [name] else "wrong" if any(s != name for s in said) or len(said) > 1 else "unsure"


def print_table(what: str, counts: dict[str, Counter[str]]) -> None:
    """Outcomes by source, and together, as a Markdown table."""
    print(f"| source | {what} | exact | wrong | unsure |\n|---|---|---|---|---|")
    for source, c in {**counts, "all": sum(counts.values(), Counter())}.items():
        shares = " | ".join(f"{c[kind] / c.total():.2%}" for kind in ("exact", "wrong", "unsure"))
        print(f"| {source} | {c.total()} | {shares} |")


def report(what: str, pictures: Iterable[tuple[Photo, Image]], models: Models, sheet: Path | None) -> None:
    """Reads changed photographs and prints what becomes of them; those not read right come on a sheet, where one is
    asked for."""
    counts: dict[str, Counter[str]] = {}
    missed: list[Image] = []
    for photo, image in pictures:
        result = outcome(image, str(photo.card), models)
        counts.setdefault(photo.source, Counter())[result] += 1
        if result != "exact":
            missed.append(image)
    print_table(what, counts)
    if sheet is not None:
        save_sheet(sheet, missed, models)


def save_sheet(path: Path, images: list[Image], models: Models) -> None:
    """The first three dozen pictures on one sheet, with what is read in them."""
    tiles = []
    for image in images[:36]:
        tile = draw_cards(image, read_photo(image, models), models)
        f = 360 / max(tile.shape[:2])
        tile = cv2.resize(tile, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        tiles.append(cv2.copyMakeBorder(tile, 0, 360 - tile.shape[0], 0, 360 - tile.shape[1], cv2.BORDER_CONSTANT))
    if tiles:
        tiles += [np.zeros((360, 360, 3), np.uint8)] * (-len(tiles) % 6)
        cv2.imwrite(str(path), np.vstack([np.hstack(tiles[i : i + 6]) for i in range(0, len(tiles), 6)]))
