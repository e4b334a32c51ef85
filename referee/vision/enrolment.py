"""Showing the camera each face of a deck once: which face is next, whether a look is good enough, and what to do.

    enrolment = Enrolment(models, deck)
    while enrolment.wanted:
        step = enrolment.look(image)      # every few tenths of a second
        ...                               # tell people step.wanted and step.fault
    deck = enrolment.deck
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.frame import Image
from referee.observations import Quality
from referee.vision.clarity import clarity_of
from referee.vision.deck import Deck
from referee.vision.head import DeckReader
from referee.vision.nets import Found, Models, same_place
from referee.vision.sight import is_coloured
from referee.vision.warp import QuadArray, slenderness
from referee.vision.white import card_picture

LEAST_PX = 64.0
"""Height of a card, pixels, from which a look counts. Smaller: blurred signs are learned; larger: cameras that
hang high cannot enrol."""

LEAST_SCORE = 0.5
"""Score of a find that counts as a card. Smaller: patterns of the table are several cards; larger: odd decks are not
found."""

LEAST_VISIBLE = 0.65
"""Visible share of a card. Smaller: fingers are learned; larger: cards in good view are refused."""

SLENDER = (1.3, 1.85)
"""Length over width of a card as the camera sees it; straight from above it has 1.55. Wider: cards are learned pressed
together or lying on their side; narrower: only a camera straight above can enrol."""

MOST_SKEW = 0.13
"""Most that the card's sides lean towards each other, as the cosine of the angle between them. Larger: cards seen at a
slant are learned crooked; smaller: as above."""

MOST_TAPER = 1.2
"""Most that of two opposite sides one is longer. Larger and smaller: as above."""

RIVAL = 0.6
"""Size of another find, as a share of the largest, from which it is another card in view. Smaller: patterns of the
table are cards; larger: a card farther away is not noticed."""

RIVAL_SCORE = 0.7
"""Score of such a find. Smaller and larger: as above."""

STILL = 0.03
"""Shift from one look to the next, in heights of the card, below which it lies still. Smaller: a live camera's noise;
larger: moving cards are learned."""

OTHER_LEVELS = 28.0
"""Mean difference, grey levels, at the spot where two looks differ most, from which they show two cards even if they
read the same. Smaller: the same card counts again under a passing shadow; larger: a card slipped over its like goes
unseen."""

SPOT_PX = 13
"""Side of such a spot in a crop. Smaller: noise is another card; larger: one word for another goes unseen."""

SHADE_PX = 6.0
"""Blur, pixels of a crop, of what counts as light on the card and not as its print. Smaller: large signs are light,
too; larger: the edge of a shadow is print."""

SHIFT_PX = 2
"""Pixels of a crop by which the same card may lie off in another look. Smaller: corners found a little beside are
another card; larger: takes longer."""

TRUST_S = 6.0
"""Seconds for which a card that looks like another face is held there until it is taken for the wanted one all the
same. Shorter: a wrong card is learned; longer: people wait at each odd face."""


class Fault(Enum):
    """Why a look was not taken. The value is its name in messages."""

    NO_CARD = "no_card"
    """No card in view."""
    SEVERAL = "several"
    """More than one card in view."""
    SMALL = "small"
    """The card is too far away."""
    CUT_OFF = "cut_off"
    """The card reaches over the edge of the picture."""
    COVERED = "covered"
    """Something lies or is held over the card."""
    SLANTED = "slanted"
    """The card is seen at too much of a slant, or its corners cannot be told: it must be held flatter."""
    DARK = "dark"
    """Too little light on the card, or of one colour only."""
    GLARE = "glare"
    """Light is mirrored on the card."""
    BLURRED = "blurred"
    """The card is out of focus or shaken."""
    MOVING = "moving"
    """The card is not at rest yet."""
    SAME = "same"
    """It still is the card that was taken last."""
    OTHER = "other"
    """It looks like another face than the one that is wanted."""


_QUALITY = {Quality.DARK: Fault.DARK, Quality.GLARE: Fault.GLARE, Quality.BLURRED: Fault.BLURRED}


Levels = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Step:
    """What came of one look. wanted: the face that was asked for. fault: None when it was taken.

    seen: the face it looks like, with fault OTHER. quad: the card in the picture, float32 (4, 2) pixels, None without.
    """

    wanted: Card
    fault: Fault | None
    seen: Card | None = None
    quad: QuadArray | None = None


Taken = tuple[Image, Card | None]
"""A look that was taken: the rectified crop, uint8 (120, 80, 3), and the face that was read on it, None for none."""


class Patience:
    """How long a card that looks like another face lies there. After TRUST_S it is the wanted one: people left it."""

    def __init__(self) -> None:
        self.since: float | None = None
        """When it was first seen, seconds; None while no such card lies there."""

    def over(self, t: float, step: Step) -> bool:
        """Whether it has lain there long enough. t: seconds at which `step` was seen."""
        if step.fault is not Fault.OTHER:
            self.since = None
        elif self.since is None:
            self.since = t
        return self.since is not None and t - self.since >= TRUST_S


class Enrolment:
    """Takes one good look at each face that the deck lacks, in the deck's order.

    moving: pictures of a live camera or a recording, in which a card must lie still and be changed between two looks;
    False for stills, each of which shows the wanted face.
    """

    def __init__(self, models: Models, deck: Deck, moving: bool = True) -> None:
        self.deck = deck
        self._models = models
        self._reader = DeckReader(models.reader)
        self._moving = moving
        self._last_quad: QuadArray | None = None
        self._taken: Taken | None = None
        self._trust = False

    @property
    def wanted(self) -> Card | None:
        """The face to show next, None when all have been seen."""
        return next(iter(self.deck.missing), None)

    def trust(self) -> None:
        """The next good look is the wanted face whatever it looks like."""
        self._trust = True

    @property
    def taken(self) -> Taken | None:
        """The look that was taken last, None where its card is gone by now."""
        return self._taken

    def go_on(self, taken: Taken | None) -> None:
        """After a pause: the card that was `taken` last may lie there still, and is not taken again."""
        self._taken = taken

    def look(self, image: Image, face: Card | None = None) -> Step:
        """One picture, uint8 (h, w, 3) B, G, R: takes the look when it is good. face: other than the wanted one.

        Raises ValueError when every face has been seen.
        """
        wanted = face or self.wanted
        if wanted is None:
            raise ValueError("every face of the deck has been seen")
        card, fault = self._card(image)
        if card is None:
            self._last_quad = self._taken = None
            return Step(wanted, fault)
        quad = self._placed(image, card)
        first, still = self._last_quad is None, self._still(quad)
        crop = card_picture(image, quad)
        fault = fault or (Fault.DARK if is_coloured(image) else _QUALITY.get(clarity_of(crop).quality))
        if fault is None and not self._lies_straight(image, quad):
            fault = Fault.SLANTED
        if self._moving and fault in (None, Fault.COVERED) and not still:
            fault = Fault.MOVING
            if not first:  # after a pause nothing is known to have moved
                self._taken = None
        if fault is not None:
            return Step(wanted, fault, quad=quad)
        read = self._models.reader.read(image, [quad])[0]
        seen = read.reading
        if self._models.is_sure(seen) and _is_turned(read.quad, quad):
            return Step(wanted, Fault.SLANTED, quad=quad)
        # In other light an unsure reading may be another.
        gainsaid = self._taken is not None and self._taken[1] != seen.card and self._models.is_sure(seen)
        if self._taken is not None and self._moving and not gainsaid and _alike(crop, self._taken[0]):
            return Step(wanted, Fault.SAME, quad=quad)
        if seen.card not in (None, wanted) and self._models.is_sure(seen) and not self._trust:
            return Step(wanted, Fault.OTHER, seen.card, quad)
        self.deck = self.deck.with_look(wanted, crop)
        self._taken, self._trust = (crop, seen.card), False
        return Step(wanted, None, quad=quad)

    def _card(self, image: Image) -> tuple[Found | None, Fault | None]:
        """The card in view and what is wrong with its place."""
        found = [f for f in self._models.finder.find(image) if f.score >= LEAST_SCORE]
        if not found:
            return None, Fault.NO_CARD
        found.sort(key=lambda f: -f.height_px)
        card = found[0]
        if any(f.height_px > RIVAL * card.height_px and f.score >= RIVAL_SCORE for f in found[1:]):
            return card, Fault.SEVERAL
        h, w = image.shape[:2]
        if (card.quad < -2).any() or (card.quad > [w + 1, h + 1]).any():
            return card, Fault.CUT_OFF
        if card.visible < LEAST_VISIBLE:
            return card, Fault.COVERED
        return card, Fault.SMALL if card.height_px < LEAST_PX else None

    def _placed(self, image: Image, card: Found) -> QuadArray:
        """The card's corners, put right; from a second look, at the size that is known now, where these will not do."""
        quad = self._reader.refined(image, card.quad)
        if self._lies_straight(image, quad):
            return quad
        near = [f.quad for f in self._models.finder.find(image, card.height_px) if same_place(f.quad, card.quad)]
        again = (self._reader.refined(image, one) for one in near)
        return next((one for one in again if self._lies_straight(image, one)), quad)

    def _lies_straight(self, image: Image, quad: QuadArray) -> bool:
        return not _is_slanted(quad) and self._reader.settled(card_picture(image, quad))

    def _still(self, quad: QuadArray) -> bool:
        before, self._last_quad = self._last_quad, quad
        if before is None:
            return False
        height = float(np.hypot(*(quad[3] - quad[0])))
        return float(np.hypot(*(quad - before).T).max()) < STILL * height


