"""A reader's last two layers as plain numbers, and readers with other ones: what an enrolled deck brings.

The layers before them are the network's and stay as they are. `head_fit` fits them to a deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image
from referee.vision.classes import COLOURS, NO_FACE, Floats
from referee.vision.in_parts import finished
from referee.vision.indices import IndexEye, corner_picture
from referee.vision.nets import SETTLED, ModelError, Reader
from referee.vision.warp import QuadArray, clockwise

COLOUR_CLASSES = len(COLOURS)
CLASSES = COLOUR_CLASSES + NO_FACE + 1

BATCH = 32
"""Pictures that go through the network at once where many are to be seen. Larger only takes memory."""


@dataclass(frozen=True, slots=True)
class Head:
    """Two layers: w1 (m, n), b1 (m,), w2 (21, m), b2 (21,), float32; n features of a picture give 21 logits, to whose
    last, "no face", the network adds what it sees of other games' cards besides."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats

    def __post_init__(self) -> None:
        m = self.b1.size
        shapes = [a.shape for a in self.arrays]
        if self.w1.ndim != 2 or shapes != [(m, self.w1.shape[1]), (m,), (CLASSES, m), (CLASSES,)]:
            raise ValueError("the layers do not fit each other")

    def logits(self, features: Floats) -> Floats:
        """(k, 21), colours, then ranks, from (k, n + 1), as `Headed.features` has them."""
        hidden = np.maximum(features[:, :-1] @ self.w1.T + self.b1, 0)
        out = np.asarray(hidden @ self.w2.T + self.b2, np.float32)
        out[:, -1] += features[:, -1]
        return out

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """All four, in order."""
        return self.w1, self.b1, self.w2, self.b2


@dataclass(frozen=True, slots=True)
class Heads:
    """What is fitted to a deck: the heads of the reader and of the index reader."""

    reader: Head
    indices: Head


class Headed:
    """A reading network, with another head beside its own. shipped: its own."""

    def __init__(self, network: cv2.dnn.Net, head: Head | None = None) -> None:
        """Raises ModelError for a network that is not built that way, ValueError for another network's head."""
        self._network = network
        ends = "/faces/faces.0/Flatten", "/strangers/out/out.5/Softplus"
        self._names = [*(_layer_at(network, end) for end in ends), str(network.getUnconnectedOutLayersNames()[0])]
        self.shipped = _head_of(network)
        self._head = head or self.shipped
        if self._head.w1.shape != self.shipped.w1.shape:
            raise ValueError("the head was made for another reader")

    def features(self, pictures: Sequence[Image]) -> Floats:
        """(k, n + 1): what the head sees of pictures of one size, uint8 (h, w, 3), and what speaks for "no face"
        besides."""
        return np.vstack([self._run(pictures[i : i + BATCH])[0] for i in range(0, len(pictures), BATCH)])

    def answers(self, pictures: Sequence[Image]) -> Floats:
        """(k, 30): the head's answers; where the shipped head sees the same face and is surer of it, that one's."""
        runs = [self._run([picture]) for picture in pictures]  # as `classes.answers` does
        features, out = (np.vstack(parts) for parts in zip(*runs, strict=True))
        fitted, shipped = self._head.logits(features), out[:, :CLASSES]
        same = (_faces(fitted) == _faces(shipped)).all(1)
        surer = _confidence(shipped) > _confidence(fitted)
        return np.hstack([np.where((same & surer)[:, None], shipped, fitted), out[:, CLASSES:]])

    def _run(self, pictures: Sequence[Image]) -> tuple[Floats, Floats]:
        self._network.setInput(cv2.dnn.blobFromImages(list(pictures), 1 / 255))
        features, strange, out = (np.array(part, np.float32) for part in self._network.forward(self._names))
        return np.hstack([features.reshape(len(pictures), -1), strange]), out


class DeckReader(Reader):
    """A reader whose last layers are another head's; everything else is the given reader's, network included."""

    def __init__(self, reader: Reader, head: Head | None = None) -> None:
        """Raises as `Headed` does."""
        super().__init__(reader._network, reader._temperature)
        self.headed = Headed(reader._network, head)

    def refined(self, image: Image, quad: QuadArray) -> QuadArray:
        """The corners put right, read the way they are given: the first side is a short one."""
        return finished(self._look(image, clockwise(quad)))[1]

    def settled(self, crop: Image) -> bool:
        """True when the reader would leave the corners of a rectified crop as they are, and either way up alike."""
        _, offset = self._forward([crop, np.ascontiguousarray(crop[::-1, ::-1])])
        turned = -np.roll(offset[1], 2, axis=0)
        return float(np.abs([offset[0] + turned, offset[0] - turned]).max()) / 2 < SETTLED

    def _raw(self, crops: list[Image]) -> Floats:
        return self.headed.answers(crops)


class DeckIndexEye(IndexEye):
    """Finds corner indices as the given eye does, and reads them with another head."""

    def __init__(self, eye: IndexEye, head: Head | None = None) -> None:
        """Raises as `Headed` does."""
        super().__init__(eye._finder, eye._reader, eye._score, eye._temperature)
        self.headed = Headed(eye._reader, head)

    def _forward(self, image: Image, quads: Sequence[QuadArray]) -> Floats:
        return self.headed.answers([corner_picture(image, quad) for quad in quads])


def _layer_at(network: cv2.dnn.Net, end: str) -> str:
    """The layer whose name ends so."""
    names = (str(name) for name in network.getLayerNames())
    layer = next((name for name in names if name.endswith(end)), None)
    if layer is None:
        raise _foreign()
    return layer


def _head_of(network: cv2.dnn.Net) -> Head:
    """The two layers that another head stands for."""
    names = [str(name) for name in network.getLayerNames()]
    layers = [name for name in names if "/faces/" in name and name.endswith("Gemm")]
    if len(layers) != 2:
        raise _foreign()
    numbers = [np.array(blob, np.float32) for name in layers for blob in _layer(network, name).blobs]
    w1, b1, w2, b2 = numbers
    return Head(w1, b1.reshape(-1), w2, b2.reshape(-1))


def _foreign() -> ModelError:
    return ModelError("the readers are not built so that a deck can be enrolled: install again")


def _layer(network: cv2.dnn.Net, name: str) -> cv2.dnn.Layer:
    return network.getLayer(network.getLayerId(name))


def chances(logits: Floats) -> Floats:
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
    parts = chances(logits)
    return np.asarray(parts[:, :COLOUR_CLASSES].max(1) * parts[:, COLOUR_CLASSES:].max(1), np.float32)
