"""An enrolled deck: one look at each of its faces, the head fitted on them, and the file that keeps both.

The file is a ZIP: `deck.json` (version, name, the reader it was fitted for), one JPEG a face, and `head.npy`, 16-bit
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
from referee.vision.head import DeckReader, Head
from referee.vision.nets import Models, Reader
from referee.vision.warp import CROP_PX

FILE_NAME = "deck.zip"
"""The enrolled deck of a data folder."""

VERSION = 1

JPEG_QUALITY = 95
"""Of the faces, 0 to 100. Smaller: blocks are learned; larger: a larger file."""

MOST_BYTES = 20_000_000
"""Largest file that is read: a deck's is under two million."""


class DeckError(Exception):
    """A deck file is missing, damaged, unfinished or for another reader. One line that names it and the remedy."""


def unlearned(file: Path) -> Path:
    """Where the looks at a deck are kept, beside its file, until it is learned; one in use stays as it is till then."""
    return file.with_name(f"{file.stem}-new{file.suffix}")


@dataclass(frozen=True, slots=True)
class Deck:
    """looks: one rectified crop of each face seen so far, uint8 (120, 80, 3). head: fitted on them, None before.

    reader: fingerprint of the reader that the head belongs to, "" before.
    """

    name: str
    looks: Mapping[Card, Image] = field(default_factory=dict)
    head: Head | None = None
    reader: str = ""

    @property
    def missing(self) -> tuple[Card, ...]:
        """Faces not yet seen, in order."""
        return tuple(card for card in FACES if card not in self.looks)

    def with_look(self, card: Card, crop: Image) -> Deck:
        """The deck with another look at one face; what was fitted no longer counts."""
        return replace(self, looks={**self.looks, card: crop}, head=None, reader="")


def save_deck(deck: Deck, path: Path) -> None:
    """Writes the file, whole or not at all. Raises OSError."""
    about = {"version": VERSION, "name": deck.name, "reader": deck.reader, "faces": [str(card) for card in deck.looks]}
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("deck.json", json.dumps(about, indent=1))
        for card, crop in deck.looks.items():
            done, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            if not done:
                raise OSError(f"the look at {card} cannot be written as JPEG")
            archive.writestr(f"{card}.jpg", data.tobytes())
        if deck.head is not None:
            numbers = io.BytesIO()
            np.save(numbers, np.concatenate([a.ravel() for a in deck.head.arrays]).astype(np.float16))
            archive.writestr("head.npy", numbers.getvalue(), zipfile.ZIP_DEFLATED)
    write_atomically(path, whole.getvalue())


def load_deck(path: Path, reader: Reader) -> Deck:
    """The deck of the file, finished or not; a head that was fitted for another than the shipped `reader` is left out.

    Raises DeckError when there is none or it is damaged.
    """
    shipped = DeckReader(reader).shipped
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("it is too large")
        with zipfile.ZipFile(path) as archive:
            about: dict[str, Any] = json.loads(archive.read("deck.json"))
            if about["version"] != VERSION:
                raise ValueError(f"its version is {about['version']!r}, not {VERSION}")
            looks = {Card.parse(word): _look(archive, word) for word in about["faces"]}
            name, made_for = str(about["name"]), str(about["reader"])
            head = None
            if made_for == shipped.fingerprint:
                numbers = np.load(io.BytesIO(archive.read("head.npy")), allow_pickle=False)
                head = _head(numbers, shipped)
    except FileNotFoundError:
        raise DeckError(f"{path}: no such file; `referee enrol` makes one") from None
    except OSError as error:
        raise DeckError(f"{path}: cannot be read ({error.strerror})") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, EOFError, RuntimeError) as error:
        raise DeckError(f"{path}: is damaged or no deck ({error}); remove it and run `referee enrol` again") from None
    return Deck(name, looks, head, made_for if head is not None else "")


def _look(archive: zipfile.ZipFile, word: str) -> Image:
    crop = cv2.imdecode(np.frombuffer(archive.read(f"{word}.jpg"), np.uint8), cv2.IMREAD_COLOR)
    if crop is None or crop.shape != (CROP_PX[1], CROP_PX[0], 3):
        raise ValueError(f"the look at {word} is no picture of {CROP_PX[0]} x {CROP_PX[1]}")
    return np.asarray(crop, np.uint8)


def _head(numbers: Any, shipped: Head) -> Head:
    sizes = [a.size for a in shipped.arrays]
    if numbers.shape != (sum(sizes),) or numbers.dtype != np.float16 or not np.isfinite(numbers).all():
        raise ValueError("head.npy does not fit the reader")
    parts = np.split(numbers.astype(np.float32), np.cumsum(sizes)[:-1])
    w1, b1, w2, b2 = (part.reshape(like.shape) for part, like in zip(parts, shipped.arrays, strict=True))
    return Head(w1, b1, w2, b2)


def with_deck(models: Models, deck: Deck) -> Models:
    """The models with the deck enrolled. Raises DeckError when it is not finished."""
    if deck.head is None:
        raise DeckError(f"the deck {deck.name!r} is not finished or was made for other networks: run `referee enrol`")
    return replace(models, reader=DeckReader(models.reader, deck.head))


def load_with_deck(path: Path, models: Models) -> Models:
    """The models with the deck of the file enrolled. Raises DeckError naming the file and what to do."""
    deck = load_deck(path, models.reader)
    if deck.head is None:
        why = "its faces are not all seen yet" if deck.missing else "it was made for other networks"
        raise DeckError(f"{path}: cannot be used ({why}); go on with `referee enrol --deck {path}`")
    return with_deck(models, deck)
