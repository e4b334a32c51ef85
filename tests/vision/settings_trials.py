"""What the eye says of rendered scenes of the decks that settings are chosen on, with other networks and settings.

    python tests/vision/settings_trials.py --models DIR
    python tests/vision/settings_trials.py --set ALONE=0.93 --set ALONE=0.93,PARTLY=0.95

Prints a Markdown table: a row for the settings as they are, and one for each --set. Not collected by pytest. A setting
is a number of a module of `referee.vision`, changed wherever it is used under that name; `score` and `index_score` are
those of the manifest. What the networks answered is kept: each row after the first takes a fraction of its
time.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.training.decks import draw_decks
from referee.training.evaluate import DECKS, SHOWN, TUNING_DECK_SEED, Score, judge, scenes
from referee.training.scenes import Scene
from referee.training.stuff import Stuff
from referee.vision import nets
from referee.vision.reading import is_certain, read_hand, read_photo

SEED = 77
SCENES = {"single": 20, "pile": 100, "fan": 60, "hand": 60, "foreign": 80}
OF_MANIFEST = {"score": ("finder", "_score"), "index_score": ("indices", "_score")}


@dataclass
class Remembering:
    """A network that answers from memory what it was asked before."""

    network: cv2.dnn.Net
    answers: dict[bytes, Any] = field(default_factory=dict)
    asked: Any = None

    def setInput(self, blob: Any) -> None:
        self.asked = np.ascontiguousarray(blob)

    def forward(self) -> Any:
        key = hashlib.blake2b(self.asked, digest_size=16).digest() + str(self.asked.shape).encode()
        if key not in self.answers:
            self.network.setInput(self.asked)
            self.answers[key] = self.network.forward().copy()
        return self.answers[key]


def remembering(folder: Path | None) -> nets.Models:
    plain = nets._network
    nets._network = lambda path, files: Remembering(plain(path, files))
    try:
        return nets.load_models(folder)
    finally:
        nets._network = plain


@contextmanager
def settings(text: str, models: nets.Models) -> Iterator[nets.Models]:
    """The settings of NAME=VALUE,... for a while."""
    before: list[tuple[Any, str, Any]] = []
    for one in filter(None, text.split(",")):
        name, value = one.split("=")
        owners = [m for key, m in sys.modules.items() if key.startswith("referee.vision.") and hasattr(m, name)]
        if name in OF_MANIFEST:
            part, name = OF_MANIFEST[name]
            owners = [getattr(models, part)]
        if not owners:
            raise SystemExit(f"--set {text}: no module of referee.vision has {name}")
        before += [(owner, name, getattr(owner, name)) for owner in owners]
        for owner in owners:
            setattr(owner, name, float(value))
    try:
        yield models
    finally:
        for owner, name, old in before:
            setattr(owner, name, old)


def row(what: str, made: dict[str, list[Scene]], models: nets.Models) -> str:
    cells, total = [], Score()
    for kind, some in made.items():
        score = Score()
        for scene in some:
            cards = (read_hand if kind in SHOWN else read_photo)(scene.image, models)
            judge(score, scene, cards, lambda card: is_certain(card, models))
        wrong = score.said - score.right
        cells.append(f"{score.said}" if kind == "foreign" else f"{score.right} ({wrong})")
        if kind == "pile":
            cells.append(f"{score.top_right} ({score.top_wrong})")
        if kind != "foreign":
            total.right, total.said = total.right + score.right, total.said + score.said
    return f"| {what} | {total.right} ({total.said - total.right}) | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, help="other networks than the shipped ones")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE,...")
    parser.add_argument("--only", action="store_true", help="leave out the row of the settings as they are")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models = remembering(given.models)
    decks, stuff = draw_decks(DECKS, TUNING_DECK_SEED, lambda done, of: None), Stuff.made(TUNING_DECK_SEED)
    made = {kind: list(scenes(kind, decks, stuff, count, SEED)) for kind, count in SCENES.items()}
    names = [f"{kind}, wrong" for kind in SCENES]
    names.insert(list(SCENES).index("pile") + 1, "top card, wrong")
    names[-1] = "said of other games' cards"
    print(f"| settings | right, wrong | {' | '.join(names)} |\n" + "|---" * (len(names) + 2) + "|")
    for text in ([] if given.only else [""]) + given.set:
        with settings(text, models):
            print(row(text or "as they are", made, models), flush=True)


if __name__ == "__main__":
    main()
