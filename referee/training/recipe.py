"""The whole recipe, step by step; every step leaves a file in the output folder and is skipped when resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copyfile

import cv2
import numpy as np
import torch

from referee.cards import Card
from referee.faces.forms import random_forms
from referee.frame import Image
from referee.training.calibrate import Trial, calibrate
from referee.training.crops import CropMaker
from referee.training.decks import Pictures, draw_decks, together
from referee.training.evaluate import fan_trials
from referee.training.export import export, hear_strangers_less, hold_none_less_likely, load, write_manifest
from referee.training.indices import IndexCropMaker
from referee.training.learn import RATE, Batches, Maker, from_workers, train
from referee.training.photos import photo_pictures
from referee.training.rounds import Rounds, Source
from referee.training.scenes import CORNERS, PILES, WHOLE_CARDS, SceneMaker
from referee.training.split import VALIDATION_SOURCES, training_photos, tuning_photos
from referee.training.stuff import Stuff
from referee.vision.nets import FILES, Models, Tuning, load_models


@dataclass(frozen=True, slots=True)
class Plan:
    """How one network is trained. batch: samples a step. share: its steps for one step of the reader."""

    batch: int
    share: float


PLANS = {
    "finder": Plan(8, 2.0), "pile_finder": Plan(8, 2.0), "reader": Plan(48, 1.0), "index_finder": Plan(8, 2.0),
    "index_reader": Plan(48, 2.0),
}  # fmt: skip
"""Fewer finder steps leave covered and slanted cards unfound; fewer reader steps leave more cards unsure;
fewer index steps lose the cards of a fan and those under a hand."""

READERS = ("reader", "index_reader")
"""Networks whose samples can be made where they learn (`Recipe.fresh`)."""

MORE_DESIGNS = 7
"""Designs of which a few faces are drawn, for each whole deck. Fewer: unknown designs are read less well; more: time
and memory (8 MB for each whole deck)."""

SCORE = 0.3
"""Least finder score (`Tuning.score`)."""

INDEX_SCORE = 0.2
"""Least index finder score (`Tuning.index_score`)."""

FANS = 150
"""Rendered fans that calibrate the index reader. Fewer leave its threshold to chance."""

Report = Callable[[str, int, int, str], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What `referee train` was asked for; see its options."""

    data: Path
    out: Path
    device: str
    steps: int
    decks: int
    workers: int
    seed: int
    start: Path | None
    hold_out: bool
    resume: bool
    further: Path | None = None
    only: tuple[str, ...] = ()
    rate: float = RATE
    larger: int = 1
    fonts: Path | None = None
    fresh: int = 0
    other_games: Path | None = None
    keep: bool = False
    none_less: float = 0.0
    strangers_less: float = 0.0


