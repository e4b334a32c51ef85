"""Hands go to the draw pile: debts are paid, turns begin and pass (RULES 6.3, 6.4, 6.7, 6.9)."""

from __future__ import annotations

from referee.events import Begin, Draw, Lift, Pass, Reshuffle, TouchDiscard
from referee.rules import drift, echoes, effects, hand, plays, uno, wrong
from referee.rules.draft import (
    Draft,
    ask,
    blur,
    debt,
    draws_what_is_left,
    faces_seen,
    following,
    forgive,
    gain,
    names_of,
    pay,
    restore,
    rule,
    seat,
    settle,
    turn_to,
    unexpose,
)
from referee.rules.hand import CERTAIN, SIDE_SURE
from referee.rules.legality import nothing_left
from referee.rules.position import (
    CHALLENGE,
    CHOOSE_TARGET,
    DRAWN,
    GAME_OVER,
    HAND_OVER,
    NAME_COLOUR,
    NOBODY,
    OPENING,
    SCORED,
    TAKEBACK,
    TURN,
    WD4,
    LastPlay,
)
from referee.rules.rulings import Code, Reason, Tier

QUICK_LIFT_S = 2.0
"""A card picked up again by its player within this time was not a play (RULES 12). Too small: a dropped card counts as
played; too large: a play can be taken back."""
UNSEEN_DRAW = (1, 3)
UNSEEN_DRAW_UNTIL = (1, 8)
"""Cards in a draw whose number was not seen (RULES 9); the second where players draw until they can play."""
MISCOUNTED = 2
"""Cards by which the draw pile may hold less than is thought. Too small: each reshuffle after a draw that nobody saw is
asked about; too large: discards that somebody only picked up are taken for a reshuffle."""
IN_TURN = frozenset({TURN, DRAWN, NAME_COLOUR, CHOOSE_TARGET})
BETWEEN = frozenset({OPENING, SCORED, GAME_OVER})
"""Before a hand and after it, nothing that is drawn counts."""
NOT_PLAYING = BETWEEN | {HAND_OVER}


def draw(d: Draft, event: Draw) -> None:
    """A hand took cards from the draw pile."""
    if d.phase in BETWEEN:
        return
    if (doubted := event.extra.get(effects.ONE_MORE)) is not None:
        effects.one_more(d, seat(d, str(doubted)))
    who = seat(d, event.by) if event.side >= SIDE_SURE else NOBODY
    if d.loose.unplaced is not None:
        plays.place(d, plays.fits_next(d, who, draws=True), guessed=True)
    guessed = who == NOBODY
    if guessed:
        who = drawer(d)
    owed = debt(d, who)
    if echoes.is_drawn_already(d, who, event.n or 1, event.by is not None and event.side >= CERTAIN) and not owed:
        return
    if not owed and (who != d.turn_id or d.wrong is not None):
        if d.wrong is not None:
            over_wrong(d, who)
        if not guessed and who != d.turn_id:
            if drift.mirrored(d, who) and takes_the_hit(d, who, event.n):
                drift.turn_round(d)
            if not drift.opener_played(d, who) and not drift.wild_unseen(d, who):
                drift.no_jump_in(d, who)
        owed = debt(d, who)
    if not owed and who != d.turn_id and among_the_unseen(d, who, event.n or 1):
        return
    n = take(d, who, event.n, owed or event.owed)
    told = event.owed > 0 and not owed and not d.pending
    if told:
        # RULES 9: who drew for what the record says no more keeps the cards or gives them back, as the table decides.
        blur(d, who, d.under[who] + n - (who == d.turn_id), d.over[who])
        if who != d.turn_id:
            uno.recount(d, who)
            return
    if d.loose.forewarned == who:
        d.loose = d.loose._replace(forewarned=NOBODY)
    if d.loose.shown:
        d.loose = d.loose._replace(shown=tuple(one for one in d.loose.shown if one[0] != who))
    if not owed and who != d.turn_id and not guessed and uncharged(d, who, n) == n:
        return
    if d.phase is HAND_OVER:
        extra = pay(d, who, n)
        if extra and owed:
            rule(d, Code.OVERDRAWN, who, extra, tier=Tier.NOTE)
        elif extra:
            hand.played_on(d)  # who draws without owing does not think that the hand is over
        return
    if d.wild4 is not None and who == d.wild4.victim and d.phase is not TAKEBACK:
        for_wild_four(d, who, n, event.t)
    elif d.pending and who == d.turn_id and d.phase is TURN:
        for_stack(d, who, n, event.t)
    elif owed:
        uno.forced(d, who, event.t)
        extra = pay(d, who, n)
        if not debt(d, who):
            settle(d, "did_draw", who)
        if extra and d.wrong is not None and who == d.turn_id == d.wrong.who:
            wrong.take_back(d)  # the penalty is paid, and the turn goes on with a draw
        if extra and who == d.turn_id and d.phase in IN_TURN:
            in_turn(d, who, extra, event.t)
        elif extra:
            rule(d, Code.OVERDRAWN, who, extra, tier=Tier.NOTE)
    elif who == d.turn_id and d.phase in IN_TURN:
        if d.loose.adrift and not guessed:
            drift.in_order(d)
        in_turn(d, who, 1 if told else n, event.t)
    elif d.phase is DRAWN and who == following(d, d.turn_id):
        # RULES 6.3.5: the turn passes by itself when the next player begins.
        if guessed:
            ask(d, "who_drew", d.turn_id, names_of(d))
        goes_past(d, who)
        in_turn(d, who, n, event.t)
    elif guessed or not goes_on(d, who, n, event.t):
        rule(d, Code.DRAW_OUT_OF_TURN, who, n, tier=Tier.ASK)
        if not event.extra.get("named"):
            ask(d, "who_drew", who, names_of(d))
        if not guessed and d.phase in (TURN, DRAWN, WD4, TAKEBACK):
            drift.contradicted(d, who, n)
            d.loose = d.loose._replace(kept=d.laid)  # a draw card may have been played unseen, and lie on top
    if event.extra.get(drift.WAS_HIDDEN):
        blur(d, who, d.under[who] + n, d.over[who])  # RULES 8: who did nothing is assumed to have drawn one
    if guessed or event.side < CERTAIN:
        # RULES 6.7: what was drawn too much may go back, and what the eye tells may be one draw told twice.
        extra = sum(ruling.n for ruling in d.out if ruling.code in (Code.OVERDRAWN, Code.DRAW_OUT_OF_TURN))
        if extra:
            blur(d, who, d.under[who] + extra, d.over[who])
    uno.recount(d, who)  # RULES 6.6: drawing cancels a call
    shortfall(d, who)


