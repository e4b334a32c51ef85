"""The twelve invariants of RULES 14, each with the sentence it is about, over random and adversarial logs.

Real cards at an honest table are in `test_honest_table.py` (1, 3, 4, 9 again), the state table in `test_states.py`.

Each property runs a few dozen logs, in seconds. The long form runs N logs for each, so that `REFEREE_LONG=1200` is more
than ten thousand altogether and takes about half an hour:

    REFEREE_LONG=1200 pytest tests/rules/test_invariants.py tests/rules/test_honest_table.py tests/rules/test_states.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace as with_fields
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tables_of_events import LONG, adversarial_logs, cards, colours, events, games, shuffled_logs, two_player_logs

from referee.cards import Card, Colour, Deck, Rank
from referee.events import (
    Answer,
    Begin,
    Catch,
    Correct,
    Discard,
    Draw,
    Event,
    GameStarted,
    Override,
    Pass,
    Points,
    Show,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import OPTIONS, Code, Phase, Position, Reason, Ruling, Tier, apply, can_play, replay, start, why_not
from referee.rules.position import URGENCY
from referee.rules.scoring import card_points
from referee.rules.tournaments import HANDS_PER_ROUND, SCHEDULES, seats

rules = settings(max_examples=LONG or 40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=not LONG)
ACCUSED = (Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST)
OVER = (Phase.OPENING, Phase.HAND_OVER, Phase.SCORED, Phase.GAME_OVER)


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


# --- 1 --------------------------------------------------------------------------------------------------------------


@rules
@given(adversarial_logs(sane=True))
def test_1_hands_discards_and_draw_pile_are_the_deck(log: list[tuple[int, Event]]) -> None:
    """Sum of known hand counts, discard and draw pile equals the deck (when all counts are exact)."""
    for position in run(log)[0]:
        exact = all(count.lo == count.hi for count in position.hands.values())
        if position.draw_pile and exact and not position.questions and position.phase not in OVER:
            held = sum(count.best for count in position.hands.values())
            lying = position.laid + (position.wrong is not None)
            assert held + lying + position.draw_pile == Deck(position.options.deck).size


# --- 2 --------------------------------------------------------------------------------------------------------------


@rules
@given(adversarial_logs())
def test_2_one_player_is_in_turn_and_is_still_playing(log: list[tuple[int, Event]]) -> None:
    """Exactly one player in turn in `turn`/`drawn`; never one who has left or is eliminated."""
    for position in run(log)[0]:
        if position.phase in (Phase.TURN, Phase.DRAWN):
            assert position.turn in position.players
            assert position.turn_id not in position.tally.out
        if position.phase in OVER:
            assert position.turn is None


# --- 3 --------------------------------------------------------------------------------------------------------------


@rules
@given(shuffled_logs())
def test_3_a_replay_is_the_same_game_in_any_order_of_arrival(log: list[tuple[int, Event]]) -> None:
    """Replaying a log gives the identical position, whatever order its entries arrive in."""
    once, again = replay(log), replay(reversed(log))
    assert once.position == again.position
    assert once.rulings == again.rulings


@rules
@given(adversarial_logs(longest=20))
def test_3_a_replay_that_follows_is_the_replay_from_the_start(log: list[tuple[int, Event]]) -> None:
    """Going on with one more event is replaying with one more event, and is applying one after the other."""
    game = replay(log)
    fresh = replay([])
    for number, event in log:
        fresh.append(number, event)
    assert fresh.position == game.position
    plain = [(number, event) for number, event in log if not isinstance(event, Correct | Undo | Override | Answer)]
    positions, rulings = run(plain)
    followed = replay(plain)
    named = all(getattr(event, "confidence", 1.0) == 1.0 for _, event in plain)  # else what follows may tell the card
    if named and not any(event.ev in ("colour", "target") for _, event in plain):
        assert followed.position == positions[-1]
        assert [filed.ruling for filed in followed.rulings] == rulings


@rules
@given(adversarial_logs(longest=15), st.integers(2, 16), st.integers(1, 5))
def test_3_undoing_and_redoing_any_suffix_gives_the_same_game(
    log: list[tuple[int, Event]], place: int, many: int
) -> None:
    """Undoing any suffix of the log, and undoing the undoing, changes nothing."""
    game = replay(log)
    before, rulings = game.position, list(game.rulings)
    t = max(event.t for _, event in log)
    suffix = [number for number, _ in log[place : place + many]] or [log[-1][0]]
    suffix = [number for number in suffix if number > 1]
    for k, ref in enumerate(reversed(suffix)):
        game.append(900 + k, Undo(t=t, ref=ref))
    for k in reversed(range(len(suffix))):
        game.append(950 + k, Undo(t=t, ref=900 + k))
    assert game.position == before
    assert game.rulings == rulings


# --- 4 --------------------------------------------------------------------------------------------------------------


@rules
@given(adversarial_logs(longest=15), cards, st.integers(0, 4))
def test_4_can_play_agrees_with_the_verdict(log: list[tuple[int, Event]], card: Card, seat: int) -> None:
    """`can_play` agrees with the verdict of playing: a ruling, or the question whose turn it is (RULES 9)."""
    position = run(log)[0][-1]
    player = position.players[seat % len(position.players)]
    if position.phase in OVER or position.paused:
        return
    why = why_not(position, card, player)
    after, said = apply(position, Discard(t=position.t, card=card, by=player))
    refused = [ruling for ruling in said if ruling.code in ACCUSED]
    mine = after.wrong is not None and after.wrong.ref == after.number
    if can_play(position, card, player):
        assert not mine
    if mine:
        assert why is not None
        if refused:
            assert (refused[-1].player, refused[-1].code) == (player, why.code)
        else:
            assert why.code is Code.OUT_OF_TURN
            assert any(question.kind == "whose_turn" for question in after.questions)


# --- 5 --------------------------------------------------------------------------------------------------------------


@rules
@given(adversarial_logs())
def test_5_every_debt_has_a_reason_and_is_more_than_nothing(log: list[tuple[int, Event]]) -> None:
    """A debt is created only with a reason listed in 11 and never becomes negative."""
    positions, rulings = run(log)
    for ruling in rulings:
        if ruling.code in (Code.PENALTY, Code.FORCED_DRAW):
            assert ruling.n > 0
            assert isinstance(ruling.reason, Reason)
    for before, after in zip(positions, positions[1:], strict=False):
        assert all(due.n > 0 and due.player in after.players for due in after.dues)
        assert after.pending >= 0
        new = Counter(after.owed) - Counter(before.owed)
        grown = {owed.who for owed in new if not any(old.ref == owed.ref and old.n > owed.n for old in before.owed)}
        told = {after.setup.ids[ruling.player] for ruling in rulings if ruling.n and ruling.player in after.setup.ids}
        assert grown <= told


# --- 6 --------------------------------------------------------------------------------------------------------------


@rules
@given(adversarial_logs())
def test_6_at_most_one_player_is_exposed_and_holds_one_card(log: list[tuple[int, Event]]) -> None:
    """At most one exposed player (without seven-zero and jump-in); the exposed player holds one card."""
    for position in run(log)[0]:
        assert all(position.hands[name].best == 1 for name in position.exposed)
        house = position.options
        if house.uno_window != "until_called" and house.jump_in == "off" and not house.seven_zero:
            certain = [n for n, count in position.hands.items() if n in position.exposed and count.lo == count.hi]
            assert len(certain) <= 1 or position.loose.rivals is not None or house.multi_play != "off"


# --- 7 --------------------------------------------------------------------------------------------------------------


@rules
@given(
    st.integers(3, 10),
    st.data(),
    colours,
    colours,
    st.sampled_from((1, -1)),
    st.sampled_from(("off", "any", "same_type")),
)
def test_7_two_reverses_cancel(
    n: int, data: st.DataObject, one: Colour, other: Colour, direction: int, stacking: str
) -> None:
    """Two Reverses cancel (n >= 3)."""
    names = tuple("ABCDEFGHIJ"[:n])
    turn = data.draw(st.sampled_from(names))
    top = Card(Rank.REVERSE, one)
    options = {"stacking": stacking, "uno_window": data.draw(st.sampled_from(OPTIONS["uno_window"].words))}
    game = GameStarted(
        players=names,
        dealer="A",
        options=options,
        turn=turn,
        top=top,
        direction=direction,
        hands=dict.fromkeys(names, 5),
    )
    position = start(game)
    for k, colour in enumerate((one, other)):
        position, said = apply(position, Discard(t=5.0 + 5 * k, card=Card(Rank.REVERSE, colour), by=position.turn))
        assert not said
    assert (position.turn, position.direction) == (turn, direction)


@rules
@given(two_player_logs())
def test_7_with_two_players_the_direction_never_matters(log: list[tuple[int, Event]]) -> None:
    """In two-player games direction never matters for who plays next (`acts_as_skip`)."""
    game = log[0][1]
    assert isinstance(game, GameStarted)
    right, left = run(log)[0], run([(0, with_fields(game, direction=-1)), *log[1:]])[0]
    for one, two in zip(right, left, strict=True):
        assert (one.turn, one.phase, one.hands, one.dues, one.pending) == (
            two.turn,
            two.phase,
            two.hands,
            two.dues,
            two.pending,
        )


# --- 8 --------------------------------------------------------------------------------------------------------------


@rules
@given(games(), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 3)), max_size=120), cards)
def test_8_draws_and_passes_never_end_a_hand(game: GameStarted, acts: list[tuple[int, int, int]], first: Card) -> None:
    """With any options, an endless stream of draws and passes never raises, and the hand ends only by `hand_over`."""
    position = start(game)
    position, _ = apply(position, TurnUp(t=0.0, card=first))
    for k, (kind, who, n) in enumerate(acts):
        by = (position.turn, *game.players, None)[who % (len(game.players) + 2)] if kind == 2 else position.turn
        event: Event = Draw(t=float(k), by=by, n=n or None) if kind else Pass(t=float(k), by=by)
        position, said = apply(position, event)
        assert position.phase is not Phase.HAND_OVER
        assert all(ruling.code is not Code.HAND_OVER for ruling in said)


@rules
@given(adversarial_logs())
def test_8_the_hand_ends_only_by_a_ruling_that_says_so(log: list[tuple[int, Event]]) -> None:
    """Whatever happens, `hand_over` the phase comes with `hand_over` the ruling."""
    position = run(log[:1])[0][0]
    for number, event in log[1:]:
        before, (position, said) = position, apply(position, event, number)
        if position.phase is Phase.HAND_OVER and before.phase not in (*OVER[1:],):
            assert any(ruling.code is Code.HAND_OVER for ruling in said)


# --- 9 --------------------------------------------------------------------------------------------------------------


@rules
@given(st.integers(2, 6), st.data(), st.sampled_from(("winner_takes", "cumulative_low", "elimination", "none")))
def test_9_points_of_a_hand(n: int, data: st.DataObject, scoring: str) -> None:
    """Points of a hand: winner_takes adds exactly the sum of the other hands; totals never fall."""
    names = tuple("ABCDEF"[:n])
    had = {name: data.draw(st.integers(0, 400)) for name in names}
    options = {"scoring": scoring, "deck": data.draw(st.sampled_from(OPTIONS["deck"].words))}
    game = GameStarted(
        players=names, dealer="A", options=options, turn="A", top=Card.parse("R8"), scores=had, hands={"A": 1}
    )
    position, _ = apply(start(game), Discard(t=5.0, card=Card.parse("R3"), by="A"))
    worth = {"A": 0}
    for k, name in enumerate(names[1:]):
        held = tuple(data.draw(st.lists(cards, max_size=9)))
        worth[name] = sum(card_points(position.options, card) for card in held)
        show = data.draw(st.booleans())
        t = 10.0 + k
        shown = Show(t=t, by=name, cards=held) if show else Points(t=t, player=name, n=worth[name])
        position, _ = apply(position, shown)
    assert scoring == "none" or position.phase in (Phase.SCORED, Phase.GAME_OVER)
    gained = {name: position.scores[name] - had[name] for name in names}
    if scoring == "winner_takes":
        assert gained == {name: sum(worth.values()) if name == "A" else 0 for name in names}
    else:
        assert gained == (dict.fromkeys(names, 0) if scoring == "none" else worth)


@rules
@given(adversarial_logs(longest=40))
def test_9_totals_never_fall(log: list[tuple[int, Event]]) -> None:
    """Totals never fall; only hands put right after they were counted (typed or shown again) may lower them."""
    positions = run(log)[0]
    for (_, event), before, after in zip(log[1:], positions, positions[1:], strict=False):
        if not isinstance(event, Points | Show | GameStarted):
            assert all(after.scores[name] >= n for name, n in before.scores.items())


# --- 10 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCHEDULES)
def test_10_rotations(name: str) -> None:
    """Rotations: each pair partners the stated number of times, everybody plays every hand."""
    rounds = SCHEDULES[name]
    players = 4 if name == "four_player_12_hands" else 8
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables in rounds:
        assert sorted(player for table in tables for pair in table for player in pair) == list(range(1, players + 1))
        for one, other in tables:
            partners.update((frozenset(one), frozenset(other)))
            opponents.update(frozenset((a, b)) for a in one for b in other)
            a, b, c, d = seats((one, other))
            assert {frozenset((a, c)), frozenset((b, d))} == {frozenset(one), frozenset(other)}
    pairs = [frozenset(pair) for pair in combinations(range(1, players + 1), 2)]
    assert partners == Counter(dict.fromkeys(pairs, 1))
    assert opponents == Counter(dict.fromkeys(pairs, 2))
    assert len(rounds) * HANDS_PER_ROUND == int(name.split("_")[2])


# --- 11 -------------------------------------------------------------------------------------------------------------


@rules
@given(
    games(),
    st.data(),
    st.sampled_from(("winner_takes", "cumulative_low", "elimination", "none")),
    st.integers(1, 900),
    st.sampled_from(("to_target", "single_hand")),
    st.integers(0, 90),
)
def test_11_scoring_never_changes_a_turn(
    game: GameStarted, data: st.DataObject, scoring: str, target: int, duel: str, special: int
) -> None:
    """Options from unrelated groups do not interact: changing scoring never changes a turn."""
    changed = {"scoring": scoring, "target": target, "final_duel": duel, "special_wild_points": special}
    one, two = start(game), start(with_fields(game, options={**game.options, **changed}))
    for number in range(1, 15):
        event = data.draw(events(game.players, float(number), number))
        if event.ev in ("hand_dealt", "points", "show", "join", "leave"):
            continue
        one, two = apply(one, event, number)[0], apply(two, event, number)[0]
        if one.phase is Phase.HAND_OVER:
            return
        assert (one.turn, one.phase, one.colour, one.dues) == (two.turn, two.phase, two.colour, two.dues)


# --- 12 -------------------------------------------------------------------------------------------------------------


@rules
@given(adversarial_logs(longest=25), st.sampled_from((0.5, 1.0, 64.0)))
def test_12_a_time_shift_changes_nothing(log: list[tuple[int, Event]], shift: float) -> None:
    """Time shift of a whole log changes nothing."""
    later = [(number, with_fields(event, t=event.t + shift * 8)) for number, event in log]
    assert [said._replace() for said in run(log)[1]] == run(later)[1]


def rivals(kinds: tuple[str, str], gap: float, options: dict[str, object]) -> Position:
    """A is left with one card; then two acts, so many seconds apart."""
    hands = {"A": 2, "B": 5, "C": 5}
    game = GameStarted(
        players=tuple(hands), dealer="A", options=options, turn="A", top=Card.parse("R8"), hands=hands
    )
    position, _ = apply(start(game), Discard(t=2.0, card=Card.parse("R3"), by="A"))
    for t, kind in zip((4.0, 4.0 + gap), kinds, strict=True):
        acts: dict[str, Event] = {
            "call": Uno(t=t, by="A"),
            "catch": Catch(t=t, by="C", on="A"),
            "card": Discard(t=t, card=Card.parse("R4"), by="B"),
            "draw": Draw(t=t, by="B", n=1),
            "begin": Begin(t=t, by="B"),
        }
        position, _ = apply(position, acts[kind])
    return position


@pytest.mark.parametrize("autocatch", [False, True])
@pytest.mark.parametrize("window", ["next_player_begins", "next_player_acts_or_touches", "next_card_played"])
def test_12_rivals_within_a_photo_finish_change_at_most_a_question(window: str, autocatch: bool) -> None:
    """Swapping two events closer than `photo_finish_s` changes at most a question: nobody owes more for it."""
    options: dict[str, object] = {"uno_window": window, "uno_autocatch": autocatch}
    unlike = []
    for one, other in combinations(("call", "catch", "card", "draw", "begin"), 2):
        for gap in (0.0, 0.1, 0.2) if {one, other} & {"call", "catch"} else ():
            this, that = rivals((one, other), gap, options), rivals((other, one), gap, options)
            if (this.dues, this.turn, this.hands) != (that.dues, that.turn, that.hands):
                unlike.append(f"{one}, {gap} s, {other}: {this.dues} and {that.dues}")
    assert not unlike, "\n".join(unlike)


# --- and what they all rest on --------------------------------------------------------------------------------------


@rules
@given(shuffled_logs(strangers=True))
def test_a_stream_of_events_never_raises(log: list[tuple[int, Event]]) -> None:
    """Duplicates, shuffled times, absurd counts, unknown players: every position on the way is sound."""
    positions, rulings = run(log)
    for position in positions:
        sound(position)
    assert all(isinstance(ruling.code, Code) for ruling in rulings)
    game = replay([*log, *((number + 500, event) for number, event in log)])
    if game.position is not None:
        sound(game.position)


def sound(position: Position) -> None:
    """What the phases promise."""
    assert (position.wrong is not None) == (position.phase is Phase.TAKEBACK)
    beneath = position.phase if position.wrong is None else position.wrong.phase
    assert (beneath in (Phase.WD4, Phase.CHALLENGE)) == (position.wild4 is not None)
    assert (beneath is Phase.CHOOSE_TARGET) == (position.target_id >= 0)
    assert beneath is not Phase.TAKEBACK
    assert all(0 <= count.lo <= count.best <= count.hi for count in position.hands.values())
    assert all(question.kind in URGENCY for question in position.questions)
    assert len(position.players) >= 1


@rules
@given(adversarial_logs(longest=20))
def test_a_reading_that_is_not_sure_never_leads_to_a_call(log: list[tuple[int, Event]]) -> None:
    """RULES 7, 12: an unsure reading is asked about."""
    position = run(log[:1])[0][0]
    for number, event in log[1:]:
        if isinstance(event, Discard):
            event = with_fields(event, sure=False)
        position, said = apply(position, event, number)
        if isinstance(event, Discard) and not any(ruling.code is Code.PLAY_STANDS for ruling in said):
            assert all(ruling.tier is not Tier.CALL for ruling in said if ruling.code in ACCUSED)
