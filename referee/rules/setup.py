"""What stays the same during a hand: the rules of the table, who sits where, and what follows from both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from referee.cards import Card, Deck
from referee.rules.loose import NOBODY
from referee.rules.options import Options

MOST_PLAYERS = 10
"""Seats at one table (RULES 1)."""

BLANKS = 3
"""Cards that are offered first for a card that could not be read. Too small: a pack with several blank cards is asked
to look them up each time; too large: the readings of the eye are crowded out."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The cards played with, as far as people have told (RULES 12). copies: how many of each card there are; size: of
    all; odd: by the face that is seen, the card that a card of another deck stands for; blanks: what cards that could
    not be read were said to be, the latest first."""

    deck: Deck
    copies: Mapping[Card, int]
    size: int
    odd: Mapping[Card, Card] = field(default_factory=dict)
    blanks: tuple[Card, ...] = ()

    def with_odd(self, face: Card | None, card: Card) -> Pack:
        """The pack in which a card with that face (None: unread) is what the table calls it. A face that the pack has
        means itself."""
        if face is None:
            return replace(self, blanks=(card, *(old for old in self.blanks if old != card))[:BLANKS])
        return self if face in self.copies else replace(self, odd={**self.odd, face: card})

    def with_more(self, card: Card) -> Pack:
        """The pack that holds more of a card than was thought: a second deck is in it, or one card of another deck."""
        if card not in self.deck.copies:
            return replace(self, copies={**self.copies, card: self.copies.get(card, 0) + 1})
        more = {known: n + self.deck.copies.get(known, 0) for known, n in self.copies.items()}
        return replace(self, copies=more, size=self.size + self.deck.size)


@cache
def printed(deck: Deck) -> Pack:
    """One deck as it is printed."""
    return Pack(deck, deck.copies, deck.size)


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same during a hand.

    names: by id; order: ids clockwise, those still in; ids, seats: the id of a name, of those still in; left, right:
    the neighbour of each id; first: who opens where the table chose; pack: the cards played with; sides:
    the team of each id (itself without teams); table: which one of a tournament this is, from 1; draw_two_forfeits,
    wd4_forfeits: does the victim lose the turn with this many players; pends: do draw cards wait for an answer
    (stacking, deflecting); plain: do only colour and rank decide what may be played when nothing pends, also after a
    draw and as the last card.
    """

    options: Options
    names: tuple[str, ...]
    order: tuple[int, ...]
    dealer: int
    pack: Pack
    first: int = NOBODY
    ids: Mapping[str, int] = field(default_factory=dict)
    seats: Mapping[str | None, int] = field(default_factory=dict)
    sides: tuple[int, ...] = ()
    table: int = 1
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    n: int = 0
    draw_two_forfeits: bool = True
    wd4_forfeits: bool = True
    pends: bool = False
    plain: bool = True

    @classmethod
    def of(
        cls,
        options: Options,
        names: tuple[str, ...],
        order: tuple[int, ...],
        dealer: int,
        first: int = NOBODY,
        sides: tuple[int, ...] = (),
        table: int = 1,
        pack: Pack | None = None,
    ) -> Setup:
        """A set-up with everything that follows from it. sides: (): they alternate around the table (RULES 6.11);
        pack: None: one deck as printed."""
        if not sides:
            alone = options.teams == "none"
            seats = {player: seat % 2 for seat, player in enumerate(order)}
            sides = tuple(player if alone else seats.get(player, 0) for player in range(len(names)))
        left, right = [NOBODY] * len(names), [NOBODY] * len(names)
        for place, player in enumerate(order):
            left[player] = order[(place + 1) % len(order)]
            right[player] = order[place - 1]
        heads_up = len(order) == 2
        drawn_like_any = options.drawn_card != "may_not_play" and options.wd4_from_draw

        def forfeits(value: str) -> bool:
            return value == "always" or (value == "heads_up_only" and heads_up)

        return cls(
            options=options,
            names=names,
            order=order,
            dealer=dealer,
            pack=printed(Deck(options.deck)) if pack is None else pack,
            first=first,
            sides=sides,
            table=table,
            ids={name: number for number, name in enumerate(names)},
            seats={names[player]: player for player in order},
            left=tuple(left),
            right=tuple(right),
            n=len(order),
            draw_two_forfeits=forfeits(options.draw_two_forfeits),
            wd4_forfeits=forfeits(options.wd4_forfeits),
            pends=options.stacking != "off" or options.deflect != "off",
            plain=drawn_like_any and options.finish_restriction == "none",
        )

    def team(self, player: int) -> int:
        """The team of a player (RULES 6.11); without teams, the player."""
        return self.sides[player]

    @property
    def teams(self) -> dict[str, int] | None:
        """The team of everybody by name, None where everybody plays alone."""
        return None if len(set(self.sides)) == len(self.names) else dict(zip(self.names, self.sides, strict=True))
