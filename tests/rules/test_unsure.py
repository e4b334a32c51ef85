"""A card that was not surely read, in the middle of a table that plays by the rules: nobody is accused, and what people
do next tells what it was (RULES 9, 12)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.cards import Card, Colour
from referee.events import Correct, Discard, Draw, Event, GameStarted, NameColour, Undo, Uno
from referee.rules import Code, Filed, Phase, Reason, Replay, Tier, replay

NAMES = ("Ana", "Ben", "Cy", "Dee")
CARDS = ("RS", "RR", "R+2", "R8")
READ = (*CARDS, "R3", "W+4", "W")
ACTS = 5
NEXT = ("R1", "R2", "R4", "R6", "R7", "R9")


START = {
    players: GameStarted(
        players=NAMES[:players], dealer=NAMES[players - 1], turn="Ana", top=Card.parse("R5"),
        hands=dict.fromkeys(NAMES[:players], 7),
    )
    for players in (2, 3, 4)
}  # fmt: skip
"""Ana is in turn, on a red 5, and everybody holds seven; by the number of players."""


def table(players: int) -> Replay:
    """A game that has begun."""
    game = Replay()
    game.append(1, START[players])
    return game


def evening(players: int, card: str) -> list[Event]:
    """Ana plays the card, and everybody goes on by the rules; arms are seen, and no colour is needed."""
    game = table(players)
    events: list[Event] = [Discard(t=2.0, card=Card.parse(card), by="Ana", side=0.9)]
    game.append(2, events[0])
    for act in range(ACTS):
        position = game.position
        assert position is not None
        t = 6.0 + 4 * act
        if position.dues:
            events.append(Draw(t=t, by=position.dues[0].player, n=position.dues[0].n, side=0.9))
        elif position.phase is Phase.NAME_COLOUR:
            events.append(NameColour(t=t, colour=Colour.RED, by="Ana"))
        else:
            events.append(Discard(t=t, card=Card.parse(NEXT[act]), by=position.turn, side=0.9))
        game.append(3 + act, events[-1])
    return events


def follow(players: int, events: list[Event]) -> tuple[Replay, list[Filed]]:
    """The game as the referee follows it, and everything it ever said."""
    game, said = table(players), list[Filed]()
    for number, event in enumerate(events, 2):
        game.append(number, event)
        said += [filed for filed in (*game.rulings, *game.vanished) if filed not in said]
    return game, said


def unsure(event: Event, read: str, *others: str) -> Event:
    """The landing as one that was taken for another card, which was among the alternatives."""
    assert isinstance(event, Discard)
    alternatives = ((str(event.card), 0.38), *((other, 0.02) for other in others))
    return replace(event, card=Card.parse(read), confidence=0.585, sure=False, alternatives=alternatives)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("card", "read"), [(card, read) for card in CARDS for read in READ if card != read])
def test_what_follows_tells_an_unsure_card(card: str, read: str, players: int) -> None:
    events = evening(players, card)
    truth, _ = follow(players, events)
    game, said = follow(players, [unsure(events[0], read, "B9"), *events[1:]])
    here, there = game.position, truth.position
    assert here is not None
    assert there is not None
    assert (here.turn, here.direction, here.top, here.dues) == (there.turn, there.direction, there.top, there.dues)
    assert here.hands == there.hands
    assert not [filed for filed in said if filed.ruling.tier is Tier.CALL]


def test_what_told_a_card_tells_it_no_more_once_undone() -> None:
    events = evening(3, "RR")
    taken, said = follow(3, [unsure(events[0], "R+2", "B9"), events[1]])
    assert taken.position is not None
    assert taken.position.direction == -1
    told = [filed.ruling for filed in said if filed.ruling.reason is Reason.UNSURE_CARD]
    assert [ruling.cards for ruling in told] == [(Card.parse("RR"),)]
    assert any(filed.ruling.code is Code.FORCED_DRAW for filed in taken.vanished)
    taken.append(9, Undo(t=20.0, ref=3))
    before, _ = follow(3, [unsure(events[0], "R+2", "B9")])
    assert taken.position is not None
    assert before.position is not None
    assert (taken.position.turn, taken.position.dues) == (before.position.turn, before.position.dues)
    assert taken.rulings == before.rulings


def test_what_told_a_card_is_noted_once_when_a_later_act_is_undone_and_redone() -> None:
    seven = Discard(t=1.0, card=Card.parse("R7"), by="Ana")
    doubtful = replace(seven, confidence=0.6, sure=False, alternatives=(("W", 0.2), ("R+2", 0.1)))
    held = {**dict.fromkeys((*NAMES, "Eve"), 1), "Cy": 2}
    start = GameStarted(players=tuple(held), dealer="Ana", preset="official", hands=held)
    events = (start, doubtful, Draw(t=1.0, by="Cy"), seven, Uno(t=1.0, by="Ana"))
    game = replay(enumerate(events, 1))
    said = list(game.rulings)
    game.append(6, Undo(t=1.0, ref=5))
    game.append(7, Undo(t=1.0, ref=6))
    assert Reason.UNSURE_CARD in [filed.ruling.reason for filed in said]
    assert game.rulings == said


def test_an_act_seen_late_tells_an_unsure_card_as_well() -> None:
    first, *rest = evening(4, "RS")
    events = [(2, unsure(first, "RR", "B9")), *enumerate(rest, 3)]
    late = Replay()
    for number, event in [(1, START[4]), *events[:1], *events[2:], events[1]]:
        late.append(number, event)
    assert late.position == replay([(1, START[4]), *events]).position
    assert late.rulings == replay([(1, START[4]), *events]).rulings


def test_a_person_who_names_the_card_is_believed_before_what_follows() -> None:
    events = evening(3, "RR")
    named = Correct(t=3.0, ref=2, fields={"card": "R+2", "sure": True})
    game, _ = follow(3, [unsure(events[0], "RS", "B9")])
    game.append(3, named)
    game.append(4, events[1])
    assert [play.card for play in game.plays if play.number == 2] == [Card.parse("R+2")]


@pytest.mark.parametrize(("top", "beneath"), [("B1", ()), ("R1", (("B1", 0.04),)), ("R1", (("W", 0.01),))])
@pytest.mark.parametrize("preset", ["official", "penalty_box", "house_stacking"])
def test_a_surely_read_card_is_only_asked_about_where_another_reading_would_be_right(
    top: str, beneath: tuple[tuple[str, float], ...], preset: str
) -> None:
    others = () if beneath else (("Y8", 0.03), ("B8", 0.004))
    first = replace(START[3], preset=preset, options={"illegal_play_penalty": 2})
    lands = Discard(t=2.0, card=Card.parse(top), by="Ana", side=0.9, confidence=0.95, alternatives=beneath)
    wrong = Discard(t=6.0, card=Card.parse("G8" if not beneath else "B8"), by="Ben", side=0.9, confidence=0.95)
    game = replay([(1, replace(first, top=Card.parse(top[0] + "5"))), (2, lands),
                   (3, replace(wrong, alternatives=others))])  # fmt: skip
    assert [filed.ruling.tier for filed in game.rulings if filed.ruling.code is Code.ILLEGAL_CARD] == [Tier.ASK]
    position = game.position
    assert position is not None
    assert not position.dues
    assert position.phase is Phase.TAKEBACK


@pytest.mark.parametrize("others", [(), (("Y8", 0.04),), (("B8", 0.0005),)])
def test_a_wrong_card_is_announced_where_no_other_reading_would_be_right(others: tuple[tuple[str, float], ...]) -> None:
    wrong = Discard(t=6.0, card=Card.parse("G8"), by="Ana", side=0.9, confidence=0.95, alternatives=others)
    game = replay([(1, replace(START[3], top=Card.parse("B5"))), (2, wrong)])
    assert [(filed.ruling.code, filed.ruling.tier) for filed in game.rulings] == [(Code.ILLEGAL_CARD, Tier.CALL)]


def test_a_person_who_says_which_wrong_card_it_was_has_it_announced() -> None:
    wrong = Discard(t=6.0, card=Card.parse("G8"), by="Ana", side=0.9, confidence=0.95, alternatives=(("B8", 0.04),))
    named = Correct(t=8.0, ref=2, fields={"card": "G8", "confidence": 1.0, "sure": True}, by="Ben")
    game = replay([(1, replace(START[3], top=Card.parse("B5"))), (2, wrong), (3, named)])
    assert [filed.ruling.tier for filed in game.rulings if filed.ruling.code is Code.ILLEGAL_CARD] == [Tier.CALL]
