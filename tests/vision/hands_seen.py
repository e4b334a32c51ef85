"""In how many frames the eye sees a hand over the discard pile, by skin: hands of the table's colour are hard to see.

    python tests/vision/hands_seen.py --skin 4 --top wood --seed 50010 --tables 12
    python tests/vision/hands_seen.py --only 13578               # people and table as the seed has them

Prints a line a table and the total. Not collected by pytest. Where hands are, the renderer tells: every frame in which
they cover a tenth of the discard zone counts, and is right when an arm is seen in that zone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from unittest.mock import patch

import cv2
import numpy as np
import numpy.typing as npt
from many_tables import drawn

from referee.frame import Image
from referee.tracker.arms import TOUCH_MM2
from referee.virtual_table import hands, render
from referee.virtual_table.messy import USUAL
from referee.virtual_table.scene import Arm, Motion
from referee.vision.calibration import Calibration
from referee.vision.eye import Eye
from referee.vision.nets import Models, load_models

COVERED = 0.1
"""Share of the discard zone under a hand from which the frame counts."""

Alpha = npt.NDArray[np.uint8]


class Alphas:
    """Notes where arms are on each picture that is rendered, uint8 (720, 1280); None where nobody is."""

    def __init__(self) -> None:
        self._alpha: Alpha | None = None

    def taken(self) -> Alpha | None:
        """That of the last picture; the next one begins without arms."""
        alpha, self._alpha = self._alpha, None
        return alpha

    def noting(self) -> Callable[..., None]:
        """What stands in for the renderer's own drawing of hands and what they hold."""
        plain = render.Renderer._draw_motion

        def draw(renderer: render.Renderer, image: Image, motion: Motion, smear: render.Smear) -> None:
            for arm in motion.arms:
                self._note(renderer, arm, image.shape[:2], smear)
            plain(renderer, image, motion, smear)

        return draw

    def _note(self, renderer: render.Renderer, arm: Arm, shape: tuple[int, ...], smear: render.Smear) -> None:
        sprite, matrix = renderer._sprite(arm)
        box = render._box(matrix, sprite.over.shape, smear)
        if box is None:
            return
        if self._alpha is None:
            self._alpha = np.zeros(shape, np.uint8)
        x0, y0, x1, y1 = box
        here = self._alpha[y0:y1, x0:x1]
        np.maximum(here, render._smeared(render._warp(sprite.over, matrix, box), smear)[..., 3], out=here)


def covered(alpha: Alpha, calibration: Calibration) -> float:
    """Share of the discard zone under arms. alpha: of the scene's 1280x720 picture."""
    wide, high = calibration.image_size
    if wide * 9 != high * 16:
        alpha = alpha[:, 160:1120]  # as `Camera.frames` cuts it
    seen = cv2.resize(np.ascontiguousarray(alpha), (wide, high), interpolation=cv2.INTER_AREA)
    x, y, w, h = calibration.discard_zone_mm
    corners = calibration.to_image([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    zone = cv2.fillConvexPoly(np.zeros((high, wide), np.uint8), np.rint(corners).astype(np.int32), 255)
    return float((seen[zone > 0] > 127).mean())


def frames_seen(seed: int, models: Models, alphas: Alphas, a: argparse.Namespace) -> tuple[int, int]:
    """Frames with a hand over the pile, and those in which the eye sees it."""
    recording = drawn(seed, a)
    eye, there, seen = Eye(recording.calibration, models), 0, 0
    for frame in recording.frames:
        alpha = alphas.taken()
        eye.process(frame)
        if alpha is not None and covered(alpha, recording.calibration) >= COVERED:
            there += 1
            seen += any(arm.in_discard > TOUCH_MM2 for arm in eye._scene._arm_finder.arms)
    print(f"table {seed} [{' '.join(recording.tags)}]: {seen} of {there}", flush=True)
    return there, seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skin", type=int, choices=range(len(hands.SKINS)), help="everybody's, from 0, the lightest")
    parser.add_argument("--top", help="the table top")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", help="these seeds")
    given = parser.parse_args()
    a = argparse.Namespace(
        level=None, top=given.top, style=None, play=False, landings=12, acts=USUAL, plain=False, things=False,
        fidgets=False,
    )
    cv2.setNumThreads(1)
    models, alphas = load_models(), Alphas()
    seeds = given.only or range(given.seed, given.seed + given.tables)
    skins = hands.SKINS if given.skin is None else (hands.SKINS[given.skin],)
    with patch.object(render.Renderer, "_draw_motion", alphas.noting()), patch.object(hands, "SKINS", skins):
        there, seen = np.sum([frames_seen(seed, models, alphas, a) for seed in seeds], axis=0)
    print(f"seen in {seen / max(1, there):.2%} of {there} frames")


if __name__ == "__main__":
    main()
