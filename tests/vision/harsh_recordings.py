"""How well the eye follows recordings through what real rooms and cameras do, one line for each kind.

    python tests/vision/harsh_recordings.py ../shared/data/videos                      # all kinds
    python tests/vision/harsh_recordings.py ../shared/data/videos --only compressed leaning --faults

Not collected by pytest. Counts as `many_tables.py` does. The kind "compressed" needs PyAV (`pip install av`).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from drawn_table import blades
from many_tables import Score, score

from referee.frame import Frame, Image
from referee.hardware.cameras import frames, parse_source
from referee.hardware.recordings import open_it
from referee.observations import Sighting
from referee.vision.calibration import Calibration, load_calibration
from referee.vision.eye import Eye
from referee.vision.nets import Models, load_models

SEED = 0
GAMMA = 2.2
"""Of the recordings' levels: light goes by this power of them."""

Floats = npt.NDArray[np.float32]
Shots = Iterator[tuple[float, Image]]
"""Pictures with their times, seconds."""


def lit(image: Image, gain: float) -> Image:
    """The picture in so many times the light."""
    levels = np.clip(np.arange(256) * gain ** (1 / GAMMA), 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels), np.uint8)


def shaded(image: Image, field: Floats) -> Image:
    """The picture, each pixel so many times as bright. field: float32 (h, w)."""
    return np.asarray(cv2.multiply(image, np.repeat(field[..., None], 3, 2), dtype=cv2.CV_8U), np.uint8)


def moved(image: Image, x: float, y: float) -> Image:
    """The picture so many pixels farther right and down."""
    to = np.array([[1, 0, x], [0, 1, y]], np.float32)
    h, w = image.shape[:2]
    return np.asarray(cv2.warpAffine(image, to, (w, h), borderMode=cv2.BORDER_REFLECT), np.uint8)


def compressed(shots: Shots) -> Shots:
    """H.264 at 350 kbit/s, a key picture every two seconds, as a cheap network camera sends it."""
    try:
        import av  # of no other use here
    except ModuleNotFoundError:
        raise SystemExit("harsh_recordings.py: the kind \"compressed\" needs PyAV: pip install av") from None

    coder = av.CodecContext.create("libx264", "w")
    reader = av.CodecContext.create("h264", "r")
    coder.width, coder.height, coder.pix_fmt, coder.bit_rate, coder.gop_size = 1280, 720, "yuv420p", 350_000, 60
    coder.time_base, coder.max_b_frames = Fraction(1, 30), 0
    coder.options = {"preset": "ultrafast", "tune": "zerolatency", "maxrate": "350k", "bufsize": "175k"}
    times: list[float] = []
    for number, (t, image) in enumerate(shots):
        frame = av.VideoFrame.from_ndarray(image, "bgr24").reformat(format="yuv420p")
        frame.pts = number
        times.append(t)
        for packet in coder.encode(frame):
            for shown in reader.decode(packet):
                yield times.pop(0), shown.to_ndarray(format="bgr24")


def sleeves(shots: Shots) -> Shots:
    """Exposure that goes down within a third of a second as arms come in, and takes a second to come back."""
    empty: npt.NDArray[np.int16] | None = None
    usual = stops = last = 0.0
    for t, image in shots:
        small = image[::16, ::16].astype(np.int16)
        empty = small if empty is None else empty
        there = float((np.abs(small - empty).max(2) > 30).mean())
        usual += (there - usual) * (1 - math.exp(-(t - last) / 8))  # what stays is metered in
        want = min(1.0, max(0.0, there - usual) * 5)
        stops += (want - stops) * (1 - math.exp(-(t - last) / (0.35 if want > stops else 1.0)))
        last = t
        yield t, lit(image, round(32 * 2.0 ** (-0.65 * stops)) / 32)


def dark(shots: Shots) -> Shots:
    """Three tenths of the levels, and noise."""
    rng = np.random.default_rng(SEED)
    noise = rng.standard_normal((800, 1360, 3), np.float32) * 4
    for t, image in shots:
        y, x = rng.integers(0, 80, 2)
        yield t, np.clip(image * np.float32(0.3) + noise[y : y + 720, x : x + 1280], 0, 255).round().astype(np.uint8)


