"""The camera process: real processes, really stopped, killed and hung."""

from __future__ import annotations

import errno
import os
import pickle
import queue
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import fakes
import numpy as np
import pytest

from referee.hardware import wire
from referee.hardware.camera_child import CameraChild
from referee.hardware.camera_loop import SURVEY_S, Preparing, Surveyed
from referee.health import CameraHealth, State, Supervision
from referee.observations import CardLanded, Sighting

QUICK = Supervision(
    heartbeat_limit_s=1.0,
    start_limit_s=20.0,
    restarts=2,
    window_s=60.0,
    restart_delay_s=0.0,
    pause_s=30.0,
    stop_limit_s=2.0,
)
PATIENCE_S = 30.0  # only a broken test waits as long


class Watch:
    """A camera child and everything it said."""

    def __init__(self, open_camera: Callable[[], Any], make_eye: Callable[[], Any], **options: Any) -> None:
        self.said: queue.Queue[CameraHealth | tuple[Sighting, bytes | None]] = queue.Queue()
        self.surveys: queue.Queue[tuple[bytes, Any]] = queue.Queue()
        self.alive = 0
        options.setdefault("policy", QUICK)
        self.child = CameraChild(
            open_camera, make_eye, lambda s, photo: self.said.put((s, photo)), self.said.put,
            on_survey=lambda jpeg, facts: self.surveys.put((jpeg, facts)), on_alive=self._count, **options,
        )  # fmt: skip
        self.sightings: list[tuple[Sighting, bytes | None]] = []
        self.states: list[State] = []

    def _count(self) -> None:
        self.alive += 1

    def until(self, happened: Callable[[CameraHealth], bool]) -> CameraHealth:
        """Listens until `happened`; what was seen meanwhile is in `sightings` and `states`."""
        while True:
            said = self.said.get(timeout=PATIENCE_S)
            if isinstance(said, tuple):
                self.sightings.append(said)
                continue
            if not self.states or self.states[-1] is not said.state:
                self.states.append(said.state)
            if happened(said):
                return said

    def until_state(self, state: State) -> CameraHealth:
        return self.until(lambda health: health.state is state)


@pytest.fixture
def watch() -> Iterator[Callable[..., Watch]]:
    running: list[Watch] = []

    def start(
        open_camera: Callable[[], Any], make_eye: Callable[[], Any] = fakes.LandsEveryTenth, **options: Any
    ) -> Watch:
        running.append(Watch(open_camera, make_eye, **options))
        running[-1].child.start()
        return running[-1]

    yield start
    for one in running:
        one.child.stop()


def test_a_recording_is_seen_frame_by_frame_to_its_end(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, live=False, frames=45, pace_s=0.0), clock_offset_s=100.0)
    health = one.until_state(State.ENDED)
    assert (health.frames, health.dropped, health.restarts) == (45, 0, 0)
    assert [round(s.t, 1) for s, _ in one.sightings] == [100.1, 101.1, 102.1, 103.1, 104.1]
    assert one.states == [State.STARTING, State.RUNNING, State.ENDED]


def test_a_landing_comes_with_a_picture_of_before_and_after(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, live=False, frames=30, pace_s=0.0), crop=(10, 10, 60, 40))
    one.until_state(State.ENDED)
    pictures = [cv2.imdecode(np.frombuffer(photo or b"", np.uint8), cv2.IMREAD_COLOR) for _, photo in one.sightings]
    assert all(isinstance(s, CardLanded) for s, _ in one.sightings)
    assert [picture.shape[:2] for picture in pictures] == [(40, 60), (40, 60), (40, 126)]


def test_a_machine_without_memory_for_the_process_is_asked_again(
    watch: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)), BlockingIOError(errno.EAGAIN, "no process")]
    start = subprocess.Popen

    def popen(*arguments: Any, **options: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return start(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    one = watch(partial(fakes.FakeCamera, pace_s=0.002))
    health = one.until_state(State.RESTARTING)
    assert health.trouble is not None
    assert health.trouble.what == "the camera process could not be started (no process)"
    assert one.until_state(State.RUNNING).restarts == 2


def test_a_slow_eye_gets_the_newest_frame_and_the_others_are_counted(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, pace_s=0.002), fakes.Slow)
    health = one.until(lambda h: h.frames >= 5)
    assert health.dropped > health.frames
    assert health.watching


def test_no_sighting_is_lost_or_doubled_however_many_there_are(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, live=False, frames=2000, pace_s=0.0), fakes.Talkative)
    one.until_state(State.ENDED)
    assert [s.t for s, _ in one.sightings] == [float(i) for i in range(10_000)]


