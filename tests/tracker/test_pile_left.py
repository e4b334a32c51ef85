"""The draw pile shows another picture once a hand has left it: somebody drew, however little the hand told of that."""

from __future__ import annotations

from typing import Literal

import pytest

from referee.tracker.arms import Arms
from referee.tracker.draw_pile import Draw
from referee.tracker.looks import Activity, ArmLook, DrawPileLeft, TableGeometry

TABLE = TableGeometry(
    (200.0, 120.0, 170.0, 190.0), (400.0, 160.0, 70.0, 110.0), (56.0, 87.0), ((1, (435.0, 590.0)), (3, (300.0, -160.0)))
)
LAYS_ACROSS = "435,400 435,330 435,230 330,210 290,200 290,200 330,210 435,230 435,330 435,400"
STAYS_LONGER = "410,-4 410,90 410,200 330,210 290,200 290,200 290,200 290,200 330,210 410,200 410,90 410,-4"
SLEEVE_ACROSS = "410,-4 410,90 330,190 290,200 330,190 410,90 410,-4"
BRUSHES = "435,400 435,330 435,262 435,330 435,400"
DRAWS = "435,400 435,330 435,230 435,230 435,230 435,230 435,330 435,400"
TAKES_TIME = f"435,400 435,330 {'435,230 ' * 9} 435,330 435,400"
STRAIGHT = "300,-4 300,100 290,180 290,200 290,200 300,100 300,-4"
FPS = 15


Shown = bool | Literal["unsure"] | None
"""Whether the draw pile shows another picture; None where the eye never sees it."""


def draws(*ways: str, changed: Shown = True, since: int | None = None) -> list[Draw]:
    """The draws of arms whose tips go these ways, in millimetres, one place a frame, from the edge before them, after a
    draw of which the pile told. Two frames after all have gone the eye says whether the draw pile is changed; None: it
    cannot see that. since: the frame in which it saw the hands come; the first with a hand there unless given."""
    return evening(([TAKES_TIME], True), (list(ways), changed), since=since)[1:]


