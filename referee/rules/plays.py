"""A card lands on the discard pile: whose it is, and whether it may be played (RULES 6.3 to 6.8, 7.2)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from referee.cards import Card, Rank
from referee.events import Discard, TurnUp
from referee.rules import drift, echoes, effects, hand, landing, uno
from referee.rules.draft import (
    Draft,
    ask,
    blur,
    debt,
    draws_what_is_left,
    following,
    forgive,
    names_of,
    relay,
    rule,
    seat,
    settle,
    turn_to,
)
from referee.rules.hand import CERTAIN, DRAW_CARDS
from referee.rules.landing import UNREAD_ASK_S, go_on, land, unread
from referee.rules.legality import (
    CONTINUING,
    Why,
    answers,
    continues,
    forbidden_finish,
    jumps_in,
    mismatch,
    must_draw_first,
)
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
    TURN,
    WD4,
)
from referee.rules.rulings import Code, Reason, Tier
from referee.rules.wrong import TOGETHER_S, set_aside, stand, take_back

Landing = TypeVar("Landing", Discard, TurnUp)
UNSETTLED = frozenset({WD4, CHALLENGE})
BETWEEN = frozenset({OPENING, HAND_OVER, SCORED, GAME_OVER})
FIRST_LIES = frozenset({TURN, DRAWN, NAME_COLOUR})
"""Phases in which the first card of a hand may be all that lies there."""
TYPED_S = 6.0
"""Seconds within which a card that is typed in is the one that landed just before. Too small: who is quicker with the
phone than the eye has played out of turn; too large: the second of two equal cards is lost."""


def discard(d: Draft, event: Discard) -> None:
    """A card landed."""
    if event.extra and (doubted := event.extra.get(effects.ONE_MORE)) is not None:
        effects.one_more(d, seat(d, str(doubted)))
    if event.extra or event.card not in d.setup.pack.copies:
        event = of_this_deck(d, event)
    loose = d.loose
    if loose.unplaced is not None:
        place(d, fits_next(d, seat(d, event.by) if event.side >= hand.SIDE_SURE else NOBODY), guessed=True)
        loose = d.loose
    if loose.new_top or d.phase in BETWEEN:
        between(d, event)
        return
    if loose.lifted is not None:
        # RULES 12: the card that was lifted is back: the pile was nudged, nothing happened, whoever's hand it was.
        card, t = loose.lifted
        d.loose = loose._replace(lifted=None)
        own = d.last is not None and d.last.who == seat(d, event.by)
        nudged = event.by is None or event.t - t <= echoes.NUDGE_S or own
        if nudged and card == event.card:
            settle(d, "took_back")
            return
    if loose.picked is not None and echoes.is_back(d, event):
        return
    if loose.bare:
        d.loose = d.loose._replace(bare=False)
        if put_back(d, event):
            return
    who = seat(d, event.by) if event.side >= hand.SIDE_SURE else NOBODY
    goes_on = d.turn_id != NOBODY and who == following(d, d.turn_id)
    if loose.named is not None and event.side < CERTAIN and not goes_on and names_its_colour(d, event.card):
        who = d.turn_id
    if (event.extra and typed_again(d, event, who)) or (d.loose.put_up is not None and lies_again(d, event, who)):
        return
    if event.card == d.top and echoes.is_told_again(d, event, who):
        return
    if d.wrong is not None:
        who = over_wrong(d, event, who)
        if who == NOBODY:
            return
    if d.phase in UNSETTLED:
        on_wild_four(d, event, who)
    else:
        on_turn(d, event, who)


def names_its_colour(d: Draft, card: Card | None) -> bool:
    """Has the player in turn just named the colour of this wild? Then it is that player's, whoever's arm was seen."""
    named = d.loose.named
    wild = card is not None and card.is_wild
    return wild and named is not None and named[0] == d.turn_id and d.t - named[2] <= effects.AHEAD_S


def lies_again(d: Draft, event: Discard, who: int) -> bool:
    """Is it the wrong card that was just taken up: put back, or nudged with the pile (RULES 12)? Nothing is said about
    it again."""
    assert d.loose.put_up is not None
    (wrong, t), d.loose = d.loose.put_up, d.loose._replace(put_up=None)
    again = event.card == wrong.card and who in (NOBODY, wrong.who) and event.t - t <= echoes.NUDGE_S
    if not again or d.wrong is not None or d.phase is not wrong.phase:
        return False
    if wrong.code is Code.ILLEGAL_CARD:
        d.turn_id = wrong.who  # where the turn ends with a wrong card, it had gone on
    relay(d, wrong)
    landing.take_from_hand(d, wrong.who)
    return True


def typed_again(d: Draft, event: Discard, who: int) -> bool:
    """Did somebody type in the card that landed just before, or name it as one that nobody saw, since the eye was slow
    to tell it?"""
    last = d.last
    if last is None or event.card is None or event.card != last.card or last.who == d.turn_id:
        return False
    if event.extra.get(drift.WAS_HIDDEN):
        return who == last.who
    if not event.extra.get("typed"):
        return False
    same = who in (NOBODY, last.who) and d.loose.typed != last.ref and event.t - last.t < TYPED_S
    return same and not continues(d, event.card, last.who, event.t)


def turn_up(d: Draft, event: TurnUp) -> None:
    """The first card was turned up, or a new top."""
    if d.phase in FIRST_LIES and d.laid == 1 and d.last is None and not d.loose.new_top:
        # RULES 7.1: the first card came in late, and the second had been taken for it.
        discard(d, Discard(**{field.name: getattr(event, field.name) for field in fields(event)}))
        return
    hand.turn_up(d, of_this_deck(d, event))
    wild_was_played(d)


def wild_was_played(d: Draft) -> None:
    """RULES 9: who laid a wild that would have to go back into the pack, and names its colour, has played it: the first
    card was not seen."""
    returned, named = d.loose.returned, d.loose.named
    if returned is None or named is None or returned[0] != named[0] or d.phase is not OPENING:
        return
    who, card = returned
    hand.start_play(d, None, who)
    drift.first_unseen(d, who)
    land(d, Discard(t=d.t, card=card), who, card)
    d.colour = named[1]
    settle(d, "name_colour")


def between(d: Draft, event: Discard) -> None:
    """A card landed where none can be played: it is the first card or a new top, or one after the end."""
    if d.loose.new_top or d.phase is OPENING:
        hand.turn_up(d, event)
    elif d.phase is SCORED:
        hand.deal(d)
        hand.turn_up(d, event)
    elif d.phase is HAND_OVER and (event.card != d.top or seat(d, event.by) not in (NOBODY, d.tally.winner)):
        hand.played_on(d)


def of_this_deck(d: Draft, event: Landing) -> Landing:
    """The landing as the card that it is in this deck (RULES 12). The table names a card that is none of this deck;
    until then it is one that was not read."""
    if event.extra:
        keep_face(d, event)
    if event.card is not None and event.card not in d.setup.pack.copies and foreign(event):
        return replace(event, card=d.setup.pack.odd.get(event.card))
    return event


def foreign(event: Discard | TurnUp) -> bool:
    """Was a card, which the deck has not, only seen? A person who names one, of another deck, is believed."""
    return event.confidence < CERTAIN and not event.extra.get("named")


def put_back(d: Draft, event: Discard) -> bool:
    """RULES 12: after a reshuffle that left nothing the top card is put back, and compared with the one remembered.
    Another was played if the player in turn laid it and may; else the table is asked."""
    card, turn = event.card, d.turn_id
    if event.extra.get("named"):
        return card == d.top
    if card is not None and card != d.top:
        if turn != NOBODY and seat(d, event.by) == turn and mismatch(d, card, turn) is None:
            return False
        d.doubt = True
        ask(d, "which_card", options=(str(card), drift.NO_CARD))
    return True


def keep_face(d: Draft, event: Discard | TurnUp) -> None:
    """RULES 12: what the table called a card that could not be read, or is of another deck, is kept for this deck."""
    face, card = event.extra.get("face"), event.card
    if not isinstance(face, str) or card is None:
        return
    try:
        seen = None if face == "?" else Card.parse(face)
    except ValueError:
        return
    d.setup = replace(d.setup, pack=d.setup.pack.with_odd(seen, card))


def on_turn(d: Draft, event: Discard, who: int) -> None:
    """A card while somebody is in turn."""
    turn = d.turn_id
    card = event.card
    if d.phase is DRAWN and event.by is not None and event.side < hand.ARM_SURE:
        d.loose = d.loose._replace(guessed=d.number)
    if d.phase is CHOOSE_TARGET and not (
        card is not None and continues(d, card, d.target_id if who == NOBODY else who, event.t)
    ):
        hand_unknown_swap(d)
    if who == turn:
        if d.loose.adrift:
            drift.in_order(d)
    elif who == NOBODY:
        who = turn
        if d.pending and card is not None and not answers(d, card) and fell_unseen(d, card):
            who = following(d, turn)
        elif d.phase is DRAWN:
            who = drawer_or_next(d, event)
            if who == NOBODY:
                return
        elif d.last is not None and card is not None and d.phase in CONTINUING:
            # RULES 12: two cards at once are one hand's, unless the next player was seen.
            together = event.t - d.last.t < TOGETHER_S and not d.begun and not event.extra.get("typed")
            if together or continues(d, card, d.last.who, event.t):
                who = d.last.who
    if who != turn:
        if card is not None and continues(d, card, who, event.t):
            if forbidden_finish(d, card, who):
                set_aside(d, event, who, card, Why.FORBIDDEN_FINISH)
            else:
                go_on(d, event, who, card)
            return
        jumped = d.exposed_ids if card is not None and jumps_in(d, card) else ()
        if not takes_turn(d, event, who):
            return
        if jumped and card is not None:
            # RULES 6.6: it is not the player in turn who plays, so the others stay exposed.
            land(d, event, who, card)
            uno.still_exposed(d, jumped, who)
            return
    if card is None:
        unread(d, event, who)
        return
    if d.owed:
        if draws_what_is_left(d):
            forgive(d, who)
        if not d.pending and not d.loose.adrift and must_draw_first(d, who):
            set_aside(d, event, who, card, Why.DRAW_FIRST)
            return
    why = mismatch(d, card, who)
    if why is not None and not drift.over_gap(d, d.number):
        set_aside(d, event, who, card, why)
        return
    land(d, event, who, card)


def takes_turn(d: Draft, event: Discard, who: int) -> bool:
    """May a player play who is not in turn, because the turn passed unseen or by a house rule? Else: out of turn."""
    turn, card = d.turn_id, event.card
    if card is not None and jumps_in(d, card):
        rule(d, Code.JUMP_IN, who, cards=(card,), tier=Tier.NOTE)
        if event.side < CERTAIN:
            d.loose = d.loose._replace(jumped=(turn, d.number))
        turn_to(d, who)
        return True
    if drift.opener_played(d, who) or drift.no_jump_in(d, who) or drift.wild_unseen(d, who):
        return True
    if who == following(d, turn):
        if d.phase is DRAWN or d.loose.passed == turn:
            # RULES 6.3.5: the turn passes by itself when the next player begins.
            if d.phase is not DRAWN:
                blur(d, turn, d.under[turn], d.over[turn] + 1)
            if event.side < CERTAIN:
                d.loose = d.loose._replace(kept=d.laid)
            turn_to(d, who)
            return True
        if d.pending and d.phase is TURN:
            # RULES 9: the victim's neighbour plays: the cards were accepted, the debt stays open.
            if card is None or not drift.answered_unseen(d, card, who, of=turn):
                accept_pending(d)
            return True
    if d.top is None:
        # RULES 12: after an unread card any player may be in turn; the play is unverified.
        drift.after_unread(d, who)
        return True
    if card is None:
        ask(d, "who_played", turn, names_of(d))
        return False
    if d.loose.adrift:
        # RULES 9: the second act out of order is not ruled; the order of turns goes on from what is seen. Who was to
        # answer what pends drew it, unseen.
        if d.pending and not answers(d, card):
            effects.fall(d, turn, Tier.ASK)
            ask(d, "did_draw", turn, ("yes", "no"))
        drift.goes_on(d, who)
        drift.hidden(d, event, who, of=turn)
        return True
    costs = card.rank is Rank.DRAW_TWO  # on a guess nobody is made to draw
    if who == following(d, turn) and not costs and drift.hidden(d, event, who, of=turn):
        turn_to(d, who)
        return True
    set_aside(d, event, who, card, Why.LOST_TURN if d.skipped == who else Why.NOT_YOUR_TURN)
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
            if card is None or not drift.answered_unseen(d, card, after, of=victim):
                accept_pending(d)
        else:
            ask(d, "did_draw", victim, ("yes", "no"))
            turn_to(d, after)
        d.wild4 = None
        on_turn(d, event, after)
    elif d.loose.adrift and drift.mirrored(d, who, played=forfeits or d.pending > 0):
        # RULES 9: play goes the other way round: the other neighbour was hit.
        drift.turn_round(d)
        on_wild_four(d, event, who)
    elif card is not None:
        set_aside(d, event, who, card, Why.NOT_YOUR_TURN)
    else:
        # RULES 12: nothing is judged before the card is named.
        d.doubt = True
        ask(d, "which_card", who, wait=UNREAD_ASK_S)


def fell_unseen(d: Draft, card: Card) -> bool:
    """A card that is no answer to what is pending: is it legal for the victim's neighbour (RULES 7.2)?"""
    pending, d.pending = d.pending, 0
    goes = mismatch(d, card, following(d, d.turn_id)) is None
    d.pending = pending
    return goes


