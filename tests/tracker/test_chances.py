"""Several looks at one card as one reading."""

import pytest

from referee.cards import Card
from referee.observations import CardReading
from referee.tracker.chances import mean_reading


def look(text):
    """`Y5 .5 R5 .5`: the face that was read and its chance, then the others'."""
    words = text.split()
    (card, chance), *others = zip((None if w == "?" else Card.parse(w) for w in words[::2]), map(float, words[1::2]),
                                  strict=True)  # fmt: skip
    return CardReading(card, chance, tuple(others))


@pytest.mark.parametrize(
    ("case", "looks", "mean"),
    [
        ("two that agree", ["Y5 .9", "Y5 .7 R5 .3"], "Y5 .8 R5 .15"),
        ("two that do not", ["Y5 .6 R5 .4", "R5 .9"], "R5 .65 Y5 .3"),
        ("a colour at an even chance: the one that was read", ["Y5 .5 R5 .5", "Y5 .5 R5 .5"], "Y5 .5 R5 .5"),
        ("... of three", ["Y5 .3 R5 .3 G5 .3"], "Y5 .3 R5 .3 G5 .3"),
        ("nothing is read in one", ["? .9", "W .8"], "? .45 W .4"),
    ],
)
def test_the_mean_of_looks(case, looks, mean):
    told, expected = mean_reading([look(one) for one in looks]), look(mean)
    assert (told.card, told.confidence) == (expected.card, pytest.approx(expected.confidence)), case
    assert [card for card, _ in told.alternatives] == [card for card, _ in expected.alternatives], case
    assert [p for _, p in told.alternatives] == pytest.approx([p for _, p in expected.alternatives]), case
