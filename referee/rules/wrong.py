"""A wrong card on the pile: it is set aside, taken back, or stands (RULES 6.7)."""

from __future__ import annotations

from referee.cards import Card, Rank
from referee.events import Discard
from referee.rules import drift, effects, uno
from referee.rules.draft import (
    Draft,
    ask,
    blur,
    debt,
    following,
    forgive,
    gain,
    lay_wrong,
    names_of,
    owe,
    pick_up,
    rule,
    settle,
    turn_to,
)
from referee.rules.hand import CERTAIN, costs_else, offers
from referee.rules.landing import land, moot, take_from_hand
from referee.rules.legality import NO_EVENT, Why, answers, mismatch
from referee.rules.position import Phase, Question, Stray, Takeback
from referee.rules.rulings import Code, Reason, Tier

ON_THE_TOP = (Why.NO_MATCH, Why.COLOUR_ONLY, Why.NO_ANSWER)
"""Why a card is wrong, where that depends on the card beneath it."""
TOGETHER_S = 0.6
"""Seconds within which two cards come from one hand (RULES 12). Too small: two dropped cards are a play and the next
player's; too large: a quick next player is taken for the one before."""


def set_aside(d: Draft, event: Discard, who: int, card: Card, why: Why) -> None:
    """The card has to be taken back (RULES 6.7)."""
    options = d.setup.options
    code = why.code
    named = event.by is not None and event.side >= CERTAIN
    in_turn = who == d.turn_id and code is not Code.OUT_OF_TURN  # who has lost the turn to a Wild Draw Four is not
    attributed = named or (in_turn and d.loose.guessed != d.number)
    # A draw that was owed is easily missed, and so is the card of somebody else: neither is announced as a fault.
    # After a draw the drawer may have played unseen, unless the card was said to be kept.
    # Who has said to keep a card that nobody saw drawn has perhaps had the turn.
    hidden = d.loose.kept == d.laid or d.loose.passed == who
    hidden = hidden or (code is Code.ILLEGAL_CARD and drift.fits_own_hidden(d, card, who, named))
    verified = event.sure and not d.doubt and all(question.kind != "which_card" for question in d.open)
    rivals = code is Code.ILLEGAL_CARD and may_fit(d, event, who, why)
    verified = verified and (named or not hidden) and not rivals
    sure = verified and not hidden and attributed and event.by is not None and code is not Code.DRAW_FIRST
    sure = sure and not (code is Code.OUT_OF_TURN and uno.in_doubt(d))
    undrawn = why is Why.LOST_TURN and not sure and plays_undrawn(d, who)
    if who == d.turn_id:
        uno.begins(d, who, event.t)
    elif code is Code.OUT_OF_TURN and at_once(d, event, who):
        if both := either(d, event, card):
            ask(d, "which_card", who, both)
    elif code is Code.OUT_OF_TURN and who == following(d, d.turn_id) and d.phase is Phase.TURN and not d.owed:
        # The player in turn may have drawn unseen (RULES 9): the table is asked.
        sure = False
        ask(d, "whose_turn", d.turn_id, names_of(d))
    elif not sure and not undrawn:
        ask(d, "whose_turn", d.turn_id, names_of(d))
    if code is Code.OUT_OF_TURN and not at_once(d, event, who):
        second = strays(d, event, who, card)
        if not sure or second:
            drift.contradicted(d, who)
        if second:
            return
    if code is Code.DRAW_FIRST:
        settle(d, "did_draw", who)
        ask(d, "did_draw", who, ("yes", "no"))
    if not event.sure or rivals:
        ask(d, "which_card", who)
    reason = Reason.SKIPPED if why is Why.LOST_TURN else None
    tier = Tier.CALL if sure else Tier.ASK
    rule(d, code, who, reason=reason, cards=(card,), tier=tier)
    fault, cost = Reason.ILLEGAL_CARD, options.illegal_play_penalty if code is Code.ILLEGAL_CARD else 0
    if code is Code.OUT_OF_TURN:
        fault, cost = Reason.OUT_OF_TURN, options.out_of_turn_penalty
    if options.enforcement == "strict" and verified and attributed:
        owe(d, Code.PENALTY, who, cost, fault, tier)
    elif cost:
        d.loose = d.loose._replace(uncharged=(who, cost))
    if d.loose.foretold is not None and d.loose.foretold[0] != who:
        d.loose = d.loose._replace(foretold=None)
    # RULES 12: where people go on upon a card that the eye saw and the rules forbid, it may have been misread.
    builds = event.sure and not costs_else(card, offers(event))
    builds = builds and (code is not Code.ILLEGAL_CARD or event.confidence >= CERTAIN)
    lay_wrong(d, who, card, code, builds, attributed, bool(event.extra.get("named")))
    take_from_hand(d, who)


