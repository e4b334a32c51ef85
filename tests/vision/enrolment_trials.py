"""What enrolling a deck gains and what it risks: decks that took no part in training, before and after.

    python tests/vision/enrolment_trials.py ../shared/data

Prints two Markdown tables. Not collected by pytest. Drawn decks and the artist's: each face is shown once in good
light, as `referee enrol` asks for; the deck is then read, each face twice, in the light and through the cameras of the
training scenes. "Another deck": the one above, read with the head that was fitted to this one. Photographed decks: of
each face of a validation source the first photograph in which a card is found is the look, all others are read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.deck_fitting import finish
from referee.frame import Image
from referee.training.crops import paste
from referee.training.decks import Pictures, draw_decks
from referee.training.evaluate import art_deck
from referee.training.light import relight, resample
from referee.training.scenes import round_mask
from referee.training.split import held_out_photos
from referee.training.stuff import Stuff
from referee.vision.classes import COLOURS, NO_FACE, RANKS
from referee.vision.deck import Deck, with_deck
from referee.vision.enrolment import Enrolment
from referee.vision.head import DeckReader
from referee.vision.nets import Models, load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.warp import rectify

DECK_SEED = 9004
"""Seed of the drawn decks; no other measurement or training uses it. (`head.MODESTY` was chosen on six of 9003 and the
artist's deck.)"""

SOURCES = ("Radialarray/UNO-Computer-Vision-Game", "soloskino1/uno_card_cv")
"""Validation sources with several photographs of most faces of one deck."""

VIEWS = 2
SIDE_PX = 300
ENROLLED, PLAYED = 0.15, 0.7
"""How far light and camera go when a face is shown and when it is read, 0 none to 1 everything."""

Quad = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Rate:
    """Shares of readings: the best face is right; said with certainty and right; said with certainty and wrong."""

    top: float
    said: float
    wrong: float

    def __str__(self) -> str:
        return f"{self.top:.1%} | {self.said:.1%} | {self.wrong:.2%}"


def faces(deck: Pictures) -> Iterator[tuple[Card, Image, float]]:
    for i in np.flatnonzero(deck.rank != NO_FACE):
        yield Card(RANKS[deck.rank[i]], COLOURS[deck.colour[i]]), deck.images[i], float(deck.radius[i])


def view(picture: Image, radius: float, stuff: Stuff, rng: np.random.Generator, hard: float) -> tuple[Image, Quad]:
    """A picture of one card on some ground, and where the finder may say that it lies."""
    canvas = stuff.ground(rng, SIDE_PX, SIDE_PX)
    height, angle = rng.uniform(110, 170), rng.uniform(0, 2 * np.pi)
    box = np.array([[-0.322, -0.5], [0.322, -0.5], [0.322, 0.5], [-0.322, 0.5]]) * height
    box *= [1, rng.uniform(1 - 0.25 * hard, 1)]
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad = box @ turn + SIDE_PX / 2 + rng.normal(0, 0.02 * hard * height, (4, 2))
    paste(canvas, picture, round_mask(radius), (quad / SIDE_PX).astype(np.float32), rng)
    image = resample(relight(canvas, rng, hard), rng, hard)
    return image, (quad + rng.normal(0, 0.02 * height, (4, 2))).astype(np.float32)


def rate(decks: list[Pictures], stuff: Stuff, models: Models, seed: int) -> Rate:
    tops, said, wrong, n = 0, 0, 0, 0
    for number, deck in enumerate(decks):
        for k, (card, picture, radius) in enumerate(faces(deck)):
            for v in range(VIEWS):
                image, quad = view(picture, radius, stuff, np.random.default_rng([seed, number, k, v]), PLAYED)
                reading = models.reader.read(image, [quad])[0].reading
                n += 1
                tops += reading.card == card
                said += models.is_sure(reading) and reading.card == card
                wrong += models.is_sure(reading) and reading.card != card
    return Rate(tops / n, said / n, wrong / n)


def enrolled(deck: Pictures, stuff: Stuff, models: Models, seed: int) -> Models:
    """The models with the deck enrolled from one look at each face."""
    reader, looks = DeckReader(models.reader), {}
    for k, (card, picture, radius) in enumerate(faces(deck)):
        image, quad = view(picture, radius, stuff, np.random.default_rng([seed, k]), ENROLLED)
        looks[card] = rectify(image, reader.refined(image, quad))
    return with_deck(models, finish(Deck("trial", looks), models))


def photographed(source: str, data: Path, models: Models) -> str:
    """The line of one source: exact, wrong, unsure before and after its deck was enrolled."""
    enrolment = Enrolment(models, Deck("trial"), moving=False)
    rest = []
    for photo in held_out_photos(data):
        if photo.source != source or photo.card is None:
            continue
        image = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
        if photo.card in enrolment.deck.looks or enrolment.look(image, photo.card).fault is not None:
            rest.append((image, photo.card))
    mine = with_deck(models, finish(enrolment.deck, models))
    shares = []
    for ours in (models, mine):
        kinds = Counter(outcome(image, card, ours) for image, card in rest)
        shares.append(" | ".join(f"{kinds[kind] / len(rest):.2%}" for kind in ("exact", "wrong", "unsure")))
    return f"| {source} | {len(enrolment.deck.looks)} | {len(rest)} | {shares[0]} | {shares[1]} |"


def outcome(image: Image, card: Card, models: Models) -> str:
    said = [seen.reading.card for seen in read_photo(image, models) if is_certain(seen, models)]
    return "exact" if said == [card] else "unsure" if not said else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--decks", type=int, default=8)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, stuff = load_models(), Stuff.made(DECK_SEED)
    drawn = draw_decks(given.decks, DECK_SEED, lambda done, of: None)
    decks = {f"drawn {n + 1}": chosen(drawn, n) for n in range(given.decks)}
    decks["an artist's"] = art_deck(given.data / "card_art" / "jh0ker_classic_png")
    before = {name: rate([deck], stuff, models, 1) for name, deck in decks.items()}
    columns = "top-1 | said | wrong"
    print(f"| deck | before: {columns} | after: {columns} | another deck, after: {columns} |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    after, others = [], []
    for number, (name, deck) in enumerate(decks.items()):
        mine = enrolled(deck, stuff, models, 100 + number)
        other = list(decks)[number - 1]
        after.append(rate([deck], stuff, mine, 1))
        others.append(rate([decks[other]], stuff, mine, 1))
        print(f"| {name} | {before[name]} | {after[-1]} | {other}: {others[-1]} |", flush=True)
    print(f"| mean | {mean(list(before.values()))} | {mean(after)} | {mean(others)} |\n")
    columns = "exact | wrong | unsure"
    print(f"| source | looks | photographs | before: {columns} | after: {columns} |")
    print("|---|---|---|---|---|---|---|---|---|")
    for source in SOURCES:
        print(photographed(source, given.data, models), flush=True)


def chosen(decks: Pictures, number: int) -> Pictures:
    k = decks.deck == number
    return Pictures(*(getattr(decks, name)[k] for name in ("images", "colour", "rank", "deck", "radius", "indices")))


def mean(rates: list[Rate]) -> Rate:
    return Rate(*(float(np.mean([getattr(r, name) for r in rates])) for name in ("top", "said", "wrong")))


if __name__ == "__main__":
    main()
