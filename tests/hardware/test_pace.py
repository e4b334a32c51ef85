"""How well the eye keeps up, and that troubles of camera and buttons reach every screen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.app import Plan, Service
from referee.cards import Card
from referee.hardware.buttons import ButtonPlan
from referee.hardware.gpio import mock_factory
from referee.hardware.signals import Signal
from referee.health import CameraHealth, Pace, PaceMeter, State, Trouble
from referee.observations import CardLanded, CardReading
from referee.storage import Journal, JournalError


def running(frames: int, dropped: int = 0) -> CameraHealth:
    return CameraHealth(State.RUNNING, frames=frames, dropped=dropped)


UNPLUGGED = Trouble("unplugged", "the camera was unplugged", "Plug it in again")
STOPPED = CameraHealth(State.RESTARTING)


@pytest.mark.parametrize(
    ("told", "pace"),
    [
        ([(0.0, running(0)), (10.0, running(150))], Pace(15, 0)),
        ([(0.0, running(0)), (9.9, running(150))], None),  # too early for a word
        ([(0.0, running(100, 10)), (20.0, running(160, 100))], Pace(3, 60)),
        ([(0.0, running(500)), (5.0, STOPPED), (6.0, running(1)), (12.0, running(90))], None),  # a new process
        ([(0.0, running(500)), (12.0, running(3))], None),  # a new process that came between two words
        ([(0.0, STOPPED), (20.0, STOPPED)], None),
    ],
)
def test_the_pace_of_the_last_seconds(told: list[tuple[float, CameraHealth]], pace: Pace | None) -> None:
    meter = PaceMeter()
    assert [meter.look(health, now) for now, health in told][-1] == pace


@pytest.mark.parametrize(("pace", "slow"), [(Pace(15, 0), False), (Pace(3, 60), True), (Pace(2, 0), False)])
def test_only_an_eye_that_loses_frames_is_slow(pace: Pace, slow: bool) -> None:
    """A camera that gives two frames a second is not too fast for the eye."""
    assert (pace.trouble is not None) == slow


@pytest.fixture
def service(tmp_path: Path) -> Callable[[], Service]:
    plan = Plan(data=tmp_path, buttons=(ButtonPlan(17),), factory=mock_factory(), host="127.0.0.1", port=0)
    return lambda: Service(plan)


def test_a_start_clears_what_a_backup_that_was_cut_off_left(service: Callable[[], Service], tmp_path: Path) -> None:
    (tmp_path / ".referee-backup-1").mkdir()
    (tmp_path / "phones.json.140012345.part").touch()
    with service():
        assert not [*tmp_path.glob(".*"), *tmp_path.glob("*.part")]


def test_troubles_and_pace_are_on_the_board(service: Callable[[], Service]) -> None:
    with service() as running_service:
        session = running_service.session
        assert (session.board()["troubles"], session.board()["pace"]) == ([], None)
        stuck = Trouble("button_stuck", "the button is stuck", "Free it")
        session.set_troubles((stuck,))
        session.set_pace(Pace(12, 3))
        seq = session.board()["seq"]
        session.set_pace(Pace(12, 3))  # no news
        board = session.board()
        assert board["seq"] == seq
        assert board["troubles"] == [stuck.to_json()]
        assert board["pace"] == {"fps": 12, "lost": 3}


def test_a_card_that_cannot_be_written_down_is_on_the_board_and_the_lamp(
    service: Callable[[], Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise JournalError("the disk is full")

    with service() as running_service:
        session, shown = running_service.session, list[Signal]()
        session.start_game(("Ana", "Ben"), "official_108", "Ben", {}, "host")
        assert running_service.panel is not None
        monkeypatch.setattr(running_service.panel, "signal", shown.append)
        monkeypatch.setattr(Journal, "append", full)
        reading = CardReading(Card.parse("R7"), 0.99)
        running_service._sighted(CardLanded(t=session.now(), reading=reading, sure=True), None)
        assert [trouble["code"] for trouble in session.board()["troubles"]] == ["not_kept"]
        assert Signal.TROUBLE in shown


def test_a_camera_that_is_gone_is_not_called_slow(
    service: Callable[[], Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((0.0, 10.0, 11.0))
    monkeypatch.setattr("referee.app.time", SimpleNamespace(monotonic=lambda: next(clock)))
    with service() as running_service:
        told = []
        for health in (
            running(0),
            running(20, 80),
            CameraHealth(State.RESTARTING, frames=20, dropped=80, trouble=UNPLUGGED),
        ):
            running_service._health(health)
            board = running_service.session.board()
            told.append(([trouble["code"] for trouble in board["troubles"]], board["pace"]))
    assert told == [([], None), (["camera_slow"], {"fps": 2, "lost": 80}), (["unplugged"], None)]


def test_of_two_threads_that_tell_troubles_the_later_one_has_the_last_word(
    service: Callable[[], Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    with service() as running_service:
        session = running_service.session
        set_troubles = session.set_troubles
        camera = threading.Thread(target=running_service._health, args=(running(1),))

        def overtaken(troubles: tuple[Trouble, ...]) -> None:
            if camera.ident is None:
                camera.start()
                camera.join(0.2)  # it must wait
            set_troubles(troubles)

        running_service._health(CameraHealth(State.RESTARTING, trouble=UNPLUGGED))
        monkeypatch.setattr(session, "set_troubles", overtaken)
        running_service._trouble(())
        camera.join()
        assert session.board()["troubles"] == []


def test_a_missing_gpio_library_is_shown_to_every_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    with Service(Plan(data=tmp_path, buttons=(ButtonPlan(17),), host="127.0.0.1", port=0)) as running_service:
        assert [one["code"] for one in running_service.session.board()["troubles"]] == ["no_lgpio"]
