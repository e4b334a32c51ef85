"""`referee read PHOTO...`: every face-up card in still photos (CONTRACT, "Commands")."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
import cv2

from referee.commands.data import Refused, write_out
from referee.observations import Quality, SeenCard
from referee.vision.annotate import draw_cards
from referee.vision.deck import DeckError, load_with_deck
from referee.vision.nets import ModelError, Models, load_models
from referee.vision.picture_file import PictureError, load_picture
from referee.vision.reading import is_certain, photo_quality, read_photo

_TROUBLE = {
    Quality.DARK: "too dark, or the light too colourful, to be sure; use more light, and white light",
    Quality.GLARE: "light is mirrored or over-exposed; nothing said of such cards is sure",
    Quality.BLURRED: "not sharp enough to be sure; hold the camera still",
    Quality.LOST: "an empty picture: is the lens covered?",
}

_MANY = 20
"""Photos from which on progress is shown on standard error."""


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a photo.")
@click.option(
    "--annotate", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write marked copies there."
)
@click.option(
    "--models", "models_dir", type=click.Path(file_okay=False, path_type=Path), help="Other networks than the shipped."
)
@click.option(
    "--deck", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="A deck that `referee enrol` made."
)
def command(
    photos: tuple[str, ...], as_json: bool, folder: Path | None, models_dir: Path | None, deck: Path | None
) -> None:
    """Read every face-up card in each PHOTO, at any place, size and angle."""
    if folder is not None and folder.resolve() in {Path(name).resolve().parent for name in photos}:
        raise Refused(f"{folder}: holds the photos themselves, which would be written over; name another folder")
    try:
        models = load_models(models_dir)
        if deck is not None:
            models = load_with_deck(deck, models)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except (ModelError, DeckError) as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{folder}: cannot be made: {error.strerror}; name another folder") from None
    bad = 0
    alike: Counter[str] = Counter()
    show = len(photos) >= _MANY and sys.stderr.isatty()
    for number, name in enumerate(photos, 1):
        try:
            if not name:  # Path("") would be the folder
                raise PictureError("'': no such file; expected a photo")
            image = load_picture(Path(name))
        except PictureError as error:
            click.echo(f"referee read: {error}", err=True)
            bad += 1
            continue
        cards = read_photo(image, models)
        quality = photo_quality(image, cards)
        if quality is not Quality.CLEAR:
            click.echo(f"referee read: {name}: {_TROUBLE[quality]}", err=True)
        answer = _as_json(name, cards, models, quality)
        click.echo(json.dumps(answer) if as_json else f"{name}: {_as_text(cards, models)}")
        if folder is not None:
            stem = Path(name).stem
            alike[stem] += 1
            stem += f"-{alike[stem]}" if alike[stem] > 1 else ""
            write_out(folder / f"{stem}.jpg", cv2.imencode(".jpg", draw_cards(image, cards, models))[1].tobytes())
        if show:
            click.echo(f"\r{number} of {len(photos)} photos", nl=number == len(photos), err=True)
    if bad:
        sys.exit(2)


def _as_json(name: str, cards: list[SeenCard], models: Models, quality: Quality) -> dict[str, Any]:
    sure = [c.reading.card for c in cards if c.reading.card is not None and is_certain(c, models)]
    return {
        "image": name,
        "quality": quality.value,
        "cards": [
            {
                "card": c.reading.notation,
                "confidence": round(c.reading.confidence, 4),
                "sure": is_certain(c, models),
                "quality": c.quality.value,
                "top": c.top,
                "visible": round(c.visible, 2),
                "quad": [[round(x, 1), round(y, 1)] for x, y in c.quad],
                "alternatives": [[str(card), round(p, 4)] for card, p in c.reading.alternatives],
            }
            for c in cards
        ],
        "points": sum(card.points for card in sure),
    }


def _as_text(cards: list[SeenCard], models: Models) -> str:
    if not cards:
        return "no card"
    said = [
        c.reading.notation + ("" if is_certain(c, models) else f" (unsure, {c.reading.confidence:.2f})")
        for c in cards
    ]
    return ", ".join(said)