def run(recipe: Recipe, report: Report) -> None:
    """Makes RECIPE.out with all networks and their manifest.

    With `further` the networks of `only`, or all, go on from those of that folder; the others and the tuning are taken
    from there. Raises FileNotFoundError for missing data, ModelError for networks that cannot be used.
    """
    out = recipe.out
    device = recipe.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    photos = training_photos(recipe.data, recipe.hold_out)
    stuff = Stuff.load(recipe.data, _typefaces(recipe), recipe.other_games)
    locate = recipe.start or recipe.further
    start = None if locate is None else load_models(locate)
    out.mkdir(parents=True, exist_ok=True)
    if not (recipe.resume and (out / "decks.npz").is_file()):
        _draw(recipe, report).save(out, "decks")
    if not (recipe.resume and (out / "photos.npz").is_file()):
        cut, _ = photo_pictures(photos, start, lambda n, of: report("photos", n, of, ""))
        cut.save(out, "photos")
    drawn, cut = Pictures.load(out, "decks"), Pictures.load(out, "photos")
    crops = CropMaker(drawn, cut, stuff)
    makers: dict[str, Maker] = {
        "finder": SceneMaker(drawn, cut, stuff, WHOLE_CARDS),
        "pile_finder": SceneMaker(drawn, cut, stuff, PILES),
        "reader": crops,
        "index_finder": SceneMaker(drawn, cut, stuff, CORNERS),
        "index_reader": IndexCropMaker(crops),
    }
    for name, plan in PLANS.items():
        if recipe.only and name not in recipe.only:
            continue
        steps = max(1, round(recipe.steps * plan.share))

        def progress(step: int, of: int, losses: dict[str, float], name: str = name) -> None:
            report(name, step, of, " ".join(f"{key} {value:.3f}" for key, value in losses.items()))

        batch = plan.batch * recipe.larger
        if recipe.fresh and name in READERS:
            source = Source(
                drawn, cut, stuff, recipe.seed, recipe.fresh, recipe.workers, device, _typefaces(recipe), recipe.keep
            )  # fmt: skip
            batches: Callable[[int, int], Batches] = Rounds(name, source, batch)
        else:
            batches = from_workers(name, makers[name], batch, recipe.seed, recipe.workers)
        train(
            name, batches, out, steps, recipe.seed, device, recipe.resume, progress, recipe.rate, recipe.further,
            recipe.keep and name in READERS,
        )  # fmt: skip
        net = load(name, out)
        if name in READERS:
            hold_none_less_likely(net, recipe.none_less)
            hear_strangers_less(net, recipe.strangers_less)
        export(name, net, out)
    if recipe.further is not None:
        _complete(recipe, recipe.further)
        return
    neutral = Tuning(1.0, 0.9, SCORE, 1.0, INDEX_SCORE)
    settings = {
        "seed": recipe.seed, "steps": recipe.steps, "decks": recipe.decks * (1 + MORE_DESIGNS),
        "photographs": len(cut.rank), "held_out": sorted(VALIDATION_SOURCES),
    }  # fmt: skip
    write_manifest(out, neutral, settings)
    if recipe.hold_out:
        models = load_models(out)
        tuning = calibrate(tuning_trials(recipe.data, models), fan_trials(models, FANS), SCORE, INDEX_SCORE)
        write_manifest(out, tuning, settings)


def _complete(recipe: Recipe, further: Path) -> None:
    """Adds what was not trained, and the manifest of the networks before with what was done since."""
    for file in FILES:
        if recipe.only and Path(file).stem not in recipe.only:
            copyfile(further / file, recipe.out / file)
    before = json.loads((further / "MANIFEST.json").read_text(encoding="utf-8"))
    trained = recipe.only or tuple(PLANS)
    steps = {name: round(recipe.steps * PLANS[name].share) for name in trained}
    batch = {name: PLANS[name].batch * recipe.larger for name in trained}
    decks = recipe.decks * (1 + MORE_DESIGNS)
    since = {"seed": recipe.seed, "rate": recipe.rate, "decks": decks, "steps": steps, "batch": batch}
    if recipe.fresh:
        since["fresh"] = recipe.fresh
    if recipe.keep:
        since["keep"] = True
        since["none_less"] = recipe.none_less
        since["strangers_less"] = recipe.strangers_less
    settings = {**before["recipe"], "further": [*before["recipe"].get("further", ()), since]}
    write_manifest(recipe.out, Tuning(**before["tuning"]), settings)


def _draw(recipe: Recipe, report: Report) -> Pictures:
    """Whole decks, and a few faces of many more designs."""
    whole, few = recipe.decks, recipe.decks * MORE_DESIGNS

    def progress(begun: int, done: int) -> None:
        report("decks", begun + done, whole + few, "")

    draw = partial(
        draw_decks, unmarked=True, forms=random_forms, workers=recipe.workers, typefaces=_typefaces(recipe)
    )  # fmt: skip
    return together(
        draw(whole, recipe.seed, lambda done, _: progress(0, done)),
        draw(few, recipe.seed + 1, lambda done, _: progress(whole, done), few=True),
    )


def _typefaces(recipe: Recipe) -> tuple[str, ...]:
    """The font files that decks and other games' cards are drawn with."""
    if recipe.fonts is None:
        return ()
    from referee.faces.typefaces import usable  # needs Pillow, and only here

    return usable(recipe.fonts)


def tuning_trials(data: Path, models: Models) -> list[Trial]:
    """The best-found card of every tuning photograph, as the reader's logits with the label."""
    trials = []
    for image, card in _tuning_images(data):
        found = models.finder.find(image)
        if found:
            trials.append(Trial(models.reader.logits(image, found[0].quad), card))
    return trials


def _tuning_images(data: Path) -> Iterator[tuple[Image, Card | None]]:
    for photo in tuning_photos(data):
        image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
        if image is not None:
            yield np.asarray(image, np.uint8), photo.card
