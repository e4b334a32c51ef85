"""Where a card lies that another one hides in part, by drawn masks of what changed."""

import cv2
import numpy as np

from referee.vision.outline import Outline

W, H = 78, 122
SIZE = (300, 300)


def card(x, y, angle=0.0):
    corners = np.array([[-W, -H], [W, -H], [W, H], [-W, H]], np.float32) / 2
    a = np.radians(angle)
    return (corners @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)).astype(np.float32)


def filled(quad):
    mask = np.zeros(SIZE, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 255)
    return mask


def off(one, other):
    """Mean distance of the corners, pixels, whichever comes first."""
    return min(float(np.hypot(*(one - np.roll(other, k, 0)).T).mean()) for k in range(4))


LOWER, UPPER = card(130, 150), card(158, 158, 4)
HIDDEN = filled(UPPER)
SEEN = np.asarray(cv2.subtract(filled(LOWER), HIDDEN), np.uint8)


def test_a_half_hidden_card_is_placed_by_what_changed_of_it():
    assert off(Outline((W, H)).under(SEEN, HIDDEN, [card(140, 140, 8)]), LOWER) < 3


def test_a_half_hidden_card_on_its_like_of_which_little_changed_is_placed_where_it_was_found():
    outline = Outline((W, H))
    rim = np.asarray(cv2.subtract(SEEN, cv2.erode(filled(LOWER), np.ones((11, 11), np.uint8))), np.uint8)
    assert off(outline.under(rim, HIDDEN), LOWER) > 6
    assert off(outline.under(rim, HIDDEN, [card(118, 150), LOWER]), LOWER) < 3


def test_a_half_hidden_card_whose_white_lies_on_white_is_placed_by_the_rest_of_it():
    middle = ((LOWER - LOWER.mean(0)) * 0.8 + LOWER.mean(0)).astype(np.float32)
    oval = cv2.ellipse(np.zeros(SIZE, np.uint8), (130, 150), (30, 46), 20, 0, 360, 255, -1)
    edge = cv2.subtract(filled(LOWER), cv2.erode(filled(LOWER), np.ones((5, 5), np.uint8)))
    shows = cv2.max(edge, cv2.subtract(filled(middle), oval))
    assert off(Outline((W, H)).under(np.asarray(cv2.subtract(shows, HIDDEN), np.uint8), HIDDEN), LOWER) < 10
