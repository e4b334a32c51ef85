"""Two hands at once, one at each pile: their outlines meet, and part again."""

from __future__ import annotations

import pytest
from story import TABLE, Told, draws_of

from referee.tracker.looks import TableGeometry


def test_who_draws_while_laying_a_card_draws_though_both_hands_came_in_as_one() -> None:
    """As the eye had it at a rendered table: what was at the draw pile for a quarter of a second reaches on to the
    discard pile, and the other hand, which was a part of it, is at the draw pile then."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((189.1, 126.1, 190.0, 200.0), (391.1, 164.3, 90.0, 120.0), (56.0, 87.0), seats)
    both = [(386, 285, 1895, 36, 21870), (395, 248, 3907, 1585, 28495), (401, 220, 6313, 3548, 33478)]
    both += [(393, 203, 9020, 4945, 37907), (389, 198, 11490, 5421, 40847), (339, 202, 14323, 5415, 43485)]
    lays = [(264, 188, 15733, 0, 22680), (263, 179, 16591, 0, 23111), *[(260, 177, 15839, 0, 22989)] * 5]
    lays += [(264, 177, 14765, 0, 22072), (264, 178, 14179, 0, 20668), *[(273, 183, 13282, 0, 32877)] * 4]
    lays += [(288, 289, 3539, 0, 16651), (295, 329, 105, 0, 12191)]
    draws = [*[(395, 186, 0, 5427, 22680)] * 2, *[(436, 156, 0, 6196, 23062)] * 5]
    draws += [(436, 198, 0, 5388, 22072), (432, 199, 0, 3722, 20668)]
    frames = [[(368, 436, *arm)] for arm in (*both, *lays)]
    for frame, arm in zip(frames[len(both) :], draws, strict=False):
        frame.append((368, 436, *arm))
    assert draws_of(table, 15, frames) == [(1, 1)]


def test_who_draws_beneath_an_arm_that_lays_a_card_draws_though_the_outlines_part_late() -> None:
    """As the eye had it at a rendered table: as the laying arm goes, the tip of the drawing one jumps to the side."""
    seats = ((3, (380.0, -160.0)), (4, (930.0, 215.0)))
    table = TableGeometry((211.2, 125.3, 190.0, 200.0), (413.2, 170.4, 90.0, 120.0), (56.0, 87.0), seats)
    draws = [(421, 175, 1149, 372, 22887), (424, 211, 2428, 2587, 25609), *[(431, 229, 3094, 4677, 27529)] * 2]
    draws += [(461, 252, 3112, 6274, 29202), (441, 247, 3065, 5790, 28698), (434, 234, 3053, 5022, 27855)]
    draws += [*[(437, 279, 3041, 6230, 28701)] * 3, (416, 262, 3109, 6218, 29728), (505, 267, 1277, 4185, 27906)]
    draws += [(452, 127, 248, 0, 18672), (340, 49, 0, 0, 7737)]
    lays = [(739, 233, 0, 0, 3211), (648, 236, 0, 0, 11567), (529, 208, 0, 0, 20846), (476, 226, 0, 1716, 22420)]
    lays += [(316, 192, 6527, 1370, 30361), (274, 192, 10157, 1421, 35184), *[(271, 193, 10321, 1450, 35497)] * 3]
    lays += [(271, 192, 9862, 1393, 34016), (477, 222, 0, 1536, 24067), (612, 224, 0, 0, 13838), (734, 264, 0, 0, 2368)]
    frames = [[(406, -7, *hand)] for hand in draws]
    for frame, hand in zip(frames[1:], lays, strict=True):
        frame.append((754, 217, *hand))
    assert draws_of(table, 15, frames) == [(3, 1)]


def test_what_is_a_rim_of_the_drawing_arms_shadow_for_a_moment_is_no_draw_of_who_lays_a_card() -> None:
    """As the eye had it at a rendered table: the drawing hand leaves the pile one frame later, and is to be told."""
    seats = ((1, (380.0, 590.0)), (2, (-96.3, 402.5)))
    table = TableGeometry((198.5, 108.0, 190.0, 200.0), (400.5, 140.0, 90.0, 120.0), (56.0, 87.0), seats)
    frames: list[list[tuple[int, ...]]] = [[]]
    frames += [[(-11, 292, 69, 199, 0, 0, 12219), (333, 443, 345, 383, 0, 0, 4563)]]
    frames += [[(-12, 300, 216, 179, 2026, 0, 36603), (319, 442, 289, 300, 613, 0, 12236)]]
    frames += [[(-14, 319, 343, 209, 10628, 0, 40599), (308, 441, 304, 130, 12952, 0, 25585)]]
    frames += [[(-15, 324, 428, 206, 15293, 2387, 49259), (316, 442, 343, 146, 10046, 0, 21055)]]
    frames += [[(-15, 326, 447, 202, 15641, 4492, 52974), (319, 442, 353, 153, 9937, 0, 20579)]] * 2
    frames += [[(-15, 326, 473, 152, 15785, 5898, 55444), (318, 442, 394, 132, 11207, 86, 22672)]]
    frames += [[(-15, 326, 467, 143, 15628, 5839, 56606), (308, 441, 396, 131, 11595, 86, 26095)]]
    frames += [[(-11, 287, 408, 168, 27459, 2128, 63829), (308, 441, 344, 345, 0, 0, 7438)]]
    frames += [[(-8, 267, 303, 204, 12970, 0, 39531), (363, 444, 366, 433, 0, 0, 4880)]]
    assert draws_of(table, 10, [*frames, [(-7, 257, 86, 218, 0, 0, 4607)]]) == [(2, 1)]


@pytest.mark.parametrize(("over_discard", "draws"), [(20000, []), (9000, [(1, 1)])])
def test_who_squares_up_the_discard_pile_with_both_hands_draws_nothing(over_discard: int, draws: Told) -> None:
    """As the eye had it at a rendered table: the thumb of the one lies over the rim of the draw pile, and the sleeve of
    that hand is not seen. Of who lays a card with one hand and draws with the other, less is at the discard pile."""
    seats = ((1, (380.0, 590.0)), (2, (-8.9, 480.2)))
    table = TableGeometry((376.0, 123.5, 190.0, 200.0), (274.0, 157.8, 90.0, 120.0), (56.0, 87.0), seats)
    both = [(352, 227), (386, 209), (383, 210), (379, 211), (373, 215), (384, 210), (357, 220), (366, 221)]
    frames = [[(505, 423, 513, 236, 8220, 0, 16802)], *[[(505, 423, *tip, over_discard, 2300, 41000)] for tip in both]]
    assert draws_of(table, 15, [*frames, [(518, 422, 509, 313, 565, 0, 11263)]]) == draws


def test_the_hand_that_an_arm_seems_to_have_is_the_other_arms_where_it_stays_as_the_arm_goes() -> None:
    """As the eye had it at a rendered table: the outlines of two that come from the same side are cut along the middle,
    so that each has half of the hand that lays a card; the other hand is at the draw pile."""
    seats = ((5, (856.3, 27.5)), (6, (856.3, 402.5)))
    table = TableGeometry((199.0, 120.7, 190.0, 200.0), (401.0, 164.2, 90.0, 120.0), (56.0, 87.0), seats)
    draws = [(581, 160, 0, 0, 16069), (505, 199, 0, 0, 22348), (463, 221, 0, 2492, 25676), (372, 259, 940, 3425, 27497)]
    draws += [(303, 263, 4733, 3367, 31197), (282, 254, 5529, 3478, 32070), *[(276, 255, 5926, 3804, 32706)] * 4]
    draws += [(513, 207, 0, 0, 21041), (611, 148, 0, 0, 12417), (706, 82, 0, 0, 6275)]
    lays = [(701, 330, 0, 0, 6172), (590, 308, 0, 0, 14590), (475, 267, 0, 841, 22444), (379, 268, 1125, 4278, 30025)]
    lays += [(305, 207, 3324, 4575, 33346), (275, 199, 4582, 4755, 35195), *[(272, 199, 4893, 4656, 35356)] * 4]
    lays += [(271, 201, 12189, 4842, 43284), (381, 264, 864, 4971, 31905), (498, 299, 0, 0, 21353)]
    frames = [[(766, 68, *one), (766, 388, *other)] for one, other in zip(draws, lays, strict=True)]
    assert draws_of(table, 15, frames) == [(5, 1)]


def test_who_rested_at_the_draw_pile_drew_though_the_tips_of_two_arms_are_exchanged_as_they_go() -> None:
    """As the eye had it at a rendered table: the laying hand passes below as the drawing one has gone back."""
    seats = ((3, (-96.3, 27.5)), (6, (856.3, 402.5)))
    table = TableGeometry((191.2, 126.4, 190.0, 200.0), (393.2, 164.0, 90.0, 120.0), (56.0, 87.0), seats)
    draws = [(76, 124, 0, 0, 13811), (438, 242, 19563, 5520, 55536), (448, 226, 19141, 5171, 54624)]
    draws += [(462, 235, 19104, 5171, 55348), (468, 240, 19086, 5177, 55836), (463, 244, 18897, 3949, 53653)]
    draws += [(463, 245, 18938, 3847, 53205), (464, 279, 20170, 1956, 50986), (426, 263, 11187, 967, 43309)]
    draws += [(76, 124, 0, 0, 13811), (69, 116, 0, 0, 12818)]
    lays = [(624, 324, 0, 0, 9000), (458, 294, 0, 552, 24209), (324, 261, 2529, 3598, 32893)]
    lays += [(271, 236, 5057, 3457, 36638), (265, 233, 5450, 3457, 36869), (253, 231, 6022, 3241, 37143)]
    lays += [(244, 223, 6095, 3235, 37269), (258, 107, 6052, 3201, 38869), (165, 158, 6606, 3195, 39302)]
    lays += [(432, 275, 0, 2000, 29042), (612, 333, 0, 0, 10661)]
    frames = [[(-15, 38, *one), (729, 394, *other)] for one, other in zip(draws, lays, strict=True)]
    assert draws_of(table, 10, frames) == [(3, 1)]


def test_who_lays_a_card_across_the_draw_pile_draws_nothing_though_another_hand_is_beside_the_tip_as_it_goes() -> None:
    """As the eye had it at a rendered table: the drawing arm's outline ends in the other's fingers as they
    pass above it. How far the laying hand had reached nobody else had."""
    seats = ((2, (-8.9, 480.2)), (4, (-8.9, -50.2)))
    table = TableGeometry((365.1, 111.8, 190.0, 200.0), (263.1, 157.1, 90.0, 120.0), (56.0, 87.0), seats)
    lays = [(120, 12, 150, 31, 0, 0, 1784), (162, 11, 248, 94, 0, 0, 9836), (149, 11, 358, 162, 266, 832, 23086)]
    lays += [(142, 12, 430, 215, 8260, 1082, 31985), *[(135, 12, 475, 250, 13549, 1083, 38476)] * 5]
    lays += [(145, 12, 475, 251, 13728, 1560, 38553), (169, 11, 358, 178, 596, 1299, 25874)]
    lays += [(167, 11, 257, 75, 0, 0, 9806)]
    draws = [(33, 402, 80, 365, 0, 0, 4973), (41, 406, 131, 307, 0, 0, 13111), (44, 411, 204, 259, 0, 0, 21419)]
    draws += [(55, 414, 266, 218, 0, 1175, 27134), *[(65, 416, 321, 202, 0, 5742, 31538)] * 5]
    draws += [(65, 416, 409, 100, 83, 6101, 32928), (65, 416, 352, 112, 0, 6096, 31567)]
    draws += [(65, 416, 334, 168, 0, 7266, 32463)]
    frames = [[one, other] for one, other in zip(lays, draws, strict=True)]
    frames += [[(62, 415, 315, 183, 0, 6919, 32975)], [(48, 412, 268, 213, 0, 1628, 29767)]]
    assert draws_of(table, 15, [*frames, [(39, 411, 106, 328, 0, 0, 8632)]]) == [(2, 1)]


@pytest.mark.parametrize("seconds", [1, 6, 30])
def test_who_fidgets_with_cards_at_the_edge_draws_as_the_one_whose_hand_reaches_in(seconds: int) -> None:
    """Cards held at the edge reach in aside, and are one outline with the arm: their direction is nobody's."""
    holds = [(760, 215, 715, 300, 0, 0, 5000)]
    reaches = [[(760, 215, x, 215, 0, in_draw, 60 * (760 - x))] for x, in_draw in ((600, 0), (500, 0), (435, 2100))]
    frames = [holds] * (15 * seconds) + reaches + [reaches[-1]] * 4 + reaches[::-1][1:] + [holds] * 15
    assert draws_of(TABLE, 15, frames) == [(2, 1)]
