"""Turns what players do into timed actions of hands, inputs, and the truth. Knows time and motion, not the rules."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

from referee.cards import Card
from referee.events import Event
from referee.virtual_table.habits import Restlessness
from referee.virtual_table.script import (
    Action,
    Draw,
    DrawAndLay,
    Hover,
    Input,
    Lay,
    Light,
    Nudge,
    Press,
    PutStack,
    Reach,
    Rest,
    Shade,
    Spot,
    SquareUp,
    TakeBack,
    TakePile,
    TakeStack,
    Tap,
    Toss,
)

WAY_BACK = 0.85
"""The way back as a part of the way there. Above 1 hands linger over the pile; far below they look like springs."""

PILE_REACH_MM = 40.0
"""Cards land at most this far from the middle. Larger leaves the discard zone; smaller makes every pile tidy."""

TOSS_S = (0.2, 0.6)
"""How long a thrown card flies and slides."""
TOSS_MM = (90.0, 230.0)
"""How far from its spot it is let go. More, and no hand comes into the picture."""
RUSH_S = (0.3, 1.0)
"""How long after another's hand let a card go somebody lays one who is quick."""
ACROSS_S = (0.4, 1.6)
"""How long a drawn card that is laid at once is on its way from one pile to the other: a glance at it is in it."""
STRAY_MM = (50.0, 75.0)
"""How far from the pile's middle a card lies that is still to be pushed on to it. More, and it leaves the zone."""


