"""Fans, piles and hands of a deck before and after it was enrolled: what its own heads say of indices.

    python tests/vision/enrolled_scenes.py ../shared/data --scenes 40

Prints a Markdown table: of each deck the faces in the scenes, and those that are said right and wrong before and after,
and at last those said of each deck with the heads of the one below it. Not collected by pytest. The decks are those of
`enrolment_trials.py`, enrolled as there, and two odd ones, with words for symbols, in pale and in dark colours; scenes
are rendered as `referee train --evaluate` has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from enrolment_trials import DECK_SEED, chosen, enrolled

from referee.cards import FACES
from referee.faces import Design, draw_back, draw_face
from referee.training.decks import CARD_PX, Pictures, classes, draw_decks
from referee.training.evaluate import Score, art_deck, evaluate
from referee.training.stuff import Stuff
from referee.vision.nets import Models, load_models

PALE = Design(
    tints=((150, 130, 240), (120, 225, 250), (150, 205, 160), (225, 190, 160)), oval="none", font="triplex",
    skip="word", reverse="word", draw="word", wild="word", wild_draw="word", border=3, centre_fill="black",
    corner_fill="black", underline="none",
)  # fmt: skip
DARK = replace(PALE, font="stroke", tints=((40, 40, 190), (30, 170, 200), (60, 120, 40), (150, 60, 30)), border=0)

KINDS = ("fan", "pile", "hand")
SEED = 6


def drawn_deck(design: Design) -> Pictures:
    """The 54 faces of a design, and its back."""
    labels = [classes(card) for card in (*FACES, None)]
    drawn = [draw_face(card, design, CARD_PX[1]) for card in FACES] + [draw_back(design, CARD_PX[1])]
    images = np.stack([np.asarray(cv2.resize(picture[..., :3], CARD_PX), np.uint8) for picture in drawn])
    colour, rank = (np.array(column, np.int8) for column in zip(*labels, strict=True))
    n = len(drawn)
    indices = np.array([2] * len(FACES) + [0], np.int8)
    return Pictures(images, colour, rank, np.zeros(n, np.int16), np.full(n, 0.07, np.float32), indices)


def scores(deck: Pictures, stuff: Stuff, models: Models, count: int) -> list[Score]:
    return [evaluate(kind, deck, stuff, models, count, SEED) for kind in KINDS]


def line(name: str, before: Sequence[Score], after: Sequence[Score]) -> str:
    cells = [
        f"{one.faces} | {one.right}, {one.said - one.right} | {two.right}, {two.said - two.right}"
        for one, two in zip(before, after, strict=True)
    ]
    return f"| {name} | {' | '.join(cells)} |"


def total(some: Sequence[Sequence[Score]]) -> list[Score]:
    """Each kind's scores of all decks together."""
    return [
        Score(faces=sum(s.faces for s in each), said=sum(s.said for s in each), right=sum(s.right for s in each))
        for each in zip(*some, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--decks", type=int, default=8)
    parser.add_argument("--scenes", type=int, default=40, help="of each kind and deck")
    parser.add_argument("--deck-seed", type=int, default=DECK_SEED)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, stuff = load_models(), Stuff.made(DECK_SEED)
    drawn = draw_decks(given.decks, given.deck_seed, lambda done, of: None)
    decks = {f"drawn {n + 1}": chosen(drawn, n) for n in range(given.decks)}
    decks |= {"words, pale": drawn_deck(PALE), "words, dark": drawn_deck(DARK)}
    decks["an artist's"] = art_deck(given.data / "card_art" / "jh0ker_classic_png")
    print("| deck | " + " | ".join(f"{kind}: faces | right, wrong before | after" for kind in KINDS) + " |")
    print("|---" * (1 + 3 * len(KINDS)) + "|")
    before = {name: scores(deck, stuff, models, given.scenes) for name, deck in decks.items()}
    after, others = [], []
    names = list(decks)
    for number, name in enumerate(names):
        mine = enrolled(decks[name], stuff, models, 100 + number)
        after.append(scores(decks[name], stuff, mine, given.scenes))
        others.append(scores(decks[names[number - 1]], stuff, mine, given.scenes))
        print(line(name, before[name], after[-1]), flush=True)
    print(line("all", total(list(before.values())), total(after)))
    print(line("each, with the heads of the next", total(list(before.values())), total(others)))


if __name__ == "__main__":
    main()
