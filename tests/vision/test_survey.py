"""What the wizard is told of a table: the mat, the light, the cards, and whether the mat has the right size."""

from __future__ import annotations

from functools import partial
from pickle import dumps, loads

import numpy as np
import pytest

from referee.cards import Card
from referee.frame import Frame
from referee.virtual_table.look import Look
from referee.virtual_table.script import Level
from referee.virtual_table.set_up import Pose, SetUpTable, spread
from referee.vision.find_mat import look_for_mat
from referee.vision.mat import Paper
from referee.vision.survey import survey_from

LOOK = Look.draw(3, Level.NORMAL, "wood", "white_oval")
CARDS = "R1 G2 B3 Y4 W"


@pytest.fixture(scope="module")
def calibration():
    return look_for_mat(SetUpTable(LOOK, Paper.A4).image()).calibration


def cards_on_the_table() -> Frame:
    return Frame(SetUpTable(LOOK, cards=spread(tuple(map(Card.parse, CARDS.split())))).image(), 0, 0.0)


def test_before_there_is_a_calibration_the_mat_offers_one():
    scene = SetUpTable(LOOK, Paper.LETTER, Pose(angle=5.0))
    facts = loads(dumps(partial(survey_from, None, cards=False)))().survey(Frame(scene.image(), 0, 0.0))
    assert (facts["size"], facts["advice"], facts["cards"]) == ([1280, 720], [], None)
    assert facts["mat"]["calibration"] == look_for_mat(scene.image()).calibration.to_json()
    assert np.shape(facts["mat"]["markers"]) == (6, 4, 2)


def test_cards_are_read_and_measured(calibration):
    facts = survey_from(calibration.to_json(), cards=True).survey(cards_on_the_table())
    assert sorted(card["card"] for card in facts["cards"]) == sorted(CARDS.split())
    assert all(card["sure"] and card["confidence"] > 0.9 for card in facts["cards"])
    assert facts["advice"] == []


@pytest.mark.parametrize(("mirrored", "codes"), [(True, ["mirrored"]), (False, [])])
def test_cards_tell_that_the_camera_mirrors_where_no_mat_lies(mirrored, codes):
    cards = spread(tuple(map(Card.parse, ["R2", "R3", "G4", "G5", "B7", "B+2", "YR", "Y6"])))
    image = SetUpTable(LOOK, cards=cards).image()
    image = np.ascontiguousarray(image[:, ::-1]) if mirrored else image
    facts = survey_from(None, cards=True).survey(Frame(image, 0, 0.0))
    assert [one["code"] for one in facts["advice"]] == codes


@pytest.mark.parametrize("printed", [0.9, 1.1])
def test_a_mat_that_was_printed_at_another_scale_is_found_out(calibration, printed):
    # Who prints at 90 % tells the referee that everything on the table is larger than it is.
    wrong = calibration._with_homography(
        calibration.table_to_image @ np.diag([printed, printed, 1.0]), calibration.image_size
    )
    facts = survey_from(wrong.to_json(), cards=True).survey(cards_on_the_table())
    scale = [one["n"] for one in facts["advice"] if one["code"] == "not_to_scale"]
    assert scale == [pytest.approx(100 / printed, abs=2)]


def test_a_calibration_of_another_camera_mode_counts_as_none(calibration):
    square = Frame(SetUpTable(LOOK).image()[:, :720].copy(), 0, 0.0)
    assert survey_from(calibration.to_json(), cards=False).survey(square)["size"] == [720, 720]
