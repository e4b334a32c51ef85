"""The draw pile's place: settled once the hand has left it, and a pile that comes is told from one that shrinks."""

import cv2
import numpy as np
import pytest
from drawn_table import Knower

from referee.frame import Frame
from referee.observations import CardsDrawn
from referee.vision.arms import Arm
from referee.vision.calibration import parse_calibration
from referee.vision.draw_place import DrawPlace
from referee.vision.eye import Eye
from referee.vision.scene import Scene

CARD = (24, 36)
ZONE = np.zeros((180, 320), np.uint8)
ZONE[60:115, 100:140] = 255
CALIBRATION = parse_calibration({
    "image_size": [320, 180], "table_to_image": [[0.4, 0, 0], [0, 0.4, 0], [0, 0, 1]], "card_mm": [60, 90],
    "table_mm": [800, 450], "discard_zone_mm": [420, 130, 170, 190], "draw_zone_mm": [250, 150, 100, 138],
    "seats": [{"seat": 1, "at_mm": [400, 600]}, {"seat": 3, "at_mm": [400, -150]}],
})  # fmt: skip
RNG = np.random.default_rng(4)
WOOD = cv2.GaussianBlur(RNG.normal(90, 60, (180, 320, 3)), (0, 0), 3.0, sigmaY=0.8) + RNG.normal(0, 3, (180, 320, 3))


def place():
    return DrawPlace(ZONE, ZONE.size * float((ZONE > 0).mean()) / (CARD[0] * CARD[1]))


def table(pile=None):
    """pile: where the draw pile's upper left corner is; None for a bare table."""
    picture = np.clip(WOOD, 0, 255).astype(np.uint8)
    if pile is not None:
        x, y = pile
        picture[y : y + CARD[1], x : x + CARD[0]] = 235
        picture[y + 2 : y + CARD[1] - 2, x + 2 : x + CARD[0] - 2] = (20, 20, 25)
    return picture


@pytest.mark.parametrize(
    ("case", "before", "now", "came"),
    [
        ("a pile is brought", None, (108, 70), True),
        ("the last card is drawn", (108, 70), None, False),
        ("a card is drawn", (108, 70), (109, 69), False),
        ("a pile is pushed", (108, 70), (114, 76), False),
        ("a hand that only reached there", None, None, False),
    ],
)
def test_a_pile_comes_to_the_bare_table(case, before, now, came):
    assert place().has_come(table(before), table(now)) is came, case


def test_a_shadow_on_the_bare_place_is_no_pile():
    shaded = (table() * 0.6).astype(np.uint8)
    assert not place().has_come(table(), shaded)


def test_a_hand_has_left_once_it_is_gone_and_nothing_moves():
    watched, still = place(), np.zeros_like(ZONE)
    hand = Arm((120.0, -4.0), (120.0, 80.0), 9000.0, 0.0, 3000.0, True)
    seen = [((), still), ((hand,), ZONE), ((hand,), still), ((), ZONE), ((), still), ((), still)]
    assert [watched.is_left(arms, moved, t) for t, (arms, moved) in enumerate(seen)] == [False] * 4 + [True, False]


@pytest.mark.parametrize(("case", "wide", "left"), [("an arm without a sleeve", 24, False), ("noise", 2, True)])
def test_a_hand_is_there_as_long_as_its_arm_lies_about_the_place(case, wide, left):
    watched, still = place(), np.zeros_like(ZONE)
    watched.is_left((Arm((120.0, -4.0), (120.0, 80.0), 9000.0, 0.0, 3000.0, True),), ZONE, 0.0)
    lies = cv2.line(np.zeros_like(ZONE), (319, 90), (120, 90), 255, wide)
    assert watched.is_left((), still, 0.1, lies) is left, case


def visit(pictures, fps=15, shade=None, tip=120, begin=0):
    """Frames of an arm that is over the draw pile from 1 to 1.3 seconds. pictures: of the table in turn, to begin with,
    and after the visit. shade: where a shadow lies for half a second from then on. tip: how far down the arm reaches,
    pixels. begin: seconds at which this is."""
    for frame in range(3 * fps):
        t = frame / fps
        picture = pictures[0 if t < 1.3 else 1 + frame % (len(pictures) - 1)].copy()
        if 1.0 <= t < 1.3:
            cv2.line(picture, (120, 0), (120, tip), (60, 90, 200), 26)
        if shade and 1.3 <= t < 1.8:
            (x, y, w, h) = shade
            picture[y : y + h, x : x + w] = picture[y : y + h, x : x + w] * 0.6
        yield Frame(picture, frame + begin * fps, t + begin)


