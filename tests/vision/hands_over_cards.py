"""Cards with a hand over them: hands pasted over the cards of photographs whose sources took no part in training.

    python tests/vision/hands_over_cards.py ../shared/data       # every third photograph
    python tests/vision/hands_over_cards.py ../shared/data --sheet hands.jpg

Prints a Markdown table. Not collected by pytest. Only photographs that are read right without a hand take part: where
their card lies is known from that reading. A hand covers a quarter to six tenths of the card and leaves at least one of
its corner indices in sight. The hands themselves (data/hands) are also in the training scenes; the photographs are not.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from photo_trials import options, read_right, report

from referee.frame import Image
from referee.training.stuff import Stuff, placed_hand
from referee.vision.indices import on_card
from referee.vision.nets import load_models

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


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--seed", type=int, help=f"{SEED}, and {TUNING_SEED} with --tuning")
    parser.add_argument("--sheet", type=Path, help="where to put a picture of those not read right")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, stuff = load_models(given.models), Stuff.load(given.data)
    seed = given.seed or (TUNING_SEED if given.tuning else SEED)
    hands = (
        (photo, with_hand(image, quad, stuff, np.random.default_rng([seed, number])))
        for number, photo, image, quad in read_right(given, models)
    )
    report("photographs with a hand", ((photo, held) for photo, held in hands if held is not None), models, given.sheet)


if __name__ == "__main__":
    main()
