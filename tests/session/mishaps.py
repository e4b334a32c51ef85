"""One mistake of the eye in an otherwise perfect evening: what the referee says that is not so, and what it asks.

    python tests/session/mishaps.py [EVENINGS [KIND]]    the table of figures
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from random import Random
from typing import NamedTuple

import ideal

from referee.board import seats
from referee.cards import FACES, Rank
from referee.demo.score import Verdict, score_rulings
from referee.events import Event, GameStarted, Uno
from referee.observations import CardLanded, CardReading, CardsDrawn, Sighting
from referee.rules import Position, Question, Replay, Tier
from referee.session.sightings import to_events
from referee.virtual_table import Level, play
from referee.virtual_table.script import Press, Script

Seen = list[tuple[float, Sighting]]
Answerer = Callable[[Question, Position], object]


class Mishap(NamedTuple):
    """of: which sightings it can befall; does: what becomes of the one it befalls (None: it is not seen)."""

    of: Callable[[Sighting], bool]
    does: Callable[[Sighting, Random], Sighting | None]
    players: tuple[int, ...] = (2, 3, 4, 5, 6)


def landed(*ranks: Rank) -> Callable[[Sighting], bool]:
    """A landing (of one of these ranks)."""
    return lambda one: isinstance(one, CardLanded) and (not ranks or one.reading.card.rank in ranks)  # type: ignore[union-attr]


def other_card(one: Sighting, rng: Random) -> Sighting:
    """Read as another card, as surely as any."""
    assert isinstance(one, CardLanded)
    others = [card for card in FACES if card != one.reading.card]
    return replace(one, reading=CardReading(rng.choice(others), 0.999))


def unsure(*ranks: Rank, offered: bool = True) -> Callable[[Sighting, Random], Sighting]:
    """Read as a card of one of these ranks, of the same colour where it has one, but not surely. offered: the card that
    it is stands among the alternatives."""

    def read(one: Sighting, rng: Random) -> Sighting:
        assert isinstance(one, CardLanded)
        card = one.reading.card
        assert card is not None
        like = [face for face in FACES if face.rank in ranks and face.colour in (card.colour, None) and face != card]
        best, other = rng.sample(like or [face for face in FACES if face.rank in ranks and face != card], 2)
        others = ((card, 0.38), (other, 0.02)) if offered else ((other, 0.2),)
        return replace(one, reading=CardReading(best, 0.585, others), sure=False)

    return read


def other_seat(one: Sighting, rng: Random) -> Sighting:
    assert one.seat is not None
    return replace(one, seat=one.seat % 10 + 1 if rng.random() < 0.5 else max(1, one.seat - 1))


def no_seat(one: Sighting, _: Random) -> Sighting:
    return replace(one, seat=None, seat_confidence=0.0)


NUMBERS = tuple(rank for rank in Rank if rank.is_number)
ACTIONS = (Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO)
WILDS = (Rank.WILD, Rank.WILD_DRAW_FOUR)
MISHAPS = {
    "number missed": Mishap(landed(*NUMBERS), lambda *_: None),
    "Skip missed": Mishap(landed(Rank.SKIP), lambda *_: None),
    "Reverse missed": Mishap(landed(Rank.REVERSE), lambda *_: None),
    "Draw Two missed": Mishap(landed(Rank.DRAW_TWO), lambda *_: None),
    "Wild missed": Mishap(landed(Rank.WILD), lambda *_: None),
    "Wild Draw Four missed": Mishap(landed(Rank.WILD_DRAW_FOUR), lambda *_: None),
    "Skip missed by two": Mishap(landed(Rank.SKIP), lambda *_: None, (2,)),
    "Reverse missed by two": Mishap(landed(Rank.REVERSE), lambda *_: None, (2,)),
    "card misread": Mishap(landed(), other_card),
    "unsure action as action": Mishap(landed(*ACTIONS), unsure(*ACTIONS)),
    "unsure action as number": Mishap(landed(*ACTIONS), unsure(*NUMBERS)),
    "unsure action as wild": Mishap(landed(*ACTIONS), unsure(*WILDS)),
    "unsure number as action": Mishap(landed(*NUMBERS), unsure(*ACTIONS)),
    "unsure number as number": Mishap(landed(*NUMBERS), unsure(*NUMBERS)),
    "unsure number as wild": Mishap(landed(*NUMBERS), unsure(*WILDS)),
    "unsure wild as number": Mishap(landed(*WILDS), unsure(*NUMBERS)),
    "unsure, not offered": Mishap(landed(), unsure(*NUMBERS, *ACTIONS, offered=False)),
    "card unread": Mishap(
        landed(), lambda one, _: replace(one, reading=CardReading(None, 0.0), sure=False)  # type: ignore[call-arg]
    ),
    "seat missed": Mishap(landed(), no_seat),
    "seat wrong": Mishap(landed(), other_seat),
    "draw missed": Mishap(lambda one: isinstance(one, CardsDrawn), lambda *_: None),
}
"""What may go wrong once, and with what."""


class Outcome(NamedTuple):
    """False accusations and other announcements that are not so; questions and quiet prompts that the evening without
    the mistake did not have; whether the referee knew at the end whose turn it was, as far as anybody plays on."""

    calls: tuple[str, ...]
    questions: tuple[str, ...]
    prompts: int


def run(script: Script, seen: Seen, answer: Answerer | None = None) -> tuple[Replay, dict[tuple[str, int], float]]:
    """The game as the referee follows it, and every question it put, with its time."""
    start = GameStarted(players=script.players, dealer=script.dealer, preset=script.preset)
    game = Replay()
    game.append(0, start)
    asked: dict[tuple[str, int], float] = {}
    happens: list[tuple[float, object]] = [*seen, *((one.t, one) for one in script.inputs)]
    for t, what in sorted(happens, key=lambda pair: pair[0]):
        for event in events_of(what, t, script, game):
            game.append(len(game.events) + 1000, event)
            position = game.position
            assert position is not None
            for question in position.questions:
                asked.setdefault((question.kind, question.ref), t)
    return game, asked


def events_of(what: object, t: float, script: Script, game: Replay) -> Iterator[Event]:
    """What a sighting, a press or a tap is to the game."""
    position = game.position
    assert position is not None
    if isinstance(what, Sighting):
        at = next((name for name, seat in seats(position).items() if seat == what.seat), None)
        yield from to_events(what, position, at, what.t if what.since is None else what.since, None)
    elif isinstance(what, Press):
        yield Uno(t=t, by=script.players[what.seat - 1])
    else:
        yield replace(what.event, t=t)  # type: ignore[attr-defined]


def false_calls(script: Script, game: Replay) -> list[str]:
    """Announced rulings that are not true; that a hand is over is so whenever it is said afterwards."""
    times = {number: event.t for number, event in game.events}
    said = [
        Verdict(
            times[filed.number], filed.ruling.code.value, filed.ruling.player or filed.ruling.winner,
            filed.ruling.n or None, filed.ruling.reason.value if filed.ruling.reason else None,
        )
        for filed in game.rulings
        if not filed.overruled and filed.ruling.tier is Tier.CALL
    ]  # fmt: skip
    won = {one["player"]: one["t"] for one in script.truth["rulings"] if one["code"] == "hand_over"}
    return [
        f"{wrong['code']}.{wrong['reason']}" if wrong["reason"] else wrong["code"]
        for wrong in score_rulings(script.truth["rulings"], said)["wrong_list"]
        if wrong["code"] != "hand_over" or wrong["t"] < won.get(wrong["player"], inf)
    ]


def befall(seed: int, name: str) -> Outcome | None:
    """One evening of one hand with that one mistake; None where there was no occasion for it."""
    rng = Random(f"mishap {seed} {name}")
    mishap = MISHAPS[name]
    script = play(seed, players=rng.choice(mishap.players), hands=1, level=Level.NORMAL)
    seen = list(ideal.sightings(script))
    opening = next(t for t, one in seen if isinstance(one, CardLanded))
    open_to = [place for place, (t, one) in enumerate(seen) if mishap.of(one) and t > opening]
    return struck(script, seen, mishap, rng.choice(open_to), rng) if open_to else None


def opening_missed(seed: int) -> Outcome:
    """One evening in which the first card was not seen."""
    rng = Random(f"opening {seed}")
    script = play(seed, players=rng.randrange(2, 7), hands=1, level=Level.NORMAL)
    seen = list(ideal.sightings(script))
    return struck(script, seen, Mishap(landed(), lambda *_: None), 0, rng)


def struck(script: Script, seen: Seen, mishap: Mishap, place: int, rng: Random) -> Outcome:
    usual = run(script, seen)[1]
    t, one = seen[place]
    after = mishap.does(one, rng)
    seen = [*seen[:place], *([(t, after)] if after is not None else []), *seen[place + 1 :]]
    game, asked = run(script, seen)
    before = Counter(kind for kind, _ in usual)
    more = Counter(kind for kind, _ in asked) - before
    prompts = sum(filed.ruling.tier is Tier.ASK for filed in game.rulings)
    return Outcome(tuple(false_calls(script, game)), tuple(more.elements()), prompts)


def figures(evenings: int, of: str = "") -> Iterator[tuple[str, int, float, float, float, Counter[str], Counter[str]]]:
    """Each kind whose name holds `of`: evenings, false calls, questions and prompts for each mistake; and which."""
    for name in [name for name in (*MISHAPS, "first card missed") if of in name]:
        made = [opening_missed(seed) if name.startswith("first") else befall(seed, name) for seed in range(evenings)]
        outcomes = [one for one in made if one is not None]
        calls = Counter(code for one in outcomes for code in one.calls)
        kinds = Counter(kind for one in outcomes for kind in one.questions)
        n = len(outcomes)
        yield (
            name, n, sum(calls.values()) / n, sum(kinds.values()) / n, sum(one.prompts for one in outcomes) / n,
            calls, kinds,
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evenings", nargs="?", type=int, default=100, metavar="EVENINGS", help="of each kind")
    parser.add_argument("kind", nargs="?", default="", metavar="KIND", help="only the mistakes whose name holds it")
    chosen = parser.parse_args()
    print(f"{'mistake':25}{'evenings':>9}{'false calls':>12}{'questions':>10}{'prompts':>8}   each, a mistake")
    for name, n, calls, questions, prompts, which, kinds in figures(chosen.evenings, chosen.kind):
        print(f"{name:25}{n:9}{calls:12.3f}{questions:10.2f}{prompts:8.2f}   "
              f"{dict(which.most_common(4))} {dict(kinds.most_common(4))}")  # fmt: skip


if __name__ == "__main__":
    main()
