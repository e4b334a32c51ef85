"""The truth of a script is checked against simple accounts of its own: cards, hands, matching, points, time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from referee.cards import Card, Deck
from referee.events import Points
from referee.virtual_table import HABITS, Level, Mistakes, Script, Tap, play
from referee.virtual_table.script import Reach

EVERYTHING_GOES_WRONG = Mistakes(
    illegal=0.3, out_of_turn=0.1, forgotten_uno=0.6, caught=0.5, caught_late=0.9, false_catch=0.5, stray_uno=0.1,
    bluff=0.8, challenge=0.5, refused_challenge=0.5, renege=0.1,
)  # fmt: skip
NOTHING_GOES_WRONG = Mistakes(
    illegal=0, out_of_turn=0, forgotten_uno=0, caught=0, caught_late=0, false_catch=0, stray_uno=0, bluff=0,
    challenge=0, refused_challenge=0, renege=0,
)  # fmt: skip

TABLES = [(seed, 2 + seed % 9, level) for seed, level in enumerate([*Level] * 6)]


@pytest.fixture(scope="module", params=TABLES, ids=lambda p: f"seed{p[0]}-{p[1]}players-{p[2].value}")
def script(request: pytest.FixtureRequest) -> Script:
    seed, players, level = request.param
    return play(seed, players=players, hands=2, level=level, mistakes=EVERYTHING_GOES_WRONG)


def hands_of(script: Script) -> Iterator[list[dict[str, Any]]]:
    """The truth's events, hand by hand; a hand begins with a card that stays turned up."""
    part: list[dict[str, Any]] = []
    for event in script.truth["events"]:
        if event.get("turn_up") and any("legal" in e for e in part):
            yield part
            part = []
        part.append(event)
    yield part


def ruled(script: Script, code: str, **fields: Any) -> list[dict[str, Any]]:
    return [r for r in script.truth["rulings"] if r["code"] == code and fields.items() <= r.items()]


def test_the_same_seed_plays_the_same_evening() -> None:
    assert play(3, hands=1) == play(3, hands=1)
    assert play(3, hands=1).truth != play(4, hands=1).truth


def test_truth_is_json(script: Script) -> None:
    assert json.loads(json.dumps(script.truth)) == script.truth


def test_hands_shrink_and_grow_as_cards_move_and_are_empty_only_at_the_end(script: Script) -> None:
    for number, events in enumerate(hands_of(script)):
        held = Counter(dict.fromkeys(range(1, len(script.players) + 1), 7))
        empty = []
        for event in events:
            if event["event"] == "landed" and "legal" in event:
                held[event["seat"]] -= 1
                if held[event["seat"]] == 0 and event["legal"]:
                    empty.append(event["seat"])
            elif event["event"] == "removed" and event["top"] is not None:
                held[event["seat"]] += 1
            elif event["event"] == "drew":
                held[event["seat"]] += event["n"]
            assert min(held.values()) >= 0
        winner = script.truth["hands"][number]["winner"]
        assert [script.players[seat - 1] for seat in empty] == [winner]


def test_no_card_is_on_the_table_more_often_than_the_deck_has_it(script: Script) -> None:
    for events in hands_of(script):
        pile: list[Card] = []
        for event in events:
            if event["event"] == "landed":
                pile.append(Card.parse(event["card"]))
            elif event["event"] == "removed":
                assert pile.pop() == Card.parse(event["card"])
                assert event["top"] == (str(pile[-1]) if pile else None)
            elif event["event"] == "pile_taken":
                assert event["top"] in (None, str(pile[-1]))
                pile = pile[-1:]
            assert all(n <= Deck.CLASSIC_108.copies[card] for card, n in Counter(pile).items())


def test_legal_cards_match_and_illegal_ones_do_not(script: Script) -> None:
    others = {(r["t"], r["card"]) for r in ruled(script, "out_of_turn")}
    for events in hands_of(script):
        stack: list[tuple[Card, str | None]] = []
        for event in events:
            if event["event"] == "landed":
                card = Card.parse(event["card"])
                colour = card.colour.value if card.colour else event.get("declared")
                if "legal" in event and (event["t"], event["card"]) not in others:
                    top, in_force = stack[-1]
                    matches = card.is_wild or colour == in_force or card.rank is top.rank
                    assert matches == event["legal"], event
                stack.append((card, colour))
            elif event["event"] == "removed":
                stack.pop()


