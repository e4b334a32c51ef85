"""Cards in a lamp's light, which a white border shows, and cards whose border is coloured."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.vision.mat import CARD_MM
from referee.vision.nets import load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.white import border_of, in_white_light

BORDER = border_of((56, 87), (0.0, 0.0, *CARD_MM))
EVENING, LAMP, CANDLE = (0.55, 0.9, 1.15), (0.45, 0.85, 1.25), (0.35, 0.8, 1.2)
"""How many times as strong blue, green and red are."""


def card(border, ground=(40, 160, 60)):
    picture = np.full((87, 56, 3), ground, np.uint8)
    picture[BORDER] = border
    return picture


@pytest.mark.parametrize(
    ("border", "seen"),
    [
        ((230, 230, 230), (230, 230, 230)),
        ((205, 228, 240), (205, 228, 240)),
        ((100, 170, 240), (240, 240, 240)),
        ((60, 80, 110), (110, 110, 110)),
        ((62, 140, 240), (240, 240, 240)),
        ((220, 200, 130), (220, 200, 130)),
        ((60, 115, 45), (60, 115, 45)),
        ((150, 90, 60), (150, 90, 60)),
        ((90, 210, 240), (90, 210, 240)),
        ((30, 200, 240), (30, 200, 240)),
        ((40, 30, 210), (40, 30, 210)),
        ((18, 25, 40), (18, 25, 40)),
    ],
    ids=[
        "white", "ivory", "lamp", "dim lamp", "candle", "shade", "green", "blue", "pale yellow", "yellow", "red",
        "black",
    ],
)
def test_a_border_that_may_be_white_tells_the_light(border, seen):
    before = card(border)
    picture = in_white_light(before, BORDER)
    assert np.allclose(picture[BORDER], seen, atol=1)
    assert (picture is before) == (border == seen)


@pytest.mark.parametrize(("sign", "told"), [((200, 205, 205), False), ((60, 70, 90), True)], ids=["white", "dark"])
def test_a_border_is_not_white_where_a_sign_is_whiter(sign, told):
    before = card((100, 170, 240), ground=(40, 40, 45))
    before[30:55, 20:36] = sign
    assert (in_white_light(before, BORDER) is not before) is told


@pytest.fixture(scope="module")
def models():
    return load_models()


@pytest.mark.parametrize("light", [EVENING, LAMP, CANDLE], ids=["evening", "lamp", "candle"])
@pytest.mark.parametrize(
    ("style", "name"),
    [
        ("colour_oval", "B3"), ("colour_oval", "B4"), ("white_oval", "GR"), ("white_oval", "R2"), ("white_oval", "Y5"),
        ("white_oval", "W"),
    ],
)  # fmt: skip
def test_a_card_is_read_in_coloured_light(models, style, name, light):
    image = np.full((300, 300, 3), (70, 75, 80), np.uint8)
    face = draw_face(Card.parse(name), STYLES[style], 160)
    alpha = face[..., 3:] / 255
    part = image[60 : 60 + face.shape[0], 90 : 90 + face.shape[1]]
    part[:] = face[..., :3] * alpha + part * (1 - alpha)
    image = np.clip(cv2.GaussianBlur(image, (0, 0), 1.5) * np.array(light) * 0.5, 0, 255).astype(np.uint8)
    assert [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)] == [name]


PALE = replace(STYLES["plain"], tints=((36, 28, 215), (60, 205, 250), (70, 150, 40), (190, 95, 20)))
FRAMED = replace(STYLES["colour_oval"], ground="dark", border=5.0, corner_fill="tint", centre_fill="tint")
"""No border, on which white signs tell that yellow is not white; and a yellow one about black, where the table does."""


@pytest.mark.parametrize("name", ["Y0", "Y3", "Y+2"])
@pytest.mark.parametrize(
    ("design", "table", "gain", "haze"), [(PALE, (70, 75, 80), 0.75, 60), (FRAMED, (200, 200, 210), 0.6, 80)],
    ids=["no border", "a coloured one"],
)  # fmt: skip
def test_a_yellow_card_without_a_white_border_stays_yellow_in_a_haze(models, design, table, gain, haze, name):
    image = np.full((300, 300, 3), table, np.uint8)
    face = draw_face(Card.parse(name), design, 160)
    alpha = face[..., 3:] / 255
    part = image[60 : 60 + face.shape[0], 90 : 90 + face.shape[1]]
    part[:] = face[..., :3] * alpha + part * (1 - alpha)
    image = np.clip(cv2.GaussianBlur(image, (0, 0), 1.5) * gain + haze, 0, 255).astype(np.uint8)
    assert [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)] == [name]
