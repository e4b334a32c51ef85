"""The eye's networks through OpenCV's dnn: the finder of cards, the reader of one card, and those of corner indices.

None is safe to use from two threads at once. The same pixels give the same answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Colour
from referee.frame import Image
from referee.observations import CardReading
from referee.paths import shipped
from referee.vision.clarity import with_colour_seen
from referee.vision.classes import ALTERNATIVE, ANSWER, LOGITS, Floats, answers, interpret, strangeness
from referee.vision.in_parts import Parts, finished
from referee.vision.indices import IndexEye
from referee.vision.warp import (
    GREY,
    QuadArray,
    clockwise,
    covered,
    frame_of,
    from_crop,
    halved,
    in_full,
    overlap,
    slenderness,
    unit_quad,
)
from referee.vision.white import CROP_PARTS, card_picture

FILES = ("finder.onnx", "pile_finder.onnx", "reader.onnx", "index_finder.onnx", "index_reader.onnx")
"""The networks, one a file."""

VERSION = 2
"""Of what the networks answer, as MANIFEST.json has it. In 1 the readers did not say what tells strangers."""

STRIDE = 8
"""Pixels of the finder's input for one cell of its output."""

BEST_CARD_PX = 72.0
"""Card height in the finder's input when the height is known. Smaller misses covered cards, larger costs time."""

LEVELS = (144, 288, 576, 1152)
"""Long sides, pixels, at which a picture of unknown scale is searched; those well above its own size are left out."""

LEVEL_CARD_PX = (34.0, 150.0)
"""Card heights believed at a level. Wider finds the same card on more levels and trusts cards it rarely saw so large;
narrower leaves gaps between the levels."""

PAD = 0.12
"""Grey put round the whole picture, as a share of its long side, when it is searched for cards that fill it. Without it
their edges cannot be seen; much more costs resolution."""

WIDE_PAD = 0.6
"""The same where cards are sought that reach out of the picture. Smaller: the middle of such a card lies outside what
is searched; larger costs resolution."""

WIDE_PX = 176
"""Long side, pixels, of the finder's input then. Smaller blurs the card, larger makes it greater than it may be."""

WITHIN = 0.95
"""Share of a card in the picture below which it reaches out of it. Smaller leaves out cards of which only an edge is
cut; larger seeks again what was found before."""

CLOSE_CARD_PX = 100.0
"""A card this high on one level ends the search on finer ones: no card of the same picture is so much smaller. Smaller
saves time and loses cards in the distance."""

MAX_FOUND = 80
"""Most cards reported for one level; a table holds fewer. Larger only costs time on noise."""

SLENDER = 1.2
"""Below this ratio of its sides a quadrilateral may start with either side, and both ways are read. Smaller reads cards
seen at a slant lying on their side; larger reads everything twice."""

DOUBTFUL = 0.8
"""Confidence below which both ways are read whatever the sides: at a strong slant the long side looks short. Smaller
leaves such cards unread; larger costs time."""

MAX_LOOKS = 4
"""Most times the corners are refined. Fewer leaves slanted cards crooked; more costs time on what is no card."""

SETTLED = 0.02
"""Offset, in shares of the crop, below which the corners are right. Smaller wastes looks; larger blurs the symbol."""

QUICK = 0.97
"""Confidence from which a quick look leaves the half-turn out. Smaller: one odd crop decides; larger: costs time."""

RIVAL = 0.5
"""Confidence of another face, read the other way, that makes the better one less sure. Smaller asks about every slanted
card; larger believes the symbol of a card lying on its side."""

OFFSET_UNIT = 0.1
"""The reader gives corner offsets in this share of the crop."""

