"""Where the faces of rendered scenes are lost: one line for every cause, over the scenes of `referee train --evaluate`.

    python tests/vision/lost_faces.py --scenes 40 --sheet lost.png
    python tests/vision/lost_faces.py --scenes 100 --kinds pile
    python tests/vision/lost_faces.py --scenes 100 --kinds pile --photos ../shared/data
    python tests/vision/lost_faces.py --scenes 100 --kinds fan hand --tuning --aslant

Prints Markdown tables: of the faces, with those that were said and are not there; of how many of the faces that were
asked about are there, by how likely they were told to be; and of the top cards of piles.
Not collected by pytest. A face counts as in `referee.training.evaluate.truth`. --sheet puts the corners of lost faces
that were found into one picture, with what is there and what was read; --failures the ten worst scenes: those in which
a face was said that is not there, then those that lost the top card, then those in which most faces were not said.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from aslant import aslant

from referee.frame import Image
from referee.observations import SeenCard
from referee.training.decks import draw_decks
from referee.training.evaluate import (
    DECK_SEED,
    DECKS,
    SHOWN,
    TUNING_DECK_SEED,
    Failure,
    Score,
    card_of,
    judge,
    photographed_decks,
    scenes,
    sheet,
    truth,
)
from referee.training.indices import CLEAR, in_sight
from referee.training.scenes import Scene
from referee.training.stuff import Stuff
from referee.vision.classes import NO_FACE
from referee.vision.indices import INDEX_MM, IndexReading, corner_picture, on_card
from referee.vision.nets import Models, load_models, same_place
from referee.vision.reading import indices_in, is_certain, read_hand, read_photo

NEAR_MM = 4.5
"""An index found so near to a card's is that card's."""

CAUSES = (
    "said", "no index in sight, picture unsure", "index not found", "index read wrong", "index right but unsure",
    "index sure, not believed",
)  # fmt: skip

TOPS = (
    "right", "another card said", "not found", "read unsure", "read wrong", "too dark or bright",
    "not known to be on top",
)  # fmt: skip


def of_card(scene: Scene, i: int, indices: Sequence[IndexReading]) -> list[IndexReading] | None:
    """The indices found where the i-th card shows one, None when it shows none."""
    quad = scene.quads[i]
    ends = [end for end in (quad, np.roll(quad, 2, 0)) if scene.indices[i] and in_sight(scene, i, end) >= CLEAR]
    reach = NEAR_MM * float(np.hypot(*(quad[3] - quad[0]))) / 87
    places = [on_card(end, np.array([INDEX_MM], np.float32))[0] for end in ends]
    return [x for x in indices if any(np.hypot(*(x.centre - p)) < reach for p in places)] if ends else None


def top_cause(scene: Scene, cards: Sequence[SeenCard], models: Models) -> str | None:
    """What became of the scene's top card, one of `TOPS`; None without one."""
    score = Score()
    judge(score, scene, list(cards), lambda card: is_certain(card, models))
    if not score.tops:
        return None
    if score.top_right or score.top_wrong:
        return TOPS[0 if score.top_right else 1]
    face = card_of(scene, len(scene.quads) - 1)
    own = [card for card in cards if same_place(np.array(card.quad, np.float32), scene.quads[-1])]
    if not own:
        return TOPS[2]
    if not any(models.is_sure(card.reading) for card in own):
        return TOPS[3]
    if not any(models.is_sure(card.reading) and card.reading.card == face for card in own):
        return TOPS[4]
    return TOPS[6 if any(is_certain(card, models) for card in own) else 5]


def wrong_faces(scene: Scene, cards: Sequence[SeenCard], models: Models) -> int:
    """How many faces were said that are not there."""
    there = Counter(card_of(scene, i) for i in range(len(scene.quads)) if scene.rank[i] != NO_FACE)
    return (Counter(card.reading.card for card in cards if is_certain(card, models)) - there).total()


def causes(
    name: str, scene: Scene, cards: Sequence[SeenCard], models: Models, tiles: list[Image]
) -> Counter[str]:
    """Every face of one scene under the cause of its loss."""
    said = Counter(card.reading.card for card in cards if is_certain(card, models))
    indices = indices_in(scene.image, models)
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


