"""A drawn table for the eye, and what stands in for the networks there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card, Colour
from referee.frame import Frame, Image
from referee.observations import (
    CardLanded,
    CardReading,
    CardRemoved,
    Quality,
    Sighting,
    ViewChanged,
)
from referee.paths import shipped
from referee.vision.calibration import load_calibration
from referee.vision.eye import Eye
from referee.vision.from_above import MARGIN_MM
from referee.vision.in_parts import Parts
from referee.vision.indices import IndexReading
from referee.vision.nets import Found, Models, Read

TABLE = load_calibration(shipped("calibration") / "default.json")
FPS = 15
INKS = {"R7": (40, 40, 210), "G2": (60, 170, 60), "B9": (200, 90, 30), "R1": (40, 40, 210)}
DOTS_MM = {"R1": 3.0}
"""Radius of the dot in the middle of a card, all that tells it from one of its colour."""


@dataclass
class Laid:
    """A card on the drawn table: its face, its middle in table millimetres, its angle."""

    face: str
    x: float
    y: float
    angle: float = 0.0

    def corners(self) -> npt.NDArray[np.float32]:
        box = cv2.boxPoints(((self.x, self.y), TABLE.card_mm, self.angle))
        return TABLE.to_image(box).astype(np.float32)


@dataclass
class Knower:
    """Stands in for the networks: knows what lies on the table. finds: it finds cards, too; else the eye must place
    them by the change alone. finds_top: only the top one, and `index` is what it reads in any other's corner. says:
    what it reads whatever lies there. swells: by how much it reads a card larger than it was placed."""

    sure: float = 0.9
    finds: bool = False
    finds_top: bool = False
    index: str = ""
    says: str = ""
    swells: float = 1.0
    laid: list[Laid] = field(default_factory=list)
    asked: list[tuple[str, int]] = field(default_factory=list)

    def models(self) -> Models:
        self.pile_finder = self.reader = self  # the finder of stills is not asked about the pile
        self.indices = Indices(self)
        return cast(Models, self)

    def in_light(self, unburnt: frozenset[Colour]) -> Models:
        return cast(Models, self)

    def is_sure(self, reading: CardReading) -> bool:
        return reading.confidence >= self.sure

    def find(self, image: Image, card_px: float | None = None, part: tuple[slice, slice] | None = None) -> list[Found]:
        self.asked.append(("find", 1))
        if not (self.finds or self.finds_top) or card_px is None:
            return []
        x, y = TABLE.discard_zone_mm[:2]
        scale = card_px / TABLE.card_mm[1]
        boxes = [cv2.boxPoints(((c.x, c.y), TABLE.card_mm, c.angle)) for c in self.laid]
        quads = [((box - (x - MARGIN_MM, y - MARGIN_MM)) * scale).astype(np.float32) for box in boxes]
        if self.finds_top:
            quads = quads[-1:]
        tops = [0.1] * (len(quads) - 1) + [0.95]
        return [Found(quad, 0.9, 1.0, top) for quad, top in zip(quads, tops, strict=True)] if quads else []

    def read(
        self, image: Image, quads: Sequence[npt.NDArray[np.float32]], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        out = []
        self.asked.append(("read", len(quads)))
        for quad in quads:
            near = [c for c in self.laid if np.hypot(*(c.corners().mean(0) - quad.mean(0))) < 25]
            face = CardReading(Card.parse(self.says or near[-1].face), 0.99) if near else CardReading(None, 0.9)
            swollen = (quad - quad.mean(0)) * np.float32(self.swells) + quad.mean(0)
            out.append(Read(face, swollen, 0.99 if near else 0.05))
        return out

    def reading(self, image: Image, quad: npt.NDArray[np.float32], quick: bool) -> Parts[Read]:
        (read,) = self.read(image, [quad], quick)
        yield
        return read


@dataclass
class Indices:
    """Stands in for the networks of corner indices: sees what `Knower.index` says in each corner of the card below the
    top one, for sure in several placings only."""

    knower: Knower

    def find(
        self, image: Image, heights_px: Sequence[float] = (), **_: Any
    ) -> list[IndexReading]:
        return [self.read(image, quad, 0.9) for quad in self._corners(image)] if self.knower.index else []

    def read(
        self, image: Image, quad: npt.NDArray[np.float32], score: float, thorough: bool = False, *_: Any
    ) -> IndexReading:
        if not self.knower.index:
            return IndexReading(CardReading(None, 0.9), quad, score, 0.05)
        reading = CardReading(Card.parse(self.knower.index), 0.99 if thorough else 0.8)
        return IndexReading(reading, quad, score, 0.99)

    def read_placed(self, image: Image, quads: Sequence[npt.NDArray[np.float32]]) -> list[IndexReading]:
        return [self.read(image, quad, 1.0, True) for quad in quads]

    def _corners(self, image: Image) -> list[npt.NDArray[np.float32]]:
        """The card below the top one, as the cut-out shows it, from either end."""
        below = self.knower.laid[-2].corners()
        sides = np.hypot(*(np.roll(below, -1, 0) - below).T)
        upright = below if sides[0] < sides[1] else np.roll(below, -1, 0)
        half = np.array(image.shape[1::-1], np.float32) / 2
        centred = upright - upright.mean(0) + half
        return [centred.astype(np.float32), np.roll(centred, 2, 0).astype(np.float32)]


def blades(t: float) -> npt.NDArray[np.float32]:
    """Where the soft shadows of a ceiling fan's four blades are at t seconds, two a second at each place: 0 to 1,
    float32 (180, 320)."""
    y, x = np.indices((180, 320), np.float32) - np.array([54, 128], np.float32)[:, None, None]
    shadows = np.asarray(np.cos(4 * (np.arctan2(y, x) + np.pi * t)) > 0.6, np.float32)
    return np.asarray(cv2.GaussianBlur(shadows, (0, 0), 6), np.float32)


@dataclass
class Table:
    """Draws frames: cloth, cards, an arm from below, light, noise. fan: share of the light that the blades of a ceiling
    fan take, two of which pass in a second. sway_px: how far the camera sways, once in two seconds."""

    knower: Knower = field(default_factory=Knower)
    gain: float = 1.0
    arm_mm: float | None = None
    held: list[Laid] = field(default_factory=list)
    shift: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    zoom: float = 1.0
    blur: float = 0.0
    cloth: float = 1.0
    shadow: float = 0.0
    shade_at: tuple[float, float] = (150.0, 120.0)
    shade_rim_px: float = 300.0
    fan: float = 0.0
    sway_px: float = 0.0
    grain: float = 0.0
    arm_x: tuple[float, float] = (265.0, 315.0)
    arm_ink: tuple[int, int, int] = (110, 150, 205)
    fps: int = FPS
    t: float = 0.0
    out: list[Sighting] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(7)
        self._rng = rng
        cloth = cv2.resize(rng.integers(90, 140, (45, 80, 3), np.uint8), (1280, 720), interpolation=cv2.INTER_CUBIC)
        self._cloth = cv2.convertScaleAbs(cloth, alpha=self.cloth)
        self._noise = rng.integers(0, 7, (1420, 1280, 3), np.uint8)
        self.eye = Eye(TABLE, self.knower.models())

    def frame(self) -> Frame:
        image = self._cloth.copy()
        held = [Laid(c.face, self.arm_x[1] + 10, self.arm_mm or 0.0, c.angle) for c in self.held]
        for card in [*self.knower.laid, *held]:
            quad = np.rint(card.corners()).astype(np.int32)
            cv2.fillConvexPoly(image, quad, (235, 235, 235))
            middle = quad.mean(0)
            cv2.fillConvexPoly(image, np.rint((quad - middle) * 0.86 + middle).astype(np.int32), INKS[card.face])
            if dot := DOTS_MM.get(card.face):
                cv2.circle(image, np.rint(middle).astype(int).tolist(), round(dot * TABLE.px_per_mm()), (235,) * 3, -1)
        if self.shadow:
            middle = TABLE.to_image([self.shade_at])[0]
            far = np.hypot(*(np.indices((720, 1280))[::-1] - middle[:, None, None]))
            dim = 1 - self.shadow * np.clip((450 - far) / self.shade_rim_px, 0, 1)
            image = (image * dim[:, :, None]).astype(np.uint8)
        if self.arm_mm is not None:
            a, b = TABLE.to_image([(self.arm_x[0], 450.0), (self.arm_x[1], self.arm_mm)])
            cv2.rectangle(image, np.rint(a).astype(int).tolist(), np.rint(b).astype(int).tolist(), self.arm_ink, -1)
        if self.fan:
            dim = cv2.resize(1 - self.fan * blades(self.t), (1280, 720))
            image = (image * dim[:, :, None]).astype(np.uint8)
        move = cv2.getRotationMatrix2D((640, 360), self.turn_deg, self.zoom)
        move[:, 2] += np.array(self.shift) + self.sway_px * np.sin(np.pi * self.t) * np.array([1.0, 0.5])
        if not np.allclose(move, np.eye(2, 3)):
            image = cv2.warpAffine(image, move, (1280, 720), borderMode=cv2.BORDER_REFLECT)
        if self.blur:
            image = cv2.GaussianBlur(image, (0, 0), self.blur)
        row = int(self._rng.integers(0, 700))
        picture = cv2.add(cv2.convertScaleAbs(image, alpha=self.gain), self._noise[row : row + 720])
        if self.grain:
            noise = cv2.randn(np.empty(picture.shape, np.int16), 0, self.grain)
            picture = cv2.add(picture, noise, dtype=cv2.CV_8U)
        frame = Frame(picture, round(self.t * self.fps), self.t)
        self.t += 1 / self.fps
        return frame

    def run(self, seconds: float) -> Table:
        for _ in range(round(seconds * self.fps)):
            self.out += self.eye.process(self.frame())
        return self

    def reach(self, *cards: Laid, take: bool = False, leave: int | None = None, shown: bool = False) -> Table:
        """A hand comes to the pile, lays cards, takes the top one or all but so many on top, and goes: with these to be
        seen in it, for many show. shown: those that it lays are seen as it comes."""
        self.held = list(cards) if shown else []
        for at in (380.0, 300.0, 240.0):
            self.arm_mm = at
            self.run(1 / self.fps)
        self.held = []
        if leave is not None:
            count = len(self.knower.laid) - leave
            self.held, self.knower.laid = self.knower.laid[:count], self.knower.laid[count:]
        self.knower.laid = self.knower.laid[:-1] if take else [*self.knower.laid, *cards]
        for at in (240.0, 240.0, 300.0, 380.0):
            self.arm_mm = at
            self.run(1 / self.fps)
        self.arm_mm, self.held = None, []
        return self.run(1.0)

    def states(self) -> list[Quality]:
        return [s.state for s in self.out if isinstance(s, ViewChanged)]

    def said(self) -> list[str]:
        names = {CardLanded: "landed", CardRemoved: "removed"}
        return [
            f"{names.get(type(s), s.event)} {s.reading.notation if isinstance(s, CardLanded) else ''}".strip()
            for s in self.out
            if not isinstance(s, ViewChanged)
        ]
