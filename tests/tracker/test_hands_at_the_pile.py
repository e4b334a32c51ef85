"""Hands about the pile: who laid the card, who rests there, and who is lost from sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from story import (
    ENTRIES,
    FPS,
    Story,
    arm,
    half_hidden,
    new,
    over_discard,
    pile,
    said,
    said_of_a_visit,
)

from referee.observations import (
    CardLanded,
    CardReading,
    ViewChanged,
)
from referee.tracker import ArmLook, CardLook, PileLook


@pytest.mark.parametrize(("confidence", "event"), [(0.8, ["card_landed"]), (0.4, [])])
def test_what_comes_unseen_and_is_read_badly_may_be_a_hand(confidence: float, event: list[str]) -> None:
    """A dark hand on a dark table is seen by nothing but what it hides of the pile."""
    story = Story().start(new("Y2"))
    for _ in range(4):
        story.tell(moving=0.2, changed=0.2)
    assert story.rest(1.0, pile(0.9, new("B1", confidence))).names() == event


def test_a_hand_that_rests_unseen_on_the_card_that_it_lays_does_not_settle_the_pile() -> None:
    """What it covers would not be known from what it laid."""
    story = Story().start(new("Y2"))
    story.tell(moving=0.2, changed=0.2)
    story.rest(3 / FPS, pile(1.07, new("B3", 0.23)), changed=0.15)
    story.tell(moving=0.2, changed=0.2)
    assert not story.tracker.accepted
    story.rest(1.0, pile(0.81, new("B0")))
    assert [said(s) for s in story.out if not isinstance(s, ViewChanged)] == ["card_landed B0"]


def test_a_hand_that_is_lost_as_it_rests_on_the_card_that_it_lays_has_not_gone() -> None:
    """A dark hand on a dark table, of which only the sleeve is seen where it lies still: nothing moved, so it did not
    go."""
    hand = ArmLook((310.0, 560.0), (305.0, 220.0), 8000.0, 0.0, 19000.0)
    sleeve = replace(hand, tip=(310.0, 400.0), in_discard=0.0, area=9500.0)
    half_read, plain = new("Y5", 0.56, explains=0.88), pile(0.85, new("Y5"))
    for seconds in (4 / FPS, 0.6):
        story = Story().start(new("Y0"))
        story.tell([hand], moving=0.2)
        story.tell([hand])
        for _ in range(round(seconds * FPS)):
            story.tell([sleeve], look=pile(0.88, half_read), changed=0.2)
        for _ in range(3):
            story.tell([hand], moving=0.2)
        story.rest(1.0, plain)
        assert [said(s) for s in story.out if not isinstance(s, ViewChanged)] == ["card_landed Y5"], seconds


def test_who_has_gone_back_and_rests_there_keeps_nobody_waiting() -> None:
    """The hand is seen to leave the pile; what it laid is a question at once, and the next card another one."""
    hand = ArmLook((310.0, 560.0), (305.0, 220.0), 8000.0, 0.0, 19000.0)
    resting = replace(hand, tip=(310.0, 400.0), in_discard=0.0, area=9500.0)
    story = Story().start(new("Y0"))
    story.tell([hand])
    story.tell([replace(resting, tip=(310.0, 300.0), in_discard=1500.0)], moving=0.2)
    for _ in range(8):
        story.tell([resting], look=pile(0.85, new("Y5", 0.56)))
    assert [s.sure for s in story.out if isinstance(s, CardLanded)] == [False]


def test_of_two_hands_the_one_that_came_nearest_laid_the_card() -> None:
    story = Story().start()
    for y in (330.0, 260.0, 215.0, 215.0, 300.0):
        passing = arm(ENTRIES[2], (205.0, 300.0))  # reaches over the pile's lower edge, for longer
        story.tell([arm(ENTRIES[1], (298.0, y)), passing], 0.2)
    for _ in range(6):
        story.tell([arm(ENTRIES[2], (205.0, 300.0))], 0.2)
    story.rest(0.8, pile(1.0, new("R7")))
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert landed.seat == 1


@pytest.mark.parametrize("frames", [1, 4])
def test_who_reaches_across_the_pile_to_draw_has_not_laid_the_card(frames: int) -> None:
    story = Story().start()
    for k, x in enumerate((150.0, 290.0, *[430.0] * 9, 290.0)):
        laying = [arm(ENTRIES[1], (298.0, 228.0))] if 2 <= k < 2 + frames else []
        story.tell([arm(ENTRIES[4], (x, 215.0)), *laying], 0.2)
    story.rest(0.8, pile(1.0, new("R7")))
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert landed.seat == 1


def test_looks_that_disagree_are_not_sure() -> None:
    story = Story().start().hand(0.5)
    for card in ("R7", "R1", "R7", "R1", "R7", "R1"):
        story.rest(1 / FPS, pile(1.0, new(card)))
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert not landed.sure


def test_a_hand_that_comes_back_at_once_does_not_lose_the_card() -> None:
    story = Story(fps=30).start().hand(0.5).rest(0.1, pile(1.0, new("R7"))).hand(0.5, 2).rest(0.5, pile(1.0, new("G7")))
    assert [said(s) for s in story.out] == ["card_landed R7", "card_landed G7"]


@pytest.mark.parametrize(
    ("case", "shown", "at_once"),
    [
        ("something lies on it", pile(0.98, new("G+2", on_top=0.02, explains=0.81)), []),
        ("nothing lies on it", pile(0.98, new("G+2", on_top=0.9, explains=0.81)), ["card_landed"]),
        ("its edge lies under a card, and all of the change is its own", pile(0.98, new("G+2", on_top=0.02)),
         ["card_landed"]),
        ("... but its face is doubtful", pile(0.98, new("G+2", 0.43, on_top=0.02)), []),
        ("what lies on it is as large as a card itself, and nothing fits",
         pile(2.08, new("W", explains=0.45, fresh=0.87, outside=0.94, covers=0.69, on_top=0.0, rest=0.0, stays=True),
              new("?", explains=0.48, fresh=0.95, beneath=0.63, outside=0.97, covers=0.0, on_top=0.0, fitted=True,
                  quad=((350.0, 250.0), (406.0, 250.0), (406.0, 337.0), (350.0, 337.0)),
                  peeks=True, open=0.94, aside=0.97, left=0.87, vacated=0.01, like_old=0.45, rest=0.7, stays=True),
              in_top=0.31), []),
    ],
)  # fmt: skip
def test_a_card_that_an_unseen_hand_holds_over_the_pile_has_not_landed(
    case: str, shown: PileLook, at_once: list[str]
) -> None:
    story = Story().start(new("G3")).hand(0.3).rest(0.7, shown)
    assert story.names() == at_once, case
    if not at_once:
        story.tell(moving=0.2)
        assert story.rest(1.0).names() == [], "the hand went with the card"
        assert story.hand(0.3).rest(2.0, shown).names() == ["card_landed"], "the card stays"


@pytest.mark.parametrize(
    ("case", "back", "told"),
    [
        ("it is lost where it is, and its sleeve is left", (), []),
        ("it was seen to go", (310.0, 390.0), ["card_landed"]),
    ],
)
def test_a_card_under_a_hand_that_is_lost_all_at_once_has_not_landed(
    case: str, back: Sequence[float], told: list[str]
) -> None:
    """As when the camera changes its white balance: no hand goes so fast."""
    story, sleeve = Story(fps=30).start(new("G3")).hand(0.4), arm(ENTRIES[1], (290.0, 412.0))
    for y in back:
        story.tell([arm(ENTRIES[1], (288.0, y))], 0.1)
    for _ in range(24):
        story.tell([sleeve], look=pile(0.98, new("G+2", on_top=0.02, explains=0.81)))
    assert story.names() == told, case


def test_a_hand_that_is_lost_for_a_moment_does_not_take_the_pile() -> None:
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("R7"))).hand(0.4).rest(0.8, pile(0.9, new("R2")))
    story.hand(0.3).rest(0.2, pile(1.8, in_top=0.4)).hand(0.3).rest(0.8, pile(0.9, new("R9")))
    assert [said(s) for s in story.out] == ["card_landed R7", "card_landed R2", "card_landed R9"]


def test_nothing_is_said_while_a_sleeve_rests_on_the_pile() -> None:
    story = Story().start()
    for _ in range(60):
        story.tell([over_discard(1)], look=pile(1.0, new("R7")))
    assert story.names() == []


@pytest.mark.parametrize(
    ("case", "cover", "moving", "seconds", "told"),
    [
        ("a sheet of paper reaches into the zone", 1200.0, 0.0, 1.0, ["card_landed R7"]),
        ("... and has not lain still for long", 1200.0, 0.0, 0.4, []),
        ("... in a noisy picture", 1200.0, 0.0004, 1.0, ["card_landed R7"]),
        ("fingers move there", 675.0, 0.005, 1.0, []),
        ("a hand lies still farther in", 2000.0, 0.0, 1.0, []),
    ],
)
def test_what_lies_still_at_the_rim_of_the_pile_keeps_nobody_waiting(
    case: str, cover: float, moving: float, seconds: float, told: list[str]
) -> None:
    """It came while a hand laid the card, and is an arm until it has lain there for seconds."""
    story, there = Story().start(), ArmLook((-10.0, 118.0), (205.0, 157.0), cover, 0.0, 21824.0)
    for _ in range(6):
        story.tell([there, over_discard(1)], 0.2)
    for _ in range(round(seconds * FPS)):
        story.tell([there], moving, look=pile(1.0, new("R7")))
    assert [said(s) for s in story.out if not isinstance(s, ViewChanged)] == told, case


def test_a_card_that_appears_without_a_visit_is_found() -> None:
    story = Story().start().rest(0.9, pile(1.0, new("R7")), changed=0.15)
    assert story.names() == ["card_landed"]


@pytest.mark.parametrize(
    ("case", "there", "still", "look", "event"),
    [
        ("it took the pile", True, False, pile(1.6), ["pile_taken"]),
        ("it lies there, and was lost from sight at rest", True, True, pile(1.6), ["pile_moved"]),
        ("... or never seen", False, False, pile(1.6), ["pile_moved"]),
        ("the bare table is seen", False, False, replace(pile(1.6), bare=True), ["pile_taken"]),
    ],
)
def test_a_hand_that_hides_the_pile_and_is_not_seen_has_not_taken_it(
    case: str, there: bool, still: bool, look: PileLook, event: list[str]
) -> None:
    """Who lays a card on a dark table and keeps a dark hand on it."""
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("R1"))).hand(0.4).rest(0.8, pile(1.0, new("R2")))
    story.out.clear()
    for k in range(8):
        story.tell([over_discard(2)] if there else [], 0.0 if still and k > 2 else 0.2)
    story.rest(1.0, look)
    assert [s.event for s in story.out if not isinstance(s, ViewChanged)] == event, case


@pytest.mark.parametrize(
    ("case", "first", "second", "seats"),
    [
        ("one lays a card as the other's hand goes back", 1, 3, [1, 3]),
        ("... the other way round", 3, 1, [3, 1]),
        ("one lays both, and nobody else comes", 2, None, [2, 2]),
    ],
)
def test_of_two_cards_and_two_hands_who_left_first_laid_the_lower_one(
    case: str, first: int, second: int | None, seats: list[int]
) -> None:
    story = Story().start()
    hands = {seat: arm(ENTRIES[seat], (300.0, 225.0)) for seat in (1, 2, 3)}
    for _ in range(4):
        story.tell([hands[first]], 0.2)
    for _ in range(4 if second else 0):
        story.tell([hands[second]] if second else [], 0.2)
    story.rest(1.0, half_hidden("G7"))
    assert [s.seat for s in story.out if isinstance(s, CardLanded)] == seats, case


def test_who_is_seen_to_go_back_leaves_what_was_read_badly_to_be_asked_about_at_once() -> None:
    """Two cards without borders, found as one: the next hand's card is one more, not the same visit's."""
    odd = pile(1.15, new("G6", 0.26, on_top=0.0, explains=0.93))
    story = Story().start(new("G3")).hand(0.3)
    story.tell([arm(ENTRIES[1], (286.0, 330.0))], 0.2)
    assert story.rest(0.5, odd).names() == ["card_landed"]
    assert story.hand(0.3).rest(0.7, pile(1.0, new("R1"))).names() == ["card_landed"] * 2


@pytest.mark.parametrize(("placed", "expected"), [(True, ["pile_moved"]), (False, ["card_landed ?"])])
def test_what_is_surely_no_face_is_a_hand_unless_it_was_found_as_a_card(placed: bool, expected: list[str]) -> None:
    """In bright light a hand that stops over the pile is not told from the table, and its outline is as large as a
    card."""
    hand = new("?", explains=0.95, fresh=0.96, beneath=0.02, outside=0.98, covers=0.31, fitted=placed)
    hand = replace(hand, reading=CardReading(None, 0.97))
    old = new("Y3", 0.16, explains=0.39, fresh=0.49, beneath=None, outside=None, covers=0.87, on_top=0.0, open=0.5)
    assert said_of_a_visit("Y2", pile(1.504, old, hand, in_top=0.33)) == expected


@pytest.mark.parametrize(
    ("case", "change", "found", "event"),
    [
        ("fingertips", 0.37, new("?", fresh=0.63, explains=1.0, fitted=True), []),
        ("a card that nobody can read", 0.8, new("?", fresh=0.63, explains=1.0, fitted=True), ["card_landed ?"]),
        ("a card on a table of its colour", 0.37, new("W", fresh=0.4, explains=1.0, fitted=True), ["card_landed W"]),
        ("one that was found as a card", 0.37, new("?", fresh=0.63, explains=1.0), ["card_landed ?"]),
    ],
)
def test_the_first_card_is_no_hand_that_rests_at_the_rim(
    case: str, change: float, found: CardLook, event: list[str]
) -> None:
    """Whose fingers reach over the draw pile into the bare place of the discards."""
    at_rim = replace(arm(ENTRIES[2], (360.0, 215.0)), in_discard=900.0)
    story = Story().start()
    for number in range(15):
        story.tell([at_rim], 0.2 if number < 2 else 0.0, look=pile(change, found, in_top=0.0))
    story.rest(1.0, pile(change, found, in_top=0.0))
    assert [said(s) for s in story.out if not isinstance(s, ViewChanged)][:1] == event, case
