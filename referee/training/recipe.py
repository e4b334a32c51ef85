"""The whole recipe, step by step; every step leaves a file in the output folder and is skipped when resumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from referee.training.calibrate import Trial, calibrate
from referee.training.crops import CropMaker
from referee.training.decks import Pictures, draw_decks
from referee.training.export import export, load, write_manifest
from referee.training.learn import train
from referee.training.photos import photo_pictures
from referee.training.scenes import SceneMaker
from referee.training.split import VALIDATION_SOURCES, training_photos, tuning_photos
from referee.training.stuff import Stuff
from referee.vision.nets import Models, Tuning, load_models

BATCH = {"finder": 8, "reader": 32}
FINDER_SHARE = 0.85
"""Finder steps for one reader step: fewer leave covered and slanted cards unfound."""

SCORE = 0.3
"""Least finder score (`Tuning.score`)."""

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


def run(recipe: Recipe, report: Report) -> None:
    """Makes RECIPE.out with both networks and their manifest. Raises FileNotFoundError for missing data."""
    out = recipe.out
    out.mkdir(parents=True, exist_ok=True)
    device = recipe.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    photos = training_photos(recipe.data, recipe.hold_out)
    stuff = Stuff(recipe.data)
    if not (recipe.resume and (out / "decks.npz").is_file()):
        drawn = draw_decks(recipe.decks, recipe.seed, lambda n, of: report("decks", n, of, ""))
        drawn.save(out, "decks")
    if not (recipe.resume and (out / "photos.npz").is_file()):
        start = None if recipe.start is None else load_models(recipe.start)
        cut, _ = photo_pictures(photos, start, lambda n, of: report("photos", n, of, ""))
        cut.save(out, "photos")
    drawn, cut = Pictures.load(out, "decks"), Pictures.load(out, "photos")
    for name in ("finder", "reader"):
        steps = recipe.steps if name == "reader" else round(recipe.steps * FINDER_SHARE)
        maker = SceneMaker(drawn, cut, stuff) if name == "finder" else CropMaker(drawn, cut, stuff)

        def progress(step: int, of: int, losses: dict[str, float], name: str = name) -> None:
            report(name, step, of, " ".join(f"{key} {value:.3f}" for key, value in losses.items()))

        train(name, maker, out, steps, BATCH[name], recipe.seed, device, recipe.workers, recipe.resume, progress)
        export(name, load(name, out), out)
    neutral = Tuning(1.0, 0.9, SCORE)
    settings = {
        "seed": recipe.seed, "steps": recipe.steps, "decks": recipe.decks, "photographs": len(cut.rank),
        "held_out": sorted(VALIDATION_SOURCES),
    }  # fmt: skip
    write_manifest(out, neutral, settings)
    if recipe.hold_out:
        tuning = calibrate(tuning_trials(recipe.data, load_models(out)), SCORE)
        write_manifest(out, tuning, settings)


def tuning_trials(data: Path, models: Models) -> list[Trial]:
    """The best-found card of every tuning photograph, as the reader's logits with the label."""
    trials = []
    for photo in tuning_photos(data):
        image = cv2.imread(str(photo.path), cv2.IMREAD_COLOR)
        if image is None:
            continue
        found = models.finder.find(np.asarray(image, np.uint8))
        if found:
            trials.append(Trial(models.reader.logits(np.asarray(image, np.uint8), found[0].quad), photo.card))
    return trials
