"""Light that washes out the table, and cards in it whose colours are still to be seen, or are not."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_table import Laid, Table

from referee.observations import CardLanded, Quality
from referee.vision.sight import is_washed_out


@pytest.mark.parametrize(
    ("cloth", "gain", "face", "state"),
    [(1.0, 1.0, "B9", Quality.CLEAR), (2.2, 1.0, "B9", Quality.CLEAR), (0.8, 2.85, "R7", Quality.CLEAR),
     (0.8, 2.85, "B9", Quality.GLARE)],
    ids=["a dark cloth", "a white table in hard light", "so much light that the cloth is white", "and blue is cyan"],
)  # fmt: skip
def test_a_card_is_sure_unless_it_is_washed_out_itself(cloth: float, gain: float, face: str, state: Quality) -> None:
    table = Table(cloth=cloth, gain=gain)
    table.knower.finds = True
    table.run(1.0).reach(Laid(face, 290, 210)).run(2.0)
    (landed,) = (sighting for sighting in table.out if isinstance(sighting, CardLanded))
    assert (landed.reading.notation, landed.sure) == (face, state is Quality.CLEAR)
    assert table.states()[-1] is state


@pytest.mark.parametrize("frames", range(3))
def test_a_card_that_is_washed_out_beside_a_clear_one_is_not_sure_whenever_it_lands(frames: int) -> None:
    table = Table(cloth=0.8, gain=2.85)  # leaves red as it is
    table.knower.finds = True
    table.run(1.0).reach(Laid("R7", 290, 210)).run(1.0)
    table.run(1.0 + frames / table.fps).reach(Laid("B9", 345, 215))
    sure = {s.reading.notation: s.sure for s in table.out if isinstance(s, CardLanded)}
    assert sure == {"R7": True, "B9": False}


@pytest.mark.parametrize(
    ("bgr", "washed_out"),
    [((40, 40, 255), False), ((180, 255, 180), False), ((0, 255, 255), False), ((255, 255, 90), True),
     ((255, 90, 255), True), ((255, 255, 255), True)],
    ids=["red", "pale green", "yellow, asked about elsewhere", "cyan", "magenta", "white"],
)  # fmt: skip
def test_a_hue_is_lost_where_blue_and_another_channel_are_full(bgr: tuple[int, int, int], washed_out: bool) -> None:
    assert is_washed_out(np.full((50, 3), bgr, np.uint8)) is washed_out


@pytest.mark.parametrize(
    ("white", "cyan", "washed_out"), [(0.45, 0.0, False), (0.7, 0.0, True), (0.45, 0.1, False), (0.45, 0.2, True)]
)
def test_a_white_border_and_oval_wash_no_card_out_and_hide_no_lost_hue(
    white: float, cyan: float, washed_out: bool
) -> None:
    card = np.full((100, 3), (40, 40, 210), np.uint8)
    card[: round(100 * white)] = 255
    card[-max(1, round(100 * cyan)) :] = (255, 255, 90) if cyan else (40, 40, 210)
    assert is_washed_out(card) is washed_out
