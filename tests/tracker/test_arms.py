"""Arms as visits: who rests an elbow on the edge of the table comes anew each time the hand reaches in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from story import Told, draws_of

from referee.tracker.arms import Arms
from referee.tracker.draw_pile import Draw
from referee.tracker.looks import Activity, ArmLook, TableGeometry

TABLE = TableGeometry(
    (200.0, 120.0, 170.0, 190.0), (400.0, 160.0, 70.0, 110.0), (56.0, 87.0), ((1, (435.0, 590.0)), (3, (300.0, -160.0)))
)
EDGE = 430.0
"""Where the arm of seat 1 enters, mm from the far edge of the table; it reaches straight up from there."""


def drawn(fps: int, way: str) -> list[Draw]:
    """The draws of a hand whose tip goes from one of these millimetres to the next in 0.2 s; over the draw pile from
    160 to 270, and beyond it over the discard pile."""
    arms, out, frame = Arms(TABLE), [], 0
    tips, steps = [float(tip) for tip in way.split()], max(1, fps // 5)
    for begin, end in zip(tips, tips[1:] + tips[-1:], strict=True):
        for step in range(steps):
            tip = begin + (end - begin) * step / steps
            over_draw = max(0.0, 270.0 - max(160.0, tip)) * 60.0
            x = 435.0 if tip >= 160.0 else 360.0
            out += arms.update(Activity(frame / fps, (ArmLook((435.0, EDGE), (x, tip), 0.0, over_draw),), 0.0, 0.0))
            frame += 1
    return out


@pytest.mark.parametrize("fps", [5, 15, 60])
@pytest.mark.parametrize("rest", ["410", "410 410 410 410 410 410 410 410", "400 420 410 415"])
def test_a_draw_begins_when_the_hand_reaches_out_from_the_edge(fps: int, rest: str) -> None:
    nudge = f"350 225 130 130 225 350 {rest}"
    (draw,) = drawn(fps, f"{nudge} 350 260 225 225 225 300 415 415")
    assert draw.since > 0.2 * len(nudge.split())
    assert draw.count == 1


def test_a_quick_draw_counts_after_a_farther_reach() -> None:
    assert len(drawn(15, "350 225 130 130 225 350 410 410 350 225 350 410 410")) == 1


def test_a_hand_that_stays_over_the_table_makes_one_visit() -> None:
    assert len(drawn(15, "350 225 225 350 350 350 350 410 410")) == 1


def test_an_elbow_that_rests_beside_a_drawing_arm_makes_no_further_visits() -> None:
    """The outlines of elbow and arm are one in some frames and two in others: entry x, tip x and y, area in the draw
    zone, as the eye had them of one draw at a rendered table."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((191.9, 113.8, 190.0, 200.0), (393.9, 154.8, 90.0, 120.0), (56.0, 87.0), seats)
    elbow = (302.0, 310.0, 6.0, 0.0)
    frames = [
        [elbow], [elbow], [elbow], [(362, 409, 120, 0)], [elbow, (386, 416, 169, 653)], [(345, 431, 202, 2994)],
        [(345, 426, 226, 4887)], [(344, 430, 225, 5181)], [elbow, (377, 426, 226, 5198)],
        [elbow, (377, 426, 226, 5204)],
        [(345, 430, 225, 5186)], [(345, 440, 214, 4022)], [(345, 440, 214, 4028)], [elbow, (377, 436, 216, 4028)],
        [(345, 448, 255, 6701)], [elbow, (378, 439, 254, 6920)], [(355, 445, 225, 4937)], [(359, 423, 144, 6)],
        [(353, 400, 90, 0)], [elbow], [elbow], [elbow],
    ]  # fmt: skip
    arms, out = Arms(table), []
    for number, frame in enumerate(frames):
        looks = tuple(ArmLook((entry, -4.0), (x, y), 0.0, area) for entry, x, y, area in frame)
        out += arms.update(Activity(number / 15, looks, 0.0, 0.0))
    assert [(draw.seat, draw.count) for draw in out] == [(2, 1)]


def test_an_arm_seen_in_two_parts_draws_once() -> None:
    """Where a sleeve is like the table its outline comes apart; a rendered table's, as above."""
    seats = ((1, (325.0, 590.0)),)
    table = TableGeometry((410.0, 110.0, 190.0, 200.0), (270.0, 140.0, 90.0, 130.0), (56.0, 87.0), seats)
    part = (301.0, 276.0, 319.0, 0.0)
    frames = [
        [(327, 286, 402, 0)], [(308, 305, 331, 0)], [(312, 304, 266, 114)], [(345, 337, 178, 5293), (297, 270, 348, 0)],
        [(343, 302, 165, 7295)], *[[(353, 300, 165, 7700), part]] * 7, [(321, 303, 165, 6537)], [(307, 307, 166, 4290)],
        [(311, 331, 337, 0)], [(331, 348, 380, 0)], [(334, 357, 393, 0)], [], [], [],
    ]  # fmt: skip
    arms, out = Arms(table), []
    for number, frame in enumerate(frames):
        looks = tuple(ArmLook((entry, 431.0), (x, y), 0.0, area) for entry, x, y, area in frame)
        out += arms.update(Activity(number / 15, looks, 0.0, 0.0))
    assert [draw.count for draw in out] == [1]


