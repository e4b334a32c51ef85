"""Rendered scenes as a camera sees them from the side."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.training.scenes import Scene

TILTS = (35.0, 60.0)
"""Degrees from where the scene was seen from."""
FOCAL = (0.9, 1.6)
"""Focal lengths, in longer sides of the picture."""
LONGER = 1.25
"""The longer side of the picture, for one of the scene's: what is near becomes larger, what is far smaller."""


def aslant(scene: Scene, rng: np.random.Generator) -> Scene:
    """The scene turned in space about any axis through its middle. What lies beside it is as its edge."""
    h, w = scene.image.shape[:2]
    axis, tilt = rng.uniform(0, 2 * np.pi), np.deg2rad(rng.uniform(*TILTS))
    focal = max(h, w) * rng.uniform(*FOCAL)
    middle = np.array([w, h]) / 2
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]])
    along, across = np.array([np.cos(axis), np.sin(axis)]), np.array([-np.sin(axis), np.cos(axis)])
    u, v = (corners - middle) @ along, (corners - middle) @ across
    depth = focal + v * np.sin(tilt)
    seen = np.outer(u / depth, along) + np.outer(v * np.cos(tilt) / depth, across)
    seen = (seen - seen.min(0)) * LONGER * max(h, w) / float(np.ptp(seen, axis=0).max())
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    size = (int(np.ceil(np.ptp(seen[:, 0]))), int(np.ceil(np.ptp(seen[:, 1]))))
    image = cv2.warpPerspective(scene.image, view, size, borderMode=cv2.BORDER_REPLICATE)
    owner = cv2.warpPerspective(scene.owner.astype(np.float32), view, size, flags=cv2.INTER_NEAREST, borderValue=-1)
    return replace(
        scene, image=np.asarray(image, np.uint8), owner=owner.astype(np.int16), quads=_moved(scene.quads, view)
    )


def _moved(quads: npt.NDArray[np.float32], view: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    moved = cv2.perspectiveTransform(quads.reshape(1, -1, 2).astype(np.float32), view)
    return np.asarray(moved, np.float32).reshape(-1, 4, 2)
