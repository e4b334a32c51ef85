"""The eye on rendered scenes of decks that took no part in training, with exact truth: fans, hands, piles, no faces.

Needs no PyTorch. Decks are drawn from a seed of their own, or those of the validation sources' photographs; tables are
plain and patterned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from referee.cards import Card
from referee.frame import Image
from referee.observations import SeenCard
from referee.training.calibrate import Trial
from referee.training.crops import IGNORE
from referee.training.decks import CARD_PX, Pictures, classes, draw_decks
from referee.training.indices import CLEAR, HIDDEN, in_sight
from referee.training.photos import photo_pictures
from referee.training.scenes import Kind, Scene, SceneMaker
from referee.training.split import held_out_photos
from referee.training.stuff import Stuff
from referee.vision.annotate import draw_cards, write
from referee.vision.belonging import OWN_MM, belongs
from referee.vision.classes import COLOURS, NO_FACE, RANKS
from referee.vision.indices import INDEX_MM, IndexReading, in_mm
from referee.vision.merge import LEAST_SCORE
from referee.vision.nets import Models
from referee.vision.reading import IN_VIEW, is_certain, read_hand, read_photo
from referee.vision.shape import Known, shape_near
from referee.vision.warp import QuadArray

DECK_SEED = 9001
"""Seed of the drawn decks; training uses the seed of its recipe, far below."""

TUNING_DECK_SEED = 9002
"""Seed of the drawn decks that calibrate the index reader."""

DECKS = 12
"""Designs that are drawn for one evaluation."""

WHOLE = 0.6
"""Share in sight from which on a card counts as one that is to be read, even when no index of it can be seen."""

_SIZE_PX = 720
_CARD_PX = (110.0, 190.0)
_REACH_MM = -115.0
_TILE_PX = 320
_GROUND_PX = 120
_HARD = 0.5
"""Living-room light and an ordinary camera: half as far from perfect as training goes."""


def _only(layout: int) -> Kind:
    shares = [0.0] * 8
    shares[layout] = 1.0
    return Kind(_CARD_PX, tuple(shares), _REACH_MM, _SIZE_PX, (_HARD, _HARD), _HARD, 0.0)


KINDS = {
    "single": _only(0), "pile": _only(2), "fan": _only(3), "hand": _only(7), "backs": _only(5), "foreign": _only(1),
}  # fmt: skip
"""What is rendered. A hand is a fan held by fingers; backs and foreign cards hold no face."""

SHOWN = ("fan", "hand")
"""Kinds that are read as a hand that is shown, with `read_hand`; the others with `read_photo`."""


@dataclass
class Score:
    """Counts over the scenes of one kind. Faces count as a multiset; "said" are those said with certainty.

    tops: scenes with a card on top of all others; top_right and top_wrong: it was said to be on top, another one was.
    """

    scenes: int = 0
    faces: int = 0
    said: int = 0
    right: int = 0
    tops: int = 0
    top_right: int = 0
    top_wrong: int = 0
    answers: list[tuple[float, bool]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of the faces that were said."""
        return self.right / max(1, self.faces)

    @property
    def precision(self) -> float:
        """Share of the faces said that are there."""
        return self.right / max(1, self.said)

    def add(self, other: Score) -> None:
        """Counts the scenes of the other, too."""
        self.scenes += other.scenes
        self.faces += other.faces
        self.said += other.said
        self.right += other.right
        self.tops += other.tops
        self.top_right += other.top_right
        self.top_wrong += other.top_wrong
        self.answers += other.answers

    def row(self, cards: str, scene: str) -> str:
        """A line of the table that `rows` prints."""
        top = "|"
        if self.tops and scene == "pile":
            top = f"{self.top_right / self.tops:.2%} | {self.top_wrong / self.tops:.2%}"
        share = f"{self.said} said | |"
        if self.faces:
            share = f"{self.recall:.2%} | {self.precision:.2%} | {self.recall_at(0.99):.2%}"
        return f"| {cards} | {scene} | {self.scenes} | {self.faces} | {share} | {top} |"

    def recall_at(self, precision: float) -> float:
        """The best recall of a confidence threshold that keeps this precision."""
        best, right = 0, 0
        for number, (_, good) in enumerate(sorted(self.answers, key=lambda a: -a[0]), 1):
            right += good
            if right >= precision * number:
                best = right
        return best / max(1, self.faces)


