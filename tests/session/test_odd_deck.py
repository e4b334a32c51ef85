"""When the host is told to show the deck: a clear share of the last cards was in doubt, whoever settled it."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.events import Correct, Discard, Pass
from referee.session.odd_deck import LANDINGS, UNSURE, OddDeck, odd_deck
from referee.storage import Entry

R1, R6, B8 = (Card.parse(word) for word in ("R1", "R6", "B8"))


def landing(number, card=B8, *, sure=True, author="eye"):
    return Entry(number, 1, Discard(t=float(number), card=card, by=None, sure=sure), author, 0.0)


def said(number, ref, card, *, author="Ana", **fields):
    return Entry(number, 1, Correct(t=float(number), ref=ref, fields={"card": card, **fields}), author, 0.0)


def game(doubtful, landings=LANDINGS, **how):
    """Landings, the first of them in doubt."""
    return [landing(n, **(how if n <= doubtful else {})) for n in range(1, landings + 1)]


def unsure(n, *faces):
    return OddDeck(n, LANDINGS, faces)


@pytest.mark.parametrize(
    ("what", "entries", "told"),
    [
        ("a deck that it knows", game(0), None),
        ("one in ten", game(2, sure=False), None),
        ("a quarter", game(UNSURE, card=R6, sure=False), unsure(5, R6)),
        ("not read at all", game(UNSURE, card=None, sure=False), unsure(5)),
        ("a game that has just begun", game(UNSURE, landings=LANDINGS - 1, card=R6, sure=False), None),
        ("long ago", game(UNSURE, landings=LANDINGS + 1, card=R6, sure=False), None),
        ("entered by people", game(UNSURE, sure=False, author="Ana"), None),
    ],
)  # fmt: skip
def test_how_many_cards_were_in_doubt(what, entries, told):
    assert odd_deck(entries) == told


@pytest.mark.parametrize(
    ("what", "sure", "later", "told"),
    [
        ("a better look", False, [{"card": "R6", "sure": True, "author": "eye"}], None),
        ("a look that is no better", False, [{"card": "R6", "sure": False, "author": "eye"}], unsure(5, R6)),
        ("people named it", False, [{"card": "R1"}], unsure(5, R1)),
        ("people confirmed what was sure", True, [{"card": "B8"}], None),
        ("people put right what was sure", True, [{"card": "R1"}], unsure(5, R1)),
        ("the eye, then people", False, [{"card": "R6", "sure": True, "author": "eye"}, {"card": "R1"}], unsure(5, R1)),
    ],
)  # fmt: skip
def test_what_is_said_of_a_card_afterwards_counts(what, sure, later, told):
    entries = game(UNSURE, sure=sure)
    number = 100
    for ref in range(1, UNSURE + 1):
        for one in later:
            entries.append(said(number, ref, **one))
            number += 1
    assert odd_deck(entries) == told


def test_the_faces_are_told_the_most_doubted_first_and_other_events_do_not_matter():
    entries = [landing(n, card=[R1, R6][n % 2 or n < 4], sure=n > 6) for n in range(1, 21)]
    entries.insert(3, Entry(99, 1, Pass(t=3.5, by="Ana"), "Ana", 0.0))
    assert odd_deck(entries) == OddDeck(6, 20, (R6, R1))
