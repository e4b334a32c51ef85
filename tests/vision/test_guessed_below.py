"""What the pictures say of a card that shows the face of the card that lay on top."""

import numpy as np
import pytest
from test_twin import picture

from referee.cards import Card
from referee.observations import CardReading
from referee.tracker.looks import CardLook
from referee.vision.calibration import Calibration, Seat
from referee.vision.evidence import Evidence, Finding
from referee.vision.from_above import FromAbove

TABLE = Calibration((700, 500), (500.0, 357.0), np.diag([1.4, 1.4, 1.0]), (150.0, 80.0, 180.0, 180.0),
                    (400.0, 80.0, 70.0, 110.0), (56.0, 87.0), (Seat(1, (240.0, 600.0)),))  # fmt: skip
ABOVE = FromAbove(TABLE)


BARE = np.full((302, 302, 3), (70, 90, 60), np.uint8)


def seen(name, angle, on=BARE, down=0):
    """A card from above, so many pixels further down, on a table, and where it lies, table millimetres."""
    patch = BARE.copy()
    patch[50 + down : 250 + down, 50:250], quad = picture(name, "plain", angle)
    at = quad + np.float32([50, 50 + down])
    card = ABOVE.filled(at) > 0
    return np.where(card[..., None], patch, on), ABOVE.table(ABOVE.full(at))


@pytest.mark.parametrize(
    ("case", "was", "guess", "reading", "other"),
    [
        ("another card was taken for an R1", "R+2", True, CardReading(Card.parse("R1"), 0.99), True),
        ("... which the new one may be, too", "R+2", True,
         CardReading(Card.parse("R4"), 0.6, ((Card.parse("R1"), 0.3),)), True),
        ("... and the new one is none", "R+2", True, CardReading(Card.parse("G4"), 0.99), False),
        ("it was one, pushed", "R1", True, CardReading(Card.parse("R1"), 0.99), False),
        ("it was surely read", "R+2", False, CardReading(Card.parse("R1"), 0.99), False),
    ],
)  # fmt: skip
def test_a_card_with_the_guessed_face_is_another_where_it_looks_otherwise(case, was, guess, reading, other):
    (before, top), (now, quad) = seen(was, 5), seen("R1", 12)
    mask = np.zeros(now.shape[:2], np.uint8)
    finding = Finding(now, before, before, mask, 0.2, (), top, Card.parse("R1"), guess=guess)
    assert Evidence(ABOVE, finding).as_twin(CardLook(reading, quad, 1.0, 0.1)).other is other, case


@pytest.mark.parametrize(
    ("case", "was", "stayed", "stays"),
    [
        ("a like of it was laid on it", "R1", True, True),
        ("it was pushed", "R1", False, False),
        ("what was laid on it is none", "R4", True, False),
    ],
)
def test_beside_a_like_of_it_that_was_placed_by_the_change_alone_the_old_card_is_seen_to_stay(case, was, stayed, stays):
    before, top = seen(was, 5)
    now, quad = seen("R1", 5, before if stayed else BARE, 25)
    mask = np.zeros(now.shape[:2], np.uint8)
    finding = Finding(now, before, before, mask, 0.2, (), top, Card.parse(was), BARE)
    card = CardLook(CardReading(Card.parse("R1"), 0.99), quad, 1.0, 0.2, fitted=True)
    assert Evidence(ABOVE, finding).as_twin(card).stays is stays, case
