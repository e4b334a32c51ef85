"""Everything in a scene that is no card of the deck: grounds, hands, other games' cards, books and phones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.training.decks import CARD_PX
from referee.training.light import noise
from referee.training.playing_cards import playing_card

Random = np.random.Generator
_GROUND_PX = 640
_SMALL_GROUND_PX = 200
_HAND_PX = 220
THINGS, MADE_BY_OTHERS, RECOLOURED, TYPESET = 0.2, 0.5, 0.3, 0.6
"""Share of other games' cards in whose place things lie that are no cards, where there are any; of the others those
that are pictures of real ones, where there are any, and of these in other colours; and of the rest those of a design of
their own, where there are typefaces. Fewer: strange signs are faces; more: the plainly drawn ones are forgotten."""
PIECES, PIECE_SIZES, LARGE = 0.25, (0.32, 0.75), 2
"""Share of real cards, and of those of a design of their own, of which only a piece about the index lies in a card's
place; how wide it is, as shares of the card's width; and how many times as large such cards are held. Fewer: the index
of a playing card close by, its rank and its suit, passes for a card; more: whole ones do."""
_LARGE_PX = (LARGE * CARD_PX[0], LARGE * CARD_PX[1])
MOST_THINGS, THING_SIZES, _THING_PX = 5, (0.15, 1.3), 120
"""Things in one card's place, their long sides as shares of a card's width, and what is held of one, pixels."""


class Stuff:
    """Grounds, uint8 (h, w, 3), and hands, uint8 (h, w, 4), held in memory."""

    def __init__(
        self, grounds: list[Image], hands: list[npt.NDArray[np.uint8]], typefaces: Sequence[str] = (),
        other_games: Iterable[npt.NDArray[np.uint8]] = (),
    ) -> None:  # fmt: skip
        """typefaces: font files, for playing cards. other_games: pictures of real cards, of any size; with alpha,
        uint8 (h, w, 4), other things that may lie on a table."""
        self.typefaces = typefaces
        self.other_games: list[Image] = []
        self.things: list[npt.NDArray[np.uint8]] = []
        for picture in other_games:  # one by one: there may be thousands, much larger than what is held of them
            if picture.shape[2] == 3:
                card = cv2.resize(picture, _LARGE_PX, interpolation=cv2.INTER_AREA)
                self.other_games.append(np.asarray(card, np.uint8))
            else:
                self.things.append(_at_most(picture, _THING_PX))
        self.grounds = [_at_most(ground, _GROUND_PX) for ground in grounds]
        self.small_grounds = [_at_most(ground, _SMALL_GROUND_PX) for ground in grounds]
        self.hands = hands

    @classmethod
    def load(cls, data: Path, typefaces: Sequence[str] = (), other_games: Path | None = None) -> Stuff:
        """From the photographs of the data folder. other_games: a folder of pictures (.png) of other games' cards and,
        with alpha, of other things. Raises FileNotFoundError when there are none."""
        files = sorted((data / "backgrounds").rglob("*.jpg"))
        if not files:
            raise FileNotFoundError(f"{data / 'backgrounds'} holds no .jpg: give the data folder with --data")
        hands = [hand for f in sorted((data / "hands").glob("*_mask.png")) for hand in _hands(f)]
        cards = [] if other_games is None else sorted(other_games.rglob("*.png"))
        if other_games is not None and not cards:
            raise FileNotFoundError(f"{other_games} holds no .png: give a folder of cards with --other-games")
        return cls([_read(f) for f in files], hands, typefaces, (_read(f, cv2.IMREAD_UNCHANGED) for f in cards))

    @classmethod
    def made(cls, seed: int, count: int = 24) -> Stuff:
        """Plain and patterned grounds without any photograph, and no hands."""
        rng = np.random.default_rng(seed)
        kinds = (_plain, _woven)
        return cls([kinds[i % 2](rng, _GROUND_PX, _GROUND_PX) for i in range(count)], [])

    def ground(self, rng: Random, width: int, height: int) -> Image:
        """A picture of some table, plain or not, uint8 (height, width, 3)."""
        roll = rng.random()
        if roll < 0.3:
            return _plain(rng, width, height)
        if roll < 0.45:
            return _woven(rng, width, height)
        grounds = self.grounds if max(width, height) > _SMALL_GROUND_PX else self.small_grounds
        source = grounds[int(rng.integers(len(grounds)))]
        out = self._patch(source, rng, width, height)
        if rng.random() < 0.3:
            out = np.asarray(np.clip(out * rng.uniform(0.15, 1.3, 3), 0, 255), np.uint8)
        return out

    @staticmethod
    def _patch(source: Image, rng: Random, width: int, height: int) -> Image:
        h, w = source.shape[:2]
        share = rng.uniform(0.25, 1.0)
        ph, pw = max(8, int(h * share)), max(8, int(w * share))
        y, x = int(rng.integers(h - ph + 1)), int(rng.integers(w - pw + 1))
        patch = np.asarray(
            cv2.resize(source[y : y + ph, x : x + pw], (width, height), interpolation=cv2.INTER_AREA), np.uint8
        )
        if rng.random() < 0.5:
            patch = patch[:, ::-1]
        if rng.random() < 0.5:
            patch = patch[::-1]
        return np.ascontiguousarray(patch)

    def foreign_card(self, rng: Random) -> Image:
        """A card of some other game, a picture card or things that are no cards, of the size of the stored pictures."""
        if self.things and rng.random() < THINGS:
            return self._some_things(rng)
        if self.other_games and rng.random() < MADE_BY_OTHERS:
            real = self.other_games[int(rng.integers(len(self.other_games)))]
            return _shown(_recoloured(real, rng) if rng.random() < RECOLOURED else real, rng)
        if self.typefaces and rng.random() < TYPESET:
            source = self.small_grounds[int(rng.integers(len(self.small_grounds)))]
            card = playing_card(rng, _LARGE_PX, self.typefaces, lambda w, h: self._patch(source, rng, w, h))
            return _shown(card, rng)
        w, h = CARD_PX
        card = np.full((h, w, 3), rng.integers(225, 256), np.uint8)
        kind = rng.random()
        ink = [(30, 30, 200), (30, 30, 30), (40, 40, 40), (180, 60, 30), (40, 130, 40)][int(rng.integers(5))]
        if kind < 0.55:
            sign = ["A", "K", "Q", "J", "10", "2", "3", "4", "5", "6", "7", "8", "9"][int(rng.integers(13))]
            font = [cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX][int(rng.integers(3))]
            pips = [(x, y) for x in (0.3, 0.5, 0.7) for y in (0.22, 0.41, 0.59, 0.78)]
            chosen = rng.permutation(len(pips))[: int(rng.integers(1, 10))]
            size = rng.uniform(0.055, 0.1) if len(chosen) > 1 else rng.uniform(0.1, 0.2)
            for i in chosen:
                _pip(card, int(pips[i][0] * w), int(pips[i][1] * h), int(size * w), ink, rng)
            for _ in range(2):
                cv2.putText(card, sign, (5, 27), font, 0.8, ink, 2, cv2.LINE_AA)
                _pip(card, 13, 38, 6, ink, rng)
                card = np.ascontiguousarray(card[::-1, ::-1])
        elif kind < 0.85:
            source = self.small_grounds[int(rng.integers(len(self.small_grounds)))]
            m = int(rng.integers(0, 12))
            card[m : h - m, m : w - m] = self._patch(source, rng, w - 2 * m, h - 2 * m)
            if rng.random() < 0.7:
                for _ in range(int(rng.integers(1, 5))):
                    x, y, r = rng.integers(20, w - 20), rng.integers(20, h - 20), rng.integers(5, 40)
                    cv2.circle(
                        card, (int(x), int(y)), int(r), [int(v) for v in rng.integers(0, 256, 3)], -1, cv2.LINE_AA
                    )
        else:
            card[:] = rng.integers(0, 256, 3)
            for i in range(int(rng.integers(3, 12))):
                cv2.line(card, (12, 20 + i * 11), (int(rng.integers(40, w - 8)), 20 + i * 11), ink, 2)
        return card

    def _some_things(self, rng: Random) -> Image:
        """Things that are no cards, on a table, of the size of the stored pictures."""
        w, h = CARD_PX
        out = self.ground(rng, w, h)
        for _ in range(int(rng.integers(1, MOST_THINGS + 1))):
            thing = self.things[int(rng.integers(len(self.things)))]
            scale = w * math.exp(rng.uniform(*np.log(THING_SIZES))) / max(thing.shape[:2])
            middle = np.array(thing.shape[1::-1]) / 2
            laid = placed_hand(thing, scale, rng.uniform(0, 2 * np.pi), middle, rng.uniform(0, [w, h]), CARD_PX)
            share = laid[..., 3:] / 255
            out = np.asarray(laid[..., :3] * share + out * (1 - share), np.uint8)
        return out


def _shown(card: Image, rng: Random) -> Image:
    """A card of `_LARGE_PX`, of the size of the stored pictures: all of it, or a piece about its index."""
    if rng.random() >= PIECES:
        return np.asarray(cv2.resize(card, CARD_PX, interpolation=cv2.INTER_AREA), np.uint8)
    w, h = _LARGE_PX
    wide = rng.uniform(*PIECE_SIZES) * w
    tall = wide * CARD_PX[1] / CARD_PX[0]
    x, y = (rng.uniform(0.05, 0.2) * w - wide / 2, rng.uniform(0.06, 0.24) * h - tall / 2)
    onto = np.array([[CARD_PX[0] / wide, 0, -x * CARD_PX[0] / wide], [0, CARD_PX[1] / tall, -y * CARD_PX[1] / tall]])
    beyond = [int(v) for v in rng.integers(0, 256, 3)]
    return np.asarray(cv2.warpAffine(card, onto, CARD_PX, flags=cv2.INTER_LINEAR, borderValue=beyond), np.uint8)


def placed_hand(
    hand: npt.NDArray[np.uint8], scale: float, angle: float, held: npt.ArrayLike, at: npt.ArrayLike,
    size: tuple[int, int],
) -> npt.NDArray[np.uint8]:  # fmt: skip
    """A hand, or a thing, on a picture of its own, uint8 (height, width, 4) with alpha. hand: uint8 (h, w, 4). held:
    its point, pixels, that comes to lie `at`. angle: radians. size: width and height of the picture."""
    c, s = np.cos(angle), np.sin(angle)
    linear = np.array([[c, -s], [s, c]]) * scale
    matrix = np.column_stack([linear, np.asarray(at) - linear @ np.asarray(held)])
    return np.asarray(cv2.warpAffine(hand, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def _recoloured(card: Image, rng: Random) -> Image:
    """The card printed in other colours: its hues turned."""
    hsv = cv2.cvtColor(card, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180  # OpenCV has half degrees
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _pip(card: Image, x: int, y: int, r: int, ink: tuple[int, int, int], rng: Random) -> None:
    if rng.random() < 0.5:
        cv2.fillPoly(card, [np.array([[x, y - r], [x + r, y], [x, y + r], [x - r, y]], np.int32)], ink, cv2.LINE_AA)
    else:
        cv2.circle(card, (x - r // 2, y), r // 2, ink, -1, cv2.LINE_AA)
        cv2.circle(card, (x + r // 2, y), r // 2, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(card, [np.array([[x - r, y], [x + r, y], [x, y + r]], np.int32)], ink, cv2.LINE_AA)


def _plain(rng: Random, width: int, height: int) -> Image:
    level = rng.choice([rng.uniform(0, 40), rng.uniform(0, 255), rng.uniform(200, 255)])
    colour = np.clip(level + rng.normal(0, 18, 3) + (rng.uniform(-90, 90, 3) if rng.random() < 0.35 else 0), 0, 255)
    out = np.full((height, width, 3), colour, np.float32)
    coarse = rng.normal(0, rng.uniform(0, 7), (6, 6)).astype(np.float32)
    out += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    out += noise(rng, (height, width, 1)) * np.float32(rng.uniform(0.3, 7))
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _woven(rng: Random, width: int, height: int) -> Image:
    """Stripes, checks, planks, tablecloths."""
    a, b = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    if rng.random() < 0.5:
        b = np.clip(a + rng.normal(0, 25, 3), 0, 255)
    angle, period = rng.uniform(0, np.pi), rng.uniform(5, 70)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u = (x * np.cos(angle) + y * np.sin(angle)) / period
    v = (y * np.cos(angle) - x * np.sin(angle)) / period
    mix = (np.sin(2 * np.pi * u) > rng.uniform(-0.6, 0.6)).astype(np.float32)
    if rng.random() < 0.5:
        mix = (mix + (np.sin(2 * np.pi * v) > 0)) / 2
    out = a + (b - a) * mix[..., None] + noise(rng, (height, width, 1)) * rng.uniform(0, 8)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _read(path: Path, how: int = cv2.IMREAD_COLOR) -> npt.NDArray[np.uint8]:
    image = cv2.imread(str(path), how)
    if image is None:
        raise ValueError(f"{path} cannot be read as a picture")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.asarray(image, np.uint8)


def _at_most(image: Image, side: int) -> Image:
    f = side / max(image.shape[:2])
    return image if f >= 1 else np.asarray(cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), np.uint8)


def _hands(mask_file: Path) -> list[npt.NDArray[np.uint8]]:
    """Hands of one frame, each uint8 (h, w, 4) with alpha, long side 220."""
    mask = cv2.imread(str(mask_file), cv2.IMREAD_GRAYSCALE)
    picture = _read(mask_file.with_name(mask_file.name.replace("_mask.png", ".jpg")))
    if mask is None or mask.shape != picture.shape[:2]:
        raise ValueError(f"{mask_file} is not a mask of the size of its picture")
    hands = []
    count, labels, stats, _ = cv2.connectedComponentsWithStats((mask > 127).astype(np.uint8))
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        if area < 600:
            continue
        alpha = (labels[y : y + h, x : x + w] == i).astype(np.uint8) * 255
        cut = np.dstack([picture[y : y + h, x : x + w], alpha])
        f = _HAND_PX / max(w, h)
        hands.append(np.asarray(cv2.resize(cut, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), np.uint8))
    return hands
