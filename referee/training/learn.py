"""Training of the networks: samples from a seed, progress, checkpoints to resume from."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

from referee.training.crops import IGNORE, CropMaker
from referee.training.further import unfolded
from referee.training.indices import IndexCropMaker, index_targets
from referee.training.networks import COLOUR_CLASSES, NETWORKS, RANK_CLASSES
from referee.training.scenes import SCENE_PX, Laid, Scene, SceneMaker
from referee.vision.classes import ANSWER, NO_FACE
from referee.vision.nets import STRIDE
from referee.vision.warp import unit_quad

Progress = Callable[[int, int, dict[str, float]], None]


Parts = dict[str, torch.Tensor]
"""What a loss is made of, by name: numbers that are still on the device."""

Sample = tuple[np.ndarray[Any, Any], ...]
Make = Callable[[np.random.Generator], Sample]


class Samples(torch.utils.data.Dataset[tuple[torch.Tensor, ...]]):  # type: ignore[misc]
    """Sample i is made from (seed, i), so that runs repeat whatever the number of workers."""

    def __init__(self, make: Make, seed: int, first: int, count: int):
        self.make, self.seed, self.first, self.count = make, seed, first, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> tuple[torch.Tensor, ...]:
        return _tensors(self.make(np.random.default_rng([self.seed, self.first + i])))


def _tensors(sample: Sample) -> tuple[torch.Tensor, ...]:
    return tuple(torch.from_numpy(np.array(a, order="C")) for a in sample)


class Scenes(torch.utils.data.Dataset[tuple[torch.Tensor, ...]]):  # type: ignore[misc]
    """Samples of scenes, each laid once and seen twice, in other light: that is cheaper than a new one."""

    def __init__(
        self, sample: Callable[[Scene], Sample], maker: SceneMaker, seed: int, first: int, count: int, batch: int
    ):
        self.sample, self.maker, self.seed, self.first, self.count = sample, maker, seed, first, count
        self.apart = APART * batch
        self.kept: dict[int, Laid] = {}

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> tuple[torch.Tensor, ...]:
        number = self.first + i
        again = number // self.apart % 2 == 1
        scene = number - self.apart if again else number
        laid = self.kept.pop(scene, None)
        if laid is None:
            laid = self.maker.laid(np.random.default_rng([self.seed, scene]))
        if not again:
            self.kept[scene] = laid
            self.kept.pop(scene - 2 * self.apart, None)
        return _tensors(self.sample(self.maker.seen(laid, np.random.default_rng([self.seed, number, 1]))))


APART = 8
"""Batches between the two looks at a scene. A multiple of 1, 2, 4 and 8 workers, so that the one that laid it sees it
again."""


def _one_thread(_: int) -> None:
    torch.set_num_threads(1)


def _loader(made: Samples | Scenes, batch: int, workers: int) -> Iterator[list[torch.Tensor]]:
    if workers:
        # Here, not in the workers: those have no threads but their own, and to end OpenCV's hangs or kills them.
        cv2.setNumThreads(1)
    return iter(
        torch.utils.data.DataLoader(
            made, batch, num_workers=workers, worker_init_fn=_one_thread, drop_last=True,
            prefetch_factor=4 if workers else None,
        )
    )  # fmt: skip


def finder_targets(scene: Scene) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """(heat (1, g, g), values (10, g, g), weight (g, g)) for a scene; g = 192 / 8."""
    g = SCENE_PX // STRIDE
    heat = np.zeros((g, g), np.float32)
    values = np.zeros((10, g, g), np.float32)
    weight = np.zeros((g, g), np.float32)
    ys, xs = np.mgrid[0:g, 0:g].astype(np.float32)
    seen = scene.in_view()
    for quad, visible, top in zip(scene.quads[seen], scene.visible[seen], scene.top[seen], strict=True):
        centre = (quad.mean(0) + 0.5) / STRIDE - 0.5
        long = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
        short = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
        size_long, size_short = float(np.hypot(*long)), float(np.hypot(*short))
        spread = max(0.7, 0.16 * size_short / STRIDE)
        blob = np.exp(-((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / (2 * spread**2))
        near = blob >= min(0.6, float(blob.max()))
        peak = np.unravel_index(int(blob.argmax()), blob.shape)
        blob[peak] = 1.0
        heat = np.where(near, blob, np.maximum(heat, blob))
        a, b = np.arctan2(long[1], long[0]) * 2, np.arctan2(short[1], short[0]) * 2
        row = [
            np.log(size_long / 32),
            np.log(size_short / 32),
            np.sin(a),
            np.cos(a),
            np.sin(b),
            np.cos(b),
            visible,
            top,
        ]
        values[0][near] = (centre[0] - xs)[near]
        values[1][near] = (centre[1] - ys)[near]
        for k, v in enumerate(row):
            values[k + 2][near] = v
        weight[near] = blob[near]
    return heat[None], values, weight


def _card_sample(scene: Scene) -> Sample:
    return (scene.image.transpose(2, 0, 1), *finder_targets(scene))


def _index_sample(scene: Scene) -> Sample:
    return (scene.image.transpose(2, 0, 1), *index_targets(scene))


def _face_sample(maker: CropMaker, rng: np.random.Generator) -> Sample:
    crop, colour, rank, corners = maker.make(rng)
    offset = (corners - unit_quad()).reshape(8) * 10
    return crop.transpose(2, 0, 1), np.array(colour), np.array(rank), offset.astype(np.float32)


def _corner_sample(maker: IndexCropMaker, rng: np.random.Generator) -> Sample:
    crop, colour, rank, marks = maker.make(rng)
    return crop.transpose(2, 0, 1), np.array(colour), np.array(rank), marks


def finder_loss(
    out: torch.Tensor, heat: torch.Tensor, values: torch.Tensor, weight: torch.Tensor
) -> tuple[torch.Tensor, Parts]:
    """Focal loss on the heat map, L1 on the geometry, cross-entropy on visible and top."""
    p = torch.sigmoid(out[:, :1]).clamp(1e-5, 1 - 1e-5)
    hit = heat >= 0.999
    positive = -((1 - p) ** 2 * p.log())[hit].sum()
    negative = -((1 - heat) ** 4 * p**2 * (1 - p).log())[~hit].sum()
    focal = (positive + negative) / hit.sum().clamp(min=1)
    w = weight[:, None]
    total = w.sum().clamp(min=1)
    shape = (torch.abs(out[:, 1:9] - values[:, :8]) * w).sum() / total
    seen = (
        nn.functional.binary_cross_entropy_with_logits(out[:, 9:11], values[:, 8:10], reduction="none") * w
    ).sum() / total
    loss = focal + shape + 0.4 * seen
    return loss, {"heat": focal, "shape": shape, "seen": seen}


def index_loss(
    out: torch.Tensor, heat: torch.Tensor, values: torch.Tensor, weight: torch.Tensor
) -> tuple[torch.Tensor, Parts]:
    """Focal loss on the heat map where there is a right answer, L1 on place, size and direction."""
    p = torch.sigmoid(out[:, :1]).clamp(1e-5, 1 - 1e-5)
    hit = heat >= 0.999
    positive = -((1 - p) ** 2 * p.log())[hit].sum()
    negative = -((1 - heat) ** 4 * p**2 * (1 - p).log() * weight[:, :1])[~hit].sum()
    focal = (positive + negative) / hit.sum().clamp(min=1)
    w = weight[:, 1:]
    shape = (torch.abs(out[:, 1:] - values) * w).sum() / w.sum().clamp(min=1)
    return focal + shape, {"heat": focal, "shape": shape}


def reader_loss(
    out: torch.Tensor, colour: torch.Tensor, rank: torch.Tensor, offset: torch.Tensor,
    _other: torch.Tensor | None = None,
) -> tuple[torch.Tensor, Parts]:
    """Cross-entropy on colour and rank, L1 on the corners where there are any."""
    c = nn.functional.cross_entropy(out[:, :COLOUR_CLASSES], colour, ignore_index=IGNORE)
    logits = out[:, COLOUR_CLASSES : COLOUR_CLASSES + RANK_CLASSES]
    r = nn.functional.cross_entropy(logits, rank, label_smoothing=0.01)
    known = torch.isfinite(offset)
    off = torch.abs(out[:, ANSWER:] - torch.nan_to_num(offset))
    corner = (off * known).sum() / known.sum()
    right = (logits.argmax(1) == rank).float().mean()
    parts = {"colour": c, "rank": r, "corner": corner, "right": right}
    return c + r + corner, parts


KEPT = 4
"""What it weighs that a reading is kept, where to learn what is no face weighs 1. Less: faces of designs that are in no
sample become no face; more: fewer of other games' cards are told."""


