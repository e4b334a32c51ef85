"""How rendered scenes are scored: what counts as a face to be read, as said, as wrong, and as on top."""

import numpy as np
import pytest

from referee.cards import Card
from referee.observations import CardReading, SeenCard
from referee.training.decks import classes
from referee.training.evaluate import Failure, Score, card_of, is_known_foreign, is_special, judge, truth
from referee.training.scenes import Scene
from referee.vision.indices import IndexReading

SIZE = 300
QUAD = np.array([[0, 0], [112, 0], [112, 174], [0, 174]], np.float32)


def scene(*cards):
    """Cards as (notation or None, x): each 112 x 174 pixels, the later ones above."""
    owner = np.full((SIZE, SIZE), -1, np.int16)
    quads, labels = [], []
    for i, (name, x) in enumerate(cards):
        owner[60:234, x : x + 112] = i
        quads.append(QUAD + np.float32([x, 60]))
        labels.append(classes(None if name is None else Card.parse(name)))
    visible = np.array([(owner == i).sum() / (112 * 174) for i in range(len(cards))], np.float32)
    colour, rank = np.array(labels, np.int8).T
    return Scene(
        np.zeros((SIZE, SIZE, 3), np.uint8), np.array(quads, np.float32), visible, visible > 0.99, colour, rank,
        np.full(len(cards), 2, np.int8), owner,
    )  # fmt: skip


def seen(name, confidence=0.99, top=False):
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return SeenCard(CardReading(None if name is None else Card.parse(name), confidence), corners, 1.0, top)


def sure(card):
    return card.reading.confidence >= 0.9


@pytest.mark.parametrize(
    ("cards", "faces"),
    [
        ([("R7", 20)], ["R7"]),
        ([("R7", 20), (None, 170)], ["R7"]),
        ([("R7", 20), ("B2", 50)], ["R7", "B2"]),
        ([("R7", 20), ("B2", 30)], ["B2"]),
    ],
    ids=["alone", "beside a back", "a strip with its index shows", "the index is hidden"],
)
def test_the_faces_to_be_read_are_those_of_which_enough_shows(cards, faces):
    made = scene(*cards)
    assert [str(card_of(made, i)) for i in truth(made)] == faces


@pytest.mark.parametrize(
    ("said", "recall", "precision", "good"),
    [
        ([seen("R7"), seen("B2")], 1.0, 1.0, True),
        ([seen("R7"), seen("B2", 0.5)], 0.5, 1.0, True),
        ([seen("R7"), seen("R7")], 0.5, 0.5, False),
        ([seen("R7"), seen("G5", 0.5), seen(None)], 0.5, 1.0, True),
        ([], 0.0, 0.0, True),
    ],
    ids=["both", "one unsure", "one twice", "a wrong one unsure", "nothing"],
)
def test_faces_count_as_a_multiset(said, recall, precision, good):
    score = Score()
    assert judge(score, scene(("R7", 20), ("B2", 60)), said, sure) == good
    assert (score.recall, score.precision) == (recall, precision)


def test_a_card_that_hardly_shows_may_be_read_or_not():
    for said in ([seen("B2")], [seen("B2"), seen("R7")]):
        score = Score()
        assert judge(score, scene(("R7", 20), ("B2", 30)), said, sure)
        assert (score.recall, score.precision) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("tops", "right", "wrong"), [(["B2"], 1, 0), (["R7"], 0, 1), ([], 0, 0), (["R7", "B2"], 0, 1)]
)
def test_the_card_on_top(tops, right, wrong):
    score = Score()
    judge(score, scene(("R7", 20), ("B2", 60)), [seen(n, top=n in tops) for n in ("R7", "B2")], sure)
    assert (score.tops, score.top_right, score.top_wrong) == (1, right, wrong)


def test_recall_at_a_precision_moves_the_threshold():
    score = Score(faces=4, answers=[(0.9, True), (0.8, True), (0.7, False), (0.6, True)])
    assert score.recall_at(0.99) == 0.5
    assert score.recall_at(0.7) == 0.75


