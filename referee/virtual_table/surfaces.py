"""Table tops drawn from noise: wood, felt, checked and striped cloth, white, dark."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator


def _clouds(rng: Rng, shape: tuple[int, int], grain: tuple[float, float]) -> Floats:
    """Smooth noise of mean 0 and deviation 1; grain: size of its blobs along (x, y), pixels."""
    h, w = shape
    coarse = rng.standard_normal((max(4, round(h / grain[1]) + 3), max(4, round(w / grain[0]) + 3))).astype(np.float32)
    fine = cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray((fine - fine.mean()) / (fine.std() + 1e-6), dtype=np.float32)


def _tinted(shade: Floats, colour: tuple[float, float, float], other: tuple[float, float, float]) -> Floats:
    """Between two colours by shade, 0 to 1."""
    s = np.clip(shade, 0, 1)[..., None]
    return np.asarray(np.array(colour) * (1 - s) + np.array(other) * s, dtype=np.float32)


def _wood(rng: Rng, shape: tuple[int, int]) -> Floats:
    h = shape[0]
    light, dark = [
        ((140, 178, 212), (82, 122, 166)), ((92, 132, 176), (46, 76, 118)), ((58, 82, 120), (24, 38, 64)),
    ][rng.integers(3)]  # fmt: skip
    board = h / rng.uniform(3.5, 6.0)
    ys = np.arange(h, dtype=np.float32)[:, None]
    plank = np.floor((ys + rng.uniform(0, board)) / board)
    offsets = rng.standard_normal(16).astype(np.float32)
    plank_shade = offsets[plank.astype(int) % 16]
    warp = _clouds(rng, shape, (260, 60)) * 7 + plank_shade * 90
    rings = 0.5 + 0.5 * np.sin((ys + warp) / rng.uniform(3.5, 6.0))
    fibre = _clouds(rng, shape, (90, 1.6)) * 0.5 + _clouds(rng, shape, (30, 1.0)) * 0.35
    tone = 0.36 + 0.22 * rings + 0.13 * fibre + 0.10 * plank_shade + 0.06 * _clouds(rng, shape, (200, 120))
    out = _tinted(np.asarray(tone, dtype=np.float32), light, dark)
    seam = np.abs((ys + rng.uniform(0, board)) % board - board / 2) > board / 2 - 1.2
    if rng.random() < 0.6:
        out *= np.where(np.diff(plank, axis=0, prepend=plank[:1]) != 0, 0.55, 1.0)[..., None].astype(np.float32)
    elif rng.random() < 0.4:
        out *= np.where(seam, 0.7, 1.0)[..., None].astype(np.float32)
    return out


def _felt(rng: Rng, shape: tuple[int, int]) -> Floats:
    colours = ((58, 104, 38), (104, 62, 30), (44, 36, 128), (88, 88, 92), (70, 40, 84))
    colour = np.array(colours[rng.integers(len(colours))], dtype=np.float32)
    fuzz = _clouds(rng, shape, (2.2, 2.2)) * 0.07 + _clouds(rng, shape, (9, 7)) * 0.03
    patches = _clouds(rng, shape, (200, 170)) * 0.03
    return np.asarray(colour * (1 + fuzz + patches)[..., None], dtype=np.float32)


def _weave(rng: Rng, shape: tuple[int, int]) -> Floats:
    h, w = shape
    pitch = rng.uniform(2.6, 3.8)
    xs = np.sin(np.arange(w, dtype=np.float32) * (2 * np.pi / pitch))
    ys = np.sin(np.arange(h, dtype=np.float32) * (2 * np.pi / pitch))
    threads = 0.04 * (xs[None, :] - ys[:, None]) + 0.03 * _clouds(rng, shape, (2.0, 2.0))
    folds = 0.025 * _clouds(rng, shape, (420, 380))
    return np.asarray(1 + threads + folds, dtype=np.float32)


_CLOTH = (
    ((228, 232, 236), (150, 70, 42)), ((226, 230, 232), (54, 46, 178)), ((222, 228, 230), (70, 120, 60)),
    ((200, 214, 222), (96, 90, 96)), ((176, 206, 222), (60, 92, 130)),
)  # fmt: skip


def _checks(rng: Rng, shape: tuple[int, int]) -> Floats:
    h, w = shape
    ground, colour = _CLOTH[rng.integers(len(_CLOTH))]
    size = rng.uniform(26, 80)
    xs = (np.arange(w) + rng.uniform(0, size)) // size % 2
    ys = (np.arange(h) + rng.uniform(0, size)) // size % 2
    amount = np.asarray((xs[None, :] + ys[:, None]) / 2, dtype=np.float32)
    soft = np.asarray(cv2.GaussianBlur(amount, (0, 0), 0.8), dtype=np.float32)
    return np.asarray(_tinted(soft, ground, colour) * _weave(rng, shape)[..., None], dtype=np.float32)


def _stripes(rng: Rng, shape: tuple[int, int]) -> Floats:
    h, w = shape
    ground, colour = _CLOTH[rng.integers(len(_CLOTH))]
    size = rng.uniform(30, 90)
    along = np.arange(w, dtype=np.float32)[None, :] + np.zeros((h, 1), np.float32)
    if rng.random() < 0.5:
        along = np.arange(h, dtype=np.float32)[:, None] + np.zeros((1, w), np.float32)
    phase = (along + rng.uniform(0, size)) % size / size
    amount = ((phase < 0.3) | ((phase > 0.42) & (phase < 0.46)) | ((phase > 0.84) & (phase < 0.88))).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(amount, (0, 0), 0.8), dtype=np.float32)
    return np.asarray(_tinted(soft, ground, colour) * _weave(rng, shape)[..., None], dtype=np.float32)


def _white(rng: Rng, shape: tuple[int, int]) -> Floats:
    tone = 218 + rng.uniform(-14, 10) + 1.6 * _clouds(rng, shape, (180, 150)) + 0.9 * _clouds(rng, shape, (3, 3))
    tint = np.array([1.0, 0.995, 0.985] if rng.random() < 0.5 else [0.96, 0.985, 1.0])
    return np.asarray(tone[..., None] * tint, dtype=np.float32)


def _dark(rng: Rng, shape: tuple[int, int]) -> Floats:
    if rng.random() < 0.5:  # stone
        specks = _clouds(rng, shape, (2.5, 2.5))
        tone = 38 + 4 * _clouds(rng, shape, (60, 60)) + np.where(specks > 2.0, 42, 0) + 3 * specks
    else:  # dark stained wood
        tone = 34 + 5 * _clouds(rng, shape, (120, 2.0)) + 4 * _clouds(rng, shape, (260, 40))
    return np.asarray(np.maximum(tone, 6)[..., None] * np.array([1.0, 0.98, 1.06]), dtype=np.float32)


_PAINTERS: Mapping[str, Callable[[Rng, tuple[int, int]], Floats]] = {
    "wood": _wood,
    "felt": _felt,
    "checks": _checks,
    "stripes": _stripes,
    "white": _white,
    "dark": _dark,
}

TABLES: tuple[str, ...] = tuple(_PAINTERS)
"""The kinds of table top."""


def table_top(kind: str, seed: int, width: int, height: int) -> Image:
    """A table top in even light: uint8 (height, width, 3). Raises ValueError for a kind that is not in `TABLES`."""
    if kind not in _PAINTERS:
        raise ValueError(f"table is {kind!r}: expected one of {', '.join(TABLES)}")
    rng = np.random.default_rng([seed, TABLES.index(kind)])
    return np.asarray(np.clip(_PAINTERS[kind](rng, (height, width)), 0, 255), dtype=np.uint8)
