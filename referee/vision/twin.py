"""Signs that a card with the face of the one that lay on top is another card, and not that one, pushed."""

from __future__ import annotations

import cv2
import numpy as np

from referee.frame import Image
from referee.vision.indices import on_card
from referee.vision.light import Mask
from referee.vision.warp import CROP_PX, QuadArray, rectify

BORDER = 0.1
"""Width of a card's white border as a share of its width, and a little more. Smaller: a white border over a white one
tells nothing; larger: narrow strips of the card below are lost."""

MIDDLE = 0.25
"""Share of the crop left out on each side: only the middle of a face differs from its half-turn."""

SLACK_PX = 12
"""Pixels of the crop by which corners may be wrong: so far the faces are shifted over each other. Smaller: a badly
found Skip is one turned; larger: costs time."""

TURNED = 0.06
"""By how much more alike (correlation) a card must be to the old one turned for it to lie the other way up. Smaller: a
glare on the card turns it; larger: a 1 or an 8, nearly like itself turned, is never told."""

LEAST_ALIKE = 0.8
"""Correlation that it must have then. Smaller: another card; larger: badly lit twins are missed."""

LEAST_LEVELS = 8.0
"""Spread of grey levels that a face must have. Smaller: noise; larger: 6 and 9 in the dark."""


SAME_PICTURE = 0.75
"""How alike (correlation) a card must be to the old one to be that. Smaller: a card of the face that was guessed for
the old one passes for that; larger: where the old one is pushed and its corners are found otherwise, another landed."""

ASKEW_DEG = range(-20, 21, 5)
"""Angles by which corners that were found wrong may be off. Fewer: as above; more: costs time."""

INDEX_PART_MM = (4.5, 6.0, 12.5, 16.0)
"""Left, top, right, bottom of an index, millimetres from the card's corner. Smaller: a Skip's ring is like another's;
larger: the border and the oval are taken in, which all cards have."""

INDEX_OPEN = 0.9
"""Share of an index that must be open. Smaller: half a 3 is half an 8; larger: badly found corners hide them all."""

INDEX_LEVELS = 20.0
"""Spread of grey levels from which an index is to be seen. Smaller: plain ground, which is on every card of a colour;
larger: twins in the dark are missed."""


STAYS_BLUR_PX = 3
"""Side of the surroundings, pixels of the patch, over which what shows beside a card is averaged. Smaller: trembling
edges differ; larger: thin edges are lost."""

STAYS_LEVELS = 40.0
"""Grey levels by which a part must differ from what it hid to count as much as its area. Any value would do with its
own `STAYS_CARDS`."""

STAYS_CARDS = 0.003
"""Area, in cards, that must differ so for it to tell anything. Smaller: noise does; larger: twins within millimetres on
a table of their border's colour are missed."""

STAYS_OFF = 0.2
"""By how much what shows may be off, as a share of the way from what was hidden to what was shown. Smaller: shadows of
the new card; larger: a pile that was pushed under its top card passes for one that was not."""

STAYS_REST = 0.35
"""... and the share of it that neither explains. Smaller and larger: as above."""


def stays(before: Image, beneath: Image, now: Image, where: Mask, card_px: float) -> bool:
    """What showed in `before` where the mask is above 0 is seen to show in `now`, and not what it hid: `beneath`, the
    same place before that came. False as well where the two are too like to tell. All three in one light. card_px: area
    of a card, pixels."""
    if not where.any():
        return False
    x, y, w, h = cv2.boundingRect(where)
    part = np.flatnonzero(where[y : y + h, x : x + w] > 0)
    left, top = max(0, x - STAYS_BLUR_PX), max(0, y - STAYS_BLUR_PX)
    around = slice(top, y + h + STAYS_BLUR_PX), slice(left, x + w + STAYS_BLUR_PX)
    smooth = (cv2.blur(picture[around], (STAYS_BLUR_PX,) * 2) for picture in (before, beneath, now))
    shown, hidden, seen = (
        picture[y - top :, x - left :][:h, :w].reshape(-1, 3).take(part, 0).astype(np.float32) for picture in smooth
    )
    way, came = shown - hidden, seen - hidden
    length = float((way**2).sum())
    if length < 3 * STAYS_LEVELS**2 * STAYS_CARDS * card_px:
        return False
    share = float((way * came).sum()) / length
    rest = float(((came - share * way) ** 2).sum()) / length
    return abs(share - 1) <= STAYS_OFF and rest <= STAYS_REST**2