@dataclass(frozen=True)
class Failure:
    """A scene in which a face was said that is not there, or, unless `wrong`, faces of which were not said.

    top_lost: the top card is one of them, or was not known to be on top. lost: how many they are.
    """

    kind: str
    scene: Scene
    cards: list[SeenCard]
    wrong: bool = True
    top_lost: bool = False
    lost: int = 0

    @property
    def badness(self) -> tuple[bool, float, bool, int]:
        """Greater is worse: a wrong face, the surer the worse; then a lost top; then many faces that were not said."""
        return self.wrong, self.confidence if self.wrong else 0.0, self.top_lost, self.lost

    @property
    def confidence(self) -> float:
        """The highest confidence of a face that is not there."""
        there = Counter(card_of(self.scene, i) for i in range(len(self.scene.quads)) if self.scene.rank[i] != NO_FACE)
        worst = 0.0
        for seen in sorted(self.cards, key=lambda c: -c.reading.confidence):
            if seen.reading.card is not None and there[seen.reading.card] <= 0:
                worst = max(worst, seen.reading.confidence)
            elif seen.reading.card is not None:
                there[seen.reading.card] -= 1
        return worst


def art_deck(folder: Path) -> Pictures:
    """The deck drawn by an artist in data/card_art: a whole design that nothing was trained on.

    Raises FileNotFoundError when a picture is missing.
    """
    images, labels = [], []
    names = {"colorchooser": "W", "draw_four": "W+4"}
    signs = {"draw": "+2", "reverse": "R", "skip": "S"}
    for colour in "rygb":
        names |= {f"{colour}_{n}": f"{colour.upper()}{n}" for n in range(10)}
        names |= {f"{colour}_{name}": f"{colour.upper()}{sign}" for name, sign in signs.items()}
    for name, notation in names.items():
        picture = cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            raise FileNotFoundError(f"{folder / name}.png is missing or has no alpha")
        on_white = np.where(picture[..., 3:] > 127, picture[..., :3], 255).astype(np.uint8)
        images.append(np.asarray(cv2.resize(on_white, CARD_PX, interpolation=cv2.INTER_AREA), np.uint8))
        labels.append(classes(Card.parse(notation)))
    colours, ranks = (np.array(column, np.int8) for column in zip(*labels, strict=True))
    n = len(images)
    return _with_backs(
        Pictures(
            np.stack(images), colours, ranks, np.zeros(n, np.int16), np.full(n, 0.07, np.float32),
            np.full(n, 2, np.int8),
        )
    )  # fmt: skip


def photographed_decks(data: Path, models: Models) -> Pictures:
    """The validation sources' cards, cut out of their photographs without a hand: one deck a source.

    Left out are cards that the networks cannot reconcile with their label. Raises FileNotFoundError without them.
    """
    photos = [photo for photo in held_out_photos(data) if photo.kind == "single-card" and photo.card is not None]
    return _with_backs(photo_pictures(photos, models, lambda done, of: None)[0])


def _with_backs(cards: Pictures) -> Pictures:
    """The decks with a drawn back as the last picture of each, where scenes look for it."""
    back = drawn_decks(1).images[-1]
    order = np.argsort(cards.deck, kind="stable")
    at = np.searchsorted(cards.deck[order], np.unique(cards.deck), side="right")
    colour, rank = classes(None)
    return Pictures(
        np.insert(cards.images[order], at, back, 0), np.insert(cards.colour[order], at, colour),
        np.insert(cards.rank[order], at, rank), np.insert(cards.deck[order], at, np.unique(cards.deck)),
        np.insert(cards.radius[order], at, cards.radius[0]), np.insert(cards.indices[order], at, 0),
    )  # fmt: skip


def foreign_deck(stuff: Stuff, seed: int) -> Pictures:
    """Sixty cards of other games."""
    count = 60
    rng = np.random.default_rng(seed)
    images = np.stack([stuff.foreign_card(rng) for _ in range(count)])
    no_face = np.full(count, NO_FACE, np.int8)
    return Pictures(
        images, np.full(count, IGNORE, np.int8), no_face, np.zeros(count, np.int16), np.full(count, 0.06, np.float32),
        np.zeros(count, np.int8),
    )  # fmt: skip


def drawn_decks(count: int = DECKS) -> Pictures:
    """Decks of random designs that took no part in training."""
    return draw_decks(count, DECK_SEED, lambda done, of: None)


