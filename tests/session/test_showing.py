"""A hand shown to the camera, from what was read to the event that the table agrees to."""

import pytest

from referee.cards import parse_cards
from referee.events import Show
from referee.rules import Options
from referee.session.showing import Doubt, Pile, propose, shown


def hand(text, steady=True):
    """As the camera process reports it; `R7?` was not read for sure."""
    words = text.split()
    cards = [
        {"card": word.rstrip("?") or "?", "sure": not word.endswith("?"), "at": [0.1 * i, 0.5]}
        for i, word in enumerate(words)
    ]
    return {"cards": cards, "steady": steady}


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


def test_special_wilds_count_what_the_table_says():
    proposal = propose("Ana", hand("R7 WX W+4 WS?"), (4, 4), options=Options(special_wild_points=25))
    assert proposal.points == 7 + 25 + 50
    told = proposal.to_json()
    assert (told["points"], [told["worth"][rank] for rank in ("7", "R", "W", "WS")]) == (82, [7, 20, 50, 25])


def test_an_unread_card_must_be_named():
    proposal = propose("Ana", hand("R7 B8?"), (2, 2))
    with pytest.raises(ValueError, match="separate them, or name them"):
        shown(proposal)
    assert shown(proposal, parse_cards("R7 B3")).cards == parse_cards("R7 B3")


@pytest.mark.parametrize(
    ("seen", "expected", "read"),
    [
        # cards at x = 0, 0.1, 0.2, ...; the pile lies from 0.15 to 0.35, a yellow 9 on top
        ("R7 B2 Y9 G1 B8", (3, 3), "R7 B2 B8"),  # the pile shows its top card, and one more
        ("R7 B2 Y9", (2, 20), "R7 B2"),  # it is known by its top card, whatever the hand may hold
        ("R7 B2 Y9? G1", (2, 2), "R7 B2"),  # an unread card on it, but they are too many
        ("R7 B2 R1 G1", (4, 4), "R7 B2 R1 G1"),  # the hand lies over the pile
        ("R7 B2 R1?", (3, 3), "R7 B2 ?"),
    ],
)
def test_what_lies_on_the_pile_is_not_of_the_hand(seen, expected, read):
    proposal = propose("Ana", hand(seen), expected, Pile((0.15, 0.2, 0.35, 0.8), "Y9"))
    assert proposal.to_json()["cards"] == read.split()
    assert len(proposal.at) == len(proposal.cards)