def test_a_shadow_over_the_piles_draws_nothing() -> None:
    arms, out = Arms(TABLE), []
    for frame, y in enumerate([400.0, 215.0, 215.0, 216.0, 400.0]):
        discard = 26000.0 if y < 300.0 else 0.0
        look = ArmLook((435.0, EDGE), (435.0, y), discard, 4000.0 if discard else 0.0)
        out += arms.update(Activity(frame / 15, (look,), 0.0, 0.0))
    for frame in range(5, 12):
        out += arms.update(Activity(frame / 15, (), 0.0, 0.0))
    assert out == []


@pytest.mark.parametrize(("came", "draws"), [(False, 1), (True, 0)])
def test_who_brings_a_pile_to_the_bare_place_draws_nothing(came: bool, draws: int) -> None:
    arms, out = Arms(TABLE), []
    for frame, y in enumerate([400.0, 300.0, 225.0, 225.0, 225.0, 225.0, 300.0, 400.0, 420.0]):
        looks = (ArmLook((435.0, EDGE), (435.0, y), 0.0, 4000.0 if y < 270.0 else 0.0),)
        out += arms.update(Activity(frame / 15, looks, pile_came=came and frame == 7))
    assert len(out) == draws


def test_a_shadow_nearly_all_over_the_discard_pile_is_nobodys_arm() -> None:
    """Entry, tip and cover of the discard zone as the eye had them at a rendered table: somebody at the left throws a
    shadow while the arm from the right lays a card."""
    seats = ((2, (-170.0, 260.0)), (5, (930.0, 320.0)))
    table = replace(TABLE, seats=seats)
    frames = [[((759, 326), (619, 271), 0)], [((759, 321), (400, 234), 1302)]]
    frames += [[((359, 286), (750, 310), 31412)]] * 4
    frames += [[((-9, 265), (380, 258), 28883), ((759, 316), (464, 270), 0)]] + [[((-9, 265), (380, 258), 28883)]] * 4
    arms, visits = Arms(table), {}
    for number, frame in enumerate(frames):
        arms.update(Activity(number / 15, tuple(ArmLook(entry, tip, cover, 0.0) for entry, tip, cover in frame)))
        visits |= {track: track.seat()[0] for track in arms.tracks if track.last_in_discard == number / 15}
    assert sorted(visits.values(), key=str) == [5, None]


def test_an_arm_keeps_its_seat_while_a_shadow_is_joined_to_it() -> None:
    """Entry, tip and area as the eye had them at a rendered table: somebody's shadow leaves by the lower edge while
    the arm from the left lays a card."""
    seats = ((1, (380.0, 590.0)), (2, (-170.0, 150.0)))
    table = TableGeometry((390.0, 110.0, 190.0, 200.0), (250.0, 140.0, 90.0, 130.0), (56.0, 87.0), seats)
    arm = [((8, 166), (119, 190), 0, 11632), ((8, 166), (201, 189), 0, 20511), ((7, 173), (369, 206), 1410, 34640)]
    joined = [((257, 313), (555, 383), 22565, 98083), ((277, 330), (157, 219), 24493, 106139)]
    joined += [((295, 356), (23, 164), 24948, 113588)] * 4
    shadow = ((356, 426), (445, 188), 21250, 82458)
    frames = [[one] for one in arm + joined]
    frames += [[((8, 163), (214, 153), 0, 22811), shadow], [((8, 149), (116, 156), 0, 11648), shadow], [shadow]]
    arms, visits = Arms(table), {}
    for number, frame in enumerate(frames):
        looks = tuple(ArmLook(entry, tip, discard, 0.0, area) for entry, tip, discard, area in frame)
        arms.update(Activity(number / 15, looks))
        visits |= {track: track.seat()[0] for track in arms.tracks if track.last_in_discard == number / 15}
    assert sorted(visits.values(), key=str) == [2, None]


SIDE_BY_SIDE = TableGeometry(
    (231.5, 105.6, 190.0, 200.0), (433.5, 147.8, 90.0, 120.0), (56.0, 87.0), ((3, (380.0, -160.0)),)
)


def test_a_hand_that_draws_beside_one_that_lays_a_card_draws_though_their_shadows_join_them() -> None:
    """Entry x, tip and cover of both zones as the eye had them at a rendered table, every second frame of 30 a second:
    the hand on the discard pile reaches farther, and its outline and the other's are one."""
    frames = [[(348, 312, 207, 6719, 0)], [(392, 304, 239, 9703, 0)], [(413, 303, 248, 10667, 0)]]
    frames += [[(348, 308, 252, 10673, 0), (439, 467, 156, 438, 636)], [(389, 308, 248, 11405, 3744)]]
    frames += [[(388, 308, 248, 11500, 5330)]] * 5
    frames += [[(388, 429, 251, 11266, 6820)]] * 3 + [[(389, 443, 251, 13114, 8009)], [(392, 419, 251, 11091, 7600)]]
    frames += [[(397, 489, 251, 0, 4879)], [(419, 459, 102, 23, 0)], [(426, 391, 47, 0, 0)], [], [], []]
    arms, out = Arms(SIDE_BY_SIDE), []
    for number, frame in enumerate(frames):
        looks = tuple(ArmLook((entry, 2.0), (x, y), discard, draw) for entry, x, y, discard, draw in frame)
        out += arms.update(Activity(number / 15, looks))
    assert [(draw.seat, draw.count) for draw in out] == [(3, 1)]


