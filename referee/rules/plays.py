"""A card lands on the discard pile: whose it is, whether it may be played, and what follows (RULES 6.3 to 6.8, 7.2)."""

from __future__ import annotations

from referee.cards import Card
from referee.events import Discard, TurnUp
from referee.rules import effects, hand, uno
from referee.rules.draft import (
    Draft,
    ask,
    debt,
    exact,
    following,
    freeze,
    names_of,
    note_seen,
    owe,
    rule,
    settle,
    turn_to,
)
from referee.rules.legality import Why, answers, continues, jumps_in, mismatch, must_draw_first
from referee.rules.position import NOBODY, LastPlay, Phase, Takeback
from referee.rules.rulings import Code, Reason, Tier

SIDE_SURE = 0.8
"""Confidence from which the arm's side contradicts the turn order (RULES 7.2). Too small: a reach across the table
makes a card out of turn; too large: cards out of turn are taken for the player's in turn."""
CERTAIN = 1.0
"""The player was named, not guessed from an arm: only then may a card out of turn cost cards (RULES 7.2)."""


def discard(d: Draft, event: Discard | TurnUp) -> None:
    """A card landed."""
    if d.loose.unplaced is not None:
        place(d, d.turn_id)
    phase = d.phase
    if phase is Phase.OPENING or d.loose.new_top or isinstance(event, TurnUp):
        hand.turn_up(d, event)
        return
    if phase is Phase.SCORED:
        hand.deal(d)
        hand.turn_up(d, event)
        return
    if phase is Phase.HAND_OVER:
        if event.card != d.top or event.by is not None:
            ask(d, "play_after_hand_over", seat(d, event.by))
        return
    if phase is Phase.GAME_OVER:
        return
    if d.loose.lifted is not None:
        # RULES 12: the card that was lifted is back: the pile was nudged, nothing happened.
        same = d.loose.lifted == event.card
        d.loose = d.loose._replace(lifted=None)
        if same and (event.by is None or (d.last is not None and d.last.who == seat(d, event.by))):
            settle(d, "took_back")
            return
    who = seat(d, event.by) if event.side >= SIDE_SURE else NOBODY
    if d.wrong is not None:
        who = over_wrong(d, event, who)
        if who == NOBODY:
            return
    if d.phase in (Phase.WD4, Phase.CHALLENGE):
        on_wild_four(d, event, who)
    else:
        on_turn(d, event, who)


def seat(d: Draft, name: str | None) -> int:
    """The id of a player who is in the hand, else nobody."""
    player = d.setup.ids.get(name, NOBODY) if name is not None else NOBODY
    return player if player != NOBODY and player in d.setup.order else NOBODY


def on_turn(d: Draft, event: Discard, who: int) -> None:
    """A card while somebody is in turn."""
    turn = d.turn_id
    card = event.card
    if d.phase is Phase.CHOOSE_TARGET:
        hand_unknown_swap(d)
    if who == NOBODY:
        who = turn
        if d.phase is Phase.DRAWN:
            who = drawer_or_next(d, event)
            if who == NOBODY:
                return
        elif card is not None and d.last is not None and continues(d, card, d.last.who, event.t):
            who = d.last.who
    if who != turn:
        if card is not None and continues(d, card, who, event.t):
            go_on(d, event, who, card)
            return
        if not takes_turn(d, event, who):
            return
    if card is None:
        unread(d, event, who)
        return
    if d.owed and not d.pending and must_draw_first(d, who):
        set_aside(d, event, who, card, Why.DRAW_FIRST)
        return
    why = mismatch(d, card, who)
    if why is not None:
        set_aside(d, event, who, card, why)
        return
    land(d, event, who, card)


def takes_turn(d: Draft, event: Discard, who: int) -> bool:
    """May a player play who is not in turn, because the turn passed unseen or by a house rule? Else: out of turn."""
    turn, card = d.turn_id, event.card
    if who == following(d, turn):
        if d.phase is Phase.DRAWN or d.loose.passed == turn:
            # RULES 6.3.5: the turn passes by itself when the next player begins.
            if d.phase is not Phase.DRAWN:
                d.over[turn] += 1
            turn_to(d, who)
            return True
        if d.pending and d.phase is Phase.TURN:
            # RULES 9: the victim's neighbour plays: the cards were accepted, the debt stays open.
            accept_pending(d)
            return True
    if d.top is None:
        # RULES 12: after an unread card any player may be in turn; the play is unverified.
        turn_to(d, who)
        return True
    if card is not None and jumps_in(d, card):
        rule(d, Code.JUMP_IN, who, cards=(card,), tier=Tier.NOTE)
        turn_to(d, who)
        return True
    why = Why.LOST_TURN if d.loose.skipped == who else Why.NOT_YOUR_TURN
    if card is not None:
        set_aside(d, event, who, card, why)
    else:
        ask(d, "who_played", turn, names_of(d))
    return False


