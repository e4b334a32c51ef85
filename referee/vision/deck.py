"""An enrolled deck: one look at each of its faces, the heads fitted on them, and the file that keeps both.

The file is a ZIP: `deck.json` (version, name, the readers it was fitted to), one JPEG a face, and `heads.npz`, 16-bit
floats, once it is fitted. It is written whole or not at all, and holds nothing but pictures of single cards.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.cards import FACES, Card
from referee.durable import write_atomically
from referee.frame import Image
from referee.vision.ground import Ground, ground_of
from referee.vision.head import DeckIndexEye, DeckReader, Head, Heads
from referee.vision.nets import Models
from referee.vision.warp import CROP_PX, unit_quad

FILE_NAME = "deck.zip"
"""The enrolled deck of a data folder."""

VERSION = 1

JPEG_QUALITY = 95
"""Of the faces, 0 to 100. Smaller: blocks are learned; larger: a larger file."""

STRAY = 0.1
"""Share of the looks whose index may seem to stand on its own colour in a deck whose indices stand on white. Smaller:
one look in bad light decides; larger: decks of both kinds count as white, and playing cards are said beside them."""

MOST_BYTES = 20_000_000
"""Largest file that is read: a deck's is under two million."""


_CARD = (unit_quad() * CROP_PX).astype(np.float32)


class DeckError(Exception):
    """A deck file is missing, damaged, unfinished or for another reader. One line that names it and the remedy."""


def unlearned(file: Path) -> Path:
    """Where the looks at a deck are kept, beside its file, until it is learned; one in use stays as it is till then."""
    return file.with_name(f"{file.stem}-new{file.suffix}")


@dataclass(frozen=True, slots=True)
class Deck:
    """looks: one rectified crop of each face seen so far, uint8 (120, 80, 3). heads: fitted on them, None before.

    readers: those that the heads belong to (`Models.readers`), "" before.
    """

    name: str
    looks: Mapping[Card, Image] = field(default_factory=dict)
    heads: Heads | None = None
    readers: str = ""

    @property
    def missing(self) -> tuple[Card, ...]:
        """Faces not yet seen, in order."""
        return tuple(card for card in FACES if card not in self.looks)

    def with_look(self, card: Card, crop: Image) -> Deck:
        """The deck with another look at one face; what was fitted no longer counts."""
        return replace(self, looks={**self.looks, card: crop}, heads=None, readers="")


def save_deck(deck: Deck, path: Path) -> None:
    """Writes the file, whole or not at all. Raises OSError."""
    faces = [str(card) for card in deck.looks]
    about = {"version": VERSION, "name": deck.name, "readers": deck.readers, "faces": faces}
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("deck.json", json.dumps(about, indent=1))
        for card, crop in deck.looks.items():
            done, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            if not done:
                raise OSError(f"the look at {card} cannot be written as JPEG")
            archive.writestr(f"{card}.jpg", data.tobytes())
        if deck.heads is not None:
            numbers = io.BytesIO()
            arrays = (*deck.heads.reader.arrays, *deck.heads.indices.arrays)
            np.savez(numbers, *(a.astype(np.float16) for a in arrays))
            archive.writestr("heads.npz", numbers.getvalue(), zipfile.ZIP_DEFLATED)
    write_atomically(path, whole.getvalue())


def load_deck(path: Path, readers: str) -> Deck:
    """The deck of the file, finished or not, without heads for others than these `readers` (`Models.readers`).

    Raises DeckError when there is none or it is damaged.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("it is too large")
        with zipfile.ZipFile(path) as archive:
            about: dict[str, Any] = json.loads(archive.read("deck.json"))
            if about["version"] != VERSION:
                raise ValueError(f"its version is {about['version']!r}, not {VERSION}")
            looks = {Card.parse(word): _look(archive, word) for word in about["faces"]}
            name, made_for = str(about["name"]), str(about["readers"])
            heads = _heads(archive.read("heads.npz")) if made_for == readers else None
    except FileNotFoundError:
        raise DeckError(f"{path}: no such file; `referee enrol` makes one") from None
    except OSError as error:
        raise DeckError(f"{path}: cannot be read ({error.strerror})") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, EOFError, RuntimeError) as error:
        raise DeckError(f"{path}: is damaged or no deck ({error}); remove it and run `referee enrol` again") from None
    return Deck(name, looks, heads, made_for if heads is not None else "")


def _look(archive: zipfile.ZipFile, word: str) -> Image:
    crop = cv2.imdecode(np.frombuffer(archive.read(f"{word}.jpg"), np.uint8), cv2.IMREAD_COLOR)
    if crop is None or crop.shape != (CROP_PX[1], CROP_PX[0], 3):
        raise ValueError(f"the look at {word} is no picture of {CROP_PX[0]} x {CROP_PX[1]}")
    return np.asarray(crop, np.uint8)


def _heads(data: bytes) -> Heads:
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        arrays = [stored[name] for name in stored.files]
    if len(arrays) != 8 or any(a.dtype != np.float16 or not np.isfinite(a).all() for a in arrays):
        raise ValueError("heads.npz holds no heads")
    numbers = [a.astype(np.float32) for a in arrays]
    return Heads(Head(*numbers[:4]), Head(*numbers[4:]))


def with_deck(models: Models, deck: Deck) -> Models:
    """The models with the deck enrolled. Raises DeckError when it is not finished, or was made for other networks."""
    if deck.heads is None:
        raise DeckError(f"the deck {deck.name!r} is not finished or was made for other networks: run `referee enrol`")
    try:
        reader = DeckReader(models.reader, deck.heads.reader)
        indices = DeckIndexEye(models.indices, deck.heads.indices)
    except ValueError as error:
        raise DeckError(f"the deck {deck.name!r} cannot be used ({error}): run `referee enrol`") from None
    return replace(models, reader=reader, indices=indices, on_white=stand_on_white(deck.looks))


def stand_on_white(looks: Mapping[Card, Image]) -> bool:
    """The coloured indices of most of these faces stand on white, and hardly any on their colour."""
    grounds = [ground_of(crop, _CARD) for card, crop in looks.items() if card.colour is not None]
    white = grounds.count(Ground.WHITE)
    ours = len(grounds) - white - grounds.count(Ground.LITTLE)
    return white > len(grounds) / 2 and ours < len(grounds) * STRAY


def load_with_deck(path: Path, models: Models) -> Models:
    """The models with the deck of the file enrolled. Raises DeckError naming the file and what to do."""
    deck = load_deck(path, models.readers)
    if deck.heads is None:
        why = "its faces are not all seen yet" if deck.missing else "it was made for other networks"
        raise DeckError(f"{path}: cannot be used ({why}); go on with `referee enrol --deck {path}`")
    try:
        return with_deck(models, deck)
    except DeckError as error:
        raise DeckError(f"{path}: {error}") from None
