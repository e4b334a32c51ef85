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


def test_the_dark_is_said_and_so_is_its_end_and_no_card_comes_or_goes_by_it() -> None:
    table = Table().run(0.5).reach(Laid("R7", 290, 210))
    table.gain = 0.17
    assert table.run(2.5).states()[-1] is Quality.DARK
    table.gain = 1.0
    assert table.run(2.5).states()[-1] is Quality.CLEAR
    # Of so dark a picture too few levels are left to tell from the light's return whether the pile was pushed.
    assert [said for said in table.said() if said != "pile_moved"] == ["landed R7"]
