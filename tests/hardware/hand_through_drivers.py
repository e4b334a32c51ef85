"""A scripted hand of the simulated table, refereed from memory and through a real camera driver: the same rulings?

    python tests/hardware/hand_through_drivers.py render FOLDER     writes FOLDER/frames/*.jpg
    python tests/hardware/hand_through_drivers.py direct FOLDER     every frame to the eye, without a clock
    python tests/hardware/hand_through_drivers.py live FOLDER SOURCE  the whole service on a camera, in real time
    python tests/hardware/hand_through_drivers.py compare FOLDER    exits 1 when the two differ, 3 if it was too slow

`live` makes FOLDER/ready when the camera runs and the game has begun, and waits for FOLDER/origin: the moment, on the
monotonic clock, at which the driver gave the first frame of the hand. The UNO buttons are pressed on mock pins with
bounce, the phones tapped, at their times after it. EVERY=2 in the environment: every second frame only, in all steps
but `render`.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2

from referee.app import Plan, Service
from referee.demo import fast
from referee.demo.evening import DemoPlan, calibrated, seat_pins
from referee.demo.live import Fingers
from referee.events import Discard, TurnUp
from referee.hardware.buttons import ButtonPlan
from referee.hardware.cameras import CameraKind, open_camera, parse_source
from referee.hardware.gpio import mock_factory
from referee.hardware.signals import SignalPlan
from referee.health import Supervision
from referee.rules import replay
from referee.storage import Journal
from referee.storage.journal import FILE_NAME as JOURNAL_FILE
from referee.virtual_table.buttons import VirtualButtons

PLAN = DemoPlan(seed=27, players=4, hands=1, fps=10.0)
"""One hand: a card turned up and 30 plays, an illegal card, a challenged Wild Draw Four, UNO calls."""

SEEN = replace(PLAN, fps=PLAN.fps / int(os.environ.get("EVERY", "1")))
"""The same as far as the eye sees it."""

TOO_SLOW = 0.1
"""Part of the frames that may be lost before a difference is the machine's fault. Too small: a real fault is excused;
too large: a busy machine is taken for a fault."""

TAIL_S = 3.0
"""Seconds after the script that the eye may take for its last look."""


def render(folder: Path) -> None:
    """The frames as the lens would see them, one JPEG each."""
    frames = folder / "frames"
    table = PLAN.table()
    count = table.frame_count(PLAN.fps) + round(TAIL_S * PLAN.fps)
    if len(list(frames.glob("*.jpg"))) == count:
        return
    frames.mkdir(parents=True, exist_ok=True)
    for seq in range(count):
        t = min(seq / PLAN.fps, table.duration_s)
        cv2.imwrite(str(frames / f"{seq:06d}.jpg"), table.frame_at(t, seq).image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    print(f"rendered {count} frames, {table.duration_s:.0f} s, {len(table.inputs)} presses and taps")


def direct(folder: Path) -> None:
    data = fresh(folder / "direct")
    report = fast.run(SEEN, data, lambda *_: None)
    print("direct:", json.dumps(report))
    write_account(data, folder / "direct.json")


def live(folder: Path, source: str) -> None:
    """The service as on a Pi, with the driver's camera."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    origin_file, ready_file = folder / "origin", folder / "ready"
    origin_file.unlink(missing_ok=True)
    ready_file.unlink(missing_ok=True)
    data, table, factory = fresh(folder / "live"), PLAN.table(), mock_factory()
    pins = seat_pins(PLAN.players)
    calibration, make_eye = calibrated(table)
    service = Service(
        Plan(
            data=data,
            open_camera=partial(open_camera, parse_source(source, fps=SEEN.fps)),
            calibration=calibration,
            make_eye=make_eye,
            buttons=tuple(ButtonPlan(pin, seat) for seat, pin in pins.items()),
            signals=SignalPlan(lamp=(20,), buzzer=21),
            factory=factory,
            host="127.0.0.1",
            port=0,
            supervision=Supervision(start_limit_s=600.0),  # libcamera reads every frame when it is configured
        )
    )
    with service:
        script, session = table.script, service.session
        session.start_game(script.players, script.preset, script.dealer, {}, "test")
        assert service.camera is not None
        if parse_source(source).kind is CameraKind.USB:  # the feeder shows the empty table until then
            wait_for(lambda: service.camera is not None and service.camera.health.watching, 900.0)
        ready_file.touch()
        wait_for(origin_file.exists, 900.0)
        origin = float(origin_file.read_text())
        fingers = Fingers(service, list(table.inputs), VirtualButtons(pins, factory, PLAN.seed), origin)
        fingers.start()
        end = origin + table.duration_s + TAIL_S
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, 1.0))
        fingers.stop()
        health = service.camera.health
        print(f"live: {health.camera}")
        print(f"live: {health.frames} frames looked at, {health.dropped} dropped, {health.restarts} restarts")
    write_account(data, folder / "live.json", lost=health.dropped / max(1, health.frames + health.dropped))


def wait_for(done: Callable[[], bool], seconds: float) -> None:
    end, pause = time.monotonic() + seconds, threading.Event()
    while not done():
        if pause.wait(0.2) or time.monotonic() > end:
            raise SystemExit(f"the camera gave no frame within {seconds:.0f} s")


def fresh(data: Path) -> Path:
    for old in data.glob("journal.db*"):
        old.unlink()
    (data / "demo.json").unlink(missing_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    return data


def write_account(data: Path, file: Path, lost: float = 0.0) -> None:
    """What the journal says in the end: cards in order, rulings in order, scores. lost: part of the frames."""
    journal = Journal(data / JOURNAL_FILE, read_only=True)
    log = [(entry.number, entry.event) for entry in journal.entries(journal.games()[-1].number)]
    journal.close()
    game = replay(log)
    assert game.position is not None
    account = {
        "lost": lost,
        "cards": [str(e.card) for _, e in game.events if isinstance(e, Discard | TurnUp)],
        "rulings": [
            [r.code.value, r.player, r.winner, r.n, r.reason.value if r.reason else None]
            for r in (filed.ruling for filed in game.rulings if not filed.overruled)
        ],
        "scores": dict(game.position.scores),
        "events": Counter(type(e).__name__ for _, e in log),
    }  # fmt: skip
    file.write_text(json.dumps(account, indent=1))


def compare(folder: Path) -> int:
    one, two = (json.loads((folder / name).read_text()) for name in ("direct.json", "live.json"))
    for what in ("cards", "rulings", "scores"):
        if one[what] != two[what]:
            print(f"{what} differ:\n  direct: {one[what]}\n  live:   {two[what]}")
    same = all(one[what] == two[what] for what in ("cards", "rulings", "scores"))
    print(f"{len(one['cards'])} cards landed, {len(one['rulings'])} rulings: {'equal' if same else 'NOT equal'}")
    if not same and two["lost"] > TOO_SLOW:
        print(f"no verdict: {two['lost']:.0%} of the frames came too fast for this machine")
        return 3
    return 0 if same else 1


if __name__ == "__main__":
    what, folder, *rest = sys.argv[1], Path(sys.argv[2]), *sys.argv[3:]
    cv2.setNumThreads(1)
    sys.exit({"render": render, "direct": direct, "live": live, "compare": compare}[what](folder, *rest))
