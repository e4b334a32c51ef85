"""Buttons, lamp and buzzer on gpiozero's mock pins."""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from referee.clock import ManualClock
from referee.config import ButtonConfig
from referee.hardware import gpio
from referee.hardware.buttons import ButtonPlan, Buttons, Press, Role, plan_buttons
from referee.hardware.gpio import GpioError
from referee.hardware.panel import Panel
from referee.hardware.setup import button_plans
from referee.hardware.signals import PATTERNS, Light, Outputs, Signal, SignalPlan, Signals
from referee.health import Trouble

PATIENCE_S = 20.0


@pytest.fixture
def factory() -> Iterator[Any]:
    factory = gpio.mock_factory()
    yield factory
    factory.close()


class Table:
    """Buttons whose time is set by hand."""

    def __init__(self, plans: tuple[ButtonPlan, ...], factory: Any) -> None:
        self.presses: list[Press] = []
        self.troubles: list[tuple[str, str]] = []
        self.clock = ManualClock(1.0)
        self.factory = factory
        self.buttons = Buttons(plans, factory, self.presses.append, self._trouble, self.clock)

    def _trouble(self, plan: ButtonPlan, trouble: Trouble | None) -> None:
        self.troubles.append((plan.name, "well" if trouble is None else trouble.code))

    def hold(self, pin: int, seconds: float, down: bool = True) -> None:
        """Puts a pin low (or high) and lets time pass."""
        line = self.factory.pin(pin)
        line.drive_low() if down else line.drive_high()
        self.clock.t += seconds
        self.buttons.poll()

    def push(self, pin: int) -> None:
        for down in (True, False):
            for seconds in (0.001, 0.002, 0.15):  # down, up, down: it bounces
                self.hold(pin, seconds, down)
                down = not down


@pytest.mark.parametrize(
    ("pins", "seats"), [([17], [None]), ([17, 27], [1, 2]), ([], []), ([5, 6, 13, 19], [1, 2, 3, 4])]
)
def test_one_pin_is_the_tables_button_several_are_the_seats(pins: list[int], seats: list[int | None]) -> None:
    assert [plan.seat for plan in plan_buttons(pins)] == seats


@pytest.mark.parametrize(("pin", "seat"), [(0, None), (28, None), (17, 0)])
def test_a_button_where_none_can_be(pin: int, seat: int | None) -> None:
    with pytest.raises(ValueError):
        ButtonPlan(pin, seat)


def test_a_press_belongs_to_its_seat_and_to_the_moment_of_its_first_edge(factory: Any) -> None:
    table = Table(plan_buttons([17, 27]), factory)
    table.push(27)
    table.push(17)
    assert [(press.seat, round(press.t, 3)) for press in table.presses] == [(2, 1.0), (1, 1.306)]
    assert table.troubles == []
    table.buttons.close()


def test_two_hundred_bouncing_pushes_are_two_hundred_presses(factory: Any) -> None:
    table = Table(plan_buttons([17]), factory)
    for _ in range(200):
        table.push(17)
    assert len(table.presses) == 200
    table.buttons.close()


def test_a_press_says_which_button_it_was(factory: Any) -> None:
    config = ButtonConfig((5, 6), (26,), (16,), (12,), (17, 27, 22, 23))
    table = Table(button_plans(config), factory)
    for pin in (6, 26, 16, 12, 17, 27, 22, 23):
        table.push(pin)
    roles = [Role.UNO, Role.CATCH, Role.CHALLENGE, Role.DRAW, Role.RED, Role.YELLOW, Role.GREEN, Role.BLUE]
    assert [(press.role, press.seat) for press in table.presses] == [
        (role, 2 if role is Role.UNO else None) for role in roles
    ]
    table.buttons.close()


def test_a_stuck_button_is_named_and_so_is_its_recovery(factory: Any) -> None:
    table = Table(plan_buttons([17]), factory)
    table.hold(17, 11.0)
    table.hold(17, 1.0, down=False)
    assert table.troubles == [
        ("UNO button of the table (GPIO 17)", "button_stuck"),
        ("UNO button of the table (GPIO 17)", "well"),
    ]
    table.buttons.close()


