"""What the eye saw, as an event of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cards import Card
from referee.events import Discard, Draw, Event, HandDealt, Lift, Reshuffle, ReturnOpening, TopSeen, TurnUp
from referee.observations import (
    CardLanded,
    CardRead,
    CardReading,
    CardRemoved,
    CardsDrawn,
    PileMoved,
    PileSeen,
    PileTaken,
    Sighting,
)
from referee.rules import Phase
from referee.session.sightings import Lying, Meanwhile, better_look, to_events

R7, R1 = Card.parse("R7"), Card.parse("R1")
LANDED = CardLanded(t=5.0, reading=CardReading(R7, 0.99, ((R1, 0.01),)), sure=True, seat=2, seat_confidence=0.9)
REMOVED = CardRemoved(t=5.0, card=R7, top=R1)
DRAWN = CardsDrawn(t=5.0, count=2, seat=2, seat_confidence=0.7)
TAKEN = PileTaken(t=5.0)
SEEN: dict[str, Any] = {"confidence": 0.99, "alternatives": (("R1", 0.01),), "photo": "ab"}
TURN_UP = TurnUp(t=4.0, card=R7, by="Ben", side=0.9, **SEEN)
DISCARD = Discard(t=4.0, card=R7, by="Ben", side=0.9, **SEEN)
LIFT = Lift(t=4.0, card=R7, by="Ben", photo="ab")
DRAW = Draw(t=4.0, by="Ben", n=2, side=0.7, photo="ab")


class At:
    """As much of a position as the translation looks at."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase


@pytest.mark.parametrize(
    ("sighting", "phase", "events"),
    [
        (LANDED, Phase.OPENING, (TURN_UP,)),
        (LANDED, Phase.TURN, (DISCARD,)),
        (LANDED, Phase.TAKEBACK, (DISCARD,)),
        (LANDED, Phase.HAND_OVER, (DISCARD,)),
        (LANDED, Phase.SCORED, (HandDealt(t=4.0), TURN_UP)),
        (LANDED, Phase.GAME_OVER, ()),
        (REMOVED, Phase.OPENING, (ReturnOpening(t=4.0, photo="ab"),)),
        (REMOVED, Phase.TURN, (LIFT,)),
        (REMOVED, Phase.TAKEBACK, (LIFT,)),
        (REMOVED, Phase.HAND_OVER, ()),
        (REMOVED, Phase.SCORED, ()),
        (DRAWN, Phase.TURN, (DRAW,)),
        (DRAWN, Phase.WD4, (DRAW,)),
        (DRAWN, Phase.HAND_OVER, (DRAW,)),
        (DRAWN, Phase.OPENING, ()),
        (DRAWN, Phase.SCORED, ()),
        (TAKEN, Phase.TURN, (Reshuffle(t=4.0, bare=True, photo="ab"),)),
        (replace(TAKEN, top=R7), Phase.TURN, (Reshuffle(t=4.0, photo="ab"),)),
        (TAKEN, Phase.HAND_OVER, ()),
        (TAKEN, Phase.OPENING, ()),
        (PileMoved(t=5.0), Phase.TURN, ()),
    ],
)
def test_translation(sighting: Sighting, phase: Phase, events: tuple[Event, ...]) -> None:
    assert to_events(sighting, At(phase), "Ben", 4.0, "ab") == events  # type: ignore[arg-type]


def test_how_long_a_card_had_lain_counts_from_its_rest_to_the_hand_that_came_for_it() -> None:
    removed = replace(REMOVED, t=7.0, since=6.25)
    (lift,) = to_events(removed, At(Phase.TURN), "Ben", 4.0, None, 5.5)  # type: ignore[arg-type]
    assert lift == Lift(t=4.0, card=R7, by="Ben", lain=0.75)


def test_gathering_up_an_unread_card_before_the_deal_means_nothing() -> None:
    removed = CardRemoved(t=5.0, card=None)
    assert to_events(removed, At(Phase.OPENING), None, 4.0, None) == ()  # type: ignore[arg-type]