def plays_undrawn(d: Draft, who: int) -> bool:
    """RULES 12: who plays on upon a draw card, and has not drawn, may have seen another card: which was it?"""
    last = d.last
    if last is None or last.card is None or all(owed.who != who or owed.ref != last.ref for owed in d.owed):
        return False
    seen = (str(last.card), Rank.WILD.value) if last.card.is_wild else (str(last.card),)
    d.open += (Question("which_card", d.setup.names[last.who], seen, last.ref, d.t),)
    return True


def may_fit(d: Draft, event: Discard, who: int, why: Why) -> bool:
    """Would the card be right if it, or the top card, were another that its reading offers? What is offered at all is
    likelier than that somebody plays a wrong card."""
    if any(mismatch(d, card, who) is None for card in offers(event)):
        return True
    card = event.card
    return why in ON_THE_TOP and any(
        card is not None and (top.is_wild or top.colour is card.colour or top.rank is card.rank) for top in d.loose.like
    )


def at_once(d: Draft, event: Discard, who: int) -> bool:
    """RULES 12: was this card laid together with the play before it? Then it is one too many, and nobody mistook the
    turn."""
    seen = not event.extra.get("typed")
    return seen and d.last is not None and d.last.who == who and event.t - d.last.t < TOGETHER_S


def either(d: Draft, event: Discard, card: Card) -> tuple[str, ...]:
    """Two cards that came to lie in one instant, of which either could be the play: the table is asked which was meant
    (RULES 12). Else none."""
    last = d.last
    if last is None or last.card in (None, card) or event.t != last.t or last.was_pending:
        return ()
    top = last.was_top
    fits = card.is_wild or card.colour is last.was_colour or (top is not None and card.rank is top.rank)
    return (str(last.card), str(card)) if fits else ()


def strays(d: Draft, event: Discard, who: int, card: Card) -> bool:
    """A card out of turn: is it the second in a row that fits another turn (RULES 9)? Then the table is asked whose
    turn it is, and nothing is ruled. A card like the one before, but late, may have been meant for the same turn."""
    last = d.last
    if last is not None and last.who == who and card == last.card and d.setup.options.multi_play != "off":
        ask(d, "one_turn_or_two", who, ("yes", "no"))
    stray = d.loose.strayed
    second = stray is not None and who == following(d, stray.who)
    d.loose = d.loose._replace(strayed=Stray(who, 0, d.turn_id))
    if not second:
        return False
    ask(d, "whose_turn", d.turn_id, names_of(d))
    told = bool(event.extra.get("named"))
    lay_wrong(d, who, card, Code.OUT_OF_TURN, event.sure, event.side >= CERTAIN, told)
    take_from_hand(d, who)
    return True


