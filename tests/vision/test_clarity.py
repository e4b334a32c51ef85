"""How well one card can be seen."""

import cv2
import numpy as np
import pytest

from referee.cards import FACES, Card, Colour
from referee.faces import STYLES, draw_face
from referee.observations import CardReading, Quality
from referee.vision.clarity import Clarity, clarity_of, with_colour_seen


def crop(card=FACES[7], style="white_oval"):
    """A drawn card in everyday light, in the reader's margins."""
    face = draw_face(card, STYLES[style], 400)[..., :3]
    out = np.full((120, 80, 3), 90, np.uint8)
    out[10:110, 6:74] = cv2.resize(face, (68, 100), interpolation=cv2.INTER_AREA) * 0.8
    return out


def lit(gain=1.0, lift=0.0, name="R7"):
    return np.clip(crop(Card.parse(name)).astype(float) * gain + lift, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "quality"),
    [
        (lit(), Quality.CLEAR),
        (lit(0.5), Quality.CLEAR),
        (lit(1.3), Quality.CLEAR),
        (lit(0.08), Quality.DARK),
        (lit(0.1, 235), Quality.GLARE),
        (lit(4.0, 180), Quality.GLARE),
        (lit(0.08, 100), Quality.BLURRED),
        (lit(0.14, 190, "W"), Quality.GLARE),
        (lit(0.4, 140), Quality.CLEAR),
        (lit(0.4, 140, "Y7"), Quality.CLEAR),
        (cv2.GaussianBlur(lit(), (0, 0), 9), Quality.BLURRED),
        (cv2.GaussianBlur(lit(), (0, 0), 1), Quality.CLEAR),
    ],
)
def test_a_card_that_cannot_be_seen_well_is_said_so(picture, quality):
    assert clarity_of(picture).quality is quality


@pytest.mark.parametrize(
    ("seen", "sharp"),
    [
        (Clarity(30.0, 30.0, 0.0, 0.3), True), (Clarity(255.0, 120.0, 0.8, 0.3), True),
        (Clarity(30.0, 20.0, 0.0, 0.3), False), (Clarity(30.0, 30.0, 0.0, 0.05), False),
        (Clarity(255.0, 120.0, 0.8, 0.3, burnt=True), False),
    ],
    ids=["dark", "white", "flat", "blurred", "burnt out"],
)  # fmt: skip
def test_what_stands_out_in_its_colours_is_sharp_however_dark_or_white(seen, sharp):
    assert seen.is_sharp == sharp


@pytest.mark.parametrize("style", list(STYLES))
def test_every_face_of_every_style_is_clear_in_good_light(style):
    assert {clarity_of(crop(card, style)).quality for card in FACES[::3]} == {Quality.CLEAR}


