"""What the discard zone hides, on drawn masks: a card is 40 pixels by 62."""

import numpy as np
import pytest

from referee.vision.hidden import SUNK_CARDS, is_cleared, may_have_sunk, was_taken_from_under, went_for_sure

CARD = 40 * 62.0


def mask(*boxes):
    out = np.zeros((240, 240), np.uint8)
    for x, y, w, h in boxes:
        out[y : y + h, x : x + w] = 255
    return out


TOP = (100, 90, 40, 62)
AROUND = mask((98, 88, 44, 66))


@pytest.mark.parametrize(
    ("case", "showed", "shows", "cleared"),
    [
        ("cards that peeked out are gone", [TOP, (88, 96, 30, 62)], [TOP], True),
        ("they are there", [TOP, (88, 96, 30, 62)], [TOP, (88, 96, 30, 62)], False),
        ("one of two is gone", [TOP, (88, 96, 30, 62), (120, 80, 34, 40)], [TOP, (120, 80, 34, 40)], False),
        ("hardly any peeked out", [TOP, (97, 92, 20, 62)], [TOP], False),
        ("a hand that rested beside the pile is gone", [TOP, (10, 10, 50, 60)], [TOP], False),
    ],
)
def test_the_pile_is_gone_but_for_the_top_card(case, showed, shows, cleared):
    assert is_cleared(mask(*showed), mask(*shows), AROUND, CARD) is cleared, case


def test_of_what_hands_are_seen_to_take_less_need_have_peeked_out():
    showed = mask(TOP, (96, 92, 20, 62))
    assert is_cleared(showed, mask(TOP), AROUND, CARD, SUNK_CARDS)
    assert not is_cleared(showed, mask(TOP), AROUND, CARD)


@pytest.mark.parametrize(
    ("case", "carried", "off_mm", "cards", "went"),
    [
        ("hands went with cards", (0.01, 0.13), 5.0, 40, True),
        ("... of so small a pile that its top card cannot have sunk so far: table 20151's", (0.0, 0.09), 5.0, 7, False),
        ("... of a small one, and the top card is found nearly where it lay", (0.0, 0.09), 0.8, 2, True),
        ("they squared the pile up", (0.0, 0.04), 5.0, 40, False),
        ("what they went with they had come with", (0.12, 0.14), 5.0, 40, False),
        ("the top card lies as it lay, and hands went with cards", (0.0, 0.04), None, 7, True),
        ("... and they pushed the others under it", (0.013, 0.0), None, 7, False),
        ("... and no hand was seen to come and to go", None, None, 7, False),
    ],
)
def test_hands_took_the_pile_from_under_its_top_card(case, carried, off_mm, cards, went):
    assert was_taken_from_under(carried, off_mm, cards) is went, case


@pytest.mark.parametrize(
    ("case", "changed", "showed", "went"),
    [
        ("many cards showed all round a top card that nobody touched", 0.0, 0.95, True),
        ("... that somebody touched, as table 18018's", 0.055, 0.95, False),
        ("one stuck out, and may have been pushed under it", 0.0, 0.42, False),
    ],
)
def test_the_pile_went_for_sure(case, changed, showed, went):
    assert went_for_sure(changed, round(showed * CARD), CARD) is went, case


@pytest.mark.parametrize(
    ("case", "changed", "off_mm", "sank"),
    [
        ("a thick pile went from under it", 0.28, 2.8, True),
        ("its corners had been found wrong", 0.08, 8.0, True),
        ("it was squared up with the others", 0.5, 12.0, False),
    ],
)
def test_the_top_card_lies_where_it_lay_if_lower(case, changed, off_mm, sank):
    assert may_have_sunk(changed, off_mm) is sank, case
