"""What the eye costs, as ratios to a plain motion gate on the same frames in the same run, and what memory it takes.

A simulated table is rendered here and sent frame by frame to a process of its own that runs the eye and nothing else:
first a short game, then a table at rest for nine tenths of all frames. Times are CPU seconds of one thread.
"""

from __future__ import annotations

import json
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click

FPS = 30.0
"""Frames a second of the recording."""

GAME_S = 10.0
"""Seconds after which no new action of the game begins. Shorter: too few landings to measure by; longer: time."""

IDLE_SHARE = 0.9
"""Share of all frames that show a table at rest."""

IDLE_PICTURES = 60
"""Different pictures of the table at rest, repeated. Fewer: the noise repeats itself; more: memory here, not there."""

WARM_UP = 30
"""First frames of the game and of the rest that are not counted: caches fill and the eye settles."""

_HEADER = struct.Struct("<dB")
"""Before each frame: its time in seconds, and 1 when the table rests."""


def measure(seed: int, share: float = IDLE_SHARE) -> dict[str, Any]:
    """All figures of one run, by name. Starts a process and waits for it.

    Raises RuntimeError when that fails.
    """
    from referee.virtual_table import Level, Look, VirtualTable, play

    look = Look.draw(seed, Level.NORMAL)
    script = play(seed, players=3, hands=1, level=look.level, seconds=GAME_S)
    table = VirtualTable(script, look)
    process = subprocess.Popen(
        [sys.executable, "-m", "referee.bench.eye", json.dumps(table.calibration())],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with process.stdin as pipe:
            for t, idle, image in _recording(table, share):
                pipe.write(_HEADER.pack(t, idle))
                pipe.write(image.data)
        answer = process.stdout.read()
    except BaseException:
        process.kill()  # it would make figures of what has come so far
        raise
    finally:
        process.wait()
        process.stdout.close()
    if process.returncode or not answer:
        raise RuntimeError(f"the eye's process ended with status {process.returncode}")
    found: dict[str, Any] = json.loads(answer)
    return found


def _recording(table: Any, share: float) -> Iterator[tuple[float, bool, Any]]:
    count = int(table.duration_s * FPS)
    for seq in range(count):
        yield seq / FPS, False, table.frame_at(seq / FPS, seq).image
    rest = [table.frame_at((count + i) / FPS, count + i).image for i in range(IDLE_PICTURES)]
    for seq in range(count, round(count / (1 - share))):
        yield seq / FPS, True, rest[seq % IDLE_PICTURES]


# --- in the eye's process -------------------------------------------------------------------------------------------


def _watch(calibration: dict[str, Any], pipe: IO[bytes]) -> dict[str, Any]:
    """Runs the eye and the gate on every frame that comes."""
    import cv2
    import numpy as np

    from referee.frame import Frame
    from referee.observations import CardLanded
    from referee.vision.calibration import parse_calibration
    from referee.vision.eye import Eye
    from referee.vision.nets import load_models

    cv2.setNumThreads(1)
    given = parse_calibration(calibration)
    eye = Eye(given, load_models())
    width, height = given.image_size
    images = np.empty((2, height, width, 3), np.uint8)
    before: Any = None
    times: list[float] = []
    idle: list[bool] = []
    eye_s: list[float] = []
    gate_s: list[float] = []
    looked: list[bool] = []
    landed: list[tuple[float, float]] = []
    while header := pipe.read(_HEADER.size):
        t, rests = _HEADER.unpack(header)
        image = images[len(times) % 2]  # by turns: see `Frame.image`
        image[:] = np.frombuffer(pipe.read(image.size), np.uint8).reshape(image.shape)
        frame = Frame(image, len(times), t)
        began = time.process_time()
        sightings = eye.process(frame)
        done = time.process_time()
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        quarter = cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        if before is not None:
            cv2.absdiff(quarter, before)
        gated = time.process_time()
        before = quarter
        times.append(t)
        idle.append(bool(rests))
        eye_s.append(done - began)
        gate_s.append(gated - done)
        looked.append(eye.looked)
        landed += [(sighting.t, t) for sighting in sightings if isinstance(sighting, CardLanded)]
    return figures(np.array(times), np.array(idle), np.array(eye_s), np.array(gate_s), np.array(looked), landed)


def figures(
    times: Any, idle: Any, eye_s: Any, gate_s: Any, looked: Any, landed: list[tuple[float, float]]
) -> dict[str, Any]:
    """The figures of one run, by name. For each frame its time, whether the table rests on it, the CPU seconds of eye
    and gate, and whether it was one of a close look at the pile, as arrays of one length; the rest comes last. landed:
    for each landing when the hand had gone and when it was reported."""
    import numpy as np

    first = int(np.argmax(idle))
    rest = slice(first + WARM_UP, None)
    gate = float(np.median(gate_s[rest]))
    # Frames before the hand has gone cost, too, but none is looked at: `busy_ratio` and `worst_ratio` have them.
    closely = [eye_s[looked & (times >= gone) & (times <= t)] for gone, t in landed]
    looks = [float(seconds.max()) for seconds in closely if len(seconds)]
    wholes = [float(eye_s[(times >= gone) & (times <= t)].sum()) for gone, t in landed]
    return {
        "frames": len(times),
        "idle_share": round(float(idle.mean()), 3),
        "landings": len(landed),
        "gate_ms": _ms(gate),
        "idle_ms": _ms(np.median(eye_s[rest])),
        "idle_ratio": round(float(np.median(eye_s[rest])) / gate, 2),
        "idle_mean_ratio": round(float(eye_s[rest].mean() / gate_s[rest].mean()), 2),
        "busy_ratio": round(float(eye_s[WARM_UP:first].mean()) / gate, 2),
        "look_ms": _ms(np.median(looks)) if looks else None,
        "look_ratio": round(float(np.median(looks)) / gate, 2) if looks else None,
        "look_worst_ratio": round(max(looks) / gate, 2) if looks else None,
        "landing_ratio": round(float(np.median(wholes)) / gate, 2) if looks else None,
        "worst_ratio": round(float(eye_s[WARM_UP:first].max()) / gate, 2),
        "frames_per_s": round(len(eye_s[WARM_UP:]) / float(eye_s[WARM_UP:].sum()), 1),
        "peak_mb": round(_peak_mb(), 1),
    }


def _ms(seconds: Any) -> float:
    return round(float(seconds) * 1000, 2)


def _peak_mb() -> float:
    """The most memory this process ever held. getrusage would count the parent's, from before the start."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


NOTES = {
    "gate_ms": "grey, a quarter of the size, difference: what the ratios are to",
    "idle_ratio": "a frame of a table at rest, median; to stay under 1.2",
    "idle_mean_ratio": "the same, mean",
    "busy_ratio": "a frame of the game, mean",
    "look_ratio": "the dearest frame of finding and reading the settled pile, median of all landings; to stay under 15",
    "look_worst_ratio": "the dearest such frame",
    "landing_ratio": "all frames from the hand's leaving to the answer, median",
    "worst_ratio": "the dearest frame of the game",
    "frames_per_s": "that one core keeps up with",
    "peak_mb": "memory of the eye's process; to stay under 150",
}


@click.command(name="eye")
@click.option("--seed", default=3, show_default=True, type=click.IntRange(0), help="Which simulated table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(seed: int, as_json: bool) -> None:
    """Measure the eye: an idle frame, a close look, memory, frames a second."""
    found = measure(seed)
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name:18}{value!s:>10}  {NOTES.get(name, '')}".rstrip())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started it
    print(json.dumps(_watch(json.loads(sys.argv[1]), sys.stdin.buffer)))
