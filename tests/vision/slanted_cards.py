"""Cards seen from close by at a slant: photographs whose sources took no part in training, as a camera would see them
from the side.

    python tests/vision/slanted_cards.py ../shared/data          # every third photograph
    python tests/vision/slanted_cards.py ../shared/data --tuning --steep --sheet slanted.jpg

Prints a Markdown table. Not collected by pytest. Only photographs that are read right as a whole and show a card at
least 140 pixels high take part: where their card lies is known from that reading. The picture is turned in space about
the card by up to 60 degrees (--steep: 40 to 66, from nearer), so that it may reach out; more than 55 % of the card are
left, with at least one of its indices. Beside the picture's edge lies its edge's colour.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from cut_off_cards import inside
from hands_over_cards import INDEX_BOX_MM, grid
from photo_trials import options, read_right, report

from referee.frame import Image
from referee.vision.indices import on_card
from referee.vision.mat import CARD_MM
from referee.vision.nets import load_models
from referee.vision.warp import QuadArray

SEED = 3
SIDES_PX = (640, 480)
"""Of the picture, either way up."""
SIZES = (0.75, 1.7)
"""Height of the card where it is nearest to flat, in shorter sides of the picture."""
TILTS, STEEP = (0.0, 60.0), (40.0, 66.0)
"""Degrees from straight above."""
FOCAL, NEAR = (1.0, 2.5), (0.8, 1.6)
"""Focal lengths, in longer sides of the picture; the second with `STEEP`."""
LEAST_PX, LEFT = 140.0, 0.55
"""Height of the card in the photograph, and share of it that is left."""


def seen_from(tilt: float, focal_px: float, size_px: float, rng: np.random.Generator) -> QuadArray | None:
    """A card's corners about (0, 0), pixels, tilted by so many radians about any axis; None where a part of it would
    be at the camera or behind it."""
    turn, axis = rng.uniform(0, 2 * np.pi, 2)
    flat = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * CARD_MM * size_px / CARD_MM[1]
    flat = flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    along, across = np.array([np.cos(axis), np.sin(axis)]), np.array([-np.sin(axis), np.cos(axis)])
    u, v = flat @ along, flat @ across
    depth = focal_px + v * np.sin(tilt)
    if depth.min() < 0.3 * focal_px:
        return None
    seen = np.outer(u * focal_px / depth, along) + np.outer(v * np.cos(tilt) * focal_px / depth, across)
    return seen.astype(np.float32)


def slanted(image: Image, quad: QuadArray, steep: bool, rng: np.random.Generator) -> Image | None:
    """The picture from the side, None when no try of many leaves as much of the card as asked."""
    edge = np.median(np.vstack([image[0], image[-1], image[:, 0], image[:, -1]]), axis=0)
    for _ in range(100):
        size = np.array(SIDES_PX if rng.random() < 0.5 else SIDES_PX[::-1])
        tilt = np.deg2rad(rng.uniform(*(STEEP if steep else TILTS)))
        focal = max(SIDES_PX) * rng.uniform(*(NEAR if steep else FOCAL))
        seen = seen_from(tilt, focal, min(SIDES_PX) * rng.uniform(*SIZES), rng)
        if seen is None:
            continue
        seen = (seen + size / 2 + rng.uniform(-0.35, 0.35, 2) * min(SIDES_PX)).astype(np.float32)
        none, most = np.zeros(2, np.int64), size.astype(np.int64)
        signs = [on_card(end, grid(*INDEX_BOX_MM)) for end in (seen, np.roll(seen, 2, 0))]
        left = inside(on_card(seen, grid(0, 0, *CARD_MM)), none, most)
        if left > LEFT and max(inside(sign, none, most) for sign in signs) == 1:
            view = cv2.getPerspectiveTransform(quad, seen)
            w, h = (int(side) for side in size)
            return np.asarray(cv2.warpPerspective(image, view, (w, h), borderValue=edge.tolist()), np.uint8)
    return None


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--steep", action="store_true", help="from farther aside and nearer")
    parser.add_argument("--times", type=int, default=3, help="pictures of each photograph")
    parser.add_argument("--sheet", type=Path, help="where to put a picture of those not read right")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models = load_models(given.models)
    views = (
        (photo, slanted(image, quad, given.steep, np.random.default_rng([given.seed, number, time])))
        for number, photo, image, quad in read_right(given, models)
        if np.hypot(*(quad[3] - quad[0])) >= LEAST_PX
        for time in range(given.times)
    )
    report("slanted photographs", ((photo, view) for photo, view in views if view is not None), models, given.sheet)


if __name__ == "__main__":
    main()
