"""Signs in real typefaces, out of font files: for decks to learn from and to measure on. Needs Pillow."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Mask = npt.NDArray[np.uint8]

SIGNS = "0123456789+"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ*"
"""What words and logos are of."""

_PX = 64
_PAD = 16
"""Room about a sign for its outline."""


def usable(folder: Path) -> tuple[str, ...]:
    """The font files below `folder`, in order, that have every sign of a card, each unlike the others, and `LETTERS`.

    Raises FileNotFoundError when there is none.
    """
    files = [str(path) for path in sorted(folder.rglob("*")) if path.suffix.lower() in (".ttf", ".otf")]
    fonts = tuple(path for path in files if has_signs(path))
    if not fonts:
        raise FileNotFoundError(f"{folder} holds no font file (.ttf, .otf) with the signs {SIGNS}: name another folder")
    return fonts


def has_signs(path: str) -> bool:
    """Whether a file is a font with every sign of a card, each unlike the others, and with `LETTERS`."""
    try:
        masks = [sign_mask(path, sign)[0] for sign in SIGNS + LETTERS][: len(SIGNS)]
    except (OSError, ValueError):
        return False
    whole = {(mask.shape, mask.tobytes()) for mask in masks}
    return len(whole) == len(SIGNS) and min(float(mask.mean()) for mask in masks) > 4


@lru_cache(maxsize=4096)
def sign_mask(path: str, text: str) -> tuple[Mask, tuple[int, int, int, int]]:
    """`text` in the typeface of a font file: uint8 (h, w), 0 to 255, and its ink's left, top, width and height there.

    Raises OSError for a file that is no font, ValueError where the font draws nothing.
    """
    font = ImageFont.truetype(path, _PX)
    left, top, right, bottom = (round(v) for v in font.getbbox(text))
    if right <= left or bottom <= top:
        raise ValueError(f"{path} draws nothing for {text!r}")
    size = (right - left + 2 * _PAD, bottom - top + 2 * _PAD + _PX // 4)
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).text((_PAD - left, _PAD - top), text, 255, font)
    return np.asarray(picture, np.uint8), (_PAD, _PAD, right - left, bottom - top)
