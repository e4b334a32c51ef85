"""Cards of other games, each of a design of its own: a rank with its suit in the corners, pips or a picture between."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image

Random = np.random.Generator
Mask = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]
Picture = Callable[[int, int], Image]

NUMBERS = tuple("23456789") + ("10", "1", "7", "8", "9")
LETTERS = ("A", "K", "Q", "J", "D", "R", "V", "B", "C", "U", "O", "11", "12", "13")
LETTERED = 0.4
"""Share of cards whose rank is a letter or a number that ours have not. Fewer: what lies beside a number is what tells
it from ours, and that is learnt; more: it is forgotten."""
SUITS = ("heart", "diamond", "spade", "club", "star", "disc", "leaf", "cup", "sword", "ring", "moon", "cross")
STANDARD = 0.7
"""Share of cards with one of the first four suits."""

SIGN = (0.075, 0.2)
"""Height of the rank in a corner, shares of the card's height: from a small index to that of cards for weak eyes."""
BESIDE, FOUR_CORNERS, TURNED = 0.12, 0.3, 0.85
"""Shares of designs whose suit stands beside the rank instead of below it, that have the rank in all corners, and of
those with it in two that have the second one upside down."""
_UNIT = 64
_TWICE = 2
"""Drawn so many times as large, and then made smaller, for smooth edges."""


def playing_card(rng: Random, size: tuple[int, int], typefaces: Sequence[str], picture: Picture) -> Image:
    """A card of some other game, uint8 (height, width, 3). size: width and height, pixels. typefaces: font files, not
    none. picture: gives one of a width and height, uint8, for court cards."""
    w, h = size[0] * _TWICE, size[1] * _TWICE
    ground, ink, other = _colours(rng)
    card = np.full((h, w, 3), ground, np.uint8)
    sign = str(rng.choice(LETTERS if rng.random() < LETTERED else NUMBERS))
    suit = SUITS[int(rng.integers(4))] if rng.random() < STANDARD else SUITS[int(rng.integers(len(SUITS)))]
    rank_mask = _sign(typefaces[int(rng.integers(len(typefaces)))], sign)
    tall = rng.uniform(*SIGN) * h
    edge = rng.uniform(0.02, 0.075, 2) * w
    _middle(card, sign, suit, other, rng, picture, float(edge[0] + 0.7 * tall))
    if rng.random() < 0.25:
        m = int(rng.uniform(0.01, 0.05) * w)
        cv2.rectangle(card, (m, m), (w - m, h - m), other if rng.random() < 0.5 else ink, 2, cv2.LINE_AA)
    wide = min(tall * rank_mask.shape[1] / rank_mask.shape[0] * rng.uniform(0.75, 1.1), 0.24 * w)
    pip = rng.uniform(0.5, 1.1) * tall
    gap = rng.uniform(0.04, 0.3) * tall
    column = max(wide, pip)
    x, y = edge[0] + column / 2, edge[1] + tall / 2
    beside = rng.random() < BESIDE
    place = (edge[0] + wide + gap + pip / 2, y) if beside else (x, y + tall / 2 + gap + pip / 2)
    at = (edge[0] + wide / 2, y) if beside else (x, y)

    def index(shift: float = 0.0) -> None:
        _stamp(card, rank_mask, (at[0] + shift, at[1]), (wide, tall), ink)
        _stamp(card, _suit(suit), (place[0] + shift, place[1]), (pip, pip), other)

    four, turned = rng.random() < FOUR_CORNERS, rng.random() < TURNED
    across = w - at[0] - place[0]  # as it is on the left, not in a mirror
    index()
    if four or not turned:
        index(across)
    if four or turned:
        card = np.ascontiguousarray(card[::-1, ::-1])
        index()
    if four:
        index(across)
    return np.asarray(cv2.resize(card, size, interpolation=cv2.INTER_AREA), np.uint8)


def _colours(rng: Random) -> tuple[Colour, Colour, Colour]:
    """The card's, the rank's and the suit's, BGR: mostly red, black, blue or green on white."""
    roll = rng.random()
    if roll < 0.7:
        ground = rng.integers(225, 256) - np.array([rng.integers(0, 30), rng.integers(0, 10), 0])
    elif roll < 0.85:
        ground = rng.integers(150, 256, 3)
    else:
        ground = rng.integers(0, 110, 3) if rng.random() < 0.6 else rng.integers(0, 256, 3)
    light = float(ground.mean()) > 120
    inks = [(30, 30, 200), (25, 25, 25), (180, 60, 30), (40, 130, 40), (0, 110, 220), (150, 30, 110)]
    ink = np.array(inks[int(rng.choice(len(inks), p=[0.36, 0.3, 0.12, 0.12, 0.05, 0.05]))])
    ink = ink + rng.integers(-25, 26, 3)
    if not light:
        ink = 255 - ink if rng.random() < 0.5 else rng.integers(190, 256, 3)
    other = ink if rng.random() < 0.75 else np.array(inks[int(rng.integers(len(inks)))])
    if not light and other is not ink:
        other = rng.integers(150, 256, 3)
    return _bgr(ground), _bgr(ink), _bgr(other)


def _bgr(values: npt.NDArray[np.int_]) -> Colour:
    blue, green, red = (int(v) for v in np.clip(values, 0, 255))
    return blue, green, red