def test_a_hand_that_only_lays_a_card_beside_the_draw_pile_draws_nothing() -> None:
    arms, out = Arms(SIDE_BY_SIDE), []
    for number, (x, y) in enumerate([(340, 60), (370, 150), (390, 230), (392, 232), (391, 231), (380, 150), (350, 60)]):
        draw = 900.0 if y > 200 else 0.0
        out += arms.update(Activity(number / 15, (ArmLook((348.0, 2.0), (x, y), 9000.0, draw),)))
    for number in range(7, 14):
        out += arms.update(Activity(number / 15))
    assert out == []


@pytest.mark.parametrize(("stripes", "draws"), [(4, 1), (11, 0)])
def test_the_stripes_of_a_table_that_trembles_are_nobodys_arms(stripes: int, draws: int) -> None:
    """Three frames 0.1 s apart in which edges of the picture pass for arms, one of them over the draw pile."""
    arms, out = Arms(SIDE_BY_SIDE), []
    for number in range(3):
        looks = [ArmLook((700.0, 207.0), (477.0, 208.0), 0.0, 640.0)]
        looks += [ArmLook((95.0, 30.0 * k), (240.0, 30.0 * k), 0.0, 0.0) for k in range(stripes - 1)]
        out += arms.update(Activity(number / 10, tuple(looks)))
    for number in range(3, 7):
        out += arms.update(Activity(number / 10))
    assert len(out) == draws


@pytest.mark.parametrize(
    ("fps", "frames"),
    [
        (10, [[((773, 79), (728, 142), 0, 0, 6842)], [((773, 68), (437, 173), 0, 3686, 33600)],
              [((773, 74), (250, 380), 21331, 6882, 80070)], [((773, 74), (232, 383), 24550, 8955, 90169)],
              *[[((586, 203), (213, 387), 25864, 9225, 95136)]] * 4,
              [((773, 83), (424, 164), 0, 4403, 36744), ((240, 426), (487, 285), 20729, 1292, 52559)],
              *[[((235, 426), (371, 219), 19300, 494, 49249)]] * 2]),
        (25, [[((770, 190), (700, 200), 0, 0, 6000)], [((770, 190), (560, 210), 0, 0, 20000)],
              [((770, 190), (470, 215), 0, 3000, 30000)], [((770, 190), (445, 217), 0, 4500, 33000)],
              [((770, 190), (426, 219), 0, 5900, 36000)], *[[((386, 36), (759, 183), 18081, 7320, 98997)]] * 20,
              [((318, -12), (316, 249), 21156, 964, 84148), ((770, 178), (534, 181), 0, 0, 19165)],
              *[[((319, -12), (311, 250), 19985, 626, 81881)]] * 3]),
    ],
)  # fmt: skip
def test_who_lays_a_card_across_the_draw_pile_in_somebodys_shadow_draws_nothing(
    fps: int, frames: list[list[tuple[tuple[int, int], tuple[int, int], int, int, int]]]
) -> None:
    """Entry, tip, cover of both zones and area as the eye had them at two rendered tables: somebody's shadow joins the
    arm while it is over the draw pile, and leaves it there."""
    arms, out = Arms(SIDE_BY_SIDE), []
    for number, frame in enumerate([*frames, [], [], [], []]):
        looks = tuple(ArmLook(entry, tip, discard, draw, area) for entry, tip, discard, draw, area in frame)
        out += arms.update(Activity(number / fps, looks))
    assert out == []


@pytest.mark.parametrize(("first", "draws"), [((321.0, 223.0), 1), ((478.0, 223.0), 0)])
def test_the_shadow_that_is_left_over_the_draw_pile_of_an_arm_that_laid_a_card_draws_nothing(
    first: tuple[float, float], draws: int
) -> None:
    """As the eye had it at a rendered table, where somebody leaned over when the arm came: what the arm leaves of the
    shadow ends over the draw pile. Who rests there at first, and then reaches farther, draws."""
    seats = ((2, (-170.0, -40.0)),)
    table = TableGeometry((360.7, 103.6, 190.0, 200.0), (258.7, 144.6, 90.0, 120.0), (56.0, 87.0), seats)
    then = (478.0, 223.0) if draws else (321.0, 223.0)
    arms, out = Arms(table), []
    for number, tip in enumerate([(60.0, 90.0), *[first] * 16, *[then] * 14, (60.0, 90.0)]):
        beyond = tip[0] > 400.0
        look = ArmLook((-6.0, 30.0), tip, 10900.0 if beyond else 0.0, 7000.0 if tip[0] > 100.0 else 0.0)
        out += arms.update(Activity(number / 25, (look,)))
    for number in range(32, 38):
        out += arms.update(Activity(number / 25))
    assert len(out) == draws


