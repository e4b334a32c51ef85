"""The reader's last two layers as plain numbers, and fitting them to a deck: what a Pi can do without a trainer.

The layers before them are the network's and stay as they are. Fitted on one look at each face, made many by other
light, sharpness and placing, together with drawn cards of many designs whose readings must stay as they were
(EYES, "Enrolment").
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from referee.frame import Image
from referee.vision.classes import COLOURS, NO_FACE, RANKS, Floats
from referee.vision.in_parts import finished
from referee.vision.nets import SETTLED, ModelError, Reader
from referee.vision.warp import CROP_PX, QuadArray, clockwise

COLOUR_CLASSES = len(COLOURS)
CLASSES = COLOUR_CLASSES + NO_FACE + 1

COPIES = 24
"""Pictures made of each look. Fewer: other light is read badly; more: takes longer on a Pi."""

SIDEWAYS = 3
"""Pictures of each look lying on its side, which the reader must refuse, so that a card is not read the wrong way."""

SIDEWAYS_WEIGHT = 0.3
"""Their weight against the looks' own. Smaller: cards are read lying on their side; larger: faces are refused."""

STEPS = 250
"""Steps of the fit. Fewer: the reader stays unsure of the deck; more: takes longer."""

RATE = 1.5e-3
"""Size of a step (Adam). Smaller: too little is learned; larger: other decks are forgotten."""

PULL = 1e-3
"""Pull towards the shipped numbers. Smaller: one look is learned by heart; larger: the deck is not learned."""

MODESTY = 1.3
"""What the fitted logits are divided by: pictures made of a single look make the head surer than it may be. Smaller:
wrong faces are said, of the deck and still more of others; larger: it asks too often."""

BATCH = 32
"""Pictures that go through the network at once. Larger only takes memory."""

DESCENT = 0.9
"""What the steps of the fit cost for each picture, in times of what it costs to make and to see it. Larger and smaller:
what is told of the progress runs ahead of the clock, or behind it."""

_FIRST, _SECOND = 0.9, 0.99
"""Adam's memories of slope and of its square."""


