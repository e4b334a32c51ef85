"""Where the faces of rendered scenes are lost: one line for every cause, over the scenes of `referee train --evaluate`.

    python tests/vision/lost_faces.py --scenes 40 --sheet lost.png

Prints a Markdown table. Not collected by pytest. A face counts as in `referee.training.evaluate.truth`. --sheet puts
the corners of lost faces that were found into one picture, with what is there and what was read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from referee.frame import Image
from referee.training.evaluate import DECK_SEED, SHOWN, card_of, drawn_decks, scenes, truth
from referee.training.indices import CLEAR, in_sight
from referee.training.scenes import Scene
from referee.training.stuff import Stuff
from referee.vision.indices import INDEX_MM, IndexReading, corner_picture, on_card
from referee.vision.nets import Models, load_models
from referee.vision.reading import is_certain, read_hand, read_photo

NEAR_MM = 4.5
"""An index found so near to a card's is that card's."""

CAUSES = (
    "said", "no index in sight, picture unsure", "index not found", "index read wrong", "index right but unsure",
    "index sure, not believed",
)  # fmt: skip


def of_card(scene: Scene, i: int, indices: Sequence[IndexReading]) -> list[IndexReading] | None:
    """The indices found where the i-th card shows one, None when it shows none."""
    quad = scene.quads[i]
    ends = [end for end in (quad, np.roll(quad, 2, 0)) if scene.indices[i] and in_sight(scene, i, end) >= CLEAR]
    reach = NEAR_MM * float(np.hypot(*(quad[3] - quad[0]))) / 87
    places = [on_card(end, np.array([INDEX_MM], np.float32))[0] for end in ends]
    return [x for x in indices if any(np.hypot(*(x.centre - p)) < reach for p in places)] if ends else None


def causes(name: str, scene: Scene, models: Models, tiles: list[Image]) -> Counter[str]:
    """Every face of one scene under the cause of its loss."""
    cards = (read_hand if name in SHOWN else read_photo)(scene.image, models)
    said = Counter(card.reading.card for card in cards if is_certain(card, models))
    heights = [found.height_px for found in models.finder.find(scene.image)]
    indices = models.indices.find(scene.image, heights, thorough=True)
    count: Counter[str] = Counter()
    for i in truth(scene):
        face = card_of(scene, i)
        if said[face] > 0:
            said[face] -= 1
            count["said"] += 1
            continue
        own = of_card(scene, i, indices)
        right = [x for x in own or [] if x.reading.card == face]
        if own is None:
            count[CAUSES[1]] += 1
        elif not own:
            count[CAUSES[2]] += 1
        elif not right:
            count[CAUSES[3]] += 1
        else:
            count[CAUSES[5 if any(models.is_sure(x.reading) for x in right) else 4]] += 1
        for x in own or []:
            tile = cv2.resize(corner_picture(scene.image, x.quad), (120, 150), interpolation=cv2.INTER_LINEAR)
            text = f"{face}: {x.reading.notation} {x.reading.confidence:.2f}"
            cv2.putText(tile, text, (2, 146), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 255), 1, cv2.LINE_AA)
            tiles.append(np.asarray(tile, np.uint8))
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--models", type=Path, help="other networks than the shipped ones")
    parser.add_argument("--sheet", type=Path)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, stuff, decks = load_models(given.models), Stuff.made(DECK_SEED), drawn_decks()
    tiles: list[Image] = []
    print("| scene | faces | " + " | ".join(CAUSES) + " |\n" + "|---" * (len(CAUSES) + 2) + "|")
    for name in ("single", "pile", "fan", "hand"):
        count: Counter[str] = Counter()
        for scene in scenes(name, decks, stuff, given.scenes, given.seed):
            count += causes(name, scene, models, tiles)
        print(f"| {name} | {count.total()} | " + " | ".join(str(count[cause]) for cause in CAUSES) + " |", flush=True)
    if given.sheet is not None and tiles:
        tiles += [np.zeros((150, 120, 3), np.uint8)] * (-len(tiles) % 12)
        cv2.imwrite(str(given.sheet), np.vstack([np.hstack(tiles[i : i + 12]) for i in range(0, len(tiles), 12)]))


if __name__ == "__main__":
    main()
