"""Warm and cold light: they tint a card, and the border that most decks leave white shows how.

A camera that keeps the white balance of the day sees an evening's lamp so, and one that keeps a lamp's the day. Where
the border is not white, what is whitest on the card tells; cards without anything white are left as they are, but for
those whose border is as pale as white in a lamp's light. Light may also be yellower than a lamp's: its white is as
yellow as cards are, but were it white, what is printed on it would be blue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.mat import CARD_MM
from referee.vision.warp import CROP_MARGIN, CROP_PX, QuadArray, rectify

Mask = npt.NDArray[np.bool_]
Level = npt.NDArray[np.float64]
"""Blue, green and red, grey levels."""
Levels = npt.NDArray[np.float32]
"""The same of pixels, (..., 3)."""

BORDER_MM = (0.6, 2.5)
"""From where to where inside a card's edge its border is looked at, millimetres. Nearer: the table; further: what is
printed."""

LEAST_LEVEL = 100.0
"""Red of the border from which it may be white. Smaller: black borders; larger: white ones in the evening are not
believed."""

BLUE = (0.22, 0.8)
"""Blue of the border for one of red, between which it may be white in a lamp's light. Smaller first one: yellow borders
are taken for white; larger: candles are left out, and by their light blue cards are yellow. Smaller second one: tints
are left; larger: white itself is put right, for nothing."""

GREEN = (-0.12, 0.24)
"""Green of the border for one of red, less the square root of its blue for one of red: a lamp's has 0.06 at 3000 K and
0.02 at 4000 K by Planck's law, in a picture's values, and more where red is full. Wider: coloured borders, such as pale
yellow, are taken for white; narrower: lamps are left out. Green borders never are, nor is green light put right."""

COLD_RED = (0.33, 0.75)
"""Red of the border for one of blue, between which it may be white in cold light; its green is then as `GREEN` has it,
for blue in place of red. Smaller first one: pale blue cards with no border are taken for white ones; larger: red cards
are blue in such light. Smaller second one: tints are left; larger: white itself is put right, for nothing."""

SKYS_GREEN = -0.07
"""As the first of `GREEN`, for the light of the sky. Smaller: a blue bulb's is it; larger: the sky's is not."""

YELLOW_LEVEL, YELLOW_BLUE, YELLOW_GREEN = 50.0, (0.22, 0.8), (0.65, 1.3)
"""Red of a border from which it may be white in yellow light, and blue and green for one of red, between which it may;
nor is there more blue for one of green. Smaller level: noise has hues; else wider: coloured borders are taken for
white; narrower: blue cards are yellow in such light."""

WHITER_RED, WHITER_BLUE = 0.8, 1.35
"""Red, for one of the border's, from which a pixel is as bright as white, and blue for one of red, for one of the
border's, from which it is whiter. Smaller: noise and bluish cloths keep lamps from being put right; larger: yellow
borders and cards of no border are taken for white ones, and yellow cards for blue."""

WHITER_SHARE, WHITER_PX = 0.02, 5
"""Share of a picture that is whiter than its border where that is not white, and side of the squares that are averaged
for that. Smaller: noise counts; larger share: white signs on yellow do not; larger squares: nor do thin ones."""

PLAINLY = 0.1
"""As the second of `GREEN`, up to which it is white whatever is printed. Larger: yellow cards with black signs and
nothing white are blue in a haze; smaller: blue cards whose ink a lamp makes grey are yellow."""

WHITEST, WHITEST_PERCENT = 0.9, 97.0
"""How bright the whitest pixels are in their two weaker channels, for one of this percentile of the card. Larger first
one: noise counts for more; smaller: pale inks count. Smaller second one: the middle of coloured signs counts; larger:
white lines are too thin to tell."""

SURELY_LIT = 150.0
"""Red of the whitest pixels, where the border is not white, from which `GREEN` holds for them, too, and below it
`PLAINLY`. Smaller: the yellow lines of black cards in a dim picture are taken for white; larger: blue cards with black
borders are yellow in a lamp's light."""

UNTINTED = 0.8
"""The weakest channel of a border, for one of the strongest, from which it is white in white light, and nothing else is
looked at. Smaller: tints are left; larger: time is lost."""

DARKEST = 0.5
"""Red of the border, for one of the whitest pixels, from which it may be white. Smaller: borders of dark inks may be;
larger: white ones in a shadow may not."""

HUED, LIT = 0.2, 0.3
"""What of the red of the border there is between the channels of a pixel, and in the strongest of them, from which the
pixel has a hue were the border white. Smaller: noise has one; larger: pale inks and dark ones have none."""

