"""What each part of the recipe holds up in the reader: what is forgotten when training goes on without it.

    python tests/training/ablation.py ../shared/data --start DIR --out ablation          # some two minutes of CPU a row

Needs PyTorch. Not collected by pytest. Short runs of equal length and seed from the same weights (--start: a folder
with a trained reader.pt), each without one part. Resumes what is in --out, which may hold decks and photographs of an
earlier `referee train --hold-out` (decks.npy, decks.npz, photos.npy, photos.npz). A row's reader reads, without
correcting corners, (1) the photographs of one card of the validation sources, located by the shipped networks, and
(2) the artist's deck of data/card_art, each face twice in training's light. Shares: best face right; said (0.9 or more)
and wrong; unsure. A part whose loss shows only after hours of training from nothing shows less here, or not at all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch

from referee.cards import Card
from referee.frame import Image
from referee.training.crops import CropMaker
from referee.training.decks import Pictures, draw_decks
from referee.training.evaluate import art_deck
from referee.training.export import load
from referee.training.learn import from_workers, train
from referee.training.photos import photo_pictures
from referee.training.split import held_out_photos, training_photos
from referee.training.stuff import Random, Stuff
from referee.vision.classes import LOGITS, NO_FACE, interpret
from referee.vision.nets import Models, load_models
from referee.vision.warp import CROP_PX, rectify

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vision"))
from enrolment_trials import PLAYED, faces, view

SEED, BATCH, SURE, DECKS = 5, 16, 0.9, 240
RATE = 1e-3
"""Half of the recipe's: the weights are trained already."""

FEW = 20
"""Designs in the row with few of them."""

Crops = tuple[npt.NDArray[np.uint8], list[Card | None]]


class InOneLight(CropMaker):
    """Crops as they were pasted: no other light, no blur, noise or compression."""

    @staticmethod
    def camera(canvas: Image, rng: Random, detail: float, size: tuple[int, int] = CROP_PX) -> Image:
        return np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_LINEAR), np.uint8)


class InHalfSize(CropMaker):
    """Crops of half as many pixels each way."""

    @staticmethod
    def camera(canvas: Image, rng: Random, detail: float, size: tuple[int, int] = CROP_PX) -> Image:
        return halved(CropMaker.camera(canvas, rng, detail, size))


class Uncovered(CropMaker):
    """Nothing lies on the cards."""

    def _cover(self, canvas: Image, corners: npt.NDArray[np.float32], rng: Random) -> None:
        return


