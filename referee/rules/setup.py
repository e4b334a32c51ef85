"""What stays the same during a hand: the rules of the table, who sits where, and what follows from both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.cards import Card, Deck
from referee.rules.loose import NOBODY
from referee.rules.options import Options


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same during a hand.

    names: by id; order: ids clockwise, those still in; ids, seats: the id of a name, of those still in; left, right:
    the neighbour of each id; first: who opens where the table chose; copies: how many of each card the deck holds;
    sides: the team of each id (itself without teams); table: which one of a tournament this is, from 1;
    draw_two_forfeits, wd4_forfeits: does the victim lose the turn with this many players; pends: do draw cards wait for
    an answer (stacking, deflecting); plain: do only colour and rank decide what may be played when nothing pends, also
    after a draw and as the last card.
    """

    options: Options
    names: tuple[str, ...]
    order: tuple[int, ...]
    dealer: int
    first: int = NOBODY
    ids: Mapping[str, int] = field(default_factory=dict)
    seats: Mapping[str | None, int] = field(default_factory=dict)
    copies: Mapping[Card, int] = field(default_factory=dict)
    sides: tuple[int, ...] = ()
    table: int = 1
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    n: int = 0
    draw_two_forfeits: bool = True
    wd4_forfeits: bool = True
    pends: bool = False
    plain: bool = True
    deck_size: int = 108

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
    ) -> Setup:
        """A set-up with everything that follows from it. sides: (): they alternate around the table (RULES 6.11)."""
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
            first=first,
            sides=sides,
            table=table,
            ids={name: number for number, name in enumerate(names)},
            seats={names[player]: player for player in order},
            copies=Deck(options.deck).copies,
            left=tuple(left),
            right=tuple(right),
            n=len(order),
            draw_two_forfeits=forfeits(options.draw_two_forfeits),
            wd4_forfeits=forfeits(options.wd4_forfeits),
            pends=options.stacking != "off" or options.deflect != "off",
            plain=drawn_like_any and options.finish_restriction == "none",
            deck_size=Deck(options.deck).size,
        )

    def team(self, player: int) -> int:
        """The team of a player (RULES 6.11); without teams, the player."""
        return self.sides[player]

    @property
    def teams(self) -> dict[str, int] | None:
        """The team of everybody by name, None where everybody plays alone."""
        return None if len(set(self.sides)) == len(self.names) else dict(zip(self.names, self.sides, strict=True))
