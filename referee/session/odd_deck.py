"""Whether the eye is so often unsure of the cards of this game that it should be shown the deck. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.cards import Card
from referee.events import Correct, Discard, TurnUp
from referee.session.session import EYE
from referee.storage import Entry

LANDINGS = 20
"""Last cards of the game that count. Fewer: two bad looks are a bad deck; more: the hand is over before it is said."""

UNSURE = 5
"""Of those, doubtful ones from which the deck is to be shown. Fewer: a table in poor light, of whose cards one in ten
is asked about, is told so, too; more: an odd deck, whose signs are a quarter of its cards, is put up with."""


@dataclass(frozen=True, slots=True)
class OddDeck:
    """unsure: of the last `of` cards that the eye saw, those that it did not surely know, or that people put right.

    faces: what these turned out to be, as far as that is known, the most frequent first.
    """

    unsure: int
    of: int
    faces: tuple[Card, ...]


def odd_deck(entries: Sequence[Entry]) -> OddDeck | None:
    """What speaks for showing the deck; None where too little does. entries: of one game, in the order of effect."""
    told: dict[int, list[Entry]] = {}
    landed: list[tuple[Discard | TurnUp, list[Entry]]] = []
    for entry in reversed(entries):
        event = entry.event
        if isinstance(event, Correct) and "card" in event.fields:
            told.setdefault(event.ref, []).append(entry)
        elif entry.author == EYE and isinstance(event, Discard | TurnUp):
            landed.append((event, told.get(entry.number, [])))
            if len(landed) == LANDINGS:
                break
    doubtful = [face for event, later in landed for odd, face in [_doubt(event, later)] if odd]
    if len(landed) < LANDINGS or len(doubtful) < UNSURE:
        return None
    faces = Counter(face for face in doubtful if face is not None)
    return OddDeck(len(doubtful), len(landed), tuple(face for face, _ in faces.most_common()))


def _doubt(event: Discard | TurnUp, later: list[Entry]) -> tuple[bool, Card | None]:
    """Whether the eye was in doubt about a landing, and which face it was. later: what was said of it, latest first."""
    sure, face = event.sure and event.card is not None, event.card
    for entry in reversed(later):
        assert isinstance(entry.event, Correct)
        said = _face(entry.event)
        if entry.author == EYE:  # a better look
            sure, face = sure or entry.event.fields.get("sure") is True, said or face
        elif said is not None:
            sure, face = sure and said == face, said
    return not sure, face


def _face(correction: Correct) -> Card | None:
    try:
        return Card.parse(str(correction.fields["card"]))
    except ValueError:
        return None