def over_wrong(d: Draft, who: int) -> None:
    """A wrong card lies there: its player draws instead of playing again, or another player goes on."""
    lies, in_turn = d.wrong, d.turn_id
    assert lies is not None
    if who == in_turn == lies.who:
        wrong.take_back(d)
    elif who == in_turn:
        wrong.stand(d)
        turn_to(d, in_turn)
    elif who == following(d, in_turn) and lies.who == in_turn:
        wrong.stand(d)
    elif d.loose.adrift and who != lies.who:
        wrong.stand(d)
        if who != d.turn_id and d.phase is TURN and not drift.mirrored(d, who):
            drift.goes_on(d, who)


def takes_the_hit(d: Draft, who: int, n: int | None) -> bool:
    """Does this draw show that the last card hit the other neighbour (RULES 9, drift of the direction)?"""
    owed = sum(owed.n for owed in d.owed if d.last is not None and owed.ref == d.last.ref)
    if n == owed and not d.loose.adrift:
        drift.contradicted(d, who, n)
    return n == owed or d.loose.adrift > 0


def goes_on(d: Draft, who: int, n: int, t: float) -> bool:
    """A second draw out of order: the order of turns goes on from it, and nothing is ruled (RULES 9)."""
    stray = d.loose.strayed
    if not d.loose.adrift:
        return False
    if stray is not None and stray.drew and stray.who == who:
        d.loose = d.loose._replace(strayed=stray._replace(drew=stray.drew + n))
        return True
    if d.phase is not TURN:
        return False
    drift.goes_on(d, who)
    if d.pending:
        for_stack(d, who, n, t)
    else:
        in_turn(d, who, n, t)
    return True


def drawer(d: Draft) -> int:
    """Who drew, when the side was not seen (RULES 7.2): who owes cards, else the player in turn."""
    turn, drawn = d.turn_id, d.loose.drawn
    if drawn is not None and drawn[1] == d.laid and debt(d, drawn[0]):
        return drawn[0]  # who is drawing draws on
    if d.wild4 is not None:
        return d.wild4.victim
    if d.owed and not debt(d, turn):
        return d.owed[-1].who
    if d.phase is HAND_OVER or turn == NOBODY:
        return d.owed[0].who if d.owed else d.setup.order[0]
    if d.phase is DRAWN and d.setup.options.draw_rule == "draw_one":
        return following(d, turn)
    return turn


