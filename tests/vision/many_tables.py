"""How well the eye follows many tables: renders messy tables through many cameras, watches them, counts.

    python tests/vision/many_tables.py --tables 60                       # all styles, tops, lights and cameras, by seed
    python tests/vision/many_tables.py --tables 60 --play                # people who keep the rules, as `referee table`
    python tests/vision/many_tables.py --tables 60 --photos ../shared/data   # decks of photographs nobody trained on
    python tests/vision/many_tables.py --tables 60 --tops ../shared/data/backgrounds   # photographs as table tops
    python tests/vision/many_tables.py --tables 60 --editions fonts/held_out   # other editions' cards among ours
    python tests/vision/many_tables.py --tables 60 --things              # a phone, a glass or paper is put down there
    python tests/vision/many_tables.py --tables 60 --fidgets             # cards are held at the edge, and never still
    python tests/vision/many_tables.py --tables 60 --acts toss stray draw lay hover take_back   # cards are thrown
    python tests/vision/many_tables.py --recordings ../shared/data/videos --variants 5
    python tests/vision/many_tables.py --only 17 --explain               # one table again, with what the eye thought

Not collected by pytest. A landing that is said to be unsure and never read better counts as unsure. Another edition's
card is a stranger: said where a face of ours is, missed where no landing is told. Every recording is watched in
this process, frame by frame as it is rendered; the same arguments give the same figures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from fidgets import with_fidgets
from photo_decks import PhotoDeck, photo_decks
from photo_tops import on_top, photo_tops
from things import with_things

from referee.faces import STYLES
from referee.frame import Frame, Image
from referee.observations import CardLanded, CardRead, CardRemoved, CardsDrawn, PileTaken, Sighting, ViewChanged
from referee.tracker import tracker
from referee.tracker.judge import judge
from referee.tracker.pile import Pile
from referee.virtual_table import Level, Look, VirtualTable, messy_script, play
from referee.virtual_table.look import ANY_STYLE
from referee.virtual_table.messy import ACTS, USUAL
from referee.virtual_table.surfaces import TABLES
from referee.vision.calibration import Calibration, parse_calibration
from referee.vision.eye import Eye
from referee.vision.nets import Models, load_models

EARLY_S, LATE_S = 1.2, 2.5
"""How far before and after its true time a report may give the time of what it reports."""

Truth = list[dict[str, Any]]


# Cameras -------------------------------------------------------------------------------------------------------------


@dataclass
class Camera:
    """What a camera makes of a scene. Faults are drawn by the seed; `plain` has none."""

    seed: int
    fps: float
    size: tuple[int, int]
    faults: tuple[str, ...]

    @classmethod
    def draw(cls, seed: int, plain: bool = False) -> Camera:
        rng = Random(f"camera {seed}")
        if plain:
            return cls(seed, 30.0, (1280, 720), ())
        fps = rng.choice((10.0, 15.0, 15.0, 25.0, 30.0))
        size = rng.choice(((1280, 720),) * 4 + ((1920, 1080), (960, 540), (640, 360), (640, 480)))
        chosen = [name for name in FAULTS if rng.random() < 0.2]
        return cls(seed, fps, size, tuple(chosen))

    def calibration(self, data: dict[str, Any]) -> Calibration:
        """The calibration of the scene's 1280x720 picture, for this camera's frames."""
        if self.size[0] * 9 != self.size[1] * 16:
            cut = np.array([[1, 0, -160.0], [0, 1, 0], [0, 0, 1]])
            data = {**data, "image_size": [960, 720], "table_to_image": (cut @ data["table_to_image"]).tolist()}
        return parse_calibration(data)

    def frames(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames as this camera gives them."""
        faults = [FAULTS[name](Random(f"{name} {self.seed}")) for name in self.faults if name != "drops"]
        drops = Random(f"drops {self.seed}")
        for frame in frames:
            if "drops" in self.faults and drops.random() < 0.12:
                continue
            image = frame.image
            for fault in faults:
                image = fault(image, frame.t)
            yield Frame(self._sized(image), frame.seq, frame.t)

    def _sized(self, image: Image) -> Image:
        if self.size == (1280, 720):
            return image
        if self.size[0] * 9 != self.size[1] * 16:
            image = image[:, 160:1120]
        how = cv2.INTER_AREA if self.size[0] < 1280 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(image, self.size, interpolation=how), np.uint8)