@pytest.mark.parametrize(
    ("name", "picture", "confidence"),
    [
        ("R7", lambda x: x, 0.99),
        ("R7", lambda x: np.clip(x.astype(int) // 8 + 110, 0, 255), 0.99),
        ("R7", lambda x: np.repeat(x.mean(2, keepdims=True), 3, 2), 0.25),
        ("R7", lambda x: x.mean(2, keepdims=True) + np.random.default_rng(1).normal(0, 2, x.shape), 0.25),
        ("W", lambda x: np.repeat(x.mean(2, keepdims=True), 3, 2), 0.99),
    ],
)
def test_no_colour_is_sure_in_a_black_and_white_picture(name, picture, confidence):
    card = Card.parse(name)
    seen = with_colour_seen(CardReading(card, 0.99), np.asarray(picture(crop(card)), np.uint8))
    assert seen.card == card
    assert seen.confidence == confidence
    assert len(seen.alternatives) == (3 if confidence < 0.5 else 0)


def ground(bgr, gain):
    """A card of this ground with a white symbol, over-exposed so many times."""
    picture = np.full((120, 80, 3), bgr, float)
    picture[40:80, 30:50] = 235
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("case", "bgr", "gain", "instead"),
    [
        ("a red in warm light", (66, 104, 200), 2.7, {"R5"}),
        ("a pale red of which green is nearly full", (75, 112, 252), 2.1, {"R5"}),
        ("a pale green", (90, 194, 110), 2.0, {"G5"}),
        ("yellow in everyday light", (40, 200, 235), 1.0, set()),
        ("yellow in bright light", (40, 200, 235), 1.8, set()),
        ("an orange yellow", (4, 140, 235), 1.3, set()),
        ("a pale yellow in everyday light", (120, 210, 235), 1.0, set()),
        ("... in bright light, which may be a red one", (120, 210, 235), 1.6, {"R5"}),
    ],
)  # fmt: skip
def test_a_burnt_out_card_is_not_surely_yellow(case, bgr, gain, instead):
    seen = with_colour_seen(CardReading(Card.parse("Y5"), 0.99), ground(bgr, gain))
    assert {str(card) for card, _ in seen.alternatives} == instead, case
    assert seen.confidence == (0.5 if instead else 0.99), case


@pytest.mark.parametrize(
    ("case", "bgr", "gain", "confidence"),
    [
        ("a pale green", (110, 150, 60), 2.5, 0.5),
        ("a green in everyday light", (110, 150, 60), 1.0, 0.99),
        ("a blue in bright light", (200, 130, 20), 2.5, 0.99),
        ("a pale blue in everyday light", (220, 180, 120), 1.0, 0.99),
    ],
)
def test_a_card_that_is_blue_because_its_light_is_too_bright_is_asked_about(case, bgr, gain, confidence):
    seen = with_colour_seen(CardReading(Card.parse("B5"), 0.99), ground(bgr, gain))
    assert seen.confidence == confidence, case
    assert [str(card) for card, _ in seen.alternatives] == (["G5"] if confidence < 0.99 else []), case


@pytest.mark.parametrize(
    ("name", "picture", "others"),
    [("Y5", ground((66, 104, 200), 2.7), ["R5"]), ("R7", np.full((120, 80, 3), 90, np.uint8), ["G7", "B7", "Y7"])],
    ids=["burnt out", "black and white"],
)
def test_no_other_colour_is_likelier_than_the_one_that_was_read(name, picture, others):
    seen = with_colour_seen(CardReading(Card.parse(name), 0.2), picture)
    assert {str(card): p for card, p in seen.alternatives} == dict.fromkeys(others, 0.2)
    assert (str(seen.card), seen.confidence) == (name, 0.2)


def test_a_card_is_surely_blue_where_the_light_leaves_green_ones_as_they_are():
    seen = with_colour_seen(CardReading(Card.parse("B5"), 0.99), ground((110, 150, 60), 2.5), frozenset({Colour.GREEN}))
    assert seen.confidence == 0.99


@pytest.mark.parametrize(
    ("unburnt", "confidence"), [({Colour.RED}, 0.99), ({Colour.RED, Colour.GREEN}, 0.99), ({Colour.GREEN}, 0.5)]
)
def test_a_card_is_surely_yellow_where_the_light_leaves_red_ones_as_they_are(unburnt, confidence):
    seen = with_colour_seen(CardReading(Card.parse("Y5"), 0.99), ground((66, 104, 200), 2.7), frozenset(unburnt))
    assert seen.confidence == confidence


@pytest.mark.parametrize(
    ("case", "ink", "instead"),
    [("the outline of a red card", (12, 18, 110), {"R5"}), ("that of a yellow one", (10, 90, 100), set())],
)
def test_the_outlines_of_a_burnt_out_card_tell_its_colour(case, ink, instead):
    picture = ground((90, 200, 235), 1.2)
    picture[40:80, 28:31] = ink
    seen = with_colour_seen(CardReading(Card.parse("Y5"), 0.99), picture)
    assert {str(card) for card, _ in seen.alternatives} == instead, case


@pytest.mark.parametrize(
    ("case", "ink", "instead"),
    [("strong ink beside it", (56, 191), set()), ("ink that has faded", (150, 215), {"R5"})],
)
def test_the_white_of_a_card_in_a_lamps_light_is_no_ink_that_has_faded(case, ink, instead):
    """As on a rendered table: a white oval on a yellow card, of half of whose ink red is just not full."""
    picture = np.full((120, 80, 3), (*ink, 246), np.uint8)
    picture[48:72] = (*ink, 251)
    picture[72:] = 207, 241, 253
    seen = with_colour_seen(CardReading(Card.parse("Y5"), 0.99), picture)
    assert {str(card) for card, _ in seen.alternatives} == instead, case


def test_a_card_that_is_burnt_out_is_glared():
    assert clarity_of(ground((66, 104, 200), 2.7)).burnt
    assert not clarity_of(ground((40, 200, 235), 1.8)).burnt