def take_back(d: Draft) -> None:
    """The wrong card is back in its player's hand."""
    wrong = d.wrong
    assert wrong is not None
    pick_up(d, wrong)
    gain(d, wrong.who)
    d.loose = d.loose._replace(foretold=None)
    if wrong.code is Code.ILLEGAL_CARD and d.setup.options.illegal_play_turn == "turn_ends" and wrong.who == d.turn_id:
        if d.pending:
            # RULES 6.8: no answer came, and the turn in which it could is over.
            effects.fall(d, wrong.who)
            d.wild4 = None
        turn_to(d, following(d, wrong.who))


def drawn_unseen(d: Draft, who: int) -> None:
    """RULES 13: a debt nobody saw drawn, and nobody was heard about: drawn, exactly. The count allows for both."""
    owed = debt(d, who)
    forgive(d, who)
    settle(d, "did_draw", who)
    gain(d, who, owed)
    effects.balance(d, owed)
    blur(d, who, d.under[who] + owed, d.over[who])


def plays_wild(d: Draft, who: int, rank: Rank | None = None) -> None:
    """RULES 9: who names the colour of a wild set aside for owed cards, or is challenged for it, does not take it back:
    the cards were drawn unseen. rank: only for such a wild."""
    lies = d.wrong
    if lies is None or lies.code is not Code.DRAW_FIRST or lies.who != who:
        return
    if lies.card.is_wild and rank in (None, lies.card.rank):
        stand(d)


def which_of(d: Draft, wrong: Takeback, unanswered: bool) -> None:
    """RULES 9: who plays on upon a card that was called wrong may know better what lies there. Where it was wrong only
    since it answers no draw card, it is the draw card that was another."""
    last = d.last
    if unanswered and last is not None and last.card is not None:
        d.open += (Question("which_card", d.setup.names[last.who], (str(last.card),), last.ref, d.t),)
    else:
        ask(d, "which_card", wrong.who, (str(wrong.card),))


def stand(d: Draft, drop_penalty: bool = False) -> None:
    """The wrong card counts as if it had been legal."""
    wrong = d.wrong
    assert wrong is not None
    pick_up(d, wrong)
    gain(d, wrong.who)
    if drop_penalty or d.setup.options.enforcement == "advisory":
        d.owed = tuple(owed for owed in d.owed if owed.ref != wrong.ref or owed.who != wrong.who)
    if not drop_penalty:
        rule(d, Code.PLAY_STANDS, wrong.who, cards=(wrong.card,), tier=Tier.NOTE)
    if wrong.code is Code.DRAW_FIRST:
        drawn_unseen(d, wrong.who)
    elif wrong.code is Code.OUT_OF_TURN and d.phase is Phase.TURN and not d.pending:
        stray = d.loose.strayed
        if wrong.who == following(d, d.turn_id) or (d.loose.adrift and stray is not None):
            drift.unseen(d, d.turn_id)
    if d.wild4 is not None and wrong.who != d.wild4.victim:
        d.wild4 = None
    unanswered = d.pending > 0 and not answers(d, wrong.card)
    if unanswered:
        effects.fall(d, d.turn_id, Tier.CALL if wrong.sure else Tier.ASK)
    turn_to(d, wrong.who)
    sure = wrong.sure or (drop_penalty and wrong.code is Code.ILLEGAL_CARD)
    if not wrong.named and not drop_penalty:
        # RULES 9: nobody objected to a card out of turn, so perhaps it was the player in turn who laid it.
        blur(d, wrong.who, d.under[wrong.who], d.over[wrong.who] + 1)
    # What is asked about it is about that card, and not about the one that shows that it stands.
    moot(d, NO_EVENT)
    number, d.number, foretold = d.number, wrong.ref, d.loose.foretold
    if wrong.code is Code.ILLEGAL_CARD and not wrong.sure and not wrong.told and not drop_penalty:
        which_of(d, wrong, unanswered)
    told = {"named": True} if wrong.told else {}
    land(d, Discard(t=d.t, card=wrong.card, sure=sure, extra=told), wrong.who, wrong.card)
    d.number = number
    uno.stood(d, foretold)