def take(d: Draft, who: int, n: int | None, owed: int) -> int:
    """The hand grows. A number not seen is the number owed, else an interval. Returns the number."""
    expected = owed or (d.pending if who == d.turn_id else 0)
    if n is None:
        n = expected or 1
        if expected:
            d.loose = d.loose._replace(unseen=(who, expected - 1, d.laid))
        else:
            until = d.setup.options.draw_rule == "draw_until_playable"
            blur(d, who, d.under[who], d.over[who] + (UNSEEN_DRAW_UNTIL if until else UNSEEN_DRAW)[1] - 1)
    gain(d, who, n)
    if d.pile is not None:
        d.pile -= n
        if d.pile < 0:
            # RULES 9: more cards drawn than can be there: the discards were shuffled unseen.
            ask(d, "reshuffled")
            d.pile = max(0, d.pile + max(0, d.laid - 1))
            d.laid = min(d.laid, 1)
            d.seen = faces_seen(d.top)
    return n


def among_the_unseen(d: Draft, who: int, n: int) -> bool:
    """The number owed was taken for one that was not seen, and who drew it draws on before another card lies there: it
    was fewer, and these are of them."""
    if d.loose.unseen is None:
        return False
    drew, left, laid = d.loose.unseen
    if drew != who or laid != d.laid or n > left:
        return False
    d.loose = d.loose._replace(unseen=(who, left - n, laid))
    return True


def uncharged(d: Draft, who: int, n: int) -> int:
    """Of n cards that the player does not owe, those that pay for a wrong card all the same: it was not sure enough to
    be charged (RULES 9), and the table knew better."""
    if d.loose.uncharged is None or d.loose.uncharged[0] != who:
        return 0
    left = d.loose.uncharged[1]
    paid = min(n, left)
    d.loose = d.loose._replace(uncharged=(who, left - paid) if left > paid else None)
    return paid


def in_turn(d: Draft, who: int, n: int, t: float) -> None:
    """The player in turn draws of his own accord."""
    uno.begins(d, who, t)
    if d.setup.options.draw_rule == "draw_one":
        too_many = n if d.phase is DRAWN else n - 1
        too_many -= uncharged(d, who, too_many) if too_many > 0 else 0
        if too_many > 0:
            rule(d, Code.OVERDRAWN, who, too_many, tier=Tier.NOTE)
    if d.phase is CHOOSE_TARGET:
        effects.swap_unknown(d)
    d.phase = DRAWN


def for_wild_four(d: Draft, who: int, n: int, t: float) -> None:
    """The victim of a Wild Draw Four draws: that accepts it (RULES 6.5)."""
    wild = d.wild4
    assert wild is not None
    uno.forced(d, who, t)
    d.loose = d.loose._replace(drew=(who, t))
    tier = Tier.CALL
    if d.phase is CHALLENGE:
        settle(d, "challenge_result")
        d.phase, tier = WD4, Tier.ASK  # the hand may have been shown, and the cards be another's
    pended = d.pending > 0
    if pended:
        effects.fall(d, who, tier)
    extra = pay(d, who, n)
    if extra:
        rule(d, Code.OVERDRAWN, who, extra, tier=Tier.NOTE)
    if debt(d, who) and not pended:
        d.wild4 = wild._replace(drawn=wild.drawn + n)
        return
    d.wild4 = None
    settle(d, "did_draw", who)
    if pended or d.setup.wd4_forfeits:
        effects.lose_turn(d, who)
    turn_to(d, d.turn_id)


def for_stack(d: Draft, who: int, n: int, t: float) -> None:
    """The first who does not answer draws all that pends and loses the turn (RULES 6.8)."""
    uno.forced(d, who, t)
    effects.fall(d, who)
    extra = pay(d, who, n)
    if extra:
        rule(d, Code.OVERDRAWN, who, extra, tier=Tier.NOTE)
    effects.lose_turn(d, who)
    turn_to(d, d.turn_id)


def shortfall(d: Draft, who: int) -> None:
    """RULES 6.9: with both piles empty a player draws what is left."""
    if d.owed and draws_what_is_left(d):
        forgive(d, who)
        if d.phase is WD4 and d.wild4 is not None and d.wild4.victim == who:
            d.wild4 = None
            if d.setup.wd4_forfeits:
                effects.lose_turn(d, who)
            turn_to(d, d.turn_id)


def keep(d: Draft, event: Pass) -> None:
    """A player keeps the drawn card."""
    if d.loose.unplaced is not None:
        plays.place(d, plays.fits_next(d, seat(d, event.by)), guessed=True)
    who = seat(d, event.by) if event.by is not None else d.turn_id
    if who == NOBODY or d.phase in NOT_PLAYING:
        return
    if d.phase is DRAWN and who == following(d, d.turn_id):
        goes_past(d, who)  # RULES 9: the player before kept the drawn card
    if who != d.turn_id:
        rule(d, Code.NOT_ENTITLED, who, reason=Reason.TURN, tier=Tier.NOTE)
    elif d.phase is DRAWN:
        turn_to(d, following(d, who))
        if debt(d, d.turn_id):
            ask(d, "did_draw", d.turn_id, ("yes", "no"), effects.DRAW_ASK_S)
    elif d.phase is TURN and nothing_left(d):
        turn_to(d, following(d, who))
    else:
        # RULES 6.3.7: passing without drawing is not a turn; the draw may not have been seen.
        rule(d, Code.MUST_DRAW, who, tier=Tier.ASK)
        ask(d, "did_draw", who, ("yes", "no"))
        if d.phase is TURN and not d.pending:
            d.loose = d.loose._replace(passed=who)


