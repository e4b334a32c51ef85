"""What the referee got right, against the truth of the simulated table. Pure.

The journal is compared, not what the eye said in passing: a landing counts as the rules saw it in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

EARLY_S, LATE_S = 3.0, 2.5
"""Seconds before and after the truth (the hand is gone) in which a landing may be reported. A report carries the time
of first contact, so it may come well before. Too small: slow hands count as missed; too large: neighbours get mixed."""

RULING_S = 6.0
"""Seconds round the truth in which a ruling counts as the same one. Too small: a slow take-back parts them; too large:
two equal rulings in a row are mixed up."""

JUDGEMENTS = frozenset(
    {
        "illegal_card", "out_of_turn", "draw_first", "must_draw", "overdrawn", "play_stands", "uno_ok", "uno_void",
        "catch_ok", "catch_early", "catch_safe", "catch_late", "challenge_open", "challenge_refused", "guilty",
        "innocent", "redraw_opening", "penalty", "forced_draw", "jump_in", "hand_over", "game_over",
    }
)  # fmt: skip
"""Verdicts that say something about play. The others only inform or ask."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A landing as the journal has it: seconds of the script, notation, whether the reading was sure."""

    t: float
    card: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling that stands: seconds of the script, code, player, its number of cards and reason if it has them, and how
    it was brought to the table: "call" (announced), "ask" or "note"."""

    t: float
    code: str
    player: str | None
    n: int | None = None
    reason: str | None = None
    tier: str = "call"


def score_readings(truth: Sequence[Mapping[str, Any]], landings: Sequence[Landing]) -> dict[str, int]:
    """Landings right, unsure, wrong, missed and invented. truth: the truth file's `events`."""
    count = dict.fromkeys(("right", "unsure", "wrong", "missed", "invented"), 0)
    cards = [(event["t"], event["card"]) for event in truth if event["event"] == "landed"]
    for true, said in _aligned(cards, sorted(landings, key=lambda one: one.t)):
        if said is None:
            count["missed"] += 1
        elif true is None:
            count["invented"] += 1
        elif not said.sure or said.card == "?":
            count["unsure"] += 1
        else:
            count["right" if said.card == true else "wrong"] += 1
    return count


def _aligned(truth: Sequence[tuple[float, str]], said: Sequence[Landing]) -> list[tuple[str | None, Landing | None]]:
    """The pairs with the fewest errors, in the order of both: after a missed card, each next one would else be held
    against the one before it. None: missed, or invented. By edit distance; of equals, the nearest in time."""
    best: list[list[tuple[float, float]]] = [[(float(j), 0.0) for j in range(len(said) + 1)]]
    for i, (t, card) in enumerate(truth):
        row = [(i + 1.0, 0.0)]
        for j, one in enumerate(said):
            missed, invented = best[i][j + 1], row[j]
            ways = [(missed[0] + 1, missed[1]), (invented[0] + 1, invented[1])]
            if t - EARLY_S <= one.t <= t + LATE_S:
                errors, apart = best[i][j]
                ways.append((errors + (one.card != card), apart + abs(one.t - t)))
            row.append(min(ways))
        best.append(row)
    pairs: list[tuple[str | None, Landing | None]] = []
    i, j = len(truth), len(said)
    while i or j:
        here = best[i][j]
        if i and here == (best[i - 1][j][0] + 1, best[i - 1][j][1]):
            i -= 1
            pairs.append((truth[i][1], None))
        elif j and here == (best[i][j - 1][0] + 1, best[i][j - 1][1]):
            j -= 1
            pairs.append((None, said[j]))
        else:
            i, j = i - 1, j - 1
            pairs.append((truth[i][1], said[j]))
    return pairs[::-1]


def score_rulings(truth: Iterable[Mapping[str, Any]], verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """Rulings right, wrong (said, but not true) and missed (true, but not said), with the list of both.

    truth: the truth file's `rulings`; what it leaves open (`n`, `reason`) is not compared.
    """
    left = [verdict for verdict in verdicts if verdict.code in JUDGEMENTS]
    right, missed = 0, []
    for true in truth:
        if true["code"] not in JUDGEMENTS:
            continue
        match = next((verdict for verdict in left if _same(true, verdict)), None)
        if match is None:
            missed.append(dict(true))
        else:
            left.remove(match)
            right += 1
    wrong = [
        {"t": round(v.t, 2), "code": v.code, "player": v.player, "n": v.n, "reason": v.reason, "tier": v.tier}
        for v in left
    ]
    return {"right": right, "wrong": len(wrong), "missed": len(missed), "wrong_list": wrong, "missed_list": missed}


def _same(true: Mapping[str, Any], said: Verdict) -> bool:
    return (
        true["code"] == said.code
        and true.get("player") in (None, said.player)
        and true.get("n") in (None, said.n)
        and true.get("reason") in (None, said.reason)
        and abs(true["t"] - said.t) <= RULING_S
    )
