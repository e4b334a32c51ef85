"""The mock pins of the simulated table press real `gpiozero.Button`s."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from referee.virtual_table import VirtualButtons
from referee.virtual_table.buttons import press_edges


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()
    factory.close()


@pytest.mark.parametrize("seed", range(5))
def test_a_press_bounces_is_held_and_ends_open(seed: int) -> None:
    edges = press_edges(Random(seed))
    levels = [closed for _, closed in edges]
    assert levels[0]
    assert not levels[-1]
    assert all(a != b for a, b in zip(levels, levels[1:], strict=False))
    held = [wait for wait, closed in edges if wait > 0.05]
    assert len(held) == 1
    assert sum(wait for wait, _ in edges) - held[0] < 0.02


def test_a_press_reaches_a_gpiozero_button(factory: MockFactory) -> None:
    slept: list[float] = []
    seen: list[str] = []
    buttons = VirtualButtons({1: 17, 2: 27}, factory, sleep=slept.append)
    with gpiozero.Button(17, pin_factory=factory) as first, gpiozero.Button(27, pin_factory=factory) as second:
        first.when_pressed = lambda: seen.append("1 down")
        first.when_released = lambda: seen.append("1 up")
        second.when_pressed = lambda: seen.append("2 down")
        buttons.press(1)
        assert not first.is_pressed
    assert seen[0] == "1 down"
    assert seen[-1] == "1 up"
    assert len(seen) > 2, "a contact bounces"
    assert not [s for s in seen if s.startswith("2")]
    assert sum(slept) > 0.05


def test_a_seat_without_a_button_is_an_error(factory: MockFactory) -> None:
    with pytest.raises(KeyError):
        VirtualButtons({1: 17}, factory).press(3)
