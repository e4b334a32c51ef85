"""Whole scenes for the finder: cards on tables, in piles, fans and hands, with the truth about each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from referee.faces import CARD_MM
from referee.frame import Image
from referee.training.decks import CARD_PX, Pictures
from referee.training.light import relight, resample
from referee.training.stuff import Random, Stuff, placed_hand
from referee.vision.classes import COLOURS, NO_FACE

SCENE_PX = 192
"""Side of a training scene."""
NO_COLOUR = COLOURS.index(None)

_CORNERS = np.array([[0, 0], [CARD_PX[0], 0], [CARD_PX[0], CARD_PX[1]], [0, CARD_PX[1]]], np.float32) - 0.5


@dataclass
class Scene:
    """image: uint8 (size, size, 3). The cards, lower ones first, some partly or wholly out of view or covered.

    quads: (n, 4, 2) pixels, the picture's top left corner first. visible, top: (n,). colour, rank: (n,), the reader's
    classes. indices: (n,), corners that carry an index, 0 where that is not known. owner: int16 (size, size), the card
    that is seen in each pixel, negative for none.
    """

    image: Image
    quads: npt.NDArray[np.float32]
    visible: npt.NDArray[np.float32]
    top: npt.NDArray[np.bool_]
    colour: npt.NDArray[np.int8]
    rank: npt.NDArray[np.int8]
    indices: npt.NDArray[np.int8]
    owner: npt.NDArray[np.int16]

    def in_view(self) -> npt.NDArray[np.bool_]:
        """(n,): the cards that the finder is to find: the middle in the picture, a tenth or more to be seen."""
        centre = self.quads.mean(1)
        return np.asarray(((centre >= 0) & (centre < self.image.shape[0])).all(1) & (self.visible >= 0.1), bool)


@dataclass(frozen=True, slots=True)
class Kind:
    """What kind of scenes are made. card_px: card heights, pixels. layouts: the share of each layout of `_places`.

    reach: how far, millimetres, the middle of a pile or fan may lie beyond the picture's edge. size_px: side of the
    picture. light: how far light and camera go at least and at most, 0 none to 1 everything. slant: how far the view's
    slant goes, as light. stray: share of scenes with a hand or sleeve over them, and with things beside the cards.
    framed: share of scenes with grey about the picture, as `Finder.find` puts it there: cards reach under it. wilds:
    share of a deck's cards that are taken from its wilds alone.
    """

    card_px: tuple[float, float]
    layouts: tuple[float, ...]
    reach: float
    size_px: int = SCENE_PX
    light: tuple[float, float] = (0.4, 1.0)
    slant: float = 1.0
    stray: float = 1.0
    framed: float = 0.0
    wilds: float = 0.0


WHOLE_CARDS = Kind((14.0, 165.0), (0.20, 0.10, 0.25, 0.14, 0.09, 0.05, 0.11, 0.06), -30.0, framed=0.35)
"""For the finder, which is run so that cards come out between about 30 and 150 pixels. Smaller ones are left to a finer
look: a finder that never saw such cards takes them for larger ones. One that never saw the grey about a picture may
take a bare table with a card on it for a card with its symbol."""

PILES = Kind((40.0, 130.0), (0.12, 0.06, 0.60, 0.06, 0.02, 0.05, 0.05, 0.04), -30.0, wilds=0.15)
"""For the pile finder, which is told how high cards are: they come out near 72 pixels, mostly in piles. More
of them are wilds than of a deck, for black ones without a border, which one design in twelve has, were missed."""

CORNERS = Kind((66.0, 310.0), (0.10, 0.0, 0.22, 0.27, 0.10, 0.03, 0.05, 0.23), 25.0)
"""For the index finder: larger cards, more fans and hands."""


@dataclass
class Laid:
    """Cards on a table: as `Scene`, before light and camera. areas: of the whole cards, pixels. labels: each one's
    colour, rank and indices."""

    image: Image
    owner: npt.NDArray[np.int16]
    quads: list[npt.NDArray[np.float32]] = field(default_factory=list)
    areas: list[float] = field(default_factory=list)
    labels: list[tuple[int, int, int]] = field(default_factory=list)


def round_mask(radius: float) -> npt.NDArray[np.uint8]:
    """Alpha of a stored picture whose corners are rounded by `radius` (share of the width)."""
    w, h = CARD_PX
    r = max(1, round(radius * w))
    mask = np.zeros((h, w), np.uint8)
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


class SceneMaker:
    """Makes scenes from drawn decks, photographed cards and stuff. The same generator gives the same scenes."""

    def __init__(
        self, drawn: Pictures, photographed: Pictures | None, stuff: Stuff, kind: Kind = WHOLE_CARDS
    ) -> None:
        self.kind = kind
        self.pools = [drawn] if photographed is None else [drawn, photographed]
        self.members = [{int(d): np.flatnonzero(p.deck == d) for d in np.unique(p.deck)} for p in self.pools]
        self.stuff = stuff

    def make(self, rng: Random) -> Scene:
        """One scene."""
        return self.seen(self.laid(rng), rng)

    def laid(self, rng: Random) -> Laid:
        """The cards of a scene on their table, before light and camera."""
        size = self.kind.size_px
        build = Laid(self.stuff.ground(rng, size, size), np.full((size, size), -1, np.int16))
        low, high = self.kind.card_px
        card_px = math.exp(rng.uniform(math.log(low), math.log(high)))
        layout = rng.choice(8, p=self.kind.layouts)
        to_image = _camera(rng, card_px / CARD_MM[1], size, self.kind.slant)
        self._clutter(build, rng, to_image, int(rng.integers(0, 4)) if rng.random() < 0.4 * self.kind.stray else 0)
        places = _places(layout, rng, size * CARD_MM[1] / card_px / 2, self.kind.reach)
        deck = self._deck(rng)
        lift = rng.random() < 0.6
        for x, y, angle in places:
            picture, mask, *label = self._card(rng, deck, backs=layout == 5)
            corners = _placed(x, y, angle, rng.uniform(0.98, 1.02))
            quad = cv2.perspectiveTransform(corners[None], to_image)[0]
            if self._paste(build, picture, mask, quad, rng, lift):
                build.labels.append((label[0], label[1], label[2]))
        if layout == 6 or rng.random() < 0.25 * self.kind.stray:
            for _ in range(int(rng.integers(1, 3))):
                self._hand(build, rng, card_px)
        if layout == 7:
            self._fingers(build, rng)
        return build

    def seen(self, build: Laid, rng: Random) -> Scene:
        """The scene in some light, by some camera; `build` stays as it is."""
        owner = build.owner.copy()
        box = self._frame(owner, rng) if self.kind.framed else None
        low, high = self.kind.light
        hard = low if low == high else float(rng.uniform(low, high))
        image = resample(relight(build.image, rng, hard), rng, hard)
        left = np.ones(image.shape[:2], bool)
        if box is not None:
            left[:] = False
            left[box] = True
            image[~left] = 128
        visible, top = [], []
        for i, (quad, area) in enumerate(zip(build.quads, build.areas, strict=True)):
            seen = float(np.count_nonzero(owner == i)) / max(area, 1.0)
            inside = np.zeros(owner.shape, np.uint8)
            cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
            covered = np.count_nonzero((inside > 0) & ((owner > i) | (owner == -2)))
            visible.append(min(1.0, seen) if _holds(left, quad.mean(0)) else 0.0)
            top.append(covered < 0.03 * area)
        colour, rank, indices = np.array(build.labels, np.int8).reshape(-1, 3).T
        return Scene(
            image, np.array(build.quads, np.float32).reshape(-1, 4, 2), np.array(visible, np.float32),
            np.array(top, bool), colour, rank, indices, owner,
        )  # fmt: skip

    def _frame(self, owner: npt.NDArray[np.int16], rng: Random) -> tuple[slice, slice] | None:
        """Rows and columns that are left of some pictures, more or less as `nets.PAD` leaves them; what lies beyond is
        nobody's."""
        if rng.random() > self.kind.framed:
            return None
        near = int(rng.integers(12, 30))
        sides = [near, near + int(rng.integers(0, 34))]
        rng.shuffle(sides)
        rows, columns = (slice(side, owner.shape[0] - side) for side in sides)
        inside = owner[rows, columns].copy()
        owner[:] = -3
        owner[rows, columns] = inside
        return rows, columns

    def _deck(self, rng: Random) -> tuple[int, int]:
        pool = int(rng.random() < 0.5) if len(self.pools) > 1 else 0
        decks = list(self.members[pool])
        return pool, decks[int(rng.integers(len(decks)))]

    def _card(
        self, rng: Random, deck: tuple[int, int], backs: bool
    ) -> tuple[Image, npt.NDArray[np.uint8], int, int, int]:
        """(picture, alpha, colour class, rank class, corners with an index)."""
        pool, number = deck
        if rng.random() < 0.06:
            return self.stuff.foreign_card(rng), round_mask(rng.uniform(0.03, 0.1)), NO_COLOUR, NO_FACE, 0
        if backs or rng.random() < 0.08:
            drawn = self.members[0]
            keys = list(drawn)
            back = drawn[number if pool == 0 else keys[int(rng.integers(len(keys)))]][-1]
            return self.pools[0].images[back], round_mask(float(self.pools[0].radius[back])), NO_COLOUR, NO_FACE, 0
        if rng.random() < 0.05:
            pool, number = self._deck(rng)
        members = self.members[pool][number]
        if self.kind.wilds and rng.random() < self.kind.wilds:
            wilds = self._wilds(pool, members)
            members = wilds if len(wilds) else members
        i = int(members[int(rng.integers(len(members)))])
        p = self.pools[pool]
        return p.images[i], round_mask(float(p.radius[i])), int(p.colour[i]), int(p.rank[i]), int(p.indices[i])

    def _wilds(self, pool: int, members: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Those of a deck's pictures that show a wild."""
        pictures = self.pools[pool]
        shown = (pictures.colour[members] == NO_COLOUR) & (pictures.rank[members] != NO_FACE)
        return np.asarray(members[shown], np.intp)

    def _paste(
        self, build: Laid, picture: Image, mask: npt.NDArray[np.uint8], quad: npt.NDArray[np.float32], rng: Random,
        lift: bool, target: bool = True,
    ) -> bool:  # fmt: skip
        """False when the card lies outside the picture."""
        size = build.image.shape[0]
        low = np.maximum(np.floor(quad.min(0)) - 3, 0).astype(int)
        high = np.minimum(np.ceil(quad.max(0)) + 4, size).astype(int)
        area = float(cv2.contourArea(quad))
        if (high - low < 2).any():
            return False
        height = float(np.hypot(*(quad[3] - quad[0])))
        f = min(1.0, 1.3 * max(height, 8) / CARD_PX[1])
        if f < 0.75:
            new = (max(8, round(CARD_PX[0] * f)), max(12, round(CARD_PX[1] * f)))
            picture = np.asarray(cv2.resize(picture, new, interpolation=cv2.INTER_AREA), np.uint8)
            mask = np.asarray(cv2.resize(mask, new, interpolation=cv2.INTER_AREA), np.uint8)
        source = (_CORNERS + 0.5) * [picture.shape[1] / CARD_PX[0], picture.shape[0] / CARD_PX[1]] - 0.5
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), (quad - low).astype(np.float32))
        box = (int(high[0] - low[0]), int(high[1] - low[1]))
        card = cv2.warpPerspective(picture, matrix, box, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpPerspective(mask, matrix, box, flags=cv2.INTER_LINEAR)
        area_view = build.image[low[1] : high[1], low[0] : high[0]]
        if lift:
            shade = cv2.GaussianBlur(alpha, (0, 0), 0.6 + height * 0.012)
            dx, dy = rng.integers(-2, 3, 2)
            shade = np.roll(shade, (int(dy), int(dx)), (0, 1)).astype(np.float32) * np.float32(
                rng.uniform(0.1, 0.6) / 255
            )
            area_view[:] = (area_view * (1 - shade[..., None])).astype(np.uint8)
        if rng.random() < 0.4:
            card = np.clip(card * np.float32(rng.uniform(0.85, 1.1)), 0, 255).astype(np.uint8)
        a = alpha[..., None].astype(np.uint16)
        area_view[:] = ((card * a + area_view * (255 - a)) // 255).astype(np.uint8)
        owner = build.owner[low[1] : high[1], low[0] : high[0]]
        owner[alpha > 127] = len(build.quads) if target else -2
        if target:
            build.quads.append(quad.astype(np.float32))
            build.areas.append(area)
        return True

    def _clutter(self, build: Laid, rng: Random, to_image: npt.NDArray[np.float32], count: int) -> None:
        """Books, phones, cups: things that are no cards, below the cards."""
        size = build.image.shape[0]
        for _ in range(count):
            if rng.random() < 0.3:
                centre, r = rng.uniform(0, size, 2), rng.uniform(8, 50)
                ink = [int(v) for v in rng.integers(0, 256, 3)]
                cv2.circle(build.image, (int(centre[0]), int(centre[1])), int(r), ink, -1, cv2.LINE_AA)
                cv2.circle(
                    build.image,
                    (int(centre[0]), int(centre[1])),
                    int(r * 0.8),
                    [int(v * 0.7) for v in ink],
                    2,
                    cv2.LINE_AA,
                )
                continue
            thing = self.stuff.ground(rng, *CARD_PX)
            if rng.random() < 0.5:
                cv2.putText(
                    thing,
                    "".join(chr(int(c)) for c in rng.integers(65, 91, 4)),
                    (5, int(rng.integers(30, 150))),
                    3,
                    1.2,
                    (255, 255, 255),
                    2,
                )
            w, h = rng.uniform(30, 200), rng.uniform(30, 240)
            if 1.3 < max(w, h) / min(w, h) < 1.8 and 60 < max(w, h) < 110:
                w = h * rng.uniform(0.2, 0.5)
            corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32) / 2
            a = rng.uniform(0, 2 * np.pi)
            turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
            corners = (corners @ turn + rng.uniform(-160, 160, 2)).astype(np.float32)
            quad = cv2.perspectiveTransform(corners[None], to_image)[0]
            self._paste(build, thing, round_mask(rng.uniform(0.01, 0.15)), quad, rng, True, target=False)
        build.owner[:] = -1

    def _hand(self, build: Laid, rng: Random, card_px: float) -> None:
        """A hand over the scene, near a card's edge, with a sleeve now and then."""
        size = build.image.shape[0]
        hand = self.stuff.hands[int(rng.integers(len(self.stuff.hands)))] if self.stuff.hands else None
        at = rng.uniform(0, size, 2)
        layer: npt.NDArray[np.uint8]
        if build.quads and rng.random() < 0.7:
            quad = build.quads[int(rng.integers(len(build.quads)))]
            at = quad[int(rng.integers(4))] * 0.85 + quad.mean(0) * 0.15 + rng.normal(0, card_px * 0.15, 2)
        if hand is None or rng.random() < 0.15:
            side = rng.uniform(0, 2 * np.pi)
            far = at + np.array([np.cos(side), np.sin(side)]) * 400
            layer = np.zeros((size, size), np.uint8)
            cv2.line(
                layer,
                tuple(at.astype(int).tolist()),
                tuple(far.astype(int).tolist()),
                255,
                max(3, int(card_px * rng.uniform(0.4, 1.0))),
            )
            paint = self.stuff.ground(rng, size, size)
        else:
            scale = card_px * rng.uniform(1.2, 2.4) / max(hand.shape[:2])
            a = rng.uniform(0, 2 * np.pi)
            middle = np.array([hand.shape[1] * rng.uniform(0.1, 0.9), hand.shape[0] * rng.uniform(0.1, 0.9)])
            warped = placed_hand(hand, scale, a, middle, at, (size, size))
            layer = np.asarray(warped[..., 3], np.uint8)
            paint = np.asarray(np.clip(warped[..., :3] * rng.uniform(0.5, 1.2), 0, 255), np.uint8)
        self._cover(build, layer, paint)

    def _fingers(self, build: Laid, rng: Random) -> None:
        """Fingers that hold the cards at their lower edges."""
        size = build.image.shape[0]
        layer = np.zeros((size, size), np.uint8)
        tone = np.array([[60, 90, 140], [90, 125, 190], [130, 165, 220], [40, 55, 90]])[
            int(rng.integers(4))
        ] * rng.uniform(0.8, 1.15)
        for quad in build.quads:
            u, v = quad[1] - quad[0], quad[3] - quad[0]
            h = float(np.hypot(*v))
            for _ in range(int(rng.integers(1, 4))):
                tip = quad[3] + u * rng.uniform(0, 1) - v * rng.uniform(0.05, 0.4)
                root = tip + v * rng.uniform(0.5, 1.0) + u * rng.normal(0, 0.3)
                cv2.line(
                    layer,
                    tuple(tip.astype(int).tolist()),
                    tuple(root.astype(int).tolist()),
                    255,
                    max(2, int(h * rng.uniform(0.12, 0.2))),
                )
        paint = np.clip(np.full((size, size, 3), tone) * rng.normal(1, 0.04, (size, size, 1)), 0, 255).astype(np.uint8)
        paint = np.asarray(cv2.GaussianBlur(paint, (0, 0), 1.5), np.uint8)
        self._cover(build, layer, paint)

    @staticmethod
    def _cover(build: Laid, layer: npt.NDArray[np.uint8], paint: Image) -> None:
        a = cv2.GaussianBlur(layer, (3, 3), 0)[..., None].astype(np.uint16)
        build.image[:] = ((paint * a + build.image * (255 - a)) // 255).astype(np.uint8)
        build.owner[layer > 127] = -2


def _holds(left: npt.NDArray[np.bool_], centre: npt.NDArray[np.float32]) -> bool:
    """The point is not in what was cut off the picture; one beyond the picture is nowhere."""
    x, y = np.round(centre).astype(int)
    beyond = not (0 <= y < left.shape[0] and 0 <= x < left.shape[1])
    return beyond or bool(left[y, x])


def _camera(rng: Random, px_per_mm: float, size: int, far: float) -> npt.NDArray[np.float32]:
    """Table millimetres (origin in the middle) -> pixels, seen from above or at a slant of up to 64 degrees."""
    slant = rng.uniform(25, 64) if rng.random() < 0.3 else min(48.0, abs(rng.normal(0, 16)))
    tilt = math.radians(slant * far)
    spin, roll = rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi)
    distance = rng.uniform(250, 900) if px_per_mm > 0.8 else rng.uniform(500, 1500)
    c, s = math.cos(spin), math.sin(spin)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, math.sin(tilt) / distance, 1]])
    c, s = math.cos(roll), math.sin(roll)
    back = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    half = size / 2
    zoom = np.array([[px_per_mm, 0, half], [0, px_per_mm, half], [0, 0, 1]])
    return np.asarray(zoom @ back @ lean @ turn, np.float32)


