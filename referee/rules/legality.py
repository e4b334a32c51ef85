"""May this card be played now? Pure questions about a position (RULES 6.3, 6.5, 6.8)."""

from __future__ import annotations

from enum import Enum

from referee.cards import Card, Rank
from referee.rules.position import CHOOSE_TARGET, DRAWN, NAME_COLOUR, TURN, Position
from referee.rules.rulings import Code, Reason

DRAW_TWO, WILD_DRAW_FOUR, SKIP, REVERSE = Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR, Rank.SKIP, Rank.REVERSE


class Why(Enum):
    """Why a card may not be played. The second value is the ruling it leads to."""

    NO_MATCH = "no_match", Code.ILLEGAL_CARD
    """Neither colour nor number or symbol match."""
    COLOUR_ONLY = "colour_only", Code.ILLEGAL_CARD
    """The first card counts by its colour only."""
    NO_ANSWER = "no_answer", Code.ILLEGAL_CARD
    """Cards are pending, and this card does not answer them."""
    FORBIDDEN_FINISH = "forbidden_finish", Code.ILLEGAL_CARD
    """Nobody may go out on this card."""
    WD4_AFTER_DRAW = "wd4_after_draw", Code.ILLEGAL_CARD
    """A Wild Draw Four may not be played after drawing."""
    NOT_AFTER_DRAW = "not_after_draw", Code.ILLEGAL_CARD
    """No card may be played after drawing."""
    NOT_YOUR_TURN = "not_your_turn", Code.OUT_OF_TURN
    """It is another player's turn."""
    LOST_TURN = "lost_turn", Code.OUT_OF_TURN
    """The player loses this turn."""
    DRAW_FIRST = "draw_first", Code.DRAW_FIRST
    """Owed cards must be drawn first."""
    NO_PLAY_NOW = "no_play_now", Code.ILLEGAL_CARD
    """No hand is being played."""

    code: Code

    def __new__(cls, value: str, code: Code) -> Why:
        member = object.__new__(cls)
        member._value_ = value
        member.code = code
        return member


def answers(s: Position, card: Card) -> bool:
    """True if the card answers the pending draw card (RULES 6.8, stacking and deflecting)."""
    options = s.setup.options
    rank = card.rank
    if rank is DRAW_TWO:
        if options.stacking == "off" or (options.stacking != "any" and s.pending_kind is not DRAW_TWO):
            return False
        return options.stack_colour == "ignore" or s.colour is None or card.colour is s.colour
    if rank is WILD_DRAW_FOUR:
        if options.stacking == "off":
            return False
        return options.stacking != "same_type" or s.pending_kind is WILD_DRAW_FOUR
    if rank is REVERSE:
        return options.deflect in ("reverse", "both")
    return rank is SKIP and options.deflect in ("skip", "both")


def mismatch(s: Position, card: Card, player: int) -> Why | None:
    """Why the player in turn, who owes nothing, may not play the card; None if the card may be played."""
    rank = card.rank
    if s.pending:
        # RULES 6.8: a victim answers with an allowed card or draws everything.
        if not answers(s, card):
            return Why.NO_ANSWER
    elif rank.is_wild:
        # RULES 6.3.3, 6.5: a wild goes on anything; whether a Wild Draw Four was allowed only a challenge shows.
        if rank is WILD_DRAW_FOUR and s.phase is DRAWN and not s.setup.options.wd4_from_draw:
            return Why.WD4_AFTER_DRAW
    elif card.colour is not s.colour and s.colour is not None and s.top is not None:
        # RULES 6.3.3: the same colour, or the same number or symbol; after an opening "colour only", only the colour.
        if s.colour_only:
            return Why.COLOUR_ONLY
        if rank is not s.top.rank:
            return Why.NO_MATCH
    if s.setup.plain:
        return None
    if s.phase is DRAWN and s.setup.options.drawn_card == "may_not_play":
        return Why.NOT_AFTER_DRAW
    return Why.FORBIDDEN_FINISH if forbidden_finish(s, card, player) else None


def forbidden_finish(s: Position, card: Card, player: int) -> bool:
    """True if it is the player's last card and nobody may go out on it (RULES 6.8)."""
    restriction = s.setup.options.finish_restriction
    counted = s.best[player] == 1 and not s.under[player] and not s.over[player] and s.loose.forewarned != player
    if restriction == "none" or not counted:
        return False
    return not card.rank.is_number and (restriction == "numbers_only" or card.rank.is_wild)


def must_draw_first(s: Position, player: int) -> bool:
    """RULES 6.3.1, 6.7: a debt is settled before the debtor's own next turn; one for a wrong card of this turn may wait
    until the turn is over. Where nothing is left to draw nobody waits for it (6.9)."""
    if nothing_left(s):
        return False
    since = s.last.ref if s.last is not None else NO_EVENT
    return any(owed.who == player and (owed.reason is not Reason.ILLEGAL_CARD or owed.ref < since) for owed in s.owed)


def nothing_left(s: Position) -> bool:
    """RULES 6.9: both piles are empty but for the top card: what is left to draw is nothing."""
    return s.pile == 0 and s.laid < 2


def jumps_in(s: Position, card: Card) -> bool:
    """True if the card may be played out of turn now (RULES 6.8, jump-in)."""
    if s.setup.options.jump_in == "off" or card != s.top or card.rank.is_wild or s.begun or s.phase is not TURN:
        return False
    if s.pending:
        return answers(s, card)
    return not (card.rank is DRAW_TWO and any(owed.reason.value == "draw_two" for owed in s.owed))


def continues(s: Position, card: Card, player: int, t: float) -> bool:
    """True if the card belongs to the turn the player has just had (RULES 6.8, multi-play)."""
    if s.setup.options.multi_play == "off" or s.last is None or s.last.card is None:
        return False
    if s.last.who != player or s.begun or t - s.last.t > MULTI_PLAY_S or s.phase not in CONTINUING:
        return False
    if s.setup.options.multi_play == "identical":
        return card == s.last.card
    return card.rank is s.last.card.rank


CONTINUING = frozenset({TURN, NAME_COLOUR, CHOOSE_TARGET})
NO_EVENT = -2
"""Before every event."""
MULTI_PLAY_S = 2.5
"""Seconds between cards of one turn (RULES 6.8). Too small: a slow second card is called out of turn; too large: a
card played out of turn passes as part of the turn before."""
