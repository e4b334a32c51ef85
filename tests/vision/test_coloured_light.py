"""Light of one colour only, such as that of a blue bulb: nobody can tell the cards' colours, and none is sure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from drawn_table import Knower, Laid, Table

from referee.cards import Card
from referee.faces import STYLES, draw_back, draw_face
from referee.frame import Frame, Image
from referee.observations import CardLanded, Quality
from referee.vision.nets import load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.sight import is_coloured

BULBS = {"red": (0.25, 0.3, 1.0), "blue": (1.0, 0.35, 0.25), "green": (0.3, 1.0, 0.35), "violet": (1.0, 0.3, 0.9)}
LAMPS = {"day": (1.0, 1.0, 1.0), "evening": (0.5, 0.8, 1.0), "candle": (0.35, 0.75, 1.0), "shade": (1.0, 0.85, 0.7),
         "lamp's white balance by day": (1.0, 0.64, 0.36)}  # fmt: skip
CLOTHS = {"wood": (95, 140, 175), "blue cloth": (200, 45, 6), "red cloth": (20, 16, 170), "black": (12, 12, 12)}


def lit(picture: Image, light: tuple[float, float, float]) -> Image:
    return np.clip(picture * np.array(light), 0, 255).astype(np.uint8)


def table(cloth: tuple[int, int, int], style: str) -> Image:
    """A small picture of a table with a draw pile and three cards."""
    noise = np.random.default_rng(1).normal(0, 2, (180, 320, 3))
    seen = np.clip(np.array(cloth) + noise, 0, 255).astype(np.uint8)
    design = STYLES[style]
    cards = [draw_back(design, 144), *(draw_face(Card.parse(face), design, 144) for face in ("R2", "Y7", "B+2"))]
    for number, drawn in enumerate(cards):
        card = cv2.resize(drawn, (24, 36), interpolation=cv2.INTER_AREA)
        there = seen[70:106, 100 + 30 * number : 124 + 30 * number]
        there[:] = np.where(card[..., 3:] > 127, card[..., :3], there)
    return seen


@pytest.mark.parametrize("style", ["colour_oval", "plain"])
@pytest.mark.parametrize("cloth", CLOTHS)
def test_white_is_to_be_seen_in_any_light_but_that_of_a_coloured_bulb(cloth: str, style: str) -> None:
    seen = table(CLOTHS[cloth], style)
    told = {name for name, light in {**LAMPS, **BULBS}.items() if is_coloured(lit(seen, light))}
    assert told == set(BULBS)


@pytest.mark.parametrize(("light", "told"), [("day", False), ("red", True)])
def test_a_black_table_tells_the_light_before_a_card_lies_there(light: str, told: bool) -> None:
    """Of a back without a border only its red oval is bright."""
    seen = np.clip(np.random.default_rng(2).normal(30, 2, (180, 320, 3)), 0, 255).astype(np.uint8)
    cv2.ellipse(seen, (160, 90), (6, 12), 20, 0, 360, (30, 28, 150), -1)
    assert is_coloured(lit(seen, {**LAMPS, **BULBS}[light])) is told


@pytest.mark.parametrize(("light", "told"), [("day", False), ("evening", False), ("red", True), ("green", True)])
def test_a_small_white_sign_is_enough_for_white_light(light: str, told: bool) -> None:
    """A card without a border on a wooden table: of one that lay askew every card was asked about."""
    seen = np.clip(np.array((40, 70, 100)) + np.random.default_rng(1).normal(0, 2, (180, 320, 3)), 0, 255)
    cv2.rectangle(seen, (150, 70), (173, 105), (40, 40, 200), -1)
    cv2.rectangle(seen, (158, 84), (163, 89), (240, 240, 240), -1)
    assert is_coloured(lit(seen.astype(np.uint8), {**LAMPS, **BULBS}[light])) is told


@pytest.mark.parametrize("level", [0, 1, 128, 255])
def test_a_picture_without_colour_is_in_no_coloured_light(level: int) -> None:
    assert not is_coloured(np.full((180, 320, 3), level, np.uint8))


@pytest.mark.parametrize(("light", "sure"), [("day", True), ("evening", True), ("red", False), ("blue", False)])
def test_no_card_on_a_photograph_is_certain_in_such_light(light: str, sure: bool) -> None:
    models = load_models()
    photo = np.full((480, 640, 3), (150, 160, 165), np.uint8)
    for x, face in ((120, "R7"), (380, "B+2")):
        card = draw_face(Card.parse(face), STYLES["colour_oval"], 220)
        h, w = card.shape[:2]
        photo[120 : 120 + h, x : x + w] = np.where(card[..., 3:] > 127, card[..., :3], photo[120 : 120 + h, x : x + w])
    cards = read_photo(lit(photo, {**LAMPS, **BULBS}[light]), models)
    assert cards
    assert [is_certain(card, models) for card in cards] == [sure] * len(cards)
    assert all((card.quality is Quality.CLEAR) is sure for card in cards)


@pytest.mark.parametrize(("faces", "sure"), [(("R7", "B2"), True), (("R7", "R2"), False)], ids=["two", "one"])
@pytest.mark.parametrize("cloth", [CLOTHS["blue cloth"], CLOTHS["red cloth"], (20, 160, 30)])
def test_black_decks_of_which_several_colours_are_seen_tell_the_light_where_nothing_is_white(
    cloth: tuple[int, int, int], faces: tuple[str, str], sure: bool
) -> None:
    black = replace(STYLES["plain"], ground="dark", corner_fill="tint", centre_fill="tint")
    photo = np.full((480, 640, 3), cloth, np.uint8)
    for x, face in zip((120, 380), faces, strict=True):
        card = draw_face(Card.parse(face), black, 220)
        h, w = card.shape[:2]
        photo[120 : 120 + h, x : x + w] = np.where(card[..., 3:] > 127, card[..., :3], photo[120 : 120 + h, x : x + w])
    assert is_coloured(photo)
    cards = read_photo(photo, load_models())
    assert sorted(card.reading.notation for card in cards) == sorted(faces)
    assert [card.quality for card in cards] == [Quality.CLEAR if sure else Quality.DARK] * 2
    for light in BULBS.values():
        assert not any(is_certain(card, load_models()) for card in read_photo(lit(photo, light), load_models()))


@dataclass
class LitTable(Table):
    """A table in that light."""

    light: str = "day"

    def frame(self) -> Frame:
        shown = super().frame()
        return replace(shown, image=lit(shown.image, {**LAMPS, **BULBS}[self.light]))


@pytest.mark.parametrize(("light", "sure"), [("day", True), ("blue", False)])
def test_a_card_that_lands_in_such_light_is_not_sure(light: str, sure: bool) -> None:
    watched = LitTable(Knower(finds=True), light=light)
    watched.run(1.0).reach(Laid("R7", 285, 205)).run(1.0)
    assert [said.sure for said in watched.out if isinstance(said, CardLanded)] == [sure]
    assert (Quality.DARK in watched.states()) is not sure


def test_what_looks_white_for_a_moment_is_no_other_light() -> None:
    """A hand, or a reflex. Before a card lies there, it is: a wooden table with a red back has little white."""
    watched = LitTable(Knower(finds=True), light="blue")
    watched.run(1.0).reach(Laid("R7", 285, 205))
    watched.light = "day"
    watched.run(0.4).reach(Laid("G2", 300, 230))
    assert [said.sure for said in watched.out if isinstance(said, CardLanded)] == [False, False]
    assert watched.run(4.0).states()[-1] is Quality.CLEAR

    watched = LitTable(Knower(finds=True), light="blue")
    watched.run(1.0)
    watched.light = "day"
    watched.run(0.4).reach(Laid("R7", 285, 205))
    assert [said.sure for said in watched.out if isinstance(said, CardLanded)] == [True]