def _is_slanted(quad: QuadArray) -> bool:
    """True when the card's outline is too far from that of a card seen from straight above."""
    sides = np.roll(quad, -1, 0) - quad
    lengths = np.maximum(1e-6, np.hypot(*sides.T))
    across, along = sides[0] - sides[2], sides[1] - sides[3]
    skew = abs(float(across @ along)) / max(1e-6, float(np.hypot(*across) * np.hypot(*along)))
    taper = max(float(max(lengths[i], lengths[i + 2]) / min(lengths[i], lengths[i + 2])) for i in (0, 1))
    return not SLENDER[0] <= slenderness(quad) <= SLENDER[1] or skew > MOST_SKEW or taper > MOST_TAPER


def _is_turned(read: QuadArray, quad: QuadArray) -> bool:
    """True when a card was read the other way than it would be learned: at a slant its long side looked short."""
    one, other = (q[3] - q[0] + q[2] - q[1] for q in (read, quad))
    return abs(float(one @ other)) < 0.5 * float(np.hypot(*one) * np.hypot(*other))


def _alike(a: Image, b: Image) -> bool:
    """True when two crops show the same card, either way up, whatever the light."""
    first, second = _print(a), _print(b)
    inner = first[SHIFT_PX:-SHIFT_PX, SHIFT_PX:-SHIFT_PX]
    h, w = inner.shape[:2]
    off = range(2 * SHIFT_PX + 1)
    return any(
        _most_apart(inner, turned[y : y + h, x : x + w]) < OTHER_LEVELS
        for turned in (second, second[::-1, ::-1])
        for y, x in sorted(product(off, off), key=lambda at: abs(at[0] - SHIFT_PX) + abs(at[1] - SHIFT_PX))
    )


def _most_apart(a: Levels, b: Levels) -> float:
    """Mean difference at the spot where it is largest."""
    apart = np.abs(a - b).mean(2)
    edge = SPOT_PX // 2
    return float(cv2.blur(apart, (SPOT_PX, SPOT_PX))[edge:-edge, edge:-edge].max())


def _print(crop: Image) -> Levels:
    """What is printed on the card, float32 (96, 64, 3), whatever light falls on it."""
    grey = cv2.GaussianBlur(crop[12:-12, 8:-8], (0, 0), 1.0).astype(np.float32)
    mean, spread = grey.mean((0, 1)), grey.std()
    levels = (grey - mean) * (50.0 / max(8.0, float(spread)))
    return np.asarray(levels - cv2.GaussianBlur(levels, (0, 0), SHADE_PX), np.float32)
