"""What a position remembers besides the state of the hand: loose ends that matter only rarely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.cards import Card, Colour

NOBODY = -1
"""The id of no player."""


class Rivals(NamedTuple):
    """A photo finish: a catch and what would have defeated it, closer than `photo_finish_s` (RULES 6.6)."""

    who: int
    catcher: int
    n: int
    ref: int


class Stray(NamedTuple):
    """Somebody acted although another was in turn. who: who did; drew: cards drawn, 0 for a card played; turn: who was
    in turn, seen to do nothing."""

    who: int
    drew: int
    turn: int


class Picked(NamedTuple):
    """A card that was taken up, and may come back at once. before: the position in which it lay, a `Position`; t: when
    it was taken up; events: what people have said since; said: the codes of the rulings which that led to."""

    before: Any
    t: float
    events: tuple[Any, ...] = ()
    said: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Loose:
    """What matters only rarely. Pairs are (id, t).

    closed: whose exposure a landing or a draw closed last, as (id, by, t); caught, early: the last good and the last
    early catch, as (id, catcher, t); called: the last call; rivals: the photo finish before the table; unplaced: a card
    whose player is being asked; lifted: a legal top card off the pile, and when; passed: who said to keep a card that
    nobody saw drawn; asked: a catch that waits for a count, as (id, catcher, exposed); drew: the last forced draw;
    new_top: the next card turned up replaces the top; strayed: who last acted out of turn; adrift: acts in order after
    which the order of turns is trusted again, 0 when it is; gap: who is thought to have played unseen, and the number
    of the card that showed it; kept: how many cards lay there when somebody went on after a draw, which was kept or
    played unseen, or drew out of turn, for a card nobody saw; opener: whose arm laid the first card, where it was not
    the dealer's; suggested: who is said to have suggested a card last; unwatched: a card landed during a pause;
    foretold: the last call with two cards out of turn, since the last card that counts; moved: number of the card that
    made hands change owners last, and by id whose hand each player has since; bare: the discard pile was taken, and its
    top card is still to be put back; unseen: who drew an unseen number that was taken for the one owed, how many of
    those may still be drawn one by one, and how many cards lay on the pile then; returned: whose arm laid a first card
    that goes back into the pack, and which, where it was not the dealer's; named: who named a colour before the first
    card, or before a wild was seen, which, and when; uncharged: who laid a wrong card that was not charged, since it
    was not sure, and what it costs; like: what else the top card may be, where it was only seen; costs_else: by that,
    or by what a card of the chain beneath it may be, perhaps another number of cards is owed, or none; guessed: number
    of a card that may be the drawer's or the next player's, since the arm did not show it well; typed: number of the
    last card that a person typed in; put_up: a wrong card that was taken back last, and when; shown: (id, points) of
    hands that were shown, or whose points were typed in, since the last card, and hold those cards still; forewarned:
    who called with one card in the own turn, when nobody could catch it any more; ended: the table has said that the
    hand is over; jumped: who was in turn when somebody's arm was seen to jump in last, and the number of that card;
    chosen: who said with whom hands are swapped before a card for it was seen, as (id, other, t); claimed: who called
    upon a card that seemed to leave two; picked: the last card as it was taken back, until anything else happens but
    that people speak; echo: number of a landing that was taken for the card beneath it, told again; drawn: who drew
    last, how many cards lay on the pile then, and how many cards the eye and the phones have told of since.
    """

    closed: tuple[int, int, float] | None = None
    caught: tuple[int, int, float] | None = None
    early: tuple[int, int, float] | None = None
    called: tuple[int, float] | None = None
    rivals: Rivals | None = None
    unplaced: object | None = None
    lifted: tuple[Card, float] | None = None
    passed: int = NOBODY
    asked: tuple[int, int, bool] | None = None
    drew: tuple[int, float] | None = None
    new_top: bool = False
    strayed: Stray | None = None
    adrift: int = 0
    gap: tuple[int, int] | None = None
    kept: int = -1
    opener: int = NOBODY
    suggested: tuple[int, float] | None = None
    unwatched: bool = False
    foretold: tuple[int, float] | None = None
    moved: tuple[int, tuple[int, ...]] | None = None
    bare: bool = False
    unseen: tuple[int, int, int] | None = None
    returned: tuple[int, Card] | None = None
    named: tuple[int, Colour, float] | None = None
    uncharged: tuple[int, int] | None = None
    like: tuple[Card, ...] = ()
    costs_else: bool = False
    guessed: int = -1
    typed: int = -1
    put_up: tuple[Any, float] | None = None
    shown: tuple[tuple[int, int], ...] = ()
    forewarned: int = NOBODY
    ended: bool = False
    jumped: tuple[int, int] | None = None
    chosen: tuple[int, int, float] | None = None
    claimed: int = NOBODY
    picked: Picked | None = None
    echo: int = -1
    drawn: tuple[int, int, int, int] | None = None

    def _replace(self, **changes: Any) -> Loose:
        """The same but for these fields. Raises TypeError for a field there is none of."""
        fields = self.__dict__ | changes
        if len(fields) != len(self.__dict__):
            raise TypeError(f"no such field: {', '.join(changes.keys() - self.__dict__.keys())}")
        made = object.__new__(Loose)
        object.__setattr__(made, "__dict__", fields)
        return made