@pytest.mark.parametrize(
    ("camera", "code"),
    [
        (fakes.FakeCamera(frames=3, then="hang"), "hang"),
        (fakes.FakeCamera(frames=3, then="starve"), "hang"),
        (fakes.FakeCamera(frames=3, then="raise"), "crashed"),
        (fakes.FakeCamera(frames=3, then="die"), "crashed"),
        (fakes.FakeCamera(frames=3, then="unplug"), "unplugged"),
        (fakes.FakeCamera(frames=3, then="raise", hang_on_close=True), "hang"),
    ],
    ids=["hangs", "starves", "raises", "dies", "is unplugged", "hangs while it is closed"],
)
def test_a_camera_that_fails_is_named_and_started_again(
    watch: Callable[..., Watch], tmp_path: Path, camera: fakes.FakeCamera, code: str
) -> None:
    one = watch(partial(fakes.opens_once, str(tmp_path / "opened"), camera))
    health = one.until_state(State.RESTARTING)
    assert health.trouble is not None
    assert health.trouble.code == code
    assert health.trouble.remedy
    health = one.until_state(State.RUNNING)
    assert health.trouble is None
    assert health.restarts == 1


@pytest.mark.parametrize(
    ("sign", "code"), [(signal.SIGKILL, "crashed"), (signal.SIGSTOP, "hang"), (signal.SIGSEGV, "crashed")]
)
def test_a_process_that_is_hit_by_a_signal_comes_back(
    watch: Callable[..., Watch], sign: signal.Signals, code: str
) -> None:
    one = watch(fakes.FakeCamera)
    one.until_state(State.RUNNING)
    pid = one.child.pid
    assert pid is not None
    os.kill(pid, sign)
    health = one.until_state(State.RESTARTING)
    assert health.trouble is not None
    assert health.trouble.code == code
    one.until_state(State.RUNNING)
    assert one.child.pid != pid
    assert not Path(f"/proc/{pid}").exists(), "the old process was not waited for"


def test_after_too_many_restarts_it_waits_and_says_why(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.opens_never)
    health = one.until_state(State.WAITING)
    assert health.trouble is not None
    assert (health.trouble.code, health.trouble.remedy, health.restarts) == ("not_found", "Plug one in", 3)
    assert one.states == [
        State.STARTING,
        State.RESTARTING,
        State.STARTING,
        State.RESTARTING,
        State.STARTING,
        State.WAITING,
    ]
    one.child.stop()
    assert one.child.health.state is State.STOPPED


def test_a_clean_stop_ends_even_a_camera_that_hangs_while_it_is_closed(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, hang_on_close=True))
    one.until_state(State.RUNNING)
    pid = one.child.pid
    one.child.stop()
    assert one.child.health.state is State.STOPPED
    assert not Path(f"/proc/{pid}").exists()


def test_the_service_watchdog_is_fed_while_frames_are_looked_at(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, live=False, frames=10, pace_s=0.0))
    one.until_state(State.ENDED)
    assert one.alive >= 1


def cards_seen(one: Watch, until: str) -> list[str]:
    """Cards in the order of the sightings, up to the first `until`."""
    while True:
        one.until(lambda health: True)
        cards = [str(sighting.reading.card) for sighting, _ in one.sightings if isinstance(sighting, CardLanded)]
        if until in cards:
            return cards


def test_a_survey_takes_the_place_of_watching_until_it_ends(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.FakeCamera)
    one.until(lambda health: health.frames > 20)
    assert one.surveys.empty()
    one.child.survey(fakes.Counting)
    jpeg, facts = one.surveys.get(timeout=PATIENCE_S)
    assert (jpeg[:2], facts) == (b"\xff\xd8", {"n": 1})
    seen = len(one.sightings)
    one.until(lambda health: health.frames > 60)
    assert len(one.sightings) <= seen + 2  # what was on its way
    one.child.survey(None)
    while len(one.sightings) <= seen + 2:
        one.until(lambda health: True)