@pytest.mark.parametrize(("beyond", "draws"), [(0.0, 1), (18.0, 1), (60.0, 0)])
def test_who_draws_across_the_discard_pile_may_reach_a_little_beyond_the_draw_pile(beyond: float, draws: int) -> None:
    """Tips as the eye had them at a rendered table, where the arm's shadow ends 16 mm beyond the draw zone."""
    seats = ((6, (850.0, 120.0)),)
    table = TableGeometry((349.8, 111.3, 190.0, 200.0), (247.8, 148.8, 90.0, 120.0), (56.0, 87.0), seats)
    arms, out = Arms(table), []
    way = [560.0, 434.0, 361.0, 285.0 - beyond, *[250.0 - beyond] * 8, 290.0 - beyond, 346.0, 434.0, 560.0, 660.0]
    for number, x in enumerate(way):
        discard, draw = (13800.0 if x < 500.0 else 0.0), (9000.0 if x < 340.0 else 0.0)
        out += arms.update(Activity(number / 15, (ArmLook((668.0, 145.0), (x, 208.0), discard, draw),)))
    for number in range(len(way), len(way) + 5):
        out += arms.update(Activity(number / 15))
    assert len(out) == draws


@pytest.mark.parametrize(
    ("then", "draws"), [((236.0, *[304.0] * 8), 1), ((325.0, *[304.0] * 8), 1), (range(320, 220, -20), 0)]
)
def test_who_goes_back_and_reaches_out_again_visits_again(then: Sequence[float], draws: int) -> None:
    """As the eye had it at a rendered table: one hand lays a card across the draw pile, goes, and the other one of the
    same arm's outline reaches for the draw pile before the first has left, or rests there from the first. One that goes
    back slowly draws nothing."""
    seats = ((4, (930.0, 215.0)),)
    table = TableGeometry((231.5, 105.6, 190.0, 200.0), (433.5, 147.8, 90.0, 120.0), (56.0, 87.0), seats)
    arms, out = Arms(table), []
    reaches = [180.0, 379.0, 464.0, 470.0, 470.0, 335.0, *then, 180.0, 60.0]
    for number, reach in enumerate(reaches):
        discard, draw = (12000.0 if reach > 400.0 else 0.0), (6000.0 if reach > 250.0 else 0.0)
        out += arms.update(Activity(number / 15, (ArmLook((764.0, 220.0), (764.0 - reach, 215.0), discard, draw),)))
    for number in range(len(reaches), len(reaches) + 5):
        out += arms.update(Activity(number / 15))
    assert len(out) == draws


@pytest.mark.parametrize(("deeper", "draws"), [(0, [(3, 1)]), (25, [])])
def test_the_tip_of_who_draws_may_lie_on_the_rim_of_the_discard_zone(
    deeper: int, draws: Told
) -> None:
    """As the eye had it at a rendered table: the shadow of the fingers ends 6 mm inside. Nobody lays a card there."""
    seats = ((3, (856.0, 28.0)),)
    table = TableGeometry((219.6, 113.0, 190.0, 200.0), (421.6, 160.3, 90.0, 120.0), (56.0, 87.0), seats)
    way = [(546, 107, 0), (473, 156, 1033), (422 - deeper, 188, 4886), *[(404 - deeper, 204, 7500)] * 5]
    way += [(408 - deeper, 248, 6731), (409 - deeper, 244, 7329), (468, 222, 4877), (532, 146, 0), (602, 79, 0)]
    frames = [[(754, 38, x, y, 1030 if x <= 409 else 0, draw)] for x, y, draw in way]
    assert draws_of(table, 15, frames) == draws


def test_what_a_hand_has_of_another_arm_for_a_moment_is_not_its_reach() -> None:
    """As the eye had it at a rendered table: another hand goes back past the one that draws, and for one frame its
    fingers are the drawing hand's, beyond the draw pile."""
    seats = ((3, (380.0, -160.0)), (4, (930.0, 215.0)))
    table = TableGeometry((220.3, 111.0, 190.0, 200.0), (422.3, 157.4, 90.0, 120.0), (56.0, 87.0), seats)
    way = [(463, 4, 0), (459, 68, 0), (467, 138, 0), (491, 183, 2580), *[(506, 186, 2899)] * 4, (477, 270, 3649)]
    way += [(550, 286, 3413), (489, 261, 7094), (481, 257, 6965), (482, 257, 5408), (454, 85, 0), (457, 16, 0)]
    assert draws_of(table, 15, [[(428, -1, x, y, 0, draw)] for x, y, draw in way]) == [(3, 1)]


@pytest.mark.parametrize(("reaches", "draws"), [((282, 226, 9791, 5379), []), ((428, 208, 0, 5235), [(4, 1)])])
def test_a_slow_camera_that_shows_an_arm_beyond_the_draw_pile_once_shows_no_draw(
    reaches: tuple[int, int, int, int], draws: Told
) -> None:
    """As the eye had it of a recording at 6 frames a second: a hand lays a card across the draw pile and goes back. Who
    is seen over the draw pile twice draws."""
    seats = ((4, (930.0, 215.0)),)
    table = TableGeometry((238.2, 105.3, 170.0, 190.0), (431.4, 146.9, 70.0, 110.0), (56.0, 87.0), seats)
    assert draws_of(table, 6, [[], [(748, 234, *reaches)], [(748, 219, 428, 208, 0, 5235)]]) == draws


