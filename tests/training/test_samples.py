"""Training samples: repeatable, with truth that fits the picture, and never from a validation source."""

import random
from dataclasses import replace

import numpy as np
import pytest

from referee.training.decks import CARD_PX, classes, draw_decks, together
from referee.training.split import TUNING_SOURCES, VALIDATION_SOURCES, training_photos, tuning_photos
from referee.vision.classes import NO_FACE

np_random = np.random.default_rng


@pytest.fixture(scope="module")
def decks():
    return draw_decks(2, 3, lambda done, of: None)


@pytest.fixture(scope="module")
def stuff(shared):
    from referee.training.stuff import Stuff

    return Stuff.load(shared / "data")


def test_a_deck_has_every_face_and_things_that_are_none(decks):
    assert decks.images.shape == (120, CARD_PX[1], CARD_PX[0], 3)
    first = decks.rank[decks.deck == 0]
    assert sorted(set(first.tolist())) == list(range(NO_FACE + 1))


def test_a_design_drawn_in_part_has_every_rank_once_and_a_few_faces_more(decks):
    part = draw_decks(3, 4, lambda done, of: None, few=True)
    for number in range(3):
        ranks = part.rank[part.deck == number]
        assert len(ranks) == 24
        assert sorted(set(ranks.tolist())) == list(range(NO_FACE + 1))
        assert (ranks == NO_FACE).sum() == 5
    both = together(decks, part)
    assert both.images.shape[0] == len(both.rank) == len(both.indices) == 120 + 72
    assert sorted(set(both.deck.tolist())) == [0, 1, 2, 3, 4]
    assert np.array_equal(both.images[120:], part.images)


def test_no_face_is_a_class_of_its_own():
    assert classes(None) == (4, NO_FACE)


@pytest.mark.photos
def test_what_lies_under_the_grey_about_a_picture_is_not_to_be_found(decks, stuff):
    from referee.training.scenes import WHOLE_CARDS, SceneMaker

    maker = SceneMaker(decks, None, stuff, replace(WHOLE_CARDS, framed=1.0))
    for seed in range(8):
        scene = maker.make(np_random(seed))
        for edge in (scene.image[:12], scene.image[-12:], scene.image[:, :12], scene.image[:, -12:]):
            assert (edge == 128).all()
        assert not (scene.image == 128).all()
        for x, y in np.round(scene.quads[scene.in_view()].mean(1)).astype(int):
            assert scene.owner[y, x] != -3


@pytest.mark.photos
def test_scenes_repeat_from_their_seed_and_their_cards_are_in_view(decks, stuff):
    from referee.training.scenes import SCENE_PX, SceneMaker

    maker = SceneMaker(decks, None, stuff)
    for seed in random.Random(1).sample(range(1000), 8):
        one, two = (maker.make(np_random(seed)) for _ in range(2))
        assert np.array_equal(one.image, two.image)
        assert one.image.shape == (SCENE_PX, SCENE_PX, 3)
        seen = one.in_view()
        centres = one.quads[seen].mean(1)
        assert ((centres >= 0) & (centres < SCENE_PX)).all()
        assert ((one.visible[seen] >= 0.1) & (one.visible[seen] <= 1)).all()
        assert len(one.quads) == len(one.rank) == len(one.indices) > one.owner.max()


@pytest.mark.photos
def test_scenes_of_piles_show_more_wilds_than_a_deck_has(decks, stuff):
    from referee.training.scenes import PILES, SceneMaker

    def share(kind):
        maker = SceneMaker(decks, None, stuff, kind)
        scenes = [maker.make(np_random(seed)) for seed in range(60)]
        faces = sum(int((scene.rank != NO_FACE).sum()) for scene in scenes)
        return sum(int(((scene.rank != NO_FACE) & (scene.colour == 4)).sum()) for scene in scenes) / faces

    assert share(replace(PILES, wilds=0.0)) < 0.1 < 0.2 < share(replace(PILES, wilds=0.3))


@pytest.mark.photos
def test_the_indices_of_a_scene_are_where_its_cards_have_them(decks, stuff):
    from referee.training.indices import index_targets
    from referee.training.scenes import CORNERS, SceneMaker
    from referee.vision.indices import INDEX_MM, on_card

    maker = SceneMaker(decks, None, stuff, CORNERS)
    count = 0
    for seed in range(30):
        scene = maker.make(np_random(seed))
        heat, values, weight = index_targets(scene)
        ends = [q for quad in scene.quads for q in (quad, np.roll(quad, 2, 0))]
        places = [on_card(q, np.array([INDEX_MM], np.float32))[0] for q in ends]
        for y, x in np.argwhere(heat[0] == 1):
            at = (np.array([x, y]) + values[:2, y, x] + 0.5) * 4 - 0.5
            assert min(np.abs(at - place).max() for place in places) < 0.1
            assert weight[0, y, x] == 1
            count += 1
    assert count > 20


@pytest.mark.photos
def test_crops_repeat_from_their_seed(decks, stuff):
    from referee.training.crops import CropMaker

    maker = CropMaker(decks, None, stuff)
    for seed in range(20):
        (a, *first), (b, *second) = (maker.make(np_random(seed)) for _ in range(2))
        assert np.array_equal(a, b)
        assert first[:2] == second[:2]
        assert a.shape == (120, 80, 3)


@pytest.mark.photos
def test_corners_repeat_from_their_seed_and_only_faces_have_marks(decks, stuff):
    from referee.training.crops import CropMaker
    from referee.training.indices import IndexCropMaker

    maker = IndexCropMaker(CropMaker(decks, None, stuff))
    for seed in range(20):
        (a, *first, marks), (b, *second, _) = (maker.make(np_random(seed)) for _ in range(2))
        assert np.array_equal(a, b)
        assert first == second
        assert a.shape == (60, 48, 3)
        assert np.isfinite(marks).all() == (first[1] != NO_FACE)


@pytest.mark.photos
@pytest.mark.parametrize("hold_out", [False, True])
def test_no_validation_source_is_trained_on(shared, hold_out):
    sources = {photo.source for photo in training_photos(shared / "data", hold_out)}
    assert not sources & VALIDATION_SOURCES
    assert bool(sources & TUNING_SOURCES) != hold_out
    assert {photo.source for photo in tuning_photos(shared / "data")} == TUNING_SOURCES


def test_a_folder_without_labels_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"labels\.csv is missing"):
        training_photos(tmp_path, False)


@pytest.mark.usefixtures("helpers")
def test_decks_are_the_same_however_many_draw_them():
    alone, together = (draw_decks(3, 5, lambda done, of: None, few=True, workers=count) for count in (0, 2))
    for name in ("images", "colour", "rank", "deck", "radius", "indices"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))
