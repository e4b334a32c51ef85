"""Stories at the table: looks in, sightings out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from story import (
    AT,
    ELSEWHERE,
    ENTRIES,
    FPS,
    NOTHING,
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
    PileMoved,
    ViewChanged,
)
from referee.tracker import ArmLook, PileLook


@pytest.mark.parametrize(
    ("told", "event"),
    [({}, "card_landed"), ({"fitted": True}, "pile_moved"), ({"beneath": 0.6}, "pile_moved"),
     ({"outside": 0.2}, "pile_moved")],
)  # fmt: skip
def test_a_card_that_nobody_can_read_and_whose_middle_looks_like_the_old_one_landed_if_it_lies_on_it(
    told: dict[str, object], event: str
) -> None:
    story = Story().start(new("B7")).hand(0.6)
    story.rest(1.0, pile(0.45, new("?", **{"explains": 0.9, "fresh": 0.42, **told})))
    assert story.names() == [event]


@pytest.mark.parametrize("fps", [10, 15, 25, 30])
@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_card_is_laid(fps: int, seat: int) -> None:
    story = Story(fps=fps).start().hand(0.6, seat)
    gone = story.t
    story.rest(1.0, pile(1.0, new("R7")))
    (landed,) = (s for s in story.out if isinstance(s, CardLanded))
    assert (landed.reading.notation, landed.sure, landed.seat) == ("R7", True, seat)
    assert landed.t == pytest.approx(gone)
    assert landed.since == pytest.approx(0.5, abs=0.11)
    assert landed.latency_s <= 0.35
    assert story.names() == ["card_landed"]


def test_what_lies_there_at_the_start_is_no_event_but_is_known() -> None:
    story = Story().start(new("B2", quad=AT)).hand(0.5).rest(1.0, pile(0.4, new("B2", beneath=0.9), in_top=0.5))
    assert story.names() == ["pile_moved", "pile_seen"]


@pytest.mark.parametrize(
    ("case", "before", "look", "expected"),
    [
        ("hover and withdraw", "R7", NOTHING, []),
        (
            "a nudge on a white table: the white border hides what moved",
            "R7",
            pile(0.2, new("R7", explains=0.99, fresh=0.3, beneath=0.05, covers=0.93)),
            ["pile_moved"],
        ),
        (
            "a card lands on its like: beside it nothing seems to change on a white table",
            "R1 R5",
            pile(0.9, new("B5", outside=0.0, beneath=None, covers=0.88), in_top=1.0),
            ["card_landed B5"],
        ),
        ("the top card is read again where it was, and another lies on it", "R7",
         pile(0.9, new("Y6"), new("R7", fresh=0.03, explains=0.05, covers=0.99)), ["card_landed Y6"]),
        ("a face that the pile has not lands nearly in the old card's place", "R+2 G8 YR",
         pile(0.77, new("R3", explains=0.92, fresh=0.67, beneath=0.61, outside=0.19, covers=0.85), in_top=0.96),
         ["card_landed R3"]),
        ("a pile squared up and a card laid on it before it came to rest: another face lies open", "R5 BS",
         pile(1.87, new("B4", 0.998, explains=0.46, fresh=0.81, beneath=0.74, outside=0.83, covers=0.2, on_top=0.91),
              new("BS", explains=0.44, fresh=0.75, beneath=None, outside=None, covers=0.92, on_top=0.0, fitted=True,
                  peeks=True), in_top=0.42),
         ["card_landed B4"]),
        ("the face that lay below comes again, and the top card still shows beside it", "G5 Y1",
         pile(0.31, new("G5", outside=0.15, explains=1.0, fresh=0.28, beneath=0.0), in_top=0.85), ["card_landed G5"]),
        ("within millimetres of where the card below lies its twin comes, and the edge of the top card stays", "Y9 G2",
         pile(0.89, new("Y9", outside=None, explains=1.0, fresh=0.86, beneath=None, covers=0.98, stays=True),
              in_top=1.0), ["card_landed Y9"]),
        ("within millimetres of the top card its twin comes, and the edge of that one stays", "Y5",
         pile(0.44, new("Y5", outside=None, explains=1.0, fresh=0.42, beneath=0.0, covers=0.94, stays=True),
              in_top=0.98), ["card_landed Y5"]),
        ("the face that lay below comes again, its corners found wrong, and the top card shows beside what changed",
         "W+4 B7",
         pile(0.919, new("W+4", explains=0.88, fresh=0.76, beneath=0.42, outside=0.27, covers=0.75, rest=0.69),
              new("W+4", explains=1.0, fresh=0.87, outside=0.64, covers=0.82, on_top=0.0, fitted=True, peeks=True,
                  open=0.08, aside=0.94, left=1.0, vacated=0.0, stays=True), in_top=0.89),
         ["card_landed W+4"]),
        ("the pile squared up and its top card taken before it came to rest", "R6 B9",
         pile(1.5, new("R6", explains=0.58, fresh=0.76, beneath=0.66, outside=0.69, covers=0.6, on_top=0.91),
              new("?", explains=0.56, fresh=0.77, beneath=0.12, covers=0.87, on_top=0.0, fitted=True, peeks=True,
                  open=0.22, aside=0.69, left=0.36, like_old=0.82)), ["card_removed B9"]),
        ("a pushed pile: its top card has turned a little, and the card below, half under it, has gone along", "R7 G1",
         pile(0.92, new("G1", 0.974, explains=0.66, fresh=0.55, beneath=0.71, outside=0.9, covers=0.9, on_top=0.8),
              new("R7", 0.935, explains=0.72, fresh=0.61, beneath=0.53, outside=0.63, covers=0.48, on_top=0.01,
                  open=0.38, aside=0.6, left=0.89, rest=0.5), in_top=0.62), ["pile_moved"]),
        ("beside a card that explains all, its corners a little off, the old top card is badly read", "B8 B7",
         pile(0.66, new("G3", 0.979, explains=1.0, fresh=0.62, beneath=0.0, outside=0.49, covers=0.7, stays=True),
              new("B7", 0.21, explains=0.86, fresh=0.55, beneath=None, outside=0.88, covers=0.93, on_top=0.01,
                  open=0.17, stays=True), in_top=0.8), ["card_landed G3"]),
        ("the same, and the card is the old one's like, the other way up", "W+4 R4",
         pile(0.55, new("R4", 0.983, explains=1.0, fresh=0.53, beneath=0.0, outside=0.46, covers=0.51, turned=True),
              new("RR", 0.24, explains=0.76, fresh=0.35, beneath=None, outside=0.58, covers=0.9, on_top=0.03,
                  open=0.47), in_top=0.66), ["card_landed R4"]),
        ("of a card laid exactly on its like only an index shows beside the one that came with it", "Y4 G9 R6",
         pile(0.96, new("B8", explains=0.94, beneath=0.15, covers=0.65, rest=0.09),
              new("R2", explains=0.3, fresh=0.4, covers=1.0, on_top=0.0, fitted=True, peeks=True, open=0.3, aside=0.1,
                  left=0.6, like_old=0.9, renamed=True)), ["card_landed R2", "card_landed B8"]),
        ("... but the pile had that face, which may have been laid open", "Y4 G9 R6",
         pile(0.96, new("B8", explains=0.94, beneath=0.15, covers=0.65, rest=0.09),
              new("G9", explains=0.3, fresh=0.4, covers=1.0, on_top=0.0, fitted=True, peeks=True, open=0.3, aside=0.1,
                  left=0.6, like_old=0.9, renamed=True)), ["card_landed B8"]),
        ("the pile squared up, and the top card is still to be seen", "R6 B9",
         pile(1.5, new("R6", explains=0.58, fresh=0.76, beneath=0.66, outside=0.69, covers=0.6, on_top=0.6),
              new("B9", explains=0.5, fresh=0.5, covers=0.7, on_top=0.55)), ["pile_moved"]),
        ("an unread thing that changed little is a shadow", "R7", pile(0.25, new("?", fresh=0.3)), ["pile_moved"]),
        ("plain yellow on plain yellow", "Y6", pile(0.3, new("Y1", fresh=0.21, beneath=None)), ["card_landed Y1"]),
        (
            "taken back, and the card below had been misread",
            "Y0 G3",
            pile(1.0, new("YS", explains=0.83, beneath=0.99, outside=0.0, covers=0.84), in_top=1.0),
            ["card_removed G3"],
        ),
        (
            "a twin lands and both are found",
            "W+4",
            pile(0.5, new("W+4", fresh=0.47, covers=0.3), new("W+4", explains=0.5, on_top=0.99)),
            ["card_landed W+4"],
        ),
        ("only the symbols differ", "R5", pile(0.15, new("R4", 0.45, fresh=0.09, beneath=None)), ["card_landed R4"]),
        (
            "the face below comes again, but elsewhere",
            "G7 G3",
            pile(0.2, new("G7", quad=ELSEWHERE, fresh=0.11, beneath=0.0, outside=0.0, covers=0.93), in_top=1.0),
            ["card_landed G7"],
        ),
        ("a card lands", "R7", pile(0.9, new("G2")), ["card_landed G2"]),
        ("the same face lands on its twin, which shows beneath", "R7", pile(0.6, new("R7")), ["card_landed R7"]),
        ("a nudge: its old place changed", "R7", pile(0.5, new("R7", explains=0.6, beneath=0.8)), ["pile_moved"]),
        ("squared up: change everywhere", "R7", pile(1.4, new("R7", explains=0.6, beneath=None)), ["pile_moved"]),
        ("the only card is taken", "R7", pile(1.0, in_top=0.98), ["card_removed R7"]),
        (
            "taken back: the card below lies open, where it lay",
            "G5 Y1",
            pile(0.8, new("G5", outside=0.02, explains=0.6, fresh=0.5, beneath=0.9), in_top=0.99),
            ["card_removed Y1"],
        ),
        (
            "taken back from a squared pile",
            "G5 Y1",
            pile(0.8, new("G5", outside=None, beneath=None), in_top=0.99),
            ["card_removed Y1"],
        ),
        (
            "a new card exactly on the old one",
            "G5 Y1",
            pile(0.8, new("B9", outside=None, beneath=None), in_top=0.99),
            ["card_landed B9"],
        ),
        (
            "a card of the same colour exactly on the old one: little more than the symbols changed",
            "Y1 G+2",
            pile(0.23, new("GR", explains=0.908, fresh=0.19, outside=None, beneath=None, covers=0.96), in_top=0.9),
            ["card_landed GR"],
        ),
        (
            "a card of the same colour taken off its like",
            "GR G+2",
            pile(0.23, new("GR", explains=0.908, fresh=0.19, outside=None, beneath=None, covers=0.96), in_top=0.9),
            ["card_removed G+2"],
        ),
        (
            "a nudge of the top card of a squared pile: nothing beneath tells",
            "Y1 B9",
            pile(0.38, new("B9", explains=0.989, fresh=0.33, outside=0.96, beneath=None, covers=0.87), in_top=0.77),
            ["pile_moved"],
        ),
        (
            "a nudge, and another face guessed from the outline of the change",
            "Y1 Y6",
            pile(
                0.35,
                new("Y6", explains=0.75, fresh=0.23, beneath=None, outside=None, covers=0.92, on_top=0.78),
                new("YS", 0.89, explains=0.84, fresh=0.26, beneath=0.26, outside=0.27, covers=0.79, fitted=True),
                in_top=0.8,
            ),
            ["pile_moved"],
        ),
        ("the pile is taken", "G5 Y1 B3", pile(1.5, in_top=0.6), ["pile_taken"]),
        (
            "the pile is taken: its outline is no card that landed",
            "G5 Y1 B3",
            pile(1.3, new("?", explains=0.8, fresh=0.98, beneath=1.0, outside=1.0, covers=0.79, fitted=True)),
            ["pile_taken"],
        ),
        (
            "two cards in one visit",
            "R7",
            pile(1.7, new("G2", explains=0.55, on_top=0.3), new("G3", explains=0.52, on_top=0.9)),
            ["card_landed G2", "card_landed G3"],
        ),
        (
            "two cards in one visit, the lower one mostly covered",
            "R7",
            pile(1.3, new("G2", explains=0.84), new("B3", explains=0.3, on_top=0.1, open=0.2, aside=0.9, left=0.9)),
            ["card_landed B3", "card_landed G2"],
        ),
        (
            "a card lands and pushes the old one aside",
            "R7",
            pile(1.2, new("G2", explains=0.84), new("R7", explains=0.3, open=0.2, aside=0.9, left=0.96, on_top=0.1)),
            ["card_landed G2"],
        ),
        (
            "a card lands in a shadow that falls beside it",
            "R7",
            pile(1.2, new("G2", explains=0.84), new("B3", explains=0.3, on_top=0.1, open=0.4, aside=0.3, left=0.9)),
            ["card_landed G2"],
        ),
        ("the face that lay below comes again in its place, and the old top card's blue still shows", "Y7 W+4 BS",
         pile(0.85, new("W+4", fresh=0.66, beneath=None, outside=0.12, covers=0.8, rest=0.0), in_top=0.97),
         ["card_landed W+4"]),
        ("taken back, and the card below that has the same colour", "B7 W+4 BS",
         pile(0.85, new("W+4", fresh=0.66, beneath=None, outside=0.12, covers=0.8, rest=0.0), in_top=0.97),
         ["card_removed BS"]),
        ("a twin lands almost on the old one, the other way up", "Y1 R7",
         pile(0.7, new("R7", fresh=0.6, covers=0.95, beneath=None, outside=None, turned=True), in_top=0.99),
         ["card_landed R7"]),
        ("a twin lands within millimetres of the old one, the other way up, and but for its figure all looks the same",
         "Y2 R4", pile(0.061, new("R4", explains=1.0, fresh=0.06, beneath=None, outside=None, covers=0.96, turned=True),
                       new("Y2", explains=0.6, fresh=0.03, beneath=0.04, outside=0.0, covers=0.45, open=0.55),
                       in_top=1.0), ["card_landed R4"]),
        ("a nudge on a squared pile shows the green edge of the card below", "G8 G9",
         pile(0.66, new("G9", explains=0.93, fresh=0.57, outside=0.92, covers=0.82, rest=0.0), in_top=0.72),
         ["pile_moved"]),
        ("a twin lands on the old one, of which a strip shows that cannot be the red card's below", "R8 G9",
         pile(0.66, new("G9", explains=0.93, fresh=0.57, outside=0.92, covers=0.82, rest=0.0), in_top=0.72),
         ["card_landed G9"]),
        ("a twin lands almost on the old one, whose red still shows", "Y1 R7",
         pile(0.7, new("R7", fresh=0.4, covers=0.93, rest=0.0), in_top=0.95), ["card_landed R7"]),
        ("a nudge shows the red of the card below", "R1 R7",
         pile(0.7, new("R7", fresh=0.4, covers=0.93, beneath=None, rest=0.0), in_top=0.95), ["pile_moved"]),
        ("a nudge shows the yellow of the card below", "Y1 R7",
         pile(0.7, new("R7", fresh=0.4, covers=0.93, beneath=None, rest=0.9), in_top=0.95), ["pile_moved"]),
        ("two cards in one visit, the lower one placed by what changed", "R7", half_hidden("B3", like_old=0.9),
         ["card_landed B3", "card_landed G2"]),
        ("two cards in one visit, of the lower one a strip without index", "R7", half_hidden("?", vacated=None),
         ["card_landed ?", "card_landed G2"]),
        ("two cards in one visit, of the lower one only what is not white on its like's white changed", "Y6",
         half_hidden("?", upper=0.87, aside=0.39, left=1.0, vacated=0.05), ["card_landed ?", "card_landed G2"]),
        ("... and the edge of the old one is still to be seen beside both, which it looks like", "Y6",
         half_hidden("?", upper=0.87, aside=0.39, left=1.0, vacated=None, like_old=0.78, stays=True),
         ["card_landed ?", "card_landed G2"]),
        ("two cards in one visit, the lower one yellow on yellow, and its corner shows a face that is new", "Y9",
         half_hidden("Y8", upper=0.87, open=0.37, aside=0.29, left=1.0, vacated=None, like_old=1.0, stays=True),
         ["card_landed Y8", "card_landed G2"]),
        ("... and a face that the pile has", "Y8 R1 Y9",
         half_hidden("Y8", upper=0.87, open=0.37, aside=0.29, left=1.0, vacated=None, like_old=1.0, stays=True),
         ["card_landed G2"]),
        ("a card lands, and a shadow beside it explains some of what is left", "Y6",
         half_hidden("?", upper=0.87, aside=0.39, left=0.8, vacated=0.05), ["card_landed G2"]),
        ("two cards in one visit that only together explain what changed", "R7",
         half_hidden("?", upper=0.68, open=0.4), ["card_landed ?", "card_landed G2"]),
        ("a card lands and pushes the old one, whose old place shows other cards now", "R7",
         half_hidden("?", like_old=0.9, vacated=0.8), ["card_landed G2"]),
        ("a card lands and pushes the old one, whose old place is hidden", "R7",
         half_hidden("?", like_old=0.9, vacated=None), ["card_landed G2"]),
        ("squared up: what changed beside the top card is no card that landed", "Y1 G2",
         half_hidden("?", upper=0.64, left=0.89, like_old=0.77), ["pile_moved"]),
        ("a card lands and its shadow changes a narrow strip", "R7", half_hidden("?", open=0.08), ["card_landed G2"]),
        ("a card that nobody can read is laid on the old one: the card below would have been read", "G5 B9",
         pile(0.77, new("?", 0.0, explains=0.95, fresh=0.67, beneath=None, outside=None, covers=0.93), in_top=0.88),
         ["card_landed ?"]),
        ("a red card lies exactly on a red one, and the covered card below is found, too", "R7 R6",
         pile(0.19, new("R2", explains=1.0, fresh=0.17, beneath=None, outside=None, covers=0.91, on_top=0.92),
              new("R7", 0.77, explains=0.63, fresh=0.1, beneath=0.15, outside=0.0, covers=0.41, on_top=0.08, open=0.53),
              in_top=0.99), ["card_landed R2"]),
        ("a nudge of a card that nobody could read", "G5 ?",
         pile(0.5, new("?", 0.0, explains=0.95, fresh=0.4, beneath=None, outside=None, covers=0.93), in_top=0.88),
         ["pile_moved"]),
        ("taken off a card that nobody could read", "? B9",
         pile(0.77, new("?", 0.0, explains=0.95, fresh=0.67, beneath=None, outside=None, covers=0.93), in_top=0.88),
         ["card_removed B9"]),
        ("a nudge, and another face guessed from an outline that reaches beside the old place", "R+2 RS",
         pile(0.78, new("RS", explains=0.62, fresh=0.43, beneath=0.47, outside=0.17, covers=0.74, on_top=0.43),
              new("R6", 0.47, explains=0.87, fresh=0.48, beneath=0.62, outside=0.53, covers=0.66, fitted=True),
              in_top=0.68), ["pile_moved"]),
        ("one card, found badly on the outline of the old one and found again beneath that", "BS RS",
         pile(0.81, new("G6", 0.55, explains=0.88, fresh=0.66, outside=0.86, covers=0.88, on_top=0.81),
              new("GS", explains=0.99, fresh=0.76, outside=0.84, covers=0.74, on_top=0.0, fitted=True, peeks=True,
                  open=0.07, aside=0.75, left=0.96, vacated=0.0, like_old=0.68), in_top=0.76), ["card_landed GS"]),
        ("a card laid on its like: hardly more than its sign changed, and a few pixels that its corners miss", "Y2 R1",
         pile(0.104, new("R3", explains=0.92, fresh=0.09, beneath=0.04, outside=0.0, covers=0.8), in_top=1.0),
         ["card_landed R3"]),
        ("... but another face that is not certain may be the old one's", "Y2 R1",
         pile(0.104, new("R3", 0.8, explains=0.92, fresh=0.09, beneath=0.04, outside=0.0, covers=0.8), in_top=1.0),
         ["pile_moved"]),
        ("a twin lands the other way up, and the covered card below is found, too", "B3 R3",
         pile(0.42, new("R3", explains=1.0, fresh=0.4, beneath=None, outside=None, covers=0.9, on_top=0.8, turned=True),
              new("B3", 0.68, explains=0.74, fresh=0.19, beneath=0.36, outside=0.01, covers=0.55, on_top=0.02),
              in_top=0.89), ["card_landed R3"]),
        ("two cards in one visit, read surely, and a badly read one that was found across both", "R7",
         pile(1.32, new("R1", explains=0.71, fresh=0.86, beneath=0.72, on_top=0.8),
              new("G2", 0.22, explains=0.78, fresh=0.91, beneath=0.21, on_top=0.04, open=0.38, aside=0.92, left=1.0),
              new("G7", explains=0.76, fresh=0.93, beneath=0.19, on_top=0.0, fitted=True, peeks=True, open=0.35,
                  aside=0.92, left=1.0, vacated=0.0, like_old=0.35), in_top=0.7),
         ["card_landed G7", "card_landed R1"]),
        ("two cards in one visit, both read surely, of which the lower one explains more", "BS",
         pile(1.15, new("Y8", explains=0.7, fresh=0.72, beneath=0.63, outside=0.73, covers=0.65, on_top=0.93),
              new("W", explains=0.73, fresh=0.85, beneath=0.41, outside=0.87, covers=0.77, on_top=0.01, open=0.32,
                  aside=0.86, left=0.99), in_top=0.69), ["card_landed W", "card_landed Y8"]),
        ("two cards in one visit beside the old one, neither of which explains enough to have come alone", "Y2",
         pile(1.35, new("B7", explains=0.717, fresh=0.89, beneath=0.22, outside=0.93, covers=0.04, on_top=0.97),
              new("BS", explains=0.68, fresh=0.89, beneath=0.0, outside=0.92, covers=0.29, on_top=0.0, open=0.31,
                  aside=0.91, left=0.99),
              new("Y2", explains=0.19, fresh=0.22, beneath=None, outside=None, covers=0.99, on_top=0.14, open=0.88,
                  aside=0.21, left=0.59), in_top=0.21), ["card_landed BS", "card_landed B7"]),
        ("... but what lies open showed there before: the old one was pushed", "Y2",
         pile(1.35, new("B7", explains=0.717, fresh=0.89, beneath=0.22, outside=0.3, covers=0.04, on_top=0.97),
              new("BS", explains=0.68, fresh=0.89, beneath=0.0, outside=0.92, covers=0.29, on_top=0.0, open=0.31,
                  aside=0.91, left=0.99),
              new("Y2", explains=0.19, fresh=0.22, beneath=None, outside=None, covers=0.99, on_top=0.14, open=0.88,
                  aside=0.21, left=0.59), in_top=0.21), ["pile_moved"]),
        ("two cards in one visit, the upper one half on the old one's like, and the old one is found, too", "B5 B0",
         pile(1.2, new("W", explains=0.71, fresh=0.8, beneath=0.35, outside=0.82, covers=0.22, on_top=0.42),
              new("B0", 0.97, explains=0.36, fresh=0.46, beneath=None, outside=None, covers=1.0, on_top=0.05, open=0.66,
                  aside=0.37, left=0.76),
              new("YR", 0.61, explains=0.78, fresh=0.88, beneath=0.01, outside=0.88, covers=0.49, on_top=0.0,
                  fitted=True, peeks=True, open=0.32, aside=0.91, left=1.0, vacated=0.0, like_old=0.49)),
         ["card_landed YR", "card_landed W"]),
        ("... of which the lower one is the old one's like", "G4 Y3 W",
         pile(1.25, new("G1", explains=0.64, fresh=0.75, beneath=0.43, outside=0.69, covers=0.33, on_top=0.73),
              new("W", 0.92, explains=0.52, fresh=0.56, beneath=None, outside=None, covers=0.95, on_top=0.02, open=0.62,
                  aside=0.43, left=0.64),
              new("W", explains=0.72, fresh=0.85, beneath=0.08, outside=0.88, covers=0.61, on_top=0.0, fitted=True,
                  peeks=True, open=0.42, aside=0.88, left=0.99, vacated=0.0, like_old=1.0)),
         ["card_landed W", "card_landed G1"]),
        ("two cards in one visit, of which the lower one is the old one's like; that one's index still shows", "G0 W",
         pile(1.19, new("BS", explains=0.77, fresh=0.86, beneath=0.38, outside=0.86, covers=0.56, on_top=0.91),
              new("W", explains=0.68, fresh=0.82, beneath=0.26, outside=0.74, covers=0.7, on_top=0.01, open=0.28,
                  aside=0.78, left=0.95, index=0.0, rest=0.29), in_top=0.59), ["card_landed W", "card_landed BS"]),
        ("... or is not there: the old one was pushed", "G0 W",
         pile(1.19, new("BS", explains=0.77, fresh=0.86, beneath=0.38, outside=0.86, covers=0.56, on_top=0.91),
              new("W", explains=0.68, fresh=0.82, beneath=0.26, outside=0.74, covers=0.7, on_top=0.01, open=0.28,
                  aside=0.78, left=0.95, index=0.9, rest=0.29), in_top=0.59), ["card_landed BS"]),
        ("... or may be that of another like it beneath", "W W",
         pile(1.19, new("BS", explains=0.77, fresh=0.86, beneath=0.38, outside=0.86, covers=0.56, on_top=0.91),
              new("W", explains=0.68, fresh=0.82, beneath=0.26, outside=0.74, covers=0.7, on_top=0.01, open=0.28,
                  aside=0.78, left=0.95, index=0.0, rest=0.29), in_top=0.59), ["card_landed BS"]),
        ("two cards in one visit, of which the upper one lies exactly on the old one, its like", "B3 GS",
         pile(0.459, new("R4", 0.76, explains=0.88, fresh=0.37, beneath=0.06, outside=0.88, covers=0.64, on_top=0.0),
              new("G8", explains=0.35, fresh=0.12, beneath=None, outside=None, covers=0.92, on_top=0.74, open=0.33,
                  aside=0.09, left=0.55), in_top=0.32), ["card_landed R4", "card_landed G8"]),
        ("... or that is the old one, and another was pushed under it", "B3 GS",
         pile(0.459, new("R4", 0.76, explains=0.88, fresh=0.37, beneath=0.06, outside=0.88, covers=0.64, on_top=0.0),
              new("GS", explains=0.35, fresh=0.12, beneath=None, outside=None, covers=0.92, on_top=0.74, open=0.33,
                  aside=0.09, left=0.55), in_top=0.32), ["card_landed R4"]),
        ("two cards in one visit, of the lower one little shows, and half of that changed; nothing was pushed", "Y1",
         pile(0.87, new("R2", explains=0.91, fresh=0.74, beneath=0.25, outside=0.86, covers=0.63, on_top=0.73),
              new("R7", 0.32, explains=0.84, fresh=0.68, beneath=0.0, outside=0.71, covers=0.8, on_top=0.0, fitted=True,
                  peeks=True, open=0.12, aside=0.54, left=1.0, vacated=0.0, like_old=0.73), in_top=0.68),
         ["card_landed R7", "card_landed R2"]),
        ("... or the old one was pushed aside by the new one", "Y1",
         pile(0.87, new("R2", explains=0.91, fresh=0.74, beneath=0.25, outside=0.86, covers=0.63, on_top=0.73),
              new("R7", 0.32, explains=0.84, fresh=0.68, beneath=0.0, outside=0.71, covers=0.8, on_top=0.0, fitted=True,
                  peeks=True, open=0.12, aside=0.54, left=1.0, vacated=0.5, like_old=0.73), in_top=0.68),
         ["card_landed R2"]),
        ("two cards in one visit, and one that lay there and shows as it did is found, too", "G0",
         pile(1.09, new("G4", explains=0.719, fresh=0.72, beneath=0.36, outside=0.81, on_top=0.84),
              new("Y7", 0.3, explains=0.48, fresh=0.32, beneath=0.42, outside=0.04, on_top=0.01, open=0.89, aside=0.15,
                  left=0.47),
              new("B8", explains=0.72, fresh=0.72, beneath=0.21, outside=0.82, on_top=0.0, fitted=True, peeks=True,
                  open=0.35, aside=0.7, left=0.98, vacated=0.0, like_old=0.88), in_top=0.47),
         ["card_landed B8", "card_landed G4"]),
        ("two cards in one visit, of the lower one a corner that was surely read, and the old top card as it lay", "BS",
         pile(0.88, new("B7", explains=0.78, fresh=0.63, beneath=0.38, outside=0.68, on_top=0.5),
              new("GR", explains=0.8, fresh=0.64, beneath=0.19, outside=0.63, on_top=0.0, fitted=True, peeks=True,
                  open=0.09, aside=0.81, left=0.6, vacated=0.1, like_old=0.84), in_top=0.67),
         ["card_landed GR", "card_landed B7"]),
        ("a card lands and its shadow changes what surrounds a corner that lay there", "BS",
         pile(0.88, new("B7", explains=0.78, fresh=0.63, beneath=0.38, outside=0.68, on_top=0.5),
              new("GR", explains=0.8, fresh=0.64, beneath=0.19, outside=0.63, on_top=0.0, fitted=True, peeks=True,
                  open=0.09, aside=0.81, left=0.6, vacated=0.5, like_old=0.84), in_top=0.67),
         ["card_landed B7"]),
        ("a nudge on a white table, of which nothing tells but the white border", "R9 G8",
         pile(0.35, new("G8", explains=0.99, fresh=0.31, beneath=0.13, outside=0.34, covers=0.87, on_top=0.9),
              in_top=0.93), ["pile_moved"]),
        ("a twin lands a little turned on the old one, whose index still shows, and the red card below tells no strip",
         "R8 RS", pile(0.44, new("RS", explains=1.0, fresh=0.41, beneath=0.0, outside=0.51, covers=0.77, rest=0.0,
                                 index=0.0), in_top=0.77), ["card_landed RS"]),
        ("a nudge on a squared pile: where the index was is that of the red card below", "R8 RS",
         pile(0.44, new("RS", explains=1.0, fresh=0.41, beneath=0.04, outside=0.51, covers=0.77, rest=0.03,
                        index=0.3), in_top=0.77), ["pile_moved"]),
        ("a nudge on a squared pile, in which the same face lies below and shows its index", "RS RS",
         pile(0.44, new("RS", explains=1.0, fresh=0.41, beneath=0.04, outside=0.51, covers=0.77, rest=0.03,
                        index=0.0), in_top=0.77), ["pile_moved"]),
        ("a nudge of a card that lies on its like", "Y7 Y7",
         pile(0.5, new("Y7", explains=0.85, fresh=0.39, beneath=0.33, outside=0.35, covers=0.8, on_top=0.96),
              in_top=0.84), ["pile_moved"]),
        ("a green card lies exactly on a green one, and an open part of the card below is found, too", "R2 G9",
         pile(0.31, new("G8", 0.978, explains=1.0, fresh=0.28, beneath=None, outside=None, covers=0.96, on_top=0.66),
              new("R2", explains=0.2, fresh=0.05, beneath=0.23, outside=0.0, covers=0.22, on_top=0.58, open=0.66,
                  rest=0.2), in_top=0.97), ["card_landed G8"]),
        ("a red card is laid where the one below is red, too, and its shadow falls on what shows of the top card",
         "B8 R4 YS",
         pile(0.91, new("RR", 0.992, explains=0.93, fresh=0.79, beneath=0.58, outside=0.099, covers=0.88, on_top=0.9),
              in_top=0.96), ["card_landed RR"]),
        ("taken back from its like, and a card that lay there is found open beside that", "Y8 R3 R3",
         pile(0.94, new("Y8", explains=0.73, fresh=0.59, beneath=0.93, outside=0.0, covers=0.65, on_top=0.75),
              new("R3", explains=0.47, fresh=0.36, beneath=0.95, outside=0.0, covers=0.39, on_top=0.7, open=0.72,
                  aside=0.13, left=0.42),
              new("?", explains=1.0, fresh=0.91, beneath=None, outside=None, covers=0.98, on_top=0.0, fitted=True,
                  peeks=True, open=0.24, aside=0.92, left=1.0, like_old=0.54), in_top=1.0), ["card_removed R3"]),
        ("a push of a card that lies squared on its like", "Y2 G+2 G+2",
         pile(0.575, new("G+2", explains=0.93, fresh=0.47, beneath=None, outside=None, covers=0.91), in_top=0.86),
         ["pile_moved"]),
        ("taken back from its like, on which it lay squared", "Y2 G+2 G+2",
         pile(0.575, new("G+2", explains=0.93, fresh=0.37, beneath=None, outside=None, covers=0.94), in_top=1.0),
         ["card_removed G+2"]),
        ("a push of a card whose corners were found wrong, so that its edge still shows where it lay", "G+2 W",
         pile(0.55, new("W", explains=0.83, fresh=0.41, beneath=0.1, outside=0.03, covers=0.89, rest=0.0), in_top=0.84),
         ["pile_moved"]),
        ("two cards in one visit on a third that they hide, and the corner of the lower one shows a face that the pile"
         " has not", "R5 W", half_hidden("R6", upper=0.8, open=0.22, like_old=0.9, vacated=None),
         ["card_landed R6", "card_landed G2"]),
        ("a card lands and pushes the one below the old one, whose corner shows", "R5 W",
         half_hidden("R5", upper=0.8, open=0.22, like_old=0.9, vacated=None), ["card_landed G2"]),
        ("taken back, and the card below looks like one laid on the old one, whose corners were found wrong", "BS G7",
         replace(pile(0.785, new("BS", explains=1.0, fresh=0.72, beneath=0.0, outside=0.27, covers=0.86), in_top=0.98),
                 restored=True), ["card_removed G7"]),
        ("taken back, and the card below is not read: it is known", "BS G7",
         replace(pile(0.785, new("?", fresh=0.72, beneath=0.0), in_top=0.98), restored=True), ["card_removed G7"]),
        ("a twin is laid the other way up with another card under it", "Y3 W",
         pile(1.062, new("W", explains=0.79, fresh=0.77, beneath=0.59, outside=0.77, covers=0.71, turned=True),
              new("B5", explains=0.82, fresh=0.81, beneath=0.24, outside=0.87, covers=0.83, on_top=0.0, fitted=True,
                  peeks=True, open=0.2, aside=0.84, left=0.97, vacated=0.02, like_old=0.71), in_top=0.73),
         ["card_landed B5", "card_landed W"]),
        ("a twin is laid the other way up with another card under it, and both hide the old one", "R4 B+2",
         pile(0.928, new("B+2", explains=0.71, fresh=0.57, beneath=0.83, outside=0.86, covers=0.73, turned=True),
              new("Y+2", explains=0.72, fresh=0.63, beneath=0.42, outside=0.89, covers=0.85, on_top=0.0, fitted=True,
                  peeks=True, open=0.29, aside=0.84, left=1.0, like_old=0.54), in_top=0.69),
         ["card_landed Y+2", "card_landed B+2"]),
        ("a push bares a card that nobody had seen", "R4 B+2",
         pile(0.928, new("B+2", explains=0.71, fresh=0.57, beneath=0.83, outside=0.86, covers=0.73),
              new("Y+2", explains=0.72, fresh=0.63, beneath=0.42, outside=0.89, covers=0.85, on_top=0.0, fitted=True,
                  peeks=True, open=0.29, aside=0.84, left=1.0, like_old=0.54), in_top=0.69), ["pile_moved"]),
        ("a hand beside the pile, which is surely no face", "R4 B2",
         pile(0.176, new("B2", explains=0.0, fresh=0.0, beneath=None, outside=None, covers=0.95, open=0.94),
              replace(new("?", fresh=0.28, explains=1.0, beneath=0.0, outside=0.3, covers=0.0, fitted=True),
                      reading=CardReading(None, 0.97)), in_top=0.0), ["pile_moved"]),
        ("a nudge beside a card that lay open, and where both were, which is surely no face", "R5 W+4",
         pile(0.842, new("W+4", explains=0.82, fresh=0.62, beneath=0.61, outside=0.83, covers=0.83),
              replace(new("?", fresh=0.63, explains=0.82, beneath=0.52, outside=0.67, covers=0.73, fitted=True),
                      reading=CardReading(None, 0.946)), in_top=0.74), ["pile_moved"]),
        ("a nudge that turns a card, and its face was guessed where it and the card below lie", "B6 GR",
         pile(0.61, new("GR", explains=0.73, fresh=0.39, beneath=0.17, outside=0.36, covers=0.89, on_top=0.86),
              new("GR", 0.297, explains=0.82, fresh=0.45, beneath=0.36, outside=0.82, covers=0.83, fitted=True,
                  open=0.08, aside=0.73, left=0.68, rest=0.56), in_top=0.69), ["pile_moved"]),
        ("something went, and a card that shows as it showed lies open", "Y3 W",
         pile(0.82, new("B5", explains=0.76, fresh=0.59, beneath=0.62, outside=0.0, covers=0.64),
              new("?", explains=0.99, fresh=0.79, beneath=None, outside=None, covers=0.94, on_top=0.0, fitted=True,
                  peeks=True, open=0.21, aside=0.66, left=0.97), in_top=0.99), ["pile_moved"]),
        ("a slight push of a card whose corners were found wrong, so that its colour still shows where it lay", "R3 Y6",
         pile(0.342, new("Y6", explains=0.99, fresh=0.32, beneath=0.0, outside=None, covers=0.96, rest=0.0),
              in_top=0.99), ["pile_moved"]),
        ("a push that bares little of what the old top card hid", "R3 GS",
         pile(0.565, new("GS", explains=0.95, fresh=0.48, beneath=0.22, outside=0.39, covers=0.83, rest=0.44),
              in_top=0.9), ["pile_moved"]),
        ("a push on a white table, which is like the card's border in a shadow where that lay", "R3",
         pile(0.704, new("R3", explains=0.95, fresh=0.61, beneath=0.18, outside=0.9, covers=0.83), in_top=0.83),
         ["pile_moved"]),
        ("a pile is squared up: of the strip beside the top card the white border stays, and no more", "Y9 G3",
         pile(0.455, new("G3", explains=0.78, fresh=0.31, beneath=0.1, outside=0.22, covers=0.82, rest=0.42),
              in_top=0.73), ["pile_moved"]),
        ("a shadow or a lamp", "R7", pile(0.005), []),
    ],
)  # fmt: skip
def test_what_happened_between_two_rests(case: str, before: str, look: PileLook, expected: list[str]) -> None:
    assert said_of_a_visit(before, look) == expected, case


def test_an_arm_that_rests_beside_the_pile_leaves_it_known_where_the_cards_lie() -> None:
    """A card on its like shows a strip of the old one, which could be that of the card below if that lay under it."""
    resting = pile(0.2, new("G9", quad=AT, explains=0.0, fresh=0.0), new("?", fresh=0.2, fitted=True), in_top=0.0)
    twin = pile(0.73, new("G9", explains=0.89, fresh=0.62, outside=0.67, covers=0.81, rest=0.01))
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("G8", quad=ELSEWHERE)))
    story.hand(0.4).rest(0.8, pile(1.0, new("G9", quad=AT)))
    story.hand(0.4).rest(0.8, resting).hand(0.4).rest(0.8, twin)
    assert [said(s) for s in story.out if not isinstance(s, PileMoved)][2:] == ["card_landed G9"]


def test_of_two_twins_that_were_pushed_the_one_that_lies_on_the_other_is_the_top_card() -> None:
    """On a dark table both seem to be half hidden."""
    upper = new("W", 0.998, quad=AT, explains=0.66, fresh=0.64, beneath=0.9, outside=0.8, covers=0.84, on_top=0.21)
    lower = new("W", 0.913, quad=ELSEWHERE, explains=0.4, fresh=0.64, beneath=0.64, outside=0.6, covers=0.1,
                on_top=0.31, open=0.39, aside=0.57, left=0.71)  # fmt: skip
    story = Story().start(new("R2")).hand(0.5).rest(1.0, pile(0.9, new("W"))).hand(0.5).rest(1.0, pile(0.9, new("W")))
    story.hand(0.5).rest(1.0, pile(1.14, upper, lower))
    assert story.names()[-1] == "pile_moved"
    assert story.tracker.pile.top is not None
    assert story.tracker.pile.top.quad == AT


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


def test_the_lower_of_two_cards_is_read_by_its_corner_where_as_a_whole_it_is_half_the_upper_one() -> None:
    """What the finder had of a B5 under a G4: a card across both, and the corner that peeks out."""
    upper = new("G4", explains=0.71, beneath=0.34)
    across = new("B4", 0.22, explains=0.64, fresh=0.92, on_top=0.0, open=0.33, aside=0.96, left=0.97)
    corner = new("B5", explains=0.7, fresh=0.91, on_top=0.0, fitted=True, open=0.38, aside=0.93, left=1.0, peeks=True)
    look = pile(1.4, upper, across, replace(corner, vacated=0.0, like_old=0.46), in_top=0.35)
    story = Story().start(new("G8")).hand(0.5).rest(1.0, look)
    landed = [s for s in story.out if isinstance(s, CardLanded)]
    assert [(s.reading.notation, s.sure) for s in landed] == [("B5", True), ("G4", True)]


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


def test_a_hand_that_is_lost_for_a_moment_does_not_take_the_pile() -> None:
    story = Story().start().hand(0.4).rest(0.8, pile(1.0, new("R7"))).hand(0.4).rest(0.8, pile(0.9, new("R2")))
    story.hand(0.3).rest(0.2, pile(1.8, in_top=0.4)).hand(0.3).rest(0.8, pile(0.9, new("R9")))
    assert [said(s) for s in story.out] == ["card_landed R7", "card_landed R2", "card_landed R9"]


def test_nothing_is_said_while_a_sleeve_rests_on_the_pile() -> None:
    story = Story().start()
    for _ in range(60):
        story.tell([over_discard(1)], look=pile(1.0, new("R7")))
    assert story.names() == []


def test_a_card_that_appears_without_a_visit_is_found() -> None:
    story = Story().start().rest(0.9, pile(1.0, new("R7")), changed=0.15)
    assert story.names() == ["card_landed"]
