"""Draws, the view, and whatever else may happen at the table: looks in, sightings out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from story import (
    FPS,
    NOTHING,
    SURE,
    TABLE,
    Story,
    arm,
    new,
    over_discard,
    pile,
    said,
)

from referee.observations import (
    CardLanded,
    CardRemoved,
    CardsDrawn,
    PileMoved,
    PileTaken,
    Quality,
    ViewChanged,
)
from referee.tracker import PileLook, Tracker


@pytest.mark.parametrize(
    ("case", "entry", "along", "tips", "expected"),
    [
        ("from below", (435.0, 430.0), "y", "350 260 225 225 300 420", 1),
        ("over the discard pile from the left", (0.0, 215.0), "x", "150 300 430 430 300 90", 1),
        ("from the right to the discard pile", (760.0, 215.0), "x", "600 430 290 290 430 650", 0),
        ("beside it", (560.0, 430.0), "y", "350 220 220 400", 0),
        ("twice without leaving the picture", (435.0, 430.0), "y", "225 225 340 390 225 225 400 420", 2),
        ("drawn, then laid in one go", (760.0, 215.0), "x", "430 430 430 430 430 290 290 430 700", 1),
    ],
)
def test_draws(case: str, entry: tuple[float, float], along: str, tips: str, expected: int) -> None:
    story = Story().start().path(entry, along, tips).rest(0.6)
    draws = [s for s in story.out if isinstance(s, CardsDrawn)]
    assert len(draws) == expected, case


def test_who_brings_the_taken_pile_back_draws_nothing_and_who_comes_after_does() -> None:
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("R7"))).hand(0.4).rest(0.8, pile(0.9, new("R2")))
    story.hand(0.4).rest(0.8, pile(1.5, in_top=0.6))
    for _ in range(2):
        story.path((435.0, 430.0), "y", "350 260 225 225 300 420").rest(0.6)
    assert [said(s) for s in story.out][2:] == ["pile_taken", "cards_drawn"]


@pytest.mark.parametrize(
    ("case", "seen", "expected"),
    [
        ("steady", "clear:20", "clear"),
        ("a flicker is not said", "clear:10 dark:2 clear:10", "clear"),
        ("the light goes out and on", "clear:9 dark:20 clear:9", "clear dark clear"),
        ("no picture for a while", "clear:9 lost:30 clear:9", "clear lost clear"),
    ],
)
def test_the_view_does_not_flicker(case: str, seen: str, expected: str) -> None:
    tracker = Tracker(TABLE, SURE)
    frames = [Quality(name) for part in seen.split() for name, n in [part.split(":")] for _ in range(int(n))]
    out = [s for k, quality in enumerate(frames) for s in tracker.view(k / FPS, quality)]
    assert [s.state.value for s in out if isinstance(s, ViewChanged)] == expected.split(), case


LOOKS = st.sampled_from(
    [
        NOTHING,
        pile(0.9, new("R7")),
        pile(0.6, new("G2", 0.5)),
        pile(1.0, in_top=0.9),
        pile(0.5, new("R7", beneath=0.9)),
        pile(0.2),
    ]
)
STEPS = st.lists(st.tuples(st.sampled_from(["hand", "rest", "draw"]), st.integers(1, 12), LOOKS), max_size=25)


@settings(deadline=None, max_examples=40)
@given(STEPS, st.sampled_from([10, 15, 30]))
def test_whatever_happens_times_are_in_order_and_nothing_comes_from_nothing(
    steps: list[tuple[str, int, PileLook]], fps: int
) -> None:
    story = Story(fps=fps).start()
    visits = 0
    for what, frames, look in steps:
        visits += what == "hand"
        for _ in range(frames):
            arms = {"hand": [over_discard(1)], "draw": [arm((435.0, 430.0), (435.0, 225.0))], "rest": []}[what]
            story.tell(arms, look=look)
    for sighting in story.out:
        assert sighting.latency_s >= 0
        assert sighting.since is None or sighting.since <= sighting.t + 1e-9
        assert sighting.t + sighting.latency_s <= story.t + 1e-9
    pile_events = [s for s in story.out if isinstance(s, CardLanded | CardRemoved | PileMoved | PileTaken)]
    assert len({s.t for s in pile_events}) <= visits


@pytest.mark.parametrize(("knocked", "told"), [(False, ["cards_drawn"]), (True, [])])
def test_what_seems_to_rest_at_the_draw_pile_as_the_camera_is_knocked_draws_nothing(
    knocked: bool, told: list[str]
) -> None:
    """The draw pile is where it was not seen before: for half a second that is an arm."""
    story = Story().start().rest(0.5)
    for _ in range(8):
        story.tell([arm((760.0, 215.0), (430.0, 215.0))])
    if knocked:
        story.tracker.knocked()
    assert story.rest(2.0).names() == told
