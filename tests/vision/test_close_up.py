"""The part of the view that is enough to watch a table, and the calibration of frames that show only that."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from stories import evening

from referee.frame import WHOLE, Frame, Image, Part
from referee.observations import CardLanded, CardsDrawn, Sighting
from referee.paths import shipped
from referee.virtual_table import Level, Look, VirtualTable
from referee.vision import close_up as module
from referee.vision.calibration import Calibration, load_calibration, parse_calibration
from referee.vision.close_up import AROUND_MM, LEAST_GAIN, close_up
from referee.vision.eye import Eye
from referee.vision.nets import load_models

FLAT = load_calibration(shipped("calibration") / "default.json")
"""A camera straight above, 760 x 430 mm of the table in 1280x720."""


def farther(times: float, dx: float = 0.0, dy: float = 0.0) -> Calibration:
    """The same table from so many times as far, moved by pixels of the picture."""
    middle = np.array(
        [[1 / times, 0, 640 * (1 - 1 / times) + dx], [0, 1 / times, 360 * (1 - 1 / times) + dy], [0, 0, 1]]
    )
    return FLAT.moved(middle)


def slanted() -> Calibration:
    """From 1.8 times as far, the far side of the table smaller."""
    tilt = np.array([[1.0, 0.12, -43.0], [0.0, 1.1, -60.0], [0.0, 0.00025, 0.91]])
    return farther(1.8).moved(tilt)


def corners_about_zones(calibration: Calibration) -> np.ndarray:
    """Corners of both zones with the margin, pixels (4, 2)."""
    (x, y, w, h), (x2, y2, w2, h2) = calibration.discard_zone_mm, calibration.draw_zone_mm
    left, right = min(x, x2) - AROUND_MM, max(x + w, x2 + w2) + AROUND_MM
    top, bottom = min(y, y2) - AROUND_MM, max(y + h, y2 + h2) + AROUND_MM
    return calibration.to_image([(left, top), (right, top), (right, bottom), (left, bottom)])


@pytest.mark.parametrize(
    ("calibration", "side"),
    [
        (FLAT, 1.0),  # already near
        (farther(1.1), 1.0),  # hardly worth it
        (farther(1.5), 0.65),
        (farther(1.8), 0.54),
        (farther(1.8, -200, 150), 0.54),  # the piles are not in the middle of the view
        (slanted(), 0.55),
    ],
    ids=["near", "hardly farther", "farther", "far", "aside", "slanted"],
)
def test_as_little_is_shown_as_is_needed_about_the_piles(calibration: Calibration, side: float) -> None:
    x, y, w, h = close_up(calibration)
    assert w == h == pytest.approx(side, abs=0.02)  # shares: the picture keeps its proportions
    assert min(x, y) >= 0
    assert max(x + w, y + h) <= 1
    shares = (corners_about_zones(calibration) + 0.5) / calibration.image_size
    needed = shares.clip(0, 1) if side == 1.0 else shares
    assert (needed >= np.array([x, y]) - 1e-9).all()
    assert (needed <= np.array([x + w, y + h]) + 1e-9).all()


def test_what_the_whole_view_does_not_show_either_is_not_missed() -> None:
    _, y, w, h = close_up(farther(1.8, 0, -230))  # the piles at the upper edge: no margin above them
    assert (y, w, h) == (0.0, pytest.approx(0.45, abs=0.01), pytest.approx(0.45, abs=0.01))


def test_cards_become_larger_by_the_part_or_it_is_left() -> None:
    for times in (1.0, 1.2, 1.5, 2.0):
        whole = farther(times)
        part = close_up(whole)
        gain = whole.in_part(part).px_per_mm() / whole.px_per_mm()
        assert gain == pytest.approx(1 / part[2])
        assert part == WHOLE or gain >= LEAST_GAIN


@pytest.mark.parametrize("part", [WHOLE, (0.25, 0.125, 0.5, 0.5), (0.3, 0.2, 0.6, 0.55)])
def test_points_lie_in_the_part_where_a_cut_picture_has_them(part: Part) -> None:
    whole = slanted()
    picture = np.zeros((720, 1280, 3), np.uint8)
    (at,) = whole.to_image([(300.0, 200.0)])
    cv2.circle(picture, (round(at[0]), round(at[1])), 9, (255, 255, 255), -1)
    x, y, w, h = (round(share * side) for share, side in zip(part, (1280, 720) * 2, strict=True))
    cut = cv2.resize(picture[y : y + h, x : x + w], (1280, 720), interpolation=cv2.INTER_AREA)
    ys, xs = np.nonzero(cut[..., 0] > 127)
    found = whole.in_part(part).to_image([(300.0, 200.0)])[0]
    assert found == pytest.approx([xs.mean(), ys.mean()], abs=1.2)


def test_a_part_of_smaller_frames_is_the_same_part() -> None:
    part = (0.3, 0.2, 0.6, 0.55)
    one, other = (slanted().for_frames(640, 360).in_part(part), slanted().in_part(part).for_frames(640, 360))
    assert np.allclose(one.to_image([(100.0, 50.0), (500.0, 300.0)]), other.to_image([(100.0, 50.0), (500.0, 300.0)]))
    inner = slanted().in_part((0.2, 0.2, 0.5, 0.5)).in_part((0.5, 0.0, 0.5, 0.5))
    assert np.allclose(
        inner.to_image([(300.0, 200.0)]), slanted().in_part((0.45, 0.2, 0.25, 0.25)).to_image([(300.0, 200.0)])
    )
    back = slanted().in_part((0.2, 0.2, 0.5, 0.5)).in_part((-0.4, -0.4, 2.0, 2.0))
    assert np.allclose(back.to_image([(300.0, 200.0)]), slanted().to_image([(300.0, 200.0)]))


SENSOR = (2304, 1296)
EDGE = ((SENSOR[1] - 720) // 2, (SENSOR[0] - 1280) // 2)


def shows(sensor: Image, part: Part) -> Image:
    """The part of what a sensor sees, as a picture."""
    x, y, w, h = (round(share * side) for share, side in zip(part, SENSOR * 2, strict=True))
    return np.asarray(cv2.resize(sensor[y : y + h, x : x + w], (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)


def test_a_close_up_of_a_far_camera_is_watched_as_a_near_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # The simulated table fills the middle of a view that is 1.8 times as wide, and there is nothing about it. Its zones
    # lie up to 12 mm nearer to its edge than the margin.
    monkeypatch.setattr(module, "AROUND_MM", 100.0)
    script, told, _ = evening(4, Level.EASY, ("draw",))
    table = VirtualTable(script, Look.draw(4, Level.EASY, style="colour_oval"))
    near = parse_calibration(table.calibration())
    (top, left), (width, height) = EDGE, (1280, 720)
    far = near.in_part((-left / width, -top / height, SENSOR[0] / width, SENSOR[1] / height))
    part = close_up(far)
    assert 1 / part[2] > 1.7
    eye, sightings = Eye(far, load_models()), list[Sighting]()
    for frame in table.frames(10.0):
        sensor = cv2.copyMakeBorder(frame.image, top, top, left, left, cv2.BORDER_REPLICATE)
        sightings += eye.process(Frame(shows(np.asarray(sensor, np.uint8), part), frame.seq, frame.t, part=part))
    landed = [s for s in sightings if isinstance(s, CardLanded)]
    assert [f"landed {s.reading.notation}" for s in landed if s.sure] == [
        said for one in told for said in one.expected if said != "drawn 1"
    ]
    assert [s.seat for s in landed[1:]] == [2, 3, 4]
    assert [(s.count, s.seat) for s in sightings if isinstance(s, CardsDrawn)] == [(1, 3)]
