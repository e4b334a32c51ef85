"""What the referee says about an event: a value with a code, not a sentence (RULES 11)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from referee.cards import Card, Colour


class Tier(Enum):
    """How a ruling is brought to the table."""

    CALL = "call"
    """Announced, with the picture."""
    ASK = "ask"
    """A quiet prompt; the play stands meanwhile."""
    NOTE = "note"
    """Written down only."""

    __hash__ = object.__hash__  # members are compared by identity, and Enum's own hash is a slow Python function


class Code(Enum):
    """What was ruled. The value is the word of RULES 11; the second is the section it rests on."""

    ILLEGAL_CARD = "illegal_card", "6.7"
    """The card matches neither colour nor symbol, is a forbidden wild, or does not answer a draw card."""
    OUT_OF_TURN = "out_of_turn", "6.7"
    """A card by a player whose turn it is not."""
    DRAW_FIRST = "draw_first", "6.7"
    """A card by a player who must first draw what is owed."""
    MUST_DRAW = "must_draw", "6.3"
    """A player passed without drawing."""
    OVERDRAWN = "overdrawn", "6.7"
    """More cards drawn than due; n is how many too many."""
    DRAW_OUT_OF_TURN = "draw_out_of_turn", "10"
    """A player drew who neither owes cards nor is in turn."""
    PLAY_STANDS = "play_stands", "6.7"
    """A wrong card that nobody objected to before the next one stands."""
    UNO_OK = "uno_ok", "6.6"
    """A valid call."""
    UNO_VOID = "uno_void", "6.6"
    """A call that means nothing."""
    CATCH_OK = "catch_ok", "6.6"
    """A player who forgot to call was caught."""
    CATCH_EARLY = "catch_early", "6.6"
    """Caught too early: the player does not hold one card after a play that stands."""
    CATCH_SAFE = "catch_safe", "6.6"
    """Caught in vain: the call came first."""
    CATCH_LATE = "catch_late", "6.6"
    """Caught too late."""
    CHALLENGE_OPEN = "challenge_open", "6.5"
    """A Wild Draw Four is challenged: the offender shows the hand."""
    CHALLENGE_REFUSED = "challenge_refused", "6.5"
    """A challenge by a player not entitled, too late, or where the table plays without."""
    GUILTY = "guilty", "6.5"
    """The Wild Draw Four was not allowed."""
    INNOCENT = "innocent", "6.5"
    """The Wild Draw Four was allowed."""
    REDRAW_OPENING = "redraw_opening", "6.2"
    """The first card goes back into the pack; another is turned up."""
    PENALTY = "penalty", "6.7"
    """A player owes n cards for a fault, named by the reason."""
    FORCED_DRAW = "forced_draw", "6.4"
    """A player owes n cards because of a card played, named by the reason."""
    INFERRED = "inferred", "9"
    """Something unseen was concluded from a later event."""
    CORRECTED = "corrected", "9"
    """Somebody put the record right."""
    RESHUFFLED = "reshuffled", "6.9"
    """The discard pile became the draw pile."""
    JUMP_IN = "jump_in", "6.8"
    """An identical card played out of turn, by the house rule."""
    NOT_ENTITLED = "not_entitled", "10"
    """Somebody said what only another player may say."""
    HAND_OVER = "hand_over", "6.10"
    """A player has no cards left, or nobody else is left."""
    ELIMINATED = "eliminated", "6.11"
    """A player reached the amount and is out of the game."""
    GAME_OVER = "game_over", "6.11"
    """The game is won."""

    section: str

    __hash__ = object.__hash__  # members are compared by identity, and Enum's own hash is a slow Python function

    def __new__(cls, value: str, section: str) -> Code:
        member = object.__new__(cls)
        member._value_ = value
        member.section = section
        return member


ACCUSING = frozenset(
    {
        Code.ILLEGAL_CARD, Code.OUT_OF_TURN, Code.DRAW_FIRST, Code.MUST_DRAW, Code.CATCH_OK, Code.CATCH_EARLY,
        Code.CATCH_SAFE, Code.CATCH_LATE, Code.CHALLENGE_REFUSED, Code.PENALTY, Code.FORCED_DRAW,
    }
)  # fmt: skip
"""Rulings that are against somebody: asked, not announced, while the order of turns is in doubt."""


class Reason(Enum):
    """Why cards are owed, what was inferred, or why somebody cannot say that."""

    DRAW_TWO = "draw_two"
    """Hit by a Draw Two."""
    WD4 = "wd4"
    """Hit by a Wild Draw Four."""
    STACK = "stack"
    """The first who did not answer a chain of draw cards."""
    UNO = "uno"
    """Caught without having called UNO."""
    ILLEGAL_CARD = "illegal_card"
    """Played a wrong card."""
    OUT_OF_TURN = "out_of_turn"
    """Played out of turn."""
    SUGGESTION = "suggestion"
    """Suggested a card to somebody."""
    FALSE_UNO = "false_uno"
    """Called UNO without cause."""
    FALSE_CATCH = "false_catch"
    """Tried to catch a player who could not be caught."""
    GUILTY = "guilty"
    """Played a Wild Draw Four against the rule and was challenged."""
    INNOCENT = "innocent"
    """Challenged a Wild Draw Four that was allowed."""
    COLOUR = "colour"
    """Inferred: the colour named for a wild, from the next card."""
    LIFT = "lift"
    """Inferred: a wrong card was taken back unseen."""
    DRAWN = "drawn"
    """Inferred: a player drew a card unseen."""
    HIDDEN_CARD = "hidden_card"
    """Inferred: a card was played unseen."""
    UNSURE_CARD = "unsure_card"
    """Inferred: which card an unsure reading was, from what was done after it."""
    SKIPPED = "skipped"
    """The player had just lost the turn."""
    WILD = "wild"
    """Somebody else's wild: that player names its colour."""
    SWAP = "swap"
    """Somebody else swaps hands, and says with whom."""
    TURN = "turn"
    """It is another player's turn."""
    ONESELF = "oneself"
    """Nobody catches himself, or judges the own hand."""

    __hash__ = object.__hash__  # members are compared by identity, and Enum's own hash is a slow Python function


class Ruling(NamedTuple):
    """One ruling about one event.

    player: whom it concerns; cards: those it is about; n: number of cards; winner: of a hand or game;
    colour: the colour inferred; by: the player who did something to `player` (caught, challenged).
    """

    code: Code
    player: str | None = None
    n: int = 0
    reason: Reason | None = None
    cards: tuple[Card, ...] = ()
    tier: Tier = Tier.NOTE
    winner: str | None = None
    colour: Colour | None = None
    by: str | None = None

    @property
    def section(self) -> str:
        """The section of RULES.md that the ruling rests on."""
        return self.code.section