def keeping_loss(out: torch.Tensor, before: torch.Tensor, other: torch.Tensor) -> tuple[torch.Tensor, Parts]:
    """Cross-entropy that `other`, (n,) bool, other games' cards, are no face. Of all else what the network said before,
    `before`, is the truth, the chances of all classes (distillation: Hinton et al. 2015)."""
    groups = (slice(0, COLOUR_CLASSES), slice(COLOUR_CLASSES, COLOUR_CLASSES + RANK_CLASSES))
    said, told = (
        [nn.functional.log_softmax(answers[:, group], 1) for group in groups] for answers in (out, before)
    )
    kept = sum(
        (nn.functional.kl_div(one, two, reduction="none", log_target=True).sum(1) * ~other).sum()
        for one, two in zip(said, told, strict=True)
    ) / len(out)  # fmt: skip
    truth = torch.full_like(other, NO_FACE, dtype=torch.int64)
    none = nn.functional.cross_entropy(out[:, groups[1]], truth, reduction="none", label_smoothing=0.01)
    none = (none * other).sum() / len(out)
    return KEPT * kept + none, {"kept": kept, "none": none}


def _cycle(done: float) -> float:
    """Share of the full learning rate: up in the first twelfth, then down along a cosine."""
    warm = 1 / 12
    return (
        max(0.04, done / warm)
        if done < warm
        else 0.01 + 0.99 * (1 + math.cos(math.pi * (done - warm) / (1 - warm))) / 2
    )


