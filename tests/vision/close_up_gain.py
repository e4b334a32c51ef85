"""What a close-up is worth: how cards are read in the whole view of a camera that hangs high, and in a part of it.

    python tests/vision/close_up_gain.py --tables 12

Each table lies in the middle of a view that is 1.8 times as wide (a Camera Module 3 some 1.1 m above it), with twelve
cards side by side; the sensor has 2304 x 1296 pixels, the picture 1280 x 720. Not collected by pytest.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

import cv2
import numpy as np

from referee.cards import Card
from referee.frame import WHOLE, Image, Part
from referee.virtual_table import Level, Look
from referee.virtual_table.look import ANY_STYLE
from referee.virtual_table.set_up import SetUpTable, spread
from referee.vision.nets import Models, load_models
from referee.vision.reading import read_photo

SENSOR = (2304, 1296)
PARTS: dict[str, Part] = {"whole view": WHOLE, "close-up": (512 / 2304, 288 / 1296, 1280 / 2304, 720 / 1296)}
FACES = [f"{colour}{rank}" for colour in "RYGB" for rank in (*range(10), "S", "R", "+2")] + ["W", "W+4"]


def sensor(table: SetUpTable) -> Image:
    """What the sensor sees."""
    (width, height), picture = SENSOR, table.image()
    dy, dx = (height - picture.shape[0]) // 2, (width - picture.shape[1]) // 2
    return np.asarray(cv2.copyMakeBorder(picture, dy, dy, dx, dx, cv2.BORDER_REPLICATE), np.uint8)


def shown(seen: Image, part: Part) -> Image:
    """That part of it as a picture."""
    x, y, w, h = (round(share * side) for share, side in zip(part, SENSOR * 2, strict=True))
    return np.asarray(cv2.resize(seen[y : y + h, x : x + w], (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)


def judged(models: Models, image: Image, cards: tuple[Card, ...]) -> Counter[str]:
    """How many of the cards are surely right, surely wrong, and neither."""
    seen = [one.reading for one in read_photo(image, models) if models.is_sure(one.reading)]
    said, laid = Counter(reading.card for reading in seen), Counter(cards)
    right = sum((said & laid).values())
    return Counter(right=right, wrong=len(seen) - right, unsure=len(cards) - right)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tables", type=int, default=12)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    models, counts = load_models(), {name: Counter[str]() for name in PARTS}
    for seed in range(a.tables):
        level = list(Level)[seed % len(Level)]
        cards = tuple(Card.parse(face) for face in Random(f"gain {seed}").sample(FACES, 12))
        seen = sensor(SetUpTable(Look.draw(seed, level, style=ANY_STYLE), cards=spread(cards)))
        for name, part in PARTS.items():
            counts[name] += judged(models, shown(seen, part), cards)
    print(f"{12 * a.tables} cards on {a.tables} tables")
    for name, count in counts.items():
        print(f"{name}: {count['right']} surely right, {count['wrong']} surely wrong, {count['unsure']} not said")


if __name__ == "__main__":
    main()
