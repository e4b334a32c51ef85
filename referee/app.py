"""The service: the only place where journal, session, camera, buttons, lamp and dashboard meet."""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.clock import Clock, SystemClock
from referee.config import CALIBRATION_FILE
from referee.dashboard import DashboardSettings, Server, create_app, lan_address, open_keys, serve
from referee.dashboard.machine import Machine
from referee.dashboard.server import listen
from referee.durable import clear_unfinished
from referee.enrolling import Enrolling
from referee.frame import WHOLE
from referee.hardware.buttons import ButtonPlan, Press
from referee.hardware.camera_child import CameraChild
from referee.hardware.cameras import Camera
from referee.hardware.evidence import Crop
from referee.hardware.panel import Panel
from referee.hardware.presses import meaning
from referee.hardware.signals import Signal, SignalPlan
from referee.health import CameraHealth, PaceMeter, State, Supervision, Trouble
from referee.observations import Quality, Sighting, ViewChanged
from referee.rules import PRESETS
from referee.session import Session
from referee.setting_up import SettingUp
from referee.showing import Showing
from referee.speaking import Speaking
from referee.storage import Evidence, Journal, JournalError
from referee.storage.backup import clear_leftovers
from referee.storage.evidence import FOLDER_NAME as EVIDENCE_FOLDER
from referee.storage.journal import FILE_NAME as JOURNAL_FILE
from referee.vision.calibration import Calibration, load_calibration, parse_calibration
from referee.vision.close_up import close_up
from referee.vision.deck import FILE_NAME as DECK_FILE
from referee.vision.eye import Eye
from referee.vision.survey import models_for

log = logging.getLogger(__name__)

BUTTON = "button"
"""Author of what the buttons said."""

CROP_MARGIN_MM = 25.0
"""How much of the table round the discard zone evidence shows. Too small: the arm that played is cut off; too large:
the cards are small on a phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the service is made of.

    data: folder of everything that must survive. open_camera: made to travel by pickle into the camera process; None:
    no camera, only buttons and phones. calibration and make_eye: of that camera; None: the table is to be set up first.
    close_up: a camera that can do so shows the piles larger.
    calibration_file: where the wizard writes, None: into `data`. config_file: what a backup holds, None: the usual one.
    port 0: any free one.
    supervision: how the camera process is watched. factory: gpiozero pin factory, None for this machine's own.
    machine: changes the configuration from a phone; None: nobody may.
    clock: of the session and of the buttons; it must be the camera's too, whose frames carry the machine's monotonic
    time.
    """

    data: Path
    open_camera: Callable[[], Camera] | None = None
    close_up: bool = True
    calibration: Calibration | None = None
    make_eye: Callable[[], Eye] | None = None
    calibration_file: Path | None = None
    config_file: Path | None = None
    buttons: tuple[ButtonPlan, ...] = ()
    signals: SignalPlan = field(default_factory=SignalPlan)
    factory: Any = None
    clock: Clock | None = None
    supervision: Supervision = field(default_factory=Supervision)
    host: str = "0.0.0.0"
    port: int = 8080
    threads: int = 32
    streams: int = 24
    language: str = "en"
    preset: str = "official_108"
    machine: Machine | None = None

    def __post_init__(self) -> None:
        if (self.calibration is None) != (self.make_eye is None):
            raise ValueError("a calibration and its eye come together")
        if self.open_camera is None and self.calibration is not None:
            raise ValueError("a calibration needs its camera")
        if self.preset not in PRESETS:
            raise ValueError(f"general.preset is {self.preset!r}: expected one of {', '.join(PRESETS)}")

    @property
    def where_calibrated(self) -> Path:
        """The calibration file."""
        return self.calibration_file or self.data / CALIBRATION_FILE


