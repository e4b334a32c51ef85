"""A card of which another one leaves only a strip open: what its corner says, and whether it lay on top before."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.observations import UNREAD, CardReading
from referee.vision.indices import INDEX_MM, IndexEye, IndexReading, in_mm
from referee.vision.light import Mask, difference
from referee.vision.mat import CARD_MM
from referee.vision.warp import CROP_PX, QuadArray, rectify

GROUND = 0.15
"""Ground round the card that is searched for its index, as a share of its height. Smaller: an index at the edge is cut;
larger: costs time."""

OWN_MM = 9.0
"""Distance of an index from where the card has one. Smaller: a card that was placed badly goes unread; larger: the
index of the card beneath is taken for it."""

ALIKE = 0.7
"""Cosine between the directions of an index and of its card. Smaller and larger: as above."""

LEAST_FACE = 0.6
"""Probability of a face below which an index counts as unread. Smaller: ovals and digits cut in half are read; larger:
more questions."""

HIDDEN_CROP = 4
"""Pixels of the crop round the hidden part that are not compared. Smaller: its edge and shadow count; larger: thin
strips cannot be compared."""

LIKE_LEVELS = 30
"""Grey levels by which a pixel may differ and still show the same. Smaller: noise; larger: red is like yellow."""

LIKE_SLACK_PX = 3
"""Shift, pixels of the crop, that is no difference. Smaller: a card placed badly is unlike itself; larger: a 3 is
like an 8."""

LEAST_PX = 200
"""Open pixels of the crop that are enough to compare."""


def read_strip(eye: IndexEye, image: Image, quad: QuadArray, hidden: QuadArray) -> IndexReading | None:
    """The surest index of the card `quad` outside `hidden`, both in pixels of the image, the first corner of either
    anywhere; None when none is to be seen."""
    height = float(np.hypot(*(quad[3] - quad[0] + quad[2] - quad[1]))) / 2
    low = np.maximum(np.floor(quad.min(0) - GROUND * height), 0).astype(int)
    high = np.minimum(np.ceil(quad.max(0) + GROUND * height), [image.shape[1], image.shape[0]]).astype(int)
    if (high - low < 8).any():
        return None
    part = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
    shift = low.astype(np.float32)
    own = [
        index
        for index in eye.find(part, [height])
        if index.reading.card is not None
        and index.face_probability >= LEAST_FACE
        and _belongs(index, quad - shift)
        and cv2.pointPolygonTest((hidden - shift).reshape(-1, 1, 2), [float(v) for v in index.centre], False) < 0
    ]
    best = max(own, key=lambda index: index.score * index.reading.confidence, default=None)
    if best is None:
        return None
    corner = best.quad + shift
    return IndexReading(read_again(eye, image, corner), corner, best.score, best.face_probability)


def read_again(eye: IndexEye, image: Image, corner: QuadArray) -> CardReading:
    """One more look at an index, in several placings: it may be cut in half. corner: the quad of `read_strip`."""
    read = eye.read(image, corner, 1.0, thorough=True)
    return read.reading if read.face_probability >= LEAST_FACE else UNREAD


def likeness(before: Image, old: QuadArray, now: Image, quad: QuadArray, hidden: Mask) -> float:
    """Share of the open part of the card `quad` in `now` that shows what the card `old` showed in `before`, 0 to 1; 0
    when too little is open. hidden: uint8, the shape of `now`, 255 where another card lies on it."""
    was, covered = rectify(before, old), rectify(np.repeat(hidden[..., None], 3, 2), quad)[..., 0]
    covered = np.asarray(cv2.dilate(covered, np.ones((2 * HIDDEN_CROP + 1,) * 2, np.uint8)), np.uint8)
    inside = np.zeros(CROP_PX[::-1], bool)
    inside[10:-10, 7:-7] = True
    open_ = inside & (covered < 128)
    if np.count_nonzero(open_) < LEAST_PX:
        return 0.0
    shown = rectify(now, quad)
    ways = (shown, np.ascontiguousarray(shown[::-1, ::-1])), (open_, np.ascontiguousarray(open_[::-1, ::-1]))
    return max(
        float((difference(was, picture, LIKE_SLACK_PX)[where] < LIKE_LEVELS).mean())
        for picture, where in zip(*ways, strict=True)
    )


def _belongs(index: IndexReading, quad: QuadArray) -> bool:
    """The index is where the card has one, and its card points the same way."""
    (at,) = in_mm(quad, np.asarray([index.centre], np.float32))
    places = (np.array(INDEX_MM), np.array(CARD_MM) - INDEX_MM)
    if min(float(np.hypot(*(at - place))) for place in places) > OWN_MM:
        return False
    along = [_unit(q[3] - q[0]) for q in (index.quad, quad)]
    return abs(float(along[0] @ along[1])) >= ALIKE


def _unit(v: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(v / max(1e-6, float(np.hypot(*v))), np.float32)