INK_OFF, INK_SHARE, INK_PX = 0.15, 0.05, 3
"""By how much the blue and green of a pixel, for one of red, are off those of any mixture of grey and of the border's
colour for it to be of another ink; share of what is printed that must be; and side of the squares that are averaged
before. Smaller: yellow cards with black signs, of which a haze makes grey ones, are blue cards in a lamp's light;
larger: lamps are left out, and blue cards are yellow."""

INK_TINT, YELLOW_TINT = 0.03, 0.1
"""By how much the blue and green of such a pixel are off at least, for one of the border's red, and the same in light
yellower than a lamp's. Smaller: black that is hardly blue or green is of another ink, and cards of black decks are
taken for such in coloured light; larger: blue inks that are dark in such light are black."""

BLACK_RED, BLACK_LIT, BLACK_SHARE, BLACK_OF = 0.8, 0.25, 0.05, 0.25
"""Red of a pixel for one of its strongest channel, from which it is grey, or of warmer hue, and for one of the border's
red, up to which it is black; and share of what is printed, and of what is blue there were the border white, that must
be such for it to be a black card with a border of colour. Smaller first one, or larger second: blue cards whose ink a
lamp makes grey are yellow or asked about; the other way, or larger shares: yellow cards of black decks are blue, and
blue ones red."""

BETWEEN, EVEN_PX = (0.15, 0.85), 5
"""How much of the border's colour is in a pixel between it and grey, and side of the square that must be filled with
such for it to be no edge of a black sign. Wider, or smaller: as smaller ones above; the other way: as larger ones."""

YELLOWER = 1.25
"""How many times as far from grey as the border a pixel is that is yellower. Smaller: noise is, and blue cards in a
lamp's light are yellow; larger: yellow cards with a white border are asked about in such light."""

GREY, GREY_LIT = 0.5, (0.22, 0.75)
"""How much of the border's colour is in it at most, and between which shares of the border's red its red is, where a
pixel is grey, and may be of blue ink. Smaller first: grey in a haze is not grey; smaller second, or larger third: black
signs are asked about, and outlines; the other way: blue cards are said to be yellow."""

BLUES, YELLOWS, BLUE_SHARE = (90, 150), (12, 40), 0.1
"""Between which hues (OpenCV's, half degrees) such a pixel is blue, and yellow, were the border white; and share of
what is printed that is blue, and more of it than is yellow, for which light yellower than a lamp's is believed. Wider
blues: green cards with a yellow border are put right; narrower, or larger share: greenish and purplish cards are left
yellow. Smaller share: so are put right yellow cards with signs of blue."""


class CardParts(NamedTuple):
    """Which pixels of a picture of a card show its border, and which what is printed inside that, bool (height,
    width)."""

    border: Mask
    printed: Mask


class _Palest(NamedTuple):
    """The channels of a card's border, and of its whitest pixels."""

    border: Level
    whitest: Level


def parts_of(size: tuple[int, int], box_mm: tuple[float, float, float, float]) -> CardParts:
    """The parts of a picture of `size` (width, height). box_mm: left, top, right and bottom of the picture, millimetres
    from the card's first corner."""
    (w, h), (left, top, right, bottom) = size, box_mm
    x = left + (np.arange(w) + 0.5) * (right - left) / w
    y = (top + (np.arange(h) + 0.5) * (bottom - top) / h)[:, None]
    inside = np.minimum(np.minimum(x, CARD_MM[0] - x), np.minimum(y, CARD_MM[1] - y))
    return CardParts((inside >= BORDER_MM[0]) & (inside <= BORDER_MM[1]), inside > BORDER_MM[1])


def in_white_light(picture: Image, parts: CardParts) -> Image:
    """The picture, uint8 (h, w, 3), as white light would show it where a lamp or cold light tints its border or, where
    that is not white, its whitest pixels, or yellow light all of it; else itself, also where these may as well be of a
    pale ink: where something is whiter, or what is printed shows no other ink, unless the border has plainly a lamp's
    colour."""
    border = np.median(picture[parts.border], axis=0)
    if border.max() >= LEAST_LEVEL and border.min() >= UNTINTED * border.max():
        return picture
    palest = _Palest(border, _whitest(picture, parts))
    level = _white_on(picture, palest, BLUE, is_yellow)
    if level is None:
        return _in_no_cold_light(picture, parts, palest)
    gain = (level[2] / level).astype(np.float32)
    smooth = _smooth(picture, INK_PX)
    if level is border and _is_on_black(smooth, level, gain, parts):
        return picture
    if level is palest.whitest or not is_lamps(level, PLAINLY):
        inked = _inked(smooth, level, gain, INK_TINT if is_lamps(level) else YELLOW_TINT) & parts.printed
        printed = np.count_nonzero(parts.printed)
        if np.count_nonzero(inked) < INK_SHARE * printed:
            return picture
        if not is_lamps(level) and not _is_blue(np.minimum(smooth * gain, 255.0)[inked], BLUE_SHARE * printed):
            return picture
    return np.asarray(np.minimum(picture * gain, 255.0), np.uint8)