class ModelError(Exception):
    """A model file is missing, damaged or not ours. The message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class Found:
    """A card found. quad: float32 (4, 2) pixels, clockwise, starting with a short side of the card (which may look
    longer than the long one when the card is seen at a slant); which end is up is not known.

    score: 0 to 1 that there is a card. visible: 0 to 1, share not covered. top: 0 to 1 that nothing lies on it.
    """

    quad: QuadArray
    score: float
    visible: float
    top: float

    @property
    def height_px(self) -> float:
        """Mean length of the long sides, pixels."""
        return float(np.hypot(*(self.quad[3] - self.quad[0])) + np.hypot(*(self.quad[2] - self.quad[1]))) / 2


@dataclass(frozen=True, slots=True)
class Read:
    """A card read. quad: float32 (4, 2) pixels, refined. face_probability: 0 to 1 that it shows one of the 54 faces.
    strange: see `classes.strangeness`; None, too, where it was not asked. doubted: see `merge.unsure`."""

    reading: CardReading
    quad: QuadArray
    face_probability: float
    strange: float | None = None
    doubted: float | None = None


@dataclass(frozen=True, slots=True)
class Tuning:
    """What MANIFEST.json says besides the files: set by calibration on training sources.

    temperature: divides the reader's logits; above 1 makes it less sure. sure: least confidence of a reading that may
    be said without asking; lower says wrong faces, higher asks too often. score: least finder score; lower finds things
    that are no cards, higher misses covered ones. index_temperature and index_score: the same for corner indices.
    """

    temperature: float
    sure: float
    score: float
    index_temperature: float
    index_score: float

    def __post_init__(self) -> None:
        shares = (self.sure, self.score, self.index_score)
        if min(self.temperature, self.index_temperature) <= 0 or not all(0 < share < 1 for share in shares):
            raise ModelError(f"MANIFEST.json: a temperature, sure or a score is out of range: {self}")


class Finder:
    """Finds cards, face up or not, anywhere in a picture. for_parts: the same network once more, where parts are
    searched by turns with whole pictures: OpenCV sets one up anew whenever the size of its input changes, which costs
    as much as a search."""

    def __init__(self, network: cv2.dnn.Net, score: float, for_parts: cv2.dnn.Net | None = None) -> None:
        self._network = network
        self._for_parts = network if for_parts is None else for_parts
        self._score = score

    def find(
        self, image: Image, card_px: float | None = None, part: tuple[slice, slice] | None = None,
        on_all_levels: bool = False,
    ) -> list[Found]:  # fmt: skip
        """Cards in `image` (uint8 (h, w, 3) B, G, R), best score first, in pixels of `image`.

        card_px: height of a card in the picture, pixels, when it is known: one look instead of several.
        part: rows and columns to search. on_all_levels: search on for smaller cards where a close one was found.
        """
        if part is None:
            return self._search(self._network, image, card_px, on_all_levels)
        corner = np.array([part[1].start, part[0].start], np.float32)
        found = self._search(self._for_parts, image[part], card_px, on_all_levels)
        return [replace(one, quad=one.quad + corner) for one in found]

    def find_cut_off(self, image: Image) -> list[Found]:
        """Cards that reach out of `image`, as `find` gives them: of which the picture shows a part, from close by."""
        picture = frame_of(image)
        found = self._framed(self._network, image, WIDE_PAD, WIDE_PX)
        return [one for one in _distinct(found) if covered(one.quad, picture) < WITHIN]

    def _search(
        self, network: cv2.dnn.Net, image: Image, card_px: float | None, on_all_levels: bool
    ) -> list[Found]:
        if card_px is not None:
            low, high = BEST_CARD_PX * 0.6, BEST_CARD_PX * 1.7
            return _distinct(self._level(network, image, BEST_CARD_PX / card_px, low, high))
        longest = max(image.shape[:2])
        found = self._framed(network, image, PAD, LEVELS[0])
        for side in LEVELS[1:]:
            if side > longest * 1.5:
                break
            scale = side / longest
            last = side == LEVELS[-1] or side * 2 > longest * 1.5
            found += self._level(network, image, scale, 0.0 if last else LEVEL_CARD_PX[0], LEVEL_CARD_PX[1])
            if not on_all_levels and any(f.score > 0.5 and f.height_px * scale > CLOSE_CARD_PX for f in found):
                break
        return _distinct(found)

    def _framed(self, network: cv2.dnn.Net, image: Image, share: float, side: int) -> list[Found]:
        """Cards in the picture with grey about it, that share of its long side, when both have that long side."""
        image, times = halved(image, side / (max(image.shape[:2]) * (1 + 2 * share)))
        longest = max(image.shape[:2])
        pad = round(longest * share)
        framed = cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(GREY,) * 3)
        scale = side / (longest + 2 * pad)
        found = self._level(network, np.asarray(framed, np.uint8), scale, LEVEL_CARD_PX[0], float("inf"))
        return [replace(one, quad=in_full(one.quad - np.float32(pad), times)) for one in found]

    def _level(self, network: cv2.dnn.Net, image: Image, scale: float, low: float, high: float) -> list[Found]:
        """Cards of `low` to `high` pixels height in the picture at this scale."""
        image, times = halved(image, scale)
        scale *= times
        h, w = (max(16, round(side * scale)) for side in image.shape[:2])
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = image if scale == 1 else cv2.resize(image, (w, h), interpolation=method)
        small = cv2.copyMakeBorder(small, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE)
        network.setInput(cv2.dnn.blobFromImage(small, 1 / 255))
        out = np.asarray(network.forward()[0], np.float32)
        factor = np.array([image.shape[1] / w, image.shape[0] / h], np.float32)
        found = []
        for quad, score, visible, top in decode(out, self._score):
            height = float(np.hypot(*(quad[3] - quad[0])))
            centre = quad.mean(0)
            if low <= height <= high and (centre < [w, h]).all():
                full = in_full((quad + 0.5) * factor - 0.5, times)
                found.append(Found(clockwise(full), score, visible, top))
        return found


def decode(out: Floats, least: float) -> list[tuple[QuadArray, float, float, float]]:
    """(quad, score, visible, top) for every peak of the finder's raw output (11, h/8, w/8), pixels of its input."""
    heat = 1 / (1 + np.exp(-out[0]))
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= least)
    ys, xs = np.nonzero(peak)
    order = np.argsort(-heat[ys, xs], kind="stable")[:MAX_FOUND]
    cards = []
    for y, x in zip(ys[order], xs[order], strict=True):
        dx, dy, long, short, s1, c1, s2, c2, seen, top = (float(v) for v in out[1:, y, x])
        centre = np.array([x + dx + 0.5, y + dy + 0.5]) * STRIDE - 0.5
        a, b = np.arctan2(s1, c1) / 2, np.arctan2(s2, c2) / 2
        u = np.array([np.cos(a), np.sin(a)]) * 32 * np.exp(min(long, 4.0))
        v = np.array([np.cos(b), np.sin(b)]) * 32 * np.exp(min(short, 4.0))
        quad = np.array([centre - u - v, centre - u + v, centre + u + v, centre + u - v], np.float32)
        cards.append((quad, float(heat[y, x]), _sigmoid(seen), _sigmoid(top)))
    return cards