def test_a_button_to_three_volts(factory: Any) -> None:
    table = Table((ButtonPlan(17, None, active_low=False),), factory)
    table.hold(17, 0.1, down=False)
    table.hold(17, 0.1, down=True)
    assert [press.t for press in table.presses] == [1.0]
    table.buttons.close()


def test_two_uses_of_one_pin_are_refused_by_name(factory: Any) -> None:
    with pytest.raises(GpioError, match="GPIO 17 cannot be used for the UNO button at seat 2") as raised:
        Table(plan_buttons([17, 17]), factory)
    assert raised.value.trouble.code == "bad_pin"


# --- lamp and buzzer ------------------------------------------------------------------------------------------------


class Shown:
    """What lamp and buzzer showed, in order."""

    def __init__(self) -> None:
        self.steps: queue.Queue[tuple[Light, bool]] = queue.Queue()
        self.player = Signals(lambda light, buzz: self.steps.put((light, buzz)))

    def take(self, n: int) -> list[tuple[Light, bool]]:
        return [self.steps.get(timeout=PATIENCE_S) for _ in range(n)]


@pytest.fixture
def shown() -> Iterator[Shown]:
    shown = Shown()
    yield shown
    shown.player.close()


def test_every_signal_begins_with_light_and_ends_dark() -> None:
    assert set(PATTERNS) == set(Signal)
    for steps in PATTERNS.values():
        assert steps[0].light is not Light.OFF
        assert all(step.seconds > 0 for step in steps)


def test_a_press_is_played_and_then_dark(shown: Shown) -> None:
    shown.player.signal(Signal.PRESSED)
    assert shown.take(3) == [(Light.WHITE, True), (Light.WHITE, False), (Light.OFF, False)]


def test_a_press_interrupts_a_ruling_which_is_then_played_again(shown: Shown) -> None:
    shown.player.signal(Signal.RULING)
    assert shown.take(1) == [(Light.RED, True)]
    shown.player.signal(Signal.PRESSED)
    assert shown.take(4) == [(Light.WHITE, True), (Light.WHITE, False), (Light.OFF, False), (Light.RED, True)]


def test_a_colour_takes_the_place_of_the_colour_before(shown: Shown) -> None:
    shown.player.signal(Signal.RED)
    assert shown.take(1) == [(Light.RED, True)]
    shown.player.signal(Signal.BLUE)
    assert shown.take(3) == [(Light.BLUE, True), (Light.BLUE, False), (Light.OFF, False)]
    assert shown.steps.empty()


def test_once_closed_nothing_lights_up_any_more(shown: Shown) -> None:
    shown.player.signal(Signal.RULING)
    shown.player.close()
    assert shown.take(2) == [(Light.RED, True), (Light.OFF, False)]
    shown.player.signal(Signal.PRESSED)
    assert shown.steps.empty()


def test_a_question_waits_for_the_press(shown: Shown) -> None:
    shown.player.signal(Signal.PRESSED)
    shown.player.signal(Signal.QUESTION)
    assert [light for light, _ in shown.take(4)] == [Light.WHITE, Light.WHITE, Light.OFF, Light.YELLOW]


@pytest.mark.parametrize(
    ("lamp", "light", "levels"),
    [
        ((22, 23, 24), Light.YELLOW, [True, True, False]),
        ((22, 23, 24), Light.OFF, [False, False, False]),
        ((22,), Light.BLUE, [True]),
        ((22,), Light.OFF, [False]),
        ((22, 23, 24, 26), Light.GREEN, [False, False, True, False]),
        ((22, 23, 24, 26), Light.WHITE, [True, True, True, True]),
    ],
)
def test_the_lamps_pins(factory: Any, lamp: tuple[int, ...], light: Light, levels: list[bool]) -> None:
    outputs = Outputs(SignalPlan(lamp, buzzer=25), factory)
    outputs.show(light, True)
    assert [bool(factory.pin(pin).state) for pin in lamp] == levels
    assert factory.pin(25).state
    outputs.close()