def _in_no_cold_light(picture: Image, parts: CardParts, palest: _Palest) -> Image:
    """As `in_white_light` where the light may be cold. Blue and red change places: what a lamp does to the one cold
    light does to the other."""
    mirrored = np.ascontiguousarray(picture[..., ::-1])
    border = palest.border[::-1]
    level = _white_on(mirrored, _Palest(border, palest.whitest[::-1]), COLD_RED)
    if level is None:
        return picture
    gain = (level[2] / level).astype(np.float32)
    smooth = _smooth(mirrored, INK_PX)
    if level is border and _is_on_black(smooth, level, gain, parts):
        return picture
    inked = _inked(smooth, level, gain, INK_TINT) & parts.printed
    if np.count_nonzero(inked) < INK_SHARE * np.count_nonzero(parts.printed):
        return picture
    # Darker rather than lighter: a channel that this made full would pass for burnt out.
    return np.asarray(picture * (gain[::-1] / gain.max()), np.uint8)


def may_be_blue(picture: Image, parts: CardParts) -> bool:
    """What looks like a yellow card may be a blue one: in a lamp's light, of which too little shows to tell, or in
    yellow light that makes its ink grey. It is none where something is yellower than the border. picture: as
    `in_white_light` gives it."""
    level = np.median(picture[parts.border], axis=0)
    if not (is_lamps(level) or is_yellow(level)):
        return False
    if not _is_whitest(picture, _Palest(level, _whitest(picture, parts))):
        return False
    smooth = _smooth(picture, INK_PX)
    off, along = _off(smooth, level)
    least = INK_SHARE * np.count_nonzero(parts.printed)
    if np.count_nonzero((along > YELLOWER) & parts.printed) >= least:
        return False
    share = smooth[..., 2] / level[2]
    grey = (off <= INK_OFF) & (along < GREY) & (share > GREY_LIT[0]) & (share < GREY_LIT[1]) & parts.printed
    return is_lamps(level) or bool(np.count_nonzero(grey) >= least)


def _white_on(
    picture: Image, palest: _Palest, weakest: tuple[float, float], is_other: Callable[[Level], bool] | None = None
) -> Level | None:
    """What may be white on the card in tinted light: its border or else its whitest pixels; None where neither may be.
    weakest: as `_is_light` has it; is_other: whether a border may be white that this leaves out."""
    border, whitest = palest
    may_be = _is_light(border, weakest, GREEN[1]) or (is_other is not None and is_other(border))
    if may_be and _is_whitest(picture, palest):
        return border
    most = GREEN[1] if whitest[2] >= SURELY_LIT else PLAINLY
    if _is_light(whitest, weakest, most) and not _is_whiter(_smooth(picture, WHITER_PX), whitest):
        return whitest
    return None


def _is_whitest(picture: Image, palest: _Palest) -> bool:
    """Nothing is whiter than the border, nor much brighter."""
    border, whitest = palest
    return bool(border[2] >= DARKEST * whitest[2]) and not _is_whiter(_smooth(picture, WHITER_PX), border)


def _whitest(picture: Image, parts: CardParts) -> Level:
    """Blue, green and red of the card's whitest pixels: those with most in their two weaker channels, for inks have
    little of two, or of one."""
    smooth = cv2.blur(picture, (INK_PX, INK_PX))
    blue, green, red = cv2.split(smooth)
    weaker = blue.astype(np.uint16) + green + red - cv2.max(cv2.max(blue, green), red)
    card = parts.border | parts.printed
    white = card & (weaker >= WHITEST * np.percentile(weaker[card], WHITEST_PERCENT))
    return np.asarray(np.median(smooth[white], axis=0))


def _smooth(picture: Image, px: int) -> Levels:
    return cv2.blur(picture, (px, px)).astype(np.float32)


def is_lamps(level: Level, most: float = GREEN[1]) -> bool:
    """This may be white in a lamp's light. level: blue, green and red, (3,). most: see `GREEN`."""
    return _is_light(level, BLUE, most)


def is_skys(level: Level) -> bool:
    """This may be white in the light of the sky, as a lamp's white balance shows it. level: as for `is_lamps`."""
    return _is_light(level[::-1], COLD_RED, GREEN[1], SKYS_GREEN)


