"""What happens at a simulated table: a script of timed actions, of inputs that no camera sees, and the truth of it.

Millimetres are on the table: the discard pile's middle is the origin of a `Spot`, x to the right and y down in the
picture. Seats are numbered from 1, clockwise as seen from above. Times are seconds since the script began.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from referee.cards import Card
from referee.events import Event


class Level(Enum):
    """How hard a table is to watch: the play, the light and the camera."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card lies: offset from the middle of the discard zone, mm, and its turn in degrees, clockwise."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A hand reaches in from a seat and goes back: begin <= contact <= release <= end, seconds.

    Between begin and contact it comes; until release it stays at its work; at end it is out of the picture.
    """

    seat: int
    begin: float
    contact: float
    release: float
    end: float

    def __post_init__(self) -> None:
        if not 0 <= self.begin <= self.contact <= self.release <= self.end:
            times = (self.begin, self.contact, self.release, self.end)
            raise ValueError(f"a hand's times go forwards, not {times}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay(Reach):
    """Lays cards face up on the discard pile, the last of `cards` on top, each at its spot."""

    cards: tuple[Card, ...]
    spots: tuple[Spot, ...]

    def __post_init__(self) -> None:
        Reach.__post_init__(self)
        if not self.cards or len(self.cards) != len(self.spots):
            raise ValueError("each card that is laid has a spot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toss(Reach):
    """Throws a card face up on to the discard pile: the hand lets go `short_mm` before the spot, the card slides on.

    rests: when the card lies at its spot, seconds, release < rests <= end. spin: how far it turns on its way, degrees.
    """

    card: Card
    spot: Spot
    rests: float
    short_mm: float
    spin: float

    def __post_init__(self) -> None:
        Reach.__post_init__(self)
        if not self.release < self.rests <= self.end:
            raise ValueError(f"a card that is let go at {self.release} and is past at {self.end} rests between")


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Reach):
    """Takes the top card off the discard pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hover(Reach):
    """Holds a card over the discard pile and withdraws with it."""

    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Reach):
    """Takes n cards from the draw pile in one visit."""

    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAndLay(Reach):
    """Takes a card from the draw pile and lays it on the discard pile at once, without going back between.

    At contact the hand is at the draw pile, until `taken`; from `over` on at the discard pile; it lets go at release.
    """

    card: Card
    spot: Spot
    taken: float
    over: float

    def __post_init__(self) -> None:
        Reach.__post_init__(self)
        if not self.contact <= self.taken < self.over <= self.release:
            raise ValueError("a card that is drawn and laid goes from the draw pile to the discard pile between")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge(Reach):
    """Pushes the top cards of the discard pile by `by` (mm and degrees).

    lift: how high they are lifted meanwhile, and how far towards the hand, mm.
    """

    by: Spot
    depth: int
    lift: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareUp(Reach):
    """Straightens the discard pile with two hands: every card ends near `to`."""

    to: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePile(Reach):
    """Picks up the discard pile; keep_top: all but its top card, which goes under the draw pile."""

    keep_top: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeStack(Reach):
    """Picks up what is left of the draw pile, to shuffle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutStack(Reach):
    """Puts a shuffled draw pile of n cards on the table."""

    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Reach):
    """An arm rests on the table's edge, away from the piles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The light goes to `gain` (blue, green, red; 1 is the light at the start) over `lasts` seconds."""

    begin: float
    lasts: float
    gain: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shade:
    """Somebody's soft shadow passes over the table from `seat`; depth: 0 to 1, the light it takes."""

    seat: int
    begin: float
    end: float
    depth: float


Action = Reach | Light | Shade


@dataclass(frozen=True, slots=True)
class Press:
    """The UNO button of a seat goes down at t."""

    t: float
    seat: int


@dataclass(frozen=True, slots=True)
class Tap:
    """A player taps something on the phone at t."""

    t: float
    player: str
    event: Event


Input = Press | Tap


@dataclass(frozen=True, slots=True)
class Script:
    """A table's evening: who sits there, what the camera sees, what it cannot see, and what is true.

    actions: by begin. inputs: by t. truth: one JSON object, see `players.play`. duration_s: when all is over.
    """

    seed: int
    level: Level
    players: tuple[str, ...]
    dealer: str
    preset: str
    stack: int
    actions: tuple[Action, ...]
    inputs: tuple[Input, ...]
    truth: Mapping[str, Any]
    duration_s: float

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= 10:
            raise ValueError(f"{len(self.players)} players: expected 2 to 10")
        if self.dealer not in self.players:
            raise ValueError(f"the dealer {self.dealer!r} is not one of the players")