def scenes(name: str, decks: Pictures, stuff: Stuff, count: int, seed: int) -> Iterator[Scene]:
    """`count` scenes of one of `KINDS`; the same seed gives the same scenes."""
    maker = SceneMaker(foreign_deck(stuff, seed) if name == "foreign" else decks, None, stuff, KINDS[name])
    for number in range(count):
        yield maker.make(np.random.default_rng([seed, sorted(KINDS).index(name), number]))


def truth(scene: Scene) -> list[int]:
    """The cards of the scene whose face is to be read: whole enough, or with an index in sight."""
    faces = []
    for i, quad in enumerate(scene.quads):
        if scene.rank[i] == NO_FACE:
            continue
        ends = (quad, np.roll(quad, 2, 0)) if scene.indices[i] else ()
        if scene.visible[i] >= WHOLE or any(in_sight(scene, i, end) >= CLEAR for end in ends):
            faces.append(i)
    return faces


def card_of(scene: Scene, i: int) -> Card:
    """The face of the i-th card."""
    return Card(RANKS[scene.rank[i]], COLOURS[scene.colour[i]])


def judge(score: Score, scene: Scene, cards: list[SeenCard], certain: Callable[[SeenCard], bool]) -> bool:
    """Counts one scene; False when a face was said that is not there, or the wrong card was said to be on top."""
    faces = Counter(card_of(scene, i) for i in truth(scene))
    # Cards that hardly show may be read or not: neither is wrong.
    others = Counter(card_of(scene, i) for i in range(len(scene.quads)) if scene.rank[i] != NO_FACE) - faces
    score.scenes += 1
    score.faces += faces.total()
    left, spare, good = faces.copy(), others.copy(), True
    for seen in sorted(cards, key=lambda c: -c.reading.confidence):
        card, said = seen.reading.card, certain(seen)
        if card is None:
            continue
        counted = left[card] > 0
        if not counted and spare[card] > 0:
            spare[card] -= 1
            continue
        left[card] -= counted
        score.answers.append((seen.reading.confidence, counted))
        score.said += said
        score.right += said and counted
        good = good and (counted or not said)
    on_top = len(scene.quads) - 1
    if on_top > 0 and scene.rank[on_top] != NO_FACE and scene.top[on_top] and scene.visible[on_top] > 0.95:
        score.tops += 1
        free = {card_of(scene, i) for i in range(on_top + 1) if scene.top[i] and scene.rank[i] != NO_FACE}
        tops = [c.reading.card for c in cards if c.top and c.reading.card is not None and certain(c)]
        right = card_of(scene, on_top) in tops and set(tops) <= free
        score.top_right += right
        score.top_wrong += not right and bool(set(tops) - free)
    return good


def evaluate(
    name: str, decks: Pictures, stuff: Stuff, models: Models, count: int, seed: int,
    failures: list[Failure] | None = None,
) -> Score:  # fmt: skip
    """The eye's score on `count` scenes of one of `KINDS`; scenes with something wrong are added to `failures`."""
    score = Score()
    for scene in scenes(name, decks, stuff, count, seed):
        cards = (read_hand if name in SHOWN else read_photo)(scene.image, models)
        if not judge(score, scene, cards, partial(is_certain, models=models)) and failures is not None:
            failures.append(Failure(name, scene, cards))
    return score


def sheet(failures: Sequence[Failure], models: Models) -> Image:
    """The ten worst failures, worst first: the part with the cards, marked as `referee read --annotate` marks them."""
    tiles = []
    for one in sorted(failures, key=lambda f: f.badness, reverse=True)[:10]:
        marked = _about(draw_cards(one.scene.image, one.cards, models), one.scene)
        tile = np.asarray(cv2.resize(marked, (_TILE_PX, _TILE_PX), interpolation=cv2.INTER_AREA), np.uint8)
        words = " ".join(str(card_of(one.scene, i)) for i in truth(one.scene))
        write(tile, f"{one.kind}: {words}", (6, 18), 0.45, (255, 255, 255), 1)
        tiles.append(tile)
    across = max(1, min(5, len(tiles)))
    tiles += [np.full((_TILE_PX, _TILE_PX, 3), 255, np.uint8)] * (-len(tiles) % across if tiles else 1)
    return np.asarray(np.vstack([np.hstack(tiles[i : i + across]) for i in range(0, len(tiles), across)]), np.uint8)