class Service:
    """Everything, running. Use it as a context manager, or `close` it.

    pin: the host's PIN when it was made just now, to be shown once; None later. code: the table's, for phones that lost
    their seat. Raises OSError, JournalError and
    ValueError, each with one line for people, when something that it cannot do without is missing.
    """

    def __init__(self, plan: Plan, *, on_alive: Callable[[], None] | None = None) -> None:
        self._stack = ExitStack()
        self._asked: str | None = None
        self._pace = PaceMeter()
        self._slow: tuple[Trouble, ...] = ()
        self._camera_troubles: tuple[Trouble, ...] = ()
        self._surveyed = False
        self.camera: CameraChild | None = None
        self._announced = 0
        self._telling = threading.Lock()
        self._telling_troubles = threading.Lock()
        self.panel: Panel | None = None
        with ExitStack() as stack:
            journal = Journal.to_serve(plan.data / JOURNAL_FILE)
            stack.callback(journal.close)
            clear_leftovers(plan.data)
            clear_unfinished(plan.data)
            evidence = Evidence(plan.data / EVIDENCE_FOLDER)
            self.session = Session(journal, evidence, plan.clock or SystemClock(), language=plan.language)
            stack.callback(self.session.close)
            self._announced = self.session.board()["seq"]
            stack.callback(self.session.subscribe(self._announce))
            self.set_up = SettingUp(
                file=plan.where_calibrated, data=plan.data, calibration=plan.calibration, preset=plan.preset,
                buttons=plan.buttons, watch=self._watch_with(plan),
                surveying=self._surveying,
            )  # fmt: skip
            self.showing = Showing(self.session, plan.data / DECK_FILE, self._reading_a_hand, self._pile_in_picture)
            self.enrolling = Enrolling(plan.data, self.session, self._learning_a_deck, self._use_deck(plan))
            stack.callback(self.enrolling.close)
            self.speaking = Speaking(plan.data, plan.language, self.session.announcements)
            stack.callback(self.speaking.close)
            self.server, self.pin = self._dashboard(plan)
            stack.callback(self.server.stop)
            self.panel = Panel(
                plan.buttons, plan.signals, self._pressed, self._trouble, plan.clock or SystemClock(), plan.factory
            )
            stack.callback(self.panel.close)
            self.speaking.speech.on_trouble = self._tell_troubles
            self._tell_troubles()
            self.camera = self._camera(plan, on_alive)
            if self.camera is None:
                self.session.set_eye(Quality.LOST, "no_camera")
            else:
                self.set_up.attach(self.camera)
                self.showing.attach(self.camera)
                self.enrolling.attach(self.camera)
                stack.callback(self.camera.stop)
                self.camera.start()
            self._stack = stack.pop_all()

    @property
    def address(self) -> str:
        """What phones of the same network open."""
        return lan_address(self.server.port)

    def close(self) -> None:
        """Stops everything, the camera first and the journal last. May be called twice."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    # --- the parts --------------------------------------------------------------------------------------------------

    def _dashboard(self, plan: Plan) -> tuple[Server, str | None]:
        keys, pin = open_keys(plan.data)
        presets = (plan.preset, *(name for name in PRESETS if name != plan.preset))
        port = plan.port or free_port(plan.host)
        settings = DashboardSettings(
            address=lan_address(port), streams=plan.streams, presets=presets, language=plan.language
        )
        shows, decks = (None, None) if plan.open_camera is None else (self.showing, self.enrolling)
        voice = self.speaking if self.speaking.speech.available else None
        app = create_app(
            self.session, settings, keys, plan.data, config_file=plan.config_file, set_up=self.set_up,
            machine=plan.machine, shows=shows, decks=decks, voice=voice,
        )  # fmt: skip
        self.code: str = app.extensions["people"].code
        try:
            return serve(app, plan.host, port, threads=plan.threads), pin
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                why = os.strerror(error.errno)
                what = f"port {port} cannot be used ({why}): choose another (dashboard.port, --port)"
            else:
                what = f"dashboard.host is {plan.host!r}: expected an address of this machine, such as 0.0.0.0"
            raise OSError(what) from None

    def _camera(self, plan: Plan, on_alive: Callable[[], None] | None) -> CameraChild | None:
        if plan.open_camera is None:
            return None
        crop = None if plan.calibration is None else evidence_crop(plan.calibration)
        part = close_up(plan.calibration) if plan.close_up and plan.calibration is not None else WHOLE
        return CameraChild(
            plan.open_camera, plan.make_eye, self._sighted, self._health, on_survey=self._surveyed_by,
            on_alive=on_alive, policy=plan.supervision, crop=crop, part=part,
        )  # fmt: skip

    def _watch_with(self, plan: Plan) -> Callable[[Calibration], None]:
        def watch(calibration: Calibration) -> None:
            if self.camera is not None:
                make_eye = partial(eye_over, calibration.to_json(), plan.data / DECK_FILE)
                part = close_up(calibration) if plan.close_up else WHOLE
                self.camera.use(make_eye, evidence_crop(calibration), part)

        return watch

    def _use_deck(self, plan: Plan) -> Callable[[], None]:
        watch = self._watch_with(plan)

        def use() -> None:
            if self.set_up.calibration is not None:
                watch(self.set_up.calibration)

        return use

    # --- what they tell ---------------------------------------------------------------------------------------------

    def _sighted(self, sighting: Sighting, photo: bytes | None) -> None:
        if not (self._surveyed and isinstance(sighting, ViewChanged)):  # a last word of the eye that was stopped
            try:
                self.session.sighted(sighting, photo)
            except JournalError:  # every screen says so already
                if self.panel is not None:
                    self.panel.signal(Signal.TROUBLE)

    def _surveyed_by(self, jpeg: bytes, facts: Mapping[str, Any]) -> None:
        (self.showing if "hand" in facts else self.enrolling if "deck" in facts else self.set_up).surveyed(jpeg, facts)

    def _reading_a_hand(self, on: bool) -> None:
        self._surveyed = on
        if on:
            self.session.set_eye(Quality.HAND)
            self.enrolling.lend(True)
            self.set_up.lend("hand")
        else:
            self.enrolling.lend(False)
            if not self.enrolling.looks:
                self.set_up.lend(None)

    def _learning_a_deck(self, on: bool) -> None:
        self._otherwise(on, "deck_shown")
        self.set_up.lend("deck" if on else None)

    def _pile_in_picture(self) -> tuple[float, float, float, float] | None:
        calibration = self.set_up.calibration
        if calibration is None:
            return None
        x, y, width, height = evidence_crop(calibration)
        whole = calibration.image_size
        return x / whole[0], y / whole[1], (x + width) / whole[0], (y + height) / whole[1]

    def _surveying(self, on: bool) -> None:
        self._otherwise(on, "being_set_up")

    def _otherwise(self, on: bool, why: str) -> None:
        """The camera does something else than to watch the game (on False: no longer)."""
        self._surveyed = on
        if on:
            self.session.set_eye(Quality.LOST, why)
        elif not self.set_up.ready:
            self.session.set_eye(Quality.LOST, "not_set_up")

    def _pressed(self, press: Press) -> None:
        self.set_up.pressed(press)
        if self.set_up.testing_buttons:
            return
        event = meaning(press, self.session.board(), self.session.table_time(press.t))
        if event is not None:
            self.session.record(event, BUTTON)

    def _trouble(self, troubles: tuple[Trouble, ...]) -> None:
        self.set_up.troubled(troubles)
        self._tell_troubles()
        if troubles and self.panel is not None:
            self.panel.signal(Signal.TROUBLE)

    def _tell_troubles(self) -> None:
        with self._telling_troubles:  # camera, panel and voice tell in threads of their own: the last word must stay
            pins = () if self.panel is None else self.panel.troubles
            voice = () if self.speaking.speech.trouble is None else (self.speaking.speech.trouble,)
            self.session.set_troubles((*self._camera_troubles, *pins, *self._slow, *voice))

    def _health(self, health: CameraHealth) -> None:
        pace = self._pace.look(health, time.monotonic())
        if pace is not None or not health.watching:
            self.session.set_pace(pace)
            self._slow = () if pace is None or pace.trouble is None else (pace.trouble,)
        self._camera_troubles = () if health.trouble is None else (health.trouble,)
        self._tell_troubles()
        if health.state is State.RUNNING:
            if not self._surveyed and not self.set_up.ready:
                self.session.set_eye(Quality.LOST, "not_set_up")
            return  # from here on the eye itself says how well it sees
        self.session.set_eye(Quality.LOST, "" if health.trouble else f"camera_{health.state.value}")

    def _announce(self, board: dict[str, Any]) -> None:
        """Voice, lamp and buzzer for what the board says that is new: rulings that are announced, and questions."""
        if self.panel is None:
            return
        with self._telling:
            self.speaking.announce(self._announced)
            new, self._announced = self.session.announcements(self._announced), board["seq"]
            question = board["question"]["id"] if board["question"] else None
            asked, self._asked = question is not None and question != self._asked, question
        if any(ruling["tier"] == "call" and not ruling["withdrawn"] for ruling in new):
            self.panel.signal(Signal.RULING)
        elif asked:
            self.panel.signal(Signal.QUESTION)


def evidence_crop(calibration: Calibration) -> Crop:
    """The part of the picture that evidence shows: the discard zone and a margin. x, y, width, height, pixels."""
    x, y, w, h = calibration.discard_zone_mm
    m = CROP_MARGIN_MM
    corners = [(x - m, y - m), (x + w + m, y - m), (x + w + m, y + h + m), (x - m, y + h + m)]
    px = calibration.to_image(corners)
    width, height = calibration.image_size
    left, right = max(0, int(px[:, 0].min())), min(width, int(px[:, 0].max()) + 1)
    top, bottom = max(0, int(px[:, 1].min())), min(height, int(px[:, 1].max()) + 1)
    return left, top, right - left, bottom - top


def eye_from(calibration: Path, deck: Path | None = None) -> Eye:
    """The eye over the table that a calibration file describes. Travels into the camera process.

    deck: where an enrolled deck's file would be, as of `models_for`.
    """
    return Eye(load_calibration(calibration), models_for(deck))


def eye_over(calibration: Mapping[str, Any], deck: Path) -> Eye:
    """The same over the table that is described so (`Calibration.to_json`): a demo has no file of it."""
    return Eye(parse_calibration(calibration), models_for(deck))


def free_port(host: str) -> int:
    """A port of this machine that nothing listens on now."""
    with listen(host, 0) as probe:
        return int(probe.getsockname()[1])
