"""By how much a pixel must differ to count."""

from __future__ import annotations

import numpy as np
import pytest

from referee.frame import Image
from referee.vision.noise import CALM_S, FLICKER_MOST, NOTICE, NOTICE_DARK, Noise

WIDE, HIGH = 40, 30
FRAME_S = 1 / 25


def grey(level: int) -> Image:
    return np.full((HIGH, WIDE, 3), level, np.uint8)


def with_patch(image: Image, by: int) -> Image:
    """The picture, lighter in the middle."""
    out = image.copy()
    out[10:20, 10:20] += np.uint8(by)
    return out


def seen(noise: Noise, pictures: list[Image], reference: Image, since: float = 0.0) -> None:
    """These pictures go by and nothing happens."""
    before = reference
    for number, picture in enumerate(pictures):
        t = since + number * FRAME_S
        noise.look(picture, t)
        noise.learn(picture, before, t, reference)
        before = picture


@pytest.mark.parametrize(
    ("ground", "by", "counts"),
    [(200, NOTICE + 1, True), (200, NOTICE, False), (0, NOTICE_DARK + 1, True), (0, NOTICE_DARK, False)],
)
def test_less_counts_where_the_table_is_dark(ground: int, by: int, counts: bool) -> None:
    noise = Noise((WIDE, HIGH))
    noise.settle(grey(ground))
    assert noise.beyond(grey(ground), with_patch(grey(ground), by)).any() == counts


def test_what_flickers_while_nothing_happens_counts_for_nothing_there_and_only_there() -> None:
    noise, table = Noise((WIDE, HIGH)), grey(100)
    noise.settle(table)
    flickering = with_patch(table, FLICKER_MOST)
    assert noise.beyond(table, flickering).any()
    seen(noise, [table, flickering] * 20, table, since=1.0)
    assert not noise.beyond(table, flickering).any()
    elsewhere = table.copy()
    elsewhere[22:28, 30:38] += np.uint8(FLICKER_MOST)
    assert noise.beyond(table, elsewhere).any()


def test_hands_teach_no_flicker() -> None:
    noise, table = Noise((WIDE, HIGH)), grey(100)
    noise.settle(table)
    hand = with_patch(table, FLICKER_MOST)
    for number in range(20):
        noise.busy_t = 1.0 + number * FRAME_S
        noise.learn(hand if number % 2 else table, table if number % 2 else hand, noise.busy_t + CALM_S / 2, table)
    assert noise.beyond(table, hand).any()


def test_what_shows_again_what_it_showed_a_moment_ago_has_not_moved() -> None:
    noise, table = Noise((WIDE, HIGH)), grey(100)
    noise.settle(table)
    hand = with_patch(table, 60)
    for number, picture in enumerate([table, table, hand]):
        noise.look(picture, number * FRAME_S)
    assert noise.moved(table, hand, None, table).any()
    noise.look(table, 3 * FRAME_S)
    assert not noise.moved(hand, table, None, table).any()
