"""Cards laid by hands that are not told from the table over the pile, as in the dark: whose they were."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from story import ENTRIES, Story, arm, new, pile

from referee.observations import CardLanded
from referee.tracker import ArmLook

FROM_BELOW = arm(ENTRIES[1], (288.0, 330.0))
FROM_THE_RIGHT = arm(ENTRIES[2], (600.0, 215.0))
DRAWS = arm(ENTRIES[2], (435.0, 215.0))
AT_REST = arm(ENTRIES[4], (100.0, 215.0))


@pytest.mark.parametrize(
    ("case", "comes", "at_pile", "goes", "after", "seat"),
    [
        ("a hand is seen on its way there", [FROM_BELOW], [], [], [], 1),
        ("... and on its way back only", [], [], [FROM_THE_RIGHT], [], 2),
        ("... and both ways", [FROM_BELOW], [], [FROM_BELOW], [], 1),
        ("two people reach in", [FROM_BELOW, FROM_THE_RIGHT], [], [], [], None),
        ("somebody draws meanwhile", [DRAWS], [DRAWS], [], [], None),
        ("... as another one is seen to come", [DRAWS, FROM_BELOW], [DRAWS], [], [], 1),
        ("an arm rests beside the pile all the time", [AT_REST], [AT_REST], [AT_REST], [AT_REST], None),
        ("nobody is seen", [], [], [], [], None),
    ],
)
def test_a_card_from_an_unseen_hand_is_of_who_alone_was_seen_to_reach_in(
    case: str,
    comes: Sequence[ArmLook],
    at_pile: Sequence[ArmLook],
    goes: Sequence[ArmLook],
    after: Sequence[ArmLook],
    seat: int | None,
) -> None:
    story, card = Story().start().rest(1.0), pile(1.0, new("R7"))
    for arms, frames in ((comes, 3), (at_pile, 6), (goes, 2)):
        for _ in range(frames):
            story.tell(arms, 0.2)
    for _ in range(15):
        story.tell(after, look=card)
    (landed,) = [s for s in story.out if isinstance(s, CardLanded)]
    assert landed.seat == seat, case