def test_a_survey_that_people_wait_for_looks_more_often(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.FakeCamera)
    looks = {}
    for make in (fakes.Counting, fakes.Hurrying):
        one.child.survey(make)
        while one.surveys.get(timeout=PATIENCE_S)[1] != {"n": 1}:
            pass
        start = time.monotonic()
        while one.surveys.get(timeout=PATIENCE_S)[1] != {"n": 3}:
            pass
        looks[make] = time.monotonic() - start
    assert looks[fakes.Hurrying] < SURVEY_S < 2 * SURVEY_S * 0.9 < looks[fakes.Counting]


def test_a_camera_settles_anew_only_while_an_eye_sees_nobody(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.SettlingCamera, fakes.SeesNobody)
    one.until(lambda health: health.camera == "may settle")
    one.child.survey(fakes.Counting)  # hands are shown: their cards are no other light
    one.surveys.get(timeout=PATIENCE_S)
    seen = one.child.health.frames + 50
    assert one.until(lambda health: health.frames > seen).camera == "must not settle"
    one.child.survey(None)
    one.until(lambda health: health.camera == "may settle")


def test_another_eye_takes_over_without_a_restart(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.FakeCamera, partial(fakes.Lands, "R7"))
    assert cards_seen(one, "R7")
    pid = one.child.pid
    one.child.use(partial(fakes.Lands, "B2"), None)
    assert "R7" in cards_seen(one, "B2")
    assert one.child.pid == pid


def test_an_eye_or_a_surveyor_that_takes_long_to_make_is_no_hang(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.FakeCamera, None)
    one.until_state(State.RUNNING)
    pid, before = one.child.pid, one.alive
    one.child.survey(partial(fakes.slowly, fakes.Counting))
    assert one.surveys.get(timeout=PATIENCE_S)[1] == {"n": 1}
    assert one.alive - before > 5  # the service's watchdog was fed meanwhile
    one.child.survey(None)
    one.child.use(partial(fakes.slowly, partial(fakes.Lands, "B2")), None)
    assert set(cards_seen(one, "B2")) == {"B2"}
    assert (one.child.pid, one.child.health.restarts) == (pid, 0)


def test_a_camera_that_hangs_after_an_eye_was_made_is_still_noticed(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.FakeCamera, frames=200, then="hang"), None)
    one.until_state(State.RUNNING)
    one.child.use(partial(fakes.Lands, "B2"), None)
    cards_seen(one, "B2")
    health = one.until_state(State.RESTARTING)
    assert health.trouble is not None
    assert health.trouble.what == "the camera gave no frame for 1 s and was stopped by force"


def test_a_camera_that_hangs_after_its_first_picture_is_noticed_as_soon_as_any() -> None:
    """A process that was stopped between the first picture of a look over the table and its next sign of life had the
    time that a start may take."""
    child = CameraChild(
        fakes.FakeCamera, None, lambda s, photo: None, lambda health: None, on_survey=lambda jpeg, facts: None,
        policy=replace(QUICK, heartbeat_limit_s=0.2),
    )  # fmt: skip
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = SimpleNamespace(kill=lambda: None)
        for message in (Preparing(), Surveyed(b"", {"n": 1})):
            wire.send(theirs, message)
        child._listen(ours, cast(Any, process))
    assert child.health.trouble is not None
    assert child.health.trouble.what == "the camera gave no frame for 0.2 s and was stopped by force"


def test_without_an_eye_nothing_is_seen_until_there_is_one(watch: Callable[..., Watch]) -> None:
    one = watch(fakes.FakeCamera, None)
    one.until(lambda health: health.frames > 20)
    assert one.sightings == []
    one.child.use(partial(fakes.Lands, "B2"), None)
    assert set(cards_seen(one, "B2")) == {"B2"}


def test_a_process_that_is_restarted_has_the_newest_eye_and_goes_on_surveying(
    watch: Callable[..., Watch], tmp_path: Path
) -> None:
    camera = partial(fakes.opens_once, str(tmp_path / "marker"), fakes.FakeCamera(frames=60, then="die"))
    one = watch(camera, partial(fakes.Lands, "R7"))
    one.until_state(State.RUNNING)
    one.child.use(partial(fakes.Lands, "B2"), None)
    one.child.survey(fakes.Counting)
    one.until_state(State.RESTARTING)
    one.until_state(State.RUNNING)
    while not one.surveys.empty():
        one.surveys.get()
    assert one.surveys.get(timeout=PATIENCE_S)[1]["n"] >= 1
    one.sightings.clear()
    one.child.survey(None)
    assert set(cards_seen(one, "B2")) == {"B2"}