def accept_pending(d: Draft) -> None:
    """The player in turn let the pending cards fall, unseen."""
    victim = d.turn_id
    effects.fall(d, victim, Tier.ASK)  # or an answer was not seen
    ask(d, "did_draw", victim, ("yes", "no"))
    turn_to(d, following(d, victim))
    d.wild4 = None


def drawer_or_next(d: Draft, event: Discard) -> int:
    """Whose is a card after a draw, when nobody saw (RULES 7.2)? Nobody: the table is asked."""
    turn, card = d.turn_id, event.card
    after = following(d, turn)
    by_drawer = card is None or mismatch(d, card, turn) is None
    d.phase = TURN
    by_next = not debt(d, after) and (card is None or mismatch(d, card, after) is None)
    d.phase = DRAWN
    if by_drawer and by_next and d.top is not None:
        d.loose = d.loose._replace(unplaced=event)
        ask(d, "who_played", turn, (d.setup.names[turn], d.setup.names[after]))
        return NOBODY
    return after if by_next and not by_drawer else turn


def fits_next(d: Draft, who: int, draws: bool = False) -> int:
    """Whose was the card that is being asked about, now that `who` goes on, or draws? The drawer's, unless only the
    next player's card makes it that player's turn, or costs that player cards (RULES 9)."""
    turn, event = d.turn_id, d.loose.unplaced
    if who == NOBODY or d.phase is not DRAWN or not isinstance(event, Discard):
        return turn
    after = following(d, turn)
    if draws and event.card is not None and event.card.rank in DRAW_CARDS:
        return after if who == following(d, after) else turn
    by_turn, by_after = (drift.after_card(d, player, event.card, d.direction) for player in (turn, after))
    return after if who == by_after and who not in (by_turn, turn) else turn


