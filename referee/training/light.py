"""What light and cameras do to a picture: casts, exposure, glare, shadows, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.frame import Image

Random = np.random.Generator

_NOISE = np.random.default_rng(0).standard_normal(1 << 21, dtype=np.float32)
"""Drawn once: a random piece of it is fresh noise at a tenth of the cost."""


def noise(rng: Random, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Gaussian noise of deviation 1."""
    count = int(np.prod(shape))
    start = int(rng.integers(_NOISE.size - count))
    piece: npt.NDArray[np.float32] = _NOISE[start : start + count].reshape(shape)
    return piece


def relight(image: Image, rng: Random, hard: float = 1.0) -> Image:
    """The picture under some other light and camera. `hard` scales how far it goes, 0 none to 1 everything."""
    x = image.astype(np.float32) * (1 / 255)
    h, w = x.shape[:2]
    if rng.random() < 0.25:
        x = _saturate(x, 1 + hard * rng.uniform(-0.7, 0.4))
    cast = rng.normal(0, 0.13 * hard, 3) if rng.random() < 0.7 else np.zeros(3)
    gain = np.exp(rng.normal(0, 0.22 * hard) + cast - cast.mean())
    if rng.random() < 0.12 * hard:
        gain = gain * rng.uniform(1.2, 2.0)
    elif rng.random() < 0.12 * hard:
        gain = gain * rng.uniform(0.25, 0.7)
    x = x * gain.astype(np.float32)
    if rng.random() < 0.45 * hard:
        x *= _ramp(h, w, rng, 0.6)[..., None]
    if rng.random() < 0.2 * hard:
        x *= _edge_shadow(h, w, rng)[..., None]
    if rng.random() < 0.2 * hard:
        x += _blob(h, w, rng)[..., None] * np.float32(rng.uniform(0.2, 0.9))
    if rng.random() < 0.2 * hard:
        haze = np.float32(rng.uniform(0.03, 0.22))
        x = x * (1 - haze) + haze * rng.uniform(0.5, 1.0, 3).astype(np.float32)
    out: Image = np.clip(x * np.float32(255), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        table = (np.linspace(0.0, 1.0, 256) ** np.exp(rng.normal(0, 0.25 * hard)) * 255).astype(np.uint8)
        out = np.asarray(cv2.LUT(out, table), np.uint8)
    return out


def resample(image: Image, rng: Random, hard: float = 1.0) -> Image:
    """Blur, motion, noise and JPEG as a camera adds them."""
    roll = rng.random()
    if roll < 0.3 * hard:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.5)), np.uint8)
    elif roll < 0.42 * hard:
        image = _motion(image, rng)
    elif roll < 0.5 * hard:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.asarray(cv2.addWeighted(image, 1.8, soft, -0.8, 0), np.uint8)
    if rng.random() < 0.6 * hard:
        image = np.clip(image + noise(rng, image.shape) * np.float32(rng.uniform(1, 11) * hard), 0, 255).astype(
            np.uint8
        )
    if rng.random() < 0.5 * hard:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(28, 92))])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image


def _saturate(x: npt.NDArray[np.float32], factor: float) -> npt.NDArray[np.float32]:
    grey = x.mean(2, keepdims=True)
    return np.asarray(grey + (x - grey) * np.float32(max(0.0, factor)), np.float32)


def _ramp(h: int, w: int, rng: Random, depth: float) -> npt.NDArray[np.float32]:
    angle = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-0.5, 0.5, w, dtype=np.float32) * np.float32(np.cos(angle))
    y = np.linspace(-0.5, 0.5, h, dtype=np.float32)[:, None] * np.float32(np.sin(angle))
    return np.asarray(1 + (x + y) * np.float32(rng.uniform(-depth, depth)), np.float32)


def _edge_shadow(h: int, w: int, rng: Random) -> npt.NDArray[np.float32]:
    angle = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-0.5, 0.5, w, dtype=np.float32) * np.float32(np.cos(angle))
    y = np.linspace(-0.5, 0.5, h, dtype=np.float32)[:, None] * np.float32(np.sin(angle))
    soft = np.float32(rng.uniform(8, 80))
    edge = 1 / (1 + np.exp(np.clip(-(x + y - np.float32(rng.uniform(-0.4, 0.4))) * soft, -30, 30)))
    return np.asarray(1 - edge * np.float32(rng.uniform(0.15, 0.6)), np.float32)


def _blob(h: int, w: int, rng: Random) -> npt.NDArray[np.float32]:
    x = (np.arange(w, dtype=np.float32) / w - rng.uniform(-0.1, 1.1)) / rng.uniform(0.05, 0.35)
    y = ((np.arange(h, dtype=np.float32) / h - rng.uniform(-0.1, 1.1)) / rng.uniform(0.05, 0.35))[:, None]
    return np.asarray(np.exp(-(x * x + y * y)), np.float32)


def _motion(image: Image, rng: Random) -> Image:
    n = int(rng.integers(3, 8))
    kernel = np.zeros((n, n), np.float32)
    angle = rng.uniform(0, np.pi)
    c = (n - 1) / 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * c
    a, b = np.round([c - reach[0], c - reach[1]]).astype(int), np.round([c + reach[0], c + reach[1]]).astype(int)
    cv2.line(kernel, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
