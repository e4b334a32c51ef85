"""The state of a game between two events: an immutable value.

Inside, players are numbers ("ids": their place in `Setup.names`), because the rules turn them over thousands of times
a second; outside, players are named. One step of `apply` works on a `Draft`, which has the fields of a `Position`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from referee.cards import Card, Colour, Rank
from referee.rules.loose import NOBODY as NOBODY
from referee.rules.loose import Loose as Loose
from referee.rules.loose import Picked as Picked
from referee.rules.loose import Rivals as Rivals
from referee.rules.loose import Stray as Stray
from referee.rules.options import Options
from referee.rules.rulings import Code, Reason, Ruling
from referee.rules.setup import Setup

UNKNOWN_COUNT = (1, 20)
"""The interval of a hand nobody counted, when a table starts in the middle of a hand (RULES 12)."""


class Phase(Enum):
    """Where the hand stands (RULES 10)."""

    OPENING = "opening"
    """The first card is about to be turned up."""
    NAME_COLOUR = "name_colour"
    """A wild waits for its colour; the turn is already the next player's."""
    CHOOSE_TARGET = "choose_target"
    """A player must say with whom hands are swapped."""
    TURN = "turn"
    """A player plays or draws."""
    DRAWN = "drawn"
    """The player in turn has drawn, and may play or keep."""
    WD4 = "wd4"
    """A Wild Draw Four lies; its victim draws or challenges."""
    CHALLENGE = "challenge"
    """The offender shows the hand."""
    TAKEBACK = "takeback"
    """A wrong card lies on the pile and goes back to its player."""
    HAND_OVER = "hand_over"
    """A player has no cards left; hands are counted."""
    SCORED = "scored"
    """The hand is counted; the next may be dealt."""
    GAME_OVER = "game_over"
    """The game is won."""

    __hash__ = object.__hash__  # members are compared by identity, and Enum's own hash is a slow Python function


OPENING, NAME_COLOUR, CHOOSE_TARGET, TURN, DRAWN, WD4, CHALLENGE, TAKEBACK, HAND_OVER, SCORED, GAME_OVER = Phase
"""The phases, for what runs in every event: with Python 3.11 `Phase.TURN` costs more than a call of a function."""


class Count(NamedTuple):
    """Cards in a hand: between lo and hi, best being the likeliest."""

    lo: int
    hi: int
    best: int


class Due(NamedTuple):
    """Cards a named player still owes from the draw pile."""

    player: str
    n: int
    reason: Reason


class Question(NamedTuple):
    """Something the table is asked (RULES 13). ref: number of the event it is about; after: seconds on the table's
    clock before which no screen need show it."""

    kind: str
    player: str | None = None
    options: tuple[str, ...] = ()
    ref: int = 0
    after: float = 0.0

    @property
    def id(self) -> str:
        """Name of this question, for example "name_colour:41"."""
        return f"{self.kind}:{self.ref}"


class Owed(NamedTuple):
    """A debt inside the rules: id of the debtor, cards, reason, number of the event that made it."""

    who: int
    n: int
    reason: Reason
    ref: int


class WildDrawFour(NamedTuple):
    """An unsettled Wild Draw Four: who played it, who must draw, what it was played on, cards drawn for it so far."""

    offender: int
    victim: int
    colour: Colour | None
    top: Card | None
    drawn: int = 0
    challenger: int = NOBODY


class Takeback(NamedTuple):
    """A wrong card on the pile: whose, why, and the phase to return to. sure: it may be built on if it stands. ref: its
    event. named: its player was named, or is the one in turn; else only an arm was seen. told: a person named the card.
    """

    who: int
    card: Card
    code: Code
    phase: Phase
    sure: bool
    ref: int
    named: bool = True
    told: bool = False


class LastPlay(NamedTuple):
    """The last card that counted. was_...: all that its play changed, as it was before, so that it can be taken back or
    judged again; counts, clock and questions are not taken back with a card."""

    who: int
    card: Card | None
    t: float
    ruled: bool
    ref: int
    was_phase: Phase
    was_turn_id: int
    was_direction: int
    was_top: Card | None
    was_colour: Colour | None
    was_colour_only: bool
    was_doubt: bool
    was_owed: tuple[Owed, ...]
    was_pending: int
    was_pending_kind: Rank | None
    was_exposed_ids: tuple[tuple[int, float], ...]
    was_begun: bool
    was_namer_id: int
    was_wild4: WildDrawFour | None
    was_laid: int
    was_seen: int