def goes_past(d: Draft, who: int) -> None:
    """The turn passes by itself as the next player begins (RULES 6.3.5)."""
    d.loose = d.loose._replace(kept=d.laid)
    turn_to(d, who)


def begin(d: Draft, event: Begin) -> None:
    """A player was seen beginning a turn."""
    who = seat(d, event.by) if event.by is not None else d.turn_id
    if d.phase is DRAWN and who == following(d, d.turn_id) and d.loose.unplaced is None:
        goes_past(d, who)
    if who != NOBODY and who == d.turn_id and d.phase in IN_TURN:
        uno.begins(d, who, event.t)


def touch(d: Draft, event: TouchDiscard) -> None:
    """A hand touched the discard pile without playing."""
    who = seat(d, event.by) if event.by is not None else d.turn_id
    if who != NOBODY and d.exposed_ids:
        uno.touches(d, who, event.t)


def lift(d: Draft, event: Lift) -> None:
    """A card left the top of the discard pile."""
    last = d.last
    if d.loose.unplaced is not None:
        d.loose = d.loose._replace(unplaced=None)
        settle(d, "who_played")
    elif d.wrong is not None:
        who = d.wrong.who
        d.loose = d.loose._replace(put_up=(d.wrong, event.t))
        if d.wrong.code is Code.OUT_OF_TURN:  # who takes such a card back agrees whose turn it is
            d.loose = d.loose._replace(adrift=0)
            settle(d, "whose_turn")
        wrong.take_back(d)
        settle(d, "which_card", who)
        settle(d, "did_draw", who) if not debt(d, who) else None
    elif d.phase in NOT_PLAYING:
        return
    elif event.told and last is not None and not d.begun:
        not_played(d, last)  # RULES 9: it was no mistake, by what the record says now, and it is in the hand again
    elif last is not None and event.card in (None, last.card) and drift.over_gap(d, last.ref):
        drift.no_gap(d, last)
    elif last is not None and event.card in (None, last.card) and picked_up(d, event):
        echoes.keep(d, event)
        not_played(d, last)
    elif last is not None and last.card is None and d.top is None:
        # RULES 12: a card that was not read is taken up: by its player's arm it is taken back, as a wrong one would be.
        if event.by is not None and seat(d, event.by) == last.who and not d.begun:
            rule(d, Code.INFERRED, last.who, 1, Reason.LIFT, () if event.card is None else (event.card,), Tier.NOTE)
            not_played(d, last)
        else:
            ask(d, "took_back", last.who, ("yes", "no"))
    elif event.card is not None and event.card == d.top:
        d.loose = d.loose._replace(lifted=(event.card, event.t), opener=NOBODY)
        ask(d, "took_back", d.last.who if d.last is not None else NOBODY, ("yes", "no"))


def not_played(d: Draft, last: LastPlay) -> None:
    """The last card is in its player's hand again, and that player in turn."""
    restore(d, last)
    gain(d, last.who)
    if d.best[last.who] != 1:
        unexpose(d, last.who)  # a call made for the play is good for the one that replaces it
    for kind in ("name_colour", "target", "custom_rule"):
        settle(d, kind)
    settle(d, "which_card", last.who)


def picked_up(d: Draft, event: Lift) -> bool:
    """Was the last card only dropped: lifted by its player at once, before anything was ruled or anybody went on?"""
    last = d.last
    if last is None or last.ruled or d.begun:
        return False
    if not (event.t - last.t if event.lain is None else event.lain) < QUICK_LIFT_S:
        return False
    return event.by is None or seat(d, event.by) == last.who


def reshuffle(d: Draft, event: Reshuffle) -> None:
    """The discard pile without its top card became the draw pile (RULES 6.9)."""
    if d.phase in BETWEEN:
        return
    rule(d, Code.RESHUFFLED, tier=Tier.NOTE)
    settle(d, "reshuffled")
    if d.pile is not None:
        if d.pile > MISCOUNTED:
            ask(d, "reshuffled", options=("yes", "no"))  # RULES 12: the discards were taken although cards were left
        d.pile += max(0, d.laid - 1)
    d.laid = min(d.laid, 1)
    d.seen = faces_seen(d.top)
    if d.setup.options.reshuffle == "turn_new_top":
        d.loose = d.loose._replace(new_top=True)
    elif event.bare:
        d.loose = d.loose._replace(bare=True)
