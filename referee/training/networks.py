"""The networks. Plain 3x3 convolutions: every runtime on a Pi has fast code for those."""

from __future__ import annotations

import torch
from torch import nn

from referee.vision.classes import NO_FACE
from referee.vision.indices import CORNER_PX
from referee.vision.warp import CROP_PX

FINDER_CHANNELS = 11
"""Heat, offset x and y, log half axes (long, short), doubled angles (sine, cosine of each), visible, top."""

INDEX_CHANNELS = 9
"""Heat, offset x and y, log sides (long, short), their directions (sine, cosine of each)."""

COLOUR_CLASSES, RANK_CLASSES = 5, NO_FACE + 1


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1, kernel: int = 3) -> nn.Sequential:
    pad = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, pad, dilation, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True)
    )


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions whose result is added to what came in."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.one = _conv(channels, channels, dilation=dilation)
        self.two = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.two(self.one(x)))


class FinderNet(nn.Module):  # type: ignore[misc]
    """(n, 3, h, w) in 0..1, sides multiples of 16 -> (n, 11, h/8, w/8), raw."""

    def __init__(self) -> None:
        super().__init__()
        self.early = nn.Sequential(_conv(3, 16, 2, kernel=5), _conv(16, 32, 2), _conv(32, 56, 2), Residual(56))
        self.late = nn.Sequential(_conv(56, 96, 2), Residual(96, 2), Residual(96, 3))
        self.up = nn.ConvTranspose2d(96, 56, 2, 2)
        self.mix = nn.Sequential(Residual(56), nn.Conv2d(56, FINDER_CHANNELS, 1))
        nn.init.zeros_(self.mix[1].bias)
        self.mix[1].bias.data[0] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.early(x - 0.5)
        return self.mix(torch.relu(x + self.up(self.late(x))))


class Strangers(nn.Module):  # type: ignore[misc]
    """(n, c, h, w), what a reader sees half way -> (n, 1), 0 or more: what speaks for "no face" besides what its last
    layers say.

    Cards of other editions and games in the look of ours differ from ours by details that those layers no longer see.
    It never speaks for a face, so that nothing is said for it that would not be said without. A new one says hardly
    anything; with nothing it would not learn.
    """

    HARDLY = -2.0
    """What a new one says before its last layer, which makes 0.13 of it."""

    def __init__(self, channels: int, size: tuple[int, int]) -> None:
        """size: width and height of what it sees."""
        super().__init__()
        cells = -(-size[0] // 2) * -(-size[1] // 2)
        self.body = nn.Sequential(_conv(channels, 64, 2), Residual(64), Residual(64), _conv(64, 16, kernel=1))
        self.out = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(16 * cells, 64), nn.ReLU(True), nn.Linear(64, 1), nn.Softplus(),
        )  # fmt: skip
        self._always(self.HARDLY)

    def silence(self) -> None:
        """Says nothing from now on: the reader says what its last layers do."""
        self._always(-torch.inf)

    def _always(self, said: float) -> None:
        last = self.out[4]
        nn.init.zeros_(last.weight)
        nn.init.constant_(last.bias, said)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.body(x))


class _Reader(nn.Module):  # type: ignore[misc]
    """What both readers are: a body, of which `strangers` sees the first `HALF` layers, and what answers."""

    HALF: int
    body: nn.Sequential
    faces: nn.Sequential
    corners: nn.Sequential
    strangers: Strangers

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        half = self.body[: self.HALF](x - 0.5)
        seen = self.body[self.HALF :](half)
        faces, corners = self.faces(seen), self.corners(seen)
        strange = self.strangers(half)
        return torch.cat([faces[:, :-1], faces[:, -1:] + strange, strange, corners], 1)


class ReaderNet(_Reader):
    """(n, 3, 120, 80) in 0..1 -> (n, 5 + 16 + 1 + 8): colour and rank logits, what strangers add to the last of them,
    corner offsets in tenths of the crop."""

    HALF = 6

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 2), _conv(16, 32, 2), Residual(32), _conv(32, 64, 2), Residual(64), Residual(64),
            _conv(64, 96, 2), Residual(96), Residual(96), _conv(96, 32, kernel=1),
        )  # fmt: skip
        cells = -(-CROP_PX[0] // 16) * -(-CROP_PX[1] // 16)
        self.faces = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(32 * cells, 128), nn.ReLU(True),
            nn.Linear(128, COLOUR_CLASSES + RANK_CLASSES),
        )  # fmt: skip
        self.corners = nn.Sequential(nn.Flatten(), nn.Linear(32 * cells, 8))
        self.strangers = Strangers(64, (-(-CROP_PX[0] // 8), -(-CROP_PX[1] // 8)))


class IndexFinderNet(nn.Module):  # type: ignore[misc]
    """(n, 3, h, w) in 0..1, sides multiples of 16 -> (n, 9, h/4, w/4), raw."""

    def __init__(self) -> None:
        super().__init__()
        self.early = nn.Sequential(_conv(3, 16, 2, kernel=5), _conv(16, 32, 2), Residual(32))
        self.middle = nn.Sequential(_conv(32, 56, 2), Residual(56))
        self.late = nn.Sequential(_conv(56, 80, 2), Residual(80, 2))
        self.up = nn.ConvTranspose2d(80, 56, 2, 2)
        self.up_again = nn.ConvTranspose2d(56, 32, 2, 2)
        self.mix = nn.Sequential(Residual(32), nn.Conv2d(32, INDEX_CHANNELS, 1))
        nn.init.zeros_(self.mix[1].bias)
        self.mix[1].bias.data[0] = -5.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.early(x - 0.5)
        y = self.middle(x)
        y = torch.relu(y + self.up(self.late(y)))
        return self.mix(torch.relu(x + self.up_again(y)))


class IndexReaderNet(_Reader):
    """(n, 3, 60, 48) in 0..1 -> (n, 5 + 16 + 1 + 8): colour and rank logits, what strangers add to the last of them,
    corrections of four points."""

    HALF = 4

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 36, 2), _conv(36, 72, 2), Residual(72), Residual(72), _conv(72, 128, 2), Residual(128),
            Residual(128), Residual(128), _conv(128, 36, kernel=1),
        )  # fmt: skip
        cells = -(-CORNER_PX[0] // 8) * -(-CORNER_PX[1] // 8)
        self.faces = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(36 * cells, 144), nn.ReLU(True),
            nn.Linear(144, COLOUR_CLASSES + RANK_CLASSES),
        )  # fmt: skip
        self.corners = nn.Sequential(nn.Flatten(), nn.Linear(36 * cells, 8))
        self.strangers = Strangers(72, (-(-CORNER_PX[0] // 4), -(-CORNER_PX[1] // 4)))


NETWORKS: dict[str, type[nn.Module]] = {
    "finder": FinderNet, "pile_finder": FinderNet, "reader": ReaderNet, "index_finder": IndexFinderNet,
    "index_reader": IndexReaderNet,
}  # fmt: skip
"""Every network that is shipped, by the name of its file."""
