"""Hands that are shown, or whose points are typed in, while the referee knows of no end of the hand (RULES 6.10, 8)."""

from __future__ import annotations

from referee.rules import effects, hand
from referee.rules.draft import Draft, ask, set_count
from referee.rules.position import NOBODY


def keep(d: Draft, who: int, n: int) -> None:
    """The hand is worth n points, if it is over: the table is asked."""
    d.loose = d.loose._replace(shown=(*(one for one in d.loose.shown if one[0] != who), (who, n)))
    ask(d, "hand_over", options=("yes", "no"))


def points(d: Draft, who: int, n: int) -> None:
    """The points of a hand are typed in: once those of all others are, the hand is over."""
    keep(d, who, n)
    winner = out(d)
    if winner != NOBODY:
        over(d, winner)


def out(d: Draft) -> int:
    """Who is out, by what is known of the hands: who alone has none; among several, who laid the last card, where the
    others have a 0, or are of the same team; nobody where that is not clear."""
    setup, told = d.setup, dict(d.loose.shown)
    empty = [player for player in setup.order if told.get(player) == 0]
    unsaid = [player for player in setup.order if player not in told]
    last = d.last.who if d.last is not None else NOBODY
    if len({setup.team(player) for player in unsaid}) == 1 and (last in unsaid or (len(unsaid) == 1 and not empty)):
        return last if last in unsaid else unsaid[0]
    if unsaid:
        return NOBODY  # one without points may be out, or hold a 0
    return last if last in empty else empty[0] if len(empty) == 1 else NOBODY


def over(d: Draft, winner: int) -> None:
    """The table says that the hand is over. What is known of the other hands counts."""
    set_count(d, winner, 0)
    if d.last is not None and d.last.who == winner:
        effects.was_last(d, winner)
    else:
        hand.finish(d, winner)
