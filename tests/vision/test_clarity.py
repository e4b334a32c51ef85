"""How well one card can be seen."""

import cv2
import numpy as np
import pytest

from referee.cards import FACES
from referee.faces import STYLES, draw_face
from referee.observations import Quality
from referee.vision.clarity import clarity_of


def crop(card=FACES[7], style="white_oval"):
    """A drawn card in everyday light, in the reader's margins."""
    face = draw_face(card, STYLES[style], 400)[..., :3]
    out = np.full((120, 80, 3), 90, np.uint8)
    out[10:110, 6:74] = cv2.resize(face, (68, 100), interpolation=cv2.INTER_AREA) * 0.8
    return out


def lit(gain=1.0, lift=0.0):
    return np.clip(crop().astype(float) * gain + lift, 0, 255).astype(np.uint8)


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
        (cv2.GaussianBlur(lit(), (0, 0), 9), Quality.BLURRED),
        (cv2.GaussianBlur(lit(), (0, 0), 1), Quality.CLEAR),
    ],
)
def test_a_card_that_cannot_be_seen_well_is_said_so(picture, quality):
    assert clarity_of(picture).quality is quality


@pytest.mark.parametrize("style", list(STYLES))
def test_every_face_of_every_style_is_clear_in_good_light(style):
    assert {clarity_of(crop(card, style)).quality for card in FACES[::3]} == {Quality.CLEAR}