def after_a_visit(*arguments):
    """What a scene says of the draw pile when an arm that crosses it has gone, and how long after that."""
    scene = Scene(CALIBRATION)
    looks = [scene.look(frame) for frame in visit(*arguments)]
    return [(look.left.changed, round(look.t - 1.3, 1)) for look in looks if look.left]


@pytest.mark.parametrize(("case", "after", "seats"), [("draws", (108, 71), [3]), ("passes", (108, 70), [])])
def test_who_reaches_beyond_the_pile_for_a_moment_draws_where_it_is_changed(case, after, seats):
    eye = Eye(CALIBRATION, Knower().models())
    frames = [*visit([table((108, 69)), table((108, 70))], tip=105)]
    frames = [*frames[:19], *[Frame(frames[18].image, 19, 1.3 + k / 15) for k in range(6)]]
    frames += [Frame(f.image, f.seq, f.t + 0.4) for f in visit([table((108, 69)), table((108, 70))]) if f.t >= 1.3]
    frames += visit([table((108, 70)), table(after)], tip=165, begin=4)
    told = [s for frame in frames for s in eye.process(frame)]
    assert [s.seat for s in told if isinstance(s, CardsDrawn)] == [3, *seats], case


@pytest.mark.parametrize("fps", [10, 30])
@pytest.mark.parametrize(
    ("case", "after", "shade", "changed", "late"),
    [
        ("a card was drawn, and the next lies a little askew", [(108, 71)], None, True, 0.2),
        ("the hand went past it", [(108, 70)], None, False, 0.2),
        ("the last card was drawn", [None], None, True, 0.2),
        ("... and the shadow of who goes lies there still", [(108, 70)], (60, 40, 120, 110), False, 0.7),
    ],
)
def test_a_pile_from_which_a_card_was_drawn_shows_another_picture(case, after, shade, changed, late, fps):
    (said,) = after_a_visit([table((108, 70)), *map(table, after)], fps, shade)
    assert said == (changed, pytest.approx(late, abs=0.11)), case


@pytest.mark.parametrize(("case", "dark", "light"), [("lifts", 0.72, 1.0), ("falls on it", 1.0, 0.72)])
def test_a_shadow_on_the_pile_that_changes_while_a_hand_is_there_is_no_other_picture_of_it(case, dark, light):
    """As at a rendered table of dark wood, which showed it less than the pile's white border."""
    pictures = [table((108, 70)), table((108, 70))]
    for picture, share in zip(pictures, (dark, light), strict=True):
        picture[45:130, 85:155] = picture[45:130, 85:155] * share
    assert [changed for changed, _ in after_a_visit(pictures, 15)] == [False], case


def arrives(watched, t):
    watched.is_left((Arm((120.0, -4.0), (120.0, 80.0), 9000.0, 0.0, 3000.0, True),), ZONE, t)


@pytest.mark.parametrize(("case", "seen", "since"), [("was seen", None, 2.0), ("was not seen", ZONE, 1.0)])
def test_a_pile_that_was_not_seen_between_two_visits_tells_of_both(case, seen, since):
    """As at a rendered table: what the first had done to it was told again as the doing of the second."""
    watched, still = place(), np.zeros_like(ZONE)
    watched.look(None, table((108, 70)))
    arrives(watched, 1.0)
    watched.is_left((), still, 1.5)
    watched.look(seen, table((109, 71)))
    arrives(watched, 2.0)
    watched.is_left((), still, 2.5)
    told = [watched.left(still, still, 2.5 + 0.1 * k) for k in range(3)]
    assert [left and left.since for left in told] == [None, None, since], case


def test_the_next_visit_begins_from_what_the_pile_has_told(monkeypatch):
    """Though a difference of the pile stays that was not settled, as at a rendered table: it would be told again."""
    monkeypatch.setattr(Scene, "_settle_draw", lambda *_: False)
    scene, draws, passes = Scene(CALIBRATION), [table((108, 70)), table((110, 72))], [table((110, 72))] * 2
    looks = [scene.look(frame) for frame in [*visit(draws), *visit(passes, begin=3)]]
    assert [(look.left.changed, int(look.left.since)) for look in looks if look.left] == [(True, 1), (False, 4)]


