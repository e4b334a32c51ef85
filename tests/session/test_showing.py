"""A hand shown to the camera, from what was read to the event that the table agrees to."""

import pytest

from referee.cards import Card, parse_cards
from referee.events import Show
from referee.session.showing import Doubt, place_in_words, propose, shown


def hand(text, steady=True):
    """As the camera process reports it; `R7?` was not read for sure."""
    words = text.split()
    cards = [
        {"card": word.rstrip("?") or "?", "confidence": 0.9, "sure": not word.endswith("?"), "at": [0.1 * i, 0.5]}
        for i, word in enumerate(words)
    ]
    separate = [place for place, word in enumerate(words, 1) if word.endswith("?")]
    points = sum(Card.parse(word).points for word in words if not word.endswith("?"))
    return {"cards": cards, "points": points, "steady": steady, "separate": separate}


@pytest.mark.parametrize(
    ("text", "steady", "expected", "doubts"),
    [
        ("R7 B2", True, (2, 2), []),
        ("R7 B2", True, None, []),
        ("R7 B2", True, (1, 20), []),
        ("", False, (2, 2), [Doubt.NONE_SEEN]),
        ("R7", True, (2, 3), [Doubt.FEW]),
        ("R7 B2 W", True, (2, 2), [Doubt.MANY]),
        ("R7 B2?", True, (2, 2), [Doubt.UNSURE]),
        ("R7 ?", False, (3, 3), [Doubt.FEW, Doubt.UNSURE, Doubt.MOVING]),
    ],
)
def test_doubts(text, steady, expected, doubts):
    proposal = propose("Ana", hand(text, steady), expected)
    assert list(proposal.doubts) == doubts
    assert proposal.settled == (not doubts)


def test_a_settled_hand_is_recorded_as_it_was_read():
    proposal = propose("Ana", hand("R7 BS W+4"), (3, 3))
    assert proposal.points == 77
    assert shown(proposal) == Show(by="Ana", cards=parse_cards("R7 BS W+4"))


def test_an_unread_card_must_be_named():
    proposal = propose("Ana", hand("R7 B8?"), (2, 2))
    with pytest.raises(ValueError, match="separate them, or name them"):
        shown(proposal)
    assert shown(proposal, parse_cards("R7 B3")).cards == parse_cards("R7 B3")


@pytest.mark.parametrize(
    ("place", "of", "words"),
    [
        (1, 1, "leftmost"), (1, 7, "leftmost"), (2, 7, "2nd from the left"), (3, 7, "3rd from the left"),
        (4, 7, "middle"), (5, 7, "3rd from the right"), (7, 7, "rightmost"), (2, 2, "rightmost"),
        (4, 9, "4th from the left"),
    ],
)  # fmt: skip
def test_places_in_words(place, of, words):
    assert place_in_words(place, of) == words