Fault = Callable[[Image, float], Image]


def _scaled(image: Image, gain: Sequence[float]) -> Image:
    levels = np.clip(np.arange(256)[:, None] * np.asarray(gain)[None, :], 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, levels[None]), np.uint8)


def _jpeg(rng: Random) -> Fault:
    quality = rng.choice((30, 45, 60, 80))
    return lambda image, t: np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR), np.uint8
    )


def _white_balance(rng: Random) -> Fault:
    """Drifts to and fro by up to a tenth in red against blue."""
    period, most, phase = rng.uniform(4, 20), rng.uniform(0.03, 0.1), rng.uniform(0, 6)

    def fault(image: Image, t: float) -> Image:
        s = most * np.sin(phase + t * 6.28 / period)
        return _scaled(image, (1 - s, 1, 1 + s))

    return fault


def _exposure(rng: Random) -> Fault:
    """Exposure that follows the mean brightness of the picture: a dark sleeve makes everything else brighter."""
    share, speed = rng.uniform(0.4, 0.9), rng.uniform(1.5, 6.0)
    state = {"t": 0.0, "gain": 1.0, "target": 0.0}

    def fault(image: Image, t: float) -> Image:
        mean = float(image[::16, ::16].mean())
        state["target"] = state["target"] or mean
        wish = (state["target"] / max(mean, 1.0)) ** share
        state["gain"] += (wish - state["gain"]) * (1 - np.exp(-(t - state["t"]) * speed))
        state["t"] = t
        gain = round(state["gain"] * 64) / 64  # in steps, as sensors do
        return _scaled(image, (gain, gain, gain))

    return fault


def _bands(rng: Random) -> Fault:
    """Mains flicker on a rolling shutter."""
    depth, count, speed = rng.uniform(0.01, 0.03), rng.uniform(1.0, 3.0), rng.uniform(1.0, 9.0)
    rows = np.linspace(0, 6.28, 720, dtype=np.float32)[:, None, None]

    def fault(image: Image, t: float) -> Image:
        field = 1 + depth * np.sin(rows * count + t * speed)
        return np.asarray(cv2.multiply(image, np.repeat(field, 1280, 1).repeat(3, 2), dtype=cv2.CV_8U), np.uint8)

    return fault


def _soft(rng: Random) -> Fault:
    sigma = rng.uniform(0.6, 1.4)
    return lambda image, t: np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def _noise(rng: Random) -> Fault:
    sigma = rng.uniform(3, 9)
    source = np.random.default_rng(rng.randrange(1 << 30))
    wide = np.clip(source.standard_normal((800, 1360, 3), np.float32) * sigma, -60, 60)
    more, less = wide.clip(0).astype(np.uint8), (-wide).clip(0).astype(np.uint8)

    def fault(image: Image, t: float) -> Image:
        y, x = source.integers(0, 80, 2)
        here = slice(y, y + 720), slice(x, x + 1280)
        return np.asarray(cv2.subtract(cv2.add(image, more[here]), less[here]), np.uint8)

    return fault


def _shaking(rng: Random) -> Fault:
    """A table that is leaned on: the picture trembles for a moment, now and then."""
    starts, size = [rng.uniform(3, 90) for _ in range(12)], rng.uniform(0.5, 2.5)

    def fault(image: Image, t: float) -> Image:
        after = min((t - start for start in starts if t >= start), default=9.0)
        if after > 0.6:
            return image
        s = size * np.exp(-after * 6)
        move = np.array([[1, 0, s * np.sin(after * 50)], [0, 1, s * np.cos(after * 41)]])
        return np.asarray(cv2.warpAffine(image, move, (1280, 720), borderMode=cv2.BORDER_REFLECT), np.uint8)

    return fault


def _contrast(rng: Random) -> Fault:
    """Another tone curve, with the edges sharpened as phones do."""
    gamma, sharp = rng.uniform(0.75, 1.35), rng.uniform(0.0, 0.8)
    curve = (255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)

    def fault(image: Image, t: float) -> Image:
        toned = cv2.LUT(image, curve)
        return np.asarray(cv2.addWeighted(toned, 1 + sharp, cv2.GaussianBlur(toned, (0, 0), 1.2), -sharp, 0), np.uint8)

    return fault


