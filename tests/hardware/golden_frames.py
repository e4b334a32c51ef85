"""Whether the reader says the same on two machines.

    python tests/hardware/golden_frames.py make FOLDER          renders the frames, as PNG
    python tests/hardware/golden_frames.py read FOLDER OUT.json  every card that is read in them
    python tests/hardware/golden_frames.py compare A.json B.json exits 1 when they differ
"""

from __future__ import annotations

import json
import math
import platform
import sys
from pathlib import Path
from typing import Any

import cv2

from referee.virtual_table import Level, Look, VirtualTable, play
from referee.vision.askew import SEEN
from referee.vision.nets import load_models
from referee.vision.reading import read_photo

TABLES = ((1, Level.EASY), (2, Level.NORMAL), (3, Level.NORMAL), (4, Level.HARD))
MOMENTS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Parts of each table's evening at which a frame is taken."""
CLOSE = 0.01
"""Largest difference of confidence. Too small: another order of additions fails; too large: another reading passes."""
CLOSE_PX = 1.0
"""Largest difference of a corner of a card that more than half of is seen, pixels. Extremes as above."""
CLOSE_SHARE = 0.056
"""The same, as a share of the card's height, of a card that its index alone shows or puts right: an eighth of the card
tells where the rest is, and a picture that is searched one pixel smaller, because a height was rounded the other way,
moves its far corners by some hundredths. Too small: that fails; too large: more than two finds of one index are apart
(5 mm)."""


def make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for seed, level in TABLES:
        table = VirtualTable(play(seed, hands=1, level=level), Look.draw(seed, level))
        for part in MOMENTS:
            image = table.frame_at(part * table.duration_s).image
            cv2.imwrite(str(folder / f"{seed}-{level.value}-{int(100 * part)}.png"), image)


def read(folder: Path, out: Path) -> None:
    models, found = load_models(), {}
    for path in sorted(folder.glob("*.png")):
        image = cv2.imread(str(path))
        assert image is not None
        found[path.name] = [
            {"card": one.reading.notation, "confidence": one.reading.confidence, "sure": models.is_sure(one.reading),
             "whole": bool(one.visible > SEEN), "quad": [float(value) for corner in one.quad for value in corner]}
            for one in read_photo(image, models)
        ]  # fmt: skip
    out.write_text(json.dumps({"machine": platform.machine(), "opencv": cv2.__version__, "frames": found}))
    print(f"{platform.machine()}: {len(found)} frames, {sum(map(len, found.values()))} cards read")


def compare(one: Path, two: Path) -> int:
    a, b = json.loads(one.read_text()), json.loads(two.read_text())
    wrong, confidence, whole, others = [], [0.0], [0.0], [0.0]
    said = 0
    for name in sorted(a["frames"].keys() | b["frames"].keys()):
        left, right = a["frames"].get(name, []), b["frames"].get(name, [])
        # What nobody is told may differ: sums are rounded in another order, and a guess is a guess.
        left, right = (sorted((card for card in cards if card["sure"]), key=order) for cards in (left, right))
        said += len(left)
        if [(c["card"], c["whole"]) for c in left] != [(c["card"], c["whole"]) for c in right]:
            wrong.append(name)
            continue
        for c, d in zip(left, right, strict=True):
            confidence.append(abs(c["confidence"] - d["confidence"]))
            away = max(abs(p - q) for p, q in zip(c["quad"], d["quad"], strict=True))
            (whole if c["whole"] else others).append(away if c["whole"] else away / height_px(c["quad"]))
    same = not wrong and max(confidence) <= CLOSE and max(whole) <= CLOSE_PX and max(others) <= CLOSE_SHARE
    print(
        f"{a['machine']} and {b['machine']}: {len(a['frames'])} frames, {said} cards that are sure: "
        f"{'differ in ' + ', '.join(wrong) if wrong else 'equal'}; "
        f"confidence differs by at most {max(confidence):.4f}, corners of {len(whole) - 1} cards seen as a whole by "
        f"{max(whole):.2f} px, of {len(others) - 1} that their index places by {max(others):.1%} of their height"
    )
    return 0 if same else 1


def order(card: dict[str, Any]) -> tuple[str, float]:
    """One order on both machines: the score by which cards come differs in the last digits."""
    return card["card"], sum(card["quad"])


def height_px(quad: list[float]) -> float:
    return math.dist(quad[0:2], quad[6:8])


if __name__ == "__main__":
    job, *rest = sys.argv[1:]
    sys.exit({"make": make, "read": read, "compare": compare}[job](*map(Path, rest)))