def on_wild_four(d: Draft, event: Discard, who: int) -> None:
    """A card while a Wild Draw Four is unsettled (RULES 10, wd4)."""
    wild = d.wild4
    card = event.card
    assert wild is not None
    victim = wild.victim
    forfeits = d.setup.wd4_forfeits
    after = following(d, victim)
    if who == NOBODY:
        answer = d.pending and card is not None and answers(d, card)
        who = victim if answer or not (forfeits or d.pending) else after
    if who == victim and card is not None:
        if d.pending and answers(d, card):
            land(d, event, who, card)
        elif d.pending:
            set_aside(d, event, who, card, Why.NO_ANSWER)
        else:
            set_aside(d, event, who, card, Why.LOST_TURN if forfeits else Why.DRAW_FIRST)
    elif who == after and (forfeits or d.pending):
        # RULES 10: the neighbour plays: the four were accepted, the debt stays open and is asked.
        if d.pending:
            accept_pending(d)
        else:
            ask(d, "did_draw", victim, ("yes", "no"))
            turn_to(d, after)
        d.wild4 = None
        on_turn(d, event, after)
    elif card is not None:
        set_aside(d, event, who, card, Why.NOT_YOUR_TURN)


def accept_pending(d: Draft) -> None:
    """The player in turn let the pending cards fall, unseen."""
    victim = d.turn_id
    effects.fall(d, victim)
    ask(d, "did_draw", victim, ("yes", "no"))
    turn_to(d, following(d, victim))
    d.wild4 = None


def drawer_or_next(d: Draft, event: Discard) -> int:
    """Whose is a card after a draw, when nobody saw (RULES 7.2)? Nobody: the table is asked."""
    turn, card = d.turn_id, event.card
    after = following(d, turn)
    by_drawer = card is None or mismatch(d, card, turn) is None
    d.phase = Phase.TURN
    by_next = not debt(d, after) and (card is None or mismatch(d, card, after) is None)
    d.phase = Phase.DRAWN
    if by_drawer and by_next and d.top is not None:
        d.loose = d.loose._replace(unplaced=event)
        ask(d, "who_played", turn, (d.setup.names[turn], d.setup.names[after]))
        return NOBODY
    return after if by_next and not by_drawer else turn


def place(d: Draft, who: int) -> None:
    """The card whose player was asked for is that player's."""
    event = d.loose.unplaced
    d.loose = d.loose._replace(unplaced=None)
    settle(d, "who_played")
    if isinstance(event, Discard):
        on_turn(d, event, who)


def over_wrong(d: Draft, event: Discard, who: int) -> int:
    """A card lands while a wrong one lies there. Returns who played it, or nobody when it needs no judging."""
    wrong = d.wrong
    assert wrong is not None
    if event.card == wrong.card and who in (NOBODY, wrong.who):
        return NOBODY  # the same card, nudged or put back
    if who == wrong.who:
        # It can only be in turn again if the wrong card was taken back unseen.
        take_back(d)
        rule(d, Code.INFERRED, who, 1, Reason.LIFT, (wrong.card,), Tier.NOTE)
        return who
    # RULES 6.7: an error nobody objects to before the next player's card lands stands, with its effects.
    in_turn = d.turn_id
    stand(d)
    if who == NOBODY:
        return d.turn_id
    if who != d.turn_id and who == in_turn:
        turn_to(d, who)
    return who


def take_back(d: Draft) -> None:
    """The wrong card is back in its player's hand."""
    wrong = d.wrong
    assert wrong is not None
    d.wrong = None
    d.phase = wrong.phase
    d.best[wrong.who] += 1
    if wrong.code is Code.ILLEGAL_CARD and d.setup.options.illegal_play_turn == "turn_ends" and wrong.who == d.turn_id:
        turn_to(d, following(d, wrong.who))


def stand(d: Draft, drop_penalty: bool = False) -> None:
    """The wrong card counts as if it had been legal."""
    wrong = d.wrong
    assert wrong is not None
    d.wrong = None
    d.phase = wrong.phase
    d.best[wrong.who] += 1
    if drop_penalty or d.setup.options.enforcement == "advisory":
        d.owed = tuple(owed for owed in d.owed if owed.ref != wrong.ref or owed.who != wrong.who)
    if not drop_penalty:
        rule(d, Code.PLAY_STANDS, wrong.who, cards=(wrong.card,), tier=Tier.NOTE)
    if d.wild4 is not None and wrong.who != d.wild4.victim:
        d.wild4 = None
    if d.pending and not answers(d, wrong.card):
        effects.fall(d, d.turn_id)
    turn_to(d, wrong.who)
    land(d, Discard(t=d.t, card=wrong.card, sure=wrong.sure), wrong.who, wrong.card)