class Tally(NamedTuple):
    """The score across hands. scores: by id; points: (id, n) counted so far in this hand; elsewhere: (id, n) that the
    other table of a tournament told of this round; out: ids eliminated. dealt: number of the event that dealt this
    hand."""

    hand: int = 1
    winner: int = NOBODY
    scores: tuple[int, ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    elsewhere: tuple[tuple[int, int], ...] = ()
    out: tuple[int, ...] = ()
    game_winner: int = NOBODY
    dealt: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """The state of a game. Fields that end in _id, and those of the small records, hold ids; read the properties.

    best, under, over: a hand holds between best - under and best + over cards, by id. doubt: the top card or the
    colour rests on a reading that was not sure. namer_id, target_id: who must name a colour, who must choose a target.
    begun: the player in turn was seen to begin. seen: copies of each face out since the last reshuffle. skipped: who
    lost the last turn. number, t: of the event that led here; out: its rulings.
    """

    setup: Setup
    phase: Phase
    turn_id: int
    direction: int
    top: Card | None
    colour: Colour | None
    colour_only: bool
    doubt: bool
    best: tuple[int, ...]
    under: tuple[int, ...]
    over: tuple[int, ...]
    owed: tuple[Owed, ...]
    pending: int
    pending_kind: Rank | None
    exposed_ids: tuple[tuple[int, float], ...]
    calls: tuple[tuple[int, float], ...]
    begun: bool
    namer_id: int
    target_id: int
    wild4: WildDrawFour | None
    wrong: Takeback | None
    last: LastPlay | None
    loose: Loose
    open: tuple[Question, ...]
    tally: Tally
    pile: int | None
    laid: int
    seen: int
    paused: bool
    t: float
    number: int
    skipped: int = NOBODY
    out: tuple[Ruling, ...] = field(default=(), compare=False, repr=False)

    @property
    def options(self) -> Options:
        """The rules of the table."""
        return self.setup.options

    @property
    def players(self) -> tuple[str, ...]:
        """Names in clockwise order, those still in."""
        return tuple(self.setup.names[player] for player in self.setup.order)

    def _name(self, player: int) -> str | None:
        return None if player == NOBODY else self.setup.names[player]

    @property
    def dealer(self) -> str | None:
        """Who dealt this hand."""
        return self._name(self.setup.dealer)

    @property
    def turn(self) -> str | None:
        """Whose turn it is; in WD4 the player who must draw or challenge; None before the first card and at the end."""
        return self._name(self.turn_id)

    @property
    def hands(self) -> dict[str, Count]:
        """Cards in each hand."""
        out = {}
        for player in self.setup.order:
            best = self.best[player]
            out[self.setup.names[player]] = Count(max(0, best - self.under[player]), best + self.over[player], best)
        return out

    @property
    def dues(self) -> tuple[Due, ...]:
        """Cards owed, oldest first."""
        return tuple(Due(self.setup.names[owed.who], owed.n, owed.reason) for owed in self.owed)

    @property
    def exposed(self) -> tuple[str, ...]:
        """Players who can still be caught."""
        return tuple(self.setup.names[player] for player, _ in self.exposed_ids if self.best[player] == 1)

    @property
    def wd4(self) -> tuple[str, str] | None:
        """Offender and victim of an unsettled Wild Draw Four."""
        if self.wild4 is None:
            return None
        return self.setup.names[self.wild4.offender], self.setup.names[self.wild4.victim]

    @property
    def takeback(self) -> tuple[str, Card] | None:
        """The wrong card on the pile and whose it is."""
        return None if self.wrong is None else (self.setup.names[self.wrong.who], self.wrong.card)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions, most urgent first (RULES 13)."""
        return tuple(sorted(self.open, key=lambda question: (URGENCY.index(question.kind), -question.ref)))

    def asked(self, about: str) -> Question | None:
        """The open question that an answer is about: its id, or its kind for the one of that kind that is shown first;
        None when none is open."""
        return next((question for question in self.questions if about in (question.id, question.kind)), None)

    @property
    def scores(self) -> dict[str, int]:
        """Totals over the hands, of everybody who ever played."""
        return dict(zip(self.setup.names, self.tally.scores, strict=True))

    @property
    def hand(self) -> int:
        """Number of the hand, from 1."""
        return self.tally.hand

    @property
    def draw_pile(self) -> int | None:
        """Cards left in the draw pile, where that is known."""
        return self.pile

    @property
    def winner(self) -> str | None:
        """Winner of the hand."""
        return self._name(self.tally.winner)

    @property
    def game_winner(self) -> str | None:
        """Winner of the game."""
        return self._name(self.tally.game_winner)


URGENCY = (
    "play_after_hand_over",
    "hand_over",
    "who_was_first",
    "who_played",
    "whose_turn",
    "who_drew",
    "how_many",
    "target",
    "name_colour",
    "which_card",
    "challenge_result",
    "one_turn_or_two",
    "took_back",
    "reshuffled",
    "did_draw",
    "custom_rule",
    "other_table",
)
"""Kinds of questions, most urgent first: what stops the game, then what decides a ruling, then counts."""