@pytest.mark.parametrize("plan", [{"lamp": (1, 2)}, {"lamp": (40,)}, {"buzzer": 1}])
def test_a_lamp_that_cannot_be(plan: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        SignalPlan(**plan)


# --- together -------------------------------------------------------------------------------------------------------


def test_a_push_is_told_and_the_lamp_answers(factory: Any) -> None:
    presses: queue.Queue[Press] = queue.Queue()
    lit: queue.Queue[int] = queue.Queue()
    panel = Panel(plan_buttons([17]), SignalPlan(lamp=(22,)), presses.put, lambda troubles: None, factory=factory)
    lamp = factory.pin(22)
    change = lamp._change_state
    lamp._change_state = lambda value: (lit.put(value), change(value))[1]
    factory.pin(17).drive_low()
    assert presses.get(timeout=PATIENCE_S).seat is None
    assert lit.get(timeout=PATIENCE_S) == 1
    panel.close()
    panel.close()


def test_a_colour_button_is_answered_in_its_colour(factory: Any) -> None:
    presses: queue.Queue[Press] = queue.Queue()
    lit: queue.Queue[int] = queue.Queue()
    plans = button_plans(ButtonConfig(uno_pins=(), colour_pins=(17, 27, 22, 23)))
    panel = Panel(plans, SignalPlan(lamp=(5, 6, 13, 19)), presses.put, lambda troubles: None, factory=factory)
    for pin in (5, 6, 13, 19):
        line = factory.pin(pin)
        line._change_state = lambda on, pin=pin, change=line._change_state: (on and lit.put(pin), change(on))[1]
    factory.pin(22).drive_low()
    assert presses.get(timeout=PATIENCE_S).role is Role.GREEN
    assert lit.get(timeout=PATIENCE_S) == 13  # the third of the row is the green one
    panel.close()


def test_a_press_that_cannot_be_recorded_does_not_silence_the_next(
    factory: Any, caplog: pytest.LogCaptureFixture
) -> None:
    calls: queue.Queue[Press] = queue.Queue()

    def fail(press: Press) -> None:
        calls.put(press)
        raise OSError("disk full")

    panel = Panel(plan_buttons([17, 27]), SignalPlan(), fail, lambda troubles: None, factory=factory)
    factory.pin(17).drive_low()
    factory.pin(27).drive_low()
    assert {calls.get(timeout=PATIENCE_S).seat for _ in range(2)} == {1, 2}
    panel.close()
    assert "disk full" in caplog.text


def test_no_answer_waits_for_the_referees_work(factory: Any) -> None:
    card_is_slow, recorded = threading.Event(), queue.Queue[Press]()

    def record(press: Press) -> None:
        assert card_is_slow.wait(PATIENCE_S)
        recorded.put(press)

    lit: queue.Queue[int] = queue.Queue()
    plans = button_plans(ButtonConfig(uno_pins=(), colour_pins=(17, 27, 22, 23)))
    panel = Panel(plans, SignalPlan(lamp=(5, 6, 13, 19)), record, lambda troubles: None, factory=factory)
    for pin in (5, 6, 13, 19):
        line = factory.pin(pin)
        line._change_state = lambda on, pin=pin, change=line._change_state: (on and lit.put(pin), change(on))[1]
    for pin, lamp in ((17, 5), (22, 13)):
        factory.pin(pin).drive_low()
        assert lit.get(timeout=PATIENCE_S) == lamp
    assert recorded.empty()
    card_is_slow.set()
    panel.close()  # which waits until both are recorded
    assert [recorded.get_nowait().role for _ in range(2)] == [Role.RED, Role.GREEN]


def test_nothing_wired_needs_no_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    panel = Panel((), SignalPlan(), lambda press: None, lambda troubles: None)
    panel.signal(Signal.RULING)
    assert panel.troubles == ()
    panel.close()


def test_without_gpio_it_says_what_is_missing_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setenv("LG_WD", os.environ.get("LG_WD", "/tmp"))
    with caplog.at_level(logging.WARNING):
        panel = Panel(plan_buttons([17]), SignalPlan(), lambda press: None, lambda troubles: None)
    assert panel.trouble is not None
    assert panel.trouble.code == "no_lgpio"
    assert "python3-lgpio" in panel.trouble.remedy
    assert "phones" in caplog.text
    panel.signal(Signal.PRESSED)
    panel.close()


def test_the_mock_is_used_only_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    factory = gpio.open_factory()
    assert type(factory).__name__ == "MockFactory"
    factory.close()
