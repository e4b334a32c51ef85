"""What hands hold as they come to the pile and as they go."""

from collections.abc import Sequence

import numpy as np
import pytest

from referee.observations import Quad
from referee.vision.carried import AtTip, Carried

SKIN, RED, WHITE, SLEEVE = (120, 150, 210), (40, 30, 200), (225, 230, 235), (60, 40, 40)
CARD_MM2 = 56.0 * 87.0
PILE: Quad = ((0.0, 0.0), (56.0, 0.0), (56.0, 87.0), (0.0, 87.0))
FACE = np.array([RED] * 50 + [WHITE] * 50, np.uint8)
FPS = 15
ENTRY, BESIDE = (100.0, 700.0), (500.0, 700.0)


def tips(
    place: tuple[float, float], *colours: tuple[tuple[int, int, int], float], entry: tuple[float, float] = ENTRY
) -> AtTip:
    """A hand at `place` that shows shares of a card of these colours."""
    each = [(colour, share) for colour, share in colours for _ in range(10)]
    mm2 = np.array([share * CARD_MM2 / 10 for _, share in each], np.float32)
    return AtTip(entry, np.array([colour for colour, _ in each], np.uint8), np.full((len(each), 2), place), mm2)


def visit(comes: AtTip, goes: AtTip, seconds: float = 1.0, coming: Sequence[AtTip] = ()) -> Carried:
    """A hand comes, is at the pile for so long, and goes. coming: who else is to be seen as it comes."""
    carried, empty = Carried(CARD_MM2), tips((28.0, 40.0), (SKIN, 0.5))
    for number in range(4):
        carried.watch(number / FPS, [], [comes, *coming])
    for number in range(4, round(seconds * FPS) + 4):
        carried.watch(number / FPS, [ENTRY], [empty])
    for number in range(round(seconds * FPS) + 4, round(seconds * FPS) + 8):
        carried.watch(number / FPS, [], [goes])
    return carried


FAR, HAND = (200.0, 200.0), (SKIN, 0.8)
HOLDS = (RED, 0.3), (WHITE, 0.3)


@pytest.mark.parametrize("seconds", [0.3, 1.0, 9.0])
@pytest.mark.parametrize(
    ("case", "comes", "goes", "brought", "taken"),
    [
        ("a card is laid", tips(FAR, HAND, *HOLDS), tips(FAR, HAND), 0.3, 0.0),
        ("a card is taken back", tips(FAR, HAND), tips(FAR, HAND, *HOLDS), 0.0, 0.3),
        ("a push with the bare hand", tips(FAR, HAND), tips(FAR, HAND), 0.0, 0.0),
        ("a push by a hand that holds cards", tips(FAR, HAND, *HOLDS), tips(FAR, HAND, *HOLDS), 0.0, 0.0),
        ("a red sleeve is seen as the hand comes", tips(FAR, HAND, (RED, 0.5)), tips(FAR, HAND), 0.0, 0.0),
        ("a dark sleeve is", tips(FAR, HAND, (SLEEVE, 0.5)), tips(FAR, HAND), 0.0, 0.0),
    ],
)  # fmt: skip
def test_what_a_hand_carries(
    case: str, comes: AtTip, goes: AtTip, brought: float, taken: float, seconds: float
) -> None:
    assert visit(comes, goes, seconds).shares(FACE, [PILE]) == pytest.approx((brought, taken), abs=0.01), case


def test_what_a_hand_covers_of_the_pile_is_no_card_in_it() -> None:
    carried = visit(tips(FAR, HAND), tips(FAR, HAND), coming=[tips((60.0, 90.0), *HOLDS)])
    assert carried.shares(FACE, [PILE]) == pytest.approx((0.0, 0.0), abs=0.01)


def test_a_hand_that_goes_so_quickly_that_little_of_it_is_seen_has_laid_none_of_its_colours() -> None:
    """Skin and nails are like the colours of some cards."""
    skin = (RED, 0.4), (WHITE, 0.4)
    carried = visit(tips(FAR, *skin), tips(FAR, (RED, 0.1), (WHITE, 0.1)))
    assert carried.shares(FACE, [PILE]) == pytest.approx((0.0, 0.0), abs=0.01)
    assert visit(tips(FAR, *skin), tips(FAR, (RED, 0.02))).shares(FACE, [PILE]) is None, "hardly anything of it"


def test_a_hand_that_was_not_seen_to_go_tells_nothing() -> None:
    carried = Carried(CARD_MM2)
    assert carried.shares(FACE, [PILE]) is None
    carried.watch(0.0, [], [tips(FAR, HAND, *HOLDS)])
    assert carried.shares(FACE, [PILE]) is None, "it never reached the pile"
    for number in range(4):
        carried.watch(number / FPS, [ENTRY], [tips(FAR, HAND, *HOLDS)])
    for number in range(4, 40):
        carried.watch(number / FPS, [ENTRY], [])
    assert carried.shares(FACE, [PILE]) is None, "what is left of it may be the pile"


def test_a_neighbour_who_takes_a_hand_from_the_table_meanwhile_has_brought_nothing() -> None:
    """On a white table a nudge of a wild was its landing: a hand rested in the dark at the edge, and left."""
    carried = visit(tips(FAR, HAND), tips(FAR, HAND), coming=[tips(FAR, HAND, *HOLDS, entry=BESIDE)])
    assert carried.shares(FACE, [PILE]) == pytest.approx((0.0, 0.0), abs=0.01)


def test_each_visit_is_judged_by_itself() -> None:
    carried = visit(tips(FAR, HAND, *HOLDS), tips(FAR, HAND))
    carried.settled()
    assert carried.shares(FACE, [PILE]) is None
