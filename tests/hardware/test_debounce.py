"""One press for one push, whatever the contact does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_bounce import PUSHES_US, press_edges

from referee.hardware.debounce import Contact, Debounce, DebounceLimits

MS = 0.001


def follow(line: str, limits: DebounceLimits | None = None) -> list[str]:
    """What a contact says that is drawn as a line, one character a millisecond: `#` closed, `.` open.

    Time begins at 1 s. Events read `pressed@12`: milliseconds since the beginning of the line.
    """
    contact = Debounce(limits, t=1.0)
    said, level = [], "."
    for i, now in enumerate(line):
        t = 1.0 + i * MS
        said += contact.edge(t, now == "#") if now != level else contact.tick(t)
        level = now
    return [f"{event.what.value}@{round((event.t - 1.0) / MS)}" for event in said]


QUIET, DOWN = "." * 130, "#" * 60


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (QUIET + DOWN + QUIET, ["pressed@130", "released@190"]),
        # typical: both ends bounce for some milliseconds
        (QUIET + "#.##..#.#" + DOWN + ".#..##.#." + QUIET, ["pressed@130", "released@199"]),
        # a worn arcade button: long gaps in the push's bounce
        (QUIET + "###......##.....#...##" + DOWN + QUIET, ["pressed@130", "released@212"]),
        # the contact holds for 9 ms in the middle of its bounce: still one press
        (QUIET + "#.#########....#.#" + DOWN + QUIET, ["pressed@130", "released@208"]),
        # a finger trembles on the button: open for 90 ms
        (QUIET + DOWN + "." * 90 + DOWN + QUIET, ["pressed@130", "released@340"]),
        # a quick double tap is two presses
        (QUIET + DOWN + "." * 110 + DOWN + QUIET, ["pressed@130", "released@190", "pressed@300", "released@360"]),
        # sparks of a lamp's switch
        (QUIET + "#....#......##...#" + QUIET, []),
        (QUIET + "#######" + QUIET, []),
        (QUIET + "#########" + QUIET, ["pressed@130", "released@139"]),
        # a press shortly after a spark is stamped as part of one burst
        (QUIET + "#" + "." * 20 + DOWN + QUIET, ["pressed@130", "released@211"]),
        (QUIET + "#" + "." * 110 + DOWN + QUIET, ["pressed@241", "released@301"]),
        ("#" * 20 + QUIET, ["pressed@0", "released@20"]),
    ],
    ids=[
        "clean", "typical", "worn", "holds within its bounce", "trembling finger", "double tap", "sparks", "7 ms",
        "9 ms", "after a spark", "long after a spark", "from the first moment",
    ],
)  # fmt: skip
def test_lines(line: str, said: list[str]) -> None:
    assert follow(line) == said


def test_a_button_that_is_down_from_the_start_is_no_press_but_gets_stuck() -> None:
    contact = Debounce(pressed=True, t=5.0)
    assert contact.tick(14.9) == []
    assert [(e.what, e.t) for e in contact.tick(15.0)] == [(Contact.STUCK, 5.0)]
    assert contact.tick(60.0) == []
    contact.edge(61.0, False)
    assert [e.what for e in contact.tick(61.2)] == [Contact.RELEASED, Contact.WELL]


def test_a_press_that_never_ends_is_stuck_once() -> None:
    contact = Debounce()
    contact.edge(1.0, True)
    assert [e.what for t in (1.01, 5.0, 11.0, 12.0, 40.0) for e in contact.tick(t)] == [Contact.PRESSED, Contact.STUCK]


def test_a_loose_wire_chatters_once_and_is_well_after_a_second_of_rest() -> None:
    contact = Debounce()
    said = [e.what for i in range(400) for e in contact.edge(1.0 + i * 0.004, i % 2 == 0)]
    assert said == [Contact.CHATTERING]
    assert [e.what for t in (2.7, 3.5, 4.0) for e in contact.tick(t)] == [Contact.WELL]


def test_a_worn_switch_that_bounces_a_hundred_times_in_some_milliseconds_does_not_chatter() -> None:
    contact = Debounce()
    said = [e for i in range(131) for e in contact.edge(1.0 + i * 0.000035, i % 2 == 0)] + contact.tick(1.1)
    assert [(e.what, e.t) for e in said] == [(Contact.PRESSED, 1.0)]


def test_an_edge_that_was_lost_counts_as_a_break() -> None:
    contact = Debounce()
    contact.edge(1.0, True)
    contact.edge(1.007, True)  # it must have been open in between
    assert contact.tick(1.010) == []
    assert [(e.what, e.t) for e in contact.tick(1.016)] == [(Contact.PRESSED, 1.0)]


def test_the_time_at_which_something_is_due() -> None:
    contact = Debounce()
    assert contact.due is None
    contact.edge(1.0, True)
    assert contact.due == pytest.approx(1.008)
    contact.tick(1.008)
    assert contact.due == pytest.approx(11.0)  # stuck
    contact.edge(1.2, False)
    assert contact.due == pytest.approx(1.3)
    contact.tick(1.3)
    assert contact.due is None


@pytest.mark.parametrize("number", range(len(PUSHES_US)))
def test_a_recorded_press_is_one_press_at_its_first_edge(number: int) -> None:
    contact, t, said = Debounce(), 1.0, []
    for gap, closed in press_edges(number, random.Random(number)):
        t += gap
        said += contact.edge(t, closed)
    said += contact.tick(3.0)
    assert [e.what for e in said] == [Contact.PRESSED, Contact.RELEASED]
    assert said[0].t == 1.0


@pytest.mark.parametrize(
    "wrong", [{"press_s": 0.0}, {"release_s": 1.0}, {"stuck_s": 0.001}, {"chatter_edges": 1}, {"chatter_s": 0.0}]
)
def test_limits_refuse_nonsense(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        DebounceLimits(**wrong)  # type: ignore[arg-type]


bounce = st.lists(st.floats(0.0001, 0.006), max_size=4).map(lambda gaps: gaps if len(gaps) % 2 == 0 else gaps[1:])
"""Seconds of alternating states between the first and the last edge; an even number, to end in the new state."""


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(bounce, st.floats(0.06, 0.5), bounce, st.floats(0.13, 2.0)), max_size=8))
def test_every_push_is_one_press_at_its_first_edge(pushes: list[tuple[list[float], float, list[float], float]]) -> None:
    contact, t, pressed = Debounce(), 1.0, False
    expected, said = [], []

    def flip() -> None:
        nonlocal pressed
        pressed = not pressed
        said.extend(contact.edge(t, pressed))

    for down_bounce, hold, up_bounce, rest in pushes:
        expected.append(t)
        for gaps, length in ((down_bounce, hold), (up_bounce, rest)):
            flip()
            for gap in gaps:
                t += gap
                flip()
            t += length
    said.extend(contact.tick(t))
    assert [event.t for event in said if event.what is Contact.PRESSED] == expected
    assert [event.what for event in said] == [Contact.PRESSED, Contact.RELEASED] * len(pushes)