def test_scores_of_several_kinds_of_decks_count_together():
    both = Score(2, 4, 3, 3, 1, 1, 0, [(0.9, True), (0.8, True), (0.7, False)])
    both.add(Score(1, 6, 2, 2, 1, 0, 1, [(0.95, True), (0.6, True)]))
    assert both.row("decks", "pile") == "| decks | pile | 3 | 10 | 50.00% | 100.00% | 30.00% | 50.00% | 50.00% |"
    assert both.row("decks", "fan") == "| decks | fan | 3 | 10 | 50.00% | 100.00% | 30.00% | | |"
    assert Score(scenes=2).row("decks", "backs") == "| decks | backs | 2 | 0 | 0 said | | | | |"


def test_scenes_of_an_evaluation_repeat():
    from referee.training.decks import draw_decks
    from referee.training.evaluate import KINDS, scenes
    from referee.training.stuff import Stuff

    decks, stuff = draw_decks(1, 3, lambda done, of: None), Stuff.made(1)
    for name in KINDS:
        (one,), (two,) = (list(scenes(name, decks, stuff, 1, 4)) for _ in range(2))
        assert np.array_equal(one.image, two.image)
        if name in ("backs", "foreign"):
            assert truth(one) == []


@pytest.mark.parametrize(("name", "indices", "special"), [("W", 2, False), (None, 2, True), (None, 0, False)])
def test_the_corner_of_a_special_wild_is_known_from_that_of_a_face_or_another_game(name, indices, special):
    made = scene((name, 20))
    made.indices[:] = indices
    assert is_special(made, IndexReading(CardReading(Card.parse("W"), 0.98), made.quads[0], 0.6, 0.99)) is special


@pytest.mark.parametrize(
    ("indices", "shift", "known"), [(0, 0, True), (2, 0, False), (0, 80, False)],
    ids=["another game's", "a special wild", "mostly covered"],
)  # fmt: skip
def test_the_corner_of_another_games_card_in_view_is_left_to_its_picture(indices, shift, known):
    made = scene((None, 20), *([("R7", 130 - shift)] if shift else []))
    made.indices[0] = indices
    assert is_known_foreign(made, IndexReading(CardReading(Card.parse("B4"), 0.98), made.quads[0], 0.6, 0.99)) is known


def test_each_deck_of_photographs_gets_a_back_where_scenes_look_for_it():
    from referee.training.decks import CARD_PX, Pictures
    from referee.training.evaluate import _with_backs
    from referee.vision.classes import NO_FACE

    n = 3
    cards = Pictures(
        np.full((n, CARD_PX[1], CARD_PX[0], 3), 7, np.uint8),
        np.array([0, 1, 2], np.int8), np.array([4, 5, 6], np.int8),
        np.array([8, 3, 8], np.int16), np.full(n, 0.05, np.float32), np.full(n, 2, np.int8),
    )  # fmt: skip
    decks = _with_backs(cards)
    assert decks.deck.tolist() == [3, 3, 8, 8, 8]
    assert decks.rank.tolist() == [5, NO_FACE, 4, 6, NO_FACE]
    assert decks.indices.tolist() == [2, 0, 2, 2, 0]
    assert [int(image.std() > 0) for image in decks.images] == [0, 1, 0, 0, 1]


def test_wrong_faces_are_worse_than_lost_tops_and_these_than_lost_faces():
    there = scene(("R7", 20), ("B2", 150))
    surely, hardly = (Failure("pile", there, [seen("G5", confidence)]) for confidence in (0.99, 0.95))
    top = Failure("pile", there, [], wrong=False, top_lost=True, lost=1)
    many, one = (Failure("fan", there, [seen("G5", 0.5)], wrong=False, lost=n) for n in (2, 1))
    worst = sorted([one, top, hardly, many, surely], key=lambda failure: failure.badness, reverse=True)
    assert [id(failure) for failure in worst] == [id(failure) for failure in (surely, hardly, top, many, one)]
