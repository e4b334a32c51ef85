"""The Wild Draw Four challenge, and hands that are shown (RULES 6.5)."""

from __future__ import annotations

from referee.cards import Card, Rank
from referee.events import Challenge, ChallengeResult, Show
from referee.rules import early, effects, hand, uno, wrong
from referee.rules.draft import Draft, ask, debt, following, forgive, owe, rule, seat, set_count, settle, turn_to
from referee.rules.position import NOBODY, Phase, WildDrawFour
from referee.rules.rulings import Code, Reason, Tier
from referee.rules.scoring import card_points

RESULT_ASK_S = 20.0
"""Seconds after which the result of a challenge is asked for (RULES 13). Too small: asked while the hand is being
shown; too large: the table waits for the referee."""


def challenge(d: Draft, event: Challenge) -> None:
    """Somebody challenges the Wild Draw Four."""
    who = seat(d, event.by)
    if d.wrong is not None and who == following(d, d.wrong.who):
        wrong.plays_wild(d, d.wrong.who, Rank.WILD_DRAW_FOUR)
    wild = d.wild4
    options = d.setup.options
    if who == NOBODY and wild is not None:
        who = wild.victim
    allowed = options.wd4_challenge != "off" and wild is not None and d.phase is Phase.WD4 and not wild.drawn
    if wild is not None and who != wild.victim:
        # RULES 6.5: the victim, and where any player may, any opponent of the offender.
        opponent = d.setup.team(who) != d.setup.team(wild.offender)
        allowed = allowed and options.wd4_challenge == "any_player" and opponent
    if not allowed or wild is None or who == wild.offender or wild.offender not in d.setup.order:
        drew = d.loose.drew
        close = drew is not None and drew[0] == who and event.t - drew[1] < options.photo_finish_s
        # With no Wild Draw Four in sight, or one on which somebody may have laid another, one may have landed unseen:
        # that is no announcement.
        seen = wild is not None or (d.last is not None and d.last.card is not None
                                    and d.last.card.rank is Rank.WILD_DRAW_FOUR and not d.begun)  # fmt: skip
        rule(d, Code.CHALLENGE_REFUSED, who, tier=Tier.CALL if seen and not close and not uno.in_doubt(d) else Tier.ASK)
        return
    d.wild4 = wild._replace(challenger=who)
    d.phase = Phase.CHALLENGE
    rule(d, Code.CHALLENGE_OPEN, wild.offender, by=who)
    ask(d, "challenge_result", who, ("guilty", "innocent"), RESULT_ASK_S)


def result(d: Draft, event: ChallengeResult) -> None:
    """The challenger reports what the hand showed."""
    wild = d.wild4
    if d.phase is not Phase.CHALLENGE or wild is None:
        return
    who = seat(d, event.by)
    if who == wild.offender:
        rule(d, Code.NOT_ENTITLED, who, reason=Reason.ONESELF, tier=Tier.NOTE)
        return
    decide(d, wild, event.guilty)


def show(d: Draft, event: Show) -> None:
    """A player showed all cards of the hand."""
    who = seat(d, event.by)
    if event.by is None and d.wild4 is not None:
        who = d.wild4.offender
    if who == NOBODY:
        return
    if d.phase in (Phase.HAND_OVER, Phase.SCORED):
        hand.count_points(d, who, sum(card_points(d.setup.options, card) for card in event.cards))
        return
    if d.phase in (Phase.OPENING, Phase.GAME_OVER):
        return
    effects.balance(d, len(event.cards) - d.best[who])
    set_count(d, who, len(event.cards))
    uno.recount(d, who)
    wild = d.wild4
    if d.phase is Phase.CHALLENGE and wild is not None and who == wild.offender:
        guilty = is_guilty(d, wild, event.cards)
        if guilty is not None and event.sure:
            decide(d, wild, guilty)
    else:
        # RULES 8: hands shown early: is the hand over? If so, they need not be shown again.
        early.keep(d, who, sum(card_points(d.setup.options, card) for card in event.cards))


def is_guilty(d: Draft, wild: WildDrawFour, cards: tuple[Card, ...]) -> bool | None:
    """Was the Wild Draw Four forbidden with these cards left? None: the colour it was played on is not known."""
    restriction = d.setup.options.wd4_restriction
    if restriction == "none" or not cards:
        return False
    if wild.colour is None:
        return None
    # RULES 6.5: only cards of the colour in force count, not numbers or symbols, not other wilds.
    if any(card.colour is wild.colour for card in cards):
        return True
    if restriction == "no_card_of_colour":
        return False
    top = wild.top
    return any(
        card.rank is not Rank.WILD_DRAW_FOUR and (card.is_wild or (top is not None and card.rank is top.rank))
        for card in cards
    )


def decide(d: Draft, wild: WildDrawFour, guilty: bool) -> None:
    """The challenge is decided; the card and the named colour stay."""
    options = d.setup.options
    settle(d, "challenge_result")
    pended = d.pending
    d.pending, d.pending_kind, d.wild4 = 0, None, None
    if debt(d, wild.victim):
        forgive(d, wild.victim, Reason.WD4)
    # RULES 6.8: a chain with an unsure card in it may come to less, and nobody is made to draw a guess aloud.
    tier = Tier.ASK if (d.doubt or d.loose.costs_else) and pended > 4 else Tier.CALL
    if guilty:
        rule(d, Code.GUILTY, wild.offender, by=wild.challenger)
        owe(d, Code.PENALTY, wild.offender, (pended or 4) - 4 + options.challenge_guilty_draws, Reason.GUILTY, tier)
        keeps = options.challenge_guilty_turn == "challenger_plays"
        turn_to(d, wild.victim if keeps else following(d, wild.victim))
    else:
        rule(d, Code.INNOCENT, wild.offender, by=wild.challenger)
        owe(d, Code.PENALTY, wild.challenger, (pended or 4) + options.challenge_innocent_extra, Reason.INNOCENT, tier)
        turn_to(d, following(d, wild.victim))
