"""The discard zone from above: pictures of it, what changed between two of them, and places in it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.observations import Quad
from referee.vision.calibration import Calibration, Floats
from referee.vision.lamp import relit
from referee.vision.light import Mask, difference, largest, soft_shadows
from referee.vision.warp import QuadArray

PATCH_PX_PER_MM = 1.4
"""Scale of the top-down patch at most. Smaller: thin changes vanish; larger: every look costs more."""

MARGIN_MM = 18.0
"""Ground round the discard zone that the patch shows. Smaller: cards that stick out are cut; larger: costs time."""

DRAW_PILE_MM = 6.0
"""Ground round the draw zone in which nothing counts as a change of the discard pile. Smaller: a shifted draw pile is a
change; larger: cards that lie near the draw pile are missed."""

CHANGE = 20
"""Grey levels by which the patch must differ. Smaller: compression noise; larger: yellow on yellow."""

LIT = 150
"""Grey level, of any colour, that the brightest fiftieth of the patch must reach for that to hold; in less light less
differs. Smaller: in the dark, yellow on wood is no change; larger: in poor light noise is one."""

CHANGE_DARK = 9
"""Grey levels that it must differ by in any light. Smaller: noise in the dark is a change; larger: as above."""

SLACK_PX = 1
"""Shift of the picture that is no change, pixels of the patch."""

SHADOW_DARKEST = 0.45
"""Share of light below which a shadow on the pile must have a soft border round its core. Smaller: dark cards are
shadows; larger: shadows are changes."""

SHADOW_TOLERANCE = 16.0
"""Grey levels by which colours in a shadow may be off. Smaller: shadows are changes; larger: grey cards are shadows."""

RIM_MM = 1.4
"""Ground round a card that still belongs to it: its shadow and the error of its corners. Smaller: a shadow is a change
beside the card; larger: thin strips that tell a nudge from a twin are lost."""

LEAST_PART = 0.025
"""Share of a card that a part must have for its change to be told."""


class FromAbove:
    """The discard zone of one calibration. px_per_mm: of its pictures, at most; None: what the calibration has.
    Pictures that are compared need the same.

    card_px: width and height of a card, pixels of the picture from above, as all lengths here; card_area: its area.
    rim: width of the ground round a card that still belongs to it. image_size: width and height of the full picture.
    """

    def __init__(self, calibration: Calibration, px_per_mm: float | None = None) -> None:
        x, y, w, h = calibration.discard_zone_mm
        self._calibration = calibration
        self.image_size = calibration.image_size
        self.scale = min(PATCH_PX_PER_MM, px_per_mm or calibration.px_per_mm())
        self._origin = (x - MARGIN_MM, y - MARGIN_MM)
        self._size = (round((w + 2 * MARGIN_MM) * self.scale), round((h + 2 * MARGIN_MM) * self.scale))
        s = self.scale
        to_table = np.array([[1 / s, 0, self._origin[0]], [0, 1 / s, self._origin[1]], [0, 0, 1.0]])
        self._to_image = calibration.table_to_image @ to_table
        self.card_px = (calibration.card_mm[0] * s, calibration.card_mm[1] * s)
        self.card_area = self.card_px[0] * self.card_px[1]
        self.rim = max(1, round(RIM_MM * s))
        self._where = self._counted()

    @property
    def card_mm(self) -> tuple[float, float]:
        """Width and height of a card, millimetres."""
        return self.card_px[0] / self.scale, self.card_px[1] / self.scale

    def patch(self, image: Image) -> Image:
        """The discard zone from above, uint8 (height, width, 3), whatever lies or moves there."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        edge = cv2.BORDER_REPLICATE
        patch = cv2.warpPerspective(image, self._to_image, self._size, flags=flags, borderMode=edge)
        return np.asarray(patch, np.uint8)

    def of_small(self, mask: Mask | None) -> Mask | None:
        """What a mask of the whole picture, uint8 and smaller than that, has of the discard zone, from above."""
        if mask is None:
            return None
        scale = np.array(mask.shape[::-1]) / self._calibration.image_size
        to_small = np.array([[scale[0], 0, scale[0] / 2 - 0.5], [0, scale[1], scale[1] / 2 - 0.5], [0, 0, 1.0]])
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(mask, to_small @ self._to_image, self._size, flags=flags), np.uint8)

    def changed(self, reference: Image | None, patch: Image) -> Mask:
        """Where the patch differs from the reference in more than light, everywhere without one: uint8 (height, width),
        255 or 0."""
        return self._where if reference is None else self.differs(relit(reference, patch), patch)

    def differs(self, expected: Image, patch: Image) -> Mask:
        """Where the patch differs from what is `expected` in its light: uint8 (height, width), 255 or 0."""
        off = cv2.blur(difference(expected, patch, SLACK_PX), (3, 3))
        mask = np.asarray(cv2.threshold(off, _least(patch), 255, cv2.THRESH_BINARY)[1], np.uint8)
        if not mask.any():
            return mask
        mask = np.asarray(
            cv2.subtract(mask, soft_shadows(expected, patch, mask, SHADOW_DARKEST, SHADOW_TOLERANCE)), np.uint8
        )
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        return np.asarray(cv2.bitwise_and(mask, self._where), np.uint8)

    def change_cards(self, mask: Mask) -> float:
        """Area of a change, in cards."""
        return float(cv2.countNonZero(mask) / self.card_area)

    def px(self, points_mm: npt.ArrayLike) -> QuadArray:
        """Points of the table (n, 2), millimetres, in pixels from above, float32."""
        return self._px(points_mm).astype(np.float32)

    def full(self, quad: QuadArray) -> QuadArray:
        """Corners in pixels from above, in those of the full picture."""
        shaped = quad.reshape(-1, 1, 2).astype(np.float64)
        return cv2.perspectiveTransform(shaped, self._to_image).reshape(4, 2).astype(np.float32)

    def table(self, quad_px: QuadArray) -> Quad:
        """Corners in pixels of the full picture, in table millimetres."""
        a, b, c, d = ((float(x), float(y)) for x, y in self._calibration.to_table(quad_px))
        return (a, b, c, d)

    def filled(self, quad: npt.NDArray[np.float32], grow: int = 0) -> Mask:
        """255 inside the card `quad`, grown by so many pixels on each side, or shrunk."""
        mask = np.zeros((self._size[1], self._size[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 255, shift=4)
        if grow:
            kernel = np.ones((2 * abs(grow) + 1, 2 * abs(grow) + 1), np.uint8)
            mask = np.asarray(cv2.dilate(mask, kernel) if grow > 0 else cv2.erode(mask, kernel), np.uint8)
        return mask

    def inside(self, mask: Mask, quad: QuadArray) -> float:
        """Share of the change that lies in the card. quad: pixels from above."""
        return cv2.countNonZero(cv2.bitwise_and(mask, self.filled(quad, self.rim))) / max(1, cv2.countNonZero(mask))

    def share(self, mask: Mask, part: npt.NDArray[np.generic], least: float = LEAST_PART) -> float | None:
        """Share of a part that changed; None where that is smaller than `least`, in cards."""
        area = cv2.countNonZero(np.asarray(part))
        if area < least * self.card_area:
            return None
        return cv2.countNonZero(cv2.bitwise_and(mask, np.asarray(part))) / area

    def _counted(self) -> Mask:
        """Where in the patch changes count: everywhere but at the draw pile."""
        where = np.full((self._size[1], self._size[0]), 255, np.uint8)
        x, y, w, h = self._calibration.draw_zone_mm
        low = self._px(np.array([[x - DRAW_PILE_MM, y - DRAW_PILE_MM]]))[0]
        high = self._px(np.array([[x + w + DRAW_PILE_MM, y + h + DRAW_PILE_MM]]))[0]
        cv2.rectangle(where, np.rint(low).astype(int).tolist(), np.rint(high).astype(int).tolist(), 0, cv2.FILLED)
        return where

    def _px(self, points_mm: npt.ArrayLike) -> Floats:
        return (np.asarray(points_mm, np.float64) - self._origin) * self.scale


def _least(patch: Image) -> float:
    """Grey levels by which the patch must differ in its own light."""
    brightest = float(np.percentile(largest(patch[::4, ::4]), 98))
    return max(CHANGE_DARK, CHANGE * min(1.0, brightest / LIT))