def set_aside(d: Draft, event: Discard, who: int, card: Card, why: Why) -> None:
    """The card has to be taken back (RULES 6.7)."""
    options = d.setup.options
    code = why.code
    named = event.side >= CERTAIN
    sure = event.sure and not d.doubt and (code is Code.ILLEGAL_CARD or named)
    if who == d.turn_id:
        uno.begins(d, who, event.t)
    elif code is Code.OUT_OF_TURN and who == following(d, d.turn_id) and d.phase is Phase.TURN and not d.owed:
        # The player in turn may have drawn unseen (RULES 9): the table is asked.
        sure = False
        ask(d, "whose_turn", d.turn_id, names_of(d))
    elif not sure:
        ask(d, "whose_turn", d.turn_id, names_of(d))
    if code is Code.DRAW_FIRST:
        ask(d, "did_draw", who, ("yes", "no"))
    if not event.sure:
        ask(d, "which_card", who)
    reason = Reason.SKIPPED if why is Why.LOST_TURN else None
    rule(d, code, who, reason=reason, cards=(card,), tier=Tier.CALL if sure else Tier.ASK)
    if options.enforcement == "strict" and event.sure and not d.doubt and named:
        if code is Code.ILLEGAL_CARD:
            owe(d, Code.PENALTY, who, options.illegal_play_penalty, Reason.ILLEGAL_CARD)
        elif code is Code.OUT_OF_TURN:
            owe(d, Code.PENALTY, who, options.out_of_turn_penalty, Reason.OUT_OF_TURN)
    d.wrong = Takeback(who, card, code, d.phase, event.sure, d.number)
    d.phase = Phase.TAKEBACK
    take_from_hand(d, who)


def take_from_hand(d: Draft, who: int) -> None:
    """A card left the hand. A hand thought empty cannot have been (RULES 9)."""
    if d.best[who] > 0:
        d.best[who] -= 1
        d.under[who] = min(d.under[who], d.best[who])
    else:
        d.over[who] = max(0, d.over[who] - 1)
        ask(d, "how_many", who)


def land(d: Draft, event: Discard, who: int, card: Card) -> None:
    """A play that counts."""
    d.last = None  # a play remembers what was before it, not the whole past
    before = freeze(d)
    if d.exposed_ids or d.loose.caught is not None:
        uno.closes_by_card(d, who, event.t)
    if d.top is None or (d.colour is None and not card.rank.is_wild):
        settle(d, "name_colour")
        if d.top is not None and d.top.rank.is_wild and card.colour is not None:
            # RULES 9: the next coloured card tells the colour that was named.
            rule(d, Code.INFERRED, who, 0, Reason.COLOUR, (card,), Tier.NOTE)
            d.out[-1] = d.out[-1]._replace(colour=card.colour)
    take_from_hand(d, who)
    d.last = LastPlay(who, card, event.t, len(d.out) > 0, d.number, before)
    d.laid += 1
    note_seen(d, card)
    effects.conserve(d, card)
    d.doubt = not event.sure
    d.top = card
    d.colour = card.colour
    d.colour_only = False
    d.namer_id = NOBODY
    if d.loose.passed != NOBODY or d.loose.skipped != NOBODY:
        d.loose = d.loose._replace(passed=NOBODY, skipped=NOBODY)
    left = d.best[who]
    if left == 0 and effects.goes_out(d, who, card):
        return
    if left <= 1 or d.under[who] or d.over[who]:
        uno.second_to_last(d, who, event.t)
    elif d.calls:
        uno.forget(d, who)
    d.phase = Phase.TURN
    d.wild4 = None
    effects.play(d, who, card)
    d.begun = False


def go_on(d: Draft, event: Discard, who: int, card: Card) -> None:
    """One more card of the same turn (RULES 6.8, multi-play): the last sets the colour, every one has its effect."""
    if d.last is None:
        return
    effects.again(d, who, card)
    take_from_hand(d, who)
    d.laid += 1
    note_seen(d, card)
    d.top, d.colour, d.doubt = card, card.colour, not event.sure
    d.last = d.last._replace(card=card, t=event.t)
    if d.best[who] == 0 and exact(d, who):
        hand.finish(d, who)
    elif d.best[who] <= 1:
        uno.second_to_last(d, who, event.t)
    else:
        uno.forget(d, who)


def unread(d: Draft, event: Discard, who: int) -> None:
    """A card that could not be read counts as played; what follows is unverified until it is named (RULES 12)."""
    d.last = None  # a play remembers what was before it, not the whole past
    before = freeze(d)
    if d.exposed_ids or d.loose.caught is not None:
        uno.closes_by_card(d, who, event.t)
    take_from_hand(d, who)
    d.last = LastPlay(who, None, event.t, False, d.number, before)
    d.laid += 1
    d.top = d.colour = None
    d.doubt = True
    d.pending, d.pending_kind, d.wild4, d.namer_id = 0, None, None, NOBODY
    ask(d, "which_card", who, wait=UNREAD_ASK_S)
    if d.best[who] == 0 and exact(d, who):
        hand.finish(d, who)
        return
    turn_to(d, following(d, who))


def hand_unknown_swap(d: Draft) -> None:
    """Hands were swapped, nobody said with whom: every count becomes an interval (RULES 9)."""
    effects.swap_unknown(d)
    d.phase = Phase.TURN


UNREAD_ASK_S = 1.5
"""Seconds of rest before an unread card is asked for (RULES 12). Too small: the table is asked while the card is still
being straightened; too large: the next card covers it."""