def test_every_wrong_card_is_ruled_on_and_taken_back(script: Script) -> None:
    wrong = [e for e in script.truth["events"] if e.get("legal") is False]
    assert len(wrong) == len(ruled(script, "illegal_card")) + len(ruled(script, "out_of_turn"))
    back = [(e["t"], e["card"], e["seat"]) for e in script.truth["events"] if e["event"] == "removed"]
    for event in wrong:
        assert any(
            event["t"] < t < event["t"] + 6 and (card, seat) == (event["card"], event["seat"]) for t, card, seat in back
        )


def test_what_is_owed_is_drawn(script: Script) -> None:
    owed: Counter[str] = Counter()
    for ruling in [*ruled(script, "forced_draw"), *ruled(script, "penalty")]:
        owed[ruling["player"]] += ruling["n"]
    for ruling in ruled(script, "guilty"):  # the victim of a bluff that was called draws nothing
        before = [r for r in ruled(script, "forced_draw", reason="wd4") if r["t"] <= ruling["t"]][-1]
        owed[before["player"]] -= 4
    for ruling in ruled(script, "innocent"):
        before = [r for r in ruled(script, "forced_draw", reason="wd4") if r["t"] <= ruling["t"]][-1]
        owed[before["player"]] -= 4
    drawn: Counter[str] = Counter()
    for event in script.truth["events"]:
        if event["event"] == "drew":
            drawn[script.players[event["seat"] - 1]] += event["n"]
    assert all(drawn[name] >= n for name, n in owed.items())


def test_points_that_are_typed_in_add_up_to_the_scores(script: Script) -> None:
    typed = [i.event for i in script.inputs if isinstance(i, Tap) and isinstance(i.event, Points)]
    others = len(script.players) - 1
    total: Counter[str] = Counter()
    for number, hand in enumerate(script.truth["hands"]):
        of_hand = typed[number * others : (number + 1) * others]
        assert {e.player for e in of_hand} == set(script.players) - {hand["winner"]}
        assert sum(e.n for e in of_hand) == hand["points"]
        total[hand["winner"]] += hand["points"]
        assert hand["scores"] == {name: total[name] for name in script.players}


def test_hands_do_not_cross_at_the_piles(script: Script) -> None:
    from referee.virtual_table.script import Rest

    working = sorted(
        (a for a in script.actions if isinstance(a, Reach) and not isinstance(a, Rest)), key=lambda a: a.begin
    )
    assert all(a.end <= b.begin for a, b in zip(working, working[1:], strict=False))


def test_inputs_come_in_order_and_in_time(script: Script) -> None:
    times = [i.t for i in script.inputs]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] <= script.duration_s
    assert all(i.event.t == i.t for i in script.inputs if isinstance(i, Tap))


def test_a_flawless_evening_has_no_accusations() -> None:
    flawless = play(11, hands=3, level=Level.EASY, mistakes=NOTHING_GOES_WRONG)
    said = {r["code"] for r in flawless.truth["rulings"]}
    assert said <= {"forced_draw", "uno_ok", "hand_over", "game_over", "redraw_opening", "reshuffled"}


@pytest.mark.parametrize(
    ("mistakes", "code"),
    [
        (Mistakes(forgotten_uno=1, caught=1), "catch_ok"),
        (Mistakes(forgotten_uno=1, caught=0, caught_late=1), "catch_late"),
        (Mistakes(forgotten_uno=0, false_catch=1), "catch_safe"),
        (Mistakes(bluff=1, challenge=1), "guilty"),
        (Mistakes(bluff=0, challenge=1), "innocent"),
        (Mistakes(challenge=0, refused_challenge=1), "challenge_refused"),
        (Mistakes(illegal=0.5), "illegal_card"),
        (Mistakes(out_of_turn=0.5), "out_of_turn"),
        (Mistakes(stray_uno=0.5), "uno_void"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_mistake_can_be_asked_for(mistakes: Mistakes, code: str) -> None:
    assert any(ruled(play(seed, players=4, mistakes=mistakes, seconds=900), code) for seed in range(6))


def test_it_ends_at_the_seconds_asked_for() -> None:
    assert 30 <= play(1, hands=9, seconds=30).duration_s < 60


def test_every_level_has_habits() -> None:
    assert set(HABITS) == set(Level)


@pytest.mark.parametrize(("players", "hands"), [(1, 1), (11, 1), (4, 0)])
def test_tables_that_cannot_be_are_refused(players: int, hands: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        play(1, players=players, hands=hands)


def test_a_chance_is_a_chance() -> None:
    with pytest.raises(ValueError, match="illegal is 2"):
        Mistakes(illegal=2)
