"""Hands that are shown, or whose points are typed in, while the referee knows of no end of the hand (RULES 6.10, 8)."""

from __future__ import annotations

from referee.rules import effects, hand, wrong
from referee.rules.draft import Draft, ask, set_count
from referee.rules.position import HAND_OVER, NOBODY

MISCOUNTED = 1
"""Cards that who laid the last card may seem to hold and be out all the same. Smaller: one draw told wrong gives the
hand to another; larger: it is given to who only happened to play before a card that nobody saw."""


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


def likeliest(d: Draft) -> int:
    """Who is out, where the table says only that the hand is over: by what is known of the hands, else whose card lies
    there as a wrong one, and may have been the last; else who laid the last card that counts, unless that hand holds
    more than a draw told wrong, and another may hold none."""
    if (winner := out(d)) != NOBODY:
        return winner
    told = dict(d.loose.shown)
    held = {player: max(0, d.best[player] - d.under[player]) for player in d.setup.order if not told.get(player)}
    if d.wrong is not None and held.get(d.wrong.who) == 0:
        return d.wrong.who
    last = NOBODY if d.last is None else d.last.who
    if held.get(last, MISCOUNTED + 1) <= MISCOUNTED:
        return last
    if last in held and min(held.values()) > 0:
        return last
    return min(held, key=lambda player: held[player], default=last)  # a card of whose hand was not told was not seen


def over(d: Draft, winner: int) -> None:
    """The table says that the hand is over. What is known of the other hands counts."""
    if d.wrong is not None and d.wrong.who == winner:
        shown = d.loose.shown
        wrong.stand(d, drop_penalty=True)  # nobody takes back the last card
        d.loose = d.loose._replace(shown=shown)
        if d.phase is HAND_OVER:
            for player, n in shown:
                hand.count_points(d, player, n)
            return
    set_count(d, winner, 0)
    if d.last is not None and d.last.who == winner:
        effects.was_last(d, winner)
    else:
        hand.finish(d, winner)
