"""Whether the reader says the same on two machines.

    python tests/hardware/golden_frames.py make FOLDER          renders the frames, as PNG
    python tests/hardware/golden_frames.py read FOLDER OUT.json  every card that is read in them
    python tests/hardware/golden_frames.py compare A.json B.json exits 1 when they differ
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import cv2

from referee.virtual_table import Level, Look, VirtualTable, play
from referee.vision.nets import load_models
from referee.vision.reading import read_photo

TABLES = ((1, Level.EASY), (2, Level.NORMAL), (3, Level.NORMAL), (4, Level.HARD))
MOMENTS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Parts of each table's evening at which a frame is taken."""
CLOSE = 0.01
"""Largest difference of confidence. Too small: another order of additions fails; too large: another reading passes."""
CLOSE_PX = 1.0
"""Largest difference of a corner, pixels. Extremes as above."""


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
             "quad": [float(value) for corner in one.quad for value in corner]}
            for one in read_photo(image, models)
        ]  # fmt: skip
    out.write_text(json.dumps({"machine": platform.machine(), "opencv": cv2.__version__, "frames": found}))
    print(f"{platform.machine()}: {len(found)} frames, {sum(map(len, found.values()))} cards read")


def compare(one: Path, two: Path) -> int:
    a, b = json.loads(one.read_text()), json.loads(two.read_text())
    wrong, said, worst, worst_px = [], 0, 0.0, 0.0
    for name in sorted(a["frames"].keys() | b["frames"].keys()):
        left, right = a["frames"].get(name, []), b["frames"].get(name, [])
        # What nobody is told may differ: sums are rounded in another order, and a guess is a guess.
        left, right = ([card for card in cards if card["sure"]] for cards in (left, right))
        said += len(left)
        if [c["card"] for c in left] != [c["card"] for c in right]:
            wrong.append(name)
            continue
        for c, d in zip(left, right, strict=True):
            worst = max(worst, abs(c["confidence"] - d["confidence"]))
            worst_px = max(worst_px, *(abs(p - q) for p, q in zip(c["quad"], d["quad"], strict=True)))
    same = not wrong and worst <= CLOSE and worst_px <= CLOSE_PX
    print(
        f"{a['machine']} and {b['machine']}: {len(a['frames'])} frames, {said} cards that are sure: "
        f"{'differ in ' + ', '.join(wrong) if wrong else 'equal'}; "
        f"confidence differs by at most {worst:.4f}, corners by {worst_px:.2f} px"
    )
    return 0 if same else 1


if __name__ == "__main__":
    job, *rest = sys.argv[1:]
    sys.exit({"make": make, "read": read, "compare": compare}[job](*map(Path, rest)))
