"""The faces of a deck shown to the camera while the service runs: what is wanted, what is taken, what is told."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from test_enrolment import Sees, found_at, photo_of

from referee.cards import FACES, Card
from referee.faces import STYLES
from referee.frame import Frame
from referee.vision.deck_shown import DeckSurvey, deck_survey, look_of
from referee.vision.enrolment import TRUST_S
from referee.vision.nets import load_models

R0, R1, R2 = FACES[:3]
B8 = Card.parse("B8")


@pytest.fixture(scope="module")
def models():
    """The eye, whose finder finds one card in the middle."""
    return replace(load_models(), finder=Sees([found_at()]))


def shown(survey, *cards, every_s=1.0, start=0.0):
    """What is told of pictures of these cards, one each `every_s`."""
    photos = [photo_of(card, STYLES["white_oval"]) for card in cards]
    frames = (Frame(photo, i, start + every_s * i) for i, photo in enumerate(photos))
    return [survey.survey(frame)["deck"] for frame in frames]


def test_faces_are_taken_one_after_the_other_and_told_as_json(models):
    told = shown(DeckSurvey(models, [R0, R1], 7), R0, R0, R0, R1, R1)
    assert [(one["asked"], one["fault"], one["wanted"]) for one in told] == [
        ("R0", "moving", "R0"), ("R0", None, "R1"), ("R1", "same", "R1"), ("R1", None, None), (None, None, None),
    ]  # fmt: skip
    assert json.loads(json.dumps(told)) == told
    assert {one["order"] for one in told} == {7}
    assert told[0]["size"] == [360, 300]
    assert np.array(told[0]["quad"]).shape == (4, 2)
    crop, read = look_of(told[1]["took"])
    assert (crop.shape, crop.dtype, read) == ((120, 80, 3), np.uint8, R0)
    assert [one["took"] is None for one in told] == [True, False, True, False, True]


def test_a_card_that_lies_there_still_is_not_taken_for_the_next_face_after_another_order(models):
    taken = look_of(shown(DeckSurvey(models, [R0], 1), R0, R0)[1]["took"])
    assert [one["fault"] for one in shown(DeckSurvey(models, [R2], 2, taken), R0, R0)] == ["moving", "same"]
    assert shown(DeckSurvey(models, [R0], 3), R0, R0)[1]["fault"] is None


def test_a_card_that_looks_like_another_face_is_taken_when_it_is_left_there(models):
    told = shown(DeckSurvey(models, [R0], 1), *[B8] * 5, every_s=TRUST_S / 2)
    assert [(one["fault"], one["seen"]) for one in told] == [
        ("moving", None), ("other", "B8"), ("other", "B8"), ("other", "B8"), (None, None),
    ]  # fmt: skip


def test_it_travels_into_the_camera_process():
    order = partial(deck_survey, (R0, R1), 3, (np.zeros((120, 80, 3), np.uint8), R2))
    made = pickle.loads(pickle.dumps(order))()
    assert isinstance(made, DeckSurvey)
