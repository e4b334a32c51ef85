"""A card that came under the newest one in the same visit and peeks out from under it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from referee.frame import Image
from referee.observations import UNREAD
from referee.tracker.looks import CardLook
from referee.tracker.pile import TWO_CARDS, UNDER_CARDS
from referee.tracker.signs import OWN_OPEN, is_doubtful, is_found_under, is_under, newness
from referee.vision.evidence import Evidence, Measured
from referee.vision.light import relit
from referee.vision.nets import Models
from referee.vision.outline import Outline
from referee.vision.strip import Strip, find_corners, likeness, read_strip


class Peeking(NamedTuple):
    """The card, and where it is read."""

    card: CardLook
    strip: Strip


def peeking(
    image: Image, evidence: Evidence, cards: list[Measured], outline: Outline, models: Models
) -> Peeking | None:
    """The card that came under the newest of `cards`, placed by what changed beside that. None where too little changed
    there, or a card that was found explains it. outline: of cards seen from above."""
    above, finding = evidence.above, evidence.finding
    newest = max((card for card, _ in cards), key=newness)
    if newest.reading.card is None:
        return None
    on_top = above.filled(above.px(newest.quad), above.rim)
    beside = np.asarray(cv2.subtract(finding.mask, on_top), np.uint8)
    explained = any(came_under(card, newest) for card, _ in cards)
    if explained or cv2.countNonZero(beside) < UNDER_CARDS * above.card_area:
        return None
    here = outline.under(beside, on_top, [above.px(card.quad) for card, _ in cards if is_found_under(card)])
    open_ = np.asarray(cv2.subtract(above.filled(here, -above.rim), on_top), np.uint8)
    area = cv2.countNonZero(open_)
    full = above.full(here)
    around = above.filled(here, above.rim)
    card = replace(
        evidence.measured(CardLook(UNREAD, above.table(full), 0, 0, fitted=True, peeks=True)),
        on_top=0.0,
        open=area / above.card_area,
        aside=cv2.countNonZero(cv2.bitwise_and(beside, open_)) / max(1, area),
        left=cv2.countNonZero(cv2.bitwise_and(beside, around)) / cv2.countNonZero(beside),
    )
    if finding.top is not None and finding.reference is not None:
        old = above.px(finding.top)
        rest = cv2.subtract(cv2.subtract(above.filled(old, -above.rim), on_top), around)
        card = replace(
            card,
            vacated=above.share(finding.mask, rest),
            like_old=likeness(relit(finding.reference, finding.image), old, finding.image, here, on_top),
            stays=evidence.stays(cv2.max(on_top, around)),
        )
    corners = find_corners(models.indices, image, full, above.full(above.px(newest.quad)))
    strip = Strip(full, corners, pictured=newest.reading.card.colour is not None and is_under(card))
    return Peeking(replace(card, reading=read_strip(models, image, strip)), strip)


def are_two(cards: list[Measured], under: Peeking | None) -> bool:
    """The newest card, surely read, and one of another face under it together explain the change. What seems to be its
    like is as often the same card, whose corners were found wrong."""
    if under is None:
        return False
    newest = max((card for card, _ in cards), key=newness)
    if under.card.reading.card == newest.reading.card:
        return False
    explains = newest.explains + (1 - newest.explains) * under.card.left
    return not is_doubtful(newest) and is_under(under.card) and explains >= TWO_CARDS and under.card.open >= OWN_OPEN


def came_under(card: CardLook, newest: CardLook) -> bool:
    """The card came under the newest one, for sure. What has that one's face and hardly peeks out is that one, placed a
    little beside itself."""
    again = card.reading.card == newest.reading.card and card.open < OWN_OPEN
    return is_under(card) and not is_doubtful(card) and not again
