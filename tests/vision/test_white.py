"""Cards in a lamp's light and in cold light, which what is white on them shows, and cards whose border is coloured."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.vision.mat import CARD_MM
from referee.vision.nets import load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.white import in_white_light, may_be_blue, parts_of

PARTS = parts_of((56, 87), (0.0, 0.0, *CARD_MM))
EVENING, LAMP, CANDLE, YELLOW = (0.55, 0.9, 1.15), (0.45, 0.85, 1.25), (0.35, 0.8, 1.2), (0.3, 1.0, 1.0)
COLD, COLDER = (1.3, 0.95, 0.6), (1.4, 0.9, 0.5)
"""How many times as strong blue, green and red are."""


def card(border, ground=(40, 160, 60)):
    picture = np.full((87, 56, 3), ground, np.uint8)
    picture[PARTS.border] = border
    return picture


def on_table(name, design, table=(70, 75, 80)):
    """A card on a table, a little out of focus."""
    image = np.full((300, 300, 3), table, np.uint8)
    face = draw_face(Card.parse(name), design, 160)
    alpha = face[..., 3:] / 255
    part = image[60 : 60 + face.shape[0], 90 : 90 + face.shape[1]]
    part[:] = face[..., :3] * alpha + part * (1 - alpha)
    return cv2.GaussianBlur(image, (0, 0), 1.5)


@pytest.mark.parametrize(
    ("border", "seen"),
    [
        ((230, 230, 230), (230, 230, 230)),
        ((205, 228, 240), (205, 228, 240)),
        ((100, 170, 240), (240, 240, 240)),
        ((60, 80, 110), (110, 110, 110)),
        ((62, 140, 240), (240, 240, 240)),
        ((220, 200, 130), (130, 130, 130)),
        ((255, 214, 120), (120, 120, 120)),
        ((60, 115, 45), (60, 115, 45)),
        ((190, 95, 20), (190, 95, 20)),
        ((90, 210, 240), (90, 210, 240)),
        ((30, 200, 240), (30, 200, 240)),
        ((40, 30, 210), (40, 30, 210)),
        ((18, 25, 40), (18, 25, 40)),
    ],
    ids=[
        "white", "ivory", "lamp", "dim lamp", "candle", "shade", "cold light", "green", "blue", "pale yellow", "yellow",
        "red", "black",
    ],
)
def test_a_border_that_may_be_white_tells_the_light(border, seen):
    before = card(border)
    picture = in_white_light(before, PARTS)
    assert np.allclose(picture[PARTS.border], seen, atol=1)
    assert (picture is before) == (border == seen)


@pytest.mark.parametrize(
    ("border", "ground"), [((100, 170, 240), (79, 67, 20)), ((240, 190, 110), (45, 60, 150))], ids=["yellow", "blue"]
)
@pytest.mark.parametrize(("sign", "told"), [((205, 205, 205), False), ((60, 70, 90), True)], ids=["white", "dark"])
def test_a_border_is_not_white_where_a_sign_is_whiter(border, ground, sign, told):
    before = card(border, ground)
    before[30:55, 20:36] = sign
    assert (in_white_light(before, PARTS) is not before) is told


@pytest.mark.parametrize(
    ("border", "ground", "sign", "seen"),
    [
        ((10, 20, 30), (80, 78, 25), (108, 204, 255), (255, 255, 255)),
        ((40, 60, 51), (40, 60, 51), (62, 140, 210), (210, 210, 210)),
        ((35, 23, 12), (50, 25, 108), (255, 216, 120), (120, 120, 120)),
        ((50, 25, 108), (50, 25, 108), (255, 216, 120), (120, 120, 120)),
        ((190, 95, 20), (190, 95, 20), (240, 240, 240), None),
        ((190, 95, 20), (190, 95, 20), (240, 190, 110), None),
        ((25, 25, 25), (25, 25, 25), (60, 205, 250), None),
        ((38, 34, 40), (38, 34, 40), (44, 84, 104), None),
        ((70, 70, 75), (70, 70, 75), (88, 91, 123), None),
        ((25, 25, 25), (90, 70, 30), (72, 225, 240), None),
    ],
    ids=[
        "blue and black by a lamp", "blue of no border by a lamp", "red and black in cold light",
        "red of no border in cold light", "white", "pale blue", "yellow", "yellow in a dim haze", "red in a haze",
        "yellow light",
    ],
)  # fmt: skip
def test_a_sign_that_may_be_white_tells_the_light_where_the_border_is_not(border, ground, sign, seen):
    before = card(border, ground)
    before[30:55, 20:36] = sign
    picture = in_white_light(before, PARTS)
    assert (picture is before) == (seen is None)
    assert np.allclose(picture[40, 28], sign if seen is None else seen, atol=1)


@pytest.mark.parametrize(
    ("ink", "told"),
    [
        ((60, 80, 30), True), ((60, 150, 20), True), ((15, 150, 40), False), ((15, 190, 235), False),
        ((10, 35, 200), False), ((20, 60, 70), False), ((25, 25, 25), False), ((72, 225, 240), False),
    ],
    ids=["blue", "cyan", "green", "yellow", "red", "grey", "black", "none"],
)  # fmt: skip
def test_yellow_light_is_told_from_a_yellow_border_by_what_would_be_blue_in_white(ink, told):
    before = card((72, 225, 240), ground=ink)
    picture = in_white_light(before, PARTS)
    assert (picture is not before) is told
    assert np.allclose(picture[PARTS.border], (240, 240, 240) if told else (72, 225, 240), atol=1)


@pytest.mark.parametrize(
    ("border", "ink", "doubtful"),
    [
        ((95, 214, 255), (72, 76, 78), True), ((72, 225, 240), (60, 70, 70), True),
        ((95, 214, 255), (25, 26, 27), True), ((72, 225, 240), (25, 26, 27), False),
        ((95, 214, 255), (15, 190, 235), False), ((230, 230, 230), (72, 76, 78), False),
        ((20, 190, 240), (72, 76, 78), False),
    ],
    ids=[
        "lamp", "yellow light", "black by a lamp", "black by yellow light", "yellow", "white border", "strong yellow",
    ],
)  # fmt: skip
def test_a_yellow_card_with_grey_signs_may_be_a_blue_one_in_the_light_of_a_lamp(border, ink, doubtful):
    assert may_be_blue(card(border, ink), PARTS) is doubtful


@pytest.mark.parametrize("border", [(100, 190, 240), (240, 190, 110)], ids=["yellow", "blue"])
@pytest.mark.parametrize("ink", [(25, 25, 25), (60, 62, 63)], ids=["black", "grey"])
def test_a_border_of_which_black_signs_tell_nothing_is_left_as_it_is(border, ink):
    before = card(border, ink)
    assert in_white_light(before, PARTS) is before


@pytest.mark.parametrize(
    ("border", "black", "ink"),
    [
        ((37, 148, 158), (25, 25, 21), (35, 52, 20)), ((76, 139, 195), (42, 42, 45), (55, 60, 22)),
        ((85, 195, 245), (60, 56, 50), (62, 78, 30)), ((155, 108, 85), (34, 40, 42), (22, 42, 70)),
    ],
    ids=["yellow", "orange", "yellow in a haze", "blue"],
)  # fmt: skip
def test_a_border_about_black_is_of_a_colour_and_about_an_ink_it_is_white(border, black, ink):
    before = card(border, black)
    assert in_white_light(before, PARTS) is before
    before = card(border, ink)
    assert in_white_light(before, PARTS) is not before


@pytest.fixture(scope="module")
def models():
    return load_models()


@pytest.mark.parametrize(
    "light", [EVENING, LAMP, CANDLE, YELLOW, COLD, COLDER],
    ids=["evening", "lamp", "candle", "yellow", "cold", "colder"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("style", "name"),
    [
        ("colour_oval", "B3"), ("colour_oval", "B4"), ("white_oval", "GR"), ("white_oval", "R2"), ("white_oval", "Y5"),
        ("white_oval", "W"),
    ],
)  # fmt: skip
def test_a_card_is_read_in_coloured_light(models, style, name, light):
    image = np.clip(on_table(name, STYLES[style]) * np.array(light) * 0.5, 0, 255).astype(np.uint8)
    assert [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)] == [name]


MUTED = ((60, 50, 170), (60, 190, 230), (90, 140, 80), (170, 110, 60))


@pytest.mark.parametrize(
    ("name", "light"),
    [
        ("B3", LAMP), ("BS", LAMP), ("BR", CANDLE), ("G6", CANDLE), ("R2", COLDER), ("RS", COLDER), ("Y4", COLDER),
        ("G6", COLDER),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "design",
    [
        replace(STYLES["colour_oval"], border_colour=(25, 25, 25), tints=MUTED),
        replace(STYLES["plain"], tints=MUTED),
    ],
    ids=["black border", "no border"],
)
def test_a_card_without_a_white_border_is_not_taken_for_another_colour_in_coloured_light(models, design, name, light):
    image = np.clip(on_table(name, design) * np.array(light) * 0.7, 0, 255).astype(np.uint8)
    certain = [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)]
    assert certain == [name]


@pytest.mark.parametrize("name", ["R1", "R+2"])
def test_a_red_card_is_read_in_the_coldest_light(models, name):
    image = np.clip(on_table(name, STYLES["colour_oval"]) * np.array((1.5, 0.9, 0.42)), 0, 255).astype(np.uint8)
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
    image = np.clip(on_table(name, design, table) * gain + haze, 0, 255).astype(np.uint8)
    assert [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)] == [name]


BLACK_ON_PALE = replace(
    STYLES["plain"], tints=((36, 28, 215), (60, 205, 250), (70, 150, 40), (190, 95, 20)), corner_fill="black",
    centre_fill="black",
)  # fmt: skip


@pytest.mark.parametrize("name", ["Y0", "Y7", "YS", "YR"])
@pytest.mark.parametrize(("haze", "said"), [(0, True), (50, False), (80, False)])
def test_a_yellow_card_with_black_signs_and_nothing_white_is_asked_about_in_a_haze_at_worst(models, name, haze, said):
    image = np.clip(on_table(name, BLACK_ON_PALE) * 0.7 + haze, 0, 255).astype(np.uint8)
    certain = [c.reading.notation for c in read_photo(image, models) if is_certain(c, models)]
    assert certain == [name] or (not said and not certain)
