"""A table that is told frame by frame, and the looks that stories are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.cards import Card
from referee.observations import UNREAD, CardLanded, CardReading, CardRemoved, Quad, Sighting, ViewChanged
from referee.tracker import Activity, ArmLook, CardLook, PileLook, TableGeometry, Tracker, Want
from referee.tracker.arms import Arms

TABLE = TableGeometry(
    (200.0, 120.0, 170.0, 190.0),
    (400.0, 160.0, 70.0, 110.0),
    (56.0, 87.0),
    ((1, (300.0, 590.0)), (2, (930.0, 215.0)), (3, (300.0, -160.0)), (4, (-170.0, 215.0))),
)
SURE = 0.9
FPS = 15
AT: Quad = ((250.0, 180.0), (306.0, 180.0), (306.0, 267.0), (250.0, 267.0))
ELSEWHERE: Quad = ((300.0, 200.0), (356.0, 200.0), (356.0, 287.0), (300.0, 287.0))
BESIDE: Quad = ((270.0, 190.0), (326.0, 190.0), (326.0, 277.0), (270.0, 277.0))


def reading(text: str, confidence: float = 0.99, *others: tuple[str, float]) -> CardReading:
    if text == "?":
        return UNREAD
    return CardReading(Card.parse(text), confidence, tuple((Card.parse(c), p) for c, p in others))


def new(text: str, confidence: float = 0.99, **fields: object) -> CardLook:
    """A card that has just landed, half over the old top card."""
    card = CardLook(reading(text, confidence), BESIDE, 0.98, 0.9, beneath=0.02, outside=0.95, covers=0.5)
    return replace(card, **fields)  # type: ignore[arg-type]


def pile(change: float, *cards: CardLook, in_top: float = 0.5) -> PileLook:
    return PileLook(0.0, change, in_top, cards)


NOTHING = pile(0.0)


def half_hidden(lower: str, upper: float = 0.84, **told: object) -> PileLook:
    """A G2, which explains a share `upper` of the change, and a card placed under it by the rest of the change."""
    under: dict[str, object] = {"open": 0.2, "aside": 0.9, "left": 0.96, "vacated": 0.02, **told}
    return pile(1.3, new("G2", explains=upper), new(lower, explains=0.6, on_top=0.0, fitted=True, peeks=True, **under))


@dataclass
class Story:
    """A table that is told frame by frame."""

    tracker: Tracker = field(default_factory=lambda: Tracker(TABLE, SURE))
    frame: int = 0
    out: list[Sighting] = field(default_factory=list)
    fps: int = FPS

    @property
    def t(self) -> float:
        return self.frame / self.fps

    def tell(
        self, arms: Sequence[ArmLook] = (), moving: float = 0.0, changed: float = 0.0, look: PileLook = NOTHING
    ) -> None:
        self.out += self.tracker.activity(Activity(self.t, tuple(arms), moving, changed))
        if self.tracker.want is not Want.NOTHING:
            self.out += self.tracker.look(replace(look, t=self.t))
        self.frame += 1

    def rest(self, seconds: float, look: PileLook = NOTHING, changed: float = 0.0) -> Story:
        for _ in range(round(seconds * self.fps)):
            self.tell(look=look, changed=changed)
        return self

    def start(self, *cards: CardLook) -> Story:
        return self.rest(0.5, pile(1.0, *cards))

    def hand(self, seconds: float, seat: int = 1) -> Story:
        for _ in range(round(seconds * self.fps)):
            self.tell([over_discard(seat)], 0.2)
        return self

    def path(self, entry: tuple[float, float], along: str, tips: str) -> Story:
        """A hand on a straight way, two frames at each tip; along: the coordinate that the tips give."""
        for tip in map(float, tips.split()):
            for _ in range(2):
                self.tell([arm(entry, (tip, entry[1]) if along == "x" else (entry[0], tip))])
        return self

    def names(self) -> list[str]:
        return [s.event for s in self.out if not isinstance(s, ViewChanged)]


def arm(entry: tuple[float, float], tip: tuple[float, float]) -> ArmLook:
    def covered(zone: tuple[float, float, float, float]) -> float:
        """A bar 60 mm wide from entry to tip: sampled."""
        dx, dy = tip[0] - entry[0], tip[1] - entry[1]
        steps = [(entry[0] + dx * k / 200, entry[1] + dy * k / 200) for k in range(201)]
        x, y, w, h = zone
        inside = sum(x <= px <= x + w and y <= py <= y + h for px, py in steps)
        length = ((entry[0] - tip[0]) ** 2 + (entry[1] - tip[1]) ** 2) ** 0.5
        return inside / 201 * length * 60

    return ArmLook(entry, tip, covered(TABLE.discard_zone), covered(TABLE.draw_zone))


ENTRIES = {1: (290.0, 430.0), 2: (760.0, 215.0), 3: (290.0, 0.0), 4: (0.0, 215.0)}


def over_discard(seat: int) -> ArmLook:
    return arm(ENTRIES[seat], (285.0, 215.0))


def said(sighting: Sighting) -> str:
    """The event as the tables write it, with its card."""
    if isinstance(sighting, CardLanded):
        return f"card_landed {sighting.reading.notation}"
    if isinstance(sighting, CardRemoved):
        return f"card_removed {sighting.card}"
    return sighting.event


def said_of_a_visit(before: str, look: PileLook) -> list[str]:
    """What is said when a hand has come to a pile of such cards, the top one last, and left it as `look` shows it."""
    story = Story().start()
    for card in before.split():
        story.hand(0.4).rest(0.8, pile(1.0, new(card)))
    done = len(story.out)
    story.hand(0.5).rest(1.8, look)
    return [said(s) for s in story.out[done:]]


Told = list[tuple[int | None, int | None]]


def draws_of(table: TableGeometry, fps: int, frames: list[list[tuple[int, ...]]], bare: int = 4) -> Told:
    """Seat and count of each draw. frames: entry x and y, tip x and y, cover of both zones (and area) of each arm.
    bare: how many frames without arms follow."""
    arms, out = Arms(table), []
    for number, frame in enumerate([*frames, *[[]] * bare]):
        looks = tuple(ArmLook((ex, ey), (x, y), d, w, *area) for ex, ey, x, y, d, w, *area in frame)
        out += arms.update(Activity(number / fps, looks))
    return [(draw.seat, draw.count) for draw in out]