def test_an_unknown_seat_is_nobody() -> None:
    (event,) = to_events(LANDED, At(Phase.TURN), None, 4.0, "ab")  # type: ignore[arg-type]
    assert isinstance(event, Discard)
    assert (event.by, event.side) == (None, 1.0)


def test_an_arm_is_never_as_sure_as_a_person() -> None:
    arm = CardLanded(t=5.0, reading=CardReading(R7, 1.0), sure=True, seat=2, seat_confidence=1.0)
    (event,) = to_events(arm, At(Phase.TURN), "Ben", 4.0, None)  # type: ignore[arg-type]
    assert isinstance(event, Discard)
    assert event.side == 0.99


@pytest.mark.parametrize(
    ("landed", "was_sure", "read", "is_sure", "said"),
    [
        ("R1", False, "R7", True, "R7"),
        ("?", False, "R7", True, "R7"),
        ("R7", False, "R7", True, "R7"),
        ("R7", True, "R7", True, None),
        ("R7", True, "R7", False, None),
        ("R7", True, "?", False, None),
        ("R1", True, "R7", True, "R7"),
        ("R1", True, "R7", False, None),
    ],
)
def test_a_better_look_says_only_what_is_new(
    landed: str, was_sure: bool, read: str, is_sure: bool, said: str | None
) -> None:
    def card(text: str) -> Card | None:
        return None if text == "?" else Card.parse(text)

    sighting = CardRead(t=5.0, reading=CardReading(card(read), 0.98), sure=is_sure)
    correction = better_look(sighting, Discard(t=4.0, card=card(landed), sure=was_sure, photo="ab"), 41, None)
    if said is None:
        assert correction is None
    else:
        assert correction is not None
        assert correction.ref == 41
        assert (correction.fields["card"], correction.fields["sure"]) == (said, is_sure)
        assert correction.fields["photo"] == "ab"


def test_on_resume_the_card_on_top_is_compared() -> None:
    """RULES 12: what lies on the pile after a pause, as far as the camera saw it change."""
    still = Meanwhile()
    assert still.after(DRAWN) == still
    assert still.after(LANDED) == Meanwhile(True, R7)
    assert still.after(LANDED).after(REMOVED) == Meanwhile(True, R1)
    assert still.after(TAKEN) == Meanwhile(True, None)
    assert to_events(PileSeen(t=5.0, reading=LANDED.reading, sure=True), At(Phase.TURN), None, 4.0, "ab") == (  # type: ignore[arg-type]
        TopSeen(t=4.0, card=R7, **SEEN),
    )


FIRST = {"confidence": 0.99, "alternatives": (("R1", 0.01),), "photo": None}
LATER = replace(LANDED, t=8.0)
LAY = PileSeen(t=1.0, reading=LANDED.reading, sure=True)
UNREAD = replace(LANDED, reading=CardReading(None, 0.2), sure=False)


@pytest.mark.parametrize(
    ("seen", "first"),
    [
        ([], None),
        ([LANDED], TurnUp(t=0.5, card=R7, **FIRST)),
        ([LANDED, DRAWN, PileMoved(t=6.0)], TurnUp(t=0.5, card=R7, **FIRST)),
        ([UNREAD], None),
        ([UNREAD, CardRead(t=5.0, reading=LANDED.reading, sure=True)], TurnUp(t=0.5, card=R7, **FIRST)),
        ([LANDED, LATER], None),  # a pile: nobody's first card
        ([LANDED, LATER, TAKEN, LANDED], TurnUp(t=0.5, card=R7, **FIRST)),
        ([LANDED, replace(REMOVED, top=None), LANDED], TurnUp(t=0.5, card=R7, **FIRST)),
        ([LANDED, LATER, REMOVED], None),
        ([LAY], TopSeen(t=0.5, card=R7, **FIRST)),  # perhaps an old pile: the table is asked
        ([LANDED, LAY], TurnUp(t=0.5, card=R7, **FIRST)),
        ([LAY, LANDED], None),
    ],
)
def test_a_card_that_was_turned_up_before_the_game_began_is_its_first(
    seen: list[Sighting], first: TurnUp | TopSeen | None
) -> None:
    lying = Lying()
    for sighting in seen:
        lying = lying.after(sighting)
    assert lying.as_first(0.5) == first
