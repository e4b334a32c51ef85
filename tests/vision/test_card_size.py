"""How large a deck's cards are."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.observations import CardLanded
from referee.virtual_table import Level, Look, VirtualTable, messy_script
from referee.vision.calibration import parse_calibration
from referee.vision.card_size import HEM_PX, Size, Sizes
from referee.vision.eye import Eye
from referee.vision.light import Mask
from referee.vision.nets import load_models
from referee.vision.warp import QuadArray

USUAL = 78.4, 121.8
"""56 by 87 mm at 1.4 pixels to a millimetre."""
POKER = 88.2, 123.2


def card(size: Size, angle: float = 20.0) -> QuadArray:
    w, h = size
    unit = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return (unit @ np.array([[c, s], [-s, c]]) + 120).astype(np.float32)


def changed(size: Size, *more: QuadArray) -> Mask:
    """What changed as a card came: the card with its hem, and what came besides."""
    mask = np.zeros((260, 260), np.uint8)
    hem = HEM_PX - 1  # OpenCV fills the pixels of the outline, too
    for quad in (card((size[0] + hem, size[1] + hem)), *more):
        cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 255, shift=4)
    return mask


@pytest.mark.parametrize(
    ("case", "size", "read", "more", "learnt"),
    [
        ("a card of the usual size", USUAL, USUAL, (), None),
        ("... without a border, read too large", USUAL, (88.0, 130.0), (), None),
        ("a poker card", POKER, POKER, (), POKER),
        ("... without a border, read too large", POKER, (97.0, 132.0), (), POKER),
        ("a small one", (61.6, 95.2), (61.6, 95.2), (), (61.6, 95.2)),
        ("a poker card, otherwise read", POKER, (74.0, 122.0), (), None),
        ("a poker card under a sleeve", POKER, POKER, (card((60.0, 200.0), 70.0),), None),
        ("a mat", (160.0, 230.0), (160.0, 230.0), (), None),
    ],
)
def test_the_first_card_on_the_bare_table_tells_the_size_of_all(
    case: str, size: Size, read: Size, more: tuple[QuadArray, ...], learnt: Size | None
) -> None:
    told = Sizes().add(changed(size, *more), card(read), USUAL, bare=True)
    assert told == (None if learnt is None else pytest.approx(learnt, rel=0.02)), case


def test_a_table_on_which_nothing_changed_tells_no_size() -> None:
    assert Sizes().add(np.zeros((260, 260), np.uint8), card(POKER), USUAL, bare=True) is None


@pytest.mark.parametrize(
    ("case", "came", "learnt"),
    [
        ("poker cards", [POKER] * 3, POKER),
        ("... two of them", [POKER] * 2, None),
        ("... with one of which a part is not seen to change", [POKER, (70.0, 118.0), POKER, POKER], POKER),
        ("the usual ones", [USUAL] * 5, None),
        ("of all sizes", [(70.0, 120.0), (78.0, 100.0), (90.0, 140.0), (99.0, 110.0), (110.0, 122.0)], None),
    ],
)
def test_cards_in_a_pile_tell_it_together(case: str, came: list[Size], learnt: Size | None) -> None:
    sizes = Sizes()
    told = [sizes.add(changed(one), card(one), USUAL, bare=False) for one in came]
    assert told[:-1] == [None] * (len(came) - 1), case
    assert told[-1] == (None if learnt is None else pytest.approx(learnt, rel=0.02)), case


@pytest.mark.parametrize(
    ("case", "seed", "style", "wide", "high"),
    [("poker cards, 63 by 88 mm", 11, "plain", 56 / 63, 87 / 88), ("a ninth larger", 12, "colour_oval", 0.9, 0.9)],
)
def test_cards_that_are_larger_than_is_said_land_once_each(
    case: str, seed: int, style: str, wide: float, high: float
) -> None:
    """Of what reached over the card that was expected another one of its face was made, beneath it."""
    script = messy_script(seed, landings=4, acts=("lay",))
    table = VirtualTable(script, Look.draw(seed, Level.NORMAL, style=style))
    calibration = parse_calibration(table.calibration())
    w, h = calibration.card_mm
    eye = Eye(replace(calibration, card_mm=(w * wide, h * high)), load_models())
    out = [s for frame in table.frames(10.0) for s in eye.process(frame)]
    laid = [event["card"] for event in script.truth["events"]]
    assert [s.reading.notation for s in out if isinstance(s, CardLanded)] == laid
