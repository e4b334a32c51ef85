"""The table's own small account of the rules and `referee.rules` say the same, when the eye is perfect."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.cards import Card
from referee.events import Discard, Draw, Event, GameStarted, Lift, Reshuffle, ReturnOpening, TurnUp, Uno
from referee.rules import Code, Reason, replay
from referee.virtual_table import Level, Mistakes, Press, Script, play
from referee.virtual_table.customs import CUSTOMS

ERRING = Mistakes(
    illegal=0.1, out_of_turn=0.03, forgotten_uno=0.5, caught=0.5, caught_late=0.7, false_catch=0.2, stray_uno=0.02,
    bluff=0.4, challenge=0.5, refused_challenge=0.3, renege=0.05, suggestion=0.05,
)  # fmt: skip

Said = tuple[float, str, str | None, int, str | None]


def seen_perfectly(script: Script) -> list[Event]:
    """What a perfect eye, the buttons and the phones report."""
    log: list[Event] = [GameStarted(players=script.players, dealer=script.dealer, preset=script.preset)]
    opening = False
    for e in script.truth["events"]:
        t = e["t"]
        by = script.players[e["seat"] - 1] if "seat" in e else None
        if e["event"] == "landed":
            opening = "turn_up" in e
            card = Card.parse(e["card"])
            log.append(TurnUp(t=t, card=card) if opening else Discard(t=t, card=card, by=by))
        elif e["event"] == "removed":
            log.append(ReturnOpening(t=t) if opening else Lift(t=t, card=Card.parse(e["card"]), by=by))
        elif e["event"] == "drew":
            log.append(Draw(t=t, by=by, n=e["n"]))
        elif e["event"] == "pile_taken" and e["top"] is not None:
            log.append(Reshuffle(t=t))
    names = script.players
    log += [Uno(t=i.t, by=names[i.seat - 1]) if isinstance(i, Press) else i.event for i in script.inputs]
    return sorted(log, key=lambda event: event.t)


def said_of(log: dict[int, Event], number: int) -> float:
    """When what was ruled happened: for a card that is taken back, when it landed."""
    event = log[number]
    if not isinstance(event, Lift):
        return event.t
    return max(e.t for e in log.values() if isinstance(e, Discard) and e.card == event.card and e.t < event.t)


@pytest.mark.parametrize(
    ("preset", "seed"),
    [
        *(("official_108", seed) for seed in range(27)),
        *((preset, seed) for preset in CUSTOMS for seed in range(4)),
        *(("penalty_box", seed) for seed in (26, 35)),  # both piles run out while somebody owes cards
    ],
)
def test_the_referee_says_what_is_true(preset: str, seed: int) -> None:
    level = [*Level][seed % 3]
    script = play(seed, players=2 + seed % 9, hands=2, preset=preset, level=level, mistakes=ERRING, seconds=1500)
    log = dict(enumerate(seen_perfectly(script), 1))
    game = replay(log.items())
    said: Counter[Said] = Counter()
    for filed in game.rulings:
        r = filed.ruling
        # why a card is out of turn ("skipped") is more than the truth records
        reason = r.reason.value if r.reason and r.code is not Code.OUT_OF_TURN else None
        if r.reason is Reason.HIDDEN_CARD:
            continue  # a card that goes on nothing seen: only when it is taken back it shows that it was out of turn
        said[(said_of(log, filed.number), r.code.value, r.player or r.winner, r.n or 0, reason)] += 1
    true: Counter[Said] = Counter(
        (r["t"], r["code"], r["player"], r.get("n", 0), r.get("reason")) for r in script.truth["rulings"]
    )
    assert said == true
    assert game.position is not None
    if script.truth["hands"]:
        assert dict(game.position.scores) == script.truth["hands"][-1]["scores"]
