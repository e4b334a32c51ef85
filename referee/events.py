"""The one vocabulary of what happens at a table, and its JSON form.

A card landed, a hand went to the draw pile, the button went down, a phone tapped "challenge", somebody corrected a
reading: all of them are events. The state of a game is a pure function of its ordered events. Names and fields follow
`conformance/examples.json`; players are named by their names.

Their JSON form is `referee.event_json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from referee.cards import Card, Colour

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events share.

    t: seconds on the table's clock, 0 or more; events are ordered by it, then by their number in the journal.
    extra: JSON fields of a newer version, kept unread.
    """

    ev: ClassVar[str] = ""
    t: float = 0.0
    extra: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.t >= 0 or self.t == float("inf"):
            raise ValueError(f"t is {self.t!r}: expected seconds, 0 or more")


# --- set-up ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Event):
    """A new game: players in clockwise order from seat 1, the first dealer, the rules by preset and options.

    hands: cards held at the start where not everybody holds `hand_size`; scores: totals carried over.
    first: the first player where the table chose one (RULES 5.1 `first_player`).
    turn, top, colour, direction, draw_pile: where the table starts in the middle of a hand (RULES 12); turn None: the
    hand begins with a card turned up; hands not given are then unknown.
    table: which table of a tournament this one is, from 1 (RULES 6.12); there players sit by the schedule.
    """

    ev: ClassVar[str] = "game_started"
    players: tuple[str, ...]
    dealer: str
    preset: str = "official_108"
    options: Mapping[str, Json] = field(default_factory=dict)
    hands: Mapping[str, Json] = field(default_factory=dict)
    scores: Mapping[str, Json] = field(default_factory=dict)
    first: str | None = None
    turn: str | None = None
    top: Card | None = None
    colour: Colour | None = None
    direction: int = 1
    draw_pile: int | None = None
    table: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt(Event):
    """The next hand is dealt and its first card is about to be turned up. dealer None: by the rotation;
    first: the first player where the table chose one.

    ends: number of the event that dealt the hand before it; where that is not the present hand nothing happens, for
    somebody else has dealt meanwhile. None: whatever hand it is.
    """

    ev: ClassVar[str] = "hand_dealt"
    dealer: str | None = None
    first: str | None = None
    ends: int | None = None


# --- what the camera sees -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen(Event):
    """An event the camera reported.

    confidence: 0 to 1, that the card is the one named; sure: the reading may carry a ruling;
    alternatives: what else it could be, as (notation, confidence); photo: id of the evidence picture.
    """

    confidence: float = 1.0
    sure: bool = True
    alternatives: tuple[tuple[str, float], ...] = ()
    photo: str | None = None

    def __post_init__(self) -> None:
        Event.__post_init__(self)
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence is {self.confidence!r}: expected 0 to 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp(Seen):
    """The dealer turns up the first card. card None: it could not be read.

    by, side: whose arm it was, as for a `Discard`; another's than the dealer's may have played on a first card unseen.
    """

    ev: ClassVar[str] = "turn_up"
    card: Card | None
    by: str | None = None
    side: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnOpening(Seen):
    """The first card goes back into the pack."""

    ev: ClassVar[str] = "return_opening"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard(Seen):
    """A card landed face up on the discard pile. by None: the referee does not know who put it there.

    side: 0 to 1, how surely the arm came from `by`'s seat; below 0.8 the player in turn is assumed (RULES 7.2).
    """

    ev: ClassVar[str] = "discard"
    card: Card | None
    by: str | None = None
    side: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Seen):
    """A card left the top of the discard pile. lain: seconds for which it had lain at rest when the hand came for it;
    None: as the times of both acts say. told: it was to be taken back by what the referee had said until then."""

    ev: ClassVar[str] = "lift"
    card: Card | None = None
    by: str | None = None
    lain: float | None = None
    told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Seen):
    """A hand took n cards from the draw pile; n None: the number was not seen. owed: how many its player was to draw by
    what the referee had said until then."""

    ev: ClassVar[str] = "draw"
    by: str | None = None
    n: int | None = 1
    side: float = 1.0
    owed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Seen):
    """A player (by None: the one in turn) was seen beginning a turn.

    how: "hand" (took a card from the hand to play) or "pile".
    """

    ev: ClassVar[str] = "begin"
    by: str | None = None
    how: str = "hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchDiscard(Seen):
    """A player's hand touched the discard pile without playing."""

    ev: ClassVar[str] = "touch_discard"
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TopSeen(Seen):
    """What lies on top of the discard pile when watching begins, at the start or after a restart (RULES 12)."""

    ev: ClassVar[str] = "top_seen"
    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffle(Seen):
    """The discard pile without its top card became the draw pile; bare: nothing is left where it lay, and the top card
    is still to be put back."""

    ev: ClassVar[str] = "reshuffle"
    bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Seen):
    """A player (by None: the one who was challenged) showed all cards of the hand: for a challenge, or at the end."""

    ev: ClassVar[str] = "show"
    by: str | None = None
    cards: tuple[Card, ...]