def _sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def same_place(a: QuadArray, b: QuadArray) -> bool:
    """True when two quadrilaterals can only be the same card: nearly the same middle, size and direction."""
    side = min(float(np.hypot(*(q[1] - q[0]))) for q in (a, b))
    if float(np.hypot(*(a.mean(0) - b.mean(0)))) > 0.3 * side:
        return False
    along = [q[3] - q[0] + q[2] - q[1] for q in (a, b)]
    length = [float(np.hypot(*v)) for v in along]
    if max(length) > 1.4 * min(length):
        return False
    return abs(float(along[0] @ along[1])) > 0.9 * length[0] * length[1]


def _distinct(found: list[Found]) -> list[Found]:
    """One of each card: the same card is found on several levels, and a symbol may look like a small card."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: -f.score):
        if any(same_place(one.quad, other.quad) for other in kept):
            continue
        if any(max(one.height_px, o.height_px) > 1.7 * min(one.height_px, o.height_px)
               and overlap(one.quad, o.quad) > 0.6 for o in kept):  # fmt: skip
            continue
        kept.append(one)
    return kept


class Reader:
    """Reads the face of a card whose corners are roughly known."""

    def __init__(self, network: cv2.dnn.Net, temperature: float) -> None:
        self._network = network
        self._temperature = temperature
        self._unburnt = frozenset[Colour]()

    def in_light(self, unburnt: frozenset[Colour]) -> Self:
        """The reader, for a light that is known to leave these colours as they are: no yellow card is one of them."""
        other = copy(self)
        other._unburnt = unburnt
        return other

    def read(
        self, image: Image, quads: Sequence[npt.ArrayLike], quick: bool = False, refined: bool = False
    ) -> list[Read]:
        """What each card shows. image: uint8 (h, w, 3) B, G, R. quads: corners in order, pixels, any corner first.

        quick: more looks at the same cards follow, so that this one need not be as thorough where it is sure.
        refined: the corners are those of a look before, and are not sought again.
        Raises ValueError for a quad that is not four finite points.
        """
        return [finished(self.reading(image, quad, quick, refined)) for quad in quads]

    def reading(self, image: Image, quad: npt.ArrayLike, quick: bool = False, refined: bool = False) -> Parts[Read]:
        """What one card shows, as `read` has it; each run of the network is a part."""
        looks = 0 if refined else MAX_LOOKS
        upright = clockwise(quad)
        read = yield from self._one_way(image, upright, quick, looks)
        if slenderness(upright) > SLENDER and _face_confidence(read.reading) > DOUBTFUL:
            return read
        return _surer(read, (yield from self._one_way(image, np.roll(upright, -1, 0), quick, looks)))

    def _one_way(self, image: Image, quad: QuadArray, quick: bool, looks: int) -> Parts[Read]:
        answer, quad, crop = yield from self._look(image, quad, quick, looks)
        reading, face = interpret(answer, self._temperature)
        reading = with_colour_seen(reading, crop, self._unburnt, CROP_PARTS)
        return Read(reading, quad, face, strangeness(answer))

    def logits(self, image: Image, quad: npt.ArrayLike) -> Floats:
        """The raw answer (21,) for one card, before temperature: colours, then ranks. For calibration."""
        return finished(self._look(image, clockwise(quad)))[0][:LOGITS]

    def _look(
        self, image: Image, quad: QuadArray, quick: bool = False, looks: int = MAX_LOOKS
    ) -> Parts[tuple[Floats, QuadArray, Image]]:
        """Refines the corners in so many looks, then averages the crop and its half-turn. Returns the raw answer
        (22,), the corners, the crop."""
        for _ in range(looks):
            crop = card_picture(image, quad)
            answer, offset = self._forward([crop])
            yield
            settled = float(np.abs(offset).max()) < SETTLED
            if quick and settled and self._is_plain(answer[0]):
                return answer[0], quad, crop
            quad = _moved(quad, offset[0])
            if settled:
                break
        crop = card_picture(image, quad)
        straight, offset = self._forward([crop])
        yield
        if quick and looks == 0 and self._is_plain(straight[0]):  # corners that were sought need both ways, to be right
            return straight[0], quad, crop
        turned, off_turned = self._forward([np.ascontiguousarray(crop[::-1, ::-1])])
        yield
        answer = np.concatenate([straight, turned]).mean(0, dtype=np.float32)
        # Seen upside down, the first corner is the third and an offset points the other way.
        return answer, _moved(quad, (offset[0] - np.roll(off_turned[0], 2, axis=0)) / 2), crop

    def _is_plain(self, answer: Floats) -> bool:
        """One look is enough for now."""
        return _face_confidence(interpret(answer, self._temperature)[0]) >= QUICK

    def _forward(self, crops: list[Image]) -> tuple[Floats, Floats]:
        """(answers (n, 22), corner offsets (n, 4, 2) in shares of the crop)."""
        out = self._raw(crops)
        return out[:, :ANSWER], out[:, ANSWER:].reshape(-1, 4, 2) * OFFSET_UNIT

    def _raw(self, crops: list[Image]) -> Floats:
        """The network's answer (n, 30). A reader with another head answers here (`head.DeckReader`)."""
        return answers(self._network, crops)


