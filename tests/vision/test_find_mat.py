"""The table from the printed mat or from four corners, on rendered tables whose geometry is known exactly."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from referee.virtual_table.geometry import IMAGE_SIZE, project
from referee.virtual_table.look import Look
from referee.virtual_table.script import Level
from referee.virtual_table.set_up import Pose, SetUpTable
from referee.vision.calibration import CalibrationError, load_calibration, parse_calibration, save_calibration
from referee.vision.find_mat import Code, from_corners, look_for_mat, seats_round, view_advice
from referee.vision.light_check import light_advice
from referee.vision.mat import MARKER_MM, Paper, discard_mm, draw_mm, markers
from referee.vision.mat_pdf import mat_pdf

WITHIN_MM = 2.0
WORDS = {"title": "T", "discard": "D", "draw": "Z", "ruler": "R", "steps": "1\n2"}


def table(seed: int = 3, level: Level = Level.NORMAL, paper: Paper | None = Paper.A4, **more) -> SetUpTable:
    return SetUpTable(Look.draw(seed, level), paper, **more)


def codes(advice) -> set[Code]:
    return {one.code for one in advice}


def errors_mm(true, calibration) -> np.ndarray:
    """How far the calibration puts points of the whole picture from where they are, after moving and turning the one
    table onto the other. true: (3, 3), sheet millimetres to pixels. Returns float64 (n,)."""
    grid = np.array([(x, y) for x in (0, 320, 640, 960, 1280) for y in (0, 240, 480, 720)], float)
    is_at, said = project(np.linalg.inv(true), grid), calibration.to_table(grid)
    is_at, said = is_at - is_at.mean(0), said - said.mean(0)
    u, _, v = np.linalg.svd(is_at.T @ said)
    return np.hypot(*(is_at @ (u @ v) - said).T)


@pytest.mark.parametrize("angle", [0.0, 12.0, 91.0, 180.0, -88.0])
@pytest.mark.parametrize(("seed", "level", "paper"), [
    (1, Level.EASY, Paper.A4), (4, Level.HARD, Paper.A4), (7, Level.HARD, Paper.LETTER),
])  # fmt: skip
def test_the_whole_picture_is_known_to_two_millimetres(seed, level, paper, angle):
    scene = table(seed, level, paper, pose=Pose((400.0, 210.0), angle))
    look = look_for_mat(scene.image())
    assert (look.paper, len(look.markers), look.advice) == (paper, 6, ())
    assert look.residual_mm < 0.5
    assert errors_mm(scene.mat_to_image(), look.calibration).max() < WITHIN_MM


@pytest.mark.parametrize("angle", [0.0, 90.0, 180.0, 270.0])
def test_the_piles_are_where_the_paper_shows_them_and_x_runs_to_the_right(angle):
    scene = table(pose=Pose((380.0, 215.0), angle))
    calibration = look_for_mat(scene.image()).calibration
    piles = (calibration.discard_zone_mm, discard_mm(Paper.A4)), (calibration.draw_zone_mm, draw_mm(Paper.A4))
    for zone, place in piles:
        middle = calibration.to_image([(zone[0] + zone[2] / 2, zone[1] + zone[3] / 2)])[0]
        assert np.hypot(*(middle - project(scene.mat_to_image(), [place])[0])) < 2.0
    right = calibration.to_image([(200.0, 200.0), (300.0, 200.0)])
    assert right[1][0] - right[0][0] > 100
    parse_calibration(calibration.to_json())


def test_nothing_is_found_on_an_empty_table():
    look = look_for_mat(table(paper=None).image())
    assert (look.calibration, codes(look.advice)) == (None, {Code.NO_MAT})


@pytest.mark.parametrize("angle", [0.0, 91.0])
@pytest.mark.parametrize("mirrored", [np.s_[:, ::-1], np.s_[::-1]], ids=["left and right", "up and down"])
def test_a_camera_that_mirrors_is_found_out(angle, mirrored):
    image = table(pose=Pose((400.0, 210.0), angle)).image()
    look = look_for_mat(np.ascontiguousarray(image[mirrored]))
    assert (look.calibration, codes(look.advice)) == (None, {Code.MIRRORED})


@pytest.mark.parametrize(("hidden", "found", "code"), [
    ((0,), True, Code.HIDDEN), ((1, 4), True, Code.HIDDEN), ((0, 5), True, Code.HIDDEN),
    ((0, 1, 2), False, Code.TOO_FEW), ((0, 1, 3, 4), False, Code.TOO_FEW), ((0, 1, 2, 3, 4), False, Code.TOO_FEW),
])  # fmt: skip
def test_covered_markers(hidden, found, code):
    scene = table()
    image = scene.image()
    for marker in (markers(Paper.A4)[i] for i in hidden):
        covered = np.rint(project(scene.mat_to_image(), marker.corners_mm)).astype(np.int32)
        cv2.fillConvexPoly(image, covered, (90, 110, 160))
    look = look_for_mat(image)
    assert (look.calibration is not None, codes(look.advice)) == (found, {code})
    assert look.advice[0].n == len(hidden)
    if found:
        assert errors_mm(scene.mat_to_image(), look.calibration).max() < WITHIN_MM


def test_a_blurred_picture_is_said_to_be_blurred():
    image = table().image()
    assert codes(look_for_mat(image).advice) == set()
    assert Code.SOFT in codes(look_for_mat(cv2.GaussianBlur(image, (0, 0), 2.5)).advice)


def test_a_bent_sheet_is_said_to_be_bent():
    image = table().image()
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    bent = cv2.remap(image, x, y + 14 * np.sin(x / 130), cv2.INTER_LINEAR)
    assert Code.UNEVEN in codes(look_for_mat(bent).advice)


def test_a_camera_far_away_and_one_that_looks_from_the_side_are_told():
    good = look_for_mat(table().image()).calibration
    assert view_advice(good) == []
    far = good.moved(np.diag([0.35, 0.35, 1.0]))
    (advice,) = view_advice(far)
    assert (advice.code, advice.n) == (Code.FAR, pytest.approx(51, abs=3))
    side = good.moved(np.diag([1.0, 0.7, 1.0]))
    assert codes(view_advice(side)) == {Code.SLANTED}
    aside = good.moved(np.array([[1, 0, -450.0], [0, 1, 0], [0, 0, 1]]))
    assert [(a.code, a.side) for a in view_advice(aside)] == [(Code.OUTSIDE, "discard")]


SHEET = Paper.A4.size_mm


@pytest.mark.parametrize("angle", [0.0, 15.0, 90.0, 200.0])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_four_corners_of_the_sheet_do_as_well(angle, order):
    scene = table(5, Level.HARD, pose=Pose((380.0, 215.0), angle))
    corners = project(scene.mat_to_image(), [(0, 0), (SHEET[0], 0), SHEET, (0, SHEET[1])])
    calibration = from_corners(IMAGE_SIZE, [tuple(corners[i]) for i in order], SHEET)
    assert errors_mm(scene.mat_to_image(), calibration).max() < WITHIN_MM


def test_a_finger_that_misses_a_corner_by_two_pixels_stays_near():
    scene = table(5, Level.NORMAL)
    corners = project(scene.mat_to_image(), [(0, 0), (SHEET[0], 0), SHEET, (0, SHEET[1])])
    off = corners + [(2, -1), (-1, 2), (1, 1), (-2, -1)]
    calibration = from_corners(IMAGE_SIZE, [tuple(c) for c in off], SHEET)
    assert np.median(errors_mm(scene.mat_to_image(), calibration)) < 8.0


@pytest.mark.parametrize("corners", [
    [(0, 0), (100, 0), (200, 0), (300, 0)], [(600, 300), (605, 300), (605, 303), (600, 303)],
    [(100, 100), (900, 100), (500, 300), (500, 600)], [(0, 0), (1, 1)], [(0, 0), (9, float("nan")), (9, 9), (0, 9)],
])  # fmt: skip
def test_corners_that_are_no_rectangle_are_refused(corners):
    with pytest.raises(CalibrationError, match="corners: expected"):
        from_corners(IMAGE_SIZE, corners, SHEET)


def test_seats_go_clockwise_from_the_lower_edge():
    calibration = look_for_mat(table().image()).calibration
    seats = [seat.at_mm for seat in seats_round(calibration, 4)]
    (width, height), ways = calibration.table_mm, []
    for x, y in seats:
        ways.append((round((x - width / 2) / width, 1), round((y - height / 2) / height, 1)))
    assert ways == [(0.0, 0.9), (-0.7, 0.0), (-0.0, -0.9), (0.7, -0.0)]


class TestLight:
    def advice(self, image):
        look = look_for_mat(image)
        return [(one.code, one.side) for one in light_advice(image, look, look.calibration)]

    @pytest.mark.parametrize("seed", [1, 3])
    @pytest.mark.parametrize("level", [Level.EASY, Level.NORMAL])
    def test_a_fair_table_gets_no_advice(self, seed, level):
        assert self.advice(table(seed, level).image()) == []

    def test_too_dark(self):
        assert self.advice(table(gain=0.28).image()) == [(Code.DARK, "")]

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_too_dark_on_one_side(self, side):
        image = table().image().astype(float)
        ramp = np.clip(np.linspace(-1.4, 2.4, image.shape[1]), 0.15, 1.0)
        lit = image * (ramp if side == "left" else ramp[::-1])[None, :, None]
        assert self.advice(lit.astype(np.uint8)) == [(Code.DARK_SIDE, side)]

    @pytest.mark.parametrize("pile", ["discard", "draw"])
    def test_glare_near_a_pile(self, pile):
        scene = table()
        image = scene.image()
        place = (discard_mm if pile == "discard" else draw_mm)(Paper.A4)
        x, y = np.rint(project(scene.mat_to_image(), [place])[0]).astype(int)
        cv2.circle(image, (int(x), int(y)), 52, (255, 255, 255), -1)
        assert self.advice(image) == [(Code.GLARE, pile)]

    def test_over_exposed(self):
        assert self.advice(table(gain=3.0, seed=2).image())[-1:] == [(Code.BRIGHT, "")]

    def test_a_dark_cloth_without_a_mat_is_not_called_the_night(self):
        image = np.full((720, 1280, 3), 55, np.uint8)
        assert self.advice(image) == []
        assert self.advice(image // 3) == [(Code.DARK, "")]


class TestPdf:
    """What the printer gets, drawn again from the file itself, is what the camera is told to expect."""

    @pytest.mark.parametrize("paper", list(Paper))
    def test_the_boxes_of_the_file_are_the_markers(self, paper):
        data = mat_pdf(paper, WORDS).decode("latin-1")
        points = [float(v) for v in re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data).groups()]
        assert [v / 72 * 25.4 for v in points] == pytest.approx(paper.size_mm, abs=0.01)
        scale = 4.0
        sheet = np.full([round(v * scale) for v in (paper.size_mm[1], paper.size_mm[0])] + [3], 255, np.uint8)
        for box in re.findall(r"0 g ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", data):
            x, y, w, h = (float(v) for v in box)
            top = paper.size_mm[1] - y - h
            sheet[round(top * scale) : round((top + h) * scale), round(x * scale) : round((x + w) * scale)] = 0
        look = look_for_mat(sheet)
        assert (look.paper, len(look.markers)) == (paper, 6)
        for number, corners in look.markers:
            (marker,) = (one for one in markers(paper) if one.number == number)
            assert np.abs((corners + 0.5) / scale - marker.corners_mm).max() < 0.3

    @pytest.mark.parametrize("paper", list(Paper))
    def test_nothing_overlaps_and_printers_can_reach_it(self, paper):
        width, height = paper.size_mm
        for marker in markers(paper):
            x, y = marker.at_mm
            assert min(x, y, width - x - MARKER_MM, height - y - MARKER_MM) >= 10

    def test_every_object_is_where_the_table_says(self):
        data = mat_pdf(Paper.A4, {**WORDS, "title": "Größe (1) \\ ñ"})
        places = [int(v) for v in re.findall(rb"^(\d{10}) 00000 n ", data, re.M)]
        assert [data[at : at + 7] for at in places] == [b"%d 0 obj" % n for n in range(1, 6)]
        start = int(re.search(rb"startxref\n(\d+)", data).group(1))
        assert data[start : start + 4] == b"xref"
        length = int(re.search(rb"/Length (\d+)", data).group(1))
        stream = data[data.index(b"stream\n") + 7 :]
        assert stream[length:].startswith(b"\nendstream")


def test_a_calibration_is_kept_whole(tmp_path):
    calibration = look_for_mat(table().image()).calibration
    file = tmp_path / "new" / "calibration.json"
    save_calibration(calibration, file)
    assert load_calibration(file).to_json() == calibration.to_json()
    assert [path.name for path in file.parent.iterdir()] == [file.name]
