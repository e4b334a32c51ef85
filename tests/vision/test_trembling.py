"""A camera that trembles: what lies still is still, also the edges of a card that has just come."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from drawn_table import Knower, Laid, Table

from referee.frame import Frame, Image
from referee.paths import shipped
from referee.tracker.tracker import MOVING_SHARE
from referee.vision.calibration import load_calibration
from referee.vision.noise import Noise
from referee.vision.scene import Scene

TABLE = load_calibration(shipped("calibration") / "default.json")
FPS = 30
LENS_PX = 1.5
"""Blur of an ordinary lens: no edge is sharper."""
X, Y, WIDE, HIGH = TABLE.discard_zone_mm


def table(striped: bool = True) -> Image:
    """A striped cloth, the stripes aslant, with a dark draw pile."""
    cloth = np.full((720, 1280, 3), 120, np.uint8)
    for left in range(-400, 1280, 60) if striped else ():
        cv2.line(cloth, (left, 720), (left + 400, 0), (190, 170, 140), 28)
    x, y, w, h = TABLE.draw_zone_mm
    _card(cloth, x + w / 2, y + h / 2, (20, 20, 20))
    return cloth


def _card(image: Image, x: float, y: float, ink: tuple[int, int, int]) -> None:
    for size, colour in ((1.0, (235, 235, 235)), (0.86, ink), (0.4, (235, 235, 235)), (0.2, ink)):
        box = cv2.boxPoints(((x, y), (TABLE.card_mm[0] * size, TABLE.card_mm[1] * size), 20.0))
        cv2.fillConvexPoly(image, np.rint(TABLE.to_image(box)).astype(np.int32), colour)


def moving(pictures: list[Image], tremor_px: float, scene: Scene, begin: int) -> list[float]:
    """The share of the discard zone that moves, frame by frame."""
    rng, shares = np.random.default_rng(3), []
    for number, picture in enumerate(pictures, begin):
        dx, dy = rng.normal(0, tremor_px, 2)
        shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        soft = cv2.GaussianBlur(picture, (0, 0), LENS_PX)
        image = cv2.warpAffine(soft, shift, (1280, 720), borderMode=cv2.BORDER_REFLECT)
        shares.append(scene.look(Frame(np.asarray(image, np.uint8), number, number / FPS)).discard_moving)
    return shares


@pytest.mark.parametrize("tremor_px", [0.0, 0.6, 0.9])
def test_a_card_that_has_come_lies_still_before_a_trembling_camera(tremor_px: float) -> None:
    """A card whose edges seemed to move for ever was not looked at before the next one lay on it."""
    bare, scene = table(), Scene(TABLE)
    moving([bare] * 45, tremor_px, scene, 0)
    laid = bare.copy()
    _card(laid, X + WIDE / 2, Y + HIGH / 2, (40, 40, 210))
    shares = moving([laid] * 30, tremor_px, scene, 45)
    assert shares[0] > MOVING_SHARE  # it came
    rests = "".join("-" if share <= MOVING_SHARE else "m" for share in shares[1:15])
    assert "----" in rests  # long enough for the tracker to look at it


@pytest.mark.parametrize("every", [1, 2, 3])
def test_the_shimmer_of_compression_is_no_motion(every: int) -> None:
    """Strong compression draws a card that has come a little elsewhere now and then, and the cloth as it was."""
    bare, scene, rng = table(), Scene(TABLE), np.random.default_rng(5)
    moving([bare] * 45, 0.0, scene, 0)
    pictures = []
    for number in range(30):
        if number % every == 0:
            laid, (dx, dy) = bare.copy(), rng.uniform(-0.6, 0.6, 2)
            _card(laid, X + WIDE / 2 + dx, Y + HIGH / 2 + dy, (40, 40, 210))
        pictures.append(laid)
    shares = moving(pictures, 0.0, scene, 45)
    assert shares[0] > MOVING_SHARE  # it came
    rests = "".join("-" if share <= MOVING_SHARE else "m" for share in shares[1:15])
    assert "----" in rests


@pytest.mark.parametrize("tremor_px", [0.0, 0.6, 0.9])
def test_a_card_that_slides_moves_before_a_trembling_camera(tremor_px: float) -> None:
    bare, scene = table(), Scene(TABLE)
    moving([bare] * 45, tremor_px, scene, 0)
    slides = []
    for step in range(12):
        slides.append(bare.copy())
        _card(slides[-1], X + 30 + 6 * step, Y + HIGH / 2, (40, 40, 210))
    assert min(moving(slides, tremor_px, scene, 45)) > MOVING_SHARE


def test_an_arm_in_motion_is_not_taken_for_a_trembling_camera() -> None:
    """On a plain table hardly any edges are the table's own: the arm's tell nothing of the camera."""
    plain, scene = table(striped=False), Scene(TABLE)
    moving([plain] * 45, 0.0, scene, 0)
    arms = []
    for step in range(10):
        arms.append(plain.copy())
        tip = TABLE.to_image([(X + WIDE / 2, 430 - 22 * step)])[0]
        cv2.rectangle(arms[-1], (round(tip[0]) - 60, round(tip[1])), (round(tip[0]) + 60, 719), (60, 90, 160), -1)
        for stripe in range(0, 720, 24):
            cv2.line(arms[-1], (round(tip[0]) - 60, stripe), (round(tip[0]) + 60, stripe), (230, 230, 230), 6)
    moving(arms, 0.0, scene, 45)
    laid = plain.copy()
    _card(laid, X + WIDE / 2, Y + HIGH / 2, (40, 40, 210))
    pushed = plain.copy()
    _card(pushed, X + WIDE / 2 + 4, Y + HIGH / 2, (40, 40, 210))
    assert moving([laid, pushed], 0.0, scene, 55)[1] > MOVING_SHARE


def shifted(picture: Image, dx: float) -> Image:
    """A small picture of what the camera sees, moved aside by so many of its pixels."""
    shift = np.array([[1, 0, 4 * dx], [0, 1, 0]], np.float32)
    soft = cv2.GaussianBlur(picture, (0, 0), 3 * LENS_PX)
    moved = cv2.warpAffine(soft, shift, (1280, 720), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(cv2.resize(moved, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize(
    ("case", "trembles", "drawn", "shows"),
    [("trembles", True, False, False), ("... a card was drawn", True, True, True), ("is still", False, False, True)],
)
def test_what_a_trembling_camera_makes_of_the_edges_of_a_pile_is_no_draw(
    case: str, trembles: bool, drawn: bool, shows: bool
) -> None:
    """The camera was a little aside before the hand came, as at a rendered table where a draw was told."""
    before, after = table(), table()
    x, y, w, h = TABLE.draw_zone_mm
    if drawn:
        _card(after, x + w / 2 + 6, y + h / 2, (20, 20, 20))
    noise, frames = Noise((320, 180)), [shifted(before, 0.3 * trembles * (-1) ** k) for k in range(20)]
    noise.settle(frames[0])
    for one, two in pairwise(frames):
        noise.look(two, 0.0)
        noise.moved(one, two, None, frames[0])
    (left, top), (right, bottom) = np.rint(np.asarray(TABLE.to_image([[x, y], [x + w, y + h]])) / 4).astype(int)
    over = noise.steadied(noise.exceeding(noise.differs(shifted(before, -0.45), shifted(after, 0.0))), frames[0])
    assert (np.count_nonzero(over[top:bottom, left:right]) > 20) == shows, case


@pytest.mark.parametrize("frames", [3, 4])
def test_a_shaken_frame_on_a_striped_table_is_not_what_the_table_looks_like(frames: int) -> None:
    """As at a rendered table, on which hands were seen everywhere for eleven seconds. frames: so long after the hand
    has gone the camera is shaken for one of them, as the card that it laid is told."""
    watched = Table(Knower(finds=True))
    watched._cloth = np.full((720, 1280, 3), 215, np.uint8)
    for left in range(0, 1280, 32):
        watched._cloth[:, left : left + 16] = 150, 60, 40
    watched.run(1.0)
    watched.knower.laid = [Laid("R7", 285, 205)]
    watched.arm_mm = 240.0
    watched.run(3 / watched.fps)
    watched.arm_mm = None
    watched.run(frames / watched.fps)
    watched.shift = (16.0, 0.0)
    watched.run(1 / watched.fps)
    watched.shift = (0.0, 0.0)
    arms = watched.run(1.0).eye._scene.arms
    assert arms is None or not arms.any()


@pytest.mark.parametrize(
    ("case", "trembles_px", "now_px", "shakes"),
    [
        ("it is as still as ever", 0.05, 0.05, False),
        ("somebody leans on the table", 0.05, 0.4, True),
        ("it trembles as it always does", 0.4, 0.4, False),
        ("... and more", 0.4, 1.0, True),
    ],
)
def test_a_camera_shakes_that_trembles_more_than_it_mostly_does(
    case: str, trembles_px: float, now_px: float, shakes: bool
) -> None:
    noise, bare = Noise((320, 180)), table()
    frames = [shifted(bare, trembles_px * (-1) ** k) for k in range(40)]
    noise.settle(frames[0])
    for one, two in pairwise([*frames, shifted(bare, now_px)]):
        noise.look(two, 0.0)
        noise.moved(one, two, None, frames[0])
    assert noise.shakes == shakes, case
    noise.look(frames[0], 0.1)
    assert not noise.shakes, "it was not asked how this frame differs from the one before"


@pytest.mark.parametrize("shakes", [False, True])
def test_what_a_shaking_camera_shows_is_not_settled(monkeypatch: pytest.MonkeyPatch, shakes: bool) -> None:
    """A card has landed and a glass stands beside the pile: of a pixel beside its place each edge of striped cloth
    would be a thing for good."""
    watched = Table(Knower(finds=True)).run(1.0)
    scene = watched.eye._scene
    monkeypatch.setattr("referee.vision.noise.Noise.shakes", shakes)
    settled: list[float] = []
    monkeypatch.setattr(scene, "_remember", lambda picture: settled.append(watched.t))
    cv2.circle(watched._cloth, (200, 200), 60, (30, 30, 30), -1)
    watched.reach(Laid("R7", 285, 205)).run(3.0)
    assert bool(settled) != shakes
    assert watched.said() == ["landed R7"]