@pytest.mark.parametrize(
    ("fps", "stays", "before", "after", "draws"),
    [(6, 1, 0.0, 0.0, 1), (6, 1, 0.0, 0.15, 0), (6, 1, 0.15, 0.15, 1), (6, 1, 0.15, 0.0, 1), (6, 4, 0.0, 0.15, 1),
     (15, 2, 0.0, 0.15, 0)],
)  # fmt: skip
def test_where_the_hand_is_not_seen_at_the_discard_pile_the_card_there_tells_that_it_did_not_draw(
    fps: int, stays: int, before: float, after: float, draws: int
) -> None:
    """As the eye had it of a recording at 6 frames a second: the hand's sleeve is not told from the table where it lays
    a card. before, after: share of the discard zone that has changed when it came, and as it went. Where this one
    stays, it may be another hand that lays the card. stays: frames over the draw pile."""
    seats = ((2, (930.0, 215.0)),)
    table = TableGeometry((238.2, 105.3, 170.0, 190.0), (431.4, 146.9, 70.0, 110.0), (56.0, 87.0), seats)
    arms, out = Arms(table), []
    comes, over_draw = ((747.0, 200.0), (739.0, 208.0), 0.0, 0.0), ((749.0, 191.0), (437.0, 192.0), 0.0, 4228.0)
    for number, frame in enumerate([None, comes, *[over_draw] * stays, comes, *[None] * 2 * fps]):
        changed = after if number > stays + 1 else before
        looks = () if frame is None else (ArmLook(*frame),)
        out += arms.update(Activity(number / fps, looks, 0.0, changed))
    assert len(out) == draws


BESIDE = TableGeometry(
    (206.6, 106.5, 190.0, 200.0), (408.6, 144.2, 90.0, 120.0), (56.0, 87.0), ((2, (-143.0, 331.0)), (3, (57.0, -88.0)))
)


@pytest.mark.parametrize(("stays", "draws"), [(6, [(3, 1)]), (0, [(None, 1)])])
def test_two_hands_at_the_draw_pile_at_once_are_one_draw(
    stays: int, draws: Told
) -> None:
    """As the eye had it at a rendered table: one hand draws past the other, which has just laid a card, and some of its
    fingers pass for the other's. Whose they are is known where one hand stays."""
    frames = [[(1, 279, 329, 185, 12082, 0)], [(1, 279, 329, 185, 12082, 0), (192, -1, 339, 114, 3806, 0)]]
    frames += [[(1, 279, 339, 178, 12281, 0), (180, 0, 395, 155, 8653, 0)]]
    frames += [[(1, 279, 439, 138, 15151, 1733), (168, 0, 416, 201, 8273, 450)]]
    frames += [[(1, 279, 463, 156, 16032, 3367), (166, 0, 441, 215, 7776, 1606)]] * 3
    frames += [[(1, 295, 199, 239, 0, 0), (163, 0, 462, 205, 15850, 5674)]] * stays
    frames += [[(1, 293, 125, 245, 0, 0), (201, -1, 318, 145, 10731, 0)]]
    frames += [[(95, 2, 161, 46, 0, 0)], [(97, 2, 67, 26, 0, 0)]]
    assert draws_of(BESIDE, 15, frames) == draws


