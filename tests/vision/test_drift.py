"""How the picture has moved: bumps of the camera, and what is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.frame import Image
from referee.vision.drift import movement


@pytest.mark.parametrize("by_px", [3, 6])
def test_an_arm_that_moves_at_the_edge_of_plain_wood_is_not_taken_for_a_bump(by_px: int) -> None:
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (180, 320)), (0, 0), 2)
    wood = 110 + 8 * grain / grain.std()

    def picture(arm_px: int) -> Image:
        seen = wood.copy()
        cv2.ellipse(seen, (arm_px, 70), (46, 20), 0, 0, 360, 235, -1)
        cv2.ellipse(seen, (arm_px - 60, 70), (40, 26), 0, 0, 360, 30, -1)
        seen += rng.normal(0, 1.5, seen.shape)
        return np.repeat(np.clip(seen, 0, 255).astype(np.uint8)[..., None], 3, 2)

    found = movement(picture(40), picture(40 + by_px), np.full((180, 320), 255, np.uint8))
    assert found is None or abs(found[:2] - np.eye(3)[:2]).max() < 0.5


def test_a_picture_that_is_bent_is_not_taken_for_a_bump() -> None:
    cloth = cv2.GaussianBlur(np.random.default_rng(5).integers(0, 255, (180, 320, 3), np.uint8), (0, 0), 3)
    cloth = np.clip((cloth - 128.0) * 8 + 128, 0, 255).astype(np.uint8)
    keep = np.full(cloth.shape[:2], 255, np.uint8)
    for along, is_bump in ((0.98, True), (0.93, False)):
        told = np.array([[along, 0, 160 * (1 - along)], [0, 1, 0]])
        found = movement(cloth, np.asarray(cv2.warpAffine(cloth, told, (320, 180)), np.uint8), keep)
        assert (found is not None and bool(abs(found[0, 0] - along) < 0.01)) is is_bump


def striped(along_px: float = 0.0, across_px: float = 0.0, bent_px: float = 0.0, fanned: float = 0.0) -> Image:
    """A tablecloth with nearly level stripes and two piles on it, moved by so much. bent_px: further down at both
    sides; fanned: how the stripes spread from left to right, as they do for a camera that hangs askew."""
    y, x = np.mgrid[0:180, 0:320].astype(np.float64)
    x -= along_px
    y -= across_px + bent_px * ((x - 160) / 160) ** 2
    down = y + 0.02 * x + fanned * (y - 90) * (x - 160) / 160
    seen = np.repeat((150 + 60 * np.clip(4 * np.sin(2 * np.pi * down / 9), -1, 1))[..., None], 3, 2)
    for middle, angle, colour in ((200, 20, (40, 40, 200)), (120, 5, (20, 20, 20))):
        card = cv2.boxPoints(((middle + along_px, 90 + across_px), (26, 40), angle))
        cv2.fillConvexPoly(seen, np.rint(card).astype(np.int32), colour)
    noise = np.random.default_rng(int(10 * (along_px + across_px))).normal(0, 1, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("case", "along_px", "across_px", "bent_px", "fanned"),
    [
        ("it trembles", 0.0, 0.1, 0.2, 0.0),
        ("it trembles more", 0.0, 0.2, 0.3, 0.0),
        ("it is bumped, and the stripes' spread tells where to", 5.0, 3.0, 0.0, 0.04),
        ("it is bumped along the stripes", 5.0, 0.0, 0.0, 0.04),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_only_a_camera_that_moves_along_stripes_is_believed_to(
    case: str, along_px: float, across_px: float, bent_px: float, fanned: float
) -> None:
    """Where the cloth hardly tells, the piles do, which take no part in the search."""
    beside = np.full((180, 320), 255, np.uint8)
    beside[55:125, 95:230] = 0
    found = movement(striped(fanned=fanned), striped(along_px, across_px, bent_px, fanned), beside)
    assert found is not None
    assert found[:2] @ (160, 90, 1) - (160, 90) == pytest.approx((along_px, across_px), abs=0.5)