def _face_confidence(reading: CardReading) -> float:
    return 0.0 if reading.card is None else reading.confidence


def _surer(one: Read, two: Read) -> Read:
    """The surer of two ways to read a card, the less sure the more the other way says something else."""
    best, other = (one, two) if _face_confidence(one.reading) >= _face_confidence(two.reading) else (two, one)
    return replace(best, reading=weighed(best.reading, other.reading))


def weighed(first: CardReading, second: CardReading) -> CardReading:
    """The surer of two readings of one card, the less sure the more the other one says something else."""
    if (second.confidence > first.confidence and second.card is not None) or first.card is None:
        first, second = second, first
    if first.card is None or second.card is None or first.card == second.card or second.confidence < RIVAL:
        return first
    share = first.confidence / (first.confidence + second.confidence)
    others = dict(first.alternatives)
    others[second.card] = max(others.get(second.card, 0.0), second.confidence * (1 - share))
    ranked = tuple(sorted(((card, p) for card, p in others.items() if p >= ALTERNATIVE), key=lambda item: -item[1]))
    return CardReading(first.card, first.confidence * share, ranked[:4])


def agreed(one: CardReading, other: CardReading) -> CardReading:
    """Two looks at different parts of one card: surer together where they agree, see `weighed` where they do not."""
    if one.card is None or one.card != other.card:
        return weighed(one, other)
    confidence = 1 - (1 - one.confidence) * (1 - other.confidence)
    left = (1 - confidence) / max(1e-9, 1 - one.confidence)
    alternatives = tuple((card, p * left) for card, p in one.alternatives if p * left >= ALTERNATIVE)
    return CardReading(one.card, confidence, alternatives)