def brighter(times: float) -> Callable[[Shots], Shots]:
    """So many times the levels, as far as there are any: a white table burns out, and then the cards do."""

    def kind(shots: Shots) -> Shots:
        for t, image in shots:
            yield t, cv2.convertScaleAbs(image, alpha=times)

    return kind


def leaning(depth: float, soft_px: float) -> Callable[[Shots], Shots]:
    """Somebody's head and shoulders come between lamp and table now and then, sway, and go."""

    def kind(shots: Shots) -> Shots:
        rng = np.random.default_rng(SEED)
        since, way, near, stay, wide = 2.0, np.zeros(2), 0.0, 0.0, 0.0
        for t, image in shots:
            if stay == 0.0 and t >= since:
                angle = rng.uniform(0, 2 * np.pi)
                way, near = np.array([math.cos(angle), math.sin(angle)]), rng.uniform(0.08, 0.25)
                stay, wide = rng.uniform(0.8, 3.0), rng.uniform(180, 330)
            if stay == 0.0:
                yield t, image
                continue
            come = min(1.0, max(0.0, min((t - since) / 0.6, 1 - (t - since - 0.6 - stay) / 0.6)))
            ease = come * come * (3 - 2 * come)
            x, y = np.array([640, 360]) + way * [1280, 720] * (0.95 * (1 - ease) + near * ease)
            shadow = np.zeros((90, 160), np.float32)
            middle = round((x + 8 * math.sin(2.1 * t)) / 8), round((y + 8 * math.cos(1.7 * t)) / 8)
            turned = math.degrees(math.atan2(way[1], way[0]))
            cv2.ellipse(shadow, middle, (round(wide / 8), round(1.4 * wide / 8)), turned, 0, 360, 1.0, -1)
            soft = cv2.resize(cv2.GaussianBlur(shadow, (0, 0), soft_px / 8), (1280, 720), interpolation=cv2.INTER_CUBIC)
            yield t, shaded(image, np.asarray(1 - depth * soft, np.float32))
            if t > since + stay + 1.2:
                since, stay = t + rng.uniform(1.0, 4.0), 0.0

    return kind


def lamp(shots: Shots) -> Shots:
    """A lamp is turned down to half within two seconds, and up again, three times."""
    for t, image in shots:
        after = min((t - at for at in (10.0, 21.5, 33.1) if t >= at), default=9.0)
        down = min(1.0, after / 2) if after < 4 else max(0.0, 1 - (after - 4) / 2)
        yield t, lit(image, 1 - 0.5 * down)


def knocked(shots: Shots) -> Shots:
    """The camera's arm is knocked now and then: it rings by 6 pixels and comes to rest up to 1.5 elsewhere."""
    rng = np.random.default_rng(SEED)
    at, again, rest, way = -9.0, 3.0, np.zeros(2), np.zeros(2)
    for t, image in shots:
        if t >= again:
            angle = rng.uniform(0, 2 * np.pi)
            at, again = t, t + rng.uniform(3, 7)
            way, rest = np.array([math.cos(angle), math.sin(angle)]), rng.uniform(-1.5, 1.5, 2)
        x, y = rest + way * 6 * math.exp(-(t - at) / 0.35) * math.sin(12 * np.pi * (t - at))
        yield t, moved(image, x, y)


def sharpened(shots: Shots) -> Shots:
    """Strong sharpening: bright and dark hems along every edge."""
    for t, image in shots:
        yield t, np.asarray(cv2.addWeighted(image, 2.8, cv2.GaussianBlur(image, (0, 0), 2.0), -1.8, 0), np.uint8)


def television(shots: Shots) -> Shots:
    """A television beside the table: its light on one half changes with every cut."""
    rng = np.random.default_rng(SEED)
    near = (1 / (1 + np.exp(-(np.linspace(0, 1, 1280) - 0.55) * 9))).astype(np.float32)
    now = goal = cut = last = 0.0
    for t, image in shots:
        if t >= cut:
            goal, cut = rng.uniform(-0.25, 0.25), t + rng.uniform(0.3, 1.5)
        now += (goal - now) * (1 - math.exp(-(t - last) / 0.1))
        last = t
        yield t, shaded(image, np.repeat((1 + near * np.float32(now))[None], 720, 0))