FAULTS: dict[str, Callable[[Random], Fault]] = {
    "contrast": _contrast, "white_balance": _white_balance, "exposure": _exposure, "bands": _bands, "soft": _soft,
    "shaking": _shaking, "noise": _noise, "jpeg": _jpeg, "drops": lambda rng: lambda image, t: image,
}  # fmt: skip


# Recordings ----------------------------------------------------------------------------------------------------------


@dataclass
class Recording:
    """Frames with truth. tags: what to count it under."""

    name: str
    calibration: Calibration
    truth: Truth
    frames: Iterator[Frame]
    tags: tuple[str, ...]


def drawn(seed: int, a: argparse.Namespace, decks: Sequence[PhotoDeck] = ()) -> Recording:
    """A table of our own; with `decks`, one of them takes the place of the drawn deck."""
    rng = Random(f"table {seed}")
    level = Level(a.level) if a.level else rng.choice((Level.EASY, Level.NORMAL, Level.NORMAL, Level.HARD, Level.HARD))
    styles = [*STYLES, ANY_STYLE, ANY_STYLE]
    look = Look.draw(seed, level, a.top or TABLES[seed % len(TABLES)], a.style or styles[seed % len(styles)])
    if a.fonts:
        from referee.faces.typefaces import usable  # needs Pillow

        typeface = Random(f"typeface {seed}").choice(usable(a.fonts))
        look = replace(look, design=replace(look.design, typeface=typeface))
    players = rng.randint(2, 8)
    edition = None
    if a.editions:
        from edition_decks import EditionDeck  # needs Pillow

        edition = EditionDeck(seed, a.editions)
        look = replace(look, design=edition.design)
    if a.play:
        script = play(seed, players=players, level=level, seconds=40)
    else:
        script = messy_script(seed, players=players, landings=a.landings, level=level, acts=a.acts)
    table, camera = VirtualTable(script, look), Camera.draw(seed, a.plain)
    shown, top = table.frames(camera.fps), look.table
    if a.tops:
        paths = photo_tops(a.tops)
        photo = paths[seed % len(paths)]
        shown, top = on_top(photo, shown), photo.stem
    if a.things:
        shown = with_things(seed, parse_calibration(table.calibration()), shown)
    if a.fidgets:
        shown = with_fidgets(seed, parse_calibration(table.calibration()), shown, look.design)
    frames, deck = camera.frames(shown), look.style
    if decks:
        photographed = Random(f"photo deck {seed}").choice(decks)
        frames, deck = photographed.dealt(frames), photographed.source
    truth = script.truth["events"]
    if edition:
        frames, deck = edition.dealt(frames), "editions"
        signs = {str(card): sign for card, sign in edition.signs.items()}
        truth = [{**e, "sign": signs.get(e.get("card", ""))} for e in truth]
    tags = (level.value, deck, top, f"{camera.fps:g} fps", "x".join(map(str, camera.size)), *camera.faults)
    return Recording(f"table {seed}", camera.calibration(table.calibration()), truth, frames, tags)


def slanted(rng: Random) -> np.ndarray:
    """Where a camera that hangs askew shows each point of a 1280x720 picture, float64 (3, 3)."""
    corners = np.array([[0, 0], [1280, 0], [1280, 720], [0, 720]], np.float32)
    aside = np.array([[rng.uniform(-0.02, 0.16), rng.uniform(-0.02, 0.16)] for _ in corners]) * [1280, 720]
    inward = aside * [[1, 1], [-1, 1], [-1, -1], [1, -1]]
    turn = cv2.getRotationMatrix2D((640, 360), rng.uniform(-12, 12), 1.0)
    turned = cv2.transform((corners + inward).astype(np.float32)[None], turn)[0]
    return np.asarray(cv2.getPerspectiveTransform(corners, turned.astype(np.float32)), np.float64)