def _middle(card: Image, sign: str, suit: str, ink: Colour, rng: Random, picture: Picture, free: float) -> None:
    """Pips, a picture in a frame, one large suit, or nothing. free: pixels that the index takes from the left."""
    h, w = card.shape[:2]
    left = max(0.16 * w, min(free, 0.3 * w))
    roll = rng.random()
    if not sign.isdigit() and roll < 0.7:
        x, y = int(rng.uniform(0.12, 0.28) * w), int(rng.uniform(0.06, 0.2) * h)
        card[y : h - y, x : w - x] = picture(w - 2 * x, h - 2 * y)
        if rng.random() < 0.7:
            cv2.rectangle(card, (x, y), (w - x, h - y), ink, 2, cv2.LINE_AA)
        return
    if roll < 0.12:
        return
    if roll < 0.3 or not sign.isdigit() or int(sign) == 1:
        size = rng.uniform(0.25, 0.6) * w
        _stamp(card, _suit(suit), (w / 2, h / 2), (size, size), ink)
        return
    rows = min(5, math.ceil(int(sign) / 2))
    size = min(rng.uniform(0.12, 0.26) * w, 0.62 * h / rows)
    columns = (0.5,) if int(sign) < 4 else (left / w + 0.12, 1 - left / w - 0.12)
    places = [(across, float(down)) for down in np.linspace(0.17, 0.83, max(rows, 2)) for across in columns]
    for across, down in places[: int(sign)]:
        mask = _suit(suit) if down < 0.55 or rng.random() < 0.1 else _suit(suit)[::-1]
        _stamp(card, mask, (across * w, down * h), (size, size), ink)


def _stamp(card: Image, mask: Mask, middle: tuple[float, float], size: tuple[float, float], ink: Colour) -> None:
    """Prints a mask in one ink, cut off at the card's edge."""
    h, w = card.shape[:2]
    width, height = max(2, round(size[0])), max(2, round(size[1]))
    x, y = round(middle[0] - width / 2), round(middle[1] - height / 2)
    left, top, right, bottom = max(x, 0), max(y, 0), min(x + width, w), min(y + height, h)
    if right <= left or bottom <= top:
        return
    share = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)[top - y : bottom - y, left - x : right - x]
    part = card[top:bottom, left:right]
    part[:] = (part + (np.array(ink) - part.astype(np.float32)) * (share[..., None] / 255)).astype(np.uint8)


def _sign(typeface: str, sign: str) -> Mask:
    """A rank, uint8 (h, w), with little room about its ink."""
    from referee.faces.typefaces import sign_mask  # needs Pillow, and only here

    mask, (left, top, width, height) = sign_mask(typeface, sign)
    return mask[top : top + height, left : left + width]


@lru_cache(maxsize=len(SUITS))
def _suit(name: str) -> Mask:
    """A suit, upright, uint8 (64, 64)."""
    mask = np.zeros((_UNIT, _UNIT), np.uint8)

    def disc(x: float, y: float, r: float, value: int = 255) -> None:
        cv2.circle(mask, (round(x * _UNIT), round(y * _UNIT)), round(r * _UNIT), value, -1, cv2.LINE_AA)

    def shape(*points: tuple[float, float]) -> None:
        cv2.fillPoly(mask, [np.round(np.array(points) * _UNIT).astype(np.int32)], 255, cv2.LINE_AA)

    if name == "heart":
        disc(0.28, 0.3, 0.24)
        disc(0.72, 0.3, 0.24)
        shape((0.06, 0.42), (0.5, 0.34), (0.94, 0.42), (0.5, 0.98))
    elif name == "diamond":
        shape((0.5, 0.02), (0.9, 0.5), (0.5, 0.98), (0.1, 0.5))
    elif name == "spade":
        disc(0.28, 0.58, 0.23)
        disc(0.72, 0.58, 0.23)
        shape((0.07, 0.48), (0.5, 0.02), (0.93, 0.48), (0.5, 0.62))
        shape((0.5, 0.5), (0.68, 0.98), (0.32, 0.98))
    elif name == "club":
        disc(0.5, 0.24, 0.22)
        disc(0.25, 0.57, 0.22)
        disc(0.75, 0.57, 0.22)
        shape((0.5, 0.3), (0.68, 0.98), (0.32, 0.98))
    elif name == "star":
        turns = [(i * math.pi / 5, 0.48 if i % 2 == 0 else 0.2) for i in range(10)]
        shape(*((0.5 + r * math.sin(a), 0.5 - r * math.cos(a)) for a, r in turns))
    elif name == "disc":
        disc(0.5, 0.5, 0.45)
    elif name == "leaf":
        cv2.ellipse(mask, (_UNIT // 2, _UNIT * 2 // 5), (_UNIT // 4, _UNIT * 2 // 5), 0, 0, 360, 255, -1, cv2.LINE_AA)
        shape((0.46, 0.7), (0.54, 0.7), (0.62, 0.98), (0.54, 0.98))
    elif name == "cup":
        shape((0.1, 0.05), (0.9, 0.05), (0.62, 0.55), (0.38, 0.55))
        shape((0.44, 0.5), (0.56, 0.5), (0.56, 0.85), (0.75, 0.97), (0.25, 0.97), (0.44, 0.85))
    elif name == "sword":
        shape((0.5, 0.0), (0.58, 0.15), (0.57, 0.68), (0.43, 0.68), (0.42, 0.15))
        shape((0.2, 0.66), (0.8, 0.66), (0.8, 0.76), (0.2, 0.76))
        shape((0.45, 0.7), (0.55, 0.7), (0.55, 0.98), (0.45, 0.98))
    elif name == "ring":
        disc(0.5, 0.5, 0.46)
        disc(0.5, 0.5, 0.24, 0)
    elif name == "moon":
        disc(0.5, 0.5, 0.46)
        disc(0.7, 0.42, 0.38, 0)
    else:
        shape((0.38, 0.04), (0.62, 0.04), (0.62, 0.96), (0.38, 0.96))
        shape((0.08, 0.3), (0.92, 0.3), (0.92, 0.54), (0.08, 0.54))
    mask.setflags(write=False)
    return mask