def index_changed(before: Image, old: QuadArray, mask: Mask, hidden: Mask) -> float | None:
    """Of the indices that the card `old` shows in `before` where `hidden` leaves them open, the share that changed: of
    two the one that changed more. None when none is to be seen. mask, hidden: 255 where it changed, where a card is."""
    return max((share for _, share in indices_changed(before, old, mask, hidden)), default=None)


def indices_changed(before: Image, old: QuadArray, mask: Mask, hidden: Mask) -> list[tuple[QuadArray, float]]:
    """The same of each: the card, its first corner the one with the index, and the share that changed."""
    found = []
    for quad in (old, np.roll(old, 2, 0)):
        left, top, right, bottom = INDEX_PART_MM
        corners = on_card(quad, np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32))
        part = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(part, np.rint(corners * 16).astype(np.int32), 255, shift=4)
        x, y, w, h = cv2.boundingRect(part)
        here = slice(y, y + h), slice(x, x + w)
        open_ = (part[here] > 0) & (hidden[here] == 0)
        if np.count_nonzero(open_) < max(1.0, INDEX_OPEN * cv2.countNonZero(part)):
            continue
        if float(cv2.cvtColor(before[here], cv2.COLOR_BGR2GRAY)[open_].std()) >= INDEX_LEVELS:
            found.append((quad, float((mask[here][open_] > 0).mean())))
    return found


def is_turned(before: Image, old: QuadArray, now: Image, quad: QuadArray) -> bool:
    """The card `quad` in `now` shows in its middle what the card `old` showed in `before`, but the other way up: nobody
    pushes a card by half a turn."""
    if float((old[3] - old[0]) @ (quad[3] - quad[0])) < 0:
        quad = np.roll(quad, 2, 0)
    was, shown = rectify(before, old), rectify(now, quad)
    w, h = CROP_PX
    middle = (slice(round(h * MIDDLE), round(h * (1 - MIDDLE))), slice(round(w * MIDDLE), round(w * (1 - MIDDLE))))
    face = np.asarray(cv2.cvtColor(was, cv2.COLOR_BGR2GRAY)[middle], np.uint8)
    if float(face.std()) < LEAST_LEVELS:
        return False
    # What most often says no comes first: each comparison costs a quarter of a millisecond.
    round_about = tuple(slice(part.start - SLACK_PX, part.stop + SLACK_PX) for part in middle)
    turned = _alike(shown[::-1, ::-1][round_about], face)
    if turned < LEAST_ALIKE or turned < _alike(shown[round_about], face) + TURNED:
        return False
    # A Skip is like itself turned: all that sets it apart then is the error of its corners.
    return _alike(was[::-1, ::-1], face) <= 1 - TURNED


def is_other_picture(before: Image, old: QuadArray, now: Image, quad: QuadArray) -> bool:
    """The card `quad` in `now` does not show in its middle what the card `old` showed in `before`, whichever way up and
    however askew the corners of either are."""
    (w, h), shown = CROP_PX, rectify(now, quad)
    middle = (slice(round(h * MIDDLE), round(h * (1 - MIDDLE))), slice(round(w * MIDDLE), round(w * (1 - MIDDLE))))
    face = np.asarray(cv2.cvtColor(rectify(before, old), cv2.COLOR_BGR2GRAY)[middle], np.uint8)
    if float(face.std()) < LEAST_LEVELS:
        return False
    round_about = tuple(slice(part.start - SLACK_PX, part.stop + SLACK_PX) for part in middle)
    for angle in (up + askew for askew in ASKEW_DEG for up in (0, 180)):
        turn = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle, 1)
        turned = np.asarray(cv2.warpAffine(shown, turn, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)
        if _alike(turned[round_about], face) >= SAME_PICTURE:
            return False
    return True


def _alike(picture: Image, face: Image) -> float:
    """How alike (correlation) the likest place of a picture is to a grey face."""
    return float(cv2.matchTemplate(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), face, cv2.TM_CCOEFF_NORMED).max())


def inner(quad: QuadArray) -> QuadArray:
    """The card without its white border."""
    a, b = BORDER, BORDER * float(np.hypot(*(quad[1] - quad[0]))) / max(1e-6, float(np.hypot(*(quad[3] - quad[0]))))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    corners = np.array([[[a, b], [1 - a, b], [1 - a, 1 - b], [a, 1 - b]]], np.float32)
    return np.asarray(cv2.perspectiveTransform(corners, matrix)[0], np.float32)
