"""Contact bounce as it was recorded from a real push button, and a finger that plays it. Standard library only.

Source of the times: the example recording that comes with bouncy-button, a program for the Arduino Uno that stamps
every edge of a button (https://github.com/adamfk/bouncy-button, bbb-browser/startingDataText.js): its first 24 pushes
and 23 releases, rounded to microseconds; a pulse too short for it to time counts as 1 us. It is a bad button: one push
in five opens again for 40 to 90 ms, tens of milliseconds after it first closed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

PUSHES_US: tuple[tuple[int, ...], ...] = (
    (0,),
    (0, 45460, 45461, 45526, 45527, 45545, 45548, 45623, 45625, 45673, 45681, 45740, 45767, 45803, 45814, 45973, 45988,
     46017, 46018, 46031, 46034, 46144, 46145, 46194, 46197, 46252, 46258, 46360, 46370, 46433, 46443, 46491, 46493,
     46674, 46707, 46765, 46792, 46838, 46846, 46910, 109746),
    (0, 126, 231, 491, 495),
    (0, 26, 28, 79, 80, 81, 84),
    (0,),
    (0, 47114, 47116, 47253, 90562),
    (0, 17784, 17887, 18132, 105560),
    (0, 78, 79, 76798, 125009, 125010, 125018),
    (0,),
    (0, 72, 73),
    (0, 2, 382, 383, 547, 669, 1111, 1112, 1341, 1611, 7728, 7856, 7859, 8039, 8168, 8312, 8345, 8577, 8580, 9143, 9144,
     55815, 55820, 56018, 132341),
    (0, 1, 94),
    (0,),
    (0, 1, 22),
    (0,), (0,), (0,),
    (0, 2, 9),
    (0,), (0,), (0,),
    (0, 47, 412, 454, 541, 632, 633),
    (0, 1, 2),
    (0,),
)  # fmt: skip
"""For each push the microseconds of its edges from the first, which closes; every other one opens."""

RELEASES_US: tuple[tuple[int, ...], ...] = (
    (0,),
    (0, 2, 48, 53, 412, 473, 607, 614, 737),
    (0, 9005, 12163, 12164, 12684, 12826, 12827, 13467, 13468, 13643, 13645),
    (0,), (0,),
    (0, 1, 2151),
    (0, 1, 70),
    (0, 1, 42),
    (0, 1, 73),
    (0, 1, 161, 162, 230, 232, 256),
    (0, 2, 92),
    (0, 5, 67, 92, 399),
    (0,),
    (0, 1, 199),
    (0,),
    (0, 3, 134, 137, 244),
    (0,),
    (0, 1, 7, 14, 100, 101, 107),
    (0, 1, 54, 66, 67, 111, 786, 1407, 1408),
    (0, 1, 54, 56, 84, 346, 379),
    (0, 1, 915, 919, 920),
    (0,),
    (0, 1, 75, 76, 290, 292, 398, 403, 652, 892, 893),
)  # fmt: skip
"""The same for each release: the first edge opens, every other one closes."""

HOLD_S = (0.06, 0.25)
"""How long a finger stays after the contact has settled, seconds."""


def press_edges(number: int, rng: random.Random) -> Iterator[tuple[float, bool]]:
    """The press with this number (they repeat): seconds since the edge before, and if the contact is closed then."""
    before = 0
    for i, us in enumerate(PUSHES_US[number % len(PUSHES_US)]):
        yield (us - before) / 1e6, i % 2 == 0
        before = us
    before, hold = 0, rng.uniform(*HOLD_S)
    for i, us in enumerate(RELEASES_US[number % len(RELEASES_US)]):
        yield (us - before) / 1e6 + (hold if i == 0 else 0.0), i % 2 == 1
        before = us
