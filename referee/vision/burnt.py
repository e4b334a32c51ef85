"""Over-exposed cards: a colour of which a channel is full is another one in the picture.

Red and green cards turn yellow as their red and green fill up. What is not full yet, at the outlines of the symbols
and in a shadow, has the card's hue still. Green ones of which blue fills up, too, turn the blue of pale inks.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Colour
from referee.frame import Image

FULL = 250
"""Grey level from which a channel is full."""

COLOURED = 40
"""Grey levels between a pixel's channels from which it is coloured. Smaller: white counts; larger: pale colours do
not."""

RED_SHARE = 0.5
"""Share of the coloured pixels with full red from which a yellow card may be a red one. Smaller: yellow cards in bright
light are asked about; larger: burnt-out red ones are said to be yellow."""

PALE_BLUE = 150
"""Blue that half of those reach of which a channel is full: yellow ink is hardly so pale. Smaller and larger: as
above."""

FADED_BLUE = 90
"""... with which there is at least a doubt, for what was full of another colour has faded. Smaller: yellow cards of
strong colours are asked about in bright light; larger: burnt-out cards of strong colours are said to be yellow."""

RED_HUE, RED_TRACES = 0.6, 0.003
"""Green for one of red up to which a pixel is red, and the share of such in a card that are no noise. The yellow of
eight sources has 0.7 and more, and a share of at most 0.002."""

GREEN_SHARE = 0.45
"""Share of the coloured pixels with full green from which a yellow card may be a green one. Smaller: yellow cards in
bright greenish light are asked about; larger: burnt-out green ones are said to be yellow."""

GREEN_BEYOND = 0.1
"""By how much that share is above that of full red, where the card is green: yellow ink has as much red as green.
Smaller and larger: as above."""

GREEN_HUE, GREEN_TRACES = 1.2, 0.05
"""As for red, the other way: green for one of red from which a pixel is green, and their share."""

CYAN_SHARE = 0.3
"""Share of the coloured pixels with full blue and green from which a blue card may be a green one. Smaller: blue cards
in bright light are asked about; larger: burnt-out green ones are said to be blue."""

PALE_RED = 120
"""Red that half of those reach: blue ink is hardly so pale. Smaller and larger: as above."""

STRONG, INK = 75, 1 / 3
"""Per cent of the coloured pixels that are no stronger than a card's ink, and share of its strength from which a pixel
is ink. Larger first, or second, number: pale burnt-out ink beside a trace of its colour passes for white; smaller: the
white of a yellow card, in a lamp's light, is pale ink."""

MARGIN = 0.1
"""Share of a crop at each side that is not asked for traces: a wooden table is red, and felt is green."""

LIT, UNFILLED = 200, 140
"""Grey level that the own channel of a red or green pixel must reach, and that no other one may pass, for the light to
burn out no card of its colour near by. A smaller first or a larger second one: what lies in a shadow speaks for what
lies in the light; the other way: dark and pale decks show nothing."""

Levels = npt.NDArray[np.int16]


def colour_spread(crop: Image) -> npt.NDArray[np.uint8]:
    """Grey levels between the strongest and the weakest channel of each pixel, uint8 (h, w)."""
    blue, green, red = cv2.split(crop)
    spread = cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))
    return np.asarray(spread, np.uint8)


def instead_of(colour: Colour, crop: Image) -> tuple[Colour, ...]:
    """Which colours a card that has this one in the crop, uint8 (h, w, 3), may have instead: none unless it is burnt
    out."""
    if colour is Colour.YELLOW:
        return _instead_of_yellow(crop)
    return (Colour.GREEN,) if colour is Colour.BLUE and _may_be_green(crop) else ()


def _may_be_green(crop: Image) -> bool:
    """A blue card may be a green one."""
    blue, green, red = _coloured(crop)
    burnt = (blue >= FULL) & (green >= FULL)
    return bool(burnt.any()) and burnt.mean() >= CYAN_SHARE and bool(np.median(red[burnt]) >= PALE_RED)


def _instead_of_yellow(crop: Image) -> tuple[Colour, ...]:
    blue, green, red = _coloured(crop)
    green_full, red_full = green >= FULL, red >= FULL
    burnt = green_full | red_full
    if not burnt.any():
        return ()
    reds, greens = _traces(crop)
    if reds < RED_TRACES and greens < GREEN_TRACES:
        burnt &= _is_ink(blue, green, red)
    pale = float(np.median(blue[burnt])) if burnt.any() else 0.0
    if pale < FADED_BLUE:
        return ()
    greener = green_full.mean() - red_full.mean() >= GREEN_BEYOND or greens >= GREEN_TRACES
    found = []
    if red_full.mean() >= RED_SHARE and (pale >= PALE_BLUE or reds >= RED_TRACES):
        found.append(Colour.RED)
    if green_full.mean() >= GREEN_SHARE and greener:
        found.append(Colour.GREEN)
    return tuple(found)


def plainly(picture: Image, colour: Colour) -> npt.NDArray[np.bool_]:
    """Where a picture, uint8 (h, w, 3), is plainly RED, or GREEN, in full light, (h, w)."""
    own = 2 if colour is Colour.RED else 1
    others = np.maximum(picture[..., 0], picture[..., 3 - own])
    return np.asarray((picture[..., own] >= LIT) & (others <= UNFILLED))


def is_burnt_out(crop: Image) -> bool:
    """Hardly anything of a coloured card is left but pale yellow."""
    blue, green, red = _coloured(crop)
    burnt = (green >= FULL) & (red >= FULL)
    return bool(burnt.any()) and burnt.mean() >= RED_SHARE and bool(np.median(blue[burnt]) >= PALE_BLUE)


def _is_ink(*channels: Levels) -> npt.NDArray[np.bool_]:
    """Which coloured pixels are ink, and not white in a lamp's light beside strong ink."""
    blue, green, red = channels
    spread = np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red)
    strong = float(np.percentile(spread, STRONG)) if spread.size else 0.0
    return np.asarray(spread >= INK * strong, np.bool_)


def _coloured(crop: Image) -> Levels:
    """Blue, green and red of the coloured pixels, (3, n)."""
    where = np.flatnonzero(colour_spread(crop) >= COLOURED)
    return np.ascontiguousarray(crop.reshape(-1, 3).take(where, 0).T, np.int16)


def _traces(crop: Image) -> tuple[float, float]:
    """Shares of the coloured pixels that are plainly red, and plainly green, of those of which the other channel can be
    trusted: it is neither dark nor full."""
    high, wide = (round(MARGIN * side) for side in crop.shape[:2])
    _, green, red = _coloured(crop[high : crop.shape[0] - high, wide : crop.shape[1] - wide])
    if not red.size:
        return 0.0, 0.0
    reds = (red >= 80) & (green < FULL) & (green < RED_HUE * red)
    greens = (green >= 100) & (red >= 60) & (red < FULL) & (green > GREEN_HUE * red)
    return float(reds.mean()), float(greens.mean())