def place(d: Draft, who: int, guessed: bool = False) -> None:
    """The card whose player was asked for is that player's. guessed: nobody has said so, and so nobody is accused aloud
    before the order of turns shows that it is."""
    event = d.loose.unplaced
    if guessed:
        d.loose = d.loose._replace(adrift=drift.TRUST_AFTER)
    if who != d.turn_id and d.phase is DRAWN:
        turn_to(d, following(d, d.turn_id))
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
    if who == wrong.who and not drift.plays_again(d, event.card):
        # It can only be in turn again if the wrong card was taken back unseen.
        take_back(d)
        rule(d, Code.INFERRED, who, 1, Reason.LIFT, (wrong.card,), Tier.NOTE)
        return who
    if lay_beneath(d, event, who):
        take_back(d)
        rule(d, Code.INFERRED, wrong.who, 1, Reason.LIFT, (wrong.card,), Tier.NOTE)
        if who == following(d, wrong.who) and wrong.who == d.turn_id and d.phase is TURN and not d.pending:
            # RULES 8: who was to play or draw instead is assumed to have drawn.
            blur(d, wrong.who, d.under[wrong.who], d.over[wrong.who] + 1)
            turn_to(d, who)
            if debt(d, wrong.who):
                ask(d, "did_draw", wrong.who, ("yes", "no"))
        return who if who != NOBODY else d.turn_id
    # RULES 6.7: an error nobody objects to before the next player's card lands stands, with its effects.
    in_turn = d.turn_id
    stand(d)
    if d.phase is HAND_OVER:
        hand.played_on(d)  # the card that stands was the last
        return NOBODY
    if who == NOBODY:
        return d.turn_id
    if who != d.turn_id and who == in_turn:
        turn_to(d, who)
    elif who != d.turn_id and d.loose.adrift and d.phase is not WD4:
        drift.goes_on(d, who)
    return who


def lay_beneath(d: Draft, event: Discard, who: int) -> bool:
    """Does the card go on the one beneath the wrong one, and not on the wrong one? Then that was taken back, as it had
    to be, and nobody saw it; one that was only read may have been misread (`unsure`). Who names a card's player would
    have told that, too: then the wrong card stands (RULES 6.7)."""
    wrong, card = d.wrong, event.card
    if wrong is None or card is None or wrong.code is not Code.ILLEGAL_CARD or not wrong.sure or d.top is None:
        return False
    if event.side >= CERTAIN:
        return False
    fits = wrong.card.is_wild or card.is_wild or card.colour is wrong.card.colour or card.rank is wrong.card.rank
    return not fits and mismatch(d, card, wrong.who if who == NOBODY else who) is None


def hand_unknown_swap(d: Draft) -> None:
    """Hands were swapped, nobody said with whom: every count becomes an interval (RULES 9)."""
    effects.swap_unknown(d)
    d.phase = TURN