@pytest.mark.parametrize(("levels", "cards", "changed"), [(5, 0.5, False), (9, 0.01, False), (9, 0.05, None),
                                                          (30, 0.03, None), (30, 0.1, True)])  # fmt: skip
def test_a_pile_that_differs_no_more_than_noise_may_leaves_open_whether_a_card_was_drawn(levels, cards, changed):
    watched, differs = place(), np.zeros_like(ZONE)
    watched.look(None, table((108, 70)))
    arrives(watched, 0.0)
    watched.is_left((), differs, 0.1)
    differs[ZONE > 0] = levels * (np.arange(cv2.countNonZero(ZONE)) < cards * CARD[0] * CARD[1])
    told = [watched.left(differs, cv2.subtract(differs, 14), 0.1 * k) for k in (1, 2, 3)][2]
    assert told.changed is changed


@pytest.mark.parametrize("fps", [10, 15, 30])
def test_a_camera_that_trembles_draws_nothing(fps):
    trembling = [(109, 70), (108, 70), (107, 70), (108, 70)] * 2 + [(108, 70)] * 90
    assert not any(changed for changed, _ in after_a_visit([table((108, 70)), *map(table, trembling)], fps))


@pytest.mark.parametrize("tip", [(120, 100), (190, 90)])
def test_a_hand_that_rests_at_a_pile_stays_an_arm_as_the_place_of_another_one_is_known_for_the_table(tip):
    """One that lay there when watching began, and has gone since. As at a rendered table: of one visit two draws were
    told, as the hand at the pile was lost for a frame."""
    scene, looks = Scene(CALIBRATION), []
    for number in range(60):
        picture = table((108, 70))
        if number < 15:
            cv2.line(picture, (319, 90), (270, 90), (60, 90, 200), 26)
        if number >= 20:
            cv2.line(picture, (120, 0), tip, (60, 90, 200), 26)
        looks.append(scene.look(Frame(picture, number, number / 15), True))
    assert any(look.unveiled for look in looks)
    assert all(any(arm.in_zones for arm in look.arms) for look in looks[21:])
    assert not any(arm.entry[0] > 700 for arm in looks[-1].arms)


def test_a_hurried_frame_does_not_tell_again_what_the_last_one_told():
    scene = Scene(CALIBRATION)
    things = cv2.circle(table((109, 71)), (200, 90), 9, (250, 250, 250), -1)  # the picture is at rest, but not idle
    looks = []
    for frame in visit([table((108, 70)), things]):
        looks.append(scene.look(frame, hurried=bool(looks) and bool(looks[-1].left)))
    (told,) = [number for number, look in enumerate(looks) if look.left]
    assert looks[told + 1].as_before


def test_a_hand_that_lies_there_unseen_as_another_comes_is_no_picture_of_the_pile():
    """What is compared is the pile before the hand came, not a hand without an outline of its own at its rim."""
    watched, still = place(), np.zeros_like(ZONE)
    bare, rim = table((108, 70)), cv2.line(table((108, 70)), (160, 90), (130, 90), (60, 90, 200), 12)
    watched.look(None, bare)
    watched.look(cv2.line(np.zeros_like(ZONE), (160, 90), (130, 90), 255, 12), rim)
    arrives(watched, 0.0)
    watched.is_left((), still, 0.1)
    assert watched.before == (bare,)


@pytest.mark.parametrize(("case", "elsewhere", "told"), [("the pile alone", 0, True), ("a knock", 60, False)])
def test_a_picture_that_differs_far_from_the_pile_too_tells_nothing_of_it(case, elsewhere, told):
    watched, over = place(), np.zeros_like(ZONE)
    watched.look(None, table((108, 70)))
    arrives(watched, 0.0)
    watched.is_left((), over, 0.1)
    over[70:90, 108:112] = 255
    over[150:152, 250 : 250 + elsewhere // 2] = 255
    assert [bool(watched.left(over, over, 0.1 * k)) for k in (1, 2, 3)] == [False, False, told], case


def test_what_hides_the_pile_is_waited_for_and_not_for_ever():
    """Each picture of a table at rest would cost as much as one with hands: something was put down about the pile."""
    watched, over = place(), np.zeros_like(ZONE)
    watched.look(None, table((108, 70)))
    arrives(watched, 0.0)
    watched.is_left((), over, 0.1)
    over[60:115, 142:148] = 255
    asked = [bool(watched.before) for t in range(1, 9) if watched.left(over, over, float(t)) is None]
    assert asked == [True] * 5 + [False] * 3