def test_who_draws_in_the_outline_of_the_other_hand_draws_once() -> None:
    """As the eye had it at two rendered tables: one lays a card with one hand and draws with the other, and the sleeves
    are one at the edge of the picture for a while."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((374.5, 126.9, 190.0, 200.0), (272.5, 169.9, 90.0, 120.0), (56.0, 87.0), seats)
    lays = (440, 429, 468, 191, 10600, 0)
    frames = [[(437, 429, 464, 201, 9614, 0)], *[[lays]] * 3, [lays, (316, 430, 271, 407, 0, 0)]]
    frames += [[(357, 429, 477, 196, 10619, 0)], [(367, 429, 474, 196, 10625, 145)]]
    frames += [[lays, (322, 430, 301, 250, 81, 3081)], [lays, (324, 430, 299, 231, 0, 4903)]]
    frames += [[lays, (321, 430, 299, 227, 0, 5344)], *[[(374, 429, 471, 196, 13000, 5344)]] * 4]
    frames += [[(375, 429, 286, 204, 737, 5292)], [(379, 429, 286, 200, 0, 5350)], [(350, 429, 287, 196, 0, 5356)]]
    frames += [[(321, 430, 298, 190, 0, 5304)], [(322, 430, 310, 188, 0, 6819)], [(324, 430, 303, 265, 0, 986)]]
    assert draws_of(table, 25, [*frames, [(308, 430, 302, 402, 0, 0)]]) == [(1, 1)]
    table = TableGeometry((355.1, 126.0, 190.0, 200.0), (253.1, 171.0, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(390, 424, 408, 311, 836, 0)], [(406, 423, 443, 242, 6467, 0), (253, 431, 215, 390, 0, 0)]]
    frames += [[(402, 423, 450, 196, 10669, 0), (285, 429, 236, 284, 0, 315)], [(352, 426, 452, 196, 11780, 4958)]]
    frames += [[(353, 426, 451, 195, 11879, 6064)]] * 2
    frames += [[(354, 426, 308, 180, 14174, 6023)], [(352, 426, 353, 190, 9157, 6073)]]
    frames += [[(310, 428, 232, 264, 0, 1345)], [(276, 430, 237, 362, 0, 0)], [(272, 430, 262, 403, 0, 0)]]
    assert draws_of(table, 10, frames) == [(1, 1)]


def test_a_hand_whose_outline_parts_from_that_of_one_who_lays_a_card_draws() -> None:
    """As the eye had it at two rendered tables: both hands come in as one, and are two as one is at the draw pile."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((341.7, 105.0, 190.0, 200.0), (239.7, 148.1, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(349, 1, 358, 77, 0, 0, 9622), (382, 429, 435, 161, 13104, 0, 22631)]]
    frames += [[(338, 2, 325, 155, 1864, 336, 18528), (385, 430, 435, 161, 12397, 0, 22635)]]
    frames += [[(341, 2, 453, 243, 8844, 0, 13940), (341, 2, 303, 203, 0, 3188, 13940)]]
    frames[-1] += [(396, 430, 405, 327, 0, 0, 10904)]
    frames += [[(343, 1, 453, 243, 9357, 0, 14739), (343, 1, 294, 212, 0, 4539, 14739)]] * 2
    frames += [[(343, 1, 316, 239, 2046, 4893, 21632)]] * 2 + [[(342, 2, 290, 234, 1988, 5815, 23114)]]
    frames += [[(343, 1, 275, 212, 1137, 4128, 21457)], [(355, 1, 291, 106, 23, 0, 10657)]]
    assert draws_of(table, 15, [*frames, [(359, 1, 328, 17, 0, 0, 1591)]]) == [(2, 1)]
    seats = ((6, (768.9, -50.2)),)
    table = TableGeometry((233.1, 123.5, 190.0, 200.0), (435.1, 164.7, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(724, 34, 710, 95, 0, 0, 5481)], [(714, 37, 655, 110, 0, 0, 11799)]]
    frames += [[(707, 32, 595, 122, 0, 0, 20610)], [(701, 21, 526, 139, 0, 0, 29623)]]
    frames += [[(706, 22, 462, 171, 0, 1956, 38120)], [(701, 21, 405, 196, 2521, 4605, 45069)]]
    frames += [[(696, 21, 361, 215, 7335, 6290, 51286)], [(683, 22, 338, 224, 9099, 7417, 54030)]]
    frames += [[(679, 21, 317, 237, 11446, 7665, 56227)]] * 6
    frames += [[(677, 21, 307, 251, 11687, 0, 27982), (677, 21, 443, 280, 0, 7892, 27982)]] * 3
    frames += [[(677, 21, 314, 238, 13217, 8112, 57817)], [(689, 21, 314, 236, 12979, 8926, 58963)]]
    frames += [[(696, 21, 314, 237, 10837, 9457, 57165)], [(704, 22, 470, 267, 79, 7950, 44311)]]
    frames += [[(709, 23, 478, 230, 0, 3307, 35545)], [(704, 23, 564, 191, 0, 0, 23821)]]
    assert draws_of(table, 25, [*frames, [(718, 34, 608, 153, 0, 0, 15525)]]) == [(6, 1)]


def test_both_hands_whose_outlines_join_again_at_the_piles_draw_once() -> None:
    """As the eye had it at a rendered table: for three frames they are two, and the one at the draw pile stays."""
    seats = ((1, (380.0, 590.0)),)
    table = TableGeometry((206.2, 109.9, 190.0, 200.0), (408.2, 151.9, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(407, 426, 496, 366, 0, 0, 11799)], [(401, 426, 463, 298, 557, 0, 24669)]]
    frames += [[(388, 425, 475, 265, 2840, 1566, 31845)], [(385, 425, 472, 238, 6384, 3826, 38006)]]
    frames += [[(382, 425, 376, 214, 9744, 4727, 42420)]]
    frames += [[(381, 425, 291, 173, 13309, 0, 23604), (381, 425, 473, 203, 0, 5262, 23604)]] * 3
    frames += [[(381, 425, 340, 175, 12523, 6010, 45905)]] * 2 + [[(380, 425, 351, 176, 14151, 6205, 48009)]] * 2
    frames += [[(381, 425, 356, 180, 12190, 6581, 47088)], [(391, 425, 466, 204, 2201, 5471, 35891)]]
    frames += [[(397, 426, 467, 262, 961, 1238, 25175)], [(395, 426, 463, 315, 17, 0, 15955)]]
    assert draws_of(table, 15, [*frames, [(407, 426, 435, 364, 0, 0, 8174)]]) == [(1, 1)]


def test_a_draw_of_three_frames_counts_the_first() -> None:
    """As the eye had it at a recording, through a slow camera: it sees the hand over the draw pile at once."""
    seats = ((2, (930.0, 215.0)),)
    table = TableGeometry((230.5, 127.5, 170.0, 190.0), (403.9, 174.9, 70.0, 110.0), (56.0, 87.0), seats)
    frames = [[], [(761, 218, 460, 227, 0, 1155)], [(762, 217, 439, 225, 0, 2378)], [(762, 217, 439, 224, 0, 2638)]]
    assert draws_of(table, 21, [*frames, [], [(759, 226, 690, 213, 0, 0)]]) == [(2, 1)]


