"""How well the readers read designs that they were not trained on, drawn as the training draws them.

    python tests/training/design_trials.py --models models --models models-new
    python tests/training/design_trials.py --network reader --models models --models models-new
    python tests/training/design_trials.py --other-games cards/train --models models-new --none-less 0 --none-less 1

Prints a Markdown table, a row for each folder. Not collected by pytest. The index reader's corners are
`IndexCropMaker`'s: covered, crooked, in all light, two in five no face's; the reader's cards are `CropMaker`'s. The
designs are drawn from a seed of their own, and no photographs of cards are used.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.training.crops import CropMaker
from referee.training.decks import draw_decks
from referee.training.indices import IndexCropMaker
from referee.training.stuff import Stuff
from referee.vision.classes import LOGITS, NO_FACE, Floats, interpret
from referee.vision.nets import load_models

DESIGN_SEED = 4242
"""Of no training and no evaluation."""

AT_ONCE = 200
"""Pictures that go through the network together."""


def answers(network: cv2.dnn.Net, pictures: Sequence[Image]) -> Floats:
    """The network's raw answers (n, 21)."""
    out = []
    for begin in range(0, len(pictures), AT_ONCE):
        network.setInput(cv2.dnn.blobFromImages(pictures[begin : begin + AT_ONCE], 1 / 255))
        out.append(network.forward()[:, :LOGITS].copy())
    return np.vstack(out)


def row(
    network: Path, less: float, pictures: Sequence[Image], colours: npt.NDArray[np.int64], ranks: npt.NDArray[np.int64]
) -> str:
    load_models(network.parent)  # refuses a damaged file
    out = answers(cv2.dnn.readNetFromONNX(str(network)), pictures)
    out[:, 5 + NO_FACE] -= less
    colour, rank = out[:, :5].argmax(1), out[:, 5:].argmax(1)
    face = ranks != NO_FACE
    chances = np.exp(out[:, 5:] - out[:, 5:].max(1, keepdims=True))
    chance = (chances / chances.sum(1, keepdims=True))[np.arange(len(ranks)), ranks]
    right = (rank == ranks) & ((colour == colours) | ~face)
    read = [interpret(one, 1.0)[0] for one in out]
    said = np.array([one.card is not None and one.confidence >= 0.95 for one in read])
    return (
        f"| {network.parent} | {less:g} | {(rank == ranks)[face].mean():.2%} | {(colour == colours)[face].mean():.2%} "
        f"| {(rank == ranks)[~face].mean():.2%} | {-np.log(chance + 1e-9).mean():.4f} "
        f"| {said[face].mean():.2%} | {(~right)[said].sum()} of {said.sum()} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="grounds and hands")
    parser.add_argument("--models", type=Path, action="append", help="folders with networks; models by default")
    parser.add_argument("--designs", type=int, default=24)
    parser.add_argument("--pictures", type=int, default=4000)
    parser.add_argument("--network", choices=("index_reader", "reader"), default="index_reader")
    parser.add_argument("--fonts", type=Path, help="draw six in ten with typefaces of this folder")
    parser.add_argument("--other-games", type=Path, help="pictures of other games' cards")
    parser.add_argument(
        "--none-less", type=float, action="append", metavar="NATS",
        help="a row with 'no face' so much less likely; what `train --none-less` is chosen with",
    )  # fmt: skip
    parser.add_argument("--icons", action="store_true", help="six in ten with the signs of icon fonts (icons.py)")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    typefaces: tuple[str, ...] = ()
    if given.fonts:
        from referee.faces.typefaces import usable  # needs Pillow

        typefaces = usable(given.fonts)
    forms = None
    if given.icons:
        from icons import icon_forms

        forms = icon_forms
    decks = draw_decks(given.designs, DESIGN_SEED, lambda done, of: None, typefaces=typefaces, forms=forms)
    cards = CropMaker(decks, None, Stuff.load(given.data, (), given.other_games))
    maker = cards if given.network == "reader" else IndexCropMaker(cards)
    samples = [maker.make(np.random.default_rng([DESIGN_SEED, i])) for i in range(given.pictures)]
    pictures = [sample[0] for sample in samples]
    colours, ranks = (np.array([sample[k] for sample in samples], np.int64) for k in (1, 2))
    print("| models | none less by | rank right | colour right | none right | nats | said from 0.95 | of those wrong |")
    print("|---" * 8 + "|")
    for folder in given.models or [Path("models")]:
        for less in given.none_less or [0.0]:
            print(row(folder / f"{given.network}.onnx", less, pictures, colours, ranks), flush=True)


if __name__ == "__main__":
    main()
