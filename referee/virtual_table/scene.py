"""Where everything at the table is at a time: what lies still, and the arms and cards that move."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from referee.cards import Card
from referee.virtual_table.geometry import CARD_MM, CARD_THICKNESS_MM, Layout, Xy
from referee.virtual_table.hands import Pose
from referee.virtual_table.script import (
    Draw,
    DrawAndLay,
    Hover,
    Lay,
    Nudge,
    PutStack,
    Reach,
    Rest,
    Script,
    Spot,
    SquareUp,
    TakeBack,
    TakePile,
    TakeStack,
    Toss,
)

GRIP_MM = 24.0
"""How far fingers reach over a card's edge. Larger hides the card; smaller and it floats before the hand."""
CRUISE_MM = 60.0
"""How high hands travel."""
REST_INSIDE_MM = 80.0
"""How far a resting arm comes into the picture. Larger reaches the piles."""
SQUARED_CARDS = 12
"""How many of the top cards are seen sliding when a pile is squared up; those below are hidden by hands and cards."""

TOSS_HIGH_MM = 35.0
"""How high a hand is that throws a card."""
TURNED = 0.4
"""The part of a drawn card's way to the discard pile after which its face is up."""
FLIGHT = 0.4
"""The part of a thrown card's time in which it comes down; then it slides."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card that lies on the discard pile: its middle in table millimetres, turn in degrees, height in mm."""

    card: Card
    x: float
    y: float
    angle: float
    height: float


@dataclass(frozen=True, slots=True)
class Still:
    """What lies on the table: the cards of the discard pile, bottom first, and the number in the draw pile."""

    pile: tuple[Placed, ...]
    stack: int


