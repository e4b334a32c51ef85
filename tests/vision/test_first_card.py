"""What lies on the pile when watching begins did not land; what a hand was seen to bring afterwards did."""

from __future__ import annotations

import pytest
from drawn_table import Knower, Laid, Table


@pytest.mark.parametrize(("shadow", "rim"), [(0.55, 20.0), (0.6, 40.0)])
def test_the_first_card_lands_where_a_shadow_that_was_settled_goes_with_the_hand(shadow: float, rim: float) -> None:
    """Where the hand was looked like an arm until it was known for the table in more light, and the card with it."""
    table = Table(shadow=shadow, shade_rim_px=rim, shade_at=(290.0, 500.0)).run(1.0)
    for table.arm_mm in (400.0, 330.0, 270.0, 240.0, 240.0):
        table.run(1 / table.fps)
    table.knower.laid.append(Laid("R7", 290, 210))
    table.shadow = 0.0
    for table.arm_mm in (240.0, 300.0, 380.0, None):
        table.run(1 / table.fps)
    assert table.run(2.0).said() == ["landed R7"]


def test_a_card_that_a_hand_hid_when_watching_began_did_not_land() -> None:
    """The place of the hand looks like an arm once it has gone, and was not seen to come."""
    table = Table(Knower(laid=[Laid("R7", 290, 210)]), arm_mm=190.0).run(1.5)
    table.knower.finds = True
    for table.arm_mm in (260.0, 330.0, 400.0, None):
        table.run(1 / table.fps)
    assert table.run(2.0).said() == []