def _placed(x: float, y: float, angle: float, size: float) -> npt.NDArray[np.float32]:
    w, h = CARD_MM[0] * size / 2, CARD_MM[1] * size / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + [x, y], np.float32)


def _places(layout: int, rng: Random, view: float, reach: float) -> list[tuple[float, float, float]]:
    """Where the cards lie, millimetres and radians, lowest first, in a picture that shows `view` to each side."""
    spot = rng.uniform(-0.7, 0.7, 2) * max(0.0, view + reach)
    angle = rng.uniform(0, 2 * math.pi)
    if layout in (0, 6):
        return [(spot[0], spot[1], angle)] if layout == 0 or rng.random() < 0.7 else []
    if layout == 1:
        apart: list[tuple[float, float, float]] = []
        for _ in range(int(rng.integers(2, 16))):
            x, y = rng.uniform(-1, 1, 2) * view
            if all(math.hypot(x - a, y - b) > 60 for a, b, _ in apart):
                apart.append((x, y, rng.uniform(0, 2 * math.pi)))
        return apart
    if layout == 2:
        spread = rng.choice([3.0, 10.0, 22.0])
        lean = rng.choice([0.08, 0.35, 2.0])
        return [(spot[0] + rng.normal(0, spread), spot[1] + rng.normal(0, spread), angle + rng.normal(0, lean))
                for _ in range(int(rng.integers(2, 9)))]  # fmt: skip
    if layout in (3, 7):
        n = int(rng.integers(3, 9)) if layout == 3 else int(rng.integers(1, 6))
        step, pivot = math.radians(rng.uniform(4, 18)), rng.uniform(60, 180)
        sign = rng.choice([-1, 1])
        out = []
        for i in range(n):
            a = sign * (i - (n - 1) / 2) * step
            x, y = pivot * math.sin(a), -pivot * math.cos(a) + pivot
            c, s = math.cos(angle), math.sin(angle)
            out.append((spot[0] + c * x - s * y, spot[1] + s * x + c * y, angle + a))
        return out
    if layout == 4:
        dx, dy = rng.uniform(14, 75), rng.uniform(60, 100)
        columns, rows = int(rng.integers(2, 8)), int(rng.integers(1, 4))
        c, s = math.cos(angle), math.sin(angle)
        grid = [(c * i * dx - s * j * dy, s * i * dx + c * j * dy) for j in range(rows) for i in range(columns)]
        mid = np.mean(grid, 0)
        flip = rng.choice([0.0, math.pi])
        return [
            (x - mid[0] + rng.normal(0, 3), y - mid[1] + rng.normal(0, 3), angle + flip + rng.normal(0, 0.06))
            for x, y in grid
        ]
    return [
        (spot[0] + rng.normal(0, 2), spot[1] + rng.normal(0, 2), angle + rng.normal(0, 0.05))
        for _ in range(int(rng.integers(1, 4)))
    ]
