"""Photographs of many megapixels: halved before they are shrunk, with the same answers."""

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.faces import STYLES, draw_face
from referee.vision.nets import load_models
from referee.vision.reading import is_certain, read_photo
from referee.vision.warp import halved, in_full

PHONE = (3000, 4000)
"""A phone's photograph, height and width."""

WIDTH = 451
UPPER_CORNERS = np.array([[120.0, 60.0], [120.0 + WIDTH, 60.0]])
"""The card's width and its two corners in view, pixels of the picture 720 wide that is drawn first."""


@pytest.fixture(scope="module")
def photo():
    """One card, which reaches out of a photograph, so that it is sought in every way."""
    face = draw_face(Card.parse("G6"), STYLES["white_oval"], 700)[:480]
    image = np.full((540, 720, 3), (70, 80, 90), np.uint8)
    alpha = face[..., 3:].astype(float) / 255
    part = image[60:, 120 : 120 + face.shape[1]]
    part[:] = face[..., :3] * alpha + part * (1 - alpha)
    return cv2.resize(cv2.GaussianBlur(image, (0, 0), 1.5), PHONE[::-1], interpolation=cv2.INTER_LINEAR)


@pytest.mark.parametrize(
    ("shape", "scale", "times"),
    [((480, 640), 0.13, 1), ((480, 640), 0.125, 2), (PHONE, 0.02, 8), ((1001, 1003), 0.06, 4), ((1, 90), 0.01, 1)],
)
def test_a_picture_is_halved_while_four_times_the_size_that_is_wanted_is_left(shape, scale, times):
    small, said = halved(np.zeros((*shape, 3), np.uint8), scale)
    assert (said, small.shape[:2]) == (times, (shape[0] // times, shape[1] // times))


@pytest.mark.parametrize("shape", [(960, 1280), (963, 1277)])
def test_a_picture_halved_first_looks_as_if_shrunk_at_once(shape):
    y, x = np.indices(shape)
    image = np.stack([128 + 100 * np.sin((x * a + y * b) / 40) for a, b in ((1, 0), (0, 1), (1, 1))], -1)
    image = image.astype(np.uint8)
    small, times = halved(image, 0.06)
    points = np.array([[100.0, 60], [33, 200], [290, 17]], np.float32)
    there = in_full(points, times)
    for (u, v), (p, q) in zip(points.astype(int), there, strict=True):
        around = image[int(q - 1.5) : int(q + 2.5), int(p - 1.5) : int(p + 2.5)].mean((0, 1))
        assert np.abs(small[v, u] - around).max() < 2


def test_a_card_in_a_large_photograph_is_read_where_it_lies(photo):
    models = load_models()
    (large,) = read_photo(photo, models)
    (small,) = read_photo(cv2.resize(photo, (1000, 750), interpolation=cv2.INTER_AREA), models)
    assert is_certain(large, models)
    assert large.reading.notation == small.reading.notation == "G6"
    for name, quad, times in (("large", large.quad, PHONE[1] / 720), ("small", small.quad, 1000 / 720)):
        off_mm = (np.array(quad[:2]) / times - UPPER_CORNERS) * 56 / WIDTH
        assert np.abs(off_mm).max() < 0.7, f"{name}: the corners in view are off by {off_mm} mm"


def test_a_large_photograph_is_neither_framed_nor_shrunk_whole_more_than_by_halves(photo, monkeypatch):
    """Both cost more than all networks together, each time."""
    dear = []
    resize, frame = cv2.resize, cv2.copyMakeBorder

    def resizing(image, size, **how):
        if image.size > 1e7 and size != (image.shape[1] // 2, image.shape[0] // 2):
            dear.append(image.shape)
        return resize(image, size, **how)

    def framing(image, *sides, **how):
        dear.extend([image.shape] if image.size > 1e7 else [])
        return frame(image, *sides, **how)

    monkeypatch.setattr(cv2, "resize", resizing)
    monkeypatch.setattr(cv2, "copyMakeBorder", framing)
    read_photo(photo, load_models())
    assert dear == []
