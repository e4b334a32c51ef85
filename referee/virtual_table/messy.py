"""A restless table for testing the eye: all that hands do to piles, thick and fast, and no rules of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from referee.cards import Card, Deck
from referee.virtual_table.habits import HABITS, Restlessness
from referee.virtual_table.players import NAMES
from referee.virtual_table.script import Level, Reach, Script
from referee.virtual_table.timeline import Timeline

LONGEST_PILE = 40
"""Cards on the discard pile after which it is picked up. More and the deck runs out; fewer and piles stay flat."""


ACTS: Mapping[str, tuple[float, int]] = {
    "lay": (8.0, 0),
    "lay_twin": (0.8, 1),
    "lay_two": (0.5, 1),
    "draw": (1.2, 0),
    "draw_while_laying": (0.4, 0),
    "take_back": (0.8, 2),
    "hover": (0.6, 1),
    "nudge": (0.7, 1),
    "square_up": (0.5, 4),
    "light": (0.3, 0),
    "cloud": (0.25, 0),
    "shade": (0.4, 0),
    "rest": (0.3, 0),
    "take_pile": (0.1, 4),
    "toss": (4.0, 0),
    "stray": (1.5, 2),
    "rush": (1.5, 0),
    "linger": (1.0, 0),
    "draw_and_lay": (2.0, 0),
    "peek": (1.0, 2),
}
"""What may happen: how often, and the least number of cards on the discard pile."""
LAYING = ("lay", "lay_twin", "lay_two", "toss", "stray", "rush", "linger", "draw_and_lay")
"""Of these, those after which there are more cards on it."""
USUAL = tuple(name for name in ACTS if name not in ("toss", "stray", "rush", "linger", "draw_and_lay", "peek"))
"""What happens where nothing else is asked for."""


def messy_script(
    seed: int,
    *,
    players: int = 4,
    landings: int = 12,
    level: Level = Level.NORMAL,
    acts: Collection[str] = USUAL,
) -> Script:
    """A script in which at least `landings` cards land, and in which only `acts` happen; nobody keeps the rules.

    The same arguments give the same script. Its truth holds `seed`, `level`, `deck`, `players`, `dealer`, `preset`
    and `events` as in `players.play`; `light`, `shadow`, `rest`, `hover`, `nudge`, `peek` and `square_up` are told,
    too.
    """
    if not 2 <= players <= len(NAMES):
        raise ValueError(f"players is {players}: expected 2 to {len(NAMES)}")
    if landings < 1:
        raise ValueError(f"landings is {landings}: expected 1 or more")
    if unknown := set(acts) - set(ACTS):
        raise ValueError(f"acts has {min(unknown)!r}: expected some of {', '.join(ACTS)}")
    if not set(LAYING) & set(acts):
        raise ValueError("acts has nothing that lays a card: add lay")
    rng = Random(f"messy {seed}")
    table = _Table(rng, players, _habits(rng, level), [name for name in ACTS if name in acts])
    stack = len(table.pack)
    while table.landed < landings:
        table.act()
    line = table.line
    truth: dict[str, Any] = {
        "level": level.value,
        "seed": seed,
        "deck": Deck.CLASSIC_108.value,
        "players": list(NAMES[:players]),
        "dealer": NAMES[0],
        "preset": "official_108",
        "events": sorted(line.events, key=lambda e: e["t"]),
    }
    return Script(
        seed=seed,
        level=level,
        players=NAMES[:players],
        dealer=NAMES[0],
        preset="official_108",
        stack=stack,
        actions=tuple(sorted(line.actions, key=lambda a: a.begin)),
        inputs=(),
        truth=truth,
        duration_s=round(line.now + 2.0, 3),
    )


def _habits(rng: Random, level: Level) -> Restlessness:
    """How brisk and how tidy these people are."""
    quick = rng.uniform(0.25, 0.6)
    think = rng.uniform(0.35, 0.8)
    return replace(
        HABITS[level],
        scatter_mm=rng.choice((4.0, 8.0, 14.0)),
        scatter_deg=rng.choice((5.0, 15.0, 40.0)),
        think_s=(think, think + 0.8),
        reach_s=(quick, quick + 0.2),
        hold_s=(0.1, rng.uniform(0.2, 0.7)),
    )


class _Table:
    """What lies where, and what may happen next."""

    def __init__(self, rng: Random, players: int, habits: Restlessness, allowed: list[str]) -> None:
        self.rng, self.players, self.allowed = rng, players, allowed
        self.line = Timeline(rng, habits)
        self.landed = 0
        self.pack = list(Counter(Deck.CLASSIC_108.copies).elements())
        self.rng.shuffle(self.pack)
        self.pile: list[Card] = []

    def act(self) -> None:
        """Something happens."""
        if len(self.pile) >= LONGEST_PILE or len(self.pack) < 8:
            self._take_pile()
            return
        possible = [name for name in self.allowed if len(self.pile) >= ACTS[name][1]] or ["lay"]
        (name,) = self.rng.choices(possible, [ACTS[name][0] for name in possible])
        getattr(self, f"_{name}")()

    def _seat(self) -> int:
        return self.rng.randint(1, self.players)

    def _land(self, *cards: Card) -> None:
        seat = self._seat()
        self._landed(seat, self.line.lay(seat, *cards), *cards)

    def _landed(self, seat: int, reach: Reach, *cards: Card) -> None:
        t = reach.end
        for card in cards:
            self.line.event(t, "landed", card=str(card), seat=seat)
        self.pile += cards
        self.landed += len(cards)

    def _lay(self) -> None:
        self._land(self.pack.pop())

    def _lay_twin(self) -> None:
        """The same face as the one on top, if there is another."""
        top = self.pile[-1]
        self._land(self.pack.pop(self.pack.index(top)) if top in self.pack else self.pack.pop())

    def _lay_two(self) -> None:
        self._land(self.pack.pop(), self.pack.pop())

    def _toss(self) -> None:
        seat, card = self._seat(), self.pack.pop()
        self._landed(seat, self.line.toss(seat, card), card)

    def _stray(self) -> None:
        seat, card = self._seat(), self.pack.pop()
        self._landed(seat, self.line.stray(seat, card), card)

    def _rush(self) -> None:
        """Somebody else lays a card, often a like one (RULES 6.8, jump-in), as the first one's hand goes back."""
        first, second, card = self._seat(), self._seat(), self.pack.pop()
        like = card in self.pack and self.rng.random() < 0.5
        laid = ((first, card), (second, self.pack.pop(self.pack.index(card)) if like else self.pack.pop()))
        for (seat, one), reach in zip(laid, self.line.rush(*laid), strict=True):
            self._landed(seat, reach, one)

    def _linger(self) -> None:
        """The hand that lays a card stays on it."""
        seat, card = self._seat(), self.pack.pop()
        self._landed(seat, self.line.lay(seat, card, hold=(1.5, 4.0)), card)

    def _draw_and_lay(self) -> None:
        """Who draws a card that goes lays it at once (RULES 6.3)."""
        seat, card = self._seat(), self.pack.pop()
        self._landed(seat, self.line.draw_and_lay(seat, card), card)

    def _peek(self) -> None:
        self.line.peek(self._seat())

    def _draw(self) -> None:
        n = self.rng.choice((1, 1, 1, 1, 2, 4))
        self.line.draw(self._seat(), n)

    def _draw_while_laying(self) -> None:
        """One lays a card while another's hand is on its way to the draw pile."""
        begin = self.line.now
        self._lay()
        after, self.line.now = self.line.now, begin + self.rng.uniform(0.0, 0.4)
        self.line.draw(self._seat(), 1)
        self.line.now = max(after, self.line.now)

    def _take_back(self) -> None:
        card, top = self.pile.pop(), self.pile[-1]
        self.line.take_back(self._seat(), card, top, self.rng.choice(((0.15, 0.4), (0.5, 2.0))))
        self.pack.insert(0, card)

    def _hover(self) -> None:
        self.line.hover(self._seat(), self.rng.choice(self.pack))

    def _nudge(self) -> None:
        self.line.nudge(self._seat())

    def _square_up(self) -> None:
        self.line.square_up(self._seat())

    def _light(self) -> None:
        self.line.light()
        self.line.wait(0.5, 1.5)

    def _cloud(self) -> None:
        self.line.cloud()

    def _shade(self) -> None:
        self.line.shade(self._seat())

    def _rest(self) -> None:
        self.line.rest(self._seat())

    def _take_pile(self) -> None:
        """The pile is picked up, with or without its top card, and goes to the draw pile."""
        seat = self._seat()
        keep = self.pile[-1] if self.rng.random() < 0.5 else None
        self.line.take_pile(seat, keep)
        self.pack += self.pile if keep is None else self.pile[:-1]
        self.rng.shuffle(self.pack)
        self.pile = [] if keep is None else [keep]
        self.line.wait(0.5, 1.5)
        self.line.put_stack(seat, len(self.pack))
