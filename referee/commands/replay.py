"""`referee replay`: eye, tracker and rules on a recording; prints what happened and what was ruled, in order."""

from __future__ import annotations

import json
import math
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.board import rulings_json
from referee.clock import ManualClock
from referee.commands.data import Refused
from referee.event_json import decode, encode
from referee.events import Correct, Discard, Event, GameStarted, Join, Override, Rename, TurnUp, Undo
from referee.rules.case_check import meaning
from referee.session import Session
from referee.storage import Evidence, Journal
from referee.storage.evidence import FOLDER_NAME
from referee.storage.journal import FILE_NAME

if TYPE_CHECKING:
    from referee.hardware.camera_loop import Eye
    from referee.hardware.cameras import Camera

_DEEP = "nested too deep, or a number of thousands of digits"


@click.command()
@click.argument("source")
@click.option("--calibration", "calibration_file", required=True, type=click.Path(path_type=Path), metavar="FILE",
              help="How the camera sees the table.")  # fmt: skip
@click.option("--players", required=True, metavar="A,B,C", help="Names, clockwise from seat 1.")
@click.option("--dealer", metavar="NAME", help="Who dealt; the last of the players unless given.")
@click.option("--rules", default="official_108", show_default=True, metavar="PRESET", help="Rules they play by.")
@click.option("--events", "events_file", type=click.Path(path_type=Path), metavar="LOG",
              help="Button and phone events: JSON, one event a line, or a log from `referee export`.")  # fmt: skip
@click.option("--fps", default=15.0, show_default=True, type=click.FloatRange(1, 120),
              help="Frames a second of a folder of pictures.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line instead of a line for people.")
def command(
    source: str, calibration_file: Path, players: str, dealer: str | None, rules: str, events_file: Path | None,
    fps: float, as_json: bool,
) -> None:  # fmt: skip
    """Referee the recording SOURCE: a video file or a folder of frames. Prints events and rulings in order."""
    from referee.hardware.cameras import CameraError

    names = [name.strip() for name in players.split(",") if name.strip()]
    told = deque(read_events(events_file, names)) if events_file else deque()
    clock = ManualClock()
    with tempfile.TemporaryDirectory(prefix="referee-replay-") as folder:
        session = Session(Journal(Path(folder, FILE_NAME)), Evidence(Path(folder, FOLDER_NAME)), clock)
        try:
            session.start_game(names, rules, dealer or (names[-1] if names else ""), {}, "replay")
            _watch(session, clock, source, calibration_file, told, fps)
            for line in told_in_order(session):
                click.echo(json.dumps(line, ensure_ascii=False) if as_json else in_words(line))
        except (CameraError, ValueError, FileNotFoundError) as error:
            raise Refused(str(error)) from None
        finally:
            session.close()


def _watch(
    session: Session, clock: ManualClock, source: str, calibration_file: Path, told: deque[Event], fps: float
) -> None:
    import cv2

    from referee.hardware.cameras import open_camera, parse_source
    from referee.vision.calibration import CalibrationError, load_calibration
    from referee.vision.eye import Eye as RealEye
    from referee.vision.nets import load_models

    cv2.setNumThreads(1)
    calibration = load_calibration(calibration_file)
    with open_camera(parse_source(source, size=calibration.image_size, fps=fps)) as camera:
        if camera.live:
            raise ValueError(f"{source}: a camera, not a recording; `referee serve` referees a camera")
        try:
            follow(session, clock, camera, RealEye(calibration, load_models()), told)
        except CalibrationError as error:  # of the frames' size
            raise Refused(f"{source} with {calibration_file}: {error}") from None


def follow(session: Session, clock: ManualClock, camera: Camera, eye: Eye, told: deque[Event]) -> None:
    """Referees a recording to its end, as fast as the machine allows; told: what buttons and phones said, by t."""
    from referee.hardware.cameras import frames

    for frame in frames(camera):
        _tell(session, clock, told, until=frame.t)
        clock.t = max(clock.t, frame.t)
        for sighting in eye.process(frame):
            session.sighted(sighting)
    _tell(session, clock, told, until=math.inf)


def _tell(session: Session, clock: ManualClock, told: deque[Event], until: float) -> None:
    while told and told[0].t <= until:
        clock.t = max(clock.t, told[0].t)
        session.record(told.popleft(), "log")


def read_events(file: Path, players: Sequence[str]) -> list[Event]:
    """Events of buttons and phones in order of time; what the camera saw, set-up and edits of numbered events are
    left out, because the recording gives them anew. Raises Refused naming file and place, also for an event or a player
    that there is none of."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    found: list[Event] = []
    known = list(players)
    for place, item in enumerate(_objects(file, text), start=1):
        try:
            if not isinstance(item, dict):
                raise ValueError(f"holds {item!r:.40}: expected an object")
            event = decode(item)
            if item.get("author") == "eye" or isinstance(event, (GameStarted, Correct, Undo, Override)):
                continue
            known += [event.to] if isinstance(event, Rename) else [event.player] if isinstance(event, Join) else []
            meaning(event, place, known)
        except ValueError as error:
            raise Refused(f"{file}: event {place}: {error}") from None
        found.append(event)
    return sorted(found, key=lambda event: event.t)


def _objects(file: Path, text: str) -> list[Any]:
    """What the file holds: a list, `{"events": list}`, or an object a line."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        return list(_lines(file, text))
    except (RecursionError, ValueError):
        raise Refused(f"{file}: {_DEEP}: expected a list of events") from None
    if isinstance(data, dict):
        data = data.get("events", [data])
    if not isinstance(data, list):
        raise Refused(f"{file}: holds {data!r:.40}: expected a list of events")
    return data


def _lines(file: Path, text: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise Refused(f"{file}: line {number}: not JSON: {error.msg}") from None
            except (RecursionError, ValueError):
                raise Refused(f"{file}: line {number}: {_DEEP}: expected an event") from None


def told_in_order(session: Session) -> Iterator[dict[str, Any]]:
    """Every event that counts, as corrected, each followed by the rulings on it. read: the card that the eye read,
    where the play contradicts it and it counts as unread."""
    game = session.replayed()
    for number, event in game.events:
        recorded = game.event(number)
        read = recorded.card if isinstance(recorded, Discard | TurnUp) else None
        doubted = isinstance(event, Discard | TurnUp) and event.card is None and read is not None
        yield {"number": number, **encode(event)} | ({"read": str(read)} if doubted else {})
        mine = [filed for filed in game.rulings if filed.number == number]
        for ruling in rulings_json(game, mine):
            yield {"ruling": ruling.pop("code"), **ruling}


def in_words(line: dict[str, Any]) -> str:
    """One line for people."""
    if "ruling" in line:
        return f"{line['t']:8.2f} s    {line['tier'].upper()}: {line['text']}"
    told = ("card", "read", "by", "on", "n", "colour", "player", "ref")
    fields = {key: value for key, value in line.items() if key in told}
    return f"{line['t']:8.2f} s  {line['ev']} " + " ".join(f"{key}={value}" for key, value in fields.items())
