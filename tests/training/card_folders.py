"""Other games' cards that networks learn to refuse, and others that only measure: two folders of playing cards.

    apt-get install -y librsvg2-bin $(python tests/training/card_folders.py --packages)
    python tests/training/card_folders.py cards     # cards/train for `referee train --other-games`, cards/held_out

Draws the cards of Debian's (bookworm's) decks for solitaire. Decks that are drawn after one another are in one folder
only, and of two of one name there is one. Takes some ten minutes. Not collected by pytest. The cards are not ours and
are not committed.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from folder_script import given_folder

from referee.frame import Image

PACKAGES = {
    "gnome-cards-data": Path("/usr/share/aisleriot/cards"), "kdegames-card-data-kf5": Path("/usr/share/carddecks")
}  # fmt: skip
TRAIN = {
    "ancient_french", "anglo", "anglo_modern", "anglo_modern_4_color", "anglo_poker", "atlasnye", "atlasnye_skat",
    "bellot", "berlin", "german", "guyenne-classic", "jolly-royal", "neoclassical", "neoclassical_4_color", "oxygen",
    "oxygen-air", "oxygen-white", "paris", "penguins", "plastic", "standard", "swiss-xvii", "tigullio",
    "tigullio-international",
}  # fmt: skip
HELD_OUT = {
    "Ancient_Egyptians", "dondorf", "gnomangelo", "lattmann", "orell", "ornamental", "rheinland", "simplistic",
    "slavic_costumes", "tango", "tango_nuevo", "tarocco", "white",
}  # fmt: skip
SUITS = ("club", "diamond", "heart", "spade")
RANKS = (*map(str, range(1, 11)), "jack", "queen", "king")

PAGES_PX, LEAST_PX, MOST_PX = (420, 1900), 200, 450
"""Heights of the page that a card is drawn on, the second where the card comes out smaller than the least."""
PROPORTIONS = (1.2, 1.8)
"""Of a card, height for width. What is narrower or wider was cut off by its page."""


def drawn(deck: Path, name: str, scratch: Path) -> Image | None:
    """The card of that name, uint8 (h, w, 3) on white, None where the deck has none or draws it cut off."""
    for page in PAGES_PX:
        command = ["rsvg-convert", "--unlimited", f"--export-id={name}", f"--height={page}", str(deck)]
        if subprocess.run([*command, f"--output={scratch}"], capture_output=True, check=False).returncode:
            return None
        picture = cv2.imread(str(scratch), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            return None
        ys, xs = np.nonzero(picture[..., 3] > 30)
        if not len(ys):
            return None
        picture = picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        if len(picture) >= LEAST_PX:
            break
    h, w = picture.shape[:2]
    if h < LEAST_PX or not PROPORTIONS[0] < h / w < PROPORTIONS[1]:
        return None
    share = picture[..., 3:] / 255
    card = np.asarray(picture[..., :3] * share + 255 * (1 - share), np.uint8)
    f = min(1.0, MOST_PX / h)
    return np.asarray(cv2.resize(card, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), np.uint8)


def main() -> None:
    parser, out = given_folder(__doc__, PACKAGES)
    if shutil.which("rsvg-convert") is None:
        parser.error("rsvg-convert is missing: install librsvg2-bin")
    decks = sorted({one.stem: one for folder in PACKAGES.values() for one in sorted(folder.rglob("*.svgz"))}.items())
    if not decks:
        parser.error(f"no deck is installed: install {' '.join(PACKAGES)}")
    svg, scratch = out / "deck.svg", out / "card.png"
    for number, (name, file) in enumerate(decks):
        part = "train" if name in TRAIN else "held_out" if name in HELD_OUT else None
        if part is None:
            continue
        folder = out / part / name
        folder.mkdir(parents=True, exist_ok=True)
        packed = file.read_bytes()
        svg.write_bytes(gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed)
        text, count = svg.read_text(encoding="utf-8", errors="replace"), 0
        for suit, rank in product(SUITS, RANKS):
            for one in (f"{suit}_{rank}", f"{rank}_{suit}"):
                card = drawn(svg, one, scratch) if f'"{one}"' in text else None
                if card is not None:
                    cv2.imwrite(str(folder / f"{suit}_{rank}.png"), card)
                    count += 1
        print(f"{number + 1} of {len(decks)}: {name}, {count} cards, {part}", file=sys.stderr)
    for left in (svg, scratch):
        left.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