def hunting(shots: Shots) -> Shots:
    """The lens hunts for its focus for 0.7 s every 6 s, and the picture grows meanwhile."""
    for t, image in shots:
        phase = (t - 3) % 6 if t > 3 else 1.0
        much = math.sin(np.pi * phase / 0.7) if phase < 0.7 else 0.0
        if much > 0.1:
            grown = cv2.getRotationMatrix2D((640, 360), 0, 1 + 0.015 * much)
            image = np.asarray(cv2.warpAffine(image, grown, (1280, 720), borderMode=cv2.BORDER_REFLECT), np.uint8)
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 4 * much), np.uint8)
        yield t, image


def frozen(shots: Shots) -> Shots:
    """The picture stands still for a quarter to six tenths of a second now and then, as over a bad network."""
    rng = np.random.default_rng(SEED)
    begin, end, held = 2.0, 0.0, None
    for t, image in shots:
        if t >= begin:
            end, held = t + rng.uniform(0.25, 0.6), image
            begin = end + rng.uniform(2, 5)
        yield t, held if held is not None and t < end else image


def pale(shots: Shots) -> Shots:
    """A quarter of the colours' strength."""
    for t, image in shots:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        yield t, np.asarray(cv2.addWeighted(image, 0.25, grey, 0.75, 0), np.uint8)


def cold(shots: Shots) -> Shots:
    """Blue, green and red in the strengths that a lamp's white balance gives them by day."""
    for t, image in shots:
        yield t, np.clip(image * np.array((1.4, 0.9, 0.5)), 0, 255).astype(np.uint8)


def fan(shots: Shots) -> Shots:
    """The shadows of a ceiling fan's four blades go round over the table, two a second at each place, and take a fifth
    of the levels."""
    for t, image in shots:
        yield t, shaded(image, np.asarray(cv2.resize(1 - 0.2 * blades(t), (1280, 720)), np.float32))


def leaves(least: float) -> Callable[[Shots], Shots]:
    """Sun through two layers of leaves that sway by 20 pixels: each gap draws the sun's disc, 50 pixels across, and
    between them there is `least` of the light."""

    def kind(shots: Shots) -> Shots:
        rng = np.random.default_rng(SEED)
        x, y = np.mgrid[-25:26, -25:26]
        disc = np.asarray(x * x + y * y <= 25 * 25, np.float32)
        layers = []
        for _ in range(2):
            gaps = cv2.resize(rng.random((52, 80), np.float32), (1600, 1040), interpolation=cv2.INTER_LINEAR) > 0.55
            layers.append(cv2.filter2D(gaps.astype(np.float32), -1, disc / disc.sum()))
        for t, image in shots:
            sun = np.ones((720, 1280), np.float32)
            for number, layer in enumerate(layers):
                late = 1.3 * number
                right = round(100 + 20 * math.sin(1.7 * t + late) + 8 * math.sin(4.1 * t + 2 * late))
                down = round(100 + 14 * math.sin(1.3 * t + 1 + late) + 6 * math.sin(5.3 * t + late))
                sun *= layer[down : down + 720, right : right + 1280]
            light = least + (1 - least) * np.clip(sun / 0.5 - 0.1, 0, 1)
            yield t, shaded(image, np.asarray(light ** (1 / GAMMA), np.float32))

    return kind


def banded(shots: Shots) -> Shots:
    """Bands wander down the picture, as lamps that flicker draw them where a camera exposes line by line: three in the
    picture, which take up to a quarter of the levels."""
    down = np.linspace(0, 1, 720, dtype=np.float32)
    for number, (t, image) in enumerate(shots):
        light = 1 - 0.125 * (1 + np.sin(2 * np.pi * (2.5 * down + 0.33 * number)))
        yield t, shaded(image, np.repeat(light.astype(np.float32)[:, None], 1280, 1))


def swinging(shots: Shots) -> Shots:
    """The camera hangs, and swings by 3 pixels once in two seconds."""
    for t, image in shots:
        yield t, moved(image, 3 * math.sin(np.pi * t), 1.5 * math.sin(0.9 * np.pi * t))


