"""Pictures of recordings in which the pile rests, each read as a photograph, without calibration or what was before.

    python tests/vision/recorded_stills.py ../shared/data/videos
    python tests/vision/recorded_stills.py ../shared/data/videos --faults

Not collected by pytest. One picture for each card that landed or was taken back, a little after. A top card is said
where a surely read card is known to be on top, and no other one is; of covered cards the faces count alone.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2

from referee.frame import Image
from referee.hardware.cameras import frames, parse_source
from referee.hardware.recordings import open_it
from referee.vision.nets import load_models
from referee.vision.reading import is_certain, read_photo

AFTER_S = 0.6
"""Seconds after a card has come to rest or gone: the hand has left, and nobody has come again."""

HEAD = "| recording | pictures | top right | another one said | none said | faces said | not in the pile |"


def rests(path: Path) -> Iterator[tuple[float, list[str], Image]]:
    """Seconds, the cards of the pile, the top one last, and the picture, for each rest of a recording."""
    pile: list[str] = []
    wanted: list[tuple[float, list[str]]] = []
    for event in json.loads(path.with_suffix(".truth.json").read_text(encoding="utf-8"))["events"]:
        if event["event"] == "landed":
            pile = [*pile, event["card"]]
        elif event["event"] == "removed":
            pile = pile[:-1]
        else:
            continue
        wanted.append((event["t"] + AFTER_S, pile))
    with open_it(parse_source(str(path))) as video:
        for frame in frames(video):
            if wanted and frame.t >= wanted[0][0]:
                yield *wanted.pop(0), frame.image


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", type=Path, help="folder of recordings with .truth.json")
    parser.add_argument("--faults", action="store_true", help="say what went wrong where")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models, total = load_models(), Counter[str]()
    print(HEAD + "\n" + "|---" * (HEAD.count("|") - 1) + "|")
    for path in sorted(given.videos.glob("*.mp4")):
        count = Counter[str]()
        for t, pile, image in rests(path):
            said = [card for card in read_photo(image, models) if is_certain(card, models)]
            tops = [card.reading.notation for card in said if card.top]
            what = "right" if tops == [pile[-1]] else "other" if tops else "none"
            odd = Counter(card.reading.notation for card in said) - Counter(pile)
            count.update([what, "pictures"])
            count.update({"said": len(said), "odd": odd.total()})
            if given.faults and (what != "right" or odd):
                print(f"{path.stem} {t:.2f} s: top {pile[-1]}, said {tops}; not in the pile {sorted(odd.elements())}")
        total += count
        print(row(path.stem, count), flush=True)
    print(row("all", total))


def row(name: str, count: Counter[str]) -> str:
    cells = [str(count[key]) for key in ("pictures", "right", "other", "none", "said", "odd")]
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