def halved(crop: Image) -> Image:
    small = cv2.resize(crop, (CROP_PX[0] // 2, CROP_PX[1] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, CROP_PX, interpolation=cv2.INTER_LINEAR), np.uint8)


def chosen(pictures: Pictures, which: npt.NDArray[np.bool_]) -> Pictures:
    names = ("images", "colour", "rank", "deck", "radius", "indices")
    return Pictures(*(getattr(pictures, name)[which] for name in names))


def joined(one: Pictures, other: Pictures) -> Pictures:
    names = ("images", "colour", "rank", "deck", "radius", "indices")
    return Pictures(*(np.concatenate([getattr(one, name), getattr(other, name)]) for name in names))


def rows(drawn: Pictures, cut: Pictures, stuff: Stuff) -> dict[str, Callable[[], CropMaker]]:
    sources = np.unique(cut.deck)
    half = np.isin(cut.deck, sources[::2])
    # Special wilds, blanks and backs are drawn in every row: nobody photographed any.
    photos_alone = joined(cut, chosen(drawn, drawn.rank == NO_FACE))
    return {
        f"all parts ({DECKS} designs, {len(sources)} photographed sources)": lambda: CropMaker(drawn, cut, stuff),
        f"{FEW} designs": lambda: CropMaker(chosen(drawn, drawn.deck < FEW), cut, stuff),
        "no drawn design": lambda: CropMaker(photos_alone, None, stuff),
        "no photograph": lambda: CropMaker(drawn, None, stuff),
        "no change of light and camera": lambda: InOneLight(drawn, cut, stuff),
        "half the resolution": lambda: InHalfSize(drawn, cut, stuff),
        f"{len(sources[::2])} photographed sources": lambda: CropMaker(drawn, chosen(cut, half), stuff),
        "nothing over the cards": lambda: Uncovered(drawn, cut, stuff),
    }


def photographed(data: Path, models: Models) -> Crops:
    crops, cards = [], []
    for photo in held_out_photos(data):
        image = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
        reads = models.reader.read(image, [found.quad for found in models.finder.find(image)])
        if reads and photo.card is not None:
            best = max(reads, key=lambda read: read.face_probability * read.reading.confidence)
            crops.append(rectify(image, best.quad))
            cards.append(photo.card)
    return np.stack(crops), list(cards)


def painted(data: Path, stuff: Stuff) -> Crops:
    crops, cards = [], []
    for k, (card, picture, radius) in enumerate(faces(art_deck(data / "card_art" / "jh0ker_classic_png"))):
        for v in range(2):
            image, quad = view(picture, radius, stuff, np.random.default_rng([SEED, k, v]), PLAYED)
            crops.append(rectify(image, quad))
            cards.append(card)
    return np.stack(crops), list(cards)


def score(net: torch.nn.Module, crops: Crops, both_ways: bool = True) -> str:
    """top-1 | wrong | unsure, as cells of Markdown."""
    images, cards = crops
    x = torch.from_numpy(images.transpose(0, 3, 1, 2).copy()).float() / 255
    with torch.no_grad():
        logits = torch.cat([net(part)[:, :LOGITS] for part in x.split(64)])
        if both_ways:
            logits = (logits + torch.cat([net(part.flip(2, 3))[:, :LOGITS] for part in x.split(64)])) / 2
    top = wrong = unsure = 0
    for row, card in zip(logits.numpy(), cards, strict=True):
        reading, _ = interpret(row, 1.0)
        said = reading.card is not None and reading.confidence >= SURE
        top += reading.card == card
        wrong += said and reading.card != card
        unsure += not said
    return " | ".join(f"{count / len(cards):.2%}" for count in (top, wrong, unsure))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--start", type=Path, required=True)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    out, models, stuff = given.out, load_models(), Stuff.load(given.data)
    if not (out / "decks.npz").is_file():
        draw_decks(DECKS, 1, lambda done, of: None, unmarked=True).save(out, "decks")
    if not (out / "photos.npz").is_file():
        photo_pictures(training_photos(given.data, True), models, lambda done, of: None)[0].save(out, "photos")
    drawn, cut = Pictures.load(out, "decks"), Pictures.load(out, "photos")
    photos, art = photographed(given.data, models), painted(given.data, Stuff.made(SEED))
    print(f"{len(photos[1])} photographs, {len(art[1])} of the artist's deck, {given.steps} steps of {BATCH}\n")
    print("| reader | photographs: top-1 | wrong | unsure | artist's deck: top-1 | wrong | unsure |")
    print("|---|---|---|---|---|---|---|")

    def row(name: str, net: torch.nn.Module, both_ways: bool = True, half: bool = False) -> None:
        tests = [(np.stack([halved(c) for c in x]), y) if half else (x, y) for x, y in (photos, art)]
        print(f"| {name} | {score(net, tests[0], both_ways)} | {score(net, tests[1], both_ways)} |", flush=True)

    def told(step: int, of: int, losses: dict[str, float]) -> None:
        print(f"{step}/{of} " + " ".join(f"{key} {value:.3f}" for key, value in losses.items()), file=sys.stderr)

    row("as it was", load("reader", given.start))
    row("as it was, read one way up only", load("reader", given.start), both_ways=False)
    for number, (name, make) in enumerate(rows(drawn, cut, stuff).items()):
        folder = out / f"row{number}"
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "reader.pt").is_file():
            state = torch.load(given.start / "reader.pt", map_location="cpu", weights_only=True)
            torch.save({**state, "step": 0}, folder / "reader.pt")
        batches = from_workers("reader", make(), BATCH, SEED, 0)
        net = train("reader", batches, folder, given.steps, SEED, "cpu", True, told, RATE)
        row(name, net, half=name.startswith("half"))


if __name__ == "__main__":
    main()
