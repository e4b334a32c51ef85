"""Two hands at once, one at each pile: their outlines meet, and part again."""

from __future__ import annotations

from story import draws_of

from referee.tracker.looks import TableGeometry


def test_who_draws_while_laying_a_card_draws_though_both_hands_came_in_as_one() -> None:
    """As the eye had it at a rendered table: what was at the draw pile for a quarter of a second reaches on to the
    discard pile, and the other hand, which was a part of it, is at the draw pile then."""
    seats = ((1, (380.0, 590.0)), (2, (380.0, -160.0)))
    table = TableGeometry((189.1, 126.1, 190.0, 200.0), (391.1, 164.3, 90.0, 120.0), (56.0, 87.0), seats)
    both = [(386, 285, 1895, 36, 21870), (395, 248, 3907, 1585, 28495), (401, 220, 6313, 3548, 33478)]
    both += [(393, 203, 9020, 4945, 37907), (389, 198, 11490, 5421, 40847), (339, 202, 14323, 5415, 43485)]
    lays = [(264, 188, 15733, 0, 22680), (263, 179, 16591, 0, 23111), *[(260, 177, 15839, 0, 22989)] * 5]
    lays += [(264, 177, 14765, 0, 22072), (264, 178, 14179, 0, 20668), *[(273, 183, 13282, 0, 32877)] * 4]
    lays += [(288, 289, 3539, 0, 16651), (295, 329, 105, 0, 12191)]
    draws = [*[(395, 186, 0, 5427, 22680)] * 2, *[(436, 156, 0, 6196, 23062)] * 5]
    draws += [(436, 198, 0, 5388, 22072), (432, 199, 0, 3722, 20668)]
    frames = [[(368, 436, *arm)] for arm in (*both, *lays)]
    for frame, arm in zip(frames[len(both) :], draws, strict=False):
        frame.append((368, 436, *arm))
    assert draws_of(table, 15, frames) == [(1, 1)]