NEAR = (0.4, 0.2, 0.5, 0.5)


def widths(one: Watch) -> set[float]:
    """How wide the parts were that the eye has seen so far."""
    return {s.reading.confidence for s, _ in one.sightings if isinstance(s, CardLanded)}


def test_the_eye_sees_only_the_part_that_is_wanted_and_a_survey_only_the_whole_view(
    watch: Callable[..., Watch],
) -> None:
    one = watch(fakes.AimingCamera, fakes.TellsParts, part=NEAR)
    one.until(lambda health: health.frames > 20)
    assert widths(one) == {0.5}
    one.child.survey(fakes.TellsWidth)
    for _ in range(2):
        assert one.surveys.get(timeout=PATIENCE_S)[1] == {"width": 1.0}
    one.until(lambda health: True)
    one.child.survey(None)
    seen = len(one.sightings)
    while len(one.sightings) <= seen + 5:
        one.until(lambda health: True)
    one.child.use(fakes.TellsParts, None, (0.0, 0.0, 0.75, 0.75))
    while 0.75 not in widths(one):
        one.until(lambda health: True)
    assert widths(one) == {0.5, 0.75}


def test_an_eye_that_has_seen_another_part_is_made_anew(watch: Callable[..., Watch]) -> None:
    one = watch(partial(fakes.AimingCamera, deaf=True, live=False, frames=60, pace_s=0.0), fakes.TellsParts, part=NEAR)
    one.until_state(State.ENDED)
    assert widths(one) == {1.0}  # a camera that does not obey: the whole view will do, when it was waited for
    assert [s.t for s, _ in one.sightings] == [float(n) for n in range(1, 41)]


def test_evidence_is_cut_where_the_pile_is_in_the_part(watch: Callable[..., Watch]) -> None:
    crop = (60, 20, 10, 16)  # the white half begins at 64
    one = watch(partial(fakes.AimingCamera, live=False, frames=40, pace_s=0.0), fakes.TellsParts, crop=crop, part=NEAR)
    one.until_state(State.ENDED)
    (photo,) = {photo for _, photo in one.sightings[:1]}
    picture = cv2.imdecode(np.frombuffer(photo or b"", np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture.shape == (32, 20)  # twice as large
    assert [picture[:, :6].mean() < 60, picture[:, 10:].mean() > 200] == [True, True]


SERVICE = """
import fakes
from referee.hardware.camera_child import CameraChild
def say(health):
    if health.watching:
        print(child.pid, flush=True)
child = CameraChild(fakes.FakeCamera, fakes.{eye}, lambda sighting, photo: None, say)
child.start()
"""


@pytest.mark.parametrize("eye", ["LandsEveryTenth", "Asleep"])
def test_a_service_that_is_killed_takes_its_camera_process_along(eye: str) -> None:
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    command = [sys.executable, "-c", SERVICE.format(eye=eye)]
    with subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    ) as service:
        assert service.stdout is not None
        pid = int(service.stdout.readline())
        watched = os.pidfd_open(pid)
        service.kill()
        ended, _, _ = select.select([watched], [], [], PATIENCE_S)
        os.close(watched)
    assert ended


def test_a_callback_that_raises_does_not_end_the_supervision(
    watch: Callable[..., Watch], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(sighting: Sighting, photo: bytes | None) -> None:
        raise OSError("disk full")

    seen: queue.Queue[CameraHealth] = queue.Queue()
    child = CameraChild(
        partial(fakes.FakeCamera, live=False, frames=25, pace_s=0.0), fakes.LandsEveryTenth, fail, seen.put
    )
    child.start()
    while seen.get(timeout=PATIENCE_S).state is not State.ENDED:
        pass
    child.stop()
    assert "disk full" in caplog.text


def test_what_cannot_travel_to_the_process_is_refused_at_once() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        CameraChild(lambda: fakes.FakeCamera(), fakes.LandsEveryTenth, lambda s, p: None, lambda h: None)