def test_who_lays_a_card_across_the_draw_pile_in_two_frames_draws_nothing() -> None:
    """As the eye had it at a recording, through a slow camera that loses frames: each pile was reached in one frame."""
    seats = ((2, (930.0, 215.0)),)
    table = TableGeometry((222.7, 117.3, 170.0, 190.0), (396.5, 152.0, 70.0, 110.0), (56.0, 87.0), seats)
    frames = [[], [(756, 237, 740, 219, 0, 0)], [(756, 233, 408, 224, 0, 3741)], [(755, 214, 266, 201, 9215, 5086)]]
    assert draws_of(table, 14, [*frames, [], [(755, 218, 555, 213, 0, 0)]]) == []


@pytest.mark.parametrize(("reaches", "draws"), [((288, 199, 11823, 3462), 0), ((470, 262, 0, 1400), 1)])
def test_where_frames_are_dropped_what_was_seen_before_lasted_for_half_of_the_gap(
    reaches: tuple[int, int, int, int], draws: int
) -> None:
    """As the eye had it at a rendered table: a hand that laid a card was seen once there, and 0.3 s later on its way
    back over the draw pile. Who is seen there both times draws."""
    arms, told = Arms(replace(TABLE, seats=((6, (930.0, 480.0)),))), []
    x, y, discard, draw = reaches
    seen = {0.1: [(x, y, discard, draw)], 0.4: [(478, 271, 0, 879)]}
    for t in (0.0, 0.1, 0.4, 0.5, 0.6, 0.7, 0.8):
        looks = tuple(ArmLook((768.0, 404.0), (a, b), c, d) for a, b, c, d in seen.get(t, []))
        told += arms.update(Activity(t, looks))
    assert len(told) == draws


def test_who_draws_may_lay_that_card_at_once() -> None:
    """As the eye had it at a rendered table: the hand goes half-way back, and to the discard pile a moment later."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((367.2, 115.3, 190.0, 200.0), (265.2, 158.6, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(350, -3, 321, 110, 0, 0)], [(355, -2, 321, 164, 378, 331)], [(367, -2, 315, 196, 1196, 2666)]]
    frames += [[(368, -2, 319, 209, 1530, 3558)]] * 6 + [[(368, -2, 297, 256, 789, 5668)]] * 4
    frames += [[(350, -3, 307, 259, 0, 5627)]] * 2 + [[(363, -2, 309, 144, 0, 0)], [(378, -2, 405, 92, 0, 0)]]
    frames += [[(404, -2, 421, 166, 2922, 0)], [(402, -2, 430, 229, 8112, 0)], [(403, -2, 440, 265, 10723, 0)]]
    frames += [[(405, -2, 439, 283, 12341, 0)]] * 9 + [[(413, -2, 419, 116, 137, 0)]]
    assert draws_of(table, 30, frames) == [(2, 1)]


def test_a_hand_that_rests_on_the_draw_pile_draws_though_its_outline_twitches() -> None:
    """As the eye had it at a rendered table: for one frame the outline of the hand at rest lacks the fingers."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((343.3, 108.9, 190.0, 200.0), (241.3, 144.5, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(348, 427, 330, 370, 0, 0)], [(348, 427, 290, 260, 583, 2500)], *[[(348, 427, 274, 201, 583, 5694)]] * 6]
    frames += [[(350, 427, 268, 158, 415, 5400)]] * 3 + [[(350, 427, 280, 206, 415, 4354)]]
    frames += [[(350, 427, 268, 158, 415, 5456)], [(346, 427, 270, 184, 415, 6440)], [(339, 427, 305, 295, 236, 0)]]
    assert draws_of(table, 10, [*frames, [(345, 427, 334, 410, 0, 0)]]) == [(1, None)]


@pytest.mark.parametrize(("left", "draws"), [(150, []), (1500, [(1, 1)])])
def test_the_rim_of_a_shadow_that_hands_leave_over_the_draw_pile_draws_nothing(left: int, draws: Told) -> None:
    """As the eye had it at a rendered table: two hands square up the discard pile, and somebody's shadow beside them
    reaches over the draw pile. Who has laid a card with one hand and draws with the other covers more of it."""
    seats = ((1, (380.0, 590.0)), (8, (768.9, 480.2)))
    table = TableGeometry((223.5, 104.5, 190.0, 200.0), (425.5, 150.4, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(325, 430, 287, 329, 124, 0)], [(335, 430, 280, 269, 7711, 0)], [(346, 430, 274, 237, 13746, 75)]]
    frames += [[(349, 430, 312, 164, 20000, 139)]] * 12
    frames += [[(346, 430, 410, 237, 6027, left)], [(340, 430, 412, 238, 3675, left)]]
    frames += [[(334, 430, 415, 241, 3234, left)], [(340, 430, 416, 240, 3058, left)]]
    frames += [[(412, 431, 414, 240, 2905, left)]]
    frames += [[(438, 431, 414, y, 2000, left)] for y in (243, 248, 254, 259, 264)]
    assert draws_of(table, 30, frames) == draws


