"""Whether a game stands after a power cut where it stood: python vm_compare.py HAND.said LOOK.said (see vm_tier.sh)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from referee.board import Eye, make_board
from referee.event_json import decode
from referee.events import Event
from referee.rules import replay


def is_board(said: dict[str, Any], log: list[tuple[int, Event]]) -> bool:
    """Whether what a screen showed is the board of the events."""
    board = json.loads(json.dumps(make_board(replay(log), Eye(), seq=0, now=0.0)))
    game = board.keys() - {"seq", "t", "eye", "pace", "troubles", "paused"}
    return game <= said.keys() and all(said[key] == board[key] for key in game)


def main(hand: Path, look: Path) -> int:
    said = [line for line in map(json.loads, whole_lines(hand)) if "stands" in line]
    after = next(line for line in map(json.loads, whole_lines(look)) if "stands" in line)
    log = [(number, decode(event)) for number, event in after["entries"]]
    log.sort(key=lambda one: (one[1].t, one[0]))
    numbers = {number for number, _ in log}
    last = said[-1]
    lost = [line["number"] for line in said if line["number"] not in numbers]
    as_on_disk = is_board(after["stands"], log)
    later = [n for n in sorted(numbers) if n >= last["number"]]
    stood = any(is_board(last["stands"], [one for one in log if one[0] <= n]) for n in later)
    ok = not lost and as_on_disk and stood
    print(
        f"vm_tier: power cut after {len(said)} acknowledged turns ({len(log)} events on disk, "
        f"{len(later) - 1} of them after the last acknowledged one): {len(lost)} lost; "
        f"the position before the cut is {'' if stood else 'NOT '}on the disk; "
        f"the board after the boot is {'' if as_on_disk else 'NOT '}that of the disk"
    )
    return 0 if ok else 1


def whole_lines(file: Path) -> list[str]:
    """Lines that were written to their end: the last may have been cut off."""
    return [line for line in file.read_text().split("\n")[:-1] if line.startswith("{")]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
