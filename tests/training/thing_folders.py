"""Things that are no cards, for networks that learn to refuse them, and others that only measure: clip art with alpha.

    apt-get install -y $(python tests/training/thing_folders.py --packages)
    python tests/training/thing_folders.py things   # things/train, to be laid into the folder for `--other-games`;
                                                    # things/held_out, for `tests/vision/other_games.py`

Shrinks the pictures of two of Debian's (bookworm's) packages; one is learnt from, the other one measures. Its playing
cards are left out (`card_folders.py` has such), and so are its spirographs and rings, which are a fifth of it. Not
collected by pytest. The pictures are not ours and are not committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
from folder_script import given_folder

SOURCES = {
    "train": ("openclipart-png", Path("/usr/share/openclipart/png")),
    "held_out": ("tuxpaint-stamps-default", Path("/usr/share/tuxpaint/stamps")),
}
LEFT_OUT = ("recreation/games/cards/", "shapes/")

LONG_PX = 240
LEAST_PX, LEAST_INK = 24, 0.05
"""Smallest short side, and least share of it that is not seen through."""


def main() -> None:
    parser, out = given_folder(__doc__, (package for package, _ in SOURCES.values()))
    for part, (package, source) in SOURCES.items():
        files = sorted(source.rglob("*.png"))
        if not files:
            parser.error(f"{source} holds no .png: install {package}")
        count = 0
        for file in files:
            name = file.relative_to(source).as_posix()
            picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
            if name.startswith(LEFT_OUT) or picture is None or picture.ndim != 3 or picture.shape[2] != 4:
                continue
            ys, xs = np.nonzero(picture[..., 3] > 30)
            if not len(ys):
                continue
            picture = picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
            if min(picture.shape[:2]) < LEAST_PX or float((picture[..., 3] > 127).mean()) < LEAST_INK:
                continue
            f = min(1.0, LONG_PX / max(picture.shape[:2]))
            if f < 1:
                picture = cv2.resize(picture, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
            folder = out / part / name.split("/")[0]
            folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(folder / name.replace("/", "-")), picture)
            count += 1
        print(f"{out / part}: {count} of {len(files)} pictures of {package}", file=sys.stderr)


if __name__ == "__main__":
    main()
