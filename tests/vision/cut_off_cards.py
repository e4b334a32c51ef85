"""Cards that reach out of the picture: photographs whose sources took no part in training, cut so that a part of the
card is left.

    python tests/vision/cut_off_cards.py ../shared/data          # every third photograph
    python tests/vision/cut_off_cards.py ../shared/data --tuning --sheet cut.jpg

Prints a Markdown table. Not collected by pytest. Only photographs that are read right as a whole take part: where their
card lies is known from that reading. Between 45 and 80 % of the card are left, with at least one of its indices.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from hands_over_cards import INDEX_BOX_MM, grid
from photo_trials import options, read_right, report

from referee.frame import Image
from referee.vision.indices import on_card
from referee.vision.nets import load_models

SEED = 19
LEFT = (0.45, 0.8)
"""Share of the card that is left in the picture."""
SIDES = (0.5, 1.2)
"""Width and height of the picture that is left, in heights of the card."""


def inside(points: npt.NDArray[np.float32], low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]) -> float:
    """Share of the points between the corners of a box."""
    return float(((points >= low) & (points < high)).all(1).mean())


def cut(image: Image, quad: npt.NDArray[np.float32], rng: np.random.Generator) -> Image | None:
    """A part of the picture with a part of the card, None when none of many tries leaves as much as asked."""
    size = float(np.hypot(*(quad[3] - quad[0])))
    whole = on_card(quad, grid(0, 0, 56, 87))
    signs = [on_card(end, grid(*INDEX_BOX_MM)) for end in (quad, np.roll(quad, 2, 0))]
    for _ in range(400):
        sides = size * rng.uniform(*SIDES, 2)
        middle = quad.mean(0) + rng.uniform(-0.6, 0.6, 2) * size
        low = np.maximum(0, middle - sides / 2).astype(int)
        high = np.minimum(image.shape[1::-1], middle + sides / 2).astype(int)
        if (high - low).min() < size * SIDES[0] * 0.8:
            continue
        if LEFT[0] <= inside(whole, low, high) <= LEFT[1] and max(inside(sign, low, high) for sign in signs) == 1:
            return np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
    return None


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--sheet", type=Path, help="where to put a picture of those not read right")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models = load_models(given.models)
    parts = (
        (photo, cut(image, quad, np.random.default_rng([given.seed, number])))
        for number, photo, image, quad in read_right(given, models)
    )
    report("cut photographs", ((photo, part) for photo, part in parts if part is not None), models, given.sheet)


if __name__ == "__main__":
    main()
