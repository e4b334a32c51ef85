"""Comings and goings: players leave and join, in a hand and between hands (RULES 10, 12)."""

from __future__ import annotations

from referee.events import Join, Leave
from referee.rules import hand, wrong
from referee.rules.draft import (
    Draft,
    beneath,
    blur,
    enter,
    following,
    forgive,
    hold,
    seat,
    settle,
    turn_to,
    uncall,
    unexpose,
)
from referee.rules.position import NOBODY, Phase
from referee.rules.setup import MOST_PLAYERS, Setup

OVER = (Phase.HAND_OVER, Phase.SCORED, Phase.GAME_OVER)
CHOOSING = (Phase.NAME_COLOUR, Phase.CHOOSE_TARGET)
"""Somebody must choose, and it is already the next player's turn."""


def leave(d: Draft, event: Leave) -> None:
    """The order closes up, debts and exposure vanish, the hand goes under the draw pile. A team plays on with those it
    has left; a player or team that is alone has won the hand."""
    who, setup = seat(d, event.player), d.setup
    if who == NOBODY or setup.n < 2:
        return
    after = following(d, who)
    order = tuple(player for player in setup.order if player != who)
    forgive(d, who)
    unexpose(d, who)
    uncall(d, who)
    for kind in {question.kind for question in d.open if question.player == event.player}:
        settle(d, kind, who)
    if d.wrong is not None and d.wrong.who == who:
        wrong.take_back(d)
    if d.pile is not None:
        d.pile += d.best[who]
    hold(d, who, 0)
    blur(d, who, 0, 0)
    dealer = setup.dealer if setup.dealer != who else setup.right[who]
    d.setup = Setup.of(setup.options, setup.names, order, dealer, setup.first, setup.sides, setup.table, setup.pack)
    if d.phase is Phase.HAND_OVER:
        hand.all_counted(d)
        return
    if d.phase in OVER:
        return
    if len({setup.sides[player] for player in order}) == 1:
        hand.finish(d, order[0])
        return
    abandon(d, who, after)
    if d.turn_id == who:
        turn_to(d, after, beneath(d) if beneath(d) in CHOOSING else Phase.TURN)
    if d.last is not None and d.last.who == who:
        d.last = None


def abandon(d: Draft, who: int, after: int) -> None:
    """What waited for the player who left waits no more."""
    wild = d.wild4
    if wild is not None and who == wild.victim:
        d.wild4 = None
        enter(d, Phase.TURN)
        settle(d, "challenge_result")
    elif wild is not None and who in (wild.offender, wild.challenger) and beneath(d) is Phase.CHALLENGE:
        # Nobody is left to show the hand, or to see it: the cards stay owed.
        enter(d, Phase.WD4)
        d.wild4 = wild._replace(challenger=NOBODY)
        settle(d, "challenge_result")
    if d.target_id == who or d.namer_id == who:
        d.target_id = d.namer_id = NOBODY
        if beneath(d) is Phase.CHOOSE_TARGET:
            enter(d, Phase.TURN)
        if beneath(d) is Phase.NAME_COLOUR and d.turn_id == who:
            d.namer_id = after


def join(d: Draft, event: Join) -> None:
    """A newcomer sits down; during a hand, dealt from the draw pile, after the player in turn. The score starts at 0,
    in an elimination game at the highest total of those still in."""
    setup = d.setup
    if seat(d, event.player) != NOBODY or not may_join(d.phase, setup):
        return
    names, tally = setup.names, d.tally
    sides = list(setup.sides)
    who = setup.ids.get(event.player, len(names))
    lifted = max((tally.scores[player] for player in setup.order), default=0)
    start = lifted if setup.options.scoring == "elimination" else 0
    if who == len(names):
        names += (event.player,)
        d.best, d.under, d.over = (*d.best, 0), (*d.under, 0), (*d.over, 0)
        tally = tally._replace(scores=(*tally.scores, start))
        sides.append(weaker_side(setup))
    elif who in tally.out:
        tally = tally._replace(scores=tuple(start if n == who else one for n, one in enumerate(tally.scores)))
    d.tally = tally._replace(out=tuple(player for player in tally.out if player != who))
    after = seat(d, event.after)
    if after == NOBODY:
        after = d.turn_id if d.turn_id != NOBODY and d.phase is not Phase.OPENING else setup.order[-1]
    place = setup.order.index(after) + 1
    order = (*setup.order[:place], who, *setup.order[place:])
    d.setup = Setup.of(setup.options, names, order, setup.dealer, setup.first, tuple(sides), setup.table, setup.pack)
    if d.phase not in OVER:
        hold(d, who, setup.options.hand_size)
        if d.pile is not None:
            d.pile = max(0, d.pile - d.best[who])


def may_join(phase: Phase, setup: Setup) -> bool:
    """May one more sit down? Not after the game, where ten play, in a tournament, whose seats are set, nor where the
    next deal would need more cards than there are."""
    if phase is Phase.GAME_OVER or setup.n >= MOST_PLAYERS or setup.options.tournament != "none":
        return False
    return (setup.n + 1) * setup.options.hand_size < setup.pack.size


def weaker_side(setup: Setup) -> int:
    """The team that a newcomer joins: the one with fewer players; without teams, one of its own."""
    if setup.teams is None:
        return len(setup.names)
    held = [setup.sides[player] for player in setup.order]
    return min(sorted(set(setup.sides)), key=held.count)