def _about(image: Image, scene: Scene) -> Image:
    """The square of the picture that holds the scene's cards, and some table about them."""
    corners = np.concatenate(list(scene.quads)) if len(scene.quads) else np.zeros((1, 2), np.float32)
    middle, size = (corners.max(0) + corners.min(0)) / 2, float(np.ptp(corners, axis=0).max())
    side = min(round(size) + _GROUND_PX, *image.shape[:2])
    x, y = (int(np.clip(at - side / 2, 0, of - side)) for at, of in zip(middle, image.shape[1::-1], strict=True))
    return image[y : y + side, x : x + side].copy()


def fan_trials(models: Models, count: int) -> list[Trial]:
    """The indices found in `count` fans of decks drawn for tuning, with the card that is there; None where none is.

    Those of special wilds are left out: their corner is that of a Wild. So are those of other games' cards in view,
    which the eye knows by their picture. How the other cards lie is known here as it is; the eye has it from those that
    it has read.
    """
    decks = draw_decks(DECKS, TUNING_DECK_SEED, lambda done, of: None)
    trials = []
    for scene in scenes("fan", decks, Stuff.made(TUNING_DECK_SEED), count, TUNING_DECK_SEED):
        heights = [float(np.hypot(*(quad[3] - quad[0]))) for quad in scene.quads]
        found = [index for index in models.indices.find(scene.image, heights) if index.score >= LEAST_SCORE]
        told = [index for index in found if not is_special(scene, index) and not is_known_foreign(scene, index)]
        for index in told:
            others = [Known(quad, 1.0) for quad in scene.quads if belongs(index, quad) is None]
            shape = shape_near(index.quad[0], others)
            logits, _ = models.indices.look(scene.image, index.quad, True, shape)
            trials.append(Trial(logits, _shown(scene, index)))
    return trials


def is_special(scene: Scene, index: IndexReading) -> bool:
    """The index is on a card that is none of the 54 faces, but of the same deck."""
    special = (scene.rank == NO_FACE) & (scene.indices > 0)
    return any(belongs(index, quad) is not None for quad in scene.quads[special])


def is_known_foreign(scene: Scene, index: IndexReading) -> bool:
    """The index is on a card of another game, or on a back, that is in view."""
    foreign = (scene.rank == NO_FACE) & (scene.indices == 0) & (scene.visible >= IN_VIEW)
    return any(belongs(index, quad) is not None for quad in scene.quads[foreign])


def _shown(scene: Scene, index: IndexReading) -> Card | None:
    for i, quad in enumerate(scene.quads):
        if scene.rank[i] != NO_FACE and belongs(index, quad) is not None and scene.visible[i] > 0:
            seen = [in_sight(scene, i, end) for end in (quad, np.roll(quad, 2, 0)) if _at(index, end)]
            if seen and max(seen) > HIDDEN:
                return card_of(scene, i)
    return None


def _at(index: IndexReading, quad: QuadArray) -> bool:
    return bool(np.abs(in_mm(quad, index.centre)[0] - INDEX_MM).max() < OWN_MM)


def rows(
    models: Models, data: Path, count: int, seed: int, progress: Callable[[int, int], None], failures: list[Failure]
) -> Iterator[str]:
    """The scores of every kind, of the artist's deck and of photographed ones as lines of Markdown; adds to `failures`.

    Raises FileNotFoundError without these.
    """
    stuff = Stuff.made(DECK_SEED)
    pools = {
        "decks drawn for this": drawn_decks(),
        "an artist's deck": art_deck(data / "card_art" / "jh0ker_classic_png"),
        "photographed decks": photographed_decks(data, models),
    }
    yield "| cards | scene | scenes | faces | recall | precision | recall at 99 % precision | top right | top wrong |"
    yield "|---|---|---|---|---|---|---|---|---|"
    jobs = [(pool, name) for pool in pools for name in KINDS if pool == "decks drawn for this" or name != "foreign"]
    together = {name: Score() for name in KINDS}
    for number, (pool, name) in enumerate(jobs):
        progress(number, len(jobs))
        score = evaluate(name, pools[pool], stuff, models, count, seed, failures)
        together[name].add(score)
        yield score.row(pool, name)
    progress(len(jobs), len(jobs))
    for name, score in together.items():
        if score.faces:
            yield score.row("all of these", name)