def recorded(path: Path, variant: int, slant: bool = False) -> Recording:
    """A recording, its truth and calibration beside it; variant 0 as it is, others through another camera: half of them
    upside down, some twice as fast. slant: that camera hangs askew."""
    data = json.loads(path.with_suffix(".calibration.json").read_text())
    truth = json.loads(path.with_suffix(".truth.json").read_text())["events"]
    names = {"landed": "landed", "removed": "removed", "drew": "drew"}
    truth = [{**e} for e in truth if e["event"] in names]
    capture = cv2.VideoCapture(str(path))
    fps = capture.get(cv2.CAP_PROP_FPS)
    if variant == 0:
        camera, step, turned, pace = Camera(0, fps, (1280, 720), ()), 1, False, 1.0
    else:
        rng = Random(f"variant {path.stem} {variant}")
        camera = Camera.draw(rng.randrange(1 << 30))
        step, turned, pace = rng.choice((1, 2, 2, 3)), rng.random() < 0.5, rng.choice((1.0, 1.0, 1.4))
        for event in truth:
            event["t"] /= pace
    if turned:
        half = np.array([[-1, 0, 1279.0], [0, -1, 719.0], [0, 0, 1]])
        data["table_to_image"] = (half @ np.array(data["table_to_image"])).tolist()

    view = slanted(Random(f"slant {path.stem} {variant}")) if slant else None
    if view is not None:
        data["table_to_image"] = (view @ np.array(data["table_to_image"])).tolist()

    def frames() -> Iterator[Frame]:
        number = 0
        while True:
            ok, image = capture.read()
            if not ok:
                capture.release()
                return
            if number % step == 0:
                flipped = np.ascontiguousarray(image[::-1, ::-1]) if turned else image
                if view is not None:
                    flipped = cv2.warpPerspective(flipped, view, (1280, 720), borderMode=cv2.BORDER_REFLECT)
                yield Frame(np.asarray(flipped, np.uint8), number // step, number / fps / pace)
            number += 1

    tags = (path.stem, f"{fps / step * pace:g} fps", "x".join(map(str, camera.size)), *camera.faults)
    name = f"{path.stem} variant {variant}"
    return Recording(name, camera.calibration(data), truth, camera.frames(frames()), tags)


# Counting ------------------------------------------------------------------------------------------------------------


@dataclass
class Score:
    """Counts by name, seconds from the truth to the report, and what went wrong in words."""

    counts: Counter[str] = field(default_factory=Counter)
    latency: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.counts += other.counts
        self.latency += other.latency
        self.faults += other.faults

    def line(self) -> str:
        c = self.counts
        n = max(1, c["landed"])
        late = sorted(self.latency)
        p95 = late[int(0.95 * len(late))] if late else float("nan")
        median = statistics.median(late) if late else float("nan")
        return (
            f"landed {c['landed']:5d}  right {c['right'] / n:7.2%}  unsure {c['unsure']:3d}  wrong {c['wrong']:3d}  "
            f"missed {c['missed']:3d}  invented {c['invented']:3d}  seat {c['seat'] / n:6.1%}  "
            f"removed {c['removed_right']}/{c['removed']} (+{c['removed_invented']})  "
            f"drew {c['drew_right']}/{c['drew']} (+{c['drew_invented']}, count {c['drew_count']})  "
            f"taken {c['taken_right']}/{c['taken']} (+{c['taken_invented']})  late {median:.2f} p95 {p95:.2f}"
        ) + (f"  strangers {c['strangers']}, said {c['strangers_said']}, missed {c['strangers_missed']}"
             if c["strangers"] else "")


def _aligned(
    truth: Truth, said: list[dict[str, Any]], key: str | None
) -> tuple[list[tuple[dict[str, Any], dict[str, Any] | None]], list[dict[str, Any]]]:
    """Each true event with the report nearest to its time, one that says the same by preference, and the reports left
    over."""
    used: set[int] = set()
    chosen: dict[int, int] = {}
    near = [(abs(s["t"] - event["t"]), k, i) for k, event in enumerate(truth) for i, s in enumerate(said)
            if event["t"] - EARLY_S <= s["t"] <= event["t"] + LATE_S]  # fmt: skip
    for exactly in (True, False):
        for _, k, i in sorted(near):
            if k in chosen or i in used or (exactly and (key is None or said[i].get(key) != truth[k].get(key))):
                continue
            used.add(i)
            chosen[k] = i
    pairs = [(event, said[chosen[k]] if k in chosen else None) for k, event in enumerate(truth)]
    return pairs, [s for i, s in enumerate(said) if i not in used]


def score(truth: Truth, sightings: list[Sighting]) -> Score:
    """What the eye said against what happened."""
    out = Score()
    landings: dict[float, list[dict[str, Any]]] = {}
    said: list[dict[str, Any]] = []
    for s in sightings:
        if isinstance(s, CardLanded):
            said.append({"t": s.t, "card": s.reading.notation if s.sure else "?", "seat": s.seat,
                         "late": s.t + s.latency_s, "read": s.reading.notation})  # fmt: skip
            landings.setdefault(s.t, []).append(said[-1])
        elif isinstance(s, CardRead) and s.t in landings:
            landings[s.t][-1]["card"] = s.reading.notation if s.sure else "?"
    c = out.counts
    landed = [e for e in truth if e["event"] == "landed"]
    pairs, extra = _aligned(landed, said, "card")
    c["landed"], c["invented"] = len(landed), len(extra)
    out.faults += [f"{s['t']:.2f} invented {s['card']} ({s['read']})" for s in extra]
    for event, s in pairs:
        if event.get("sign"):
            c["landed"] -= 1
            c["strangers"] += 1
            c["strangers_said" if s and s["card"] != "?" else "strangers_asked" if s else "strangers_missed"] += 1
            if s is None or s["card"] != "?":
                out.faults.append(f"{event['t']:.2f} {event['sign']} {'missed' if s is None else 'is ' + s['card']}")
            continue
        if s is None:
            c["missed"] += 1
            out.faults.append(f"{event['t']:.2f} missed {event['card']}")
            continue
        kind = "right" if s["card"] == event["card"] else "unsure" if s["card"] == "?" else "wrong"
        c[kind] += 1
        c["seat"] += s["seat"] == event["seat"]
        out.latency.append(s["late"] - event["t"])
        if kind != "right":
            out.faults.append(f"{event['t']:.2f} {kind} {event['card']} ({s['read']})")
        if s["seat"] != event["seat"]:
            out.faults.append(f"{event['t']:.2f} seat {event['seat']} ({s['seat']})")
    for name, kind, true_name in (("removed", CardRemoved, "removed"), ("drew", CardsDrawn, "drew"),
                                  ("taken", PileTaken, "pile_taken")):  # fmt: skip
        told = [{"t": s.t, **({"n": s.count} if isinstance(s, CardsDrawn) else {})}
                for s in sightings if isinstance(s, kind)]  # fmt: skip
        true = [e for e in truth if e["event"] == true_name]
        pairs, extra = _aligned(true, told, None)
        c[name], c[f"{name}_invented"] = len(true), len(extra)
        c[f"{name}_right"] = sum(s is not None for _, s in pairs)
        out.faults += [f"{s['t']:.2f} {name} invented" for s in extra]
        out.faults += [f"{e['t']:.2f} {name} missed" for e, s in pairs if s is None]
        if name == "drew":
            c["drew_count"] = sum(s is not None and s["n"] == e["n"] for e, s in pairs)
    c["views"] = sum(isinstance(s, ViewChanged) and s.state.value not in ("clear", "hand") for s in sightings)
    return out


# Watching ------------------------------------------------------------------------------------------------------------


def watch(recording: Recording, models: Models, a: argparse.Namespace) -> Score:
    """The eye on one recording."""
    calibration = recording.calibration
    eye = Eye(replace(calibration, card_mm=tuple(a.said_mm)) if a.said_mm else calibration, models)
    sightings: list[Sighting] = []
    cost, frames = 0.0, 0
    explaining = tracker.judge
    if a.explain:
        tracker.judge = _told
    for frame in recording.frames:
        if frame.t > a.until:
            break
        begin = time.process_time()
        new = eye.process(frame)
        cost, frames = cost + time.process_time() - begin, frames + 1
        sightings += new
        if a.explain and frame.t >= a.since:
            for sighting in new:
                print(f"  {frame.t:7.2f}  {json.dumps(sighting.to_json())}")
        if a.pictures and a.since <= frame.t <= a.until and frame.seq % a.every == 0:
            cv2.imwrite(str(a.pictures / f"{frame.t:08.3f}.png"), frame.image)
    tracker.judge = explaining
    truth = [e for e in recording.truth if e["t"] <= a.until]
    out = score(truth, sightings)
    out.counts["frames"] = frames
    out.counts["microseconds"] = round(cost * 1e6)
    if a.explain:
        for event in truth:
            if event["t"] >= a.since:
                print(" ", event)
    return out


def _told(pile: Pile, look: Any) -> Any:
    verdict = judge(pile, look)
    top = pile.top and str(pile.top.card)
    carried = {"brought": look.brought, "taken": look.taken}
    hands = "".join(f" {what} {share:.2f}" for what, share in carried.items() if share is not None)
    print(f"  {look.t:7.2f}  change {look.change:.3f} in_top {look.in_top:.2f} top {top}{hands} -> {verdict}")
    for card in look.cards:
        numbers = {k: getattr(card, k) for k in card.__slots__ if k not in ("reading", "quad")}
        shown = {k: round(v, 2) if isinstance(v, float) else v for k, v in numbers.items()}
        print(f"           {card.reading.notation} {card.reading.confidence:.3f} {shown}")
    return verdict


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--tables", type=int, default=60)
    ap.add_argument("--seed", type=int, default=1, help="of the first table; the next is +1")
    ap.add_argument("--only", type=int, nargs="*", help="these seeds (variants with --recordings)")
    ap.add_argument("--landings", type=int, default=12)
    ap.add_argument("--acts", nargs="*", default=USUAL, choices=tuple(ACTS), help="only these happen")
    ap.add_argument("--play", action="store_true", help="people who keep the rules")
    ap.add_argument("--plain", action="store_true", help="a camera without faults, 30 frames/s")
    ap.add_argument("--level", choices=[level.value for level in Level])
    ap.add_argument("--style")
    ap.add_argument("--top", help="the table top")
    ap.add_argument("--fonts", type=Path, help="print every deck in a typeface of this folder (needs Pillow)")
    ap.add_argument("--photos", type=Path, help="the data folder whose held-out photographs make the decks")
    ap.add_argument("--tops", type=Path, help="a folder of photographs that are the table tops")
    ap.add_argument("--editions", type=Path, help="some cards are other editions', in typefaces of this folder")
    ap.add_argument("--recordings", type=Path)
    ap.add_argument("--match", default="*.mp4")
    ap.add_argument("--variants", type=int, default=4)
    ap.add_argument("--slant", action="store_true", help="recordings through a camera that hangs askew")
    ap.add_argument("--things", action="store_true", help="people put things down beside the piles")
    ap.add_argument("--fidgets", action="store_true", help="people fidget with their cards at the edge of the picture")
    ap.add_argument("--said-mm", type=float, nargs=2, metavar=("WIDE", "HIGH"), help="size that cards are said to have")
    ap.add_argument("--explain", action="store_true")
    ap.add_argument("--models", type=Path, help="other networks than the shipped ones")
    ap.add_argument("--since", type=float, default=0.0)
    ap.add_argument("--until", type=float, default=1e9)
    ap.add_argument("--pictures", type=Path, help="folder for frames from --since to --until")
    ap.add_argument("--every", type=int, default=1)
    ap.add_argument("--quiet", action="store_true", help="only the totals")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    models = load_models(a.models)
    makers: list[Callable[[], Recording]]
    seeds: Iterable[int]
    if a.recordings:
        paths = sorted(a.recordings.glob(a.match))
        seeds = a.only if a.only is not None else range(a.variants)
        makers = [partial(recorded, p, v, a.slant) for v in seeds for p in paths]
    else:
        seeds = a.only if a.only is not None else range(a.seed, a.seed + a.tables)
        decks = photo_decks(a.photos, models) if a.photos else []
        makers = [partial(drawn, s, a, decks) for s in seeds]
    total, by_tag = Score(), {}
    for make in makers:
        recording = make()
        got = watch(recording, models, a)
        total.add(got)
        for tag in recording.tags:
            by_tag.setdefault(tag, Score()).add(got)
        if not a.quiet:
            print(f"{recording.name} [{' '.join(recording.tags)}]: {'; '.join(got.faults) or 'all right'}", flush=True)
    print()
    for tag in sorted(by_tag):
        print(f"{tag:24s} {by_tag[tag].line()}")
    print(f"{'all':24s} {total.line()}")
    frames = max(1, total.counts["frames"])
    print(f"{total.counts['microseconds'] / frames / 1000:.2f} ms of CPU a frame, {frames} frames, "
          f"{total.counts['views']} doubts about the view")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
