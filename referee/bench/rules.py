"""How fast the rules are, in CPU time of one thread.

Replay of an evening's log of 3,000 events, edits of it, and moves a CPU second of random play by the rules (every move:
find the legal cards of a hand, pick one, apply it with all its rulings).

What else a machine does slows CPU time too, by shared caches and clocks, from one tenth of a second to the next. So
everything is measured in many short rounds by turns with RLCard's game, where it is installed: each figure is the
median over the rounds, and those that compare are medians of what was found within one round, with their quartiles.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace as with_fields
from statistics import median, quantiles

import click

from referee.cards import Card, Colour, Deck
from referee.events import (
    Correct,
    Discard,
    Draw,
    Event,
    GameStarted,
    HandDealt,
    NameColour,
    Pass,
    Reshuffle,
    TurnUp,
    Undo,
    Uno,
)
from referee.rules import Phase, Position, apply, legal_cards, replay, start

NAMES = ("Ana", "Ben", "Cy", "Dee")
PACK = [card for card, n in Deck.CLASSIC_108.copies.items() for _ in range(n)]
COLOURS = list(Colour)
BEGIN = start(GameStarted(players=NAMES, dealer="Dee"))
DISCARDS = [{card: Discard(card=card, by=name) for card in PACK} for name in NAMES]
PASSES = [Pass(by=name) for name in NAMES]
DRAWS = [[Draw(by=name, n=n) for n in range(9)] for name in NAMES]
CALLS = [Uno(by=name) for name in NAMES]
NAMED = [[NameColour(by=name, colour=colour) for colour in COLOURS] for name in NAMES]
"""Events are values: equal ones are made once. By the player's place in NAMES; draws by their number of cards."""
HAND_OVER, OPENING, DRAWN = Phase.HAND_OVER, Phase.OPENING, Phase.DRAWN
ROUND_HANDS = 10
"""Hands in a round. Too few: a round is over before the clock has ticked enough; too many: the machine changes within
a round."""
LATE = 40
"""A late edit is about what happened so many events ago."""
MOST_MOVES = 500
"""A hand is given up after so many: random players sometimes only draw."""


def hand(rng: random.Random, position: Position, log: list[Event] | None = None) -> tuple[int, Position]:
    """Plays one hand at random from its deal. Returns its moves and its end; the events are appended to log."""
    draw = rng.random  # random.choice costs as much as finding the legal cards
    pack = PACK[:]  # never shuffled: each card is taken from a random place
    hands = [[pack.pop(int(draw() * len(pack))) for _ in range(7)] for _ in NAMES]
    pile: list[Card] = []
    moves = 0
    while moves < MOST_MOVES:
        phase, player = position.phase, position.turn_id
        if phase is HAND_OVER:
            break
        event: Event
        if phase is OPENING:
            event = TurnUp(card=pack.pop(int(draw() * len(pack))))
        elif position.colour is None and position.namer_id >= 0:
            event = NAMED[position.namer_id][int(draw() * 4)]
        elif position.owed or player < 0:
            due = position.owed[0]
            if len(pack) < due.n:
                pack, pile = pile, []
                event = Reshuffle()
                if len(pack) < due.n:
                    break
            else:
                hands[due.who] += [pack.pop(int(draw() * len(pack))) for _ in range(due.n)]
                event = DRAWS[due.who][due.n]
        else:
            cards = hands[player]
            legal = legal_cards(position, cards)
            if legal:
                card = legal[int(draw() * len(legal))]
                if len(cards) == 2 and not position.calls:
                    event = CALLS[player]
                else:
                    cards.remove(card)
                    pile.append(card)
                    event = DISCARDS[player][card]
            elif phase is DRAWN:
                event = PASSES[player]
            elif not pack:
                pack, pile = pile, []
                event = Reshuffle()
                if not pack:
                    break
            else:
                cards.append(pack.pop(int(draw() * len(pack))))
                event = DRAWS[player][1]
        position, _ = apply(position, event)
        moves += 1
        if log is not None:
            log.append(event)
    return moves, position


def evening(rng: random.Random, events: int) -> list[tuple[int, Event]]:
    """A log of that many events, two seconds apart."""
    log: list[Event] = [GameStarted(players=NAMES, dealer="Dee")]
    position = BEGIN
    while len(log) < events:
        _, position = hand(rng, position, log)
        log.append(HandDealt())
        position, _ = apply(position, HandDealt())
    return [(number, with_fields(event, t=2.0 * number)) for number, event in enumerate(log[:events])]