@dataclass(frozen=True, slots=True)
class Carried:
    """A card in motion; face None: its back. lower and right edge are lifted by pitch and roll, degrees."""

    face: Card | None
    x: float
    y: float
    angle: float
    height: float
    pitch: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm in motion: whose, doing what, where its fingertips are, and where they point (degrees, 0 is up)."""

    seat: int
    pose: Pose
    other_hand: bool
    x: float
    y: float
    angle: float
    height: float


@dataclass(frozen=True, slots=True)
class Motion:
    """Things that move together: cards, lowest first, below the fingers of the arms.

    number: which reach of the script it is. held: the fingers hold the cards.
    """

    number: int
    held: bool
    cards: tuple[Carried, ...]
    arms: tuple[Arm, ...]


def ease(s: float) -> float:
    """0 to 1 with no jerk at the ends."""
    s = min(1.0, max(0.0, s))
    return s * s * s * (s * (6 * s - 15) + 10)


def _between(a: float, b: float, s: float) -> float:
    return a + (b - a) * s


def _grip(x: float, y: float, angle: float, towards: Xy) -> Xy:
    """Where fingers that point `towards` (a unit vector) hold a card at (x, y): over the edge nearest the arm."""
    a = math.radians(angle)
    u = abs(towards[0] * math.cos(a) + towards[1] * math.sin(a))
    v = abs(-towards[0] * math.sin(a) + towards[1] * math.cos(a))
    edge = min(CARD_MM[0] / 2 / max(u, 1e-6), CARD_MM[1] / 2 / max(v, 1e-6))
    way = edge - GRIP_MM
    return x - towards[0] * way, y - towards[1] * way


class Scene:
    """The table of a script as a function of time."""

    def __init__(self, script: Script, layout: Layout, seed: int) -> None:
        self.layout = layout
        self._stack_angle = Random(f"stack {seed}").uniform(-6, 6)
        self._reaches = [a for a in script.actions if isinstance(a, Reach)]
        self._ways = [_Way(k, a, self, Random(f"way {seed} {k}")) for k, a in enumerate(self._reaches)]
        self._times, self._stills = self._history(script.stack)

    @property
    def stack_angle(self) -> float:
        """How the draw pile is turned, degrees."""
        return self._stack_angle

    def still(self, t: float) -> Still:
        """What lies on the table at t."""
        return self._stills[bisect_right(self._times, t) - 1]

    def moving(self, t: float) -> list[Motion]:
        """What moves at t, lowest first."""
        ways = (way for way in self._ways if way.action.begin < t < way.action.end)
        return [motion for way in ways for motion in way.motions(t, self._pile_before(way.action))]

    def _pile_before(self, action: Reach) -> tuple[Placed, ...]:
        return self.still(action.contact - 1e-6).pile

    def _history(self, stack: int) -> tuple[list[float], list[Still]]:
        """The states of the table and when each begins."""
        changes = sorted(
            ((t, k, phase, a) for k, a in enumerate(self._reaches) for t, phase in _changes(a)), key=lambda c: c[:3]
        )
        times, stills = [-1.0], [Still((), stack)]
        whole: tuple[Placed, ...] = ()
        for t, _, phase, action in changes:
            still, whole = self._changed(stills[-1], whole, action, phase)
            times.append(t)
            stills.append(still)
        return times, stills

    def _changed(
        self, now: Still, before: tuple[Placed, ...], action: Reach, phase: int
    ) -> tuple[Still, tuple[Placed, ...]]:
        """The state after one phase of an action; `before`: the pile as it was when the action began to move it."""
        pile = now.pile
        if isinstance(action, DrawAndLay) and phase == 0:
            return replace(now, stack=now.stack - 1), pile
        if isinstance(action, (Lay, Toss, DrawAndLay)):
            both = (action.cards, action.spots) if isinstance(action, Lay) else ((action.card,), (action.spot,))
            for card, spot in zip(*both, strict=True):
                x, y = self.layout.on_pile(spot)
                pile = (*pile, Placed(card, x, y, spot.angle, (len(pile) + 1) * CARD_THICKNESS_MM))
            return replace(now, pile=pile), pile
        if isinstance(action, TakeBack):
            return replace(now, pile=pile[:-1]), pile
        if isinstance(action, Draw):
            return replace(now, stack=now.stack - action.n), pile
        if isinstance(action, Nudge):
            if phase == 0:
                return replace(now, pile=pile[: -action.depth]), pile
            return replace(now, pile=nudged(before, action, 1.0)), pile
        if isinstance(action, SquareUp):
            if phase == 0:
                return replace(now, pile=pile[:-SQUARED_CARDS]), pile
            return replace(now, pile=self.squared(before, action, 1.0)), pile
        if isinstance(action, TakePile):
            kept = tuple(replace(p, height=CARD_THICKNESS_MM) for p in pile[-1:]) if action.keep_top else ()
            return replace(now, pile=kept), pile
        if isinstance(action, TakeStack):
            return replace(now, stack=0), pile
        if isinstance(action, PutStack):
            return replace(now, stack=action.n), pile
        return now, before

    def squared(self, pile: tuple[Placed, ...], action: SquareUp, s: float) -> tuple[Placed, ...]:
        """The pile on its way (s: 0 to 1) to being square."""
        x, y = self.layout.on_pile(action.to)
        out = []
        for k, p in enumerate(pile):
            wobble = Random(f"square {k} {action.begin}")
            goal = action.to.angle + 180.0 * round((p.angle - action.to.angle) / 180.0) + wobble.gauss(0, 1.2)
            out.append(
                replace(p, x=_between(p.x, x + wobble.gauss(0, 1.0), s), y=_between(p.y, y + wobble.gauss(0, 1.0), s),
                        angle=_between(p.angle, goal, s))
            )  # fmt: skip
        return tuple(out)


def nudged(pile: tuple[Placed, ...], action: Nudge, s: float) -> tuple[Placed, ...]:
    """The pile with its top cards pushed a part s of the way, the topmost the most."""
    out = list(pile)
    top = len(pile) - 1
    for k in range(max(0, len(pile) - action.depth), len(pile)):
        part = s * (1 - 0.25 * (top - k))
        p = pile[k]
        by = action.by
        out[k] = replace(p, x=p.x + by.x * part, y=p.y + by.y * part, angle=p.angle + by.angle * part)
    return tuple(out)


def _lift_of(action: Nudge, t: float) -> float:
    """How high, and how far towards the hand, the cards are at t, mm."""
    s = min(1.0, max(0.0, (t - action.contact) / (action.release - action.contact)))
    return action.lift * math.sqrt(math.sin(math.pi * s))


def _grab(action: Reach) -> float:
    """When a hand that takes something has it."""
    return _between(action.contact, action.taken if isinstance(action, DrawAndLay) else action.release, 0.6)


def _changes(action: Reach) -> Iterable[tuple[float, int]]:
    """When an action changes what lies still, with the number of the phase."""
    if isinstance(action, (Lay, PutStack)):
        return ((action.release, 0),)
    if isinstance(action, Toss):
        return ((action.rests, 0),)
    if isinstance(action, (TakeBack, Draw, TakePile, TakeStack)):
        return ((_grab(action), 0),)
    if isinstance(action, DrawAndLay):
        return ((_grab(action), 0), (action.release, 1))
    if isinstance(action, (Nudge, SquareUp)):
        return ((action.contact, 0), (action.release, 1))
    return ()


class _Way:
    """The way of one reach: from outside the picture to its target and back, a little differently each time."""

    def __init__(self, number: int, action: Reach, scene: Scene, rng: Random) -> None:
        self.number, self.action, self.scene, self.layout = number, action, scene, scene.layout
        self.bend, self.twist = rng.uniform(-25, 25), rng.uniform(-35, 35)
        self.pitch, self.roll = rng.uniform(-16, 16), rng.uniform(-12, 12)
        self.shift, self.cruise = rng.uniform(-35, 35), CRUISE_MM * rng.uniform(0.7, 1.3)
        self.loose = [(rng.gauss(0, 2.5), rng.gauss(0, 2.5), rng.gauss(0, 4)) for _ in range(8)]

    def motions(self, t: float, pile: tuple[Placed, ...]) -> list[Motion]:
        """Cards and arms at t, a card that was thrown by itself; pile: as it was before the hand touched it."""
        a, hand = self.action, self._motion(t, pile)
        if not isinstance(a, Toss) or not a.release <= t < a.rests:
            return [hand]
        return [Motion(-1 - self.number, False, (self._flying(a, t, pile),), ()), hand]

    def _flying(self, a: Toss, t: float, pile: tuple[Placed, ...]) -> Carried:
        """The card between hand and spot: it comes down, and slides more and more slowly."""
        s, begin = (t - a.release) / (a.rests - a.release), self._goal(pile, t)
        x, y = self.layout.on_pile(a.spot)
        way, below = 1 - (1 - s) ** 2, pile[-1].height if pile else 0.0
        high = _between(begin.height, below + CARD_THICKNESS_MM, min(1.0, s / FLIGHT) ** 2)
        tilt = max(0.0, 1 - s / FLIGHT)
        return Carried(a.card, _between(begin.x, x, way), _between(begin.y, y, way),
                       begin.angle + a.spin * way, high, self.pitch * tilt, self.roll * tilt)  # fmt: skip

    def _motion(self, t: float, pile: tuple[Placed, ...]) -> Motion:
        a = self.action
        taking = isinstance(a, (TakeBack, Draw, TakePile, TakeStack))
        goal = self._goal(pile, t)
        home = self.layout.out_of_view(a.seat, (goal.x, goal.y))
        length = math.dist(home, (goal.x, goal.y))
        d = ((goal.x - home[0]) / length, (goal.y - home[1]) / length)
        home = (home[0] - d[1] * self.shift, home[1] + d[0] * self.shift)
        d = _unit(goal.x - home[0], goal.y - home[1])
        near = self._nearness(t)
        height = goal.height + 2.0 + self.cruise * max(0.0, 1 - near) ** 1.5 + self._lift(t)
        side = self.bend * math.sin(math.pi * near)
        grip = _grip(goal.x, goal.y, goal.angle, d)
        dx = (home[0] - grip[0]) * (1 - near) - d[1] * side
        dy = (home[1] - grip[1]) * (1 - near) + d[0] * side
        angle = math.degrees(math.atan2(d[0], -d[1]))
        giving = isinstance(a, (Lay, PutStack, Toss))
        if isinstance(a, DrawAndLay):
            taking, giving = t < a.over, t >= a.over
        holds = t < a.release if giving else isinstance(a, Hover) or (taking and t >= _grab(a))
        cards = self._cards(pile, goal, (dx, dy), height, near) if holds else ()
        if isinstance(a, (Nudge, SquareUp)) and a.contact <= t < a.release:
            cards = self._pushed(t, pile, d)
        arm = Arm(a.seat, Pose.PINCH if holds else Pose.OPEN, False, grip[0] + dx, grip[1] + dy, angle, height)
        return Motion(self.number, holds, cards, self._arms(arm, d, t))

    def _goal(self, pile: tuple[Placed, ...], t: float) -> Carried:
        """The card, or the place, that the fingers go to."""
        a = self.action
        top = pile[-1] if pile else Placed(_ANY, *self.layout.discard, 0.0, 0.0)
        if isinstance(a, Lay):
            spot = a.spots[-1]
            return Carried(None, *self.layout.on_pile(spot), spot.angle, top.height)
        if isinstance(a, Toss):
            x, y = self.layout.on_pile(a.spot)
            home = self.layout.out_of_view(a.seat, (x, y))
            d = _unit(x - home[0], y - home[1])
            return Carried(None, x - d[0] * a.short_mm, y - d[1] * a.short_mm, a.spot.angle - a.spin, TOSS_HIGH_MM)
        if isinstance(a, DrawAndLay):
            return self._across(a, top.height, t)
        if isinstance(a, (Draw, TakeStack, PutStack)):
            stack = a.n if isinstance(a, PutStack) else self.scene.still(a.contact - 1e-6).stack
            return Carried(None, *self.layout.draw, self.scene.stack_angle, stack * CARD_THICKNESS_MM)
        if isinstance(a, Rest):
            middle = self.layout.discard
            home = self.layout.out_of_view(a.seat, middle)
            d = _unit(middle[0] - home[0], middle[1] - home[1])
            way = 75.0 + REST_INSIDE_MM
            return Carried(None, home[0] + d[0] * way, home[1] + d[1] * way, 0.0, 0.0)
        if isinstance(a, Hover):
            spot = Spot(self.loose[0][0] * 6, self.loose[0][1] * 6, self.twist)
            return Carried(None, *self.layout.on_pile(spot), spot.angle, top.height + 25)
        return Carried(None, top.x, top.y, top.angle, top.height)

    def _across(self, a: DrawAndLay, below: float, t: float) -> Carried:
        """The card, or its place, on its way from the draw pile to the discard pile, over which the hand rises."""
        s = ease((t - a.taken) / (a.over - a.taken))
        x, y = self.layout.on_pile(a.spot)
        high = self.scene.still(a.contact - 1e-6).stack * CARD_THICKNESS_MM
        return Carried(
            None if s < TURNED else a.card, _between(self.layout.draw[0], x, s), _between(self.layout.draw[1], y, s),
            _between(self.scene.stack_angle, a.spot.angle, s),
            _between(high, below, s) + self.cruise * math.sin(math.pi * s),
        )  # fmt: skip

    def _nearness(self, t: float) -> float:
        """0 outside the picture, 1 at the target."""
        a = self.action
        if t < a.contact:
            return ease((t - a.begin) / (a.contact - a.begin))
        return 1.0 if t <= a.release else 1 - ease((t - a.release) / (a.end - a.release))

    def _lift(self, t: float) -> float:
        """A hand that lets go rises a little first, so that the card stays."""
        a = self.action
        return 10.0 * math.sin(math.pi * min(1.0, (t - a.release) / (a.end - a.release))) if t > a.release else 0.0

    def _cards(
        self, pile: tuple[Placed, ...], goal: Carried, off: Xy, height: float, near: float
    ) -> tuple[Carried, ...]:
        a = self.action
        faces: list[tuple[Card | None, float, float, float]]
        if isinstance(a, Lay):
            last = a.spots[-1]
            faces = [(c, s.x - last.x, s.y - last.y, s.angle - last.angle)
                     for c, s in zip(a.cards, a.spots, strict=True)]  # fmt: skip
        elif isinstance(a, DrawAndLay):
            faces = [(goal.face, 0.0, 0.0, 0.0)]
        elif isinstance(a, (Hover, Toss)):
            faces = [(a.card, 0.0, 0.0, 0.0)]
        elif isinstance(a, TakeBack):
            faces = [(pile[-1].card, 0.0, 0.0, 0.0)]
        elif isinstance(a, TakePile):
            lower = pile[:-1] if a.keep_top else pile
            faces = [(p.card, *loose) for p, loose in zip(lower[-5:], self.loose, strict=False)]
        else:
            n = a.n if isinstance(a, Draw) else 5
            faces = [(None, *loose) for loose in self.loose[: max(0, n - 1)]]
            faces.append((None, 0.0, 0.0, 0.0))
        away, tilt = 1 - near, min(1.0, 2 * (1 - near))
        return tuple(
            Carried(face, goal.x + off[0] + x, goal.y + off[1] + y, goal.angle + turn + self.twist * away,
                    height - 1.5 + k * CARD_THICKNESS_MM, self.pitch * tilt, self.roll * tilt)
            for k, (face, x, y, turn) in enumerate(faces)
        )  # fmt: skip

    def _pushed(self, t: float, pile: tuple[Placed, ...], d: Xy) -> tuple[Carried, ...]:
        a = self.action
        s = ease((t - a.contact) / (a.release - a.contact))
        if isinstance(a, Nudge):
            moved, lift = nudged(pile, a, s)[max(0, len(pile) - a.depth) :], _lift_of(a, t)
        else:
            assert isinstance(a, SquareUp)
            moved, lift = self.scene.squared(pile, a, s)[-SQUARED_CARDS:], 0.0
        return tuple(Carried(p.card, p.x - d[0] * lift, p.y - d[1] * lift, p.angle, p.height + lift) for p in moved)

    def _arms(self, arm: Arm, d: Xy, t: float) -> tuple[Arm, ...]:
        a = self.action
        if isinstance(a, Nudge) and t > a.contact:
            s, lift = ease((t - a.contact) / (a.release - a.contact)) if t < a.release else 1.0, _lift_of(a, t)
            x, y = arm.x + a.by.x * s - d[0] * lift, arm.y + a.by.y * s - d[1] * lift
            return (replace(arm, x=x, y=y, height=arm.height + lift),)
        if isinstance(a, SquareUp):
            apart = 52.0 - (7.0 * abs(math.sin(9 * (t - a.contact))) if a.contact < t < a.release else 0.0)
            right = replace(arm, x=arm.x - d[1] * apart, y=arm.y + d[0] * apart, angle=arm.angle - 14)
            left = replace(arm, x=arm.x + d[1] * apart, y=arm.y - d[0] * apart, angle=arm.angle + 14, other_hand=True)
            return (right, left)
        if isinstance(a, TakePile) and a.keep_top:
            other = replace(arm, pose=Pose.OPEN, x=arm.x - d[1] * 30, y=arm.y + d[0] * 30, angle=arm.angle - 12)
            return (arm, replace(other, other_hand=True))
        return (arm,)


def _unit(x: float, y: float) -> Xy:
    length = math.hypot(x, y)
    return (x / length, y / length)


_ANY = Card.parse("R0")
"""Stands for a card where the pile is empty and only the place matters."""