@dataclass(frozen=True, slots=True)
class Head:
    """Two layers: w1 (m, n), b1 (m,), w2 (21, m), b2 (21,), float32; n features of a crop give 21 logits."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats

    def __post_init__(self) -> None:
        m = self.w1.shape[0]
        if self.b1.shape != (m,) or self.w2.shape != (CLASSES, m) or self.b2.shape != (CLASSES,):
            raise ValueError("the layers do not fit each other")

    def logits(self, features: Floats) -> Floats:
        """(k, 21) from (k, n): colours, then ranks."""
        hidden = np.maximum(features @ self.w1.T + self.b1, 0)
        return np.asarray(hidden @ self.w2.T + self.b2, np.float32)

    @property
    def fingerprint(self) -> str:
        """Tells the numbers of one training from those of another."""
        return hashlib.sha256(b"".join(np.ascontiguousarray(a, "<f4").tobytes() for a in self.arrays)).hexdigest()

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """All four, in order."""
        return self.w1, self.b1, self.w2, self.b2


class DeckReader(Reader):
    """A reader whose last layers are another head's; everything else is the given reader's, network included."""

    def __init__(self, reader: Reader, head: Head | None = None) -> None:
        super().__init__(reader._network, reader._temperature)
        self._features, layers = _layers(reader._network)
        self._out = str(reader._network.getUnconnectedOutLayersNames()[0])
        self.shipped = _head(reader._network, layers)
        self._head = head or self.shipped
        if self._head.w1.shape != self.shipped.w1.shape:
            raise ValueError("the head was made for another reader")

    def features(self, crops: Sequence[Image]) -> Floats:
        """(k, n): what the head sees of rectified crops, uint8 (120, 80, 3)."""
        return np.vstack([self._run(crops[i : i + BATCH])[0] for i in range(0, len(crops), BATCH)])

    def refined(self, image: Image, quad: QuadArray) -> QuadArray:
        """The corners put right, read the way they are given: the first side is a short one."""
        return finished(self._look(image, clockwise(quad)))[1]

    def settled(self, crop: Image) -> bool:
        """True when the reader would leave the corners of a rectified crop as they are, and either way up alike."""
        _, offset = self._forward([crop, np.ascontiguousarray(crop[::-1, ::-1])])
        turned = -np.roll(offset[1], 2, axis=0)
        return float(np.abs([offset[0] + turned, offset[0] - turned]).max()) / 2 < SETTLED

    def _run(self, crops: Sequence[Image]) -> tuple[Floats, Floats]:
        self._network.setInput(cv2.dnn.blobFromImages(list(crops), 1 / 255))
        features, out = self._network.forward([self._features, self._out])
        return np.array(features, np.float32).reshape(len(crops), -1), np.array(out, np.float32)

    def _raw(self, crops: list[Image]) -> Floats:
        """The head's answers; where the shipped head sees the same face and is surer of it, that one's."""
        runs = [self._run([crop]) for crop in crops]  # as `classes.answers` does
        features, out = (np.vstack(parts) for parts in zip(*runs, strict=True))
        fitted, shipped = self._head.logits(features), out[:, :CLASSES]
        same = (_faces(fitted) == _faces(shipped)).all(1)
        surer = _confidence(shipped) > _confidence(fitted)
        return np.hstack([np.where((same & surer)[:, None], shipped, fitted), out[:, CLASSES:]])


def _layers(network: cv2.dnn.Net) -> tuple[str, list[str]]:
    """The layer whose answer is the features, and the two that the head stands for.

    Raises ModelError when the network is not built that way.
    """
    names = [str(name) for name in network.getLayerNames()]
    features = next((name for name in names if name.endswith("/faces/faces.0/Flatten")), None)
    head = [name for name in names if "/faces/" in name and name.endswith("Gemm")]
    if features is None or len(head) != 2:
        raise ModelError("reader.onnx is not built so that a deck can be enrolled: install again")
    return features, head


def _head(network: cv2.dnn.Net, layers: Sequence[str]) -> Head:
    numbers = [np.array(blob, np.float32) for name in layers for blob in _layer(network, name).blobs]
    w1, b1, w2, b2 = numbers
    return Head(w1, b1.reshape(-1), w2, b2.reshape(-1))


def _layer(network: cv2.dnn.Net, name: str) -> cv2.dnn.Layer:
    return network.getLayer(network.getLayerId(name))


def work(looks: int, others: int) -> float:
    """What `fit` costs, in times of making one picture and seeing it."""
    return (looks * (COPIES + SIDEWAYS) + others) * (1 + DESCENT)


def fit(
    reader: DeckReader,
    looks: Sequence[tuple[Card, Image]],
    others: Sequence[Image],
    seed: int = 0,
    progress: Callable[[float], None] = lambda share: None,
) -> Head:
    """The head that reads the deck of `looks` (rectified crops, uint8 (120, 80, 3), upright or not).

    others: crops of other decks, backs and tables, read afterwards as before. progress is told 0 to 1, evenly over the
    time. The same arguments give the same head. Raises ValueError without looks or without others.
    """
    if not looks or not others:
        raise ValueError("a deck is fitted on at least one look, beside crops of other decks")
    rng = np.random.default_rng(seed)
    features, targets, weights = [], [], []
    each, seeing = (COPIES + SIDEWAYS) / work(len(looks), len(others)), 1 / (1 + DESCENT)
    for done, (card, crop) in enumerate(looks):
        features.append(reader.features([changed(crop, rng) for _ in range(COPIES)]))
        targets.append(np.repeat(_target(card), COPIES, 0))
        side = np.asarray(cv2.resize(np.rot90(crop), CROP_PX), np.uint8)
        features.append(reader.features([changed(side, rng) for _ in range(SIDEWAYS)]))
        targets.append(np.repeat(_target(None), SIDEWAYS, 0))
        weights += [np.full(COPIES, 1 / COPIES), np.full(SIDEWAYS, SIDEWAYS_WEIGHT / SIDEWAYS)]
        progress(each * (done + 1))
    features.append(reader.features([changed(crop, rng) for crop in others]))
    targets.append(_chances(reader.shipped.logits(features[-1])))
    weights.append(np.full(len(others), len(looks) / len(others)))
    progress(seeing)
    weight = (np.concatenate(weights) / len(looks)).astype(np.float32)
    head = _descend(
        reader.shipped, np.vstack(features), np.vstack(targets), weight,
        lambda share: progress(seeing + (1 - seeing) * share),
    )  # fmt: skip
    return Head(head.w1, head.b1, head.w2 / np.float32(MODESTY), head.b2 / np.float32(MODESTY))


def _target(card: Card | None) -> Floats:
    """(1, 21): certain colour and rank; for no face only the rank, whatever the colour."""
    target = np.zeros((1, CLASSES), np.float32)
    if card is None:
        target[0, COLOUR_CLASSES + NO_FACE] = 1
    else:
        target[0, COLOURS.index(card.colour)] = target[0, COLOUR_CLASSES + RANKS.index(card.rank)] = 1
    return target


def _chances(logits: Floats) -> Floats:
    """(k, 21): softmax over the colours, and over the ranks."""
    out = []
    for part in (logits[:, :COLOUR_CLASSES], logits[:, COLOUR_CLASSES:]):
        e = np.exp(part - part.max(1, keepdims=True))
        out.append(e / e.sum(1, keepdims=True))
    return np.hstack(out).astype(np.float32)


def _faces(logits: Floats) -> npt.NDArray[np.intp]:
    """(k, 2): the best colour and rank."""
    return np.stack([logits[:, :COLOUR_CLASSES].argmax(1), logits[:, COLOUR_CLASSES:].argmax(1)], 1)


def _confidence(logits: Floats) -> Floats:
    """(k,): that of the best face."""
    chances = _chances(logits)
    return np.asarray(chances[:, :COLOUR_CLASSES].max(1) * chances[:, COLOUR_CLASSES:].max(1), np.float32)


def _descend(
    start: Head, x: Floats, targets: Floats, weight: Floats, progress: Callable[[float], None]
) -> Head:
    """Cross entropy by Adam, all at once, from the shipped numbers and drawn back to them."""
    theta = [a.copy() for a in start.arrays]
    mean = [np.zeros_like(a) for a in theta]
    square = [np.zeros_like(a) for a in theta]
    coloured = targets[:, :COLOUR_CLASSES].sum(1, keepdims=True) > 0
    for step in range(1, STEPS + 1):
        before = x @ theta[0].T + theta[1]
        hidden = np.maximum(before, 0)
        off = _chances(hidden @ theta[2].T + theta[3]) - targets
        off[:, :COLOUR_CLASSES] *= coloured
        off *= weight[:, None]
        back = (off @ theta[2]) * (before > 0)
        for i, slope in enumerate((back.T @ x, back.sum(0), off.T @ hidden, off.sum(0))):
            slope = slope + PULL * (theta[i] - start.arrays[i])
            mean[i] = _FIRST * mean[i] + (1 - _FIRST) * slope
            square[i] = _SECOND * square[i] + (1 - _SECOND) * slope**2
            size = np.sqrt(square[i] / (1 - _SECOND**step)) + 1e-8
            theta[i] -= (RATE * mean[i] / (1 - _FIRST**step) / size).astype(np.float32)
        progress(step / STEPS)
    return Head(*theta)


def changed(crop: Image, rng: np.random.Generator) -> Image:
    """The crop in another light, placing and sharpness; as often upside down as not."""
    h, w = crop.shape[:2]
    angle, size = rng.normal(0, 0.03), 1 + rng.normal(0, 0.03)
    c, s = size * np.cos(angle), size * np.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0]], np.float32)
    turn[:, 2] = np.array([w / 2, h / 2]) - turn[:, :2] @ [w / 2, h / 2] + rng.normal(0, 1.6, 2)
    out = cv2.warpAffine(crop, turn, (w, h), borderMode=cv2.BORDER_REPLICATE)
    detail = float(np.exp(rng.uniform(np.log(0.35), 0)))
    if detail < 0.9:
        out = cv2.resize(cv2.resize(out, None, fx=detail, fy=detail, interpolation=cv2.INTER_AREA), (w, h))
    x: npt.NDArray[np.floating] = out.astype(np.float32)
    cast = rng.normal(0, 0.12, 3)
    x *= np.exp(rng.normal(0, 0.25) + cast - cast.mean()).astype(np.float32)
    if rng.random() < 0.4:
        way = rng.uniform(0, 2 * np.pi)
        ys, xs = np.mgrid[0:h, 0:w]
        ramp = 1 + rng.uniform(-0.5, 0.5) * ((xs / w - 0.5) * np.cos(way) + (ys / h - 0.5) * np.sin(way))
        x *= ramp[..., None].astype(np.float32)
    if rng.random() < 0.25:
        haze = rng.uniform(0.05, 0.25)
        x = x * (1 - haze) + 255 * haze * rng.uniform(0.5, 1.0)
    if rng.random() < 0.3:
        grey = x.mean(2, keepdims=True)
        x = grey + (x - grey) * rng.uniform(0.4, 1.3)
    x = np.clip(x, 0, 255)
    if rng.random() < 0.5:
        x = 255 * (x / 255) ** np.exp(rng.normal(0, 0.25))
    x = x + rng.normal(0, rng.uniform(0, 8), x.shape)
    out = np.clip(x, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(out[::-1, ::-1]) if rng.random() < 0.5 else np.asarray(out, np.uint8)