def asked_about(answers: Sequence[tuple[float, bool]], sure: float) -> list[str]:
    """Faces that were asked about and are there, and all of them, by how likely they were told to be: a Markdown table.
    answers: as in `Score`."""
    bounds = (0.0, 0.2, 0.4, 0.6, 0.8, sure)
    cells = []
    for low, high in pairwise(bounds):
        good = [right for told, right in answers if low <= told < high]
        cells.append(f"{sum(good)} of {len(good)}")
    heads = [f"{low:.1f} to {high:.1f}" for low, high in pairwise(bounds)]
    return ["| asked about, told with | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|",
            "| are there | " + " | ".join(cells) + " |"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--seed", type=int, help="5, and 77 with --tuning")
    parser.add_argument("--models", type=Path, help="other networks than the shipped ones")
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--failures", type=Path, help="where to put the worst scenes")
    parser.add_argument("--tuning", action="store_true", help="the decks that settings are chosen on")
    parser.add_argument("--fonts", type=Path, help="draw six decks in ten in typefaces of this folder (needs Pillow)")
    parser.add_argument("--aslant", action="store_true", help="seen from the side, by 35 to 60 degrees")
    parser.add_argument("--photos", type=Path, metavar="DATA", help="the validation sources' photographed cards")
    parser.add_argument("--kinds", nargs="+", default=["single", "pile", "fan", "hand"], metavar="KIND")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models = load_models(given.models)
    decks_seed, seed = (TUNING_DECK_SEED, 77) if given.tuning else (DECK_SEED, 5)
    seed = seed if given.seed is None else given.seed
    stuff = Stuff.made(decks_seed)
    if given.photos is None:
        typefaces: tuple[str, ...] = ()
        if given.fonts:
            from referee.faces.typefaces import usable  # needs Pillow

            typefaces = usable(given.fonts)
        decks = draw_decks(DECKS, decks_seed, lambda done, of: None, typefaces=typefaces)
    else:
        decks = photographed_decks(given.photos, models)
    tiles: list[Image] = []
    tops: Counter[str] = Counter()
    failures: list[Failure] = []
    together = Score()
    print("| scene | faces | wrong | " + " | ".join(CAUSES) + " |\n" + "|---" * (len(CAUSES) + 3) + "|")
    for name in given.kinds:
        count: Counter[str] = Counter()
        wrong = 0
        for number, scene in enumerate(scenes(name, decks, stuff, given.scenes, seed)):
            if given.aslant:
                scene = aslant(scene, np.random.default_rng([seed, number]))
            cards = (read_hand if name in SHOWN else read_photo)(scene.image, models)
            lost = causes(name, scene, cards, models, tiles)
            count += lost
            wrong += wrong_faces(scene, cards, models)
            top = top_cause(scene, cards, models) if name == "pile" else None
            tops.update([] if top is None else [top])
            good = judge(together, scene, cards, lambda card: is_certain(card, models))
            missing = lost.total() - lost["said"]
            if not good or missing or top not in (None, TOPS[0]):
                failures.append(Failure(name, scene, cards, not good, top not in (None, TOPS[0]), missing))
        row = " | ".join(str(count[cause]) for cause in CAUSES)
        print(f"| {name} | {count.total()} | {wrong} | {row} |", flush=True)
    print("\n" + "\n".join(asked_about(together.answers, models.sure)))
    if tops:
        print("\n| tops | " + " | ".join(TOPS) + " |\n" + "|---" * (len(TOPS) + 1) + "|")
        print(f"| {tops.total()} | " + " | ".join(str(tops[cause]) for cause in TOPS) + " |")
    if given.failures is not None:
        cv2.imwrite(str(given.failures), sheet(failures, models), [cv2.IMWRITE_JPEG_QUALITY, 80])
    if given.sheet is not None and tiles:
        tiles += [np.zeros((150, 120, 3), np.uint8)] * (-len(tiles) % 12)
        cv2.imwrite(str(given.sheet), np.vstack([np.hstack(tiles[i : i + 12]) for i in range(0, len(tiles), 12)]))


if __name__ == "__main__":
    main()