Maker = SceneMaker | CropMaker | IndexCropMaker
Batches = Iterator[Sequence[torch.Tensor]]
"""Pictures, uint8 (n, 3, h, w), and the truth about them."""

TASKS: dict[str, tuple[Callable[..., Sample], Callable[..., Any]]] = {
    "finder": (_card_sample, finder_loss),
    "pile_finder": (_card_sample, finder_loss),
    "reader": (_face_sample, reader_loss),
    "index_finder": (_index_sample, index_loss),
    "index_reader": (_corner_sample, reader_loss),
}
"""How the samples of each network are made and how its answers are judged."""


RATE = 2e-3
"""The largest learning rate of a cycle."""


def samples(name: str, maker: Maker, seed: int, first: int, count: int, batch: int) -> Samples | Scenes:
    """Samples `first` to `first` + `count` of what the network of that name is trained with, in batches."""
    sample = TASKS[name][0]
    if isinstance(maker, SceneMaker):
        return Scenes(sample, maker, seed, first, count, batch)
    return Samples(partial(sample, maker), seed, first, count)


def train(
    name: str, batches: Callable[[int, int], Batches], out: Path, steps: int, seed: int, device: str, resume: bool,
    progress: Progress, rate: float = RATE, start: Path | None = None, keep: bool = False,
) -> nn.Module:  # fmt: skip
    """Trains the network of that name for `steps` batches, one cycle of the learning rate; keeps OUT/NAME.pt.

    batches: gives those from one number to before another. With `start` the network begins with the weights of
    START/NAME.onnx, with `resume` with OUT/NAME.pt when that is there. keep: a reader that goes on learns nothing but
    which cards are other games', with its `Strangers`; of all else it goes on saying what its last layers say, see
    `keeping_loss`; its batches must say which those are (`batches.Made`). The network that is returned is the running
    average of the weights.
    """
    torch.manual_seed(seed)
    loss_of = TASKS[name][1]
    if start is None:
        net = NETWORKS[name]()
    else:
        net = unfolded(name, start, _first(batches))
    net = net.to(device, memory_format=torch.channels_last)
    before = copy.deepcopy(net).eval() if keep else None
    if before is not None:
        before.strangers.silence()
    # A reader that keeps its readings stays as it is, but for what speaks for "no face" besides.
    learns = net.strangers if keep else net
    net.requires_grad_(False)
    learns.requires_grad_(True)
    fused = torch.device(device).type == "cuda"
    optimiser = torch.optim.AdamW(learns.parameters(), rate, weight_decay=0.01, fused=fused)
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.997), use_buffers=True
    )
    begun, kept = 0, out / f"{name}.pt"
    if resume and kept.is_file():
        state = torch.load(kept, map_location=device, weights_only=True)
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        begun = state["step"]
    some = batches(begun, steps)
    half = torch.autocast(torch.device(device).type, torch.bfloat16, enabled=_has_bfloat16(device))
    net.train(before is None)  # what a batch happens to hold must not change what is to be kept
    learns.train()
    last = time.monotonic()
    running: Parts = {}
    for step in range(begun + 1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate * _cycle(step / steps)
        image, *truth = (t.to(device) for t in next(some))
        image = (image.float() / 255).contiguous(memory_format=torch.channels_last)
        with half:
            said = net(image)
        if before is None:
            loss, parts = loss_of(said.float(), *truth)
        else:
            with half, torch.no_grad():
                told = before(image)
            loss, parts = keeping_loss(said.float(), told.float(), truth[-1])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean.update_parameters(net)
        for key, value in parts.items():
            running[key] = value.detach() if step == begun + 1 else 0.97 * running[key] + 0.03 * value.detach()
        if step == steps or time.monotonic() - last > 20:
            last = time.monotonic()
            state = {
                "net": net.state_dict(),
                "mean": mean.state_dict(),
                "optimiser": optimiser.state_dict(),
                "step": step,
            }
            torch.save(state, kept.with_suffix(".part"))
            kept.with_suffix(".part").replace(kept)
            progress(step, steps, {key: value.item() for key, value in running.items()})
    result = mean.module
    result.eval()
    return result


SETTLE, ENOUGH = 64, 3072
"""Batches by which a network that goes on learns what its batch norms see, or fewer that have so many samples."""


def _first(batches: Callable[[int, int], Batches]) -> list[torch.Tensor]:
    """Pictures of the first batches, 0 to 1."""
    images: list[torch.Tensor] = []
    for image, *_ in batches(0, SETTLE):
        images.append(image.cpu().float() / 255)
        if sum(map(len, images)) >= ENOUGH:
            break
    return images


def from_workers(
    name: str, maker: Maker, batch: int, seed: int, workers: int
) -> Callable[[int, int], Batches]:
    """Batches that processes make sample by sample."""

    def batches(begin: int, end: int) -> Batches:
        made = samples(name, maker, seed, begin * batch, (end - begin) * batch, batch)
        return _loader(made, batch, workers)

    return batches


def _has_bfloat16(device: str) -> bool:
    if device != "cpu":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported())