def _is_light(level: Level, weakest: tuple[float, float], most: float, least: float = GREEN[0]) -> bool:
    """This may be white in light of the colour of something that glows. level: of the channels, the strongest last.
    weakest: between which shares of that the first is; most, least: as the second and the first of `GREEN`."""
    if level[2] < LEAST_LEVEL:
        return False
    weak, green, _ = level / level[2]
    return bool(weakest[0] <= weak <= weakest[1] and least <= green - weak**0.5 <= most)


def is_yellow(level: Level) -> bool:
    """This may be white in yellow light. level: as for `is_lamps`."""
    if level[2] < YELLOW_LEVEL:
        return False
    blue, green, _ = level / level[2]
    (least, most), (low, high) = YELLOW_BLUE, YELLOW_GREEN
    return bool(least <= blue <= most * min(green, 1.0) and low <= green <= high)


def _is_whiter(smooth: Levels, white: Level) -> bool:
    """Some of the picture is as bright in red as this, B, G, R, and has more blue."""
    blue, red = smooth[..., 0] / white[0], smooth[..., 2] / white[2]
    return bool(((red >= WHITER_RED) & (blue >= WHITER_BLUE * red)).mean() > WHITER_SHARE)


def _is_on_black(smooth: Levels, border: Level, gain: Levels, parts: CardParts) -> bool:
    """What would be blue were the border white is as well black: the border is of a colour then. gain: what makes it as
    blue and green as red."""
    white = np.minimum(smooth * gain, 255.0)
    hues = cv2.cvtColor(white.astype(np.uint8), cv2.COLOR_BGR2HSV)[..., 0]
    blue = (hues >= BLUES[0]) & (hues < BLUES[1]) & _hued(white, border[2]) & parts.printed
    red = smooth[..., 2]
    black = np.count_nonzero(blue & (red >= BLACK_RED * smooth.max(2)) & (red <= BLACK_LIT * border[2]))
    return bool(black > max(BLACK_SHARE * np.count_nonzero(parts.printed), BLACK_OF * np.count_nonzero(blue)))


def _inked(smooth: Levels, border: Level, gain: Levels, tint: float) -> Mask:
    """Which pixels are of an ink, and not of the border's colour and of black or, in a haze, of grey: of a colour that
    no mixture of these has, or of an even one between them. gain: what makes the border as blue and green as red.
    tint: see `INK_TINT`."""
    off, along = _off(smooth, border)
    hued = _hued(smooth * gain, border[2])
    between = hued & (along > BETWEEN[0]) & (along < BETWEEN[1])
    even = cv2.erode(between.astype(np.uint8), np.ones((EVEN_PX, EVEN_PX), np.uint8)) > 0
    tinted = off * smooth[..., 2] > tint * border[2]
    return np.asarray(even | (hued & (off > INK_OFF) & tinted))


def _hued(smooth: Levels, red: float) -> Mask:
    """Which pixels have a hue. red: that of the border, which is white here."""
    strongest = smooth.max(2)
    return np.asarray((strongest - smooth.min(2) >= HUED * red) & (strongest >= LIT * red))


def _off(smooth: Levels, border: Level) -> tuple[Levels, Levels]:
    """How far the colour of each pixel, blue and green for one of red, is off those of mixtures of grey and of the
    border's, or of a stronger one of its hue; and how much of the border's is in that mixture, (h, w).

    Mixtures of two colours lie on a line where blue and green are given for one of red.
    """
    line = (border[:2] / border[2] - 1).astype(np.float32)
    colour = smooth[..., :2] / (smooth[..., 2:] + 1) - 1
    along = np.maximum(colour @ line / (line @ line), 0)
    return np.hypot(*np.moveaxis(colour - along[..., None] * line, 2, 0)), along


def _is_blue(inks: Levels, least: float) -> bool:
    """More of these pixels, (n, 3), than `least`, and than are yellow, are blue."""
    hues = cv2.cvtColor(inks[None].astype(np.uint8), cv2.COLOR_BGR2HSV)[..., 0]
    blue, yellow = (int(np.count_nonzero((hues >= low) & (hues < high))) for low, high in (BLUES, YELLOWS))
    return blue > max(least, yellow)


def card_picture(image: Image, quad: QuadArray) -> Image:
    """A card as the reader sees it: `warp.rectify`, in white light."""
    return in_white_light(rectify(image, quad), CROP_PARTS)


def _crop_mm() -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the reader's crop, millimetres from the card's first corner."""
    x, y = (CROP_MARGIN / (1 - 2 * CROP_MARGIN) * side for side in CARD_MM)
    return -x, -y, CARD_MM[0] + x, CARD_MM[1] + y


CROP_PARTS = parts_of(CROP_PX, _crop_mm())
