"""A simulated table while a hand is played: who holds what, whose turn it is, and what moving cards about does."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from referee.cards import Card, Colour, Rank
from referee.events import NameColour
from referee.virtual_table.customs import Customs, Stacking
from referee.virtual_table.habits import Mistakes, Restlessness
from referee.virtual_table.timeline import Timeline

HAND_SIZE = 7
WILD = Card(Rank.WILD)
WILD_DRAW_FOUR = Card(Rank.WILD_DRAW_FOUR)
DRAWS = {Rank.DRAW_TWO: (2, "draw_two"), Rank.WILD_DRAW_FOUR: (4, "wd4")}
"""How many cards a draw card costs its victim, and the reason."""


class Sitting:
    """The hands, the piles and the turn. Players are numbered from 0, clockwise; a player's seat is one more."""

    def __init__(
        self, rng: Random, names: tuple[str, ...], customs: Customs, mistakes: Mistakes, habits: Restlessness
    ) -> None:
        self.rng, self.names, self.customs, self.mistakes, self.habits = rng, names, customs, mistakes, habits
        self.n = len(names)
        self.line = Timeline(rng, habits)
        self.dealer = rng.randrange(self.n)
        self.hands: list[list[Card]] = []
        self.pack: list[Card] = []
        self.pile: list[Card] = []
        self.colour = Colour.RED
        self.turn = 0
        self.direction = 1
        self.forgot: int | None = None
        """Holds one card, has not called, and was not caught yet."""
        self.laid_by: int | None = None
        """Who laid the top card."""
        self.strayed: int | None = None
        """The last to lay a card out of turn, until somebody plays."""
        self.kept: int | None = None
        """Drew, keeps the card and has not said so: could still be about to play it."""
        self.advised: float | None = None
        """When somebody was last reported for advice."""
        self.pending = 0
        """With stacking: cards that fall on the first who does not answer."""
        self.only_colour = False
        """The first card was a symbol that counts by its colour alone, and nobody has played on it yet."""
        self.mixed = False
        """Hands were swapped, passed on or dealt anew in this turn."""

    def chance(self, p: float) -> bool:
        """True with probability p."""
        return self.rng.random() < p

    def after(self, p: int) -> int:
        """Who is next after p, in the direction of play."""
        return (p + self.direction) % self.n

    def someone_else(self, p: int) -> int:
        """Anybody but p."""
        return self.rng.choice([q for q in range(self.n) if q != p])

    def matches(self, card: Card) -> bool:
        """RULES 6.3: the colour in force, or the number or symbol of the top card; a wild always."""
        return card.is_wild or card.colour is self.colour or (card.rank is self.pile[-1].rank and not self.only_colour)

    def answers(self, card: Card) -> bool:
        """True if the card passes on what is pending (RULES 6.8)."""
        same = card.rank is self.pile[-1].rank
        return same if self.customs.stacking is Stacking.SAME else card.rank in DRAWS

    def bluffs(self, p: int, card: Card) -> bool:
        """True if the card, not p's last, is a Wild Draw Four that the colours in p's hand forbid (RULES 6.5)."""
        forbidden = card == WILD_DRAW_FOUR and not self.customs.four_is_always_legal
        return forbidden and any(c.colour is self.colour for c in self.hands[p])

    def favourite(self, p: int) -> Colour:
        """The colour somebody names: mostly the one most held."""
        held = [card.colour for card in self.hands[p] if card.colour is not None]
        if not held or self.chance(0.2):
            return self.rng.choice(list(Colour))
        return max(Colour, key=held.count)

    def shuffle_and_deal(self) -> None:
        """A new hand begins, and nothing lies on the table."""
        self.pack = list(Counter(self.customs.deck.copies).elements())
        self.rng.shuffle(self.pack)
        self.hands = [[self.pack.pop() for _ in range(HAND_SIZE)] for _ in range(self.n)]
        self.pile = []
        self.direction = 1
        self.laid_by = None
        self.forgot = None
        self.kept = None
        self.pending = 0
        self.only_colour = False
        self.mixed = False

    def name_colour(self, p: int, t: float) -> None:
        """p taps the colour that is in force now, soon after t."""
        name = self.names[p]
        self.line.tap(t + self.rng.uniform(0.3, 1.3), name, NameColour(by=name, colour=self.colour))

    def landed(self, t: float, p: int, card: Card, **fields: Any) -> None:
        """It is true that p's card has landed."""
        self.line.event(t, "landed", card=str(card), seat=p + 1, **fields)

    def owe(self, code: str, t: float, p: int, n: int, reason: str) -> None:
        """p owes n cards since t, and draws them."""
        self.line.ruling(t, code, self.names[p], n=n, reason=reason)
        self.draw(p, n)

    def draw(self, p: int, n: int) -> list[float]:
        """p draws n cards, or what is left (RULES 6.9). When each visit to the draw pile ended is returned."""
        drawn = 0
        visits = []
        together = n > 1 and self.chance(self.habits.several_a_visit)
        while drawn < n:
            if not self.pack and not self._reshuffle(p):
                break
            take = min(n - drawn, len(self.pack)) if together else 1
            visits.append(self.line.draw(p + 1, take, (0.15, 0.4) if drawn else None).end)
            for _ in range(take):
                self.hands[p].append(self.pack.pop())
            drawn += take
        return visits

    def _reshuffle(self, p: int) -> bool:
        """The discard pile without its top card becomes the draw pile; False when there is nothing under it."""
        if len(self.pile) < 2:
            return False
        top = self.pile.pop()
        t = self.line.take_pile(p + 1, top)
        self.line.ruling(t, "reshuffled", None)
        self.pack, self.pile = self.pile, [top]
        self.rng.shuffle(self.pack)
        self.line.wait(1.0, 2.0)
        self.line.put_stack(p + 1, len(self.pack))
        return True
