"""Signs that other people drew, out of icon fonts of Debian: they only measure. Nothing of them is committed.

    apt-get install -y fonts-font-awesome fonts-material-design-icons-iconfont fonts-glyphicons-halflings \
        fonts-symbola fonts-dejavu-core fonts-noto-core
    python tests/training/icons.py icons.png            # a sheet of them
    python tests/training/design_trials.py --network reader --icons

Not collected by pytest.
"""

from __future__ import annotations

import argparse
import random
import subprocess
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from referee.faces.forms import Forms
from referee.faces.typefaces import sign_mask

FONTS = (
    ("font-awesome", "fontawesome-webfont.ttf", "\uf05e", "\uf079\uf021\uf0ec\uf01e"),
    ("material-design-icons-iconfont", "MaterialIcons-Regular.ttf", "\ue14b\ue033",
     "\ue627\ue863\ue86a\ue028\ue8d4\ue8d5\ue0d7\ue915\ue0c3"),
    ("glyphicons-halflings", "glyphicons-halflings-regular.ttf", "\ue090", "\ue115\ue031\ue030\ue178\ue150"),
    ("symbola", "Symbola_hint.ttf", "⊘🚫⛔⦸", "⇄⇅⇆⇵↺↻⟲⟳🔁🔄🔃⮂"),
    ("dejavu-core", "DejaVuSans-Bold.ttf", "⊘⦸", "⇄⇅⇆⇵↺↻⟲⟳"),
    ("noto-core", "NotoSansMath-Regular.ttf", "⊘⦸", "⇄⇅⇆⇵↺↻⟲⟳"),
    ("noto-core", "NotoSansSymbols2-Regular.ttf", "🚫", "🗘🔁🔄🔃⮂⮃"),
    ("noto-core", "NotoSansSymbols-Regular.ttf", "⛔", "⇄⇅🔁🔄"),
)  # fmt: skip
"""Package, font file, and its characters for skip and reverse."""


@lru_cache
def signs() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(font file, character) of every skip and every reverse that is installed.

    Raises FileNotFoundError when there is none.
    """
    skips: list[tuple[str, str]] = []
    reverses: list[tuple[str, str]] = []
    for package, name, skip, reverse in FONTS:
        listed = subprocess.run(["dpkg", "-L", f"fonts-{package}"], capture_output=True, text=True, check=False).stdout
        for path in [line for line in listed.splitlines() if Path(line).name == name][:1]:
            skips += [(path, sign) for sign in skip if _is_drawn(path, sign)]
            reverses += [(path, sign) for sign in reverse if _is_drawn(path, sign)]
    if not skips:
        raise FileNotFoundError("no icon font is installed: see tests/training/icons.py for the packages")
    return skips, reverses


def _is_drawn(path: str, sign: str) -> bool:
    """The font has the sign, and not only a box in its place."""
    return sign_mask(path, sign)[0].tobytes() != sign_mask(path, "\U0010fffd")[0].tobytes()


def icon_forms(rng: random.Random) -> Forms:
    """Skip and reverse as icons."""
    skips, reverses = signs()
    return Forms(tilt=rng.choice((0.0, 45.0, -45.0)), skip_icon=rng.choice(skips), reverse_icon=rng.choice(reverses))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    rows = []
    for kind in signs():
        sheet = np.zeros((-(-len(kind) // 12) * 96, 12 * 96), np.uint8)
        for i, (path, sign) in enumerate(kind):
            mask, (left, top, width, height) = sign_mask(path, sign)
            mask = mask[top : top + height, left : left + width]
            scale = 80 / max(mask.shape)
            small = cv2.resize(mask, None, fx=scale, fy=scale)
            y, x = i // 12 * 96 + 8, i % 12 * 96 + 8
            sheet[y : y + small.shape[0], x : x + small.shape[1]] = small
        rows.append(sheet)
    cv2.imwrite(str(given.out), np.vstack(rows))


if __name__ == "__main__":
    main()
