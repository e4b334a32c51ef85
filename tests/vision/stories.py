"""What the eye makes of each thing that hands, lamps and cameras do to a pile, told one after the other.

    python tests/vision/stories.py                            # drawn decks
    python tests/vision/stories.py --photos ../shared/data    # and decks of photographs that no weight has seen

Every table plays the same evening: some cards, then each of `STORIES` with an ordinary card after it. A story is right
when exactly what happened is said, nothing where nothing happened; it is unsure when a card is asked about, "none" when
nothing is said, and wrong otherwise. Not collected by pytest, but for `test_stories.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
from photo_decks import PhotoDeck, photo_decks
from things import COMES_S, put_on_pile

from referee.cards import Card
from referee.frame import Frame
from referee.observations import (
    CardLanded,
    CardRead,
    CardRemoved,
    CardsDrawn,
    PileMoved,
    PileSeen,
    PileTaken,
    Sighting,
    ViewChanged,
)
from referee.virtual_table import Level, Look, VirtualTable
from referee.virtual_table.habits import HABITS
from referee.virtual_table.look import ANY_STYLE
from referee.virtual_table.players import NAMES
from referee.virtual_table.script import Light, Nudge, Script, Shade, Spot
from referee.virtual_table.timeline import Timeline
from referee.vision.calibration import parse_calibration
from referee.vision.eye import Eye
from referee.vision.nets import Models, load_models

FPS = 15.0
FIRST = ("R3", "G7", "B1")
CARDS = ["Y5", "R8", "B2", "G0", "YS", "R+2", "W", "BR", "G4", "Y9", "B6", "R1", "W+4", "G+2", "Y0", "R7", "B8", "G5",
         "Y3"]  # fmt: skip
Rows = tuple[tuple[float, float, float], tuple[float, float, float]]
BUMP: Rows = ((1.0, 0.012, 9.0), (-0.012, 1.0, -4.0))
"""Where a bumped camera sees what was at (x, y), as rows of an affine map, pixels."""
KNOCK: Rows = ((0.97, 0.2, -70.0), (-0.2, 0.97, 95.0))
"""... and one that was knocked far: nearly twelve degrees."""


@dataclass
class Evening:
    """What is written down so far. pile: what lies there, the top card last; bumps: since when it is how askew;
    things: since and until when something lies on the pile."""

    line: Timeline
    pile: list[Card]
    bumps: list[tuple[float, Rows]] = field(default_factory=list)
    things: list[tuple[float, float]] = field(default_factory=list)

    def lay(self, *cards: str) -> list[str]:
        laid = [Card.parse(card) for card in cards]
        self.line.lay(1 + len(self.pile) % 4, *laid)
        self.pile += laid
        return [f"landed {card}" for card in laid]

    def twin(self) -> list[str]:
        return self.lay(str(self.pile[-1]))

    def two(self) -> list[str]:
        return self.lay("G8", "R5")

    def hover(self) -> list[str]:
        self.line.hover(2, Card.parse("B9"))
        return []

    def nudge(self) -> list[str]:
        self.line.nudge(3)
        return []

    def square_up(self) -> list[str]:
        self.line.square_up(1)
        return []

    def take_back(self) -> list[str]:
        card = self.pile.pop()
        self.line.take_back(4, card, self.pile[-1], (0.8, 1.2))
        return [f"removed {card} {self.pile[-1]}"]

    def lamp(self) -> list[str]:
        begin = round(self.line.now + 0.5, 3)
        self.line.actions.append(Light(begin=begin, lasts=0.07, gain=(0.6, 0.66, 0.72)))
        self.line.now += 2.0
        return []

    def shadow(self) -> list[str]:
        begin = round(self.line.now + 0.3, 3)
        self.line.actions.append(Shade(seat=1, begin=begin, end=begin + 2.0, depth=0.4))
        self.line.now += 3.0
        return []

    def sleeve(self) -> list[str]:
        """A hand rests on the pile for three seconds and goes."""
        t = round(self.line.now + 0.5, 3)
        rest = Nudge(seat=2, begin=t, contact=t + 0.5, release=t + 3.5, end=t + 4.0, by=Spot(0.0, 0.0, 0.0), depth=1)
        self.line.actions.append(rest)
        self.line.now = rest.end
        return []

    def bump(self) -> list[str]:
        return self._askew(BUMP)

    def knock(self) -> list[str]:
        return self._askew(KNOCK)

    def _askew(self, rows: Rows) -> list[str]:
        self.line.now += 1.0
        self.bumps.append((self.line.now, rows))
        self.line.now += 2.0
        return []

    def draw(self) -> list[str]:
        self.line.draw(3, 1)
        return ["drawn 1"]

    def thing(self) -> list[str]:
        """Somebody puts a phone or a score sheet down on the pile, and takes it away again."""
        comes = round(self.line.now + 0.6, 3)
        goes = comes + 4.0
        self.things.append((comes, goes))
        for t in (comes, goes - COMES_S):
            at = [round(t + s, 3) for s in (0.0, COMES_S, COMES_S + 0.2, 2 * COMES_S)]
            self.line.actions.append(
                Nudge(seat=1, begin=at[0], contact=at[1], release=at[2], end=at[3], by=Spot(0.0, 0.0, 0.0), depth=1)
            )
        self.line.now = goes + 2.0
        return []

    def draw_and_lay(self) -> list[str]:
        """Who draws a card that goes lays it at once."""
        card = Card.parse("B5")
        self.line.draw_and_lay(3, card)
        self.pile.append(card)
        return ["drawn 1", "landed B5"]

    def draw_four(self) -> list[str]:
        """Nobody can count them: said without a number."""
        self.line.draw(3, 4)
        return ["drawn None"]

    def pile_taken(self) -> list[str]:
        self.line.take_pile(1, None)
        self.pile.clear()
        return ["taken all"]

    def taken_from_under(self) -> list[str]:
        """As when it is shuffled to be the draw pile: the top card stays."""
        top = self.pile[-1]
        self.line.take_pile(1, top)
        self.pile = [top]
        return [f"taken all but {top}"]

    def unread(self) -> list[str]:
        """Wilds that are written on, which no reader knows: three come, the upper ones are pushed, and one goes."""
        wild = Card.parse("WC")
        for number in range(3):
            self.line.lay(1 + number, wild)
            if number:
                self.line.nudge(4)
        self.line.take_back(4, wild, wild, (0.8, 1.2))
        self.pile += [wild, wild]
        return [*["landed ?"] * 3, "removed None None"]


STORIES: dict[str, Callable[[Evening], list[str]]] = {
    "a twin": Evening.twin, "two at once": Evening.two, "hover": Evening.hover, "nudge": Evening.nudge,
    "square-up": Evening.square_up, "take-back": Evening.take_back, "lamp": Evening.lamp, "shadow": Evening.shadow,
    "sleeve at rest": Evening.sleeve, "draw": Evening.draw, "four drawn": Evening.draw_four,
    "nobody can read them": Evening.unread, "taken from under": Evening.taken_from_under,
    "pile picked up": Evening.pile_taken, "camera bumped": Evening.bump,
    "camera knocked": Evening.knock, "drawn and laid": Evening.draw_and_lay,
    "thing on the pile": Evening.thing,
}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """One story: when it began, what should be said of it."""

    name: str
    begin: float
    expected: list[str]


def evening(seed: int, level: Level, names: Iterable[str]) -> tuple[Script, list[Told], Evening]:
    """The script, its stories in order, each followed by "a card", and all that was written down."""
    rng = Random(f"stories {seed}")
    habits = replace(HABITS[level], scatter_mm=9.0, scatter_deg=14.0, think_s=(1.0, 1.4), reach_s=(0.4, 0.5))
    e = Evening(Timeline(rng, habits), [])
    told = []
    cards = iter(CARDS)
    for card in FIRST:
        begin = e.line.now
        told.append(Told("a card", begin, e.lay(card)))
    for name in names:
        begin = e.line.now
        told.append(Told(name, begin, STORIES[name](e)))
        begin = e.line.now
        told.append(Told("a card", begin, e.lay(next(cards))))
    script = Script(
        seed=seed, level=level, players=NAMES[:4], dealer=NAMES[0], preset="official_108", stack=80,
        actions=tuple(sorted(e.line.actions, key=lambda a: a.begin)), inputs=(), truth={"events": []},
        duration_s=round(e.line.now + 1.5, 3),
    )  # fmt: skip
    return script, told, e


def bumped(frames: Iterator[Frame], bumps: Sequence[tuple[float, Rows]]) -> Iterator[Frame]:
    """The frames of a camera that is bumped."""
    for frame in frames:
        if rows := [rows for since, rows in bumps if frame.t >= since]:
            moved = cv2.warpAffine(frame.image, np.array(rows[-1]), (1280, 720), borderMode=cv2.BORDER_REFLECT)
            frame = replace(frame, image=np.asarray(moved, np.uint8))
        yield frame


def watched(
    models: Models, seed: int, level: Level, style: str, deck: PhotoDeck | None = None, names: Iterable[str] = STORIES
) -> list[tuple[Told, list[str]]]:
    """Each story with what the eye said of it. style: of the deck, where `deck` is None."""
    script, told, e = evening(seed, level, names)
    table = VirtualTable(script, Look.draw(seed, level, style=style))
    calibration = parse_calibration(table.calibration())
    frames = table.frames(FPS) if deck is None else deck.dealt(table.frames(FPS))
    for comes, goes in e.things:
        frames = put_on_pile(seed, calibration, comes, goes).in_all(frames)
    eye = Eye(calibration, models)
    sightings: list[Sighting] = []
    for frame in bumped(frames, e.bumps):
        sightings += eye.process(frame)
    ends = [one.begin for one in told[1:]] + [float("inf")]
    better = {s.t: s for s in sightings if isinstance(s, CardRead) and s.sure}
    out = []
    for one, end in zip(told, ends, strict=True):
        here = [s for s in sightings if one.begin <= s.t < end]
        out.append((one, [said for s in here if (said := _said(s, better)) is not None]))
    return out


def _said(s: Sighting, better: dict[float, CardRead]) -> str | None:
    if isinstance(s, (ViewChanged, CardRead, PileMoved, PileSeen)):
        return None
    if isinstance(s, CardLanded):
        sure = better.get(s.t, s)
        return f"landed {sure.reading.notation if sure.sure else '?'}"
    if isinstance(s, CardRemoved):
        return f"removed {s.card} {s.top}"
    if isinstance(s, CardsDrawn):
        return f"drawn {s.count}"
    if isinstance(s, PileTaken):
        return "taken all" if s.top is None else f"taken all but {s.top}"
    return s.event


def kind(expected: Sequence[str], said: Sequence[str]) -> str:
    """right, unsure, none or wrong."""
    if list(said) == list(expected):
        return "right"
    if not said:
        return "none"
    pairs = zip(said, expected, strict=True) if len(said) == len(expected) else ()
    doubtful = bool(pairs) and all(s in (e, "landed ?") or (s, e[:5]) == ("drawn None", "drawn") for s, e in pairs)
    return "unsure" if doubtful else "wrong"


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--photos", type=Path, help="the data folder whose held-out photographs make more decks")
    ap.add_argument("--only", nargs="*", choices=tuple(STORIES), default=tuple(STORIES), help="these stories")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    models = load_models()
    decks: list[tuple[str, str, PhotoDeck | None]] = [("colour oval", "colour_oval", None)]
    decks.append(("random design", ANY_STYLE, None))
    if a.photos:
        decks += [(deck.source, "colour_oval", deck) for deck in photo_decks(a.photos, models)]
    counts: dict[str, Counter[str]] = {}
    for number, (name, style, deck) in enumerate(decks):
        for level in Level:
            seed = a.seed + 10 * number + list(Level).index(level)
            faults = []
            # nobody has photographed a wild that is written on
            names = a.only if deck is None else [name for name in a.only if name != "nobody can read them"]
            for one, said in watched(models, seed, level, style, deck, names):
                what = kind(one.expected, said)
                counts.setdefault(one.name, Counter())[what] += 1
                if what != "right":
                    faults.append(f"{one.begin:.1f} {one.name}: {', '.join(one.expected) or '-'}"
                                  f" but {', '.join(said) or '-'}")  # fmt: skip
            print(f"{name}, {level.value} light, seed {seed}: {'; '.join(faults) or 'all right'}", flush=True)
    print(f"\n{'story':18s} right unsure none wrong")
    for name in ("a card", *a.only):
        print(f"{name:18s}" + "".join(f"{counts[name][what]:6d}" for what in ("right", "unsure", "none", "wrong")))


if __name__ == "__main__":
    sys.exit(main())