def vibrating(shots: Shots) -> Shots:
    """Each picture lies somewhere else, by 2 pixels each way."""
    rng = np.random.default_rng(SEED)
    for t, image in shots:
        x, y = rng.normal(0, 2, 2)
        yield t, moved(image, x, y)


def as_given(calibration: Calibration) -> Calibration:
    """The calibration of the recording."""
    return calibration


@dataclass(frozen=True)
class Kind:
    """What is done to the pictures, in words, and what becomes of the calibration."""

    does: Callable[[Shots], Shots]
    words: str
    calibrated: Callable[[Calibration], Calibration] = as_given


KINDS = {
    "plain": Kind(lambda shots: shots, "as they are"),
    "compressed": Kind(compressed, "H.264 at 350 kbit/s"),
    "sleeves": Kind(sleeves, "exposure that follows the arms"),
    "dark": Kind(dark, "three tenths of the levels, and noise"),
    "bright": Kind(brighter(1.7), "1.7 times the levels"),
    "burnt": Kind(brighter(2.5), "2.5 times the levels"),
    "leaning": Kind(leaning(0.45, 45), "a shadow that takes 0.45 of the levels leans over the table"),
    "leaning-hard": Kind(leaning(0.55, 24), "a shadow that takes 0.55 of the levels leans over the table"),
    "lamp": Kind(lamp, "a lamp turned down to half and up again"),
    "knocked": Kind(knocked, "the camera is knocked, 6 pixels"),
    "sharpened": Kind(sharpened, "strong sharpening"),
    "television": Kind(television, "a television beside the table"),
    "hunting": Kind(hunting, "a lens that hunts for its focus"),
    "frozen": Kind(frozen, "the picture stands still now and then"),
    "pale": Kind(pale, "a quarter of the colours' strength"),
    "cold": Kind(cold, "a lamp's white balance by day"),
    "fan": Kind(fan, "a ceiling fan's shadows"),
    "leaves": Kind(leaves(0.45), "sun through leaves that sway, 0.45 of the light between"),
    "leaves-deep": Kind(leaves(0.25), "sun through leaves that sway, a quarter of the light between"),
    "banded": Kind(banded, "bands of a flickering lamp"),
    "swinging": Kind(swinging, "a camera that swings, 3 pixels"),
    "vibrating": Kind(vibrating, "a camera that vibrates, 2 pixels"),
}


def watched(path: Path, kind: Kind, models: Models) -> Score:
    """The eye on one recording, truth and calibration beside it."""
    eye = Eye(kind.calibrated(load_calibration(path.with_suffix(".calibration.json"))), models)
    truth = json.loads(path.with_suffix(".truth.json").read_text())["events"]
    sightings: list[Sighting] = []
    with open_it(parse_source(str(path))) as video:
        for number, (t, image) in enumerate(kind.does((frame.t, frame.image) for frame in frames(video))):
            sightings += eye.process(Frame(image, number, t))
    return score(truth, sightings)


def measure(kinds: dict[str, Kind], description: str | None) -> None:
    """The command of a script that measures these kinds."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", type=Path, help="folder of recordings with .truth.json and .calibration.json")
    parser.add_argument("--only", nargs="+", choices=kinds, default=list(kinds), metavar="KIND")
    parser.add_argument("--faults", action="store_true", help="say what went wrong where")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, paths = load_models(), sorted(given.videos.glob("*.mp4"))
    print("| recordings | right | unsure | wrong | missed | invented | seats | take-backs | draws |")
    print("|---" * 9 + "|")
    for name in given.only:
        total = Score()
        for path in paths:
            one = watched(path, kinds[name], models)
            one.faults = [f"{path.stem} {fault}" for fault in one.faults]
            total.add(one)
        c = total.counts
        cells = [f"{c['right']} of {c['landed']}"]
        cells += [str(c[column]) for column in ("unsure", "wrong", "missed", "invented", "seat")]
        for what in ("removed", "drew"):
            more = c[f"{what}_invented"]
            cells.append(f"{c[f'{what}_right']} of {c[what]}" + (f", {more} invented" if more else ""))
        print(f"| {kinds[name].words} | " + " | ".join(cells) + " |", flush=True)
        for fault in total.faults if given.faults else ():
            print(f"  {name}: {fault}")


if __name__ == "__main__":
    measure(KINDS, __doc__)