# --- what the button and the phones say -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Uno(Event):
    """The UNO button. by None: one button for the whole table, so the player it concerns is inferred."""

    ev: ClassVar[str] = "uno"
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch(Event):
    """`by` says that `on` (None: whoever it can mean) failed to call UNO."""

    ev: ClassVar[str] = "catch"
    by: str | None = None
    on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NameColour(Event):
    """A colour is named for a wild."""

    ev: ClassVar[str] = "colour"
    by: str | None = None
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Event):
    """A player to swap hands with is chosen."""

    ev: ClassVar[str] = "target"
    by: str | None = None
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Event):
    """A Wild Draw Four is challenged."""

    ev: ClassVar[str] = "challenge"
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeResult(Event):
    """The challenger reports what the offender's hand showed."""

    ev: ClassVar[str] = "challenge_result"
    by: str | None = None
    guilty: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Event):
    """A player keeps the drawn card and passes."""

    ev: ClassVar[str] = "pass"
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion(Event):
    """`on` is said to have suggested a card to somebody."""

    ev: ClassVar[str] = "suggestion"
    by: str | None = None
    on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Event):
    """A player is said to hold n cards."""

    ev: ClassVar[str] = "count"
    player: str
    n: int
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Points(Event):
    """The points in a player's hand at the end of a hand, typed in."""

    ev: ClassVar[str] = "points"
    player: str
    n: int
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Event):
    """A player leaves the game."""

    ev: ClassVar[str] = "leave"
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Event):
    """A player joins; after: the player whose left the newcomer sits at (None: last)."""

    ev: ClassVar[str] = "join"
    player: str
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Event):
    """Play pauses; what the camera sees does not count. appeal: id of the ruling that `by` appeals against, where that
    is why."""

    ev: ClassVar[str] = "pause"
    by: str | None = None
    appeal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Event):
    """Play goes on. top: the card that lies on the discard pile then, None where it was not read; changed: the pile was
    seen to change during the pause."""

    ev: ClassVar[str] = "resume"
    by: str | None = None
    top: Card | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Upheld(Event):
    """The table decided that a ruling stands against which `by` appealed. ruling: its id; code: what it was. The rules
    pass it over: who appealed in vain does not stop the game for it again."""

    ev: ClassVar[str] = "upheld"
    ruling: str
    code: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Event):
    """The table answers a question, by its kind (RULES 13)."""

    ev: ClassVar[str] = "answer"
    question: str
    value: Json = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Override(Event):
    """The table overrules: what = "legal" (the last ruled play stands), "void" (drop the ruling `ref`), ..."""

    ev: ClassVar[str] = "override"
    what: str
    ref: int | None = None
    player: str | None = None
    by: str | None = None


# --- events about events --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Event):
    """The event numbered `ref` was something else: the fields in `fields` (JSON form) replace its own.

    The camera's later, better look at a card is a correction too, with by None.
    """

    ev: ClassVar[str] = "correct"
    ref: int
    fields: Mapping[str, Json]
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Event):
    """The event numbered `ref` (None: the last one that still counts) does not count."""

    ev: ClassVar[str] = "undo"
    ref: int | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Event):
    """The player is called `to` from now on, in everything that was recorded before as well."""

    ev: ClassVar[str] = "rename"
    player: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Event):
    """An event of a newer version: kept, written back, and ignored by the rules."""

    ev: ClassVar[str] = "unknown"
    name: str


EVENTS: Mapping[str, type[Event]] = {
    kind.ev: kind
    for kind in (
        GameStarted, HandDealt, TurnUp, ReturnOpening, Discard, Lift, Draw, Begin, TouchDiscard, TopSeen, Reshuffle,
        Show, Uno, Catch, NameColour, Target, Challenge, ChallengeResult, Pass, Suggestion, Count, Points, Leave, Join,
        Pause, Resume, Upheld, Answer, Override, Correct, Undo, Rename,
    )
}  # fmt: skip
"""Every event by its name in JSON."""


def subject(event: Event) -> str | None:
    """The player that an event tells of: whose hand was counted, who is said to have suggested a card, else who did it.

    None: nobody is named.
    """
    if isinstance(event, (Count, Points, Leave, Join)):
        return event.player
    if isinstance(event, Suggestion) and event.on is not None:
        return event.on
    by: str | None = getattr(event, "by", None)
    return by
