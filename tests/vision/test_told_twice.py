"""Cards so bright or so dark that their picture alone is not believed, and what their index then adds."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.observations import Quality
from referee.vision.clarity import clarity_of
from referee.vision.nets import load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.warp import rectify

PALE = replace(STYLES["white_oval"], oval_long=40.0, oval_wide=27.0, border=5.0)
"""A design most of which is white."""


@pytest.fixture(scope="module")
def models():
    return load_models()


def photo(name, design, gain, haze=0):
    """A card on a table, in so much light and behind so much haze."""
    face = draw_face(Card.parse(name), design, 220)
    image = np.full((340, 300, 3), (70, 80, 90), np.uint8)
    alpha = face[..., 3:].astype(float) / 255
    part = image[60 : 60 + face.shape[0], 70 : 70 + face.shape[1]]
    part[:] = face[..., :3] * alpha + part * (1 - alpha)
    return np.clip(image * gain + haze, 0, 255).astype(np.uint8)


def without_signs(image):
    """The same, its corners covered: no index is left."""
    out = image.copy()
    for x, y in ((92, 88), (188, 252)):
        cv2.circle(out, (x, y), 22, image[62, 150].tolist(), -1)
    return out


@pytest.mark.parametrize(
    ("name", "design", "gain", "alone"),
    [("R2", PALE, 1.3, Quality.GLARE), ("B7", PALE, 1.3, Quality.GLARE),
     ("W+4", STYLES["white_oval"], 0.12, Quality.DARK)],
)  # fmt: skip
def test_a_card_whose_index_says_the_same_is_said_however_white_or_dark_it_is(models, name, design, gain, alone):
    image = photo(name, design, gain)
    (card,) = read_photo(image, models)
    assert clarity_of(rectify(image, np.array(card.quad, np.float32))).quality is alone
    assert card.reading.notation == name
    assert is_certain(card, models)


def test_such_a_card_without_an_index_in_sight_is_asked_about(models):
    cards = read_photo(without_signs(photo("R2", PALE, 1.3)), models)
    assert not any(is_certain(card, models) for card in cards)


@pytest.mark.parametrize(
    ("name", "gain", "haze"), [("Y3", 1.0, 165), ("R2", 0.09, 0)],
    ids=["its colours are burnt out", "it hardly stands out"],
)  # fmt: skip
def test_a_card_of_which_neither_shows_enough_is_asked_about_whatever_they_say(models, name, gain, haze):
    cards = read_photo(photo(name, STYLES["white_oval"], gain, haze), models)
    assert not any(is_certain(card, models) for card in cards)
