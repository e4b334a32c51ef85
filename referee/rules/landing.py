"""A card counts: it leaves the hand, becomes the top, and has its effect (RULES 6.3, 6.4, 6.8, 12)."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import Card, Rank
from referee.events import Discard
from referee.rules import effects, hand, uno
from referee.rules.draft import (
    Draft,
    ask,
    blur,
    exact,
    faces_seen,
    following,
    note_seen,
    perhaps_moved,
    remember,
    rule,
    settle,
    turn_to,
)
from referee.rules.hand import DRAW_CARDS
from referee.rules.legality import NO_EVENT
from referee.rules.position import NOBODY, TURN, Question
from referee.rules.rulings import Code, Reason, Tier
from referee.rules.scoring import SPECIAL

UNREAD_ASK_S = 1.5
"""Seconds of rest before an unread card is asked for (RULES 12). Too small: the table is asked while the card is still
being straightened; too large: the next card covers it."""
RUN_OUT = 15
"""Cards in the draw pile, as counted, below which it may have run out unseen. Too small: a reshuffle that nobody saw is
taken for a second deck; too large: a second deck is asked about after each reshuffle."""
MOOT = ("whose_turn", "who_drew", "took_back", "one_turn_or_two", "hand_over", "custom_rule")
"""Questions that the next play settles."""
HIT_BY_DRAW_TWO = Reason.DRAW_TWO
LATER_MOOT = ("which_card", "how_many", "who_played", "reshuffled")
"""Questions that the play after the next settles: until then the answer changes what is judged."""


def take_from_hand(d: Draft, who: int) -> None:
    """A card left the hand. A hand thought empty cannot have been (RULES 9)."""
    best = [*d.best]
    best[who] = left = best[who] - 1
    if left >= 0:
        d.best = (*best,)
        if d.under[who] > left:
            blur(d, who, left, d.over[who])
    else:
        blur(d, who, d.under[who], max(0, d.over[who] - 1))
        settle(d, "how_many", who)  # asked before, it would be moot with this play
        ask(d, "how_many", who)


def land(d: Draft, event: Discard, who: int, card: Card) -> None:
    """A play that counts."""
    before, owed, top, loose = d.last, d.owed, d.top, d.loose
    last = remember(d, who, card, event.t)
    if d.exposed_ids or loose.caught is not None:
        uno.closes_by_card(d, who, event.t)
        loose = d.loose
    if top is None or (d.colour is None and not card.is_wild):
        settle(d, "name_colour")
        if top is not None and top.is_wild and card.colour is not None:
            # RULES 9: the next coloured card tells the colour that was named.
            rule(d, Code.INFERRED, who, 0, Reason.COLOUR, (card,), Tier.NOTE, colour=card.colour)
    d.last = last._replace(ruled=True) if d.out else last
    take_from_hand(d, who)
    d.laid += 1
    copies = note_seen(d, card)
    if (copies > 1 or card.rank in SPECIAL) and copies > d.setup.pack.copies.get(card, 0):
        too_many(d, event, who, card)
    # RULES 6.8: what a chain of draw cards comes to is as doubtful as any card of it.
    d.doubt = not event.sure or (d.doubt and d.setup.pends and card.rank in DRAW_CARDS)
    d.top = card
    # RULES 12: whether it goes on a card that nobody has read is not known, and so is what it costs.
    unverified = top is None and card.rank in DRAW_CARDS
    remembers = loose.like or loose.costs_else or loose.shown or loose.forewarned != NOBODY
    if event.alternatives or event.extra or unverified or remembers:
        like = hand.offers(event)
        d.loose = loose = loose._replace(
            like=like,
            costs_else=unverified or hand.costs_else(card, like) or (loose.costs_else and d.pending > 0),
            typed=d.number if event.extra.get("typed") else loose.typed,
            forewarned=who if loose.forewarned == who else NOBODY,
            shown=(),
        )
    d.colour = card.colour
    d.colour_only = False
    d.namer_id = NOBODY
    d.skipped = NOBODY
    if loose.passed != NOBODY or loose.strayed is not None or loose.foretold is not None:
        d.loose = loose._replace(passed=NOBODY, strayed=None, foretold=None)
    since = before.ref if before is not None and (d.open or owed) else NO_EVENT
    if d.open:
        moot(d, since)
    if owed:
        hit = next((debt.who for debt in owed if debt.ref == since and debt.reason is HIT_BY_DRAW_TWO), NOBODY)
        if hit not in (NOBODY, who):
            # RULES 8: play goes on, and nobody saw the two cards drawn.
            ask(d, "did_draw", hit, ("yes", "no"))
    left = d.best[who]
    if loose.claimed == who and left and event.confidence < hand.CERTAIN:
        # RULES 9: by the call before, the hand holds one card less.
        blur(d, who, max(1, d.under[who]), d.over[who])
        d.loose = d.loose._replace(claimed=NOBODY)
    if left == 0 and effects.goes_out(d, who, card):
        return
    if left <= 1 or d.under[who] or d.over[who]:
        if left == 1 and d.under[who]:
            ask(d, "how_many", who)  # RULES 9: it may have been the last card, and the hand be over
        uno.second_to_last(d, who, event.t)
    elif d.calls:
        uno.forget(d, who)
    d.phase = TURN
    d.wild4 = None
    d.begun = False
    effects.play(d, who, card)


def too_many(d: Draft, event: Discard, who: int, card: Card) -> None:
    """RULES 9: more copies of a face than the deck has mean a misread. Where the table has named the card all the same,
    the discards were shuffled unseen, or there are more cards than thought (RULES 12, double deck)."""
    if not event.extra.get("named"):
        ask(d, "which_card", who)
    elif d.pile is not None and d.pile < RUN_OUT:
        d.seen = faces_seen(card)
    else:
        pack = d.setup.pack.with_more(card)
        if d.pile is not None:
            d.pile += pack.size - d.setup.pack.size
        d.setup = replace(d.setup, pack=pack)


def moot(d: Draft, since: int) -> None:
    """RULES 13: a question's default is taken when the next play makes it moot. since: number of the play before."""
    d.open = tuple(
        question
        for question in d.open
        if question.ref == d.number
        or (question.kind == "whose_turn" and d.loose.adrift)
        or (question.kind == "which_card" and question.after >= d.t)  # asked with this very play
        or (question.kind not in MOOT and (question.ref >= since or not passes(d, question)))
    )


