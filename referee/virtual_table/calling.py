"""UNO at the simulated table: people call, forget, and catch each other (RULES 6.6)."""

from __future__ import annotations

from referee.events import Catch
from referee.virtual_table.sitting import Sitting


def call_or_forget(s: Sitting, p: int, earliest: float, landed: float) -> None:
    """p holds one card: the call comes from `earliest` on, as the card goes down or soon after, or not at all.

    While somebody else's missed call can still be caught nobody misses another.
    """
    line, rng, name = s.line, s.rng, s.names[p]
    if s.forgot is not None or not s.chance(s.mistakes.forgotten_uno):
        t = line.press(rng.uniform(earliest + 0.1, landed + 0.7), p + 1)
        line.ruling(t, "uno_ok", name)
        if s.chance(s.mistakes.false_catch):
            line.ruling(_tap_catch(s, p, max(t, landed), (0.5, 1.0)), "catch_safe", name)
    elif s.chance(s.mistakes.caught):
        _caught(s, p, _tap_catch(s, p, max(line.now, landed + 0.4), (0.1, 1.0)))
    else:
        s.forgot = p


def catch_late(s: Sitting, p: int) -> None:
    """Somebody remembers p's missed call after the next turn: too late, unless the table knows no deadline."""
    if len(s.hands[p]) != 1:
        s.forgot = None if s.forgot == p else s.forgot
    elif s.pending and s.turn == p:
        return  # who has to draw anyway is not caught as well: which of the cards were for what, nobody could say
    elif all(s.hands) and s.forgot in (None, p) and s.chance(s.mistakes.caught_late):
        t = _tap_catch(s, p, s.line.now, (0.3, 0.8))
        if s.customs.catch_any_time:
            s.forgot = None
            _caught(s, p, t)
        else:
            s.line.ruling(t, "catch_late", s.names[p])


def _tap_catch(s: Sitting, p: int, since: float, wait: tuple[float, float]) -> float:
    by = s.names[s.someone_else(p)]
    return s.line.tap(since + s.rng.uniform(*wait), by, Catch(by=by, on=s.names[p]))


def _caught(s: Sitting, p: int, t: float) -> None:
    s.line.ruling(t, "catch_ok", s.names[p])
    s.owe("penalty", t, p, s.customs.uno_penalty, "uno")
