"""How well the table can be seen: light, glare and sharpness as named states that gate rulings."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.observations import Quality
from referee.vision.clarity import GLARE_SHARE as WHITE_SHARE
from referee.vision.white import is_lamps, is_skys, is_yellow

DARK_LEVEL = 45
"""Grey level that the brightest fiftieth of both zones (white borders, backs) must reach, or else it is dark. Smaller:
cards in the dark are missed and misread; larger: an empty dark cloth counts as the dark, and cards that are read
right are asked about."""

BRIGHT_SHARE = 0.02
"""That fiftieth. Smaller: single reflexes are light; larger: few white borders on a dark cloth are the dark."""

GLARE_SHARE = 0.3
"""Share of both zones at full white from which it is glare, and share of a card's colours that may be lost. Smaller: a
white table in good light; larger: faces are washed out before it is noticed."""

FULL_WHITE = 252
"""Grey level from which a pixel is washed out."""

TINTED, LAMPS = 0.5, 0.27
"""The weakest channel of what is whitest in a picture, for one of the strongest, below which its light has one colour
only; and the same in the light of a lamp or of the sky, which the reader knows. Smaller: by a blue bulb red cards are
surely said to be blue; larger: all is asked about in the evening. None of the data folder's 1,917 photographs is."""

LIT, LIT_SHARE = 0.65, 0.999
"""How bright such a pixel is in its strongest channel, for one than which this share of the picture is darker. Smaller:
what is dark in such a light is grey; larger: white in a shadow is not asked."""

WHITEST_SHARE = 0.001
"""Share of the picture that is the whitest of it. Smaller: noise is white; larger: the white of a card on a blue cloth
is too little."""

FAINT, NEUTRAL = 12, 0.75
"""Level of its strongest channel from which a pixel has a colour, and share of that in the weakest one from which that
is grey: half of the picture in grey, such as a black table on which only a red back is bright, is in no coloured light.
Smaller first one: noise has a colour; smaller second one: wood, which is grey by a blue bulb, makes white light of it;
larger: on black tables the first card is asked about."""

STANDS_OUT = 24
"""Levels between the brightest and the darkest pixel, in their strongest channel, from which a picture tells its light.
Smaller: one card without white that fills it is in coloured light; larger: dim light of one colour is white."""

LOST_SPREAD = 2.0
"""Standard deviation of a picture's green levels below which there is no picture (lens covered, black frames)."""

FINE_PX, COARSE_PX = 0.8, 2.5
"""Two scales at which edges are compared, pixels of the patch (1.4 to a millimetre). On a sharp picture an edge is more
than twice as steep at the fine one; on a blurred one there is no difference."""

SHARP_RATIO = 1.25
"""How much steeper edges must be at the fine scale. Smaller: cards are read out of focus; larger: a soft lens counts as
out of focus. It is reached at a blur of about 3.5 pixels of the patch, a thirty-fifth of a card's height."""

EDGE_STEP = 4.0
"""Slope, grey levels a pixel at the coarse scale, from which there is an edge to judge by. Smaller: noise is judged;
larger: pale cards on pale tables, and whatever is badly blurred, are never judged."""

EDGE_SHARE = 0.02
"""Share of the patch, the steepest, that is compared. Smaller: single edges decide; larger: soft shadows do."""


def is_lost(small: Image) -> bool:
    """True when there is no picture. small: uint8 (h, w, 3), the whole picture."""
    _, spread = cv2.meanStdDev(np.ascontiguousarray(small[::4, ::4, 1]))
    return float(spread[0, 0]) < LOST_SPREAD


def light_quality(zones: npt.NDArray[np.uint8]) -> Quality:
    """DARK, GLARE or CLEAR. zones: uint8 (n,), grey levels of both zones."""
    counts = cv2.calcHist([zones], [0], None, [256], [0, 256]).ravel()  # the pixels are many, their levels few
    if counts[DARK_LEVEL:].sum() < BRIGHT_SHARE * zones.size:
        return Quality.DARK
    if counts[FULL_WHITE:].sum() > GLARE_SHARE * zones.size:
        return Quality.GLARE
    return Quality.CLEAR


def is_coloured(small: Image) -> bool:
    """The light has one colour only, as that of a blue bulb, in which nobody can tell the cards' colours: nothing in
    the picture, uint8 (h, w, 3), is nearly white, though something stands out."""
    smooth = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(smooth)
    weakest, strongest = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    if int(strongest.max()) - int(strongest.min()) < STANDS_OUT:
        return False
    counts = cv2.calcHist([strongest], [0], None, [256], [0, 256]).ravel().cumsum()
    bright = LIT * float(np.searchsorted(counts, LIT_SHARE * counts[-1]))
    lit = np.asarray(cv2.threshold(strongest, bright, 255, cv2.THRESH_BINARY)[1], np.uint8)
    white = cv2.compare(weakest, cv2.convertScaleAbs(strongest, alpha=TINTED), cv2.CMP_GE)
    most = max(1, int(WHITEST_SHARE * strongest.size))
    if cv2.countNonZero(cv2.bitwise_and(lit, white)) >= most:
        return False
    seen = strongest >= FAINT
    if np.median(weakest[seen].astype(np.float32) / strongest[seen]) >= NEUTRAL:
        return False
    brightest = smooth[lit > 0].astype(np.int32)
    weaker = brightest.sum(1) - brightest.max(1)  # white has most in its two weaker channels, inks have little
    level = np.median(brightest[np.argsort(-weaker, kind="stable")[:most]], axis=0)
    known = is_lamps(level) or is_yellow(level) or is_skys(level)
    return bool(level.min() < (LAMPS if known else TINTED) * level.max())


def is_washed_out(card: npt.NDArray[np.uint8]) -> bool:
    """Hardly anything but white is left of a card, or blue and green cannot be told apart: both channels are full. What
    has turned yellow may be told yet: `burnt`. card: its pixels, uint8 (n, 3)."""
    blue, green, red = (card >= FULL_WHITE).T
    white = blue & green & red
    if float(white.mean()) > WHITE_SHARE:
        return True
    lost = blue & (green | red) & ~white
    return float(lost.sum()) > GLARE_SHARE * float((~white).sum())


def sharpness(patch: Image) -> float | None:
    """How many times as steep as at the coarse scale the patch's edges are at the fine one: about 1 when blurred, 2.2
    and more when sharp, whatever lies there; None where there is no edge to judge by."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = (_slope(grey, sigma) for sigma in (FINE_PX, COARSE_PX))
    most = int(EDGE_SHARE * (coarse.size - 1)) + 1
    edges = np.flatnonzero(coarse >= EDGE_STEP)
    if len(edges) < 0.25 * EDGE_SHARE * coarse.size:
        return None
    steep = coarse.ravel().take(edges)
    if len(edges) > most:
        steepest = steep >= np.partition(steep, -most)[-most]
        edges, steep = edges.compress(steepest), steep.compress(steepest)
    return float(np.quantile(fine.ravel().take(edges) / steep, 0.75))


def _slope(grey: npt.NDArray[np.float32], sigma: float) -> npt.NDArray[np.float32]:
    smooth = cv2.GaussianBlur(grey, (0, 0), sigma)
    across = (cv2.Sobel(smooth, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(*across), np.float32)
