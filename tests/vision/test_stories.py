"""A short evening of the stories: the rest is `stories.py`."""

from __future__ import annotations

import pytest
from stories import kind, watched

from referee.virtual_table import Level, scene
from referee.vision import hidden
from referee.vision.nets import load_models


def test_a_hover_a_square_up_and_a_take_back_are_what_they_are() -> None:
    told = watched(load_models(), 2, Level.NORMAL, "colour_oval", names=("hover", "square-up", "take-back"))
    assert [(one.name, said) for one, said in told if kind(one.expected, said) != "right"] == []


def test_a_thick_pile_is_seen_to_go_from_under_its_top_card_which_lies_lower_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was said to have been moved. Three thick cards stand for eighty thin ones."""
    monkeypatch.setattr(scene, "CARD_THICKNESS_MM", 8.0)
    monkeypatch.setattr(hidden, "SUNK_LEAST", 3)
    told = watched(load_models(), 3, Level.NORMAL, "colour_oval", names=("taken from under",))
    assert [(one.name, said) for one, said in told if kind(one.expected, said) != "right"] == []


def test_what_becomes_of_cards_that_nobody_can_read_is_told_by_the_hands() -> None:
    """Three wilds that are written on: it was not told that one of them went, nor, on other tables, that one came."""
    told = watched(load_models(), 2, Level.NORMAL, "colour_oval", names=("nobody can read them",))
    assert [(one.name, said) for one, said in told if kind(one.expected, said) != "right"] == []


def test_a_knocked_camera_a_card_drawn_and_laid_at_once_and_a_thing_on_the_pile_are_what_they_are() -> None:
    """Of a camera that was turned by twelve degrees nobody was told: for ten seconds a hand was said to lie there, the
    next two cards were missed and the third was asked about. A score sheet on the pile was a card, or took the pile."""
    names = ("camera knocked", "drawn and laid", "thing on the pile")
    told = watched(load_models(), 2, Level.NORMAL, "colour_oval", names=names)
    assert [(one.name, said) for one, said in told if kind(one.expected, said) not in ("right", "unsure")] == []


def test_a_camera_bumped_over_a_plain_table_on_which_nothing_but_the_piles_shows_it_lays_no_card() -> None:
    """A card of the pile, seen a little aside, was said to have landed."""
    told = watched(load_models(), 500, Level.EASY, "colour_oval", names=("camera bumped", "draw"))
    assert [(one.name, said) for one, said in told if kind(one.expected, said) != "right"] == []


def test_what_is_said_of_a_story_is_judged() -> None:
    assert kind([], []) == kind(["landed R7"], ["landed R7"]) == "right"
    assert kind(["landed R7"], ["landed ?"]) == kind(["drawn 1"], ["drawn None"]) == "unsure"
    assert kind(["removed R7 B1"], []) == "none"
    assert kind(["landed R7"], ["landed R1"]) == kind([], ["landed R1"]) == "wrong"