def test_what_a_hand_has_of_another_arm_for_one_frame_of_a_slow_camera_is_not_its_reach() -> None:
    """As the eye had it at a rendered table: the sleeve of one that lays a card passes below the hand that draws."""
    seats = ((2, (-96.3, 402.5)), (4, (380.0, -160.0)))
    table = TableGeometry((369.3, 103.6, 190.0, 200.0), (267.3, 136.6, 90.0, 120.0), (56.0, 87.0), seats)
    frames = [[(0, 406, 260, 289, 0, 0)], [(354, 2, 341, 130, 417, 29), (0, 402, 423, 210, 6049, 5306)]]
    frames += [[(346, 3, 318, 187, 1013, 4197), (0, 398, 476, 177, 12500, 4781)]]
    frames += [[(346, 3, 315, 190, 1001, 4307), (0, 398, 478, 177, 12649, 4805)]]
    frames += [[(346, 3, 294, 196, 606, 4677), (0, 398, 479, 177, 11879, 4160)]]
    frames += [[(346, 3, 317, 237, 791, 4846), (0, 397, 479, 180, 13121, 4102)]]
    frames += [[(350, 2, 271, 332, 23, 4711), (3, 404, 335, 207, 0, 3784)]]
    frames += [[(349, 2, 379, 36, 0, 0), (6, 384, 81, 318, 0, 0)]]
    assert draws_of(table, 10, frames) == [(4, 1)]


@pytest.mark.parametrize(
    ("fps", "discard", "draw", "frames"),
    [
        (10, (238.2, 105.3), (431.4, 146.9),
         [(65, 0, 0, 3159), (324, 6917, 0, 26786), (444, 13337, 1265, 40797), (445, 13423, 1291, 40953),
          (327, 8000, 0, 27498), (42, 0, 0, 3397)]),
        (15, (238.2, 105.3), (431.4, 146.9),
         [(152, 0, 0, 2791), (313, 5042, 0, 13725), (418, 10835, 0, 23492), (433, 11185, 296, 25269),
          (433, 11185, 296, 25269), (404, 11986, 0, 23142), (235, 69, 0, 11743)]),
        (21, (220.4, 127.5), (398.1, 163.4),
         [(161, 0, 0, 13220), (345, 10618, 0, 31739), (402, 14086, 616, 38058), (402, 14422, 627, 39594),
          (415, 14356, 1817, 39783), (229, 1068, 0, 20070), (-5, 0, 0, 1181)]),
    ],
    ids=["10 fps", "15 fps", "21 fps"],
)  # fmt: skip
def test_a_quick_draw_across_the_discard_pile_is_seen_by_a_slow_camera(
    fps: int, discard: tuple[float, float], draw: tuple[float, float], frames: list[tuple[int, int, int, int]]
) -> None:
    """Tip, cover of both zones and area as the eye had them of a hand that was there for two or three frames."""
    table = TableGeometry((*discard, 170.0, 190.0), (*draw, 70.0, 110.0), (56.0, 87.0), ((4, (-170.0, 215.0)),))
    arms, out = Arms(table), []
    for number, frame in enumerate([*frames, *[None] * 6]):
        looks = ()
        if frame is not None:
            tip, over_discard, over_draw, area = frame
            looks = (ArmLook((-6.0, 205.0), (float(tip), 210.0), float(over_discard), float(over_draw), float(area)),)
        out += arms.update(Activity(number / fps, looks))
    assert [(one.seat, one.count) for one in out] == [(4, 1)]


@pytest.mark.parametrize("fps", [10, 15, 30])
def test_what_an_outline_has_of_the_draw_pile_for_one_frame_is_no_draw(fps: int) -> None:
    """A hand that lays a card, joined in one frame to another arm that ends over the draw pile."""
    discard, draw = (238.2, 105.3, 170.0, 190.0), (431.4, 146.9, 70.0, 110.0)
    arms, out = Arms(TableGeometry(discard, draw, (56.0, 87.0), ((4, (-170.0, 215.0)),))), []
    steps = max(1, fps // 10)
    tips = [65, 200, *[324] * steps, 445, *[324] * steps, 200, 42, *[None] * 6]
    for number, tip in enumerate(tips):
        looks = ()
        if tip is not None:
            over = (8000.0 if tip > 250 else 0.0), (1300.0 if tip > 431 else 0.0)
            looks = (ArmLook((-6.0, 205.0), (float(tip), 210.0), *over, 90.0 * tip),)
        out += arms.update(Activity(number / fps, looks))
    assert out == []


@pytest.mark.parametrize(("wide", "draws"), [(8, []), (35, [(3, 1)])])
def test_an_outline_as_thin_as_a_stripe_is_no_arm(wide: int, draws: Told) -> None:
    """An edge of the table's pattern from the edge of the picture to the draw pile, as the table trembles."""
    frames = [[(478, 1, 478, 191, 0, 30 * wide, 190 * wide)]] * 4 + [[(478, 1, 478, 98, 0, 0, 97 * wide)]] * 2
    assert draws_of(SIDE_BY_SIDE, 15, frames) == draws


def test_a_table_that_trembled_takes_no_draw_from_its_seat() -> None:
    """A second in which edges pass for arms, and then another sleeve over the draw pile in the drawing hand's first
    frame there: they share that frame, not the second before."""
    stripes = [(60 * k, 4, 60 * k, 104, 0, 0, 9000) for k in range(8)]
    hand, sleeve = (433, 4, 433, 250, 0, 6000, 27000), (700, 200, 470, 200, 0, 900, 30000)
    reaching = [(433, 4, 433, 90, 0, 0, 9000)]
    frames = [reaching, reaching, *[stripes] * 15, [hand, sleeve], *[[hand]] * 7, reaching]
    assert draws_of(SIDE_BY_SIDE, 15, frames) == [(3, 1)]