def _moved(quad: QuadArray, offset: Floats) -> QuadArray:
    """The corners put where the reader says they are; unchanged when that would fold the card."""
    better = from_crop(unit_quad() + np.clip(offset, -0.2, 0.2), quad)
    if not np.isfinite(better).all() or not cv2.isContourConvex(better):
        return quad
    return better


@dataclass(frozen=True, slots=True)
class Models:
    """The networks with what calibration says about them. sure: see `Tuning`. readers: see the function. on_white: the
    coloured indices of the enrolled deck stand on white.

    finder: for stills, where cards come in every size. pile_finder: for the discard pile on video, where their size is
    known; what the tracker believes of cards that lie under others goes by this one's beliefs.
    """

    finder: Finder
    pile_finder: Finder
    reader: Reader
    indices: IndexEye
    sure: float
    readers: str
    on_white: bool = False

    def is_sure(self, reading: CardReading) -> bool:
        """True when the face may be said without asking."""
        return reading.card is not None and reading.confidence >= self.sure

    def in_light(self, unburnt: frozenset[Colour]) -> Models:
        """The networks, for a light that is known to leave these colours as they are."""
        return replace(self, reader=self.reader.in_light(unburnt), indices=self.indices.in_light(unburnt))


def load_models(folder: Path | None = None) -> Models:
    """The networks of `folder`, by default those that are shipped.

    Every file is checked against MANIFEST.json. Raises ModelError naming the file that is missing, damaged or foreign.
    """
    folder = shipped("models") if folder is None else folder
    files, tuning = _manifest(folder)
    finder, pile_finder, reader, index_finder, index_reader = (_network(folder / name, files) for name in FILES)
    for_parts = _network(folder / FILES[1], files)
    indices = IndexEye(index_finder, index_reader, tuning.index_score, tuning.index_temperature)
    return Models(
        Finder(finder, tuning.score), Finder(pile_finder, tuning.score, for_parts),
        Reader(reader, tuning.temperature), indices, tuning.sure, _readers(files),
    )  # fmt: skip


def readers(folder: Path | None = None) -> str:
    """Tells the two readers of `folder`, by default the shipped ones, from those of another training: an enrolled deck
    is fitted to them. Raises ModelError."""
    return _readers(_manifest(shipped("models") if folder is None else folder)[0])


def _readers(files: dict[str, Any]) -> str:
    return " ".join(str(files.get(FILES[i], {}).get("sha256"))[:16] for i in (2, 4))


def _manifest(folder: Path) -> tuple[dict[str, Any], Tuning]:
    """What MANIFEST.json says of each file, and of confidence."""
    manifest = folder / "MANIFEST.json"
    try:
        content: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))
        if content["version"] != VERSION:
            raise ValueError(f"version {content['version']}, where this program has {VERSION}")
        return content["files"], Tuning(**content["tuning"])
    except FileNotFoundError:
        raise ModelError(f"{manifest} is missing: install again, or make it with `referee train`") from None
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"{manifest} cannot be used ({error}): install again, or make it with `referee train`"
        ) from None


def _network(path: Path, files: dict[str, Any]) -> cv2.dnn.Net:
    if path.name not in files:
        raise ModelError(f"{path.parent / 'MANIFEST.json'} does not list {path.name}: install again")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}): install again") from None
    if hashlib.sha256(data).hexdigest() != files[path.name].get("sha256"):
        raise ModelError(f"{path} is damaged or not the file that MANIFEST.json lists (sha256 differs): install again")
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
    except cv2.error as error:
        raise ModelError(f"{path} is no network that OpenCV {cv2.__version__} can load: {error.err}") from None