def evening(*visits: tuple[list[str], Shown], since: int | None = None, laid: bool = False) -> list[Draw]:
    """The same of one visit after another, a second and a half apart. laid: a card has come to the discard pile as the
    hands go."""
    arms, out, number = Arms(TABLE), [], 0
    for ways, changed in visits:
        paths = [[tuple(float(mm) for mm in place.split(",")) for place in way.split()] for way in ways]
        last, came = max(len(path) for path in paths), since
        for frame in range(last + FPS * 3 // 2):
            looks = []
            for path in paths:
                if frame >= len(path):
                    continue
                (x, y), entry = path[frame], (path[0][0], 430.0 if path[0][1] > 0 else -4.0)
                crosses = y < 270.0 if entry[1] > 0 else y > 160.0
                over = 3000.0 if crosses and entry[0] >= 400.0 else 0.0
                looks.append(ArmLook(entry, (x, y), 6000.0 if x < 370.0 and 120.0 < y < 310.0 else 0.0, over, 9000.0))
                came = number if came is None and over else came
            seen = frame == last + 1 and changed is not None
            left = DrawPileLeft((came or 0) / FPS, None if changed == "unsure" else bool(changed)) if seen else None
            new = 0.2 if laid and frame >= last - 2 else 0.0
            out += arms.update(Activity(number / FPS, tuple(looks), 0.0, new, left=left))
            number += 1
    return out


@pytest.mark.parametrize(
    ("case", "ways", "changed", "expected"),
    [
        ("who lays a card across it drew as well, with the other hand", [LAYS_ACROSS], True, [1]),
        ("... and did not where it is as it was", [LAYS_ACROSS], False, []),
        ("... and where nobody can see what it shows", [LAYS_ACROSS], None, []),
        ("who was there between two frames of a camera", [BRUSHES], True, [1]),
        ("who was seen to draw drew once", [DRAWS], True, [1]),
        ("of two it is who was there", [LAYS_ACROSS, STRAIGHT], True, [1]),
        ("... and not at the other pile so long", [STAYS_LONGER, f"435,420 {LAYS_ACROSS}"], True, [1]),
        ("... and ended there, not only crossed it", [LAYS_ACROSS, SLEEVE_ACROSS], True, [1]),
        ("nobody was there", [STRAIGHT], True, []),
    ],
)
def test_a_draw_that_only_the_pile_tells_is_told(
    case: str, ways: list[str], changed: bool | None, expected: list[int]
) -> None:
    assert [draw.seat for draw in draws(*ways, changed=changed)] == expected, case


def test_it_is_told_when_the_hand_was_there() -> None:
    (draw,) = draws(LAYS_ACROSS)
    assert (draw.since, draw.t) == pytest.approx((37 / FPS, 42 / FPS))  # 35 frames after the first draw began
    assert draw.count == 1


def test_who_was_there_before_those_that_changed_it_did_not_draw() -> None:
    assert draws(LAYS_ACROSS, since=44) == []


@pytest.mark.parametrize(
    ("case", "first", "then", "expected"),
    [
        ("a pile that tells of draws was not touched", True, False, 1),
        ("... and this was one", True, True, 2),
        ("... and cannot be seen for long", True, None, 2),
        ("... and is not sure whether it was", True, "unsure", 2),
        ("a box shows the same picture always", False, False, 2),
        ("it is not known whether the pile tells", None, False, 2),
    ],
)
def test_who_was_at_the_pile_for_a_moment_drew_unless_the_pile_tells_otherwise(
    case: str, first: Shown, then: Shown, expected: int
) -> None:
    assert len(evening(([TAKES_TIME], first), ([DRAWS], then))) == expected, case


@pytest.mark.parametrize(
    ("case", "ways", "laid", "changed", "expected"),
    [
        ("a card was tossed across", [DRAWS], True, False, 0),
        ("... by somebody who drew", [DRAWS], True, True, 1),
        ("... and nobody can see what the draw pile shows", [DRAWS], True, None, 0),
        ("another hand laid it", [DRAWS, STRAIGHT], True, False, 1),
        ("no card came", [DRAWS], False, False, 1),
        ("who takes the time of a draw and lays what was drawn", [TAKES_TIME], True, False, 1),
    ],
)
def test_who_stops_at_the_pile_as_a_card_comes_to_the_other_did_not_draw_where_it_is_as_it_was(
    case: str, ways: list[str], laid: bool, changed: Shown, expected: int
) -> None:
    """Also before the pile has told of a draw: of 96 tables fifteen such draws were invented, and none is missed."""
    assert len(evening((ways, changed), laid=laid)) == expected, case


def test_who_takes_the_time_of_a_draw_drew_whatever_the_pile_shows() -> None:
    assert len(evening(([TAKES_TIME], True), ([TAKES_TIME], False), ([TAKES_TIME], False))) == 3


@pytest.mark.parametrize(("case", "before", "expected"), [("tells", True, 2), ("a box", False, 3)])
def test_a_pile_that_may_have_changed_by_a_draw_teaches_nothing_of_it(case: str, before: bool, expected: int) -> None:
    assert len(evening(([TAKES_TIME], before), ([TAKES_TIME], "unsure"), ([DRAWS], False))) == expected, case


def test_a_pile_that_showed_nothing_once_is_not_believed_until_it_tells_of_a_draw_again() -> None:
    assert len(evening(([TAKES_TIME], True), ([TAKES_TIME], False), ([DRAWS], False))) == 3


@pytest.mark.parametrize(("told", "expected"), [(True, 2), (False, 1), (None, 1), ("unsure", 1)])
def test_a_pile_that_has_not_told_of_a_draw_that_was_seen_tells_of_no_other(told: Shown, expected: int) -> None:
    """Where the camera is knocked now and then, it shows another picture, too."""
    assert len(evening(([TAKES_TIME], told), ([LAYS_ACROSS], True))) == expected


def test_a_hand_that_only_passes_a_pile_teaches_nothing_of_it() -> None:
    assert len(evening(([TAKES_TIME], True), ([LAYS_ACROSS], False), ([DRAWS], False))) == 1