def edits(log: list[tuple[int, Event]]) -> dict[str, float]:
    """Milliseconds of what is done to a log of that length: an undo of the last card, a correction near its end, a card
    put in late near its end, and a correction of its first card, which judges everything again."""
    last, late, first = (
        next(number for number, event in entries if isinstance(event, Discard))
        for entries in (reversed(log), reversed(log[:-LATE]), log)
    )
    t = log[-1][1].t + 1
    after = log[-LATE][1].t + 0.5
    acts: dict[str, Event] = {
        "undo_ms": Undo(t=t, ref=last),
        "correct_late_ms": Correct(t=t, ref=late, fields={"card": "R7"}),
        "insert_late_ms": Draw(t=after, by=NAMES[0]),
        "correct_first_ms": Correct(t=t, ref=first, fields={"card": "R7"}),
    }
    found = {}
    for name, event in acts.items():
        times = []
        for _ in range(3):
            game = replay(log)
            began = time.process_time()
            game.append(len(log) + 1, event)
            times.append(time.process_time() - began)
        found[name] = round(min(times) * 1000, 2)
    return found


def reference() -> Callable[[int], float] | None:
    """Moves a CPU second of the same random play, over so many hands, with RLCard's UNO game and four players; None
    where it is not installed (`pip install rlcard`). It knows fewer rules, judges nothing, and changes its state in
    place."""
    try:
        from rlcard.games.uno import Game
    except ImportError:
        return None
    draw = random.Random(7).random
    game = Game(num_players=len(NAMES))
    game.np_random.seed(7)

    def rate(hands: int) -> float:
        moves = 0
        began = time.process_time()
        for _ in range(hands):
            state, _ = game.init_game()
            for _ in range(MOST_MOVES):
                if game.is_over():
                    break
                legal = state["legal_actions"]
                state, _ = game.step(legal[int(draw() * len(legal))])
                moves += 1
        return moves / (time.process_time() - began)

    return rate


def play(rng: random.Random, hands: int) -> float:
    """Moves a CPU second over so many hands."""
    began = time.process_time()
    moves = sum(hand(rng, BEGIN)[0] for _ in range(hands))
    return moves / (time.process_time() - began)


def replay_s(log: list[tuple[int, Event]]) -> float:
    """CPU seconds of a replay."""
    began = time.process_time()
    replay(log)
    return time.process_time() - began


def measure(rounds: int, events: int) -> dict[str, float | None]:
    """All figures of one run, by name."""
    log = evening(random.Random(7), events)
    rng, rlcard = random.Random(7), reference()
    ours, theirs, replays = [], [], []
    for _ in range(rounds):
        ours.append(play(rng, ROUND_HANDS))
        if rlcard is not None:
            theirs.append(rlcard(ROUND_HANDS))
        replays.append(replay_s(log))
    found: dict[str, float | None] = {
        "rounds": rounds,
        "events": len(log),
        "replay_ms": round(median(replays) * 1000, 1),
        "replay_best_ms": round(min(replays) * 1000, 1),
        **edits(log),
        "moves_per_cpu_s": round(median(ours)),
        "moves_per_cpu_s_best": round(max(ours)),
    }
    if not theirs:
        return {**found, **dict.fromkeys(BESIDE)}
    times = [one / other for one, other in zip(ours, theirs, strict=True)]
    moves = [replay * other for replay, other in zip(replays, theirs, strict=True)]
    low, middle, high = quantiles(times, n=4) if len(times) > 1 else times * 3
    figures = (round(median(theirs)), round(middle, 2), round(low, 2), round(high, 2), round(median(moves)))
    return {**found, **dict(zip(BESIDE, figures, strict=True))}


BESIDE = ("rlcard_moves_per_cpu_s", "times_rlcard", "times_rlcard_low", "times_rlcard_high", "replay_in_rlcard_moves")
"""Figures beside RLCard: its moves a CPU second, how many times as many ours are, with the quartiles of that, and how
many moves RLCard makes while the log is replayed."""


@click.command(name="rules")
@click.option("--rounds", default=60, show_default=True, help="Short rounds of random play and of a replay, by turns.")
@click.option("--events", default=3000, show_default=True, help="Events in the log that is replayed, 200 or more.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(rounds: int, events: int, as_json: bool) -> None:
    """Measure the rules: replay and edits of an evening's log, and random play beside RLCard where it is installed."""
    found = measure(max(1, rounds), max(200, events))
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        shown = "not measured: pip install rlcard" if value is None else f"{value:,}"
        click.echo(f"{name:24}{shown}")