class Timeline:
    """Writes down actions, inputs and truth; `now` is when the last hand was gone."""

    def __init__(self, rng: Random, habits: Restlessness) -> None:
        self.rng = rng
        self.habits = habits
        self.now = 0.4
        self.actions: list[Action] = []
        self.inputs: list[Input] = []
        self.events: list[dict[str, Any]] = []
        self.rulings: list[dict[str, Any]] = []

    # --- truth and inputs -------------------------------------------------------------------------------------------

    def event(self, t: float, name: str, **fields: Any) -> None:
        """Something became true at the table."""
        self.events.append({"t": round(t, 3), "event": name, **fields})

    def ruling(self, t: float, code: str, player: str | None, **fields: Any) -> None:
        """What a perfect referee says about what happened at t."""
        self.rulings.append({"t": round(t, 3), "code": code, "player": player, **fields})

    def tap(self, t: float, player: str, event: Event) -> float:
        """A player taps; the time is returned, and nothing goes on before it."""
        t = round(t, 3)
        self.inputs.append(Tap(t, player, replace(event, t=t)))
        self.now = max(self.now, t)
        return t

    def press(self, t: float, seat: int) -> float:
        """A player hits the UNO button; the time is returned."""
        t = round(t, 3)
        self.inputs.append(Press(t, seat))
        self.now = max(self.now, t)
        return t

    def wait(self, low: float, high: float) -> None:
        """Nobody moves for a while."""
        self.now += self.rng.uniform(low, high)

    # --- motions ----------------------------------------------------------------------------------------------------

    def spot(self) -> Spot:
        """Where a hurried hand leaves a card."""
        h = self.habits

        def offset() -> float:
            return max(-PILE_REACH_MM, min(PILE_REACH_MM, self.rng.gauss(0, h.scatter_mm)))

        turned = 180.0 if self.rng.random() < 0.5 else 0.0
        return Spot(offset(), offset(), turned + self.rng.gauss(0, h.scatter_deg))

    def _times(self, hold: tuple[float, float], pause: tuple[float, float] | None = None) -> dict[str, float]:
        begin = self.now + self.rng.uniform(*(pause or self.habits.think_s))
        way = self.rng.uniform(*self.habits.reach_s)
        contact = begin + way
        release = contact + self.rng.uniform(*hold)
        end = release + way * WAY_BACK
        self.now = end
        return {name: round(t, 3) for name, t in
                {"begin": begin, "contact": contact, "release": release, "end": end}.items()}  # fmt: skip

    def _add(self, reach: Reach) -> Reach:
        self.actions.append(reach)
        return reach

    def lay(self, seat: int, *cards: Card, hold: tuple[float, float] | None = None) -> Reach:
        """Cards land on the discard pile. hold: how long the hand stays there, seconds."""
        spots = [self.spot()]
        for _ in cards[1:]:
            last = spots[-1]
            spots.append(Spot(last.x + self.rng.choice((-1, 1)) * self.rng.uniform(14, 22),
                              last.y + self.rng.uniform(-16, 16), last.angle + self.rng.uniform(-12, 12)))  # fmt: skip
        return self._add(Lay(seat=seat, **self._times(hold or self.habits.hold_s), cards=cards, spots=tuple(spots)))

    def toss(self, seat: int, card: Card) -> Reach:
        """A card is thrown on to the discard pile from farther away."""
        rng, times = self.rng, self._times((0.0, 0.05))
        rests = round(times["release"] + rng.uniform(*TOSS_S), 3)
        times["end"] = self.now = max(times["end"], rests)
        return self._add(
            Toss(seat=seat, **times, card=card, spot=self.spot(), rests=rests, short_mm=rng.uniform(*TOSS_MM),
                 spin=rng.uniform(-150, 150))
        )  # fmt: skip

    def stray(self, seat: int, card: Card) -> Reach:
        """A card is laid half beside the pile, and then pushed on to it: both ends of what happened."""
        rng, spot = self.rng, self.spot()
        way, off = rng.uniform(0, 2 * math.pi), rng.uniform(*STRAY_MM)
        beside = Spot(off * math.cos(way), off * math.sin(way), spot.angle)
        reach = self._add(Lay(seat=seat, **self._times(self.habits.hold_s), cards=(card,), spots=(beside,)))
        by = Spot(spot.x - beside.x, spot.y - beside.y, rng.uniform(-15, 15))
        push = self._add(Nudge(seat=seat, **self._times((0.2, 0.5), (0.0, 1.5)), by=by, depth=1))
        self.event(push.end, "nudge", seat=seat)
        return reach

    def rush(self, *laid: tuple[int, Card]) -> list[Reach]:
        """One after another lays a card, each as the hand before goes back."""
        reaches: list[Reach] = []
        for seat, card in laid:
            times = self._times(self.habits.hold_s)
            if reaches:
                early = times["contact"] - reaches[-1].release - self.rng.uniform(*RUSH_S)
                times = {name: round(t - early, 3) for name, t in times.items()}
            self.now = max([times["end"], *(reach.end for reach in reaches)])
            reaches.append(self._add(Lay(seat=seat, **times, cards=(card,), spots=(self.spot(),))))
        return reaches

    def peek(self, seat: int) -> None:
        """The top card is lifted to see the one below, and laid back."""
        rng = self.rng
        by = Spot(rng.gauss(0, 5), rng.gauss(0, 5), rng.gauss(0, 6))
        reach = self._add(Nudge(seat=seat, **self._times((0.7, 1.8)), by=by, depth=1, lift=rng.uniform(20.0, 60.0)))
        self.event(reach.end, "peek", seat=seat)

    def take_back(self, seat: int, card: Card, top: Card | None, after: tuple[float, float]) -> Reach:
        """The top card is taken off the pile again, `after` seconds after its landing."""
        reach = self._add(TakeBack(seat=seat, **self._times((0.15, 0.35), after)))
        self.event(reach.end, "removed", card=str(card), seat=seat, top=None if top is None else str(top))
        return reach

    def draw(self, seat: int, n: int, pause: tuple[float, float] | None = None) -> Reach:
        """One visit to the draw pile for n cards."""
        hold = (0.2 + 0.25 * (n - 1), 0.4 + 0.35 * (n - 1))
        reach = self._add(Draw(seat=seat, **self._times(hold, pause), n=n))
        self.event(reach.end, "drew", seat=seat, n=n)
        return reach

    def draw_and_lay(self, seat: int, card: Card) -> Reach:
        """A card is drawn and laid at once: one visit to the draw pile, and a landing."""
        rng, times = self.rng, self._times((0.2, 0.4))
        taken = times["release"]
        over = round(taken + rng.uniform(*ACROSS_S), 3)
        later = round(over + rng.uniform(*self.habits.hold_s), 3)
        times["end"] = self.now = round(times["end"] + later - taken, 3)
        times["release"] = later
        reach = DrawAndLay(seat=seat, **times, card=card, spot=self.spot(), taken=taken, over=over)
        self._add(reach)
        self.event(over, "drew", seat=seat, n=1)
        return reach

    def hover(self, seat: int, card: Card) -> None:
        """A card is held over the pile and kept."""
        reach = self._add(Hover(seat=seat, **self._times((0.3, 1.2)), card=card))
        self.event(reach.end, "hover", seat=seat)

    def nudge(self, seat: int) -> None:
        """A hand brushes the pile."""
        rng = self.rng
        by = Spot(rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-8, 8))
        reach = self._add(Nudge(seat=seat, **self._times((0.3, 0.6)), by=by, depth=rng.randint(1, 4)))
        self.event(reach.end, "nudge", seat=seat)

    def square_up(self, seat: int) -> None:
        """The pile is straightened."""
        rng = self.rng
        to = Spot(rng.uniform(-6, 6), rng.uniform(-6, 6), rng.uniform(-8, 8))
        reach = self._add(SquareUp(seat=seat, **self._times((0.5, 1.1)), to=to))
        self.event(reach.end, "square_up", seat=seat)

    def take_pile(self, seat: int, keep: Card | None) -> float:
        """The discard pile is picked up, all but the card to keep."""
        reach = self._add(TakePile(seat=seat, **self._times((0.5, 0.9)), keep_top=keep is not None))
        self.event(reach.end, "pile_taken", seat=seat, top=None if keep is None else str(keep))
        return reach.end

    def take_stack(self, seat: int) -> None:
        """What is left of the draw pile is picked up."""
        self._add(TakeStack(seat=seat, **self._times((0.3, 0.6))))

    def put_stack(self, seat: int, n: int) -> None:
        """A shuffled draw pile comes back."""
        self._add(PutStack(seat=seat, **self._times((0.3, 0.6)), n=n))

    def rest(self, seat: int) -> None:
        """An arm lies at the table's edge while play goes on."""
        begin = round(self.now + 0.1, 3)
        stay = self.rng.uniform(3.0, 9.0)
        self.actions.append(Rest(seat=seat, begin=begin, contact=begin + 0.8, release=begin + 0.8 + stay,
                                 end=begin + 1.6 + stay))  # fmt: skip
        self.event(begin, "rest", seat=seat)

    def light(self) -> None:
        """A lamp is switched or a cloud passes."""
        rng = self.rng
        gain = rng.uniform(0.62, 1.12)
        warmth = rng.uniform(-0.08, 0.08)
        lasts = rng.choice((0.07, 0.4, 2.5))
        begin = round(self.now + rng.uniform(0.05, 0.4), 3)
        self.actions.append(Light(begin=begin, lasts=lasts, gain=(gain * (1 - warmth), gain, gain * (1 + warmth))))
        self.event(begin + lasts, "light", gain=round(gain, 3))

    def cloud(self) -> None:
        """The light creeps from one level to another while play goes on."""
        gain = self.rng.uniform(0.7, 1.1)
        begin, lasts = round(self.now, 3), self.rng.uniform(8.0, 20.0)
        self.actions.append(Light(begin=begin, lasts=lasts, gain=(gain, gain, gain)))
        self.event(begin + lasts, "light", gain=round(gain, 3))

    def shade(self, seat: int) -> None:
        """Somebody leans over the table."""
        begin = round(self.now + self.rng.uniform(0.0, 0.6), 3)
        end = round(begin + self.rng.uniform(1.2, 3.5), 3)
        self.actions.append(Shade(seat=seat, begin=begin, end=end, depth=self.rng.uniform(0.2, 0.45)))
        self.event(end, "shadow", seat=seat)
