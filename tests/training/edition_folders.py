"""Cards of other editions and games that networks learn to refuse, and others that only measure, in designs like ours.

    python tests/training/edition_folders.py editions fonts  # editions/train, editions/held_out

A +1, a +6 or a 10 of the deck's own look, coloured or wild. Each deck is of a random design; those of one folder have
typefaces of the other's fonts nowhere (`font_folders.py` makes `fonts`). Takes two minutes. Not collected by pytest.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import cv2

from referee.cards import Colour
from referee.faces import draw_text_card, random_design
from referee.faces.forms import random_forms
from referee.faces.typefaces import usable

COLOURED = ("+1", "+3", "+4", "+5", "+6", "+8", "+10", "10", "11", "12", "13", "15", "20")
NOT_NUMBERS = ("A", "K", "Q", "ALL", "FLIP", "DISCARD")
WILD = ("+1", "+2", "+6", "+10")
"""What is in the middle and in the corners. No face looks so."""
DECKS, SEEDS, HEIGHT_PX = {"train": 300, "held_out": 20}, {"train": 301, "held_out": 302}, 320


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("fonts", type=Path)
    given = parser.parse_args()
    for part, count in DECKS.items():
        typefaces = usable(given.fonts / part)
        rng = random.Random(SEEDS[part])
        for number in range(count):
            design = random_design(rng, typefaces=typefaces, forms=random_forms)
            folder = given.out / part / f"{number:02}"
            folder.mkdir(parents=True, exist_ok=True)
            for text in (*COLOURED, *NOT_NUMBERS):
                card = draw_text_card(text, design, HEIGHT_PX, rng.choice(list(Colour)))
                cv2.imwrite(str(folder / f"{text}.png"), card[..., :3])
            for text in WILD:
                cv2.imwrite(str(folder / f"wild{text}.png"), draw_text_card(text, design, HEIGHT_PX)[..., :3])


if __name__ == "__main__":
    main()
