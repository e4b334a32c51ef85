"""What the history tells of an evening is what happened, and what the referee got wrong is not hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.cards import Card, Colour
from referee.chronicle import Chronicle, Record, add_up, game_json, hand_json, read, scores_csv, statistics
from referee.events import (
    Catch,
    Challenge,
    ChallengeResult,
    Correct,
    Count,
    Discard,
    Draw,
    Event,
    GameStarted,
    Json,
    NameColour,
    Override,
    Pass,
    Points,
    Suggestion,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import Code
from referee.virtual_table import Level
from referee.virtual_table import play as play_evening

START = GameStarted(players=("Ana", "Ben", "Cy"), dealer="Cy")


def up(t: float, card: str) -> TurnUp:
    return TurnUp(t=t, card=Card.parse(card), photo="p1")


def lays(t: float, by: str, card: str, **more: Any) -> Discard:
    return Discard(t=t, by=by, card=Card.parse(card), **more)


def evening(*events: Event, people: tuple[int, ...] = (), options: dict[str, Json] | None = None) -> Chronicle:
    """A game of Ana, Ben and Cy; the events are numbered from 2 on."""
    started = replace(START, options=options or {})
    chronicle = read([(1, started), *((n, event) for n, event in enumerate(events, start=2))], people)
    assert chronicle is not None
    return chronicle


def one_hand() -> list[Event]:
    """Ana wins: 19 red cards in turn, UNO called in time; then the points of the others."""
    cards = [lays(2.0 + 2 * n, START.players[n % 3], f"R{n % 9 + 1}") for n in range(19)]
    calls = [Uno(t=cards[n].t - 0.5, by=START.players[n % 3]) for n in (15, 16, 17)]
    return [up(1.0, "R5"), *cards, *calls, Points(t=60.0, player="Ben", n=10), Points(t=61.0, player="Cy", n=5)]


def test_a_step_names_whom_it_tells_of_and_not_whose_phone_said_it() -> None:
    said = (Count(t=2.0, player="Cy", n=5, by="Ana"), Suggestion(t=3.0, on="Cy", by="Ana"))
    points = Points(t=60.0, player="Ben", n=10, by="Ana")
    told = hand_json(evening(up(1.0, "R5"), *said, *one_hand()[1:-2], points).hands[0])["steps"]
    by = {step["event"]: step["by"] for step in told}
    assert (by["count"], by["suggestion"], by["points"]) == ("Cy", "Cy", "Ben")


def test_no_game_no_chronicle() -> None:
    assert read([]) is None
    assert read([(1, up(1.0, "R5"))]) is None


def test_two_hands_and_their_scores() -> None:
    chronicle = evening(*one_hand(), up(70.0, "Y1"))
    assert [(hand.number, hand.end.winner, dict(hand.end.scores)) for hand in chronicle.hands] == [
        (1, "Ana", {"Ana": 15, "Ben": 0, "Cy": 0}),
        (2, None, {"Ana": 15, "Ben": 0, "Cy": 0}),
    ]
    assert scores_csv(chronicle) == "hand,winner,Ana,Ben,Cy\n1,Ana,15,0,0\n2,,15,0,0\n"
    told = game_json(chronicle, 7, 1000.0)
    assert (told["game"], told["totals"], told["sheet"][0]["plays"]) == (7, {"Ana": 15, "Ben": 0, "Cy": 0}, 20)


def test_a_hand_is_told_step_by_step() -> None:
    chronicle = evening(up(1.0, "R5"), lays(3.0, "Ana", "B5"), Draw(t=5.0, by=None), Pass(t=6.0))
    steps = hand_json(chronicle.hands[0])["steps"]
    assert [(step["event"], step["by"], step["card"], step["after"]["turn"]) for step in steps] == [
        ("turn_up", None, "R5", "Ana"),
        ("discard", "Ana", "B5", "Ben"),
        ("draw", "Ben", None, "Ben"),
        ("pass", None, None, "Cy"),
    ]
    assert steps[0]["photo"] == "p1"
    assert steps[1]["after"]["counts"]["Ana"] == [6, 6]


def test_rulings_are_told_in_the_language_asked_for() -> None:
    hand = evening(up(1.0, "R5"), lays(3.0, "Ana", "B9")).hands[0]
    texts = {lang: hand_json(hand, lang)["steps"][1]["rulings"][0]["text"] for lang in ("en", "de", "es")}
    assert len(set(texts.values())) == 3


def test_what_players_did() -> None:
    records = statistics(evening(*one_hand()))
    ana, ben = records["Ana"], records["Ben"]
    assert (ana.hands_won, ana.points, ana.plays, ana.uno_calls, ana.games_won) == (1, 15, 7, 1, 0)
    assert (ben.hands_won, ben.plays, ben.uno_calls, ben.caught) == (0, 6, 1, 0)
    assert ana.usual_turn_s == 2.0


def test_a_caught_player_and_who_caught() -> None:
    cards = [lays(2.0 + 2 * n, START.players[n % 3], f"R{n % 9 + 1}") for n in range(16)]
    records = statistics(evening(up(1.0, "R5"), *cards, Catch(t=33.0, by="Cy", on="Ana")))
    assert (records["Ana"].caught, records["Cy"].catches) == (1, 1)


@pytest.mark.parametrize(
    ("cards", "draws", "drawn"),
    [
        (["Ana R+2"], [("Ben", None)], {"Ben": 2}),  # None: as many as are owed
        (["Ana R+2", "Cy R3"], [("Ben", None)], {"Ben": 2}),
        (["Ana R+2"], [(None, None)], {"Ben": 2}),  # whose arm it was is not known: it was not Cy's, whose turn it is
        (["Ana R+2"], [("Ben", None), ("Ben", 1)], {"Ben": 2}),  # the first was only one of them
        (["Ana R+2"], [("Ben", 1), ("Ben", 1)], {"Ben": 2}),
        (["Ana R+2"], [("Ben", 3)], {"Ben": 3}),
        (["Ana R3"], [("Ben", None)], {"Ben": 1}),
        (["Ana B9"], [("Ana", None)], {"Ana": 1}),  # the wrong card that goes back to the hand is not drawn
        (["Ana B9"], [("Ana", 1)], {"Ana": 1}),
        (["Ana B9"], [("Ben", None)], {"Ben": 1}),
        ([], [("Ana", 1), ("Ana", 1)], {"Ana": 2}),
    ],
)
def test_cards_drawn_are_those_by_which_the_hand_grew(
    cards: list[str], draws: list[tuple[str | None, int | None]], drawn: dict[str, int]
) -> None:
    laid = [lays(3.0 + n, *line.split()) for n, line in enumerate(cards)]
    took = [Draw(t=9.0 + n, by=by, n=many) for n, (by, many) in enumerate(draws)]
    chronicle = evening(up(1.0, "R5"), *laid, *took)
    assert {name: did.drawn for name, did in statistics(chronicle).items() if did.drawn} == drawn
    assert {step["by"] for step in hand_json(chronicle.hands[0])["steps"] if step["event"] == "draw"} == set(drawn)


def test_cards_taken_up_before_the_first_card_are_not_drawn() -> None:
    assert statistics(evening(Draw(t=1.0, by="Ana", n=7), up(2.0, "R5")))["Ana"].drawn == 0


@pytest.mark.parametrize(("challenge", "by", "guilty"), [("next_player", "Ben", 1), ("any_player", "Cy", 0)])
def test_a_challenge_is_of_the_player_who_challenged(challenge: str, by: str, guilty: int) -> None:
    story = [
        up(1.0, "R5"), lays(3.0, "Ana", "W+4"), NameColour(t=4.0, by="Ana", colour=Colour.BLUE),
        Challenge(t=5.0, by=by), ChallengeResult(t=6.0, guilty=guilty == 1),
    ]  # fmt: skip
    records = statistics(evening(*story, options={"wd4_challenge": challenge}))
    assert {name: (did.challenges, did.challenges_won) for name, did in records.items() if did.challenges} == {
        by: (1, guilty)
    }


def test_records_of_several_games_add_up() -> None:
    once = statistics(evening(*one_hand()))
    both = add_up([once, once, {}])
    assert (both["Ana"].games, both["Ana"].points, len(both["Ana"].turn_s)) == (2, 30, 2 * len(once["Ana"].turn_s))


PLAYED = [up(1.0, "R5"), lays(3.0, "Ana", "B9")]


@pytest.mark.parametrize(
    ("story", "people", "record"),
    [
        (PLAYED, (), Record(plays=2, calls=1)),
        # Number 4 is what the table says of the card numbered 3.
        ([*PLAYED, Override(t=4.0, what="legal", ref=3)], (4,), Record(plays=2, calls=1, overturned=1)),
        ([*PLAYED, Undo(t=4.0, ref=3)], (4,), Record(plays=1, calls=1, overturned=1)),
        (
            [*PLAYED, Correct(t=4.0, ref=3, fields={"card": "R9", "sure": True})],
            (4,),
            Record(plays=2, calls=1, overturned=1, corrected=1),
        ),
        # A better look of the eye itself is no correction by the table.
        ([*PLAYED, Correct(t=4.0, ref=3, fields={"card": "R9", "sure": True})], (), Record(plays=2, calls=1)),
        ([up(1.0, "R5"), lays(3.0, "Ana", "R9", sure=False)], (), Record(plays=2, unsure=1)),
    ],
)
def test_the_referees_own_record(story: list[Event], people: tuple[int, ...], record: Record) -> None:
    found = evening(*story, people=people).record
    assert Record(found.plays, found.unsure, found.corrected, found.calls, found.overturned) == record


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_evening_tells_every_card_once(seed: int) -> None:
    script = play_evening(seed, players=3, hands=2, level=Level.HARD)
    landed = [event for event in script.truth["events"] if event["event"] == "landed"]
    started = GameStarted(players=script.players, dealer=script.dealer, preset=script.preset)
    events: list[Event] = [
        TurnUp(t=one["t"], card=Card.parse(one["card"])) if one.get("seat") is None
        else Discard(t=one["t"], card=Card.parse(one["card"]), by=script.players[one["seat"] - 1])
        for one in landed
    ]  # fmt: skip
    chronicle = read(list(enumerate([started, *events], start=1)))
    assert chronicle is not None
    steps = [step for hand in chronicle.hands for step in hand.steps]
    assert [step.number for step in steps] == sorted({step.number for step in steps})
    codes = {filed.ruling.code for step in steps for filed in step.rulings}
    assert codes == {filed.ruling.code for filed in chronicle.game.rulings}
    assert Code.FORCED_DRAW in codes or Code.HAND_OVER in codes
