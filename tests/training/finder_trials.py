"""How well the two finders find cards and their indices in rendered scenes with exact truth, before anything is read.

    python tests/training/finder_trials.py --models models --models models-before --tuning

Prints two Markdown tables, a row for each folder and kind of scene. Not collected by pytest. The scenes are those of
`referee train --evaluate`: its decks, or with --tuning the decks that settings are chosen on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from referee.training.decks import draw_decks
from referee.training.evaluate import DECK_SEED, DECKS, TUNING_DECK_SEED, scenes
from referee.training.indices import CLEAR, HIDDEN, in_sight
from referee.training.scenes import Scene
from referee.training.stuff import Stuff
from referee.vision.classes import NO_FACE, Floats
from referee.vision.indices import INDEX_MM, MARK_MM, box_mm, off_mm, on_card
from referee.vision.mat import CARD_MM
from referee.vision.merge import LEAST_SCORE
from referee.vision.nets import Models, load_models, same_place
from referee.vision.warp import QuadArray

KINDS = ("single", "pile", "fan", "hand", "foreign")

NEAR_MM = 4.5
"""An index found so near to a card's is that card's."""

BELIEVED = (0.2, LEAST_SCORE)
"""Scores from which an index is looked at, and from which it may be a card of its own."""


def height_px(quad: QuadArray) -> float:
    return float(np.hypot(*(quad[3] - quad[0])))


def centre(quad: QuadArray) -> Floats:
    return np.asarray(on_card(quad, np.array([INDEX_MM], np.float32))[0], np.float32)


def ends(quad: QuadArray) -> tuple[QuadArray, QuadArray]:
    return quad, np.roll(quad, 2, 0)


class Indices:
    """What became of the indices of some scenes: the score of each, 0 where it was not found; those of what is none;
    how far the corner's four points were off, millimetres."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.false: list[float] = []
        self.off_mm: list[float] = []

    def count(self, scene: Scene, found: Sequence[tuple[float, QuadArray]]) -> None:
        clear, other = [], []
        for i, quad in enumerate(scene.quads):
            for end in ends(quad):
                seen = in_sight(scene, i, end)
                if scene.rank[i] != NO_FACE and scene.indices[i] and seen >= CLEAR:
                    clear.append(end)
                elif seen >= HIDDEN:
                    other.append((end, NEAR_MM))
            if scene.indices[i] == 4:
                other += [(np.roll(quad, turn, 0), 2 * NEAR_MM) for turn in (1, 3)]
        scores = [0.0] * len(clear)
        for score, quad in found:
            hit = next((k for k, end in enumerate(clear) if is_near(quad, end, NEAR_MM)), None)
            if hit is not None:
                scores[hit] = max(scores[hit], score)
                marks = [on_card(one, box_mm(*MARK_MM)) for one in (quad, clear[hit])]
                self.off_mm.append(float(np.abs(marks[0] - marks[1]).mean()) * CARD_MM[1] / height_px(clear[hit]))
            elif not any(is_near(quad, end, reach) for end, reach in other):
                self.false.append(score)
        self.scores += scores

    def row(self) -> str:
        scores, false = np.array(self.scores), np.array(self.false)
        shares = " | ".join(f"{(scores >= least).mean():.1%}" if len(scores) else "" for least in BELIEVED)
        wrong = " | ".join(str(int((false >= least).sum())) for least in BELIEVED)
        off = f"{np.median(self.off_mm):.2f}" if self.off_mm else ""
        return f"{len(scores)} | {shares} | {wrong} | {off} |"


def is_near(quad: QuadArray, end: QuadArray, mm: float) -> bool:
    return off_mm(end, centre(quad)) < mm


class Cards:
    """What became of the cards: how far corners were off, shares of the card's height; how far the visible share was
    off; log loss of the belief that nothing lies on them; and finds that are no cards."""

    def __init__(self) -> None:
        self.there = self.false = 0
        self.off: list[float] = []
        self.seen: list[float] = []
        self.top: list[float] = []

    def count(self, scene: Scene, models: Models) -> None:
        left = list(np.flatnonzero(scene.in_view()))
        self.there += len(left)
        for found in models.finder.find(scene.image):
            mine = [i for i in left if same_place(found.quad, scene.quads[i])]
            if not mine:
                self.false += 1
                continue
            off = {i: min(float(np.abs(found.quad - end).mean()) for end in ends(scene.quads[i])) for i in mine}
            i = min(mine, key=lambda i: off[i])
            left.remove(i)
            self.off.append(off[i] / found.height_px)
            self.seen.append(abs(found.visible - float(scene.visible[i])))
            self.top.append(-float(np.log(max(1e-3, found.top if scene.top[i] else 1 - found.top))))

    def row(self) -> str:
        means = f"{np.median(self.off):.2%} | {np.mean(self.seen):.3f} | {np.mean(self.top):.3f}"
        return f"{self.there} | {len(self.off) / self.there:.1%} | {self.false} | {means} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, action="append", required=True)
    parser.add_argument("--scenes", type=int, default=60, help="of each kind")
    parser.add_argument("--tuning", action="store_true", help="the decks that settings are chosen on")
    given = parser.parse_args()
    decks_seed, seed = (TUNING_DECK_SEED, 77) if given.tuning else (DECK_SEED, 5)
    decks, stuff = draw_decks(DECKS, decks_seed, lambda done, of: None), Stuff.made(decks_seed)
    rows: list[str] = []
    print("| indices | scenes | there | found from 0.2 | from 0.4 | false from 0.2 | from 0.4 | off, mm |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in given.models:
        models = load_models(folder)
        for kind in KINDS:
            indices, cards = Indices(), Cards()
            for scene in scenes(kind, decks, stuff, given.scenes, seed):
                indices.count(scene, models.indices.places(scene.image, [height_px(quad) for quad in scene.quads]))
                cards.count(scene, models)
            print(f"| {folder.name} | {kind} | {indices.row()}", flush=True)
            rows.append(f"| {folder.name} | {kind} | {cards.row()}")
    print("\n| cards | scenes | in view | found | false | corners off | visible off | top, nats |")
    print("|---|---|---|---|---|---|---|---|", *rows, sep="\n")


if __name__ == "__main__":
    main()
