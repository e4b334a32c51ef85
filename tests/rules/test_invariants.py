"""The twelve invariants of RULES 14, over random and adversarial logs.

Every test runs a few hundred logs; with REFEREE_LONG=1200 each runs 1,200, ten thousand and more together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace as with_fields

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tables_of_events import adversarial_logs, cards, events, games

from referee.cards import Card
from referee.events import Answer, Correct, Discard, Draw, Event, GameStarted, Override, Pass, TurnUp, Undo
from referee.rules import Code, Phase, Position, Reason, Ruling, Tier, apply, can_play, replay, start, why_not
from referee.rules.position import URGENCY

LOGS = int(os.environ["REFEREE_LONG"]) if os.environ.get("REFEREE_LONG") else 40
rules = settings(max_examples=LOGS, deadline=None, suppress_health_check=list(HealthCheck), derandomize=LOGS < 100)


def run(log: Iterable[tuple[int, Event]]) -> tuple[list[Position], list[Ruling]]:
    """Every position and ruling of a log without events about events."""
    positions: list[Position] = []
    rulings: list[Ruling] = []
    for number, event in log:
        if not positions:
            assert isinstance(event, GameStarted)
            positions.append(start(event, number))
            continue
        position, said = apply(positions[-1], event, number)
        positions.append(position)
        rulings += said
    return positions, rulings


@rules
@given(adversarial_logs())
def test_nothing_raises_and_every_position_is_sound(log: list[tuple[int, Event]]) -> None:
    positions, rulings = run(log)
    for position in positions:
        sound(position)
    for ruling in rulings:
        assert isinstance(ruling.code, Code)
        if ruling.code in (Code.PENALTY, Code.FORCED_DRAW):
            assert ruling.n > 0
            assert isinstance(ruling.reason, Reason)


def sound(position: Position) -> None:
    """Invariants 2, 5, 6 and what the phases promise."""
    if position.phase in (Phase.TURN, Phase.DRAWN):
        assert position.turn in position.players
    if position.phase in (Phase.OPENING, Phase.HAND_OVER, Phase.SCORED):
        assert position.turn is None
    assert (position.wrong is not None) == (position.phase is Phase.TAKEBACK)
    assert (position.phase in (Phase.WD4, Phase.CHALLENGE)) <= (position.wild4 is not None)
    assert all(due.n > 0 and due.player in position.players for due in position.dues)
    assert position.pending >= 0
    for count in position.hands.values():
        assert 0 <= count.lo <= count.best <= count.hi
    assert all(position.hands[name].best == 1 for name in position.exposed)
    house = position.options
    if house.uno_window != "until_called" and house.jump_in == "off" and not house.seven_zero:
        certain = [n for n, count in position.hands.items() if n in position.exposed and count.lo == count.hi]
        assert len(certain) <= 1 or position.loose.rivals is not None or house.multi_play != "off"
    assert all(question.kind in URGENCY for question in position.questions)


@rules
@given(adversarial_logs())
def test_a_replay_is_the_same_game_in_any_order_of_arrival(log: list[tuple[int, Event]]) -> None:
    once, again = replay(log), replay(reversed(log))
    assert once.position == again.position
    assert once.rulings == again.rulings


@rules
@given(adversarial_logs(longest=20))
def test_a_replay_that_follows_is_the_replay_from_the_start(log: list[tuple[int, Event]]) -> None:
    """Invariant 3, and the positions that are kept on the way."""
    game = replay(log)
    fresh = replay([])
    for number, event in log:
        fresh.append(number, event)
    assert fresh.position == game.position
    plain = [(number, event) for number, event in log if not isinstance(event, Correct | Undo | Override | Answer)]
    positions, rulings = run(plain)
    followed = replay(plain)
    if not any(event.ev in ("colour", "target") for _, event in plain):
        assert followed.position == positions[-1]
        assert [filed.ruling for filed in followed.rulings] == rulings


@rules
@given(adversarial_logs(longest=15), st.integers(2, 16))
def test_undo_and_redo_give_the_same_game(log: list[tuple[int, Event]], place: int) -> None:
    """Invariant 3: undoing any event and undoing the undo changes nothing."""
    game = replay(log)
    before, rulings = game.position, list(game.rulings)
    ref = min(place, len(log) - 1)
    t = log[-1][1].t
    game.append(900, Undo(t=t, ref=ref))
    game.append(901, Undo(t=t, ref=900))
    assert game.position == before
    assert game.rulings == rulings


@rules
@given(adversarial_logs(longest=15), cards, st.integers(0, 4))
def test_can_play_agrees_with_the_verdict(log: list[tuple[int, Event]], card: Card, seat: int) -> None:
    """Invariant 4."""
    position = run(log)[0][-1]
    player = position.players[seat % len(position.players)]
    if position.phase in (Phase.OPENING, Phase.HAND_OVER, Phase.SCORED, Phase.GAME_OVER) or position.paused:
        return
    why = why_not(position, card, player)
    after, said = apply(position, Discard(t=position.t, card=card, by=player))
    refused = [ruling for ruling in said if ruling.code in (Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST)]
    mine = after.wrong is not None and after.wrong.ref == after.number
    assert mine == bool(refused and refused[-1].player == player and mine)
    if can_play(position, card, player):
        assert not mine
    if mine:
        assert why is not None
        assert refused
        assert why.code is refused[-1].code


@rules
@given(adversarial_logs(longest=20))
def test_a_reading_that_is_not_sure_never_leads_to_a_call(log: list[tuple[int, Event]]) -> None:
    position = run(log[:1])[0][0]
    for number, event in log[1:]:
        if isinstance(event, Discard):
            event = with_fields(event, sure=False)
        position, said = apply(position, event, number)
        if isinstance(event, Discard):
            accused = (Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST)
            assert all(ruling.tier is not Tier.CALL for ruling in said if ruling.code in accused and not stood(said))


def stood(said: Iterable[Ruling]) -> bool:
    return any(ruling.code is Code.PLAY_STANDS for ruling in said)


@rules
@given(games(), st.integers(0, 400), cards)
def test_draws_and_passes_never_end_a_hand(game: GameStarted, n: int, first: Card) -> None:
    """Invariant 8."""
    position = start(game)
    position, _ = apply(position, TurnUp(t=0.0, card=first))
    for k in range(n % 60):
        event: Event = Draw(t=float(k), by=position.turn, n=1) if k % 2 else Pass(t=float(k), by=position.turn)
        position, said = apply(position, event)
        assert position.phase is not Phase.HAND_OVER
        assert all(ruling.code is not Code.HAND_OVER for ruling in said)


@rules
@given(adversarial_logs(longest=25), st.sampled_from((0.5, 1.0, 64.0)))
def test_a_time_shift_changes_nothing(log: list[tuple[int, Event]], shift: float) -> None:
    """Invariant 12."""
    later = [(number, with_fields(event, t=event.t + shift * 8)) for number, event in log]
    assert [said._replace() for said in run(log)[1]] == run(later)[1]


@rules
@given(games(), st.data(), st.sampled_from(("winner_takes", "cumulative_low", "elimination", "none")))
def test_scoring_never_changes_a_turn(game: GameStarted, data: st.DataObject, scoring: str) -> None:
    """Invariant 11."""
    other = with_fields(game, options={**game.options, "scoring": scoring})
    one, two = start(game), start(other)
    for number in range(1, 15):
        event = data.draw(events(game.players, float(number), number))
        if event.ev in ("hand_dealt", "points", "show", "turn_up", "join", "leave"):
            continue
        one, two = apply(one, event, number)[0], apply(two, event, number)[0]
        if one.phase is Phase.HAND_OVER:
            return
        assert (one.turn, one.phase, one.colour) == (two.turn, two.phase, two.colour)
