"""A dim room: how dark the picture may be for what is read to count."""

from __future__ import annotations

import pytest
from drawn_table import Laid, Table

from referee.observations import CardLanded, Quality


@pytest.mark.parametrize(("gain", "sure"), [(1.0, True), (0.3, True), (0.24, True), (0.17, False)])
def test_a_card_that_lands_in_a_dim_room_is_sure_unless_it_is_dark(gain: float, sure: bool) -> None:
    table = Table()
    table.gain = gain
    table.run(1.0).reach(Laid("R7", 290, 210)).run(2.0)
    (landed,) = (sighting for sighting in table.out if isinstance(sighting, CardLanded))
    assert (landed.reading.notation, landed.sure) == ("R7", sure)
    assert table.states()[-1] is (Quality.CLEAR if sure else Quality.DARK)
