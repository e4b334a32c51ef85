"""How fast the rules are, in CPU time of one thread.

Replay of an evening's log of 3,000 events, and moves a CPU second of random play by the rules (every move: find the
legal cards of a hand, pick one, apply it with all its rulings).
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace as with_fields

import click

from referee.cards import Card, Colour, Deck
from referee.events import Discard, Draw, Event, GameStarted, HandDealt, NameColour, Pass, Reshuffle, TurnUp, Uno
from referee.rules import Phase, Position, apply, legal_cards, replay, start

NAMES = ("Ana", "Ben", "Cy", "Dee")
PACK = [card for card, n in Deck.CLASSIC_108.copies.items() for _ in range(n)]
COLOURS = list(Colour)
BEGIN = start(GameStarted(players=NAMES, dealer="Dee"))
DISCARDS: dict[tuple[Card, str], Discard] = {
    (card, name): Discard(card=card, by=name) for card in PACK for name in NAMES
}
PASSES = {name: Pass(by=name) for name in NAMES}
DRAWS = {(name, n): Draw(by=name, n=n) for name in NAMES for n in range(1, 9)}
CALLS = {name: Uno(by=name) for name in NAMES}
NAMED = {(name, colour): NameColour(by=name, colour=colour) for name in NAMES for colour in COLOURS}
"""Events are values: equal ones are made once."""
HAND_OVER, OPENING, DRAWN = Phase.HAND_OVER, Phase.OPENING, Phase.DRAWN
MOST_MOVES = 500
"""A hand is given up after so many: random players sometimes only draw."""


def hand(rng: random.Random, log: list[Event] | None = None) -> int:
    """Plays one hand at random. Returns the number of moves; the events are appended to log."""
    draw = rng.random  # random.choice costs as much as finding the legal cards
    pack = PACK[:]
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(7)] for _ in NAMES]
    pile: list[Card] = []
    position: Position = BEGIN
    moves = 0
    while moves < MOST_MOVES:
        phase, player = position.phase, position.turn_id
        if phase is HAND_OVER:
            break
        event: Event
        if phase is OPENING:
            event = TurnUp(card=pack.pop(rng.randrange(len(pack))))
        elif position.colour is None and position.namer_id >= 0:
            event = NAMED[NAMES[position.namer_id], COLOURS[int(draw() * 4)]]
        elif position.owed or player < 0:
            due = position.owed[0]
            if len(pack) < due.n:
                pack, pile = pile, []
                rng.shuffle(pack)
                event = Reshuffle()
                if len(pack) < due.n:
                    break
            else:
                hands[due.who] += [pack.pop() for _ in range(due.n)]
                event = DRAWS[NAMES[due.who], due.n]
        else:
            name, cards = NAMES[player], hands[player]
            legal = legal_cards(position, cards)
            if legal:
                card = legal[int(draw() * len(legal))]
                if len(cards) == 2 and not position.calls:
                    event = CALLS[name]
                else:
                    cards.remove(card)
                    pile.append(card)
                    event = DISCARDS[card, name]
            elif phase is DRAWN:
                event = PASSES[name]
            elif not pack:
                pack, pile = pile, []
                rng.shuffle(pack)
                event = Reshuffle()
                if not pack:
                    break
            else:
                cards.append(pack.pop())
                event = DRAWS[name, 1]
        position, _ = apply(position, event)
        moves += 1
        if log is not None:
            log.append(event)
    return moves


def evening(rng: random.Random, events: int) -> list[tuple[int, Event]]:
    """A log of that many events, two seconds apart."""
    log: list[Event] = [GameStarted(players=NAMES, dealer="Dee")]
    while len(log) < events:
        hand(rng, log)
        log.append(HandDealt())
    return [(number, with_fields(event, t=2.0 * number)) for number, event in enumerate(log[:events])]


def measure(hands: int, events: int) -> dict[str, float]:
    """All figures of one run, by name."""
    rng = random.Random(7)
    log = evening(rng, events)
    times = []
    for _ in range(9):
        began = time.process_time()
        replay(log)
        times.append(time.process_time() - began)
    began = time.process_time()
    moves = sum(hand(rng) for _ in range(hands))
    spent = time.process_time() - began
    return {
        "events": events,
        "replay_ms": round(min(times) * 1000, 1),
        "replay_median_ms": round(sorted(times)[4] * 1000, 1),
        "moves": moves,
        "moves_per_cpu_s": round(moves / spent),
    }


@click.command(name="rules")
@click.option("--hands", default=300, show_default=True, help="Hands of random play.")
@click.option("--events", default=3000, show_default=True, help="Events in the log that is replayed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(hands: int, events: int, as_json: bool) -> None:
    """Measure the rules: replay of an evening's log, and random play."""
    found = measure(hands, events)
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name:24}{value:,}")
