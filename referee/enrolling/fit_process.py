"""What runs in the process that learns a deck, out of the service's way: at the lowest priority, on one core.

It says on standard output how far it is, one JSON object a line: `{"share"}`, 0 to 1, then `{"faces", "before", "now"}`
or `{"errno", "error"}`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from referee.hardware.orphans import die_with

NICE = 15
"""How far the process stands back, 0 to 19. Smaller: the eye loses frames meanwhile; larger: on a busy Pi it takes much
longer, and gains no one anything."""

FIRST_TO_GO = 800
"""Where memory runs out, how far before the service the kernel ends this process, -1000 to 1000. Smaller: the camera
process may be chosen, and nobody referees; larger: nothing changes."""


def main(draft: str, target: str, parent: int) -> None:
    """Learns the deck of the file `draft` into the file `target`. parent: process of the service."""
    die_with(parent)
    os.nice(NICE)
    Path("/proc/self/oom_score_adj").write_text(str(FIRST_TO_GO))
    import cv2

    cv2.setNumThreads(1)
    try:
        _learn(Path(draft), Path(target))
    except OSError as error:
        _say(errno=error.errno, error=error.strerror or str(error))
        raise SystemExit(1) from None


def _learn(draft: Path, target: Path) -> None:
    from referee.deck_fitting import learn
    from referee.vision.deck import load_deck, save_deck
    from referee.vision.nets import load_models

    models = load_models()
    learned = learn(load_deck(draft, models.readers), models, lambda share: _say(share=round(share, 3)))
    save_deck(learned.deck, target)
    _say(faces=len(learned.deck.looks), before=learned.before, now=learned.now)


def _say(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)
