"""One camera frame with its place in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""uint8, (height, width, 3) in B, G, R order, or (height, width) grey."""

Part = tuple[float, float, float, float]
"""A part of what a camera can show, as shares of its width and height: x, y of the upper left corner, width, height."""

WHOLE: Part = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Frame:
    """An image, its sequence number and its monotonic time.

    image: uint8 (height, width, 3), B, G, R; nobody writes to it until the next frame has been dealt with, for it may
    be looked at again then. seq: counts frames of one source from 0; gaps are dropped frames.
    t: seconds on the source's monotonic clock (for a recording: since its start).
    grey: uint8 (height, width) luma that the camera gives for free at a smaller size (`lores`), or None.
    part: what of its view the camera showed on this frame, in the same number of pixels; None: it always shows all.
    name: of the file in a folder of pictures that it is, or None.
    """

    image: Image
    seq: int
    t: float
    grey: Image | None = None
    part: Part | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise ValueError(f"a frame's image is uint8 (height, width, 3), not {self.image.dtype} {self.image.shape}")
        if self.grey is not None and (self.grey.ndim != 2 or self.grey.dtype != np.uint8):
            raise ValueError("a frame's grey plane is uint8 (height, width)")
        if self.seq < 0 or not self.t >= 0:
            raise ValueError("a frame's sequence number and time are not negative")