def passes(d: Draft, question: Question) -> bool:
    """Does the play after the next settle the question? Whether somebody drew only where nothing is owed."""
    if question.kind == "did_draw":
        return not any(d.setup.names[owed.who] == question.player for owed in d.owed)
    return question.kind in LATER_MOOT


def go_on(d: Draft, event: Discard, who: int, card: Card) -> None:
    """One more card of the same turn (RULES 6.8, multi-play): the last sets the colour, every one has its effect."""
    if d.last is None:
        return
    like = hand.offers(event)
    d.loose = d.loose._replace(like=like, costs_else=hand.costs_else(card, like) or d.loose.costs_else)
    effects.again(d, who, card)
    passed_on = card.rank is Rank.ZERO and d.setup.options.seven_zero and d.setup.n > 1
    take_from_hand(d, following(d, who) if passed_on else who)
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
    d.last = remember(d, who, None, event.t)
    if d.exposed_ids or d.loose.caught is not None:
        uno.closes_by_card(d, who, event.t)
    take_from_hand(d, who)
    d.laid += 1
    d.top = d.colour = None
    d.doubt = True
    d.pending, d.pending_kind, d.wild4, d.namer_id = 0, None, None, NOBODY
    ask(d, "which_card", who, offered(d, event), UNREAD_ASK_S)
    if d.best[who] == 0 and exact(d, who):
        hand.finish(d, who)
        return
    perhaps_moved(d, who)
    turn_to(d, following(d, who))


def offered(d: Draft, event: Discard) -> tuple[str, ...]:
    """What a card that could not be read may be: first what such cards were called before in this deck (RULES 12)."""
    blanks = tuple(map(str, d.setup.pack.blanks))
    return (*blanks, *(name for name, _ in event.alternatives if name not in blanks)) if blanks else ()
