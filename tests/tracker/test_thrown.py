"""Cards that are thrown on to the discard pile: the hand lets go of them on its way, and they slide on without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from story import ENTRIES, FPS, TABLE, Story, arm, new, over_discard, pile, said

from referee.observations import CardLanded
from referee.tracker import Activity, ArmLook
from referee.tracker.arms import Arms

FAR, OVER_DRAW, BACK = (arm(ENTRIES[2], (x, 215.0)) for x in (600.0, 435.0, 680.0))
OTHER = over_discard(3)
CARD = 0.13
"""Share of the discard zone that a card makes change."""


@pytest.mark.parametrize(
    ("case", "frames", "draws"),
    [
        ("it draws, and nothing changes on the discard pile", [([BACK], 0.0), ([], 0.0)], 1),
        ("it throws a card from there", [([BACK], CARD), ([], CARD)], 0),
        ("... which is half way in as the hand is gone", [([BACK], 0.07), ([], CARD)], 0),
        ("it draws as a shadow falls on the pile", [([BACK], 0.03), ([], 0.04)], 1),
        ("it draws, and another hand lays a card meanwhile", [([BACK, OTHER], 0.0), ([OTHER], 0.0), ([], CARD)], 1),
    ],
)
def test_who_lets_a_card_go_over_the_draw_pile_does_not_draw(
    case: str, frames: Sequence[tuple[list[ArmLook], float]], draws: int
) -> None:
    arms, out = Arms(TABLE), []
    told = [([FAR], 0.0), *[([OVER_DRAW], 0.0)] * 4, *(frame for frame in frames for _ in range(2))]
    for number, (looks, changed) in enumerate([*told, *[([], told[-1][1])] * 6]):
        out += arms.update(Activity(number / FPS, tuple(looks), 0.0, changed))
    assert len(out) == draws, case


def thrown(reach: Sequence[float], moving: float, fresh: float) -> Story:
    """A hand from below reaches in so far, mm, frame by frame; then something moves on the discard pile, a G5, where a
    G1 lies after it of which such a share has changed."""
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("G5")))
    story.out.clear()
    for mm in reach[:-1]:
        story.tell([arm(ENTRIES[1], (ENTRIES[1][0] + 10.0, ENTRIES[1][1] - mm))])
    for _ in range(3):
        mm = reach[-1]
        story.tell([arm(ENTRIES[1], (ENTRIES[1][0] + 10.0, ENTRIES[1][1] - mm))] if mm else [], moving)
    return story.rest(1.0, pile(0.25, new("G1", fresh=fresh, explains=1.0), in_top=0.93))


@pytest.mark.parametrize(
    ("case", "reach", "moving", "fresh", "events"),
    [
        ("a hand came near, a card slid in", (40, 90, 70), 0.15, 0.22, ["card_landed G1"]),
        ("... unlike the one below", (40, 90, 70), 0.15, 0.7, ["card_landed G1"]),
        ("a hand came near, and little moved", (40, 90, 70), 0.03, 0.22, []),
        ("nobody came near", (0, 0, 0), 0.15, 0.22, []),
        ("nobody came near, but the card is a plain one", (0, 0, 0), 0.15, 0.7, ["card_landed G1"]),
    ],
)
def test_a_thrown_card_lands_though_it_is_much_like_the_one_below(
    case: str, reach: Sequence[float], moving: float, fresh: float, events: list[str]
) -> None:
    assert [said(s) for s in thrown(reach, moving, fresh).out] == events, case


@pytest.mark.parametrize(
    ("case", "reach", "seat"),
    [
        ("the hand goes back as the card slides", (40, 90, 50), 1),
        ("... and is gone by then", (40, 90, 0), 1),
        ("long before a hand was there, and rests at the edge since", (90, *[40] * 15), None),
    ],
)
def test_a_thrown_card_is_of_who_reached_in_last(case: str, reach: Sequence[float], seat: int | None) -> None:
    (landed,) = [s for s in thrown(reach, 0.15, 0.7).out if isinstance(s, CardLanded)]
    assert landed.seat == seat, case


def test_who_throws_a_card_from_over_the_draw_pile_has_laid_it() -> None:
    """The hand never comes over the discard pile, and is said neither to have drawn nor to be nobody's."""
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("G5")))
    story.out.clear()
    for hand, moving, changed in [(FAR, 0.0, 0.0)] + [(OVER_DRAW, 0.0, 0.0)] * 4 + [(OVER_DRAW, 0.1, 0.1)] * 2:
        story.tell([hand], moving, changed)
    story.tell([BACK], 0.15, CARD)
    story.tell([], 0.15, CARD)
    story.tell([], 0.15, CARD)
    story.rest(0.4, pile(1.0, new("B2")), changed=CARD).rest(1.5)
    assert [(said(s), s.seat) for s in story.out if isinstance(s, CardLanded)] == [("card_landed B2", 2)]
    assert story.names() == ["card_landed"]
